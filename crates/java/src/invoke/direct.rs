//! Direct method handles: calls of methods and constructors, accesses to fields.

use super::handle_code::HandleCode;
use super::member_name::reference;
use crate::classfile::{Descriptor, Kind, access};
use crate::code::{Insn, Op};
use crate::machine::class::{Loader, MethodId};
use crate::machine::native::{NOTHING, Table, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run, StaticSite};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/invoke/DirectMethodHandle",
        methods: &[
            (
                "preparedLambdaForm(Ljava/lang/invoke/MemberName;Z)Ljava/lang/invoke/LambdaForm;",
                leaf(method_form),
            ),
            (
                "preparedFieldLambdaForm(Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/LambdaForm;",
                leaf(field_form),
            ),
        ],
    },
    // What these classes set up is for forms that are interpreted and compiled.
    Table {
        class: "java/lang/invoke/LambdaForm",
        methods: &[
            ("prepare()V", NOTHING),
            ("<clinit>()V", leaf(|machine, _| without_assertions(machine, "java/lang/invoke/LambdaForm"))),
        ],
    },
    Table {
        class: "java/lang/invoke/BoundMethodHandle",
        methods: &[(
            "<clinit>()V",
            leaf(|machine, _| without_assertions(machine, "java/lang/invoke/BoundMethodHandle")),
        )],
    },
    Table {
        class: "java/lang/invoke/DelegatingMethodHandle",
        methods: &[(
            "<clinit>()V",
            leaf(|machine, _| without_assertions(machine, "java/lang/invoke/DelegatingMethodHandle")),
        )],
    },
];

/// The one thing that a static initialiser does whose other work is not needed.
fn without_assertions(machine: &mut Machine, name: &str) -> Run<u64> {
    let class = machine.load(Loader::BOOT, name)?;
    if let Some(offset) = machine.offset_of(class, "$assertionsDisabled") {
        let mirror = machine.class(class).mirror;
        machine.heap.put_u8(mirror, offset, 1);
    }
    Ok(0)
}

fn method_form(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let member = machine.member(arguments.object(0))?;
    let (id, kind) = (machine.method_of_member(&member)?, member.kind());
    let method = machine.method(id);
    let descriptor = Descriptor::parse(&member.descriptor)?;
    let mut parameters = descriptor.kinds.clone();
    let mut returns = descriptor.returns;
    if kind == reference::NEW_INVOKE_SPECIAL {
        returns = Kind::Reference;
    } else if !method.is_static() {
        parameters.insert(0, Kind::Reference);
    }
    let key =
        format!("method {} {kind} {}", id.0, if method.marks.polymorphic { &member.descriptor } else { "" });
    let form = machine.form(key, &parameters, returns, |handle_code| match kind {
        reference::NEW_INVOKE_SPECIAL => construct(handle_code, id),
        _ => call(handle_code, id, kind, &member.descriptor, returns),
    })?;
    Ok(form.bits())
}

/// Calls the method with the arguments where they are: those of a form begin behind the handle.
fn call(handle_code: &mut HandleCode, id: MethodId, kind: i32, descriptor: &str, returns: Kind) -> Run<()> {
    let machine = &mut *handle_code.machine;
    let method = machine.method(id);
    let op = if method.is_static() {
        Op::CallStatic
    } else if method.marks.polymorphic {
        Op::CallPolymorphic
    } else if kind == reference::INVOKE_SPECIAL || method.is(access::PRIVATE) {
        Op::CallDirect
    } else if machine.class(method.class).is_interface() {
        Op::CallInterface
    } else if method.slot == u32::MAX {
        Op::CallDirect
    } else {
        Op::CallVirtual
    };
    let site = machine.call_site(id);
    if op == Op::CallPolymorphic {
        machine.links.calls[site as usize].descriptor = machine.classes.symbols.intern(descriptor);
    }
    handle_code.builder.emit(Insn::wide(op, 1, site));
    handle_code.leave(1, returns);
    Ok(())
}

fn construct(handle_code: &mut HandleCode, id: MethodId) -> Run<()> {
    let class = handle_code.machine.method(id).class;
    let object = handle_code.register();
    handle_code.builder.emit(Insn::wide(Op::NewOf, object, class.0));
    let site = handle_code.machine.call_site(id);
    let mut arguments = vec![(object, Kind::Reference)];
    arguments.extend_from_slice(&handle_code.arguments);
    handle_code.call(Op::CallDirect, site, &arguments);
    handle_code.leave(object, Kind::Reference);
    Ok(())
}

fn field_form(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let member = machine.member(arguments.object(0))?;
    let found = machine.field_of_member(&member)?;
    let field = machine.field(found);
    let (kind, offset, fixed) = (field.kind, field.offset, field.is_static());
    let puts = matches!(member.kind(), reference::PUT_FIELD | reference::PUT_STATIC);
    let mut parameters = Vec::new();
    if !fixed {
        parameters.push(Kind::Reference);
    }
    if puts {
        parameters.push(kind);
    }
    let returns = if puts { Kind::Void } else { kind };
    let key = format!("field {} {} {puts}", found.0.0, found.1);
    let form = machine.form(key, &parameters, returns, |handle_code| {
        let value = handle_code.arguments.last().map_or(1, |&(register, _)| register);
        if fixed {
            let site =
                StaticSite { class: found.0, mirror: handle_code.machine.class(found.0).mirror, offset };
            handle_code.machine.links.statics.push(site);
            let site = handle_code.machine.links.statics.len() as u32 - 1;
            let op = if puts { Op::put_static(kind) } else { Op::get_static(kind) };
            handle_code.builder.emit(Insn::wide(op, if puts { value } else { 1 }, site));
        } else if puts {
            handle_code.emit(Op::put(kind), 1, offset as u16, value);
        } else {
            handle_code.emit(Op::get(kind), 1, 1, offset as u16);
        }
        handle_code.leave(1, returns);
        Ok::<(), Abrupt>(())
    })?;
    Ok(form.bits())
}
