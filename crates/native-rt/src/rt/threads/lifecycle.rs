//! Threads: how they begin, end and are joined.

use crate::protocol::{How, MOST_THREADS, NOBODY, Op, Origin, Pending, Space};
use crate::rt::base::errno;
use crate::rt::base::layout::{CALLS_AT, GUARD_BYTES, slot_at};
use crate::rt::sched::byte_ranges::{Announced, range};
use crate::rt::sched::context::{self, Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::{Operation, change};
use crate::rt::sched::slots;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{Waits, header, origin, runtime, touch};
use crate::rt::sched::thread_records::Name;
use crate::rt::sched::timeouts;
use crate::rt::sync::rwlock;
use crate::rt::time::clocks;

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
    if !runtime().running.get() {
        crate::rt::threads::initialisers::put_off();
        defect::refuse(b"pthread_create before main is called");
    }
    let detached = !attribute.is_null() && {
        // SAFETY: the program passes an attribute of the C library's layout.
        let flags = unsafe { *(attribute.add(ATTRIBUTE_FLAGS) as *const u32) };
        flags & DETACHED != 0
    };
    let private = crate::rt::sched::private_memory::is_private(runtime(), handle as u64, 8, false);
    let how = if private { How::Nothing } else { How::Write };
    // The new thread is known by which child it is, before there is one.
    let child = touch(u64::from(runtime().thread().children.get()), How::Write, Space::Thread);
    Operation::new(Op::Create, how, handle as u64, 8).also(child).take(frame);
    let runtime = runtime();
    let most = match runtime.settings.get().threads {
        0 => MOST_THREADS as u32,
        few => few,
    };
    if runtime.threads.get() == most && !runtime.driven.get() {
        defect::refuse(b"more threads than can be followed");
    }
    if runtime.threads.get() == most {
        header().crowded.set(1);
        crate::rt::threads::verifier::give_up(frame);
    }
    tell_libraries();
    let parent = runtime.current.get();
    let nth = runtime.thread().children.get();
    runtime.thread().children.update(|children| children + 1);
    let (clock, random) = (runtime.thread().clock.get(), runtime.thread().random.get());
    let slot = slots::find(runtime.thread().slot.get(), nth);
    let index = runtime.prepare(slot, parent, nth);
    crate::rt::sched::races::created(runtime, parent, index);
    runtime.unjoined.update(|unjoined| unjoined + 1);
    let base = runtime.table[index as usize].base.get();
    crate::rt::sched::tls::fill(runtime, slot, base, false);
    crate::rt::time::signals::begin(base, Some(runtime.thread().base.get()));
    let child = &runtime.table[index as usize];
    child.start.set(start);
    child.argument.set(argument);
    child.c11.set(c11);
    child.detached.set(detached);
    child.announces.set(true);
    child.clock.set(clock);
    child.random.set(crate::rt::sched::state_hash::mixed(random, u64::from(nth)));
    // SAFETY: the program passes where the handle goes.
    unsafe { *handle = base as u64 };
    // No other thread can notice what it does before its first visible operation, so it is done at once.
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
    pub fn prepare(&self, slot: u32, parent: u32, nth: u32) -> u32 {
        let index = self.threads.get();
        self.threads.update(|threads| threads + 1);
        if self.recording.get() {
            origin(index).set(Origin { parent, nth, slot, padding: 0 });
        }
        let base = self.tls.get().base(slot) as usize;
        let thread = &self.table[index as usize];
        crate::rt::sched::restore::clean_stack(slot, slots::low(slot));
        thread.slot.set(slot);
        slots::give(self, slot, index);
        thread.parent.set(parent);
        thread.nth.set(nth);
        thread.children.set(0);
        thread.base.set(base);
        thread.stack_pointer.set(context::prepare(thread.stack_end(), start));
        thread.calls.set((slot_at(slot) + CALLS_AT) as *mut u64);
        thread.low.set(thread.stack_pointer.get() as u64);
        thread.pending.set(Pending::NONE);
        thread.frame.set(core::ptr::null());
        thread.leaves.set(false);
        thread.returned.set(u64::MAX);
        thread.touched.set(0);
        thread.value.set(0);
        thread.finished.set(false);
        thread.detached.set(false);
        thread.joined.set(false);
        thread.announces.set(false);
        thread.waits.set(Waits::No);
        thread.woken.set(false);
        thread.timed.set(false);
        thread.withheld.set(false);
        thread.limit.set(timeouts::Limit::None);
        thread.awaits.set(false);
        thread.idles.set(false);
        thread.again.set(false);
        thread.done.set(0);
        thread.steps.set(0);
        thread.start.set(0);
        thread.argument.set(0);
        thread.result.set(0);
        thread.c11.set(false);
        thread.cleanup.set(0);
        thread.destructors.set(0);
        thread.keys.set(0);
        thread.clock.set(0);
        thread.in_a_row.set(0);
        thread.looks.set(0);
        thread.in_vain.set(0);
        thread.random.set(crate::rt::libc::random::first_random());
        thread.runs_once.reset();
        thread.copies.set(Announced::NONE);
        thread.fills.set(Announced::NONE);
        thread.holds.clear();
        thread.shares.set(rwlock::shares_of_new_thread(parent == NOBODY));
        thread.elsewhere.set(0);
        thread.wanted.clear();
        thread.robust.clear();
        thread.name.set(Name::OF_NEW_THREAD);
        thread.history.reset();
        index
    }
}

/// Where a fiber begins: the thread that is to run is the current one.
pub extern "C" fn start() -> ! {
    let runtime = runtime();
    let own = runtime.current.get();
    if own == 0 {
        crate::rt::threads::exit::run_main();
    }
    let thread = runtime.thread();
    let (start, argument) = (thread.start.get(), thread.argument.get());
    // SAFETY: below the stack there is nothing.
    unsafe { context::clean() };
    let result = if thread.c11.get() {
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
    let (base, place) = (thread.base.get() as u64, thread.pending.get().place);
    let frame = Frame { align: 0, r15: 0, r14: 0, r13: 0, r12: 0, rbx: 0, rbp: 0, place };
    crate::rt::sched::torn_copies::settle_at_end(&frame);
    crate::rt::sync::once::abandon(&frame, u64::MAX);
    crate::rt::threads::keys::run_destructors();
    let frame = Frame { place: runtime().thread().pending.get().place, ..frame };
    crate::rt::sync::robust::leave_all(&frame);
    runtime().thread().result.set(result);
    Operation::new(Op::End, How::Release, base, 0).take(&frame);
    let runtime = runtime();
    let own = runtime.current.get();
    let thread = runtime.thread();
    thread.finished.set(true);
    thread.pending.set(Pending { object: base, place: thread.pending.get().place, ..Pending::NONE });
    slots::left(runtime, own);
    if runtime.all().iter().all(|thread| thread.finished.get()) {
        crate::rt::threads::exit::end_program(0, None);
    }
    crate::rt::sched::schedule::leave()
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
    if !clocks::is_waited_by(clock) {
        return errno::EINVAL;
    }
    join_until(Frame::here(), handle, result, until)
}

fn join_until(frame: &Frame, handle: u64, result: *mut usize, until: usize) -> i32 {
    timeouts::withhold_until(until);
    let joined = join_with(frame, handle, Op::TryJoin, clocks::in_vain(until));
    timeouts::release();
    if joined == Err(errno::ETIMEDOUT) {
        clocks::pass_until(until);
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
    if index == runtime.current.get() {
        return Err(errno::EDEADLK);
    }
    // It would wait for the end of a detached thread, or of one that was detached meanwhile.
    refuse_detached(handle, index);
    let how = if op == Op::Join { How::Acquire } else { How::Write };
    Operation::new(op, how, handle, 0).take(frame);
    refuse_detached(handle, index);
    let thread = &runtime.table[index as usize];
    if thread.joined.get() {
        defect::misuse(handle, &[b"joins a thread that has been joined"]);
    }
    if !thread.finished.get() {
        return Err(failure);
    }
    crate::rt::sched::spin_loops::changed();
    let thread = &runtime.table[index as usize];
    thread.joined.set(true);
    let (value, clock) = (thread.result.get(), thread.clock.get());
    runtime.unjoined.update(|unjoined| unjoined - 1);
    crate::rt::sched::races::joined(runtime, index);
    crate::rt::sched::timestamps::set_clock(runtime, clock);
    Ok(value)
}

/// To join a detached thread is a misuse.
fn refuse_detached(handle: u64, index: u32) {
    if runtime().table[index as usize].detached.get() {
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
    let thread = &runtime.table[index as usize];
    if thread.joined.get() || thread.detached.get() {
        defect::misuse(handle, &[b"detaches a thread that has been joined or detached"]);
    }
    thread.detached.set(true);
    0
}

pub extern "C" fn own() -> u64 {
    let runtime = runtime();
    if runtime.running.get() { runtime.thread().base.get() as u64 } else { runtime.host_base.get() as u64 }
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
    let Some(index) = runtime.by_base(handle).filter(|_| runtime.running.get()) else {
        defect::refuse(b"pthread_getattr_np of what is not a thread");
    };
    let thread = &runtime.table[index as usize];
    let start = slot_at(thread.slot.get()) + GUARD_BYTES;
    // SAFETY: the program passes an attribute to be filled in; the C library does it.
    unsafe {
        match pthread_attr_init(attribute) {
            0 => pthread_attr_setstack(attribute, start, thread.stack_end() - start),
            error => error,
        }
    }
}
