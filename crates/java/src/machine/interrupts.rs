//! Interrupts of threads. The flag is a field of `java.lang.Thread`.

use super::Machine;
use super::visible::ObjectPart;
use sojourner_program::Mode;

impl Machine {
    /// Clears the interrupt of a thread; whether it was set.
    pub(crate) fn take_interrupt(&mut self, thread: usize) -> bool {
        let (object, offset) = (self.threads.list[thread].object, self.known.thread_interrupted);
        let set = self.is_interrupted(thread);
        if set {
            self.heap.put_u8(object, offset, 0);
            self.note_unpredictable();
        }
        set
    }

    /// Whether a thread is interrupted.
    pub(crate) fn is_interrupted(&mut self, thread: usize) -> bool {
        let (object, offset) = (self.threads.list[thread].object, self.known.thread_interrupted);
        self.note(object, ObjectPart::Variable(offset), Mode::Read);
        self.heap.get_u8(object, offset) != 0
    }
}
