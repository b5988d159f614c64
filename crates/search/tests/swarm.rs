//! A swarm ends with its first finding or proof, and with nothing less.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, prop_assert_ne, proptest};
use sojourner_model::Checked;
use sojourner_models::Phil;
use sojourner_program::{Kind, Load, Program, Verdict};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::oracle;
use sojourner_testkit::{RandomSystem, ReplayOnly};

fn plan(strategy: Strategy, states: Option<u64>) -> Plan {
    let mut settings = Settings::new(strategy);
    settings.budget.states = states;
    if settings.strategy.shape.samples() {
        settings.bounds.depth = Some(200);
    }
    Plan::once(settings)
}

fn phil(n: u8, fair: bool) -> Checked<Phil> {
    Checked::new(Phil { n, fair })
}

#[test]
fn a_search_out_of_its_budget_does_not_end_the_others() {
    let plans =
        [plan(Strategy::random_dfs(), Some(10)), plan(Strategy::plain(Shape::BreadthFirst(None)), None)];
    for threads in [1, 2] {
        let outcome = swarm(&phil(6, false), &plans, threads, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Found);
        assert_eq!(outcome.winner, Some(1), "{:?}", outcome.members);
        assert_eq!(outcome.members[1].ended, "found");
        // On two threads it may not have come that far.
        assert!(threads == 2 || outcome.members[0].ended == "out of its budget");
    }
}

#[test]
fn swarm_without_budget_left_proves_nothing() {
    let plans = [plan(Strategy::random_dfs(), Some(10)), plan(Strategy::plain(Shape::DepthFirst), Some(20))];
    let outcome = swarm(&phil(6, true), &plans, 2, &Halt::new(), &Unobserved).unwrap();
    assert_eq!((outcome.verdict(), outcome.winner), (Verdict::Incomplete, None));
    assert!(outcome.reasons.contains(&Reason::States(10)) && outcome.reasons.contains(&Reason::States(20)));
    assert_eq!(outcome.tally.states, 30);
}

#[test]
fn auto_finds_and_proves_on_any_number_of_threads() {
    for threads in [1, 2, 4] {
        let base = Settings::new(Strategy::plain(Shape::DepthFirst));
        let plans = auto_plans(&base, threads);
        let outcome = swarm(&phil(7, false), &plans, threads, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Found);
        assert_eq!(outcome.found[0].finding.kind, Kind::Deadlock);
        let outcome = swarm(&phil(7, true), &plans, threads, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Clean);
        assert!(outcome.winner.is_some());
        assert_eq!(outcome.members.len(), plans.len());
    }
}

#[test]
fn auto_ends_when_every_search_has_spent_its_states() {
    for threads in [1, 2] {
        let budget = Budget { states: Some(50), ..Budget::default() };
        let base = Settings { budget, ..Settings::new(Strategy::plain(Shape::DepthFirst)) };
        let plans = auto_plans(&base, threads);
        let outcome = swarm(&phil(9, true), &plans, threads, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Incomplete);
        assert!(outcome.reasons.contains(&Reason::States(50)), "{:?}", outcome.reasons);
        assert!(outcome.tally.states < 100 * plans.len() as u64, "{:?}", outcome.tally);
    }
}

#[test]
fn auto_on_one_thread_is_a_function_of_its_seed() {
    let run = |seed| {
        let budget = Budget { states: Some(20_000), ..Budget::default() };
        let base = Settings { budget, seed, ..Settings::new(Strategy::plain(Shape::DepthFirst)) };
        let plans = auto_plans(&base, 1);
        let outcome = swarm(&phil(11, true), &plans, 1, &Halt::new(), &Unobserved).unwrap();
        outcome.members.into_iter().map(|member| (member.name, member.tally)).collect::<Vec<_>>()
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}

#[test]
fn search_that_widens_allows_one_preemption_more_in_each_round() {
    let settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    let plan = Plan { restarts: Some(Budget::default()), widens: true, ..Plan::once(settings) };
    // One philosopher is interrupted with a fork in its hand. The others come to wait for forks.
    for n in 2..=4 {
        let plans = std::slice::from_ref(&plan);
        let outcome = swarm(&phil(n, false), plans, 1, &Halt::new(), &Unobserved).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Found);
        assert_eq!(outcome.members[0].ended, "found in round 2");
    }
}

#[test]
fn many_threads_have_a_search_each() {
    let base = Settings::new(Strategy::plain(Shape::DepthFirst));
    for threads in [1, 2, 8, 64] {
        let plans = auto_plans(&base, threads);
        let alone: usize = plans.iter().filter(|plan| plan.alone).map(|plan| plan.settings.workers).sum();
        assert!(alone + plans.len() > threads, "{threads}: {alone} and {}", plans.len());
        let seeds: std::collections::BTreeSet<u64> = plans.iter().map(|plan| plan.settings.seed).collect();
        assert_eq!(seeds.len(), plans.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 20, ..ProptestConfig::default() })]

    /// Whatever searches take part, the verdict is what the oracle says.
    #[test]
    fn the_verdict_of_auto_is_true(seed: u64, threads in 1usize..4) {
        let load = Checked::new(RandomSystem::any(seed));
        let oracle = oracle::explore(&load).unwrap();
        let plans = auto_plans(&Settings { seed, ..Settings::new(Strategy::plain(Shape::DepthFirst)) }, threads);
        let outcome = swarm(&load, &plans, threads, &Halt::new(), &Unobserved).unwrap();
        let goals = load.open().unwrap().goals();
        let holds = oracle.findings.is_empty() && goals.len() == oracle.goals.len();
        prop_assert_eq!(outcome.verdict(), if holds { Verdict::Clean } else { Verdict::Found });
        for found in &outcome.found {
            let Some(schedule) = &found.schedule else {
                let goal = found.finding.type_name.as_ref().unwrap();
                prop_assert!(goals.contains(goal) && !oracle.goals.contains(goal));
                continue;
            };
            prop_assert!(oracle.findings.contains(&(found.finding.kind, found.finding.message.clone())));
            let replayed = replay(&load, schedule).unwrap();
            prop_assert!(replayed.finding.unwrap().same_defect(&found.finding));
        }
        for (member, plan) in outcome.members.iter().zip(&plans) {
            prop_assert!(!member.ended.contains("everything") || !plan.settings.strategy.shape.samples());
        }
    }

    #[test]
    fn a_stateless_swarm_samples_and_never_proves(seed: u64) {
        let load = ReplayOnly::new(Checked::new(RandomSystem::any(seed)));
        let sampler = |shape, seed| {
            let mut plan = plan(Strategy::plain(shape), None);
            plan.settings.store = StoreKind::None;
            plan.settings.seed = seed;
            plan.settings.budget.executions = Some(10);
            plan
        };
        let plans = [sampler(Shape::Pct(Some(3)), seed), sampler(Shape::Pos, seed), sampler(Shape::Walk, seed)];
        let outcome = swarm_stateless(&load, &plans, 2, &Halt::new(), &Unobserved).unwrap();
        prop_assert_ne!(outcome.verdict(), Verdict::Clean);
    }
}
