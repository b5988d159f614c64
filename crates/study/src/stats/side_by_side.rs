//! Searches side by side, the first finding ends all (PRSS section 4.3): what that costs, from a pool of single searches.

use super::Sample;
use sojourner_program::Random;

/// Samples for each number of searches, as in the paper, and the seed of the draws.
const SAMPLES: usize = 50;
const SEED: u64 = 2007;

/// A pool of searches: the costs of those that found an error, and how many there are in all.
#[derive(Clone, Debug)]
pub struct Pool {
    /// What each of them cost; `None`: it found nothing.
    costs: Vec<Option<f64>>,
}

/// What a number of searches side by side costs.
#[derive(Clone, Debug, PartialEq)]
pub struct SideBySide {
    /// How many there are.
    pub nodes: u64,
    /// The samples in which at least one found the error.
    pub complete: usize,
    /// All samples.
    pub samples: usize,
    /// What those cost that found it.
    pub costs: Option<Sample>,
    /// The expected cost of those, without drawing; `None` if no search of the pool finds the error.
    pub expected: Option<f64>,
}

impl SideBySide {
    /// Whether every sample found the error.
    pub fn is_complete(&self) -> bool {
        self.complete == self.samples
    }
}

impl Pool {
    /// A pool of searches with these costs.
    pub fn new(costs: impl IntoIterator<Item = Option<f64>>) -> Pool {
        Pool { costs: costs.into_iter().collect() }
    }

    /// Draws `nodes` searches with replacement, 50 times; each time the cheapest that found the error counts.
    pub fn side_by_side(&self, nodes: u64) -> SideBySide {
        // A number of nodes has draws of its own, whatever other numbers are asked for.
        let mut random = Random::stream(SEED, nodes);
        let mut draw = |_| {
            let drawn = (0..nodes).filter_map(|_| self.costs[random.below(self.costs.len())]);
            drawn.min_by(f64::total_cmp)
        };
        let samples = if self.costs.is_empty() { 0 } else { SAMPLES };
        let drawn: Vec<f64> = (0..samples).filter_map(&mut draw).collect();
        SideBySide {
            nodes,
            complete: drawn.len(),
            samples,
            costs: Sample::new(drawn),
            expected: self.expected(nodes),
        }
    }

    /// The expected least cost of `nodes` searches, given that one of them finds the error. The i-th cheapest of N searches is the least
    /// of n draws with probability ((N-i+1)/N)^n - ((N-i)/N)^n; searches that find nothing stand behind all others.
    fn expected(&self, nodes: u64) -> Option<f64> {
        let found = Sample::new(self.costs.iter().copied().flatten())?;
        let (all, exponent) = (self.costs.len() as f64, nodes as f64);
        let beyond = |i: usize| ((all - i as f64) / all).powf(exponent);
        let sum: f64 =
            found.sorted().iter().enumerate().map(|(i, cost)| cost * (beyond(i) - beyond(i + 1))).sum();
        Some(sum / (1.0 - beyond(found.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 1, 2, 3, two draws have the least 1 with 5/9, 2 with 3/9, 3 with 1/9: mean 14/9.
    #[test]
    fn expectation_is_that_computed_by_hand() {
        let pool = Pool::new([Some(3.0), Some(1.0), Some(2.0)]);
        assert!((pool.expected(2).unwrap() - 14.0 / 9.0).abs() < 1e-12);
        assert!((pool.expected(1).unwrap() - 2.0).abs() < 1e-12);
        // With one search in two that finds nothing: of 4 pairs of draws, 3 have the error.
        let half = Pool::new([Some(5.0), None]);
        assert!((half.expected(2).unwrap() - 5.0).abs() < 1e-12);
        assert_eq!(Pool::new([None, None]).expected(3), None);
    }

    #[test]
    fn samples_agree_with_expectation() {
        let mut random = Random::new(1);
        let pool = Pool::new((0..500).map(|_| {
            let cost = (random.unit() * 8.0).exp();
            (cost < 2000.0).then_some(cost)
        }));
        for nodes in [1, 2, 5, 10, 25, 100] {
            let drawn = pool.side_by_side(nodes);
            let costs = drawn.costs.unwrap();
            let expected = drawn.expected.unwrap();
            // Four standard errors: one in 15,000 draws of a seed would be farther away.
            let tolerance = 4.0 * costs.sd() / (costs.len() as f64).sqrt();
            assert!((costs.mean() - expected).abs() <= tolerance, "{nodes}: {} {expected}", costs.mean());
        }
    }

    #[test]
    fn more_searches_complete_more_samples() {
        let pool = Pool::new((0..100).map(|i| (i < 10).then_some(f64::from(i))));
        let one = pool.side_by_side(1);
        assert!(one.complete < 15 && !one.is_complete());
        assert!(pool.side_by_side(200).is_complete());
        assert_eq!(Pool::new([]).side_by_side(5).samples, 0);
    }
}
