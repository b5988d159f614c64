//! One trial: a check with a seed of its own, and what is kept of it.

use crate::file::Metric;
use crate::plan::Cell;
use sojourner_check::{Check, CheckError, Growth, Halt, Label, Observer, Options, Summary};
use sojourner_frontend::Target;
use sojourner_program::{Random, Verdict};
use std::sync::Mutex;

/// What is kept of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trial {
    /// Which trial of its cell it is, from 0.
    pub nth: u64,
    /// Its seed.
    pub seed: u64,
    /// Its verdict, in a word.
    pub verdict: String,
    /// Why nothing can be said, if so.
    pub reason: String,
    /// The kind of error that it found.
    pub kind: Option<String>,
    /// Different states visited.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Executions that came to an end.
    pub executions: u64,
    /// The longest schedule.
    pub depth: u64,
    /// The schedule that leads to the error.
    pub trace: Option<u64>,
    /// Wall clock.
    pub seconds: f64,
    /// The most memory that its store, its open states and its pools held.
    pub bytes: u64,
    /// Objects that the program's garbage collector has collected, and how often it ran, if it runs at all.
    pub garbage: Option<(u64, Option<u64>)>,
    /// Of several searches side by side, the one that decided.
    pub winner: Option<String>,
}

impl Trial {
    /// Whether it found an error.
    pub fn found(&self) -> bool {
        self.verdict == Verdict::Found.name()
    }

    /// Whether the clock or the memory of the machine has ended it: then another run may give another result.
    pub fn hit_the_machine(&self) -> bool {
        self.reason.starts_with("time:") || self.reason.starts_with("memory:")
    }

    /// A measure of it. A trial without an error has no trace.
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        Some(match metric {
            Metric::States => self.states as f64,
            Metric::Transitions => self.transitions as f64,
            Metric::Executions => self.executions as f64,
            Metric::Time => self.seconds,
            Metric::Trace => self.trace? as f64,
            Metric::Depth => self.depth as f64,
            Metric::Memory => self.bytes as f64,
        })
    }

    fn of(summary: &Summary, nth: u64, seed: u64) -> Trial {
        let finding = summary.findings.first();
        let memory = summary.stats.memory;
        let trace = finding.and_then(|finding| finding.trace.as_ref());
        Trial {
            nth,
            seed,
            verdict: summary.verdict.name().into(),
            reason: summary.reasons.first().cloned().unwrap_or_default(),
            kind: finding.map(|finding| finding.kind.to_string()),
            states: summary.stats.states,
            transitions: summary.stats.transitions,
            executions: summary.stats.executions,
            depth: summary.stats.max_depth,
            trace: trace.map(|trace| trace.events.len() as u64),
            seconds: summary.stats.seconds,
            bytes: memory.store + memory.queue + memory.pools,
            garbage: summary.stats.garbage.map(|garbage| (garbage.objects, garbage.runs)),
            winner: summary.winner().map(|member| member.name.clone()),
        }
    }
}

/// The seeds of trials: the first `n` numbers of a stream.
pub fn seeds(seed: u64, n: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    // Seeds are shown, typed, and kept in a database whose numbers have a sign.
    (0..n).map(|_| random.bits() >> 16).collect()
}

/// Checks a program with that seed. The error says that options do not go together.
pub fn run<T: Target>(
    target: &T,
    learned: &[String],
    cell: &Cell,
    (nth, seed): (u64, u64),
    growth: Option<&Mutex<Vec<Growth>>>,
    halt: &Halt<'_>,
) -> Result<Trial, CheckError> {
    let options = Options::of(&cell.options).seed(seed);
    let check = Check::new(options)?;
    let label = Label::new(&cell.subject.target);
    let observer = Grows(growth);
    let summary = check.run(&target.afresh(Some(learned)), &label, &observer, halt)?;
    Ok(Trial::of(&summary, nth, seed))
}

/// Takes down how a search grows.
struct Grows<'a>(Option<&'a Mutex<Vec<Growth>>>);

impl Observer for Grows<'_> {
    fn deeper(&self, growth: &Growth) {
        if let Some(rows) = self.0 {
            let mut rows = rows.lock().expect("no holder panics");
            // A search that begins again is another one.
            if growth.depth == 1 {
                rows.clear();
            }
            rows.push(*growth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_trials_have_the_same_seeds_first() {
        assert_eq!(seeds(1, 5)[..3], seeds(1, 3));
        assert_ne!(seeds(1, 3), seeds(2, 3));
        let mut all = seeds(7, 10_000);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 10_000);
    }
}
