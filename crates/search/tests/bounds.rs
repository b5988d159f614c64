//! Bounds cut exactly what they should, with a store and without, in every order.

mod common;

use common::*;
use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assert_eq, proptest};
use sojourner_model::Checked;
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::{RandomSystem, Recorded};
use std::collections::BTreeSet;

fn bounded(shape: Shape, bounds: Bounds) -> Settings {
    Settings { bounds, ..settings(shape) }
}

/// Within the bounds every strategy visits these states, with every store, and only if these are all does it claim so.
fn every_search_visits(
    load: &Recorded<Checked<RandomSystem>>,
    bounds: Bounds,
    seed: u64,
    expected: &BTreeSet<Vec<u8>>,
) -> Result<(), TestCaseError> {
    let all = states(&visited(load, &settings(Shape::DepthFirst)).1);
    for strategy in exhaustive() {
        for store in STORES {
            let settings =
                Settings { strategy: strategy.clone(), store, seed, ..bounded(Shape::DepthFirst, bounds) };
            let (outcome, visits) = visited(load, &settings);
            prop_assert_eq!(&states(&visits), expected, "by {:?}", settings);
            prop_assert!(*expected == all || !outcome.reasons.is_empty(), "by {:?}", settings);
        }
    }
    let (_, visits) = visited(load, &Settings { workers: 2, ..bounded(Shape::DepthFirst, bounds) });
    prop_assert_eq!(&states(&visits), expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 50, ..ProptestConfig::default() })]

    /// Breadth-first search reaches the states within a depth by its nature; the others need the store to keep the
    /// least depth of each.
    #[test]
    fn a_depth_bound_means_the_same_in_every_order(seed: u64, depth in 1u32..9) {
        let load = Recorded::new(Checked::new(RandomSystem::any(seed)));
        let bounds = Bounds { depth: Some(depth), preemptions: None };
        let expected = states(&visited(&load, &bounded(Shape::BreadthFirst(None), bounds)).1);
        every_search_visits(&load, bounds, seed, &expected)?;
    }

    /// Without a store every path counts its own preemptions; with one, the count must be part of the key.
    #[test]
    fn a_preemption_bound_means_the_same_with_a_store(
        seed: u64,
        preemptions in 0u32..3,
        depth in proptest::option::of(1u32..9),
    ) {
        let mut shape = RandomSystem::any(seed).shape();
        (shape.cycles, shape.steps, shape.threads) = (false, shape.steps.min(4), shape.threads.min(3));
        let load = Recorded::new(Checked::new(RandomSystem::new(seed, shape)));
        let bounds = Bounds { depth, preemptions: Some(preemptions) };
        let stateless = Settings { store: StoreKind::None, ..bounded(Shape::DepthFirst, bounds) };
        let expected = states(&visited(&load, &stateless).1);
        every_search_visits(&load, bounds, seed, &expected)?;
    }

    #[test]
    fn a_preemption_bound_out_of_reach_cuts_nothing(seed: u64) {
        let shape = sojourner_testkit::Shape { cycles: false, ..RandomSystem::any(seed).shape() };
        let load = Recorded::new(Checked::new(RandomSystem::new(seed, shape)));
        let (_, visits) = visited(&load, &settings(Shape::DepthFirst));
        let bounds = Bounds { depth: None, preemptions: Some(200) };
        let (outcome, bounded) = visited(&load, &bounded(Shape::DepthFirst, bounds));
        prop_assert!(outcome.reasons.is_empty());
        prop_assert_eq!(states(&visits), states(&bounded));
    }

    #[test]
    fn a_full_frontier_drops_states_and_says_so(seed: u64) {
        let load = Recorded::new(Checked::new(RandomSystem::any(seed)));
        let (all, _) = visited(&load, &settings(Shape::DepthFirst));
        let two = Queueing { ties: Ties::Age, bound: Some(2), adds_depth: false, by_levels: false };
        for shape in [Shape::BreadthFirst(Some(2)), Shape::BestFirst(two)] {
            let (outcome, _) = visited(&load, &settings(shape));
            let missing = outcome.tally.states < all.tally.states;
            prop_assert!(!missing || outcome.reasons.contains(&Reason::Frontier(2)), "{:?}", outcome);
        }
    }
}
