//! A seed replays a run; randomised backtracking is depth-first search where it should be; samples say what they are.

mod common;

use common::*;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sojourner_model::Checked;
use sojourner_program::Load;
use sojourner_search::*;
use sojourner_testkit::{RandomSystem, Recorded, ReplayOnly, Undo};

fn limited(strategy: Strategy, seed: u64) -> Settings {
    let mut settings = Settings { seed, wanted: Wanted::All, ..Settings::new(strategy) };
    settings.budget.executions = Some(20);
    if settings.strategy.shape.samples() {
        settings.bounds.depth = Some(50);
    }
    settings
}

fn dfs_with(backtrack: &str) -> Strategy {
    Strategy { backtrack: Some(backtrack.parse().unwrap()), ..Strategy::plain(Shape::DepthFirst) }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 50, ..ProptestConfig::default() })]

    #[test]
    fn a_seed_replays_a_run(system: u64, seed: u64) {
        let load = Recorded::new(Checked::new(RandomSystem::any(system)));
        for strategy in randomised() {
            let settings = limited(strategy, seed);
            let (first, first_visits) = visited(&load, &settings);
            let (again, again_visits) = visited(&load, &settings);
            prop_assert_eq!(first_visits, again_visits, "by {}", settings.strategy);
            prop_assert_eq!(first.tally, again.tally);
            let schedules = |outcome: &Outcome| outcome.found.iter().map(|f| f.schedule.clone()).collect::<Vec<_>>();
            prop_assert_eq!(schedules(&first), schedules(&again));
        }
    }

    #[test]
    fn a_seed_means_the_same_however_a_program_goes_back(system: u64, seed: u64) {
        let system = RandomSystem::any(system);
        let (plain, undo) = (Recorded::new(Checked::new(system.clone())), Undo::new(Checked::new(system.clone())));
        let undo = Recorded::new(undo);
        let replay = ReplayOnly::new(Recorded::new(Checked::new(system)));
        for strategy in randomised() {
            let settings = limited(strategy, seed);
            let (_, expected) = visited(&plain, &settings);
            prop_assert_eq!(&visited(&undo, &settings).1, &expected, "by {}", &settings.strategy);
            if settings.strategy.shape.samples() {
                explore_stateless(&replay, &settings, &Halt::new(), &Unobserved).unwrap();
                prop_assert_eq!(&replay.inner().take(), &expected, "by {}", &settings.strategy);
            }
        }
    }

    #[test]
    fn backtracking_equals_depth_first_search_where_it_never_turns_back_early(system: u64, seed: u64) {
        let load = Recorded::new(Checked::new(RandomSystem::any(system)));
        let (dfs, expected) = visited(&load, &settings(Shape::DepthFirst));
        let beyond = dfs.tally.max_depth + 1;
        for how in [
            "threshold=0,strategy=fixed,ratio=1".to_string(),
            format!("threshold={beyond},strategy=fixed,ratio=0"),
            format!("threshold={beyond},strategy=random,ratio=0.5"),
            format!("threshold={beyond},strategy=luby,ratio=1-d/2"),
        ] {
            let (outcome, visits) = visited(&load, &Settings { seed, ..settings_of(dfs_with(&how)) });
            prop_assert_eq!(&visits, &expected, "with {}", how);
            prop_assert!(outcome.reasons.is_empty(), "with {}", how);
            prop_assert_eq!(outcome.tally, dfs.tally);
        }
    }

    #[test]
    fn backtracking_that_left_something_out_is_not_complete(system: u64, seed: u64) {
        let load = Recorded::new(Checked::new(RandomSystem::any(system)));
        let (_, all) = visited(&load, &settings(Shape::DepthFirst));
        for how in ["threshold=1,strategy=random,ratio=0.8", "threshold=0,strategy=luby,ratio=0.9"] {
            let (outcome, visits) = visited(&load, &Settings { seed, ..settings_of(dfs_with(how)) });
            prop_assert!(visits.len() == all.len() || outcome.reasons == [Reason::Randomised]);
        }
    }

    #[test]
    fn samples_are_never_a_proof(system: u64, seed: u64) {
        let load = Checked::new(RandomSystem::any(system));
        for shape in [Shape::Walk, Shape::Pct(Some(1)), Shape::Pct(Some(4)), Shape::Pos, Shape::Surw { all: true }] {
            let outcome = run(&load, &limited(Strategy::plain(shape), seed));
            prop_assert!(outcome.reasons.contains(&Reason::Randomised));
            prop_assert_eq!(outcome.tally.runs, 20);
        }
    }

    #[test]
    fn shortened_trace_replays_the_same_finding(system: u64, seed: u64) {
        let load = Checked::new(RandomSystem::any(system));
        for strategy in randomised().into_iter().chain(exhaustive()) {
            let outcome = run(&load, &limited(strategy, seed));
            for Found { finding, schedule, .. } in outcome.found {
                // What is never reached has no schedule.
                let Some(schedule) = schedule else { continue };
                let replayed = replay(&load, &schedule).unwrap();
                prop_assert!(replayed.finding.as_ref().is_some_and(|again| again.same_defect(&finding)));
                prop_assert_eq!(replayed.events.len(), schedule.len());
                let effort = Effort { steps: 5_000, states: 2_000, ..Effort::default() };
                let short = shorten(&load, &schedule, &finding, effort, &Halt::new()).unwrap();
                let size = |schedule: &[_]| (context_switches(schedule), schedule.len());
                prop_assert!(size(&short) <= size(&schedule));
                let again = replay(&load, &short).unwrap();
                prop_assert!(again.finding.is_some_and(|again| again.same_defect(&finding)));
                prop_assert_eq!(again.events.len(), short.len());
            }
        }
    }
}

fn settings_of(strategy: Strategy) -> Settings {
    Settings { wanted: Wanted::All, ..Settings::new(strategy) }
}

#[test]
fn schedules_fit_every_program_of_a_load() {
    let load = Checked::new(RandomSystem::any(1));
    let (mut a, mut b) = (load.open().unwrap(), load.open().unwrap());
    let (mut choices, mut others) = (Vec::new(), Vec::new());
    sojourner_program::Program::choices(&mut a, &mut choices);
    sojourner_program::Program::choices(&mut b, &mut others);
    assert_eq!(choices, others);
}
