//! The loop: begin the deepest branch that waits, run to the end, plan the reversal of every new race.

use super::Reduction;
use super::effect::{Effect, PlannedStep};
use super::node::{Branch, Node, SharedState, Stage, asleep_in, take};
use super::path::{Path, State};
use super::plan::Planner;
use super::share::{Job, Shared};
use super::single_thread_loops::go_on_alone;
use crate::control::Control;
use crate::engine::{Flow, Run};
use crate::goals::Goals;
use crate::memory::{Sampling, WorkerShare};
use crate::outcome::Tally;
use crate::pace::Pace;
use crate::{Bounds, Past, Reach, Reason};
use sojourner_program::{
    Choice, Detail, Fault, Finding, Footprint, Promises, Reducible, Status, Step, Thread, ThreadId,
};
use std::sync::Arc;

/// A worker of a search with dynamic partial order reduction.
pub(crate) struct Worker<'a, P> {
    program: P,
    control: Arc<Control<'a>>,
    shared: Arc<Shared>,
    mode: Reduction,
    /// What is not explored.
    bounds: Bounds,
    /// Told how long executions are.
    reach: Option<Arc<Reach>>,
    /// Whether it begins with the first state, or waits for another worker to hand over work.
    leads: bool,
    path: Path,
    /// What is asleep where the program stands.
    asleep: Vec<PlannedStep>,
    /// How the execution is likely to go on.
    likely: ExpectedChoices,
    planner: Planner,
    goals: Goals,
    step: Step,
    threads: Vec<Thread>,
    tally: Tally,
    pace: Pace,
    share: WorkerShare,
    sampling: Sampling,
    /// The depth that it has come to at most.
    deepest: usize,
    /// The program ended with the last step, which has no other place than the end.
    left: bool,
    /// A thread could move where the program stands, and does not, because it has gone round.
    goes_round: bool,
    /// The exit status of the last execution that ended: mostly the next one has the same.
    status: Option<i32>,
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// No thread could move.
    Complete,
    /// The last step failed.
    Failed,
    /// All that could move was asleep.
    Blocked,
    /// The depth bound was reached.
    Cut,
    /// What was planned was not possible.
    InVain,
    /// The search is to end.
    Stopped,
}

impl<'a, P: Reducible> Worker<'a, P> {
    pub fn new(
        mut program: P,
        control: Arc<Control<'a>>,
        shared: Arc<Shared>,
        mode: Reduction,
        bounds: Bounds,
        leads: bool,
    ) -> Self {
        let goes_on = control.goes_on_after_findings();
        let promises = program.prepare_reduction(goes_on).unwrap_or_else(|fault| {
            control.fail(fault);
            Promises { exact_footprints: false, judges_ends_only: true }
        });
        if !promises.judges_ends_only {
            control.cut(Reason::Reduced);
        }
        // A whole sequence is planned for what its steps are expected to touch, and stands for others that it covers. If the
        // last step is not possible then, touches more, or fails, so that nothing comes after it, it does not cover them.
        let exact = promises.exact_footprints;
        let bounded = bounds.preemptions.is_some();
        let stepwise = !exact || goes_on || bounded;
        let mode = if mode == Reduction::Optimal && stepwise { Reduction::Source } else { mode };
        let (share, sampling) = (WorkerShare::new(&program.usage()), Sampling::new(control.sample_every()));
        Worker {
            planner: Planner::new(mode, exact, bounded),
            goals: Goals::of(&program),
            program,
            control,
            shared,
            mode,
            bounds,
            reach: None,
            leads,
            path: Path::default(),
            asleep: Vec::new(),
            likely: ExpectedChoices::default(),
            step: Step::new(Detail::Footprint),
            threads: Vec::new(),
            tally: Tally::default(),
            pace: Pace::new(),
            share,
            sampling,
            deepest: 0,
            left: false,
            goes_round: false,
            status: None,
        }
    }

    /// It says to others how long its executions are.
    pub fn telling(self, reach: Option<Arc<Reach>>) -> Self {
        Worker { reach, ..self }
    }

    fn turn(&mut self, turn: u64) -> Result<Flow, Fault> {
        self.pace.resume();
        let mut left = turn;
        while left > 0 {
            if self.control.stopped() || self.control.executions_spent(&self.tally) {
                return Ok(Flow::Ended);
            }
            let before = self.tally.transitions;
            if !self.execution()? {
                return Ok(Flow::Ended);
            }
            // What was counted may have been reported and set back in between; then the turn is somewhat longer.
            left = left.saturating_sub(self.tally.transitions.saturating_sub(before).max(1));
            self.hand_over();
        }
        Ok(Flow::Paused)
    }

    /// Runs the next execution. False: there is none.
    fn execution(&mut self) -> Result<bool, Fault> {
        let begun = if std::mem::take(&mut self.leads) {
            self.arrive(Node::Own(Vec::new()));
            None
        } else {
            let Some(branch) = self.next()? else { return Ok(false) };
            Some(branch)
        };
        self.run_from(begun)?;
        Ok(true)
    }

    /// Runs an execution from where the program stands.
    fn run_from(&mut self, begun: Option<usize>) -> Result<(), Fault> {
        self.tally.runs += 1;
        let fresh = self.path.history.len();
        let end = self.go_on(begun)?;
        self.conclude(fresh, end);
        Ok(())
    }

    /// Begins the next branch: the deepest of this worker's path, or one that another hands over. The program then
    /// stands where it begins.
    fn next(&mut self) -> Result<Option<usize>, Fault> {
        loop {
            while let Some(depth) = self.path.states.len().checked_sub(1) {
                let state = self.path.states.at(depth);
                if state.node.is_over() {
                    self.path.states.pop();
                    continue;
                }
                self.asleep.clear();
                self.asleep.extend_from_slice(state.asleep);
                if let Some(branch) = state.node.take_or_leave(&mut self.asleep) {
                    self.path.history.truncate(depth);
                    self.program.rewind(depth)?;
                    return Ok(Some(branch));
                }
                self.path.states.pop();
            }
            let pool = self.shared.pool.as_ref();
            self.planner.forget();
            let Some(job) = pool.and_then(|pool| pool.take(&self.control)) else { return Ok(None) };
            if let Some(branch) = self.accept(job)? {
                return Ok(Some(branch));
            }
        }
    }

    /// Goes on with what another worker hands over. Returns the branch to begin with, if that is settled.
    fn accept(&mut self, job: Job) -> Result<Option<usize>, Fault> {
        match job {
            Job::Together(joints) => {
                self.join(&joints)?;
                Ok(None)
            }
            Job::Alone(path, branch) => {
                self.adopt(*path, branch)?;
                Ok(Some(branch))
            }
        }
    }

    /// Goes along states that are shared, to take part in what is open there.
    fn join(&mut self, joints: &[Arc<SharedState>]) -> Result<(), Fault> {
        self.program.rewind(0)?;
        self.path.history.truncate(0);
        let branches = joints.iter().skip(1).map(|joint| joint.before.as_ref().map(|before| before.1));
        for (joint, branch) in joints.iter().zip(branches.chain([None])) {
            let depth = self.path.history.len();
            let mut open = joint.open();
            open.workers += 1;
            let choice = branch.map(|branch| open.branches[branch].first.choice);
            drop(open);
            self.asleep.clone_from(&joint.asleep);
            self.open(Node::Shared(Arc::clone(joint)));
            let local = self.path.states.at(depth).local;
            (local.branch, local.stepwise) = (branch.unwrap_or(0), joint.stepwise);
            if let Some(choice) = choice {
                self.take(choice)?;
            }
        }
        Ok(())
    }

    /// Goes on with a copy of another worker's path.
    fn adopt(&mut self, path: Path, branch: usize) -> Result<(), Fault> {
        self.program.rewind(0)?;
        let mut step = Step::new(Detail::Outcome);
        for event in path.history.events() {
            self.program.step(event.choice, &mut step)?;
        }
        self.path = path;
        let state = self.path.states.at(self.path.history.len());
        self.asleep.clear();
        self.asleep.extend_from_slice(state.asleep);
        state.node.with(|branches| asleep_in(branches, branch, &mut self.asleep));
        Ok(())
    }

    /// Runs to the end of the execution: first along a branch that was begun and what is planned below it, then on with
    /// whatever is not asleep.
    fn go_on(&mut self, mut begun: Option<usize>) -> Result<End, Fault> {
        loop {
            let depth = self.path.history.len();
            let State { choices, asleep, local, node } = self.path.states.at(depth);
            if choices.is_empty() {
                let leaving = if self.goes_round { self.program.exit_choice() } else { None };
                let Some(choice) = leaving else {
                    if self.goes_round {
                        self.look_for_rounds()?;
                    }
                    return Ok(End::Complete);
                };
                if self.advance(choice)? {
                    return Ok(End::Failed);
                }
                self.arrive(Node::Own(Vec::new()));
                continue;
            }
            if self.control.stopped() || self.control.states_spent(&self.tally) {
                return Ok(End::Stopped);
            }
            if let Some(bound) = self.bounds.depth.filter(|bound| depth >= *bound as usize) {
                self.control.cut(Reason::Depth(bound));
                return Ok(End::Cut);
            }
            let begins = begun.is_some();
            let branch = begun.take().or_else(|| node.with(|branches| take(branches, &mut self.asleep)));
            if self.bounds.preemptions.is_some() {
                // What is explored from another branch may be beyond the bound there, and within it here.
                self.asleep.clear();
            }
            if begins && let Some(branch) = branch {
                node.with(|branches| branches[branch].expected(&mut self.likely.choices));
                self.likely.from = depth;
                self.program.expect(&self.likely.choices);
            }
            let choice = match branch {
                // What is planned was taken elsewhere, where its thread had not gone round. That should be so here, too.
                Some(branch) => match node.with(|branches| offered(&mut branches[branch], choices)) {
                    Err(choice) if self.path.history.goes_round(choice.thread) => choice,
                    Ok(Some(choice)) => choice,
                    Err(choice) => {
                        let why =
                            "a step was left out before it that it does not depend on, by their footprints";
                        let diverged = Fault::Diverged { step: depth, choice, why: why.into() };
                        return Err(self.program.retract().unwrap_or(diverged));
                    }
                    Ok(None) if node.with(|branches| branches.iter().any(|b| b.stage != Stage::Void)) => {
                        return Ok(End::InVain);
                    }
                    Ok(None) => continue,
                },
                None => {
                    let last = self.path.history.events().last().map(|event| event.choice.thread);
                    let likely = self.likely.at(depth);
                    let Some(choice) = awake(choices, &self.asleep, likely, last) else {
                        self.tally.blocked_executions += 1;
                        return Ok(End::Blocked);
                    };
                    // What was planned here, if anything, has turned out to be in vain.
                    node.with(Vec::clear);
                    local.stepwise = self.mode != Reduction::Optimal || !asleep.is_empty();
                    choice
                }
            };
            local.branch = branch.unwrap_or(0);
            let failed = self.advance(choice)?;
            let mut below = Node::Own(Vec::new());
            if let Some(branch) = branch {
                let effect = self.path.history.event(depth).effect.clone();
                let node = self.path.states.at(depth).node;
                below = node.settle(branch, PlannedStep::new(choice, effect), &self.asleep);
            }
            if failed {
                return Ok(End::Failed);
            }
            self.arrive(below);
        }
    }

    /// Takes a step. Returns whether it failed.
    fn advance(&mut self, choice: Choice) -> Result<bool, Fault> {
        self.tally.transitions += 1;
        let finding = self.take(choice)?;
        let failed = finding.is_some();
        let depth = self.path.history.len();
        self.tally.max_depth = self.tally.max_depth.max(depth as u64);
        if depth > self.deepest {
            self.deepest = depth;
            self.control.deeper(depth as u64, &self.tally);
        }
        if self.pace.step() {
            self.report();
        }
        if let Some(finding) = finding {
            self.control.found(finding, || self.program.full_schedule(self.path.schedule()));
        }
        if !self.step.lesser.is_empty() {
            let Worker { control, step, program, path, .. } = self;
            control.noted(&mut step.lesser, || program.full_schedule(path.schedule()));
        }
        Ok(failed)
    }

    /// Has the program take a step, and takes it down.
    fn take(&mut self, choice: Choice) -> Result<Option<Finding>, Fault> {
        self.program.step(choice, &mut self.step)?;
        let footprint = std::mem::replace(&mut self.step.footprint, Footprint::Unknown);
        let finding = self.step.finding.take();
        self.left = self.step.leaves;
        let effect = if finding.is_some() { Effect::of_end(footprint) } else { Effect::of(footprint) };
        self.asleep.retain(|asleep| asleep.outlasts(choice, &effect));
        self.path.history.push(choice, effect, &self.step.created, self.step.change);
        Ok(finding)
    }

    /// Opens the state that the program is in, with what may be chosen there.
    fn open(&mut self, node: Node) {
        let Worker { path: Path { history, states }, asleep, program, control, bounds, goes_round, .. } =
            self;
        let depth = history.len();
        let mut past = Past::START;
        if let (Some(_), Some(last)) = (bounds.preemptions, history.events().last()) {
            past = states.at(depth - 1).local.past.after(last.choice);
        }
        states.push(asleep, node, |choices| {
            let first = choices.len();
            program.choices(choices);
            *goes_round = choices.extract_if(first.., |choice| history.goes_round(choice.thread)).count() > 0;
            if bounds.preemptions.is_none() {
                return;
            }
            let mut own = choices.split_off(first);
            past = past.facing(&own);
            let preemptions = Bounds { depth: None, ..*bounds };
            if let Some(reason) = preemptions.cut(past, depth, &mut own) {
                control.cut(reason);
            }
            choices.append(&mut own);
        });
        states.at(depth).local.past = past;
    }

    /// The program has come to a state.
    fn arrive(&mut self, node: Node) {
        self.tally.states += 1;
        self.open(node);
        let stuck = self.path.states.at(self.path.history.len()).choices.is_empty() && !self.goes_round;
        if let Some(finding) = self.program.judge(stuck) {
            self.control.found(finding, || self.program.full_schedule(self.path.schedule()));
        } else if stuck
            && let status @ Some(number) = self.step.exit_status
            && self.status != status
        {
            self.status = status;
            self.control.ended_with(number, || self.program.full_schedule(self.path.schedule()));
        }
        self.goals.look(&mut self.program, &self.control);
    }

    /// All that can move have gone round: if that is one thread, which will do so for ever, it is a finding.
    fn look_for_rounds(&mut self) -> Result<(), Fault> {
        if let Some((finding, behind)) = go_on_alone(&mut self.program)? {
            let mut schedule = self.path.schedule();
            schedule.extend(behind);
            self.control.found(finding, || self.program.full_schedule(schedule));
        }
        Ok(())
    }

    /// An execution has ended: counts it, and plans what its steps from `fresh` on give rise to.
    fn conclude(&mut self, fresh: usize, end: End) {
        if end == End::Complete && (self.goes_round || self.program.is_cut()) {
            self.tally.cut_executions += 1;
        } else if matches!(end, End::Complete | End::Failed) {
            self.tally.executions += 1;
            if let Some(reach) = &self.reach {
                reach.ended(self.path.history.len());
            }
            let twice = !self.mode.plans_together() || self.bounds.preemptions.is_some();
            if twice && !self.shared.known.insert(&self.path.history) {
                self.tally.redundant_executions += 1;
            }
        }
        if self.control.stopped() || end == End::InVain {
            return;
        }
        let left = self.left;
        let Worker { path, planner, threads, program, control, .. } = self;
        let len = path.history.len();
        // Nothing follows a step that failed, or that ends the program, so that it is not on the way to another.
        let going = len - usize::from(end == End::Failed || end == End::Complete && left);
        planner.steps(path, fresh, going, control);
        threads.clear();
        program.threads(threads);
        for thread in threads.drain(..) {
            // What is asleep is explored elsewhere, with what comes after it. What waits here may not be.
            let counts = match thread.status {
                _ if path.history.goes_round(thread.id) => false,
                Status::Finished => false,
                Status::Ready => end != End::Blocked,
                Status::Blocked(_) => true,
            };
            if counts {
                planner.pending(path, thread, going, control);
            }
        }
        for joint in planner.left_alone.drain(..) {
            if let (Some(pool), Some(job)) = (&self.shared.pool, Job::at(joint)) {
                pool.give(job);
            }
        }
    }

    /// Gives a branch away, if another worker has nothing to do.
    fn hand_over(&mut self) {
        if let Some(pool) = &self.shared.pool
            && pool.hungry()
            && let Some(job) = self.shared.split(&mut self.path, self.mode)
        {
            pool.give(job);
        }
    }

    fn report(&mut self) {
        let depth = self.path.history.len();
        let usage = self.program.usage();
        self.control.holds(&mut self.share, self.path.bytes() + usage.path, &usage);
        let now = self.control.report(&self.tally, depth, self.path.states.len());
        if self.sampling.count(self.tally.transitions) {
            self.control.sample(depth);
        }
        self.pace.looked(now, self.sampling.left());
        self.tally = Tally::default();
    }
}

/// What an execution will most likely do: what is planned, and what the one did that gave rise to it.
#[derive(Default)]
struct ExpectedChoices {
    choices: Vec<Choice>,
    /// The depth from which on.
    from: usize,
}

impl ExpectedChoices {
    fn at(&self, depth: usize) -> Option<Choice> {
        self.choices.get(depth.checked_sub(self.from)?).copied()
    }
}

/// A choice that is not asleep: the one that is likely, or else one of the thread that moved last, if there is one. Then
/// fewer executions turn out to be asleep later.
fn awake(
    choices: &[Choice],
    asleep: &[PlannedStep],
    likely: Option<Choice>,
    last: Option<ThreadId>,
) -> Option<Choice> {
    let awake =
        choices.iter().copied().filter(|choice| !asleep.iter().any(|asleep| asleep.choice == *choice));
    let same = || awake.clone().find(|choice| Some(choice.thread) == last);
    awake.clone().find(|choice| Some(*choice) == likely).or_else(same).or_else(|| awake.clone().next())
}

/// The choice that begins a branch, if the state offers it. The last one of a sequence may have become another outcome of the
/// same thread, or turn out to be impossible. One before it must be possible; if not, that is what is returned.
fn offered(branch: &mut Branch, choices: &[Choice]) -> Result<Option<Choice>, Choice> {
    let choice = branch.first.choice;
    if choices.contains(&choice) {
        return Ok(Some(choice));
    }
    if !branch.below.is_empty() {
        return Err(choice);
    }
    let other = choices.iter().copied().find(|other| other.thread == choice.thread);
    if other.is_none() {
        branch.stage = Stage::Void;
    }
    Ok(other)
}

impl<P: Reducible> Run<P> for Worker<'_, P> {
    fn run(&mut self, turn: u64) -> Flow {
        let flow = self.turn(turn).unwrap_or_else(|fault| {
            self.control.fail(fault);
            Flow::Ended
        });
        self.report();
        flow
    }

    fn into_program(self: Box<Self>) -> P {
        self.program
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Budget, Halt, Unobserved, Wanted};
    use sojourner_program::Load;
    use sojourner_testkit::threads::*;

    /// Two workers share the paper's Figure 7 as in its Figure 8: the first hands over what it can after its first
    /// execution, and then they take turns. Returns how many executions they run, and how many of them twice.
    fn figure_8(mode: Reduction) -> (u64, u64) {
        let load = Threaded::new(Counter { threads: 3, rounds: 1, adds: false });
        let halt = Halt::new();
        let control = Arc::new(Control::new(Budget::default(), None, Wanted::First, &halt, &Unobserved));
        let shared = Arc::new(Shared::new(1, 1));
        let worker = |leads| {
            let (control, shared) = (Arc::clone(&control), Arc::clone(&shared));
            Worker::new(load.open().unwrap(), control, shared, mode, Bounds::default(), leads)
        };
        let (mut first, mut second) = (worker(true), worker(false));
        assert!(first.execution().unwrap());
        if let Some(job) = shared.split(&mut first.path, mode)
            && let Some(branch) = second.accept(job).unwrap()
        {
            second.run_from(Some(branch)).unwrap();
        }
        while first.execution().unwrap() | second.execution().unwrap() {}
        first.report();
        second.report();
        let tally = control.tally();
        (tally.executions, tally.redundant_executions)
    }

    #[test]
    fn only_workers_with_shared_plans_run_each_execution_once() {
        let (executions, redundant) = figure_8(Reduction::Classic);
        assert!(redundant > 0);
        assert_eq!(executions - redundant, 6);
        assert_eq!(figure_8(Reduction::Eager), (6, 0));
        assert_eq!(figure_8(Reduction::Source), (6, 0));
        assert_eq!(figure_8(Reduction::Optimal), (6, 0));
    }

    /// The executions that one worker runs, and those that it begins in vain, if executions from that length on are long.
    fn runs<C: Code>(code: C, mode: Reduction, long: usize) -> (u64, u64) {
        let load = Threaded::new(code);
        let halt = Halt::new();
        let control = Arc::new(Control::new(Budget::default(), None, Wanted::First, &halt, &Unobserved));
        let shared = Arc::new(Shared::new(1, 1));
        let program = load.open().unwrap();
        let mut worker = Worker::new(program, Arc::clone(&control), shared, mode, Bounds::default(), true);
        worker.planner.long = long;
        while worker.execution().unwrap() {}
        worker.report();
        let tally = control.tally();
        (tally.executions, tally.blocked_executions)
    }

    /// In tests, the planner lists the steps of each sequence that it has found by ranges, and compares the two.
    #[test]
    fn lazy_ways_are_those_that_are_listed_step_by_step() {
        fn same<C: Code>(code: impl Fn() -> C) {
            for mode in Reduction::ALL {
                let listed = runs(code(), mode, usize::MAX);
                assert_eq!(runs(code(), mode, 0), listed, "{mode}");
                assert_eq!(runs(code(), mode, 9), listed, "{mode}");
            }
        }
        same(|| Counter { threads: 3, rounds: 2, adds: true });
        same(|| TwoReaders);
        same(|| Readers { readers: 5 });
        same(|| LastZero { elements: 5 });
        same(|| Indexer { threads: 13 });
        same(|| Fsbench { threads: 17 });
        same(|| BoundedBuffer { each: 2, capacity: 2, any: false });
    }
}
