//! A sample of costs: mean, spread, quantiles.

use super::student;

/// Numbers in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// A sample of these numbers. `None` if there are none.
    pub fn new(numbers: impl IntoIterator<Item = f64>) -> Option<Sample> {
        let mut numbers: Vec<f64> = numbers.into_iter().collect();
        numbers.sort_by(f64::total_cmp);
        (!numbers.is_empty()).then_some(Sample(numbers))
    }

    /// The numbers, ascending.
    pub fn sorted(&self) -> &[f64] {
        &self.0
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Never: a sample has a number at least.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The smallest.
    pub fn min(&self) -> f64 {
        self.0[0]
    }

    /// The largest.
    pub fn max(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The standard deviation of the population that the sample is from (n - 1); 0 for a single number.
    pub fn sd(&self) -> f64 {
        if self.0.len() < 2 {
            return 0.0;
        }
        let mean = self.mean();
        let squares: f64 = self.0.iter().map(|x| (x - mean) * (x - mean)).sum();
        (squares / (self.0.len() - 1) as f64).sqrt()
    }

    /// The number below which the share `q` of the sample lies, with linear interpolation between neighbours.
    pub fn quantile(&self, q: f64) -> f64 {
        let at = q.clamp(0.0, 1.0) * (self.0.len() - 1) as f64;
        let (low, high) = (self.0[at.floor() as usize], self.0[at.ceil() as usize]);
        low + (high - low) * at.fract()
    }

    /// The number in the middle.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Half of the width of the 95 % confidence interval of the mean, by Student's t. `None` for fewer than three numbers.
    pub fn half_width(&self) -> Option<f64> {
        let n = self.0.len();
        (n >= 3).then(|| student::quantile_975(n - 1) * self.sd() / (n as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares of deviations 32, so sd = sqrt(32 / 7).
    #[test]
    fn moments_are_those_computed_by_hand() {
        let sample = Sample::new([9.0, 2.0, 4.0, 5.0, 4.0, 4.0, 5.0, 7.0]).unwrap();
        assert_eq!((sample.min(), sample.max(), sample.mean()), (2.0, 9.0, 5.0));
        assert!((sample.sd() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((sample.median(), sample.quantile(0.25), sample.quantile(0.75)), (4.5, 4.0, 5.5));
        // t(0.975, 7) = 2.36462.
        let half = sample.half_width().unwrap();
        assert!((half - 2.364_62 * (32.0_f64 / 7.0).sqrt() / 8.0_f64.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn small_samples_have_no_interval() {
        assert_eq!(Sample::new([1.0, 2.0]).unwrap().half_width(), None);
        assert_eq!(Sample::new([1.0]).unwrap().sd(), 0.0);
        assert_eq!(Sample::new([]), None);
    }
}
