//! What a state is: the walk over everything that decides the program's future.
//!
//! Objects are numbered in the order in which the walk first comes to them (Lerda & Visser 2001, section 2.4, taken to
//! its end), from the threads and then the permanent objects that differ from what they were at the start. Objects that
//! cannot be reached have no number, which is garbage collection (section 2.5). The same walk feeds fingerprints and
//! encodings.

use super::layouts::{Contents, Layout, Word, words};
use super::sinks::{FRAMES, Item, MONITORS, Nowhere, OBJECTS, PROGRAM, Print, STATICS, Sink, THREADS};
use super::{Gc, Symmetry};
use crate::class::{ClassId, Shape};
use crate::machine::{Machine, Resume, Status};
use crate::memory::{ARRAY_DATA, GUARD, HASH, HEADER, LENGTH, LOCK, Ref};
use std::rc::Rc;

/// A changed word of a permanent object.
struct Static {
    object: Ref,
    offset: u32,
    original: u64,
    identity: u64,
    references: [bool; 2],
    /// Bits that count, if they are no references.
    mask: u64,
    /// What it is, if it is no field.
    header: Header,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Header {
    /// It is a field.
    None,
    /// The class and the monitor.
    Monitor,
    /// The guard.
    Guard,
    /// The number and status of a class.
    Status,
    /// Nothing that counts.
    Ignored,
}

/// The frames of a thread, all but the references in 128 bits.
#[derive(Default)]
struct Brief {
    version: u64,
    /// The thread's number plus one.
    thread: usize,
    print: [u64; 2],
    references: Vec<Ref>,
}

/// As many of them are remembered.
const BRIEFS: usize = 512;

/// The memory of walks, kept from one to the next.
#[derive(Default)]
pub(super) struct Canon {
    /// For each unit of the heap behind the permanent objects, the walk that last came there, and the object's number.
    stamps: Vec<u64>,
    walk: u32,
    queue: Vec<Ref>,
    /// How many objects of the queue have been walked over.
    walked: usize,
    /// What is known of classes, by number.
    layouts: Vec<Option<Layout>>,
    /// What stands for methods.
    method_prints: Vec<u64>,
    /// Changed words, sorted by who their objects are.
    statics: Vec<Static>,
    known_statics: usize,
    /// Threads by machine number, to their rank.
    ranks: Vec<u64>,
    order: Vec<usize>,
    guards: Vec<(u32, Ref)>,
    briefs: Vec<Brief>,
    /// Identities of objects by unit, where they are not numbered by the walk.
    identities: Vec<u64>,
    known_units: usize,
}

impl Canon {
    /// Walks over the state of a machine.
    pub fn walk<S: Sink>(&mut self, machine: &Machine, sink: &mut S) {
        self.prepare(machine);
        let mut walker = Walker { machine, canon: self, sink };
        walker.program();
        walker.threads();
        walker.statics();
        walker.objects();
        walker.garbage();
        walker.guards();
    }

    /// Gives identities to the objects that the last transition has left behind: by the place that allocated them or the
    /// thread, and the least number that no other such object has (the paper's Figures 3 and 4).
    pub fn identify(&mut self, machine: &Machine) {
        let by_site = match machine.watch.settings.symmetry {
            Symmetry::Site => true,
            Symmetry::Thread => false,
            Symmetry::Canonical | Symmetry::None => return,
        };
        self.forget(machine);
        self.walk(machine, &mut Nowhere);
        let split = machine.heap.split();
        let reached = self.queue.iter().map(|object| (object.0 - split) as usize);
        let mut taken: hashbrown::HashSet<u64> = reached.clone().map(|at| self.identities[at]).collect();
        let mut fresh: Vec<usize> = reached.filter(|&at| self.identities[at] == 0).collect();
        fresh.sort_unstable();
        for at in fresh {
            let object = Ref(split + at as u32);
            let key = match by_site {
                true => machine.print_of_site(object),
                false => machine.threads[machine.current].print | 1,
            };
            let numbers =
                (1u64..).map(|nth| key.wrapping_mul(0xD6E8_FEB8_6659_FD93).wrapping_add(nth << 1) | 1);
            if let Some(identity) = numbers.into_iter().find(|identity| taken.insert(*identity)) {
                self.identities[at] = identity;
            }
        }
    }

    /// Objects behind the end of the heap are gone, and others will be in their places.
    pub fn forget(&mut self, machine: &Machine) {
        let units = (machine.heap.top() - machine.heap.split()) as usize;
        let known = self.known_units.min(units);
        self.identities.truncate(known);
        self.identities.resize(units, 0);
        self.known_units = units;
    }

    fn prepare(&mut self, machine: &Machine) {
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.stamps.fill(0);
            self.walk = 1;
        }
        let units = (machine.heap.top() - machine.heap.split()) as usize;
        if self.stamps.len() < units {
            self.stamps.resize((units + 1024).next_power_of_two(), 0);
        }
        self.queue.clear();
        self.walked = 0;
        self.guards.clear();
        if machine.heap.changed().len() > self.known_statics {
            self.sort_statics(machine);
        }
        // Threads in the order of who they are: that does not depend on which was started first.
        self.order.clear();
        self.order.extend(0..machine.threads.len());
        if machine.threads.len() > 2 {
            self.order.sort_by_key(|&thread| machine.threads[thread].print);
        }
        self.ranks.clear();
        self.ranks.resize(machine.threads.len(), 0);
        let mut rank = 0;
        for &thread in &self.order {
            if machine.threads[thread].status != Status::Finished {
                rank += 1;
                self.ranks[thread] = rank;
            }
        }
    }

    #[cold]
    fn sort_statics(&mut self, machine: &Machine) {
        for changed in &machine.heap.changed()[self.known_statics..] {
            let (object, offset) = (changed.object, changed.offset);
            let identity = machine.permanent_identity(object).wrapping_add(u64::from(offset) << 40);
            let class = ClassId(machine.heap.class(object));
            let mirror = Some(class) == machine.known.class;
            let header = match offset {
                0 => Header::Monitor,
                _ if offset < HEADER => {
                    if offset == GUARD {
                        Header::Guard
                    } else {
                        Header::None
                    }
                }
                _ if mirror && offset == machine.known.mirror_id => Header::Status,
                // Of a mirror only the static fields are the program's, and a string changes only in what it has cached.
                _ if mirror && offset < machine.known.mirror_id || class == machine.known.string => {
                    Header::Ignored
                }
                _ => Header::None,
            };
            let mut references = machine.references_in_word(object, offset);
            let mut mask = u64::MAX;
            if header == Header::None && !mirror && matches!(machine.class(class).shape, Shape::Instance) {
                let word =
                    words(machine, machine.class(class)).into_iter().find(|word| word.offset == offset);
                (references, mask) = word.map_or(([false; 2], 0), |word| (word.references, word.mask));
            }
            let original = changed.original;
            self.statics.push(Static { object, offset, original, identity, references, mask, header });
        }
        self.known_statics = machine.heap.changed().len();
        self.statics.sort_by_key(|changed| (changed.identity, changed.offset));
    }

    fn method_print(&mut self, machine: &Machine, method: crate::class::MethodId) -> u64 {
        if self.method_prints.len() <= method.0 as usize {
            self.method_prints.resize(machine.methods.len(), 0);
        }
        let known = self.method_prints[method.0 as usize];
        if known != 0 {
            return known;
        }
        let print = super::print(&machine.describe_method(method), 64) | 1;
        self.method_prints[method.0 as usize] = print;
        print
    }

    #[cold]
    #[inline(never)]
    fn make_layout(&mut self, machine: &Machine, class: u32) {
        if self.layouts.len() <= class as usize {
            self.layouts.resize_with(machine.classes.len(), || None);
        }
        self.layouts[class as usize] = Some(Layout::new(machine, ClassId(class)));
    }
}

struct Walker<'a, S> {
    machine: &'a Machine,
    canon: &'a mut Canon,
    sink: &'a mut S,
}

impl<S: Sink> Walker<'_, S> {
    /// Says what the next words are, to whom that matters.
    #[inline(always)]
    fn note(&mut self, item: Item) {
        if S::NAMED {
            self.sink.note(item);
        }
    }

    fn program(&mut self) {
        let machine = self.machine;
        self.sink.begin(PROGRAM);
        self.note(Item::End);
        let exit = machine.exit.map_or(0, |status| 1 + u64::from(status as u32));
        self.sink.word(exit << 1 | u64::from(machine.ignored));
        self.sink.word(u64::from(machine.threads_named) << 32 | u64::from(machine.threads_made));
        if machine.clock_was_read {
            self.note(Item::Number("the clock"));
            self.sink.word(machine.now as u64);
        }
    }

    /// What a reference stands for.
    #[inline(always)]
    fn reference(&mut self, object: Ref) -> u64 {
        let split = self.machine.heap.split();
        if object.0 >= split {
            let at = (object.0 - split) as usize;
            let stamp = self.canon.stamps[at];
            if (stamp >> 32) as u32 == self.canon.walk {
                return self.name(object, stamp as u32);
            }
            self.canon.queue.push(object);
            let number = self.canon.queue.len() as u32;
            self.canon.stamps[at] = u64::from(self.canon.walk) << 32 | u64::from(number);
            self.name(object, number)
        } else if object.is_null() {
            0
        } else {
            self.machine.permanent_identity(object)
        }
    }

    /// What an object is called that has a number.
    #[inline(always)]
    fn name(&self, object: Ref, number: u32) -> u64 {
        let at = object.0 - self.machine.heap.split();
        match self.machine.watch.settings.symmetry {
            Symmetry::Canonical => u64::from(number) << 1,
            Symmetry::None => u64::from(at + 1) << 1,
            Symmetry::Site | Symmetry::Thread => self.canon.identities[at as usize] << 1,
        }
    }

    fn put_reference(&mut self, object: Ref) {
        let word = self.reference(object);
        self.sink.word(word);
    }

    fn threads(&mut self) {
        let machine = self.machine;
        for index in 0..self.canon.order.len() {
            let at = self.canon.order[index];
            let thread = &machine.threads[at];
            if thread.status == Status::Finished {
                continue;
            }
            self.sink.begin(THREADS);
            self.note(Item::Thread(at));
            let (kind, object) = match thread.status {
                Status::Runnable => (1, Ref::NULL),
                Status::Entering(object) => (2, object),
                Status::Waiting { on, .. } => (3, on),
                Status::Parked { .. } => (4, Ref::NULL),
                Status::Sleeping { .. } => (5, Ref::NULL),
                Status::Joining(object) => (6, object),
                Status::Initialising(class) => (7, machine.class(class).mirror),
                Status::Leaving => (8, Ref::NULL),
                Status::Finished => (9, Ref::NULL),
            };
            let woken = thread.woken.map_or(0, |woken| woken as u64 + 1);
            let bits = kind
                | woken << 4
                | u64::from(thread.permit) << 8
                | u64::from(thread.urgent) << 9
                | u64::from(thread.daemon) << 10
                | u64::from(thread.entries) << 16
                | u64::from(thread.atomic) << 32
                | u64::from(thread.region) << 48;
            self.sink.pair(bits, u64::from(thread.outcomes) | u64::from(thread.hashes) << 32);
            let (own, object) = (self.reference(thread.object), self.reference(object));
            self.sink.pair(own, object);
            // Who waits longest is notified first by some, so that the order among those who wait counts.
            if let Status::Waiting { on, .. } = thread.status {
                let before = machine.threads.iter().filter(|other| {
                    matches!(other.status, Status::Waiting { on: also, .. } if also == on)
                        && other.since < thread.since
                });
                let before = before.count() as u64;
                self.note(Item::Number("place among those who wait"));
                self.sink.word(before);
            }
            if let Some(deadline) = thread.status.deadline() {
                self.note(Item::Number("time until it gives up"));
                self.sink.word(deadline.saturating_sub(machine.now).max(0) as u64);
            }
            if S::BRIEF {
                self.brief_frames(at);
            } else {
                self.frames(at);
            }
        }
    }

    /// The frames of a thread, of which all but the references is remembered from one walk to the next: most threads have
    /// not moved.
    fn brief_frames(&mut self, index: usize) {
        let thread = &self.machine.threads[index];
        let seat = (thread.version as usize).wrapping_mul(31).wrapping_add(index) % BRIEFS;
        if self.canon.briefs.is_empty() {
            self.canon.briefs.resize_with(BRIEFS, Brief::default);
        }
        let known = &self.canon.briefs[seat];
        if (known.version, known.thread) != (thread.version, index + 1) {
            self.summarise(index, seat);
        }
        let brief = std::mem::take(&mut self.canon.briefs[seat]);
        self.sink.pair(brief.print[0], brief.print[1]);
        let mut pairs = brief.references.chunks_exact(2);
        for pair in &mut pairs {
            let (first, second) = (self.reference(pair[0]), self.reference(pair[1]));
            self.sink.pair(first, second);
        }
        if let [last] = pairs.remainder() {
            self.put_reference(*last);
        }
        self.canon.briefs[seat] = brief;
    }

    fn summarise(&mut self, index: usize, seat: usize) {
        let machine = self.machine;
        let thread = &machine.threads[index];
        let mut references = std::mem::take(&mut self.canon.briefs[seat].references);
        references.clear();
        let mut print = Print::new();
        for (depth, frame) in thread.frames.iter().enumerate() {
            let method = self.canon.method_print(machine, frame.method);
            print.pair(method, u64::from(frame.pc) << 1 | u64::from(frame.resume == Resume::Again));
            if !frame.lock.is_null() {
                references.push(frame.lock);
            }
            let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            machine.liveness(frame.method).alive(frame.pc, again, |register, is_reference| {
                let value = thread.stack.get(frame.base as usize + usize::from(register));
                if is_reference {
                    references.push(Ref(value as u32));
                } else {
                    print.word(value);
                }
            });
        }
        let bits = print.finish();
        let print = [(bits >> 64) as u64, bits as u64];
        self.canon.briefs[seat] = Brief { version: thread.version, thread: index + 1, print, references };
    }

    fn frames(&mut self, thread: usize) {
        let machine = self.machine;
        let number = thread;
        let thread = &machine.threads[thread];
        for (depth, frame) in thread.frames.iter().enumerate() {
            self.sink.begin(FRAMES);
            self.note(Item::Frame(number, depth));
            let print = self.canon.method_print(machine, frame.method);
            self.sink.pair(print, u64::from(frame.pc) << 1 | u64::from(frame.resume == Resume::Again));
            if !frame.lock.is_null() {
                self.note(Item::Lock(frame.lock));
                self.put_reference(frame.lock);
            }
            let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            let liveness = machine.liveness(frame.method);
            liveness.alive(frame.pc, again, |register, is_reference| {
                let value = thread.stack.get(frame.base as usize + usize::from(register));
                self.note(Item::Register(register, is_reference, value));
                if is_reference {
                    self.put_reference(Ref(value as u32));
                } else {
                    self.sink.word(value);
                }
            });
        }
    }

    /// The word of a monitor, with the holder's rank in place of its number.
    fn monitor(&self, word: u32) -> u64 {
        match word {
            0 => 0,
            _ => {
                let rank = self.canon.ranks.get((word >> 16) as usize - 1).copied().unwrap_or(0);
                rank << 16 | u64::from(word & 0xFFFF)
            }
        }
    }

    fn statics(&mut self) {
        self.sink.begin(STATICS);
        let machine = self.machine;
        for index in 0..self.canon.statics.len() {
            let Static { object, offset, original, identity, references, mask, header } =
                self.canon.statics[index];
            let word = machine.heap.word(object.0 + offset / 8);
            if word == original || header == Header::Ignored {
                continue;
            }
            match header {
                Header::Monitor => {
                    let monitor = self.monitor((word >> 32) as u32);
                    if monitor != 0 {
                        self.note(Item::Permanent(object, offset));
                        self.sink.word(identity);
                        self.sink.word(monitor);
                    }
                    continue;
                }
                Header::Guard => {
                    if word as u32 != 0 {
                        let number = identity as u32;
                        self.canon.guards.push((number, Ref(word as u32)));
                    }
                    continue;
                }
                Header::Status => {
                    let status = (word >> 32) as u32;
                    let owner = self.canon.ranks.get((status >> 8) as usize).copied().unwrap_or(0);
                    let owner = if status & 0xFF == 1 || status & 0xFF == 4 { owner } else { 0 };
                    self.note(Item::Permanent(object, offset));
                    self.sink.word(identity);
                    self.sink.word(u64::from(status & 0xFF) | owner << 8);
                    continue;
                }
                Header::None | Header::Ignored => {}
            }
            if references == [false; 2] && word & mask == original & mask {
                continue;
            }
            self.note(Item::Permanent(object, offset));
            self.sink.word(identity);
            match references {
                [false, false] => self.sink.word(word & mask),
                [low, high] => {
                    for (is_reference, half) in [(low, word as u32), (high, (word >> 32) as u32)] {
                        if is_reference {
                            self.put_reference(Ref(half));
                        } else {
                            self.sink.word(u64::from(half));
                        }
                    }
                }
            }
        }
    }

    /// The objects in the queue, those that they lead to included.
    fn objects(&mut self) {
        while self.canon.walked < self.canon.queue.len() {
            let object = self.canon.queue[self.canon.walked];
            self.canon.walked += 1;
            self.object(object, self.canon.walked as u32);
        }
    }

    fn object(&mut self, object: Ref, number: u32) {
        let machine = self.machine;
        let heap = &machine.heap;
        let class = heap.class(object);
        if self.canon.layouts.get(class as usize).is_none_or(Option::is_none) {
            self.canon.make_layout(machine, class);
        }
        self.sink.begin(OBJECTS);
        self.note(Item::Object(object));
        let Some(Layout { print, contents }) = &self.canon.layouts[class as usize] else { return };
        let hash = heap.get_u32(object, HASH);
        let length = heap.get_u32(object, LENGTH);
        self.sink.pair(*print, u64::from(hash) << 32 | u64::from(length));
        match contents {
            Contents::Instance(words) => {
                let words = Rc::clone(words);
                self.instance(object, &words);
            }
            Contents::String => {
                self.note(Item::Text);
                // Nobody else can get at the array with the characters.
                let value = heap.get_ref(object, machine.known.string_value);
                if !value.is_null() {
                    let length = heap.length(value);
                    self.sink.word(
                        u64::from(length) << 1 | u64::from(heap.get_u8(object, machine.known.string_coder)),
                    );
                    self.elements(value, length.div_ceil(8));
                }
            }
            Contents::References => {
                self.note(Item::References);
                for index in 0..length {
                    let element = heap.get_ref(object, ARRAY_DATA + 4 * index);
                    self.put_reference(element);
                }
            }
            Contents::Primitives(size) => {
                let words = (u64::from(length) * u64::from(*size)).div_ceil(8) as u32;
                self.note(Item::Primitives);
                self.elements(object, words);
            }
        }
        if machine.watch.settings.symmetry != Symmetry::Canonical {
            let name = self.name(object, number);
            self.note(Item::Number("number"));
            self.sink.word(name);
        }
        let lock = heap.get_u32(object, LOCK);
        if lock != 0 {
            let monitor = self.monitor(lock);
            self.sink.begin(MONITORS);
            self.note(Item::Monitor);
            self.sink.word(monitor);
        }
        let guard = heap.get_u32(object, GUARD);
        if guard != 0 {
            self.canon.guards.push((number, Ref(guard)));
        }
    }

    #[inline(always)]
    fn instance(&mut self, object: Ref, words: &[Word]) {
        for &Word { offset, references, mask } in words {
            let word = self.machine.heap.word(object.0 + offset / 8);
            self.note(Item::Word(offset));
            match references {
                [false, false] => self.sink.word(word & mask),
                [true, true] => {
                    let low = self.reference(Ref(word as u32));
                    let high = self.reference(Ref((word >> 32) as u32));
                    self.sink.pair(low, high);
                }
                [true, false] => {
                    let low = self.reference(Ref(word as u32));
                    self.sink.pair(low, word & mask);
                }
                [false, true] => {
                    let high = self.reference(Ref((word >> 32) as u32));
                    self.sink.pair(high, word & mask);
                }
            }
        }
    }

    /// The words of an array that holds no references.
    fn elements(&mut self, array: Ref, words: u32) {
        let first = array.0 + ARRAY_DATA / 8;
        for pair in 0..words / 2 {
            let at = first + 2 * pair;
            self.sink.pair(self.machine.heap.word(at), self.machine.heap.word(at + 1));
        }
        if !words.is_multiple_of(2) {
            self.sink.word(self.machine.heap.word(first + words - 1));
        }
    }

    /// The objects that nothing reaches but that count all the same.
    fn garbage(&mut self) {
        let machine = self.machine;
        if machine.watch.settings.gc == Gc::Mark {
            return;
        }
        let counted = self.counted();
        let mut at = machine.heap.split();
        while at < machine.heap.top() {
            let object = Ref(at);
            if counted.as_ref().is_none_or(|counted| counted.contains(&object)) {
                self.note(Item::Garbage(object));
                self.reference(object);
                self.objects();
            }
            at += machine.units_of(object).max(1);
        }
    }

    /// The objects that something refers to, if only those count.
    fn counted(&self) -> Option<hashbrown::HashSet<Ref>> {
        let machine = self.machine;
        if machine.watch.settings.gc == Gc::None {
            return None;
        }
        // As counting does: whoever loses the last reference goes, and with it the references that it has.
        let mut counts: hashbrown::HashMap<Ref, u32> = hashbrown::HashMap::new();
        let mut pending = Vec::new();
        let mut references = Vec::new();
        let mut at = machine.heap.split();
        while at < machine.heap.top() {
            let object = Ref(at);
            counts.entry(object).or_insert(0);
            references.clear();
            machine.push_all_references(object, &mut references);
            for &other in references.iter().filter(|other| other.0 >= machine.heap.split()) {
                *counts.entry(other).or_insert(0) += 1;
            }
            at += machine.units_of(object).max(1);
        }
        for &reached in &self.canon.queue {
            // Those that threads and static fields reach stay in any case.
            *counts.entry(reached).or_insert(0) += 1;
        }
        pending.extend(counts.iter().filter(|(_, count)| **count == 0).map(|(object, _)| *object));
        while let Some(object) = pending.pop() {
            counts.remove(&object);
            references.clear();
            machine.push_all_references(object, &mut references);
            for other in &references {
                if let Some(count) = counts.get_mut(other) {
                    *count -= 1;
                    if *count == 0 {
                        pending.push(*other);
                    }
                }
            }
        }
        Some(counts.into_keys().collect())
    }

    /// Which locks guard objects. They make no object alive, and so come last.
    fn guards(&mut self) {
        let machine = self.machine;
        if machine.alive <= 1 {
            // Alone, a thread can begin anew with other guards.
            return;
        }
        for index in 0..self.canon.guards.len() {
            let (number, guard) = self.canon.guards[index];
            let split = machine.heap.split();
            let name = if guard.0 < split {
                machine.permanent_identity(guard)
            } else {
                let stamp = self.canon.stamps[(guard.0 - split) as usize];
                let number = if (stamp >> 32) as u32 == self.canon.walk { stamp as u32 } else { 0 };
                u64::from(number) << 1
            };
            self.note(Item::Guard(number, guard));
            self.sink.word(u64::from(number));
            self.sink.word(name);
        }
    }
}
