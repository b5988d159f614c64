//! Fingerprints by difference: what transitions have left as it was is not walked over again.
//!
//! A fingerprint is a sum over components. A walk numbers the objects first that static fields and the threads' own
//! objects lead to, and then those that only frames hold. A *table* has objects in their order and what each of them adds
//! to the sum: an inner table has the former, an outer one the latter. Objects keep their numbers while no reference in
//! them changes and the walk begins from the same roots. A transition mostly writes to one or two of them, and only these
//! are looked at again: the heap's journal tells which. Tables belong to the path on which they were made, and what is
//! changed in them is taken back when the program goes back on it.
//!
//! When a table does not hold any more, because a reference was overwritten or a thread has come or gone, objects get other
//! numbers, but most of them are what they were. Their *summaries* (all that does not depend on numbers, see `summaries`) go over into
//! the new table.

use super::Gc;
use super::canonical::CanonicalWalk;
use super::layouts::Contents;
use super::sinks::{Bits, Fingerprinter};
use super::walker::Walker;
use crate::machine::visible::Guard;
use crate::machine::visible::Symmetry;
use crate::machine::{Machine, Status, Thread};
use crate::memory::{GUARD, HASH, HEADER, Overwritten, Ref};

/// Tables of so many objects are kept; a path that needs more begins anew.
const MOST: usize = 1 << 21;

/// What is known of an object of a table.
#[derive(Clone, Copy)]
struct KnownObject {
    /// What it adds to the sum.
    print: Bits,
    /// What stands for all of it that does not depend on numbers.
    summary: Bits,
    /// Its references to objects that have numbers: where they begin among those of all tables, and how many they are.
    references: (u32, u32),
    /// Whether it keeps times, so that its summary changes with the time.
    timed: bool,
}

/// Objects in the order of their numbers, and what they add to fingerprints.
#[derive(Default)]
struct ObjectTable {
    /// A number that no other table has.
    id: u64,
    objects: Vec<Ref>,
    known: Vec<KnownObject>,
    /// Those of the objects, by place, that keep times.
    timed: Vec<usize>,
    /// What the guards of its objects add.
    guards: Bits,
    /// Of an inner table: guards that it does not have. Those are for the outer one.
    outside: Vec<(u32, Guard)>,
    /// Of an inner table: what static fields refer to.
    roots: Vec<Ref>,
    /// Of an outer table: for each thread, how many of its objects that thread and those before it refer to.
    ends: Vec<usize>,
}

impl ObjectTable {
    fn clear(&mut self) {
        self.objects.clear();
        self.known.clear();
        self.timed.clear();
        self.outside.clear();
        self.roots.clear();
        self.ends.clear();
    }

    /// Of an outer table: how many of its objects the threads refer to that come before a place in the order.
    #[inline(always)]
    fn given_before(&self, place: usize) -> usize {
        if place == 0 { 0 } else { self.ends[place - 1] }
    }
}

/// A state of the path whose fingerprint was asked for.
#[derive(Clone, Copy, Default)]
struct Level {
    depth: usize,
    /// How many words had been overwritten, and how often what is there for ever had changed.
    overwritten: usize,
    revised: u64,
    /// The time.
    now: i64,
    /// How many prints and thread parts had been replaced and how many references and tables there were before.
    replaced: usize,
    references: usize,
    replaced_parts: usize,
    incremental: usize,
    /// The tables that hold, and what their objects add.
    inner: usize,
    outer: usize,
    sums: [Bits; 2],
    /// What the permanent objects add.
    statics: Bits,
    /// Which threads there are, and what they add.
    threads_version: u64,
    threads: Bits,
    /// What is added for those that wait or keep times. It is to be found out again if others do than did, and as long as
    /// one of them waits for some time or keeps a time.
    waits: Bits,
    waits_again: bool,
}

/// What a new level needs to know of the one before.
#[derive(Clone, Copy)]
struct PreviousLevel {
    inner: usize,
    outer: usize,
    overwritten: usize,
}

impl PreviousLevel {
    fn of(&Level { inner, outer, overwritten, .. }: &Level) -> PreviousLevel {
        PreviousLevel { inner, outer, overwritten }
    }
}

/// How a thread stands, and what it adds.
#[derive(Clone, Copy)]
struct ThreadPart {
    version: u64,
    touched: u64,
    standing: Bits,
    frames: Bits,
    /// Whether what it waits for, or anything that it refers to, is an object of the outer table.
    waits_outside: bool,
    outside: bool,
    /// Whether it waits to be notified, to be unparked, or for some time, and whether it keeps times.
    waits: bool,
    keeps_times: bool,
}

impl ThreadPart {
    const UNKNOWN: ThreadPart = ThreadPart {
        version: u64::MAX,
        touched: 0,
        standing: Bits::ZERO,
        frames: Bits::ZERO,
        waits_outside: false,
        outside: false,
        waits: false,
        keeps_times: false,
    };

    /// Whether the thread has neither moved nor come to stand otherwise since.
    #[inline(always)]
    fn is_that_of(&self, thread: &Thread) -> bool {
        (self.version, self.touched) == (thread.version, thread.touched())
    }

    #[inline(always)]
    fn print(&self) -> Bits {
        self.standing.plus(self.frames)
    }
}

/// The tables of a path.
#[derive(Default)]
pub(super) struct IncrementalFingerprints {
    incremental: Vec<ObjectTable>,
    levels: Vec<Level>,
    /// What was replaced in tables: the table, the object's place in it, and what was known of it.
    replaced: Vec<(usize, usize, KnownObject)>,
    /// How threads stand at the last level, by machine number, and how they had stood before.
    thread_parts: Vec<ThreadPart>,
    replaced_parts: Vec<(usize, ThreadPart)>,
    /// The references in the objects of tables to objects that have numbers.
    references: Vec<Ref>,
    spare: Vec<ObjectTable>,
    /// The objects that have been written to: their numbers, their references, and whether their hashes no longer hold.
    changed: Vec<(u32, Ref, bool)>,
    /// Objects in all tables.
    objects: usize,
    #[cfg(debug_assertions)]
    check: CanonicalWalk,
}

impl IncrementalFingerprints {
    /// Forgets what came behind a depth.
    pub fn rewind(&mut self, depth: usize) {
        while let Some(&Level { depth: at, replaced, replaced_parts, references, incremental, .. }) =
            self.levels.last()
            && at > depth
        {
            while self.replaced.len() > replaced
                && let Some((table, place, known)) = self.replaced.pop()
            {
                self.incremental[table].known[place] = known;
            }
            while self.replaced_parts.len() > replaced_parts
                && let Some((thread, part)) = self.replaced_parts.pop()
            {
                self.thread_parts[thread] = part;
            }
            self.references.truncate(references);
            while self.incremental.len() > incremental
                && let Some(mut table) = self.incremental.pop()
            {
                self.objects -= table.objects.len();
                table.clear();
                self.spare.push(table);
            }
            self.levels.truncate(self.levels.len() - 1);
        }
    }

    /// How many objects the state has whose fingerprint was asked for last, and whether all of them had to be looked at.
    pub fn found(&self, canonical: &CanonicalWalk) -> (usize, bool) {
        match self.levels.last() {
            Some(level) => {
                let objects = |table: usize| self.incremental[table].objects.len();
                // A table that was made for this level is one of its own.
                (objects(level.inner) + objects(level.outer), level.outer >= level.incremental)
            }
            None => (canonical.numbers.queue.len(), true),
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let objects = self.objects * (size_of::<Ref>() + size_of::<KnownObject>());
        self.levels.capacity() * size_of::<Level>()
            + self.replaced.capacity() * size_of::<(usize, usize, KnownObject)>()
            + self.replaced_parts.capacity() * size_of::<(usize, ThreadPart)>()
            + self.references.capacity() * size_of::<Ref>()
            + self.incremental.capacity() * size_of::<ObjectTable>()
            + objects
    }

    /// Another path begins. Whether anything was known of the states of the old one.
    pub fn forget_path(&mut self) -> bool {
        let known = !self.levels.is_empty();
        self.levels.clear();
        self.replaced.clear();
        self.replaced_parts.clear();
        self.references.clear();
        self.thread_parts.clear();
        self.objects = 0;
        self.spare.extend(self.incremental.drain(..).map(|mut table| {
            table.clear();
            table
        }));
        known
    }

    /// The fingerprint of the state that a machine is in.
    pub fn fingerprint(&mut self, machine: &Machine, canonical: &mut CanonicalWalk) -> u128 {
        if machine.scheduling.settings.symmetry != Symmetry::Canonical || canonical.gc != Gc::Mark {
            return canonical.fingerprint(machine);
        }
        let fingerprint = self.by_difference(machine, canonical);
        // By a walk of its own, so that this one finds what it would without the check.
        #[cfg(debug_assertions)]
        assert_eq!(fingerprint, self.check.fingerprint(machine), "a table does not hold");
        fingerprint
    }

    fn by_difference(&mut self, machine: &Machine, canonical: &mut CanonicalWalk) -> u128 {
        if self.objects > MOST {
            *self = IncrementalFingerprints::default();
        }
        canonical.prepare(machine);
        // The last level is copied where the new one is to lie: it is large, and mostly the same.
        let mut levels = std::mem::take(&mut self.levels);
        let former = levels.last().map(PreviousLevel::of);
        match levels.len() {
            0 => levels.push(Level::default()),
            count => levels.extend_from_within(count - 1..),
        }
        let place = levels.len() - 1;
        let level = &mut levels[place];
        level.replaced = self.replaced.len();
        level.replaced_parts = self.replaced_parts.len();
        level.references = self.references.len();
        level.incremental = self.incremental.len();
        let holding = match former {
            None => ValidTables::Nothing,
            Some(_) => self.holding(machine, canonical, level),
        };
        let next = former.is_some() && level.depth + 1 == machine.marks();
        level.depth = machine.marks();
        level.overwritten = machine.heap.overwritten();
        level.revised = machine.heap.revised();
        level.threads_version = machine.threads.version;
        level.now = machine.clock.now;
        if holding == ValidTables::Nothing {
            self.make_inner(machine, canonical, level, former);
        }
        if self.thread_parts.len() < machine.threads.list.len() {
            self.thread_parts.resize(machine.threads.list.len(), ThreadPart::UNKNOWN);
        }
        if !(holding == ValidTables::Both && self.threads_hold(machine, canonical, level, next)) {
            self.make_outer(machine, canonical, level, former, holding != ValidTables::Nothing);
            canonical.numbers.forget_former(machine);
        }
        if level.waits_again {
            self.look_at_waits(machine, canonical, level);
        }
        let mut print = Fingerprinter::new();
        Walker { machine, canonical, sink: &mut print }.program();
        let mut sum = print.take().plus(level.statics).plus(level.threads).plus(level.waits);
        for (table, bits) in [level.inner, level.outer].into_iter().zip(level.sums) {
            sum = sum.plus(bits);
            if canonical.guards_count(machine) {
                sum = sum.plus(self.incremental[table].guards);
            }
        }
        self.levels = levels;
        sum.fingerprint()
    }

    /// Which tables of the last level, which is given, hold as far as objects and the roots of the inner one go. What has
    /// been written to in them is looked at again.
    fn holding(
        &mut self,
        machine: &Machine,
        canonical: &mut CanonicalWalk,
        level: &mut Level,
    ) -> ValidTables {
        let (inner, outer) = (&self.incremental[level.inner], &self.incremental[level.outer]);
        canonical.numbers.resume(machine, (inner.id, &inner.objects), (outer.id, &outer.objects));
        if machine.threads.version != level.threads_version {
            return ValidTables::Nothing;
        }
        let mut statics = machine.heap.revised() != level.revised;
        let mut holding = ValidTables::Both;
        self.changed.clear();
        for overwritten in machine.heap.overwritten_since(level.overwritten) {
            match effect(machine, canonical, overwritten) {
                Effect::Nothing => {}
                Effect::Statics => statics = true,
                Effect::Structure => return ValidTables::Nothing,
                Effect::OuterStructure => holding = ValidTables::Inner,
                Effect::Contents { number, summary } => {
                    match self.changed.iter_mut().find(|changed| changed.0 == number) {
                        Some(changed) => changed.2 |= summary,
                        None => self.changed.push((number, overwritten.object, summary)),
                    }
                }
            }
        }
        if machine.clock.now != level.now {
            let (inner, outer) = (&self.incremental[level.inner], &self.incremental[level.outer]);
            let inside = inner.timed.iter().map(|&place| (place as u32 + 1, inner.objects[place]));
            let before = canonical.numbers.before;
            let outside = outer.timed.iter().map(|&place| (before + place as u32 + 1, outer.objects[place]));
            for (number, object) in inside.chain(outside) {
                match self.changed.iter_mut().find(|changed| changed.0 == number) {
                    Some(changed) => changed.2 = true,
                    None => self.changed.push((number, object, true)),
                }
            }
        }
        for &(number, object, summary) in &self.changed {
            let inside = number <= canonical.numbers.before;
            let (index, place) = match inside {
                true => (level.inner, number - 1),
                false => (level.outer, number - 1 - canonical.numbers.before),
            };
            let place = place as usize;
            let old = self.incremental[index].known[place];
            let mut new = old;
            if summary {
                // The references are what they were, or the table would not hold.
                canonical.references.clear();
                new.summary = canonical.layouts.object_hash(machine, object, &mut canonical.references);
            }
            let mut print = Fingerprinter::new();
            let references = of_object(&self.references, new.references);
            Walker { machine, canonical, sink: &mut print }.summarise_object(
                object,
                number,
                new.summary,
                references,
            );
            new.print = print.take();
            self.incremental[index].known[place] = new;
            self.replaced.push((index, place, old));
            let sum = &mut level.sums[usize::from(!inside)];
            *sum = sum.minus(old.print).plus(new.print);
        }
        if statics {
            let mut print = Fingerprinter::new();
            canonical.roots.clear();
            Walker { machine, canonical, sink: &mut print }.statics();
            if canonical.roots != self.incremental[level.inner].roots {
                return ValidTables::Nothing;
            }
            level.statics = print.take();
        }
        holding
    }

    /// Makes an inner table of the present state.
    fn make_inner(
        &mut self,
        machine: &Machine,
        canonical: &mut CanonicalWalk,
        level: &mut Level,
        former: Option<PreviousLevel>,
    ) {
        let mut table = self.spare.pop().unwrap_or_default();
        table.id = match former {
            None => canonical.numbers.begin(machine),
            Some(former) => {
                self.discard_overwritten(machine, canonical, former);
                canonical.numbers.begin_anew(machine)
            }
        };
        canonical.roots.clear();
        canonical.guards.clear();
        let mut print = Fingerprinter::new();
        let mut walker = Walker { machine, canonical, sink: &mut print };
        walker.statics();
        level.statics = print.take();
        std::mem::swap(&mut table.roots, &mut canonical.roots);
        Walker { machine, canonical, sink: &mut print }.roots();
        level.sums[0] = self.look_at_queue(machine, canonical, &mut table, former);
        let split = machine.heap.split();
        for index in 0..canonical.guards.len() {
            let (number, guard) = canonical.guards[index];
            let outside = match guard {
                Guard::Lock(lock) => lock.0 >= split && canonical.numbers.number(machine, lock).is_none(),
                Guard::None | Guard::Owner(_) => false,
            };
            if !outside {
                Walker { machine, canonical, sink: &mut print }.guard(number, guard);
            } else {
                table.outside.push((number, guard));
            }
        }
        table.guards = print.take();
        canonical.numbers.take_queue(&mut table.objects);
        level.inner = self.keep(table);
    }

    /// Makes an outer table of the present state, and finds out what threads add. The inner table may be that of the last
    /// level.
    fn make_outer(
        &mut self,
        machine: &Machine,
        canonical: &mut CanonicalWalk,
        level: &mut Level,
        former: Option<PreviousLevel>,
        same_inner: bool,
    ) {
        let mut table = self.spare.pop().unwrap_or_default();
        let inner = &self.incremental[level.inner];
        canonical.numbers.resume(machine, (inner.id, &inner.objects), (0, &[]));
        (level.threads, level.waits_again) = (Bits::ZERO, true);
        for index in 0..canonical.alive.len() {
            let at = canonical.alive[index];
            let mut part = self.thread_parts[at];
            if !(same_inner && !part.outside && part.is_that_of(&machine.threads.list[at])) {
                canonical.fit.begin(0);
                part = look_at_thread(machine, canonical, at, None);
                self.set_part(at, part);
            }
            level.threads = level.threads.plus(part.print());
            table.ends.push(canonical.numbers.queue.len());
        }
        canonical.guards.clear();
        level.sums[1] = self.look_at_queue(machine, canonical, &mut table, former);
        let mut print = Fingerprinter::new();
        let mut walker = Walker { machine, canonical, sink: &mut print };
        walker.guards();
        for &(number, guard) in &self.incremental[level.inner].outside {
            walker.guard(number, guard);
        }
        table.guards = print.take();
        table.objects.extend_from_slice(&canonical.numbers.queue);
        table.id = canonical.numbers.name_queue();
        level.outer = self.keep(table);
    }

    /// The summaries of objects that have been written to since the last level are not to go over into a new table.
    fn discard_overwritten(&self, machine: &Machine, canonical: &mut CanonicalWalk, last: PreviousLevel) {
        let split = machine.heap.split();
        for &Overwritten { object, unit, .. } in machine.heap.overwritten_since(last.overwritten) {
            if object.is_null() {
                // A word without an object lies in any of them.
                let incremental = [last.inner, last.outer].into_iter();
                let objects = incremental.flat_map(|table| &self.incremental[table].objects);
                objects.for_each(|&object| canonical.numbers.discard(machine, object));
                return;
            }
            if object.0 >= split && is_of_brief((unit - object.0) * 8) {
                canonical.numbers.discard(machine, object);
            }
        }
    }

    /// Looks at the objects of the queue, and those that they lead to. Objects that had numbers in the last level's tables, and
    /// are what they were, keep their summaries.
    fn look_at_queue(
        &mut self,
        machine: &Machine,
        canonical: &mut CanonicalWalk,
        table: &mut ObjectTable,
        former: Option<PreviousLevel>,
    ) -> Bits {
        let IncrementalFingerprints { incremental, references: all, .. } = self;
        let before = |former: PreviousLevel| {
            (incremental[former.inner].known.as_slice(), incremental[former.outer].known.as_slice())
        };
        let (inner, outer) = former.map_or((&[][..], &[][..]), before);
        let mut sum = Bits::default();
        let mut place = 0;
        while let Some(&object) = canonical.numbers.queue.get(place) {
            let number = canonical.numbers.before + place as u32 + 1;
            // An object without a number had number 0, which is no place.
            let at = (canonical.numbers.formers[place] as usize).wrapping_sub(1);
            let known = inner.get(at).or_else(|| outer.get(at.wrapping_sub(inner.len())));
            let (summary, references, timed) = match known {
                Some(known) if !known.timed => (known.summary, known.references, false),
                _ => {
                    let start = all.len();
                    let summary = canonical.layouts.object_hash(machine, object, all);
                    let timed = canonical.layouts.of(machine, machine.heap.class(object)).keeps_times();
                    (summary, (start as u32, (all.len() - start) as u32), timed)
                }
            };
            if timed {
                table.timed.push(place);
            }
            let mut print = Fingerprinter::new();
            let given = of_object(all, references);
            Walker { machine, canonical, sink: &mut print }.summarise_object(object, number, summary, given);
            let print = print.take();
            sum = sum.plus(print);
            table.known.push(KnownObject { print, summary, references, timed });
            place += 1;
        }
        sum
    }

    fn keep(&mut self, table: ObjectTable) -> usize {
        self.objects += table.objects.len();
        self.incremental.push(table);
        self.incremental.len() - 1
    }

    /// Looks at the threads that have moved since the last level, which may be that of the state before, or stand otherwise.
    /// False if the outer table does not hold.
    fn threads_hold(
        &mut self,
        machine: &Machine,
        canonical: &mut CanonicalWalk,
        level: &mut Level,
        next: bool,
    ) -> bool {
        if next {
            let mut stirred = machine.stirred();
            stirred.all(|at| {
                self.stands_still(machine, canonical, at) || self.thread_holds(machine, canonical, level, at)
            })
        } else {
            let mut threads = 0..machine.threads.list.len();
            threads.all(|at| {
                self.stands_still(machine, canonical, at) || self.thread_holds(machine, canonical, level, at)
            })
        }
    }

    /// Looks at what of threads depends on other threads and on the time, for those that wait or keep times.
    fn look_at_waits(&self, machine: &Machine, canonical: &mut CanonicalWalk, level: &mut Level) {
        let mut print = Fingerprinter::new();
        level.waits_again = false;
        for index in 0..canonical.alive.len() {
            let at = canonical.alive[index];
            let ThreadPart { waits, keeps_times, .. } = self.thread_parts[at];
            if waits {
                Walker { machine, canonical, sink: &mut print }.waiting(at);
            }
            if keeps_times {
                Walker { machine, canonical, sink: &mut print }.times(at);
            }
            level.waits_again |= keeps_times || waits && machine.threads.list[at].status.deadline().is_some();
        }
        level.waits = print.take();
    }

    /// Whether a thread stands as it did and where it did, or is over.
    #[inline(always)]
    fn stands_still(&self, machine: &Machine, canonical: &CanonicalWalk, at: usize) -> bool {
        canonical.ranks[at] == 0 || self.thread_parts[at].is_that_of(&machine.threads.list[at])
    }

    /// Looks at a thread. False if the outer table does not hold.
    #[inline(never)]
    fn thread_holds(
        &mut self,
        machine: &Machine,
        canonical: &mut CanonicalWalk,
        level: &mut Level,
        at: usize,
    ) -> bool {
        let old = &self.thread_parts[at];
        let place = canonical.ranks[at] as usize - 1;
        let outer = &self.incremental[level.outer];
        let before = u64::from(canonical.numbers.before);
        canonical.fit.begin(before + outer.given_before(place) as u64);
        let part = look_at_thread(machine, canonical, at, Some(old));
        // Frames that are not looked at again refer to what they did.
        let same_frames = part.version == old.version && !part.waits_outside && !old.waits_outside;
        if !same_frames && !canonical.fit.ends(before + outer.ends[place] as u64) {
            return false;
        }
        level.threads = level.threads.minus(old.print()).plus(part.print());
        level.waits_again |= part.waits || old.waits || part.keeps_times || old.keeps_times;
        self.set_part(at, part);
        true
    }

    fn set_part(&mut self, thread: usize, part: ThreadPart) {
        let old = std::mem::replace(&mut self.thread_parts[thread], part);
        self.replaced_parts.push((thread, old));
    }
}

/// Looks at a thread. If it is known how it stood by the same tables, frames that have not changed since are not looked at
/// unless what it waits for may come before what they refer to.
#[inline(always)]
fn look_at_thread(
    machine: &Machine,
    canonical: &mut CanonicalWalk,
    at: usize,
    old: Option<&ThreadPart>,
) -> ThreadPart {
    let thread = &machine.threads.list[at];
    let (version, touched) = (thread.version, thread.touched());
    let waits =
        matches!(thread.status, Status::Waiting { .. } | Status::Parked { .. } | Status::Sleeping { .. });
    let mut print = Fingerprinter::new();
    Walker { machine, canonical, sink: &mut print }.state_mut(at);
    let standing = print.take();
    let waits_outside = canonical.fit.met;
    if let Some(old) = old
        && old.version == version
        && !old.waits_outside
        && !waits_outside
    {
        return ThreadPart { touched, standing, waits, ..*old };
    }
    let keeps_times = Walker { machine, canonical, sink: &mut print }.summarise_frames(at);
    let frames = print.take();
    ThreadPart {
        version,
        touched,
        standing,
        frames,
        waits_outside,
        outside: canonical.fit.met,
        waits,
        keeps_times,
    }
}

/// The references of an object among those of all tables.
#[inline(always)]
fn of_object(references: &[Ref], (start, count): (u32, u32)) -> &[Ref] {
    &references[start as usize..][..count as usize]
}

/// Which tables hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValidTables {
    Nothing,
    Inner,
    Both,
}

/// What an overwritten word means for tables.
enum Effect {
    Nothing,
    /// A permanent object is not what it was.
    Statics,
    /// The object of that number is not what it was, or its monitor.
    Contents {
        number: u32,
        summary: bool,
    },
    /// The tables do not hold any more.
    Structure,
    /// The outer table does not hold any more.
    OuterStructure,
}

fn effect(machine: &Machine, canonical: &mut CanonicalWalk, overwritten: &Overwritten) -> Effect {
    let &Overwritten { object, unit, old } = overwritten;
    let heap = &machine.heap;
    if object.is_null() {
        return Effect::Structure;
    }
    let offset = (unit - object.0) * 8;
    if object.0 < heap.split() {
        return if offset == GUARD { Effect::Structure } else { Effect::Statics };
    }
    let Some(number) = canonical.numbers.number(machine, object) else { return Effect::Nothing };
    let new = heap.word(unit);
    if new == old {
        return Effect::Nothing;
    }
    let structure = if offset == GUARD {
        // The other half is no part of the state.
        if new as u32 == old as u32 {
            return Effect::Nothing;
        }
        true
    } else if offset < HEADER {
        false
    } else {
        match &canonical.layouts.of(machine, heap.class(object)).contents {
            Contents::References => true,
            Contents::Primitives(_) | Contents::String => false,
            Contents::Instance(words) => match words.at(offset) {
                None => return Effect::Nothing,
                Some(word) => {
                    let [low, high] = word.references;
                    low && new as u32 != old as u32 || high && new >> 32 != old >> 32
                }
            },
        }
    };
    match (structure, number > canonical.numbers.before) {
        (false, _) => Effect::Contents { number, summary: is_of_brief(offset) },
        (true, true) => Effect::OuterStructure,
        (true, false) => Effect::Structure,
    }
}

/// Whether what lies there is a part of the summaries of objects: monitors and guards are not.
fn is_of_brief(offset: u32) -> bool {
    offset >= HEADER || offset == HASH
}
