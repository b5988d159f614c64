//! On systems that nobody thought of, every exhaustive search reaches exactly what the oracle does.

mod common;

use common::*;
use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assert_eq, proptest};
use sojourner_model::Checked;
use sojourner_program::{Encode, Load, Reducible};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::oracle::{self, Oracle};
use sojourner_testkit::{RandomSystem, Recorded, ReplayOnly, Undo};

/// The search reaches the same states, end states and kinds of findings, and no finding that is not there.
fn agrees<L: Load<P: Encode + Reducible>>(
    load: L,
    settings: &Settings,
    oracle: &Oracle,
) -> Result<(), TestCaseError> {
    let load = Recorded::new(load);
    let (outcome, visits) = visited(&load, settings);
    prop_assert_eq!(&states(&visits), &oracle.states, "states by {:?}", settings);
    prop_assert_eq!(&end_states(&visits), &oracle.end_states, "end states by {:?}", settings);
    prop_assert!(outcome.reasons.is_empty(), "{:?} by {:?}", outcome.reasons, settings);
    let found = findings(&outcome);
    prop_assert!(found.is_subset(&oracle.findings), "{:?} by {:?}", found, settings);
    prop_assert_eq!(kinds(&found), kinds(&oracle.findings));
    prop_assert_eq!(outcome.tally.states as usize, oracle.count(), "count by {:?}", settings);
    // A search for the fewest switches expands a state once for each thread that may have moved last.
    if settings.strategy.heuristic != Heuristic::Switches {
        prop_assert_eq!(visits.len(), oracle.count(), "each once by {:?}", settings);
        prop_assert_eq!(outcome.tally.transitions, oracle.transitions, "transitions by {:?}", settings);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 50, ..ProptestConfig::default() })]

    #[test]
    fn every_strategy_reaches_what_there_is(seed: u64) {
        let system = RandomSystem::any(seed);
        let oracle = oracle::explore(&Checked::new(system.clone())).unwrap();
        for strategy in exhaustive() {
            let settings = Settings { wanted: Wanted::All, seed, ..Settings::new(strategy) };
            if settings.strategy.heuristic == Heuristic::Switches {
                continue;
            }
            agrees(Checked::new(system.clone()), &settings, &oracle)?;
        }
    }

    #[test]
    fn every_store_and_number_of_workers_does(seed: u64) {
        let system = RandomSystem::any(seed);
        let oracle = oracle::explore(&Checked::new(system.clone())).unwrap();
        for store in STORES {
            for shape in SHARED {
                for workers in [1, 2, 3] {
                    let settings = Settings { store, workers, ..settings(shape) };
                    agrees(Checked::new(system.clone()), &settings, &oracle)?;
                }
            }
        }
    }

    #[test]
    fn going_back_by_a_journal_changes_nothing(seed: u64) {
        let system = RandomSystem::any(seed);
        let oracle = oracle::explore(&Checked::new(system.clone())).unwrap();
        for strategy in exhaustive() {
            if strategy.heuristic != Heuristic::Switches {
                let settings = Settings { wanted: Wanted::All, seed, ..Settings::new(strategy) };
                agrees(Undo::new(Checked::new(system.clone())), &settings, &oracle)?;
            }
        }
        for shape in SHARED {
            agrees(Undo::new(Checked::new(system.clone())), &Settings { workers: 2, ..settings(shape) }, &oracle)?;
        }
    }

    #[test]
    fn without_a_store_every_path_is_followed(seed: u64) {
        let mut shape = RandomSystem::any(seed).shape();
        (shape.cycles, shape.threads, shape.steps) = (false, 2, 3);
        let system = RandomSystem::new(seed, shape);
        let oracle = oracle::explore(&Checked::new(system.clone())).unwrap();
        for shape in SHARED {
            for workers in [1, 2] {
                let settings = Settings { store: StoreKind::None, workers, ..settings(shape) };
                let load = ReplayOnly::new(Recorded::new(Checked::new(system.clone())));
                let outcome = explore_stateless(&load, &settings, &Halt::new(), &Unobserved).unwrap();
                let visits = load.inner().take();
                prop_assert_eq!(&states(&visits), &oracle.states);
                prop_assert_eq!(&end_states(&visits), &oracle.end_states);
                prop_assert_eq!(kinds(&findings(&outcome)), kinds(&oracle.findings));
                prop_assert!(outcome.reasons.is_empty());
            }
        }
    }

    #[test]
    fn breadth_first_finds_by_the_fewest_steps(seed: u64) {
        let system = RandomSystem::any(seed);
        let oracle = oracle::explore(&Checked::new(system.clone())).unwrap();
        let load = Checked::new(system);
        let outcome = run(&load, &Settings::new(Strategy::plain(Shape::BreadthFirst(None))));
        let nearest = oracle.shortest.values().min();
        let found = outcome.found.first().and_then(|found| found.schedule.as_ref()).map(Vec::len);
        prop_assert_eq!(found.as_ref(), nearest);
    }

    #[test]
    fn a_bitstate_search_with_room_visits_everything_and_claims_nothing(seed: u64) {
        let system = RandomSystem::any(seed);
        let oracle = oracle::explore(&Checked::new(system.clone())).unwrap();
        let load = Recorded::new(Checked::new(system));
        // 2^27 bits for some thousand states: an omission is possible, with a probability of some millionths.
        let store = StoreKind::Bitstate { bytes: 1 << 24, hashes: 3 };
        let (outcome, visits) = visited(&load, &Settings { store, ..settings(Shape::DepthFirst) });
        prop_assert_eq!(states(&visits), oracle.states);
        prop_assert!(outcome.reasons.contains(&Reason::Lossy));
    }
}
