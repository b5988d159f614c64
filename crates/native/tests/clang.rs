//! Programs that clang compiles have the executions and the defects that they have when gcc compiles them.

mod common;

use common::{Explored, clang, compiled_by, reduced, source};
use sojourner_native::{Compiled, Exploration, Language, NativeProgram, Races, Toolchain, wrap};
use sojourner_program::Kind;

fn gcc() -> Toolchain {
    Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() }
}

fn explored(program: &Compiled, races: Races) -> Explored {
    let exploration = Exploration { races, ..Exploration::default() };
    let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
    let mut explored = reduced(&subject);
    explored.warnings = subject.warnings().into_iter().map(|finding| finding.message).collect();
    explored
}

#[test]
fn both_compilers_lead_to_the_same_executions() {
    for (name, flags) in [
        ("/lost_trace.c", ""),
        ("/counter.c", "-DTHREADS=2"),
        // What it finds by reading a variable again in an increment.
        ("/counter.c", "-DBROKEN"),
        ("/bbuf.c", ""),
        ("/lastzero.c", ""),
        ("/philosophers.c", "-DBROKEN"),
        ("/treiber.c", ""),
        ("/treiber.c", "-DBROKEN"),
        ("/seqlock.c", ""),
        ("/work_stealing.c", "-DBROKEN"),
        ("/cache.cpp", "-std=c++17"),
        ("/cache.cpp", "-std=c++17 -DBROKEN"),
        ("/phases.cpp", "-std=c++20 -DBROKEN"),
        ("sharing.c", ""),
        ("c11.c", ""),
        ("spin.c", ""),
        ("spin.c", "-DBROKEN"),
        ("made_once.c", ""),
        ("timed_wait.c", "-DBROKEN"),
        ("futex.c", ""),
        ("futex_again.c", "-DBROKEN"),
        ("thread_data.c", ""),
        ("use_after_free.c", "-DBROKEN"),
        ("out_of_bounds.c", ""),
        ("null_pointer.c", ""),
        ("race.c", ""),
        ("race.c", "-DATOMIC"),
        ("publish.c", ""),
        ("publish.c", "-DORDER"),
        ("refcount.c", ""),
        ("refcount.c", "-DRELAXED"),
        ("verifier.c", "-DCASE=1"),
        ("several_locks.cpp", "-std=c++17"),
    ] {
        let of = |toolchain: &Toolchain| explored(&compiled_by(toolchain, name, flags), Races::Warn);
        let (expected, is) = (of(&gcc()), of(&clang()));
        assert!(is.fault.is_none(), "{name} {flags}: {:?}", is.fault);
        assert_eq!(is.kinds(), expected.kinds(), "{name} {flags}: {}", is.text());
        // After how many rounds a loop that waits is known for one depends on what it leaves in registers.
        if !["spin.c", "futex.c", "futex_again.c"].contains(&name) {
            assert_eq!(is.executions, expected.executions, "{name} {flags}");
        }
        assert_eq!(is.warnings.is_empty(), expected.warnings.is_empty(), "{name} {flags}: {:?}", is.warnings);
    }
}

#[test]
fn thread_pool_built_by_clang_gives_same_findings() {
    for (flags, expected) in [("", None), ("-DBROKEN", Some(Kind::Deadlock))] {
        let program = compiled_by(&clang(), "/thread_pool.cpp", &format!("-std=c++20 {flags}"));
        let explored = explored(&program, Races::Fail);
        assert!(explored.fault.is_none(), "{flags}: {:?}", explored.fault);
        assert_eq!(explored.kinds(), Vec::from_iter(expected), "{flags}: {}", explored.text());
        assert!(explored.all || expected.is_some(), "{flags}");
    }
}

#[test]
fn what_is_copied_is_seen_with_clang() {
    for flags in ["", "-DCALLS", "-O1"] {
        let program = compiled_by(&clang(), "copies.c", flags);
        let exploration = Exploration { exit: true, races: Races::Off, ..Exploration::default() };
        let explored =
            common::brute(&NativeProgram::new(&program.executable, Vec::new(), exploration), 400_000);
        let mut statuses: Vec<_> =
            explored.found.iter().filter_map(|(finding, _)| finding.type_name.as_deref()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, ["2", "3"], "{flags}");
    }
}

#[test]
fn clang_can_be_what_is_wrapped() {
    let directory = tempfile::tempdir().expect("a directory");
    let (object, executable) = (directory.path().join("program.o"), directory.path().join("program"));
    let commands = [
        vec![
            "-c".into(),
            source("/philosophers.c").into(),
            "-DN=2".into(),
            "-o".into(),
            object.clone().into(),
        ],
        vec![object.into(), "-o".into(), executable.clone().into()],
    ];
    for arguments in commands {
        assert_eq!(wrap(Language::C, &arguments, &clang()).expect("clang is there"), 0);
    }
    let explored = reduced(&NativeProgram::new(&executable, Vec::new(), Exploration::default()));
    assert!(explored.all && explored.found.is_empty() && explored.fault.is_none(), "{explored:?}");
}

#[test]
fn stack_of_finding_hides_calls_of_runtime() {
    let program = compiled_by(&clang(), "thrown_once.cpp", "-std=c++17 -DBROKEN");
    let explored = explored(&program, Races::Warn);
    assert_eq!(explored.kinds(), [Kind::Exception], "{explored:?}");
    assert!(!explored.text().contains("(__"), "{}", explored.text());
}
