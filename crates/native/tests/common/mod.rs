//! What the tests of this crate share: compiling a program, and exploring it without any reduction.
#![allow(dead_code)]

use sojourner_native::{CompileError, Compiled, Exploration, NativeProgram, Toolchain, compile};
use sojourner_program::{Choice, Detail, Fault, Finding, Kind, Load, Program, Schedule, Step};
use sojourner_search::{Halt, Reduction, Settings, Shape, Strategy, Unobserved, explore_stateless};
use sojourner_store::StoreKind;
use std::path::{Path, PathBuf};

/// A program of the tests, or with a slash in front one of the examples.
pub fn source(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match name.strip_prefix('/') {
        Some(name) => root.join("../../examples/c").join(name),
        None => root.join("tests/programs").join(name),
    }
}

/// Compiles a program, with flags in one text.
pub fn compiled(name: &str, flags: &str) -> Compiled {
    compiled_by(&Toolchain::default(), name, flags)
}

/// The same with other compilers.
pub fn compiled_by(toolchain: &Toolchain, name: &str, flags: &str) -> Compiled {
    let flags: Vec<String> = flags.split_whitespace().map(String::from).collect();
    compile(&[source(name)], &flags, toolchain).unwrap_or_else(|error| match error {
        CompileError::DoesNotCompile { message } => panic!("{name}: {message}"),
        error => panic!("{name}: {error}"),
    })
}

/// clang and clang++ in place of gcc and g++.
pub fn clang() -> Toolchain {
    Toolchain { cc: "clang".into(), cxx: "clang++".into(), ..Toolchain::default() }
}

/// What came of exploring a program.
#[derive(Debug, Default)]
pub struct Explored {
    /// Executions that were run to their end.
    pub executions: u64,
    /// Whether these are all.
    pub all: bool,
    /// One finding of each sort, with a schedule.
    pub found: Vec<(Finding, Schedule)>,
    /// Why it had to be given up.
    pub fault: Option<Fault>,
    /// What there was to warn of.
    pub warnings: Vec<String>,
}

impl Explored {
    /// The kinds of findings, once each.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.found.iter().map(|(finding, _)| finding.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    /// The text of the first finding.
    pub fn text(&self) -> &str {
        self.found.first().map_or("", |(finding, _)| &finding.message)
    }

    fn note(&mut self, finding: Finding, schedule: &Schedule) {
        if !self.found.iter().any(|(known, _)| known.same_defect(&finding)) {
            self.found.push((finding, schedule.clone()));
        }
    }
}

/// Runs every execution of a program, but no more than `most`.
pub fn brute(subject: &NativeProgram, most: u64) -> Explored {
    loop {
        let mut explored = Explored::default();
        match every(subject, most, &mut explored) {
            Ok(all) => explored.all = all,
            // What is known of the program now, it begins with the next time.
            Err(Fault::Again { .. }) => continue,
            Err(fault) => explored.fault = Some(fault),
        }
        explored.warnings = subject.warnings().into_iter().map(|finding| finding.message).collect();
        return explored;
    }
}

fn every(subject: &NativeProgram, most: u64, explored: &mut Explored) -> Result<bool, Fault> {
    let mut program = subject.open()?;
    let mut step = Step::new(Detail::Footprint);
    let mut path: Vec<(Vec<Choice>, usize)> = Vec::new();
    loop {
        let mut choices = Vec::new();
        if step.finding.is_none() {
            program.choices(&mut choices);
            if let Some(finding) = program.judge(choices.is_empty()) {
                let schedule = program.here();
                explored.note(finding, &schedule);
            }
        } else if let Some(finding) = step.finding.take() {
            let schedule = program.here();
            explored.note(finding, &schedule);
        }
        if choices.is_empty() {
            explored.executions += 1;
            while path.last().is_some_and(|(choices, taken)| taken + 1 == choices.len()) {
                path.pop();
            }
            let Some((_, taken)) = path.last_mut() else { return Ok(true) };
            if explored.executions == most {
                return Ok(false);
            }
            *taken += 1;
            program.rewind(path.len() - 1)?;
        } else {
            path.push((choices, 0));
        }
        let (choices, taken) = path.last().expect("it has just been looked at");
        program.step(choices[*taken], &mut step)?;
    }
}

/// Runs every execution of a program of the tests, but no more than `most`.
pub fn brute_of(name: &str, flags: &str, most: u64) -> Explored {
    let compiled = compiled(name, flags);
    brute(&NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default()), most)
}

/// Explores a program up to its first finding with the reduction that leaves out most.
pub fn reduced(subject: &NativeProgram) -> Explored {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(Reduction::Optimal)));
    settings.store = StoreKind::None;
    let outcome = explore_stateless(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    let mut explored = Explored {
        all: outcome.reasons.is_empty(),
        fault: outcome.fault,
        executions: outcome.tally.executions,
        ..Explored::default()
    };
    for found in outcome.found {
        explored.note(found.finding, &found.schedule.unwrap_or_default());
    }
    explored
}

/// What is found where a schedule leads.
pub fn follow(subject: &NativeProgram, schedule: &Schedule) -> Option<Finding> {
    let mut program = subject.open_to_follow().expect("it opens");
    let mut step = Step::new(Detail::Words);
    for &choice in schedule {
        program.step(choice, &mut step).expect("the schedule fits");
    }
    let mut choices = Vec::new();
    program.choices(&mut choices);
    step.finding.or_else(|| program.judge(choices.is_empty()))
}

/// Runs random executions of a program.
pub fn sample(subject: &NativeProgram, shape: Shape, executions: u64, seed: u64) -> Explored {
    let mut settings = Settings::new(Strategy::plain(shape));
    settings.store = StoreKind::None;
    settings.seed = seed;
    settings.budget.executions = Some(executions);
    let outcome = explore_stateless(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    let mut explored =
        Explored { fault: outcome.fault, executions: outcome.tally.executions, ..Explored::default() };
    for found in outcome.found {
        explored.note(found.finding, &found.schedule.unwrap_or_default());
    }
    explored
}

/// Runs random executions of a program of the tests.
pub fn sample_of(name: &str, flags: &str, shape: Shape, executions: u64) -> Explored {
    let compiled = compiled(name, flags);
    sample(
        &NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default()),
        shape,
        executions,
        1,
    )
}
