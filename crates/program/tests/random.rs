//! Random numbers are uniform: chi-square tests with fixed seeds, each at a significance of about one in a thousand.

use sojourner_program::Random;
use std::collections::{BTreeMap, BTreeSet};

/// The chi-square statistic of counts that should all be equal.
fn chi_square(counts: impl IntoIterator<Item = u32>) -> f64 {
    let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
    let expected = counts.iter().sum::<f64>() / counts.len() as f64;
    counts.iter().map(|count| (count - expected).powi(2) / expected).sum()
}

#[test]
fn choices_below_a_number_are_equally_likely() {
    // Critical values for n - 1 degrees of freedom.
    for (n, critical) in [(2, 10.83), (3, 13.82), (6, 20.52), (10, 27.88), (16, 37.70)] {
        for seed in 0..5 {
            let (mut random, mut counts) = (Random::new(seed), vec![0; n]);
            (0..12_000).for_each(|_| counts[random.below(n)] += 1);
            let statistic = chi_square(counts);
            assert!(statistic < critical, "{n} values, seed {seed}: {statistic}");
        }
    }
}

#[test]
fn all_orders_of_four_are_equally_likely() {
    for seed in 0..5 {
        let (mut random, mut counts) = (Random::new(seed), BTreeMap::new());
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        let statistic = chi_square(counts.into_values());
        assert!(statistic < 49.73, "seed {seed}: {statistic}");
    }
}

#[test]
fn a_shuffle_of_the_paper_s_kind_would_be_noticed() {
    // Each item changes places with any item, not only with those behind it: some orders of three are likelier then.
    let (mut random, mut counts) = (Random::new(0), BTreeMap::new());
    for _ in 0..24_000 {
        let mut items = [0, 1, 2];
        (0..3).for_each(|i| items.swap(i, random.below(3)));
        *counts.entry(items).or_insert(0) += 1;
    }
    assert!(chi_square(counts.into_values()) > 100.0);
}

#[test]
fn numbers_from_zero_to_one_are_uniform() {
    let (mut random, mut counts) = (Random::new(4), vec![0; 10]);
    (0..20_000).for_each(|_| counts[(random.unit() * 10.0) as usize] += 1);
    assert!(chi_square(counts) < 27.88);
}

#[test]
fn streams_and_seeds_have_numbers_of_their_own() {
    let mut first = BTreeSet::new();
    for seed in 0..100 {
        first.extend((0..100).map(|stream| Random::stream(seed, stream).bits()));
    }
    assert_eq!(first.len(), 10_000);
    // Nor is a stream another one that has begun earlier.
    let numbers = |stream| {
        let mut random = Random::stream(7, stream);
        (0..1000).map(|_| random.bits()).collect::<BTreeSet<u64>>()
    };
    assert!(numbers(0).is_disjoint(&numbers(1)) && numbers(1).is_disjoint(&numbers(2)));
}
