//! Student's t distribution, as far as confidence intervals need it.

/// The 97.5 % quantile of t with so many degrees of freedom, by bisection.
pub fn quantile_975(freedom: usize) -> f64 {
    let freedom = freedom as f64;
    let (mut low, mut high) = (0.0, 1000.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if below(middle, freedom) < 0.975 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// How likely a value of at most `t` is, for `t` of at least 0.
fn below(t: f64, freedom: f64) -> f64 {
    1.0 - 0.5 * beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function, by its continued fraction (Lentz's method).
fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let guarded = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / guarded(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / guarded(1.0 + term * d);
            c = guarded(1.0 + term / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// The logarithm of the gamma function for positive numbers, by Stirling's series behind a shift.
fn ln_gamma(x: f64) -> f64 {
    let (mut shift, mut x) = (0.0, x);
    while x < 15.0 {
        shift += x.ln();
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series = (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        for (freedom, expected) in
            [(1, 12.706), (2, 4.303), (7, 2.365), (10, 2.228), (29, 2.045), (99, 1.984), (4999, 1.960)]
        {
            let found = quantile_975(freedom);
            assert!((found - expected).abs() < 6e-4, "{freedom}: {found}");
        }
    }

    #[test]
    fn gamma_of_whole_numbers_is_a_factorial() {
        assert!((ln_gamma(5.0) - 24.0_f64.ln()).abs() < 1e-12);
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-12);
    }
}
