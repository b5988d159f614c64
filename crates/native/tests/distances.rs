//! Distances of the threads of C, C++ and Rust programs from places in their code.

mod common;

use common::{clang, compiled_by, source};
use sojourner_distance::{Measure, Unit};
use sojourner_frontend::Destination;
use sojourner_native::{Compiled, Execution, Exploration, NativeProgram, Toolchain};
use sojourner_program::{Choice, Detail, Load, Program, Step, Target, ThreadId};

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

fn gcc() -> Toolchain {
    Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() }
}

/// A program that counts operations to a place.
fn guided(compiled: &Compiled, target: &str, measure: Measure) -> NativeProgram {
    let program = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
    let target: Destination = target.parse().expect("it is a place");
    program.guide(&[target], measure, Unit::Operations).expect("the place is there");
    program
}

fn distance(execution: &mut Execution) -> Option<u32> {
    execution.distance(Target::Finding)
}

#[test]
fn distances_count_operations_whatever_compiler_and_level() {
    for toolchain in [&gcc(), &clang()] {
        for level in LEVELS {
            let compiled = compiled_by(toolchain, "distances.c", level);
            let what = format!("{} {level}", toolchain.cc);
            let at_start = |target| {
                let program = guided(&compiled, target, Measure::EFca);
                distance(&mut program.open().expect("it opens"))
            };
            // The main thread creates the other one, and loads.
            assert_eq!(at_start("near"), Some(2), "{what}");
            assert_eq!(at_start("goal"), Some(2 + 2), "{what}");
            // It creates the other one. That loads, does one operation, at least one in `deep`, five in `far`, and loads the pointer.
            assert_eq!(at_start("table"), Some(1 + 1 + 1 + 1 + 5 + 1), "{what}");
            // Only one case of the switch leads there.
            assert_eq!(at_start("inner"), Some(10 + 3), "{what}");
        }
    }
}

#[test]
fn calls_that_a_thread_is_in_say_where_it_returns() {
    let compiled = compiled_by(&gcc(), "distances.c", "-O0");
    // In `two`, called by `far`, a thread is no nearer to what comes behind `two` in `near`.
    let goal = |measure| {
        let program = guided(&compiled, "distances.c:56", measure);
        let mut execution = program.open().expect("it opens");
        let mut step = Step::new(Detail::Outcome);
        for thread in [0, 1, 1, 1, 1, 1, 1] {
            let thread = execution_thread(&mut execution, thread);
            execution.step(Choice::run(thread), &mut step).expect("the step is possible");
        }
        distance(&mut execution)
    };
    // The main thread loads, and then enters `two`.
    let (exact, blind) = (goal(Measure::EFca), goal(Measure::Fsm));
    assert_eq!(exact, Some(3));
    assert!(blind < exact, "{blind:?}");
    assert_eq!(goal(Measure::Efsm(3)), exact);
}

/// The thread of that place among those that can move or not.
fn execution_thread(execution: &mut Execution, nth: usize) -> ThreadId {
    let mut threads = Vec::new();
    execution.threads(&mut threads);
    threads[nth].id
}

#[test]
fn virtual_calls_standard_threads_and_exceptions_are_ways() {
    for toolchain in [&gcc(), &clang()] {
        for level in ["-O0", "-O2"] {
            let compiled = compiled_by(toolchain, "distances.cpp", level);
            let what = format!("{} {level}", toolchain.cxx);
            for target in ["caught", "Circle::draw", "fails"] {
                let program = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
                let guide = program.guide(&[target.parse().unwrap()], Measure::EFca, Unit::Operations);
                if level == "-O2" && guide.is_err() {
                    // It was put into its caller.
                    continue;
                }
                guide.unwrap_or_else(|error| panic!("{what}: {error}"));
                let mut execution = program.open().expect("it opens");
                assert!(distance(&mut execution).is_some(), "{what}: {target}");
            }
        }
    }
}

#[test]
fn assertions_are_those_of_the_program_itself() {
    let compiled = compiled_by(&gcc(), "/barber.c", "-DBROKEN");
    let program = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
    program.guide(&[], Measure::EFca, Unit::Instructions).expect("there is an assertion");
    assert!(distance(&mut program.open().expect("it opens")).is_some());
    let compiled = compiled_by(&gcc(), "distances.c", "-O0");
    let program = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
    let error = program.guide(&[], Measure::EFca, Unit::Instructions).unwrap_err();
    assert!(error.contains("no assertion"), "{error}");
}

#[test]
fn places_that_are_not_there_are_refused_with_what_is() {
    let compiled = compiled_by(&gcc(), "distances.c", "-O0");
    let program = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
    let error = |target: &str| {
        program.guide(&[target.parse().unwrap()], Measure::Fsm, Unit::Instructions).unwrap_err()
    };
    assert_eq!(
        error("distances.c:2"),
        "distances.c has no code at line 2; the nearest lines with code are 12, 14 and 16"
    );
    assert_eq!(error("other.c:3"), "the program has no code of other.c; it has distances.c");
    assert!(error("fra").starts_with("the program has no function fra; it has far, "), "{}", error("fra"));
}

#[test]
fn panics_of_rust_are_targets() {
    let text = "use std::sync::atomic::{AtomicU32, Ordering::SeqCst};\n\
        static OPS: AtomicU32 = AtomicU32::new(0);\n\
        fn main() {\n    let other = std::thread::spawn(|| OPS.fetch_add(1, SeqCst));\n    assert!(OPS.load(SeqCst) < 2);\n    other.join().unwrap();\n}\n";
    let directory = tempfile::tempdir().expect("there is room");
    let path = directory.path().join("panics.rs");
    std::fs::write(&path, text).expect("it can be written");
    let compiled = sojourner_native::compile(&[path], &[], &Toolchain::default()).expect("it compiles");
    for targets in [vec![], vec!["panics.rs:5".parse().unwrap()]] {
        let program = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
        program.guide(&targets, Measure::EFca, Unit::Instructions).expect("there is a panic");
        assert!(distance(&mut program.open().expect("it opens")).is_some(), "{targets:?}");
    }
    assert!(source("distances.c").exists());
}
