//! On programs that nobody thought of, every reduction ends as often, and as badly, as running every schedule does.

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assert_eq, proptest};
use sojourner_model::Checked;
use sojourner_program::{Load, Reducible};
use sojourner_search::*;
use sojourner_store::StoreKind;
use sojourner_testkit::executions::{Executions, Traced, every};
use sojourner_testkit::rounds::{ends, every_but_rounds};
use sojourner_testkit::threads::{Code, RandomThreads, Threaded};
use sojourner_testkit::{RandomSystem, ReplayOnly};

/// Programs with more schedules than that are passed over.
const MOST: usize = 3_000;

fn explored<L: Load<P: Reducible>>(
    load: L,
    mode: Reduction,
    workers: usize,
    quiet: bool,
) -> (Outcome, Executions) {
    explored_within(load, Shape::Dpor(mode), workers, quiet, Bounds::default())
}

fn explored_within<L: Load<P: Reducible>>(
    load: L,
    shape: Shape,
    workers: usize,
    quiet: bool,
    bounds: Bounds,
) -> (Outcome, Executions) {
    // Deadlocks are no reason to stop here, so they are taken down but not told.
    let load = Traced::new(load, quiet);
    let strategy = Strategy::plain(shape);
    let wanted = if quiet { Wanted::First } else { Wanted::All };
    // How much a worker keeps for itself makes no difference to what is run.
    let soft_limit = workers.div_ceil(2);
    let store = StoreKind::None;
    let settings = Settings { wanted, workers, soft_limit, bounds, store, ..Settings::new(strategy) };
    let outcome = explore_stateless(&load, &settings, &Halt::new(), &Unobserved).unwrap();
    (outcome, load.take())
}

/// What is to be asked of the programs.
#[derive(Clone, Copy)]
struct Asked<'a> {
    workers: &'a [usize],
    /// Whether nothing fails, so that no search ends before it has run everything.
    never_fails: bool,
    /// Whether nothing is begun in vain.
    never_in_vain: bool,
}

/// Every mode runs executions of each kind, and none but `classic` and `eager` on several threads runs one twice.
fn agrees<L: Load<P: Reducible>>(open: impl Fn() -> L, asked: Asked<'_>) -> Result<(), TestCaseError> {
    let Some(all) = every(&open(), MOST).unwrap() else { return Ok(()) };
    agrees_with(&all, open, asked)
}

fn agrees_with<L: Load<P: Reducible>>(
    all: &Executions,
    open: impl Fn() -> L,
    asked: Asked<'_>,
) -> Result<(), TestCaseError> {
    for mode in Reduction::ALL {
        for &workers in asked.workers {
            let (outcome, executions) = explored(open(), mode, workers, asked.never_fails);
            prop_assert!(outcome.fault.is_none(), "{:?} by {mode}", outcome.fault);
            prop_assert_eq!(&executions.ends, &all.ends, "ends by {} on {}", mode, workers);
            prop_assert_eq!(&executions.findings, &all.findings, "findings by {} on {}", mode, workers);
            let forms = executions.normal_forms.len();
            prop_assert_eq!(forms, all.normal_forms.len(), "kinds by {} on {}", mode, workers);
            let Tally { executions, redundant_executions, blocked_executions, .. } = outcome.tally;
            prop_assert_eq!(
                (executions - redundant_executions) as usize,
                forms,
                "by {} on {}",
                mode,
                workers
            );
            if matches!(mode, Reduction::Source | Reduction::Optimal) || workers == 1 {
                prop_assert_eq!(redundant_executions, 0, "run twice by {} on {}", mode, workers);
            }
            if mode == Reduction::Optimal && asked.never_in_vain {
                prop_assert_eq!(blocked_executions, 0, "begun in vain by {} on {}", mode, workers);
            }
        }
    }
    Ok(())
}

fn threads_agree(seed: u64, length: usize, fails: bool, workers: &[usize]) -> Result<(), TestCaseError> {
    code_agrees(RandomThreads::new(seed, length, fails), fails, workers)
}

fn code_agrees(code: RandomThreads, fails: bool, workers: &[usize]) -> Result<(), TestCaseError> {
    let never_in_vain = !fails && code.is_exact();
    let asked = Asked { workers, never_fails: !fails, never_in_vain };
    if workers == [1] {
        agrees(|| Threaded::new(code.clone()), asked)
    } else {
        agrees(|| ReplayOnly::new(Threaded::new(code.clone())), asked)
    }
}

/// Threads that have come back to where the program was go no further, and yet every end is come to.
fn rounds_agree(seed: u64, length: usize, workers: &[usize]) -> Result<(), TestCaseError> {
    let code = RandomThreads::retrying(seed, length);
    let open = || Threaded::new(code.clone());
    let Some(all) = every_but_rounds(&open(), 40_000).unwrap() else { return Ok(()) };
    let Some((ends, findings)) = ends(&open(), 40_000).unwrap() else { return Ok(()) };
    prop_assert_eq!(&all.ends, &ends);
    prop_assert_eq!(&all.findings, &findings);
    agrees_with(&all, open, Asked { workers, never_fails: true, never_in_vain: code.is_exact() })
}

/// A system with guards and few schedules.
fn small_system(seed: u64) -> RandomSystem {
    let mut shape = RandomSystem::any(seed).shape();
    (shape.cycles, shape.invariants) = (false, false);
    (shape.threads, shape.steps) = (shape.threads.min(3), shape.steps.min(4));
    RandomSystem::new(seed, shape)
}

/// Within a bound on preemptions, every mode comes to what all schedules within the bound come to.
fn bounded_agree<L: Load<P: Reducible>>(
    open: impl Fn() -> L,
    fails: bool,
    preemptions: u32,
) -> Result<(), TestCaseError> {
    let Some(unbounded) = every(&open(), MOST).unwrap() else { return Ok(()) };
    let bounds = Bounds { preemptions: Some(preemptions), depth: None };
    let (_, all) = explored_within(open(), Shape::DepthFirst, 1, !fails, bounds);
    for mode in Reduction::ALL {
        for workers in [1, 2] {
            let shape = Shape::Dpor(mode);
            let (outcome, executions) = explored_within(open(), shape, workers, !fails, bounds);
            prop_assert!(outcome.fault.is_none(), "{:?} by {mode}", outcome.fault);
            prop_assert_eq!(&executions.ends, &all.ends, "ends by {}", mode);
            prop_assert_eq!(&executions.findings, &all.findings, "findings by {}", mode);
            let forms = (&executions.normal_forms, &all.normal_forms);
            prop_assert_eq!(forms.0, forms.1, "kinds by {}", mode);
            let Tally { executions, redundant_executions, .. } = outcome.tally;
            prop_assert_eq!((executions - redundant_executions) as usize, forms.0.len(), "by {}", mode);
            let everything = *forms.0 == unbounded.normal_forms;
            prop_assert!(everything || !outcome.reasons.is_empty(), "claims everything, by {}", mode);
        }
    }
    Ok(())
}

/// A way that does not depend on a choice is planned behind one outcome. An execution with the other outcome needs it as well.
#[test]
fn a_way_behind_one_outcome_is_not_planned_for_the_other() {
    code_agrees(RandomThreads::sharing(9_003_183_801_469_500_060, 3), false, &[1]).unwrap();
}

/// Programs that have too many schedules for the oracle: `optimal` begins no execution in vain, and runs as many as `source`.
fn large_agree(code: &RandomThreads) -> Result<(), TestCaseError> {
    let run = |mode| {
        let settings = Settings {
            budget: Budget { executions: Some(20_000), ..Budget::default() },
            store: StoreKind::None,
            ..Settings::new(Strategy::plain(Shape::Dpor(mode)))
        };
        explore_stateless(&Threaded::new(code.clone()), &settings, &Halt::new(), &Unobserved).unwrap()
    };
    let (optimal, source) = (run(Reduction::Optimal), run(Reduction::Source));
    prop_assert_eq!(optimal.tally.blocked_executions, 0);
    if optimal.reasons.is_empty() && source.reasons.is_empty() {
        prop_assert_eq!(optimal.tally.executions, source.tally.executions);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn threads(seed: u64, length in 2..5_usize) {
        threads_agree(seed, length, false, &[1])?;
    }

    #[test]
    fn large_programs_begin_nothing_in_vain(seed: u64, length in 3..7_usize) {
        large_agree(&RandomThreads::racing(seed, length))?;
    }

    #[test]
    fn threads_that_fail(seed: u64, length in 2..5_usize) {
        threads_agree(seed, length, true, &[1])?;
    }

    #[test]
    fn threads_that_share_a_lock(seed: u64, length in 3..6_usize) {
        code_agrees(RandomThreads::sharing(seed, length), false, &[1])?;
    }

    #[test]
    fn threads_that_share_a_lock_with_a_preemption_bound(
        seed: u64,
        length in 3..6_usize,
        preemptions in 0..3_u32,
    ) {
        let code = RandomThreads::sharing(seed, length);
        bounded_agree(|| ReplayOnly::new(Threaded::new(code.clone())), false, preemptions)?;
    }

    #[test]
    fn threads_that_take_several_locks_at_once(seed: u64, length in 3..7_usize) {
        code_agrees(RandomThreads::taking_several(seed, length), false, &[1])?;
    }

    #[test]
    fn threads_that_take_several_locks_at_once_on_several_workers(seed: u64, length in 3..6_usize) {
        code_agrees(RandomThreads::taking_several(seed, length), false, &[2, 4])?;
    }

    #[test]
    fn threads_that_take_several_locks_at_once_with_a_preemption_bound(
        seed: u64,
        length in 3..6_usize,
        preemptions in 0..3_u32,
    ) {
        let code = RandomThreads::taking_several(seed, length);
        bounded_agree(|| ReplayOnly::new(Threaded::new(code.clone())), false, preemptions)?;
    }

    #[test]
    fn threads_that_try_again_and_again(seed: u64, length in 2..7_usize) {
        rounds_agree(seed, length, &[1])?;
    }

    #[test]
    fn threads_that_try_again_and_again_on_several_workers(seed: u64, length in 2..6_usize) {
        rounds_agree(seed, length, &[2, 4])?;
    }

    #[test]
    fn threads_on_several_workers(seed: u64, length in 2..4_usize) {
        threads_agree(seed, length, seed % 2 == 0, &[2, 4])?;
    }

    #[test]
    fn threads_with_a_preemption_bound(seed: u64, length in 2..5_usize, preemptions in 0..3_u32) {
        let fails = seed % 3 == 0;
        let code = RandomThreads::new(seed, length, fails);
        bounded_agree(|| ReplayOnly::new(Threaded::new(code.clone())), fails, preemptions)?;
    }

    #[test]
    fn systems_with_a_preemption_bound(seed: u64, preemptions in 0..3_u32) {
        bounded_agree(|| Checked::new(small_system(seed)), true, preemptions)?;
    }

    #[test]
    fn systems_with_guards(seed: u64) {
        let asked = Asked { workers: &[1], never_fails: false, never_in_vain: false };
        agrees(|| Checked::new(small_system(seed)), asked)?;
    }
}
