//! The command `sojourner`. It wires the other crates together and decides nothing.
#![forbid(unsafe_code)]
// This crate is the one that talks to people.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod check;
mod doctor;
mod exit;
mod man;
mod outputs;
mod progress;
mod replay;
mod summary;
mod target;
mod units;
mod usage;

use args::{Cli, Color, Command};
use clap::{CommandFactory, Parser};
use exit::Exit;
use sojourner_report::Style;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // Nothing can be done about a terminal that is gone.
            let _ = error.print();
            return exit.into();
        }
    };
    report_defects();
    std::panic::catch_unwind(|| run(&cli)).unwrap_or(Exit::Defect).into()
}

fn run(cli: &Cli) -> Exit {
    let style = style(cli.color);
    let result = match &cli.command {
        Command::Check(options) => check::check(options, style),
        Command::Replay(options) => replay::replay(options, style),
        Command::Models => print(&target::list()),
        Command::Doctor(options) => doctor::doctor(options),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "sojourner", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man { command } => man::page(command.as_deref()).and_then(|page| print(&page)),
    };
    result.unwrap_or_else(|usage| {
        say(&format!("{:?}\n", miette::Report::new(usage)));
        Exit::Usage
    })
}

/// Prints to standard output. A reader that has gone away is no error.
fn print(text: &str) -> Result<Exit, usage::Usage> {
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(Exit::Done)
}

/// Prints to standard error. A reader that has gone away is no error here either.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What the system says of its memory, in bytes.
fn meminfo(field: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn style(color: Color) -> Style {
    let terminal = std::io::stdout().is_terminal();
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none(),
    };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    Style { color, width: columns.unwrap_or(if terminal { progress::terminal_width() } else { 120 }) }
}

/// A panic that reaches the top is a defect of ours, and the user is told how to report it.
fn report_defects() {
    std::panic::set_hook(Box::new(|panic| {
        say(&format!(
            "sojourner {}: this is a defect of sojourner, not of your program: {panic}\n\
             Please report it with this message, the command line and, if you can, the program.\n",
            env!("CARGO_PKG_VERSION"),
        ));
    }));
}
