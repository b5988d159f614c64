//! Random numbers, and times of day, of which one value was explored: the verdict says where they come from.

use crate::symbols;
use sojourner_native_rt::protocol::{Draw, TIME_OF_DAY};
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
        let others = others.0.lock().expect("no holder panics").clone();
        self.0.lock().expect("no holder panics").extend(others);
    }

    /// The random numbers, sorted.
    pub fn numbers(&self) -> Vec<String> {
        self.split().0
    }

    /// The times of day, sorted, but for those that a random number at the same place was made of.
    pub fn times(&self) -> Vec<String> {
        let (numbers, times) = self.split();
        let seeds = |time: &String| numbers.iter().any(|number| place(number) == place(time));
        times.into_iter().filter(|time| place(time).is_none() || !seeds(time)).collect()
    }

    fn split(&self) -> (Vec<String>, Vec<String>) {
        let is_number = |draw: &String| draw.split(AT).next() != Some(TIME_OF_DAY);
        self.0.lock().expect("no holder panics").iter().cloned().partition(is_number)
    }
}

/// What stands between the name of what was drawn and its place.
const AT: &str = " at ";

fn place(draw: &str) -> Option<&str> {
    draw.split_once(AT).map(|(_, place)| place)
}

/// What is drawn and where: at the innermost place that is not in a header of a library.
fn words(draw: &Draw, symbols: &symbols::Shared) -> String {
    let name = draw.name.split(|byte| *byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name);
    match draw.places.iter().find_map(|place| symbols.own_line(*place)) {
        Some((file, line)) => format!("{name}{AT}{file}:{line}"),
        None => name.into_owned(),
    }
}
