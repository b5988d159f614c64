//! Running a command to its end, or to the end of its time.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a command has left behind.
pub struct Execution {
    pub out: String,
    pub err: String,
    /// Its exit status; nothing if it was killed, by us or by another.
    pub status: Option<i32>,
    /// Whether it was killed because its time was up.
    pub overdue: bool,
    pub time: Duration,
}

/// Runs a command in a directory, in an environment that is the same everywhere. Its output goes through files, so that
/// a command that writes much never waits for us.
pub fn execute(mut command: Command, directory: &Path, limit: Duration) -> Execution {
    let out = tempfile::NamedTempFile::new_in(directory).unwrap();
    let err = tempfile::NamedTempFile::new_in(directory).unwrap();
    let write = |file: &tempfile::NamedTempFile| Stdio::from(File::create(file.path()).unwrap());
    command.current_dir(directory).stdin(Stdio::null()).stdout(write(&out)).stderr(write(&err));
    command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    let start = Instant::now();
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let mut overdue = false;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > limit && !overdue {
            overdue = true;
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let read = |file: tempfile::NamedTempFile| {
        String::from_utf8_lossy(&std::fs::read(file.path()).unwrap()).into_owned()
    };
    Execution { out: read(out), err: read(err), status: status.code(), overdue, time: start.elapsed() }
}
