//! Where threads may take turns.

use super::draws::Places;
use super::learned::{Discipline, Learned};
use super::{Exploration, Pending};
use crate::class::{ClassId, MethodId};
use crate::machine::Thread;
use crate::memory::Ref;
use hashbrown::HashMap;
use sojourner_program::{Cancel, Footprint, Location, ThreadId, Threads, Timeout};
use std::sync::Arc;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// What a field or an array is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum KeyName {
    /// A field, by the class that declares it and its place there.
    Field(ClassId, usize),
    /// Arrays that an instruction allocates.
    Site(MethodId, u32),
    /// Arrays of a class that the machine itself allocates.
    Arrays(ClassId),
    /// What lies before the fields of an object, or in no object.
    Other,
}

/// A field, or the elements of the arrays that an instruction allocates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub name: KeyName,
    pub discipline: Discipline,
    pub volatile: bool,
    pub is_static: bool,
}

/// Something that few programs do, and that makes operations visible which are not otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// It asks whether threads are alive, or what they are doing.
    Asks,
    /// It interrupts threads.
    Interrupts,
    /// It ends while threads are alive, wherever they are.
    EndsEarly,
    /// It suspends or stops threads, wherever they are.
    Halts,
    /// It asks, while others may be counting, for a size or a sum that is counted in several places.
    Sums,
    /// It is explored by a dynamic partial order reduction: one visible operation at a time, those included that need no
    /// scheduling point elsewhere because others can only wait for them.
    Singly,
    /// What a step touches, or when it is possible, goes by what it finds: a reduction must not count on footprints.
    GoesByFinding,
    /// Rounds of loops in which nothing is done matter all the same: see `explore::rounds`.
    RoundsCount,
    /// It notifies one of the threads that wait on a thread object, as those do that join the thread.
    NotifiesThreads,
    /// It changes files while several threads are alive: who looks at files may notice.
    Files,
    /// It asks when files were changed.
    FileTimes,
}

impl Habit {
    /// All of them.
    pub const ALL: [Habit; 11] = [
        Habit::Asks,
        Habit::Interrupts,
        Habit::EndsEarly,
        Habit::Halts,
        Habit::Sums,
        Habit::Singly,
        Habit::GoesByFinding,
        Habit::RoundsCount,
        Habit::NotifiesThreads,
        Habit::Files,
        Habit::FileTimes,
    ];

    /// Its name among what has been learned.
    pub const fn name(self) -> &'static str {
        match self {
            Habit::Asks => "asks for the state of threads",
            Habit::Interrupts => "interrupts threads",
            Habit::EndsEarly => "ends while threads are alive",
            Habit::Halts => "suspends or stops threads",
            Habit::Sums => "asks for sums that others add to",
            Habit::Singly => "does one operation at a time",
            Habit::GoesByFinding => "has steps that go by what they find",
            Habit::RoundsCount => "has loops whose rounds matter",
            Habit::NotifiesThreads => "notifies one of the threads that wait on a thread object",
            Habit::Files => "changes files",
            Habit::FileTimes => "asks when files were changed",
        }
    }
}

/// What a machine that is spoilt answers: see `explore::scope`.
#[derive(Clone)]
pub(super) struct Refusal {
    /// What is not supported, with the stack.
    pub what: String,
    /// Where in the program.
    pub location: Option<Location>,
}

/// A piece of code whose effects are there for ever: see `Machine::permanently`.
pub(super) struct Scope {
    /// The thread and the number of its frames outside of it.
    pub thread: usize,
    pub depth: usize,
    pub key: u64,
    /// Whether the transition had gone round a loop before the scope began.
    pub looped: bool,
}

/// What decides where threads may take turns, and what the present transition may do.
#[derive(Default)]
pub struct Watch {
    /// Whether the program is explored at all.
    pub(crate) on: bool,
    /// Whether it goes by what is known and learns nothing: it follows schedules that were found with that.
    pub(super) follows: bool,
    /// Whether accesses to shared objects matter now: others may see them, or may have been about to when they ended.
    pub(crate) watching: bool,
    /// Whether visible operations are scheduling points now: others can take turns.
    pub(crate) turns: bool,
    /// Whether anything is assumed of how fields are accessed, so that it pays to look quickly.
    pub(crate) disciplined: bool,
    /// Whether the present transition has not done its visible operation yet.
    pub(crate) free: bool,
    /// Whether it has jumped backwards.
    pub(crate) looped: bool,
    /// The outcome of the data choice that it takes.
    pub(crate) value: Option<u32>,
    /// The visible operation of the present transition.
    pub(crate) performed: Pending,
    /// Whether somebody wants to know where that was, and where it was.
    pub(super) wants_place: bool,
    pub(super) place: Option<Location>,
    /// The time-out that expired in it, if somebody wants to know.
    pub(super) timeout: Option<Timeout>,
    /// What it did to a file, in words.
    pub(super) deed: String,
    /// The notifications of the present transition, if somebody wants to know: on which object, and who was woken.
    pub(super) notified: Vec<(Ref, Vec<usize>)>,
    /// Whether somebody wants to know what the present transition touches, and what that is so far.
    pub(super) records: bool,
    pub(super) footprint: Footprint,
    /// Whether it has done more than one visible operation.
    pub(super) fused: bool,
    /// Whether a reduction explores the program, so that loops that look in vain are left.
    pub(super) leaves_rounds: bool,
    /// What was assumed that does not hold.
    pub(crate) violated: Option<String>,
    /// The search wants to end.
    pub(super) cancel: Cancel,
    pub(crate) settings: Exploration,
    pub(super) learned: Arc<Learned>,
    /// Draws of random numbers that were not enumerated, and the places of those that this machine has told of.
    pub(super) draws: Arc<Places>,
    pub(super) drawn: hashbrown::HashSet<(MethodId, u32), foldhash::fast::FixedState>,
    /// Places of loops that compute for long without a visible operation.
    pub(super) long_runs: Arc<Places>,
    pub(super) identities: Option<Arc<Threads>>,
    pub(super) keys: Vec<Key>,
    pub(super) numbers: Map<KeyName, u32>,
    /// The keys of fields, by class and offset: those of instances, and static ones.
    pub(super) of_instances: Vec<Box<[u32]>>,
    pub(super) of_statics: Vec<Box<[u32]>>,
    /// What the program is known to do.
    pub(crate) habits: [bool; Habit::ALL.len()],
    /// Offsets of references in threads that only the thread itself follows.
    pub(super) own_fields: Vec<u32>,
    /// The line of the program's code that the present transition began on, where a line is one transition.
    pub(super) line: Option<(usize, u32, i32)>,
    pub(super) scopes: Vec<Scope>,
    /// Why the machine is spoilt, if it is.
    pub(super) refusal: Option<Refusal>,
    /// Whether a thread is only led to its next visible operation, and is to stop before it initialises a class of the JDK.
    pub(super) leads: bool,
    /// Permanent objects up to this unit have been given identities; those before the other one have always been there.
    pub(super) named: u32,
    pub(crate) first: u32,
    /// How many objects have been allocated in scopes, by the key of the scope.
    pub(super) allocated: Map<u64, u32>,
    /// Which preludes have been played: see `preludes`.
    pub(super) played: u32,
    /// Who permanent objects are that did not exist at the start, by unit behind `first`; 0 where none begins.
    pub(super) late: Vec<u64>,
}

impl Watch {
    /// Whether the program interrupts or halts threads or asks what they are doing, so that when exactly one begins to
    /// wait matters.
    pub(crate) fn is_looked_at(&self) -> bool {
        [Habit::Asks, Habit::Interrupts, Habit::Halts].iter().any(|&habit| self.habits[habit as usize])
    }

    /// Whether what a thread does under a lock, or just before it lets others go on, may be looked at in between: a thread
    /// can be suspended or stopped there.
    pub(crate) fn is_halted(&self) -> bool {
        self.habits[Habit::Halts as usize]
    }

    /// Whether every visible operation is a transition of its own.
    pub(crate) fn steps_singly(&self) -> bool {
        self.habits[Habit::Singly as usize]
    }

    /// Whether operations that only make others possible are fused with what comes before them.
    pub(crate) fn has_movers(&self) -> bool {
        self.settings.reduce.movers && !self.steps_singly()
    }

    /// Whether what is done now is done once and for all, as if it had been done at the start.
    pub(crate) fn is_in_scope(&self) -> bool {
        !self.scopes.is_empty()
    }

    /// Whether a thread is about to initialise a class of the JDK that is only led to its next visible operation.
    pub(crate) fn is_led(&self) -> bool {
        self.leads && self.scopes.is_empty()
    }

    /// Whether somebody wants to know of notifications.
    pub(crate) fn is_told_of_notifications(&self) -> bool {
        self.wants_place
    }

    /// The visible operation of the present transition is one on a file; what it is, if somebody wants to know.
    pub(crate) fn tell_deed(&mut self, words: impl FnOnce() -> String) {
        if self.wants_place {
            self.deed = words();
        }
    }

    /// Somebody has notified those who wait on an object, and these were woken.
    pub(crate) fn tell_notified(&mut self, object: Ref, woken: Vec<usize>) {
        self.notified.push((object, woken));
    }

    /// Who a thread is, in words.
    pub(super) fn identity(&self, thread: ThreadId) -> String {
        match &self.identities {
            Some(identities) => identities.identity(thread).to_string(),
            None => thread.0.to_string(),
        }
    }

    /// Who a thread is that `parent` starts now, and 64 bits that stand for it.
    pub(crate) fn identify(&mut self, threads: &[Thread], parent: usize) -> (ThreadId, u64) {
        let (Some(identities), Some(parent)) = (&self.identities, threads.get(parent)) else {
            return (ThreadId(threads.len() as u32), threads.len() as u64);
        };
        let id = identities.child(Some(parent.id), parent.children);
        let print =
            parent.print.wrapping_add(u64::from(parent.children) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (id, print)
    }
}
