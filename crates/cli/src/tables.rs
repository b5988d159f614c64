//! The tables of the documents, made from the tables that the command is made from.

use crate::args::{Cli, HasOptions, OfCheck, OfPrograms, Tables};
use crate::front_ends::FRONT_ENDS;
use clap::CommandFactory;
use sojourner_check::Search;
use sojourner_frontend::{FrontEnds, Opt, Otherwise, Value};
use sojourner_java::explore::Reduce;
use sojourner_names::{Name, Named};
use sojourner_search::{BACKTRACK, Heuristic, OrderKind};
use sojourner_store::StoreKind;
use sojourner_study::file::{FigureKind, TableKind, keys};

/// Every table with its name, as Markdown. Documents contain them between `<!-- table: NAME -->` and `<!-- end of table -->`; the
/// test `tables` compares them.
pub fn tables() -> Vec<(&'static str, String)> {
    vec![
        ("commands", commands()),
        ("programs", programs()),
        ("searches", names("search", &Search::NAMES)),
        ("orders", names("order", OrderKind::NAMES)),
        ("heuristics", names("heuristic", &Heuristic::NAMES)),
        ("stores", names("store", &StoreKind::NAMES)),
        ("backtracking", names("part of `--backtrack`", &BACKTRACK)),
        ("reductions", names("reduction", &Reduce::NAMES)),
        ("study file", study_file()),
        ("tables of a study", names("kind of table", TableKind::NAMES)),
        ("figures of a study", names("kind of figure", FigureKind::NAMES)),
        ("options of a check", options(OfCheck::tables())),
        ("options of programs", options(OfPrograms::tables())),
    ]
}

/// Every option of every command, with its dashes.
pub fn flags() -> Vec<String> {
    let mut command = Cli::command();
    command.build();
    let mut flags = Vec::new();
    let mut commands = vec![&command];
    while let Some(command) = commands.pop() {
        for arg in command.get_arguments() {
            flags.extend(
                arg.get_long_and_visible_aliases().into_iter().flatten().map(|long| format!("--{long}")),
            );
        }
        commands.extend(command.get_subcommands());
    }
    flags.sort();
    flags.dedup();
    flags
}

/// Whether a table has that option, and whether its value can be that. `None`: no table has it.
pub fn accepts(flag: &str, value: &str) -> Option<Result<(), String>> {
    let tables = [OfCheck::tables(), OfPrograms::tables()];
    let opt = tables.iter().flatten().flat_map(|(_, table)| table).find(|opt| opt.flag == flag)?;
    Some(opt.value.read(value.as_ref()).map(drop))
}

fn table(header: [&str; 2], rows: impl Iterator<Item = (String, String)>) -> String {
    let rows = rows.map(|(first, second)| format!("| {} | {} |\n", escaped(&first), escaped(&second)));
    format!("| {} | {} |\n|---|---|\n{}", header[0], header[1], rows.collect::<String>())
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

fn names(what: &str, names: &[Name]) -> String {
    table([what, "meaning"], names.iter().map(|Name { name, about }| (format!("`{name}`"), (*about).into())))
}

fn commands() -> String {
    let command = Cli::command();
    let rows = command.get_subcommands().map(|command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        (format!("`{}`", command.get_name()), about)
    });
    table(["command", "what it does"], rows)
}

fn programs() -> String {
    let all = FRONT_ENDS.all();
    table(["programs", "target"], all.iter().map(|one| (one.programs().into(), one.targets().into())))
}

/// The keys of a study file, by section.
fn study_file() -> String {
    let sections = [
        ("", keys::STUDY),
        ("[run] ", keys::RUN),
        ("[[program]] ", keys::PROGRAM),
        ("[[strategy]] ", keys::STRATEGY),
        ("[[table]] ", keys::TABLE),
        ("[[figure]] ", keys::FIGURE),
    ];
    let rows = sections.into_iter().flat_map(|(section, keys)| keys.iter().map(move |key| (section, key)));
    table(
        ["key", "meaning"],
        rows.map(|(section, key)| (format!("`{section}{}`", key.name), key.about.into())),
    )
}

fn options(tables: Tables) -> String {
    let all = tables.into_iter().flat_map(|(_, table)| table).filter(|opt| !opt.hidden);
    table(["option", "what it does"], all.map(|opt| (format!("`{}`", written(opt)), said(opt))))
}

/// How an option is written.
fn written(opt: &Opt) -> String {
    match opt.value {
        Value::Flag => opt.flag.into(),
        Value::Word { name, .. } | Value::Path { name } | Value::Rest { name } => {
            format!("{} {name}", opt.flag)
        }
        Value::Optional { name, .. } => format!("{}[={name}]", opt.flag),
    }
}

/// What is said of an option in a table.
fn said(opt: &Opt) -> String {
    let mut text = opt.help.to_string();
    if !opt.names.is_empty() {
        let words: Vec<String> = opt.names.iter().map(|name| format!("`{}`", name.name)).collect();
        text.push_str(&format!(" Values: {}.", words.join(", ")));
    }
    if let Otherwise::Is(default) | Otherwise::Says(default) = opt.otherwise {
        text.push_str(&format!(" Default: {default}."));
    }
    text
}
