//! The frontier of a search that samples executions: one state, one choice of it, and never back.

use super::{Arrival, Frontier, Next, Picker};
use crate::ahead::UNKNOWN;
use crate::memory::capacity;
use sojourner_program::{Fault, Program, Schedule};

/// The path of the present execution. The order's first choice is taken, the others are dropped.
#[derive(Default)]
pub(crate) struct Walk {
    path: Schedule,
    next: Option<Next>,
}

impl<P: Program> Frontier<P> for Walk {
    fn open(&mut self, program: &mut P, at: Arrival<'_>, picker: &mut Picker<'_, P>) -> Result<(), Fault> {
        let Arrival { past, depth, choices, .. } = at;
        if depth == 0 {
            self.path.clear();
        }
        let past = picker.prepare(program, past, depth, choices)?;
        self.next = choices.first().map(|&choice| Next {
            choice,
            past: past.after(choice),
            depth: depth + 1,
            from: depth,
            print: UNKNOWN,
        });
        Ok(())
    }

    fn next(&mut self, _: &mut P, _: &mut Picker<'_, P>) -> Result<Option<Next>, Fault> {
        self.path.extend(self.next.map(|next| next.choice));
        Ok(self.next.take())
    }

    fn path(&self) -> Schedule {
        self.path.clone()
    }

    fn len(&self) -> usize {
        usize::from(self.next.is_some())
    }

    fn bytes(&self) -> u64 {
        capacity(&self.path)
    }
}
