//! Steps and states in words.

use super::Execution;
use super::transition::{GIVES_UP, SPURIOUSLY};
use crate::machine::Status;
use crate::machine::visible::OperationKind;
use crate::natives::words_of_draw;
use sojourner_program::{Choice, Location};
use std::fmt::Write;

impl Execution {
    /// What a choice means, as far as the state before it tells, and where the thread stands.
    pub(super) fn before(&self, choice: Choice) -> (String, Option<Location>) {
        let machine = &self.machine;
        let Some(thread) = machine.threads.list.iter().position(|thread| thread.id == choice.thread) else {
            return (String::new(), None);
        };
        let at = &machine.threads.list[thread];
        let words = match (at.outcomes, choice.value(), at.status) {
            (outcomes, Some(value), _) if outcomes > 0 => words_of_draw(machine, thread, value)
                .unwrap_or_else(|| format!("chooses {value} of {outcomes}")),
            (_, Some(SPURIOUSLY), _) => "goes on without having been woken".to_string(),
            (_, Some(GIVES_UP), Status::Sleeping { .. }) => "has slept long enough".to_string(),
            (_, Some(GIVES_UP), _) => "has waited long enough".to_string(),
            (_, _, Status::Joining(object)) => format!("sees the end of {}", machine.object_text(object)),
            (_, _, Status::Leaving) => "ends the program".to_string(),
            _ => String::new(),
        };
        (words, machine.location_of(thread))
    }

    /// What a thread has done: the visible operation, what came of it, and the locks that it holds now.
    pub(super) fn after(&self, choice: Choice, words: String, threads: usize) -> String {
        let machine = &self.machine;
        let Some(thread) = machine.threads.list.iter().position(|thread| thread.id == choice.thread) else {
            return words;
        };
        let mut parts = Vec::new();
        if !words.is_empty() {
            parts.push(words);
        }
        let performed = machine.scheduling.record.performed;
        let notified = &machine.scheduling.record.notified;
        // Which threads a notification has woken says more.
        if performed.kind != OperationKind::Nothing
            && (performed.kind != OperationKind::Notify || notified.is_empty())
        {
            parts.push(machine.words(performed));
        }
        for (object, woken) in notified {
            let names: Vec<String> = woken
                .iter()
                .map(|&thread| machine.object_text(machine.threads.list[thread].object))
                .collect();
            let woken = if names.is_empty() { "nobody".to_string() } else { names.join(", ") };
            parts.push(format!("notifies {woken} on {}", machine.object_text(*object)));
        }
        for started in &machine.threads.list[threads..] {
            parts.push(format!("starts {}", machine.object_text(started.object)));
        }
        match machine.threads.list[thread].status {
            Status::Waiting { on, .. } => parts.push(format!("waits on {}", machine.object_text(on))),
            Status::Parked { .. } => parts.push("parks".to_string()),
            Status::Finished => parts.push("ends".to_string()),
            Status::Joining(object) => {
                parts.push(format!("waits for the end of {}", machine.object_text(object)));
            }
            _ => {}
        }
        if parts.is_empty() {
            parts.push("runs".to_string());
        }
        let mut text = parts.join("; ");
        let held = machine.undo.locks_of(thread);
        if !held.is_empty() {
            let names: Vec<String> = held.iter().map(|&lock| machine.object_text(lock)).collect();
            let _ = write!(text, " [holds {}]", names.join(", "));
        }
        text
    }

    /// Where all threads stand, and what the program has written.
    pub(super) fn describe_state(&self) -> String {
        let machine = &self.machine;
        let output = String::from_utf8_lossy(&machine.outcome.output);
        let mut text = String::new();
        for (name, lines) in [("output", &*output), ("threads", &machine.describe_waiting())] {
            if !lines.is_empty() {
                let _ = writeln!(text, "{name}:");
            }
            for line in lines.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}
