//! Making a finding's schedule short before people see it: fewest context switches, then fewest steps, that a
//! bounded effort can reach.
//!
//! Three ways, and the best result of all. By schedule: leave out parts of it, and move runs of one thread together,
//! as long as the same defect is still reached. By sampling: executions with few changes of priority switch rarely,
//! and some of them reach the same defect sooner. Both need nothing but a program that can be rewound. By search,
//! where states can be told apart: breadth-first for the fewest steps, and best-first by switches for the fewest of
//! those. Whatever comes out has been followed to the same defect. Programs learn nothing meanwhile: the schedule that
//! is made short would no longer fit them.

use crate::control::{Halt, Unobserved, Wanted};
use crate::frontier::Ties;
use crate::replay::follow;
use crate::rounds::WithoutLearning;
use crate::{
    Bounds, Heuristic, Outcome, Settings, SettingsError, Shape, Strategy, explore_fingerprints,
    explore_stateless,
};
use sojourner_program::{Choice, Fault, Finding, Load, Reducible, Schedule, Stateful};
use sojourner_store::StoreKind;
use std::time::{Duration, Instant};

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Steps of the program, in attempts to change a schedule, and as many in samples.
    pub steps: u64,
    /// States, in each of the two searches.
    pub states: u64,
    /// Time, for all of it: steps may be slow.
    pub time: Duration,
    /// Resident memory of the process, in bytes, at which searches stop.
    pub memory: Option<u64>,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { steps: 2_000_000, states: 1_000_000, time: Duration::from_secs(30), memory: None }
    }
}

/// The number of places in a schedule where another thread goes on than before.
pub fn context_switches(schedule: &[Choice]) -> usize {
    schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// What is made small.
fn size(schedule: &[Choice]) -> (usize, usize) {
    (context_switches(schedule), schedule.len())
}

/// A schedule to the same defect that is no larger, by schedule and by search.
pub fn shorten<L>(
    load: &L,
    schedule: &[Choice],
    defect: &Finding,
    effort: Effort,
    halt: &Halt<'_>,
) -> Result<Schedule, Fault>
where
    L: Load,
    L::P: Stateful + Reducible,
{
    let work = Shortening {
        load: &WithoutLearning(load),
        defect,
        effort,
        deadline: Instant::now() + effort.time,
        halt,
    };
    let mut best = work.without_states(schedule)?;
    for shape in [Shape::BreadthFirst(None), Shape::best_first(Ties::Age)] {
        if work.is_over() {
            break;
        }
        let strategy = Strategy { heuristic: Heuristic::Switches, ..Strategy::plain(shape) };
        let mut settings = work.settings(strategy);
        settings.budget.states = Some(effort.states);
        let outcome = explore_fingerprints(work.load, &settings, halt, &Unobserved);
        best = work.better(best, outcome)?;
    }
    Ok(best)
}

/// A schedule to the same defect that is no larger, by schedule and by sampling.
pub fn shorten_stateless<L: Load<P: Reducible>>(
    load: &L,
    schedule: &[Choice],
    defect: &Finding,
    effort: Effort,
    halt: &Halt<'_>,
) -> Result<Schedule, Fault> {
    let load = &WithoutLearning(load);
    Shortening { load, defect, effort, deadline: Instant::now() + effort.time, halt }.without_states(schedule)
}

/// Samples are drawn for defects of depth 1 up to this: few need more.
const SAMPLED_DEPTHS: usize = 4;

/// The number of samples that miss a defect of that depth one time in a hundred, if the schedule is as long as an execution. A sample meets
/// it with a probability of 1/kn^(d-1), with k threads and n steps (Burckhardt et al. 2010, section 3).
fn enough_samples(schedule: &[Choice], depth: usize) -> u64 {
    let mut threads: Vec<_> = schedule.iter().map(|choice| choice.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let power = (schedule.len() as u64).saturating_pow(depth as u32 - 1);
    power.saturating_mul(5 * threads.len() as u64).max(1)
}

/// What is to be made short, and with how much effort.
struct Shortening<'a, L> {
    load: &'a L,
    defect: &'a Finding,
    effort: Effort,
    deadline: Instant,
    halt: &'a Halt<'a>,
}

impl<L: Load<P: Reducible>> Shortening<'_, L> {
    fn without_states(&self, schedule: &[Choice]) -> Result<Schedule, Fault> {
        let mut best = self.by_schedule(schedule)?;
        for depth in 1..=SAMPLED_DEPTHS {
            if self.is_over() {
                break;
            }
            let mut settings = self.settings(Strategy::plain(Shape::Pct(Some(depth))));
            settings.store = StoreKind::None;
            settings.bounds.depth =
                Some(u32::try_from(best.len()).unwrap_or(u32::MAX).min(Bounds::MAX_DEPTH));
            let affordable = self.effort.steps / SAMPLED_DEPTHS as u64 / (best.len() as u64 + 1);
            settings.budget.executions = Some(affordable.min(enough_samples(&best, depth)));
            let outcome = explore_stateless(self.load, &settings, self.halt, &Unobserved);
            best = self.better(best, outcome)?;
        }
        Ok(best)
    }

    /// A search for the same defect in the time that is left.
    fn settings(&self, strategy: Strategy) -> Settings {
        let mut settings = Settings::new(strategy);
        settings.budget.time = Some(self.deadline.saturating_duration_since(Instant::now()));
        settings.budget.memory = self.effort.memory;
        settings.wanted = Wanted::Same(self.defect.clone());
        settings
    }

    /// Whether nothing more is to be tried.
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.halt.reason().is_some()
    }

    /// The smaller one of a schedule and what a search has found.
    fn better(&self, best: Schedule, outcome: Result<Outcome, SettingsError>) -> Result<Schedule, Fault> {
        let found =
            outcome.ok().and_then(|outcome| outcome.found.into_iter().find_map(|found| found.schedule));
        let Some(found) = found else { return Ok(best) };
        let found = self.by_schedule(&found)?;
        Ok(if size(&found) < size(&best) { found } else { best })
    }

    /// A schedule to the same defect that is no larger, by changing the schedule.
    fn by_schedule(&self, schedule: &[Choice]) -> Result<Schedule, Fault> {
        let mut program = self.load.open()?;
        let mut attempts = Attempts { program: &mut program, work: self, steps_left: self.effort.steps };
        // A schedule may go on behind the finding.
        let Some(mut best) = attempts.follow(schedule)? else { return Ok(schedule.to_vec()) };
        loop {
            let before = size(&best);
            leave_out(&mut best, &mut attempts);
            move_together(&mut best, &mut attempts);
            if size(&best) == before || attempts.steps_left == 0 {
                return Ok(best);
            }
        }
    }
}

/// Tries schedules until the effort is spent.
struct Attempts<'a, L: Load> {
    program: &'a mut L::P,
    work: &'a Shortening<'a, L>,
    steps_left: u64,
}

impl<L: Load<P: Reducible>> Attempts<'_, L> {
    fn follow(&mut self, candidate: &[Choice]) -> Result<Option<Schedule>, Fault> {
        follow(self.program, candidate.iter().copied(), self.work.defect)
    }

    /// Replaces `best` by what the candidate leads to, if that is the same defect and smaller.
    fn improve(&mut self, best: &mut Schedule, candidate: &[Choice]) -> bool {
        let cost = candidate.len() as u64;
        if cost > self.steps_left || self.work.is_over() {
            self.steps_left = 0;
            return false;
        }
        self.steps_left -= cost;
        // A candidate may lead to where the program cannot go on: then it is none.
        let shorter = self.follow(candidate).ok().flatten().filter(|shorter| size(shorter) < size(best));
        shorter.map(|shorter| *best = shorter).is_some()
    }
}

/// Leaves out parts, large ones first (delta debugging).
fn leave_out<L: Load<P: Reducible>>(best: &mut Schedule, attempts: &mut Attempts<'_, L>) {
    let mut part = best.len().div_ceil(2);
    while part > 0 && attempts.steps_left > 0 {
        let mut start = 0;
        while start < best.len() && attempts.steps_left > 0 {
            let end = (start + part).min(best.len());
            let candidate = [&best[..start], &best[end..]].concat();
            if !attempts.improve(best, &candidate) {
                start = end;
            }
        }
        part /= 2;
    }
}

/// Moves a run of one thread up to its run before, or the one before down to it.
fn move_together<L: Load<P: Reducible>>(best: &mut Schedule, attempts: &mut Attempts<'_, L>) {
    let mut at = 0;
    while attempts.steps_left > 0 {
        let runs: Vec<&[Choice]> = best.chunk_by(|a, b| a.thread == b.thread).collect();
        let Some(run) = runs.get(at) else { break };
        let thread = run[0].thread;
        let Some(before) = runs[..at].iter().rposition(|run| run[0].thread == thread) else {
            at += 1;
            continue;
        };
        let up = [&runs[..=before], &[runs[at]], &runs[before + 1..at], &runs[at + 1..]].concat().concat();
        let down = [&runs[..before], &runs[before + 1..at], &[runs[before]], &runs[at..]].concat().concat();
        if attempts.improve(best, &up) || attempts.improve(best, &down) {
            at = before;
        } else {
            at += 1;
        }
    }
}
