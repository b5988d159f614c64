//! Accesses that a mutex guards are no steps of a reduction, unless it turns out that it does not guard them.

mod common;

use common::compiled;
use sojourner_native::{Compiled, Exploration, NativeProgram, Races};
use sojourner_program::{Detail, Kind, Load, Program, Step};
use sojourner_search::{Halt, Outcome, Reduction, Settings, Shape, Strategy, Unobserved, explore_stateless};
use sojourner_store::StoreKind;

fn subject(program: &Compiled, races: Races) -> NativeProgram {
    let exploration = Exploration { races, ..Exploration::default() };
    NativeProgram::new(&program.executable, Vec::new(), exploration)
}

fn reduced(subject: &NativeProgram, reduction: Reduction) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
    settings.store = StoreKind::None;
    let outcome = explore_stateless(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
    outcome
}

#[test]
fn guarded_access_is_no_step() {
    let program = compiled("guarded.c", "");
    let subject = subject(&program, Races::Warn);
    let outcome = reduced(&subject, Reduction::Optimal);
    assert!(outcome.found.is_empty());
    assert_eq!((outcome.tally.executions, outcome.tally.blocked_executions), (6, 0));
    // Four are created and joined, three lock, unlock and end, one writes and ends, and the program ends.
    assert_eq!(outcome.tally.max_depth, 4 + 4 + 3 * 3 + 2 + 1);
    assert!(subject.warnings().is_empty());
}

#[test]
fn unlocked_read_is_noticed() {
    for reduction in Reduction::ALL {
        let program = compiled("guarded.c", "-DHURRY");
        let subject = subject(&program, Races::Warn);
        let outcome = reduced(&subject, reduction);
        assert_eq!(
            outcome.found.first().map(|found| found.finding.kind),
            Some(Kind::Assertion),
            "{reduction}"
        );
    }
}

#[test]
fn two_mutexes_guard_nothing() {
    for reduction in Reduction::ALL {
        let program = compiled("guarded.c", "-DOTHER");
        let subject = subject(&program, Races::Off);
        let outcome = reduced(&subject, reduction);
        assert_eq!(
            outcome.found.first().map(|found| found.finding.kind),
            Some(Kind::Assertion),
            "{reduction}"
        );
    }
}

#[test]
fn race_on_data_assumed_guarded_names_both_accesses() {
    let program = compiled("guarded.c", "-DOTHER");
    let subject = subject(&program, Races::Fail);
    let outcome = reduced(&subject, Reduction::Optimal);
    let finding = &outcome.found.first().expect("there is a race").finding;
    assert_eq!(finding.kind, Kind::Race);
    assert!(
        finding.message.contains("writes it") || finding.message.contains("reads it"),
        "{}",
        finding.message
    );
    assert!(
        finding.message.contains("wrote it") || finding.message.contains("read it"),
        "{}",
        finding.message
    );
}

#[test]
fn a_schedule_has_every_access_for_whoever_follows_it() {
    let program = compiled("guarded.c", "-DSURE");
    let subject = subject(&program, Races::Off);
    let outcome = reduced(&subject, Reduction::Optimal);
    let found = outcome.found.first().expect("the look may come later");
    let schedule = found.schedule.as_ref().expect("a search has a schedule");
    let mut follower = subject.open_to_follow().expect("it opens");
    let mut step = Step::new(Detail::Words);
    let mut words = Vec::new();
    for (nth, &choice) in schedule.iter().enumerate() {
        follower.step(choice, &mut step).expect("it is offered");
        words.push(step.words.clone());
        assert_eq!(step.finding.is_some(), nth + 1 == schedule.len(), "{words:?}");
    }
    assert!(step.finding.as_ref().is_some_and(|finding| finding.same_defect(&found.finding)));
    assert!(words.iter().any(|words| words == "writes one"), "{words:?}");
}
