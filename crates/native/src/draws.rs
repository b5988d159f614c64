//! Random numbers of which one value was explored: the verdict says where they were drawn.

use crate::symbols;
use sojourner_native_rt::protocol::Draw;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Places in the program, in words. All programs of a subject share them.
#[derive(Default)]
pub struct Draws(Mutex<BTreeSet<String>>);

impl Draws {
    /// Takes over what a program tells of.
    pub fn add(&self, draws: &[Draw], symbols: &symbols::Shared) {
        self.0.lock().expect("no holder panics").extend(draws.iter().map(|draw| words(draw, symbols)));
    }

    /// Adds all of others.
    pub fn add_all(&self, others: &Draws) {
        let others = others.all();
        self.0.lock().expect("no holder panics").extend(others);
    }

    /// All of them, sorted.
    pub fn all(&self) -> Vec<String> {
        self.0.lock().expect("no holder panics").iter().cloned().collect()
    }
}

/// What is drawn and where: at the innermost place that is not in a header of a library.
fn words(draw: &Draw, symbols: &symbols::Shared) -> String {
    let name = draw.name.split(|byte| *byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name);
    match draw.places.iter().find_map(|place| symbols.own_line(*place)) {
        Some((file, line)) => format!("{name} at {file}:{line}"),
        None => name.into_owned(),
    }
}
