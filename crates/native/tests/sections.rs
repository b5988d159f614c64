//! An atomic section is one step of a reduction, unless more happens in it than accesses to memory.

mod common;

use common::{Explored, brute, compiled, compiled_by};
use sojourner_native::{Exploration, NativeProgram, Races, Toolchain};
use sojourner_program::Kind;
use sojourner_search::{Halt, Outcome, Reduction, Settings, Shape, Strategy, Unobserved, explore_stateless};
use sojourner_store::StoreKind;

fn reduced(subject: &NativeProgram, reduction: Reduction) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
    settings.store = StoreKind::None;
    let outcome = explore_stateless(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
    outcome
}

fn kinds(outcome: &Outcome) -> Vec<Kind> {
    outcome.found.iter().map(|found| found.finding.kind).collect()
}

#[test]
fn sections_that_touch_different_things_come_in_one_order() {
    for (flags, expected) in [("-DCASE=1", 1), ("-DCASE=2", 6), ("-DCASE=2 -DTHREADS=4", 24)] {
        let program = compiled("sections.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        for reduction in [Reduction::Source, Reduction::Optimal] {
            let outcome = reduced(&subject, reduction);
            assert!(outcome.found.is_empty(), "{flags} {reduction}");
            let runs = (outcome.tally.executions, outcome.tally.blocked_executions);
            assert_eq!(runs, (expected, 0), "{flags} {reduction}");
        }
        assert!(subject.warnings().is_empty(), "{flags}: {:?}", subject.warnings());
    }
}

#[test]
fn what_is_wrong_with_sections_is_found_and_nothing_else() {
    for case in [3, 4, 5, 6] {
        for broken in [false, true] {
            let flags = format!("-DCASE={case} {}", if broken { "-DBROKEN" } else { "" });
            let program = compiled("sections.c", &flags);
            let kind = if case == 6 { Kind::Livelock } else { Kind::Assertion };
            let expected = if broken { vec![kind] } else { vec![] };
            for reduction in Reduction::ALL {
                let exploration = Exploration { races: Races::Off, ..Exploration::default() };
                let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
                assert_eq!(kinds(&reduced(&subject, reduction)), expected, "{flags} {reduction}");
            }
        }
    }
}

#[test]
fn sections_one_after_the_other_are_apart_at_every_level() {
    for toolchain in [Toolchain::default(), common::clang()] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            for case in [7, 8, 9, 10] {
                for (broken, expected) in [("", vec![]), ("-DBROKEN", vec![Kind::Assertion])] {
                    let flags = format!("-DCASE={case} -DTHREADS=2 {broken} {level}");
                    let program = compiled_by(&toolchain, "sections.c", &flags);
                    let exploration = Exploration { races: Races::Off, ..Exploration::default() };
                    let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
                    let explored = brute(&subject, 100_000);
                    assert!(explored.all && explored.fault.is_none(), "{flags}: {:?}", explored.fault);
                    assert_eq!(explored.kinds(), expected, "{flags} {toolchain:?}");
                    assert_eq!(
                        kinds(&reduced(&subject, Reduction::Optimal)),
                        expected,
                        "{flags} {toolchain:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_schedule_finds_the_same() {
    for (flags, expected) in
        [("-DCASE=3", vec![]), ("-DCASE=3 -DBROKEN", vec![Kind::Assertion]), ("-DCASE=4", vec![])]
    {
        let program = compiled("sections.c", &format!("{flags} -DTHREADS=2"));
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored: Explored = brute(&subject, 100_000);
        assert!(explored.all && explored.fault.is_none(), "{flags}: {:?}", explored.fault);
        assert_eq!(explored.kinds(), expected, "{flags}");
    }
}

#[test]
fn a_schedule_leads_to_the_same_for_whoever_follows_it() {
    for flags in ["-DCASE=3 -DBROKEN", "-DCASE=4 -DBROKEN", "-DCASE=5 -DBROKEN", "-DCASE=6 -DBROKEN"] {
        let program = compiled("sections.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let outcome = reduced(&subject, Reduction::Optimal);
        let found = outcome.found.first().expect("something is found");
        let schedule = found.schedule.as_ref().expect("a search has a schedule");
        let finding = common::follow(&subject, schedule);
        assert!(finding.is_some_and(|finding| finding.same_defect(&found.finding)), "{flags}");
    }
}

#[test]
fn race_with_atomic_section_names_both_accesses() {
    let program = compiled("sections.c", "-DCASE=3 -DBROKEN");
    let exploration = Exploration { races: Races::Fail, ..Exploration::default() };
    let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
    let outcome = reduced(&subject, Reduction::Optimal);
    assert_eq!(kinds(&outcome), [Kind::Race]);
    let message = &outcome.found[0].finding.message;
    assert!(message.contains("wrote it") || message.contains("read it"), "{message}");
}
