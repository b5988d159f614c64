//! `java.lang.Thread`, and how threads begin and end.

use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::visible::{Behaviour, ObjectPart, Operation, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Frame, Machine, Resume, Run, Status, Woken};
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
    Ok(machine.threads.list[machine.turn.thread].object.bits())
}

fn start(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    let daemon = machine.offset_of(machine.known.thread, "daemon");
    let daemon = daemon.is_some_and(|offset| machine.heap.get_u8(object, offset) != 0);
    let noticed =
        machine.scheduling.expects(Behaviour::AsksThreadState) || machine.scheduling.halts_threads();
    if noticed || !machine.scheduling.has_movers() {
        machine.visible(Operation::new(OperationKind::Start, object))?;
    }
    let stub = machine.stub_thread()?;
    let thread = machine.new_thread(object, daemon)?;
    machine.state_mut(machine.turn.thread).children += 1;
    machine.threads.alive += 1;
    machine.heap.put_i64(object, machine.known.thread_handle, thread as i64 + 1);
    machine.heap.put_i32(object, machine.known.thread_status, thread_status::RUNNABLE);
    let stillborn = machine.offset_of(machine.known.thread, "stillborn");
    if stillborn.is_some_and(|offset| machine.heap.get_u8(object, offset) != 0) {
        machine.stop(thread);
    }
    let started = &mut machine.threads.list[thread];
    started.stack.set(0, object.bits());
    started.frames.push(Frame { method: stub, pc: 0, base: 0, lock: Ref::NULL, resume: Resume::Next });
    if machine.scheduling.controlled {
        if machine.scheduling.accesses_matter {
            machine.share(object);
        } else {
            machine.share_all();
        }
        machine.update_scheduling();
        machine.scheduling.may_perform = false;
        // The first one is started by a thread that was alone.
        machine.note(object, ObjectPart::End, Mode::Write);
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
    let status = machine.threads.list[thread].status;
    match status {
        _ if status.limit().is_some() => thread_status::TIMED_WAITING,
        // A thread that stands before a free monitor does not wait for it, nor for the end of a thread that has ended.
        Status::Entering(monitor) if machine.holder(monitor).is_some() => thread_status::BLOCKED,
        Status::Joining(of) if machine.thread_of(of).is_some() => thread_status::WAITING,
        Status::Waiting { .. } | Status::Parked { .. } => thread_status::WAITING,
        _ => thread_status::RUNNABLE,
    }
}

/// What a thread is doing, for `Thread.getState`.
fn get_state(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    if machine.scheduling.controlled && object != machine.threads.list[machine.turn.thread].object {
        machine.learn_behaviour(Behaviour::AsksThreadState);
        machine.visible(Operation::new(OperationKind::Ask, object))?;
    }
    let state = state_of(machine, object);
    let class = machine.load(crate::machine::class::Loader::BOOT, "jdk/internal/misc/VM")?;
    let method = machine.method_named(class, "toThreadState", "(I)Ljava/lang/Thread$State;");
    let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's VM.toThreadState"))?;
    machine.call(method, &[state.bits()], Resume::Next)?;
    Err(Abrupt::Called)
}

fn give_way(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.turn.polls = 0;
    machine.state_mut(machine.turn.thread).gives_way = true;
    Ok(0)
}

fn sleep(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let milliseconds = arguments.long(0);
    if milliseconds < 0 {
        return Err(Abrupt::raise("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    let current = machine.turn.thread;
    if machine.threads.list[current].woken.is_none() && machine.take_interrupt(current) {
        return Err(Abrupt::raise("java/lang/InterruptedException", "sleep interrupted"));
    }
    let until = machine.after(milliseconds.saturating_mul(1_000_000));
    match machine.wait_or_go_on(Status::Sleeping { until })? {
        Woken::Interrupted => {
            machine.take_interrupt(current);
            Err(Abrupt::raise("java/lang/InterruptedException", "sleep interrupted"))
        }
        _ => Ok(0),
    }
}

fn interrupt(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.learn_behaviour(Behaviour::Interrupts);
    if machine.heap.get_i32(arguments.object(0), machine.known.thread_status) == 0 {
        machine.learn_behaviour(Behaviour::AsksThreadState);
    }
    machine.has_unpredictable_steps();
    machine.visible(Operation::new(OperationKind::Interrupt, arguments.object(0)))?;
    if let Some(thread) = machine.thread_of(arguments.object(0)) {
        machine.state_mut(thread).permit = true;
        // The flag was set before. A thread that has taken it since was interrupted, and is not interrupted a second time.
        let parked = matches!(machine.threads.list[thread].status, Status::Parked { .. });
        // A thread that joins one that has ended has been told so, and an interrupt comes too late.
        let told = match machine.threads.list[thread].status {
            Status::Joining(of) => machine.thread_of(of).is_none(),
            _ => false,
        };
        if told {
            machine.learn_behaviour(Behaviour::AsksThreadState);
        } else if parked || machine.is_interrupted(thread) {
            machine.wake(thread, Woken::Interrupted);
        }
        if machine.threads.list[thread].woken == Some(Woken::Interrupted)
            && machine.threads.list[thread].status == Status::Runnable
        {
            machine.state_mut(thread).permit = false;
        }
    }
    Ok(0)
}

/// Has a thread throw `ThreadDeath` from where it is. One that waits goes on in order to do so, and one that was not started
/// never runs.
fn stop(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, death) = (arguments.object(0), arguments.object(1));
    machine.learn_behaviour(Behaviour::HaltsThreads);
    if object == machine.threads.list[machine.turn.thread].object {
        return Err(Abrupt::Throw(death));
    }
    machine.visible(Operation::new(OperationKind::Stop, object))?;
    if let Some(thread) = machine.thread_of(object) {
        machine.stop(thread);
    } else if machine.heap.get_i32(object, machine.known.thread_status) == 0 {
        let stillborn = machine.offset_of(machine.known.thread, "stillborn");
        let stillborn = stillborn.ok_or_else(|| Abrupt::unsupported("this JDK's Thread.stop"))?;
        machine.heap.put_u8(object, stillborn, 1);
    }
    Ok(0)
}

/// Holds up a thread wherever it is, with all the monitors that it has. What it waits for it may get meanwhile.
fn suspend(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, current) = (arguments.object(0), machine.turn.thread);
    machine.learn_behaviour(Behaviour::HaltsThreads);
    if machine.threads.list[current].woken.is_some() {
        machine.state_mut(current).woken = None;
        return Ok(0);
    }
    machine.visible(Operation::new(OperationKind::Suspend, object))?;
    if let Some(thread) = machine.thread_of(object) {
        machine.state_mut(thread).suspended = true;
        if thread == current {
            // When it is let go on it comes here again.
            machine.state_mut(current).woken = Some(Woken::Notified);
            return Err(Abrupt::Yield);
        }
    }
    Ok(0)
}

fn resume(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    machine.learn_behaviour(Behaviour::HaltsThreads);
    machine.visible(Operation::new(OperationKind::Resume, object))?;
    if let Some(thread) = machine.thread_of(object) {
        machine.state_mut(thread).suspended = false;
    }
    Ok(0)
}

fn holds_lock(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    if object.is_null() {
        return Err(Abrupt::null());
    }
    Ok(machine.holds(object).bits())
}

/// All threads are looked at, so that it matters which threads have started, gone on and ended before.
pub fn ask_for_all(machine: &mut Machine) -> Run<()> {
    if machine.scheduling.controlled {
        machine.learn_behaviour(Behaviour::AsksThreadState);
        let threads = machine.class(machine.known.thread).mirror;
        machine.visible(Operation::new(OperationKind::Ask, threads))?;
    }
    Ok(())
}

pub fn all_threads(machine: &mut Machine, _: Arguments) -> Run<u64> {
    ask_for_all(machine)?;
    let alive: Vec<Ref> = machine
        .threads
        .list
        .iter()
        .filter(|thread| thread.status != Status::Finished)
        .map(|thread| thread.object)
        .collect();
    machine.new_objects(machine.known.thread, &alive).map(Bits::bits)
}

fn dump_threads(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    ask_for_all(machine)?;
    let threads = arguments.object(0);
    let element_class = machine.load(crate::machine::class::Loader::BOOT, "java/lang/StackTraceElement")?;
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
        let class = self.load(crate::machine::class::Loader::BOOT, "java/lang/StackTraceElement")?;
        let frames: Vec<Frame> = match self.thread_of(thread) {
            Some(thread) => {
                let frames = self.threads.list[thread].frames.iter().rev();
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
}

/// The current thread is over for threads that wait for it: it is terminated, and threads that join it are notified.
pub fn thread_is_over(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    // A thread that only waits for the end of another cannot tell when exactly the end comes.
    let quietly = machine.scheduling.controlled
        && !machine.scheduling.expects(Behaviour::AsksThreadState)
        && machine.scheduling.has_movers()
        && machine.holder(object).is_none();
    if !quietly {
        machine.enter_monitor_to(OperationKind::End, object)?;
    }
    machine.heap.put_i32(object, machine.known.thread_status, thread_status::TERMINATED);
    machine.heap.put_i64(object, machine.known.thread_handle, 0);
    machine.notify_without_holding(object, true)?;
    if !quietly {
        machine.exit_monitor_now(object)?;
    }
    machine.threads.alive -= 1;
    let current = machine.turn.thread;
    machine.state_mut(current).end_unobserved = machine.scheduling.controlled;
    machine.update_scheduling();
    Ok(0)
}

/// The end of a thread other than main.
pub fn end_thread(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    thread_is_over(machine, arguments)?;
    machine.state_mut(machine.turn.thread).status = Status::Finished;
    machine.threads.version = machine.version();
    machine.end_frames();
    Ok(0)
}

/// The handler of uncaught exceptions has itself thrown something, which is all that is said of it, unless an
/// observer controls the program: then it is an uncaught exception, too.
pub fn handler_failed(machine: &mut Machine, exception: Ref) -> Run<u64> {
    if machine.scheduling.controlled && machine.is_death(exception) {
        return Ok(0);
    }
    if machine.scheduling.controlled {
        return machine.uncaught_finding(exception);
    }
    let class = machine.external_name(crate::machine::class::ClassId(machine.heap.class(exception)));
    let thread = machine.thread_name(machine.turn.thread);
    let text = format!("\nException: {class} thrown from the UncaughtExceptionHandler in thread {thread}\n");
    machine.options.console.err(text.as_bytes());
    Ok(0)
}

/// The main thread waits for the other non-daemon threads.
pub fn main_leaves(machine: &mut Machine, _: Arguments) -> Run<u64> {
    if machine.others_are_over(machine.turn.thread) {
        return Ok(0);
    }
    machine.state_mut(machine.turn.thread).status = Status::Leaving;
    Err(Abrupt::Blocked)
}

/// The program is over, and `main` has thrown something.
pub fn end_failed_program(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.outcome.exit.get_or_insert(1);
    Err(Abrupt::Exit)
}

/// The program is over.
pub fn end_program(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.outcome.exit.get_or_insert(0);
    Err(Abrupt::Exit)
}
