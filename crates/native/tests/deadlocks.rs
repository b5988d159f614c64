//! Threads that wait for each other's locks are found in the state in which the cycle closes, whatever other threads do.

mod common;

use common::{brute, compiled, follow, sample};
use sojourner_native::{Exploration, NativeProgram};
use sojourner_program::Kind;
use sojourner_search::{
    Halt, Outcome, Reduction, Settings, Shape, Strategy, Unobserved, Wanted, explore_fingerprints,
    explore_stateless,
};
use sojourner_store::StoreKind;

/// Executions that are run without a reduction at most.
const MOST: u64 = 5_000;

fn subject(program: &sojourner_native::Compiled) -> NativeProgram {
    NativeProgram::new(&program.executable, Vec::new(), Exploration::default())
}

fn reduced(subject: &NativeProgram, reduction: Reduction, wanted: Wanted) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
    (settings.store, settings.wanted) = (StoreKind::None, wanted);
    explore_stateless(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit")
}

/// Explores a program in every way. What is found is a deadlock whose message has these words; or nothing.
#[track_caller]
fn is_deadlock(name: &str, flags: &str, words: &[&str]) {
    let program = compiled(name, flags);
    let subject = subject(&program);
    let expected: &[Kind] = if words.is_empty() { &[] } else { &[Kind::Deadlock] };
    let explored = brute(&subject, MOST);
    assert!(explored.fault.is_none(), "{name} {flags}: {explored:?}");
    if explored.all || !explored.found.is_empty() {
        assert_eq!(explored.kinds(), expected, "{name} {flags}: {}", explored.text());
    }
    let outcome = reduced(&subject, Reduction::Optimal, Wanted::All);
    for word in words {
        let mut texts = outcome.found.iter().map(|found| &found.finding.message);
        assert!(texts.any(|text| text.contains(word)), "{name} {flags}: {word}: {:?}", outcome.found);
    }
    for found in &outcome.found {
        let again = follow(&subject, found.schedule.as_ref().expect("the search keeps schedules"));
        assert_eq!(
            again.as_ref().map(|again| &again.message),
            Some(&found.finding.message),
            "{name} {flags}"
        );
    }
    for reduction in Reduction::ALL {
        for wanted in [Wanted::First, Wanted::All] {
            let outcome = reduced(&subject, reduction, wanted.clone());
            assert!(outcome.fault.is_none(), "{name} {flags}: {:?}", outcome.fault);
            assert!(
                !expected.is_empty() || outcome.reasons.is_empty(),
                "{name} {flags}: {:?}",
                outcome.reasons
            );
            let mut kinds: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
            kinds.dedup();
            assert_eq!(kinds, expected, "{name} {flags} {reduction:?} {wanted:?}: {:?}", outcome.found);
        }
    }
    let settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    let outcome =
        explore_fingerprints(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    let kinds: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
    assert!(kinds == expected || !outcome.reasons.is_empty(), "{name} {flags}: {outcome:?}");
}

#[test]
fn lock_cycle_is_found_while_other_threads_run() {
    let words = [
        "2 threads wait for each other, for ever",
        "thread 1 holds the mutex a (taken at ",
        " and waits for the mutex b, which thread 2 holds",
        " and waits for the mutex a, which thread 1 holds",
    ];
    for case in 0..3 {
        is_deadlock("lock_cycle.c", &format!("-DCASE={case}"), &words);
        is_deadlock("lock_cycle.c", &format!("-DCASE={case} -DFIXED"), &[]);
    }
}

#[test]
fn every_sort_of_lock_can_be_in_a_cycle() {
    for (case, words) in [
        (
            3,
            &[
                "a thread waits for itself, for ever",
                "waits for the mutex a, which it holds itself (taken at ",
            ][..],
        ),
        (4, &["waits for the read-write lock shared, which it holds itself (taken at "]),
        (
            5,
            &[
                "holds the read-write lock shared (taken at ",
                "waits for the read-write lock shared, which thread 1 holds",
            ],
        ),
        (6, &["and waits for thread 1.1 to end", "thread 1.1 waits for the mutex a, which thread 1 holds"]),
        (7, &["waits for the mutex b, which thread 2 holds"]),
        (8, &["waits for the mutex a, which thread 1 holds, and has ended"]),
        (9, &["holds the spin lock spin (taken at ", "waits for the spin lock spin, which thread 1 holds"]),
        (10, &["runs once and waits for the mutex a", "waits until once has been run by thread 1"]),
        (13, &["and waits for the read-write lock shared, which thread 2 holds"]),
        (14, &["waits for the mutex b, which thread 2 holds"]),
    ] {
        is_deadlock("lock_cycle.c", &format!("-DCASE={case}"), words);
        is_deadlock("lock_cycle.c", &format!("-DCASE={case} -DFIXED"), &[]);
    }
}

#[test]
fn waits_that_another_thread_or_the_time_ends_close_no_cycle() {
    is_deadlock("lock_cycle.c", "-DCASE=11", &[]);
    is_deadlock("lock_cycle.c", "-DCASE=12", &[]);
}

#[test]
fn locks_of_the_cpp_library_close_cycles() {
    for case in 0..3 {
        is_deadlock(
            "lock_cycle.cpp",
            &format!("-std=c++17 -DCASE={case}"),
            &["2 threads wait for each other, for ever"],
        );
        is_deadlock("lock_cycle.cpp", &format!("-std=c++17 -DCASE={case} -DFIXED"), &[]);
    }
}

#[test]
fn samples_find_a_cycle() {
    let program = compiled("lock_cycle.c", "-DCASE=1");
    for shape in [Shape::Walk, Shape::Pct(Some(3))] {
        let explored = sample(&subject(&program), shape, 200, 1);
        assert_eq!(explored.kinds(), [Kind::Deadlock]);
    }
}

#[test]
fn threads_that_are_blocked_when_the_program_ends_are_told_of() {
    for (case, words) in [
        (0, Some("thread 1 is blocked for ever when the program ends: it waits for the semaphore never at ")),
        (
            1,
            Some(
                "thread 1 is blocked for ever when the program ends: it waits for the mutex mutex, which main holds at ",
            ),
        ),
        (2, None),
    ] {
        let program = compiled("blocked_at_exit.c", &format!("-DCASE={case}"));
        let explored = brute(&subject(&program), MOST);
        assert!(explored.all && explored.found.is_empty(), "{case}: {explored:?}");
        let blocked: Vec<&String> =
            explored.warnings.iter().filter(|text| text.contains("blocked for ever")).collect();
        assert_eq!(blocked.len(), usize::from(words.is_some()), "{case}: {blocked:?}");
        assert!(words.is_none_or(|words| blocked[0].starts_with(words)), "{case}: {blocked:?}");
    }
}
