//! Fingerprints by difference: what transitions have left as it was is not walked over again.
//!
//! A fingerprint is a sum over components. A walk numbers the objects first that static fields and the threads' own
//! objects lead to, and then those that only frames hold. The former keep their numbers while no reference in them
//! changes and the walk begins from the same roots; a *chart* has their order and what each of them adds to the sum. A
//! transition mostly writes to one or two of them, and only these are looked at again: the heap's journal tells which.
//! Charts belong to the path on which they were made, and what is changed in them is taken back when the program goes
//! back on it.

use super::canon::Canon;
use super::layouts::Contents;
use super::sinks::{Bits, Print};
use super::walker::Walker;
use super::{Gc, Symmetry};
use crate::machine::{Machine, Status};
use crate::memory::{GUARD, HEADER, Overwritten, Ref};

/// Charts of so many objects are kept; a path that needs more begins anew.
const MOST: usize = 1 << 22;
/// So much is remembered of threads that stand as they stood.
const THREADS: usize = 512;

/// Objects in the order of their numbers, and what they add to fingerprints.
#[derive(Default)]
struct Chart {
    /// The walk that it comes from.
    walk: u64,
    roots: Vec<Ref>,
    objects: Vec<Ref>,
    prints: Vec<Bits>,
    /// What the guards of its objects add that are permanent or in the chart.
    guards: Bits,
    /// The other guards.
    outside: Vec<(u32, Ref)>,
}

/// A state of the path whose fingerprint was asked for.
#[derive(Clone, Copy)]
struct Level {
    depth: usize,
    /// How many words had been overwritten.
    overwritten: usize,
    /// How many prints had been replaced before.
    replaced: usize,
    /// The chart that holds, and whether it was made here.
    chart: usize,
    made: bool,
    /// What its objects add together.
    sum: Bits,
}

/// What a thread adds that stands as it stood, if all that it refers to is in the chart.
#[derive(Clone, Copy, Default)]
struct Stood {
    thread: usize,
    version: u64,
    touched: u64,
    walk: u64,
    print: Bits,
}

/// The charts of a path.
#[derive(Default)]
pub(super) struct Charts {
    charts: Vec<Chart>,
    levels: Vec<Level>,
    /// What was replaced in charts: the object's number less one, and what it had added.
    replaced: Vec<(usize, Bits)>,
    /// Objects of the present chart that were written to.
    written: Vec<(usize, Ref)>,
    stood: Vec<Stood>,
    spare: Vec<Chart>,
    /// Objects in all charts.
    objects: usize,
}

impl Charts {
    /// Forgets what came behind a depth.
    pub fn rewind(&mut self, depth: usize) {
        while let Some(level) = self.levels.pop_if(|level| level.depth > depth) {
            let chart = &mut self.charts[level.chart];
            for (index, print) in self.replaced.drain(level.replaced..).rev() {
                chart.prints[index] = print;
            }
            if level.made {
                self.drop_chart();
            }
        }
    }

    fn drop_chart(&mut self) {
        if let Some(chart) = self.charts.pop() {
            self.objects -= chart.objects.len();
            self.spare.push(chart);
        }
    }

    /// The fingerprint of the state that a machine is in.
    pub fn fingerprint(&mut self, machine: &Machine, canon: &mut Canon) -> u128 {
        let settings = &machine.watch.settings;
        if settings.symmetry != Symmetry::Canonical || settings.gc != Gc::Mark {
            return canon.fingerprint(machine);
        }
        let fingerprint = self.by_difference(machine, canon);
        debug_assert_eq!(fingerprint, canon.fingerprint(machine), "a chart does not hold");
        fingerprint
    }

    fn by_difference(&mut self, machine: &Machine, canon: &mut Canon) -> u128 {
        canon.prepare(machine);
        let mut print = Print::new();
        if !self.holds(machine, canon, &mut print) {
            canon.numbers.forget_queue(machine);
            print = Print::new();
            self.make(machine, canon, &mut print);
        }
        let level = self.levels[self.levels.len() - 1];
        self.threads(machine, canon, &mut print);
        let mut walker = Walker { machine, canon, sink: &mut print };
        walker.objects();
        let chart = &self.charts[level.chart];
        let mut sum = level.sum;
        if walker.canon.guards_count(machine) {
            walker.guards();
            for &(number, guard) in &chart.outside {
                walker.guard(number, guard);
            }
            sum = sum.plus(chart.guards);
        }
        canon.numbers.forget_queue(machine);
        sum.plus(print.take()).fingerprint()
    }

    /// Whether the chart of the last level holds in the present state too. Then there is a level for it, and the walk has
    /// come behind the chart's objects.
    fn holds(&mut self, machine: &Machine, canon: &mut Canon, print: &mut Print) -> bool {
        let Some(&last) = self.levels.last() else { return false };
        let chart = &mut self.charts[last.chart];
        canon.numbers.resume(machine, chart.walk, &chart.objects);
        let mut walker = Walker { machine, canon, sink: print };
        walker.program();
        walker.statics();
        walker.roots();
        if canon.roots != chart.roots {
            return false;
        }
        self.written.clear();
        for overwritten in machine.heap.overwritten_since(last.overwritten) {
            match effect(machine, canon, overwritten) {
                Effect::Nothing => {}
                Effect::Contents(index) => self.written.push((index, overwritten.object)),
                Effect::Structure => return false,
            }
        }
        let depth = machine.marks();
        if depth == last.depth && self.written.is_empty() {
            return true;
        }
        let mut level = Level {
            depth,
            overwritten: machine.heap.overwritten(),
            replaced: self.replaced.len(),
            made: false,
            ..last
        };
        let guards = canon.guards.len();
        for &(index, object) in &self.written {
            let mut print = Print::new();
            Walker { machine, canon, sink: &mut print }.object(object, index as u32 + 1);
            let (old, new) = (chart.prints[index], print.take());
            if old != new {
                self.replaced.push((index, old));
                chart.prints[index] = new;
                level.sum = level.sum.minus(old).plus(new);
            }
        }
        // What guards them has not changed.
        canon.guards.truncate(guards);
        self.levels.push(level);
        true
    }

    /// Makes a chart of the present state, and a level for it.
    fn make(&mut self, machine: &Machine, canon: &mut Canon, print: &mut Print) {
        if self.objects > MOST {
            *self = Charts::default();
        }
        let mut chart = self.spare.pop().unwrap_or_default();
        chart.prints.clear();
        chart.outside.clear();
        canon.prepare(machine);
        chart.walk = canon.numbers.begin(machine);
        let mut walker = Walker { machine, canon, sink: print };
        walker.program();
        walker.statics();
        walker.roots();
        let statics = canon.guards.len();
        let mut of_object = Print::new();
        let mut sum = Bits::default();
        while let Some(&object) = canon.numbers.queue.get(chart.prints.len()) {
            let number = chart.prints.len() as u32 + 1;
            Walker { machine, canon, sink: &mut of_object }.object(object, number);
            let bits = of_object.take();
            sum = sum.plus(bits);
            chart.prints.push(bits);
        }
        let split = machine.heap.split();
        for index in statics..canon.guards.len() {
            let (number, guard) = canon.guards[index];
            if guard.0 < split || canon.numbers.number(machine, guard).is_some() {
                Walker { machine, canon, sink: &mut of_object }.guard(number, guard);
            } else {
                chart.outside.push((number, guard));
            }
        }
        canon.guards.truncate(statics);
        chart.guards = of_object.take();
        std::mem::swap(&mut chart.roots, &mut canon.roots);
        std::mem::swap(&mut chart.objects, &mut canon.numbers.queue);
        canon.numbers.resume(machine, chart.walk, &chart.objects);
        self.objects += chart.objects.len();
        self.levels.push(Level {
            depth: machine.marks(),
            overwritten: machine.heap.overwritten(),
            replaced: self.replaced.len(),
            chart: self.charts.len(),
            made: true,
            sum,
        });
        self.charts.push(chart);
    }

    /// The threads that are not over.
    fn threads(&mut self, machine: &Machine, canon: &mut Canon, print: &mut Print) {
        self.stood.resize(THREADS, Stood::default());
        let walk = self.charts[self.levels[self.levels.len() - 1].chart].walk;
        let mut sum = print.take();
        for index in 0..canon.order.len() {
            let at = canon.order[index];
            let thread = &machine.threads[at];
            if thread.status == Status::Finished {
                continue;
            }
            let (version, touched) = (thread.version, thread.touched());
            let seat = (version.wrapping_mul(31).wrapping_add(touched).wrapping_mul(31) as usize)
                .wrapping_add(at)
                % THREADS;
            let stood = self.stood[seat];
            if (stood.thread, stood.version, stood.touched, stood.walk) == (at, version, touched, walk) {
                sum = sum.plus(stood.print);
            } else {
                let mut walker = Walker { machine, canon, sink: print };
                let in_queue = walker.standing(at) | walker.brief_frames(at);
                let bits = print.take();
                if !in_queue {
                    self.stood[seat] = Stood { thread: at, version, touched, walk, print: bits };
                }
                sum = sum.plus(bits);
            }
            Walker { machine, canon, sink: print }.waiting(at);
            sum = sum.plus(print.take());
        }
        print.add(sum);
    }
}

/// What an overwritten word means for a chart.
enum Effect {
    Nothing,
    /// The object of that number less one is not what it was.
    Contents(usize),
    /// The chart does not hold any more.
    Structure,
}

fn effect(machine: &Machine, canon: &mut Canon, overwritten: &Overwritten) -> Effect {
    let &Overwritten { object, unit, old } = overwritten;
    let heap = &machine.heap;
    if object.is_null() {
        return Effect::Structure;
    }
    // Permanent objects are looked at in any case.
    if object.0 < heap.split() {
        return Effect::Nothing;
    }
    let Some(number) = canon.numbers.number(machine, object) else { return Effect::Nothing };
    // What only frames hold is walked over in any case.
    if number > canon.numbers.before {
        return Effect::Nothing;
    }
    let new = heap.word(unit);
    if new == old {
        return Effect::Nothing;
    }
    let offset = (unit - object.0) * 8;
    let structure = if offset < HEADER {
        offset == GUARD && new as u32 != old as u32
    } else {
        match &canon.layouts.of(machine, heap.class(object)).contents {
            Contents::References => true,
            Contents::Primitives(_) | Contents::String => false,
            Contents::Instance(words) => match words.iter().find(|word| word.offset == offset) {
                None => return Effect::Nothing,
                Some(word) => {
                    let [low, high] = word.references;
                    low && new as u32 != old as u32 || high && new >> 32 != old >> 32
                }
            },
        }
    };
    if structure { Effect::Structure } else { Effect::Contents(number as usize - 1) }
}
