//! Optimisation changes no number of executions where the source has the same accesses: each is announced once.

mod common;

use common::{clang, compiled_by, reduced};
use sojourner_native::{Exploration, NativeProgram, Races, Toolchain};

const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

#[test]
fn access_is_announced_once_at_every_level() {
    let gcc = Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() };
    for (name, flags, expected) in [
        ("increments.c", "-DCASE=1", 16),
        ("increments.c", "-DCASE=2", 16),
        ("increments.c", "-DCASE=3", 16),
        ("increments.c", "-DCASE=4", 3),
        ("increments.c", "-DCASE=5", 2),
        ("increments.c", "-DCASE=6", 4),
        ("/counter.c", "-DTHREADS=2", 20),
        ("/lastzero.c", "", 64),
    ] {
        for toolchain in [&gcc, &clang()] {
            for level in LEVELS {
                let program = compiled_by(toolchain, name, &format!("{flags} {level}"));
                let exploration = Exploration { races: Races::Off, ..Exploration::default() };
                let explored = reduced(&NativeProgram::new(&program.executable, Vec::new(), exploration));
                let what = format!("{name} {flags} {level} {}", toolchain.cc);
                assert!(explored.fault.is_none(), "{what}: {:?}", explored.fault);
                assert_eq!(explored.executions, expected, "{what}");
            }
        }
    }
}
