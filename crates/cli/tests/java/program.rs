//! A program of a suite, and what it says at its head.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Program {
    /// Its main class.
    pub name: String,
    pub source: PathBuf,
    pub arguments: Vec<String>,
    /// The exit status it must have.
    pub status: i32,
    /// System properties, as `key=value`.
    pub properties: Vec<String>,
    entries: Vec<PathBuf>,
}

impl Program {
    /// The programs in a directory by name, or those of them whose names are given, separated by commas.
    pub fn all_in(directory: &Path, chosen: Option<&str>) -> Vec<Program> {
        let directory = directory.canonicalize().unwrap();
        let chosen: Option<Vec<&str>> = chosen.map(|names| names.split(',').map(str::trim).collect());
        let mut programs: Vec<Program> = std::fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension() == Some(OsStr::new("java")))
            .map(|path| Program::read(&path))
            .filter(|program| chosen.as_ref().is_none_or(|names| names.contains(&program.name.as_str())))
            .collect();
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(name) =
            chosen.iter().flatten().find(|n| programs.iter().all(|program| program.name != **n))
        {
            super::say(&format!("there is no program {name} in {}\n", directory.display()));
        }
        programs
    }

    fn read(source: &Path) -> Program {
        let name = source.file_stem().unwrap().to_str().unwrap().to_owned();
        let directory = source.parent().unwrap();
        let mut program = Program {
            name,
            source: source.to_owned(),
            arguments: vec![],
            status: 0,
            properties: vec![],
            entries: vec![],
        };
        let text = std::fs::read_to_string(source).unwrap();
        for line in text.lines().take_while(|line| line.starts_with("//") || line.is_empty()) {
            let Some((key, value)) = line.trim_start_matches('/').trim().split_once(": ") else { continue };
            let words = words(&value.replace("{sources}", directory.to_str().unwrap()));
            match key {
                "args" => program.arguments = words,
                "exit" => program.status = value.trim().parse().unwrap(),
                "props" => {
                    program.properties =
                        words.iter().map(|word| word.trim_start_matches("-D").to_owned()).collect();
                }
                "cp" => program.entries = words.iter().map(|word| directory.join(word)).collect(),
                _ => panic!("{}: a head line `{key}` is not known", source.display()),
            }
        }
        program
    }

    pub fn class_path(&self, classes: &Path, jars: &[PathBuf]) -> OsString {
        let entries =
            [classes.to_owned()].into_iter().chain(self.entries.iter().cloned()).chain(jars.iter().cloned());
        std::env::join_paths(entries).unwrap()
    }

    /// The command that runs it on our machine, and has it report what it covered.
    pub fn sojourner(&self, command: &str, class_path: &OsStr, coverage: &Path) -> Command {
        let mut sojourner = Command::new(command);
        sojourner.arg("run").arg("--classpath").arg(class_path).arg("--coverage").arg(coverage);
        for property in &self.properties {
            sojourner.arg("-D").arg(property);
        }
        sojourner.arg(&self.name).arg("--").args(&self.arguments);
        sojourner
    }
}

/// Splits at spaces, except between double quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.trim().chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
