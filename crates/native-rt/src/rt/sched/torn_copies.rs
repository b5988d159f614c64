//! Copies that others can see halfway.
//!
//! A copy of memory is one step as long as nothing races with it: no thread can notice its parts then. When a race with one is
//! seen, the driver is told of the word. It begins the search anew, and from then on whatever is copied from or to that word is
//! copied piece by piece, each a step.
//!
//! The compiler itself makes copies of structures, with instructions behind the hooks that announce them. The pieces of such a copy are
//! read into a buffer, which takes the place of what is copied until the thread comes to us again. What was written is taken back then and
//! written once more, piece by piece. No other thread moves in between.

use crate::protocol::{How, MOST_SHARED, Op, TORN};
use crate::rt::base::cell::CheckedCell;
use crate::rt::sched::context::Frame;
use crate::rt::sched::private_memory;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime};
use core::cell::Cell;

const WORD: u64 = 8;
/// The most bytes that are copied piece by piece.
const MOST_BYTES: usize = 512;

type Bytes = [u8; MOST_BYTES];

/// The copy that the compiler makes behind the last hook.
#[repr(C)]
pub struct Copies {
    /// Whether there is something to put right when the running thread comes to us again.
    pub open: Cell<bool>,
    reads: Cell<Reads>,
    /// Where it copies from, how many bytes, what it is to find there, and what there really is.
    source: Cell<u64>,
    source_size: Cell<usize>,
    found: CheckedCell<Bytes>,
    real: CheckedCell<Bytes>,
    /// Where it copies to, how many bytes, what there was before, and the place of the hook.
    target: Cell<u64>,
    target_size: Cell<usize>,
    before: CheckedCell<Bytes>,
    place: Cell<u64>,
}

/// Whether what is copied has been replaced.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    No,
    Replaced,
    /// It was until the call that the thread is in.
    PutBack,
}

impl Copies {
    /// A new execution begins.
    pub fn clear(&self) {
        self.open.set(false);
        self.reads.set(Reads::No);
        self.target_size.set(0);
    }

    /// Calls `look` with what has to be copied to come back to the copy that the running thread is in, if it is in one. If not,
    /// what lies here is of no account.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        if self.open.get() {
            let from = &raw const *self as u64;
            look(from, from + size_of::<Copies>() as u64);
        }
    }
}

/// The bytes from an address on.
fn load(from: u64, to: &mut Bytes, size: usize) {
    // SAFETY: the program is about to copy them.
    unsafe { core::ptr::copy(from as *const u8, to.as_mut_ptr(), size) };
}

fn store(from: &[u8], to: u64) {
    // SAFETY: the program is about to copy from, or has just copied to, these bytes.
    unsafe { core::ptr::copy(from.as_ptr(), to as *mut u8, from.len()) };
}

/// Whether a copy that touches these bytes is made piece by piece.
#[inline]
pub fn is_torn(runtime: &Runtime, address: u64, size: u64) -> bool {
    size > WORD
        && size <= MOST_BYTES as u64
        && runtime.running.get()
        && !runtime.private.is_empty()
        && has_torn(runtime, address, size)
}

fn has_torn(runtime: &Runtime, address: u64, size: u64) -> bool {
    let words = address / WORD..(address + size).div_ceil(WORD);
    words.map(|number| (number * WORD) | TORN).any(|word| runtime.private.contains(word))
}

/// A race with a copy has been seen, on the word at an address.
#[cold]
pub fn raced(runtime: &Runtime, address: u64) {
    // Words on stacks need the room.
    if (header().shared.get() as usize) < MOST_SHARED / 2 {
        private_memory::met(runtime, (address & !(WORD - 1)) | TORN);
    }
}

/// The pieces of so many bytes: whole words, and what is left at the ends.
fn pieces(address: u64, size: u64) -> impl DoubleEndedIterator<Item = (u64, u32)> {
    let words = address / WORD..(address + size).div_ceil(WORD);
    words.map(move |number| {
        let start = (number * WORD).max(address);
        let end = ((number + 1) * WORD).min(address + size);
        (start - address, (end - start) as u32)
    })
}

/// Copies piece by piece, from the end if that is how it must be done.
pub fn copy(frame: &Frame, to: u64, from: u64, size: u64) {
    let cut = if is_torn(runtime(), to, size) { to } else { from };
    let mut piece = |(at, bytes): (u64, u32)| {
        let mut buffer = [0; WORD as usize];
        let buffer = &mut buffer[..bytes as usize];
        Operation::new(Op::Read, How::Read, from + at, bytes).take(frame);
        // SAFETY: the program asks for this.
        unsafe { core::ptr::copy((from + at) as *const u8, buffer.as_mut_ptr(), buffer.len()) };
        Operation::new(Op::Write, How::Write, to + at, bytes).take(frame);
        store(buffer, to + at);
    };
    if (from + 1..from + size).contains(&to) {
        pieces(cut, size).rev().for_each(&mut piece);
    } else {
        pieces(cut, size).for_each(&mut piece);
    }
}

/// Writes the same byte everywhere, piece by piece.
pub fn set(frame: &Frame, to: u64, value: u8, size: u64) {
    for (at, bytes) in pieces(to, size) {
        Operation::new(Op::Write, How::Write, to + at, bytes).take(frame);
        store(&[value; WORD as usize][..bytes as usize], to + at);
    }
}

/// The compiler is about to copy from there. If others may notice that halfway, it is read piece by piece; otherwise `tell` is
/// called.
pub fn announced_read(source: u64, size: u64, tell: impl FnOnce(&Frame)) {
    let announced = Announced::take(size);
    let frame = Frame::here();
    if is_torn(runtime(), source, size) {
        read(frame, source, size);
    } else {
        tell(frame);
    }
    if let Some(announced) = announced {
        announced.announce();
    }
}

/// Reads piece by piece into a buffer, which takes the place of what is read.
fn read(frame: &Frame, source: u64, size: u64) {
    let mut found: Bytes = [0; MOST_BYTES];
    for (at, bytes) in pieces(source, size) {
        Operation::new(Op::Read, How::Read, source + at, bytes).take(frame);
        let (start, end) = (at as usize, at as usize + bytes as usize);
        // SAFETY: the program is about to read this.
        let piece = unsafe { core::slice::from_raw_parts((source + at) as *const u8, bytes as usize) };
        found[start..end].copy_from_slice(piece);
    }
    replace(source, &found[..size as usize]);
}

/// Puts bytes in the place of what is copied.
fn replace(source: u64, found: &[u8]) {
    let copies = &runtime().copies;
    copies.found.with_mut(|known| known[..found.len()].copy_from_slice(found));
    copies.real.with_mut(|real| load(source, real, found.len()));
    store(found, source);
    copies.open.set(true);
    copies.reads.set(Reads::Replaced);
    copies.source.set(source);
    copies.source_size.set(found.len());
}

/// What the compiler is about to copy to.
pub struct Announced {
    target: u64,
    size: usize,
    place: u64,
}

impl Announced {
    /// What the last hook announced, if nothing has been copied there since. Compilers announce what they write before what they
    /// read, and while that is read others may move.
    pub fn take(size: u64) -> Option<Announced> {
        let copies = &runtime().copies;
        let (target, target_size, place) =
            (copies.target.get(), copies.target_size.get(), copies.place.get());
        if !copies.open.get() || target_size == 0 || target_size as u64 != size {
            return None;
        }
        // SAFETY: the program is about to copy there.
        let now = unsafe { core::slice::from_raw_parts(target as *const u8, target_size) };
        if copies.before.with(|before| now != &before[..target_size]) {
            return None;
        }
        copies.target_size.set(0);
        Some(Announced { target, size: target_size, place })
    }

    /// The compiler copies there behind the hook that the thread is in.
    pub fn announce(self) {
        let copies = &runtime().copies;
        copies.open.set(true);
        copies.place.set(self.place);
        copies.target.set(self.target);
        copies.target_size.set(self.size);
        copies.before.with_mut(|before| load(self.target, before, self.size));
    }
}

/// The compiler is about to copy to there. If others may notice that halfway, it is no operation yet; otherwise `tell` is called.
pub fn write(frame: &Frame, target: u64, size: u64, tell: impl FnOnce(&Frame)) {
    let copies = &runtime().copies;
    let replaced = copies.reads.get() == Reads::PutBack && copies.source_size.get() == size as usize;
    let source = copies.source.get();
    let found = replaced.then(|| copies.found.with(|found| *found));
    if is_torn(runtime(), target, size) {
        Announced { target, size: size as usize, place: frame.place }.announce();
    } else {
        tell(frame);
    }
    if let Some(found) = found {
        replace(source, &found[..size as usize]);
    }
}

/// The same when the running thread comes to us by returning from its first function.
pub fn settle_at_end(frame: &Frame) {
    if runtime().copies.open.get() {
        settle(frame, runtime().thread().stack_end());
    }
}

/// Puts right what a copy of the compiler has left: the running thread has come to us again, at `frame`. What lies on its stack
/// below `in_use` belonged to a function that has returned since then: it is free, and the runtime may use it.
#[cold]
pub fn settle(frame: &Frame, in_use: u64) {
    let gone = crate::rt::base::layout::slot_at(runtime().thread().slot.get())..in_use;
    let copies = &runtime().copies;
    let source = copies.source.get();
    copies.reads.set(match copies.reads.get() {
        Reads::Replaced if gone.contains(&source) => Reads::No,
        Reads::Replaced => {
            copies.real.with(|real| store(&real[..copies.source_size.get()], source));
            Reads::PutBack
        }
        _ => Reads::No,
    });
    let (target, size) = (copies.target.get(), copies.target_size.take());
    copies.open.set(copies.reads.get() != Reads::No);
    if size == 0 || gone.contains(&target) {
        return;
    }
    // The copy is complete: what it was to find is of no use any more.
    copies.open.set(false);
    copies.reads.set(Reads::No);
    let mut new: Bytes = [0; MOST_BYTES];
    load(target, &mut new, size);
    copies.before.with(|before| store(&before[..size], target));
    let frame = Frame { place: copies.place.get(), ..*frame };
    for (at, bytes) in pieces(target, size as u64) {
        Operation::new(Op::Write, How::Write, target + at, bytes).take(&frame);
        store(&new[at as usize..at as usize + bytes as usize], target + at);
    }
    // Other threads have moved, and may have left what they found. They make use of it only before they stop.
    copies.open.set(false);
    copies.reads.set(Reads::No);
}
