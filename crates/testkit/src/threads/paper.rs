//! The programs that reductions are measured on, written after their descriptions in the papers.

use super::{Code, Local, Operation};
use Operation::*;

/// Threads that each add to a counter under a lock, several times. With one round and nothing to add it is Figure 7 of
/// Yang et al. 2007.
pub struct Counter {
    /// How many threads.
    pub threads: usize,
    /// How often each of them adds.
    pub rounds: u8,
    /// Whether the counter is there at all.
    pub adds: bool,
}

impl Code for Counter {
    fn threads(&self) -> usize {
        self.threads
    }

    fn variables(&self) -> usize {
        1
    }

    fn operation(&self, _: usize, local: &Local) -> Operation {
        let [round, read, ..] = local.r;
        match local.at {
            _ if round == self.rounds => End,
            0 => Lock(0),
            1 if self.adds => Read(0),
            2 if self.adds => Write(0, read + 1),
            _ => Unlock(0),
        }
    }

    fn got(&self, _: usize, local: &mut Local, value: u8) {
        match (local.at, self.adds) {
            (1, true) => local.r[1] = value,
            (3, true) | (1, false) => {
                *local = Local { at: 0, r: [local.r[0] + 1, 0, 0, 0] };
                return;
            }
            _ => {}
        }
        local.at += 1;
    }
}

/// A thread starts the others, each of which takes an inode and a block for it, and joins them (Flanagan & Godefroid
/// 2005). From the 14th on they want the same blocks as the first ones.
pub struct Fsbench {
    /// How many threads take blocks.
    pub threads: usize,
}

impl Fsbench {
    const BLOCKS: usize = 26;
    const INODES: usize = 32;
}

impl Code for Fsbench {
    fn threads(&self) -> usize {
        self.threads + 1
    }

    fn first(&self) -> usize {
        1
    }

    fn variables(&self) -> usize {
        Self::BLOCKS + Self::INODES
    }

    fn locks(&self) -> usize {
        Self::BLOCKS + Self::INODES
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        if thread == 0 {
            return starts_and_joins(self.threads, local);
        }
        let inode = Self::BLOCKS + (thread - 1) % Self::INODES;
        let block = usize::from(local.r[0]);
        match local.at {
            0 => Lock(inode),
            1 => Read(inode),
            2 => Lock(block),
            3 => Read(block),
            4 => Write(block, 1),
            5 => Write(inode, block as u8 + 1),
            6 | 8 => Unlock(block),
            7 => Unlock(inode),
            _ => Exit,
        }
    }

    fn got(&self, thread: usize, local: &mut Local, value: u8) {
        local.at = match local.at {
            at if thread == 0 => at + 1,
            1 if value != 0 => 7,
            1 => {
                local.r[0] = (((thread - 1) % Self::INODES) * 2 % Self::BLOCKS) as u8;
                2
            }
            3 if value != 0 => 8,
            7 => 9,
            8 => {
                local.r[0] = (local.r[0] + 1) % Self::BLOCKS as u8;
                2
            }
            at => at + 1,
        };
    }
}

/// The first thread starts and joins the others.
fn starts_and_joins(others: usize, local: &Local) -> Operation {
    let at = usize::from(local.at);
    match at {
        at if at < others => Start(at + 1),
        at if at < 2 * others => Join(at - others + 1),
        _ => End,
    }
}

/// Threads that put four words each into a hash table without locks (Flanagan & Godefroid 2005). From twelve threads
/// on some of the words have the same hash.
pub struct Indexer {
    /// How many threads.
    pub threads: usize,
}

impl Indexer {
    const SIZE: usize = 128;
    const WORDS: u8 = 4;
}

impl Code for Indexer {
    fn threads(&self) -> usize {
        self.threads
    }

    fn variables(&self) -> usize {
        Self::SIZE
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        let [words, probes, ..] = local.r;
        if words == Self::WORDS {
            return End;
        }
        let word = (words + 1) * 11 + thread as u8;
        let hash = (usize::from(word) * 7 + usize::from(probes)) % Self::SIZE;
        CompareAndSwap(hash, 0, word)
    }

    fn got(&self, _: usize, local: &mut Local, swapped: u8) {
        if swapped == 1 {
            local.r = [local.r[0] + 1, 0, 0, 0];
        } else {
            local.r[1] += 1;
        }
    }
}

/// The skeleton of a program that fetches a file in parts: each worker adds to the progress twice, under a lock.
pub struct Aget {
    /// How many workers.
    pub workers: usize,
}

impl Code for Aget {
    fn threads(&self) -> usize {
        self.workers + 1
    }

    fn first(&self) -> usize {
        1
    }

    fn variables(&self) -> usize {
        1
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        match local.at {
            _ if thread == 0 => starts_and_joins(self.workers, local),
            0 | 4 => Lock(0),
            1 | 5 => Read(0),
            2 | 6 => Write(0, local.r[0] + 1),
            3 | 7 => Unlock(0),
            _ => Exit,
        }
    }

    fn got(&self, _: usize, local: &mut Local, value: u8) {
        local.at += 1;
        local.r[0] = value;
    }
}

/// Producers and consumers of an item each, with a buffer between them that is guarded by a lock and two conditions.
pub struct BoundedBuffer {
    /// How many producers, and as many consumers.
    pub each: usize,
    /// How many items the buffer holds.
    pub capacity: u8,
    /// Whether a signal wakes any of the threads that wait, not the one that has waited longest.
    pub any: bool,
}

impl Code for BoundedBuffer {
    fn threads(&self) -> usize {
        2 * self.each
    }

    fn variables(&self) -> usize {
        1
    }

    fn conditions(&self) -> usize {
        2
    }

    fn wakes_any(&self) -> bool {
        self.any
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        let produces = thread < self.each;
        let count = local.r[0];
        match local.at {
            0 => Lock(0),
            1 => Read(0),
            2 => Wait(usize::from(produces), 0),
            3 => Write(0, if produces { count + 1 } else { count - 1 }),
            4 => Signal(usize::from(!produces)),
            5 => Unlock(0),
            _ => End,
        }
    }

    fn got(&self, thread: usize, local: &mut Local, value: u8) {
        let produces = thread < self.each;
        local.at = match local.at {
            1 => {
                local.r[0] = value;
                let must_wait = value == if produces { self.capacity } else { 0 };
                if must_wait { 2 } else { 3 }
            }
            2 => 1,
            at => at + 1,
        };
    }
}

/// One thread writes a variable that the others read.
pub struct Readers {
    /// How many read.
    pub readers: usize,
}

impl Code for Readers {
    fn threads(&self) -> usize {
        self.readers + 1
    }

    fn variables(&self) -> usize {
        1
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        match local.at {
            0 if thread == 0 => Write(0, 1),
            0 => Read(0),
            _ => End,
        }
    }

    fn got(&self, _: usize, local: &mut Local, value: u8) {
        *local = Local { at: 1, r: [value, 0, 0, 0] };
    }
}

/// One thread looks for the last zero of an array, while the others each make their element one more than the one
/// before (Abdulla et al. 2014).
pub struct LastZero {
    /// How many elements are made.
    pub elements: usize,
}

impl Code for LastZero {
    fn threads(&self) -> usize {
        self.elements + 1
    }

    fn variables(&self) -> usize {
        self.elements + 1
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        match local.at {
            0 if thread == 0 => Read(self.elements - usize::from(local.r[0])),
            0 => Read(thread - 1),
            1 if thread > 0 => Write(thread, local.r[0] + 1),
            _ => End,
        }
    }

    fn got(&self, thread: usize, local: &mut Local, value: u8) {
        match thread {
            0 if value == 0 => local.at = 1,
            0 => local.r[0] += 1,
            _ => *local = Local { at: local.at + 1, r: [value, 0, 0, 0] },
        }
    }
}

/// The smallest program of which the paper's Figure 2, with sleep sets and read literally, misses an execution.
pub struct TwoReaders;

impl Code for TwoReaders {
    fn threads(&self) -> usize {
        3
    }

    fn variables(&self) -> usize {
        2
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        match (thread, local.at) {
            (0, 0) => Write(0, 1),
            (1, 0) => Read(1),
            (1, 1) | (2, 0) => Read(0),
            _ => End,
        }
    }
}
