//! Study files that are wrong: each of `tests/bad/*.toml` has its error beside it, with the line and what to do.
//!
//! `SOJOURNER_RENEW_ERRORS=1` writes the errors anew. Look at the difference before you keep it.

use crate::common::{FRONT_ENDS, STUDY};
use sojourner_study::file::{Size, StudyFile};
use sojourner_study::plan::Plan;
use std::path::Path;

fn error_of(text: &str) -> String {
    let file = StudyFile::read(text, Size::Default);
    match file.and_then(|file| Plan::new(file, Path::new("tests/bad"), &FRONT_ENDS)) {
        Err(error) => format!("{error}\nhelp: {}\n", error.help),
        Ok(plan) => format!("no error: {} cells\n", plan.cells.len()),
    }
}

#[test]
fn errors_are_those_beside_the_files() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let files = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    assert!(files.len() >= 20, "the corpus is there");
    let mut wrong = String::new();
    for path in files {
        let found = error_of(&std::fs::read_to_string(&path).unwrap());
        let beside = path.with_extension("txt");
        if std::env::var_os("SOJOURNER_RENEW_ERRORS").is_some() {
            std::fs::write(&beside, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            wrong.push_str(&format!("{}:\n{found}but expected:\n{expected}\n", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn no_prefix_of_a_study_file_makes_the_reader_fail_badly() {
    for end in (0..STUDY.len()).filter(|end| STUDY.is_char_boundary(*end)) {
        let _ = error_of(&STUDY[..end]);
    }
}
