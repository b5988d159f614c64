//! What each thread knows that others have done, and what it would learn from an object: vector clocks.

use crate::protocol::{How, MOST_THREADS, Op, Space};
use crate::rt::sched::races::Order;

/// Threads that are told apart: all that there can be.
const MOST: usize = MOST_THREADS;
const OBJECTS: usize = 1 << 12;
/// Entries of a table that are looked at before it counts as full.
pub const PROBES: usize = 64;

/// What each thread had done, as far as one thread knows.
pub type Clock = [u32; MOST];

#[repr(C)]
struct Object {
    execution: u64,
    object: u64,
    space: u8,
    /// Entries of the clock that have been written in this execution.
    known: u32,
    clock: Clock,
}

/// The clocks of an execution.
#[repr(C)]
pub struct Clocks {
    threads: [Clock; MOST],
    /// What relaxed loads of a thread have seen, for a fence behind them; what it had done at its last releasing fence.
    seen: [Clock; MOST],
    fenced: [Clock; MOST],
    objects: Objects,
    /// Whether a relaxed load or a fence has changed `seen` or `fenced` in this execution. Otherwise what counts of them is 0.
    relaxed: bool,
}

/// The objects that an execution has touched.
#[repr(C)]
struct Objects {
    table: [Object; OBJECTS],
    /// Where in the table they are.
    places: [u16; OBJECTS],
    count: usize,
}

const _: () = assert!(OBJECTS <= 1 << 16);

fn join(into: &mut Clock, from: &Clock, threads: usize) {
    for (mine, theirs) in into[..threads].iter_mut().zip(&from[..threads]) {
        *mine = (*mine).max(*theirs);
    }
}

/// Where in a table the entry of an object is looked for first, once that is cut to the table's size.
pub fn mix(object: u64) -> usize {
    (object.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// The clock of an object, if there is room for it. `threads` of its entries count.
fn object_clock(
    Objects { table, places, count }: &mut Objects,
    key: (u64, Space),
    execution: u64,
    threads: usize,
) -> Option<&mut Clock> {
    let (object, space) = (key.0, key.1 as u8);
    let first = mix(object ^ u64::from(space) << 60);
    for probe in 0..PROBES {
        let index = (first + probe) % OBJECTS;
        let entry = &mut table[index];
        if entry.execution != execution {
            (entry.execution, entry.object, entry.space, entry.known) = (execution, object, space, 0);
            places[*count] = index as u16;
            *count += 1;
        }
        if (entry.object, entry.space) == (object, space) {
            let entry = &mut table[index];
            let known = entry.known as usize;
            if known < threads {
                entry.clock[known..threads].fill(0);
                entry.known = threads as u32;
            }
            return Some(&mut entry.clock);
        }
    }
    None
}

/// The clock of an object that has one, and how many of its entries count.
fn known_clock(objects: &Objects, key: (u64, Space), execution: u64) -> Option<(&Clock, usize)> {
    let (object, space) = (key.0, key.1 as u8);
    let first = mix(object ^ u64::from(space) << 60);
    let probes = (0..PROBES).map(|probe| &objects.table[(first + probe) % OBJECTS]);
    let mut known = probes.take_while(|entry| entry.execution == execution);
    let found = known.find(|entry| (entry.object, entry.space) == (object, space))?;
    Some((&found.clock, found.known as usize))
}

/// Where the other variable begins if one of eight bytes is used as two of four, too: it shares what this one promises.
fn other_half(object: u64, size: u32) -> Option<u64> {
    match size {
        8 => Some(object + 4),
        4 if object % 8 == 4 => Some(object - 4),
        _ => None,
    }
}

impl Clocks {
    /// The first thread begins.
    pub fn begin(&mut self) {
        (self.threads[0][0], self.seen[0][0], self.fenced[0][0]) = (1, 0, 0);
        self.objects.count = 0;
        self.relaxed = false;
    }

    /// Calls `look` with what has to be copied to come back to what so many threads know here.
    pub fn each_part(&self, threads: usize, mut look: impl FnMut(u64, u64)) {
        let Clocks { threads: clocks, seen, fenced, objects, relaxed } = self;
        let mut values = |from: u64, bytes: usize| look(from, from + bytes as u64);
        values(&raw const *relaxed as u64, size_of::<bool>());
        for table in [Some(clocks), relaxed.then_some(seen), relaxed.then_some(fenced)].into_iter().flatten()
        {
            table[..threads]
                .iter()
                .for_each(|clock| values(clock.as_ptr() as u64, size_of_val(&clock[..threads])));
        }
        let places = &objects.places[..objects.count];
        values(&raw const objects.count as u64, size_of::<usize>());
        values(places.as_ptr() as u64, size_of_val(places));
        for &place in places {
            let object = &objects.table[place as usize];
            let known = &object.clock[..object.known as usize];
            values(&raw const *object as u64, core::mem::offset_of!(Object, clock) + size_of_val(known));
        }
    }

    /// An execution of so many threads is left for a state before: what was copied of that holds what is not 0.
    pub fn forget(&mut self, threads: usize) {
        if self.relaxed {
            let tables = self.seen[..threads].iter_mut().chain(&mut self.fenced[..threads]);
            tables.for_each(|clock| clock[..threads].fill(0));
        }
    }

    /// What is known here is of an execution with another number, too.
    pub fn renew(&mut self, execution: u64) {
        let Objects { table, places, count } = &mut self.objects;
        places[..*count].iter().for_each(|&place| table[place as usize].execution = execution);
    }

    /// What a thread knows.
    #[inline]
    pub fn of(&self, thread: usize) -> &Clock {
        &self.threads[thread]
    }

    /// A thread has been created.
    pub fn create(&mut self, parent: usize, child: usize) {
        // No thread knows of the new one, and it knows what its creator knows.
        for thread in 0..child {
            (self.threads[thread][child], self.seen[thread][child], self.fenced[thread][child]) = (0, 0, 0);
        }
        let (before, after) = self.threads.split_at_mut(child);
        after[0][..child].copy_from_slice(&before[parent][..child]);
        after[0][child] = 1;
        before[parent][parent] += 1;
        self.seen[child][..=child].fill(0);
        self.fenced[child][..=child].fill(0);
    }

    /// A thread has been joined.
    pub fn join_thread(&mut self, own: usize, child: usize, threads: usize) {
        for index in 0..threads {
            let theirs = self.threads[child][index];
            let mine = &mut self.threads[own][index];
            *mine = (*mine).max(theirs);
        }
    }

    /// A fence.
    pub fn fence(&mut self, own: usize, threads: usize, order: Order) {
        let Clocks { threads: clocks, seen, fenced, relaxed, .. } = self;
        *relaxed = true;
        if order.acquires {
            join(&mut clocks[own], &seen[own], threads);
        }
        if order.releases {
            fenced[own][..threads].copy_from_slice(&clocks[own][..threads]);
            clocks[own][own] += 1;
        }
    }

    /// A thread acquires or releases an object. Whether there is room for what that orders.
    pub fn synchronise(
        &mut self,
        own: usize,
        threads: usize,
        execution: u64,
        key: (u64, Space),
        how: How,
    ) -> bool {
        let Clocks { threads: clocks, objects, .. } = self;
        let Some(clock) = object_clock(objects, key, execution, threads) else { return false };
        let mine = &mut clocks[own];
        if matches!(how, How::Acquire | How::Share | How::Read | How::Write) {
            join(mine, clock, threads);
        }
        if matches!(how, How::Release | How::Write) {
            join(clock, mine, threads);
            mine[own] += 1;
        }
        true
    }

    /// A thread reads an atomic object. Whether there is room for what that orders.
    pub fn acquire(
        &mut self,
        own: usize,
        threads: usize,
        execution: u64,
        (object, size): (u64, u32),
        order: Order,
    ) -> bool {
        let Clocks { threads: clocks, seen, objects, relaxed, .. } = self;
        *relaxed |= !order.acquires;
        let mine = if order.acquires { &mut clocks[own] } else { &mut seen[own] };
        if let Some(other) = other_half(object, size)
            && let Some((clock, known)) = known_clock(objects, (other, Space::Memory), execution)
        {
            join(mine, clock, known);
        }
        match object_clock(objects, (object, Space::Memory), execution, threads) {
            Some(clock) => join(mine, clock, threads),
            None => return false,
        }
        true
    }

    /// A thread writes an atomic object, by a store or an update. Whether there is room for what that orders.
    pub fn release(
        &mut self,
        own: usize,
        threads: usize,
        execution: u64,
        object: u64,
        op: Op,
        order: Order,
    ) -> bool {
        let Clocks { threads: clocks, fenced, objects, .. } = self;
        let Some(clock) = object_clock(objects, (object, Space::Memory), execution, threads) else {
            return false;
        };
        // A store begins a new release sequence, an update goes on with the one that it reads.
        if op == Op::AtomicWrite {
            clock[..threads].fill(0);
        }
        if order.releases {
            join(clock, &clocks[own], threads);
            // What the thread does from here on it has not released.
            clocks[own][own] += 1;
        } else {
            join(clock, &fenced[own], threads);
        }
        true
    }
}
