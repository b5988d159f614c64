//! From a study file to cells: one program with its arguments, one strategy, one preset of reductions.

use crate::file::{
    FileError, Preset, Program, Stop, Strategy, StudyFile, combinations, filled, nearest, placeholders, split,
};
use sojourner_check::OPTIONS;
use sojourner_frontend::{FrontEnds, Given, GivenError, Opt};
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::Path;

/// What is run: the cells of a study.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The study.
    pub file: StudyFile,
    /// Its cells, in the order of tables.
    pub cells: Vec<Cell>,
}

/// One program with its arguments under one strategy: what has trials.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What tables call the program.
    pub program: String,
    /// What tells its instances apart: arguments, or values of its matrix. Empty if there is one.
    pub instance: String,
    /// The reductions.
    pub preset: Preset,
    /// What tables call the strategy.
    pub strategy: String,
    /// The values of the strategy's matrix.
    pub values: Vec<(String, String)>,
    /// How the program is opened.
    pub subject: Subject,
    /// How it is searched: options of a check.
    pub options: Given,
    /// When it has enough trials.
    pub stop: Stop,
}

/// How a program is opened: cells with the same one can share it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What is checked.
    pub target: String,
    /// Further sources.
    pub more: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Options of its front-end.
    pub options: Given,
}

impl Cell {
    /// The program with its instance, as tables show it.
    pub fn label(&self) -> String {
        match self.instance.as_str() {
            "" => self.program.clone(),
            instance => format!("{} {instance}", self.program),
        }
    }

    /// All that its trials depend on, beside the contents of files and the seeds: results with an equal key are the same experiment.
    pub fn key(&self) -> String {
        let parts = [
            vec![self.subject.target.clone()],
            self.subject.more.clone(),
            self.subject.arguments.clone(),
            self.subject.options.words(),
            self.options.words(),
        ];
        parts.map(|part| part.join("\u{1f}")).join("\u{1e}")
    }

    /// The command that repeats one of its trials.
    pub fn command(&self, seed: u64) -> String {
        let mut words = vec!["sojourner".to_string(), "check".into(), self.subject.target.clone()];
        words.extend(self.subject.more.clone());
        words.extend(self.subject.options.words());
        words.extend(self.options.words());
        words.extend(["--seed".into(), seed.to_string()]);
        if !self.subject.arguments.is_empty() {
            words.push("--".into());
            words.extend(self.subject.arguments.clone());
        }
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// What all trials have unless the file says otherwise. Races are off because they cost, and are another question.
const COMMON: [(&str, &str); 3] = [("--jobs", "1"), ("--shorten", "0"), ("--races", "off")];
/// Options that the runner decides.
const DECIDED: [&str; 3] = ["--seed", "--states", "--time"];

impl Plan {
    /// The cells of a study file, which lies in `directory`.
    pub fn new(file: StudyFile, directory: &Path, front_ends: &impl FrontEnds) -> Result<Plan, FileError> {
        let mut cells: Vec<Cell> = Vec::new();
        for preset in &file.run.presets {
            for program in &file.programs {
                for instance in combinations(&program.matrix) {
                    for arguments in &program.arguments {
                        let maker = Maker { file: &file, preset: *preset, program, directory, front_ends };
                        for strategy in &file.strategies {
                            let is_for = &strategy.programs;
                            if is_for.is_empty() || is_for.contains(&program.name) {
                                cells.extend(maker.cells(&instance, arguments, strategy)?);
                            }
                        }
                    }
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        for cell in &cells {
            if !seen.insert((cell.label(), &cell.strategy, cell.preset)) {
                let last = file.strategies.iter().rfind(|strategy| strategy.name == cell.strategy);
                let place = last.map_or(0..0, |strategy| strategy.name_at.clone());
                return Err(file.error(
                    &place,
                    format!("there are two cells '{}, {}'", cell.label(), cell.strategy),
                    "give programs and strategies names of their own",
                ));
            }
        }
        Ok(Plan { file, cells })
    }

    /// The same with only the cells of the program or the strategy of that name. `None` if there is none.
    pub fn only(self, name: &str) -> Option<Plan> {
        let fits = |cell: &Cell| cell.program == name || cell.strategy == name || cell.label() == name;
        let cells: Vec<Cell> = self.cells.into_iter().filter(fits).collect();
        (!cells.is_empty()).then_some(Plan { cells, ..self })
    }

    /// The most trials of any cell.
    pub fn most_trials(&self) -> u64 {
        self.cells.iter().map(|cell| cell.stop.most()).max().unwrap_or(0)
    }
}

/// Makes the cells of one program.
struct Maker<'a, F> {
    file: &'a StudyFile,
    preset: Preset,
    program: &'a Program,
    directory: &'a Path,
    front_ends: &'a F,
}

impl<F: FrontEnds> Maker<'_, F> {
    fn cells(
        &self,
        instance: &[(String, String)],
        arguments: &str,
        strategy: &Strategy,
    ) -> Result<Vec<Cell>, FileError> {
        combinations(&strategy.matrix)
            .into_iter()
            .map(|values| self.cell(instance, arguments, strategy, values))
            .collect()
    }

    fn cell(
        &self,
        instance: &[(String, String)],
        arguments: &str,
        strategy: &Strategy,
        values: Vec<(String, String)>,
    ) -> Result<Cell, FileError> {
        let program = self.program;
        let arguments = words(&filled(arguments, instance));
        let target = located(&program.target, self.directory);
        let more: Vec<String> = program.more.iter().map(|name| located(name, self.directory)).collect();
        let front_end = self.front_ends.find(&target).map_err(|error| {
            let help = error.help().unwrap_or_default();
            self.file.error(&program.target_at, error.to_string(), help)
        })?;

        // What is said last counts, so the file goes over the defaults.
        let mut subject = Given::none();
        let mut search = Given::none();
        let tables = self.front_ends.options();
        let known = |flag: &str| {
            let all = OPTIONS.iter().flat_map(|(_, table)| table.iter());
            let of_check = all.map(|opt| (true, opt));
            let of_program = tables.iter().flat_map(|table| table.iter()).map(|opt| (false, opt));
            of_check.chain(of_program).find(|(_, opt)| opt.flag == flag)
        };
        let mut add = |flag: &str, value: &OsStr| match known(flag) {
            Some((true, opt)) => search.add(opt, value),
            Some((false, opt)) if front_end.takes(opt) => subject.add(opt, value),
            _ => Ok(()),
        };
        for (flag, value) in COMMON {
            add(flag, value.as_ref()).expect("defaults can be read");
        }
        for pair in self.preset.words().chunks(2) {
            add(pair[0], pair[1].as_ref()).expect("presets can be read");
        }
        let fill: Vec<(String, String)> = [&values[..], instance, &single(&program.values)].concat();
        let options = filled(&strategy.options, &fill);
        if let Some(name) = placeholders(&options).next() {
            return Err(self.file.error(
                &strategy.options_at,
                format!("nothing stands for {{{name}}} with the program '{}'", program.name),
                format!(
                    "add matrix = {{ {name} = [...] }} here, or values = {{ {name} = [...] }} to the program"
                ),
            ));
        }
        let given = [
            (&self.file.run.options_at, self.file.run.options.clone()),
            (&program.options_at, words(&filled(&program.options, instance))),
            (&strategy.options_at, words(&options)),
        ];
        for (place, words) in given {
            for (opt, value) in self.read(place, &words)? {
                add(opt.flag, &value).expect("options that were read can be read again");
            }
        }
        if let Some(states) = self.file.run.states {
            add("--states", states.to_string().as_ref()).expect("a number can be read");
        }
        if let Some(time) = self.file.run.time {
            add("--time", time.to_string().as_ref()).expect("a time can be read");
        }
        Ok(Cell {
            program: program.name.clone(),
            instance: match instance {
                [] => arguments.join(" "),
                values => {
                    let texts = values.iter().map(|(_, value)| value.clone());
                    texts
                        .chain(arguments.iter().filter(|word| !word.is_empty()).cloned())
                        .collect::<Vec<_>>()
                        .join(" ")
                }
            },
            preset: self.preset,
            strategy: filled(&strategy.name, &values),
            values,
            subject: Subject { target, more, arguments, options: subject },
            options: search,
            stop: strategy.trials.map_or(self.file.run.stop, Stop::Trials),
        })
    }

    /// Reads options, wherever they belong.
    fn read(
        &self,
        place: &Range<usize>,
        words: &[String],
    ) -> Result<Vec<(&'static Opt, OsString)>, FileError> {
        let tables: Vec<&'static [Opt]> =
            OPTIONS.iter().map(|(_, table)| *table).chain(self.front_ends.options()).collect();
        let (given, others) = Given::read(&tables, words).map_err(|error| {
            let known = tables.iter().flat_map(|table| table.iter()).map(|opt| opt.flag);
            let help = match &error {
                GivenError::Unknown(word) => nearest(word, known).map(|near| format!("did you mean {near}?")),
                _ => None,
            };
            let help = help.unwrap_or_else(|| "`sojourner check --help` shows the options".into());
            self.file.error(place, error.to_string(), help)
        })?;
        if let Some(word) = others.first() {
            let message = format!("'{word}' is not an option of `sojourner check`");
            return Err(self.file.error(
                place,
                message,
                "options begin with --; further sources belong to the key more",
            ));
        }
        if let Some(opt) = given.options().find(|opt| DECIDED.contains(&opt.flag)) {
            let message = format!("a study decides {} itself", opt.flag);
            return Err(self.file.error(
                place,
                message,
                "leave it out; [run] has the keys seed, states and time",
            ));
        }
        let mut all: Vec<(&'static Opt, OsString)> = Vec::new();
        for opt in given.options() {
            if all.iter().all(|(known, _)| known.flag != opt.flag) {
                all.extend(given.values(opt.flag).map(|value| (opt, value.to_os_string())));
            }
        }
        Ok(all)
    }
}

/// The first value of each list.
fn single(values: &crate::file::Matrix) -> Vec<(String, String)> {
    values.iter().filter_map(|(name, values)| Some((name.clone(), values.first()?.clone()))).collect()
}

/// Words that were checked to be readable.
fn words(text: &str) -> Vec<String> {
    split(text).unwrap_or_default()
}

/// A file that is named from the directory of the study, as it can be named from here. What is no file stays as it is.
fn located(name: &str, directory: &Path) -> String {
    let path = directory.join(name);
    match path.exists() {
        true => plain(&path).to_string_lossy().into_owned(),
        false => name.into(),
    }
}

/// A path without `x/..` and `.`.
fn plain(path: &Path) -> std::path::PathBuf {
    use std::path::Component;
    path.components().fold(std::path::PathBuf::new(), |mut all, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir if all.file_name().is_some() => drop(all.pop()),
            part => all.push(part),
        }
        all
    })
}

impl Subject {
    /// Whether it is the same program with the same arguments and options.
    pub fn is(&self, other: &Subject) -> bool {
        let parts = |one: &Subject| {
            (one.target.clone(), one.more.clone(), one.arguments.clone(), one.options.words())
        };
        parts(self) == parts(other)
    }
}
