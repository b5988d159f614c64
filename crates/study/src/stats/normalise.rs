//! Costs of two techniques on one scale (RGDS section 4): the least of all error-finding trials of both is 1, the greatest 0.

use super::Sample;

/// The minimum, mean and maximum of a technique, mapped to 0 (worst) to 1 (best).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normalised {
    /// Of the cheapest trial.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// Of the dearest trial.
    pub max: f64,
}

/// The costs of two techniques. One that never found the error has 0, as in the paper.
pub fn normalise(one: Option<&Sample>, other: Option<&Sample>) -> [Normalised; 2] {
    let both = || one.iter().chain(&other);
    let best = both().map(|sample| sample.min()).fold(f64::INFINITY, f64::min);
    let worst = both().map(|sample| sample.max()).fold(f64::NEG_INFINITY, f64::max);
    let scaled = |cost: f64| if worst > best { (worst - cost) / (worst - best) } else { 1.0 };
    let of = |sample: Option<&Sample>| match sample {
        None => Normalised { min: 0.0, mean: 0.0, max: 0.0 },
        // Scaling is linear, so the mean of the scaled costs is the scaled mean.
        Some(sample) => {
            Normalised { min: scaled(sample.min()), mean: scaled(sample.mean()), max: scaled(sample.max()) }
        }
    };
    [of(one), of(other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_is_one_and_greatest_is_zero() {
        let one = Sample::new([10.0, 30.0]).unwrap();
        let other = Sample::new([20.0, 110.0]).unwrap();
        let [one, other] = normalise(Some(&one), Some(&other));
        assert_eq!(one, Normalised { min: 1.0, mean: 0.9, max: 0.8 });
        assert_eq!(other, Normalised { min: 0.9, mean: 0.45, max: 0.0 });
    }

    #[test]
    fn technique_without_success_has_zero_and_equal_costs_one() {
        let one = Sample::new([7.0, 7.0]).unwrap();
        let [one, other] = normalise(Some(&one), None);
        assert_eq!((one.mean, other.mean), (1.0, 0.0));
    }
}
