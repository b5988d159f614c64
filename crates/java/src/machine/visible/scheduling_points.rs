//! Which visible operations are scheduling points.
//!
//! A transition is one visible operation and everything invisible behind it: it ends just before the next visible one.
//! An operation counts as invisible for one of these reasons, each of which can be switched off:
//!
//! - `alone`: no other thread is alive;
//! - `private`: only its own thread can reach the object. An object is shared from when a reference to it is stored in
//!   a shared one, or its thread is started; static fields are always shared;
//! - `immutable`: no thread writes the field once the object is shared;
//! - `locked`: every thread that accesses the field of a shared object holds the object's guard, a lock that is the same for all
//!   accesses. The guard is a part of the state, so that merging states merges no disciplines;
//! - `owned`: the same with a thread in place of the lock: no other thread accesses the object, unless it has waited for
//!   the thread's end (`guards`).
//!
//! The last three are assumptions, checked at every access whether it is a scheduling point or not: see `assumptions`.

use super::assumptions::Discipline;
use super::assumptions::{Variable, VariableName};
use super::{Operation, OperationKind};
use crate::machine::class::{ClassId, Loader, Shape, status};
use crate::machine::{Abrupt, Machine, Run};
use crate::memory::{ARRAY_DATA, FLAGS, Ref, SHARED};
use sojourner_program::Mode;

impl Machine {
    /// Whether an access to an object may be visible: a quick look, before `touch`.
    #[inline(always)]
    pub(crate) fn may_be_visible(&self, object: Ref) -> bool {
        self.scheduling.accesses_matter
            && (object.0 < self.heap.split() || self.heap.get_u32(object, FLAGS) & SHARED != 0)
    }

    /// Finds out whether accesses to shared objects, and scheduling points, matter from now on. What a thread did last before its end
    /// may have been fused with operations long before. As long as no thread has waited for the end, that is not ordered before what
    /// the last thread does. So the last thread has to keep the disciplines although no other thread is left.
    pub(crate) fn update_scheduling(&mut self) {
        // Under a reduction, what a thread does alone must come behind all that others have done.
        let alone = self.threads.alive <= 1
            && self.scheduling.settings.reduce.alone
            && !(self.scheduling.steps_singly() && self.has_unobserved_ends());
        let exploring = self.scheduling.controlled && !self.scheduling.is_in_scope();
        self.scheduling.has_points = exploring && !alone;
        self.scheduling.accesses_matter = exploring && (!alone || self.has_unobserved_ends());
    }

    /// Whether a thread has ended that no other has waited for.
    pub(crate) fn has_unobserved_ends(&self) -> bool {
        self.threads.list.iter().any(|thread| thread.end_unobserved)
    }

    /// The current thread knows that another one has ended: all that it did comes before what is done from now on.
    pub(crate) fn observe_end(&mut self, object: Ref) {
        let over = |thread: &crate::machine::Thread| thread.end_unobserved && thread.object == object;
        if let Some(thread) = self.threads.list.iter().position(over) {
            let heir = self.turn.thread as u32;
            let standing = self.state_mut(thread);
            (standing.end_unobserved, standing.heir) = (false, Some(heir));
            // What it guards is guarded by another one now.
            self.threads.version = self.version();
            self.update_scheduling();
        }
    }

    /// An access to a variable of an object that is noticed: a scheduling point, unless one of the reasons holds.
    pub(crate) fn touch(&mut self, object: Ref, offset: u32, what: OperationKind) -> Run<()> {
        self.touch_span(object, offset, 0, what)
    }

    /// The same for a variable and those that lie so many bytes behind it: elements of an array, which have one key.
    fn touch_span(&mut self, object: Ref, offset: u32, behind: u32, what: OperationKind) -> Run<()> {
        let number = self.variable_at(object, offset) as usize;
        let Variable { discipline, volatile, is_static, name } =
            self.scheduling.assumptions.variables[number];
        let writes = !matches!(what, OperationKind::Read | OperationKind::ReadVolatile);
        match discipline {
            Discipline::Exempt => return Ok(()),
            Discipline::Immutable if !writes => return Ok(()),
            // No other thread gets to the static fields of a class before its initialiser is done.
            Discipline::Immutable | Discipline::Guarded if is_static && self.is_initialising(name) => {
                return Ok(());
            }
            Discipline::Guarded if self.is_guarded(object, number) => return Ok(()),
            Discipline::Immutable => self.learn(number),
            Discipline::Guarded => {
                let number = self.variable_to_blame(object, number);
                self.learn(number);
            }
            Discipline::Visible => {}
        }
        let what = match what {
            OperationKind::Read if volatile => OperationKind::ReadVolatile,
            OperationKind::Write if volatile => OperationKind::WriteVolatile,
            other => other,
        };
        self.visible(Operation { kind: what, object, offset, behind })
    }

    /// Whether accesses to a variable of a shared object are scheduling points.
    pub(crate) fn is_visible(&mut self, object: Ref, offset: u32) -> bool {
        let key = self.variable_at(object, offset) as usize;
        self.may_be_visible(object)
            && self.scheduling.assumptions.variables[key].discipline == Discipline::Visible
    }

    /// Elements of an array that is noticed are about to be accessed in one go.
    pub(crate) fn touch_elements(
        &mut self,
        array: Ref,
        first: u32,
        count: u32,
        what: OperationKind,
    ) -> Run<()> {
        let class = ClassId(self.heap.class(array));
        let Shape::Array { kind, .. } = self.class(class).shape else { return Ok(()) };
        let behind = count.saturating_sub(1) * kind.size();
        self.touch_span(array, ARRAY_DATA + first * kind.size(), behind, what)
    }

    /// All of an object is about to be read in one go: one visible operation, if any.
    pub(crate) fn touch_whole(&mut self, object: Ref) -> Run<()> {
        let class = ClassId(self.heap.class(object));
        if let Shape::Array { .. } = self.class(class).shape {
            let length = self.heap.length(object);
            self.touch_elements(object, 0, length, OperationKind::Read)?;
            self.note_elements(object, 0, length, Mode::Read);
            return Ok(());
        }
        let lineage = self.class(class).lineage.iter();
        let fields = lineage.flat_map(|&of| self.class(of).fields.iter());
        let offsets: Vec<u32> = fields.filter(|field| !field.is_static()).map(|field| field.offset).collect();
        let free = self.scheduling.may_perform;
        let mut granted = false;
        for offset in offsets {
            // What the first has been granted holds for all.
            self.scheduling.may_perform = free;
            self.touch(object, offset, OperationKind::Read)?;
            granted |= free && !self.scheduling.may_perform;
        }
        self.scheduling.may_perform = free && !granted;
        Ok(())
    }

    /// A visible operation is about to happen. If it is not the first one of its transition, the transition ends here,
    /// and the operation is tried again when the thread has its next turn.
    pub(crate) fn visible(&mut self, pending: Operation) -> Run<()> {
        if !self.scheduling.has_points {
            // Others may have been about to add when they ended.
            if self.scheduling.accesses_matter {
                self.region();
            }
            return Ok(());
        }
        let current = self.turn.thread;
        let base = self.region();
        let (region, atomic) = (self.threads.list[current].region, self.threads.list[current].atomic);
        let inside = base != 0 && region == base;
        if self.scheduling.may_perform {
            self.scheduling.may_perform = false;
            self.scheduling.record.performed = pending;
            if self.scheduling.settings.granularity == super::Granularity::Line {
                self.scheduling.line = self.line_here();
            }
            if self.scheduling.record.wants_details {
                self.scheduling.record.location = self.location_of(current);
            }
            if region != base {
                self.state_mut(current).region = base;
            }
            self.note_operation(pending);
            return Ok(());
        }
        if inside || atomic > 0 || self.is_on_the_same_line() {
            self.scheduling.record.fused = true;
            self.has_unpredictable_steps();
            self.note_operation(pending);
            return Ok(());
        }
        let standing = self.state_mut(current);
        standing.pending = pending;
        standing.region = 0;
        Err(Abrupt::Yield)
    }

    fn is_on_the_same_line(&self) -> bool {
        if self.scheduling.settings.granularity == super::Granularity::Operation {
            return false;
        }
        self.line_here().is_some_and(|here| self.scheduling.line == Some(here))
    }

    /// The line of the program's own code that the current thread is on, and how deep in its stack that is.
    pub(crate) fn line_here(&self) -> Option<(usize, u32, i32)> {
        let frames = self.threads.list[self.turn.thread].frames.iter().enumerate().rev();
        let mut own = frames.filter(|(_, frame)| {
            let method = self.method(frame.method);
            !method.marks.hidden && self.class(method.class).loader != Loader::BOOT
        });
        let (depth, frame) = own.next()?;
        Some((depth, frame.method.0, self.line(frame.method, self.bci(frame.method, frame.pc))))
    }

    /// Whether the current thread runs the static initialiser of the class that has the field.
    fn is_initialising(&self, name: VariableName) -> bool {
        let VariableName::Field(class, _) = name else { return false };
        let word = self.status(class);
        word & status::MASK == status::RUNNING && word >> status::OWNER == self.turn.thread as u32
    }
}
