//! What wakes threads from outside of the thread library: eventfd and alarms. And storage of threads that is large.

mod common;

use common::{brute, clang, compiled_by, reduced};
use sojourner_native::{Exploration, NativeProgram, Races, Toolchain};
use sojourner_program::{Fault, Kind};

const ALL: u64 = 100_000;

fn toolchains() -> [Toolchain; 2] {
    [Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() }, clang()]
}

#[track_caller]
fn holds(name: &str, flags: &str, expected: &[Kind], words: &str) {
    for toolchain in toolchains() {
        for level in ["-O0", "-O2"] {
            let program = compiled_by(&toolchain, name, &format!("{flags} -w {level}"));
            let exploration = Exploration { races: Races::Off, ..Exploration::default() };
            let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
            for explored in [brute(&subject, ALL), reduced(&subject)] {
                let what = format!("{name} {flags} {level} {}", toolchain.cc);
                assert!(explored.fault.is_none(), "{what}: {:?}", explored.fault);
                assert_eq!(explored.kinds(), expected, "{what}: {}", explored.text());
                assert!(explored.text().contains(words), "{what}: {}", explored.text());
                assert!(explored.all || !expected.is_empty(), "{what}");
            }
        }
    }
}

#[test]
fn eventfd_wakes_threads() {
    for (case, kind, words) in [
        (1, Kind::Assertion, "data == 42"),
        (2, Kind::Assertion, "number == 2"),
        (3, Kind::Deadlock, "eventfd"),
        (4, Kind::Assertion, ""),
        (5, Kind::Assertion, "poll"),
        (6, Kind::Deadlock, "eventfd"),
        (7, Kind::Assertion, "read(event"),
    ] {
        holds("events.c", &format!("-DCASE={case}"), &[], "");
        holds("events.c", &format!("-DCASE={case} -DBROKEN"), &[kind], words);
    }
}

#[test]
fn eventfd_orders_what_comes_before_the_write() {
    for (flags, expected) in [("-DCASE=1", vec![]), ("-DCASE=1 -DBROKEN", vec![Kind::Assertion, Kind::Race])]
    {
        let program = compiled_by(&toolchains()[0], "events.c", flags);
        let exploration = Exploration { races: Races::Fail, ..Exploration::default() };
        let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), exploration), ALL);
        assert_eq!(explored.kinds(), expected, "{flags}: {}", explored.text());
    }
}

#[test]
fn alarm_goes_off_where_the_clock_moves() {
    for (case, kind, words) in [
        (1, Kind::Deadlock, ""),
        (2, Kind::Assertion, "left == 0"),
        (3, Kind::Assertion, "!rung"),
        (4, Kind::Deadlock, ""),
        (5, Kind::Crash, ""),
    ] {
        holds("alarms.c", &format!("-DCASE={case}"), &[], "");
        holds("alarms.c", &format!("-DCASE={case} -DBROKEN"), &[kind], words);
    }
    holds("alarms.c", "-DCASE=7", &[], "");
}

#[test]
fn alarm_that_would_interrupt_a_running_thread_is_refused() {
    let program = compiled_by(&toolchains()[0], "alarms.c", "-DCASE=6");
    let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), Exploration::default()), ALL);
    match explored.fault {
        Some(Fault::Unsupported { what, .. }) => assert!(what.contains("alarm"), "{what}"),
        other => panic!("{other:?} {:?}", explored.found),
    }
}

#[test]
fn threads_have_megabytes_of_their_own() {
    for megabytes in [4, 15] {
        holds("large_tls.c", &format!("-DMEGABYTES={megabytes}"), &[], "");
    }
    holds("large_tls.c", "-DMEGABYTES=4 -DBROKEN", &[Kind::Assertion], "buffer[");
}
