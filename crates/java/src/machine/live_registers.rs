//! What is alive in frames: the part of liveness that needs the types of calls.

use super::Machine;
use crate::classfile::{ClassFile, Kind};
use crate::code::liveness::{Effects, Liveness};
use crate::code::{Insn, Op};
use crate::machine::class::MethodId;
use std::rc::Rc;

impl Machine {
    /// What is alive at the instructions of a method that has code.
    pub(crate) fn liveness(&self, id: MethodId) -> &Rc<Liveness> {
        let code = self.method(id).code.get().expect("a frame's method has code");
        code.liveness.get_or_init(|| {
            let effects: Vec<Effects> = code.insns.iter().map(|insn| self.effects(id, insn.get())).collect();
            Rc::new(Liveness::new(code, &effects))
        })
    }

    fn effects(&self, id: MethodId, insn: Insn) -> Effects {
        if let Some(effects) = Effects::of(insn) {
            return effects;
        }
        let mut effects = Effects::default();
        let file = self.class(self.method(id).class).file.as_deref();
        match insn.op {
            Op::GetField => {
                effects.uses.push((insn.b, true));
                effects.defines = Some(insn.a);
            }
            Op::PutField => {
                effects.uses.push((insn.a, true));
                effects.uses.push((insn.c, is_reference(file, insn.b)));
            }
            Op::GetStatic => effects.defines = Some(insn.a),
            Op::PutStatic => effects.uses.push((insn.a, is_reference(file, insn.b))),
            Op::Native => {
                let method = self.method(id);
                effects.arguments(0, !method.is_static(), self.classes.symbols.text(method.descriptor));
                effects.defines = Some(insn.a);
            }
            Op::CallDirect | Op::CallStatic | Op::CallVirtual | Op::CallInterface | Op::CallPolymorphic => {
                let site = &self.links.calls[insn.operand() as usize];
                let receiver = !self.method(site.method).is_static();
                called(&mut effects, insn.a, receiver, self.classes.symbols.text(site.descriptor));
            }
            op => {
                let descriptor = file.and_then(|file| match op {
                    Op::InvokeDynamic => file.pool.dynamic(insn.b).map(|(_, _, descriptor)| descriptor).ok(),
                    _ => file.pool.member(insn.b).map(|(_, _, descriptor)| descriptor).ok(),
                });
                let receiver = !matches!(op, Op::InvokeStatic | Op::InvokeDynamic);
                called(&mut effects, insn.a, receiver, descriptor.unwrap_or("()V"));
            }
        }
        effects
    }
}

fn called(effects: &mut Effects, first: u16, receiver: bool, descriptor: &str) {
    effects.arguments(first, receiver, descriptor);
    if !descriptor.ends_with(")V") {
        effects.defines = Some(first);
    }
}

fn is_reference(file: Option<&ClassFile>, index: u16) -> bool {
    let descriptor = file.and_then(|file| file.pool.member(index).ok()).map(|(_, _, descriptor)| descriptor);
    descriptor.and_then(|descriptor| Kind::of(descriptor.as_bytes()[0])) == Some(Kind::Reference)
}
