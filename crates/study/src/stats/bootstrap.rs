//! Percentile bootstrap: intervals for costs that are skewed or have two humps, where Student's t fits badly.

use super::Sample;
use sojourner_program::Random;

/// Samples that are drawn, and the seed of the draws: the same data has the same interval.
const DRAWS: usize = 10_000;
const SEED: u64 = 2007;

/// The 95 % interval of a statistic of a sample. `None` for fewer than three numbers.
pub fn interval(sample: &Sample, statistic: impl Fn(&Sample) -> f64) -> Option<(f64, f64)> {
    let numbers = sample.sorted();
    if numbers.len() < 3 {
        return None;
    }
    let mut random = Random::new(SEED);
    let draw = |_| {
        let drawn = (0..numbers.len()).map(|_| numbers[random.below(numbers.len())]);
        statistic(&Sample::new(drawn).expect("it is as large as the sample"))
    };
    let drawn = Sample::new((0..DRAWS).map(draw)).expect("there are draws");
    Some((drawn.quantile(0.025), drawn.quantile(0.975)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_holds_the_mean_and_repeats() {
        let sample = Sample::new((1..=100).map(f64::from)).unwrap();
        let (low, high) = interval(&sample, Sample::mean).unwrap();
        // The standard error of the mean is 2.9, so that 1.96 of them are 5.7.
        assert!((low - 44.8).abs() < 0.5 && (high - 56.2).abs() < 0.5, "{low} {high}");
        assert_eq!(interval(&sample, Sample::mean), Some((low, high)));
    }

    #[test]
    fn equal_numbers_have_no_spread() {
        let sample = Sample::new([7.0; 5]).unwrap();
        assert_eq!(interval(&sample, Sample::median), Some((7.0, 7.0)));
        assert_eq!(interval(&Sample::new([7.0; 2]).unwrap(), Sample::median), None);
    }
}
