//! The command `sojourner`. It connects the other crates and decides nothing.
//!
//! The library is for crates that have models of their own. [`check_model`] makes a command of a model, with the options, reports
//! and exit codes of `sojourner`.
//!
//! ```no_run
//! use sojourner_cli::check_model;
//! use sojourner_models::Grid;
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     check_model("grid", |arguments| match arguments {
//!         [] => Ok(Grid { counters: 2, values: 3 }),
//!         _ => Err("there are no arguments".into()),
//!     })
//! }
//! ```
#![forbid(unsafe_code)]
// This crate is the one that talks to people.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod check;
mod console;
mod diff_states;
mod doctor;
mod exit;
mod front_ends;
mod growth;
mod interrupts;
mod man;
mod outputs;
mod progress;
mod replay;
mod run;
mod study;
pub mod tables;
mod usage;

use args::{Check, Cli, Color, Command, OwnCli, OwnCommand};
use clap::{CommandFactory, FromArgMatches, Parser};
use exit::Exit;
use front_ends::FRONT_ENDS;
use sojourner_frontend::{FrontEnds, Given, OpenError, Request};
use sojourner_model::{Model, SingleModel};
use sojourner_native::{Language, Toolchain};
use sojourner_report::{Style, Verdict};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use usage::Usage;

/// The command `sojourner`.
pub fn main() -> ExitCode {
    match Cli::try_parse_from(args::as_written(std::env::args_os())) {
        Ok(cli) => guarded(|| obey(&cli)),
        Err(error) => refused(&error),
    }
}

/// The `main` of a command that checks one model: `check`, which is the default, and `replay`.
///
/// `name` is what the program is called in reports and traces. `make` makes the model from the arguments after `--`,
/// or says what is wrong with them.
pub fn check_model<M: Model>(
    name: &'static str,
    make: impl Fn(&[String]) -> Result<M, String> + Sync,
) -> ExitCode {
    let command = OwnCli::command().name(name);
    match command.try_get_matches().and_then(|matches| OwnCli::from_arg_matches(&matches)) {
        Ok(cli) => guarded(|| obey_own(&(SingleModel { name, make },), name, &cli)),
        Err(error) => refused(&error),
    }
}

/// What clap has to say: help, or that the arguments are not understood.
fn refused(error: &clap::Error) -> ExitCode {
    // Nothing can be done about a terminal that is gone.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Done }.into()
}

/// Runs a command. A panic that comes up to here is a defect of ours.
fn guarded(run: impl FnOnce() -> Result<Exit, Usage>) -> ExitCode {
    report_defects();
    caught(run).into()
}

/// The same on a thread beside one that cannot be ended: ends the process.
fn leave(run: impl FnOnce() -> Result<Exit, Usage>) -> ! {
    std::process::exit(caught(run).code().into())
}

/// Runs something, and says what went wrong.
fn caught(run: impl FnOnce() -> Result<Exit, Usage>) -> Exit {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    result.map_or(Exit::Defect, |result| {
        result.unwrap_or_else(|usage| {
            let exit = match usage {
                Usage::Open { error: OpenError::Unsupported(_), .. } => Exit::Verdict(Verdict::Unsupported),
                _ => Exit::Usage,
            };
            if let Usage::Open { error: OpenError::DoesNotCompile { output, .. }, .. } = &usage {
                // The compiler's text is laid out in lines of its own.
                say(&format!("{}\n", output.trim_end()));
            }
            say(&format!("{:?}\n", miette::Report::new(usage)));
            exit
        })
    })
}

fn obey(cli: &Cli) -> Result<Exit, Usage> {
    let style = style(cli.color);
    match &cli.command {
        Command::Check(check) => {
            let Check { target, more, arguments, program, how } = &**check;
            let options = &program.given;
            let request = Request { target, more, arguments, options, all: false, tell };
            check::check(&FRONT_ENDS, &request, how, "sojourner", style)
        }
        Command::Run(options) => run::run(options),
        Command::Replay(any) => replay::replay(&FRONT_ENDS, &any.replay, &any.program.given, style),
        Command::Cc { arguments } => wrap(Language::C, arguments),
        Command::Cxx { arguments } => wrap(Language::Cpp, arguments),
        Command::DiffStates(options) => diff_states::diff_states(&FRONT_ENDS, options, style),
        Command::Study(options) => study::study(options),
        Command::Models => print(&list_of_models()),
        Command::Doctor(options) => doctor::doctor(options),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "sojourner", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man { command } => man::page(command.as_deref()).and_then(|page| print(&page)),
    }
}

fn obey_own(front_ends: &impl FrontEnds, name: &str, cli: &OwnCli) -> Result<Exit, Usage> {
    let style = style(cli.color);
    match &cli.command {
        Some(OwnCommand::Replay(replay)) => replay::replay(front_ends, replay, &Given::none(), style),
        None => {
            let given = Given::none();
            let request = Request { arguments: &cli.arguments, tell, ..Request::new(name, &given) };
            check::check(front_ends, &request, &cli.how, name, style)
        }
    }
}

/// The models, for people.
fn list_of_models() -> String {
    sojourner_models::ALL.iter().map(|about| format!("model:{about}\n")).collect()
}

/// `sojourner cc` and `sojourner c++`.
fn wrap(language: Language, arguments: &[OsString]) -> Result<Exit, Usage> {
    let status = sojourner_native::wrap(language, arguments, &Toolchain::default());
    Ok(Exit::Program(status.map_err(sojourner_native::front_end::refused)?))
}

/// Tells the user something while a program is opened.
fn tell(what: &str) {
    say(&format!("sojourner: {what}\n"));
}

/// Prints to standard output. A reader that has gone away is no error.
fn print(text: &str) -> Result<Exit, Usage> {
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(Exit::Done)
}

/// Prints to standard error. A reader that has gone away is no error here either.
fn say(text: &str) {
    say_bytes(text.as_bytes());
}

fn say_bytes(bytes: &[u8]) {
    let _ = std::io::stderr().write_all(bytes);
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
