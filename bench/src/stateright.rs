//! Any plain system, searched by Stateright.

use crate::bare::Counts;
use crate::explorer::Order;
use crate::systems::System;
use ::stateright::{Checker, Model, Property};

/// Searches all of the system on one thread. What Stateright counts as states are transitions and the initial state.
///
/// It is asked for what the bare loop looks for in every state, a violation, and for nothing that would make it keep
/// more: no `eventually`, no visitor, no symmetry.
pub fn explore<Y: System>(system: &Y, order: Order) -> Counts {
    let checker = Wrapped(system.clone()).checker().threads(1);
    match order {
        Order::Dfs => counts(&checker.spawn_dfs().join()),
        Order::Bfs => counts(&checker.spawn_bfs().join()),
    }
}

fn counts<Y: System>(checker: &impl Checker<Wrapped<Y>>) -> Counts {
    Counts {
        states: checker.unique_state_count() as u64,
        transitions: checker.state_count() as u64 - 1,
        deadlocks: 0,
        violations: u64::from(checker.discovery(NO_VIOLATION).is_some()),
    }
}

const NO_VIOLATION: &str = "no violation";

struct Wrapped<Y>(Y);

impl<Y: System> Model for Wrapped<Y> {
    type State = Y::State;
    type Action = u8;

    fn init_states(&self) -> Vec<Y::State> {
        vec![self.0.initial()]
    }

    fn actions(&self, state: &Y::State, actions: &mut Vec<u8>) {
        self.0.enabled(state, actions);
    }

    fn next_state(&self, state: &Y::State, action: u8) -> Option<Y::State> {
        Some(self.0.fire(state, action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(NO_VIOLATION, |model, state| !model.0.violates(state))]
    }
}
