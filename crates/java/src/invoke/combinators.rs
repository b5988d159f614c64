//! Handles that branch, loop, catch and throw, and the handles that call handles.
//!
//! The JDK's code checks the arguments of a combinator and brings the types of its parts into line; what is made of them
//! is made here.

use super::handle_code::{HandleCode, Value, letters};
use super::method_handle::{call_variable, check_type};
use crate::classfile::Kind;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, MethodId};
use crate::machine::native::{Function, NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/invoke/MethodHandleImpl",
        methods: &[
            (
                "makeGuardWithTest(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
                leaf(guard_with_test),
            ),
            (
                "makeGuardWithCatch(Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
                leaf(guard_with_catch),
            ),
            (
                "makeTryFinally(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;Ljava/util/List;)Ljava/lang/invoke/MethodHandle;",
                leaf(try_finally),
            ),
            (
                "makeLoop(Ljava/lang/Class;Ljava/util/List;Ljava/util/List;Ljava/util/List;Ljava/util/List;Ljava/util/List;)Ljava/lang/invoke/MethodHandle;",
                framed(make_loop),
            ),
            (
                "makeTableSwitch(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;[Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
                leaf(table_switch),
            ),
            (
                "throwException(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
                leaf(throw_exception),
            ),
            ("makeCollector(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;", framed(collector)),
        ],
    },
    Table {
        class: "java/lang/invoke/MethodHandles",
        methods: &[
            ("makeIdentity(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;", framed(identity)),
            ("makeZero(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;", framed(zero)),
        ],
    },
    Table {
        class: "java/lang/invoke/Invokers",
        methods: &[
            (
                "invokeHandleForm(Ljava/lang/invoke/MethodType;ZI)Ljava/lang/invoke/LambdaForm;",
                leaf(invoker_form),
            ),
            (
                "varHandleMethodInvokerHandleForm(Ljava/lang/invoke/MethodType;Z)Ljava/lang/invoke/LambdaForm;",
                leaf(variable_invoker_form),
            ),
            ("maybeCompileToBytecode(Ljava/lang/invoke/MethodHandle;)V", NOTHING),
        ],
    },
];

fn guard_with_test(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let parts = [arguments.object(0), arguments.object(1), arguments.object(2)];
    let test = machine.type_of_handle(parts[0])?;
    let (tested, _) = machine.kinds_of_type(test)?;
    let of = machine.type_of_handle(parts[1])?;
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let key = format!("guard {} {}{}", tested.len(), letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let test = handle_code.operand(0);
        let values = handle_code.arguments[..tested.len()].to_vec();
        let answer = handle_code.call_handle(test, &values, Kind::Boolean)?;
        let jump = handle_code.builder.emit(Insn::wide(Op::IfEq, answer, 0));
        let target = handle_code.operand(1);
        handle_code.leave_by(target, returns)?;
        let otherwise = handle_code.builder.next();
        handle_code.builder.patch(jump, otherwise);
        let fallback = handle_code.operand(2);
        handle_code.leave_by(fallback, returns)
    })?;
    machine.new_handle(of, form, &parts).map(Bits::bits)
}

fn guard_with_catch(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let parts = [arguments.object(0), arguments.object(1), arguments.object(2)];
    let of = machine.type_of_handle(parts[0])?;
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let catcher = machine.type_of_handle(parts[2])?;
    let caught = machine.kinds_of_type(catcher)?.0.len();
    let key = format!("catch {caught} {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let exception = handle_code.register();
        let values = handle_code.arguments.clone();
        let target = handle_code.operand(0);
        let start = handle_code.builder.next();
        let result = handle_code.call_handle(target, &values, returns)?;
        let end = handle_code.builder.next();
        handle_code.leave(result, returns);
        let handler = handle_code.builder.next();
        handle_code.builder.catch(start, end, handler, exception);
        let class = handle_code.operand(1);
        let is = handle_code.call_java(
            "java/lang/Class",
            "isInstance",
            "(Ljava/lang/Object;)Z",
            &[(class, Kind::Reference), (exception, Kind::Reference)],
        )?;
        let jump = handle_code.builder.emit(Insn::wide(Op::IfNe, is, 0));
        handle_code.emit(Op::Throw, exception, 0, 0);
        let catches = handle_code.builder.next();
        handle_code.builder.patch(jump, catches);
        let catcher = handle_code.operand(2);
        let mut all = vec![(exception, Kind::Reference)];
        all.extend_from_slice(&values[..caught - 1]);
        let result = handle_code.call_handle(catcher, &all, returns)?;
        handle_code.leave(result, returns);
        Ok(())
    })?;
    machine.new_handle(of, form, &parts).map(Bits::bits)
}

fn try_finally(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let parts = [arguments.object(0), arguments.object(1)];
    let of = machine.type_of_handle(parts[0])?;
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let cleanup = machine.type_of_handle(parts[1])?;
    let cleaned = machine.kinds_of_type(cleanup)?.0.len();
    let key = format!("finally {cleaned} {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let exception = handle_code.register();
        let values = handle_code.arguments.clone();
        // The cleanup takes the exception, the result if there is one, and the arguments.
        let own = 1 + usize::from(returns != Kind::Void);
        let clean = |handle_code: &mut HandleCode, exception: u16, result: u16| {
            let cleanup = handle_code.operand(1);
            let mut all: Vec<Value> = vec![(exception, Kind::Reference), (result, returns)];
            all.truncate(own);
            all.extend_from_slice(&values[..cleaned - own]);
            handle_code.call_handle(cleanup, &all, returns)
        };
        let target = handle_code.operand(0);
        let start = handle_code.builder.next();
        let result = handle_code.call_handle(target, &values, returns)?;
        let end = handle_code.builder.next();
        let none = handle_code.zero(Kind::Reference);
        let result = clean(handle_code, none, result)?;
        handle_code.leave(result, returns);
        let handler = handle_code.builder.next();
        handle_code.builder.catch(start, end, handler, exception);
        let nothing = handle_code.zero(if returns == Kind::Void { Kind::Int } else { returns });
        clean(handle_code, exception, nothing)?;
        handle_code.emit(Op::Throw, exception, 0, 0);
        Ok(())
    })?;
    machine.new_handle(of, form, &parts).map(Bits::bits)
}

/// The parts of a loop come as lists; Java code makes arrays of them.
fn make_loop(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let key = "loop".to_string();
    let stub = match machine.tables.handles.detours.get(&key) {
        Some(&known) => known,
        None => {
            let last = native_method(
                machine,
                "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                loop_of_arrays,
            );
            // Register 0 has the class of the result, the arguments are the lists.
            let mut handle_code = HandleCode::new(machine, &[Kind::Reference; 5])?;
            let lists = handle_code.arguments.clone();
            let of = handle_code.call_java(
                "java/lang/invoke/MethodType",
                "methodType",
                "(Ljava/lang/Class;Ljava/util/List;)Ljava/lang/invoke/MethodType;",
                &[(0, Kind::Reference), lists[0]],
            )?;
            let mut parts = vec![(of, Kind::Reference)];
            for &list in &lists[1..] {
                let array = handle_code.call_java(
                    "java/lang/invoke/MethodHandleImpl",
                    "toArray",
                    "(Ljava/util/List;)[Ljava/lang/invoke/MethodHandle;",
                    &[list],
                )?;
                parts.push((array, Kind::Reference));
            }
            let site = handle_code.machine.call_site(last);
            let result = handle_code.call(Op::CallStatic, site, &parts);
            handle_code.leave(result, Kind::Reference);
            let stub = handle_code.finish(Kind::Reference);
            machine.tables.handles.detours.insert(key, stub);
            stub
        }
    };
    let values: Vec<u64> = (0..6).map(|slot| arguments.get(slot)).collect();
    machine.call(stub, &values, Resume::Next)?;
    Err(Abrupt::Called)
}

/// A method that is a function of the machine's.
fn native_method(machine: &mut Machine, descriptor: &str, function: Function) -> MethodId {
    let result = crate::classfile::method_shape(descriptor).map_or(0, |(slots, _)| slots);
    let mut builder = Builder::new(result + 2);
    builder.emit(Insn::new(Op::Native, result, 0, 0));
    builder.emit(Insn::new(Op::ReturnRef, result, 0, 0));
    let method = machine.make_method("native", descriptor, builder.finish());
    machine.method(method).native.set(Some(leaf(function)));
    method
}

/// A loop: its type, and arrays of what begins, steps, decides and ends its clauses.
fn loop_of_arrays(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let of = arguments.object(0);
    let parts = [arguments.object(1), arguments.object(2), arguments.object(3), arguments.object(4)];
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let clauses = machine.heap.length(parts[0]) as usize;
    let mut results = [Vec::new(), Vec::new()];
    for (part, results) in parts.iter().zip(&mut results) {
        for index in 0..clauses as u32 {
            let of = machine.type_of_handle(machine.element(*part, index))?;
            results.push(machine.kinds_of_type(of)?.1);
        }
    }
    let [begins, steps] = results;
    let key =
        format!("loop {} {} {}{}", letters(&begins), letters(&steps), letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let clause = |handle_code: &mut HandleCode, part: usize, index: usize| {
            let array = handle_code.operand(part);
            handle_code.element(array, index)
        };
        let outer = handle_code.arguments.clone();
        let mut all: Vec<Value> = Vec::new();
        for (index, &kind) in begins.iter().enumerate() {
            let handle = clause(handle_code, 0, index);
            let value = handle_code.call_handle(handle, &outer, kind)?;
            if kind != Kind::Void {
                let variable = handle_code.register();
                handle_code.emit(Op::Move, variable, value, 0);
                all.push((variable, kind));
            }
        }
        all.extend_from_slice(&outer);
        let top = handle_code.builder.next();
        let mut next = 0;
        for (index, &kind) in steps.iter().enumerate() {
            let step = clause(handle_code, 1, index);
            let value = handle_code.call_handle(step, &all, kind)?;
            if kind != Kind::Void {
                handle_code.emit(Op::Move, all[next].0, value, 0);
                next += 1;
            }
            let predicate = clause(handle_code, 2, index);
            let goes_on = handle_code.call_handle(predicate, &all, Kind::Boolean)?;
            let jump = handle_code.builder.emit(Insn::wide(Op::IfNe, goes_on, 0));
            let end = clause(handle_code, 3, index);
            let result = handle_code.call_handle(end, &all, returns)?;
            handle_code.leave(result, returns);
            let behind = handle_code.builder.next();
            handle_code.builder.patch(jump, behind);
        }
        handle_code.builder.emit(Insn::wide(Op::Goto, 0, top as u32));
        Ok(())
    })?;
    machine.new_handle(of, form, &parts).map(Bits::bits)
}

fn table_switch(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (of, parts) = (arguments.object(0), [arguments.object(1), arguments.object(2)]);
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let key = format!("switch {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let number = handle_code.arguments[0].0;
        let cases = handle_code.operand(1);
        let (length, handle) = (handle_code.register(), handle_code.register());
        handle_code.emit(Op::ArrayLength, length, cases, 0);
        let below = handle_code.builder.emit(Insn::wide(Op::IfLt, number, 0));
        let above = handle_code.emit(Op::IfIGe, number, length, 0);
        handle_code.emit(Op::LoadRef, handle, cases, number);
        handle_code.leave_by(handle, returns)?;
        let otherwise = handle_code.builder.next();
        handle_code.builder.patch(below, otherwise);
        handle_code.builder.patch(above, otherwise);
        let default = handle_code.operand(0);
        handle_code.leave_by(default, returns)
    })?;
    machine.new_handle(of, form, &parts).map(Bits::bits)
}

fn throw_exception(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let of = arguments.object(0);
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let key = format!("throw {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        handle_code.emit(Op::Throw, 1, 0, 0);
        Ok(())
    })?;
    machine.new_handle(of, form, &[]).map(Bits::bits)
}

/// A handle that puts its arguments into a new array.
fn collector(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let count = arguments.int(1) as usize;
    let Some((component, kind)) = machine.class(class).component() else {
        return Err(Abrupt::raise("java/lang/InternalError", "not a class of arrays"));
    };
    let mut classes = vec![class];
    classes.resize(count + 1, component);
    let of = machine.type_of_classes(&classes)?;
    let key = format!("array {} {count}", class.0);
    let form = machine.form(key, &vec![kind; count], Kind::Reference, |handle_code| {
        let (array, length) = (handle_code.register(), handle_code.register());
        handle_code.builder.constant(length, count as u64);
        new_array(handle_code, array, length, class, kind)?;
        for (index, (register, _)) in handle_code.arguments.clone().into_iter().enumerate() {
            let place = handle_code.register();
            handle_code.builder.constant(place, index as u64);
            handle_code.emit(store(kind), array, place, register);
        }
        handle_code.leave(array, Kind::Reference);
        Ok(())
    })?;
    machine.new_handle(of, form, &[]).map(Bits::bits)
}

fn new_array(handle_code: &mut HandleCode, array: u16, length: u16, class: ClassId, kind: Kind) -> Run<()> {
    if kind != Kind::Reference {
        handle_code.emit(Op::NewPrimitives, array, length, kind as u16);
        return Ok(());
    }
    let number = u16::try_from(class.0).map_err(|_| Abrupt::unsupported("more than 65535 classes"))?;
    handle_code.emit(Op::NewArrayOf, array, length, number);
    Ok(())
}

/// The instruction that writes an element of a kind.
fn store(kind: Kind) -> Op {
    match kind.size() {
        1 => Op::Store8,
        2 => Op::Store16,
        8 => Op::Store64,
        _ if kind == Kind::Reference => Op::StoreRef,
        _ => Op::Store32,
    }
}

fn identity(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let of = machine.type_of_classes(&[class, class])?;
    let kind = machine.kind_of_class(class);
    let form = machine.form(format!("identity {}", kind.letter()), &[kind], kind, |handle_code| {
        handle_code.leave(1, kind);
        Ok(())
    })?;
    machine.new_handle(of, form, &[]).map(Bits::bits)
}

fn zero(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let of = machine.type_of_classes(&[class])?;
    let kind = machine.kind_of_class(class);
    let form = machine.form(format!("zero {}", kind.letter()), &[], kind, |handle_code| {
        let register = handle_code.zero(kind);
        handle_code.leave(register, kind);
        Ok(())
    })?;
    machine.new_handle(of, form, &[]).map(Bits::bits)
}

/// The number that `MethodTypeForm` has for the form of exact invokers; other invokers convert.
const EXACT_INVOKER: i32 = 11;

/// The form of handles that call their first argument, of a type that they keep.
fn invoker_form(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let exact = arguments.int(2) == EXACT_INVOKER;
    let (kinds, returns) = machine.kinds_of_type(arguments.object(0))?;
    let mut parameters = vec![Kind::Reference];
    parameters.extend_from_slice(&kinds);
    let key = format!("invoke {exact} {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &parameters, returns, |handle_code| {
        let wanted = handle_code.bound();
        let checked = check_type(handle_code, exact, &[(1, Kind::Reference), (wanted, Kind::Reference)])?;
        if checked != 1 {
            handle_code.emit(Op::Move, 1, checked, 0);
        }
        let site = handle_code.machine.basic_site(&kinds, returns)?;
        handle_code.builder.emit(Insn::wide(Op::CallPolymorphic, 1, site));
        handle_code.leave(1, returns);
        Ok(())
    })?;
    Ok(form.bits())
}

/// The form of handles that access the variable of their first argument; they keep what is done with it.
fn variable_invoker_form(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let exact = arguments.int(1) != 0;
    let (kinds, returns) = machine.kinds_of_type(arguments.object(0))?;
    let mut parameters = vec![Kind::Reference];
    parameters.extend_from_slice(&kinds);
    let key = format!("variable {exact} {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &parameters, returns, |handle_code| {
        let access = handle_code.bound();
        let result = call_variable(handle_code, 1, access, exact, &kinds, returns)?;
        handle_code.leave(result, returns);
        Ok(())
    })?;
    Ok(form.bits())
}
