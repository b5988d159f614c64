//! Signals as programs with threads use them: blocked in all threads, sent to a thread, and waited for by it.
//!
//! The runtime keeps masks, actions and pending signals itself, so each execution has its own; the system never sees them. A
//! thread that sends itself a signal calls its handler. A signal that would interrupt another thread, because it is not blocked
//! there, is refused. No other process sends signals.
//!
//! A signal that is sent to the process while all threads have blocked it stays pending until a thread waits for it. Most programs
//! wait in one place at a time. If a program waits in two places at once, the driver is told, and the search begins again.

use crate::protocol::{How, Op, TO_PROCESS};
use crate::rt::base::cell::Restored;
use crate::rt::base::errno;
use crate::rt::base::syscalls;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::objects::{Object, Semaphore, look};
use crate::rt::sched::private_memory;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::runtime;
use crate::rt::sched::tls::SIGNAL_BYTES;
use crate::rt::time::alarm;
use crate::rt::time::clocks;
use core::cell::Cell;

export! {
    raise => raise_signal;
    pthread_kill => send;
    kill => send_to_process;
    sigwait => wait;
    pthread_sigmask => mask;
    sigprocmask => mask_or_errno;
    sigpending => pending;
    sigaction => set_action;
    signal => set_handler;
}

const _: () = assert!(size_of::<Signals>() == SIGNAL_BYTES);

/// What a thread has. It lies in its slot, so that it has an address by which it can be waited for.
#[repr(C)]
pub struct Signals {
    /// Counts what is pending.
    ready: Semaphore,
    pending: Cell<u64>,
    blocked: Cell<u64>,
}

// SAFETY: numbers, in cells.
unsafe impl Object for Signals {}

const READY: u64 = core::mem::offset_of!(Signals, ready) as u64;

impl Signals {
    const fn none() -> Signals {
        let ready = Semaphore { value: Cell::new(0), destroyed: Cell::new(0) };
        Signals { ready, pending: Cell::new(0), blocked: Cell::new(0) }
    }
}

/// What is pending for a thread that waits for it.
static PROCESS: Restored<Signals> = Restored::new(Signals::none());

const SIGABRT: u32 = 6;
pub const SIGALRM: u32 = 14;
const SIGKILL: u32 = 9;
const SIGSTOP: u32 = 19;
const MOST: u32 = 64;

fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

fn of(base: usize) -> &'static Signals {
    look(runtime().tls.get().signals(base))
}

fn own() -> &'static Signals {
    of(runtime().thread().base.get())
}

/// A thread begins with the mask of its creator, and nothing pending.
pub fn begin(base: usize, creator: Option<usize>) {
    let blocked = creator.map_or(0, |creator| of(creator).blocked.get());
    let signals = of(base);
    signals.ready.make(0);
    signals.pending.set(0);
    signals.blocked.set(blocked);
}

extern "C" fn raise_signal(signal: u32) -> i32 {
    let frame = Frame::here();
    if signal == SIGABRT {
        defect::abort();
    }
    if !runtime().running.get() {
        defect::refuse(b"raise");
    }
    deliver(frame, runtime().thread().base.get(), signal, b"raise")
}

extern "C" fn send(handle: u64, signal: u32) -> i32 {
    let frame = Frame::here();
    let Some(index) = runtime().by_base(handle) else {
        defect::misuse(handle, &[b"sends a signal to what is not a thread"]);
    };
    if signal > MOST {
        return errno::EINVAL;
    }
    let thread = &runtime().table[index as usize];
    match signal {
        0 if thread.finished.get() => errno::ESRCH,
        0 => 0,
        _ => deliver(frame, handle as usize, signal, b"pthread_kill"),
    }
}

extern "C" fn send_to_process(process: i32, signal: u32) -> i32 {
    const NAME: &[u8] = b"kill";
    let frame = Frame::here();
    if process != clocks::process() || !runtime().running.get() {
        defect::refuse(NAME);
    }
    if signal > MOST {
        errno::set(errno::EINVAL);
        return -1;
    }
    let own = runtime().current.get();
    let mut others = runtime().all().iter().enumerate().filter(|(nth, _)| *nth as u32 != own);
    let is_open = |base: usize| of(base).blocked.get() & bit(signal) == 0;
    if signal == 0 || ACTIONS[signal as usize].get().ignores() {
        return 0;
    }
    if others.any(|(_, thread)| !thread.finished.get() && is_open(thread.base.get())) {
        defect::refuse(NAME);
    }
    let base = runtime().thread().base.get();
    if is_open(base) {
        return deliver(frame, base, signal, NAME);
    }
    if !runtime().private.contains(TO_PROCESS) {
        private_memory::met(runtime(), TO_PROCESS);
        defect::refuse(NAME);
    }
    post(frame, process_address(), signal);
    0
}

fn deliver(frame: &Frame, base: usize, signal: u32, name: &'static [u8]) -> i32 {
    if of(base).blocked.get() & bit(signal) == 0 {
        let action = ACTIONS[signal as usize % ACTIONS_LENGTH].get();
        if action.ignores() {
            return 0;
        }
        if base == runtime().thread().base.get() && action.is_simple() {
            handle(action.handler, signal);
            return 0;
        }
        defect::refuse(name);
    }
    if base != runtime().thread().base.get() && runtime().private.contains(TO_PROCESS) {
        defect::refuse(b"signals to the process, and to threads");
    }
    post(frame, runtime().tls.get().signals(base), signal);
    0
}

/// Where the signals of the process are.
fn process_address() -> u64 {
    &raw const *PROCESS as u64
}

/// A signal that is blocked waits there.
fn post(frame: &Frame, at: u64, signal: u32) {
    Operation::new(Op::SemPost, How::Write, at + READY, 0).take(frame);
    let signals: &Signals = look(at);
    if signals.pending.get() & bit(signal) == 0 {
        signals.pending.update(|pending| pending | bit(signal));
        signals.ready.value.update(|value| value + 1);
        crate::rt::sched::spin_loops::changed();
    }
}

/// Calls a handler of the running thread, in which the signal is blocked.
fn handle(handler: usize, signal: u32) {
    own().blocked.update(|blocked| blocked | bit(signal));
    // SAFETY: the program passed it as one.
    let handler: extern "C" fn(u32) = unsafe { core::mem::transmute(handler) };
    handler(signal);
    own().blocked.update(|blocked| blocked & !bit(signal));
    if own().pending.get() & bit(signal) != 0 {
        defect::refuse(b"a signal that comes again while it is handled");
    }
}

extern "C" fn wait(set: *const u64, out: *mut u32) -> i32 {
    let frame = Frame::here();
    if !runtime().running.get() {
        defect::refuse(b"sigwait");
    }
    // SAFETY: the program passes a set.
    if alarm::is_set() && own().pending.get() == 0 && unsafe { *set } & bit(SIGALRM) != 0 {
        let at = &raw const *own() as u64;
        Operation::new(Op::SemTimed, How::Write, at + READY, 0).take(frame);
        // Another thread may have sent a signal, or taken the alarm.
        if own().pending.get() == 0 && alarm::take() {
            // SAFETY: the program passes where the signal goes.
            unsafe { *out = SIGALRM };
            return 0;
        }
    }
    let to_process = own().pending.get() == 0 && runtime().private.contains(TO_PROCESS);
    let at = if to_process { process_address() } else { &raw const *own() as u64 };
    Operation::new(Op::SemWait, How::Acquire, at + READY, 0).take(frame);
    let signals: &Signals = look(at);
    // SAFETY: the program passes a set and where the signal goes.
    let wanted = signals.pending.get() & unsafe { *set };
    if wanted == 0 {
        defect::refuse(b"sigwait for others than the signals that are pending");
    }
    let signal = wanted.trailing_zeros() + 1;
    signals.pending.update(|pending| pending & !bit(signal));
    signals.ready.value.update(|value| value - 1);
    // SAFETY: as above.
    unsafe { *out = signal };
    0
}

/// Whether the running thread takes a signal at once.
pub fn is_open_here(signal: u32) -> bool {
    runtime().running.get()
        && own().blocked.get() & bit(signal) == 0
        && !ACTIONS[signal as usize].get().ignores()
}

/// Whether another thread does.
pub fn is_open_elsewhere(signal: u32) -> bool {
    let own = runtime().current.get();
    let mut others = runtime().all().iter().enumerate().filter(|(nth, _)| *nth as u32 != own);
    others.any(|(_, thread)| !thread.finished.get() && of(thread.base.get()).blocked.get() & bit(signal) == 0)
}

/// Whether a signal has a handler.
pub fn has_handler(signal: u32) -> bool {
    ACTIONS[signal as usize].get().handler > Action::IGNORE
}

/// Whether any signal has a handler.
pub fn has_handlers() -> bool {
    ACTIONS.iter().any(|action| action.get().handler > Action::IGNORE)
}

/// Calls the handler of the running thread for a signal, if there is one.
pub fn handle_here(signal: u32) -> bool {
    let action = ACTIONS[signal as usize].get();
    if has_handler(signal) && !action.is_simple() {
        defect::refuse(b"a handler that wants more than the number of its signal");
    }
    if has_handler(signal) {
        handle(action.handler, signal);
    }
    has_handler(signal)
}

/// Waits for a signal that interrupts the running thread: none does.
pub fn wait_in_vain(frame: &Frame) {
    let at = &raw const *own() as u64;
    Operation::new(Op::SemWait, How::Acquire, at + READY, 0).take(frame);
}

const BLOCK: i32 = 0;
const UNBLOCK: i32 = 1;
const SET: i32 = 2;

extern "C" fn mask(how: i32, set: *const u64, old: *mut u64) -> i32 {
    Frame::here();
    if !runtime().running.get() {
        return 0;
    }
    change_mask(how, set, old)
}

extern "C" fn mask_or_errno(how: i32, set: *const u64, old: *mut u64) -> i32 {
    match mask(how, set, old) {
        0 => 0,
        error => {
            errno::set(error);
            -1
        }
    }
}

fn change_mask(how: i32, set: *const u64, old: *mut u64) -> i32 {
    let signals = own();
    let before = signals.blocked.get();
    if !set.is_null() {
        // SAFETY: the program passes a set.
        let set = unsafe { *set } & !(bit(SIGKILL) | bit(SIGSTOP));
        signals.blocked.set(match how {
            BLOCK => before | set,
            UNBLOCK => before & !set,
            SET => set,
            _ => return errno::EINVAL,
        });
        if (signals.pending.get() | PROCESS.pending.get()) & !signals.blocked.get() != 0 {
            defect::refuse(b"a signal that is pending and no longer blocked");
        }
    }
    if !old.is_null() {
        // SAFETY: the program passes where the old set goes.
        unsafe { *old = before };
    }
    0
}

extern "C" fn pending(out: *mut u64) -> i32 {
    Frame::here();
    // SAFETY: the program passes where the set goes.
    unsafe { *out = if runtime().running.get() { own().pending.get() | PROCESS.pending.get() } else { 0 } };
    0
}

/// `struct sigaction` of the C library.
#[repr(C)]
#[derive(Clone, Copy)]
struct Action {
    handler: usize,
    mask: [u64; 16],
    flags: i32,
    restorer: usize,
}

impl Action {
    const DEFAULT: Action = Action { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
    const IGNORE: usize = 1;
    /// Calls that it interrupts go on.
    const RESTART: i32 = 0x1000_0000;

    fn ignores(&self) -> bool {
        self.handler == Action::IGNORE
    }

    /// Whether there is a handler that wants nothing but the signal's number.
    fn is_simple(&self) -> bool {
        self.handler > Action::IGNORE && self.flags & !Action::RESTART == 0
    }
}

const ACTIONS_LENGTH: usize = MOST as usize + 1;

static ACTIONS: Restored<[Cell<Action>; ACTIONS_LENGTH]> =
    Restored::new([const { Cell::new(Action::DEFAULT) }; ACTIONS_LENGTH]);

/// A handler of the program for a signal that is never sent is harmless; those of the processor are ours.
extern "C" fn set_action(signal: u32, new: *const Action, old: *mut Action) -> i32 {
    Frame::here();
    if signal == 0 || signal > MOST || ([SIGKILL, SIGSTOP].contains(&signal) && !new.is_null()) {
        errno::set(errno::EINVAL);
        return -1;
    }
    if syscalls::is_raised_by_processor(signal) && !new.is_null() {
        defect::refuse(b"sigaction for a signal of the processor");
    }
    let action = &ACTIONS[signal as usize];
    if syscalls::is_raised_by_processor(signal) {
        // There is a handler, and it is not the program's: the program goes without one of its own.
        let handler = syscalls::is_raised_by_processor as *const () as usize;
        action.update(|action| Action { handler, ..action });
    }
    // SAFETY: the program passes actions, or nothing.
    unsafe {
        if !old.is_null() {
            *old = action.get();
        }
        if !new.is_null() {
            action.set(*new);
        }
    }
    0
}

extern "C" fn set_handler(signal: u32, handler: usize) -> usize {
    Frame::here();
    const FAILED: usize = usize::MAX;
    if signal == 0 || signal > MOST || [SIGKILL, SIGSTOP].contains(&signal) {
        errno::set(errno::EINVAL);
        return FAILED;
    }
    if syscalls::is_raised_by_processor(signal) {
        defect::refuse(b"signal for a signal of the processor");
    }
    let action = &ACTIONS[signal as usize];
    action.replace(Action { handler, ..action.get() }).handler
}
