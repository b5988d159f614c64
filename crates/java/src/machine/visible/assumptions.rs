//! What is assumed of variables and of the program, and what was learned to be otherwise.
//!
//! At first the machine assumes of every field that it is written only while one thread can reach its object. A later write shows
//! that this is wrong. Then the machine assumes that one lock guards all accesses. An access without the lock shows that this is wrong,
//! too, and every access becomes a scheduling point. Each lesson makes the search begin again (Stoller & Cohen: optimistic
//! synchronisation-based state-space reduction). Lessons are kept by names, so that all programs of a `Load` share them.

use super::Behaviour;
use crate::machine::class::{ClassId, MethodId};
use crate::machine::{Machine, Map};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The names of what can be learned of a field, in the lines that a trace keeps.
const NAMES: [(&str, Discipline); 2] = [("guarded", Discipline::Guarded), ("visible", Discipline::Visible)];

/// What a variable is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VariableName {
    /// A field, by the class that declares it and its place there.
    Field(ClassId, usize),
    /// Elements of arrays that an instruction allocates.
    Site(MethodId, u32),
    /// Elements of arrays of a class that the machine itself allocates.
    Arrays(ClassId),
    /// What lies before the fields of an object, or in no object.
    Other,
}

/// What is assumed of a field, or of the elements of the arrays that an instruction allocates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub name: VariableName,
    pub discipline: Discipline,
    pub volatile: bool,
    pub is_static: bool,
}

/// What one machine assumes of variables and of the program.
#[derive(Default)]
pub(crate) struct Assumptions {
    /// What all machines of a program have learned.
    pub learned: Arc<Learned>,
    /// Whether the machine learns nothing: it follows schedules that were found with what is known.
    pub fixed: bool,
    /// The assumption that the present transition has violated.
    pub violated: Option<String>,
    /// Variables by number.
    pub variables: Vec<Variable>,
    pub numbers: Map<VariableName, u32>,
    /// The numbers of fields, by class and offset: those of instances, and static ones.
    pub of_instances: Vec<Box<[u32]>>,
    pub of_statics: Vec<Box<[u32]>>,
    /// What the program is known to do.
    pub behaviours: [bool; Behaviour::ALL.len()],
    /// Which preludes have been called: see `preludes`.
    pub preludes_called: u32,
}

impl Assumptions {
    /// Goes by what has been learned.
    pub fn adopt(&mut self, learned: &Arc<Learned>) {
        self.learned = Arc::clone(learned);
        self.behaviours = Behaviour::ALL.map(|behaviour| learned.of(behaviour.name()).is_some());
    }
}

impl Machine {
    /// Begins anew with what has been learned.
    pub(crate) fn assume_again(&mut self, learned: &Arc<Learned>) {
        let assumptions = &mut self.scheduling.assumptions;
        (assumptions.fixed, assumptions.violated) = (false, None);
        assumptions.adopt(learned);
        for number in 0..self.scheduling.assumptions.variables.len() {
            let known =
                learned.of(&self.name_of_variable(self.scheduling.assumptions.variables[number].name));
            let discipline = &mut self.scheduling.assumptions.variables[number].discipline;
            *discipline = known.map_or(*discipline, |known| known.max(*discipline));
        }
    }
}

/// How threads that share an object access a field of it, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Discipline {
    /// It does not matter to other threads: a cache of the JDK, or a field that only its own thread uses.
    Exempt,
    /// It is only read.
    Immutable,
    /// It is accessed under the lock that guards its object.
    Guarded,
    /// Anything goes.
    Visible,
}

/// What was learned of variables and of the program, by name.
#[derive(Debug, Default)]
pub struct Learned(Mutex<HashMap<String, Discipline>>);

impl Learned {
    /// The same knowledge, which grows by itself from now on.
    pub fn copy(&self) -> Learned {
        Learned(Mutex::new(self.0.lock().expect("no holder panics").clone()))
    }

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
    fn assumptions_survive_writing_and_reading() {
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
