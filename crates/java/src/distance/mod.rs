//! How far the threads of a Java program are from places in its code, for guided searches.
//!
//! The call graph of `doctor` says which methods a program can reach. The methods of the program itself, and those of the class
//! library that can call them, become a graph of bytecodes; all others are crossed at the cost of one.

mod control_flow;
mod places;

use crate::doctor;
use crate::machine::class::MethodId;
use crate::machine::{Frame, Machine};
use control_flow::ControlFlow;
use hashbrown::HashMap;
use sojourner_distance::{Distances, Measure, Node, Unit};
use sojourner_frontend::Destination;
use std::sync::Arc;

/// The distances to some places, for all programs of a subject.
pub struct Guide {
    flow: ControlFlow,
    distances: Distances,
}

impl Guide {
    /// Finds the distances from all places of a program to the nearest of the destinations. With none, all failures that the program
    /// names are meant. An error says what cannot be found.
    pub fn new(
        machine: &Machine,
        main_class: &str,
        destinations: &[Destination],
        measure: Measure,
        unit: Unit,
    ) -> Result<Guide, String> {
        let calls = doctor::call_graph(machine, main_class);
        let (flow, graph) = ControlFlow::new(&calls, unit);
        let targets = places::find(&calls, &flow, destinations)?;
        Ok(Guide { flow, distances: Distances::new(&graph, measure, &targets) })
    }
}

/// Asks a guide for one program, and remembers what its methods are to the guide.
pub struct Rangefinder {
    guide: Arc<Guide>,
    methods: HashMap<MethodId, Option<u32>, foldhash::fast::FixedState>,
    calls: Vec<Node>,
}

impl Rangefinder {
    /// Asks that guide.
    pub fn new(guide: Arc<Guide>) -> Rangefinder {
        Rangefinder { guide, methods: HashMap::default(), calls: Vec::new() }
    }

    /// How far the nearest thread is. `None`: none of them can come to a destination.
    pub fn distance(&mut self, machine: &Machine) -> Option<u32> {
        machine.threads.list.iter().filter_map(|thread| self.of_frames(machine, &thread.frames)).min()
    }

    fn of_frames(&mut self, machine: &Machine, frames: &[Frame]) -> Option<u32> {
        self.calls.clear();
        let mut here = None;
        for (depth, frame) in frames.iter().rev().enumerate() {
            let node = self.node(machine, frame);
            match (depth, node) {
                (0, node) => here = node,
                (_, Some(node)) => self.calls.push(node),
                _ => {}
            }
        }
        self.guide.distances.of(here, self.calls.iter().copied())
    }

    /// Where the graph has the instruction that a frame stands before, or whose call it waits for.
    fn node(&mut self, machine: &Machine, frame: &Frame) -> Option<Node> {
        let flow = &self.guide.flow;
        let number = *self.methods.entry(frame.method).or_insert_with(|| {
            let method = machine.method(frame.method);
            let text = |symbol| machine.classes.symbols.text(symbol);
            flow.number(machine.class_name(method.class), text(method.name), text(method.descriptor))
        });
        flow.node(number?, machine.bci(frame.method, frame.pc))
    }
}
