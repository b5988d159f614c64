//! Random numbers that the system decides are told of with their places, and no others.

mod common;

use common::{clang, compiled_by, reduced};
use sojourner_native::{Exploration, NativeProgram, Races, Toolchain};

/// The draws and the times of day that are told of, without the directory of the source.
fn told(toolchain: &Toolchain, name: &str, flags: &str) -> [Vec<String>; 2] {
    let program = compiled_by(toolchain, name, flags);
    let exploration = Exploration { races: Races::Off, ..Exploration::default() };
    let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
    let explored = reduced(&subject);
    assert!(explored.fault.is_none() && explored.all, "{name} {flags}: {:?}", explored.fault);
    assert!(explored.found.is_empty(), "{name} {flags}: {}", explored.text());
    let short = |draw: String| match (draw.rfind('/'), draw.find(" at ")) {
        (Some(slash), Some(at)) if slash > at => format!("{} at {}", &draw[..at], &draw[slash + 1..]),
        _ => draw,
    };
    [subject.draws(), subject.times_of_day()].map(|told| told.into_iter().map(short).collect())
}

fn draws(toolchain: &Toolchain, name: &str, flags: &str) -> Vec<String> {
    let [draws, _] = told(toolchain, name, flags);
    draws
}

#[test]
fn time_of_day_is_named_unless_it_only_seeds_the_library_at_the_same_place() {
    for toolchain in [Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() }, clang()] {
        for (case, expected) in [(1, ""), (5, ""), (7, ""), (10, "time at draws.c:49")] {
            let [_, times] = told(&toolchain, "draws.c", &format!("-DCASE={case} -w"));
            assert_eq!(times.join(";"), expected, "{case} {}", toolchain.cc);
        }
        let [draws, times] = told(&toolchain, "seeds.cpp", "");
        assert_eq!((draws.as_slice(), times.join(";")), (&[][..], "time at seeds.cpp:8".into()));
    }
}

#[test]
fn draw_that_the_system_decides_is_named_with_its_place() {
    for toolchain in [Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() }, clang()] {
        for level in ["-O0", "-O2"] {
            for (case, expected) in [
                (1, "getrandom at draws.c:17"),
                (2, "getentropy at draws.c:19"),
                (3, "/dev/urandom at draws.c:22"),
                (4, "/dev/urandom at draws.c:25"),
                (5, "srand at draws.c:29"),
                (6, "srandom at draws.c:34"),
                (7, "srand48 at draws.c:37"),
                (8, "rdrand at draws.c:41"),
                (9, ""),
                (10, ""),
                (11, "arc4random at draws.c:54"),
                (12, "rand by several threads at draws.c:64"),
            ] {
                let flags = format!("-DCASE={case} -mrdrnd -w {level}");
                let expected: Vec<&str> = expected.split_terminator(';').collect();
                assert_eq!(draws(&toolchain, "draws.c", &flags), expected, "{flags} {}", toolchain.cc);
            }
            for flags in ["", "-DEARLY"] {
                let told = draws(&toolchain, "draws.cpp", &format!("{flags} {level}"));
                assert!(
                    matches!(&told[..], [told] if told.starts_with("std::random_device at draws.cpp:")),
                    "{flags} {level} {}: {told:?}",
                    toolchain.cxx
                );
            }
        }
    }
}
