//! `java.lang.ref`: references that do not keep what they refer to.
//!
//! When garbage is found is the machine's own business, with one exception: a program that asks for a collection
//! (`System.gc`) wants to see what comes of it. There, and only there, weak references to what nothing else reaches are cleared
//! and put into their queues, by the thread that asked.

use crate::machine::class::ClassId;
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::visible::{Operation, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/ref/Reference",
        methods: &[
            ("refersTo0(Ljava/lang/Object;)Z", framed(refers_to)),
            ("clear0()V", framed(clear)),
            // No thread handles references.
            ("<clinit>()V", NOTHING),
            ("getAndClearReferencePendingList()Ljava/lang/ref/Reference;", leaf(|_, _| Ok(0))),
            ("hasReferencePendingList()Z", leaf(|_, _| Ok(0))),
        ],
    },
    // No thread waits for what has become garbage: such a thread would hide a deadlock.
    Table {
        class: "jdk/internal/ref/CleanerImpl",
        methods: &[(
            "start(Ljava/lang/ref/Cleaner;Ljava/util/concurrent/ThreadFactory;)V",
            framed(start_cleaner),
        )],
    },
    Table {
        class: "java/lang/ref/PhantomReference",
        methods: &[("refersTo0(Ljava/lang/Object;)Z", framed(refers_to))],
    },
    Table {
        class: "java/lang/ref/Finalizer",
        methods: &[("<clinit>()V", NOTHING), ("isFinalizationEnabled()Z", leaf(|_, _| Ok(0)))],
    },
    Table { class: "java/lang/Runtime", methods: &[("gc()V", framed(collect))] },
];

fn start_cleaner(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.note_cleaner();
    Ok(0)
}

/// Where a reference has what it refers to.
fn referent(machine: &Machine, reference: Ref) -> Run<u32> {
    let of = ClassId(machine.heap.class(reference));
    machine.offset_of(of, "referent").ok_or_else(|| Abrupt::unsupported("this JDK's java.lang.ref.Reference"))
}

fn refers_to(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let reference = arguments.object(0);
    let offset = referent(machine, reference)?;
    if machine.may_be_visible(reference) {
        machine.touch(reference, offset, OperationKind::Read)?;
    }
    Ok((machine.heap.get_ref(reference, offset) == arguments.object(1)).bits())
}

fn clear(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let reference = arguments.object(0);
    let offset = referent(machine, reference)?;
    if machine.may_be_visible(reference) {
        machine.touch(reference, offset, OperationKind::Write)?;
    }
    machine.heap.put_ref(reference, offset, Ref::NULL);
    Ok(0)
}

/// The program asks for a collection of garbage: weak references to what nothing else reaches are cleared, all at once,
/// and then put into their queues.
fn collect(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.turn.polls = 0;
    let dead = machine.weak_to_garbage();
    if dead.iter().any(|&reference| machine.may_be_visible(reference)) {
        machine.visible(Operation::new(OperationKind::Collect, Ref::NULL))?;
    }
    for &reference in &dead {
        let offset = referent(machine, reference)?;
        if machine.may_be_visible(reference) {
            // They are one visible operation, which has been granted.
            machine.scheduling.may_perform = true;
            machine.touch(reference, offset, OperationKind::Write)?;
        }
        machine.heap.put_ref(reference, offset, Ref::NULL);
    }
    machine.scheduling.may_perform &= dead.is_empty();
    // Those that are called later come to lie below, so that the first is put into its queue first.
    let mut called = false;
    for &reference in dead.iter().rev() {
        let of = ClassId(machine.heap.class(reference));
        let queue = machine.offset_of(of, "queue").map(|offset| machine.heap.get_ref(reference, offset));
        let Some(queue) = queue.and_then(Ref::some) else { continue };
        if machine.class_name(ClassId(machine.heap.class(queue))) == "java/lang/ref/ReferenceQueue$Null" {
            continue;
        }
        let class = machine.load(crate::machine::class::Loader::BOOT, "java/lang/ref/Reference")?;
        let method = machine.method_named(class, "enqueueFromPending", "()V");
        let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's java.lang.ref.Reference"))?;
        let resume = if called { Resume::Again } else { Resume::Next };
        machine.call(method, &[reference.bits()], resume)?;
        called = true;
    }
    if called { Err(Abrupt::Called) } else { Ok(0) }
}
