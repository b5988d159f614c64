//! What an exploration has learned of fields: which of them need no scheduling point.
//!
//! At first every field is taken to be written only while one thread can reach its object. A write that comes later shows
//! that this is not so; then it is taken to be accessed under one lock only. An access without the lock shows that this
//! is not so either, and every access becomes a scheduling point. Each such lesson makes the search begin again (Stoller
//! & Cohen: optimistic synchronisation-based state-space reduction). What is learned is kept by names, so that all
//! programs of a `Load` share it.

use std::collections::HashMap;
use std::sync::Mutex;

/// The names of what can be learned of a field, in the lines that a trace keeps.
const NAMES: [(&str, Discipline); 2] = [("guarded", Discipline::Guarded), ("visible", Discipline::Visible)];

/// How a field is accessed by threads that share its object, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Discipline {
    /// Nobody cares: a cache of the JDK, or a field that only its own thread uses.
    Exempt,
    /// It is only read.
    Immutable,
    /// It is accessed under the lock that guards its object.
    Guarded,
    /// Anything goes.
    Visible,
}

/// What is known of all fields, by name.
#[derive(Debug, Default)]
pub struct Learned(Mutex<HashMap<String, Discipline>>);

impl Learned {
    /// What is known of a field.
    pub fn of(&self, name: &str) -> Option<Discipline> {
        self.0.lock().expect("no holder panics").get(name).copied()
    }

    /// A field is not as disciplined as it was taken to be.
    pub fn learn(&self, name: &str, discipline: Discipline) {
        let mut known = self.0.lock().expect("no holder panics");
        let entry = known.entry(name.to_string()).or_insert(discipline);
        *entry = (*entry).max(discipline);
    }

    /// How much is known: it only ever grows.
    pub fn count(&self) -> usize {
        let known = self.0.lock().expect("no holder panics");
        let lessons = known.values().map(|discipline| match discipline {
            Discipline::Visible => 2,
            _ => 1,
        });
        lessons.sum()
    }

    /// All that is known, in lines for [`Learned::read`], sorted.
    pub fn lines(&self) -> Vec<String> {
        let known = self.0.lock().expect("no holder panics");
        let name = |discipline| NAMES.iter().find(|(_, known)| *known == discipline).map(|(name, _)| name);
        let mut lines: Vec<String> = known
            .iter()
            .filter_map(|(field, discipline)| Some(format!("{} {field}", name(*discipline)?)))
            .collect();
        lines.sort();
        lines
    }

    /// Takes over what [`Learned::lines`] gave. Lines of another origin are passed over.
    pub fn read(&self, lines: &[String]) {
        for line in lines {
            let Some((name, field)) = line.split_once(' ') else { continue };
            if let Some((_, discipline)) = NAMES.iter().find(|(known, _)| *known == name) {
                self.learn(field, *discipline);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_can_be_written_down_and_read_back() {
        let learned = Learned::default();
        learned.learn("Account.balance", Discipline::Visible);
        learned.learn("array of Main.main@3", Discipline::Guarded);
        let lines = learned.lines();
        assert_eq!(lines, ["guarded array of Main.main@3", "visible Account.balance"]);
        let read = Learned::default();
        read.read(&lines);
        read.read(&["nonsense".into(), "odd Account.x".into()]);
        assert_eq!(read.lines(), lines);
    }
}
