//! The one source of randomness.
//!
//! The generator and everything derived from it are fixed here, down to the arithmetic, so that a seed gives the
//! same run on any machine and with any version of the libraries below.

use rand_core::Rng;
use rand_pcg::Pcg64;

/// A seeded generator. Equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub struct Random(Pcg64);

impl Random {
    /// The generator of `seed`.
    pub fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// The `stream`th independent generator of `seed`: one for each search of a swarm.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let state = (u128::from(seed) << 64) | u128::from(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Random(Pcg64::new(state, u128::from(stream) << 1 | 1))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, each equally likely; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // Lemire's multiplication, with rejection so that no number is favoured.
        let n = n as u64;
        let mut wide = u128::from(self.bits()) * u128::from(n);
        if (wide as u64) < n {
            let floor = n.wrapping_neg() % n;
            while (wide as u64) < floor {
                wide = u128::from(self.bits()) * u128::from(n);
            }
        }
        (wide >> 64) as usize
    }

    /// A number from 0 up to, and without, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts the items in an order in which every permutation is equally likely (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_sequence_for_ever() {
        let mut random = Random::new(7);
        let first: Vec<usize> = (0..8).map(|_| random.below(1000)).collect();
        assert_eq!(first, [624, 482, 385, 991, 81, 171, 929, 254]);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        assert_ne!(Random::stream(7, 0).bits(), Random::stream(7, 1).bits());
    }

    #[test]
    fn every_permutation_of_three_is_about_as_likely() {
        let mut random = Random::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|&n| (850..1150).contains(&n)), "{counts:?}");
    }

    #[test]
    fn below_nothing_is_nothing() {
        assert_eq!(Random::new(1).below(0), 0);
    }
}
