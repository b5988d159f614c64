//! Searches on hand-made state spaces, in which it is known what each of them does next.

mod common;

use common::{run, visited};
use sojourner_model::{Checked, Model, Properties, State, Target, Transitions};
use sojourner_program::{Random, Verdict};
use sojourner_search::*;
use sojourner_testkit::Recorded;

/// A graph: the successors of each state, its rank, and a state that must not be reached.
#[derive(Clone)]
struct Graph {
    successors: &'static [&'static [u8]],
    ranks: &'static [u32],
    bad: Option<u8>,
}

#[derive(Clone, Debug, State)]
struct At {
    state: u8,
}

impl Model for Graph {
    type State = At;

    fn initial(&self) -> At {
        At { state: 0 }
    }

    fn processes(&self) -> u32 {
        1
    }

    fn transitions(&self, at: &At, on: &mut Transitions<'_>) {
        for &next in self.successors[usize::from(at.state)] {
            on.when(true, 0, next.into());
        }
    }

    fn fire(&self, at: &mut At, _: usize, next: u32) {
        at.state = next as u8;
    }

    fn may_end(&self, _: &At) -> bool {
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("good", |graph, at| graph.bad != Some(at.state));
    }

    fn distance(&self, at: &At, _: Target) -> Option<u32> {
        Some(self.ranks[usize::from(at.state)])
    }
}

/// Three ways from the start, of which the first looks worst and has the best state behind it.
const TREE: Graph = Graph {
    successors: &[&[1, 2, 3], &[4], &[5], &[6, 7], &[], &[], &[], &[8], &[]],
    ranks: &[0, 5, 3, 4, 0, 9, 9, 1, 0],
    bad: None,
};

/// The states in the order in which a search comes to them, and why it is not complete.
fn order(graph: Graph, search: &str) -> (Vec<u8>, Vec<Reason>) {
    let strategy = Strategy { heuristic: Heuristic::Distance, ..Strategy::plain(search.parse().unwrap()) };
    let (outcome, visits) = visited(&Recorded::new(Checked::new(graph)), &Settings::new(strategy));
    (visits.iter().map(|visit| *visit.state.last().unwrap()).collect(), outcome.reasons)
}

#[test]
fn best_first_takes_the_best_of_all_that_wait() {
    assert_eq!(order(TREE, "best-first"), (vec![0, 1, 2, 3, 5, 6, 7, 8, 4], vec![]));
}

#[test]
fn a_bounded_queue_drops_the_worst() {
    // State 1 is dropped, so that 4 is never seen; then 5 or 6, which lead nowhere.
    let (states, reasons) = order(TREE, "best-first:bound=2");
    assert_eq!((states, reasons), (vec![0, 1, 2, 3, 5, 6, 7, 8], vec![Reason::Frontier(2)]));
}

#[test]
fn a_beam_keeps_the_best_of_each_level() {
    assert_eq!(order(TREE, "beam:width=2"), (vec![0, 1, 2, 3, 5, 6, 7, 8], vec![Reason::Frontier(2)]));
    assert_eq!(order(TREE, "beam:width=1"), (vec![0, 1, 2, 3, 5], vec![Reason::Frontier(1)]));
    // With room for all, each level is worked on by rank before the next one begins.
    assert_eq!(order(TREE, "beam:width=4"), (vec![0, 1, 2, 3, 5, 6, 7, 4, 8], vec![]));
}

#[test]
fn a_beam_that_drops_nothing_is_a_proof() {
    let strategy = Strategy::plain("beam:width=9".parse().unwrap());
    assert_eq!(run(&Checked::new(TREE), &Settings::new(strategy)).verdict(), Verdict::Clean);
    let strategy = Strategy::plain("beam:width=2".parse().unwrap());
    assert_eq!(run(&Checked::new(TREE), &Settings::new(strategy)).verdict(), Verdict::Incomplete);
}

#[test]
fn among_the_best_each_is_taken_about_as_often() {
    // From the start, 2 and 3 are the best two of three. What was opened next shows which of them was taken.
    let mut second = 0;
    for seed in 0..400 {
        let shape = "best-first:best=2".parse().unwrap();
        let strategy = Strategy { heuristic: Heuristic::Distance, ..Strategy::plain(shape) };
        let settings = Settings { seed, ..Settings::new(strategy) };
        let (_, visits) = visited(&Recorded::new(Checked::new(TREE)), &settings);
        let next = *visits[4].state.last().unwrap();
        assert!(next == 5 || next == 6, "the worst of three is not taken first: {next}");
        second += u32::from(next == 6);
    }
    // Chi-square with one degree of freedom, at one in a thousand.
    let statistic = (f64::from(second) - 200.0).powi(2) / 100.0;
    assert!(statistic < 10.83, "{second} of 400");
}

#[test]
fn a_star_counts_the_steps_and_takes_the_shorter_way() {
    // The way over 1 and 2 looks better at first, and is longer: 3 is reached by three steps, and then by two over 4.
    let graph = Graph {
        successors: &[&[1, 4], &[2], &[3], &[5], &[3], &[]],
        ranks: &[0, 1, 1, 5, 6, 0],
        bad: Some(5),
    };
    let steps = |search: &str| {
        let strategy =
            Strategy { heuristic: Heuristic::Distance, ..Strategy::plain(search.parse().unwrap()) };
        run(&Checked::new(graph.clone()), &Settings::new(strategy)).found[0].schedule.as_ref().unwrap().len()
    };
    assert_eq!((steps("best-first"), steps("best-first:astar"), steps("bfs")), (4, 3, 3));
}

/// A tree in which every state has two successors, down to a depth.
struct Tree {
    depth: u32,
}

#[derive(Clone, Debug, State)]
struct Node {
    number: u32,
}

impl Model for Tree {
    type State = Node;

    fn initial(&self) -> Node {
        Node { number: 1 }
    }

    fn processes(&self) -> u32 {
        1
    }

    fn transitions(&self, node: &Node, on: &mut Transitions<'_>) {
        for side in 0..2 {
            on.when(node.number.ilog2() < self.depth, 0, side);
        }
    }

    fn fire(&self, node: &mut Node, _: usize, side: u32) {
        node.number = 2 * node.number + side;
    }

    fn may_end(&self, _: &Node) -> bool {
        true
    }

    fn properties(&self, _: &mut Properties<Self>) {}
}

/// Figure 2 of Parizek & Lhotak 2011, word for word: the states below one at `depth`, and over how many transitions the jump that
/// ends them still goes.
fn explore(depth: usize, most: usize, turn: &mut TurnBack, states: &mut u64) -> usize {
    *states += 1;
    for _ in 0..if depth < most { 2 } else { 0 } {
        if turn.early(depth) {
            break;
        }
        let left = explore(depth + 1, most, turn, states);
        if left > 0 {
            return left - 1;
        }
    }
    turn.length(depth) - 1
}

#[test]
fn backtracking_does_what_the_figure_says() {
    const DEPTH: usize = 9;
    let mut cut = 0;
    for threshold in ["0", "3", "5", "8", "9", "20", "auto"] {
        for strategy in ["fixed", "random", "luby"] {
            for ratio in ["0", "0.5", "0.9", "0.99", "1", "1-d/5", "1-d/20", "1-d/1000"] {
                let how = format!("threshold={threshold},strategy={strategy},ratio={ratio}");
                let backtrack: Backtrack = how.parse().unwrap();
                for seed in 0..3 {
                    let strategy =
                        Strategy { backtrack: Some(backtrack), ..Strategy::plain(Shape::DepthFirst) };
                    let settings = Settings { seed, ..Settings::new(strategy) };
                    let outcome = run(&Checked::new(Tree { depth: DEPTH as u32 }), &settings);
                    let mut states = 0;
                    let mut turn = TurnBack::new(backtrack, Random::stream(seed, 1));
                    explore(0, DEPTH, &mut turn, &mut states);
                    assert_eq!(outcome.tally.states, states, "{how}, seed {seed}");
                    let whole = states == (1 << (DEPTH + 1)) - 1;
                    assert!(whole || outcome.reasons == [Reason::Randomised], "{how}");
                    cut += u64::from(!whole);
                }
            }
        }
    }
    assert!(cut > 100, "many of them leave something out");
}

#[test]
fn backtracking_with_ratio_zero_sees_the_states_up_to_its_threshold() {
    for threshold in 0..6 {
        let how = format!("threshold={threshold},strategy=fixed,ratio=0");
        let strategy =
            Strategy { backtrack: Some(how.parse().unwrap()), ..Strategy::plain(Shape::DepthFirst) };
        let outcome = run(&Checked::new(Tree { depth: 6 }), &Settings::new(strategy));
        assert_eq!(outcome.tally.states, (1 << (threshold + 1)) - 1);
    }
}
