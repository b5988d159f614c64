//! `java.lang.Thread`, and how threads begin and end.

use super::{NOTHING, Table, framed, leaf};
use crate::explore::{Habit, Part, Pending, What};
use crate::machine::{Arguments, Bits, Frame, Machine, Resume, Run, Status, Trouble, Woken};
use crate::memory::Ref;
use sojourner_program::Mode;

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/Thread",
    methods: &[
        ("currentThread()Ljava/lang/Thread;", leaf(current_thread)),
        ("start0()V", framed(start)),
        ("isAlive()Z", leaf(is_alive)),
        ("getState()Ljava/lang/Thread$State;", framed(get_state)),
        ("yield()V", framed(give_way)),
        ("onSpinWait()V", framed(give_way)),
        ("sleep(J)V", framed(sleep)),
        ("interrupt0()V", leaf(interrupt)),
        ("clearInterruptEvent()V", NOTHING),
        ("setPriority0(I)V", NOTHING),
        ("setNativeName(Ljava/lang/String;)V", NOTHING),
        ("holdsLock(Ljava/lang/Object;)Z", leaf(holds_lock)),
        ("getThreads()[Ljava/lang/Thread;", leaf(all_threads)),
        ("dumpThreads([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;", framed(dump_threads)),
        ("stop0(Ljava/lang/Object;)V", framed(stop)),
        ("suspend0()V", framed(suspend)),
        ("resume0()V", framed(resume)),
    ],
}];

/// `Thread.threadStatus` as the JVM tool interface defines it.
mod thread_status {
    pub const RUNNABLE: i32 = 0x0005;
    pub const TERMINATED: i32 = 0x0002;
    pub const BLOCKED: i32 = 0x0401;
    pub const WAITING: i32 = 0x0091;
    pub const TIMED_WAITING: i32 = 0x00A1;
}

fn current_thread(machine: &mut Machine, _: Arguments) -> Run<u64> {
    Ok(machine.threads[machine.current].object.bits())
}

fn start(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    let daemon = machine.offset_of(machine.known.thread, "daemon");
    let daemon = daemon.is_some_and(|offset| machine.heap.get_u8(object, offset) != 0);
    let noticed = machine.watch.habits[Habit::Asks as usize] || machine.watch.is_halted();
    if noticed || !machine.watch.has_movers() {
        machine.visible(Pending::new(What::Start, object))?;
    }
    let stub = machine.stub_thread()?;
    let thread = machine.new_thread(object, daemon)?;
    machine.standing(machine.current).children += 1;
    machine.alive += 1;
    machine.heap.put_i64(object, machine.known.thread_handle, thread as i64 + 1);
    machine.heap.put_i32(object, machine.known.thread_status, thread_status::RUNNABLE);
    let stillborn = machine.offset_of(machine.known.thread, "stillborn");
    if stillborn.is_some_and(|offset| machine.heap.get_u8(object, offset) != 0) {
        machine.stop(thread);
    }
    let started = &mut machine.threads[thread];
    started.stack.set(0, object.bits());
    started.frames.push(Frame { method: stub, pc: 0, base: 0, lock: Ref::NULL, resume: Resume::Next });
    if machine.watch.on {
        if machine.watch.watching {
            machine.share(object);
        } else {
            machine.share_all();
        }
        machine.look_around();
        machine.watch.free = false;
        // The first one is started by a thread that was alone.
        machine.note(object, Part::End, Mode::Write);
    }
    Ok(0)
}

fn is_alive(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(machine.thread_of(arguments.object(0)).is_some().bits())
}

/// What a thread is doing, as `Thread.threadStatus` has it.
pub fn state_of(machine: &Machine, object: Ref) -> i32 {
    let Some(thread) = machine.thread_of(object) else {
        return machine.heap.get_i32(object, machine.known.thread_status);
    };
    let status = machine.threads[thread].status;
    match status {
        _ if status.limit().is_some() => thread_status::TIMED_WAITING,
        // Who stands before a monitor that is free does not wait for it, nor for the end of a thread that has ended.
        Status::Entering(monitor) if machine.holder(monitor).is_some() => thread_status::BLOCKED,
        Status::Joining(of) if machine.thread_of(of).is_some() => thread_status::WAITING,
        Status::Waiting { .. } | Status::Parked { .. } => thread_status::WAITING,
        _ => thread_status::RUNNABLE,
    }
}

/// What a thread is doing, for `Thread.getState`.
fn get_state(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    if machine.watch.on && object != machine.threads[machine.current].object {
        machine.learn_habit(Habit::Asks);
        machine.visible(Pending::new(What::Ask, object))?;
    }
    let state = state_of(machine, object);
    let class = machine.load(crate::class::Loader::BOOT, "jdk/internal/misc/VM")?;
    let method = machine.method_named(class, "toThreadState", "(I)Ljava/lang/Thread$State;");
    let method = method.ok_or_else(|| Trouble::unsupported("this JDK's VM.toThreadState"))?;
    machine.call(method, &[state.bits()], Resume::Next)?;
    Err(Trouble::Called)
}

fn give_way(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.fuel = 0;
    machine.standing(machine.current).gives_way = true;
    Ok(0)
}

fn sleep(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let milliseconds = arguments.long(0);
    if milliseconds < 0 {
        return Err(Trouble::raise("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    let current = machine.current;
    if machine.threads[current].woken.is_none() && machine.take_interrupt(current) {
        return Err(Trouble::raise("java/lang/InterruptedException", "sleep interrupted"));
    }
    let until = machine.after(milliseconds.saturating_mul(1_000_000));
    match machine.wait_or_go_on(Status::Sleeping { until })? {
        Woken::Interrupted => {
            machine.take_interrupt(current);
            Err(Trouble::raise("java/lang/InterruptedException", "sleep interrupted"))
        }
        _ => Ok(0),
    }
}

fn interrupt(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.learn_habit(Habit::Interrupts);
    if machine.heap.get_i32(arguments.object(0), machine.known.thread_status) == 0 {
        machine.learn_habit(Habit::Asks);
    }
    machine.goes_by_what_it_finds();
    machine.visible(Pending::new(What::Interrupt, arguments.object(0)))?;
    if let Some(thread) = machine.thread_of(arguments.object(0)) {
        machine.standing(thread).permit = true;
        // The flag was set before. Whoever has taken it since has been interrupted, and is not a second time.
        let parked = matches!(machine.threads[thread].status, Status::Parked { .. });
        // A thread that joins one that has ended has been told so, and an interrupt comes too late.
        let told = match machine.threads[thread].status {
            Status::Joining(of) => machine.thread_of(of).is_none(),
            _ => false,
        };
        if told {
            machine.learn_habit(Habit::Asks);
        } else if parked || machine.is_interrupted(thread) {
            machine.wake(thread, Woken::Interrupted);
        }
        if machine.threads[thread].woken == Some(Woken::Interrupted)
            && machine.threads[thread].status == Status::Runnable
        {
            machine.standing(thread).permit = false;
        }
    }
    Ok(0)
}

/// Has a thread throw `ThreadDeath` from where it is. One that waits goes on in order to do so, and one that was not started
/// never runs.
fn stop(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, death) = (arguments.object(0), arguments.object(1));
    machine.learn_habit(Habit::Halts);
    if object == machine.threads[machine.current].object {
        return Err(Trouble::Throw(death));
    }
    machine.visible(Pending::new(What::Stop, object))?;
    if let Some(thread) = machine.thread_of(object) {
        machine.stop(thread);
    } else if machine.heap.get_i32(object, machine.known.thread_status) == 0 {
        let stillborn = machine.offset_of(machine.known.thread, "stillborn");
        let stillborn = stillborn.ok_or_else(|| Trouble::unsupported("this JDK's Thread.stop"))?;
        machine.heap.put_u8(object, stillborn, 1);
    }
    Ok(0)
}

/// Holds up a thread wherever it is, with all the monitors that it has. What it waits for it may get meanwhile.
fn suspend(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, current) = (arguments.object(0), machine.current);
    machine.learn_habit(Habit::Halts);
    if machine.threads[current].woken.is_some() {
        machine.standing(current).woken = None;
        return Ok(0);
    }
    machine.visible(Pending::new(What::Suspend, object))?;
    if let Some(thread) = machine.thread_of(object) {
        machine.standing(thread).suspended = true;
        if thread == current {
            // When it is let go on it comes here again.
            machine.standing(current).woken = Some(Woken::Notified);
            return Err(Trouble::Yield);
        }
    }
    Ok(0)
}

fn resume(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    machine.learn_habit(Habit::Halts);
    machine.visible(Pending::new(What::Resume, object))?;
    if let Some(thread) = machine.thread_of(object) {
        machine.standing(thread).suspended = false;
    }
    Ok(0)
}

fn holds_lock(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    if object.is_null() {
        return Err(Trouble::null());
    }
    Ok(machine.holds(object).bits())
}

/// All threads are looked at, so that it matters who has started, gone on and ended before.
pub fn ask_for_all(machine: &mut Machine) -> Run<()> {
    if machine.watch.on {
        machine.learn_habit(Habit::Asks);
        let threads = machine.class(machine.known.thread).mirror;
        machine.visible(Pending::new(What::Ask, threads))?;
    }
    Ok(())
}

pub fn all_threads(machine: &mut Machine, _: Arguments) -> Run<u64> {
    ask_for_all(machine)?;
    let alive: Vec<Ref> = machine
        .threads
        .iter()
        .filter(|thread| thread.status != Status::Finished)
        .map(|thread| thread.object)
        .collect();
    machine.new_objects(machine.known.thread, &alive).map(Bits::bits)
}

fn dump_threads(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    ask_for_all(machine)?;
    let threads = arguments.object(0);
    let element_class = machine.load(crate::class::Loader::BOOT, "java/lang/StackTraceElement")?;
    let array_class = machine.array_of(element_class)?;
    let mut traces = Vec::new();
    for index in 0..machine.heap.length(threads) {
        let object = machine.element(threads, index);
        traces.push(machine.elements_of_stack(object, usize::MAX)?);
    }
    machine.new_objects(array_class, &traces).map(Bits::bits)
}

impl Machine {
    /// The upper frames of a thread as an array of `StackTraceElement`, up to so many.
    pub(super) fn elements_of_stack(&mut self, thread: Ref, most: usize) -> Run<Ref> {
        let class = self.load(crate::class::Loader::BOOT, "java/lang/StackTraceElement")?;
        let frames: Vec<Frame> = match self.thread_of(thread) {
            Some(thread) => {
                let frames = self.threads[thread].frames.iter().rev();
                frames.filter(|frame| !self.method(frame.method).marks.hidden).take(most).copied().collect()
            }
            None => Vec::new(),
        };
        let mut elements = Vec::new();
        for frame in frames {
            let element = self.new_object(class)?;
            let bci = self.bci(frame.method, frame.pc);
            self.fill_stack_trace_element(element, frame.method, bci)?;
            elements.push(element);
        }
        self.new_objects(class, &elements)
    }

    /// Clears the interrupt of a thread; whether it was set.
    pub(crate) fn take_interrupt(&mut self, thread: usize) -> bool {
        let (object, offset) = (self.threads[thread].object, self.known.thread_interrupted);
        let set = self.is_interrupted(thread);
        if set {
            self.heap.put_u8(object, offset, 0);
            self.note_exotic();
        }
        set
    }

    /// Whether a thread is interrupted.
    pub(crate) fn is_interrupted(&mut self, thread: usize) -> bool {
        let (object, offset) = (self.threads[thread].object, self.known.thread_interrupted);
        self.note(object, Part::Variable(offset), Mode::Read);
        self.heap.get_u8(object, offset) != 0
    }
}

/// The current thread is over for whoever waits for it: it is terminated, and those who join it are told.
pub fn thread_is_over(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    // Who only waits for the end of a thread cannot tell when exactly it comes.
    let quietly = machine.watch.on
        && !machine.watch.habits[Habit::Asks as usize]
        && machine.watch.has_movers()
        && machine.holder(object).is_none();
    if !quietly {
        machine.enter_monitor_to(What::End, object)?;
    }
    machine.heap.put_i32(object, machine.known.thread_status, thread_status::TERMINATED);
    machine.heap.put_i64(object, machine.known.thread_handle, 0);
    machine.notify_without_holding(object, true)?;
    if !quietly {
        machine.exit_monitor_now(object)?;
    }
    machine.alive -= 1;
    let current = machine.current;
    machine.standing(current).unseen = machine.watch.on;
    machine.look_around();
    Ok(0)
}

/// The end of a thread other than main.
pub fn end_thread(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    thread_is_over(machine, arguments)?;
    machine.standing(machine.current).status = Status::Finished;
    machine.lineup = machine.version();
    machine.end_frames();
    Ok(0)
}

/// The handler of uncaught exceptions has itself thrown something, which is all that is said of it, unless the program
/// is explored: nobody catches that.
pub fn handler_failed(machine: &mut Machine, exception: Ref) -> Run<u64> {
    if machine.watch.on && machine.is_death(exception) {
        return Ok(0);
    }
    if machine.watch.on {
        return machine.nobody_catches(exception);
    }
    let class = machine.external_name(crate::class::ClassId(machine.heap.class(exception)));
    let thread = machine.thread_name(machine.current);
    let text = format!("\nException: {class} thrown from the UncaughtExceptionHandler in thread {thread}\n");
    machine.options.console.err(text.as_bytes());
    Ok(0)
}

/// The main thread waits for the other non-daemon threads.
pub fn main_leaves(machine: &mut Machine, _: Arguments) -> Run<u64> {
    if machine.others_are_over(machine.current) {
        return Ok(0);
    }
    machine.standing(machine.current).status = Status::Leaving;
    Err(Trouble::Blocked)
}

/// The program is over, and `main` has thrown something.
pub fn end_failed_program(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.exit.get_or_insert(1);
    Err(Trouble::Exit)
}

/// The program is over.
pub fn end_program(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.exit.get_or_insert(0);
    Err(Trouble::Exit)
}
