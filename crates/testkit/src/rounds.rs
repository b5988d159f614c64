//! All executions of programs whose threads may repeat a loop for ever.
//!
//! Two oracles for reductions of such programs. [`ends`] visits every state, so that it comes to every end. [`every_but_rounds`] runs every
//! schedule in which no thread goes on that has come back to a state. It does that literally. For each step, it runs what happened before
//! the step by itself, and compares the state that this leads to with those of the steps before it.

use crate::executions::{Executions, NormalForm, Taken, normal_form};
use sojourner_program::{Choice, Detail, Fault, Finding, Kind, Load, Program, Random, Step};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What can be seen where a program ends, and what is found on the way.
pub type Ends = (BTreeSet<String>, BTreeSet<(Kind, String)>);

/// Visits every state of a program whose description is all of its state. Gives up when there are more than `limit`.
pub fn ends<L: Load>(load: &L, limit: usize) -> Result<Option<Ends>, Fault> {
    let mut program = load.open()?;
    let (mut seen, mut out) = (HashSet::new(), Ends::default());
    let (mut schedules, mut choices) = (vec![Vec::new()], Vec::new());
    let mut step = Step::new(Detail::Outcome);
    while let Some(schedule) = schedules.pop() {
        program.rewind(0)?;
        let mut failed = None;
        for &choice in &schedule {
            program.step(choice, &mut step)?;
            failed = step.finding.take();
        }
        let note = |finding: Finding| (finding.kind, finding.message);
        if let Some(finding) = failed {
            out.1.insert(note(finding));
            continue;
        }
        if !seen.insert(program.describe()) {
            continue;
        }
        if seen.len() > limit {
            return Ok(None);
        }
        choices.clear();
        program.choices(&mut choices);
        if choices.is_empty() {
            out.0.insert(program.describe());
            out.1.extend(program.judge(true).map(note));
        }
        schedules.extend(choices.iter().map(|&choice| [&schedule[..], &[choice]].concat()));
    }
    Ok(Some(out))
}

/// Runs every schedule in which threads that have come back to a state take no more steps. Gives up after `limit` steps.
pub fn every_but_rounds<L: Load>(load: &L, limit: usize) -> Result<Option<Executions>, Fault> {
    let mut all = Enumeration {
        program: load.open()?,
        replayer: load.open()?,
        taken: Vec::new(),
        rounds: Vec::new(),
        executions: Executions::default(),
        left: limit,
    };
    all.behind()?;
    Ok((all.left > 0).then_some(all.executions))
}

struct Enumeration<P> {
    program: P,
    /// Runs what happened before a step.
    replayer: P,
    taken: Vec<Taken>,
    /// By step.
    rounds: Vec<Round>,
    executions: Executions,
    left: usize,
}

/// Where what happened before a step leads with it, and whether that is a state in which the program had been then.
struct Round {
    state: String,
    back: bool,
}

impl<P: Program> Enumeration<P> {
    fn behind(&mut self) -> Result<(), Fault> {
        let mut choices = Vec::new();
        self.program.choices(&mut choices);
        if choices.is_empty() {
            let finding = self.program.judge(true);
            self.executions.add(&mut self.program, &self.taken, finding.as_ref());
        }
        choices.retain(|choice| !self.goes_round(*choice));
        let depth = self.program.depth();
        for choice in choices {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return Ok(());
            }
            let mut step = Step::new(Detail::Footprint);
            self.program.step(choice, &mut step)?;
            let (footprint, created, failed) = (step.footprint, step.created, step.finding.is_some());
            self.taken.push(Taken { choice, footprint, created, failed });
            if failed {
                self.executions.add(&mut self.program, &self.taken, step.finding.as_ref());
            } else {
                let round = self.round()?;
                self.rounds.push(round);
                self.behind()?;
                self.rounds.pop();
            }
            self.taken.pop();
            self.program.rewind(depth)?;
        }
        Ok(())
    }

    fn goes_round(&self, choice: Choice) -> bool {
        let of_thread = |(_, taken): &(&Round, &Taken)| taken.choice.thread == choice.thread;
        self.rounds.iter().zip(&self.taken).rfind(of_thread).is_some_and(|(round, _)| round.back)
    }

    /// What there is to know of the last step.
    fn round(&mut self) -> Result<Round, Fault> {
        let before = before_last(&self.taken);
        self.replayer.rewind(0)?;
        let mut step = Step::new(Detail::Outcome);
        for &at in &before {
            self.replayer.step(self.taken[at].choice, &mut step)?;
        }
        let state = self.replayer.describe();
        let been = |&at: &usize| self.rounds.get(at).is_some_and(|round| round.state == state);
        let back = before.iter().any(been);
        Ok(Round { state, back })
    }
}

/// The places of the steps that must come before the last one, and of that one itself, in order.
fn before_last(taken: &[Taken]) -> Vec<usize> {
    let own = taken.len() - 1;
    let mut before = vec![own];
    for earlier in (0..own).rev() {
        if before.iter().any(|&later| taken[later].comes_behind(&taken[earlier])) {
            before.push(earlier);
        }
    }
    before.reverse();
    before
}

/// Runs as many executions at random, up to so many steps each, and demands that a step changes the same wherever it comes among steps that do not
/// depend on it. Returns two schedules that lead to the same step, the second with another change, if there are such. The program
/// has been prepared for a reduction.
pub fn changes_differ<P: Program>(
    program: &mut P,
    executions: usize,
    longest: usize,
) -> Result<Option<[Vec<Choice>; 2]>, Fault> {
    let mut known: BTreeMap<NormalForm, (Option<u64>, Vec<Choice>)> = BTreeMap::new();
    for execution in 0..executions {
        let mut random = Random::stream(1, execution as u64);
        program.rewind(0)?;
        let (mut taken, mut choices) = (Vec::new(), Vec::new());
        let mut step = Step::new(Detail::Footprint);
        while taken.len() < longest {
            choices.clear();
            program.choices(&mut choices);
            if choices.is_empty() {
                break;
            }
            let choice = choices[random.below(choices.len())];
            program.step(choice, &mut step)?;
            let footprint = std::mem::take(&mut step.footprint);
            taken.push(Taken { choice, footprint, created: step.created.clone(), failed: false });
            if step.finding.is_some() {
                break;
            }
            let before: Vec<&Taken> = before_last(&taken).into_iter().map(|at| &taken[at]).collect();
            let schedule = || taken.iter().map(|taken| taken.choice).collect::<Vec<_>>();
            let (change, earlier) =
                known.entry(normal_form(&before)).or_insert_with(|| (step.change, schedule()));
            if *change != step.change {
                return Ok(Some([earlier.clone(), schedule()]));
            }
        }
    }
    Ok(None)
}
