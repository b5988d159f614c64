//! What makes programs.

use crate::{Cancel, Fault, Program, SharedSet, Threads};
use std::sync::Arc;

/// Makes programs: one for each worker of a search, all of the same program under test.
///
/// A front-end writes `open` and `threads`. The other methods are for front-ends that assume something and learn that it is
/// wrong, that take long to start, or that run other processes.
pub trait Load: Send + Sync {
    /// The program that it makes.
    type P: Program;

    /// Opens a program at its start. The program goes by what was learned before.
    fn open(&self) -> Result<Self::P, Fault>;

    /// Opens a program at its start, made from one that is no longer needed, wherever that stands. Override it if a start
    /// takes long.
    fn renew(&self, program: Self::P) -> Result<Self::P, Fault> {
        drop(program);
        self.open()
    }

    /// Opens a program that follows known schedules. It learns nothing and never returns `Fault::Again`, so that exploring it
    /// proves nothing.
    fn open_to_follow(&self) -> Result<Self::P, Fault> {
        self.open()
    }

    /// What the programs that returned `Fault::Again` had learned, one line each. A schedule fits only programs that
    /// know as much as the one that it was found with, so a trace keeps these lines.
    fn learned(&self) -> Vec<String> {
        Vec::new()
    }

    /// Takes over what another `Load` of the same program had learned. Unknown lines are ignored.
    fn learn(&self, learned: &[String]) {
        let _ = learned;
    }

    /// A load of the same program that knows what this one knows now, and from then on learns for itself. So what one search
    /// does cannot depend on another one. `None`: its programs learn nothing, and all searches may share it. It is not forwarded
    /// by [`forward!`](crate::forward).
    fn twin(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Takes over what a twin has noted for warnings and caveats, but nothing that it has learned.
    fn take_notes_of(&self, twin: &Self)
    where
        Self: Sized,
    {
        let _ = twin;
    }

    /// What its programs have left out because there is too much of it, if anything. Then the search proves nothing. The text
    /// is one word, a colon, and a clause that explains it.
    fn leaves_out(&self) -> Option<&'static str> {
        None
    }

    /// From now on, `open` and the steps of programs end with `Fault::Cancelled` soon after `cancel` is set. Programs that
    /// were opened before may ignore it. A front-end whose steps are always short may ignore it too.
    fn set_cancel(&self, cancel: &Cancel) {
        let _ = cancel;
    }

    /// The memory of other processes that run its programs.
    fn process_memory(&self) -> ProcessMemory {
        ProcessMemory::default()
    }

    /// A set of fingerprints that its programs look in when they go on with a search by themselves
    /// ([`Stateful::search_on`](crate::Stateful::search_on)), for one search: nothing if they do not do so, or if another search
    /// has it. It is not forwarded by [`forward!`](crate::forward).
    fn shared_set(&self) -> Option<Arc<dyn SharedSet>> {
        None
    }

    /// The numbers of all threads of its programs. A `Choice` or `Schedule` of one program fits all the others.
    fn threads(&self) -> &Threads;
}

/// The resident memory of processes that run programs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Of all processes together.
    pub total: u64,
    /// Of the largest one with its children: another program would take as much.
    pub largest: u64,
}
