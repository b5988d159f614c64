//! Distances against a search through the configurations of a thread: the node that it stands before, and the calls that it is in.

use proptest::prelude::*;
use sojourner_distance::{Distances, Function, GraphBuilder, Measure, Node};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Calls that are deeper than this are not followed by the search.
const DEEPEST: usize = 6;

/// A program as lists, from which both sides are made.
#[derive(Clone, Debug)]
struct Code {
    /// For each node its function, its weight, and whether it is an exit.
    nodes: Vec<(u32, u32, bool)>,
    edges: Vec<(u32, u32)>,
    calls: Vec<(u32, u32)>,
    functions: u32,
    target: u32,
}

impl Code {
    fn builder(&self) -> GraphBuilder {
        let mut graph = GraphBuilder::default();
        let functions: Vec<Function> = (0..self.functions).map(|_| graph.function()).collect();
        for &(function, weight, _) in &self.nodes {
            graph.node(functions[function as usize], weight);
        }
        self.edges.iter().for_each(|&(from, to)| graph.edge(Node(from), Node(to)));
        self.calls.iter().for_each(|&(node, callee)| graph.call(Node(node), functions[callee as usize]));
        for (node, _) in self.nodes.iter().zip(0..).map(|(place, node)| (node, place)).filter(|(_, at)| at.2)
        {
            graph.exit(Node(node));
        }
        graph
    }

    fn entry(&self, function: u32) -> Option<u32> {
        self.nodes.iter().position(|node| node.0 == function).map(|node| node as u32)
    }

    fn callees(&self, node: u32) -> Vec<u32> {
        self.calls.iter().filter(|call| call.0 == node).map(|call| call.1).collect()
    }

    fn successors(&self, node: u32) -> Vec<u32> {
        self.edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1).collect()
    }

    /// The least weight from a configuration to the target, by Dijkstra's algorithm on configurations.
    fn least(&self, node: u32, calls: &[u32]) -> Option<u32> {
        let mut seen: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
        let mut waiting = BinaryHeap::from([Reverse((0, node, calls.to_vec()))]);
        while let Some(Reverse((cost, node, calls))) = waiting.pop() {
            if node == self.target {
                return Some(cost);
            }
            if seen.contains_key(&(node, calls.clone())) {
                continue;
            }
            seen.insert((node, calls.clone()), cost);
            let (_, weight, exits) = self.nodes[node as usize];
            let cost = cost + weight;
            let callees = self.callees(node);
            if !callees.is_empty() {
                for entry in callees.into_iter().filter_map(|callee| self.entry(callee)) {
                    if calls.len() < DEEPEST {
                        let mut calls = calls.clone();
                        calls.push(node);
                        waiting.push(Reverse((cost, entry, calls)));
                    }
                }
                continue;
            }
            for next in self.successors(node) {
                waiting.push(Reverse((cost, next, calls.clone())));
            }
            if exits && let Some((&call, outer)) = calls.split_last() {
                for next in self.successors(call) {
                    waiting.push(Reverse((cost, next, outer.to_vec())));
                }
            }
        }
        None
    }
}

prop_compose! {
    fn code()(functions in 1u32..5)(
        functions in Just(functions),
        nodes in prop::collection::vec((0..functions, 0u32..4, prop::bool::weighted(0.3), prop::option::weighted(0.3, 0..functions)), 2..14),
        pairs in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 4..40),
        target in any::<prop::sample::Index>(),
    ) -> Code {
        // A function calls only later ones, so that the search follows every call.
        let calls: Vec<(u32, u32)> = nodes.iter().zip(0..)
            .filter_map(|(node, number)| Some((number, node.3?)).filter(|call| call.1 > node.0))
            .collect();
        let calling = |number: u32| calls.iter().any(|call| call.0 == number);
        let edges = pairs.iter().map(|(from, to)| (from.index(nodes.len()), to.index(nodes.len())))
            .filter(|&(from, to)| nodes[from].0 == nodes[to].0)
            .map(|(from, to)| (from as u32, to as u32)).collect();
        Code {
            edges,
            functions,
            target: target.index(nodes.len()) as u32,
            nodes: nodes.iter().zip(0..).map(|(node, number)| (node.0, node.1, node.2 && !calling(number))).collect(),
            calls,
        }
    }
}

proptest! {
    #[test]
    fn matched_distances_are_those_of_a_search_through_configurations(
        code in code(),
        at in any::<prop::sample::Index>(),
        calls in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        // A stack of calls that could be: each call is of the function inside it.
        let node = at.index(code.nodes.len()) as u32;
        let mut stack = Vec::new();
        let mut function = code.nodes[node as usize].0;
        for call in calls {
            let callers: Vec<u32> = code.calls.iter().filter(|call| call.1 == function).map(|call| call.0).collect();
            if callers.is_empty() {
                break;
            }
            let caller = callers[call.index(callers.len())];
            stack.insert(0, caller);
            function = code.nodes[caller as usize].0;
        }
        let graph = code.builder().build();
        let target = [Node(code.target)];
        let of = |measure| {
            let calls = stack.iter().rev().copied().map(Node);
            Distances::new(&graph, measure, &target).of(Node(node), calls)
        };
        let exact = of(Measure::EFca);
        prop_assert_eq!(exact, code.least(node, &stack));
        // The other measures know less, and are smaller.
        let rank = |distance: Option<u32>| distance.unwrap_or(u32::MAX);
        let mut before = 0;
        for levels in 0..6 {
            let now = rank(of(Measure::Efsm(levels)));
            prop_assert!(before <= now, "{} levels: {} after {}", levels, now, before);
            before = now;
        }
        prop_assert!(before <= rank(exact));
        prop_assert!(rank(of(Measure::Fsm)) <= rank(exact));
    }
}

/// `main` calls `ping`, which calls itself or returns.
fn recursion() -> (GraphBuilder, [Node; 5]) {
    let mut graph = GraphBuilder::default();
    let (main, ping) = (graph.function(), graph.function());
    let [call, target] = [graph.node(main, 1), graph.node(main, 1)];
    let [test, again, returns] = [graph.node(ping, 1), graph.node(ping, 1), graph.node(ping, 1)];
    graph.edge(call, target);
    graph.call(call, ping);
    graph.edge(test, again);
    graph.edge(test, returns);
    graph.call(again, ping);
    graph.edge(again, returns);
    graph.exit(returns);
    (graph, [call, target, test, again, returns])
}

#[test]
fn recursion_is_left_by_as_many_returns_as_calls() {
    let (graph, [call, target, test, again, returns]) = recursion();
    let distances = Distances::new(&graph.build(), Measure::EFca, &[target]);
    assert_eq!(distances.of(call, []), Some(3));
    assert_eq!(distances.of(returns, [call]), Some(1));
    assert_eq!(distances.of(returns, [again, again, call]), Some(3));
    // The inner call takes two steps, its return one, and so does the outer one.
    assert_eq!(distances.of(again, [call]), Some(4));
    assert_eq!(distances.of(test, [again, call]), Some(3));
    assert_eq!(distances.of(test, []), None);
}

#[test]
fn without_matching_a_function_returns_anywhere() {
    let (graph, [call, target, _, again, returns]) = recursion();
    let distances = Distances::new(&graph.build(), Measure::Fsm, &[target]);
    assert_eq!(distances.of(returns, [again, again, call]), Some(1));
    assert_eq!(distances.of(returns, []), Some(1));
}

#[test]
fn a_function_that_never_returns_is_not_crossed() {
    let mut graph = GraphBuilder::default();
    let (main, stuck, unknown) = (graph.function(), graph.function(), graph.function());
    let [first, second, target] = [graph.node(main, 1), graph.node(main, 1), graph.node(main, 1)];
    let spin = graph.node(stuck, 1);
    graph.edge(spin, spin);
    graph.call(first, stuck);
    graph.edge(first, target);
    graph.call(second, unknown);
    graph.edge(second, target);
    let graph = graph.build();
    for measure in [Measure::EFca, Measure::Fsm] {
        let distances = Distances::new(&graph, measure, &[target]);
        assert_eq!((distances.of(first, []), distances.of(second, [])), (None, None), "{measure:?}");
    }
}

#[test]
fn a_thread_that_is_started_may_reach_the_target() {
    let mut graph = GraphBuilder::default();
    let (main, body) = (graph.function(), graph.function());
    let [start, join] = [graph.node(main, 1), graph.node(main, 1)];
    let [work, target] = [graph.node(body, 2), graph.node(body, 1)];
    graph.start(start, body);
    graph.edge(start, join);
    graph.edge(work, target);
    let graph = graph.build();
    for measure in [Measure::Fsm, Measure::Efsm(2), Measure::EFca] {
        let distances = Distances::new(&graph, measure, &[target]);
        assert_eq!(distances.of(start, []), Some(3), "{measure:?}");
        assert_eq!(distances.of(join, []), None, "{measure:?}");
    }
}

#[test]
fn the_nearest_of_several_targets_counts() {
    let mut graph = GraphBuilder::default();
    let main = graph.function();
    let nodes: Vec<Node> = (0..10).map(|_| graph.node(main, 1)).collect();
    nodes.windows(2).for_each(|pair| graph.edge(pair[0], pair[1]));
    let distances = Distances::new(&graph.build(), Measure::EFca, &[nodes[9], nodes[4]]);
    let of: Vec<_> = nodes.iter().map(|&node| distances.of(node, [])).collect();
    assert_eq!(of, [4, 3, 2, 1, 0, 4, 3, 2, 1, 0].map(Some));
}
