//! Shortest paths, all of them found backwards from where they end.

use crate::graph::{Graph, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A distance that is not known, since there is no way.
pub(crate) const NONE: u32 = u32::MAX;

/// Distances of nodes while they are being found. A node is settled at most once, in the order of distances (Dijkstra, and Knuth
/// for sums of two distances).
struct Settling {
    distance: Vec<u32>,
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Settling {
    fn new(nodes: usize) -> Self {
        Settling { distance: vec![NONE; nodes], waiting: BinaryHeap::new() }
    }

    /// The targets are at distance 0.
    fn towards(graph: &Graph, targets: &[Node]) -> Self {
        let mut settling = Settling::new(graph.len());
        targets.iter().for_each(|&target| settling.offer(target, 0));
        settling
    }

    /// The exits of functions are as far as they weigh.
    fn towards_exits(graph: &Graph) -> Self {
        let mut settling = Settling::new(graph.len());
        for node in graph.nodes().filter(|&node| graph.record(node).exits) {
            settling.offer(node, graph.record(node).weight);
        }
        settling
    }

    /// There is a way of that length from the node.
    fn offer(&mut self, node: Node, distance: u32) {
        if distance < self.distance[node.0 as usize] {
            self.waiting.push(Reverse((distance, node.0)));
        }
    }

    /// The nearest node that has not been settled.
    fn settle(&mut self) -> Option<(Node, u32)> {
        while let Some(Reverse((distance, node))) = self.waiting.pop() {
            let known = &mut self.distance[node as usize];
            if *known == NONE {
                *known = distance;
                return Some((Node(node), distance));
            }
        }
        None
    }
}

/// For each node, the least weight from there until its function has returned. Calls are followed, however deep.
pub(crate) fn to_return(graph: &Graph) -> Vec<u32> {
    let mut settling = Settling::towards_exits(graph);
    // Of nodes that call: the least way behind the call, and the least way through it.
    let (mut behind, mut through) = (vec![NONE; graph.len()], vec![NONE; graph.len()]);
    let whole = |behind: &[u32], through: &[u32], node: Node| {
        sum([graph.record(node).weight, through[node.0 as usize], behind[node.0 as usize]])
    };
    while let Some((node, distance)) = settling.settle() {
        for before in graph.predecessors(node) {
            if !graph.calls(before) {
                settling.offer(before, sum([graph.record(before).weight, distance]));
                continue;
            }
            let least = &mut behind[before.0 as usize];
            *least = distance.min(*least);
            settling.offer(before, whole(&behind, &through, before));
        }
        for caller in graph.callers(node) {
            let least = &mut through[caller.0 as usize];
            *least = distance.min(*least);
            settling.offer(caller, whole(&behind, &through, caller));
        }
    }
    settling.distance
}

/// The same, where the weight of each call is known.
pub(crate) fn to_return_over(graph: &Graph, crossing: impl Fn(Node) -> u32) -> Vec<u32> {
    let mut settling = Settling::towards_exits(graph);
    while let Some((node, distance)) = settling.settle() {
        for before in graph.predecessors(node) {
            let crossing = if graph.calls(before) { crossing(before) } else { 0 };
            settling.offer(before, sum([graph.record(before).weight, crossing, distance]));
        }
    }
    settling.distance
}

/// For each node, the least weight from there to a target: in its function, or in one that is called or started on the way and not
/// left. `crossing` is the weight of the calls of a node until they have returned. If `entered` is given, it has the weight from the
/// beginning of a called function to a target.
pub(crate) fn to_targets(
    graph: &Graph,
    targets: &[Node],
    crossing: impl Fn(Node) -> u32,
    entered: Option<&[u32]>,
) -> Vec<u32> {
    let mut settling = Settling::towards(graph, targets);
    if let Some(entered) = entered {
        for node in graph.nodes().filter(|&node| graph.calls(node)) {
            settling.offer(node, sum([graph.record(node).weight, least_entry(graph, node, entered)]));
        }
    }
    while let Some((node, distance)) = settling.settle() {
        for before in graph.predecessors(node) {
            let crossing = if graph.calls(before) { crossing(before) } else { 0 };
            settling.offer(before, sum([graph.record(before).weight, crossing, distance]));
        }
        let callers = graph.callers(node).filter(|_| entered.is_none());
        for before in callers.chain(graph.starters(node)) {
            settling.offer(before, sum([graph.record(before).weight, distance]));
        }
    }
    settling.distance
}

/// The least of the distances at which the functions begin that a node calls.
pub(crate) fn least_entry(graph: &Graph, node: Node, distances: &[u32]) -> u32 {
    let entries = graph.callees(node).filter_map(|callee| graph.entry(callee));
    entries.map(|entry| distances[entry.0 as usize]).min().unwrap_or(NONE)
}

/// For each node, the least weight from there to a target where a function may return to any of its callers.
pub(crate) fn to_targets_unmatched(graph: &Graph, targets: &[Node]) -> Vec<u32> {
    let mut settling = Settling::towards(graph, targets);
    let mut exits = vec![Vec::new(); graph.entries.len()];
    for node in graph.nodes().filter(|&node| graph.record(node).exits) {
        exits[graph.record(node).function.0 as usize].push(node);
    }
    while let Some((node, distance)) = settling.settle() {
        for before in graph.predecessors(node) {
            if !graph.calls(before) {
                settling.offer(before, sum([graph.record(before).weight, distance]));
            }
            for callee in graph.callees(before) {
                // The first way behind a call of the function is the shortest, so that its exits are needed once.
                for exit in std::mem::take(&mut exits[callee.0 as usize]) {
                    settling.offer(exit, sum([graph.record(exit).weight, distance]));
                }
            }
        }
        for before in graph.callers(node).chain(graph.starters(node)) {
            settling.offer(before, sum([graph.record(before).weight, distance]));
        }
    }
    settling.distance
}

/// A sum that is [`NONE`] only if one of its parts is.
pub(crate) fn sum<const N: usize>(parts: [u32; N]) -> u32 {
    if parts.contains(&NONE) {
        return NONE;
    }
    parts.into_iter().fold(0, u32::saturating_add).min(NONE - 1)
}
