//! Distances of threads to targets.

use crate::graph::{Graph, Node};
use crate::paths::{NONE, least_entry, sum, to_return, to_return_over, to_targets, to_targets_unmatched};

/// What a distance knows of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nothing: a function returns to any of its callers (Edelkamp & Mehler 2003).
    Fsm,
    /// The calls that a thread is in, and so many levels of calls beyond (Rungta & Mercer 2005). Deeper calls cost nothing.
    Efsm(u32),
    /// All calls (Rungta & Mercer 2006).
    EFca,
}

/// How far each place in the code is from the nearest of some targets.
///
/// The less is known, the smaller a distance is: that of `Fsm` is at most that of `EFca`, and so is that of `Efsm`, which grows with
/// its levels.
#[derive(Clone, Debug)]
pub struct Distances {
    /// From a node to a target.
    to_target: Vec<u32>,
    /// From a node until its function has returned. Empty if that is not known.
    to_return: Vec<u32>,
    /// The same from behind a node.
    behind: Vec<Behind>,
}

#[derive(Clone, Copy, Debug)]
struct Behind {
    to_target: u32,
    to_return: u32,
}

impl Distances {
    /// Finds the distances to the nearest of the targets.
    pub fn new(graph: &Graph, measure: Measure, targets: &[Node]) -> Distances {
        let (to_target, to_return) = match measure {
            Measure::Fsm => (to_targets_unmatched(graph, targets), Vec::new()),
            Measure::Efsm(levels) => by_levels(graph, levels, targets),
            Measure::EFca => {
                let to_return = to_return(graph);
                let crossing = |node| least_entry(graph, node, &to_return);
                (to_targets(graph, targets, crossing, None), to_return)
            }
        };
        let least = |distances: &[u32], node: Node| {
            let successors = graph.successors(node);
            successors.map(|next| distances[next.0 as usize]).min().unwrap_or(NONE)
        };
        let behind = |node| Behind { to_target: least(&to_target, node), to_return: least(&to_return, node) };
        let behind = match to_return.is_empty() {
            true => Vec::new(),
            false => graph.nodes().map(behind).collect(),
        };
        Distances { to_target, to_return, behind }
    }

    /// How far a thread is that stands before `node`, in calls that the nodes `calls` made, the innermost call first. `None`: it
    /// cannot reach a target.
    pub fn of(&self, node: Node, calls: impl IntoIterator<Item = Node>) -> Option<u32> {
        let mut least = self.to_target[node.0 as usize];
        if let Some(&(mut returned)) = self.to_return.get(node.0 as usize) {
            for call in calls {
                // What has cost that much by now cannot become less.
                if returned >= least {
                    break;
                }
                let behind = self.behind[call.0 as usize];
                least = least.min(sum([returned, behind.to_target]));
                returned = sum([returned, behind.to_return]);
            }
        }
        (least != NONE).then_some(least)
    }
}

/// Distances to targets and to returns that follow so many levels of calls. What is called deeper costs nothing.
fn by_levels(graph: &Graph, levels: u32, targets: &[Node]) -> (Vec<u32>, Vec<u32>) {
    let whole = to_return(graph);
    let returns = |node| least_entry(graph, node, &whole) != NONE;
    let mut crossings: Vec<u32> = graph.nodes().map(|node| if returns(node) { 0 } else { NONE }).collect();
    let mut returned = to_return_over(graph, |node| crossings[node.0 as usize]);
    let mut reached = to_targets(graph, targets, |node| crossings[node.0 as usize], None);
    for _ in 0..levels {
        crossings = graph.nodes().map(|node| least_entry(graph, node, &returned)).collect();
        reached = to_targets(graph, targets, |node| crossings[node.0 as usize], Some(&reached));
        returned = to_return_over(graph, |node| crossings[node.0 as usize]);
    }
    (reached, returned)
}
