//! States that must be reachable, as a worker looks for them.

use crate::control::Control;
use sojourner_program::{Program, Target};

/// Goals, by bit, that have not been reached.
pub(crate) struct Goals(u64);

impl Goals {
    /// Those of the program.
    pub fn of<P: Program>(program: &P) -> Self {
        let goals = program.goals().len();
        Goals(if goals >= 64 { u64::MAX } else { (1 << goals) - 1 })
    }

    /// Looks whether the program stands in one of them.
    #[inline]
    pub fn look<P: Program>(&mut self, program: &mut P, control: &Control<'_>) {
        if self.0 == 0 {
            return;
        }
        let (mut reached, mut left) = (0, self.0);
        while left != 0 {
            let goal = left.trailing_zeros();
            left &= left - 1;
            let here = program.distance(Target::Goal(goal as usize)) == Some(0);
            reached |= u64::from(here) << goal;
        }
        if reached != 0 {
            self.0 &= !control.reached(reached);
        }
    }
}
