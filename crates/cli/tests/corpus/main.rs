//! The programs of `tests/corpus`: each gets the verdict that its first lines expect.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A check of a program and what must come of it.
struct Case {
    /// The words after `sojourner check` and its common options.
    words: Vec<String>,
    verdict: String,
    /// The kinds of finding of which one is expected; `-` if there is none.
    kinds: String,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// The programs of a language, in the order of their names.
fn programs(language: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(corpus().join(language)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The cases in the first lines of a program. `command` makes the words of a check from its options and arguments.
fn cases(path: &Path, command: impl Fn(&[&str], &[&str]) -> Vec<String>) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    let expectations = text.lines().map_while(|line| line.strip_prefix("//! "));
    let cases: Vec<Case> = expectations
        .map(|expectation| {
            let (expectation, options) = match expectation.split_once('{') {
                Some((before, rest)) => {
                    let (options, after) = rest.split_once('}').expect("a brace closes the options");
                    (format!("{before}{after}"), options.split_whitespace().collect())
                }
                None => (expectation.to_owned(), Vec::new()),
            };
            let mut words = expectation.split_whitespace();
            let verdict = words.next().expect("a verdict").to_owned();
            let kinds = if verdict == "found" { words.next().expect("a kind") } else { "-" }.to_owned();
            Case { words: command(&options, &words.collect::<Vec<_>>()), verdict, kinds }
        })
        .collect();
    assert!(!cases.is_empty(), "{} expects nothing", path.display());
    cases
}

/// Runs the checks and fails with a list of those that came out otherwise.
fn check_all(cases: Vec<Case>, least: usize) {
    assert!(cases.len() >= least, "only {} cases", cases.len());
    let folder = tempfile::tempdir().unwrap();
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case, folder.path()).err()).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn check(case: &Case, folder: &Path) -> Result<(), String> {
    let result = folder.join("result.json");
    let _ = std::fs::remove_file(&result);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sojourner"));
    command.current_dir(folder).args(["check", "--quiet", "--shorten", "0", "--time", "60s", "--json"]);
    let output = command.arg(&result).args(&case.words).output().unwrap();
    let text = std::fs::read_to_string(&result).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let verdict = json["verdict"].as_str().unwrap_or("no result");
    let kind = json["findings"][0]["kind"].as_str().unwrap_or("-");
    if verdict == case.verdict && case.kinds.split('|').any(|expected| expected == kind) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default();
    Err(format!(
        "{}: expected {} {}, not {verdict} {kind} {said}",
        case.words.join(" "),
        case.verdict,
        case.kinds
    ))
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The cases of a language whose programs are compiled by each check.
fn compiled(language: &str) -> Vec<Case> {
    let of = |path: PathBuf| {
        cases(&path, |options, flags| {
            let cflags: &[&str] = if flags.is_empty() { &[] } else { &["--cflags"] };
            [owned(options), vec![path.display().to_string()], owned(cflags), owned(flags)].concat()
        })
    };
    programs(language).into_iter().flat_map(of).collect()
}

#[test]
fn c_programs_get_their_verdicts() {
    check_all(compiled("c"), 330);
}

#[test]
fn cpp_programs_get_their_verdicts() {
    check_all(compiled("cpp"), 105);
}

#[test]
fn rust_programs_get_their_verdicts() {
    check_all(compiled("rust"), 60);
}

#[test]
fn java_programs_get_their_verdicts() {
    let classes = tempfile::tempdir().unwrap();
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java/verify/classes");
    let mut javac = Command::new("javac");
    javac.arg("-g").arg("-d").arg(classes.path()).arg("-classpath").arg(api).args(programs("java"));
    assert!(javac.status().unwrap().success());
    let class_path = classes.path().display().to_string();
    let of = |path: PathBuf| {
        let class = path.file_stem().unwrap().to_string_lossy().into_owned();
        cases(&path, |options, arguments| {
            let target = ["--classpath".into(), class_path.clone(), class.clone(), "--".into()];
            [owned(options), target.to_vec(), owned(arguments)].concat()
        })
    };
    check_all(programs("java").into_iter().flat_map(of).collect(), 220);
}

#[test]
fn models_get_their_verdicts() {
    let table = std::fs::read_to_string(corpus().join("models.tsv")).unwrap();
    let case = |line: &str| {
        let [target, parameters, verdict, kinds] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("models.tsv has a line without four fields: {line}");
        };
        let parameters: Vec<&str> = parameters.split_whitespace().collect();
        let words = [owned(&[target, "--"]), owned(&parameters)].concat();
        Case { words, verdict: verdict.into(), kinds: kinds.into() }
    };
    check_all(table.lines().map(case).collect(), 28);
}
