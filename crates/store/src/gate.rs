//! A lock that many workers hold at once, or one worker alone.
//!
//! Workers use a table side by side; growing it takes one of them alone. This is a reader-writer lock in which a
//! reader executes no barrier and no locked instruction, so that the processor can go on to the next insertion while
//! this one waits for memory. Each worker has a flag on a cache line of its own:
//!
//! * a worker marks its flag as taken, then looks whether the gate is closed; if it is, it frees the flag and waits;
//! * a worker that wants to be alone closes the gate, then looks at every flag until it has seen each of them free.
//!
//! Both write one place and then read the other's (Dekker's protocol). The protocol is right if not both can read what was
//! there before the other wrote. A processor allows that as long as writes wait in its store buffer. A full barrier between
//! write and read on both sides forbids it. Closing is rare and entering is not, so the worker that closes executes both
//! barriers ([`barrier::everywhere`]). If a worker wrote before its part of the barrier, it is seen at its flag. If it reads
//! after that, it sees the gate closed. The compiler is kept from turning the two around. So either the worker sees that the
//! gate is closed, or it is seen and waited for.
//!
//! A worker may see the gate open again, after a closing that did not see it. It then reads what the opening wrote, and with
//! it the changed table: the opening is a release, the look at the gate an acquire. What a worker did inside is visible to
//! workers that are alone later: freeing the flag is a release, looking at it an acquire.
//!
//! Where the system has no such barrier, and under Loom, the gate is `FENCED` and both sides execute a fence.
#![allow(unsafe_code)]

use crate::barrier;
use crate::seat::{Seat, Seats};
use crate::sync::{AtomicU8, Backoff, Mutex, Ordering, Padded, UnsafeCell, compiler_fence, fence};
use crate::table::Attempt;
use std::sync::Arc;

/// The worker is not inside.
const FREE: u8 = 0;
/// Its worker is inside, or is about to look whether it may be.
const TAKEN: u8 = 1;

/// Every worker may enter, and the worker that closes the gate executes the barrier for all.
const OPEN: u8 = 0;
/// One worker is alone inside, or on the way.
const CLOSED: u8 = 1;
/// Workers execute a fence of their own. This never changes.
const FENCED: u8 = 2;

/// A panic alone inside leaves the gate closed; the poisoned mutex then passes it on to every worker that comes.
const GROWN: &str = "growing a table does not panic";

/// A value that the workers read together and change one at a time.
pub(crate) struct Gate<T> {
    /// `OPEN`, or the sum of what else is the case.
    state: AtomicU8,
    seats: Arc<Seats>,
    /// One for each seat.
    flags: Box<[Padded<AtomicU8>]>,
    value: UnsafeCell<T>,
    /// Held by the worker that closes the gate. Workers that find it closed wait for it.
    alone: Mutex<()>,
}

// SAFETY: the gate hands out `&T` to several threads at once, which needs `T: Sync`, and `&mut T` to one thread at a
// time, which may move out of it what another thread put there, which needs `T: Send`.
unsafe impl<T: Send + Sync> Sync for Gate<T> {}

// SAFETY: the gate owns its value; seats, flags and mutex may be moved.
unsafe impl<T: Send> Send for Gate<T> {}

impl<T> Gate<T> {
    pub(crate) fn new(value: T, seats: &Arc<Seats>) -> Self {
        let state = if barrier::is_asymmetric() { OPEN } else { FENCED };
        Self::with_state(value, seats, state)
    }

    fn with_state(value: T, seats: &Arc<Seats>, state: u8) -> Self {
        Gate {
            state: AtomicU8::new(state),
            seats: seats.clone(),
            flags: (0..seats.workers()).map(|_| Padded(AtomicU8::new(FREE))).collect(),
            value: UnsafeCell::new(value),
            alone: Mutex::new(()),
        }
    }

    /// Runs `read` beside other workers that do the same. `read` must not come to be alone at this gate.
    ///
    /// Panics if the seat belongs to another store.
    #[inline(always)]
    pub(crate) fn enter<R>(&self, seat: &mut Seat, read: impl FnOnce(&T) -> R) -> R {
        let number = self.seats.number(seat);
        // SAFETY: the seat is one of `seats`, so its number is below that of flags. That it is borrowed mutably until
        // the end also means that no other thread writes this flag.
        let flag = &unsafe { self.flags.get_unchecked(number) }.0;
        flag.store(TAKEN, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        // Acquire: what was done alone before the gate was opened is visible from here on.
        if self.state.load(Ordering::Acquire) != OPEN {
            self.look_again(flag);
        }
        let leave = Leave(flag);
        // SAFETY: `alone` makes a `&mut T` only while the gate is closed and after every flag has been seen free.
        // This flag is taken, and the gate was found open after that, so by the argument at the head of this file
        // no `&mut T` exists until the flag is free.
        let result = self.value.with(|value| read(unsafe { &*value }));
        drop(leave);
        result
    }

    /// Sets the flag again until it is set while the gate is open.
    #[cold]
    #[inline(never)]
    fn look_again(&self, flag: &AtomicU8) {
        loop {
            fence(Ordering::SeqCst);
            if self.state.load(Ordering::Acquire) & CLOSED == 0 {
                return;
            }
            flag.store(FREE, Ordering::Release);
            drop(self.alone.lock().expect(GROWN));
            flag.store(TAKEN, Ordering::Relaxed);
        }
    }

    /// Runs `write` when no worker is inside, and lets none in until it is done. The caller must not be inside.
    #[cold]
    #[inline(never)]
    pub(crate) fn alone<R>(&self, write: impl FnOnce(&mut T) -> R) -> R {
        let _alone = self.alone.lock().expect(GROWN);
        // Only the holder of the mutex changes it.
        let open = self.state.load(Ordering::Relaxed);
        self.state.store(open | CLOSED, Ordering::Relaxed);
        if open == FENCED {
            fence(Ordering::SeqCst);
        } else {
            barrier::everywhere();
        }
        for flag in &self.flags {
            let mut backoff = Backoff::default();
            // Acquire: what the worker did inside is visible to `write`.
            while flag.0.load(Ordering::Acquire) != FREE {
                backoff.wait();
            }
        }
        // SAFETY: the mutex keeps out others that want to be alone. The gate is closed and every flag has been seen
        // free since, so no worker holds a `&T`, and none gets one before the gate is opened below.
        let result = self.value.with_mut(|value| write(unsafe { &mut *value }));
        self.state.store(open, Ordering::Release);
        result
    }

    /// Repeats `attempt` beside the others, and `relieve` alone, until it is clear what became of a key;
    /// nothing if there is no room for it.
    #[inline(always)]
    pub(crate) fn insert<R>(
        &self,
        seat: &mut Seat,
        mut attempt: impl FnMut(&T) -> Attempt<R>,
        relieve: impl Fn(&mut T),
    ) -> Option<R> {
        loop {
            match self.enter(seat, &mut attempt) {
                Attempt::Done(result) => return Some(result),
                Attempt::Crowded(result) => {
                    self.alone(&relieve);
                    return Some(result);
                }
                Attempt::NoRoom => self.alone(&relieve),
                Attempt::Full => return None,
            }
        }
    }
}

/// Frees the flag, also when a panic passes through.
struct Leave<'a>(&'a AtomicU8);

impl Drop for Leave<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.store(FREE, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// If a worker finds the two halves of the value different, it has met another worker.
    fn two_workers_meet_no_one_who_is_alone(state: u8) {
        let seats = Seats::new(2);
        let gate = &Gate::with_state((0u64, 0u64), &seats, state);
        let rounds = 20_000;
        std::thread::scope(|scope| {
            for mut seat in [seats.take(), seats.take()] {
                scope.spawn(move || {
                    for round in 0..rounds {
                        gate.enter(&mut seat, |(one, other)| assert_eq!(one, other));
                        if round % 16 == 0 {
                            gate.alone(|(one, other)| {
                                *one += 1;
                                std::hint::black_box(&*one);
                                *other += 1;
                            });
                        }
                    }
                });
            }
        });
        assert_eq!(gate.alone(|value| *value), (rounds / 8, rounds / 8));
        assert_eq!(gate.state.load(Ordering::Relaxed), state);
    }

    #[test]
    fn single_writer_executes_the_barrier_for_all() {
        if barrier::is_asymmetric() {
            two_workers_meet_no_one_who_is_alone(OPEN);
        }
    }

    #[test]
    fn without_such_a_barrier_both_sides_have_a_fence() {
        two_workers_meet_no_one_who_is_alone(FENCED);
    }

    #[test]
    fn a_panic_inside_leaves_the_gate() {
        let seats = Seats::new(1);
        let gate = Gate::new((), &seats);
        let mut seat = seats.take();
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            gate.enter(&mut seat, |()| panic!("inside"));
        }));
        assert!(panic.is_err());
        gate.alone(|()| ());
    }
}
