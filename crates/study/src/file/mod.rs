//! A study file: programs, strategies and limits, and which tables and figures come of them.

mod error;
pub mod keys;
mod section;
mod words;

pub use error::FileError;
pub(crate) use error::nearest;
pub use keys::{FigureKind, Metric, Preset, Size, TableKind};
pub(crate) use words::{combinations, filled, placeholders, split};

use keys::{FIGURE, PROGRAM, RUN, SIZES, STRATEGY, STUDY, TABLE};
use section::Section;
use sojourner_frontend::Time;
use std::ops::Range;
use toml::de::DeTable;

/// A study file, at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyFile {
    /// A word for the study.
    pub name: String,
    /// What is asked.
    pub about: String,
    /// How trials run.
    pub run: Run,
    /// The programs.
    pub programs: Vec<Program>,
    /// The strategies.
    pub strategies: Vec<Strategy>,
    /// The tables of the report.
    pub tables: Vec<Shown<TableKind>>,
    /// The figures of the report.
    pub figures: Vec<Shown<FigureKind>>,
    /// The file itself, for errors that name a place in it.
    text: String,
}

/// How trials run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// When a cell has enough trials.
    pub stop: Stop,
    /// Where seeds come from.
    pub seed: u64,
    /// The limit of states of a trial.
    pub states: Option<u64>,
    /// The limit of time of a trial.
    pub time: Option<Time>,
    /// The reductions.
    pub presets: Vec<Preset>,
    /// Options of all trials.
    pub options: Vec<String>,
    /// Where these stand.
    pub(crate) options_at: Range<usize>,
}

/// When a cell has enough trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// After so many.
    Trials(u64),
    /// When so many have found an error, or after so many (RB).
    Found {
        /// Trials that found an error.
        found: u64,
        /// The most trials.
        runs: u64,
    },
}

impl Stop {
    /// The most trials that a cell can have.
    pub fn most(self) -> u64 {
        match self {
            Stop::Trials(n) | Stop::Found { runs: n, .. } => n,
        }
    }
}

/// Lists by name, whose values stand for `{name}`.
pub type Matrix = Vec<(String, Vec<String>)>;

/// A program with its instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What tables call it.
    pub name: String,
    /// What is checked, as it stands in the file.
    pub target: String,
    /// Further sources.
    pub more: Vec<String>,
    /// One text for each instance.
    pub arguments: Vec<String>,
    /// Options of this program.
    pub options: String,
    /// What stands for placeholders in arguments and options.
    pub matrix: Matrix,
    /// What stands for placeholders in the options of strategies.
    pub values: Matrix,
    /// Where target and options stand.
    pub(crate) target_at: Range<usize>,
    pub(crate) options_at: Range<usize>,
}

/// A strategy, or several that differ in parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// What tables call it.
    pub name: String,
    /// Its options.
    pub options: String,
    /// What stands for placeholders in name and options.
    pub matrix: Matrix,
    /// Its number of trials, where `[run]` does not fit.
    pub trials: Option<u64>,
    /// The programs that it is for. None: all.
    pub programs: Vec<String>,
    /// Where name and options stand.
    pub(crate) name_at: Range<usize>,
    pub(crate) options_at: Range<usize>,
}

/// A table or a figure of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown<K> {
    /// What it shows.
    pub kind: K,
    /// Its heading.
    pub title: Option<String>,
    /// What is measured.
    pub metric: Metric,
    /// The strategy that others are compared with.
    pub baseline: Option<String>,
    /// The strategies that it shows. None: all.
    pub strategies: Vec<String>,
    /// Which strategies are configurations of one technique. None: those that come of a matrix.
    pub configurations: Vec<String>,
    /// Numbers of searches side by side.
    pub nodes: Vec<u64>,
    /// The names of the matrices that make rows and columns.
    pub axes: Option<(String, String)>,
}

impl<K> Shown<K> {
    /// Whether it shows that strategy.
    pub fn shows(&self, strategy: &str) -> bool {
        self.strategies.is_empty() || is_one_of(strategy, &self.strategies)
    }

    /// Whether a strategy is a configuration of a technique. One of a matrix is, unless the file says otherwise.
    pub fn is_configuration(&self, strategy: &str, has_matrix: bool) -> bool {
        match self.configurations.is_empty() {
            true => has_matrix,
            false => is_one_of(strategy, &self.configurations),
        }
    }
}

/// Whether a name is one of these; `*` at the end of a pattern stands for any text.
fn is_one_of(name: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    })
}

/// The searches side by side of PRSS, section 4.1.1.
const NODES: [u64; 11] = [1, 2, 5, 10, 15, 20, 25, 50, 100, 500, 1000];

/// A limit of states for each trial, if the file names none: a trial that has none may take all memory.
const STATES: u64 = 200_000;
const TRIALS: u64 = 30;

impl StudyFile {
    /// Reads a study file at a size.
    pub fn read(text: &str, size: Size) -> Result<StudyFile, FileError> {
        let root = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            FileError::at(text, span, error.message(), "a study file is TOML: see https://toml.io")
        })?;
        let study = Section::new(text, "a study", &root, STUDY)?;
        let name = study.required("name", "my-study")?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            return Err(study.error_at(
                "name",
                format!("'{name}' cannot be a part of a directory's name"),
                "write letters, digits and hyphens only",
            ));
        }
        let run = read_run(&study, size)?;
        let programs = sized(study.sections("program", PROGRAM)?, size, read_program)?;
        if programs.is_empty() {
            return Err(study.error(
                format!("no program takes part at the size {size}"),
                "add a section [[program]] with a target",
            ));
        }
        let strategies = study.sections("strategy", STRATEGY)?;
        let known: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        let all: Vec<String> =
            study.sections("program", PROGRAM)?.iter().map(program_name).collect::<Result<_, _>>()?;
        let strategies = sized(strategies, size, |section| read_strategy(section, size, &all, &known))?;
        if strategies.is_empty() {
            return Err(study.error(
                format!("no strategy takes part at the size {size}"),
                "add a section [[strategy]] with a name and options",
            ));
        }
        let mut tables = Vec::new();
        for section in study.sections("table", TABLE)? {
            tables.push(read_shown(&section, "summary", false)?);
        }
        if tables.is_empty() {
            tables.push(Shown::plain(TableKind::Summary));
        }
        let mut figures = Vec::new();
        for section in study.sections("figure", FIGURE)? {
            figures.push(read_shown(&section, "survival", true)?);
        }
        let about = study.text("about")?.unwrap_or_default();
        Ok(StudyFile { name, about, run, programs, strategies, tables, figures, text: text.into() })
    }
}

impl StudyFile {
    /// Something is wrong at that place.
    pub(crate) fn error(
        &self,
        place: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> FileError {
        FileError::at(&self.text, place.clone(), message, help)
    }
}

impl<K> Shown<K> {
    fn plain(kind: K) -> Shown<K> {
        Shown {
            kind,
            title: None,
            metric: Metric::States,
            baseline: None,
            strategies: Vec::new(),
            configurations: Vec::new(),
            nodes: NODES.to_vec(),
            axes: None,
        }
    }
}

/// Reads the sections that take part at that size.
fn sized<'a, T>(
    sections: Vec<Section<'a>>,
    size: Size,
    read: impl Fn(&Section<'a>) -> Result<T, FileError>,
) -> Result<Vec<T>, FileError> {
    let mut all = Vec::new();
    for section in &sections {
        let least: Size = section.parsed("size")?.unwrap_or(Size::Quick);
        let one = read(section)?;
        if least <= size {
            all.push(one);
        }
    }
    Ok(all)
}

fn read_run(study: &Section<'_>, size: Size) -> Result<Run, FileError> {
    let base = study.section("run", RUN)?;
    let sizes = study.section("size", SIZES)?;
    let sized = match (&sizes, size) {
        (None, _) | (_, Size::Default) => None,
        (Some(sizes), size) => sizes.section(size.name(), RUN)?,
    };
    // A section for a size stands before the general one.
    let layers: Vec<&Section<'_>> = sized.iter().chain(&base).collect();
    let with = |key: &str| layers.iter().copied().find(|layer| layer.has(key));
    let number = |key: &str| with(key).map_or(Ok(None), |layer| layer.number(key));
    let stop = match layers
        .iter()
        .copied()
        .find(|layer| ["trials", "found", "runs"].iter().any(|key| layer.has(key)))
    {
        None => Stop::Trials(TRIALS),
        Some(layer) => read_stop(layer)?,
    };
    let options = with("options").map_or(Ok(Vec::new()), |layer| words_of(layer, "options"))?;
    let mut presets = Vec::new();
    if let Some(layer) = with("presets") {
        for word in layer.texts("presets")?.unwrap_or_default() {
            presets.push(word.parse().map_err(|error: sojourner_names::UnknownName| {
                layer.error_at("presets", error.to_string(), "write presets = [\"jpf\"]")
            })?);
        }
    }
    if presets.is_empty() {
        presets.push(Preset::All);
    }
    Ok(Run {
        stop,
        seed: number("seed")?.unwrap_or(1),
        states: match number("states")? {
            None => Some(STATES),
            Some(0) => None,
            states => states,
        },
        time: with("time").map_or(Ok(None), |layer| layer.parsed("time"))?,
        presets,
        options,
        options_at: with("options").map_or(0..0, |layer| layer.place("options")),
    })
}

fn read_stop(layer: &Section<'_>) -> Result<Stop, FileError> {
    match (layer.positive("trials")?, layer.positive("found")?, layer.positive("runs")?) {
        (Some(trials), None, None) => Ok(Stop::Trials(trials)),
        (None, Some(found), Some(runs)) => Ok(Stop::Found { found, runs }),
        (Some(_), ..) => Err(layer.error_at(
            "trials",
            "trials does not go with found and runs",
            "write trials = 100, or found = 10 and runs = 100",
        )),
        _ => Err(layer.error(
            "found and runs belong together",
            "write found = 10 and runs = 100: a cell ends after 10 errors or 100 trials",
        )),
    }
}

fn program_name(section: &Section<'_>) -> Result<String, FileError> {
    let target = section.required("target", "Main.java")?;
    let stem = std::path::Path::new(&target).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(section.text("name")?.or(stem).unwrap_or(target))
}

fn read_program(section: &Section<'_>) -> Result<Program, FileError> {
    let program = Program {
        name: program_name(section)?,
        target: section.required("target", "Main.java")?,
        more: section.texts("more")?.unwrap_or_default(),
        arguments: section.texts("arguments")?.unwrap_or(vec![String::new()]),
        options: section.text("options")?.unwrap_or_default(),
        matrix: section.axes("matrix")?,
        values: section.axes("values")?,
        target_at: section.place("target"),
        options_at: section.place("options"),
    };
    let names: Vec<&str> = program.matrix.iter().map(|(name, _)| name.as_str()).collect();
    for text in &program.arguments {
        check_placeholders(section, "arguments", text, &names)?;
    }
    check_placeholders(section, "options", &program.options, &names)?;
    check_words(section, "options", &program.options)?;
    Ok(program)
}

fn read_strategy(
    section: &Section<'_>,
    size: Size,
    all: &[String],
    known: &[&str],
) -> Result<Strategy, FileError> {
    let strategy = Strategy {
        name: section.required("name", "random")?,
        options: section.required("options", "--search dfs --order random")?,
        matrix: match (section.axes("full")?, size) {
            (full, Size::Full) if !full.is_empty() => full,
            _ => section.axes("matrix")?,
        },
        trials: section.positive("trials")?,
        programs: section.texts("programs")?.unwrap_or_default(),
        name_at: section.place("name"),
        options_at: section.place("options"),
    };
    for program in &strategy.programs {
        if !all.contains(program) {
            let near = nearest(program, all.iter().map(String::as_str));
            let help = near.map_or(format!("the programs are {}", sojourner_names::all(known)), |near| {
                format!("did you mean {near}?")
            });
            return Err(section.error_at("programs", format!("there is no program '{program}'"), help));
        }
    }
    let names: Vec<&str> = strategy.matrix.iter().map(|(name, _)| name.as_str()).collect();
    check_placeholders(section, "name", &strategy.name, &names)?;
    for name in &names {
        if !strategy.name.contains(&format!("{{{name}}}")) {
            return Err(section.error_at(
                "name",
                format!("the strategies of this matrix would have the same name: {{{name}}} is not in it"),
                format!("write name = \"{} {{{name}}}\"", strategy.name),
            ));
        }
    }
    check_words(section, "options", &strategy.options)?;
    if strategy.options.split_whitespace().any(|word| word == "--seed" || word.starts_with("--seed=")) {
        return Err(section.error_at(
            "options",
            "each trial has a seed of its own, so --seed cannot be an option of a strategy",
            "leave it out; [run] has a key seed",
        ));
    }
    Ok(strategy)
}

/// Every `{name}` must be known.
fn check_placeholders(section: &Section<'_>, key: &str, text: &str, names: &[&str]) -> Result<(), FileError> {
    match placeholders(text).find(|name| !names.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let help = nearest(name, names.iter().copied())
                .map_or(format!("add matrix = {{ {name} = [...] }}"), |near| {
                    format!("did you mean {{{near}}}?")
                });
            Err(section.error_at(key, format!("nothing stands for {{{name}}}"), help))
        }
    }
}

fn check_words(section: &Section<'_>, key: &str, text: &str) -> Result<(), FileError> {
    split(text).map(drop).map_err(|why| section.error_at(key, why, "close the quotes"))
}

fn words_of(section: &Section<'_>, key: &str) -> Result<Vec<String>, FileError> {
    let text = section.text(key)?.unwrap_or_default();
    split(&text).map_err(|why| section.error_at(key, why, "close the quotes"))
}

fn read_shown<K: std::str::FromStr<Err = sojourner_names::UnknownName> + Copy>(
    section: &Section<'_>,
    example: &str,
    figure: bool,
) -> Result<Shown<K>, FileError> {
    section.required("kind", example)?;
    let kind = section.parsed("kind")?.expect("it is there");
    let configurations = match figure {
        true => Vec::new(),
        false => section.texts("configurations")?.unwrap_or_default(),
    };
    let axes = match figure {
        false => None,
        true => section.text("rows")?.zip(section.text("columns")?),
    };
    let heat = section.text("kind")?.as_deref() == Some(FigureKind::Heat.name());
    if figure && heat && axes.is_none() {
        return Err(section.error(
            "a heat map needs rows and columns",
            "write rows = \"threshold\" and columns = \"ratio\": names of matrices of a strategy",
        ));
    }
    Ok(Shown {
        title: section.text("title")?,
        metric: section.parsed("metric")?.unwrap_or(Metric::States),
        baseline: section.text("baseline")?,
        strategies: section.texts("strategies")?.unwrap_or_default(),
        configurations,
        nodes: section.numbers("nodes")?.unwrap_or(NODES.to_vec()),
        axes,
        ..Shown::plain(kind)
    })
}
