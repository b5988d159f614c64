//! Time-outs in a schedule: where time passed although other threads could have gone on.

use crate::human;
use crate::page::Page;
use crate::steps::name;
use crate::style::{Tone, one_line};
use sojourner_program::{Elapsed, Rule};
use sojourner_trace::{Event, Timeout, Trace};

/// The most time-outs that a text names.
const MOST: usize = 4;

/// The most threads that a text names for each of them.
const NAMES: usize = 2;

/// Time-outs of one operation of a thread, one after the other.
struct Group<'a> {
    /// The first step and the last one, counted from 1.
    steps: (u64, u64),
    event: &'a Event,
    timeout: &'a Timeout,
    /// The weakest rule that holds one of them back.
    rule: Option<Rule>,
}

impl Group<'_> {
    fn steps(&self) -> String {
        match self.steps {
            (first, last) if first == last => format!("step {}", human::exact(first)),
            (first, last) => format!("steps {} to {}", human::exact(first), human::exact(last)),
        }
    }

    fn words(&self, trace: &Trace) -> String {
        let (thread, operation) = (name(trace, self.event.thread), one_line(&self.timeout.operation));
        let what = match self.timeout.how {
            Elapsed::Wait => format!("{operation} of {thread} timed out"),
            Elapsed::Sleep => format!("{operation} of {thread} ended"),
            Elapsed::Poll => format!("time passed for {thread}, which asks for it again and again,"),
        };
        let (shown, more) = self.timeout.overtakes.split_at(self.timeout.overtakes.len().min(NAMES));
        let mut names: Vec<String> = shown.iter().map(|&thread| name(trace, thread)).collect();
        if !more.is_empty() {
            names.push(human::plural(more.len() as u64, "other thread"));
        }
        let others = match names.split_last() {
            None => "when no other thread could get on".to_string(),
            Some((only, [])) => format!("while {only} could run"),
            Some((last, before)) => format!("while {} and {last} could run", before.join(", ")),
        };
        let place = self.timeout.location.as_ref();
        let place = place.map_or_else(String::new, |place| format!(", at {}", one_line(&place.to_string())));
        format!("{}: {what} {others}{place}", self.steps())
    }
}

/// The time-outs of a trace with the numbers of their steps, counted from 1.
pub(crate) fn all(trace: &Trace) -> impl Iterator<Item = (u64, &Event, &Timeout)> {
    (1..).zip(&trace.events).filter_map(|(step, event)| Some((step, event, event.timeout.as_ref()?)))
}

fn groups(trace: &Trace) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (step, event, timeout) in all(trace) {
        let same = |group: &&mut Group<'_>| {
            (group.event.thread, &group.timeout.location, &group.timeout.overtakes)
                == (event.thread, &timeout.location, &timeout.overtakes)
                && (group.timeout.how, &group.timeout.operation) == (timeout.how, &timeout.operation)
        };
        match groups.last_mut().filter(same) {
            Some(group) => {
                group.steps.1 = step;
                group.rule = [group.rule, timeout.withheld_by].into_iter().flatten().min();
            }
            None => groups.push(Group { steps: (step, step), event, timeout, rule: timeout.withheld_by }),
        }
    }
    groups
}

/// Says which time-outs expired in the schedule, and which rule holds them back.
pub(crate) fn timeouts(page: &mut Page, trace: &Trace) {
    let groups = groups(trace);
    let mut lines: Vec<String> = groups.iter().take(MOST).map(|group| group.words(trace)).collect();
    if groups.len() > MOST {
        lines.push(format!("and {}", human::plural((groups.len() - MOST) as u64, "more time-out")));
    }
    lines.extend(advice(&groups));
    page.rows(Tone::Plain, "time-out", lines);
}

/// Which rule holds the time-outs back. It does not say that the error goes away: another schedule may lead to it.
fn advice(groups: &[Group<'_>]) -> Option<String> {
    let by = |rule| groups.iter().filter(move |group| group.rule == Some(rule));
    let (patient, last) = (by(Rule::Patient).count(), by(Rule::Last).count());
    let with = match (patient, last) {
        (0, 0) => return None,
        (_, 0) => "with --timeouts patient".to_string(),
        (0, _) => "with --timeouts last".to_string(),
        (1, _) => {
            let steps = by(Rule::Patient).map(Group::steps).next().unwrap_or_default();
            format!("with --timeouts patient ({steps}) or last (all steps named here)")
        }
        _ => format!("with --timeouts patient ({patient} of the time-outs) or last (all of them)"),
    };
    let part = if patient + last == 1 { "a time-out is" } else { "time-outs are" };
    Some(format!("{part} part of this schedule; {with}, time passes there only when no other thread gets on"))
}
