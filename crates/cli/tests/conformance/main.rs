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

    let executed: BTreeSet<&str> =
        outcome.coverage.opcodes.iter().map(|name| opcodes::family(name)).collect();
    let emitted = opcodes::emitted_by_javac();
    // The prefix is no instruction of its own.
    let wanted: BTreeSet<&str> =
        emitted.iter().filter(|name| **name != "wide").map(|name| opcodes::family(name)).collect();
    let idle: Vec<&str> = wanted.difference(&executed).copied().collect();
    say(&format!(
        "instructions executed: {} of {}, families counted once\n",
        wanted.len() - idle.len(),
        wanted.len()
    ));
    say(&outcome.coverage.members());

    outcome.demand(|classes, genuine| {
        let compiled = class_file::opcodes_in(classes);
        let uncompiled: Vec<&str> = emitted.difference(&compiled).copied().collect();
        let unforeseen: Vec<&str> = compiled.difference(&emitted).copied().collect();
        [
            ("no program of the suite contains", uncompiled),
            ("javac emits, against our table,", unforeseen),
            ("never executed:", if genuine { idle } else { vec![] }),
        ]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what} {}", names.join(", ")))
        .collect()
    });
}
