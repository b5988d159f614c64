//! Data that a mutex guards.
//!
//! If all threads touch some data with the same mutex held, what a thread does with it is noticed only after the thread gives that mutex
//! back. So to a reduction it is no visible operation, but belongs to the step before it (Stoller 2000). Which data that is
//! is an assumption, word by word, and every execution is watched: of each word, which mutexes were held whenever it was touched
//! (Savage et al. 1997). If none is left, of a word that several threads touch and one of them writes, the driver is told. It
//! begins the search anew, and from then on accesses to the word are visible.
//!
//! That is about the data of the program and its libraries. Blocks of the heap may be freed, which is another way to
//! notice things.

use crate::protocol::{ALL_DATA, How, NOBODY, Op, Space, Touch};
use crate::rt::base::layout::slot_of;
use crate::rt::sched::private_memory;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime};
use crate::rt::sched::state_hash::mixed;
use core::cell::Cell;

/// Mutexes that a thread holds which are kept in mind. Leaving one out only guards less.
const MOST_LOCKS: usize = 4;
/// Words of data that an execution may touch before nothing counts as guarded.
const MOST_WORDS: usize = 1 << 10;
const TABLE: usize = 2 * MOST_WORDS;
/// Smaller variables than that lie side by side, and may have mutexes of their own.
const WORD: u64 = 4;
/// Operations that belong to one step at most beside its first, so that a thread that goes round in one comes to a step some time.
pub const MOST_IN_STEP: u32 = 1 << 12;
/// The bytes of an access that may be guarded.
const MOST_BYTES: u32 = 16;

/// Some mutexes.
#[repr(C)]
#[derive(Clone, Copy)]
struct Locks {
    locks: [u64; MOST_LOCKS],
    count: u32,
}

impl Locks {
    fn all(&self) -> &[u64] {
        &self.locks[..self.count as usize]
    }

    fn keep(&mut self, stays: impl Fn(u64) -> bool) {
        let mut kept = 0;
        for nth in 0..self.count as usize {
            let lock = self.locks[nth];
            if stays(lock) {
                self.locks[kept] = lock;
                kept += 1;
            }
        }
        self.count = kept as u32;
    }
}

/// The mutexes that a thread holds, as far as they are kept in mind.
#[repr(C)]
pub struct Holds {
    locks: [Cell<u64>; MOST_LOCKS],
    count: Cell<u32>,
}

impl Holds {
    /// Those of a new thread: none.
    pub fn clear(&self) {
        self.count.set(0);
    }

    fn get(&self) -> Locks {
        Locks { locks: self.locks.each_ref().map(Cell::get), count: self.count.get() }
    }

    fn add(&self, lock: u64) {
        if let Some(place) = self.locks.get(self.count.get() as usize) {
            place.set(lock);
            self.count.update(|count| count + 1);
        }
    }

    fn remove(&self, lock: u64) {
        let mut kept = 0;
        for nth in 0..self.count.get() as usize {
            let other = self.locks[nth].get();
            if other != lock {
                self.locks[kept].set(other);
                kept += 1;
            }
        }
        self.count.set(kept as u32);
    }
}

/// The running thread has taken a mutex that it did not have.
pub fn took(mutex: u64) {
    runtime().thread().holds.add(mutex);
}

/// The running thread gives back a mutex, and does not have it any longer.
pub fn gave_back(mutex: u64) {
    runtime().thread().holds.remove(mutex);
}

/// A mutex is made anew.
pub fn nobody_holds(mutex: u64) {
    for thread in runtime().all() {
        thread.holds.remove(mutex);
    }
}

/// What an execution has done with a word of data while there were several threads.
#[repr(C)]
#[derive(Clone, Copy)]
struct Word {
    execution: u64,
    address: u64,
    /// The mutexes that were held each time.
    locks: Locks,
    /// The thread that touched it first.
    thread: u32,
    several: bool,
    written: bool,
    /// Whether an access to it was no visible operation.
    hidden: bool,
}

impl Word {
    /// Whether the order of two accesses may matter although one of them was not reported.
    fn is_lost(&self) -> bool {
        self.several && self.written && self.hidden && self.locks.count == 0
    }
}

/// How one access touches its words.
#[derive(Clone, Copy)]
struct Access {
    thread: u32,
    writes: bool,
    hidden: bool,
}

/// The words that the execution has touched.
#[repr(C)]
pub struct Guarded {
    words: [Word; TABLE],
    /// Where in the table they are.
    places: [u16; MOST_WORDS],
    count: usize,
}

impl Guarded {
    /// A new execution begins.
    pub fn begin(&mut self) {
        self.count = 0;
    }

    /// Calls `look` with what has to be copied to come back to what is known here.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        let places = &self.places[..self.count];
        let from = places.as_ptr() as u64;
        look(from, from + size_of_val(places) as u64);
        let from = &raw const self.count as u64;
        look(from, from + size_of::<usize>() as u64);
        for &place in places {
            let from = &raw const self.words[place as usize] as u64;
            look(from, from + size_of::<Word>() as u64);
        }
    }

    /// Calls `look` with a number for each word: what must come the same again for nothing to be lost that is not lost here.
    pub fn each_number(&self, mut look: impl FnMut(u64)) {
        for &place in &self.places[..self.count] {
            let Word { address, locks, thread, several, written, hidden, .. } = &self.words[place as usize];
            let who = if *several { NOBODY } else { *thread };
            let flags = u64::from(who) << 2 | u64::from(*written) << 1 | u64::from(*hidden);
            // The order of locks is of no account.
            let locks = locks.all().iter().fold(0u64, |sum, &lock| sum.wrapping_add(mixed(lock, 1)));
            look(mixed(*address, mixed(locks, flags)));
        }
    }

    /// What is known here is of an execution with another number, too.
    pub fn renew(&mut self, execution: u64) {
        for nth in 0..self.count {
            self.words[self.places[nth] as usize].execution = execution;
        }
    }

    /// Takes note of an access to a word by a thread that holds these mutexes. Whether all is well with it.
    fn touch(&mut self, execution: u64, address: u64, access: Access, holds: &Locks) -> Result<bool, Full> {
        let mut at = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as usize;
        while self.words[at].execution == execution && self.words[at].address != address {
            at = (at + 1) % TABLE;
        }
        let Access { thread, writes, hidden } = access;
        let word = &mut self.words[at];
        if word.execution != execution {
            if self.count == MOST_WORDS {
                return Err(Full);
            }
            self.places[self.count] = at as u16;
            self.count += 1;
            *word =
                Word { execution, address, locks: *holds, thread, several: false, written: writes, hidden };
            return Ok(true);
        }
        word.locks.keep(|lock| holds.all().contains(&lock));
        word.several |= word.thread != thread;
        word.written |= writes;
        word.hidden |= hidden;
        Ok(!word.is_lost())
    }
}

/// There is no room for more words.
struct Full;

const _: () = assert!(TABLE == 1 << (64 - 53));

/// Whether what the running thread is about to do is an access to data that a mutex guards, so that it goes on without being
/// told to.
#[inline]
pub fn is_guarded(runtime: &Runtime, operation: &Operation) -> bool {
    runtime.settings.get().guards != 0
        && matches!(operation.op, Op::Read | Op::Write)
        && runtime.thread().holds.count.get() > 0
        && belongs_to_step(runtime, operation)
}

fn belongs_to_step(runtime: &Runtime, operation: &Operation) -> bool {
    let Operation { object, size, also, .. } = *operation;
    let known = |word: u64| runtime.private.contains(word);
    let guarded = size <= MOST_BYTES
        && also.iter().all(Option::is_none)
        && slot_of(object).is_none()
        && !runtime.table[runtime.current.get() as usize].repeats()
        && runtime.section.get().is_none()
        && header().inside_step.get() < MOST_IN_STEP
        && (runtime.private.is_empty() || !known(ALL_DATA) && !words(object, size).any(known));
    header().inside_step.update(|inside_step| inside_step + u32::from(guarded));
    guarded
}

/// The running thread does what it was about to: takes note of the data that it touches. `hidden`: it was no visible operation.
#[inline]
pub fn note(runtime: &Runtime, operation: &Operation, hidden: bool) {
    if runtime.settings.get().guards != 0 {
        note_words(runtime, operation, hidden);
    }
}

fn note_words(runtime: &Runtime, operation: &Operation, hidden: bool) {
    let Operation { op, how, object, size, also, .. } = *operation;
    // The handle of a new thread is a pointer.
    let size = if op == Op::Create { 8 } else { size };
    if op as u8 <= Op::AtomicUpdate as u8 || op.space() as u8 == Space::Memory as u8 {
        note_access(runtime, object, size, how as u8, hidden);
    }
    for Touch { object, size, how, space, .. } in also.into_iter().flatten() {
        if space == Space::Memory as u8 {
            note_access(runtime, object, size, how, hidden);
        }
    }
}

fn note_access(runtime: &Runtime, object: u64, size: u32, how: u8, hidden: bool) {
    if slot_of(object).is_some() || how == How::Nothing as u8 {
        return;
    }
    let thread = runtime.current.get();
    let access = Access { thread, writes: how != How::Read as u8, hidden };
    for address in words(object, size) {
        let holds = runtime.table[thread as usize].holds.get();
        let execution = runtime.executions.get();
        match runtime.guarded.with_mut(|guarded| guarded.touch(execution, address, access, &holds)) {
            Ok(true) => {}
            Ok(false) => private_memory::unguarded(runtime, address),
            Err(Full) => return private_memory::unguarded(runtime, ALL_DATA),
        }
    }
}

/// The words that an access touches.
#[inline]
fn words(object: u64, size: u32) -> impl Iterator<Item = u64> {
    let end = object + u64::from(size.max(1));
    (object / WORD..end.div_ceil(WORD)).map(|number| number * WORD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::sched::state::{Runtime, new_state};

    const READ: bool = false;
    const WRITE: bool = true;

    /// Whether all is well with an access to a word by a thread that holds these mutexes.
    fn touch(runtime: &Runtime, thread: u32, writes: bool, locks: &[u64]) -> bool {
        let mut held = Locks { locks: [0; MOST_LOCKS], count: locks.len() as u32 };
        held.locks[..locks.len()].copy_from_slice(locks);
        let access = Access { thread, writes, hidden: true };
        runtime.guarded.with_mut(|guarded| guarded.touch(1, 0x4000, access, &held)).is_ok_and(|well| well)
    }

    #[test]
    fn word_stays_guarded_while_one_mutex_is_always_held() {
        let runtime = new_state();
        assert!(touch(runtime, 0, WRITE, &[8, 16]));
        assert!(touch(runtime, 1, WRITE, &[16, 24]));
        assert!(touch(runtime, 0, READ, &[16]));
    }

    #[test]
    fn word_without_common_mutex_is_not_guarded() {
        let runtime = new_state();
        assert!(touch(runtime, 0, WRITE, &[8]));
        assert!(!touch(runtime, 1, WRITE, &[16]));
    }

    #[test]
    fn word_that_is_only_read_needs_no_mutex() {
        let runtime = new_state();
        assert!(touch(runtime, 0, READ, &[]));
        assert!(touch(runtime, 1, READ, &[]));
    }

    #[test]
    fn next_execution_begins_without_words() {
        let runtime = new_state();
        assert!(touch(runtime, 0, WRITE, &[]));
        runtime.guarded.with_mut(Guarded::begin);
        let mut words = 0;
        runtime.guarded.with(|guarded| guarded.each_number(|_| words += 1));
        assert_eq!(words, 0);
    }

    #[test]
    fn given_back_mutex_is_no_longer_held() {
        let holds = &new_state().thread().holds;
        [8, 16, 24].into_iter().for_each(|lock| holds.add(lock));
        holds.remove(16);
        assert_eq!(holds.get().all(), [8, 24]);
        [32, 40, 48].into_iter().for_each(|lock| holds.add(lock));
        assert_eq!(holds.get().all(), [8, 24, 32, 40]);
    }
}
