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

/// What distances count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Instructions of the program.
    #[default]
    Instructions,
    /// Instructions before which a thread may stop, as far as the code tells: about the steps of a search.
    Operations,
}

/// How far each place in the code is from the nearest of some targets.
///
/// The less is known, the smaller a distance is: that of `Fsm` is at most that of `EFca`, and so is that of `Efsm`, which grows with
/// its levels.
#[derive(Clone, Debug)]
pub struct Distances {
    nodes: Vec<Least>,
    /// The same from behind a node.
    behind: Vec<Least>,
}

/// The least weights of ways.
#[derive(Clone, Copy, Debug)]
struct Least {
    /// To a target.
    to_target: u32,
    /// Until the function has returned. Where that is not known, there is no way.
    to_return: u32,
}

impl Distances {
    /// Finds the distances to the nearest of the targets.
    pub fn new(graph: &Graph, measure: Measure, targets: &[Node]) -> Distances {
        let (to_target, to_return) = match measure {
            Measure::Fsm => (to_targets_unmatched(graph, targets), vec![NONE; graph.len()]),
            Measure::Efsm(levels) => by_levels(graph, levels, targets),
            Measure::EFca => {
                let to_return = to_return(graph);
                let crossing = |node| least_entry(graph, node, &to_return);
                (to_targets(graph, targets, crossing, None), to_return)
            }
        };
        let nodes = to_target.into_iter().zip(to_return);
        let nodes: Vec<Least> = nodes.map(|(to_target, to_return)| Least { to_target, to_return }).collect();
        let behind = |node| {
            let next = || graph.successors(node).map(|next| nodes[next.0 as usize]);
            Least {
                to_target: next().map(|next| next.to_target).min().unwrap_or(NONE),
                to_return: next().map(|next| next.to_return).min().unwrap_or(NONE),
            }
        };
        let behind = graph.nodes().map(behind).collect();
        Distances { nodes, behind }
    }

    /// How far a thread is that stands before `node`, in calls that the nodes `calls` made, the innermost call first. A thread that
    /// stands in code which the graph does not have, and which returns at no cost, has no node. `None`: it cannot reach a target.
    pub fn of(&self, node: impl Into<Option<Node>>, calls: impl IntoIterator<Item = Node>) -> Option<u32> {
        let here = node.into().map(|node| self.nodes[node.0 as usize]);
        let Least { to_target: mut least, to_return: mut returned } =
            here.unwrap_or(Least { to_target: NONE, to_return: 0 });
        for call in calls {
            // What has cost that much by now cannot become less.
            if returned >= least {
                break;
            }
            let behind = self.behind[call.0 as usize];
            least = least.min(sum([returned, behind.to_target]));
            returned = sum([returned, behind.to_return]);
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
