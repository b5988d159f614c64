//! How searches that take turns on one thread share it.
//!
//! Each search has a clock, which its steps move on, the slower the larger its share is. The search whose clock shows least has the next
//! turn. Half of the time is shared equally, since what is new need not be near a defect; the other half goes by what each found new.

use crate::swarm::Plan;

/// The part of all turns that is shared equally.
const EQUAL: f64 = 0.5;

/// How much of what a search found new a turn later is forgotten.
const FORGOTTEN: f64 = 0.3;

/// So often a turn doubles before it has its full length: all searches are to have a short try before any of them has a long one.
const DOUBLES: u32 = 2;

/// To open a program takes about as long as so many steps.
const OPENING: u64 = 4096;

/// The searches on one thread.
pub(crate) struct Shares {
    searches: Vec<Share>,
    /// Whether the first of them has as many steps as all others together.
    first_has_half: bool,
    /// The steps of the first one and of the others, where that is so.
    halves: [f64; 2],
}

/// A search among others.
pub(crate) struct Share {
    /// The steps of its longest turns, which take as long as [`Plan::TURN`] steps of others.
    turn: u64,
    /// Whether it counts new orders, and not new states.
    samples: bool,
    clock: f64,
    /// What it found new per step.
    progress: f64,
    turns: u32,
    ended: bool,
}

impl Share {
    /// Turns are at most that long, which takes as long as [`Plan::TURN`] steps of others.
    pub fn new(turn: u64, samples: bool) -> Self {
        Share { turn, samples, clock: 0.0, progress: 0.0, turns: 0, ended: false }
    }
}

impl Shares {
    /// Of these searches. With `first_has_half`, the first one has as many steps as all others together.
    pub fn new(searches: Vec<Share>, first_has_half: bool) -> Self {
        Shares { searches, first_has_half, halves: [0.0; 2] }
    }

    /// The search that has the next turn. `None`: all have ended.
    pub fn next(&self) -> Option<usize> {
        let has_half = |at: &usize| self.first_has_half && *at == 0;
        let open = (0..self.searches.len()).filter(|&at| !self.searches[at].ended);
        let (mut first, mut others): (Vec<usize>, Vec<usize>) = open.partition(has_half);
        if others.is_empty() || self.halves[0] <= self.halves[1] && !first.is_empty() {
            return first.pop();
        }
        others.sort_by(|&a, &b| self.searches[a].clock.total_cmp(&self.searches[b].clock));
        others.first().copied()
    }

    /// The steps of the next turn of a search.
    pub fn turn(&self, at: usize) -> u64 {
        let Share { turn, turns, .. } = self.searches[at];
        if self.first_has_half && at == 0 { turn } else { turn >> DOUBLES.saturating_sub(turns) }
    }

    /// The search has had a turn: so many steps, and so much that was new. `opened`: it had to open a program for that.
    pub fn took(&mut self, at: usize, steps: u64, new: u64, opened: bool) {
        let weight = self.weight(at);
        let share = &mut self.searches[at];
        // The first search is there to stay: its program would be opened without the others, too.
        let opening = if opened && !(self.first_has_half && at == 0) { OPENING as f64 } else { 0.0 };
        let worth = steps as f64 * Plan::TURN as f64 / share.turn as f64;
        let spent = worth.max(1.0) + opening;
        share.turns += 1;
        share.clock += spent / weight;
        let now = new as f64 / worth.max(1.0);
        share.progress =
            if share.turns == 1 { now } else { FORGOTTEN * now + (1.0 - FORGOTTEN) * share.progress };
        self.halves[usize::from(at > 0)] += spent;
    }

    /// The search has ended, and takes no more turns.
    pub fn ended(&mut self, at: usize) {
        self.searches[at].ended = true;
    }

    /// The share of a search. States and orders cannot be compared: each kind of search has a part by its number of searches.
    fn weight(&self, at: usize) -> f64 {
        let mine = &self.searches[at];
        let others = &self.searches[usize::from(self.first_has_half && at > 0)..];
        let kind = others.iter().filter(|other| !other.ended && other.samples == mine.samples);
        let (count, sum) = kind.fold((0.0, 0.0), |(n, sum), share| (n + 1.0, sum + share.progress));
        let part = if sum > 0.0 { mine.progress / sum * count } else { 1.0 };
        EQUAL + (1.0 - EQUAL) * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of each search after so many turns, if they find so much new in a hundred steps.
    fn steps(shares: &mut Shares, new: &[u64], turns: usize) -> Vec<u64> {
        let mut steps = vec![0; new.len()];
        for _ in 0..turns {
            let Some(at) = shares.next() else { break };
            let turn = shares.turn(at);
            steps[at] += turn;
            shares.took(at, turn, turn * new[at] / 100, false);
        }
        steps
    }

    fn shares(samples: &[bool]) -> Shares {
        Shares::new(samples.iter().map(|&samples| Share::new(4096, samples)).collect(), false)
    }

    #[test]
    fn every_search_has_a_short_turn_before_any_has_a_second_one() {
        assert_eq!(steps(&mut shares(&[false; 5]), &[90, 0, 0, 0, 50], 5), [1024; 5]);
    }

    #[test]
    fn what_gets_on_has_more_and_nothing_has_less_than_half_an_equal_share() {
        let steps = steps(&mut shares(&[false; 4]), &[90, 0, 0, 10], 4000);
        let equal = steps.iter().sum::<u64>() / 4;
        assert!(steps[0] > 2 * equal && steps[1] * 21 / 10 > equal && steps[3] > steps[1], "{steps:?}");
    }

    #[test]
    fn searches_that_keep_states_are_not_compared_with_those_that_sample() {
        let steps = steps(&mut shares(&[false, false, true, true]), &[80, 80, 1, 1], 4000);
        let [least, most] = [steps.iter().min(), steps.iter().max()].map(|n| n.copied().unwrap_or(0));
        assert!(most - least <= 4096, "{steps:?}");
    }

    #[test]
    fn progress_is_forgotten() {
        let mut shares = shares(&[false; 2]);
        steps(&mut shares, &[100, 0], 100);
        let later = steps(&mut shares, &[0, 10], 1000);
        assert!(later[1] > 2 * later[0], "{later:?}");
    }

    #[test]
    fn first_has_half_and_begins() {
        let mut shares = Shares::new((0..4).map(|_| Share::new(4096, false)).collect(), true);
        assert_eq!((shares.next(), shares.turn(0)), (Some(0), 4096));
        let steps = steps(&mut shares, &[1, 1, 1, 90], 4000);
        let others: u64 = steps[1..].iter().sum();
        assert!(steps[0].abs_diff(others) <= 4096, "{steps:?}");
    }

    #[test]
    fn programs_are_opened_one_after_the_other() {
        let mut shares = Shares::new((0..9).map(|_| Share::new(4096, false)).collect(), true);
        let mut opened = std::collections::BTreeSet::new();
        for _ in 0..5 {
            let at = shares.next().expect("none has ended");
            shares.took(at, shares.turn(at), 1, opened.insert(at));
        }
        assert_eq!(opened.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn search_that_has_ended_has_no_turn() {
        let mut shares = Shares::new((0..3).map(|_| Share::new(4096, false)).collect(), true);
        shares.ended(0);
        assert_eq!(steps(&mut shares, &[0; 3], 6)[0], 0);
        (1..3).for_each(|at| shares.ended(at));
        assert_eq!(shares.next(), None);
    }

    #[test]
    fn costly_steps_and_opened_programs_count() {
        let costs = [1, 16].map(|costs| Share::new(4096 / costs, false));
        let mut shares = Shares::new(costs.into(), false);
        let steps = steps(&mut shares, &[50, 50], 400);
        assert!(steps[0] > 10 * steps[1], "{steps:?}");
    }
}
