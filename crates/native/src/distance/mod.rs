//! How far the threads of a program are from places in its code, for guided searches.
//!
//! The executable itself tells: its instructions, the tables that jumps go by, and the addresses of functions that it holds. Where a
//! call by an address leads is not known, so it may lead to every function whose address the program takes. An edge too many makes
//! distances smaller than they are. That costs a search time, and changes no verdict.

mod control_flow;
mod executable;
mod instructions;
mod jump_tables;
mod library;
mod places;

use crate::symbols;
use control_flow::ControlFlow;
use executable::Executable;
use sojourner_distance::{Distances, Measure, Unit};
use sojourner_frontend::Destination;
use std::path::Path;

/// The distances to some places, for all programs of a subject.
pub struct Guide {
    flow: ControlFlow,
    distances: Distances,
    /// Whether the calls that threads are in make a difference.
    pub needs_calls: bool,
}

impl Guide {
    /// Finds the distances from all places of a program to the nearest of the destinations. With none, all failures that the program
    /// names are meant. An error says what cannot be found.
    pub fn new(
        executable: &Path,
        symbols: &symbols::Shared,
        destinations: &[Destination],
        measure: Measure,
        unit: Unit,
    ) -> Result<Guide, String> {
        let bytes =
            std::fs::read(executable).map_err(|error| format!("{}: {error}", executable.display()))?;
        let executable = Executable::read(&bytes)?;
        let (flow, graph) = ControlFlow::new(&executable, unit);
        let targets = places::find(&executable, &flow, symbols, destinations)?;
        let distances = Distances::new(&graph, measure, &targets);
        Ok(Guide { flow, distances, needs_calls: measure != Measure::Fsm })
    }

    /// How far a thread is that stands before a call, which returns to `place`, in calls that return to these places, innermost first.
    /// `None`: it cannot come to a destination.
    pub fn distance(&self, place: u64, calls: impl Iterator<Item = u64>) -> Option<u32> {
        // What is no code of the program returns at no cost.
        let calls = calls.filter_map(|call| self.flow.node_before(call));
        self.distances.of(self.flow.node_before(place), calls)
    }
}
