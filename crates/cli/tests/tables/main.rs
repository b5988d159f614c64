//! Documents and help say what the tables say.
//!
//! `SOJOURNER_RENEW_TABLES=1 cargo test -p sojourner-cli --test tables` writes the tables of the documents anew.

use assert_cmd::cargo::cargo_bin;
use sojourner_cli::tables::{accepts, flags, tables};
use std::path::PathBuf;
use std::process::Command;

const END: &str = "<!-- end of table -->";

/// The tables that the README must have: all that a newcomer chooses from.
const IN_README: [&str; 6] = ["commands", "programs", "searches", "orders", "heuristics", "stores"];

/// Options of other programs that the documents mention.
const OF_OTHERS: &[&str] = &[
    // cargo, and the benchmarks that it runs
    "--path",
    "--release",
    "--example",
    "--manifest-path",
    "--test",
    "--only",
    "--part",
    "--rounds",
    "--quick",
    "--tool",
    "--gigabytes",
    "--lib",
    "--open",
    "--cfg",
    "--edition",
    "--extern",
    // the scripts of this repository
    "--root",
    // configure, and build tools
    "--disable-shared",
    "--disable-scripts",
    "--disable-nls",
    "--disable-doc",
    "--disable-assembler",
    "--download-only",
    "--enable-encoders",
    "--enable-decoders",
    "--enable-checks",
    // java, cargo
    "--enable-preview",
    "--locked",
    "--format-version",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Markdown files of a folder and of the folders in it.
fn markdown(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(markdown(path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

/// The documents, with their text. The changelog is not among them: it names what earlier versions had.
fn documents() -> Vec<(PathBuf, String)> {
    let root = root();
    let folders =
        ["docs", "crates", "examples", "tests"].into_iter().flat_map(|name| markdown(root.join(name)));
    let files = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name));
    folders.chain(files).map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// The document with each table as it should be, and the names of its tables.
fn renewed(text: &str) -> (String, Vec<String>) {
    let (mut new, mut names) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!-- table: ") {
        let (name, after) = after.split_once(" -->\n").expect("the name of a table ends in ` -->`");
        let (_, after) = after.split_once(END).unwrap_or_else(|| panic!("the table {name} has no end"));
        let table = tables().into_iter().find(|(known, _)| *known == name);
        let (_, table) = table.unwrap_or_else(|| panic!("there is no table {name}"));
        new.push_str(&format!("{before}<!-- table: {name} -->\n{table}{END}"));
        names.push(name.to_string());
        rest = after;
    }
    new.push_str(rest);
    (new, names)
}

#[test]
fn tables_of_documents_are_those_of_the_command() {
    let mut stale = Vec::new();
    for (path, text) in documents() {
        let (new, _) = renewed(&text);
        if new != text && std::env::var_os("SOJOURNER_RENEW_TABLES").is_some() {
            std::fs::write(&path, new).unwrap();
        } else if new != text {
            stale.push(path.file_name().unwrap().to_owned());
        }
    }
    let renew = "SOJOURNER_RENEW_TABLES=1 cargo test -p sojourner-cli --test tables";
    assert!(stale.is_empty(), "tables in {stale:?} differ from the command; run: {renew}");
}

#[test]
fn readme_has_the_tables_that_a_newcomer_chooses_from() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, names) = renewed(&text);
    for name in IN_README {
        assert!(names.iter().any(|known| known == name), "README.md lacks the table {name}");
    }
}

/// The options in a text, each with the word behind it.
fn options(text: &str) -> Vec<(String, String)> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let mut found = Vec::new();
    for (at, _) in text.match_indices("--") {
        let alone =
            text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || "`(['\"|/".contains(c));
        let end = text[at + 2..].find(|c| !is_part(c)).map_or(text.len(), |end| at + 2 + end);
        let flag = &text[at..end];
        if !alone || flag[2..].starts_with(|c: char| !c.is_ascii_lowercase()) || flag.len() < 4 {
            continue;
        }
        let behind = text[end..].strip_prefix([' ', '=']).unwrap_or_default();
        let value =
            behind.split(|c: char| c.is_whitespace() || "`)]'\"|;".contains(c)).next().unwrap_or_default();
        found.push((
            flag.trim_end_matches('-').to_string(),
            value.trim_end_matches(['.', ',', ':']).to_string(),
        ));
    }
    found
}

/// What is wrong with the options in a text. Only in `code`, a word behind an option is its value.
fn wrong(text: &str, code: bool) -> Vec<String> {
    let known = flags();
    let mut wrong = Vec::new();
    for (flag, value) in options(text) {
        if OF_OTHERS.contains(&&*flag) {
            continue;
        }
        if !known.contains(&flag) {
            wrong.push(format!("there is no option {flag}"));
        }
        // Capitals stand for a value.
        let stands =
            value.is_empty() || value.starts_with('-') || value.starts_with(|c: char| c.is_ascii_uppercase());
        if code
            && !stands
            && let Some(Err(why)) = accepts(&flag, &value)
        {
            wrong.push(format!("{flag} {value}: {why}"));
        }
    }
    wrong
}

/// The parts of a document that are code: blocks, and words between backticks.
fn code(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for (number, block) in text.split("```").enumerate() {
        if number % 2 == 1 {
            parts.push(block);
        } else {
            parts.extend(block.split('`').skip(1).step_by(2));
        }
    }
    parts
}

#[test]
fn documents_name_only_options_and_values_that_there_are() {
    let mut all = Vec::new();
    for (path, text) in documents() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut found = wrong(&text, false);
        found.extend(code(&text).into_iter().flat_map(|part| wrong(part, true)));
        found.dedup();
        all.extend(found.into_iter().map(|what| format!("{name}: {what}")));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn help_names_only_options_and_values_that_there_are() {
    for command in ["", "check", "run", "replay", "diff-states", "models", "doctor", "completions", "man"] {
        let words: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let output = Command::new(cargo_bin!("sojourner")).args(words).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(wrong(&text, false), Vec::<String>::new(), "{command}");
        let examples = text.lines().filter(|line| line.starts_with("  sojourner "));
        assert_eq!(examples.flat_map(|line| wrong(line, true)).collect::<Vec<_>>(), Vec::<String>::new());
    }
}

#[test]
fn help_is_plain_english() {
    let mut measure = Command::new(root().join("scripts/measure-prose"));
    let output = measure.arg("--help-of").arg(cargo_bin!("sojourner")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn every_option_and_value_of_the_tables_is_in_help() {
    let output = Command::new(cargo_bin!("sojourner")).args(["check", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let words: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
    // What is in a study file is in the help of another command, by examples.
    let of_check = tables().into_iter().skip(2).filter(|(name, _)| !name.contains("study"));
    for (name, table) in of_check {
        for row in table.lines().skip(2) {
            let word = row.split('`').nth(1).unwrap().replace("\\|", "|");
            let word = word.split(' ').next().unwrap();
            assert!(words.contains(word.split('[').next().unwrap()), "{name}: {word}");
        }
    }
}

#[test]
fn unknown_options_are_noticed() {
    assert_eq!(
        options("`--search dfs`, --all."),
        [("--search".into(), "dfs".into()), ("--all".into(), "".into())]
    );
    assert_eq!(wrong("--serach dfs", true), ["there is no option --serach"]);
    assert_eq!(wrong("--search dsf", true).len(), 1);
    assert!(wrong("a -- b, --search NAME, --store collapse, --depth=1", true).is_empty());
}
