//! A search that the runtime goes on with by itself, and the table of states that it shares with the driver.

use super::{MOST_STEPS, NO_VALUE, RUN, Taken};
use core::cell::Cell;

/// Unsettled states that the runtime can keep.
pub const MOST_UNSETTLED: usize = 1 << 16;

/// What the driver asks of the runtime with [`Command::Search`](super::Command::Search), and what came of it. Everything is such that
/// the driver can go on from it if the process ends in the midst of a step.
#[repr(C)]
#[derive(Debug)]
pub struct OwnSearch {
    /// The depth of the last state of the path. Behind it there are none.
    pub depth: Cell<u32>,
    /// The least depth that the path has had.
    pub lowest: Cell<u32>,
    /// Whether the program stands in the last state of the path.
    pub stands: Cell<u32>,
    /// Whether the driver must take the next transition.
    pub stops: Cell<u32>,
    /// Transitions that may be taken, and states that may be added.
    pub most_transitions: Cell<u64>,
    /// See above.
    pub most_states: Cell<u64>,
    /// What has been counted.
    pub transitions: Cell<u64>,
    /// See above.
    pub states: Cell<u64>,
    /// The length of the longest path.
    pub max_depth: Cell<u32>,
    /// Paths that are longer are the driver's affair.
    pub deepest: Cell<u32>,
    /// Whether unsettled states are kept.
    pub tracks: Cell<u32>,
    /// How many there are, and how many of the last states of the path are unsettled.
    pub unsettled: Cell<u32>,
    /// See above.
    pub on_path: Cell<u32>,
    /// How many words, and things that atomic sections touch, the driver has told of.
    pub words: Cell<u32>,
    /// See above.
    pub touches: Cell<u32>,
    /// What the driver knows of the program, so that it need not be told.
    pub known: Cell<u32>,
    /// Where in the program's memory the table is to be mapped, with nothing before it or behind it.
    pub table_at: Cell<u64>,
    /// The number of its slots as a power of two.
    pub table_bits: Cell<u32>,
    /// Counts the tables.
    pub table_number: Cell<u32>,
    /// Where it can be opened: a path that ends in a zero.
    pub table_path: [Cell<u8>; 64],
}

/// The program has come back to a state on the way to where it was.
pub const GOES_ROUND_KNOWN: u32 = 1;
/// Threads may learn of others without being ordered behind them.
pub const UNORDERED_KNOWN: u32 = 2;
/// Values were asked for of which only some are tried, or locks were tried where others take several at once: executions may end
/// anywhere.
pub const WITHHOLDS: u32 = 4;

/// An unsettled state on the path: its number, and the least number of a state that it is known to lead to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OnPath {
    /// See above.
    pub number: u32,
    /// See above.
    pub low: u32,
}

/// Which choices of a state are still to be taken: those from this one on, by the number of the thread and then by the value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(pub u32);

impl Cursor {
    /// All.
    pub const START: Cursor = Cursor(0);
    /// None.
    pub const END: Cursor = Cursor(u32::MAX);

    /// From that choice on.
    pub fn at(taken: Taken) -> Cursor {
        let value = if taken.value == NO_VALUE { 0 } else { taken.value };
        Cursor(taken.thread << 6 | value & 63)
    }

    /// The next choice of a state with so many threads, of which `offer` says what each can do, and the cursor behind it.
    pub fn next(self, threads: u32, offer: impl Fn(u32) -> u64) -> Option<(Taken, Cursor)> {
        let first = self.0 >> 6;
        for thread in first..threads {
            let all = offer(thread);
            let from = if thread == first { self.0 & 63 } else { 0 };
            if all == RUN {
                if from == 0 {
                    return Some((Taken { thread, value: NO_VALUE }, Cursor((thread + 1) << 6)));
                }
                continue;
            }
            let rest = all >> from << from;
            if rest != 0 {
                let value = rest.trailing_zeros();
                let behind = if value == 63 { (thread + 1) << 6 } else { thread << 6 | (value + 1) };
                return Some((Taken { thread, value }, Cursor(behind)));
            }
        }
        None
    }
}

const _: () = assert!(MOST_STEPS <= 1 << 20);

/// The first bytes of a table of states.
#[repr(C)]
#[derive(Debug)]
pub struct TableHead {
    /// The states in it.
    pub states: Cell<u64>,
}

/// Where the slots of a table begin.
pub const SLOTS_OF_TABLE_AT: usize = 4096;

/// A slot: the two numbers that stand for a state; 0 in front if it is empty.
pub type TableSlot = [Cell<u64>; 2];

/// The bytes of a table with so many slots, as a power of two.
pub const fn table_bytes(bits: u32) -> usize {
    SLOTS_OF_TABLE_AT + (size_of::<TableSlot>() << bits)
}

/// What became of a state that was looked for in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is there.
    Known,
    /// It is not, and belongs into the slot of that number.
    New(usize),
    /// It is not, and there is no room for another one.
    Full,
}

/// Looks for a state, whose first number is not 0. A table is full when four fifths of its slots are in use, so that searches are
/// short.
pub fn look_up(head: &TableHead, slots: &[TableSlot], [sum, twin]: [u64; 2]) -> Place {
    let bits = slots.len().trailing_zeros();
    let mixed = (sum ^ twin.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut at = (mixed >> (64 - bits)) as usize;
    loop {
        let known = slots[at][0].get();
        if known == 0 {
            let full = head.states.get() >= slots.len() as u64 / 5 * 4;
            return if full { Place::Full } else { Place::New(at) };
        }
        if known == sum && slots[at][1].get() == twin {
            return Place::Known;
        }
        at = (at + 1) & (slots.len() - 1);
    }
}

/// Puts a state into the slot where it belongs.
pub fn put(head: &TableHead, slots: &[TableSlot], at: usize, [sum, twin]: [u64; 2]) {
    slots[at][1].set(twin);
    slots[at][0].set(sum);
    head.states.set(head.states.get() + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choices that are taken from a cursor on.
    fn from(mut cursor: Cursor, offers: &[u64]) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        while let Some((taken, behind)) = cursor.next(offers.len() as u32, |thread| offers[thread as usize]) {
            assert!(cursor <= Cursor::at(taken) && Cursor::at(taken) < behind);
            all.push((taken.thread, taken.value));
            cursor = behind;
        }
        all
    }

    #[test]
    fn cursor_goes_through_threads_and_values() {
        let offers = [RUN, 0, 0b1011, RUN, 1 << 61 | 1];
        let all = [(0, NO_VALUE), (2, 0), (2, 1), (2, 3), (3, NO_VALUE), (4, 0), (4, 61)];
        assert_eq!(from(Cursor::START, &offers), all);
        for (nth, &(thread, value)) in all.iter().enumerate() {
            assert_eq!(from(Cursor::at(Taken { thread, value }), &offers), all[nth..]);
        }
        assert_eq!(from(Cursor::END, &offers), []);
        assert_eq!(from(Cursor::START, &[]), []);
    }

    #[test]
    fn states_are_found_again_until_the_table_is_full() {
        let head = TableHead { states: Cell::new(0) };
        let slots: [TableSlot; 64] = core::array::from_fn(|_| [Cell::new(0), Cell::new(0)]);
        let state = |nth: u64| [nth % 7 + 1, nth];
        for nth in 0..48 {
            let Place::New(at) = look_up(&head, &slots, state(nth)) else { panic!("{nth}") };
            put(&head, &slots, at, state(nth));
            assert!((0..=nth).all(|known| look_up(&head, &slots, state(known)) == Place::Known));
        }
        assert_eq!(look_up(&head, &slots, state(48)), Place::Full);
    }
}
