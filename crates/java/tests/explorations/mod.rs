//! Explorations of Java programs that must all come to the same result, and how they are compared.

pub mod configuration;

pub use configuration::Configuration;

use sojourner_java::explore::{JavaProgram, Timeouts};
use sojourner_java::library::{Jdk, Launch};
use sojourner_program::Kind;
use sojourner_search::{Halt, Reason, Settings, Unobserved, Wanted, explore, replay};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Programs about time-outs that are far away, which come when nobody else gets on.
const PATIENT: [&str; 4] = ["GivesUpOnSpinner", "SleepsUntilInterrupted", "WaitsLongEnough", "WaitsTooShort"];

/// Programs with executions that do not end, although there are finitely many states: those are cut. The other columns say
/// how `java.util.concurrent` is explored then, if that matters, and why they do not end.
const ENDLESS: [(&str, Option<&str>, &str); 7] = [
    ("AskedBeforeNotify", None, "looks under a lock, which others notice"),
    ("GivesUpOnSpinner", None, "time-outs come when somebody spins"),
    ("LocksForAWhile", None, "gives up after a while and tries again"),
    ("PollsUntilStopped", None, "waits for a while, again and again"),
    ("ReadLockUpgrade", Some("real"), "queues up in a loop that writes what it has written before"),
    ("TaskRepeats", None, "a task is done again and again"),
    ("UnparkedTwice", None, "gives a permit in a loop"),
];

/// How many steps a search of executions may take for each state that one of states may have, and in one execution.
const STEPS: u64 = 25;
const DEPTH: u32 = 10_000;
/// The same for programs whose executions do not end.
const DEPTH_OF_ENDLESS: u32 = 400;

/// What an exploration has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The end states, each as the text of its observation.
    pub ends: BTreeSet<String>,
    /// The findings: kind, type and place.
    pub findings: BTreeSet<String>,
    /// The number of states.
    pub states: u64,
}

/// How an exploration ended.
#[derive(Debug)]
pub enum Explored {
    /// Everything was explored.
    All(Seen),
    /// There were more states than it was allowed.
    TooMany,
    /// An execution had more steps than it was allowed.
    TooLong,
    /// Something that should not be.
    Failed(String),
}

/// Explores a program. A panic is a failure like others, so that the rest of a suite is seen too.
pub fn explored(jdk: &Jdk, launch: &Launch, configuration: &Configuration, states: u64) -> Explored {
    let explored = || exploration(jdk, launch, configuration, states);
    catch_unwind(AssertUnwindSafe(explored)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("something");
        Explored::Failed(format!("panicked: {text}"))
    })
}

fn exploration(jdk: &Jdk, launch: &Launch, configuration: &Configuration, states: u64) -> Explored {
    let mut settings = configuration.settings();
    settings.budget.states = Some(states);
    if !configuration.is_stateless() {
        return explored_with(jdk, launch, configuration, &settings);
    }
    settings.budget.states = Some(states * STEPS);
    settings.bounds.depth = Some(DEPTH);
    let is_endless = |(name, juc, _): &(&str, Option<&str>, &str)| {
        *name == launch.main_class && juc.is_none_or(|juc| juc == configuration.value("juc"))
    };
    if ENDLESS.iter().any(is_endless) {
        settings.budget.states = Some(states);
        settings.bounds.depth = Some(DEPTH_OF_ENDLESS);
        return match explored_with(jdk, launch, configuration, &settings) {
            Explored::TooLong => Explored::TooMany,
            Explored::Failed(reason) => Explored::Failed(reason),
            _ => Explored::Failed("its executions do end".into()),
        };
    }
    let all = explored_with(jdk, launch, configuration, &settings);
    let Explored::All(seen) = &all else { return all };
    if !seen.findings.is_empty() {
        return all;
    }
    // A search that goes on behind findings plans less in advance than one that need not.
    let settings = Settings { wanted: Wanted::First, ..settings };
    match explored_with(jdk, launch, configuration, &settings) {
        Explored::All(again) if again.ends == seen.ends => all,
        Explored::All(again) => Explored::Failed(
            difference("end state up to the first finding", &again.ends, &seen.ends).join("; "),
        ),
        other => other,
    }
}

fn explored_with(jdk: &Jdk, launch: &Launch, configuration: &Configuration, settings: &Settings) -> Explored {
    let mut exploration = configuration.exploration();
    if PATIENT.contains(&launch.main_class.as_str()) {
        exploration.timeouts = Timeouts::Patient;
    }
    let subject = JavaProgram::new(launch.clone(), jdk, vec![], exploration);
    subject.collect_end_states();
    let outcome = match explore(&subject, settings, &Halt::new(), &Unobserved) {
        Ok(outcome) => outcome,
        Err(error) => return Explored::Failed(error.to_string()),
    };
    if let Some(fault) = outcome.fault {
        return Explored::Failed(fault.to_string());
    }
    match outcome.reasons.as_slice() {
        [] => {}
        reasons if reasons.iter().any(|reason| matches!(reason, Reason::Depth(_))) => {
            return Explored::TooLong;
        }
        [Reason::States(_)] => return Explored::TooMany,
        reasons => return Explored::Failed(format!("{reasons:?}")),
    }
    for found in outcome.found.iter().filter(|_| configuration.is_stateless()) {
        let Some(schedule) = &found.schedule else { continue };
        // What is shown to people is what following the schedule gives.
        match replay(&subject, schedule) {
            Ok(replayed)
                if replayed.finding.as_ref().is_some_and(|again| again.same_defect(&found.finding)) => {}
            Ok(replayed) => {
                let (finding, again) = (&found.finding, replayed.finding);
                return Explored::Failed(format!("{finding:?} is {again:?} when it is replayed"));
            }
            Err(fault) => {
                return Explored::Failed(format!("{:?} when it is replayed: {fault}", found.finding));
            }
        }
    }
    let findings = outcome.found.iter().map(|found| {
        let finding = &found.finding;
        let mut text = finding.kind.to_string();
        if let Some(name) = &finding.type_name {
            write!(text, " {name}").expect("a string takes everything");
        }
        // Where several threads are stuck, which one is named is not the point.
        if let Some(location) = finding.location.as_ref().filter(|_| finding.kind != Kind::Deadlock) {
            write!(text, " at {location}").expect("a string takes everything");
        }
        text
    });
    let ends = subject.end_states().iter().filter(|end| is_end(end)).map(|end| anonymous(end)).collect();
    Explored::All(Seen { findings: findings.collect(), ends, states: outcome.tally.states })
}

/// An observation without who the threads are: one that has ended is no part of a state any more.
fn anonymous(observation: &str) -> String {
    let outcome = |line: &str| match line.split_once(": ") {
        Some((thread, outcome)) if thread.starts_with("thread ") => format!("thread: {outcome}\n"),
        _ => format!("{line}\n"),
    };
    let (mut threads, others): (Vec<String>, Vec<String>) =
        observation.lines().map(outcome).partition(|line| line.starts_with("thread: "));
    threads.sort();
    [others, threads].concat().concat()
}

/// Whether nothing moves any more. Where a thread fails, how far the others are depends on where they may take turns.
fn is_end(observation: &str) -> bool {
    observation.lines().all(|line| !line.starts_with("finding: ") || line.starts_with("finding: deadlock"))
}

/// What one set has and the other one has not, in lines.
pub fn difference<T: Ord + ToString>(what: &str, ours: &BTreeSet<T>, right: &BTreeSet<T>) -> Vec<String> {
    let line = |word: &str, item: &T| format!("{word} {what}: {}", item.to_string().replace('\n', "; "));
    let missing = right.difference(ours).map(|item| line("missing", item));
    let extra = ours.difference(right).map(|item| line("additional", item));
    missing.chain(extra).collect()
}
