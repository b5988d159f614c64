//! Cleaners of the JDK while a program is explored.
//!
//! The JDK keeps a list of all open files and of all buffers outside of its heap, in order to give them back when they are
//! garbage. That never happens here. The list would make each of these objects one that every thread can reach, and the order
//! of its entries would tell states apart. So an object is not put into the list, and remembers by itself that it is to be
//! cleaned once. Cleaners that the program makes are ordinary Java.

use crate::machine::class::ClassId;
use crate::machine::native::{NOTHING, Table, leaf, wrapping};
use crate::machine::visible::OperationKind;
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "jdk/internal/ref/PhantomCleanable",
        methods: &[("insert()V", wrapping(insert)), ("remove()Z", wrapping(remove))],
    },
    Table {
        class: "jdk/internal/ref/Cleaner",
        methods: &[
            ("add(Ljdk/internal/ref/Cleaner;)Ljdk/internal/ref/Cleaner;", leaf(|_, a| Ok(a.get(0)))),
            ("remove(Ljdk/internal/ref/Cleaner;)Z", leaf(|m, a| take_out(m, a.object(0)))),
        ],
    },
    // How much memory buffers have is counted for all threads together.
    Table {
        class: "java/nio/Bits",
        methods: &[("reserveMemory(JJ)V", NOTHING), ("unreserveMemory(JJ)V", NOTHING)],
    },
];

/// Whether an object goes by the list that is there from the start.
fn is_of_jdk(machine: &Machine, cleanable: Ref) -> bool {
    machine.ref_in(cleanable, "list").0 < machine.heap.split()
}

/// An object that is to be cleaned does not refer to itself as the next one.
fn insert(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let cleanable = arguments.object(0);
    if !is_of_jdk(machine, cleanable) {
        return Err(machine.call_original(arguments));
    }
    let list = machine.ref_in(cleanable, "list");
    machine.set_ref(cleanable, "next", list);
    Ok(0)
}

fn remove(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let cleanable = arguments.object(0);
    // What was there before the program was explored is in the list.
    let is_linked = machine.ref_in(cleanable, "prev") != cleanable;
    if is_linked || !is_of_jdk(machine, cleanable) {
        return Err(machine.call_original(arguments));
    }
    take_out(machine, cleanable)
}

/// Whether an object was still to be cleaned: from now on it is not.
fn take_out(machine: &mut Machine, cleanable: Ref) -> Run<u64> {
    if cleanable.is_null() {
        return Err(Abrupt::null());
    }
    let offset = machine.offset_of(ClassId(machine.heap.class(cleanable)), "next");
    let offset = offset.ok_or_else(|| Abrupt::unsupported("this JDK's cleaners"))?;
    if machine.may_be_visible(cleanable) {
        machine.touch(cleanable, offset, OperationKind::Update)?;
    }
    let is_due = machine.heap.get_ref(cleanable, offset) != cleanable;
    if is_due {
        machine.heap.put_ref(cleanable, offset, cleanable);
    }
    Ok(is_due.bits())
}
