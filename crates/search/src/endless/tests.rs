//! Several workers on one thread, with turns drawn at random. So tests reach interleavings that real threads reach rarely.

use super::*;
use proptest::prelude::*;
use sojourner_program::Random;

/// For each state its successors. A state without any is an end.
type Graph = Vec<Vec<usize>>;

/// A graph in which few states are ends, and steps lead on, back, or far away.
fn graph(random: &mut Random) -> Graph {
    let states = 2 + random.below(30);
    let ends = 2 + random.below(20);
    let mut successors = |state: usize| {
        if random.below(ends) == 0 {
            return Vec::new();
        }
        let count = 1 + random.below(3);
        let mut one = || match random.below(4) {
            0 => random.below(states),
            1 => state.saturating_sub(random.below(4)),
            _ => (state + 1 + random.below(3)).min(states - 1),
        };
        (0..count).map(|_| one()).collect()
    };
    (0..states).map(&mut successors).collect()
}

/// Whether some state that is reached from the first leads to no end.
fn has_trap(graph: &Graph) -> bool {
    let reached = |from: usize| {
        let (mut seen, mut rest) = (vec![false; graph.len()], vec![from]);
        seen[from] = true;
        while let Some(state) = rest.pop() {
            rest.extend(graph[state].iter().filter(|&&to| !std::mem::replace(&mut seen[to], true)));
        }
        (0..graph.len()).filter(|&state| seen[state]).collect::<Vec<_>>()
    };
    reached(0).into_iter().any(|state| reached(state).iter().all(|&to| !graph[to].is_empty()))
}

/// A state of the path, with the successors that are still open.
type Frame = (usize, Vec<usize>);

/// What a worker does next with a state that a step has led to.
#[derive(Clone, Copy)]
enum Next {
    LookUp(usize),
    Again(usize),
    Enter(usize),
}

struct Worker {
    tracker: Tracker<()>,
    path: Vec<Frame>,
    next: Option<Next>,
    trapped: bool,
}

fn print(state: usize) -> u128 {
    (state as u128 + 1) << 64
}

impl Worker {
    fn new(tracker: Tracker<()>) -> Self {
        Worker { tracker, path: Vec::new(), next: None, trapped: false }
    }

    fn begin(&mut self, state: usize) {
        self.tracker.announce(print(state));
        self.next = Some(Next::LookUp(state));
    }

    /// One turn. `see` takes in a state, and says whether it is new.
    fn turn(&mut self, graph: &Graph, see: impl FnOnce(usize) -> bool) {
        match self.next.take() {
            Some(Next::LookUp(state)) => {
                self.next = Some(if see(state) { Next::Enter(state) } else { Next::Again(state) });
            }
            Some(Next::Again(state)) => self.tracker.again(print(state)),
            Some(Next::Enter(state)) => {
                self.path.push((state, graph[state].clone()));
                self.tracker.enter(print(state));
                if graph[state].is_empty() {
                    self.tracker.settle();
                }
            }
            None => match self.path.last_mut().map(|(_, open)| open.pop()) {
                Some(Some(state)) => self.begin(state),
                Some(None) => {
                    self.path.pop();
                    self.trapped |= self.tracker.leave(|| None) == Left::Trapped;
                }
                None => {}
            },
        }
    }

    fn is_idle(&self) -> bool {
        self.path.is_empty() && self.next.is_none()
    }

    /// Cuts off an open step of its path.
    fn give(&mut self, random: &mut Random) -> Option<Vec<Frame>> {
        let depth = self.path.len().checked_sub(1).map(|last| random.below(last + 1))?;
        let given = self.path[depth].1.pop()?;
        let mut job: Vec<Frame> = self.path[..=depth].iter().map(|(state, _)| (*state, Vec::new())).collect();
        job[depth].1.push(given);
        self.tracker.gave(depth, self.path.len());
        Some(job)
    }
}

/// Explores a graph by several workers, and says whether they have found a trap, and how much was left to one of them.
fn explore(graph: &Graph, workers: usize, random: &mut Random) -> (bool, usize) {
    let residue = Residue::new(workers);
    let mut all: Vec<Worker> = (0..workers)
        .map(|number| Worker::new(Tracker::beside_others(Endless::Found, &residue, number)))
        .collect();
    let mut stored = HashSet::default();
    all[0].begin(0);
    while !all.iter().all(Worker::is_idle) {
        let one = random.below(workers);
        if all[one].is_idle() {
            let other = random.below(workers);
            if other != one
                && let Some(job) = all[other].give(random)
            {
                all[one].path = job;
            }
            continue;
        }
        all[one].turn(graph, |state| stored.insert(state));
    }
    let mut trapped = all.iter().any(|worker| worker.trapped);
    let mut left = 0;
    if let Some(rest) = residue.rest() {
        let mut worker = Worker::new(Tracker::alone(Endless::Found));
        let mut states = rest.states.clone();
        left = states.len();
        for state in (0..graph.len()).filter(|&state| rest.states.contains(&print(state))) {
            worker.begin(state);
            while !worker.is_idle() {
                worker.turn(graph, |state| states.remove(&print(state)));
            }
        }
        trapped |= worker.trapped;
    }
    (trapped, left)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn workers_find_a_trap_exactly_if_there_is_one(seed: u64, workers in 1usize..4) {
        let mut random = Random::new(seed);
        let graph = graph(&mut random);
        prop_assert_eq!(explore(&graph, workers, &mut random).0, has_trap(&graph), "{:?}", graph);
    }
}

#[test]
fn some_graphs_leave_a_residue() {
    let mut random = Random::new(1);
    let mut left = (0..500).map(|_| {
        let graph = graph(&mut random);
        explore(&graph, 3, &mut random).1
    });
    assert!(left.any(|states| states > 1));
}
