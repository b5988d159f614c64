//! `java.lang.StackWalker`.
//!
//! A walk goes from the walker's own frames down. Where it stands is the number of frames below, kept in the walker's
//! `anchor`; those frames stay as they are until the walk is over.

use crate::classfile::{Kind, access};
use crate::machine::class::{ClassId, MethodId};
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/StackStreamFactory",
        methods: &[("checkStackWalkModes()Z", leaf(|_, _| Ok(1)))],
    },
    Table {
        class: "java/lang/StackStreamFactory$AbstractStackWalker",
        methods: &[
            ("callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;", framed(begin)),
            ("fetchStackFrames(JJII[Ljava/lang/Object;)I", framed(fetch)),
        ],
    },
    // A frame holds what the machine knows of it in the place of a `MemberName`.
    Table {
        class: "java/lang/StackFrameInfo",
        methods: &[
            ("<clinit>()V", NOTHING),
            ("<init>(Ljava/lang/StackWalker;)V", leaf(new_frame)),
            ("declaringClass()Ljava/lang/Class;", leaf(declaring_class)),
            ("getMethodName()Ljava/lang/String;", leaf(method_name)),
            ("getDescriptor()Ljava/lang/String;", leaf(descriptor)),
            ("getMethodType()Ljava/lang/invoke/MethodType;", framed(method_type)),
            ("isNativeMethod()Z", leaf(is_native)),
        ],
    },
    Table {
        class: "java/lang/StackTraceElement",
        methods: &[(
            "initStackTraceElement(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
            framed(stack_trace_element),
        )],
    },
];

const CLASSES_ONLY: i64 = 0x2;
const SHOW_HIDDEN: i64 = 0x20;

fn begin(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (walker, mode, skip) = (arguments.object(0), arguments.long(1), arguments.int(3));
    let (batch, start, buffer) = (arguments.int(4), arguments.int(5), arguments.object(6));
    let frames = &machine.threads.list[machine.turn.thread].frames;
    let mut below = frames.len();
    // The frames of the walk itself are those of walkers, from the top on.
    while below > 0 && is_walker(machine, machine.method(frames[below - 1].method).class) {
        below -= 1;
    }
    let mut left = skip;
    while below > 0 && left > 0 {
        below -= 1;
        if !machine.method(frames[below].method).marks.hidden {
            left -= 1;
        }
    }
    let (below, end) = fill(machine, mode, below, batch, start, buffer)?;
    let anchor = below as i64 + 1;
    let of = ClassId(machine.heap.class(walker));
    let walk = machine.method_named(of, "doStackWalk", "(JIIII)Ljava/lang/Object;");
    let walk = walk.ok_or_else(|| Abrupt::unsupported("this JDK's StackWalker"))?;
    let numbers = [skip, batch, start, end].map(Bits::bits);
    let slots = [walker.bits(), anchor.bits(), 0, numbers[0], numbers[1], numbers[2], numbers[3]];
    machine.call(walk, &slots, Resume::Next)?;
    Err(Abrupt::Called)
}

fn is_walker(machine: &Machine, class: ClassId) -> bool {
    let name = machine.class_name(class);
    name == "java/lang/StackWalker" || name.starts_with("java/lang/StackStreamFactory")
}

fn fetch(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (walker, mode, anchor) = (arguments.object(0), arguments.long(1), arguments.long(3));
    let (batch, start, buffer) = (arguments.int(5), arguments.int(6), arguments.object(7));
    let (below, end) = fill(machine, mode, anchor as usize - 1, batch, start, buffer)?;
    machine.set_long(walker, "anchor", below as i64 + 1);
    Ok(end.bits())
}

/// Fills a buffer from an index on with frames below a number of them: how many are left, and the end in the buffer.
fn fill(
    machine: &mut Machine,
    mode: i64,
    mut below: usize,
    batch: i32,
    start: i32,
    buffer: Ref,
) -> Run<(usize, i32)> {
    let mut index = start;
    while below > 0 && index < start + batch && (index as u32) < machine.heap.length(buffer) {
        below -= 1;
        let frame = machine.threads.list[machine.turn.thread].frames[below];
        if machine.method(frame.method).marks.hidden && mode & SHOW_HIDDEN == 0 {
            continue;
        }
        let at = ARRAY_DATA + 4 * index as u32;
        if mode & CLASSES_ONLY != 0 {
            let mirror = machine.class(machine.method(frame.method).class).mirror;
            machine.heap.put_ref(buffer, at, mirror);
        } else {
            let object = machine.heap.get_ref(buffer, at);
            let bci = machine.bci(frame.method, frame.pc);
            let known = machine.new_array(machine.known.primitive_arrays[Kind::Int as usize], 1)?;
            machine.heap.put_u32(known, ARRAY_DATA, frame.method.0);
            machine.set_ref(object, "memberName", known);
            machine.set_int(object, "bci", i32::from(bci));
        }
        index += 1;
    }
    Ok((below, index))
}

fn new_frame(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let walker = arguments.object(1);
    let retain = machine.boolean_in(walker, "retainClassRef");
    machine.set_boolean(arguments.object(0), "retainClassRef", retain);
    Ok(0)
}

/// The method that a frame stands for.
fn method(machine: &Machine, arguments: Arguments) -> Run<MethodId> {
    let known = machine.ref_in(arguments.object(0), "memberName");
    if known.is_null() {
        return Err(Abrupt::null());
    }
    Ok(MethodId(machine.heap.get_u32(known, ARRAY_DATA)))
}

fn declaring_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.method(method(machine, arguments)?).class;
    Ok(machine.class(class).mirror.bits())
}

fn method_name(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.classes.symbols.shared(machine.method(method(machine, arguments)?).name);
    machine.new_string(&name).map(Bits::bits)
}

fn descriptor(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = machine.classes.symbols.shared(machine.method(method(machine, arguments)?).descriptor);
    machine.new_string(&descriptor).map(Bits::bits)
}

fn method_type(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let method = machine.method(method(machine, arguments)?);
    let class = method.class;
    let descriptor = machine.classes.symbols.shared(method.descriptor);
    machine.method_type(class, &descriptor).map(Bits::bits)
}

fn is_native(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(machine.method(method(machine, arguments)?).is(access::NATIVE).bits())
}

fn stack_trace_element(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (element, frame) = (arguments.object(0), arguments.object(1));
    let known = machine.ref_in(frame, "memberName");
    let method = MethodId(machine.heap.get_u32(known, ARRAY_DATA));
    let bci = machine.int_in(frame, "bci") as u16;
    machine.fill_stack_trace_element(element, method, bci).map(Bits::bits)
}
