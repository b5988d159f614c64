//! The number of inequivalent executions of programs from the literature: what a reduction runs, no more and no less.

mod common;

use common::{brute, compiled};
use sojourner_native::{Exploration, NativeProgram, Races, Signal};
use sojourner_program::{Fault, Kind, Load, Reducible};
use sojourner_search::{
    Endless, Halt, Outcome, Reduction, Settings, Shape, Strategy, Tally, Unobserved, Wanted,
    explore_fingerprints, explore_stateless,
};
use sojourner_store::StoreKind;
use sojourner_testkit::executions::{Traced, every};
use sojourner_testkit::rounds::changes_differ;

/// What comes of exploring a program with a reduction.
fn reduced(subject: &NativeProgram, reduction: Reduction) -> Outcome {
    reduced_for(subject, reduction, Wanted::All)
}

fn reduced_for(subject: &NativeProgram, reduction: Reduction, wanted: Wanted) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
    settings.store = StoreKind::None;
    settings.wanted = wanted;
    explore_stateless(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit")
}

/// A program of the examples with a known number of executions.
struct Expected(&'static str, &'static str, Signal, u64);

const KNOWN: [Expected; 15] = [
    Expected("/lock3.c", "", Signal::Any, 6),
    Expected("/lost_trace.c", "", Signal::Any, 4),
    Expected("/counter.c", "", Signal::Any, 1_680),
    Expected("/indexer.c", "", Signal::Any, 8),
    Expected("/indexer.c", "-DTHREADS=13", Signal::Any, 64),
    Expected("/indexer.c", "-DTHREADS=14", Signal::Any, 512),
    Expected("/indexer.c", "-DTHREADS=15", Signal::Any, 4_096),
    Expected("/fsbench.c", "", Signal::Any, 8_192),
    Expected("/readers.c", "", Signal::Any, 256),
    Expected("/lastzero.c", "", Signal::Any, 64),
    Expected("/lastzero.c", "-DN=10", Signal::Any, 3_328),
    Expected("/bbuf.c", "", Signal::Fifo, 48),
    Expected("/bbuf.c", "", Signal::Any, 60),
    Expected("/bbuf.c", "-DPRODUCERS=3 -DCONSUMERS=3", Signal::Fifo, 5_076),
    Expected("/bbuf.c", "-DPRODUCERS=3 -DCONSUMERS=3", Signal::Any, 10_584),
];

impl Expected {
    /// Explores it with as many workers as that, and holds the numbers against what is known.
    fn holds(&self, reduction: Reduction, workers: usize) {
        let &Expected(name, flags, signal, expected) = self;
        let program = compiled(name, flags);
        let exploration = Exploration { signal, races: Races::Off, ..Exploration::default() };
        let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
        (settings.store, settings.workers) = (StoreKind::None, workers);
        let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
        let outcome =
            explore_stateless(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        let what = format!("{name} {flags} {signal:?} {reduction} on {workers}");
        assert!(outcome.fault.is_none(), "{what}: {:?}", outcome.fault);
        assert_eq!(outcome.tally.executions, expected, "{what}");
        if reduction == Reduction::Optimal {
            assert_eq!(outcome.tally.blocked_executions, 0, "{what}");
        }
    }
}

#[test]
fn of_programs_with_known_numbers_that_many_executions_are_run() {
    for known in KNOWN {
        known.holds(Reduction::Optimal, 1);
        if known.3 < 6_000 {
            known.holds(Reduction::Source, 1);
        }
    }
}

#[test]
fn several_workers_run_as_many_executions_as_one() {
    for known in KNOWN.iter().filter(|known| known.3 < 6_000) {
        known.holds(Reduction::Optimal, 2);
    }
    for known in KNOWN.iter().filter(|known| known.3 < 600) {
        for reduction in [Reduction::Source, Reduction::Optimal] {
            known.holds(reduction, 4);
        }
    }
}

#[test]
fn examples_with_many_executions_are_proven() {
    for (name, flags, expected) in [
        ("/carter.c", "", None),
        ("/barber.c", "", None),
        ("/barber.c", "-DBROKEN", Some(Kind::Deadlock)),
        ("/seqlock.c", "", None),
        ("/work_stealing.c", "-DITEMS=3", None),
        ("/../rust/counter.rs", "", None),
        ("/../rust/counter.rs", "--cfg broken", Some(Kind::Panic)),
        ("/../rust/lazy_config.rs", "", Some(Kind::Panic)),
        ("/../rust/lazy_config.rs", "--cfg fixed", None),
        ("/../rust/transfer.rs", "", Some(Kind::Deadlock)),
        ("/../rust/transfer.rs", "--cfg fixed", None),
        ("/thread_pool.cpp", "-std=c++17", None),
        ("/thread_pool.cpp", "-std=c++17 -DBROKEN", Some(Kind::Deadlock)),
        ("/phases.cpp", "-std=c++20", None),
        ("/phases.cpp", "-std=c++20 -DBROKEN", Some(Kind::Assertion)),
    ] {
        let program = compiled(name, flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let mut settings = Settings::new(Strategy::plain(Shape::Dpor(Reduction::Optimal)));
        settings.store = StoreKind::None;
        let outcome =
            explore_stateless(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        assert!(outcome.fault.is_none(), "{name} {flags}: {:?}", outcome.fault);
        let found: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
        assert_eq!(found, Vec::from_iter(expected), "{name} {flags}");
        if expected.is_none() {
            let warnings = subject.warnings();
            assert!(warnings.is_empty(), "{name} {flags}: {warnings:?}");
        }
    }
}

#[test]
fn waiting_adds_no_executions() {
    // Two additions of three threads each come in 90 orders; one of three comes first where something is made once.
    for (flags, expected) in [("-DLOOKS", 90), ("-DONCE", 3 * 90)] {
        let program = compiled("together.c", flags);
        let subject = || NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        for reduction in [Reduction::Source, Reduction::Optimal] {
            let outcome = reduced(&subject(), reduction);
            assert!(outcome.fault.is_none() && outcome.found.is_empty(), "{flags}: {outcome:?}");
            assert_eq!(outcome.tally.executions, expected, "{flags} {reduction}");
            assert!(reduction == Reduction::Source || outcome.tally.blocked_executions == 0, "{flags}");
            assert_eq!(outcome.tally.cut_executions > 0, flags == "-DLOOKS", "{flags}");
        }
    }
}

#[test]
fn readers_who_share_a_lock_come_in_no_order() {
    // Writers come in any order, and each reader before, between or behind them. Readers who meet are before or behind the writer.
    for (flags, expected) in [
        ("-DREADERS=4 -DWRITERS=0", 1),
        ("-DREADERS=5 -DWRITERS=1", 32),
        ("-DREADERS=3 -DWRITERS=2", 2 * 27),
        ("-DREADERS=2 -DWRITERS=3", 6 * 16),
        ("-DREADERS=2 -DWRITERS=1 -DPREFERS -D_GNU_SOURCE", 4),
        ("-DREADERS=3 -DWRITERS=2 -DPREFERS -D_GNU_SOURCE", 2 * 27),
        ("-DREADERS=2 -DWRITERS=1 -DMEET", 2),
        ("-DREADERS=2 -DWRITERS=2 -DMEET", 2 * 3),
    ] {
        let program = compiled("sharing.c", flags);
        let subject = || NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        for reduction in Reduction::ALL {
            let outcome = reduced_for(&subject(), reduction, Wanted::First);
            assert!(outcome.fault.is_none() && outcome.found.is_empty(), "{flags}: {outcome:?}");
            assert_eq!(outcome.tally.executions, expected, "{flags} {reduction}");
            assert!(reduction != Reduction::Optimal || outcome.tally.blocked_executions == 0, "{flags}");
        }
    }
}

/// Every mode runs every execution of a program that there is, each once, `optimal` begins none in vain, and nothing has to be
/// begun again. How many there are, and whether some are deadlocks.
fn every_mode_runs_all(name: &str, flags: &str) -> (usize, bool) {
    let program = compiled(name, flags);
    let exploration = Exploration { races: Races::Off, ..Exploration::default() };
    let subject = || NativeProgram::new(&program.executable, Vec::new(), exploration.clone());
    let all = every(&subject(), 50_000).unwrap().expect("it has few executions");
    let expected = all.normal_forms.len();
    let mut deadlocks = false;
    for (reduction, workers) in Reduction::ALL.into_iter().flat_map(|mode| [(mode, 1), (mode, 2)]) {
        let traced = Traced::new(subject(), false);
        let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
        (settings.store, settings.workers) = (StoreKind::None, workers);
        let outcome =
            explore_stateless(&traced, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        let what = format!("{name} {flags} {reduction} on {workers}");
        assert!(outcome.fault.is_none(), "{what}: {:?}", outcome.fault);
        deadlocks = outcome.found.iter().any(|found| found.finding.kind == Kind::Deadlock);
        assert!(deadlocks || outcome.found.is_empty(), "{what}: {:?}", outcome.found);
        if deadlocks {
            // The search ends with the first one.
            continue;
        }
        assert_eq!(outcome.restarts, 0, "{what}");
        let Tally { executions, blocked_executions, redundant_executions, .. } = outcome.tally;
        assert_eq!((executions - redundant_executions) as usize, expected, "{what}");
        assert_eq!(traced.take().normal_forms.len(), expected, "{what}");
        assert!(reduction != Reduction::Optimal || blocked_executions + redundant_executions == 0, "{what}");
    }
    (expected, deadlocks)
}

#[test]
fn several_locks_are_taken_in_one_step() {
    // Two who want the same come in two orders, and so does each with who wants a part of it.
    for (case, expected) in [(1, 6), (2, 6), (3, 6), (4, 3), (5, 6), (6, 6)] {
        let flags = format!("-std=c++17 -DCASE={case}");
        assert_eq!(every_mode_runs_all("takes_several.cpp", &flags), (expected, false), "{case}");
    }
}

#[test]
fn counts_with_locks_held_early_or_never_available() {
    for (case, expected) in [(1, 6), (2, 6), (3, 6), (4, 10), (5, 7), (6, 12)] {
        let flags = format!("-DCASE={case}");
        assert_eq!(every_mode_runs_all("locked_before.c", &flags), (expected, false), "{case}");
    }
}

#[test]
fn several_locks_that_cannot_be_had_in_one_step() {
    for (case, expected) in [(7, &[Kind::Deadlock][..]), (8, &[])] {
        let program = compiled("takes_several.cpp", &format!("-std=c++17 -DCASE={case}"));
        for reduction in Reduction::ALL {
            let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
            let outcome = reduced_for(&subject, reduction, Wanted::First);
            assert!(outcome.fault.is_none(), "{case} {reduction}: {:?}", outcome.fault);
            let found: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
            assert_eq!(found, expected, "{case} {reduction}");
        }
    }
}

#[test]
fn a_writer_comes_before_readers_who_meet_without_a_preemption() {
    let program = compiled("sharing.c", "-DMEET -DSTATUS");
    for reduction in Reduction::ALL {
        let exploration = Exploration { exit: true, ..Exploration::default() };
        let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
        let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
        (settings.store, settings.bounds.preemptions) = (StoreKind::None, Some(0));
        let outcome =
            explore_stateless(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        let found: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
        assert_eq!(found, [Kind::Exit], "{reduction}: {outcome:?}");
    }
}

#[test]
fn threads_that_go_round_together_come_to_an_end() {
    for (flags, nth) in ["", "-DSLEEPS"].into_iter().flat_map(|flags| (0..18).map(move |nth| (flags, nth))) {
        let program = compiled("back_off.c", flags);
        let (one, other, winner) = (nth / 6, nth / 2 % 3, nth % 2);
        let arguments = [one, other, winner].map(|number| number.to_string()).to_vec();
        // Whoever has failed was kept from it by the other one, which then had both locks first, or failed, too.
        let possible = if winner == 0 { one == 0 || other > 0 } else { other == 0 || one > 0 };
        for reduction in [Reduction::Classic, Reduction::Eager, Reduction::Source, Reduction::Optimal] {
            let subject = NativeProgram::new(&program.executable, arguments.clone(), Exploration::default());
            let outcome = reduced_for(&subject, reduction, Wanted::First);
            assert!(outcome.fault.is_none(), "{arguments:?} {reduction}: {:?}", outcome.fault);
            assert_eq!(outcome.found.len(), usize::from(possible), "{arguments:?} {reduction}");
            assert!(possible || outcome.tally.cut_executions > 0, "{arguments:?} {reduction}");
            assert!(possible || subject.goes_round(), "{arguments:?} {reduction}");
        }
    }
    let assertion = Some(Kind::Assertion);
    for (name, flags, expected) in [
        ("flags.c", "", None),
        ("flags.c", "-DBROKEN", assertion),
        ("back_off.c", "-DSLEEPS -DGIVES_UP", assertion),
        ("rounds_outside.c", "", assertion),
        ("rounds_outside.c", "-DPRINTS", None),
        ("kept_out.c", "", Some(Kind::Deadlock)),
    ] {
        let program = compiled(name, flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let outcome = reduced_for(&subject, Reduction::Optimal, Wanted::First);
        assert!(outcome.fault.is_none(), "{flags}: {:?}", outcome.fault);
        let found: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
        assert_eq!(found, Vec::from_iter(expected), "{name} {flags}");
    }
}

#[test]
fn threads_that_loop_together_are_explored_once() {
    for (name, flags) in [
        ("back_off.c", ""),
        ("back_off.c", "-DSLEEPS"),
        ("transfers.c", ""),
        ("flags.c", ""),
        ("polling.c", ""),
        ("waiting.c", "-DCASE=1"),
        ("waiting.c", "-DCASE=2"),
        ("rounds.c", "-DLEAVES -DSEEN"),
        ("rounds_outside.c", "-DPRINTS"),
    ] {
        let program = compiled(name, flags);
        let mut numbers = Vec::new();
        for (reduction, workers) in [
            (Reduction::Source, 1),
            (Reduction::Optimal, 1),
            (Reduction::Optimal, 2),
            (Reduction::Optimal, 4),
        ] {
            let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
            let traced = Traced::new(subject, false);
            let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
            (settings.store, settings.workers) = (StoreKind::None, workers);
            let outcome =
                explore_stateless(&traced, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
            let what = format!("{name} {flags} {reduction} on {workers}");
            assert!(outcome.fault.is_none() && outcome.found.is_empty(), "{what}: {outcome:?}");
            let Tally { executions, blocked_executions, cut_executions, .. } = outcome.tally;
            assert!(
                reduction == Reduction::Source || blocked_executions == 0,
                "{what}: {blocked_executions}"
            );
            numbers.push((executions, cut_executions));
        }
        assert!(numbers.windows(2).all(|two| two[0] == two[1]), "{name} {flags}: {numbers:?}");
    }
}

#[test]
fn change_of_step_is_independent_of_concurrent_steps() {
    for (name, flags) in [
        ("back_off.c", ""),
        ("flags.c", ""),
        ("polling.c", ""),
        ("waiting.c", "-DCASE=1"),
        ("sharing.c", "-DREADERS=3 -DWRITERS=1"),
        ("timed_wait.c", ""),
        ("/bbuf.c", ""),
        ("/barber.c", ""),
        ("/treiber.c", ""),
        ("/thread_pool.cpp", "-std=c++17"),
        ("/phases.cpp", "-std=c++20"),
    ] {
        let program = compiled(name, flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        subject.learn(&["rounds".into()]);
        let two = loop {
            let mut program = subject.open().expect("it opens");
            program.prepare_reduction(false).expect("it is prepared");
            match changes_differ(&mut program, 200, 80) {
                Err(Fault::Again { .. }) => continue,
                two => break two.unwrap_or_else(|fault| panic!("{name} {flags}: {fault}")),
            }
        };
        assert_eq!(two, None, "{name} {flags}");
    }
}

#[test]
fn reductions_find_what_is_found_without_any() {
    for (name, flags) in [
        ("/counter.c", "-DTHREADS=2 -DROUNDS=1 -DBROKEN"),
        ("/philosophers.c", "-DN=2 -DBROKEN"),
        ("/account.c", "-DBROKEN"),
        ("/account.c", ""),
        ("/reorder.c", "-DBROKEN"),
        ("/twostage.c", "-DBROKEN"),
        ("/wronglock.c", "-DBROKEN"),
        ("/treiber.c", "-DBROKEN"),
        ("/circular_buffer.c", "-DBROKEN -DITEMS=1"),
        ("/string_buffer.c", "-DBROKEN"),
        ("/work_stealing.c", "-DBROKEN"),
        ("/seqlock.c", "-DREADERS=1 -DBROKEN"),
        ("/lost_trace.c", "-DBROKEN"),
        ("/carter.c", "-DBROKEN"),
        ("/barber.c", "-DCUSTOMERS=1 -DBROKEN"),
        ("semaphore.c", ""),
        ("semaphore.c", "-DBROKEN"),
        ("rwlock.c", ""),
        ("rwlock.c", "-DBROKEN"),
        ("barrier.c", ""),
        ("spin.c", ""),
        ("spin.c", "-DBROKEN"),
        ("bounded_spin.c", ""),
        ("polling.c", ""),
        ("looks.c", "-DCASE=1"),
        ("looks.c", "-DCASE=2"),
        ("looks.c", "-DCASE=3"),
        ("looks.c", "-DCASE=4"),
        ("use_after_free.c", "-DBROKEN"),
        ("freed_meanwhile.c", "-DBROKEN"),
        ("freed_meanwhile.c", ""),
        ("dead_stack.c", "-DBROKEN"),
        ("dead_stack.c", ""),
        ("spin_lock.c", "-DBROKEN"),
        ("spin_lock.c", ""),
        ("made_once.c", "-DBROKEN"),
        ("made_once.c", ""),
        ("futex.c", "-DBROKEN"),
        ("futex.c", ""),
        ("futex_again.c", "-DBROKEN"),
        ("double_free.c", "-DBROKEN"),
        ("null_pointer.c", ""),
        ("division.c", ""),
        ("timed_wait.c", ""),
        ("timed_wait.c", "-DBROKEN"),
        ("lost_signal.c", ""),
        ("main_returns.c", "-DBROKEN"),
        ("exits.c", ""),
        ("exits.c", "-DBROKEN"),
        ("c11.c", ""),
    ] {
        let program = compiled(name, flags);
        let subject = || NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let expected = brute(&subject(), 400_000);
        assert!(expected.all, "{name} {flags}");
        for reduction in Reduction::ALL {
            let outcome = reduced(&subject(), reduction);
            assert!(outcome.fault.is_none(), "{name} {flags} {reduction}: {:?}", outcome.fault);
            let mut kinds: Vec<_> = outcome.found.iter().map(|found| found.finding.kind).collect();
            kinds.sort();
            kinds.dedup();
            assert_eq!(kinds, expected.kinds(), "{name} {flags} {reduction}");
            assert!(outcome.tally.executions <= expected.executions, "{name} {flags} {reduction}");
        }
        let mut settings = Settings::new(Strategy::plain(Shape::DepthFirst));
        settings.endless = Endless::Found;
        let outcome =
            explore_fingerprints(&subject(), &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        assert!(outcome.fault.is_none(), "{name} {flags} by states: {:?}", outcome.fault);
        let kinds: Vec<_> = outcome.found.iter().map(|found| found.finding.kind).collect();
        let is_left = !outcome.reasons.is_empty();
        assert!(
            kinds.iter().all(|kind| expected.kinds().contains(kind)),
            "{name} {flags} by states: {kinds:?}"
        );
        assert!(is_left || kinds.is_empty() == expected.kinds().is_empty(), "{name} {flags} by states");
    }
}

#[test]
fn reductions_come_to_every_outcome_of_copies() {
    for flags in ["", "-DCALLS"] {
        let program = compiled("copies.c", flags);
        let exploration = Exploration { exit: true, races: Races::Off, ..Exploration::default() };
        for reduction in Reduction::ALL {
            let subject = NativeProgram::new(&program.executable, Vec::new(), exploration.clone());
            let outcome = reduced(&subject, reduction);
            let mut statuses: Vec<_> =
                outcome.found.iter().filter_map(|found| found.finding.type_name.as_deref()).collect();
            statuses.sort_unstable();
            assert_eq!(statuses, ["2", "3"], "{flags} {reduction}");
        }
    }
}

/// Copies that race are made word by word. While one thread writes its words, another one may be in the middle of a copy, too.
#[test]
fn copies_of_several_threads_do_not_disturb_each_other() {
    let program = compiled("copies_cross.c", "");
    let exploration = Exploration { races: Races::Warn, ..Exploration::default() };
    for (reduction, workers) in [(Reduction::Optimal, 1), (Reduction::Optimal, 2), (Reduction::Source, 1)] {
        let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
        (settings.store, settings.workers) = (StoreKind::None, workers);
        let subject = NativeProgram::new(&program.executable, Vec::new(), exploration.clone());
        let outcome =
            explore_stateless(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        assert!(outcome.fault.is_none(), "{reduction} on {workers}: {:?}", outcome.fault);
        let Tally { executions, blocked_executions, .. } = outcome.tally;
        assert_eq!((executions, blocked_executions), (4_024, 0), "{reduction} on {workers}");
    }
}
