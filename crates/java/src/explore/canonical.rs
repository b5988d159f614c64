//! What a state is: everything that decides the program's future, and nothing else.
//!
//! A walk numbers objects in the order in which it first comes to them (Lerda & Visser 2001, section 2.4, taken to its end). It begins with
//! the permanent objects that have changed since the start, and with the objects of the threads. Then follows what threads hold in their
//! frames. Objects that cannot be reached have no number, which is garbage collection (section 2.5). The same walk feeds fingerprints and
//! encodings.

use super::Gc;
use super::frames::Frames;
use super::layouts::Layouts;
use super::numbering::{NumberingMatch, ObjectNumbers};
use super::sinks::{Fingerprinter, NoSink, Sink};
use super::statics::Statics;
use super::walker::Walker;
use crate::machine::visible::Guard;
use crate::machine::visible::Symmetry;
use crate::machine::{Machine, Status};
use crate::memory::Ref;

/// The memory of walks, kept from one to the next.
#[derive(Default)]
pub(super) struct CanonicalWalk {
    /// Which objects belong to a state.
    pub gc: Gc,
    pub numbers: ObjectNumbers,
    pub layouts: Layouts,
    pub statics: Statics,
    pub frames: Frames,
    /// The version of the list of threads, and their identities.
    threads_version: Option<u64>,
    known: Vec<u64>,
    /// Threads in the order of their identities.
    order: Vec<usize>,
    /// Those of them that are not over, and their ranks by machine number; the others have none.
    pub alive: Vec<usize>,
    pub ranks: Vec<u64>,
    /// The objects that the walk began from.
    pub roots: Vec<Ref>,
    /// How what a thread refers to fits the order of the queue.
    pub fit: NumberingMatch,
    /// The references of an object that is looked at.
    pub references: Vec<Ref>,
    /// Numbers of objects, and what guards them.
    pub guards: Vec<(u32, Guard)>,
    known_units: usize,
}

impl CanonicalWalk {
    /// Walks of states with these objects.
    pub fn new(gc: Gc) -> CanonicalWalk {
        CanonicalWalk { gc, ..CanonicalWalk::default() }
    }

    /// Walks over the state of a machine.
    pub fn walk<S: Sink>(&mut self, machine: &Machine, sink: &mut S) {
        self.prepare(machine);
        self.numbers.begin(machine);
        let mut walker = Walker { machine, canonical: self, sink };
        walker.program();
        walker.statics();
        walker.roots();
        walker.objects();
        walker.threads();
        walker.objects();
        walker.garbage();
        if walker.canonical.guards_count(machine) {
            walker.guards();
        }
    }

    /// 128 bits that stand for the state of a machine.
    pub fn fingerprint(&mut self, machine: &Machine) -> u128 {
        let mut print = Fingerprinter::new();
        self.walk(machine, &mut print);
        print.take().fingerprint()
    }

    /// Gives identities to the objects that the last transition has left behind: by the place that allocated them or the
    /// thread, and the least number that no other such object has (the paper's Figures 3 and 4).
    pub fn identify(&mut self, machine: &Machine) {
        let by_site = match machine.scheduling.settings.symmetry {
            Symmetry::Site => true,
            Symmetry::Thread => false,
            Symmetry::Canonical | Symmetry::None => return,
        };
        self.forget(machine);
        self.walk(machine, &mut NoSink);
        let split = machine.heap.split();
        let ObjectNumbers { queue, identities, .. } = &mut self.numbers;
        let reached = queue.iter().map(|object| (object.0 - split) as usize);
        let mut taken: hashbrown::HashSet<u64> = reached.clone().map(|at| identities[at]).collect();
        let mut fresh: Vec<usize> = reached.filter(|&at| identities[at] == 0).collect();
        fresh.sort_unstable();
        for at in fresh {
            let object = Ref(split + at as u32);
            let key = match by_site {
                true => machine.hash_of_site(object),
                false => machine.threads.list[machine.turn.thread].print | 1,
            };
            let mut candidates =
                (1u64..).map(|nth| key.wrapping_mul(0xD6E8_FEB8_6659_FD93).wrapping_add(nth << 1) | 1);
            if let Some(identity) = candidates.find(|identity| taken.insert(*identity)) {
                identities[at] = identity;
            }
        }
    }

    /// Objects behind the end of the heap are gone, and others will be in their places.
    pub fn forget(&mut self, machine: &Machine) {
        let units = (machine.heap.top() - machine.heap.split()) as usize;
        let identities = &mut self.numbers.identities;
        identities.truncate(self.known_units.min(units));
        identities.resize(units, 0);
        self.known_units = units;
    }

    /// Gets ready for a walk.
    pub fn prepare(&mut self, machine: &Machine) {
        self.roots.clear();
        self.guards.clear();
        self.statics.update(machine);
        if self.threads_version != Some(machine.threads.version) {
            self.threads_version = Some(machine.threads.version);
            self.list_threads(machine);
        }
    }

    /// Finds out which threads there are.
    #[inline(never)]
    fn list_threads(&mut self, machine: &Machine) {
        // Threads in the order of their identities, which do not depend on which was started first.
        let prints = machine.threads.list.iter().map(|thread| thread.print);
        if !prints.clone().eq(self.known.iter().copied()) {
            self.known.clear();
            self.known.extend(prints);
            self.order.clear();
            self.order.extend(0..machine.threads.list.len());
            self.order.sort_by_key(|&thread| self.known[thread]);
        }
        self.ranks.resize(machine.threads.list.len(), 0);
        self.alive.clear();
        for &thread in &self.order {
            self.ranks[thread] = 0;
            if machine.threads.list[thread].status != Status::Finished {
                self.alive.push(thread);
                self.ranks[thread] = self.alive.len() as u64;
            }
        }
    }

    /// Whether what guards objects belongs to the state: alone, a thread can begin anew with other guards.
    pub fn guards_count(&self, machine: &Machine) -> bool {
        machine.threads.alive > 1 || machine.has_unobserved_ends()
    }
}
