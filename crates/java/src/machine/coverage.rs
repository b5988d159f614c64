//! What of the machine a run has used: opcodes, native methods, bootstrap methods.
//!
//! It is noted by a loop of its own ([`Machine::interpret`] is compiled twice), so that a run without coverage
//! pays nothing for it.

use super::{Machine, Map};
use crate::classfile::opcode;
use crate::classfile::{Constant, access};
use crate::machine::class::{ClassId, MethodId};
use std::collections::BTreeSet;

/// What a run has used, each list sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Opcodes that were executed, by mnemonic. Forms of one operation are one: `aload_0` is `aload`, `ldc_w` is `ldc`.
    pub opcodes: BTreeSet<&'static str>,
    /// Native methods that were called, as in `java/lang/Object.hashCode()I`.
    pub natives: BTreeSet<String>,
    /// Methods with code of their own in whose place the machine answered.
    pub intrinsics: BTreeSet<String>,
    /// Methods that linked a dynamic call or constant, as in `java/lang/invoke/LambdaMetafactory.metafactory`.
    pub bootstraps: BTreeSet<String>,
}

/// What is noted while the program runs.
#[derive(Default)]
pub(crate) struct Notes {
    called: Map<MethodId, ()>,
    bootstraps: BTreeSet<String>,
}

impl Machine {
    /// What the run has used so far, the start of the class library included; `None` unless the options asked for it.
    pub fn coverage(&self) -> Option<Coverage> {
        let notes = self.coverage.as_ref()?;
        let mut coverage = Coverage { bootstraps: notes.bootstraps.clone(), ..Coverage::default() };
        for code in self.classes.methods.iter().filter_map(|method| method.code.get()) {
            let executed = code.executed.iter().flat_map(|executed| executed.executed());
            coverage.opcodes.extend(executed.map(|code| opcode::family(opcode::name(code))));
        }
        for &method in notes.called.keys() {
            let name = self.method_signature(method);
            if self.method(method).is(access::NATIVE) {
                coverage.natives.insert(name);
            } else {
                coverage.intrinsics.insert(name);
            }
        }
        Some(coverage)
    }

    fn method_signature(&self, id: MethodId) -> String {
        let method = self.method(id);
        let (name, descriptor) =
            (self.classes.symbols.text(method.name), self.classes.symbols.text(method.descriptor));
        format!("{}.{name}{descriptor}", self.class_name(method.class))
    }

    /// A function of the machine is called in the place of a method.
    #[cold]
    pub(super) fn note_native(&mut self, method: MethodId) {
        if let Some(notes) = &mut self.coverage {
            notes.called.insert(method, ());
        }
    }

    /// A dynamic call or constant of a class was linked.
    pub(super) fn note_bootstrap(&mut self, class: ClassId, index: u16) {
        if self.coverage.is_none() {
            return;
        }
        let name = self.bootstrap_name(class, index);
        if let (Some(name), Some(notes)) = (name, &mut self.coverage) {
            notes.bootstraps.insert(name);
        }
    }

    fn bootstrap_name(&self, class: ClassId, index: u16) -> Option<String> {
        let file = self.class(class).file.as_ref()?;
        let (bootstrap, ..) = file.pool.dynamic(index).ok()?;
        let bootstraps = file.bootstraps().ok()?;
        let Constant::MethodHandle { reference, .. } =
            file.pool.get(bootstraps.get(usize::from(bootstrap))?.method).ok()?
        else {
            return None;
        };
        let (class, name, _) = file.pool.member(reference).ok()?;
        Some(format!("{class}.{name}"))
    }
}
