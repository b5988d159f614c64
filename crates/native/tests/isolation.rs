//! A process of its own for each execution, where it is asked for and where it is needed.

mod common;

use common::{Explored, brute, compiled};
use sojourner_native::{Exploration, NativeProgram};
use sojourner_program::{Fault, Kind};
use std::time::Duration;

const ALL: u64 = 20_000;

fn explored(name: &str, flags: &str, isolate: bool) -> (Explored, bool) {
    let program = compiled(name, flags);
    let patience = Duration::from_millis(500);
    let subject = NativeProgram::new(
        &program.executable,
        Vec::new(),
        Exploration { isolate, patience, ..Exploration::default() },
    );
    let explored = brute(&subject, ALL);
    (explored, subject.is_isolated())
}

#[test]
fn executions_are_the_same_in_one_process_and_in_many() {
    for (name, flags) in [
        ("/counter.c", "-DTHREADS=2 -DROUNDS=1"),
        ("/counter.c", "-DTHREADS=2 -DROUNDS=1 -DBROKEN"),
        ("/philosophers.c", "-DN=2 -DBROKEN"),
        ("use_after_free.c", "-DBROKEN"),
        ("null_pointer.c", ""),
        ("stack_overflow.c", ""),
        ("killed.c", ""),
        ("leak.c", "-DCASE=3"),
        ("leak.c", "-DCASE=0"),
    ] {
        let ((one, was_isolated), (many, is_isolated)) =
            (explored(name, flags, false), explored(name, flags, true));
        assert_eq!((was_isolated, is_isolated), (false, true), "{name} {flags}");
        assert_eq!((one.executions, one.all), (many.executions, many.all), "{name} {flags}");
        assert_eq!((one.found, one.warnings), (many.found, many.warnings), "{name} {flags}");
    }
}

#[test]
fn an_endless_loop_is_noticed_in_a_process_of_its_own() {
    let explored_alone = |flags: &str| explored("endless.c", flags, true).0;
    assert_eq!(explored_alone("").kinds(), [Kind::Hang]);
    match explored_alone("-DCOUNTS").fault {
        Some(Fault::TooLong { what, .. }) => {
            assert!(what.contains("without a visible operation"), "{what}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn state_outside_program_memory_forces_one_process_per_execution() {
    for (case, needs) in [(0, false), (1, true), (2, true), (3, true), (4, false), (5, true), (6, true)] {
        for isolate in [false, true] {
            let (explored, is_isolated) = explored("outlasting.c", &format!("-DCASE={case}"), isolate);
            assert_eq!(explored.kinds(), [] as [Kind; 0], "{case}: {}", explored.text());
            assert!(explored.all && explored.fault.is_none(), "{case}: {explored:?}");
            assert_eq!(is_isolated, needs || isolate, "{case}");
        }
    }
}

#[test]
fn freed_memory_has_no_races() {
    for broken in [false, true] {
        let (explored, is_isolated) = explored("mapped.c", if broken { "-DBROKEN" } else { "" }, false);
        assert!(explored.all && is_isolated, "{:?}", explored.fault);
        assert_eq!(!explored.warnings.is_empty(), broken, "{:?}", explored.warnings);
    }
}
