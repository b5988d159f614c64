//! Threads that run for ever without a visible operation, like `while (true) {}`.
//!
//! When a step takes long, the driver asks whether the running thread repeats itself. The thread is then stepped through, one instruction
//! at a time, by the processor's trap flag. Brent's algorithm ("An improved Monte Carlo factorization algorithm", BIT 20, 1980) looks
//! for a state that comes again: one state is kept, and each later one is compared with it; after 1, 2, 4, ... instructions
//! the kept state is replaced.
//!
//! A state is all that decides what the thread does next: registers, the memory of the program, and what the runtime knows. If all
//! of that comes again, the thread goes round for ever, unless another thread interferes:
//!
//! - If no other thread can move, none interferes: the looping thread does nothing that could wake one.
//! - If another thread can move, the loop must not look at memory that others can write. Compilers announce every access to
//!   such memory by calling a hook. A loop in the program's own code that calls no function of the runtime has only registers
//!   and variables whose addresses no other thread has.
//!
//! Instructions whose results come from outside the state (system calls, clocks, random numbers) rule out a proof. So do
//! alarms, and handlers of signals that another thread could send.

use crate::rt::base::layout::{CALLS_AT, HANG_AT, STATE_AT, slot_at};
use crate::rt::base::symbols;
use crate::rt::sched::enabled;
use crate::rt::sched::heap::Heaps;
use crate::rt::sched::restore;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::header;
use crate::rt::time::alarm;
use crate::rt::time::signals;
use core::cell::Cell;

/// Instructions that are stepped through for one question: half a second to a second.
const MOST_STEPS: u32 = 1 << 16;
/// Comparisons of whole states for one question: each reads some megabytes.
const MOST_WHOLE: u32 = 96;
/// The most memory that is compared, in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// The part of the stack that is compared first: most loops that count change something there.
const NEAR: u64 = 2048;
/// What a function may use below its stack pointer.
const RED_ZONE: u64 = 128;

/// The flag that has the processor raise a signal behind each instruction, and the one that it sets by itself when it does.
const TRAP: u64 = 1 << 8;
const RESUME: u64 = 1 << 16;

/// Where in the kernel's record of the interrupted thread its registers are: first those for numbers, of which 18 count.
const REGISTERS: usize = 5;
const COUNTED: usize = 18;
const STACK: usize = REGISTERS + 15;
const PLACE: usize = REGISTERS + 16;
const FLAGS: usize = REGISTERS + 17;
/// The address of the record of all other registers.
const OTHERS: usize = REGISTERS + 23;

/// What comes of one more instruction.
pub enum StepOutcome {
    /// Nothing yet.
    Nothing,
    /// The thread repeats itself for ever, and stands at the first instruction of its loop.
    Hang,
}

/// The search for a state that comes again.
#[repr(C)]
pub struct Hang {
    /// Instructions that may still be stepped through; 0 if none is.
    left: Cell<u32>,
    /// The step and the thread that the question was about.
    depth: Cell<u32>,
    thread: Cell<u32>,
    /// Instructions since the state was kept, and after how many it is replaced.
    since: Cell<u32>,
    until: Cell<u32>,
    /// Whole states that have been compared.
    compared: Cell<u32>,
    /// The state that was kept: registers, the nearest part of the stack in a number, and all in numbers.
    registers: Cell<[u64; COUNTED]>,
    near: Cell<u64>,
    whole: Cell<Option<[u64; 2]>>,
    /// What has happened since then.
    met: Cell<Met>,
    /// The loop is proved to be one, and its first instruction is waited for.
    proved: Cell<bool>,
    /// Where the code is that the kernel lends to programs, which reads its clocks.
    vdso: Cell<u64>,
}

const _: () = assert!(size_of::<Hang>() <= 4096);

fn search() -> &'static Hang {
    // SAFETY: within the memory of the state, behind the state itself; all zeros is a valid value, and all of it lies in cells.
    unsafe { &*(HANG_AT as *const Hang) }
}

/// What instructions were met.
#[repr(C)]
#[derive(Clone, Copy)]
struct Met {
    /// One whose result comes from outside the state.
    oracle: bool,
    /// One outside the program's own code.
    library: bool,
    /// The first one of a function of the runtime.
    runtime: bool,
    /// Of those in the program's own code that had the least stack in use, the first: the stack pointer and the place.
    outermost: (u64, u64),
}

impl Met {
    const NOTHING: Met = Met { oracle: false, library: false, runtime: false, outermost: (0, u64::MAX) };
}

/// The state of the interrupted thread, as the kernel has written it down.
struct State<'a> {
    context: &'a mut [u64; OTHERS + 1],
}

impl State<'_> {
    fn registers(&self) -> [u64; COUNTED] {
        let mut registers = [0; COUNTED];
        registers.copy_from_slice(&self.context[REGISTERS..REGISTERS + COUNTED]);
        registers[COUNTED - 1] &= !(TRAP | RESUME);
        registers
    }

    fn stack(&self) -> u64 {
        self.context[STACK]
    }

    fn place(&self) -> u64 {
        self.context[PLACE]
    }

    fn step_on(&mut self, on: bool) {
        let flags = &mut self.context[FLAGS];
        *flags = if on { *flags | TRAP } else { *flags & !TRAP };
    }

    /// The nearest part of the running thread's stack, in a number.
    fn near(&self, runtime: &Runtime) -> u64 {
        let from = self.stack() - RED_ZONE;
        let mut sum = Sum::default();
        sum.add(from, (from + NEAR).min(runtime.table[runtime.current.get() as usize].stack_end()));
        sum.numbers[0]
    }

    /// The whole state, in numbers; `None` if there is too much of it.
    fn whole(&self, runtime: &Runtime) -> Option<[u64; 2]> {
        let mut sum = Sum::default();
        let (others, bytes) = self.other_registers();
        sum.add(others, others + bytes);
        sum.add(STATE_AT as u64, (STATE_AT + size_of::<Runtime>()) as u64);
        for (index, thread) in runtime.table[..runtime.threads.get() as usize].iter().enumerate() {
            if thread.finished.get() {
                continue;
            }
            let running = index as u32 == runtime.current.get();
            let low = if running { runtime.low.get() } else { thread.low.get() };
            let top = if running { self.stack() } else { thread.stack_pointer.get() as u64 };
            let calls = if running { runtime.calls.get() } else { thread.calls.get() };
            sum.add(restore::first_used(thread.slot.get(), low.min(top)), thread.stack_end());
            let (storage, _) = runtime.tls.get().range(thread.base.get());
            sum.add(
                storage,
                runtime.tls.get().keys(thread.base.get()) as u64 + u64::from(thread.keys.get()) * 8,
            );
            let signals = runtime.tls.get().signals(thread.base.get());
            sum.add(signals, signals + crate::rt::sched::tls::SIGNAL_BYTES as u64);
            sum.add(slot_at(thread.slot.get()) + CALLS_AT, calls as u64);
        }
        let (start, end) = runtime.all_arguments();
        sum.add(start, end);
        Heaps::each_part(&runtime.heap, runtime.slots.get(), |from, to| sum.add(from, to));
        runtime.memory.each_written(|from, to, _| sum.add(from, to));
        (!sum.too_much).then_some(sum.numbers)
    }

    /// Where the kernel has put the registers that are not for numbers, and how many bytes they are.
    fn other_registers(&self) -> (u64, u64) {
        const MAGIC: u32 = 0x4650_5853;
        const LEGACY: u64 = 512;
        let at = self.context[OTHERS];
        // SAFETY: the kernel writes a record of 512 bytes at least. A number in it tells whether there is more, and how much.
        let (magic, bytes) = unsafe { (*((at + 464) as *const u32), *((at + 480) as *const u32)) };
        (at, if magic == MAGIC { u64::from(bytes) } else { LEGACY })
    }
}

/// Memory in two numbers that look random.
struct Sum {
    numbers: [u64; 2],
    bytes: u64,
    too_much: bool,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { numbers: [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344], bytes: 0, too_much: false }
    }
}

impl Sum {
    /// Adds the memory between two addresses.
    fn add(&mut self, from: u64, to: u64) {
        let bytes = to.saturating_sub(from);
        self.bytes = self.bytes.saturating_add(bytes);
        self.too_much |= self.bytes > MOST_BYTES;
        if self.too_much {
            return;
        }
        let words = bytes / 8;
        for word in 0..words {
            // SAFETY: the callers pass memory of the program or the runtime, which is mapped.
            self.add_word(unsafe { ((from + word * 8) as *const u64).read_unaligned() });
        }
        for at in from + words * 8..to {
            // SAFETY: as above.
            self.add_word(u64::from(unsafe { *(at as *const u8) }));
        }
        self.add_word(bytes);
    }

    #[inline]
    fn add_word(&mut self, word: u64) {
        let [one, other] = &mut self.numbers;
        *one = (one.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        *other = (other.rotate_left(31) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
    }
}

/// What the handler of signals was passed as the interrupted thread.
///
/// # Safety
/// It must be the kernel's record, and nothing else refers to it.
unsafe fn state<'a>(context: *mut u64) -> State<'a> {
    // SAFETY: the record is longer than what is used of it.
    State { context: unsafe { &mut *context.cast() } }
}

/// Begins to step through the running thread, which `context` tells of.
///
/// # Safety
/// It must be the kernel's record of the interrupted thread.
pub unsafe fn begin(runtime: &Runtime, context: *mut u64) {
    // What the program has mapped by itself is not compared.
    if header().outlasts.get() != 0 || alarm::is_set() {
        return;
    }
    // SAFETY: as the caller says.
    let mut state = unsafe { state(context) };
    let (depth, thread) = (runtime.depth.get(), runtime.current.get());
    let hang = search();
    hang.left.set(MOST_STEPS);
    hang.depth.set(depth);
    hang.thread.set(thread);
    hang.since.set(0);
    hang.until.set(1);
    hang.compared.set(0);
    hang.proved.set(false);
    hang.vdso.set(vdso());
    keep(runtime, &state);
    state.step_on(true);
}

/// Whether a thread is stepped through.
pub fn is_on() -> bool {
    search().left.get() != 0
}

/// Steps through nothing any more: the thread goes on at full speed, or the handler does not return to it.
///
/// # Safety
/// As in [`begin`].
pub unsafe fn end(context: *mut u64) {
    search().left.set(0);
    // SAFETY: as the caller says.
    unsafe { state(context) }.step_on(false);
}

/// The thread has executed one more instruction.
///
/// # Safety
/// As in [`begin`].
pub unsafe fn step(runtime: &Runtime, context: *mut u64) -> StepOutcome {
    // SAFETY: as the caller says.
    let state = unsafe { state(context) };
    let hang = search();
    hang.left.update(|left| left - 1);
    let elsewhere = !runtime.running.get()
        || runtime.depth.get() != hang.depth.get()
        || runtime.current.get() != hang.thread.get();
    if elsewhere || hang.left.get() == 0 {
        // SAFETY: as the caller says.
        unsafe { end(context) };
        return StepOutcome::Nothing;
    }
    if hang.proved.get() {
        return if hang.met.get().outermost == (state.stack(), state.place()) {
            StepOutcome::Hang
        } else {
            StepOutcome::Nothing
        };
    }
    hang.since.update(|since| since + 1);
    if comes_again(runtime, &state) {
        if !may_interfere(runtime) {
            let hang = search();
            hang.proved.set(true);
            // The rest of the loop, up to its first instruction.
            hang.left.set(hang.since.get() + 1);
            return if hang.met.get().outermost == (state.stack(), state.place()) {
                StepOutcome::Hang
            } else {
                StepOutcome::Nothing
            };
        }
        // SAFETY: as the caller says.
        unsafe { end(context) };
        return StepOutcome::Nothing;
    }
    if search().since.get() == search().until.get() {
        search().until.update(|until| until * 2);
        search().since.set(0);
        keep(runtime, &state);
    } else {
        meet(runtime, &state);
    }
    StepOutcome::Nothing
}

/// Keeps a state to compare later ones with.
fn keep(runtime: &Runtime, state: &State<'_>) {
    let (registers, near, whole) = (state.registers(), state.near(runtime), state.whole(runtime));
    let hang = search();
    hang.registers.set(registers);
    hang.near.set(near);
    hang.whole.set(whole);
    hang.met.set(Met::NOTHING);
    meet(runtime, state);
}

/// Whether the thread is in the state that was kept. The cheap comparisons come first.
fn comes_again(runtime: &Runtime, state: &State<'_>) -> bool {
    let hang = search();
    let Some(whole) = hang.whole.get().filter(|_| !hang.met.get().oracle && hang.compared.get() < MOST_WHOLE)
    else {
        return false;
    };
    if state.registers() != hang.registers.get() || state.near(runtime) != hang.near.get() {
        return false;
    }
    search().compared.update(|compared| compared + 1);
    state.whole(runtime) == Some(whole)
}

/// Whether another thread could change what the thread does that repeats itself.
fn may_interfere(runtime: &Runtime) -> bool {
    let own = runtime.current.get();
    let others = (0..runtime.threads.get()).any(|other| other != own && enabled::of(runtime, other) != 0);
    let Met { library, runtime: calls, .. } = search().met.get();
    others && (library || calls || signals::has_handlers())
}

/// Takes note of the instruction that the thread is about to execute.
fn meet(runtime: &Runtime, state: &State<'_>) {
    let (stack, place) = (state.stack(), state.place());
    let own = runtime.is_own(place);
    let hang = search();
    let mut met = hang.met.get();
    met.library |= !own;
    met.runtime |= own && symbols::is_stub(place as usize);
    met.oracle |= is_oracle(place) || place.wrapping_sub(hang.vdso.get()) < VDSO_BYTES;
    if own && (stack > met.outermost.0 || stack == met.outermost.0 && place < met.outermost.1) {
        met.outermost = (stack, place);
    }
    hang.met.set(met);
}

/// Whether the result of an instruction comes from outside the state: a system call, a clock, a random number, or the number
/// of the processor.
fn is_oracle(place: u64) -> bool {
    // SAFETY: the thread is about to execute what lies there.
    let byte = |nth: u64| unsafe { *((place + nth) as *const u8) };
    let mut at = 0;
    while matches!(byte(at), 0x66 | 0x67 | 0xf0 | 0xf2 | 0xf3 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65)
        || byte(at) & 0xf0 == 0x40
    {
        at += 1;
    }
    match byte(at) {
        0xcc | 0xcd | 0xf1 => true,
        0x0f => match byte(at + 1) {
            // syscall, rdtsc, rdpmc, sysenter, cpuid
            0x05 | 0x31 | 0x33 | 0x34 | 0xa2 => true,
            // rdtscp and other instructions for the system
            0x01 => true,
            // rdrand, rdseed, rdpid
            0xc7 => byte(at + 2) >= 0xf0,
            // rdfsbase, wrfsbase and the like are harmless, but rare
            _ => false,
        },
        _ => false,
    }
}

/// Room for the code that the kernel lends to programs.
const VDSO_BYTES: u64 = 16 << 10;

/// Where that code is; if there is none, an address at which there is no code.
fn vdso() -> u64 {
    unsafe extern "C" {
        fn getauxval(kind: u64) -> u64;
    }
    const SYSINFO: u64 = 33;
    // SAFETY: reads what the kernel left on the stack at the start.
    unsafe { getauxval(SYSINFO) }
}
