//! Threads: how they begin, end and are joined.

use super::context::{self, Frame, export};
use super::hooks::{Part, range};
use super::layout::{CALLS_AT, GUARD_BYTES, slot_at};
use super::schedule::{Operation, change};
use super::state::{Waits, header, origin, runtime, touch};
use super::{Runtime, defect, errno, slots, time, timeouts};
use crate::protocol::{How, MOST_THREADS, NOBODY, Op, Origin, Pending, Space};

export! {
    pthread_create => create;
    pthread_join => join;
    pthread_tryjoin_np => try_join;
    pthread_timedjoin_np => timed_join;
    pthread_clockjoin_np => clock_join;
    pthread_detach => detach;
    pthread_self => own;
    thrd_current => own;
    pthread_equal => equal;
    thrd_equal => equal;
    pthread_setaffinity_np => accept;
    pthread_setschedparam => accept;
    pthread_setschedprio => accept;
    sched_setaffinity => accept;
    pthread_getattr_np => attributes;
}

/// Tells the C library, and with it that of C++, that there is more than one thread: else reference counts, for instance, are
/// no atomic operations. The variable, of glibc 2.32 and later, would be written when the library itself starts a thread.
#[unsafe(naked)]
pub unsafe extern "C" fn are_several() {
    core::arch::naked_asm!(
        ".weak __libc_single_threaded",
        "mov rax, [rip + __libc_single_threaded@GOTPCREL]",
        "test rax, rax",
        "je 2f",
        "mov byte ptr [rax], 0",
        "2:",
        "ret",
    )
}

/// Where the C library keeps in an attribute whether threads begin detached, and the bit.
const ATTRIBUTE_FLAGS: usize = 8;
const DETACHED: u32 = 1;

extern "C" fn create(handle: *mut u64, attribute: *const u8, start: usize, argument: usize) -> i32 {
    begin_thread(Frame::here(), handle, attribute, start, argument, false)
}

pub fn begin_thread(
    frame: &Frame,
    handle: *mut u64,
    attribute: *const u8,
    start: usize,
    argument: usize,
    c11: bool,
) -> i32 {
    if !runtime().running {
        super::initialisers::put_off();
        defect::refuse(b"pthread_create before main is called");
    }
    let detached = !attribute.is_null() && {
        // SAFETY: the program passes an attribute of the C library's layout.
        let flags = unsafe { *(attribute.add(ATTRIBUTE_FLAGS) as *const u32) };
        flags & DETACHED != 0
    };
    let private = super::private::is_private(runtime(), handle as u64, 8, false);
    let how = if private { How::Nothing } else { How::Write };
    // The new thread is known by which child it is, before there is one.
    let child = touch(u64::from(runtime().thread().children), How::Write, Space::Thread);
    Operation::new(Op::Create, how, handle as u64, 8).also(child).take(frame);
    let runtime = runtime();
    let most = match runtime.settings.threads {
        0 => MOST_THREADS as u32,
        few => few,
    };
    if runtime.threads == most && !runtime.driven {
        defect::refuse(b"more threads than can be followed");
    }
    if runtime.threads == most {
        header().crowded = 1;
        super::verifier::give_up(frame);
    }
    tell_libraries();
    let parent = runtime.current;
    let nth = runtime.thread().children;
    runtime.thread().children += 1;
    let (clock, random) = (runtime.thread().clock, runtime.thread().random);
    let slot = slots::find(runtime.thread().slot, nth);
    let index = runtime.prepare(slot, parent, nth);
    super::races::created(runtime, parent, index);
    runtime.unjoined += 1;
    let base = runtime.table[index as usize].base;
    super::tls::fill(runtime, slot, base, false);
    super::delivery::begin(base, Some(runtime.thread().base));
    let child = &mut runtime.table[index as usize];
    (child.start, child.argument, child.c11, child.detached) = (start, argument, c11, detached);
    (child.announces, child.clock) = (true, clock);
    child.random = super::sums::mixed(random, u64::from(nth));
    // SAFETY: the program passes where the handle goes.
    unsafe { *handle = base as u64 };
    // What it does before its first visible operation nobody can notice, so it is done at once.
    change(parent, index);
    0
}

/// Tells the libraries that there is more than one thread, as the C library does: C++ counts references to shared objects
/// without atomic operations as long as there is not.
fn tell_libraries() {
    unsafe extern "C" {
        static mut __libc_single_threaded: u8;
    }
    let told = &raw mut __libc_single_threaded;
    // Older libraries do not have it.
    if !core::hint::black_box(told).is_null() {
        // SAFETY: a variable of the C library, which its own function would write now.
        unsafe { *told = 0 };
    }
}

#[cfg(sojourner_rt)]
core::arch::global_asm!(".weak __libc_single_threaded");

impl Runtime {
    /// Makes the next thread of the execution, in a slot.
    pub fn prepare(&mut self, slot: u32, parent: u32, nth: u32) -> u32 {
        let index = self.threads;
        self.threads += 1;
        if self.recording {
            *origin(index) = Origin { parent, nth, slot, padding: 0 };
        }
        let base = self.tls.base(slot) as usize;
        let thread = &mut self.table[index as usize];
        super::restore::clean_stack(slot, slots::low(slot));
        (thread.slot, thread.parent, thread.nth, thread.children) = (slot, parent, nth, 0);
        thread.base = base;
        thread.stack_pointer = context::prepare(thread.stack_end());
        thread.calls = (slot_at(slot) + CALLS_AT) as *mut u64;
        thread.low = thread.stack_pointer as u64;
        thread.pending = Pending::NONE;
        (thread.frame, thread.leaves, thread.returned) = (core::ptr::null(), false, u64::MAX);
        (thread.touched, thread.value) = (0, 0);
        (thread.finished, thread.detached, thread.joined, thread.announces) = (false, false, false, false);
        (thread.waits, thread.woken, thread.timed) = (Waits::No, false, false);
        (thread.withheld, thread.limit) = (false, timeouts::Limit::None);
        (thread.awaits, thread.idles, thread.again) = (false, false, false);
        (thread.done, thread.steps) = (0, 0);
        (thread.start, thread.argument, thread.result, thread.c11) = (0, 0, 0, false);
        (thread.cleanup, thread.destructors, thread.keys, thread.clock) = (0, 0, 0, 0);
        thread.in_a_row = 0;
        (thread.looks, thread.in_vain, thread.random) = (0, 0, super::random::first_random());
        thread.runs_once.reset();
        (thread.copies, thread.fills) = (Part::NONE, Part::NONE);
        thread.holds.clear();
        thread.shares.begin(parent == NOBODY);
        thread.elsewhere = 0;
        thread.wanted.clear();
        thread.robust.clear();
        thread.name.clear();
        thread.anchors.reset();
        index
    }
}

/// Where a fiber begins: the thread that is to run is the current one.
pub extern "C" fn start() -> ! {
    let runtime = runtime();
    let own = runtime.current;
    if own == 0 {
        super::exit::run_main();
    }
    let thread = runtime.thread();
    let (start, argument) = (thread.start, thread.argument);
    // SAFETY: below the stack there is nothing.
    unsafe { context::clean() };
    let result = if thread.c11 {
        // SAFETY: the program passed it to `thrd_create`.
        let start: extern "C" fn(usize) -> i32 = unsafe { core::mem::transmute(start) };
        start(argument) as isize as usize
    } else {
        // SAFETY: the program passed it to `pthread_create`.
        let start: extern "C" fn(usize) -> usize = unsafe { core::mem::transmute(start) };
        start(argument)
    };
    end(result)
}

/// The end of a thread.
pub fn end(result: usize) -> ! {
    let thread = runtime().thread();
    let (base, place) = (thread.base as u64, thread.pending.place);
    let frame = Frame { align: 0, r15: 0, r14: 0, r13: 0, r12: 0, rbx: 0, rbp: 0, place };
    super::copies::settle_at_end(&frame);
    super::once::abandon(&frame, u64::MAX);
    super::keys::run_destructors();
    let frame = Frame { place: runtime().thread().pending.place, ..frame };
    super::robust::leave_all(&frame);
    runtime().thread().result = result;
    Operation::new(Op::End, How::Release, base, 0).take(&frame);
    let runtime = runtime();
    let own = runtime.current;
    let thread = runtime.thread();
    thread.finished = true;
    thread.pending = Pending { object: base, place: thread.pending.place, ..Pending::NONE };
    slots::left(runtime, own);
    if runtime.all().iter().all(|thread| thread.finished) {
        super::exit::end_program(0, None);
    }
    super::schedule::leave()
}

extern "C" fn join(handle: u64, result: *mut usize) -> i32 {
    let frame = Frame::here();
    tell(frame, join_with(frame, handle, Op::Join, 0), result)
}

extern "C" fn try_join(handle: u64, result: *mut usize) -> i32 {
    let frame = Frame::here();
    tell(frame, join_with(frame, handle, Op::TryJoin, errno::EBUSY), result)
}

extern "C" fn timed_join(handle: u64, result: *mut usize, until: usize) -> i32 {
    join_until(Frame::here(), handle, result, until)
}

extern "C" fn clock_join(handle: u64, result: *mut usize, clock: i32, until: usize) -> i32 {
    if !time::is_waited_by(clock) {
        return errno::EINVAL;
    }
    join_until(Frame::here(), handle, result, until)
}

fn join_until(frame: &Frame, handle: u64, result: *mut usize, until: usize) -> i32 {
    timeouts::withhold_until(until);
    let joined = join_with(frame, handle, Op::TryJoin, time::in_vain(until));
    timeouts::release();
    if joined == Err(errno::ETIMEDOUT) {
        time::pass_until(until);
    }
    tell(frame, joined, result)
}

/// Tells the program what a thread has left, or why it is not told.
fn tell(frame: &Frame, joined: Result<usize, i32>, result: *mut usize) -> i32 {
    match joined {
        Ok(value) => {
            if !result.is_null() {
                range(frame, result as u64, size_of::<usize>() as u64, true);
                // SAFETY: the program passes where the result goes.
                unsafe { *result = value };
            }
            0
        }
        Err(error) => error,
    }
}

/// Joins a thread. What it has left, or the error: `failure`, if it has not ended.
pub fn join_with(frame: &Frame, handle: u64, op: Op, failure: i32) -> Result<usize, i32> {
    let runtime = runtime();
    let Some(index) = runtime.by_base(handle) else {
        defect::misuse(handle, &[b"joins what is not a thread"]);
    };
    if index == runtime.current {
        return Err(errno::EDEADLK);
    }
    // It would wait for the end of one that nobody may wait for; after waiting, that may have become so.
    refuse_detached(handle, index);
    let how = if op == Op::Join { How::Acquire } else { How::Write };
    Operation::new(op, how, handle, 0).take(frame);
    refuse_detached(handle, index);
    let runtime = super::state::runtime();
    let thread = &mut runtime.table[index as usize];
    if thread.joined {
        defect::misuse(handle, &[b"joins a thread that has been joined"]);
    }
    if !thread.finished {
        return Err(failure);
    }
    super::watch::changed();
    let runtime = super::state::runtime();
    let thread = &mut runtime.table[index as usize];
    thread.joined = true;
    let (value, clock) = (thread.result, thread.clock);
    runtime.unjoined -= 1;
    super::races::joined(runtime, index);
    super::dates::set_clock(runtime, clock);
    Ok(value)
}

/// Whoever joins a detached thread misuses it.
fn refuse_detached(handle: u64, index: u32) {
    if runtime().table[index as usize].detached {
        defect::misuse(handle, &[b"joins a thread that has been detached"]);
    }
}

extern "C" fn detach(handle: u64) -> i32 {
    let frame = Frame::here();
    let runtime = runtime();
    let Some(index) = runtime.by_base(handle) else {
        defect::misuse(handle, &[b"detaches what is not a thread"]);
    };
    Operation::new(Op::Detach, How::Write, handle, 0).take(frame);
    let thread = &mut super::state::runtime().table[index as usize];
    if thread.joined || thread.detached {
        defect::misuse(handle, &[b"detaches a thread that has been joined or detached"]);
    }
    thread.detached = true;
    0
}

pub extern "C" fn own() -> u64 {
    let runtime = runtime();
    if runtime.running { runtime.thread().base as u64 } else { runtime.host_base as u64 }
}

extern "C" fn equal(a: u64, b: u64) -> i32 {
    i32::from(a == b)
}

/// What says nothing about which schedules there are.
extern "C" fn accept() -> i32 {
    0
}

unsafe extern "C" {
    fn pthread_attr_init(attribute: usize) -> i32;
    fn pthread_attr_setstack(attribute: usize, start: u64, size: u64) -> i32;
}

/// Says where a thread's stack is.
extern "C" fn attributes(handle: u64, attribute: usize) -> i32 {
    Frame::here();
    let runtime = runtime();
    let Some(index) = runtime.by_base(handle).filter(|_| runtime.running) else {
        defect::refuse(b"pthread_getattr_np of what is not a thread");
    };
    let thread = &runtime.table[index as usize];
    let start = slot_at(thread.slot) + GUARD_BYTES;
    // SAFETY: the program passes an attribute to be filled in; the C library does it.
    unsafe {
        match pthread_attr_init(attribute) {
            0 => pthread_attr_setstack(attribute, start, thread.stack_end() - start),
            error => error,
        }
    }
}
