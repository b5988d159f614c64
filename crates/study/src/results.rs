//! The results of a study, read back: cells with their trials.

use crate::database::{Database, DatabaseError};
use crate::file::{Metric, Preset, Shown};
use crate::plan::{Cell, Plan};
use crate::runner::enough;
use crate::stats::Sample;
use crate::stats::compare::Cost;
use crate::stats::side_by_side::Pool;
use crate::trial::Trial;
use sojourner_check::Growth;

/// The results of a study.
pub struct Results {
    /// What was asked for.
    pub plan: Plan,
    /// The trials of each cell, in the order of the plan.
    pub cells: Vec<CellResults>,
}

/// A cell with its trials.
pub struct CellResults {
    /// The cell.
    pub cell: Cell,
    /// Its trials, in order.
    pub trials: Vec<Trial>,
    /// How the search of the first trial grew, if that was asked for.
    pub growth: Vec<Growth>,
}

impl Results {
    /// Reads the trials of a plan.
    pub fn read(plan: Plan, database: &Database) -> Result<Results, DatabaseError> {
        let cells = plan
            .cells
            .iter()
            .map(|cell| {
                let trials = database.trials(cell)?;
                let kept = enough(cell.stop, &trials).to_vec();
                Ok(CellResults { cell: cell.clone(), trials: kept, growth: database.growth(cell)? })
            })
            .collect::<Result<_, DatabaseError>>()?;
        Ok(Results { plan, cells })
    }

    /// The presets of reductions, which tables never mix.
    pub fn presets(&self) -> &[Preset] {
        &self.plan.file.run.presets
    }

    /// The programs of a preset with the strategies that a table shows, in order.
    pub fn programs<K>(&self, preset: Preset, shown: &Shown<K>) -> Vec<(String, Vec<&CellResults>)> {
        let mut programs: Vec<(String, Vec<&CellResults>)> = Vec::new();
        let cells = self.cells.iter().filter(|one| one.cell.preset == preset);
        for one in cells.filter(|one| {
            shown.shows(&one.cell.strategy) || shown.baseline.as_deref() == Some(&one.cell.strategy)
        }) {
            let label = one.cell.label();
            match programs.iter_mut().find(|(known, _)| *known == label) {
                Some((_, cells)) => cells.push(one),
                None => programs.push((label, vec![one])),
            }
        }
        programs
    }

    /// Trials that the clock or the memory of the machine has ended.
    pub fn hit_the_machine(&self) -> usize {
        self.cells.iter().flat_map(|one| &one.trials).filter(|trial| trial.hit_the_machine()).count()
    }
}

impl CellResults {
    /// Trials that found an error.
    pub fn found(&self) -> u64 {
        self.trials.iter().filter(|trial| trial.found()).count() as u64
    }

    /// The path error density: the share of trials that found an error.
    pub fn density(&self) -> Option<f64> {
        (!self.trials.is_empty()).then(|| self.found() as f64 / self.trials.len() as f64)
    }

    /// What the trials cost that found an error.
    pub fn costs(&self, metric: Metric) -> Option<Sample> {
        Sample::new(self.trials.iter().filter(|trial| trial.found()).filter_map(|trial| trial.metric(metric)))
    }

    /// What each trial cost, and whether it found the error.
    pub fn censored(&self, metric: Metric) -> Vec<Cost> {
        let cost = |trial: &Trial| Some(Cost { cost: trial.metric(metric)?, found: trial.found() });
        self.trials.iter().filter_map(cost).collect()
    }

    /// The mean cost of all trials, with those that found nothing at what they took: less than they would need.
    pub fn restricted_mean(&self, metric: Metric) -> Option<f64> {
        Sample::new(self.trials.iter().filter_map(|trial| trial.metric(metric))).map(|sample| sample.mean())
    }

    /// The pool of its trials.
    pub fn pool(&self, metric: Metric) -> Pool {
        Pool::new(self.trials.iter().map(|trial| trial.metric(metric).filter(|_| trial.found())))
    }

    /// Why most of the trials without an error ended, in a word.
    pub fn why_not(&self) -> &str {
        let without = self.trials.iter().find(|trial| !trial.found());
        without.map_or("", |trial| match trial.verdict.as_str() {
            "clean" => "clean",
            _ => trial.reason.split(':').next().unwrap_or_default(),
        })
    }
}
