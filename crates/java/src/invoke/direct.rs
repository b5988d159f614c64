//! Direct method handles: calls of methods and constructors, accesses to fields.

use super::forge::Forge;
use super::member_name::reference;
use crate::class::{Loader, MethodId};
use crate::classfile::{Descriptor, Kind, access};
use crate::code::{Insn, Op};
use crate::machine::{Arguments, Bits, Machine, Run, StaticSite, Trouble};
use crate::natives::{NOTHING, Table, leaf};

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
    let form = machine.form(key, &parameters, returns, |forge| match kind {
        reference::NEW_INVOKE_SPECIAL => construct(forge, id),
        _ => call(forge, id, kind, &member.descriptor, returns),
    })?;
    Ok(form.bits())
}

/// Calls the method with the arguments where they are: those of a form begin behind the handle.
fn call(forge: &mut Forge, id: MethodId, kind: i32, descriptor: &str, returns: Kind) -> Run<()> {
    let machine = &mut *forge.machine;
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
        machine.sites[site as usize].descriptor = machine.symbols.intern(descriptor);
    }
    forge.builder.emit(Insn::wide(op, 1, site));
    forge.leave(1, returns);
    Ok(())
}

fn construct(forge: &mut Forge, id: MethodId) -> Run<()> {
    let class = forge.machine.method(id).class;
    let object = forge.register();
    forge.builder.emit(Insn::wide(Op::NewOf, object, class.0));
    let site = forge.machine.call_site(id);
    let mut arguments = vec![(object, Kind::Reference)];
    arguments.extend_from_slice(&forge.arguments);
    forge.call(Op::CallDirect, site, &arguments);
    forge.leave(object, Kind::Reference);
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
    let form = machine.form(key, &parameters, returns, |forge| {
        let value = forge.arguments.last().map_or(1, |&(register, _)| register);
        if fixed {
            let site = StaticSite { class: found.0, mirror: forge.machine.class(found.0).mirror, offset };
            forge.machine.statics.push(site);
            let site = forge.machine.statics.len() as u32 - 1;
            let op = if puts { Op::put_static(kind) } else { Op::get_static(kind) };
            forge.builder.emit(Insn::wide(op, if puts { value } else { 1 }, site));
        } else if puts {
            forge.emit(Op::put(kind), 1, offset as u16, value);
        } else {
            forge.emit(Op::get(kind), 1, 1, offset as u16);
        }
        forge.leave(1, returns);
        Ok::<(), Trouble>(())
    })?;
    Ok(form.bits())
}
