//! `java.lang.ThreadGroup` while a program is explored.
//!
//! The JDK counts and lists the threads of a group under a lock, so that states would differ in the order in which threads
//! come and go. The groups that were there at the start keep neither counts nor lists. Those of the program do: they can be
//! destroyed, and then refuse new threads.

use crate::machine::class::ClassId;
use crate::machine::native::{Table, framed};
use crate::machine::visible::{Behaviour, Operation, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/ThreadGroup",
    methods: &[
        ("addUnstarted()V", framed(add_unstarted)),
        ("add(Ljava/lang/Thread;)V", framed(add)),
        ("threadStartFailed(Ljava/lang/Thread;)V", framed(start_failed)),
        ("activeCount()I", framed(active_count)),
        ("enumerate([Ljava/lang/Thread;IZ)I", framed(enumerate)),
    ],
}];

/// Where a group has its fields.
struct Fields {
    threads: u32,
    count: u32,
    unstarted: u32,
    /// The groups below it and their number.
    groups: (u32, u32),
    daemon: u32,
    destroyed: u32,
}

impl Fields {
    fn of(machine: &Machine, group: Ref) -> Run<Fields> {
        let class = ClassId(machine.heap.class(group));
        let offset = |name| machine.offset_of(class, name).ok_or_else(unknown);
        Ok(Fields {
            threads: offset("threads")?,
            count: offset("nthreads")?,
            unstarted: offset("nUnstartedThreads")?,
            groups: (offset("groups")?, offset("ngroups")?),
            daemon: offset("daemon")?,
            destroyed: offset("destroyed")?,
        })
    }
}

fn unknown() -> Abrupt {
    Abrupt::unsupported("this JDK's java.lang.ThreadGroup")
}

/// Whether a group was there at the start.
fn is_given(machine: &Machine, group: Ref) -> bool {
    group.0 < machine.heap.split()
}

/// Takes the monitor of a group of the program, does something, and gives the monitor back.
fn synchronised<T>(
    machine: &mut Machine,
    group: Ref,
    what: impl FnOnce(&mut Machine, &Fields) -> Run<T>,
) -> Run<T> {
    let fields = Fields::of(machine, group)?;
    machine.enter_monitor(group)?;
    machine.note_unpredictable();
    let done = what(machine, &fields);
    machine.exit_monitor_now(group)?;
    done
}

/// A thread cannot join a group that is destroyed.
fn refuse_if_destroyed(machine: &Machine, group: Ref, fields: &Fields) -> Run<()> {
    match machine.heap.get_u8(group, fields.destroyed) {
        0 => Ok(()),
        _ => Err(Abrupt::bare("java/lang/IllegalThreadStateException")),
    }
}

fn count(machine: &mut Machine, group: Ref, offset: u32, more: i32) {
    let known = machine.heap.get_i32(group, offset);
    machine.heap.put_i32(group, offset, known + more);
}

/// A thread of the group was made.
fn add_unstarted(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let group = arguments.object(0);
    if is_given(machine, group) {
        return Ok(0);
    }
    synchronised(machine, group, |machine, fields| {
        refuse_if_destroyed(machine, group, fields)?;
        count(machine, group, fields.unstarted, 1);
        Ok(0)
    })
}

/// A thread of the group is started.
fn add(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (group, thread) = (arguments.object(0), arguments.object(1));
    if is_given(machine, group) {
        return Ok(0);
    }
    synchronised(machine, group, |machine, fields| {
        refuse_if_destroyed(machine, group, fields)?;
        let mut members = members(machine, group, fields);
        let known = members.len() as u32;
        let mut array = machine.heap.get_ref(group, fields.threads);
        if array.is_null() || machine.heap.length(array) == known {
            members.resize((known as usize * 2).max(4), Ref::NULL);
            array = machine.new_objects(machine.known.thread, &members)?;
            machine.heap.put_ref(group, fields.threads, array);
            machine.publish(group, fields.threads, array);
        }
        machine.heap.put_ref(array, ARRAY_DATA + 4 * known, thread);
        count(machine, group, fields.count, 1);
        count(machine, group, fields.unstarted, -1);
        Ok(0)
    })
}

fn start_failed(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (group, thread) = (arguments.object(0), arguments.object(1));
    if is_given(machine, group) {
        return Ok(0);
    }
    synchronised(machine, group, |machine, fields| {
        remove(machine, group, fields, thread);
        count(machine, group, fields.unstarted, 1);
        Ok(0)
    })
}

/// The threads of a group that have been started and have not left it.
fn members(machine: &Machine, group: Ref, fields: &Fields) -> Vec<Ref> {
    let array = machine.heap.get_ref(group, fields.threads);
    let known = machine.heap.get_i32(group, fields.count) as u32;
    (0..known).map(|index| machine.element(array, index)).collect()
}

fn remove(machine: &mut Machine, group: Ref, fields: &Fields, thread: Ref) {
    let mut left = members(machine, group, fields);
    let known = left.len();
    left.retain(|&member| member != thread);
    machine.heap.put_i32(group, fields.count, left.len() as i32);
    left.resize(known, Ref::NULL);
    let array = machine.heap.get_ref(group, fields.threads);
    for (index, &member) in left.iter().enumerate() {
        machine.heap.put_ref(array, ARRAY_DATA + 4 * index as u32, member);
    }
}

/// A thread leaves its group because it ends. Threads that wait until the group is empty are told. The answer is whether the
/// group is to be destroyed: then the thread holds its monitor until `destroy` is done.
pub fn leave(machine: &mut Machine, group: Ref, thread: Ref) -> Run<bool> {
    if is_given(machine, group) {
        return Ok(false);
    }
    synchronised(machine, group, |machine, fields| {
        remove(machine, group, fields, thread);
        let number = |offset| machine.heap.get_i32(group, offset);
        if number(fields.count) > 0 {
            return Ok(false);
        }
        let is_left = number(fields.unstarted) == 0 && number(fields.groups.1) == 0;
        machine.notify_without_holding(group, true)?;
        let destroys = is_left && machine.heap.get_u8(group, fields.daemon) != 0;
        if destroys {
            machine.enter_monitor(group)?;
        }
        Ok(destroys)
    })
}

/// Destroys a group whose monitor the current thread holds, and gives the monitor back.
pub fn destroy(machine: &mut Machine, group: Ref) -> Run<u64> {
    let class = ClassId(machine.heap.class(group));
    let method = machine.method_named(class, "destroy", "()V").ok_or_else(unknown)?;
    machine.call(method, &[group.bits()], Resume::Next)?;
    machine.threads.list[machine.turn.thread].top_mut().lock = group;
    Err(Abrupt::Called)
}

/// The threads of a group, and of the groups below it if they count. Those of a group that keeps no list are the ones that
/// have not ended.
fn threads_of(machine: &mut Machine, group: Ref, below: bool) -> Run<Vec<Ref>> {
    machine.learn_behaviour(Behaviour::AsksThreadState);
    if !is_given(machine, group) {
        return synchronised(machine, group, |machine, _| {
            let (mut threads, mut groups) = (Vec::new(), vec![group]);
            while let Some(group) = groups.pop() {
                let fields = Fields::of(machine, group)?;
                threads.extend(members(machine, group, &fields));
                if below {
                    let array = machine.heap.get_ref(group, fields.groups.0);
                    let known = machine.heap.get_i32(group, fields.groups.1) as u32;
                    groups.extend((0..known).rev().map(|index| machine.element(array, index)));
                }
            }
            Ok(threads)
        });
    }
    machine.visible(Operation::new(OperationKind::Ask, group))?;
    let of_thread = machine.offset_of(machine.known.thread, "group").ok_or_else(unknown)?;
    let parent = machine.offset_of(ClassId(machine.heap.class(group)), "parent").ok_or_else(unknown)?;
    let threads = machine.threads.list.iter().map(|thread| thread.object);
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
    let threads = threads_of(machine, arguments.object(0), true)?;
    Ok((threads.len() as i32).bits())
}

/// Writes as many of a group's living threads into an array as there is room for behind those that it has.
fn enumerate(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (group, list) = (arguments.object(0), arguments.object(1));
    let (first, below) = (arguments.int(2), arguments.int(3) != 0);
    if list.is_null() {
        return Err(Abrupt::null());
    }
    let mut living = threads_of(machine, group, below)?;
    living.retain(|&thread| machine.thread_of(thread).is_some());
    let room = machine.heap.length(list).saturating_sub(first as u32);
    let count = living.len().min(room as usize);
    for (index, &thread) in living[..count].iter().enumerate() {
        let offset = ARRAY_DATA + 4 * (first as u32 + index as u32);
        machine.heap.put_ref(list, offset, thread);
        machine.publish(list, offset, thread);
    }
    Ok((first + count as i32).bits())
}
