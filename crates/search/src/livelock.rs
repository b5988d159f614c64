//! Livelocks and hangs: executions that go on for ever, are fair to all threads, and end no thread.
//!
//! An execution that goes on for ever stays, from some step on, in one strongly connected component of the graph of states. It
//! can be fair if every thread moves within the component, or cannot move in one of its states (weak fairness). A thread that
//! spins until another thread does something is no livelock, as long as the other thread can do it.
//!
//! - Where no execution ends any more ([`crate::endless`]), [`go_round`] shows such an execution: it lets the threads take turns
//!   until the program is where it was. If one thread is left that moves, the program *hangs*; several are in a *livelock*.
//! - [`livelock`] also looks for cycles that threads can leave, but need not. It finds all components, as Tarjan does ("Depth-first search
//!   and linear graph algorithms", 1972).

use crate::control::{Budget, Control, Halt, Observe, Wanted};
use crate::evidence::Evidence;
use crate::guard::SearchLimits;
use crate::outcome::{Found, Outcome, Tally};
use crate::pace::Pace;
use crate::rounds::Rounds;
use crate::settings::SettingsError;
use sojourner_program::{
    Choice, Detail, Fault, Finding, Kind, Load, Program, Schedule, Stateful, Step, ThreadId,
};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Looks for a livelock in all states of a program, on one thread. Takes some hundred bytes for each state.
pub fn livelock<L>(
    load: &L,
    budget: Budget,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError>
where
    L: Load,
    L::P: Stateful,
{
    let limits = SearchLimits::of(&budget);
    let evidence = Evidence::new(limits.start, observe);
    let halt = &Halt::noting(halt, &evidence);
    let rounds = Rounds { load, wanted: &Wanted::First, limits, states: budget.states, halt };
    rounds.run(|guard| {
        let control = Control::new(budget, guard.deadline, Wanted::First, &guard.halt, observe);
        let _busy = guard.enter();
        match load.open() {
            Ok(program) => {
                Tarjan::new(program, &control).run().unwrap_or_else(|fault| control.fail(fault));
            }
            Err(fault) => control.fail(fault),
        }
        let (ended, _) = control.take_ended();
        let (found, fault, reasons) = (ended.found, ended.fault, ended.reasons);
        Ok(Outcome { found, fault, reasons, tally: control.tally(), ..Outcome::default() })
    })
}

/// The most steps that [`go_round`] takes until the program must have come back to a state. Beyond that it gives up.
const LONGEST_ROUND: usize = 1 << 20;

/// Shows an execution that never ends, from the state that `way` leads to. No execution ends from there. The program is at its start.
/// Threads take turns until one of them moves in a state in which it has moved before. A thread is passed over only if it cannot move, so
/// that the cycle is fair to all.
pub(crate) fn go_round<P: Stateful>(mut program: P, way: Schedule) -> Result<Found, Fault> {
    let mut schedule = way;
    program.prepare_states()?;
    program.show_endless();
    let mut step = Step::new(Detail::Outcome);
    for &choice in &schedule {
        program.step(choice, &mut step)?;
    }
    let mut choices = Vec::new();
    let mut turns: HashMap<(u128, Option<ThreadId>), usize> = HashMap::new();
    let mut last = schedule.last().map(|choice| choice.thread);
    let most = schedule.len() + LONGEST_ROUND;
    let start = loop {
        if let Some(before) = turns.insert((program.fingerprint(), last), schedule.len()) {
            break before;
        }
        if schedule.len() == most {
            schedule.truncate(most - LONGEST_ROUND);
            let schedule = program.full_schedule(schedule);
            let finding = Finding::new(Kind::Livelock, "no execution that comes here can ever end");
            return Ok(Found::new(finding, schedule));
        }
        choices.clear();
        program.choices(&mut choices);
        let next = choices.iter().find(|choice| last.is_none_or(|last| choice.thread > last));
        let Some(&choice) = next.or(choices.first()) else {
            let why = "the program ends in a state from which it cannot".into();
            return Err(Fault::Crashed { why });
        };
        program.step(choice, &mut step)?;
        schedule.push(choice);
        last = Some(choice.thread);
    };
    let before = program.full_schedule(schedule[..start].to_vec()).len();
    let full = program.full_schedule(schedule.clone());
    program.rewind(start)?;
    let mut words = Step::new(Detail::Words);
    program.step(schedule[start], &mut words)?;
    let moving: BTreeSet<ThreadId> = schedule[start..].iter().map(|choice| choice.thread).collect();
    let names: Vec<String> = moving.iter().map(|&thread| program.name(thread)).collect();
    let back = leads_back(full.len() - before, before);
    let (kind, message) = match &names[..] {
        [name] => (Kind::Hang, format!("{name} goes on for ever, and no other thread can move: {back}")),
        _ => {
            let names = names.join(", ");
            (Kind::Livelock, format!("{names} go on for ever, and none of them can ever finish: {back}"))
        }
    };
    let thread = schedule.last().map(|choice| choice.thread).filter(|_| kind == Kind::Hang);
    let finding = Finding { location: words.location, thread, ..Finding::new(kind, message) };
    Ok(Found::new(finding, full))
}

fn leads_back(steps: usize, before: usize) -> String {
    match steps {
        1 => format!("the last step leads back to where the program was after step {before}"),
        _ => format!("the last {steps} steps lead back to where the program was after step {before}"),
    }
}

/// The number of the first step that leads to the state in which the schedule ends, if the schedule passes that state twice.
pub fn comes_back<L>(load: &L, schedule: &[Choice]) -> Result<Option<usize>, Fault>
where
    L: Load,
    L::P: Stateful,
{
    let mut program = load.open_to_follow()?;
    let mut step = Step::new(Detail::Words);
    let mut prints = vec![program.fingerprint()];
    for &choice in schedule {
        program.step(choice, &mut step)?;
        prints.push(program.fingerprint());
    }
    let last = prints.pop();
    Ok(prints.iter().position(|print| Some(*print) == last))
}

/// A state that the search has reached.
struct Node {
    /// The earliest state that it is known to lead to, among states with an open component; its own number at first.
    low: u32,
    /// Its successors, while its component is open: choices and states.
    edges: Vec<(Choice, u32)>,
    /// The threads that can move, while its component is open.
    able: BTreeSet<ThreadId>,
    open: bool,
}

/// A state on the way from the start.
struct Frame {
    node: u32,
    choices: Vec<Choice>,
    next: usize,
}

struct Tarjan<'a, P> {
    program: P,
    control: &'a Control<'a>,
    numbers: HashMap<u128, u32>,
    nodes: Vec<Node>,
    path: Vec<Frame>,
    /// The states whose component is open, in the order in which they were reached.
    open: Vec<u32>,
    step: Step,
    tally: Tally,
    pace: Pace,
}

impl<'a, P: Stateful> Tarjan<'a, P> {
    fn new(program: P, control: &'a Control<'a>) -> Self {
        Tarjan {
            program,
            control,
            numbers: HashMap::new(),
            nodes: Vec::new(),
            path: Vec::new(),
            open: Vec::new(),
            step: Step::new(Detail::Outcome),
            tally: Tally::default(),
            pace: Pace::new(),
        }
    }

    fn run(mut self) -> Result<(), Fault> {
        self.enter();
        while !self.control.stopped() && !self.control.states_spent(&self.tally) {
            let depth = self.path.len();
            let Some(frame) = self.path.last_mut() else { break };
            let from = frame.node;
            match frame.choices.get(frame.next).copied() {
                Some(choice) => {
                    frame.next += 1;
                    self.program.rewind(depth - 1)?;
                    self.follow(from, choice)?;
                }
                None => self.leave(from),
            }
            if self.pace.step() {
                self.report();
            }
        }
        self.report();
        Ok(())
    }

    fn report(&mut self) {
        let depth = self.path.len().saturating_sub(1);
        let now = self.control.report(&self.tally, depth, depth);
        self.pace.looked(now, u64::MAX);
        self.tally = Tally::default();
    }

    /// Takes a choice of a state, and enters the state that it leads to if that is new.
    fn follow(&mut self, from: u32, choice: Choice) -> Result<(), Fault> {
        self.program.step(choice, &mut self.step)?;
        self.tally.transitions += 1;
        // An execution ends with a failed step.
        if self.step.finding.is_some() {
            return Ok(());
        }
        let to = match self.numbers.get(&self.program.fingerprint()) {
            Some(&known) => known,
            None => self.enter(),
        };
        if self.nodes[to as usize].open {
            self.nodes[from as usize].edges.push((choice, to));
            self.lower(from, to);
        }
        Ok(())
    }

    fn lower(&mut self, node: u32, by: u32) {
        let low = self.nodes[by as usize].low;
        let node = &mut self.nodes[node as usize];
        node.low = node.low.min(low);
    }

    /// The state that the program is in is new.
    fn enter(&mut self) -> u32 {
        let number = self.nodes.len() as u32;
        self.numbers.insert(self.program.fingerprint(), number);
        let mut choices = Vec::new();
        self.program.choices(&mut choices);
        let able = choices.iter().map(|choice| choice.thread).collect();
        self.nodes.push(Node { low: number, edges: Vec::new(), able, open: true });
        self.open.push(number);
        self.path.push(Frame { node: number, choices, next: 0 });
        self.tally.states += 1;
        self.tally.max_depth = self.tally.max_depth.max(self.path.len() as u64 - 1);
        number
    }

    /// All choices of a state have been taken.
    fn leave(&mut self, node: u32) {
        if self.nodes[node as usize].low == node {
            let members = self.open.split_off(self.open.partition_point(|&open| open < node));
            if let Some(cycle) = self.fair_cycle(node, &members) {
                self.found(&cycle);
            }
            for &member in &members {
                let member = &mut self.nodes[member as usize];
                (member.open, member.edges, member.able) = (false, Vec::new(), BTreeSet::new());
            }
        }
        self.path.pop();
        if let Some(before) = self.path.last().map(|frame| frame.node)
            && self.nodes[node as usize].open
        {
            self.lower(before, node);
        }
    }

    /// A way from the first state of a component back to it that is fair to all threads, if there is one.
    fn fair_cycle(&self, root: u32, members: &[u32]) -> Option<Schedule> {
        let able = |node: u32| &self.nodes[node as usize].able;
        let inside: BTreeSet<u32> = members.iter().copied().collect();
        let component = Component { nodes: &self.nodes, inside: &inside };
        let moving: BTreeSet<ThreadId> =
            members.iter().flat_map(|&node| component.edges(node)).map(|(choice, _)| choice.thread).collect();
        let everyone: BTreeSet<ThreadId> = members.iter().flat_map(|&node| able(node)).copied().collect();
        let starved = |thread| members.iter().all(|&node| able(node).contains(thread));
        let others = || everyone.difference(&moving);
        if moving.is_empty() || others().any(starved) {
            return None;
        }
        let mut cycle = Schedule::new();
        let mut at = root;
        for thread in &moving {
            at = component.walk(at, &mut cycle, |choice, _| choice.thread == *thread);
        }
        for thread in others() {
            if able(at).contains(thread) {
                at = component.walk(at, &mut cycle, |_, to| !able(to).contains(thread));
            }
        }
        if at != root {
            component.walk(at, &mut cycle, |_, to| to == root);
        }
        Some(cycle)
    }

    /// The last state of the path lies on a cycle, and the cycle is a livelock.
    fn found(&self, cycle: &[Choice]) {
        let before = self.path.len() - 1;
        let finding = Finding::new(
            Kind::Livelock,
            format!(
                "threads can go on for ever and none of them comes to an end: {}",
                leads_back(cycle.len(), before)
            ),
        );
        let way = self.path[..before].iter().map(|frame| frame.choices[frame.next - 1]);
        self.control.found(finding, || way.chain(cycle.iter().copied()).collect());
    }
}

/// A strongly connected part of the graph of states.
struct Component<'a> {
    nodes: &'a [Node],
    inside: &'a BTreeSet<u32>,
}

impl Component<'_> {
    fn edges(&self, node: u32) -> impl Iterator<Item = &(Choice, u32)> {
        self.nodes[node as usize].edges.iter().filter(|(_, to)| self.inside.contains(to))
    }

    /// Appends a shortest way from a state to a wanted edge, with that edge, and returns the state behind it. There must be such an edge.
    fn walk(&self, from: u32, out: &mut Schedule, wanted: impl Fn(Choice, u32) -> bool) -> u32 {
        let mut came: HashMap<u32, (u32, Choice)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &(choice, to) in self.edges(node) {
                if wanted(choice, to) {
                    let start = out.len();
                    out.push(choice);
                    let mut at = node;
                    while at != from {
                        let (before, choice) = came[&at];
                        out.push(choice);
                        at = before;
                    }
                    out[start..].reverse();
                    return to;
                }
                if to != from && !came.contains_key(&to) {
                    came.insert(to, (node, choice));
                    queue.push_back(to);
                }
            }
        }
        unreachable!("all states of a component can be reached from each")
    }
}
