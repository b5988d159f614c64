//! Programs whose threads may go round for ever: their executions have no end, but their states do.

use super::{Doing, Oracle, State, Verdict};
use crate::program::Instruction;
use std::collections::{BTreeSet, HashMap};

/// What tells two states apart that have different futures.
fn key(state: &State) -> String {
    let threads: Vec<_> = (state.threads.iter())
        .map(|thread| (thread.at, thread.doing, thread.register, thread.sum, thread.seen))
        .collect();
    let State { variables, holders, writer, readers, waiting, section, permits, .. } = state;
    format!("{threads:?} {variables:?} {holders:?} {writer:?} {readers:?} {waiting} {section:?} {permits}")
}

/// A state: who can move, and where that leads.
#[derive(Default)]
struct Visited {
    moves: Vec<(usize, usize)>,
    /// Whether a step fails.
    fails: bool,
    /// Threads that change something again and again if they go round here.
    changing: bool,
}

/// Programs with more states that no schedule leads out of are not taken.
const MOST_CLOSED: usize = 500;

/// Visits every state, if there are no more than `limit`.
pub fn verdict(mut oracle: Oracle, start: State, limit: usize) -> Option<Verdict> {
    let mut numbers = HashMap::from([(key(&start), 0)]);
    let mut visited: Vec<Visited> = vec![Visited::default()];
    let mut open = vec![(0, start)];
    while let Some((number, state)) = open.pop() {
        let moves = oracle.moves(&state);
        oracle.verdict.deadlock |= oracle.is_bound_by_locks(&state);
        if moves.is_empty() {
            oracle.end(&state);
        }
        visited[number].changing = oracle.changes_in_rounds(&state);
        for (thread, outcome) in moves {
            let mut next = state.clone();
            oracle.step(&mut next, thread, outcome);
            if !oracle.settle(&mut next, thread) {
                (oracle.verdict.assertion, visited[number].fails) = (true, true);
                continue;
            }
            next.histories.clear();
            next.form.clear();
            next.accesses = Default::default();
            let fresh = numbers.len();
            let to = *numbers.entry(key(&next)).or_insert(fresh);
            if to == fresh {
                visited.push(Visited::default());
                open.push((to, next));
            }
            visited[number].moves.push((thread, to));
            if numbers.len() > limit {
                return None;
            }
        }
    }
    let mut verdict = oracle.verdict;
    let closed = no_way_out(&visited);
    if closed.len() > MOST_CLOSED {
        return None;
    }
    for number in closed {
        // A reduction need not find that several who change something for each other get stuck together; a search by states must.
        match movers_behind(&visited, number).len() > 1 && visited[number].changing {
            true => verdict.maybe_livelock = true,
            false => verdict.livelock = true,
        }
    }
    (verdict.races, verdict.inequivalent) = (None, None);
    Some(verdict)
}

impl Oracle {
    /// Whether some thread that is left would go round by changing what others look at.
    fn changes_in_rounds(&self, state: &State) -> bool {
        let raises = |code: &[Instruction]| code.iter().any(|line| matches!(line, Instruction::Look(..)));
        let remains = state.threads.iter().zip(&self.code).filter(|(thread, _)| thread.doing != Doing::Ended);
        remains.into_iter().any(|(_, code)| raises(code))
    }
}

/// The states from which no schedule leads to an end, or to something that fails.
fn no_way_out(visited: &[Visited]) -> Vec<usize> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); visited.len()];
    for (number, state) in visited.iter().enumerate() {
        state.moves.iter().for_each(|&(_, to)| before[to].push(number));
    }
    let mut closed = vec![true; visited.len()];
    let ends = |number: &usize| visited[*number].moves.is_empty() || visited[*number].fails;
    let mut open: Vec<usize> = (0..visited.len()).filter(ends).collect();
    while let Some(number) = open.pop() {
        if std::mem::take(&mut closed[number]) {
            open.extend(&before[number]);
        }
    }
    (0..visited.len()).filter(|&number| closed[number]).collect()
}

/// The threads that can move in a state or behind it.
fn movers_behind(visited: &[Visited], number: usize) -> BTreeSet<usize> {
    let (mut seen, mut open, mut movers) = (BTreeSet::from([number]), vec![number], BTreeSet::new());
    while let Some(number) = open.pop() {
        for &(thread, to) in &visited[number].moves {
            movers.insert(thread);
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    movers
}
