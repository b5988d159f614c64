//! One execution under one schedule, with the program's own output: does it run here at all?

use crate::subject::Subject;
use crate::worker::how;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with that status.
    Exit(i32),
    /// By a signal, which is told in words.
    Died(String),
}

/// Runs a program once, without a driver: threads go on until they cannot. It says itself what goes wrong.
pub fn run(subject: &Subject) -> std::io::Result<Ended> {
    let launch = subject.launch(true);
    let status: ExitStatus = Command::new(&launch.executable).args(&launch.arguments).status()?;
    Ok(match status.code() {
        Some(code) => Ended::Exit(code),
        None => Ended::Died(format!("{}", how(ExitStatus::from_raw(status.into_raw())))),
    })
}
