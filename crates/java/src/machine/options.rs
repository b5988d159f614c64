//! How a machine is set up.

use super::{Choices, RoundRobin};
use std::io::{Read, Write};

/// Where the program's output goes, and where its input comes from. Output is a log beside the state, not a part of it.
pub trait Console {
    /// Standard output.
    fn out(&mut self, bytes: &[u8]);

    /// Standard error.
    fn err(&mut self, bytes: &[u8]);

    /// Standard input: as many bytes as are there and fit, and none at its end.
    fn input(&mut self, buffer: &mut [u8]) -> std::io::Result<usize>;

    /// A thread has had its turn: a good moment to show what was written some time ago.
    fn turn(&mut self) {}
}

/// The console of this process.
#[derive(Default)]
pub struct Inherited;

impl Console for Inherited {
    fn out(&mut self, bytes: &[u8]) {
        // A reader that has gone away is no affair of the program.
        let _ = std::io::stdout().write_all(bytes);
    }

    fn err(&mut self, bytes: &[u8]) {
        let _ = std::io::stderr().write_all(bytes);
    }

    fn input(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        std::io::stdin().read(buffer)
    }
}

/// Bounds, properties and the console.
pub struct Options {
    /// System properties that the user sets.
    pub properties: Vec<(String, String)>,
    /// The largest size of the heap, in bytes.
    pub heap: u64,
    /// The least number of bytes that are allocated between two collections of garbage.
    pub garbage: u64,
    /// The largest number of frames on a thread's stack.
    pub frames: usize,
    /// The largest number of slots on a thread's stack.
    pub slots: usize,
    /// Whether to note what the run uses: see [`Machine::coverage`](super::Machine::coverage).
    pub coverage: bool,
    /// Whether an observer is to control the program.
    pub explores: bool,
    /// What decides what the program leaves open.
    pub choices: Box<dyn Choices>,
    /// Where output goes.
    pub console: Box<dyn Console>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            properties: Vec::new(),
            heap: 4 << 30,
            garbage: 64 << 20,
            frames: 10_000,
            slots: 1 << 18,
            coverage: false,
            explores: false,
            choices: Box::new(RoundRobin),
            console: Box::new(Inherited),
        }
    }
}

/// Slots of a thread's stack for each frame that is allowed, on the average.
const SLOTS_OF_FRAME: usize = 26;

impl Options {
    /// A machine whose stacks have at most that many frames, and room for them.
    pub fn with_frames(frames: usize) -> Options {
        let defaults = Options::default();
        Options { frames, slots: defaults.slots.max(frames * SLOTS_OF_FRAME), ..defaults }
    }
}
