//! Messages of NullPointerExceptions against those that the installed `java` prints.

use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::ClassFile;
use sojourner_java::explain::null_pointer_message;
use std::path::Path;
use std::process::Command;

#[test]
fn messages_are_those_of_java_with_names_of_locals() {
    compare("-g");
}

#[test]
fn messages_are_those_of_java_without_names_of_locals() {
    compare("-g:none");
}

/// Compiles and runs the program, and explains each exception that it reports.
fn compare(debugging: &str) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain/Nulls.java");
    let compiled = Command::new("javac").arg(debugging).arg("-d").arg(folder.path()).arg(source).status();
    assert!(compiled.expect("a JDK is installed").success());
    let output = Command::new("java").arg("-cp").arg(folder.path()).arg("Nulls").output();
    let output = String::from_utf8(output.expect("a JDK is installed").stdout).expect("it prints ASCII");

    let bytes = std::fs::read(folder.path().join("Nulls.class")).expect("it has been compiled");
    let class = ClassFile::parse(Bytes::new(bytes)).expect("what javac writes is well formed");
    let mut wrong = Vec::new();
    for line in output.lines() {
        let (method, expected) = line.split_once('\t').expect("name and message");
        let ours = explain(&class, method);
        if ours.as_deref() != Some(expected) {
            wrong.push(format!("{method}\n  java: {expected}\n  ours: {ours:?}"));
        }
    }
    assert!(output.lines().count() > 100, "the program has not run through:\n{output}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The message for the instruction that the number at the end of the method's name chooses.
fn explain(class: &ClassFile, method: &str) -> Option<String> {
    let position = class.methods.iter().position(|m| class.pool.utf8(m.name) == Ok(method))?;
    let code = class.code(class.methods[position].attributes).ok()??;
    let number = method.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(1);
    // Where no instruction begins there is nothing to explain.
    let mut messages =
        (0..code.code.len() as u16).filter_map(|bci| null_pointer_message(class, position, bci));
    messages.nth(number - 1)
}
