//! The walk over everything that decides the program's future.

use super::Gc;
use super::canonical::CanonicalWalk;
use super::frames::{Frames, MethodSummary};
use super::layouts::{Contents, Layout, Word};
use super::numbering::ObjectNumbers;
use super::object_hashes::{elements, instance, text, time, words_of};
use super::sinks::{Bits, FRAMES, Item, MONITORS, OBJECTS, PROGRAM, STATICS, Sink, THREADS, TIMES};
use super::statics::{Static, StaticPart};
use crate::machine::visible::Behaviour;
use crate::machine::visible::ClockPolls;
use crate::machine::visible::Guard;
use crate::machine::visible::Symmetry;
use crate::machine::{Machine, Resume, Status};
use crate::memory::{ARRAY_DATA, GUARD, HASH, LENGTH, LOCK, Ref};
use std::rc::Rc;

/// The key of a component about how long threads wait, beside those of objects' monitors.
const WAITS: u64 = 1 << 40;
/// The keys of components about what guards an object: a lock, a thread.
const GUARDS: u64 = 1 << 41;
const OWNERS: u64 = 1 << 42;

/// A walk over the state of a machine.
pub(super) struct Walker<'a, S> {
    pub machine: &'a Machine,
    pub canonical: &'a mut CanonicalWalk,
    pub sink: &'a mut S,
}

impl<S: Sink> Walker<'_, S> {
    /// Says what the next words are, if the sink wants names.
    #[inline(always)]
    fn note(&mut self, item: Item) {
        if S::NAMED {
            self.sink.note(item);
        }
    }

    #[inline(always)]
    fn reference(&mut self, object: Ref) -> u64 {
        self.canonical.numbers.reference(self.machine, object)
    }

    fn put_reference(&mut self, object: Ref) {
        let word = self.reference(object);
        self.sink.word(word);
    }

    /// What belongs to no thread or object.
    pub fn program(&mut self) {
        let machine = self.machine;
        self.sink.begin(PROGRAM, 0);
        self.note(Item::End);
        let exit = machine.outcome.exit.map_or(0, |status| 1 + u64::from(status as u32));
        let named = u64::from(machine.threads.named) << 32 | u64::from(machine.threads.made);
        self.sink.pair(exit << 1 | u64::from(machine.outcome.ignored), named);
        if machine.clock.was_read {
            self.note(Item::Number("the clock"));
            self.sink.pair(machine.clock.now as u64, machine.clock.polls.hurried as u64);
            self.note(Item::Number("the thread that read the clock last"));
            let look = if machine.clock.polls.at == machine.clock.now {
                machine.clock.polls
            } else {
                ClockPolls::default()
            };
            self.sink.pair(look.thread, u64::from(look.times));
            self.sink.pair(look.places[0], look.places[1]);
            self.sink.pair(look.places[2], look.places[3]);
        }
        if !machine.files.layer.is_empty() {
            self.files();
        }
        // They decide whether the last thread has to keep the disciplines.
        let none_has_ended = self.canonical.alive.len() == machine.threads.list.len();
        if machine.scheduling.settings.reduce.alone && !none_has_ended && machine.has_unobserved_ends() {
            self.note(Item::Number("ends that no thread has waited for"));
            let end_unobserved = machine.threads.list.iter().filter(|thread| thread.end_unobserved);
            self.sink.word(end_unobserved.fold(0, |sum: u64, thread| sum.wrapping_add(thread.print | 1)));
        }
    }

    /// What the program has changed of files.
    #[inline(never)]
    fn files(&mut self) {
        let machine = self.machine;
        let times = machine.scheduling.expects(Behaviour::ReadsFileTimes);
        self.note(Item::Number("files that the program has changed"));
        if S::SUMMARISES_FRAMES || S::NAMED {
            let print = machine.files.layer.print(times);
            self.sink.pair(print as u64, (print >> 64) as u64);
            return;
        }
        let encoding = machine.files.layer.encoding(times);
        self.sink.word(encoding.len() as u64);
        for bytes in encoding.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            self.sink.word(u64::from_le_bytes(word));
        }
    }

    /// Numbers the objects of threads.
    pub fn roots(&mut self) {
        for index in 0..self.canonical.alive.len() {
            let object = self.machine.threads.list[self.canonical.alive[index]].object;
            self.reference(object);
        }
    }

    /// The threads that are not over.
    pub fn threads(&mut self) {
        for index in 0..self.canonical.alive.len() {
            let at = self.canonical.alive[index];
            self.state_mut(at);
            self.waiting(at);
            if S::SUMMARISES_FRAMES {
                self.summarise_frames(at);
                self.times(at);
            } else {
                self.frames(at);
            }
        }
    }

    /// How a thread stands.
    #[inline(always)]
    pub fn state_mut(&mut self, at: usize) {
        let machine = self.machine;
        let thread = &machine.threads.list[at];
        self.sink.begin(THREADS, self.canonical.ranks[at]);
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
            | u64::from(thread.spins) << 11
            | u64::from(thread.suspended) << 12
            | u64::from(thread.stopped) << 13
            | u64::from(thread.reported) << 14
            | u64::from(thread.polls > 0) << 15
            | u64::from(thread.entries) << 16
            | u64::from(thread.atomic) << 32
            | u64::from(thread.region) << 48;
        self.sink.pair(bits, u64::from(thread.outcomes) | u64::from(thread.hashes) << 32);
        if thread.polls > 0 {
            self.note(Item::Number("how lately it has polled the clock"));
            self.sink.word(u64::from(thread.polls));
        }
        if thread.spin_frames != 0 {
            self.note(Item::Number("where it has come round"));
            self.sink.word(thread.spin_frames);
        }
        let own = self.reference(thread.object);
        let CanonicalWalk { numbers, fit, .. } = &mut *self.canonical;
        self.sink.pair(own, numbers.fitting(machine, fit, object));
    }

    /// How far the times lie ahead that are kept in the frames of a thread.
    pub fn times(&mut self, at: usize) {
        let CanonicalWalk { frames: Frames { summaries, methods }, ranks, .. } = &mut *self.canonical;
        let summary = summaries.of(self.machine, at, methods);
        if !summary.times.is_empty() {
            self.sink.begin(MONITORS, TIMES | ranks[at]);
            summary.times.iter().for_each(|&time| self.sink.word(self.machine.ahead(time).unwrap_or(0)));
        }
    }

    /// What of a waiting thread depends on other threads and on the time.
    #[inline(always)]
    pub fn waiting(&mut self, at: usize) {
        match self.machine.threads.list[at].status {
            Status::Waiting { on, .. } => self.waiting_on(at, on),
            Status::Parked { .. } | Status::Sleeping { .. } => self.waiting_on(at, Ref::NULL),
            _ => {}
        }
    }

    fn waiting_on(&mut self, at: usize, on: Ref) {
        let machine = self.machine;
        let thread = &machine.threads.list[at];
        self.sink.begin(MONITORS, WAITS | self.canonical.ranks[at]);
        // Some programs notify the thread that has waited longest, so that the order of waiting threads counts.
        if !on.is_null() {
            let before = machine.threads.list.iter().filter(|other| {
                other.since < thread.since
                    && matches!(other.status, Status::Waiting { on: also, .. } if also == on)
            });
            let before = before.count() as u64;
            self.note(Item::Number("place among the waiting threads"));
            self.sink.word(before);
        }
        if let Some(deadline) = thread.status.deadline() {
            self.note(Item::Number("time until it gives up"));
            self.sink.word(deadline.saturating_sub(machine.clock.now).max(0) as u64);
        }
    }

    /// The frames of a thread, of which all but the references is remembered from one walk to the next: most threads have
    /// not moved. The answer is whether times are kept in them.
    #[inline(always)]
    pub fn summarise_frames(&mut self, at: usize) -> bool {
        let machine = self.machine;
        let CanonicalWalk { frames: Frames { summaries, methods }, numbers, fit, ranks, .. } =
            &mut *self.canonical;
        let summary = summaries.of(machine, at, methods);
        self.sink.begin(FRAMES, ranks[at]);
        let [first, second] = summary.print.words();
        self.sink.pair(first, second);
        let mut pairs = summary.references.chunks_exact(2);
        for pair in &mut pairs {
            let first = numbers.fitting(machine, fit, pair[0]);
            self.sink.pair(first, numbers.fitting(machine, fit, pair[1]));
        }
        if let [last] = pairs.remainder() {
            self.sink.word(numbers.fitting(machine, fit, *last));
        }
        !summary.times.is_empty()
    }

    fn frames(&mut self, at: usize) {
        let machine = self.machine;
        let thread = &machine.threads.list[at];
        for (depth, frame) in thread.frames.iter().enumerate() {
            self.sink.begin(FRAMES, self.canonical.ranks[at]);
            self.note(Item::Frame(at, depth));
            let MethodSummary { print, keeps_times, liveness } =
                self.canonical.frames.methods.of(machine, frame.method);
            let (print, keeps_times, liveness) = (*print, *keeps_times, Rc::clone(liveness));
            self.sink.pair(print, u64::from(frame.pc) << 1 | u64::from(frame.resume == Resume::Again));
            if !frame.lock.is_null() {
                self.note(Item::Lock(frame.lock));
                self.put_reference(frame.lock);
            }
            let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            liveness.alive(frame.pc, again, |register, is_reference| {
                let value = thread.stack.get(frame.base as usize + usize::from(register));
                self.note(Item::Register(register, is_reference, value));
                if is_reference {
                    self.put_reference(Ref(value as u32));
                } else if keeps_times && let Some(ahead) = machine.ahead(value) {
                    self.sink.word(TIMES | ahead);
                } else {
                    self.sink.word(value);
                }
            });
        }
    }

    /// The words of permanent objects that are not what they were at the start.
    pub fn statics(&mut self) {
        self.sink.begin(STATICS, 0);
        let machine = self.machine;
        for index in 0..self.canonical.statics.words.len() {
            let Static { object, offset, original, identity, references, mask, part } =
                self.canonical.statics.words[index];
            let word = machine.heap.word(object.0 + offset / 8);
            if word == original || part == StaticPart::Ignored {
                continue;
            }
            match part {
                StaticPart::Monitor => {
                    let monitor = monitor(&self.canonical.ranks, (word >> 32) as u32);
                    if monitor != 0 {
                        self.note(Item::Permanent(object, offset));
                        self.sink.pair(identity, monitor);
                    }
                    continue;
                }
                StaticPart::Guard => {
                    if word as u32 != 0 {
                        self.canonical.guards.push((identity as u32, Guard::of(word as u32)));
                    }
                    continue;
                }
                StaticPart::Status => {
                    let status = (word >> 32) as u32;
                    let owner = self.canonical.ranks.get((status >> 8) as usize).copied().unwrap_or(0);
                    let owner = if status & 0xFF == 1 || status & 0xFF == 4 { owner } else { 0 };
                    self.note(Item::Permanent(object, offset));
                    self.sink.pair(identity, u64::from(status & 0xFF) | owner << 8);
                    continue;
                }
                StaticPart::Contents | StaticPart::Ignored => {}
            }
            if references == [false; 2] && word & mask == original & mask {
                continue;
            }
            self.note(Item::Permanent(object, offset));
            match references {
                [false, false] => self.sink.pair(identity, word & mask),
                [low, high] => {
                    self.sink.word(identity);
                    for (is_reference, half) in [(low, word as u32), (high, (word >> 32) as u32)] {
                        if is_reference {
                            self.canonical.roots.push(Ref(half));
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
    pub fn objects(&mut self) {
        while let Some(&object) = self.canonical.numbers.queue.get(self.canonical.numbers.walked) {
            self.canonical.numbers.walked += 1;
            self.object(object, self.canonical.numbers.before + self.canonical.numbers.walked as u32);
        }
    }

    /// An object and its monitor.
    pub fn object(&mut self, object: Ref, number: u32) {
        let machine = self.machine;
        if S::SUMMARISES_FRAMES {
            let mut references = std::mem::take(&mut self.canonical.references);
            references.clear();
            let summary = self.canonical.layouts.object_hash(machine, object, &mut references);
            self.summarise_object(object, number, summary, &references);
            self.canonical.references = references;
            return;
        }
        let heap = &machine.heap;
        self.sink.begin(OBJECTS, u64::from(number));
        self.note(Item::Object(object));
        let CanonicalWalk { layouts, numbers, .. } = &mut *self.canonical;
        let sink = &mut *self.sink;
        let Layout { print, contents } = layouts.of(machine, heap.class(object));
        let hash = heap.get_u32(object, HASH);
        let length = heap.get_u32(object, LENGTH);
        sink.pair(*print, u64::from(hash) << 32 | u64::from(length));
        match contents {
            Contents::Instance(words) if S::NAMED => named(machine, numbers, sink, object, words.all()),
            Contents::Instance(words) => {
                for &offset in &words.references {
                    sink.word(numbers.reference(machine, heap.get_ref(object, offset)));
                }
                instance(machine, sink, object, words);
            }
            Contents::References => {
                note(sink, Item::References);
                for index in 0..length {
                    let element = heap.get_ref(object, ARRAY_DATA + 4 * index);
                    sink.word(numbers.reference(machine, element));
                }
            }
            Contents::String => {
                note(sink, Item::Text);
                text(machine, sink, object);
            }
            Contents::Primitives(size) => {
                note(sink, Item::Primitives);
                elements(machine, sink, object, words_of(length, *size));
            }
        }
        self.number_and_monitor(object, number);
    }

    /// An object and its monitor: all that does not depend on numbers in 128 bits, and the references that do.
    #[inline(always)]
    pub fn summarise_object(&mut self, object: Ref, number: u32, summary: Bits, references: &[Ref]) {
        self.sink.begin(OBJECTS, u64::from(number));
        let [first, second] = summary.words();
        self.sink.pair(first, second);
        let (pairs, rest) = references.as_chunks();
        for &[first, second] in pairs {
            let first = self.reference(first);
            let second = self.reference(second);
            self.sink.pair(first, second);
        }
        if let &[last] = rest {
            self.put_reference(last);
        }
        self.number_and_monitor(object, number);
    }

    /// What else there is of an object.
    #[inline(always)]
    fn number_and_monitor(&mut self, object: Ref, number: u32) {
        let machine = self.machine;
        let heap = &machine.heap;
        if machine.scheduling.settings.symmetry != Symmetry::Canonical {
            let name = self.canonical.numbers.name((object.0 - heap.split()) as usize, number);
            self.note(Item::Number("number"));
            self.sink.word(name);
        }
        let lock = heap.get_u32(object, LOCK);
        if lock != 0 {
            self.sink.begin(MONITORS, u64::from(number));
            self.note(Item::Monitor);
            self.sink.word(monitor(&self.canonical.ranks, lock));
        }
        let guard = heap.get_u32(object, GUARD);
        if guard != 0 {
            self.canonical.guards.push((number, Guard::of(guard)));
        }
    }

    /// The objects that nothing reaches but that count all the same.
    pub fn garbage(&mut self) {
        let machine = self.machine;
        if self.canonical.gc == Gc::Mark {
            return;
        }
        let counted = self.counted();
        let mut at = machine.heap.split();
        while at < machine.heap.top() {
            let object = Ref(at);
            let counts = counted.as_ref().is_none_or(|counted| counted.contains(&object));
            if counts && machine.heap.hole_at(object).is_none() {
                self.note(Item::Garbage(object));
                self.canonical.numbers.reference(machine, object);
                self.objects();
            }
            at += machine.units_of(object).max(1);
        }
    }

    /// The objects that something refers to, if only those count.
    fn counted(&self) -> Option<hashbrown::HashSet<Ref>> {
        let machine = self.machine;
        if self.canonical.gc == Gc::None {
            return None;
        }
        // As reference counting does: an object without references goes, and with it the references that it has.
        let mut counts: hashbrown::HashMap<Ref, u32> = hashbrown::HashMap::new();
        let mut pending = Vec::new();
        let mut references = Vec::new();
        let mut at = machine.heap.split();
        while at < machine.heap.top() {
            let object = Ref(at);
            if let Some(units) = machine.heap.hole_at(object) {
                at += units.max(1);
                continue;
            }
            counts.entry(object).or_insert(0);
            references.clear();
            machine.push_all_references(object, &mut references);
            for &other in references.iter().filter(|other| other.0 >= machine.heap.split()) {
                *counts.entry(other).or_insert(0) += 1;
            }
            at += machine.units_of(object).max(1);
        }
        for &reached in &self.canonical.numbers.queue {
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

    /// What guards objects. Locks are not alive for that, and so it comes last.
    pub fn guards(&mut self) {
        for index in 0..self.canonical.guards.len() {
            let (number, guard) = self.canonical.guards[index];
            self.guard(number, guard);
        }
    }

    /// What guards an object.
    pub fn guard(&mut self, number: u32, guard: Guard) {
        let machine = self.machine;
        let (key, name) = match guard {
            Guard::None => return,
            Guard::Lock(lock) if lock.0 < machine.heap.split() => (GUARDS, machine.permanent_identity(lock)),
            Guard::Lock(lock) => {
                (GUARDS, u64::from(self.canonical.numbers.number(machine, lock).unwrap_or(0)) << 1)
            }
            Guard::Owner(thread) => (OWNERS, machine.threads.list[machine.heir(thread)].print),
        };
        self.sink.begin(MONITORS, key | u64::from(number));
        self.note(Item::Guard(number, guard));
        self.sink.pair(u64::from(number), name);
    }
}

#[inline(always)]
fn note<S: Sink>(sink: &mut S, item: Item) {
    if S::NAMED {
        sink.note(item);
    }
}

/// The word of a monitor, with the holder's rank in place of its number.
fn monitor(ranks: &[u64], word: u32) -> u64 {
    match word {
        0 => 0,
        _ => {
            let rank = ranks.get((word >> 16) as usize - 1).copied().unwrap_or(0);
            rank << 16 | u64::from(word & 0xFFFF)
        }
    }
}

/// The words of an instance one after the other, each with its name.
fn named<S: Sink>(machine: &Machine, numbers: &mut ObjectNumbers, sink: &mut S, object: Ref, words: &[Word]) {
    for &Word { offset, references, mask, is_time } in words {
        let word = machine.heap.word(object.0 + offset / 8);
        note(sink, Item::Word(offset));
        let (low, high) = (Ref(word as u32), Ref((word >> 32) as u32));
        match references {
            [false, false] if is_time => time(machine, sink, word),
            [false, false] => sink.word(word & mask),
            [true, true] => {
                let low = numbers.reference(machine, low);
                sink.pair(low, numbers.reference(machine, high));
            }
            [true, false] => sink.pair(numbers.reference(machine, low), word & mask),
            [false, true] => sink.pair(numbers.reference(machine, high), word & mask),
        }
    }
}
