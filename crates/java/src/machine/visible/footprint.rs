//! What transitions touch, for dynamic partial order reduction.
//!
//! Under a reduction a transition is one visible operation (see `Behaviour::SingleOperations`), and what it touches follows from the
//! operation. Where a transition does more than one, in a method of `java.util.concurrent` or an atomic section, it touches
//! what each of them does. What is hard to name may be anything: the state of threads, interrupts, static initialisers,
//! time-outs. What a reduction of scheduling points leaves out needs no name, for the reason for which it is left out: no
//! other thread touches it next.
//!
//! Objects are known by the thread that allocated them and how many it had allocated before, so that they are the same in all
//! executions that differ only in the order of independent steps, and on every worker.

use super::assumptions::Discipline;
use super::{Behaviour, Granularity, ObjectPart, Operation, OperationKind};
use crate::machine::class::{ClassId, Shape};
use crate::machine::{Machine, Status};
use crate::memory::{ARRAY_DATA, Ref};
use sojourner_program::{Access, Footprint, Mode, ObjectId};

/// The most elements of an array that are named one by one where many are touched in one go.
const MOST_ELEMENTS: u32 = 256;

/// Well mixed bits for a number (splitmix64).
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

impl Machine {
    /// From now on every visible operation is a transition of its own, and objects have names. The machine stands at its
    /// start.
    pub(crate) fn step_singly(&mut self) {
        self.scheduling.assumptions.behaviours[Behaviour::SingleOperations as usize] = true;
        self.scheduling.assumptions.learned.learn(Behaviour::SingleOperations.name(), Discipline::Visible);
        self.heap.name_objects();
        self.scheduling.skips_vain_rounds = true;
        self.update_scheduling();
    }

    /// The object of footprints that a part of an object is.
    fn thing(&self, object: Ref, part: ObjectPart) -> ObjectId {
        ObjectId(mixed(mixed(self.identity(object)).wrapping_add(part.number())))
    }

    /// The identity of an object, wherever it lies.
    pub(crate) fn identity(&self, object: Ref) -> u64 {
        match object {
            Ref::NULL => 0,
            _ if object.0 < self.heap.split() => self.permanent_identity(object),
            _ => self.heap.name(object),
        }
    }

    /// The present transition touches a part of an object.
    pub(crate) fn note(&mut self, object: Ref, part: ObjectPart, mode: Mode) {
        if self.scheduling.record.wants_footprint && self.scheduling.has_points {
            let access = self.access(object, part, mode);
            if let Footprint::Known(accesses) = &mut self.scheduling.record.footprint
                && !accesses.contains(&access)
            {
                accesses.push(access);
            }
        }
    }

    /// The present transition may touch anything.
    pub(crate) fn note_anything(&mut self) {
        if self.scheduling.record.wants_footprint && self.scheduling.has_points {
            self.scheduling.record.footprint = Footprint::Unknown;
        }
    }

    /// The same, and whether it does is not decided by its thread alone.
    pub(crate) fn note_unpredictable(&mut self) {
        self.note_anything();
        self.has_unpredictable_steps();
    }

    /// What a step touches, or when it is possible, does not follow from what its thread has done. If the thread is
    /// alone, that does not matter.
    pub(crate) fn has_unpredictable_steps(&mut self) {
        if self.scheduling.has_points && self.scheduling.steps_singly() {
            self.learn_behaviour(Behaviour::UnpredictableSteps);
        }
    }

    /// Elements of an array are touched in one go.
    pub(crate) fn note_elements(&mut self, array: Ref, first: u32, count: u32, mode: Mode) {
        let Shape::Array { kind, .. } = self.class(ClassId(self.heap.class(array))).shape else { return };
        if !self.scheduling.record.wants_footprint || !self.is_visible(array, ARRAY_DATA) {
            return;
        }
        if count > MOST_ELEMENTS {
            return self.note_anything();
        }
        for index in first..first + count {
            self.note(array, ObjectPart::Variable(ARRAY_DATA + index * kind.size()), mode);
        }
    }

    /// A variable is touched that has that size. In an array, that may be several elements.
    pub(crate) fn note_size(&mut self, object: Ref, size: u32) {
        if self.scheduling.record.wants_footprint
            && let Shape::Array { kind, .. } = self.class(ClassId(self.heap.class(object))).shape
            && kind.size() != size
        {
            self.note_anything();
        }
    }

    /// The visible operation of the present transition is done now, or one more of them.
    pub(crate) fn note_operation(&mut self, pending: Operation) {
        if self.scheduling.record.wants_footprint {
            let touched = self.touched_by(self.turn.thread, pending);
            self.scheduling.record.footprint.join(&touched);
            // Loops of `java.util.concurrent` touch the same again and again.
            if let Footprint::Known(accesses) = &mut self.scheduling.record.footprint
                && accesses.len() > 8
            {
                accesses.sort_unstable();
                accesses.dedup();
            }
        }
    }

    /// The present transition has come to an operation that is not possible now, and may have done others before it.
    pub(crate) fn note_partial_operation(&mut self, pending: Operation) {
        if !self.scheduling.may_perform && self.region_of(self.turn.thread) != 0 {
            self.note_operation(pending);
        }
    }

    fn access(&self, object: Ref, part: ObjectPart, mode: Mode) -> Access {
        // Where it is not known what waits for what, nothing is said of it.
        let mode = match mode {
            _ if self.has_exact_footprints() => mode,
            _ if mode.only_looks() => Mode::Read,
            _ => Mode::Write,
        };
        Access { object: self.thing(object, part), mode }
    }

    /// Whether what a transition touches is decided by its thread alone: each does one visible operation.
    pub(crate) fn has_exact_footprints(&self) -> bool {
        let settings = &self.scheduling.settings;
        self.scheduling.steps_singly()
            && !self.scheduling.expects(Behaviour::UnpredictableSteps)
            && !self.scheduling.is_inspected()
            && !settings.spurious
            && settings.granularity == Granularity::Operation
    }

    /// What an operation of a thread touches, if it is done now. The threads that a notification wakes are noted when it wakes them.
    fn touched_by(&self, thread: usize, pending: Operation) -> Footprint {
        let Operation { kind, object, offset, .. } = pending;
        let own = self.threads.list[thread].object;
        let mut footprint = Footprint::nothing();
        let mut touch = |object, part, mode| {
            let access = self.access(object, part, mode);
            footprint.touch(access.object, access.mode);
        };
        match kind {
            OperationKind::Nothing | OperationKind::Pause | OperationKind::Choose | OperationKind::Notify => {
            }
            OperationKind::LookAtFile => touch(Ref::NULL, ObjectPart::Files, Mode::Read),
            OperationKind::ChangeFile => touch(Ref::NULL, ObjectPart::Files, Mode::Write),
            OperationKind::Read | OperationKind::ReadVolatile => {
                touch(object, ObjectPart::Variable(offset), Mode::Read);
            }
            OperationKind::Write | OperationKind::WriteVolatile | OperationKind::Update => {
                touch(object, ObjectPart::Variable(offset), Mode::Write);
            }
            OperationKind::Enter => {
                touch(object, ObjectPart::Monitor, Mode::Acquire);
                if self.threads.list[thread].woken.is_some() {
                    touch(own, ObjectPart::Wake, Mode::Acquire);
                }
            }
            OperationKind::Exit => touch(object, ObjectPart::Monitor, Mode::Release),
            OperationKind::Wait => {
                touch(object, ObjectPart::Monitor, Mode::Release);
                touch(own, ObjectPart::Wake, Mode::Write);
            }
            OperationKind::Park => touch(own, ObjectPart::Permit, Mode::Acquire),
            OperationKind::Unpark => touch(object, ObjectPart::Permit, self.mode_of_permit(object)),
            OperationKind::Start => {
                touch(object, ObjectPart::End, Mode::Write);
                // Permits that were given before are lost.
                touch(object, ObjectPart::Permit, Mode::Shut);
            }
            OperationKind::End => {
                touch(object, ObjectPart::Monitor, Mode::Acquire);
                touch(object, ObjectPart::Monitor, Mode::Release);
                touch(object, ObjectPart::End, Mode::Release);
            }
            OperationKind::Join => {
                touch(object, ObjectPart::End, Mode::Look);
                // It takes back the monitor if it had given it back in order to wait.
                let entries = self.threads.list[thread].entries;
                touch(object, ObjectPart::Monitor, if entries > 0 { Mode::Acquire } else { Mode::Look });
            }
            OperationKind::Ask
            | OperationKind::Interrupt
            | OperationKind::Initialise
            | OperationKind::Suspend
            | OperationKind::Resume
            | OperationKind::Stop
            | OperationKind::Collect => return Footprint::Unknown,
        }
        footprint
    }

    /// How the permit of a thread is changed by giving it one.
    fn mode_of_permit(&self, object: Ref) -> Mode {
        match self.thread_of(object) {
            None => Mode::Shut,
            Some(thread) => match &self.threads.list[thread] {
                at if at.permit || at.woken.is_some() && self.is_parking(thread) => Mode::Open,
                _ => Mode::Release,
            },
        }
    }

    /// The footprint of the transition that a thread has taken. `gave_up`: it did not go on because it could, but gave up
    /// waiting or went on for no reason.
    pub(crate) fn take_footprint(&mut self, thread: usize, gave_up: bool) -> Footprint {
        let mut footprint = std::mem::replace(&mut self.scheduling.record.footprint, Footprint::nothing());
        // A daemon could have done more.
        let ends = self.outcome.exit.is_some() && (self.has_daemons() || !self.is_last(thread));
        // A thread that can be stopped or suspended anywhere may never do what it is about to do: everything depends on that.
        let halted = self.scheduling.halts_threads();
        if gave_up || self.threads.list[thread].atomic > 0 || ends || self.outcome.ignored || halted {
            footprint = Footprint::Unknown;
        }
        // When a wait ends that begins now depends on what the time is.
        if self.threads.list[thread].status.deadline().is_some() {
            let Access { object, mode } = self.access(Ref::NULL, ObjectPart::Clock, Mode::Write);
            footprint.touch(object, mode);
        }
        if footprint.is_nothing() {
            // What touches nothing at all would not even depend on what may touch anything.
            footprint.touch(ObjectId::NOTHING, Mode::Read);
        }
        footprint
    }

    /// What the next transition of a thread would touch.
    pub(crate) fn would_touch(&self, thread: usize) -> Footprint {
        let at = &self.threads.list[thread];
        let waits = matches!(at.status, Status::Waiting { .. } | Status::Parked { .. });
        if at.stays_in_loop {
            return Footprint::nothing();
        }
        let exotic = at.atomic > 0
            || self.scheduling.halts_threads()
            || at.status.deadline().is_some()
            || waits && self.scheduling.settings.spurious
            // What comes behind the operation, in the same transition, is not known.
            || !self.has_exact_footprints() && self.region_of(thread) != 0;
        if exotic {
            return Footprint::Unknown;
        }
        let pending = match at.status {
            Status::Finished => return Footprint::nothing(),
            Status::Leaving if !self.has_daemons() => return Footprint::nothing(),
            Status::Leaving | Status::Initialising(_) | Status::Sleeping { .. } => return Footprint::Unknown,
            Status::Waiting { on, .. } => Operation::new(OperationKind::Enter, on),
            Status::Parked { .. } => Operation::new(OperationKind::Park, at.object),
            Status::Joining(object) => Operation::new(OperationKind::Join, object),
            Status::Entering(object) if at.pending == Operation::NOTHING => {
                Operation::new(OperationKind::Enter, object)
            }
            _ if at.pending == Operation::NOTHING && at.woken.is_some() => return Footprint::Unknown,
            _ => at.pending,
        };
        let mut footprint = match pending.kind {
            // It may be several elements.
            OperationKind::Read | OperationKind::Write | OperationKind::Update
                if self.is_array(pending.object) =>
            {
                Footprint::Unknown
            }
            _ => self.touched_by(thread, pending),
        };
        let mut touch = |object, part, mode| {
            let access = self.access(object, part, mode);
            footprint.touch(access.object, access.mode);
        };
        match (at.status, pending.kind) {
            (Status::Waiting { .. }, _) => touch(at.object, ObjectPart::Wake, Mode::Acquire),
            (_, OperationKind::Notify) => {
                for waiter in self.waiting_on(pending.object) {
                    touch(self.threads.list[waiter].object, ObjectPart::Wake, Mode::Release);
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
    pub(crate) fn has_daemons(&self) -> bool {
        self.threads.list.iter().any(|thread| thread.daemon)
    }

    /// Looks whether the transition that a thread has taken shows that steps go by what they find.
    pub(crate) fn find_unpredictable_steps(&mut self, thread: usize, threads_before: usize) {
        let at = &self.threads.list[thread];
        let ends = self.outcome.ignored || self.outcome.exit.is_some() && !self.is_last(thread);
        if at.status.deadline().is_some()
            || at.atomic > 0
            || ends
            || self.threads.list[threads_before..].iter().any(|thread| thread.daemon)
        {
            self.has_unpredictable_steps();
        }
    }

    /// Whether no thread but this one is left.
    pub(crate) fn is_last(&self, thread: usize) -> bool {
        let mut others = self.threads.list.iter().enumerate().filter(|&(index, _)| index != thread);
        others.all(|(_, other)| other.status == Status::Finished)
    }
}
