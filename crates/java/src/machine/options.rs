//! How a machine is set up.

use std::io::Write;

/// Where the program's output goes. It is a log beside the state, not a part of it.
pub trait Console {
    /// Standard output.
    fn out(&mut self, bytes: &[u8]);
    /// Standard error.
    fn err(&mut self, bytes: &[u8]);
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
            console: Box::new(Inherited),
        }
    }
}
