//! The two traits and the factory.

use crate::{
    Cancel, Choice, Component, Encoded, Fault, Finding, ObjectId, Schedule, Step, Thread, ThreadId, Threads,
};

/// What makes programs: one for each worker of a search.
pub trait Load: Send + Sync {
    /// The program that it makes.
    type P: Program;

    /// A program at its start. Until it ends it goes by what had been learned before it was opened.
    fn open(&self) -> Result<Self::P, Fault>;

    /// The same, made of a program of this `Load` that is not needed any more, wherever it stands: for those whose start takes
    /// a while.
    fn renew(&self, program: Self::P) -> Result<Self::P, Fault> {
        drop(program);
        self.open()
    }

    /// A program at its start for following schedules that are known: it learns nothing and never gives
    /// `Fault::Again`, whatever it comes across. What is explored with it proves nothing.
    fn open_to_follow(&self) -> Result<Self::P, Fault> {
        self.open()
    }

    /// What the programs that gave `Fault::Again` had learned, a word or a line each. A schedule fits only programs that
    /// know as much as the one that it was found with, so a trace keeps this beside it.
    fn learned(&self) -> Vec<String> {
        Vec::new()
    }

    /// Takes over what another `Load` of the same program had learned. Words that it does not know are passed over.
    fn learn(&self, learned: &[String]) {
        let _ = learned;
    }

    /// What programs made here have left out of what they can do, if anything, because there is too much of it: what was
    /// explored with them proves nothing. A word for what it is, a colon, and a clause that says it.
    fn leaves_out(&self) -> Option<&'static str> {
        None
    }

    /// From now on, opening a program and taking its steps end with `Fault::Cancelled` soon after `cancel` is set. Programs that
    /// were opened before may go on as they did. A program whose steps cannot last long need not heed it.
    fn heed(&self, cancel: &Cancel) {
        let _ = cancel;
    }

    /// The memory of other processes that run programs made here.
    fn memory_elsewhere(&self) -> Elsewhere {
        Elsewhere::default()
    }

    /// The threads of all programs made here. A `Choice` or `Schedule` of one of them fits the others.
    fn threads(&self) -> &Threads;
}

/// The resident memory of processes that run programs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Of all together.
    pub all: u64,
    /// Of the largest one, with its children: another program would take as much.
    pub largest: u64,
}

/// A program under test, standing in some state.
///
/// A program is a function of its choices: the same schedule leads to the same state, with the same choices.
pub trait Program {
    /// What it takes to come back to a state: a packed value, a root into pools, a schedule. Any program of the
    /// same `Load` can go there.
    type Place: Clone + Send;

    /// Appends the choices of this state, by thread and then by value. If there are none, the program has ended
    /// or is stuck; `judge` tells which.
    ///
    /// Asked only of states that are expanded, so a program may put the work off until then.
    fn choices(&mut self, out: &mut Vec<Choice>);

    /// What is wrong with this state, if anything: a property that does not hold, or, where it has no choices
    /// (`stuck`), that threads remain. What failed on the way here is in the step's own finding.
    fn judge(&mut self, stuck: bool) -> Option<Finding>;

    /// The status with which the program ended by itself, asked where it has no choices and `judge` found nothing wrong. `None`: it
    /// has no status, did not end by itself, or values were chosen for it, so that the status need not depend on the schedule.
    fn exit_status(&mut self) -> Option<i32> {
        None
    }

    /// Whether a thread can go on here by a choice that is not offered, such as a time-out that comes last, or a value that is not
    /// tried. An execution that never takes it is not one that goes on for ever in reality.
    fn withholds(&self) -> bool {
        false
    }

    /// Takes a choice of this state and records in `step` what happened, as far as `step.detail` asks.
    ///
    /// The caller vouches that `choices` offered it in this state, on this visit or an earlier one, here or in another
    /// program of the same `Load`. At `Detail::Words`, which is for schedules of any origin, the program verifies it: a
    /// choice that is not one of this state gives `Fault::Diverged`, and the program stays where it is. At the other
    /// details what such a choice does is not defined.
    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault>;

    /// The choices that will most likely be taken from here, one after the other. A program that runs ahead by itself may go
    /// by it.
    fn expect(&mut self, choices: &[Choice]) {
        let _ = choices;
    }

    /// The number of steps since the start, or since the last `go`.
    fn depth(&self) -> usize;

    /// Goes back to where it was at `depth`, which is at most the present one.
    fn rewind(&mut self, depth: usize) -> Result<(), Fault>;

    /// How to come back here.
    fn here(&mut self) -> Self::Place;

    /// Goes to a place. The depth is 0 there, and `rewind` does not reach behind it.
    fn go(&mut self, place: &Self::Place) -> Result<(), Fault>;

    /// Appends all threads of this state that have been created, finished and blocked ones too.
    fn threads(&mut self, out: &mut Vec<Thread>);

    /// What people call the thread.
    fn name(&self, thread: ThreadId) -> String;

    /// What people call the object.
    fn object_name(&self, object: ObjectId) -> String {
        format!("object {}", object.0)
    }

    /// The state in words, for the end of a trace. A line that ends in a colon, with lines below it that are indented by
    /// two spaces, names what these are: the program's output, its threads.
    fn describe(&mut self) -> String {
        String::new()
    }

    /// A dynamic partial order reduction is about to explore the program, which stands at its start. It visits states only to
    /// find out what threads do next, so that a thread which repeats itself, and changes nothing, may be left where it is:
    /// see `is_cut`; and what nobody can notice may belong to the step before it: see `in_full`. `goes_on`: the search goes
    /// on behind findings.
    fn prepare_reduction(&mut self, goes_on: bool) -> Result<(), Fault> {
        let _ = goes_on;
        Ok(())
    }

    /// A schedule that leads here, with a choice for each step that programs take which follow it, and no reduction explores.
    fn in_full(&self, schedule: Schedule) -> Schedule {
        schedule
    }

    /// Whether nobody can move here for the sole reason that a thread was left alone: what it would do next it does in
    /// another execution, too.
    fn is_cut(&mut self) -> bool {
        false
    }

    /// The choice with which the program ends, if a thread waits to do that until nobody else can move: a reduction takes it where
    /// the others could move, and do not because nothing new would come of it.
    fn leaving(&mut self) -> Option<Choice> {
        None
    }

    /// A transition is not possible that should be, by the footprints of those before it. If that is because of an assumption
    /// that can be given up: that the search must begin again.
    fn contradicted(&mut self) -> Option<Fault> {
        None
    }

    /// Whether a reduction may count on footprints to say what is possible, and when. Then two things hold.
    ///
    /// - Threads wait for nothing but objects that their next transition acquires, shares, or looks at (`Mode::Look`): locks,
    ///   the end of a thread that is joined, a wake-up, a semaphore. An access with `Mode::Acquire`, `Open` or `Look` was
    ///   made while the object could be acquired; one with `Release` or `Shut` while it could not. Of objects that are
    ///   written, or only read, that is not known: they can be acquired once, and are held from the first change after
    ///   a `Release`, or after the start, to the next `Release`. A lock that can be shared is not read or written, except
    ///   while nobody has it; a thread shares it from a `Share` or `Enter` to an `Unshare` of its own.
    /// - What a transition touches is decided by its thread, not by what it finds there, nor by its outcome if it has
    ///   several: one that tries to take a lock, or compares before it writes, writes in any case. In which of the modes
    ///   that change something may depend on what it finds. It may also release what it makes possible.
    ///
    /// Where this is not so, because transitions have guards that look at what others write, a reduction is still sound
    /// but leaves out less.
    fn has_exact_footprints(&self) -> bool {
        false
    }

    /// Whether `judge` or `reached` have anything to say of states that are not the end of an execution. A reduction
    /// visits only some of them.
    fn watches_states(&self) -> bool {
        false
    }

    /// The names of states that must be reachable. If everything was explored and one was never reached, that is
    /// a finding.
    fn goals(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether this state is what the goal of that number asks for.
    fn reached(&mut self, goal: usize) -> bool {
        let _ = goal;
        false
    }

    /// An estimate of the number of steps from here to the target.
    fn distance(&self, target: Target) -> Option<u32> {
        let _ = target;
        None
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

/// A program whose states can be told apart without their history.
///
/// States are equal exactly if their encodings are, and then so are their fingerprints and their futures.
pub trait Stateful: Program {
    /// Called once, at the start, by a search that will ask for states.
    fn prepare_states(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Called before the search shows that an execution goes on for ever. Programs that follow its schedule must let every thread
    /// go on that can.
    fn show_endless(&mut self) {}

    /// 128 well mixed bits that stand for this state, the same on every machine.
    fn fingerprint(&mut self) -> u128;

    /// Appends this state to an empty encoding.
    fn encode(&mut self, out: &mut Encoded);

    /// Goes to the state whose encoding is given. The depth is 0 there.
    fn decode(&mut self, state: &Encoded) -> Result<(), Fault>;

    /// Whether a step costs about as little as a look at a place in memory that is not in the cache. Searches then look
    /// ahead: they take steps into new states twice, and have less to wait for.
    fn steps_are_cheap(&self) -> bool {
        false
    }

    /// The names of the kinds of components, by number.
    fn kinds(&self) -> Vec<String>;

    /// Appends this state in named components: every difference between two encodings is one between these. It is for
    /// people, and may take a hundred times as long as `encode`. By default they are known by kind and number, and hold
    /// bytes, see `Encoded::in_words`.
    fn components(&mut self, out: &mut Vec<Component>) {
        let mut encoded = Encoded::new();
        self.encode(&mut encoded);
        out.extend(encoded.in_words(&self.kinds(), None));
    }

    /// A number by which states are dealt out to partitions.
    fn key(&mut self, by: Partition) -> u64;
}

/// Which part of a state decides the partition that it belongs to (Lerda & Visser 2001, section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// All of it.
    Global,
    /// The threads, without what they share.
    Local,
    /// One thread.
    LocalOf(u32),
    /// The place in the code where one thread stands.
    Pc(u32),
    /// The places in the code of all calls that one thread is in.
    Pcs(u32),
}
