//! How programs end.
//!
//! When `main` returns or a thread calls `exit`, handlers and destructors run at once, interleaved with the threads that are still
//! alive. Only the very last step waits until no other thread can move: the others have then done all that they could. If several
//! threads wait for that with different statuses, any of them may have been first: which one is a choice.

use crate::protocol::{Ending, How, Op, Pending};
use crate::rt::base::cell::Restored;
use crate::rt::base::layout::{ARGUMENTS_AT, ARGUMENTS_BYTES, GUARD_BYTES, slot_at};
use crate::rt::base::syscalls;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::enabled;
use crate::rt::sched::schedule::{self, Operation};
use crate::rt::sched::state::{header, runtime};
use core::cell::Cell;
use core::ffi::{CStr, c_char};

export! {
    exit => leave;
    _exit => leave_at_once;
    _Exit => leave_at_once;
    quick_exit => leave_quickly;
    abort => abort_program;
    __assert_fail => assert_fail;
    __assert => assert_fail_short;
    __cxa_atexit => at_exit;
    on_exit => at_exit_with_status;
    __cxa_at_quick_exit => at_quick_exit;
    __cxa_finalize => finalize;
    __stack_chk_fail => stack_smashed;
    __fortify_fail => stack_smashed;
    __chk_fail => stack_smashed;
}

unsafe extern "C" {
    #[cfg(sojourner_rt)]
    fn __real_main(count: i32, arguments: *mut *mut c_char, environment: *mut *mut c_char) -> i32;
    fn fflush(stream: usize) -> i32;
}

#[cfg(not(sojourner_rt))]
unsafe fn __real_main(_: i32, _: *mut *mut c_char, _: *mut *mut c_char) -> i32 {
    0
}

/// What is called when the program ends, the last one first.
#[derive(Clone, Copy)]
struct Handler {
    function: usize,
    argument: usize,
    /// It is told the status, before its argument.
    with_status: bool,
}

impl Handler {
    const NONE: Handler = Handler { function: 0, argument: 0, with_status: false };
}

const MOST_HANDLERS: usize = 1024;

struct Handlers {
    list: [Cell<Handler>; MOST_HANDLERS],
    count: Cell<usize>,
}

/// For `exit`, and for `quick_exit`.
static HANDLERS: Restored<Handlers> = Restored::new(Handlers::none());
static QUICK_HANDLERS: Restored<Handlers> = Restored::new(Handlers::none());

impl Handlers {
    const fn none() -> Handlers {
        Handlers { list: [const { Cell::new(Handler::NONE) }; MOST_HANDLERS], count: Cell::new(0) }
    }

    fn add(&self, handler: Handler) -> i32 {
        let Some(place) = self.list.get(self.count.get()) else { return -1 };
        place.set(handler);
        self.count.update(|count| count + 1);
        0
    }
}

extern "C" fn at_exit(function: usize, argument: usize, _module: usize) -> i32 {
    HANDLERS.add(Handler { function, argument, with_status: false })
}

extern "C" fn at_exit_with_status(function: usize, argument: usize) -> i32 {
    HANDLERS.add(Handler { function, argument, with_status: true })
}

extern "C" fn at_quick_exit(function: usize, _module: usize) -> i32 {
    QUICK_HANDLERS.add(Handler { function, ..Handler::NONE })
}

/// Calls handlers, the last one first. They may add others.
fn run(handlers: &Handlers, status: i32) {
    while let Some(last) = handlers.count.get().checked_sub(1) {
        handlers.count.set(last);
        let Handler { function, argument, with_status } = handlers.list[last].get();
        // SAFETY: the program, or a library, asked for this call.
        unsafe {
            if with_status {
                let function: extern "C" fn(i32, usize) = core::mem::transmute(function);
                function(status, argument);
            } else {
                let function: extern "C" fn(usize) = core::mem::transmute(function);
                function(argument);
            }
        }
    }
}

/// Calls the program's functions with the attribute `destructor`, the last one first.
#[cfg(sojourner_rt)]
fn run_destructors() {
    unsafe extern "C" {
        static __fini_array_start: [extern "C" fn(); 0];
        static __fini_array_end: [extern "C" fn(); 0];
    }
    // SAFETY: the linker puts their addresses between the two.
    unsafe {
        let first = (&raw const __fini_array_start).cast::<extern "C" fn()>();
        let mut at = (&raw const __fini_array_end).cast::<extern "C" fn()>();
        while at > first {
            at = at.sub(1);
            (*at)();
        }
    }
}

#[cfg(not(sojourner_rt))]
fn run_destructors() {}

/// Libraries are never unloaded.
extern "C" fn finalize(_module: usize) {}

/// The arguments of `main`, as the process got them.
#[derive(Clone, Copy)]
pub struct Arguments {
    pub count: i32,
    pub values: *mut *mut c_char,
    pub environment: *mut *mut c_char,
}

static ARGUMENTS: Restored<Cell<Arguments>> = Restored::new(Cell::new(Arguments {
    count: 0,
    values: core::ptr::null_mut(),
    environment: core::ptr::null_mut(),
}));

/// Keeps the arguments of `main`.
pub fn keep_arguments(arguments: Arguments) {
    let count = arguments.count as usize;
    // SAFETY: the process got that many strings.
    let text = |index| unsafe { CStr::from_ptr(*arguments.values.add(index)) }.to_bytes_with_nul().len();
    let texts: usize = (0..count).map(text).sum();
    runtime().arguments.set((count as u64 * 8, ((count + 1) * 8 + texts) as u64));
    ARGUMENTS.set(arguments);
}

/// Runs `main`, with arguments that it may change: they are copied into the first thread's slot.
pub fn run_main() -> ! {
    let given = ARGUMENTS.get();
    let count = given.count as usize;
    let pointers = (slot_at(0) + ARGUMENTS_AT) as *mut *mut c_char;
    let mut at = pointers as usize + (count + 1) * 8;
    let end = (slot_at(0) + ARGUMENTS_AT + ARGUMENTS_BYTES) as usize;
    for index in 0..count {
        // SAFETY: the process got that many strings.
        let text = unsafe { CStr::from_ptr(*given.values.add(index)) }.to_bytes_with_nul();
        if at + text.len() > end {
            defect::refuse(b"more than 1 MiB of arguments");
        }
        // SAFETY: within the room for arguments, which is checked.
        unsafe {
            core::ptr::copy_nonoverlapping(text.as_ptr(), at as *mut u8, text.len());
            *pointers.add(index) = at as *mut c_char;
        }
        at += text.len();
    }
    // SAFETY: as above; the program's own main.
    let status = unsafe {
        *pointers.add(count) = core::ptr::null_mut();
        crate::rt::sched::context::clean();
        crate::rt::threads::initialisers::run();
        __real_main(given.count, pointers, given.environment)
    };
    // What comes now is called below what main has had on its stack, so that the two are told apart.
    let runtime = runtime();
    let (lowest, low) = (slot_at(0) + GUARD_BYTES + LEAST_STACK, runtime.low.get() & !15);
    if low < lowest {
        end_program(status, None);
    }
    runtime.thread().returned.set(low);
    // SAFETY: this function is not returned to, and below lies nothing.
    unsafe { go_on_below(low, status) }
}

/// The least stack for handlers and destructors, in bytes.
const LEAST_STACK: u64 = 1 << 20;

/// Calls [`main_returned`] with a lower stack.
#[unsafe(naked)]
unsafe extern "C" fn go_on_below(stack: u64, status: i32) -> ! {
    core::arch::naked_asm!(
        "mov rsp, rdi",
        "mov edi, esi",
        "call {function}",
        "ud2",
        function = sym main_returned,
    )
}

/// `main` has returned: threads that touch what it had on its stack come too late. If another thread is known to do so, that `main` returns
/// is a step.
extern "C" fn main_returned(status: i32) -> ! {
    let runtime = runtime();
    let thread = runtime.thread();
    let (returned, end, place) = (thread.returned.get(), thread.stack_end(), thread.pending.get().place);
    if !crate::rt::sched::spin_loops::is_own(returned..end) {
        // Until then it is there.
        thread.returned.set(u64::MAX);
        let frame = Frame { align: 0, r15: 0, r14: 0, r13: 0, r12: 0, rbx: 0, rbp: 0, place };
        crate::rt::sched::torn_copies::settle_at_end(&frame);
        Operation::new(Op::Returns, How::Write, slot_at(0), 0).take(&frame);
        thread.returned.set(returned);
    }
    end_program(status, None)
}

extern "C" fn leave(status: i32) -> ! {
    let frame = Frame::here();
    if !runtime().running.get() {
        syscalls::exit(status as u32);
    }
    end_program(status, Some(frame))
}

extern "C" fn leave_quickly(status: i32) -> ! {
    let frame = Frame::here();
    if runtime().running.get() {
        run(&QUICK_HANDLERS, status);
        // The handlers' calls have taken the place of this one.
        runtime().frame.set(frame);
    }
    leave_at_once(status)
}

extern "C" fn leave_at_once(status: i32) -> ! {
    let frame = Frame::here();
    if !runtime().running.get() {
        syscalls::exit(status as u32);
    }
    last_step(frame, status, None)
}

/// Runs handlers and destructors, and then ends the program. `from`: the call of `exit`, if that is how it ends; what its callers
/// hold they can still reach.
pub fn end_program(status: i32, from: Option<&Frame>) -> ! {
    let place = runtime().thread().pending.get().place;
    crate::rt::sched::torn_copies::settle_at_end(&Frame {
        align: 0,
        r15: 0,
        r14: 0,
        r13: 0,
        r12: 0,
        rbx: 0,
        rbp: 0,
        place,
    });
    runtime().thread().leaves.set(true);
    crate::rt::threads::keys::run_thread_local_destructors();
    run(&HANDLERS, status);
    run_destructors();
    if runtime().settings.get().output != 0 || !runtime().driven.get() {
        // SAFETY: writes what the program has printed.
        unsafe { fflush(0) };
    }
    let place = runtime().thread().pending.get().place;
    let frame = Frame { align: 0, r15: 0, r14: 0, r13: 0, r12: 0, rbx: 0, rbp: 0, place };
    let stack_end = runtime().thread().stack_end();
    last_step(&frame, status, Some(from.map_or(stack_end, |frame| &raw const *frame as u64)))
}

/// The end. With the place from which on the running thread's stack is in use, leaks are looked for.
fn last_step(frame: &Frame, status: i32, stack: Option<u64>) -> ! {
    let runtime = runtime();
    let mut status = status as u32 & 0xff;
    if runtime.thread().finished.get() {
        // The last thread ended while the first one had called pthread_exit: no thread is left to take a step.
        runtime.thread().pending.set(Pending::NONE);
    } else {
        runtime.thread().result.set(status as usize);
        let chosen = Operation::new(Op::Exit, How::Nothing, 0, status).take(frame);
        status = enabled::statuses(runtime).nth(chosen as usize).unwrap_or(status);
        // It is a part of the last state.
        runtime.thread().result.set(status as usize);
    }
    header().status.set(status);
    if let Some(stack) = stack
        && runtime.settings.get().leaks != 0
    {
        crate::rt::memory::leaks::look(runtime, stack);
    }
    runtime.stale.set(true);
    // No thread moves any more, not even one that has waited for the end of the thread that ends the program.
    runtime.section.set(crate::rt::sched::atomic_sections::Section::last(runtime.current.get()));
    for thread in runtime.all() {
        if thread.pending.get().op == Op::Exit as u8 {
            thread.finished.set(true);
            thread.pending.set(Pending::NONE);
        }
    }
    if runtime.recording.get() && !schedule::record(runtime) {
        schedule::finish(Ending::TooLong);
    }
    schedule::finish(Ending::Exited)
}

extern "C" fn abort_program() -> ! {
    let frame = Frame::here();
    if runtime().running.get() {
        crate::rt::threads::panics::abort();
    }
    // A program that calls this in a handler of its own gives up for reasons of its own.
    if runtime().running.get()
        && !runtime().is_own(frame.place)
        && let Some((name, words)) = crate::rt::cpp::exceptions::current()
    {
        defect::exception(name, words);
    }
    defect::abort()
}

extern "C" fn assert_fail(condition: *const c_char, _file: *const c_char, line: u32, _function: usize) -> ! {
    Frame::here();
    // SAFETY: the macro passes the text of the condition.
    let condition = unsafe { CStr::from_ptr(condition) }.to_bytes();
    if !runtime().running.get() {
        syscalls::write(2, b"sojourner: an assertion failed before main was called: ");
        syscalls::write(2, condition);
        syscalls::write(2, b"\n");
        syscalls::die_by(6);
    }
    defect::assertion(condition, line)
}

extern "C" fn assert_fail_short(condition: *const c_char, _file: *const c_char, line: u32) -> ! {
    assert_fail(condition, core::ptr::null(), line, 0)
}

extern "C" fn stack_smashed() -> ! {
    Frame::here();
    defect::memory(crate::protocol::DefectKind::OutOfBounds, 0, None, b"writes outside an array on the stack")
}
