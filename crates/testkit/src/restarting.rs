//! Any program as one that assumes too little at first, and asks to begin again when it notices.

use sojourner_program::{Choice, Decode, Encode, Fault, Load, Program, Reducible, Stateful, Step, forward};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Makes programs that ask to begin again, the first of them until `lessons` have been learned.
pub struct Restarting<L> {
    load: L,
    lessons: u64,
    learned: Arc<AtomicU64>,
}

impl<L: Load> Restarting<L> {
    /// The same programs, with so many lessons to learn, one at a time.
    pub fn new(load: L, lessons: u64) -> Self {
        Restarting { load, lessons, learned: Arc::default() }
    }
}

impl<L: Load> Load for Restarting<L> {
    type P = Learning<L::P>;

    forward!(Load for load, except open, renew, open_to_follow, learned, learn);

    fn open(&self) -> Result<Self::P, Fault> {
        let (program, known) = (self.load.open()?, self.learned.load(Relaxed));
        let learned = Arc::clone(&self.learned);
        Ok(Learning { program, known, lessons: self.lessons, learned, before: 0 })
    }

    fn open_to_follow(&self) -> Result<Self::P, Fault> {
        let learning = self.open()?;
        Ok(Learning { lessons: learning.known, ..learning })
    }

    fn learned(&self) -> Vec<String> {
        (0..self.learned.load(Relaxed)).map(|lesson| format!("lesson {lesson}")).collect()
    }

    fn learn(&self, learned: &[String]) {
        self.learned.fetch_max(learned.len() as u64, Relaxed);
    }
}

/// A program that asks to begin again at a depth of two steps for each lesson, while it has one to learn.
pub struct Learning<P> {
    program: P,
    /// The lessons that had been learned when it was opened.
    known: u64,
    lessons: u64,
    learned: Arc<AtomicU64>,
    /// How deep the place was that it last went to.
    before: usize,
}

impl<P: Program> Learning<P> {
    fn depth_from_start(&self) -> usize {
        self.before + self.program.depth()
    }
}

impl<P: Program> Program for Learning<P> {
    type Place = (P::Place, usize);

    forward!(Program for program, except step, here, go, place_bytes);

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        if self.known < self.lessons && self.depth_from_start() as u64 >= 2 * (self.known + 1) {
            self.learned.fetch_max(self.known + 1, Relaxed);
            return Err(Fault::Again { why: format!("lesson {}", self.known) });
        }
        self.program.step(choice, step)
    }

    fn here(&mut self) -> Self::Place {
        (self.program.here(), self.depth_from_start())
    }

    fn go(&mut self, place: &Self::Place) -> Result<(), Fault> {
        let (place, depth) = place;
        self.before = *depth;
        self.program.go(place)
    }
}

impl<P: Reducible> Reducible for Learning<P> {
    forward!(Reducible for program);
}

impl<P: Stateful> Stateful for Learning<P> {
    forward!(Stateful for program);
}

impl<P: Encode> Encode for Learning<P> {
    forward!(Encode for program);
}

impl<P: Decode> Decode for Learning<P> {
    forward!(Decode for program);
}
