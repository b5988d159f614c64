//! The conformance suite: the programs of `crates/java/tests/conformance` run by `sojourner run` as by `java`, and between them
//! they execute every instruction that javac 17 emits.

mod class_file;
mod opcodes;

#[path = "../java/mod.rs"]
mod java;

use java::{run_suite, say};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn programs_run_as_by_java_and_execute_every_instruction() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java/tests/conformance");
    let outcome = run_suite(&sources, &[]);

    let emitted = opcodes::emitted_by_javac();
    let compiled = class_file::opcodes_in(&outcome.classes);
    let executed: BTreeSet<&str> =
        outcome.coverage.opcodes.iter().map(|name| opcodes::family(name)).collect();
    let families = |names: &BTreeSet<&'static str>| -> BTreeSet<&'static str> {
        names.iter().filter(|name| **name != "wide").map(|name| opcodes::family(name)).collect()
    };
    let wanted = families(&emitted);
    let idle: Vec<&str> = wanted.difference(&executed).copied().collect();
    say(&format!(
        "instructions executed: {} of {}, families counted once\n",
        wanted.len() - idle.len(),
        wanted.len()
    ));
    say(&outcome.coverage.members());

    let mut missing = Vec::new();
    if outcome.complete {
        let uncompiled: Vec<&str> = emitted.difference(&compiled).copied().collect();
        if !uncompiled.is_empty() {
            missing.push(format!("no program of the suite contains {}", uncompiled.join(", ")));
        }
        let unforeseen: Vec<&str> = compiled.difference(&emitted).copied().collect();
        if !unforeseen.is_empty() {
            missing.push(format!("javac emits, against our table, {}", unforeseen.join(", ")));
        }
        if !idle.is_empty() {
            missing.push(format!("never executed: {}", idle.join(", ")));
        }
    }
    outcome.demand(&missing);
}
