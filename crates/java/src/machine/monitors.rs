//! Monitors.
//!
//! A monitor is one word in its object's header: the thread that holds it, and how often the thread has entered it. Threads that
//! wait say so in their own state.

use super::visible::{Behaviour, ObjectPart, Operation, OperationKind};
use super::{Abrupt, Machine, Run, Status, Thread, Woken};
use crate::machine::class::ClassId;
use crate::memory::{LOCK, Ref};
use sojourner_program::Mode;

/// Bits of the word that count the entries; the holder's number plus one is above them.
const COUNT: u32 = 16;
/// What stands in the place of an offset if one thread is notified, not all.
const ONE: u32 = 1;

impl Machine {
    /// The thread that holds the monitor of an object, and how often it has entered it.
    #[inline]
    pub(crate) fn holder(&self, object: Ref) -> Option<(usize, u32)> {
        let word = self.heap.get_u32(object, LOCK);
        (word != 0).then(|| ((word >> COUNT) as usize - 1, word & ((1 << COUNT) - 1)))
    }

    fn hold(&mut self, object: Ref, thread: usize, count: u32) -> Run<()> {
        if self.scheduling.controlled && (count == 0) != (self.heap.get_u32(object, LOCK) == 0) {
            self.note_lock(thread, object, count > 0);
            // A thread that waits for the monitor may come before what this thread does next.
            if count == 0 && self.may_be_visible(object) {
                self.scheduling.may_perform = false;
            }
        }
        if count >= 1 << COUNT || thread + 1 >= 1 << (32 - COUNT) {
            return Err(Abrupt::unsupported(
                "a monitor that is entered more than 65,535 times, or by the 65,535th thread",
            ));
        }
        let word = if count == 0 { 0 } else { (thread as u32 + 1) << COUNT | count };
        self.heap.put_u32(object, LOCK, word);
        Ok(())
    }

    /// Takes the monitor of an object, or has the current thread wait for it.
    #[inline]
    pub(crate) fn enter_monitor(&mut self, object: Ref) -> Run<()> {
        self.enter_monitor_to(OperationKind::Enter, object)
    }

    /// The same for an operation that begins with it.
    #[inline]
    pub(crate) fn enter_monitor_to(&mut self, what: OperationKind, object: Ref) -> Run<()> {
        match self.holder(object) {
            None => {
                if self.may_be_visible(object) {
                    self.about_to_enter(what, object)?;
                }
                self.hold(object, self.turn.thread, 1)
            }
            Some((thread, count)) if thread == self.turn.thread => self.hold(object, thread, count + 1),
            Some(_) => {
                if self.scheduling.is_inspected() || self.scheduling.steps_singly() {
                    self.about_to_enter(what, object)?;
                }
                let singly = self.scheduling.steps_singly();
                let standing = self.state_mut(self.turn.thread);
                standing.status = Status::Entering(object);
                if singly {
                    standing.pending = Operation::new(what, object);
                }
                Err(Abrupt::Blocked)
            }
        }
    }

    /// Taking the monitor of a shared object is a scheduling point. A thread that stands before it can go on while no
    /// other thread holds it.
    fn about_to_enter(&mut self, what: OperationKind, object: Ref) -> Run<()> {
        self.visible(Operation::new(what, object)).inspect_err(|_| {
            self.state_mut(self.turn.thread).status = Status::Entering(object);
        })
    }

    /// Gives back the monitor of an object.
    #[inline]
    pub(crate) fn exit_monitor(&mut self, object: Ref) -> Run<()> {
        self.about_to_exit(object)?;
        self.exit_monitor_now(object)
    }

    /// Giving back a monitor commutes to the left with what other threads do, and is a scheduling point only if
    /// that cannot be relied on, or if a thread may look which threads wait for it.
    pub(super) fn about_to_exit(&mut self, object: Ref) -> Run<()> {
        let visible = !self.scheduling.has_movers() || self.scheduling.is_inspected();
        // No other thread can tell whether a monitor has been entered once or twice.
        let nested =
            || self.scheduling.steps_singly() && self.holder(object).is_some_and(|(_, count)| count > 1);
        if visible && self.may_be_visible(object) && self.holds(object) && !nested() {
            self.visible(Operation::new(OperationKind::Exit, object))?;
        }
        Ok(())
    }

    pub(crate) fn exit_monitor_now(&mut self, object: Ref) -> Run<()> {
        match self.holder(object) {
            Some((thread, count)) if thread == self.turn.thread => self.hold(object, thread, count - 1),
            _ => Err(not_owner()),
        }
    }

    /// Whether the current thread holds the monitor of an object.
    pub(crate) fn holds(&self, object: Ref) -> bool {
        self.holder(object).is_some_and(|(thread, _)| thread == self.turn.thread)
    }

    /// `Object.wait`: gives back the monitor and waits; when it runs again, takes the monitor back.
    pub(crate) fn wait_on(&mut self, object: Ref, until: Option<i64>) -> Run<()> {
        let current = self.turn.thread;
        match self.threads.list[current].woken {
            None => {
                if !self.holds(object) {
                    return Err(not_owner());
                }
                // Only an interrupt can come between what was done under the monitor and giving it back.
                if self.scheduling.is_inspected() || !self.scheduling.has_movers() {
                    self.visible(Operation::new(OperationKind::Wait, object))?;
                }
                if self.take_interrupt(current) {
                    return Err(Abrupt::bare("java/lang/InterruptedException"));
                }
                self.give_back_monitor(object)?;
                self.threads.waits += 1;
                let since = self.threads.waits;
                let thread = self.state_mut(current);
                thread.since = since;
                thread.status = Status::Waiting { on: object, until };
                Err(Abrupt::Blocked)
            }
            Some(woken) => {
                self.take_back_monitor(OperationKind::Enter, object)?;
                self.die_if_stopped()?;
                if woken == Woken::Interrupted {
                    self.take_interrupt(current);
                    return Err(Abrupt::bare("java/lang/InterruptedException"));
                }
                Ok(())
            }
        }
    }

    /// The current thread gives back the monitor of an object, if it holds it, until `take_back_monitor`.
    pub(crate) fn give_back_monitor(&mut self, object: Ref) -> Run<()> {
        let current = self.turn.thread;
        if let Some((holder, count)) = self.holder(object)
            && holder == current
        {
            self.hold(object, current, 0)?;
            self.state_mut(current).entries = count;
        }
        Ok(())
    }

    /// The current thread, which has waited, goes on when it has the monitor again that it had given back. If it had none, it
    /// goes on when the monitor is free. `what` is the operation that this is a part of.
    pub(crate) fn take_back_monitor(&mut self, what: OperationKind, object: Ref) -> Run<()> {
        let current = self.turn.thread;
        if self.holder(object).is_some() {
            self.state_mut(current).status = Status::Entering(object);
            return Err(Abrupt::Blocked);
        }
        let entries = self.threads.list[current].entries;
        if entries > 0 {
            if self.may_be_visible(object) {
                self.about_to_enter(what, object)?;
            }
            self.hold(object, current, entries)?;
        }
        let standing = self.state_mut(current);
        (standing.woken, standing.entries) = (None, 0);
        Ok(())
    }

    /// `Object.notify` and `notifyAll`: one of the threads that wait, or all of them, compete for the monitor again.
    pub(crate) fn notify(&mut self, object: Ref, all: bool) -> Run<()> {
        if !self.holds(object) {
            return Err(not_owner());
        }
        if !all && self.is_subclass(ClassId(self.heap.class(object)), self.known.thread) {
            self.learn_behaviour(Behaviour::NotifiesThreads);
        }
        // Threads that wait with a time-out may give up before or after.
        let timed =
            |thread: &Thread| matches!(thread.status, Status::Waiting { on, until: Some(_) } if on == object);
        let visible = !self.scheduling.has_movers()
            || self.scheduling.is_inspected()
            || self.threads.list.iter().any(timed);
        // A thread that has chosen a waiter has been here before, unless the waiter is chosen with the operation itself.
        if visible && (self.scheduling.value.is_none() || self.scheduling.steps_singly()) {
            let offset = if all { 0 } else { ONE };
            self.visible(Operation { offset, ..Operation::new(OperationKind::Notify, object) })?;
        }
        let waits = |thread: &Thread| matches!(thread.status, Status::Waiting { on, .. } if on == object);
        let waiting: Option<Vec<usize>> =
            self.scheduling.record.wants_details.then(|| self.waiting_on(object).collect());
        self.notify_without_holding(object, all)?;
        if let Some(mut woken) = waiting {
            woken.retain(|&thread| !waits(&self.threads.list[thread]));
            self.scheduling.record.note_notified(object, woken);
        }
        Ok(())
    }

    /// The threads that wait to be notified on an object.
    pub(crate) fn waiting_on(&self, object: Ref) -> impl Iterator<Item = usize> {
        let waits =
            move |thread: &Thread| matches!(thread.status, Status::Waiting { on, .. } if on == object);
        (0..self.threads.list.len()).filter(move |&thread| waits(&self.threads.list[thread]))
    }

    /// How many threads there are to choose from for one that is about to notify one of them; 0 if it is not.
    pub(crate) fn waiters_to_choose(&self, thread: usize) -> usize {
        let Operation { kind, object, offset, .. } = self.threads.list[thread].pending;
        match kind {
            OperationKind::Notify if offset == ONE && self.scheduling.steps_singly() => {
                self.waiting_on(object).count()
            }
            _ => 0,
        }
    }

    /// The same, for the machine itself.
    pub(crate) fn notify_without_holding(&mut self, object: Ref, all: bool) -> Run<()> {
        let mut waiting: Vec<usize> = self.waiting_on(object).collect();
        if !all && waiting.len() > 1 {
            waiting.sort_by_key(|&thread| self.threads.list[thread].since);
            let chosen = self.choose_waiter(waiting.len() as u32)? as usize;
            waiting = waiting.get(chosen).copied().into_iter().collect();
        }
        // They all go on at once, so that their order does not matter.
        for thread in waiting {
            self.wake(thread, Woken::Notified);
            self.note(self.threads.list[thread].object, ObjectPart::Wake, Mode::Release);
        }
        Ok(())
    }
}

fn not_owner() -> Abrupt {
    Abrupt::raise("java/lang/IllegalMonitorStateException", "current thread is not owner")
}
