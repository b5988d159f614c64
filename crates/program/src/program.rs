//! A program under test.

use crate::{Choice, Fault, Finding, ObjectId, Schedule, Step, Thread, ThreadId, Usage};

/// A program under test, standing in some state.
///
/// A program is a function of its choices: the same schedule leads to the same state, with the same choices. A front-end
/// writes the eight methods without a default.
pub trait Program {
    /// What it takes to come back to a state: a packed value, a root into pools, a schedule. Any program of the
    /// same `Load` can go there.
    type Place: Clone + Send;

    /// Appends the choices of this state, sorted by thread and then by value. If there are none, the program has ended
    /// or is stuck; `judge` tells which.
    ///
    /// A search asks only states that it expands, so a program may put the work off until then.
    fn choices(&mut self, out: &mut Vec<Choice>);

    /// Takes a choice of this state and records in `step` what happened, as far as `step.detail` asks.
    ///
    /// The caller guarantees that `choices` offered it in this state, on this visit or an earlier one, here or in another
    /// program of the same `Load`. At `Detail::Words`, which is for schedules of any origin, the program verifies it: a
    /// choice that this state does not offer gives `Fault::Diverged`, and the program stays where it is. At the other
    /// details the effect of such a choice is not defined.
    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault>;

    /// What is wrong with this state, if anything: a property that does not hold or, in a state without choices (`stuck`),
    /// threads that wait for ever. A step that fails reports that in `step.finding`.
    fn judge(&mut self, stuck: bool) -> Option<Finding>;

    /// The number of steps since the start, or since the last `go`.
    fn depth(&self) -> usize;

    /// Goes back to where it was at `depth`, which is at most the present one.
    fn rewind(&mut self, depth: usize) -> Result<(), Fault>;

    /// How to come back here.
    fn here(&mut self) -> Self::Place;

    /// Goes to a place. The depth is 0 there, and `rewind` does not reach behind it.
    fn go(&mut self, place: &Self::Place) -> Result<(), Fault>;

    /// Appends all threads that have been created on the way to this state, finished and blocked ones too.
    fn threads(&mut self, out: &mut Vec<Thread>);

    /// The name of a thread, for people.
    fn name(&self, thread: ThreadId) -> String {
        format!("thread {}", thread.0)
    }

    /// The name of an object, for people.
    fn object_name(&self, object: ObjectId) -> String {
        format!("object {}", object.0)
    }

    /// The state in words, for the end of a trace. A line that ends in a colon is a heading, for instance of the program's
    /// output or of its threads; the lines below it are indented by two spaces.
    fn describe(&mut self) -> String {
        String::new()
    }

    /// The names of states that must be reachable. If everything was explored and one was never reached, that is
    /// a finding.
    fn goals(&self) -> Vec<String> {
        Vec::new()
    }

    /// An estimate of the number of steps from here to the target, if there is one. To a goal it is 0 in exactly the states
    /// that reach the goal.
    fn distance(&mut self, target: Target) -> Option<u32> {
        let _ = target;
        None
    }

    /// A schedule that leads here, with a choice for each step that a program takes which follows it. A program may take
    /// several operations in one step while it is explored; then it returns more choices than it is given.
    fn full_schedule(&self, schedule: Schedule) -> Schedule {
        schedule
    }

    /// What it keeps beside the state that it is in. A search asks some fifty times a second, so it must return at once.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// The bytes that a place keeps beside those of the value itself.
    fn place_bytes(&self, place: &Self::Place) -> usize {
        let _ = place;
        0
    }
}

/// What a guided search aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Any finding.
    Finding,
    /// The goal of that number.
    Goal(usize),
}
