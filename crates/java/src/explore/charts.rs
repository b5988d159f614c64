//! Fingerprints by difference: what transitions have left as it was is not walked over again.
//!
//! A fingerprint is a sum over components. A walk numbers the objects first that static fields and the threads' own
//! objects lead to, and then those that only frames hold. A *chart* has objects in their order and what each of them adds
//! to the sum: an inner chart has the former, an outer one the latter. Objects keep their numbers while no reference in
//! them changes and the walk begins from the same roots. A transition mostly writes to one or two of them, and only these
//! are looked at again: the heap's journal tells which. Charts belong to the path on which they were made, and what is
//! changed in them is taken back when the program goes back on it.

use super::canon::Canon;
use super::layouts::Contents;
use super::sinks::{Bits, Nowhere, Print};
use super::walker::Walker;
use super::{Gc, Symmetry};
use crate::machine::Machine;
use crate::memory::{GUARD, HEADER, Overwritten, Ref};

/// Charts of so many objects are kept; a path that needs more begins anew.
const MOST: usize = 1 << 22;
/// So much is remembered of how threads have stood.
const STOOD: usize = 1024;

/// Objects in the order of their numbers, and what they add to fingerprints.
#[derive(Default)]
struct Chart {
    /// A number that no other chart has.
    id: u64,
    objects: Vec<Ref>,
    prints: Vec<Bits>,
    /// What the guards of its objects add.
    guards: Bits,
    /// Of an inner chart: guards that it does not have. Those are for the outer one.
    outside: Vec<(u32, Ref)>,
    /// Of an inner chart: what static fields refer to. Of an outer one: what threads refer to, by thread.
    roots: Vec<Ref>,
    /// Of an inner chart: the objects of the threads.
    threads: Vec<Ref>,
    /// Of an outer chart: where the roots of each thread end.
    ends: Vec<usize>,
}

impl Chart {
    fn clear(&mut self) {
        self.objects.clear();
        self.prints.clear();
        self.outside.clear();
        self.roots.clear();
        self.threads.clear();
        self.ends.clear();
    }

    /// Of an outer chart: what the thread refers to that comes at that place in the order.
    fn roots_of(&self, place: usize) -> &[Ref] {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.roots[begin..self.ends[place]]
    }
}

/// A state of the path whose fingerprint was asked for.
#[derive(Clone, Copy, Default)]
struct Level {
    depth: usize,
    /// How many words had been overwritten, and how often what is there for ever had changed.
    overwritten: usize,
    revised: u64,
    /// How many prints had been replaced and how many charts there were before.
    replaced: usize,
    charts: usize,
    /// The charts that hold, and what their objects add.
    inner: usize,
    outer: usize,
    sums: [Bits; 2],
    /// What the permanent objects add.
    statics: Bits,
}

/// How a thread stands, and what it adds.
#[derive(Clone, Copy, Default)]
struct Stand {
    version: u64,
    touched: u64,
    print: Bits,
}

impl Stand {
    const UNKNOWN: Stand = Stand { version: u64::MAX, touched: 0, print: Bits::ZERO };
}

/// How a thread has stood.
#[derive(Clone, Copy, Default)]
struct Stood {
    thread: usize,
    /// The outer chart; the inner one if that has all that the thread refers to.
    chart: u64,
    stand: Stand,
}

/// The charts of a path.
#[derive(Default)]
pub(super) struct Charts {
    charts: Vec<Chart>,
    levels: Vec<Level>,
    /// What was replaced in charts: the chart, the object's place in it, and what it had added.
    replaced: Vec<(usize, usize, Bits)>,
    /// How threads stood last, by machine number, and in which charts.
    stands: Vec<Stand>,
    stands_for: (u64, u64),
    /// How threads have stood, as far as it is remembered.
    stood: Vec<Stood>,
    spare: Vec<Chart>,
    /// Objects in all charts.
    objects: usize,
    #[cfg(debug_assertions)]
    check: Canon,
}

impl Charts {
    /// Forgets what came behind a depth.
    pub fn rewind(&mut self, depth: usize) {
        while let Some(level) = self.levels.pop_if(|level| level.depth > depth) {
            for (chart, place, print) in self.replaced.drain(level.replaced..).rev() {
                self.charts[chart].prints[place] = print;
            }
            for mut chart in self.charts.drain(level.charts..) {
                self.objects -= chart.objects.len();
                chart.clear();
                self.spare.push(chart);
            }
        }
    }

    /// The fingerprint of the state that a machine is in.
    pub fn fingerprint(&mut self, machine: &Machine, canon: &mut Canon) -> u128 {
        let settings = &machine.watch.settings;
        if settings.symmetry != Symmetry::Canonical || settings.gc != Gc::Mark {
            return canon.fingerprint(machine);
        }
        let fingerprint = self.by_difference(machine, canon);
        // By a walk of its own, so that this one finds what it would without the check.
        #[cfg(debug_assertions)]
        assert_eq!(fingerprint, self.check.fingerprint(machine), "a chart does not hold");
        fingerprint
    }

    fn by_difference(&mut self, machine: &Machine, canon: &mut Canon) -> u128 {
        if self.objects > MOST {
            *self = Charts::default();
        }
        canon.prepare(machine);
        let last = self.levels.last().copied();
        let mut level = Level {
            depth: machine.marks(),
            overwritten: machine.heap.overwritten(),
            revised: machine.heap.revised(),
            replaced: self.replaced.len(),
            charts: self.charts.len(),
            ..last.unwrap_or_default()
        };
        let holding = match last {
            Some(last) => self.holding(machine, canon, &last, &mut level),
            None => Holding::Nothing,
        };
        if holding == Holding::Nothing {
            self.make_inner(machine, canon, &mut level);
        }
        let threads = match holding {
            Holding::Both => self.threads(machine, canon, &level),
            Holding::Inner | Holding::Nothing => None,
        };
        let threads = threads.unwrap_or_else(|| {
            self.make_outer(machine, canon, &mut level);
            self.threads(machine, canon, &level).expect("the chart has just been made")
        });
        self.levels.push(level);
        let mut print = Print::new();
        Walker { machine, canon, sink: &mut print }.program();
        let mut sum = print.take().plus(level.statics).plus(threads);
        for (chart, bits) in [level.inner, level.outer].into_iter().zip(level.sums) {
            sum = sum.plus(bits);
            if canon.guards_count(machine) {
                sum = sum.plus(self.charts[chart].guards);
            }
        }
        sum.fingerprint()
    }

    /// Which charts of the last level hold as far as objects and the roots of the inner one go. What has been written to
    /// in them is looked at again.
    fn holding(&mut self, machine: &Machine, canon: &mut Canon, last: &Level, level: &mut Level) -> Holding {
        let inner = &self.charts[last.inner];
        let alive = canon.alive.iter().map(|&at| machine.threads[at].object);
        if !alive.eq(inner.threads.iter().copied()) {
            return Holding::Nothing;
        }
        let outer = &self.charts[last.outer];
        canon.numbers.resume(machine, (inner.id, &inner.objects), (outer.id, &outer.objects));
        let mut statics = level.revised != last.revised;
        let mut holding = Holding::Both;
        for overwritten in machine.heap.overwritten_since(last.overwritten) {
            match effect(machine, canon, overwritten) {
                Effect::Nothing => {}
                Effect::Statics => statics = true,
                Effect::Structure => return Holding::Nothing,
                Effect::OuterStructure => holding = Holding::Inner,
                Effect::Contents(number) => {
                    let inside = number <= canon.numbers.before;
                    let (index, place) = match inside {
                        true => (last.inner, number - 1),
                        false => (last.outer, number - 1 - canon.numbers.before),
                    };
                    let mut print = Print::new();
                    Walker { machine, canon, sink: &mut print }.object(overwritten.object, number);
                    let new = print.take();
                    let old = std::mem::replace(&mut self.charts[index].prints[place as usize], new);
                    self.replaced.push((index, place as usize, old));
                    let sum = &mut level.sums[usize::from(!inside)];
                    *sum = sum.minus(old).plus(new);
                }
            }
        }
        if statics {
            let mut print = Print::new();
            canon.roots.clear();
            Walker { machine, canon, sink: &mut print }.statics();
            if canon.roots != self.charts[last.inner].roots {
                return Holding::Nothing;
            }
            level.statics = print.take();
        }
        holding
    }

    /// Makes an inner chart of the present state.
    fn make_inner(&mut self, machine: &Machine, canon: &mut Canon, level: &mut Level) {
        let mut chart = self.spare.pop().unwrap_or_default();
        chart.id = canon.numbers.begin(machine);
        canon.roots.clear();
        canon.guards.clear();
        let mut print = Print::new();
        let mut walker = Walker { machine, canon, sink: &mut print };
        walker.statics();
        level.statics = print.take();
        std::mem::swap(&mut chart.roots, &mut canon.roots);
        let mut walker = Walker { machine, canon, sink: &mut print };
        walker.roots();
        std::mem::swap(&mut chart.threads, &mut canon.roots);
        level.sums[0] = look_at_queue(machine, canon, &mut chart);
        let split = machine.heap.split();
        for index in 0..canon.guards.len() {
            let (number, guard) = canon.guards[index];
            if guard.0 < split || canon.numbers.number(machine, guard).is_some() {
                Walker { machine, canon, sink: &mut print }.guard(number, guard);
            } else {
                chart.outside.push((number, guard));
            }
        }
        chart.guards = print.take();
        canon.numbers.take_queue(&mut chart.objects);
        level.inner = self.keep(chart);
    }

    /// Makes an outer chart of the present state, of which the inner one holds.
    fn make_outer(&mut self, machine: &Machine, canon: &mut Canon, level: &mut Level) {
        let mut chart = self.spare.pop().unwrap_or_default();
        let inner = &self.charts[level.inner];
        canon.numbers.resume(machine, (inner.id, &inner.objects), (0, &[]));
        canon.outer.clear();
        for index in 0..canon.alive.len() {
            let at = canon.alive[index];
            let mut walker = Walker { machine, canon, sink: &mut Nowhere };
            walker.standing(at);
            walker.brief_frames(at);
            chart.ends.push(canon.outer.len());
        }
        std::mem::swap(&mut chart.roots, &mut canon.outer);
        canon.guards.clear();
        level.sums[1] = look_at_queue(machine, canon, &mut chart);
        let mut print = Print::new();
        let mut walker = Walker { machine, canon, sink: &mut print };
        walker.guards();
        for &(number, guard) in &inner.outside {
            walker.guard(number, guard);
        }
        chart.guards = print.take();
        chart.objects.extend_from_slice(&canon.numbers.queue);
        chart.id = canon.numbers.name_queue();
        level.outer = self.keep(chart);
    }

    fn keep(&mut self, chart: Chart) -> usize {
        self.objects += chart.objects.len();
        self.charts.push(chart);
        self.charts.len() - 1
    }

    /// What the threads add that are not over; nothing if the outer chart does not hold.
    fn threads(&mut self, machine: &Machine, canon: &mut Canon, level: &Level) -> Option<Bits> {
        let charts = (self.charts[level.inner].id, self.charts[level.outer].id);
        if self.stands_for != charts {
            self.stands_for = charts;
            self.stands.clear();
        }
        self.stands.resize(machine.threads.len(), Stand::UNKNOWN);
        let mut sum = Bits::default();
        let mut waiting = Print::new();
        for place in 0..canon.alive.len() {
            let at = canon.alive[place];
            let thread = &machine.threads[at];
            let stand = self.stands[at];
            if (stand.version, stand.touched) == (thread.version, thread.touched()) {
                sum = sum.plus(stand.print);
            } else {
                sum = sum.plus(self.thread(machine, canon, level, place)?);
            }
            Walker { machine, canon, sink: &mut waiting }.waiting(at);
        }
        Some(sum.plus(waiting.take()))
    }

    /// What a thread adds that comes at a place in the order; nothing if the outer chart does not hold.
    fn thread(&mut self, machine: &Machine, canon: &mut Canon, level: &Level, place: usize) -> Option<Bits> {
        self.stood.resize(STOOD, Stood::default());
        let (inner, outer) = (&self.charts[level.inner], &self.charts[level.outer]);
        let roots = outer.roots_of(place);
        let chart = if roots.is_empty() { inner.id } else { outer.id };
        let at = canon.alive[place];
        let (version, touched) = (machine.threads[at].version, machine.threads[at].touched());
        let seat = (version ^ touched.wrapping_mul(31)).wrapping_add(at as u64 * 173) as usize % STOOD;
        let Stood { thread, chart: known, stand } = self.stood[seat];
        let print = if (thread, stand.version, stand.touched, known) == (at, version, touched, chart) {
            stand.print
        } else {
            canon.outer.clear();
            let mut print = Print::new();
            let mut walker = Walker { machine, canon, sink: &mut print };
            walker.standing(at);
            walker.brief_frames(at);
            if canon.outer != roots {
                return None;
            }
            print.take()
        };
        let stand = Stand { version, touched, print };
        self.stands[at] = stand;
        self.stood[seat] = Stood { thread: at, chart, stand };
        Some(print)
    }
}

/// Looks at the objects of the queue, and those that they lead to.
fn look_at_queue(machine: &Machine, canon: &mut Canon, chart: &mut Chart) -> Bits {
    let mut print = Print::new();
    let mut sum = Bits::default();
    while let Some(&object) = canon.numbers.queue.get(chart.prints.len()) {
        let number = canon.numbers.before + chart.prints.len() as u32 + 1;
        Walker { machine, canon, sink: &mut print }.object(object, number);
        let bits = print.take();
        sum = sum.plus(bits);
        chart.prints.push(bits);
    }
    sum
}

/// Which charts hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holding {
    Nothing,
    Inner,
    Both,
}

/// What an overwritten word means for charts.
enum Effect {
    Nothing,
    /// A permanent object is not what it was.
    Statics,
    /// The object of that number is not what it was.
    Contents(u32),
    /// The charts do not hold any more.
    Structure,
    /// The outer chart does not hold any more.
    OuterStructure,
}

fn effect(machine: &Machine, canon: &mut Canon, overwritten: &Overwritten) -> Effect {
    let &Overwritten { object, unit, old } = overwritten;
    let heap = &machine.heap;
    if object.is_null() {
        return Effect::Structure;
    }
    let offset = (unit - object.0) * 8;
    if object.0 < heap.split() {
        return if offset == GUARD { Effect::Structure } else { Effect::Statics };
    }
    let Some(number) = canon.numbers.number(machine, object) else { return Effect::Nothing };
    let new = heap.word(unit);
    if new == old {
        return Effect::Nothing;
    }
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
    match (structure, number > canon.numbers.before) {
        (false, _) => Effect::Contents(number),
        (true, true) => Effect::OuterStructure,
        (true, false) => Effect::Structure,
    }
}
