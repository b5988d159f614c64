//! What the verdict has to mention: random numbers that were drawn instead of enumerated, loops that compute for long, and clean-ups
//! of garbage, which do not run.

use crate::machine::Machine;
use crate::machine::class::{ClassId, Loader, MethodId};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// A thread that ends so many transitions in a row because it computes for long is noted: some millions of rounds of a loop.
const LONG: u32 = 8;

/// Places in the program, in words. All programs of a subject share them.
#[derive(Debug, Default)]
pub(crate) struct PlaceNames(Mutex<BTreeSet<String>>);

impl PlaceNames {
    /// Adds a place.
    pub fn add(&self, place: String) {
        self.0.lock().expect("no holder panics").insert(place);
    }

    /// Adds all of others.
    pub fn add_all(&self, others: &PlaceNames) {
        let others = others.all();
        self.0.lock().expect("no holder panics").extend(others);
    }

    /// All of them, sorted.
    pub fn all(&self) -> Vec<String> {
        self.0.lock().expect("no holder panics").iter().cloned().collect()
    }
}

/// What the verdict has to mention. All machines of a program share the places.
#[derive(Default)]
pub(crate) struct Caveats {
    /// Draws of random numbers that were not enumerated.
    pub draws: Arc<PlaceNames>,
    /// Instructions whose draws this machine has added.
    pub drawn: hashbrown::HashSet<(MethodId, u32), foldhash::fast::FixedState>,
    /// Loops that compute for long without a visible operation.
    pub long_runs: Arc<PlaceNames>,
    /// Finalizers and cleaners of the program.
    pub clean_ups: Arc<PlaceNames>,
}

impl Machine {
    /// The current thread draws a random number that no seed of the program decides, and only one value of it is explored.
    /// What the JDK draws for itself in a static initialiser is not told: the same holds for all of its salts.
    pub(crate) fn note_draw(&mut self) {
        if !self.scheduling.controlled || self.scheduling.is_in_scope() {
            return;
        }
        let frames = &self.threads.list[self.turn.thread].frames;
        let Some(own) = frames.iter().rposition(|frame| self.is_own(frame.method)) else { return };
        let frame = frames[own];
        if !self.scheduling.caveats.drawn.insert((frame.method, frame.pc)) {
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
        let method = self.classes.symbols.text(called.name);
        let text = format!("{class}.{method} at {}:{}", place.file, place.line);
        self.scheduling.caveats.draws.add(text);
    }

    /// The program makes a cleaner. It never cleans: no thread waits for what has become garbage.
    pub(crate) fn note_cleaner(&self) {
        if !self.scheduling.controlled || self.scheduling.is_in_scope() {
            return;
        }
        let frames = &self.threads.list[self.turn.thread].frames;
        let Some(frame) = frames.iter().rev().find(|frame| self.is_own(frame.method)) else { return };
        let place = self.location(frame.method, self.bci(frame.method, frame.pc));
        self.scheduling.caveats.clean_ups.add(format!("a cleaner at {}:{}", place.file, place.line));
    }

    /// The program uses a class. If that declares a finalizer, no object of it will be finalized.
    pub(crate) fn note_finalizer(&mut self, class: ClassId) {
        if !self.scheduling.controlled || self.class(class).loader == Loader::BOOT {
            return;
        }
        let finalizer = self.method_named(class, "finalize", "()V").map(|method| self.method(method).class);
        if finalizer.is_some_and(|declares| self.class(declares).loader != Loader::BOOT) {
            let text = format!("{}.finalize", self.external_name(class));
            self.scheduling.caveats.clean_ups.add(text);
        }
    }

    /// The current thread has ended so many transitions in a row without a visible operation.
    pub(crate) fn note_long_run(&self, times: u32) {
        if times != LONG {
            return;
        }
        let frames = &self.threads.list[self.turn.thread].frames;
        let own = frames.iter().rev().find(|frame| self.is_own(frame.method));
        let Some(frame) = own.or(frames.last()) else { return };
        let place = self.location(frame.method, self.bci(frame.method, frame.pc));
        self.scheduling.caveats.long_runs.add(place.to_string());
    }
}
