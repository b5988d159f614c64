//! Methods of threads and locks that are done differently while a program is explored: where the JDK counts and registers
//! threads under locks of its own, states would differ, and threads wait, for no reason that matters to the program.

use super::thread_group;
use crate::machine::clock::NEVER;
use crate::machine::native::{Table, framed, leaf};
use crate::machine::visible::{Behaviour, ObjectPart, Operation, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run, Status, Woken};
use crate::memory::Ref;
use sojourner_program::Mode;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Thread",
        methods: &[
            ("nextThreadNum()I", leaf(next_number)),
            ("nextThreadID()J", leaf(next_id)),
            ("exit()V", framed(exit)),
            ("join()V", framed(join)),
            ("sleep(J)V", framed(sleep)),
            ("yield()V", framed(give_way)),
            ("onSpinWait()V", framed(give_way)),
            ("isAlive()Z", framed(is_alive)),
        ],
    },
    Table {
        class: "java/util/concurrent/locks/AbstractOwnableSynchronizer",
        methods: &[("setExclusiveOwnerThread(Ljava/lang/Thread;)V", leaf(set_owner))],
    },
];

/// The number of a thread without a name.
fn next_number(machine: &mut Machine, _: Arguments) -> Run<u64> {
    note_names(machine);
    machine.threads.named += 1;
    Ok((machine.threads.named - 1).bits())
}

/// Threads are numbered in the order in which they are made, by whatever thread. As long as that is the main
/// thread alone, no other thread looks.
fn note_names(machine: &mut Machine) {
    machine.note(Ref::NULL, ObjectPart::Names, Mode::Write);
    if machine.turn.thread != 0 {
        machine.has_unpredictable_steps();
    }
}

fn next_id(machine: &mut Machine, _: Arguments) -> Run<u64> {
    note_names(machine);
    machine.threads.made += 1;
    Ok((i64::from(machine.threads.made) + FIRST_ID).bits())
}

/// The threads of the JDK itself have the identifiers up to this one.
const FIRST_ID: i64 = 10;

/// `Thread.join()`, in the JDK `synchronized (this) { while (isAlive()) wait(); }`: the thread needs the monitor of the
/// thread that it joins, gives it back while it waits, and takes it back before it returns or throws.
fn join(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    let current = machine.turn.thread;
    // A notification may wake a joining thread instead of one that waits for it, which is then lost.
    if machine.scheduling.expects(Behaviour::NotifiesThreads) {
        let method = machine.method_named(machine.known.thread, "join", "(J)V");
        let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's Thread.join"))?;
        machine.call(method, &[object.bits(), 0], Resume::Next)?;
        return Err(Abrupt::Called);
    }
    match machine.threads.list[current].woken {
        Some(woken) => {
            machine.take_back_monitor(OperationKind::Enter, object)?;
            machine.die_if_stopped()?;
            if woken == Woken::Interrupted {
                machine.take_interrupt(current);
                return Err(Abrupt::bare("java/lang/InterruptedException"));
            }
        }
        None if machine.threads.list[current].entries > 0 => {
            machine.take_back_monitor(OperationKind::Join, object)?;
        }
        None => about_to_join(machine, object)?,
    }
    let holder = machine.holder(object);
    if holder.is_some_and(|(holder, _)| holder != current) {
        // An interrupt does not reach a thread that waits for a monitor.
        let reached = machine.scheduling.is_inspected();
        let status = if reached { Status::Entering(object) } else { Status::Joining(object) };
        machine.state_mut(current).status = status;
        return Err(Abrupt::Blocked);
    }
    if machine.thread_of(object).is_none() {
        if machine.is_interrupted(current) {
            // Had the thread not ended yet, this one would throw.
            machine.learn_behaviour(Behaviour::AsksThreadState);
        }
        machine.observe_end(object);
        return Ok(0);
    }
    if machine.take_interrupt(current) {
        return Err(Abrupt::bare("java/lang/InterruptedException"));
    }
    machine.give_back_monitor(object)?;
    let singly = machine.scheduling.steps_singly();
    let standing = machine.state_mut(current);
    standing.status = Status::Joining(object);
    if singly {
        standing.pending = Operation::new(OperationKind::Join, object);
    }
    Err(Abrupt::Blocked)
}

/// The scheduling point before `Thread.join()`, where one is needed.
fn about_to_join(machine: &mut Machine, object: Ref) -> Run<()> {
    let current = machine.turn.thread;
    // A thread that was not started yet may be so by then.
    let unstarted = machine.heap.get_i32(object, machine.known.thread_status) == 0;
    if unstarted {
        machine.learn_behaviour(Behaviour::AsksThreadState);
    }
    if !unstarted && !machine.scheduling.is_inspected() && machine.scheduling.has_movers() {
        return Ok(());
    }
    let gives_back = machine.holds(object) && machine.thread_of(object).is_some();
    let what = if gives_back { OperationKind::Wait } else { OperationKind::Join };
    machine.visible(Operation::new(what, object)).inspect_err(|_| {
        // A step that finds out that it has to wait would be none.
        let interrupts = machine.scheduling.expects(Behaviour::Interrupts);
        if machine.scheduling.steps_singly() && what == OperationKind::Join && !interrupts {
            machine.state_mut(current).status = Status::Joining(object);
        }
    })
}

/// A thread lets go of what it had, and leaves its group. If that was a daemon group and this its last thread, the group
/// is destroyed.
fn exit(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let thread = arguments.object(0);
    let group = machine.known.thread_group.and_then(|offset| machine.heap.get_ref(thread, offset).some());
    let destroys = match group {
        Some(group) => thread_group::leave(machine, group, thread)?,
        None => false,
    };
    for &offset in &machine.known.thread_holdings {
        machine.heap.put_ref(thread, offset, Ref::NULL);
    }
    match group {
        Some(group) if destroys => thread_group::destroy(machine, group),
        _ => Ok(0),
    }
}

/// Lets others go first if the current thread has to: it may be waiting for them in a loop, or `must` for another reason.
fn pause(machine: &mut Machine, must: bool) -> Run<()> {
    if must || machine.scheduling.jumped_back || machine.scheduling.expects(Behaviour::Interrupts) {
        machine.leave_region();
        machine.visible(Operation::new(OperationKind::Pause, Ref::NULL))?;
    }
    Ok(())
}

fn give_way(machine: &mut Machine, _: Arguments) -> Run<u64> {
    pause(machine, false)?;
    Ok(0)
}

fn sleep(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let milliseconds = arguments.long(0);
    if milliseconds < 0 {
        return Err(Abrupt::raise("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    let current = machine.turn.thread;
    let interrupted = || Abrupt::raise("java/lang/InterruptedException", "sleep interrupted");
    let nanoseconds = milliseconds.saturating_mul(1_000_000);
    let until = machine.after(nanoseconds);
    // A thread that asks for its state sees it sleep.
    let is_seen = machine.scheduling.expects(Behaviour::AsksThreadState);
    let waits = machine.scheduling.waits_for_time(nanoseconds)
        || machine.has_hurried_enough(nanoseconds)
        || machine.threads.list[current].woken.is_some();
    if waits || until == NEVER || is_seen {
        if machine.threads.list[current].woken.is_none() && machine.take_interrupt(current) {
            return Err(interrupted());
        }
        return match machine.wait_or_go_on(Status::Sleeping { until })? {
            Woken::Interrupted => {
                machine.take_interrupt(current);
                Err(interrupted())
            }
            _ => Ok(0),
        };
    }
    // To sleep for some time is to let others go first. Time-outs may expire meanwhile.
    pause(machine, machine.scheduling.notices_sleep(nanoseconds))?;
    if machine.take_interrupt(current) {
        return Err(interrupted());
    }
    machine.note_sleep(nanoseconds);
    // Threads that let time pass do not notice each other.
    machine.note(Ref::NULL, ObjectPart::Clock, Mode::Read);
    machine.wait_until(until);
    Ok(0)
}

fn is_alive(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    if object != machine.threads.list[machine.turn.thread].object {
        machine.learn_behaviour(Behaviour::AsksThreadState);
        machine.visible(Operation::new(OperationKind::Ask, object))?;
    }
    let alive = machine.thread_of(object).is_some();
    if !alive {
        machine.observe_end(object);
    }
    Ok(alive.bits())
}

/// The owner of a lock of `java.util.concurrent`, which holds it as it would hold a monitor.
fn set_owner(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (lock, owner) = (arguments.object(0), arguments.object(1));
    let class = crate::machine::class::ClassId(machine.heap.class(lock));
    let offset = machine.offset_of(class, "exclusiveOwnerThread");
    let offset = offset.ok_or_else(|| Abrupt::unsupported("this JDK's AbstractOwnableSynchronizer"))?;
    let before = machine.heap.get_ref(lock, offset);
    machine.heap.put_ref(lock, offset, owner);
    if before != owner {
        let before = before.some().and_then(|before| machine.thread_of(before));
        let now = owner.some().and_then(|owner| machine.thread_of(owner));
        for (thread, taken) in [(before, false), (now, true)] {
            if let Some(thread) = thread {
                machine.note_lock(thread, lock, taken);
            }
        }
    }
    Ok(0)
}
