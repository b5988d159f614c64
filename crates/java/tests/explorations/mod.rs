//! Explorations of Java programs that must all come to the same result, and how they are compared.

pub mod configuration;

pub use configuration::Configuration;

use sojourner_java::explore::{Subject, Timeouts};
use sojourner_java::library::{Jdk, Launch};
use sojourner_program::Kind;
use sojourner_search::{Halt, Reason, Unobserved, explore};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Programs about time-outs that are far away, which come when nobody else gets on.
const PATIENT: [&str; 4] = ["GivesUpOnSpinner", "SleepsUntilInterrupted", "WaitsLongEnough", "WaitsTooShort"];

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
    let mut exploration = configuration.exploration();
    if PATIENT.contains(&launch.main_class.as_str()) {
        exploration.timeouts = Timeouts::Patient;
    }
    let subject = Subject::new(launch.clone(), jdk, vec![], exploration);
    subject.collect_end_states();
    let outcome = match explore(&subject, &settings, &Halt::new(), &Unobserved) {
        Ok(outcome) => outcome,
        Err(error) => return Explored::Failed(error.to_string()),
    };
    if let Some(fault) = outcome.fault {
        return Explored::Failed(fault.to_string());
    }
    match outcome.reasons.as_slice() {
        [] => {}
        [Reason::States(_)] => return Explored::TooMany,
        reasons => return Explored::Failed(format!("{reasons:?}")),
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
