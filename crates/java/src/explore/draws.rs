//! Random numbers that were drawn instead of enumerated: the verdict covers one value of each, and says where.

use crate::machine::Machine;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Places in the program, in words. All programs of a subject share them.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<BTreeSet<String>>);

impl Places {
    /// Adds a place.
    pub fn add(&self, place: String) {
        self.0.lock().expect("no holder panics").insert(place);
    }

    /// All of them, sorted.
    pub fn all(&self) -> Vec<String> {
        self.0.lock().expect("no holder panics").iter().cloned().collect()
    }
}

impl Machine {
    /// The current thread draws a random number that no seed of the program decides, and only one value of it is explored.
    /// What the JDK draws for itself in a static initialiser is not told: the same holds for all of its salts.
    pub(crate) fn note_draw(&mut self) {
        if !self.watch.on || self.watch.is_in_scope() {
            return;
        }
        let frames = &self.threads[self.current].frames;
        let Some(own) = frames.iter().rposition(|frame| self.is_own(frame.method)) else { return };
        let frame = frames[own];
        if !self.watch.drawn.insert((frame.method, frame.pc)) {
            return;
        }
        let visible = |method| !self.method(method).marks.hidden;
        let called = frames[own + 1..].iter().map(|frame| frame.method).find(|&method| visible(method));
        // The method that draws may be a native one that hides itself.
        let called = called.unwrap_or_else(|| frames[frames.len() - 1].method);
        let called = self.method(called);
        let class = self.external_name(called.class);
        let class = class.rsplit('.').next().unwrap_or_default();
        let place = self.location(frame.method, self.bci(frame.method, frame.pc));
        let method = self.symbols.text(called.name);
        let text = format!("{class}.{method} at {}:{}", place.file, place.line);
        self.watch.draws.add(text);
    }
}
