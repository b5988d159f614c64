//! Why states that look alike did not match: how unwanted growth of a state space is found.
//!
//! States look alike if all threads stand at the same places. Each is compared with the nearest of the last such states,
//! and what the two differ in is counted by kind. A kind that ought not to count (a counter of statistics, a cache, a
//! generation number) shows up at the top.

use crate::control::{Halt, Observe};
use crate::outcome::Outcome;
use crate::search::explore;
use crate::settings::{Settings, SettingsError};
use sojourner_program::{Component, Encode, Fault, Finding, Load, Program, Reducible, Stateful, forward};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::sync::{Arc, Mutex};

/// With so many states before it a state is compared.
const NEAREST_OF: usize = 16;

/// What makes states that look alike differ.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The states that were looked at.
    pub states: u64,
    /// In how many ways threads stood in them: no two of these look alike.
    pub places: u64,
    /// The pairs of states that look alike and were compared: a state, and the nearest of those before it.
    pub pairs: u64,
    /// What they differ in, the most frequent first.
    pub kinds: Vec<Kind>,
}

/// A kind of components in which states differ.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The pairs that differ in it.
    pub pairs: u64,
    /// Those that differ in nothing else.
    pub alone: u64,
    /// How many different states there would be without it.
    pub without: u64,
    /// One of the pairs: of those that differ in least, the first.
    pub example: Difference,
}

/// A component in which two states differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of the component.
    pub kind: String,
    /// Whose it is.
    pub owner: String,
    /// What it holds in either state; `None` where it is not there.
    pub values: [Option<String>; 2],
}

/// Explores a program and tells what makes states that look alike differ. Bounds and several workers would make states
/// be seen twice, so the settings must have neither.
pub fn differences<L>(
    load: &L,
    settings: &Settings,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<(Differences, Outcome), SettingsError>
where
    L: Load,
    L::P: Encode + Reducible,
{
    let recording = RecordingLoad { load, records: Arc::default() };
    let outcome = explore(&recording, settings, halt, observe)?;
    let records = std::mem::take(&mut *recording.records.lock().expect("no holder panics"));
    Ok((records.differences(), outcome))
}

/// The components in which two states differ, in their order. Of what only one of them has an owner for, nothing is said
/// unless there is nothing else to say: another component tells why the owner is not there.
pub fn compare(one: Vec<Component>, other: Vec<Component>) -> Vec<Difference> {
    let mut records = StateRecords::default();
    let (one, other) = (records.take_in(one).parts, records.take_in(other).parts);
    let differing = differing(&one, &other);
    differing.into_iter().map(|difference| records.difference(difference)).collect()
}

/// Numbers for texts.
#[derive(Default)]
struct TextNumbers {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl TextNumbers {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (number, text) = (self.texts.len() as u32, Arc::<str>::from(text));
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    fn text(&self, number: u32) -> String {
        self.texts[number as usize].to_string()
    }
}

/// A component, in numbers: kind, owner, value.
type Part = (u32, u32, u32);

/// A component that two states differ in.
type Differing = (u32, u32, [Option<u32>; 2]);

/// A state in numbers.
struct StateRecord {
    /// The places of all threads.
    place: u64,
    /// The other components, in order.
    parts: Box<[Part]>,
}

/// All states that were visited.
#[derive(Default)]
struct StateRecords {
    names: TextNumbers,
    states: Vec<StateRecord>,
}

fn hash(of: impl Hash) -> u64 {
    // Without random keys, so that equal runs give equal tables.
    BuildHasherDefault::<DefaultHasher>::default().hash_one(of)
}

impl StateRecords {
    fn take_in(&mut self, components: Vec<Component>) -> StateRecord {
        let (places, others): (Vec<_>, Vec<_>) =
            components.into_iter().partition(|component| component.place);
        let mut parts: Vec<Part> = others
            .iter()
            .map(|Component { kind, owner, value, .. }| {
                (self.names.number(kind), self.names.number(owner), self.names.number(value))
            })
            .collect();
        parts.sort_unstable();
        StateRecord { place: hash(places), parts: parts.into() }
    }

    fn difference(&self, (kind, owner, values): Differing) -> Difference {
        Difference {
            kind: self.names.text(kind),
            owner: self.names.text(owner),
            values: values.map(|value| value.map(|value| self.names.text(value))),
        }
    }

    fn differences(mut self) -> Differences {
        let unnamed = self.names.number("something that has no name");
        let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut kinds: HashMap<u32, KindCount> = HashMap::new();
        let mut all = Differences { states: self.states.len() as u64, ..Differences::default() };
        for (at, record) in self.states.iter().enumerate() {
            let before = alike.entry(record.place).or_default();
            let last = before.iter().rev().take(NEAREST_OF);
            let nearest =
                last.map(|&other| differing(&self.states[other].parts, &record.parts)).min_by_key(Vec::len);
            before.push(at);
            let Some(mut nearest) = nearest else { continue };
            all.pairs += 1;
            if nearest.is_empty() {
                nearest.push((unnamed, unnamed, [None; 2]));
            }
            count(&nearest, &mut kinds);
        }
        all.places = alike.len() as u64;
        let hashes: Vec<KindHashes> = self.states.iter().map(KindHashes::of).collect();
        let row = |(&kind, counted): (&u32, &KindCount)| Kind {
            name: self.names.text(kind),
            pairs: counted.pairs,
            alone: counted.alone,
            without: hashes.iter().map(|hashes| hashes.without(kind)).collect::<HashSet<_>>().len() as u64,
            example: self.difference(counted.example),
        };
        all.kinds = kinds.iter().map(row).collect();
        let rank = |kind: &Kind| (u64::MAX - kind.pairs, kind.without, kind.name.clone());
        all.kinds.sort_by_key(rank);
        all
    }
}

/// How often states differ in a kind.
struct KindCount {
    pairs: u64,
    alone: u64,
    /// An example, and in how many components its pair differs.
    example: Differing,
    among: usize,
}

fn count(pair: &[Differing], kinds: &mut HashMap<u32, KindCount>) {
    let alone = pair.iter().all(|difference| difference.0 == pair[0].0);
    for (nth, &example) in pair.iter().enumerate() {
        if nth > 0 && pair[nth - 1].0 == example.0 {
            continue;
        }
        let new = KindCount { pairs: 0, alone: 0, example, among: pair.len() };
        let counted = kinds.entry(example.0).or_insert(new);
        counted.pairs += 1;
        counted.alone += u64::from(alone);
        if pair.len() < counted.among {
            (counted.example, counted.among) = (example, pair.len());
        }
    }
}

/// What each kind contributes to a number that stands for a state.
struct KindHashes {
    all: u64,
    of: Vec<(u32, u64)>,
}

impl KindHashes {
    fn of(record: &StateRecord) -> KindHashes {
        let mut of: Vec<(u32, u64)> = Vec::new();
        for part in &record.parts {
            match of.last_mut() {
                Some((kind, hash_of_kind)) if *kind == part.0 => {
                    *hash_of_kind = hash_of_kind.wrapping_add(hash(part));
                }
                _ => of.push((part.0, hash(part))),
            }
        }
        let all =
            of.iter().fold(hash(record.place), |all, (_, hash_of_kind)| all.wrapping_add(*hash_of_kind));
        KindHashes { all, of }
    }

    fn without(&self, kind: u32) -> u64 {
        let hash_of_kind =
            self.of.binary_search_by_key(&kind, |(kind, _)| *kind).map_or(0, |at| self.of[at].1);
        self.all.wrapping_sub(hash_of_kind)
    }
}

/// What two states differ in, by kind and owner.
fn differing(one: &[Part], other: &[Part]) -> Vec<Differing> {
    let (mut a, mut b) = (one.iter().peekable(), other.iter().peekable());
    let mut all = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => (a.0, a.1).cmp(&(b.0, b.1)),
        };
        let mine = if order.is_le() { a.next() } else { None };
        let others = if order.is_ge() { b.next() } else { None };
        let Some(&(kind, owner, _)) = mine.or(others) else { break };
        let values = [mine, others].map(|part| part.map(|part| part.2));
        if values[0] != values[1] {
            all.push((kind, owner, values));
        }
    }
    let has = |parts: &[Part], owner: u32| parts.iter().any(|part| part.1 == owner);
    let there = |&(_, owner, values): &Differing| match values {
        [Some(_), None] => has(other, owner),
        [None, Some(_)] => has(one, owner),
        _ => true,
    };
    if all.iter().any(there) {
        all.retain(there);
    }
    all
}

/// Makes programs of which every state that a search visits is taken down.
struct RecordingLoad<'a, L> {
    load: &'a L,
    records: Arc<Mutex<StateRecords>>,
}

impl<L: Load<P: Encode + Reducible>> Load for RecordingLoad<'_, L> {
    type P = RecordingProgram<L::P>;

    forward!(Load for load, except open, renew, open_to_follow, learned, learn, leaves_out);

    /// A program is opened when a search begins, or begins again: what was visited before does not count.
    fn open(&self) -> Result<Self::P, Fault> {
        *self.records.lock().expect("no holder panics") = StateRecords::default();
        Ok(RecordingProgram { program: self.load.open()?, records: Arc::clone(&self.records) })
    }
}

/// A program of which every state that a search visits is taken down. Nothing is wrong with any of them.
struct RecordingProgram<P> {
    program: P,
    records: Arc<Mutex<StateRecords>>,
}

impl<P: Encode> Program for RecordingProgram<P> {
    type Place = P::Place;

    forward!(Program for program, except judge, goals);

    /// Every state is judged once.
    fn judge(&mut self, _: bool) -> Option<Finding> {
        let mut components = Vec::new();
        self.program.components(&mut components);
        let mut records = self.records.lock().expect("no holder panics");
        let record = records.take_in(components);
        records.states.push(record);
        None
    }
}

impl<P: Encode + Reducible> Reducible for RecordingProgram<P> {
    forward!(Reducible for program);
}

impl<P: Encode> Stateful for RecordingProgram<P> {
    forward!(Stateful for program);
}

impl<P: Encode> Encode for RecordingProgram<P> {
    forward!(Encode for program);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(parts: &[(&str, &str, &str)]) -> Vec<Component> {
        let component = |&(kind, owner, value): &(&str, &str, &str)| Component {
            kind: kind.into(),
            owner: owner.into(),
            value: value.into(),
            place: kind == "place",
        };
        parts.iter().map(component).collect()
    }

    #[test]
    fn components_are_compared_by_kind_and_owner() {
        let one = state(&[("field A.a", "x", "1"), ("field A.a", "y", "1"), ("field B.b", "x.b", "7")]);
        let other = state(&[("field A.a", "x", "1"), ("field A.a", "y", "2"), ("monitor", "y", "held")]);
        let found = compare(one.clone(), other);
        let shown = |difference: &Difference| {
            let [a, b] = difference.values.clone().map(|value| value.unwrap_or("-".into()));
            format!("{} of {}: {a} {b}", difference.kind, difference.owner)
        };
        // Of the object that is only in one of them nothing is said.
        assert_eq!(
            found.iter().map(shown).collect::<Vec<_>>(),
            ["field A.a of y: 1 2", "monitor of y: - held"]
        );
        assert_eq!(compare(one.clone(), one), []);
    }

    #[test]
    fn kinds_are_counted_where_threads_stand_alike() {
        let mut records = StateRecords::default();
        for (place, a, b) in [("p", "1", "1"), ("p", "1", "2"), ("p", "2", "2"), ("q", "3", "3")] {
            let record = records.take_in(state(&[("place", "t", place), ("a", "", a), ("b", "", b)]));
            records.states.push(record);
        }
        let all = records.differences();
        assert_eq!((all.states, all.places, all.pairs), (4, 2, 2));
        let rows: Vec<_> =
            all.kinds.iter().map(|kind| (&*kind.name, kind.pairs, kind.alone, kind.without)).collect();
        assert_eq!(rows, [("a", 1, 1, 3), ("b", 1, 1, 3)]);
    }
}
