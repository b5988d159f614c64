//! `sojourner.Verify` and `gov.nasa.jpf.vm.Verify`: data choices and atomic sections of programs under test.
//!
//! The classes are ordinary Java, in `crates/java/verify`, and pick at random on an ordinary JVM. The machine brings
//! their class files along and answers the few methods that decide something. JPF's class is written in terms of ours.

use crate::machine::native::{Table, framed, leaf};
use crate::machine::visible::{Operation, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table { class: "sojourner/Output", methods: &[("emit(ZLjava/lang/String;)V", leaf(emit))] },
    Table {
        class: "sojourner/Verify",
        methods: &[
            ("pick(I)I", framed(pick)),
            ("beginAtomic()V", framed(begin_atomic)),
            ("endAtomic()V", framed(end_atomic)),
            ("ignoreIf(Z)V", framed(ignore_if)),
            ("isControlled()Z", leaf(|_, _| Ok(true.bits()))),
        ],
    },
];

/// What the program writes while it is explored.
fn emit(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let text = machine.text_of(arguments.object(1))?;
    machine.outcome.output.extend_from_slice(text.as_bytes());
    Ok(0)
}

/// One of so many values.
fn pick(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let count = u32::try_from(arguments.int(0)).ok().filter(|&count| count > 0);
    let count = count.ok_or_else(|| {
        Abrupt::raise("java/lang/IllegalArgumentException", "there is nothing to choose from")
    })?;
    let value = machine.choose(count)?;
    Ok((value as i32).bits())
}

fn begin_atomic(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let current = machine.turn.thread;
    if machine.threads.list[current].atomic == 0 {
        machine.visible(Operation::new(OperationKind::Pause, Ref::NULL))?;
    }
    machine.state_mut(current).atomic += 1;
    Ok(0)
}

/// Other threads may run again, once every section that was begun has ended.
fn end_atomic(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let atomic = &mut machine.state_mut(machine.turn.thread).atomic;
    *atomic = atomic.saturating_sub(1);
    machine.scheduling.may_perform = false;
    Ok(0)
}

fn ignore_if(_: &mut Machine, arguments: Arguments) -> Run<u64> {
    if arguments.int(0) != 0 { Err(Abrupt::Ignore) } else { Ok(0) }
}
