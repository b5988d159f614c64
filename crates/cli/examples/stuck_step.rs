//! A model with a step that never returns, for the tests of budgets.
//!
//! With the argument `fails`, only the first step that any thread takes does not return, and process 1 breaks a property.

use sojourner_cli::check_model;
use sojourner_model::{Model, Properties, State, Transitions};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Default)]
struct StuckStep {
    fails: bool,
    begun: AtomicBool,
}

#[derive(Clone, Debug, State)]
struct Steps {
    taken: [u8; 2],
}

/// The step of process 0 that does not return.
const STUCK: u8 = 3;
/// The step of process 1 that breaks the property.
const FAILING: u8 = 20;

impl Model for StuckStep {
    type State = Steps;

    fn initial(&self) -> Steps {
        Steps { taken: [0, 0] }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, steps: &Steps, on: &mut Transitions<'_>) {
        on.when(steps.taken[0] <= STUCK, 0, 0);
        on.when(steps.taken[1] < FAILING, 1, 0);
    }

    fn fire(&self, steps: &mut Steps, process: usize, _: u32) {
        let stuck = match self.fails {
            false => process == 0 && steps.taken[0] == STUCK,
            true => !self.begun.swap(true, Relaxed),
        };
        if stuck {
            loop {
                std::thread::park();
            }
        }
        steps.taken[process] += 1;
    }

    fn may_end(&self, _: &Steps) -> bool {
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("process 1 does not fail", |model, steps| !model.fails || steps.taken[1] < FAILING);
    }
}

fn main() -> std::process::ExitCode {
    check_model("stuck-step", |arguments| match arguments {
        [] => Ok(StuckStep::default()),
        [word] if word == "fails" => Ok(StuckStep { fails: true, ..StuckStep::default() }),
        _ => Err("there is one argument: fails".into()),
    })
}
