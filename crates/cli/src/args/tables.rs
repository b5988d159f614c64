//! From the tables of options to the command line: arguments, help, completions.

use crate::front_ends::FRONT_ENDS;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser, ValueParser};
use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use sojourner_frontend::{FrontEnd, FrontEnds, Given, Opt, Otherwise, Stage, States, Value, shared};
use sojourner_names::Name;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;

/// Tables of options with the headings that help has for them.
pub type Tables = Vec<(&'static str, Vec<&'static Opt>)>;

/// The heading of the options of [`shared`].
const SHARED: &str = "Java, C, C++ and Rust programs";

/// A command that takes options from tables.
pub trait HasOptions {
    /// The tables.
    fn tables() -> Tables;
}

/// The options of a check, whatever the program.
#[derive(Debug)]
pub struct OfCheck;

impl HasOptions for OfCheck {
    fn tables() -> Tables {
        sojourner_check::OPTIONS.iter().map(|(heading, table)| (*heading, table.iter().collect())).collect()
    }
}

/// The options of all programs, for `check` and `replay`.
#[derive(Debug)]
pub struct OfPrograms;

impl HasOptions for OfPrograms {
    fn tables() -> Tables {
        of_programs(|_, _| true)
    }
}

/// The options of programs whose states can be compared.
#[derive(Debug)]
pub struct OfStates;

impl HasOptions for OfStates {
    fn tables() -> Tables {
        of_programs(|front_end, _| front_end.is_none_or(|front_end| front_end.states() == States::Exact))
    }
}

/// The options of programs that are only run.
#[derive(Debug)]
pub struct OfRun;

impl HasOptions for OfRun {
    fn tables() -> Tables {
        of_programs(|_, opt| opt.stage <= Stage::Run)
    }
}

/// The options that say where a program is.
#[derive(Debug)]
pub struct OfPlaces;

impl HasOptions for OfPlaces {
    fn tables() -> Tables {
        of_programs(|_, opt| opt.stage <= Stage::Find)
    }
}

/// The options of front-ends that `takes` accepts. Those that several share belong to none.
fn of_programs(takes: impl Fn(Option<&dyn FrontEnd>, &Opt) -> bool) -> Tables {
    let chosen = |front_end: Option<&dyn FrontEnd>, table: &'static [Opt]| {
        table.iter().filter(|opt| takes(front_end, opt)).collect()
    };
    let own = FRONT_ENDS.all();
    let own = own.iter().map(|one| (one.programs(), chosen(Some(*one), one.options())));
    std::iter::once((SHARED, chosen(None, shared::OPTIONS))).chain(own).collect()
}

/// The options of the tables of `T` that were given.
#[derive(Debug)]
pub struct Options<T> {
    /// What was given.
    pub given: Given,
    _tables: PhantomData<T>,
}

impl<T: HasOptions> Args for Options<T> {
    fn augment_args(command: Command) -> Command {
        let tables = T::tables();
        let args = tables
            .iter()
            .flat_map(|(heading, table)| table.iter().map(|opt| argument(opt).help_heading(*heading)));
        command.args(args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: HasOptions> FromArgMatches for Options<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Given::none();
        for opt in T::tables().into_iter().flat_map(|(_, table)| table) {
            if matches.value_source(opt.flag) != Some(clap::parser::ValueSource::CommandLine) {
                continue;
            }
            let values: Vec<OsString> = match opt.value {
                Value::Flag => vec![OsString::new()],
                Value::Path { .. } => {
                    matches.get_many::<OsString>(opt.flag).into_iter().flatten().cloned().collect()
                }
                Value::Word { .. } | Value::Optional { .. } | Value::Rest { .. } => {
                    matches.get_many::<String>(opt.flag).into_iter().flatten().map(OsString::from).collect()
                }
            };
            for value in values {
                let added = given.add(opt, value);
                added.map_err(|error| Error::raw(clap::error::ErrorKind::ValueValidation, error))?;
            }
        }
        Ok(Options { given, _tables: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// An option as an argument of the command line.
fn argument(opt: &'static Opt) -> Arg {
    let mut arg = Arg::new(opt.flag).hide(opt.hidden);
    arg = match opt.flag.strip_prefix("--") {
        Some(long) => arg.long(long),
        None => arg.short(opt.flag.chars().nth(1)),
    };
    if let Some(short) = opt.short {
        arg = arg.short(short);
    }
    if let Some(alias) = opt.alias {
        arg = arg.visible_alias(alias.trim_start_matches('-'));
    }
    let word = |read| ValueParser::new(Word { names: opt.names, read });
    arg = match opt.value {
        Value::Flag => arg,
        Value::Path { name } => arg.value_name(name).value_parser(clap::value_parser!(OsString)),
        Value::Rest { name } => arg.value_name(name).allow_hyphen_values(true),
        Value::Word { name, read } => arg.value_name(name).value_parser(word(read)),
        Value::Optional { name, read, missing } => {
            arg.value_name(name).value_parser(word(read)).num_args(0..=1).default_missing_value(missing)
        }
    };
    arg = match (opt.value, opt.repeats) {
        (Value::Flag, _) => arg.action(ArgAction::SetTrue),
        (_, true) => arg.action(ArgAction::Append),
        (_, false) => arg.action(ArgAction::Set),
    };
    // The texts of help list the values, with what they mean. A flag has none to hide.
    let hides = !matches!(opt.value, Value::Flag);
    arg.hide_possible_values(hides).help(help(opt, false)).long_help(help(opt, true))
}

/// What help says of an option: what it does, its values and its default. `long`: with what each value means.
fn help(opt: &Opt, long: bool) -> String {
    let mut text = opt.help.to_string();
    if opt.repeats {
        text.push_str(" May be repeated.");
    }
    match opt.otherwise {
        Otherwise::Nothing => {}
        Otherwise::Is(text_of_default) | Otherwise::Says(text_of_default) => {
            text.push_str(&format!(" Default: {text_of_default}."));
        }
    }
    if long && !opt.names.is_empty() {
        text.push_str("\n\nValues:");
        for Name { name, about } in opt.names {
            text.push_str(&format!("\n- {name}: {about}"));
        }
    } else if !opt.names.is_empty() {
        let words: Vec<&str> = opt.names.iter().map(|name| name.name).collect();
        text.push_str(&format!(" [{}]", words.join(", ")));
    }
    text
}

/// Help for a target: what each front-end takes.
pub fn targets(what: &str) -> String {
    let all = FRONT_ENDS.all();
    let lines: String = all.iter().map(|one| format!("\n- {}: {}", one.programs(), one.targets())).collect();
    format!("{what}{lines}")
}

/// Reads a word that must satisfy a function. Completions know the names that it can be.
#[derive(Clone)]
struct Word {
    names: &'static [Name],
    read: fn(&str) -> Result<String, String>,
}

impl TypedValueParser for Word {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let read = self.read;
        let parser = StringValueParser::new().try_map(move |text| read(&text).map_err(Refused));
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = self.names.iter().map(|name| PossibleValue::new(name.word()).help(name.about));
        (!self.names.is_empty()).then(|| Box::new(names) as _)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Refused(String);
