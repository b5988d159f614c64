//! Runs what is missing of a study: trials side by side, each kept as it ends.
//!
//! A row depends on its cell and its number, and on nothing else. So a study has the same rows on any number of threads, and after any
//! interruption. For this, each trial has a program of its own that has learned nothing from other trials (`Target::afresh`), and a
//! cell that ends by what it finds runs its trials in order.

use crate::database::{Database, DatabaseError};
use crate::file::{FigureKind, Stop};
use crate::plan::{Cell, Plan};
use crate::trial::{self, Trial};
use sojourner_check::{CheckError, Growth, Halt};
use sojourner_frontend::{FrontEnds, OpenError, Request, Target, Visit};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};

/// Watches a study that runs.
pub trait Watch: Sync {
    /// How many trials there are to run, and how many of them were there already.
    fn begin(&self, trials: u64, there: u64);

    /// A trial has ended; `skipped` more are not needed, because its cell has found enough.
    fn ended(&self, cell: &Cell, trial: &Trial, skipped: u64);
}

/// Why a study ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A program cannot be opened.
    #[error("{label}: {error}")]
    Open {
        /// The program with its instance.
        label: String,
        /// Why not.
        error: OpenError,
    },
    /// Options do not go together.
    #[error("{label}, {strategy}: {error}")]
    Check {
        /// The program with its instance.
        label: String,
        /// The strategy.
        strategy: String,
        /// Why not.
        error: Box<CheckError>,
    },
    /// Results cannot be kept.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Runs what is missing of a study on `jobs` threads. Returns whether it was interrupted.
pub fn run(
    plan: &Plan,
    front_ends: &impl FrontEnds,
    database: &Database,
    jobs: usize,
    halt: &Halt<'_>,
    watch: &dyn Watch,
) -> Result<bool, RunError> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let (mut all, mut there) = (0, 0);
    for cell in &plan.cells {
        let id = database.cell(cell)?;
        let trials = database.trials_of(id)?;
        let missing = Missing::of(cell, id, &trials);
        all += missing.units() + missing.there;
        there += missing.there;
        if missing.units() > 0 {
            let same = |group: &&mut Group<'_>| group.first().cell.subject.is(&cell.subject);
            match groups.iter_mut().find(same) {
                Some(group) => group.cells.push(missing),
                None => groups.push(Group { cells: vec![missing] }),
            }
        }
    }
    watch.begin(all, there);
    let grows = plan.file.figures.iter().any(|figure| figure.kind == FigureKind::Growth);
    let shared = Shared {
        seeds: trial::seeds(plan.file.run.seed, plan.most_trials()),
        database,
        halt,
        watch,
        grows,
        permits: Permits::new(jobs),
        stopped: AtomicBool::new(false),
        interrupted: AtomicBool::new(false),
        failed: Mutex::new(None),
    };
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(groups.len()) {
            scope.spawn(|| {
                while let Some(group) = groups.get(next.fetch_add(1, Relaxed)) {
                    if shared.stopped.load(Relaxed) {
                        break;
                    }
                    if let Err(error) = group.run(front_ends, jobs, &shared) {
                        shared.fail(error);
                    }
                }
            });
        }
    });
    match shared.failed.into_inner().expect("no holder panics") {
        Some(error) => Err(error),
        None => Ok(shared.interrupted.into_inner()),
    }
}

/// What all threads share.
struct Shared<'a> {
    seeds: Vec<u64>,
    database: &'a Database,
    halt: &'a Halt<'a>,
    watch: &'a dyn Watch,
    /// Whether it is taken down how searches grow.
    grows: bool,
    permits: Permits,
    /// Nothing new is begun.
    stopped: AtomicBool,
    interrupted: AtomicBool,
    failed: Mutex<Option<RunError>>,
}

impl Shared<'_> {
    /// The first error counts.
    fn fail(&self, error: RunError) {
        self.stopped.store(true, Relaxed);
        self.failed.lock().expect("no holder panics").get_or_insert(error);
    }
}

/// The trials that a cell lacks.
struct Missing<'a> {
    cell: &'a Cell,
    id: i64,
    /// Trials that are there.
    there: u64,
    /// Their numbers, in order.
    numbers: Vec<u64>,
    /// Trials among those before the first missing one that found an error.
    found: u64,
}

impl<'a> Missing<'a> {
    fn of(cell: &'a Cell, id: i64, trials: &[Trial]) -> Missing<'a> {
        let kept = enough(cell.stop, trials);
        let known: std::collections::HashSet<u64> = kept.iter().map(|trial| trial.nth).collect();
        let complete = match cell.stop {
            Stop::Trials(_) => false,
            Stop::Found { found, .. } => kept.iter().filter(|trial| trial.found()).count() as u64 >= found,
        };
        let numbers = match complete {
            true => Vec::new(),
            false => (0..cell.stop.most()).filter(|nth| !known.contains(nth)).collect(),
        };
        let found = kept.iter().filter(|trial| trial.found()).count() as u64;
        Missing { cell, id, there: known.len() as u64, numbers, found }
    }

    fn units(&self) -> u64 {
        self.numbers.len() as u64
    }
}

/// The trials of a cell that count: for a cell that ends by what it finds, those up to that end, without a gap.
pub fn enough(stop: Stop, trials: &[Trial]) -> &[Trial] {
    let end = match stop {
        Stop::Trials(n) => trials.partition_point(|trial| trial.nth < n),
        Stop::Found { found, runs } => {
            let mut left = found;
            let counts = |(at, trial): &(usize, &Trial)| {
                let goes_on = left > 0 && trial.nth == *at as u64 && trial.nth < runs;
                left -= u64::from(goes_on && trial.found());
                goes_on
            };
            trials.iter().enumerate().take_while(counts).count()
        }
    };
    &trials[..end]
}

/// Cells whose program is opened once.
struct Group<'a> {
    cells: Vec<Missing<'a>>,
}

impl<'a> Group<'a> {
    fn first(&self) -> &Missing<'a> {
        &self.cells[0]
    }

    fn run(&self, front_ends: &impl FrontEnds, jobs: usize, shared: &Shared<'_>) -> Result<(), RunError> {
        let cell = self.first().cell;
        let subject = &cell.subject;
        let request = Request {
            target: &subject.target,
            more: &subject.more,
            arguments: &subject.arguments,
            options: &subject.options,
            all: false,
            tell: |_| {},
        };
        let opened = front_ends.open(&request, Opened { group: self, jobs, shared });
        opened.map_err(|error| RunError::Open { label: cell.label(), error })?
    }

    /// What threads take one after the other: a trial, or all trials of a cell that ends by what it finds.
    fn units(&self) -> Vec<(usize, &[u64])> {
        let cells = self.cells.iter().enumerate();
        cells
            .flat_map(|(at, missing)| {
                let size = match missing.cell.stop {
                    Stop::Trials(_) => 1,
                    Stop::Found { .. } => missing.numbers.len(),
                };
                missing.numbers.chunks(size).map(move |numbers| (at, numbers))
            })
            .collect()
    }
}

/// A program that is there, with the cells that it is for.
struct Opened<'a, 'b> {
    group: &'a Group<'b>,
    jobs: usize,
    shared: &'a Shared<'a>,
}

impl Visit for Opened<'_, '_> {
    type Out = Result<(), RunError>;

    fn visit<T: Target>(self, target: &T) -> Self::Out {
        let Opened { group, jobs, shared } = self;
        let hash = target.content_hash();
        let lessons = std::cell::OnceCell::new();
        let learn = || lessons.get_or_init(|| first_lessons(target)).clone();
        let learned = group
            .cells
            .iter()
            .map(|missing| {
                let label = missing.cell.label();
                shared.database.learned(missing.id, &label, hash.clone(), learn)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let units = group.units();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(units.len()) {
                scope.spawn(|| {
                    while let Some((at, numbers)) = units.get(next.fetch_add(1, Relaxed)) {
                        if let Err(error) = several(target, &learned[*at], &group.cells[*at], numbers, shared)
                        {
                            shared.fail(error);
                        }
                        if shared.stopped.load(Relaxed) {
                            break;
                        }
                    }
                });
            }
        });
        Ok(())
    }
}

/// What a program learns before any search, so that each trial need not learn it again.
fn first_lessons<T: Target>(target: &T) -> Vec<String> {
    let program = target.afresh(None);
    // A program that cannot be opened says so in each trial.
    let _ = program.open();
    program.learned()
}

/// Runs trials of a cell in order, until it has found enough.
fn several<T: Target>(
    target: &T,
    learned: &[String],
    missing: &Missing<'_>,
    numbers: &[u64],
    shared: &Shared<'_>,
) -> Result<(), RunError> {
    let cell = missing.cell;
    let mut found = missing.found;
    for (at, nth) in numbers.iter().enumerate() {
        let _permit = shared.permits.take();
        if shared.stopped.load(Relaxed) {
            return Ok(());
        }
        let growth = (shared.grows && *nth == 0).then(|| Mutex::new(Vec::new()));
        let seed = shared.seeds[*nth as usize];
        let trial = trial::run(target, learned, cell, (*nth, seed), growth.as_ref(), shared.halt);
        let trial = trial.map_err(|error| RunError::Check {
            label: cell.label(),
            strategy: cell.strategy.clone(),
            error: Box::new(error),
        })?;
        if trial.reason == "interrupted" {
            shared.stopped.store(true, Relaxed);
            shared.interrupted.store(true, Relaxed);
            return Ok(());
        }
        let growth: Vec<Growth> =
            growth.map(|rows| rows.into_inner().expect("no holder panics")).unwrap_or_default();
        shared.database.add(missing.id, &trial, &growth)?;
        found += u64::from(trial.found());
        let over = matches!(cell.stop, Stop::Found { found: enough, .. } if found >= enough);
        let skipped = if over { (numbers.len() - at - 1) as u64 } else { 0 };
        shared.watch.ended(cell, &trial, skipped);
        if over {
            break;
        }
    }
    Ok(())
}

/// Lets a number of threads work at a time.
struct Permits {
    left: Mutex<usize>,
    returned: Condvar,
}

/// Lets a thread work until it is dropped.
struct Permit<'a>(&'a Permits);

impl Permits {
    fn new(permits: usize) -> Permits {
        Permits { left: Mutex::new(permits), returned: Condvar::new() }
    }

    fn take(&self) -> Permit<'_> {
        let left = self.left.lock().expect("no holder panics");
        let mut left = self.returned.wait_while(left, |left| *left == 0).expect("no holder panics");
        *left -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.left.lock().expect("no holder panics") += 1;
        self.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trials(found: &[bool]) -> Vec<Trial> {
        let trial = |(nth, found): (usize, &bool)| Trial {
            nth: nth as u64,
            verdict: if *found { "found" } else { "incomplete" }.into(),
            ..Trial::default()
        };
        found.iter().enumerate().map(trial).collect()
    }

    #[test]
    fn cell_ends_with_the_trial_that_finds_enough() {
        let all = trials(&[false, true, false, true, true]);
        assert_eq!(enough(Stop::Found { found: 2, runs: 100 }, &all).len(), 4);
        assert_eq!(enough(Stop::Found { found: 9, runs: 100 }, &all).len(), 5);
        assert_eq!(enough(Stop::Found { found: 9, runs: 3 }, &all).len(), 3);
        assert_eq!(enough(Stop::Trials(2), &all).len(), 2);
    }

    #[test]
    fn trials_behind_a_gap_do_not_count() {
        let mut all = trials(&[true, true, true]);
        all.remove(1);
        assert_eq!(enough(Stop::Found { found: 2, runs: 100 }, &all).len(), 1);
        assert_eq!(enough(Stop::Trials(3), &all).len(), 2);
    }
}
