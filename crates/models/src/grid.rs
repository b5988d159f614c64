//! Counters that know nothing of each other: a state space without cycles whose size is exactly known.

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Model, Row, State, Transitions};

/// Counters that step from 0 to `values - 1`: `values` to the power of `counters` states.
#[derive(Clone, Debug)]
pub struct Grid {
    /// How many counters.
    pub counters: u8,
    /// How many values each of them has.
    pub values: u8,
}

/// Where the counters stand.
#[derive(Clone, Debug, State)]
pub struct Counters {
    #[state(local)]
    at: Row<u8, 16>,
}

const COUNT: u32 = 0;

impl Named for Grid {
    const ABOUT: About = About {
        name: "grid",
        summary: "counters that know nothing of each other",
        parameters: &[
            Parameter::number("counters", 7, 1, 16, "how many there are"),
            Parameter::number("values", 10, 1, 255, "how many values each of them has"),
        ],
    };

    fn with(values: &Values) -> Self {
        Grid { counters: values.number("counters"), values: values.number("values") }
    }
}

impl Model for Grid {
    type State = Counters;

    fn initial(&self) -> Counters {
        Counters { at: Row::filled(self.counters.into(), 0) }
    }

    fn processes(&self) -> u32 {
        self.counters.into()
    }

    fn transitions(&self, counters: &Counters, on: &mut Transitions<'_>) {
        for (i, at) in counters.at.iter().enumerate() {
            on.when(at + 1 < self.values, i, COUNT);
        }
    }

    fn fire(&self, counters: &mut Counters, i: usize, _: u32) {
        counters.at[i] += 1;
    }

    fn may_end(&self, counters: &Counters) -> bool {
        counters.at.iter().all(|at| at + 1 == self.values)
    }

    fn name(&self, i: usize) -> String {
        format!("counter {i}")
    }

    fn words(&self, counters: &Counters, i: usize, _: u32) -> String {
        format!("counts to {}", counters.at[i] + 1)
    }

    fn footprint(&self, _: &Counters, _: usize, _: u32, _: &mut Footprint) -> bool {
        true
    }

    fn blocked_on(&self, _: &Counters, _: usize, _: &mut Footprint) -> bool {
        true
    }
}
