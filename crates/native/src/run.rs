//! One execution under one schedule, with the program's own output: does it run here at all?

use crate::exploration::Ended;
use crate::native_program::NativeProgram;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

/// Runs a program once, without a driver: threads go on until they cannot. It says itself what goes wrong.
pub fn run(subject: &NativeProgram) -> std::io::Result<Ended> {
    let launch = subject.launch(true);
    let status: ExitStatus = Command::new(&launch.executable).args(&launch.arguments).status()?;
    Ok(match status.code() {
        Some(code) => Ended::Exit(code),
        None => Ended::Died(status.signal().unwrap_or(0)),
    })
}
