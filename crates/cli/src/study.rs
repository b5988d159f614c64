//! `sojourner study`: runs experiments and shows what came of them.

use crate::args::{Study, StudyCommand};
use crate::exit::Exit;
use crate::front_ends::FRONT_ENDS;
use crate::interrupts;
use crate::usage::{StudyUsage, Usage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sojourner_report::Verdict;
use sojourner_study::Trial;
use sojourner_study::comparison::compare;
use sojourner_study::database::Database;
use sojourner_study::file::{Size, StudyFile};
use sojourner_study::plan::{Cell, Plan};
use sojourner_study::results::Results;
use sojourner_study::runner::{self, Watch};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Does what the user asks for.
pub fn study(study: &Study) -> Result<Exit, Usage> {
    match &study.command {
        Some(StudyCommand::Report { directory }) => report(directory),
        Some(StudyCommand::Compare { first, second }) => {
            crate::print(&compare(&read(first)?, &read(second)?).text())
        }
        None => run(study),
    }
}

fn run(study: &Study) -> Result<Exit, Usage> {
    let path = study.file.as_deref().ok_or(StudyUsage::NoFile)?;
    let text = std::fs::read_to_string(path)
        .map_err(|error| StudyUsage::Unreadable { path: path.into(), why: error.to_string() })?;
    let size = match (study.quick, study.full) {
        (true, _) => Size::Quick,
        (_, true) => Size::Full,
        _ => Size::Default,
    };
    let directory = path.parent().unwrap_or(Path::new(""));
    let all = planned(&text, &path.to_string_lossy(), directory, size)?;
    let plan = match &study.only {
        None => all.clone(),
        Some(name) => all.clone().only(name).ok_or_else(|| StudyUsage::NoCell(name.clone()))?,
    };
    let out = study.out.clone().unwrap_or_else(|| format!("study-{}", all.file.name).into());
    let database = Database::open(&out)?;
    database.set_study(&text, directory, size)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = study.jobs.map_or(cores, usize::from);

    let halt = interrupts::heed();
    let screen = Screen::new();
    let interrupted = runner::run(&plan, &FRONT_ENDS, &database, jobs, &halt, &screen);
    screen.finish();
    let interrupted = interrupted?;
    show(&Results::read(all, &database)?, &out)?;
    if interrupted {
        crate::say("sojourner: interrupted; the same command goes on from here\n");
        return Ok(Exit::Verdict(Verdict::Incomplete));
    }
    Ok(Exit::Done)
}

/// Makes the files of a study again.
fn report(directory: &Path) -> Result<Exit, Usage> {
    show(&read(directory)?, directory)?;
    Ok(Exit::Done)
}

/// The results in a directory.
fn read(directory: &Path) -> Result<Results, Usage> {
    let database = Database::read(directory)?;
    let (text, from, size) = database.study()?;
    let plan = planned(&text, "the study file that is kept in study.sqlite", &from, size)?;
    Ok(Results::read(plan, &database)?)
}

fn planned(text: &str, name: &str, directory: &Path, size: Size) -> Result<Plan, Usage> {
    let plan = StudyFile::read(text, size).and_then(|file| Plan::new(file, directory, &FRONT_ENDS));
    plan.map_err(|error| StudyUsage::file(error, name, text).into())
}

/// Writes the report, and shows the tables.
fn show(results: &Results, directory: &Path) -> Result<(), Usage> {
    let written = sojourner_study::write(results, directory)?;
    let tables: Vec<String> = written.tables.iter().map(sojourner_study::table::Table::text).collect();
    let mut text = tables.join("\n");
    let hit = results.hit_the_machine();
    if hit > 0 {
        text.push_str(&format!(
            "\n{hit} trials were ended by a limit of time or memory: these depend on the machine\n"
        ));
    }
    text.push_str(&format!("\nreport: {}\n", written.page.display()));
    crate::print(&text).map(drop)
}

/// Shows how a study gets on: a bar on a terminal, a line now and then elsewhere.
struct Screen {
    bar: Option<ProgressBar>,
    lines: Mutex<Lines>,
}

/// When the next line is due, and what it says.
struct Lines {
    done: u64,
    all: u64,
    begun: Instant,
    next: Duration,
}

/// Plain lines start late, so that short studies print none, and become rare.
const FIRST_LINE: Duration = Duration::from_secs(5);

impl Screen {
    fn new() -> Screen {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            let style = "{bar:30} {pos}/{len} trials, {elapsed} gone, {eta} left  {wide_msg}";
            bar.set_style(ProgressStyle::with_template(style).expect("a constant template"));
            bar
        });
        let lines = Lines { done: 0, all: 0, begun: Instant::now(), next: FIRST_LINE };
        Screen { bar, lines: Mutex::new(lines) }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Screen {
    fn begin(&self, trials: u64, there: u64) {
        let mut lines = self.lines.lock().expect("no holder panics");
        (lines.done, lines.all) = (there, trials);
        if let Some(bar) = &self.bar {
            bar.set_length(trials);
            bar.set_position(there);
            // What was there does not tell how long the rest takes.
            bar.reset_eta();
        }
        if there > 0 && there < trials {
            let text = format!("sojourner: {there} of {trials} trials are there already\n");
            match &self.bar {
                Some(bar) => bar.suspend(|| crate::say(&text)),
                None => crate::say(&text),
            }
        }
    }

    fn ended(&self, cell: &Cell, _: &Trial, skipped: u64) {
        let mut lines = self.lines.lock().expect("no holder panics");
        lines.done += 1;
        lines.all -= skipped;
        match &self.bar {
            Some(bar) => {
                bar.set_length(lines.all);
                bar.set_position(lines.done);
                bar.set_message(format!("{}, {}", cell.label(), cell.strategy));
            }
            None if lines.begun.elapsed() >= lines.next => {
                let seconds = lines.begun.elapsed().as_secs();
                crate::say(&format!("{}/{} trials, {seconds} s\n", lines.done, lines.all));
                lines.next = lines.begun.elapsed() * 2;
            }
            None => {}
        }
    }
}
