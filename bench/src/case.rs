//! What is searched: systems with known counts, as Sojourner's models and as the plain systems of the others.

use crate::bare::{self, Counts};
use crate::explorer::Order;
use crate::stateright;
use crate::systems::{Buffer, Grid, Peterson, Phil, System, TwoPhase};

/// A system of a certain size, what every search of it must count, and what Sojourner should achieve on it.
pub struct Case {
    /// What it is called here.
    pub name: &'static str,
    /// What Sojourner calls it, and its parameters.
    pub model: (&'static str, &'static str),
    pub states: u64,
    pub transitions: u64,
    /// What depth-first search may take of memory, in bytes.
    pub peak_bar: Option<u64>,
    /// What the collapse store may take for a state, in bytes.
    pub collapse_bar: Option<f64>,
    /// Whether the stores are compared on it.
    pub compares_stores: bool,
    /// Whether two threads should be 1.6 times as fast as one.
    pub scales: bool,
    /// The same system as the others search it.
    pub system: Box<dyn Plain>,
}

impl Case {
    fn new(
        name: &'static str,
        model: (&'static str, &'static str),
        (states, transitions): (u64, u64),
        system: impl Plain + 'static,
    ) -> Self {
        let system = Box::new(system);
        Case {
            name,
            model,
            states,
            transitions,
            peak_bar: None,
            collapse_bar: None,
            compares_stores: false,
            scales: false,
            system,
        }
    }

    /// The sizes for which there are bars.
    pub fn full() -> Vec<Case> {
        let buffer = Buffer::<8, 18> { capacity: 2, items: 2, notify_all: false };
        vec![
            Case::new(
                "grid-7x10",
                ("grid", "counters=7,values=10"),
                (10_000_000, 63_000_000),
                Grid::<7> { m: 10 },
            ),
            Case {
                collapse_bar: Some(12.0),
                compares_stores: true,
                scales: true,
                ..Case::new("twophase-8", ("twophase", "n=8"), (1_745_408, 18_507_777), TwoPhase::<8, 27>)
            },
            Case {
                peak_bar: Some(100_000_000),
                compares_stores: true,
                scales: true,
                ..Case::new("peterson-4", ("peterson", "n=4"), (1_119_560, 3_864_896), Peterson::<4, 20>)
            },
            Case {
                peak_bar: Some(100_000_000),
                ..Case::new(
                    "phil-fair-12",
                    ("phil", "n=12,fair=true"),
                    (531_441, 4_251_528),
                    Phil::<12, 24> { fair: true },
                )
            },
            Case {
                scales: true,
                ..Case::new(
                    "buffer-one-8x2",
                    ("buffer", "threads=8,items=2,all=false"),
                    (1_490_223, 2_573_028),
                    buffer,
                )
            },
        ]
    }

    /// Sizes that take a second together.
    pub fn quick() -> Vec<Case> {
        let buffer = Buffer::<6, 14> { capacity: 2, items: 3, notify_all: false };
        vec![
            Case::new("grid-5x8", ("grid", "counters=5,values=8"), (32_768, 143_360), Grid::<5> { m: 8 }),
            Case {
                compares_stores: true,
                ..Case::new("twophase-7", ("twophase", "n=7"), (296_448, 2_744_705), TwoPhase::<7, 24>)
            },
            Case {
                compares_stores: true,
                ..Case::new("peterson-3", ("peterson", "n=3"), (12_498, 33_369), Peterson::<3, 15>)
            },
            Case::new(
                "phil-fair-9",
                ("phil", "n=9,fair=true"),
                (19_683, 118_098),
                Phil::<9, 18> { fair: true },
            ),
            Case::new(
                "buffer-one-6x3",
                ("buffer", "threads=6,items=3,all=false"),
                (321_234, 493_848),
                buffer,
            ),
        ]
    }

    /// Whether it is large enough for a second thread to be worth its start.
    pub fn is_shared(&self) -> bool {
        self.states >= 100_000
    }
}

/// A system that the others can search, whatever its type.
pub trait Plain {
    /// By the bare loop, on that many threads, with room for `states`.
    fn bare(&self, threads: usize, states: u64) -> Counts;

    /// By Stateright, on one thread. Only the states and transitions are counted.
    fn stateright(&self, order: Order) -> Counts;
}

impl<Y: System> Plain for Y {
    fn bare(&self, threads: usize, states: u64) -> Counts {
        // The smallest table that is at most two thirds full: a larger one would miss the caches more often.
        let slots = (states + states / 2).next_power_of_two();
        bare::explore(self, threads, slots.ilog2(), false)
    }

    fn stateright(&self, order: Order) -> Counts {
        stateright::explore(self, order)
    }
}
