//! Runs every execution of a program, one schedule after the other, and tells which are the same but for the order of
//! independent steps.
//!
//! Reductions are compared with it, so it shares no code with them: dependence is looked at pair by pair.

use sojourner_program::{
    Choice, Detail, Fault, Finding, Footprint, Kind, Load, Program, Reducible, Step, ThreadId, dependent,
    forward,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The Foata normal form of an execution: its steps, each with the length of the longest chain of dependent steps that
/// leads to it. Equivalent executions have the same.
pub type NormalForm = Vec<(usize, Choice, usize)>;

/// The complete executions of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    /// Their normal forms.
    pub normal_forms: BTreeSet<NormalForm>,
    /// What could be seen at their ends, of those that did not fail.
    pub ends: BTreeSet<String>,
    /// What was found at their ends.
    pub findings: BTreeSet<(Kind, String)>,
}

/// A step, as far as equivalence goes.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub choice: Choice,
    pub footprint: Footprint,
    pub created: Vec<ThreadId>,
    pub failed: bool,
}

impl Taken {
    /// Whether this step must come behind an earlier one.
    pub fn comes_behind(&self, earlier: &Taken) -> bool {
        // Nothing follows a step that fails, so everything comes before it.
        earlier.choice.thread == self.choice.thread
            || earlier.created.contains(&self.choice.thread)
            || self.failed
            || dependent(&earlier.footprint, &self.footprint)
    }
}

impl Executions {
    pub(crate) fn add<P: Program>(&mut self, program: &mut P, taken: &[Taken], finding: Option<&Finding>) {
        self.normal_forms.insert(normal_form(&taken.iter().collect::<Vec<_>>()));
        if !taken.last().is_some_and(|last| last.failed) {
            self.ends.insert(program.describe());
        }
        self.findings.extend(finding.map(|finding| (finding.kind, finding.message.clone())));
    }
}

/// The normal form of steps that were taken in that order.
pub(crate) fn normal_form(taken: &[&Taken]) -> NormalForm {
    let mut form: NormalForm = Vec::new();
    for (at, step) in taken.iter().enumerate() {
        let thread = step.choice.thread;
        let behind = taken[..at].iter().zip(&form).filter(|(earlier, _)| step.comes_behind(earlier));
        let level = behind.map(|(_, (level, ..))| level + 1).max().unwrap_or(0);
        let index = taken[..at].iter().filter(|earlier| earlier.choice.thread == thread).count();
        form.push((level, step.choice, index));
    }
    form.sort_unstable();
    form
}

/// Runs every schedule. Gives up when there are more than `limit` executions.
pub fn every<L: Load>(load: &L, limit: usize) -> Result<Option<Executions>, Fault> {
    let mut program = load.open()?;
    let mut executions = Executions::default();
    let (mut left, mut taken) = (limit, Vec::new());
    let done = behind(&mut program, &mut taken, &mut executions, &mut left)?;
    Ok(done.then_some(executions))
}

fn behind<P: Program>(
    program: &mut P,
    taken: &mut Vec<Taken>,
    executions: &mut Executions,
    left: &mut usize,
) -> Result<bool, Fault> {
    let mut choices = Vec::new();
    program.choices(&mut choices);
    let depth = program.depth();
    if choices.is_empty() {
        let finding = program.judge(true);
        executions.add(program, taken, finding.as_ref());
        *left = left.saturating_sub(1);
    } else {
        let finding = program.judge(false);
        executions.findings.extend(finding.map(|finding| (finding.kind, finding.message)));
    }
    for choice in choices {
        let mut step = Step::new(Detail::Footprint);
        program.step(choice, &mut step)?;
        let (footprint, created, failed) = (step.footprint, step.created, step.finding.is_some());
        taken.push(Taken { choice, footprint, created, failed });
        if failed {
            executions.add(program, taken, step.finding.as_ref());
            *left = left.saturating_sub(1);
        } else if !behind(program, taken, executions, left)? {
            return Ok(false);
        }
        taken.pop();
        program.rewind(depth)?;
    }
    Ok(*left > 0)
}

/// Any programs, with the complete executions that are run with them taken down.
pub struct Traced<L> {
    load: L,
    quiet: bool,
    executions: Arc<Mutex<Executions>>,
}

impl<L: Load> Traced<L> {
    /// The same programs. The quiet ones do not tell what is wrong with their states, so that no search ends by that.
    pub fn new(load: L, quiet: bool) -> Self {
        Traced { load, quiet, executions: Arc::default() }
    }

    /// What was taken down, which is then forgotten.
    pub fn take(&self) -> Executions {
        std::mem::take(&mut self.executions.lock().expect("no holder panics"))
    }
}

impl<L: Load> Load for Traced<L> {
    type P = Tracing<L::P>;

    forward!(Load for load, except open, renew, open_to_follow);

    fn open(&self) -> Result<Tracing<L::P>, Fault> {
        let executions = Arc::clone(&self.executions);
        Ok(Tracing { program: self.load.open()?, taken: Vec::new(), quiet: self.quiet, executions })
    }
}

/// A program whose executions are taken down.
pub struct Tracing<P> {
    program: P,
    quiet: bool,
    taken: Vec<Taken>,
    executions: Arc<Mutex<Executions>>,
}

impl<P: Program> Program for Tracing<P> {
    type Place = P::Place;

    forward!(Program for program, except step, judge, rewind, go);

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        let finding = self.program.judge(stuck);
        let mut executions = self.executions.lock().expect("no holder panics");
        if stuck {
            executions.add(&mut self.program, &self.taken, finding.as_ref());
        } else {
            executions
                .findings
                .extend(finding.as_ref().map(|finding| (finding.kind, finding.message.clone())));
        }
        drop(executions);
        finding.filter(|_| !self.quiet)
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        let asked = step.detail;
        step.detail = asked.max(Detail::Footprint);
        let stepped = self.program.step(choice, step);
        step.detail = asked;
        stepped?;
        if self.quiet {
            // A search reports statuses that differ, and would end there.
            step.exit_status = None;
        }
        let (footprint, created) = (step.footprint.clone(), step.created.clone());
        self.taken.push(Taken { choice, footprint, created, failed: step.finding.is_some() });
        if step.finding.is_some() {
            let mut executions = self.executions.lock().expect("no holder panics");
            executions.add(&mut self.program, &self.taken, step.finding.as_ref());
        }
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        self.taken.truncate(depth);
        self.program.rewind(depth)
    }

    fn go(&mut self, place: &P::Place) -> Result<(), Fault> {
        self.taken.clear();
        self.program.go(place)
    }
}

impl<P: Reducible> Reducible for Tracing<P> {
    forward!(Reducible for program);
}
