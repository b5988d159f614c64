//! Generators of random numbers while a program is explored.
//!
//! A generator is *unseeded* if the program does not decide its seed: it was made without one or with the time, or it is the
//! thread's own or a secure one. A mark beside the object's hash code says so, and the object keeps it as a part of the state.
//! If the program's own code asks an unseeded generator for one of few values, that is a data choice, and the generator does
//! not advance. Every other draw of such a generator has one value, which is noted for the verdict. Generators with a seed of
//! the program, and those whose numbers come from code of the program, are ordinary Java.

use crate::machine::class::{ClassId, Loader};
use crate::machine::native::{Native, Table, leaf, wrapping};
use crate::machine::visible::{Draws, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::{HASH, Ref, UNSEEDED};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/util/Random",
        methods: &[
            ("<init>()V", wrapping(new_without_seed)),
            ("<init>(J)V", wrapping(new_with_seed)),
            ("setSeed(J)V", wrapping(set_seed)),
            ("next(I)I", wrapping(next)),
            ("nextInt(I)I", wrapping(int_below)),
            ("nextLong()J", wrapping(long)),
            ("nextBoolean()Z", wrapping(coin)),
        ],
    },
    Table {
        class: "java/util/random/RandomGenerator",
        methods: &[
            ("nextInt(I)I", wrapping(int_below)),
            ("nextInt(II)I", wrapping(int_between)),
            ("nextLong(J)J", wrapping(long_below)),
            ("nextLong(JJ)J", wrapping(long_between)),
            ("nextBoolean()Z", wrapping(coin)),
        ],
    },
    Table {
        class: "java/util/concurrent/ThreadLocalRandom",
        methods: &[
            ("localInit()V", leaf(begin_in_thread)),
            ("nextSeed()J", wrapping(draw)),
            ("nextInt(I)I", wrapping(int_below)),
            ("nextInt(II)I", wrapping(int_between)),
            ("nextLong(J)J", wrapping(long_below)),
            ("nextLong(JJ)J", wrapping(long_between)),
            ("nextBoolean()Z", wrapping(coin)),
        ],
    },
    Table {
        class: "java/util/SplittableRandom",
        methods: &[
            ("<init>()V", wrapping(new_splittable)),
            ("<init>(J)V", wrapping(new_with_seed)),
            ("nextSeed()J", wrapping(draw)),
        ],
    },
    Table {
        class: "java/security/SecureRandom",
        methods: &[
            ("nextBytes([B)V", wrapping(draw)),
            ("nextBytes([BLjava/security/SecureRandomParameters;)V", wrapping(draw)),
            ("generateSeed(I)[B", wrapping(draw)),
        ],
    },
    algorithm("jdk/random/L32X64MixRandom"),
    algorithm("jdk/random/L64X128MixRandom"),
    algorithm("jdk/random/L64X128StarStarRandom"),
    algorithm("jdk/random/L64X256MixRandom"),
    algorithm("jdk/random/L64X1024MixRandom"),
    algorithm("jdk/random/L128X128MixRandom"),
    algorithm("jdk/random/L128X256MixRandom"),
    algorithm("jdk/random/L128X1024MixRandom"),
    algorithm("jdk/random/Xoroshiro128PlusPlus"),
    algorithm("jdk/random/Xoshiro256PlusPlus"),
];

/// An algorithm of `RandomGenerator.of`.
const fn algorithm(class: &'static str) -> Table {
    const METHODS: &[(&str, Native)] = &[
        ("<init>()V", wrapping(new_of_algorithm)),
        ("<init>(J)V", wrapping(new_with_seed)),
        ("nextInt()I", wrapping(draw)),
        ("nextLong()J", wrapping(draw)),
    ];
    Table { class, methods: METHODS }
}

/// What `Random` does to a seed, and how it advances.
const MULTIPLIER: i64 = 0x5_DEEC_E66D;
const ADDEND: i64 = 0xB;
const MASK: i64 = (1 << 48) - 1;
/// The seed that a `Random` without one is made with, and what is kept of it. It gets another one when it first draws a value that
/// is no choice, so that generators which only choose are all alike.
const NO_SEED: i64 = 0;
const NOT_SEEDED_YET: i64 = (NO_SEED ^ MULTIPLIER) & MASK;

impl Machine {
    fn is_marked_unseeded(&self, generator: Ref) -> bool {
        self.heap.get_u32(generator, HASH) & UNSEEDED != 0
    }

    fn mark_unseeded(&mut self, generator: Ref, unseeded: bool) {
        let word = self.heap.get_u32(generator, HASH);
        let marked = if unseeded { word | UNSEEDED } else { word & !UNSEEDED };
        if marked != word {
            self.heap.put_u32(generator, HASH, marked);
        }
    }

    /// Whether the numbers of a generator come from code of the JDK and from no seed of the program.
    fn is_unseeded(&mut self, generator: Ref) -> bool {
        let class = ClassId(self.heap.class(generator));
        if self.class(class).loader == Loader::BOOT && self.draws_for_everybody(class) {
            return true;
        }
        let secure = self.lineage_has(class, "java/security/SecureRandom");
        let source = if secure { ("nextBytes", "([B)V") } else { ("next", "(I)I") };
        (secure || self.is_marked_unseeded(generator)) && self.is_of_jdk(class, source)
    }

    /// Whether no seed of the program can decide what generators of a class of the JDK draw.
    fn draws_for_everybody(&self, class: ClassId) -> bool {
        ["java/security/SecureRandom", "java/util/concurrent/ThreadLocalRandom"]
            .iter()
            .any(|name| self.lineage_has(class, name))
    }

    fn lineage_has(&self, class: ClassId, name: &str) -> bool {
        self.class(class).lineage.iter().any(|&of| self.class_name(of) == name)
    }

    /// Whether a class has a method from the JDK, or none of that name.
    fn is_of_jdk(&mut self, class: ClassId, (name, descriptor): (&str, &str)) -> bool {
        let (name, descriptor) = (self.classes.symbols.intern(name), self.classes.symbols.intern(descriptor));
        let method = self.select(class, name, descriptor);
        let class = method.map_or(class, |method| self.method(method).class);
        self.class(class).loader == Loader::BOOT
    }

    /// Whether code of the program itself has called the method whose frame is on top.
    fn is_called_by_program(&self) -> bool {
        let mut callers = self.threads.list[self.turn.thread].frames.iter().rev().skip(1);
        let caller = callers.find(|frame| !self.method(frame.method).marks.hidden);
        caller.is_some_and(|frame| self.is_own(frame.method))
    }

    /// A number below `count` that an unseeded generator is asked for, if that is a data choice.
    fn choose_draw(&mut self, generator: Ref, count: u128) -> Run<Option<u32>> {
        let Draws::Choose(most) = self.scheduling.settings.random else { return Ok(None) };
        let few = u32::try_from(count).ok().filter(|count| (1..=most).contains(count));
        match few {
            Some(count)
                if self.scheduling.controlled
                    && !self.scheduling.is_in_scope()
                    && self.is_called_by_program()
                    && self.is_unseeded(generator) =>
            {
                self.choose(count).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A seed for a generator of the current thread that has none.
    fn seed_of_its_own(&mut self) -> i64 {
        let current = self.turn.thread;
        let print = self.threads.list[current].print;
        let standing = self.state_mut(current);
        standing.generators += 1;
        let bytes = [print, u64::from(standing.generators)].map(u64::to_le_bytes);
        xxhash_rust::xxh3::xxh3_64(bytes.as_flattened()) as i64
    }

    /// Whether a seed is a time that the program was told, or near one.
    fn is_told_time(&self, seed: i64) -> bool {
        self.clock.was_read && self.ahead(seed as u64).is_some()
    }
}

fn new_without_seed(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let generator = arguments.object(0);
    machine.mark_unseeded(generator, true);
    make(machine, "java/util/Random", "(J)V", &[generator.bits(), NO_SEED.bits(), 0])
}

fn new_splittable(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let generator = arguments.object(0);
    machine.mark_unseeded(generator, true);
    let (seed, odd) = (machine.seed_of_its_own(), machine.seed_of_its_own() | 1);
    make(machine, "java/util/SplittableRandom", "(JJ)V", &[generator.bits(), seed.bits(), 0, odd.bits(), 0])
}

/// Calls a constructor of the JDK in place of the one whose frame is on top.
fn make(machine: &mut Machine, class: &str, descriptor: &str, arguments: &[u64]) -> Run<u64> {
    let class = machine.load(Loader::BOOT, class)?;
    let constructor = machine.method_named(class, "<init>", descriptor);
    let constructor =
        constructor.ok_or_else(|| Abrupt::unsupported("this JDK's generators of random numbers"))?;
    let wrapped = machine.method(constructor).native.get().is_some();
    let constructor = if wrapped { machine.original(constructor) } else { constructor };
    machine.call(constructor, arguments, crate::machine::Resume::Next)?;
    Err(Abrupt::Called)
}

fn new_of_algorithm(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.mark_unseeded(arguments.object(0), true);
    Err(machine.call_original(arguments))
}

fn new_with_seed(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    if machine.is_told_time(arguments.long(1)) {
        machine.mark_unseeded(arguments.object(0), true);
    }
    Err(machine.call_original(arguments))
}

fn set_seed(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let callers = machine.threads.list[machine.turn.thread].frames.iter().rev().skip(1);
    let mut names = callers.map(|frame| machine.classes.symbols.text(machine.method(frame.method).name));
    // The constructor sets the seed of subclasses by this method.
    let constructs = names.next() == Some("<init>") && !machine.is_called_by_program();
    if !constructs {
        let (generator, unseeded) = (arguments.object(0), machine.is_told_time(arguments.long(1)));
        if machine.is_marked_unseeded(generator) != unseeded {
            machine.note_anything();
            machine.mark_unseeded(generator, unseeded);
        }
    }
    Err(machine.call_original(arguments))
}

/// The step of `Random` from one seed to the next: one atomic update, as the JDK's loop is.
fn next(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let generator = arguments.object(0);
    if !machine.is_marked_unseeded(generator) {
        return Err(machine.call_original(arguments));
    }
    let seed = machine.ref_in(generator, "seed");
    let offset = machine.offset_of(ClassId(machine.heap.class(seed)), "value");
    let offset = offset.ok_or_else(|| Abrupt::unsupported("this JDK's java.util.Random"))?;
    if machine.may_be_visible(seed) {
        machine.touch(seed, offset, OperationKind::Update)?;
    }
    machine.note_draw();
    let known = match machine.heap.get_i64(seed, offset) {
        NOT_SEEDED_YET => machine.seed_of_its_own() & MASK,
        known => known,
    };
    let advanced = known.wrapping_mul(MULTIPLIER).wrapping_add(ADDEND) & MASK;
    machine.heap.put_i64(seed, offset, advanced);
    let bits = arguments.int(1) as u32;
    Ok(((advanced >> (48u32.wrapping_sub(bits) & 63)) as i32).bits())
}

/// A generator advances.
fn draw(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    if machine.is_unseeded(arguments.object(0)) {
        machine.note_draw();
    }
    Err(machine.call_original(arguments))
}

/// A number of 64 bits. Names of temporary files are made of such numbers: each thread has names of its own.
fn long(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let thread = &machine.threads.list[machine.turn.thread];
    let caller = thread.frames.iter().rev().nth(1).map(|frame| machine.method(frame.method).class);
    let names = ["java/nio/file/TempFileHelper", "java/io/File$TempDirectory"];
    if caller.is_some_and(|class| names.contains(&machine.class_name(class))) {
        let print = thread.print;
        return Ok(machine.files.layer.to_change().temporary_number(print));
    }
    Err(machine.call_original(arguments))
}

fn int_below(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    between(machine, arguments, 0, arguments.int(1).into())
}

fn int_between(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    between(machine, arguments, arguments.int(1).into(), arguments.int(2).into())
}

fn long_below(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    between(machine, arguments, 0, arguments.long(1))
}

fn long_between(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    between(machine, arguments, arguments.long(1), arguments.long(3))
}

fn coin(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    between(machine, arguments, 0, 2)
}

/// A number from `low` up to, but not, `high`. If there is none, the JDK's own code says so.
fn between(machine: &mut Machine, arguments: Arguments, low: i64, high: i64) -> Run<u64> {
    let count = u128::try_from(i128::from(high) - i128::from(low)).unwrap_or(0);
    let chosen = machine.choose_draw(arguments.object(0), count)?;
    let Some(chosen) = chosen else { return Err(machine.call_original(arguments)) };
    let number = low + i64::from(chosen);
    let method = machine.method(machine.threads.list[machine.turn.thread].top().method);
    Ok(match method.returns {
        crate::classfile::Kind::Long => number.bits(),
        _ => (number as i32).bits(),
    })
}

/// The thread's own generator begins from the thread's identity. In the JDK it begins from how many threads have done so before,
/// which would tell states apart.
fn begin_in_thread(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let crate::machine::Thread { object, print, .. } = machine.threads.list[machine.turn.thread];
    let seed = xxhash_rust::xxh3::xxh3_64(&print.to_le_bytes());
    machine.set_long(object, "threadLocalRandomSeed", seed as i64);
    machine.set_int(object, "threadLocalRandomProbe", (seed >> 32) as i32 | 1);
    Ok(0)
}

/// What a thread that stands before a data choice does by taking a value, if it draws a random number.
pub fn words_of_draw(machine: &Machine, thread: usize, value: u32) -> Option<String> {
    let thread = &machine.threads.list[thread];
    let frame = thread.frames.last()?;
    let method = machine.method(frame.method);
    let class = machine.class_name(method.class);
    if !TABLES.iter().any(|table| table.class == class) {
        return None;
    }
    let slot = |slot: usize| thread.stack.get(frame.base as usize + slot);
    let int = |slot_of: usize| i64::from(slot(slot_of) as u32 as i32);
    let long = |slot_of: usize| slot(slot_of) as i64;
    let name = machine.classes.symbols.text(method.name);
    let bounds = match machine.classes.symbols.text(method.descriptor) {
        "(I)I" => vec![int(1)],
        "(II)I" => vec![int(1), int(2)],
        "(J)J" => vec![long(1)],
        "(JJ)J" => vec![long(1), long(3)],
        _ => Vec::new(),
    };
    let low = if bounds.len() == 2 { bounds[0] } else { 0 };
    let drawn = match name {
        "nextBoolean" => (value == 1).to_string(),
        _ => (low + i64::from(value)).to_string(),
    };
    let bounds: Vec<String> = bounds.iter().map(i64::to_string).collect();
    Some(format!("draws {drawn} of {name}({})", bounds.join(", ")))
}
