//! The console of a program that runs: this process's own.
//!
//! Output is gathered and written in large pieces, in the order in which the program wrote it. It is written at once
//! to a terminal, before anything goes to standard error, before the program reads input, when it has been waiting for
//! a while, and at the end, however that comes.

use sojourner_java::Console;
use std::io::{IsTerminal, Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Output that was not written yet. There is one standard output, and an interrupt, which comes on a thread of its own,
/// has to write what is left.
static GATHERED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Bytes that are gathered at most.
const MOST: usize = 64 << 10;

/// For how long output is kept back at most, while the program runs.
const LONGEST: Duration = Duration::from_millis(50);

fn gathered() -> MutexGuard<'static, Vec<u8>> {
    GATHERED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(gathered: &mut Vec<u8>) {
    let mut out = std::io::stdout().lock();
    // A reader that has gone away is no affair of the program.
    let _ = out.write_all(gathered).and_then(|()| out.flush());
    gathered.clear();
}

/// Writes what was gathered.
pub fn flush() {
    write(&mut gathered());
}

/// Standard input, output and error of this process.
pub struct Standard {
    terminal: bool,
    /// When the oldest output that was not written yet was seen to be there.
    since: Option<Instant>,
}

impl Standard {
    pub fn new() -> Standard {
        Standard { terminal: std::io::stdout().is_terminal(), since: None }
    }
}

impl Console for Standard {
    fn out(&mut self, bytes: &[u8]) {
        let mut gathered = gathered();
        gathered.extend_from_slice(bytes);
        if self.terminal || gathered.len() > MOST {
            write(&mut gathered);
        }
    }

    fn err(&mut self, bytes: &[u8]) {
        flush();
        crate::say_bytes(bytes);
    }

    fn input(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        flush();
        std::io::stdin().read(buffer)
    }

    fn turn(&mut self) {
        let mut gathered = gathered();
        if gathered.is_empty() {
            self.since = None;
            return;
        }
        let now = Instant::now();
        if now.duration_since(*self.since.get_or_insert(now)) > LONGEST {
            write(&mut gathered);
            self.since = None;
        }
    }
}

impl Drop for Standard {
    fn drop(&mut self) {
        flush();
    }
}
