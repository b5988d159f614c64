//! Small programs with threads: what they do, and the C that does it.

use std::fmt::Write;

/// Where the variables of a program lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Static,
    Heap,
    Stack,
}

/// The order of memory that an atomic operation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    SeqCst,
}

impl Order {
    fn c(self) -> &'static str {
        match self {
            Order::Relaxed => "memory_order_relaxed",
            Order::Acquire => "memory_order_acquire",
            Order::Release => "memory_order_release",
            Order::SeqCst => "memory_order_seq_cst",
        }
    }
}

/// Plain variables: two of four bytes that lie in one word, two of one byte that lie in one, and two records, which stand for a
/// number that is in them.
pub const PLAIN: usize = SMALL + 2;
/// Those that are no records.
pub const SMALL: usize = 4;
/// Atomic variables.
pub const ATOMIC: usize = 2;
/// Mutexes. The first one is that of the condition variable.
pub const MUTEXES: usize = 2;

/// What a thread does. What an operation finds goes to the thread's register `r`, and into what is left of it at the end.
#[derive(Clone, Debug)]
pub enum Op {
    Read(usize),
    Write(usize, u8),
    /// Writes the register.
    Keep(usize),
    Increment(usize),
    /// Both variables of four bytes at once.
    ReadPair,
    WritePair(u8),
    /// Of records.
    Look(usize),
    Fill(usize, u8),
    /// From one to another.
    Copy(usize, usize),
    Load(usize, Order),
    Store(usize, u8, Order),
    Add(usize, u8, Order),
    Swap(usize, u8, Order),
    /// With what is expected and what replaces it; the order if it is, and if it is not there.
    Compare(usize, u8, u8, Order, Order),
    Locked(usize, Vec<Op>),
    Tried(usize, Vec<Op>),
    ReadLocked(Vec<Op>),
    WriteLocked(Vec<Op>),
    TriedRead(Vec<Op>),
    TriedWrite(Vec<Op>),
    /// Nobody else moves.
    Section(Vec<Op>),
    /// Waits on the condition variable if a plain variable is 0; again as long as it is.
    WaitIf(usize),
    WaitWhile(usize),
    /// Waits, or gives up.
    TimedWait,
    Signal,
    Broadcast,
    Take,
    TryTake,
    Post,
    Barrier,
    /// Looks until the variable is something else.
    Await(usize, u8, Order),
    /// Takes a mutex and tries the other one; gives the first one back, and tries again, until it has both.
    Retried(usize, Vec<Op>),
    /// Raises an atomic variable, and lowers it again as long as the other one is raised.
    Raised(usize, Vec<Op>),
    /// Takes a mutex to look at a plain variable until that is not 0.
    Polled(usize, usize),
    /// Fails if the register is that.
    Assert(u8),
    When(u8, Vec<Op>),
}

/// What the thread that creates the others has until it has done so. That it was taken, nobody notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    Nothing,
    Mutex(usize),
    ForReading,
    ForWriting,
}

impl Held {
    /// How it is given back.
    pub fn given_back(self) -> Option<Instruction> {
        match self {
            Held::Nothing => None,
            Held::Mutex(m) => Some(Instruction::Unlock(m)),
            Held::ForReading | Held::ForWriting => Some(Instruction::SharedUnlock),
        }
    }

    /// In C, how it is taken and given back.
    fn c(self) -> [String; 2] {
        let calls =
            |take: &str, give: &str, lock: &str| [take, give].map(|call| format!("{call}(&p->{lock});"));
        match self {
            Held::Nothing => [String::new(), String::new()],
            Held::Mutex(m) => calls("pthread_mutex_lock", "pthread_mutex_unlock", &format!("m{m}")),
            Held::ForReading => calls("pthread_rwlock_rdlock", "pthread_rwlock_unlock", "rw"),
            Held::ForWriting => calls("pthread_rwlock_wrlock", "pthread_rwlock_unlock", "rw"),
        }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    pub storage: Storage,
    /// What the semaphore begins with.
    pub permits: u8,
    /// Whether the read-write lock lets no reader in while a writer waits.
    pub prefers_writers: bool,
    pub held: Held,
}

/// A place in the code of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    Read(usize),
    Write(usize, u8),
    Keep(usize),
    /// The two halves of an increment.
    ReadToAdd(usize),
    WriteSum(usize),
    ReadPair,
    WritePair(u8),
    /// The two halves of a copy, which others can come between if they race with it.
    ReadToCopy(usize),
    WriteCopied(usize),
    Load(usize, Order),
    Store(usize, u8, Order),
    Add(usize, u8, Order),
    Swap(usize, u8, Order),
    Compare(usize, u8, u8, Order, Order),
    Lock(usize),
    Unlock(usize),
    /// Goes to the place given if it fails.
    TryLock(usize, usize),
    ReadLock,
    /// Gets into line for writing, if others notice that.
    Queue,
    WriteLock,
    SharedUnlock,
    TryReadLock(usize),
    TryWriteLock(usize),
    Enter,
    Leave,
    /// Goes on behind the next instruction if the variable is not 0.
    ReadToWait(usize, usize),
    Wait {
        timed: bool,
    },
    Signal,
    Broadcast,
    Take,
    TryTake,
    Post,
    Barrier,
    Await(usize, u8, Order),
    /// Takes the mutex, or goes to the place given.
    Attempt(usize, usize),
    /// Goes to the place given unless the atomic variable is 0.
    Look(usize, usize),
    /// Reads a variable, and goes to a place later if it was 0.
    Peek(usize),
    BackIfNothing(usize),
    Assert(u8),
    SkipUnless(u8, usize),
    Jump(usize),
}

impl Instruction {
    /// Whether it is a part of a loop that may go on for ever, and do something in each round.
    pub fn goes_round(&self) -> bool {
        matches!(self, Instruction::Attempt(..) | Instruction::Look(..) | Instruction::Peek(_))
    }
}

/// The code of a thread.
pub fn instructions(ops: &[Op]) -> Vec<Instruction> {
    let mut code = Vec::new();
    add_instructions(ops, &mut code);
    code
}

fn add_instructions(ops: &[Op], code: &mut Vec<Instruction>) {
    use Instruction as I;
    // What may be left out: written when its end is known.
    let around = |code: &mut Vec<I>, begin: &dyn Fn(usize) -> I, body: &[Op], end: Option<I>| {
        let at = code.len();
        code.push(I::Jump(0));
        add_instructions(body, code);
        code.extend(end);
        code[at] = begin(code.len());
    };
    for op in ops {
        match *op {
            Op::Read(x) | Op::Look(x) => code.push(I::Read(x)),
            Op::Write(x, value) | Op::Fill(x, value) => code.push(I::Write(x, value)),
            Op::Copy(from, to) => code.extend([I::ReadToCopy(from), I::WriteCopied(to)]),
            Op::Keep(x) => code.push(I::Keep(x)),
            Op::Increment(x) => code.extend([I::ReadToAdd(x), I::WriteSum(x)]),
            Op::ReadPair => code.push(I::ReadPair),
            Op::WritePair(value) => code.push(I::WritePair(value)),
            Op::Load(a, order) => code.push(I::Load(a, order)),
            Op::Store(a, value, order) => code.push(I::Store(a, value, order)),
            Op::Add(a, value, order) => code.push(I::Add(a, value, order)),
            Op::Swap(a, value, order) => code.push(I::Swap(a, value, order)),
            Op::Compare(a, old, new, order, failed) => code.push(I::Compare(a, old, new, order, failed)),
            Op::Locked(m, ref body) => around(code, &|_| I::Lock(m), body, Some(I::Unlock(m))),
            Op::Tried(m, ref body) => around(code, &|end| I::TryLock(m, end), body, Some(I::Unlock(m))),
            Op::ReadLocked(ref body) => around(code, &|_| I::ReadLock, body, Some(I::SharedUnlock)),
            Op::WriteLocked(ref body) => {
                code.push(I::Queue);
                around(code, &|_| I::WriteLock, body, Some(I::SharedUnlock));
            }
            Op::Section(ref body) => around(code, &|_| I::Enter, body, Some(I::Leave)),
            Op::TriedRead(ref body) => around(code, &I::TryReadLock, body, Some(I::SharedUnlock)),
            Op::TriedWrite(ref body) => around(code, &I::TryWriteLock, body, Some(I::SharedUnlock)),
            Op::WaitIf(x) => {
                let end = code.len() + 3;
                let wait = I::Wait { timed: false };
                code.extend([I::Lock(0), I::ReadToWait(x, end), wait, I::Unlock(0)]);
            }
            Op::WaitWhile(x) => {
                let look = code.len() + 1;
                let wait = I::Wait { timed: false };
                code.extend([I::Lock(0), I::ReadToWait(x, look + 3), wait, I::Jump(look), I::Unlock(0)]);
            }
            Op::TimedWait => code.extend([I::Lock(0), I::Wait { timed: true }, I::Unlock(0)]),
            Op::Signal => code.push(I::Signal),
            Op::Broadcast => code.push(I::Broadcast),
            Op::Take => code.push(I::Take),
            Op::TryTake => code.push(I::TryTake),
            Op::Post => code.push(I::Post),
            Op::Barrier => code.push(I::Barrier),
            Op::Await(a, value, order) => code.push(I::Await(a, value, order)),
            Op::Retried(m, ref body) => {
                let first = code.len();
                let give_back = [I::Unlock(m), I::Jump(first)];
                code.extend(
                    [I::Lock(m), I::Attempt(1 - m, first + 3), I::Jump(first + 5)]
                        .into_iter()
                        .chain(give_back),
                );
                add_instructions(body, code);
                code.extend([I::Unlock(1 - m), I::Unlock(m)]);
            }
            Op::Raised(a, ref body) => {
                let first = code.len();
                let [raise, lower] = [1, 0].map(|value| I::Store(a, value, Order::SeqCst));
                code.extend([raise, I::Look(1 - a, first + 3), I::Jump(first + 5), lower, I::Jump(first)]);
                add_instructions(body, code);
                code.push(lower);
            }
            Op::Polled(m, x) => {
                let first = code.len();
                code.extend([I::Lock(m), I::Peek(x), I::Unlock(m), I::BackIfNothing(first)]);
            }
            Op::Assert(value) => code.push(I::Assert(value)),
            Op::When(value, ref body) => around(code, &|end| I::SkipUnless(value, end), body, None),
        }
    }
}

/// What is left of an execution: the variables, and of each thread what it has seen, as a number that fits an exit status.
pub fn status(variables: &[u32], seen: &[u32]) -> u32 {
    let mix = |sum: u32, value: &u32| {
        let sum = (sum ^ value).wrapping_mul(0x9e37_79b1);
        sum ^ sum >> 15
    };
    1 + variables.iter().chain(seen).fold(7, mix) % 250
}

/// What a thread has seen, with one thing more.
pub fn saw(seen: u32, value: u32) -> u32 {
    seen.wrapping_mul(7).wrapping_add(value + 1)
}

/// What all programs of a file need.
pub const PROLOGUE: &str = r"#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
struct record { long a[3]; };
struct shared {
    union { struct { int x0, x1; }; long pair; };
    char x2, x3;
    struct record x4, x5;
    atomic_int a0, a1;
    pthread_mutex_t m0, m1;
    pthread_cond_t c;
    pthread_rwlock_t rw;
    pthread_barrier_t b;
    sem_t s;
};
#define SEE(value) (r = (value), h = h * 7 + r + 1)
static unsigned mix(unsigned sum, unsigned value) {
    sum = (sum ^ value) * 0x9e3779b1u;
    return sum ^ sum >> 15;
}
static int compare(atomic_int *a, int old, int new, memory_order order, memory_order failed) {
    return atomic_compare_exchange_strong_explicit(a, &old, new, order, failed);
}
static void prepare(struct shared *s, unsigned permits, int kind) {
    pthread_rwlockattr_t attribute;
    pthread_rwlockattr_init(&attribute);
    pthread_rwlockattr_setkind_np(&attribute, kind);
    pthread_mutex_init(&s->m0, 0);
    pthread_mutex_init(&s->m1, 0);
    pthread_cond_init(&s->c, 0);
    pthread_rwlock_init(&s->rw, &attribute);
    pthread_barrier_init(&s->b, 0, 2);
    sem_init(&s->s, 0, permits);
}
static void start(struct shared *s, void *(*const *threads)(void *), pthread_t *handles, int count) {
    for (int i = 0; i < count; i++) pthread_create(&handles[i], 0, threads[i], s);
}
static int finish(struct shared *s, pthread_t *handles, int count) {
    unsigned long seen[4];
    for (int i = 0; i < count; i++) pthread_join(handles[i], (void **)&seen[i]);
    unsigned sum = 7;
    sum = mix(sum, s->x0), sum = mix(sum, s->x1), sum = mix(sum, s->x2), sum = mix(sum, s->x3);
    sum = mix(sum, s->x4.a[1]), sum = mix(sum, s->x5.a[1]);
    sum = mix(sum, s->a0), sum = mix(sum, s->a1);
    for (int i = 0; i < count; i++) sum = mix(sum, (unsigned)seen[i]);
    return 1 + sum % 250;
}
";

/// The C of one program: its threads, and a function that runs it. `prefix` tells its names from those of others.
pub fn c(program: &Program, prefix: &str) -> String {
    let mut text = String::new();
    for (number, ops) in program.threads.iter().enumerate() {
        let _ = writeln!(text, "static void *{prefix}_t{number}(void *argument) {{");
        let _ = writeln!(text, "    struct shared *s = argument;\n    unsigned r = 0, h = 0;");
        add_c(ops, 1, &mut text);
        let _ = writeln!(text, "    return (void *)(unsigned long)h;\n}}");
    }
    let threads: Vec<String> =
        (0..program.threads.len()).map(|number| format!("{prefix}_t{number}")).collect();
    let (count, threads) = (threads.len(), threads.join(", "));
    let variables = match program.storage {
        Storage::Static => "static struct shared s; struct shared *const p = &s;",
        Storage::Heap => "struct shared *const p = calloc(1, sizeof *p);",
        Storage::Stack => "struct shared s = {0}; struct shared *const p = &s;",
    };
    let permits = program.permits;
    let [take, give] = program.held.c();
    let kind = if program.prefers_writers { "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP" } else { "0" };
    let _ = writeln!(
        text,
        "static int {prefix}(void) {{\n    void *(*const threads[])(void *) = {{{threads}}};\n    {variables}\n    \
         pthread_t handles[4];\n    prepare(p, {permits}, {kind});\n    {take}\n    \
         start(p, threads, handles, {count});\n    {give}\n    return finish(p, handles, {count});\n}}"
    );
    text
}

/// Whether a line of the C touches a plain variable, for who has only the line: the variables by number.
pub fn variables_of(line: &str) -> Vec<usize> {
    match line.contains("s->pair") {
        true => vec![0, 1],
        false => (0..PLAIN).filter(|x| line.contains(&format!("s->x{x}"))).collect(),
    }
}

fn add_c(ops: &[Op], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    let block = |text: &mut String, begin: String, body: &[Op], end: &str| {
        let _ = writeln!(text, "{indent}{begin} {{");
        add_c(body, depth + 1, text);
        if !end.is_empty() {
            let _ = writeln!(text, "{indent}    {end}");
        }
        let _ = writeln!(text, "{indent}}}");
    };
    let shared = "pthread_rwlock_unlock(&s->rw);";
    for op in ops {
        let line = match op {
            Op::Read(x) => format!("SEE(s->x{x});"),
            Op::Write(x, value) => format!("s->x{x} = {value};"),
            Op::Keep(x) => format!("s->x{x} = r;"),
            Op::Increment(x) => format!("s->x{x}++;"),
            Op::ReadPair => "{ long both = s->pair; SEE((int)both * 5 + (int)(both >> 32)); }".into(),
            Op::WritePair(value) => format!("s->pair = {value}L << 32 | {value};"),
            Op::Look(x) => format!("SEE(s->x{x}.a[1]);"),
            Op::Fill(x, value) => format!("s->x{x} = (struct record){{{{{value}, {value}, {value}}}}};"),
            Op::Copy(from, to) => format!("s->x{to} = s->x{from};"),
            Op::Load(a, order) => format!("SEE(atomic_load_explicit(&s->a{a}, {}));", order.c()),
            Op::Store(a, value, order) => {
                format!("atomic_store_explicit(&s->a{a}, {value}, {});", order.c())
            }
            Op::Add(a, value, order) => {
                format!("SEE(atomic_fetch_add_explicit(&s->a{a}, {value}, {}));", order.c())
            }
            Op::Swap(a, value, order) => {
                format!("SEE(atomic_exchange_explicit(&s->a{a}, {value}, {}));", order.c())
            }
            Op::Compare(a, old, new, order, failed) => {
                format!("SEE(compare(&s->a{a}, {old}, {new}, {}, {}));", order.c(), failed.c())
            }
            Op::Locked(m, body) => {
                let unlock = format!("pthread_mutex_unlock(&s->m{m});");
                block(text, format!("pthread_mutex_lock(&s->m{m});"), body, &unlock);
                continue;
            }
            Op::Tried(m, body) => {
                let unlock = format!("pthread_mutex_unlock(&s->m{m});");
                let begin = format!("if (SEE(!pthread_mutex_trylock(&s->m{m})), r)");
                block(text, begin, body, &unlock);
                continue;
            }
            Op::ReadLocked(body) => {
                block(text, "pthread_rwlock_rdlock(&s->rw);".into(), body, shared);
                continue;
            }
            Op::WriteLocked(body) => {
                block(text, "pthread_rwlock_wrlock(&s->rw);".into(), body, shared);
                continue;
            }
            Op::TriedRead(body) => {
                block(text, "if (SEE(!pthread_rwlock_tryrdlock(&s->rw)), r)".into(), body, shared);
                continue;
            }
            Op::TriedWrite(body) => {
                block(text, "if (SEE(!pthread_rwlock_trywrlock(&s->rw)), r)".into(), body, shared);
                continue;
            }
            Op::Section(body) => {
                block(text, "__VERIFIER_atomic_begin();".into(), body, "__VERIFIER_atomic_end();");
                continue;
            }
            Op::WaitIf(x) | Op::WaitWhile(x) => {
                let word = if matches!(op, Op::WaitIf(_)) { "if" } else { "while" };
                let _ = writeln!(text, "{indent}pthread_mutex_lock(&s->m0);");
                let _ = writeln!(text, "{indent}{word} (s->x{x} == 0)");
                let _ = writeln!(text, "{indent}    pthread_cond_wait(&s->c, &s->m0);");
                "pthread_mutex_unlock(&s->m0);".into()
            }
            Op::TimedWait => {
                let _ = writeln!(text, "{indent}pthread_mutex_lock(&s->m0);");
                let wait = "SEE(pthread_cond_timedwait(&s->c, &s->m0, &(struct timespec){1, 1}) != 0);";
                let _ = writeln!(text, "{indent}{wait}");
                "pthread_mutex_unlock(&s->m0);".into()
            }
            Op::Signal => "pthread_cond_signal(&s->c);".into(),
            Op::Broadcast => "pthread_cond_broadcast(&s->c);".into(),
            Op::Take => "sem_wait(&s->s);".into(),
            Op::TryTake => "SEE(!sem_trywait(&s->s));".into(),
            Op::Post => "sem_post(&s->s);".into(),
            Op::Barrier => "pthread_barrier_wait(&s->b);".into(),
            Op::Await(a, value, order) => {
                format!("while (atomic_load_explicit(&s->a{a}, {}) == {value}) {{}}", order.c())
            }
            Op::Retried(m, body) => {
                let _ = writeln!(text, "{indent}for (;;) {{");
                let _ = writeln!(text, "{indent}    pthread_mutex_lock(&s->m{m});");
                let _ = writeln!(text, "{indent}    if (!pthread_mutex_trylock(&s->m{})) break;", 1 - m);
                let _ = writeln!(text, "{indent}    pthread_mutex_unlock(&s->m{m});\n{indent}}}");
                add_c(body, depth, text);
                let _ = writeln!(text, "{indent}pthread_mutex_unlock(&s->m{});", 1 - m);
                format!("pthread_mutex_unlock(&s->m{m});")
            }
            Op::Raised(a, body) => {
                let _ = writeln!(text, "{indent}for (;;) {{\n{indent}    s->a{a} = 1;");
                let _ = writeln!(text, "{indent}    if (!s->a{}) break;", 1 - a);
                let _ = writeln!(text, "{indent}    s->a{a} = 0;\n{indent}}}");
                add_c(body, depth, text);
                format!("s->a{a} = 0;")
            }
            Op::Polled(m, x) => {
                let _ = writeln!(text, "{indent}for (int seen = 0; !seen;) {{");
                let _ = writeln!(text, "{indent}    pthread_mutex_lock(&s->m{m});");
                let _ = writeln!(text, "{indent}    seen = s->x{x};");
                let _ = writeln!(text, "{indent}    pthread_mutex_unlock(&s->m{m});");
                "}".into()
            }
            Op::Assert(value) => format!("assert(r != {value});"),
            Op::When(value, body) => {
                block(text, format!("if (r == {value})"), body, "");
                continue;
            }
        };
        let _ = writeln!(text, "{indent}{line}");
    }
}

impl Program {
    /// Programs with one operation less.
    pub fn smaller(&self) -> Vec<Program> {
        let mut all = Vec::new();
        if self.threads.len() > 1 {
            for thread in 0..self.threads.len() {
                let mut program = self.clone();
                program.threads.remove(thread);
                all.push(program);
            }
        }
        for thread in 0..self.threads.len() {
            for ops in smaller(&self.threads[thread]) {
                let mut program = self.clone();
                program.threads[thread] = ops;
                all.push(program);
            }
        }
        if self.prefers_writers {
            all.push(Program { prefers_writers: false, ..self.clone() });
        }
        if self.held != Held::Nothing {
            all.push(Program { held: Held::Nothing, ..self.clone() });
        }
        if self.storage != Storage::Static {
            all.push(Program { storage: Storage::Static, ..self.clone() });
        }
        all
    }
}

fn smaller(ops: &[Op]) -> Vec<Vec<Op>> {
    let mut all = Vec::new();
    for at in 0..ops.len() {
        let replaced = |by: &[Op]| [&ops[..at], by, &ops[at + 1..]].concat();
        all.push(replaced(&[]));
        let (body, again): (&[Op], &dyn Fn(Vec<Op>) -> Op) = match &ops[at] {
            Op::Locked(m, body) => (body, &|body| Op::Locked(*m, body)),
            Op::Tried(m, body) => (body, &|body| Op::Tried(*m, body)),
            Op::ReadLocked(body) => (body, &Op::ReadLocked),
            Op::WriteLocked(body) => (body, &Op::WriteLocked),
            Op::TriedRead(body) => (body, &Op::TriedRead),
            Op::TriedWrite(body) => (body, &Op::TriedWrite),
            Op::Section(body) => (body, &Op::Section),
            Op::When(value, body) => (body, &|body| Op::When(*value, body)),
            Op::Retried(m, body) => (body, &|body| Op::Retried(*m, body)),
            Op::Raised(a, body) => (body, &|body| Op::Raised(*a, body)),
            _ => continue,
        };
        all.push(replaced(body));
        all.extend(smaller(body).into_iter().map(|body| replaced(&[again(body)])));
    }
    all
}
