//! `sojourner man`: the manual, a page for the command and one for each of its subcommands.

use crate::args::Cli;
use crate::usage::Usage;
use clap::CommandFactory;
use clap_mangen::Man;

/// The page of that subcommand, or of the command itself.
pub fn page(subcommand: Option<&str>) -> Result<String, Usage> {
    let mut command = Cli::command().disable_help_subcommand(true);
    // Options that all subcommands share become theirs, and names those of pages: sojourner-check.
    command.build();
    let command = match subcommand {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| unknown(name, &command))?,
    };
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|error| Usage::Output { what: "the man page".into(), why: error.to_string() })?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn unknown(name: &str, command: &clap::Command) -> Usage {
    let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    Usage::Command { name: name.into(), known: known.join(", ") }
}
