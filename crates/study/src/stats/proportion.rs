//! Intervals for shares.

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval of Wilson for a share of which `hits` of `n` were seen. It stays within 0 and 1, and has a width even if all or none
/// were hits, where the textbook interval has none.
pub fn wilson(hits: u64, n: u64) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let (hits, n) = (hits as f64, n as f64);
    let share = hits / n;
    let scale = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // Rounding must not leave the range.
    let low = if hits == 0.0 { 0.0 } else { centre - half };
    let high = if hits == n { 1.0 } else { centre + half };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<(f64, f64)>, low: f64, high: f64) {
        let (l, h) = found.unwrap();
        assert!((l - low).abs() < 5e-5 && (h - high).abs() < 5e-5, "{l} {h}");
    }

    /// By hand for 8 of 10: centre (0.8 + 0.19207) / 1.38415 = 0.71674, half 1.41600 x sqrt(0.016 + 0.0096036) = 0.22658.
    #[test]
    fn interval_is_that_of_the_formula() {
        near(wilson(8, 10), 0.49016, 0.94332);
        near(wilson(0, 10), 0.0, 0.27753);
        near(wilson(10, 10), 0.72247, 1.0);
        near(wilson(50, 100), 0.40383, 0.59617);
        assert_eq!(wilson(0, 0), None);
    }
}
