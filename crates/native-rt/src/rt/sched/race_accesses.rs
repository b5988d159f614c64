//! The accesses of an execution, grain by grain, and which of them race.

use crate::rt::sched::race_clocks::{Clock, PROBES, mix};
use crate::rt::sched::state::header;

const GRAINS: usize = 1 << 14;
const ACCESSES: usize = 32;
/// The bytes of a grain.
pub const GRAIN: u64 = 8;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Access {
    pub place: u64,
    pub time: u32,
    /// The number of rows before it.
    pub step: u32,
    pub thread: u16,
    /// The bytes of the grain, one bit each.
    pub bytes: u8,
    pub writes: bool,
    pub atomic: bool,
    /// Whether it is one of many bytes.
    pub copies: bool,
}

impl Access {
    /// Whether nothing orders this access, of a thread that knows so much, behind another one that it conflicts with.
    fn races_with(&self, other: &Access, clock: &Clock) -> bool {
        other.thread != self.thread
            && other.bytes & self.bytes != 0
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && other.time > clock[other.thread as usize]
    }

    /// Whether every access, from here on, that races with the other one races with this one, too.
    fn stands_for(&self, other: &Access, clock: &Clock) -> bool {
        other.time <= clock[other.thread as usize]
            && other.bytes & !self.bytes == 0
            && (self.writes || !other.writes)
            && (!self.atomic || other.atomic)
    }
}

#[repr(C)]
struct Grain {
    execution: u64,
    address: u64,
    count: u32,
    accesses: [Access; ACCESSES],
}

impl Grain {
    /// The accesses that race with a new one, of a thread that knows so much.
    #[cold]
    fn clashes(&self, new: &Access, clock: &Clock) -> Clashes {
        let mut clashes = Clashes { accesses: [*new; ACCESSES], count: 0 };
        for other in &self.accesses[..self.count as usize] {
            if new.races_with(other, clock) {
                clashes.accesses[clashes.count] = *other;
                clashes.count += 1;
            }
        }
        clashes
    }

    /// Takes note of an access, of a thread that knows so much.
    fn note(&mut self, new: Access, clock: &Clock) {
        let accesses = &mut self.accesses[..self.count as usize];
        let kind = |access: &Access| (access.thread, access.bytes, access.writes, access.atomic);
        if let Some(same) = accesses.iter_mut().find(|other| kind(other) == kind(&new)) {
            *same = new;
        } else if accesses.len() < ACCESSES {
            self.accesses[self.count as usize] = new;
            self.count += 1;
        } else {
            // Whatever will race with an access that the new one stands for will race with the new one.
            let old = accesses.iter().position(|other| new.stands_for(other, clock)).unwrap_or_else(|| {
                header().races_missed.set(1);
                0
            });
            self.accesses.copy_within(old + 1.., old);
            self.accesses[ACCESSES - 1] = new;
        }
    }
}

/// The grains that an execution has touched.
#[repr(C)]
pub struct Grains {
    table: [Grain; GRAINS],
    /// Where in the table they are.
    places: [u16; GRAINS],
    count: usize,
}

const _: () = assert!(GRAINS <= 1 << 16);

/// What is known of a grain, if there is room for it.
fn find_grain(
    Grains { table, places, count }: &mut Grains,
    address: u64,
    execution: u64,
) -> Option<&mut Grain> {
    let first = mix(address);
    for probe in 0..PROBES {
        let index = (first + probe) % GRAINS;
        let entry = &mut table[index];
        if entry.execution != execution {
            (entry.execution, entry.address, entry.count) = (execution, address, 0);
            places[*count] = index as u16;
            *count += 1;
        }
        if entry.address == address {
            return Some(&mut table[index]);
        }
    }
    None
}

/// Accesses to a grain that race with another one.
pub struct Clashes {
    accesses: [Access; ACCESSES],
    count: usize,
}

impl Clashes {
    /// The accesses.
    pub fn all(&self) -> &[Access] {
        &self.accesses[..self.count]
    }
}

impl Grains {
    /// A new execution begins.
    pub fn begin(&mut self) {
        self.count = 0;
    }

    /// Calls `look` with what has to be copied to come back to these accesses.
    pub fn each_part(&self, mut look: impl FnMut(u64, u64)) {
        let mut values = |from: u64, bytes: usize| look(from, from + bytes as u64);
        let places = &self.places[..self.count];
        values(&raw const self.count as u64, size_of::<usize>());
        values(places.as_ptr() as u64, size_of_val(places));
        for &place in places {
            let grain = &self.table[place as usize];
            let accesses = &grain.accesses[..grain.count as usize];
            values(&raw const *grain as u64, core::mem::offset_of!(Grain, accesses) + size_of_val(accesses));
        }
    }

    /// What is known here is of an execution with another number, too.
    pub fn renew(&mut self, execution: u64) {
        self.places[..self.count].iter().for_each(|&place| self.table[place as usize].execution = execution);
    }

    /// There is new memory where others may have had theirs, which is gone.
    pub fn made_anew(&mut self, start: u64, length: u64) {
        for &place in &self.places[..self.count] {
            let grain = &mut self.table[place as usize];
            if grain.address.wrapping_sub(start) < length {
                grain.count = 0;
            }
        }
    }

    /// Takes note of an access to a grain, unless it races with one before. Whether it does not; `None` if there is no room.
    #[inline]
    pub fn access(&mut self, execution: u64, address: u64, new: Access, mine: &Clock) -> Option<bool> {
        let grain = find_grain(self, address, execution)?;
        let ordered = !grain.accesses[..grain.count as usize].iter().any(|other| new.races_with(other, mine));
        if ordered {
            grain.note(new, mine);
        }
        Some(ordered)
    }

    /// Takes note of an access that races with one before. Those that it races with.
    pub fn racing_access(
        &mut self,
        execution: u64,
        address: u64,
        new: Access,
        mine: &Clock,
    ) -> Option<Clashes> {
        let grain = find_grain(self, address, execution)?;
        let clashes = grain.clashes(&new, mine);
        grain.note(new, mine);
        Some(clashes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::MOST_THREADS;
    use crate::rt::sched::state::new_state;

    #[test]
    fn too_many_accesses_to_one_word_are_told() {
        new_state();
        let mut grain = Grain {
            execution: 1,
            address: 0x5000,
            count: 0,
            accesses: [Access {
                place: 0,
                time: 0,
                step: 0,
                thread: 0,
                bytes: 0,
                writes: false,
                atomic: false,
                copies: false,
            }; ACCESSES],
        };
        let clock = [0; MOST_THREADS];
        for thread in 0..=ACCESSES as u16 {
            let new = Access { thread, bytes: 1, time: 1, ..grain.accesses[0] };
            grain.note(new, &clock);
        }
        assert_eq!((header().races_missed.get(), grain.count as usize), (1, ACCESSES));
    }
}
