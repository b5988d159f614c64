//! The programs of `examples/java`: each gets the verdict that `expected.tsv` has for it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java")
}

/// Compiles all programs with one call of the compiler.
fn compile(to: &Path) {
    let sources = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path());
    let sources = sources.filter(|path| path.extension().is_some_and(|extension| extension == "java"));
    let verify = examples().join("../../crates/java/verify/sojourner/Verify.java");
    let status =
        Command::new("javac").arg("-g").arg("-d").arg(to).args(sources).arg(verify).status().unwrap();
    assert!(status.success());
}

#[test]
fn every_example_gets_its_verdict() {
    let classes = tempfile::tempdir().unwrap();
    compile(classes.path());
    let expected = std::fs::read_to_string(examples().join("expected.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in expected.lines() {
        let (fields, options) = match line.split('\t').collect::<Vec<_>>()[..] {
            [file, arguments, verdict, kind] => ([file, arguments, verdict, kind], ""),
            [file, arguments, verdict, kind, options] => ([file, arguments, verdict, kind], options),
            _ => panic!("expected.tsv has a line without four or five fields: {line}"),
        };
        let [file, arguments, verdict, kind] = fields;
        let result = classes.path().join("result.json");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sojourner"));
        command.current_dir(classes.path());
        command.args(["check", "--quiet", "--shorten", "0", "--time", "120s", "--classpath", ".", "--json"]);
        command.arg(&result).args(options.split_whitespace()).arg(file.trim_end_matches(".java"));
        command.arg("--").args(arguments.split_whitespace());
        let output = command.output().unwrap();
        let text = std::fs::read_to_string(&result).unwrap_or_default();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let found = json["findings"][0]["kind"].as_str().unwrap_or("-");
        if json["verdict"] != verdict || kind != found {
            let said = String::from_utf8_lossy(&output.stderr);
            wrong.push(format!(
                "{file} {arguments}: {verdict} {kind} expected; {} {found} {said}",
                json["verdict"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(expected.lines().count() > 60);
}
