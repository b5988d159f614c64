//! The numbers of objects: each is numbered when a walk first comes to it.

use crate::machine::Machine;
use crate::machine::visible::Symmetry;
use crate::memory::{HEADER, Ref};

/// Bits of a stamp that are a number: 67 million objects, which no heap holds. There are enough left for years of walks.
const NUMBER: u32 = 26;
/// Units of the heap that share a stamp.
const UNITS: usize = 2;
const _: () = assert!(UNITS * 8 < HEADER as usize);

/// Whether what a thread refers to, one object after the other, fits numbers that the queue has already: the objects that no
/// thread before it refers to are to come in the order of their numbers. That they come several times does not matter.
#[derive(Default)]
pub(super) struct NumberingMatch {
    /// Whether it refers to any object of the queue.
    pub met: bool,
    next: u64,
    strange: bool,
}

impl NumberingMatch {
    /// The next objects are those of a thread. That many numbers of the queue, and those before the queue, have been given to
    /// what others before it refer to.
    #[inline(always)]
    pub fn begin(&mut self, given: u64) {
        *self = NumberingMatch { met: false, next: given + 1, strange: false };
    }

    /// The thread refers to the object of the queue that has that number.
    #[inline(always)]
    fn meet(&mut self, number: u64) {
        self.met = true;
        self.strange |= number > self.next;
        self.next += u64::from(number == self.next);
    }

    /// Whether all that the thread refers to fits if so many numbers have been given after it.
    #[inline(always)]
    pub fn ends(&self, given: u64) -> bool {
        !self.strange && self.next == given + 1
    }
}

/// The objects of a walk, in order.
#[derive(Default)]
pub(super) struct ObjectNumbers {
    /// For each two units of the heap behind the permanent objects, the walk that came last to the object that begins there,
    /// and its number. No two objects begin there: a header is longer than that.
    stamps: Vec<u64>,
    /// The present walk.
    walk: u64,
    /// What the queue is known by, if it is complete.
    queued: u64,
    /// The walks and queues that there have been.
    walks: u64,
    /// Numbers that were given before the first object of the queue.
    pub before: u32,
    /// The objects that the walk has come to, in order.
    pub queue: Vec<Ref>,
    /// For each of them, its number in the walk that this one begins anew; 0 if it had none.
    pub formers: Vec<u32>,
    /// The walk that this one begins anew, and the objects that were in its queue.
    former: u64,
    left: Vec<Ref>,
    /// How many of them have been walked over.
    pub walked: usize,
    /// What objects are called, if not by their numbers.
    otherwise: Option<Symmetry>,
    /// The identities of objects, by unit, where that is not their number.
    pub identities: Vec<u64>,
}

impl ObjectNumbers {
    /// Nothing has a number any more. The answer stands for the walk that begins.
    pub fn begin(&mut self, machine: &Machine) -> u64 {
        let symmetry = machine.scheduling.settings.symmetry;
        self.otherwise = (symmetry != Symmetry::Canonical).then_some(symmetry);
        self.forget_queue(machine);
        self.walks += 1;
        (self.walk, self.queued) = (self.walks, 0);
        self.before = 0;
        self.make_room(machine);
        self.walk
    }

    /// The same for the walk that numbers objects after the present one, whose numbers are remembered until `forget_former`.
    pub fn begin_anew(&mut self, machine: &Machine) -> u64 {
        let former = self.walk;
        self.left.append(&mut self.queue);
        let walk = self.begin(machine);
        self.former = former;
        walk
    }

    /// The numbers of the walk before are not needed any more.
    pub fn forget_former(&mut self, machine: &Machine) {
        for object in self.left.drain(..) {
            let stamp = &mut self.stamps[seat(machine, object)];
            // The walk may be resumed with another queue.
            if *stamp >> NUMBER == self.former {
                *stamp = 0;
            }
        }
        self.former = 0;
    }

    /// An object is not what it was: its number is no use any more. That ends the present walk.
    pub fn discard(&mut self, machine: &Machine, object: Ref) {
        if let Some(stamp) = self.stamps.get_mut(seat(machine, object)) {
            *stamp = 0;
        }
    }

    /// Goes on from where a walk had come: it had numbered these objects, and those of the queue behind them.
    #[inline]
    pub fn resume(
        &mut self,
        machine: &Machine,
        (walk, objects): (u64, &[Ref]),
        (queued, queue): (u64, &[Ref]),
    ) {
        self.make_room(machine);
        if (walk, queued) == (self.walk, self.queued) {
            return;
        }
        self.forget_queue(machine);
        if walk != self.walk {
            self.walk = walk;
            for (number, &object) in (1u64..).zip(objects) {
                self.stamps[seat(machine, object)] = walk << NUMBER | number;
            }
        }
        self.before = objects.len() as u32;
        for &object in queue {
            self.reference(machine, object);
        }
        self.queued = queued;
    }

    /// Takes the objects of the queue out of it. They keep their numbers.
    pub fn take_queue(&mut self, objects: &mut Vec<Ref>) {
        objects.append(&mut self.queue);
        self.formers.clear();
        self.before = objects.len() as u32;
    }

    /// The queue is complete; the answer stands for it.
    pub fn name_queue(&mut self) -> u64 {
        self.walks += 1;
        self.queued = self.walks;
        self.queued
    }

    fn make_room(&mut self, machine: &Machine) {
        let seats = (machine.heap.top() - machine.heap.split()) as usize / UNITS + 1;
        if self.stamps.len() < seats {
            self.stamps.resize(seats + seats / 4 + 1024, 0);
        }
    }

    /// What a reference stands for. An object that has no number gets the next one.
    #[inline(always)]
    pub fn reference(&mut self, machine: &Machine, object: Ref) -> u64 {
        let split = machine.heap.split();
        if object.0 >= split {
            let (at, seat) = ((object.0 - split) as usize, seat(machine, object));
            let stamp = self.stamps[seat];
            if stamp >> NUMBER == self.walk {
                return self.name(at, number_in(stamp));
            }
            self.queue.push(object);
            self.formers.push(if stamp >> NUMBER == self.former { number_in(stamp) } else { 0 });
            let number = self.before + self.queue.len() as u32;
            self.stamps[seat] = self.walk << NUMBER | u64::from(number);
            self.name(at, number)
        } else if object.is_null() {
            0
        } else {
            machine.permanent_identity(object)
        }
    }

    /// What the object is called that lies there and has that number: never an odd number, as those of permanent objects
    /// are.
    #[inline(always)]
    pub fn name(&self, at: usize, number: u32) -> u64 {
        match self.otherwise {
            None => u64::from(number) << 1,
            Some(Symmetry::None) => (at as u64 + 1) << 1,
            Some(_) => self.identities[at] << 1,
        }
    }

    /// The number of an object behind the permanent ones, if the walk has come there.
    #[inline(always)]
    pub fn number(&self, machine: &Machine, object: Ref) -> Option<u32> {
        let stamp = self.stamps.get(seat(machine, object))?;
        (stamp >> NUMBER == self.walk).then_some(number_in(*stamp))
    }

    /// What a reference of a thread stands for. Objects of the queue are to fit, if names are numbers.
    #[inline(always)]
    pub fn fitting(&mut self, machine: &Machine, fit: &mut NumberingMatch, object: Ref) -> u64 {
        let name = self.reference(machine, object);
        if name & 1 == 0 && name >> 1 > u64::from(self.before) {
            fit.meet(name >> 1);
        }
        name
    }

    /// The objects of the queue have no numbers any more.
    fn forget_queue(&mut self, machine: &Machine) {
        for object in self.queue.drain(..) {
            self.stamps[seat(machine, object)] = 0;
        }
        self.formers.clear();
        self.walked = 0;
        self.queued = 0;
    }
}

/// The place of the stamp of an object behind the permanent ones.
#[inline(always)]
fn seat(machine: &Machine, object: Ref) -> usize {
    (object.0 - machine.heap.split()) as usize / UNITS
}

fn number_in(stamp: u64) -> u32 {
    (stamp & ((1 << NUMBER) - 1)) as u32
}
