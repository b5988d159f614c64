//! `LambdaFormEditor` and `BoundMethodHandle`: the operations that the JDK's combinators are made of.
//!
//! An edit that only rearranges arguments gives a form that calls the code of the old one with the same handle. An edit
//! that brings another handle with it gives the form of a new handle, whose operands are the old handle and the other.

use super::handle_code::{HandleCode, Value, letters};
use crate::classfile::Kind;
use crate::code::Op;
use crate::machine::class::{ClassId, MethodId};
use crate::machine::native::{Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/invoke/LambdaFormEditor",
        methods: &[
            (
                "addArgumentForm(ILjava/lang/invoke/LambdaForm$BasicType;)Ljava/lang/invoke/LambdaForm;",
                leaf(add_argument),
            ),
            ("dupArgumentForm(II)Ljava/lang/invoke/LambdaForm;", leaf(duplicate_argument)),
            ("permuteArgumentsForm(I[I)Ljava/lang/invoke/LambdaForm;", leaf(permute_arguments)),
            ("spreadArgumentsForm(ILjava/lang/Class;I)Ljava/lang/invoke/LambdaForm;", leaf(spread_arguments)),
            (
                "collectArgumentsForm(ILjava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;",
                leaf(collect_arguments),
            ),
            (
                "filterArgumentForm(ILjava/lang/invoke/LambdaForm$BasicType;)Ljava/lang/invoke/LambdaForm;",
                leaf(filter_argument),
            ),
            (
                "filterRepeatedArgumentForm(Ljava/lang/invoke/LambdaForm$BasicType;[I)Ljava/lang/invoke/LambdaForm;",
                leaf(filter_repeated),
            ),
            (
                "filterReturnForm(Ljava/lang/invoke/LambdaForm$BasicType;Z)Ljava/lang/invoke/LambdaForm;",
                leaf(filter_return),
            ),
            (
                "collectReturnValueForm(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;",
                leaf(collect_return),
            ),
            (
                "foldArgumentsForm(IZLjava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;",
                leaf(fold_arguments),
            ),
        ],
    },
    Table {
        class: "java/lang/invoke/BoundMethodHandle",
        methods: &[
            ("rebind()Ljava/lang/invoke/BoundMethodHandle;", leaf(|_, arguments| Ok(arguments.get(0)))),
            (
                "makeReinvoker(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/BoundMethodHandle;",
                leaf(make_reinvoker),
            ),
            (
                "bindArgumentL(ILjava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
                framed(|machine, arguments| bind(machine, arguments, arguments.object(2))),
            ),
            ("bindArgumentI(II)Ljava/lang/invoke/BoundMethodHandle;", framed(bind_primitive)),
            ("bindArgumentJ(IJ)Ljava/lang/invoke/BoundMethodHandle;", framed(bind_primitive)),
            ("bindArgumentF(IF)Ljava/lang/invoke/BoundMethodHandle;", framed(bind_primitive)),
            ("bindArgumentD(ID)Ljava/lang/invoke/BoundMethodHandle;", framed(bind_primitive)),
        ],
    },
    Table {
        class: "java/lang/invoke/BoundMethodHandle$Species_L",
        methods: &[(
            "copyWithExtendL(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;Ljava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
            leaf(extend),
        )],
    },
    Table {
        class: "java/lang/invoke/DelegatingMethodHandle",
        methods: &[(
            "chooseDelegatingForm(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/LambdaForm;",
            leaf(delegating_form),
        )],
    },
];

/// A form that is being edited.
struct Edited {
    method: MethodId,
    parameters: Vec<Kind>,
    returns: Kind,
}

fn edited(machine: &mut Machine, arguments: Arguments) -> Run<Edited> {
    let editor = arguments.object(0);
    let offset = machine.offset_of(ClassId(machine.heap.class(editor)), "lambdaForm");
    let form = offset.map_or(Ref::NULL, |offset| machine.heap.get_ref(editor, offset));
    let (method, parameters, returns) = machine.kinds_of_form(form)?;
    Ok(Edited { method, parameters, returns })
}

impl Edited {
    fn key(&self, what: &str) -> String {
        format!("{what} of {}", self.method.0)
    }

    /// The same for edits that bring a handle: they call the old handle, whatever its code.
    fn wrapped(&self, what: &str) -> String {
        format!("{what} {}{}", letters(&self.parameters), self.returns.letter())
    }

    /// Goes on with the code of the old form.
    fn go_on(&self, handle_code: &mut HandleCode, arguments: &[Value]) -> u16 {
        let site = handle_code.machine.call_site(self.method);
        let mut all = vec![(0, Kind::Reference)];
        all.extend_from_slice(arguments);
        handle_code.call(Op::CallStatic, site, &all)
    }
}

/// The kind that a `LambdaForm.BasicType` stands for.
fn basic_kind(machine: &Machine, basic: Ref) -> Run<Kind> {
    if basic.is_null() {
        return Err(Abrupt::null());
    }
    let offset = machine.offset_of(ClassId(machine.heap.class(basic)), "ordinal");
    let ordinal = offset.map_or(0, |offset| machine.heap.get_u32(basic, offset));
    let kinds = [Kind::Reference, Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Void];
    Ok(kinds[ordinal as usize % kinds.len()])
}

fn ints(machine: &Machine, array: Ref) -> Vec<usize> {
    let count = machine.heap.length(array);
    (0..count).map(|index| machine.heap.get_u32(array, ARRAY_DATA + 4 * index) as usize).collect()
}

/// Positions count the handle; arguments do not.
fn position(arguments: Arguments, slot: u16) -> usize {
    arguments.int(slot).max(1) as usize - 1
}

fn add_argument(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let (at, kind) = (position(arguments, 1), basic_kind(machine, arguments.object(2))?);
    let mut parameters = old.parameters.clone();
    parameters.insert(at.min(old.parameters.len()), kind);
    let key = old.key(&format!("add {at}{}", kind.letter()));
    let form = machine.form(key, &parameters, old.returns, |handle_code| {
        let mut values = handle_code.arguments.clone();
        values.remove(at);
        let result = old.go_on(handle_code, &values);
        handle_code.leave(result, old.returns);
        Ok(())
    })?;
    Ok(form.bits())
}

fn duplicate_argument(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let (from, to) = (position(arguments, 1), position(arguments, 2));
    let mut parameters = old.parameters.clone();
    parameters.remove(to);
    let form = machine.form(
        old.key(&format!("duplicate {from} {to}")),
        &parameters,
        old.returns,
        |handle_code| {
            let mut values = handle_code.arguments.clone();
            let value = values[if from < to { from } else { from - 1 }];
            values.insert(to, value);
            let result = old.go_on(handle_code, &values);
            handle_code.leave(result, old.returns);
            Ok(())
        },
    )?;
    Ok(form.bits())
}

fn permute_arguments(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let order = ints(machine, arguments.object(2));
    let mut parameters = old.parameters.clone();
    for (to, &from) in order.iter().enumerate() {
        parameters[from] = old.parameters[to];
    }
    let form =
        machine.form(old.key(&format!("permute {order:?}")), &parameters, old.returns, |handle_code| {
            let values: Vec<Value> = order.iter().map(|&from| handle_code.arguments[from]).collect();
            let result = old.go_on(handle_code, &values);
            handle_code.leave(result, old.returns);
            Ok(())
        })?;
    Ok(form.bits())
}

fn spread_arguments(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let (at, length) = (position(arguments, 1), arguments.int(3) as usize);
    let class = machine.class_of_mirror(arguments.object(2));
    let kind = machine.class(class).component().map_or(Kind::Reference, |(_, kind)| kind);
    let mut parameters = old.parameters.clone();
    parameters.splice(at..at + length, [Kind::Reference]);
    let key = old.key(&format!("spread {at} {length} {}", kind.letter()));
    let form = machine.form(key, &parameters, old.returns, |handle_code| {
        let array = handle_code.arguments[at].0;
        let count = handle_code.register();
        handle_code.builder.constant(count, length as u64);
        handle_code.call_java(
            "java/lang/invoke/MethodHandleImpl",
            "checkSpreadArgument",
            "(Ljava/lang/Object;I)V",
            &[(array, Kind::Reference), (count, Kind::Int)],
        )?;
        let mut elements = Vec::with_capacity(length);
        for index in 0..length {
            let (register, place) = (handle_code.register(), handle_code.register());
            handle_code.builder.constant(place, index as u64);
            handle_code.emit(load(kind), register, array, place);
            elements.push((register, kind));
        }
        let mut values = handle_code.arguments.clone();
        values.splice(at..=at, elements);
        let result = old.go_on(handle_code, &values);
        handle_code.leave(result, old.returns);
        Ok(())
    })?;
    Ok(form.bits())
}

/// The instruction that reads an element of a kind.
pub(super) fn load(kind: Kind) -> Op {
    match kind {
        Kind::Boolean | Kind::Byte => Op::LoadI8,
        Kind::Char => Op::LoadU16,
        Kind::Short => Op::LoadI16,
        Kind::Int | Kind::Float => Op::Load32,
        Kind::Long | Kind::Double => Op::Load64,
        Kind::Reference | Kind::Void => Op::LoadRef,
    }
}

/// A form whose handle calls another one with some arguments and the old one with the rest and its result.
fn collect(machine: &mut Machine, old: &Edited, at: usize, (kinds, returns): (Vec<Kind>, Kind)) -> Run<u64> {
    let replaced = usize::from(returns != Kind::Void);
    let mut parameters = old.parameters.clone();
    parameters.splice(at..at + replaced, kinds.iter().copied());
    let key = old.wrapped(&format!("collect {at} {}{}", letters(&kinds), returns.letter()));
    let form = machine.form(key, &parameters, old.returns, |handle_code| {
        let other = handle_code.operand(1);
        let collected = handle_code.arguments[at..at + kinds.len()].to_vec();
        let value = handle_code.call_handle(other, &collected, returns)?;
        let mut values = handle_code.arguments.clone();
        let value = (replaced == 1).then_some((value, returns));
        values.splice(at..at + kinds.len(), value);
        let handle = handle_code.operand(0);
        let result = handle_code.call_handle(handle, &values, old.returns)?;
        handle_code.leave(result, old.returns);
        Ok(())
    })?;
    Ok(form.bits())
}

fn collect_arguments(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let kinds = machine.kinds_of_type(arguments.object(2))?;
    collect(machine, &old, position(arguments, 1), kinds)
}

fn filter_argument(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let (at, kind) = (position(arguments, 1), basic_kind(machine, arguments.object(2))?);
    let returns = old.parameters[at];
    collect(machine, &old, at, (vec![kind], returns))
}

fn filter_repeated(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let kind = basic_kind(machine, arguments.object(1))?;
    let places: Vec<usize> = ints(machine, arguments.object(2)).into_iter().map(|place| place - 1).collect();
    let mut parameters = old.parameters.clone();
    places.iter().for_each(|&place| parameters[place] = kind);
    let key = old.wrapped(&format!("filter {places:?} {}", kind.letter()));
    let form = machine.form(key, &parameters, old.returns, |handle_code| {
        let mut values = handle_code.arguments.clone();
        for &place in &places {
            let filter = handle_code.operand(1);
            let returns = old.parameters[place];
            let value = handle_code.call_handle(filter, &[values[place]], returns)?;
            values[place] = (value, returns);
        }
        let handle = handle_code.operand(0);
        let result = handle_code.call_handle(handle, &values, old.returns)?;
        handle_code.leave(result, old.returns);
        Ok(())
    })?;
    Ok(form.bits())
}

fn filter_return(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let (kind, zero) = (basic_kind(machine, arguments.object(1))?, arguments.int(2) != 0);
    if zero {
        let key = old.key(&format!("zero {}", kind.letter()));
        let form = machine.form(key, &old.parameters, kind, |handle_code| {
            old.go_on(handle_code, &handle_code.arguments.clone());
            let result = handle_code.zero(kind);
            handle_code.leave(result, kind);
            Ok(())
        })?;
        return Ok(form.bits());
    }
    let taken: Vec<Kind> = Some(old.returns).filter(|&kind| kind != Kind::Void).into_iter().collect();
    then(machine, &old, (taken, kind))
}

fn collect_return(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let kinds = machine.kinds_of_type(arguments.object(1))?;
    then(machine, &old, kinds)
}

/// A form whose handle calls the old one, and then another with its result and further arguments.
fn then(machine: &mut Machine, old: &Edited, (kinds, returns): (Vec<Kind>, Kind)) -> Run<u64> {
    let own = usize::from(old.returns != Kind::Void);
    let mut parameters = old.parameters.clone();
    parameters.extend_from_slice(&kinds[own..]);
    let key = old.wrapped(&format!("then {}{}", letters(&kinds), returns.letter()));
    let form = machine.form(key, &parameters, returns, |handle_code| {
        let handle = handle_code.operand(0);
        let (first, rest) = handle_code.arguments.split_at(old.parameters.len());
        let (first, rest) = (first.to_vec(), rest.to_vec());
        let value = handle_code.call_handle(handle, &first, old.returns)?;
        let mut values: Vec<Value> = (own == 1).then_some((value, old.returns)).into_iter().collect();
        values.extend(rest);
        let other = handle_code.operand(1);
        let result = handle_code.call_handle(other, &values, returns)?;
        handle_code.leave(result, returns);
        Ok(())
    })?;
    Ok(form.bits())
}

fn fold_arguments(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let old = edited(machine, arguments)?;
    let (at, drops) = (position(arguments, 1), arguments.int(2) != 0);
    let (kinds, returns) = machine.kinds_of_type(arguments.object(3))?;
    let mut parameters = old.parameters.clone();
    if !drops {
        parameters.remove(at);
    }
    let key = old.wrapped(&format!("fold {at} {drops} {}{}", letters(&kinds), returns.letter()));
    let form = machine.form(key, &parameters, old.returns, |handle_code| {
        let combiner = handle_code.operand(1);
        let folded = handle_code.arguments[at..at + kinds.len()].to_vec();
        let value = handle_code.call_handle(combiner, &folded, returns)?;
        let mut values = handle_code.arguments.clone();
        if !drops {
            values.insert(at, (value, returns));
        }
        let handle = handle_code.operand(0);
        let result = handle_code.call_handle(handle, &values, old.returns)?;
        handle_code.leave(result, old.returns);
        Ok(())
    })?;
    Ok(form.bits())
}

/// A bound handle that does what another one does.
fn make_reinvoker(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let target = arguments.object(0);
    let of = machine.type_of_handle(target)?;
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let key = format!("again {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let handle = handle_code.operand(0);
        handle_code.leave_by(handle, returns)
    })?;
    machine.new_handle(of, form, &[target]).map(Bits::bits)
}

fn extend(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let operands = [arguments.object(0), arguments.object(3)];
    machine.new_handle(arguments.object(1), arguments.object(2), &operands).map(Bits::bits)
}

/// A primitive is kept in an array of one long.
fn bind_primitive(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let longs = machine.known.primitive_arrays[Kind::Long as usize];
    let value = machine.new_array(longs, 1)?;
    machine.heap.put_u64(value, ARRAY_DATA, arguments.get(2));
    bind(machine, arguments, value)
}

fn bind(machine: &mut Machine, arguments: Arguments, value: Ref) -> Run<u64> {
    let (target, at) = (arguments.object(0), arguments.int(1) as usize);
    let old = machine.type_of_handle(target)?;
    let mut classes = machine.classes_of_type(old)?.into_vec();
    let bound = machine.kind_of_class(classes.remove(at + 1));
    let of = machine.type_of_classes(&classes)?;
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let key = format!("bind {at}{} {}{}", bound.letter(), letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let mut value = handle_code.operand(1);
        if bound != Kind::Reference {
            let (register, place) = (handle_code.register(), handle_code.register());
            handle_code.builder.constant(place, 0);
            handle_code.emit(Op::Load64, register, value, place);
            value = register;
        }
        let mut values = handle_code.arguments.clone();
        values.insert(at, (value, bound));
        let handle = handle_code.operand(0);
        let result = handle_code.call_handle(handle, &values, returns)?;
        handle_code.leave(result, returns);
        Ok(())
    })?;
    machine.new_handle(of, form, &[target, value]).map(Bits::bits)
}

/// The form of handles that have another one behind them, which a method of theirs gives.
fn delegating_form(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let of = machine.type_of_handle(arguments.object(0))?;
    let (kinds, returns) = machine.kinds_of_type(of)?;
    let key = format!("delegate {}{}", letters(&kinds), returns.letter());
    let form = machine.form(key, &kinds, returns, |handle_code| {
        let handle = handle_code.call_java(
            "java/lang/invoke/DelegatingMethodHandle",
            "getTarget",
            "()Ljava/lang/invoke/MethodHandle;",
            &[(0, Kind::Reference)],
        )?;
        handle_code.leave_by(handle, returns)
    })?;
    Ok(form.bits())
}
