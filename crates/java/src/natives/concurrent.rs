//! Methods of threads and locks that are done differently while a program is explored: where the JDK counts and registers
//! threads under locks of its own, states would differ, and threads wait, for no reason that matters to the program.

use super::{NOTHING, Table, framed, leaf};
use crate::explore::{Habit, Part, Pending, What};
use crate::machine::clock::NEVER;
use crate::machine::{Arguments, Bits, Machine, Run, Status, Trouble, Woken};
use crate::memory::Ref;
use sojourner_program::Mode;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Thread",
        methods: &[
            ("nextThreadNum()I", leaf(next_number)),
            ("nextThreadID()J", leaf(next_id)),
            ("exit()V", leaf(exit)),
            ("join()V", framed(join)),
            ("sleep(J)V", framed(sleep)),
            ("yield()V", framed(give_way)),
            ("onSpinWait()V", framed(give_way)),
            ("isAlive()Z", framed(is_alive)),
        ],
    },
    Table {
        class: "java/lang/ThreadGroup",
        methods: &[
            ("addUnstarted()V", NOTHING),
            ("add(Ljava/lang/Thread;)V", leaf(add_to_group)),
            ("threadStartFailed(Ljava/lang/Thread;)V", leaf(remove_from_group)),
            ("threadTerminated(Ljava/lang/Thread;)V", leaf(remove_from_group)),
            ("activeCount()I", framed(active_count)),
            ("enumerate([Ljava/lang/Thread;IZ)I", framed(enumerate)),
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
    machine.threads_named += 1;
    Ok((machine.threads_named - 1).bits())
}

/// Threads are numbered in the order in which they are made, whoever makes them. As long as that is the main thread alone,
/// nobody else looks.
fn note_names(machine: &mut Machine) {
    machine.note(Ref::NULL, Part::Names, Mode::Write);
    if machine.current != 0 {
        machine.goes_by_what_it_finds();
    }
}

fn next_id(machine: &mut Machine, _: Arguments) -> Run<u64> {
    note_names(machine);
    machine.threads_made += 1;
    Ok((i64::from(machine.threads_made) + FIRST_ID).bits())
}

/// The threads of the JDK itself have the identifiers up to this one.
const FIRST_ID: i64 = 10;

fn join(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    let current = machine.current;
    if let Some(woken) = machine.threads[current].woken {
        machine.standing(current).woken = None;
        if woken == Woken::Interrupted {
            machine.take_interrupt(current);
            return Err(Trouble::bare("java/lang/InterruptedException"));
        }
    }
    // A thread that was not started yet may be so by then.
    let unstarted = machine.heap.get_i32(object, machine.known.thread_status) == 0;
    if unstarted {
        machine.learn_habit(Habit::Asks);
    }
    if unstarted || machine.watch.is_looked_at() || !machine.watch.has_movers() {
        let visible = machine.visible(Pending::new(What::Join, object));
        visible.inspect_err(|_| {
            // A step that finds out that it has to wait would be none.
            if machine.watch.steps_singly() && !machine.is_interrupted(current) {
                machine.standing(current).status = Status::Joining(object);
            }
        })?;
    }
    if machine.take_interrupt(current) {
        return Err(Trouble::bare("java/lang/InterruptedException"));
    }
    let free = machine.holder(object).is_none_or(|(holder, _)| holder == current);
    if machine.thread_of(object).is_none() && free {
        machine.see_end(object);
        return Ok(0);
    }
    machine.standing(current).status = Status::Joining(object);
    Err(Trouble::Blocked)
}

/// Where a group of threads has its members: the array and their number.
fn members(machine: &Machine, group: Ref) -> Run<(u32, u32)> {
    let class = crate::class::ClassId(machine.heap.class(group));
    let offsets = (machine.offset_of(class, "threads"), machine.offset_of(class, "nthreads"));
    match offsets {
        (Some(threads), Some(count)) => Ok((threads, count)),
        _ => Err(Trouble::unsupported("this JDK's java.lang.ThreadGroup")),
    }
}

/// A thread joins its group. The groups that were there at the start keep no list: the order in which threads come and go
/// would tell states apart, and nobody asks.
fn add_to_group(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (group, thread) = (arguments.object(0), arguments.object(1));
    if group.0 < machine.heap.split() {
        return Ok(0);
    }
    machine.note_exotic();
    let (threads, count) = members(machine, group)?;
    let known = machine.heap.get_i32(group, count) as u32;
    let mut array = machine.heap.get_ref(group, threads);
    if array.is_null() || machine.heap.length(array) == known {
        let mut objects: Vec<Ref> = (0..known).map(|index| machine.element(array, index)).collect();
        objects.resize((known as usize * 2).max(4), Ref::NULL);
        array = machine.new_objects(machine.known.thread, &objects)?;
        machine.heap.put_ref(group, threads, array);
        machine.publish(group, threads, array);
    }
    machine.heap.put_ref(array, crate::memory::ARRAY_DATA + 4 * known, thread);
    machine.heap.put_i32(group, count, known as i32 + 1);
    Ok(0)
}

fn remove_from_group(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    leave_group(machine, arguments.object(0), arguments.object(1))
}

/// A thread lets go of what it had: of no interest to others, and so no scheduling point.
fn exit(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let thread = arguments.object(0);
    let group = machine.known.thread_group.and_then(|offset| machine.heap.get_ref(thread, offset).some());
    if let Some(group) = group {
        leave_group(machine, group, thread)?;
    }
    for &offset in &machine.known.thread_holdings {
        machine.heap.put_ref(thread, offset, Ref::NULL);
    }
    Ok(0)
}

fn leave_group(machine: &mut Machine, group: Ref, thread: Ref) -> Run<u64> {
    if group.0 < machine.heap.split() {
        return Ok(0);
    }
    machine.note_exotic();
    let (threads, count) = members(machine, group)?;
    let known = machine.heap.get_i32(group, count) as u32;
    let array = machine.heap.get_ref(group, threads);
    let mut left: Vec<Ref> = (0..known).map(|index| machine.element(array, index)).collect();
    left.retain(|&member| member != thread);
    machine.heap.put_i32(group, count, left.len() as i32);
    left.resize(known as usize, Ref::NULL);
    for (index, &member) in left.iter().enumerate() {
        machine.heap.put_ref(array, crate::memory::ARRAY_DATA + 4 * index as u32, member);
    }
    machine.notify_without_holding(group, true)?;
    Ok(0)
}

/// The threads of a group that have not ended, and of the groups below it if they count.
fn living(machine: &mut Machine, group: Ref, below: bool) -> Run<Vec<Ref>> {
    machine.learn_habit(Habit::Asks);
    machine.visible(Pending::new(What::Ask, group))?;
    let of_thread = machine.offset_of(machine.known.thread, "group");
    let class = crate::class::ClassId(machine.heap.class(group));
    let parent = machine.offset_of(class, "parent");
    let (Some(of_thread), Some(parent)) = (of_thread, parent) else {
        return Err(Trouble::unsupported("this JDK's java.lang.ThreadGroup"));
    };
    let threads = machine.threads.iter().map(|thread| thread.object);
    let living = threads.filter(|&thread| machine.thread_of(thread).is_some()).filter(|&thread| {
        let mut at = machine.heap.get_ref(thread, of_thread);
        while below && !at.is_null() && at != group {
            at = machine.heap.get_ref(at, parent);
        }
        at == group
    });
    Ok(living.collect())
}

fn active_count(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let living = living(machine, arguments.object(0), true)?;
    Ok((living.len() as i32).bits())
}

/// Writes as many of a group's threads into an array as there is room for behind those that it has.
fn enumerate(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (group, list) = (arguments.object(0), arguments.object(1));
    let (first, below) = (arguments.int(2), arguments.int(3) != 0);
    if list.is_null() {
        return Err(Trouble::bare("java/lang/NullPointerException"));
    }
    let living = living(machine, group, below)?;
    let room = machine.heap.length(list).saturating_sub(first as u32);
    let count = living.len().min(room as usize);
    for (index, &thread) in living[..count].iter().enumerate() {
        let offset = crate::memory::ARRAY_DATA + 4 * (first as u32 + index as u32);
        machine.heap.put_ref(list, offset, thread);
        machine.publish(list, offset, thread);
    }
    Ok((first + count as i32).bits())
}

/// Lets others go first if the current thread has to: it may be waiting for them in a loop, or `must` for another reason.
fn pause(machine: &mut Machine, must: bool) -> Run<()> {
    if must || machine.watch.looped || machine.watch.habits[Habit::Interrupts as usize] {
        machine.leave_region();
        machine.visible(Pending::new(What::Pause, Ref::NULL))?;
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
        return Err(Trouble::raise("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    let current = machine.current;
    let interrupted = || Trouble::raise("java/lang/InterruptedException", "sleep interrupted");
    let nanoseconds = milliseconds.saturating_mul(1_000_000);
    let until = machine.after(nanoseconds);
    // Whoever asks what it is doing sees it sleep.
    let is_seen = machine.watch.habits[Habit::Asks as usize];
    if machine.watch.waits_for_time(nanoseconds) || until == NEVER || is_seen {
        if machine.threads[current].woken.is_none() && machine.take_interrupt(current) {
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
    pause(machine, machine.watch.notices_sleep(nanoseconds))?;
    if machine.take_interrupt(current) {
        return Err(interrupted());
    }
    // Those who let time pass do not notice each other.
    machine.note(Ref::NULL, Part::Clock, Mode::Read);
    machine.pass_until(until);
    Ok(0)
}

fn is_alive(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    if object != machine.threads[machine.current].object {
        machine.learn_habit(Habit::Asks);
        machine.visible(Pending::new(What::Ask, object))?;
    }
    let alive = machine.thread_of(object).is_some();
    if !alive {
        machine.see_end(object);
    }
    Ok(alive.bits())
}

/// The owner of a lock of `java.util.concurrent`, which holds it as it would hold a monitor.
fn set_owner(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (lock, owner) = (arguments.object(0), arguments.object(1));
    let class = crate::class::ClassId(machine.heap.class(lock));
    let offset = machine.offset_of(class, "exclusiveOwnerThread");
    let offset = offset.ok_or_else(|| Trouble::unsupported("this JDK's AbstractOwnableSynchronizer"))?;
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
