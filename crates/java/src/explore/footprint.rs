//! What transitions touch, for dynamic partial order reduction.
//!
//! Under a reduction a transition is one visible operation (see `Habit::Singly`), and what it touches follows from the
//! operation. Where a transition does more than one, in a method of `java.util.concurrent` or an atomic section, it touches
//! what each of them does. What is hard to name may be anything: the state of threads, interrupts, static initialisers,
//! time-outs. What a reduction of scheduling points leaves out needs no name, for the reason for which it is left out: nobody
//! else touches it next.
//!
//! Objects are known by who allocated them and how many that thread had allocated before, so that they are the same in all
//! executions that differ only in the order of independent steps, and on every worker.

use super::learned::Discipline;
use super::{Granularity, Habit, Pending, What};
use crate::class::{ClassId, Shape};
use crate::machine::{Machine, Status};
use crate::memory::{ARRAY_DATA, Ref};
use sojourner_program::{Access, Footprint, Mode, ObjectId};

/// The most elements of an array that are named one by one where many are touched in one go.
const MOST_ELEMENTS: u32 = 256;

/// A part of an object that can be touched by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A field or element, by its offset.
    Variable(u32),
    /// Its monitor.
    Monitor,
    /// Its identity hash code.
    Hash,
    /// Of a thread: that it is not alive.
    End,
    /// Of a thread: its permit to go on.
    Permit,
    /// Of a thread: that it need not wait any more.
    Wake,
    /// Of no object: the time.
    Clock,
    /// Of no object: the names and numbers of threads.
    Names,
    /// Of no object: all files.
    Files,
}

impl Part {
    /// A number; those of variables lie behind the header of an object.
    fn number(self) -> u64 {
        match self {
            Part::Variable(offset) => u64::from(offset),
            Part::Monitor => 1,
            Part::Hash => 2,
            Part::End => 3,
            Part::Permit => 4,
            Part::Wake => 5,
            Part::Clock => 6,
            Part::Names => 7,
            Part::Files => 8,
        }
    }
}

/// Well mixed bits for a number (splitmix64).
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

impl Machine {
    /// From now on every visible operation is a transition of its own, and objects have names. The machine stands at its
    /// start.
    pub(super) fn step_singly(&mut self) {
        self.watch.habits[Habit::Singly as usize] = true;
        self.watch.learned.learn(Habit::Singly.name(), Discipline::Visible);
        self.heap.name_objects();
        self.watch.leaves_rounds = true;
        self.look_around();
    }

    /// The object of footprints that a part of an object is.
    fn thing(&self, object: Ref, part: Part) -> ObjectId {
        ObjectId(mixed(mixed(self.identity(object)).wrapping_add(part.number())))
    }

    /// Who an object is, wherever it lies.
    pub(super) fn identity(&self, object: Ref) -> u64 {
        match object {
            Ref::NULL => 0,
            _ if object.0 < self.heap.split() => self.permanent_identity(object),
            _ => self.heap.name(object),
        }
    }

    /// The present transition touches a part of an object.
    pub(crate) fn note(&mut self, object: Ref, part: Part, mode: Mode) {
        if self.watch.records && self.watch.turns {
            let access = self.access(object, part, mode);
            if let Footprint::Known(accesses) = &mut self.watch.footprint
                && !accesses.contains(&access)
            {
                accesses.push(access);
            }
        }
    }

    /// The present transition may touch anything.
    pub(crate) fn note_anything(&mut self) {
        if self.watch.records && self.watch.turns {
            self.watch.footprint = Footprint::Unknown;
        }
    }

    /// The same, and whether it does is not decided by its thread alone.
    pub(crate) fn note_exotic(&mut self) {
        self.note_anything();
        self.goes_by_what_it_finds();
    }

    /// What a step touches, or when it is possible, does not follow from what its thread has done. Of a thread that is alone
    /// that matters to nobody.
    pub(crate) fn goes_by_what_it_finds(&mut self) {
        if self.watch.turns && self.watch.steps_singly() {
            self.learn_habit(Habit::GoesByFinding);
        }
    }

    /// Elements of an array are touched in one go.
    pub(crate) fn note_elements(&mut self, array: Ref, first: u32, count: u32, mode: Mode) {
        let Shape::Array { kind, .. } = self.class(ClassId(self.heap.class(array))).shape else { return };
        if !self.watch.records || !self.is_visible(array, ARRAY_DATA) {
            return;
        }
        if count > MOST_ELEMENTS {
            return self.note_anything();
        }
        for index in first..first + count {
            self.note(array, Part::Variable(ARRAY_DATA + index * kind.size()), mode);
        }
    }

    /// A variable is touched that has that size. In an array, that may be several elements.
    pub(crate) fn note_size(&mut self, object: Ref, size: u32) {
        if self.watch.records
            && let Shape::Array { kind, .. } = self.class(ClassId(self.heap.class(object))).shape
            && kind.size() != size
        {
            self.note_anything();
        }
    }

    /// The visible operation of the present transition is done now, or one more of them.
    pub(super) fn note_operation(&mut self, pending: Pending) {
        if self.watch.records {
            let touched = self.touched_by(self.current, pending);
            self.watch.footprint.join(&touched);
            // Loops of `java.util.concurrent` touch the same again and again.
            if let Footprint::Known(accesses) = &mut self.watch.footprint
                && accesses.len() > 8
            {
                accesses.sort_unstable();
                accesses.dedup();
            }
        }
    }

    /// The present transition has come to an operation that is not possible now, and may have done others before it.
    pub(crate) fn note_middle(&mut self, pending: Pending) {
        if !self.watch.free && self.region_of(self.current) != 0 {
            self.note_operation(pending);
        }
    }

    fn access(&self, object: Ref, part: Part, mode: Mode) -> Access {
        // Where it is not known what waits for what, nothing is said of it.
        let mode = match mode {
            _ if self.has_exact_footprints() => mode,
            _ if mode.only_looks() => Mode::Read,
            _ => Mode::Write,
        };
        Access { object: self.thing(object, part), mode }
    }

    /// Whether what a transition touches is decided by its thread alone: each does one visible operation.
    pub(super) fn has_exact_footprints(&self) -> bool {
        let settings = &self.watch.settings;
        self.watch.steps_singly()
            && !self.watch.habits[Habit::GoesByFinding as usize]
            && !self.watch.is_looked_at()
            && !settings.spurious
            && settings.granularity == Granularity::Operation
    }

    /// What an operation of a thread touches, if it is done now. Whom a notification wakes is noted when it does.
    fn touched_by(&self, thread: usize, pending: Pending) -> Footprint {
        let Pending { what, object, offset, .. } = pending;
        let own = self.threads[thread].object;
        let mut footprint = Footprint::nothing();
        let mut touch = |object, part, mode| {
            let access = self.access(object, part, mode);
            footprint.touch(access.object, access.mode);
        };
        match what {
            What::Nothing | What::Pause | What::Choose | What::Notify => {}
            What::LookAtFile => touch(Ref::NULL, Part::Files, Mode::Read),
            What::ChangeFile => touch(Ref::NULL, Part::Files, Mode::Write),
            What::Read | What::ReadVolatile => touch(object, Part::Variable(offset), Mode::Read),
            What::Write | What::WriteVolatile | What::Update => {
                touch(object, Part::Variable(offset), Mode::Write);
            }
            What::Enter => {
                touch(object, Part::Monitor, Mode::Acquire);
                if self.threads[thread].woken.is_some() {
                    touch(own, Part::Wake, Mode::Acquire);
                }
            }
            What::Exit => touch(object, Part::Monitor, Mode::Release),
            What::Wait => {
                touch(object, Part::Monitor, Mode::Release);
                touch(own, Part::Wake, Mode::Write);
            }
            What::Park => touch(own, Part::Permit, Mode::Acquire),
            What::Unpark => touch(object, Part::Permit, self.mode_of_permit(object)),
            What::Start => {
                touch(object, Part::End, Mode::Write);
                // Permits that were given before are lost.
                touch(object, Part::Permit, Mode::Shut);
            }
            What::End => {
                touch(object, Part::Monitor, Mode::Acquire);
                touch(object, Part::Monitor, Mode::Release);
                touch(object, Part::End, Mode::Release);
            }
            What::Join => {
                touch(object, Part::End, Mode::Look);
                // It takes back the monitor if it had given it back in order to wait.
                let entries = self.threads[thread].entries;
                touch(object, Part::Monitor, if entries > 0 { Mode::Acquire } else { Mode::Look });
            }
            What::Ask
            | What::Interrupt
            | What::Initialise
            | What::Suspend
            | What::Resume
            | What::Stop
            | What::Collect => return Footprint::Unknown,
        }
        footprint
    }

    /// How the permit of a thread is changed by giving it one.
    fn mode_of_permit(&self, object: Ref) -> Mode {
        match self.thread_of(object) {
            None => Mode::Shut,
            Some(thread) => match &self.threads[thread] {
                at if at.permit || at.woken.is_some() && self.is_parking(thread) => Mode::Open,
                _ => Mode::Release,
            },
        }
    }

    /// The footprint of the transition that a thread has taken. `gave_up`: it did not go on because it could, but gave up
    /// waiting or went on for no reason.
    pub(super) fn take_footprint(&mut self, thread: usize, gave_up: bool) -> Footprint {
        let mut footprint = std::mem::replace(&mut self.watch.footprint, Footprint::nothing());
        // A daemon could have done more.
        let ends = self.exit.is_some() && (self.has_daemons() || !self.is_last(thread));
        // Who can be stopped or held up anywhere may never do what it is about to do: everything depends on that.
        let halted = self.watch.is_halted();
        if gave_up || self.threads[thread].atomic > 0 || ends || self.ignored || halted {
            footprint = Footprint::Unknown;
        }
        // When a wait ends that begins now depends on what the time is.
        if self.threads[thread].status.deadline().is_some() {
            let Access { object, mode } = self.access(Ref::NULL, Part::Clock, Mode::Write);
            footprint.touch(object, mode);
        }
        if footprint.is_nothing() {
            // What touches nothing at all would not even depend on what may touch anything.
            footprint.touch(ObjectId::NOTHING, Mode::Read);
        }
        footprint
    }

    /// What the next transition of a thread would touch.
    pub(super) fn would_touch(&self, thread: usize) -> Footprint {
        let at = &self.threads[thread];
        let waits = matches!(at.status, Status::Waiting { .. } | Status::Parked { .. });
        if at.rests {
            return Footprint::nothing();
        }
        let exotic = at.atomic > 0
            || self.watch.is_halted()
            || at.status.deadline().is_some()
            || waits && self.watch.settings.spurious
            // What comes behind the operation, in the same transition, is not known.
            || !self.has_exact_footprints() && self.region_of(thread) != 0;
        if exotic {
            return Footprint::Unknown;
        }
        let pending = match at.status {
            Status::Finished => return Footprint::nothing(),
            Status::Leaving if !self.has_daemons() => return Footprint::nothing(),
            Status::Leaving | Status::Initialising(_) | Status::Sleeping { .. } => return Footprint::Unknown,
            Status::Waiting { on, .. } => Pending::new(What::Enter, on),
            Status::Parked { .. } => Pending::new(What::Park, at.object),
            Status::Joining(object) => Pending::new(What::Join, object),
            Status::Entering(object) if at.pending == Pending::NOTHING => Pending::new(What::Enter, object),
            _ if at.pending == Pending::NOTHING && at.woken.is_some() => return Footprint::Unknown,
            _ => at.pending,
        };
        let mut footprint = match pending.what {
            // It may be several elements.
            What::Read | What::Write | What::Update if self.is_array(pending.object) => Footprint::Unknown,
            _ => self.touched_by(thread, pending),
        };
        let mut touch = |object, part, mode| {
            let access = self.access(object, part, mode);
            footprint.touch(access.object, access.mode);
        };
        match (at.status, pending.what) {
            (Status::Waiting { .. }, _) => touch(at.object, Part::Wake, Mode::Acquire),
            (_, What::Notify) => {
                for waiter in self.waiting_on(pending.object) {
                    touch(self.threads[waiter].object, Part::Wake, Mode::Release);
                }
            }
            _ => {}
        }
        if footprint.is_nothing() {
            footprint.touch(ObjectId::NOTHING, Mode::Read);
        }
        footprint
    }

    /// Whether there is, or was, a thread that the program does not wait for.
    pub(super) fn has_daemons(&self) -> bool {
        self.threads.iter().any(|thread| thread.daemon)
    }

    /// Looks whether the transition that a thread has taken shows that steps go by what they find.
    pub(super) fn look_for_findings_of_steps(&mut self, thread: usize, threads_before: usize) {
        let at = &self.threads[thread];
        let ends = self.ignored || self.exit.is_some() && !self.is_last(thread);
        if at.status.deadline().is_some()
            || at.atomic > 0
            || ends
            || self.threads[threads_before..].iter().any(|thread| thread.daemon)
        {
            self.goes_by_what_it_finds();
        }
    }

    /// Whether no thread but this one is left.
    pub(super) fn is_last(&self, thread: usize) -> bool {
        let mut others = self.threads.iter().enumerate().filter(|&(index, _)| index != thread);
        others.all(|(_, other)| other.status == Status::Finished)
    }
}
