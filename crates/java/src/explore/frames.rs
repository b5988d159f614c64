//! What is remembered of the frames of threads from one walk to the next: most threads have not moved.

use super::sinks::{Bits, FRAMES, Print, Sink};
use crate::class::MethodId;
use crate::machine::{Machine, Resume};
use crate::memory::Ref;

/// What is remembered of frames.
#[derive(Default)]
pub(super) struct Frames {
    pub briefs: Briefs,
    pub methods: Methods,
}

/// The frames of a thread, all but the references in 128 bits.
#[derive(Default)]
pub(super) struct Brief {
    version: u64,
    /// The thread's number plus one.
    thread: usize,
    pub print: Bits,
    pub references: Vec<Ref>,
}

/// As many of them are remembered.
const BRIEFS: usize = 512;

/// The latest frames of all threads, and some that were before.
#[derive(Default)]
pub(super) struct Briefs(Vec<Brief>);

impl Briefs {
    /// The frames of a thread.
    #[inline(always)]
    pub fn of(&mut self, machine: &Machine, thread: usize, methods: &mut Methods) -> &Brief {
        let version = machine.threads[thread].version;
        let seat = (version as usize).wrapping_mul(31).wrapping_add(thread) % BRIEFS;
        let known = self.0.get(seat).map(|brief| (brief.version, brief.thread));
        if known != Some((version, thread + 1)) {
            self.summarise(machine, thread, seat, methods);
        }
        &self.0[seat]
    }

    fn summarise(&mut self, machine: &Machine, at: usize, seat: usize, methods: &mut Methods) {
        if self.0.is_empty() {
            self.0.resize_with(BRIEFS, Brief::default);
        }
        let brief = &mut self.0[seat];
        let thread = &machine.threads[at];
        brief.references.clear();
        let mut print = Print::new();
        print.begin(FRAMES, 0);
        for (depth, frame) in thread.frames.iter().enumerate() {
            let method = methods.print(machine, frame.method);
            print.pair(method, u64::from(frame.pc) << 1 | u64::from(frame.resume == Resume::Again));
            if !frame.lock.is_null() {
                brief.references.push(frame.lock);
            }
            let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            machine.liveness(frame.method).alive(frame.pc, again, |register, is_reference| {
                let value = thread.stack.get(frame.base as usize + usize::from(register));
                if is_reference {
                    brief.references.push(Ref(value as u32));
                } else {
                    print.word(value);
                }
            });
        }
        (brief.version, brief.thread, brief.print) = (thread.version, at + 1, print.take());
    }
}

/// What stands for methods, on every machine.
#[derive(Default)]
pub(super) struct Methods(Vec<u64>);

impl Methods {
    /// What stands for a method.
    #[inline(always)]
    pub fn print(&mut self, machine: &Machine, method: MethodId) -> u64 {
        match self.0.get(method.0 as usize) {
            Some(&known) if known != 0 => known,
            _ => self.make(machine, method),
        }
    }

    #[cold]
    fn make(&mut self, machine: &Machine, method: MethodId) -> u64 {
        if self.0.len() <= method.0 as usize {
            self.0.resize(machine.methods.len(), 0);
        }
        let print = super::print(&machine.describe_method(method), 64) | 1;
        self.0[method.0 as usize] = print;
        print
    }
}
