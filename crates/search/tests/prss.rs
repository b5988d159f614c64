//! Searches side by side that know nothing of each other: each does what it would do alone, and the winner is who it should be.

mod common;

use common::run;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sojourner_model::Checked;
use sojourner_models::Phil;
use sojourner_program::{Kind, Load, Program, Random, Schedule, Verdict};
use sojourner_search::*;
use sojourner_testkit::{RandomSystem, Restarting, oracle};

fn phil(n: u8, fair: bool) -> Checked<Phil> {
    Checked::new(Phil { n, fair })
}

/// Randomised searches with seeds drawn from one.
fn searches(n: usize, seed: u64, strategy: &Strategy) -> Vec<Settings> {
    let mut seeds = Random::new(seed);
    (0..n).map(|_| Settings { seed: seeds.bits(), ..Settings::new(strategy.clone()) }).collect()
}

fn swarm_of(searches: Vec<Settings>, winner: Winner, threads: usize) -> Prss {
    Prss { searches, winner, threads }
}

/// What is the same on any number of threads: the winner, its schedule, and what each search did.
type Essence = (Option<usize>, Option<Schedule>, Vec<(u64, Tally, String)>);

fn essence(outcome: &Outcome) -> Essence {
    let schedule = outcome.found.first().and_then(|found| found.schedule.clone());
    let members = outcome.members.iter().map(|member| (member.seed, member.tally, member.ended.clone()));
    (outcome.winner, schedule, members.collect())
}

#[test]
fn by_states_any_number_of_threads_gives_the_same() {
    let backtracking =
        Strategy { backtrack: Some("threshold=auto".parse().unwrap()), ..Strategy::plain(Shape::DepthFirst) };
    let guided = Strategy::plain(Shape::best_first(Ties::Random));
    for strategy in [Strategy::random_dfs(), backtracking, guided, Strategy::plain(Shape::Pos)] {
        let mut searches = searches(6, 3, &strategy);
        for settings in &mut searches {
            settings.budget.executions = strategy.shape.samples().then_some(50);
        }
        let of = |threads| {
            let swarm = swarm_of(searches.clone(), Winner::States, threads);
            essence(&swarm.run(&phil(8, false), &Halt::new(), &Unobserved).unwrap())
        };
        let one = of(1);
        assert!(one.1.is_some(), "{strategy}: {one:?}");
        assert_eq!((&of(2), &of(3), &of(8)), (&one, &one, &one), "{strategy}");
    }
}

#[test]
fn by_states_the_search_wins_that_needs_the_fewest_alone() {
    for seed in 0..8 {
        let searches = searches(7, seed, &Strategy::random_dfs());
        let alone: Vec<Outcome> = searches.iter().map(|settings| run(&phil(7, false), settings)).collect();
        let fewest = alone.iter().enumerate().min_by_key(|(index, outcome)| (outcome.tally.states, *index));
        let (best, of_best) = fewest.unwrap();
        let swarm = swarm_of(searches, Winner::States, 2);
        let outcome = swarm.run(&phil(7, false), &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.winner, Some(best));
        assert_eq!(outcome.found[0].schedule, of_best.found[0].schedule);
        let most = of_best.tally.states;
        for (member, alone) in outcome.members.iter().zip(&alone) {
            match member.ended.as_str() {
                "found" | "found too" => assert_eq!(member.tally, alone.tally),
                // It was stopped at the next level.
                _ => assert!(most <= member.tally.states && member.tally.states <= (3 * most / 2).max(64)),
            }
        }
    }
}

#[test]
fn of_equal_searches_the_first_wins() {
    let mut equal = searches(4, 9, &Strategy::random_dfs());
    let seed = equal[2].seed;
    equal.iter_mut().for_each(|settings| settings.seed = seed);
    let outcome = swarm_of(equal, Winner::States, 4).run(&phil(6, false), &Halt::new(), &Unobserved).unwrap();
    assert_eq!(outcome.winner, Some(0));
    assert!(outcome.members[1..].iter().all(|member| member.ended == "found too"));
}

#[test]
fn by_time_the_winner_does_the_same_alone() {
    for threads in [1, 2, 5] {
        let searches = searches(5, threads as u64, &Strategy::random_dfs());
        let swarm = swarm_of(searches.clone(), Winner::Time, threads);
        let outcome = swarm.run(&phil(9, false), &Halt::new(), &Unobserved).unwrap();
        let winner = outcome.winner.expect("one of them finds it");
        let alone = run(&phil(9, false), &searches[winner]);
        assert_eq!(outcome.members[winner].tally, alone.tally);
        assert_eq!(outcome.found[0].schedule, alone.found[0].schedule);
        assert_eq!(outcome.members.len(), 5);
    }
}

#[test]
fn a_search_out_of_its_budget_ends_no_other() {
    for winner in [Winner::Time, Winner::States] {
        let mut searches = searches(3, 1, &Strategy::random_dfs());
        searches[0].budget.states = Some(3);
        searches[1].strategy = Strategy::plain(Shape::BreadthFirst(None));
        let outcome = swarm_of(searches, winner, 2).run(&phil(6, false), &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Found);
        assert_eq!(outcome.found[0].finding.kind, Kind::Deadlock);
        // By time, it may not have begun when another one is first.
        let (states, ended) = (outcome.members[0].tally.states, outcome.members[0].ended.as_str());
        assert!(winner == Winner::Time || (states, ended) == (3, "out of its budget"), "{states}, {ended}");
    }
}

#[test]
fn nothing_is_proven_when_all_are_out_of_their_budgets() {
    for winner in [Winner::Time, Winner::States] {
        let mut searches = searches(2, 1, &Strategy::random_dfs());
        (searches[0].budget.states, searches[1].budget.states) = (Some(10), Some(20));
        let outcome = swarm_of(searches, winner, 2).run(&phil(6, true), &Halt::new(), &Unobserved).unwrap();
        assert_eq!((outcome.verdict(), outcome.winner), (Verdict::Incomplete, None));
        assert_eq!(outcome.reasons, [Reason::States(10), Reason::States(20)]);
        assert_eq!(outcome.tally.states, 30);
    }
}

#[test]
fn a_search_that_has_explored_everything_is_a_proof() {
    for winner in [Winner::Time, Winner::States] {
        let searches = searches(3, 1, &Strategy::random_dfs());
        let outcome = swarm_of(searches, winner, 2).run(&phil(5, true), &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Clean);
        let winner = &outcome.members[outcome.winner.unwrap()];
        assert_eq!((winner.ended.as_str(), winner.tally.states), ("explored everything", 243));
    }
}

#[test]
fn a_search_begins_again_without_the_others() {
    for winner in [Winner::Time, Winner::States] {
        let load = Restarting::new(phil(6, false), 2);
        let searches = searches(3, 5, &Strategy::random_dfs());
        let outcome = swarm_of(searches, winner, 2).run(&load, &Halt::new(), &Unobserved).unwrap();
        assert_eq!((outcome.verdict(), outcome.found[0].finding.kind), (Verdict::Found, Kind::Deadlock));
        assert!(outcome.fault.is_none());
    }
}

#[test]
fn an_interrupt_ends_all_of_them() {
    let halt = Halt::new();
    halt.interrupt();
    for winner in [Winner::Time, Winner::States] {
        let searches = searches(3, 5, &Strategy::random_dfs());
        let outcome = swarm_of(searches, winner, 1).run(&phil(12, true), &halt, &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Incomplete);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 20, ..ProptestConfig::default() })]

    /// Whatever the program, the verdict is what the oracle says, and the same on any number of threads.
    #[test]
    fn the_verdict_is_true(system: u64, seed: u64) {
        let load = Checked::new(RandomSystem::any(system));
        let oracle = oracle::explore(&load).unwrap();
        let goals = load.open().unwrap().goals();
        let holds = oracle.findings.is_empty() && goals.len() == oracle.goals.len();
        let of = |winner, threads| {
            let swarm = swarm_of(searches(4, seed, &Strategy::random_dfs()), winner, threads);
            swarm.run(&load, &Halt::new(), &Unobserved).unwrap()
        };
        for winner in [Winner::Time, Winner::States] {
            prop_assert_eq!(of(winner, 2).verdict(), if holds { Verdict::Clean } else { Verdict::Found });
        }
        let outcome = of(Winner::States, 1);
        prop_assert_eq!(essence(&outcome), essence(&of(Winner::States, 3)));
        for found in outcome.found.iter().filter(|found| found.schedule.is_some()) {
            prop_assert!(oracle.findings.contains(&(found.finding.kind, found.finding.message.clone())));
        }
    }
}
