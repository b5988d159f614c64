//! The point of diminishing returns (PRSS section 5.2), where the authors looked at their curves. Ours is a rule.
//!
//! It is the least number of searches n in the list such that (1) at least 95 % of the samples find the error, and (2) doubling pays
//! little: the mean falls by less than a tenth of the mean of a single search up to the next number of the list that is at least 2 n.

use super::side_by_side::SideBySide;

/// The share of samples that must find the error.
const COMPLETE: f64 = 0.95;

/// The share of the mean of a single search below which a gain is little, and others that show how much the point depends on it.
pub const LITTLE: f64 = 0.10;
/// Two smaller shares.
pub const SENSITIVITY: [f64; 2] = [0.05, 0.02];

/// The point of diminishing returns of a list with rising numbers of searches. `None`: gains do not diminish within the list.
pub fn point(list: &[SideBySide], little: f64) -> Option<&SideBySide> {
    let mean = |one: &SideBySide| one.costs.as_ref().map(|costs| costs.mean());
    let single = list.iter().find_map(mean)?;
    list.iter().find(|one| {
        let complete = one.complete as f64 >= COMPLETE * one.samples as f64;
        let twice = list.iter().find(|other| other.nodes >= 2 * one.nodes);
        let gain = mean(one).zip(twice.and_then(mean)).map(|(now, then)| now - then);
        complete && gain.is_some_and(|gain| gain < little * single)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Sample;

    fn list(means: &[(u64, f64, usize)]) -> Vec<SideBySide> {
        let one = |&(nodes, mean, complete): &(u64, f64, usize)| SideBySide {
            nodes,
            complete,
            samples: 50,
            costs: Sample::new([mean]),
            expected: None,
        };
        means.iter().map(one).collect()
    }

    #[test]
    fn point_is_where_doubling_pays_little() {
        let list = list(&[(1, 100.0, 50), (2, 60.0, 50), (5, 30.0, 50), (10, 22.0, 50), (20, 20.0, 50)]);
        assert_eq!(point(&list, 0.10).map(|one| one.nodes), Some(5));
        assert_eq!(point(&list, 0.05).map(|one| one.nodes), Some(10));
        assert_eq!(point(&list, 0.01), None);
    }

    #[test]
    fn point_needs_nearly_all_samples_complete() {
        let list = list(&[(1, 100.0, 20), (2, 99.0, 40), (5, 98.0, 48), (10, 97.0, 50)]);
        assert_eq!(point(&list, 0.10).map(|one| one.nodes), Some(5));
    }
}
