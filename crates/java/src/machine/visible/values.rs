//! Data choices: values that the program leaves open.

use super::{Operation, OperationKind};
use crate::machine::{Abrupt, Machine, Run};
use crate::memory::Ref;

impl Machine {
    /// A number below `count`, which is at least one: a data choice.
    pub(crate) fn choose(&mut self, count: u32) -> Run<u32> {
        if !self.scheduling.controlled {
            return Ok(self.options.choices.value(count));
        }
        if count <= 1 {
            return Ok(0);
        }
        if let Some(value) = self.scheduling.value.take() {
            return Ok(value.min(count - 1));
        }
        // Under a reduction a choice is a step like others, which keeps no thread from moving.
        self.stand_before_choice(count, !self.scheduling.jumped_back && !self.scheduling.steps_singly())
    }

    /// Which of so many threads that wait is notified: no thread can come or go before that is chosen.
    pub(crate) fn choose_waiter(&mut self, count: u32) -> Run<u32> {
        if self.scheduling.controlled && self.scheduling.steps_singly() && self.scheduling.value.is_none() {
            self.note_unpredictable();
            return self.stand_before_choice(count, true);
        }
        self.choose(count)
    }

    fn stand_before_choice(&mut self, count: u32, urgent: bool) -> Run<u32> {
        let standing = self.state_mut(self.turn.thread);
        standing.outcomes = count;
        standing.urgent = urgent;
        standing.pending = Operation::new(OperationKind::Choose, Ref::NULL);
        Err(Abrupt::Yield)
    }
}
