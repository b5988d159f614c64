//! A directory to run the command in, and what a run of it left behind.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// An empty directory that goes away with the test.
pub struct Desk {
    root: PathBuf,
    /// Holds the root, and beside it what the command keeps for later.
    around: TempDir,
}

/// A run of the command that has ended.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code; -1 if a signal ended it.
    pub code: i32,
    /// What it said.
    pub out: String,
    /// What it said on standard error.
    pub err: String,
}

impl Desk {
    pub fn new() -> Self {
        let around = tempfile::tempdir().unwrap();
        let root = around.path().join("desk");
        std::fs::create_dir(&root).unwrap();
        Desk { root, around }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The command, ready to be run here, whatever the environment of the tests is.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.program(cargo_bin!("sojourner"), arguments)
    }

    /// Runs an example of this crate, which lies beside its command.
    pub fn run_example(&self, name: &str, line: &str) -> Ran {
        let example = cargo_bin!("sojourner").with_file_name("examples").join(name);
        Ran::of(&self.program(&example, &line.split_whitespace().collect::<Vec<_>>()).output().unwrap())
    }

    fn program(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root).stdin(Stdio::null());
        command.env_remove("COLUMNS").env_remove("NO_COLOR").env("COLUMNS", "100");
        command.env("XDG_CACHE_HOME", self.around.path().join("cache"));
        command
    }

    /// Runs the command. Its line is split at spaces.
    pub fn run(&self, line: &str) -> Ran {
        self.run_words(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub fn run_words(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.command(arguments).output().unwrap())
    }

    /// Runs `check` with its result on standard output, and reads it.
    pub fn result(&self, line: &str) -> (Ran, Value) {
        let (options, arguments) = line.split_once(" -- ").unwrap_or((line, ""));
        let ran = self.run(&format!("check {options} --json - -- {arguments}"));
        let result = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (ran, result)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn read_json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    /// Compiles Java sources that lie here into this directory.
    pub fn javac(&self, sources: &[&str]) {
        self.javac_into(".", sources);
    }

    /// Compiles Java sources that lie here into a directory, which is made if there is none.
    pub fn javac_into(&self, directory: &str, sources: &[&str]) {
        let output =
            Command::new("javac").args(sources).args(["-d", directory]).current_dir(self.root()).output();
        let output = output.expect("javac is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The names of what lies here, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.root).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let ran = Ran {
            code: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        };
        assert!(!ran.err.contains("this is a defect of sojourner") && ran.code != 70, "a defect: {ran:?}");
        ran
    }

    /// Requires an exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Requires a text on standard output.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no `{text}` in:\n{}\n{}", self.out, self.err);
        self
    }

    /// Requires that the command was refused: exit code 2, nothing on standard output, and these texts, however the
    /// lines are broken, on standard error.
    #[track_caller]
    pub fn refused(self, texts: &[&str]) -> Self {
        assert_eq!(self.code, 2, "{self:?}");
        assert_eq!(self.out, "");
        self.warns(texts)
    }

    /// Requires these texts, however the lines are broken, on standard error.
    #[track_caller]
    pub fn warns(self, texts: &[&str]) -> Self {
        let said: Vec<&str> = self.err.split_whitespace().filter(|word| *word != "│").collect();
        let said = said.join(" ");
        for text in texts {
            assert!(said.contains(text), "no `{text}` in:\n{}", self.err);
        }
        self
    }
}
