//! Comparisons of two strategies: how large a difference is, and whether it may be chance.

/// What a trial cost, and whether it found the error. One that did not has cost at least that much: it is censored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The cost.
    pub cost: f64,
    /// Whether it found the error.
    pub found: bool,
}

/// The effect size of Vargha and Delaney: how likely a trial of `one` is cheaper than one of `other`, ties counting half. A trial that
/// found nothing is dearer than all that did, and equal to the others that did not. `None` if there are no trials.
pub fn a12(one: &[Cost], other: &[Cost]) -> Option<f64> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let value = |cost: &Cost| if cost.found { cost.cost } else { f64::INFINITY };
    let mut sum = 0.0;
    for left in one {
        for right in other {
            sum += match value(left).total_cmp(&value(right)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
    }
    Some(sum / (one.len() * other.len()) as f64)
}

/// How large an effect is, by the usual thresholds 0.56, 0.64 and 0.71.
pub fn size_of(a12: f64) -> &'static str {
    match (a12 - 0.5).abs() {
        d if d < 0.06 => "negligible",
        d if d < 0.14 => "small",
        d if d < 0.21 => "medium",
        _ => "large",
    }
}

/// The p-value of the log-rank test: how likely costs differ as much or more if both strategies are equal. Censored trials count as at
/// risk up to their limit. `None` if nothing was found, or nothing can differ.
pub fn log_rank(one: &[Cost], other: &[Cost]) -> Option<f64> {
    let mut costs: Vec<f64> =
        one.iter().chain(other).filter(|cost| cost.found).map(|cost| cost.cost).collect();
    costs.sort_by(f64::total_cmp);
    costs.dedup();
    let (mut surplus, mut variance) = (0.0, 0.0);
    for at in costs {
        let at_risk = |all: &[Cost]| all.iter().filter(|cost| cost.cost >= at).count() as f64;
        let ended = |all: &[Cost]| all.iter().filter(|cost| cost.found && cost.cost == at).count() as f64;
        let (risk_one, risk) = (at_risk(one), at_risk(one) + at_risk(other));
        let events = ended(one) + ended(other);
        surplus += ended(one) - events * risk_one / risk;
        if risk > 1.0 {
            let share = risk_one / risk;
            variance += events * share * (1.0 - share) * (risk - events) / (risk - 1.0);
        }
    }
    (variance > 0.0).then(|| chi_square_tail(surplus * surplus / variance))
}

/// How likely a chi-square variable with one degree of freedom is at least `x`.
fn chi_square_tail(x: f64) -> f64 {
    erfc((x / 2.0).sqrt())
}

/// The complementary error function for numbers of at least 0: its series near 0, its continued fraction farther out.
fn erfc(x: f64) -> f64 {
    let root_pi = std::f64::consts::PI.sqrt();
    if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            let n = f64::from(n);
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
        }
        return 1.0 - 2.0 / root_pi * sum;
    }
    let fraction = (1..200).rev().fold(0.0, |below, k| f64::from(k) / 2.0 / (x + below));
    (-x * x).exp() / root_pi / (x + fraction)
}

/// The p-values of a whole table, adjusted by Holm's method: a value below 0.05 is then significant at 5 % for the table.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut adjusted = vec![0.0; values.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((values.len() - rank) as f64 * values[at]).min(1.0);
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(costs: &[f64]) -> Vec<Cost> {
        costs.iter().map(|&cost| Cost { cost, found: true }).collect()
    }

    /// Of the nine pairs of 1, 2, 3 with 2, 3, 4: six are less, two are equal.
    #[test]
    fn effect_size_counts_pairs() {
        assert_eq!(a12(&found(&[1.0, 2.0, 3.0]), &found(&[2.0, 3.0, 4.0])), Some(7.0 / 9.0));
        let limit = [Cost { cost: 1.0, found: false }];
        assert_eq!(a12(&found(&[100.0]), &limit), Some(1.0));
        assert_eq!(a12(&limit, &limit), Some(0.5));
        assert_eq!(a12(&[], &limit), None);
        assert_eq!((size_of(7.0 / 9.0), size_of(0.4), size_of(0.5)), ("large", "small", "negligible"));
    }

    /// By hand for 1, 3 against 2, 4: surplus (1 - 2/4) + (0 - 1/3) + (1 - 1/2) = 2/3, variance 1/4 + 2/9 + 1/4 = 13/18, so that
    /// chi-square is 8/13 = 0.61538, whose tail is 0.43276.
    #[test]
    fn log_rank_is_that_computed_by_hand() {
        let p = log_rank(&found(&[1.0, 3.0]), &found(&[2.0, 4.0])).unwrap();
        assert!((p - 0.43276).abs() < 1e-4, "{p}");
    }

    /// Freireich's remission times of leukaemia, the textbook example: chi-square 16.79.
    #[test]
    fn log_rank_is_that_of_the_textbook() {
        let control = found(&[
            1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 8.0, 8.0, 11.0, 11.0, 12.0, 12.0, 15.0,
            17.0, 22.0, 23.0,
        ]);
        let mut treated = found(&[6.0, 6.0, 6.0, 7.0, 10.0, 13.0, 16.0, 22.0, 23.0]);
        for cost in [6.0, 9.0, 10.0, 11.0, 17.0, 19.0, 20.0, 25.0, 32.0, 32.0, 34.0, 35.0] {
            treated.push(Cost { cost, found: false });
        }
        let p = log_rank(&treated, &control).unwrap();
        assert!((p / chi_square_tail(16.793) - 1.0).abs() < 2e-3, "{p}");
    }

    #[test]
    fn nothing_found_is_no_difference() {
        let limit = [Cost { cost: 5.0, found: false }; 3];
        assert_eq!(log_rank(&limit, &limit), None);
    }

    #[test]
    fn tails_are_those_of_printed_tables() {
        for (x, p) in
            [(0.0, 1.0), (2.706, 0.1), (3.841, 0.05), (6.635, 0.01), (10.828, 0.001), (15.137, 0.0001)]
        {
            assert!((chi_square_tail(x) / p - 1.0).abs() < 1e-3, "{x}: {}", chi_square_tail(x));
        }
    }

    #[test]
    fn holm_multiplies_the_smallest_most() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
