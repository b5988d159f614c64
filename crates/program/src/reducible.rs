//! What dynamic partial order reduction asks of a program.

use crate::{Choice, Fault, Program};

/// A program that a dynamic partial order reduction can explore.
///
/// A reduction leaves out executions by what footprints say: `Step::footprint` and `Thread::pending` name everything
/// that a transition touches, or are `Footprint::Unknown`. A front-end writes `prepare_reduction`. The other methods
/// are for programs that leave a thread alone which repeats itself.
pub trait Reducible: Program {
    /// A reduction is about to explore the program, which stands at its start. The program returns what the reduction may
    /// rely on.
    ///
    /// A reduction visits a state only to find out what threads do next. So the program may stop a thread that repeats
    /// itself and changes nothing (`is_cut`), and may take operations that no other thread can notice in the step before
    /// them (`Program::full_schedule`). If `after_findings` is set, the search continues after it has found something.
    fn prepare_reduction(&mut self, after_findings: bool) -> Result<Promises, Fault>;

    /// The choices that the search will probably take from here, in order. A program that runs ahead by itself can follow
    /// them.
    fn expect(&mut self, choices: &[Choice]) {
        let _ = choices;
    }

    /// Whether this state has no choices only because a thread was stopped that repeats itself. Another execution
    /// explores what the thread would do next.
    fn is_cut(&mut self) -> bool {
        false
    }

    /// The choice that ends the program, if a thread waits to do that until no other thread can move. A reduction takes it
    /// where the other threads only repeat themselves.
    fn exit_choice(&mut self) -> Option<Choice> {
        None
    }

    /// The reduction needs a choice that this state does not offer, although no step before it touched what the choice
    /// depends on. If an assumption of the program may be the reason, the program gives it up and returns `Fault::Again`.
    fn retract(&mut self) -> Option<Fault> {
        None
    }
}

/// What a reduction may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// Footprints tell what is possible, and when. Then two things hold.
    ///
    /// - Threads wait only for objects that their next transition acquires, shares, or looks at (`Mode::Look`): locks,
    ///   the end of a thread that is joined, a wake-up, a semaphore. An access with `Mode::Acquire`, `Open` or `Look` was
    ///   made while the object could be acquired; one with `Release` or `Shut` while it could not. Of objects that are
    ///   written, or only read, that is not known: they can be acquired once, and are held from the first change after
    ///   a `Release`, or after the start, to the next `Release`. A lock that can be shared is not read or written, except
    ///   while no thread has it; a thread shares it from a `Share` or `Enter` to an `Unshare` of its own.
    /// - A transition's thread decides what the transition touches, not what it finds there, nor its outcome if it has
    ///   several: one that tries to take a lock, or compares before it writes, writes in any case. In which of the modes
    ///   that change something may depend on what it finds. It may also release what it makes possible.
    ///
    /// Otherwise transitions have guards that look at what other threads write. A reduction is still sound then, but
    /// leaves out less.
    pub exact_footprints: bool,
    /// `judge` and goals say nothing about a state in which an execution goes on. If they may, a reduction proves nothing,
    /// because it visits only some of these states.
    pub judges_ends_only: bool,
}
