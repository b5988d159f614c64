//! Resolving what instructions name in the constant pool, when they are first executed.

use super::{Abrupt, CallSite, Machine, Run, StaticSite};
use crate::classfile::{ClassFile, ClassFileError, Constant, Kind, access};
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::memory::Ref;
use std::cell::Cell;
use std::rc::Rc;

impl From<ClassFileError> for Abrupt {
    fn from(error: ClassFileError) -> Abrupt {
        Abrupt::raise("java/lang/ClassFormatError", error.to_string())
    }
}

impl Machine {
    /// The class file of a class that has one.
    pub(crate) fn file(&self, class: ClassId) -> Run<Rc<ClassFile>> {
        let file = self.class(class).file.clone();
        file.ok_or_else(|| {
            Abrupt::raise("java/lang/InternalError", "a class without a file has no constants")
        })
    }

    pub(crate) fn loader_of(&self, class: ClassId) -> Loader {
        self.class(class).loader
    }

    /// The class that a constant names.
    pub(crate) fn resolve_class(&mut self, from: ClassId, index: u16) -> Run<ClassId> {
        let file = self.file(from)?;
        let name = file.pool.class_name(index)?;
        if self.class(from).hidden_in.is_some() && index == file.this_class {
            return Ok(from);
        }
        let loader = self.loader_of(from);
        self.load(loader, name)
    }

    /// The field that a constant names.
    pub(crate) fn resolve_field(
        &mut self,
        from: ClassId,
        index: u16,
        of_class: bool,
    ) -> Run<(ClassId, usize)> {
        let file = self.file(from)?;
        let (class_name, name, descriptor) = file.pool.member(index)?;
        let class = if self.class(from).hidden_in.is_some() && class_name == file.name() {
            from
        } else {
            self.load(self.loader_of(from), class_name)?
        };
        let (name, descriptor) = (self.classes.symbols.intern(name), self.classes.symbols.intern(descriptor));
        let Some(found) = self.find_field(class, name, descriptor) else {
            return Err(Abrupt::raise("java/lang/NoSuchFieldError", self.classes.symbols.text(name)));
        };
        if self.field(found).is_static() != of_class {
            let message = format!(
                "Expected {}static field {}.{}",
                if of_class { "" } else { "non-" },
                self.external_name(found.0),
                self.classes.symbols.text(name)
            );
            return Err(Abrupt::raise("java/lang/IncompatibleClassChangeError", message));
        }
        Ok(found)
    }

    /// The resolved form of an access to an instance's field.
    pub(super) fn link_field(&mut self, from: ClassId, insn: Insn) -> Run<Insn> {
        let get = insn.op == Op::GetField;
        let found = self.resolve_field(from, if get { insn.c } else { insn.b }, false)?;
        let field = self.field(found);
        let offset = field.offset as u16;
        Ok(if get {
            Insn::new(Op::get(field.kind), insn.a, insn.b, offset)
        } else {
            Insn::new(Op::put(field.kind), insn.a, offset, insn.c)
        })
    }

    /// The resolved form of an access to a static field.
    pub(super) fn link_static(&mut self, from: ClassId, insn: Insn) -> Run<Insn> {
        let found = self.resolve_field(from, insn.b, true)?;
        self.initialise(found.0)?;
        let field = self.field(found);
        let (kind, offset) = (field.kind, field.offset);
        let op = if insn.op == Op::GetStatic { Op::get_static(kind) } else { Op::put_static(kind) };
        let site = StaticSite { class: found.0, mirror: self.class(found.0).mirror, offset };
        self.links.statics.push(site);
        Ok(Insn::wide(op, insn.a, self.links.statics.len() as u32 - 1))
    }

    /// The resolved form of `new`.
    pub(super) fn link_new(&mut self, from: ClassId, insn: Insn) -> Run<Insn> {
        let class = self.resolve_class(from, insn.b)?;
        if self.class(class).is(access::ABSTRACT | access::INTERFACE) {
            return Err(Abrupt::raise("java/lang/InstantiationError", self.external_name(class)));
        }
        Ok(Insn::wide(Op::NewOf, insn.a, class.0))
    }

    /// A new call site for a method.
    pub(crate) fn call_site(&mut self, method: MethodId) -> u32 {
        let (slot, descriptor) = (self.method(method).slot, self.method(method).descriptor);
        if self.method(method).marks.counts {
            self.learn_counts();
        }
        self.links.calls.push(CallSite { method, slot, last: Cell::new((ClassId(0), method)), descriptor });
        self.links.calls.len() as u32 - 1
    }

    /// The resolved form of a call.
    pub(super) fn link_call(&mut self, from: ClassId, insn: Insn) -> Run<Insn> {
        if insn.op == Op::InvokeDynamic {
            let method = self.link_dynamic_call(from, insn.b)?;
            self.note_bootstrap(from, insn.b);
            let site = self.call_site(method);
            return Ok(Insn::wide(Op::CallStatic, insn.a, site));
        }
        let file = self.file(from)?;
        let (class_name, name, descriptor) = file.pool.member(insn.b)?;
        let class = if self.class(from).hidden_in.is_some() && class_name == file.name() {
            from
        } else {
            self.load(self.loader_of(from), class_name)?
        };
        let (name, descriptor) = (self.classes.symbols.intern(name), self.classes.symbols.intern(descriptor));
        let Some(mut method) = self.find_method(class, name, descriptor) else {
            if insn.op == Op::InvokeVirtual && Some(class) == self.known.method_handle
                || Some(class) == self.known.var_handle
            {
                let generic = self.class(class).methods.iter().copied().find(|&method| {
                    let method = self.method(method);
                    method.name == name && method.marks.polymorphic
                });
                if let Some(method) = generic {
                    let site = self.call_site(method);
                    self.links.calls[site as usize].descriptor = descriptor;
                    return Ok(Insn::wide(Op::CallPolymorphic, insn.a, site));
                }
            }
            let message = self.missing_method(
                class,
                self.classes.symbols.text(name),
                self.classes.symbols.text(descriptor),
            );
            return Err(Abrupt::raise("java/lang/NoSuchMethodError", message));
        };
        if self.method(method).is_static() != (insn.op == Op::InvokeStatic) {
            let message = format!(
                "Expected {}static method '{}'",
                if insn.op == Op::InvokeStatic { "" } else { "non-" },
                self.describe_method(method)
            );
            return Err(Abrupt::raise("java/lang/IncompatibleClassChangeError", message));
        }
        let declared = self.method(method);
        let op = match insn.op {
            Op::InvokeStatic => {
                self.initialise(self.method(method).class)?;
                Op::CallStatic
            }
            Op::InvokeSpecial => {
                let init = self.classes.symbols.intern("<init>");
                // A call of a method of a superclass means the nearest one above this class.
                if name != init
                    && class != from
                    && !self.class(class).is_interface()
                    && self.is_subclass(from, class)
                    && let Some(superclass) = self.class(from).superclass
                    && let Some(nearest) = self.find_method(superclass, name, descriptor)
                {
                    method = nearest;
                }
                if self.method(method).is(access::ABSTRACT) {
                    return Err(Abrupt::raise("java/lang/AbstractMethodError", self.describe_method(method)));
                }
                Op::CallDirect
            }
            _ if declared.is(access::PRIVATE) || declared.marks.polymorphic => {
                if declared.marks.polymorphic {
                    Op::CallPolymorphic
                } else {
                    Op::CallDirect
                }
            }
            _ if self.class(declared.class).is_interface() => Op::CallInterface,
            _ if declared.slot == u32::MAX => Op::CallDirect,
            _ if declared.is(access::FINAL) => Op::CallDirect,
            _ => Op::CallVirtual,
        };
        let site = self.call_site(method);
        Ok(Insn::wide(op, insn.a, site))
    }

    pub(crate) fn missing_method(&self, class: ClassId, name: &str, descriptor: &str) -> String {
        let Ok(parsed) = crate::classfile::Descriptor::parse(descriptor) else { return name.to_string() };
        let parameters: Vec<String> = parsed.parameters.iter().map(|text| external_type(text)).collect();
        let class = self.external_name(class);
        format!("'{} {class}.{name}({})'", external_type(&parsed.result), parameters.join(", "))
    }

    /// The object that a constant stands for.
    pub(crate) fn resolve_constant(&mut self, from: ClassId, index: u16) -> Run<Ref> {
        let file = self.file(from)?;
        match file.pool.get(index)? {
            Constant::String(text) => {
                let units = crate::classfile::text::decode(file.pool.raw(text)?);
                self.intern(&units)
            }
            Constant::Class(_) => {
                let class = self.resolve_class(from, index)?;
                Ok(self.class(class).mirror)
            }
            Constant::MethodType(descriptor) => {
                let descriptor = file.pool.utf8(descriptor)?.to_string();
                let key = |machine: &Machine| machine.key_of_constant(from, index);
                self.permanently(key, |machine| machine.method_type(from, &descriptor))
            }
            Constant::MethodHandle { kind, reference } => {
                let key = |machine: &Machine| machine.key_of_constant(from, index);
                self.permanently(key, |machine| machine.method_handle_constant(from, kind, reference))
            }
            Constant::Dynamic { .. } => {
                let bits = self.dynamic_constant(from, index)?;
                self.note_bootstrap(from, index);
                Ok(Ref(bits as u32))
            }
            _ => Err(ClassFileError::Constant { index, wanted: "loadable constant" }.into()),
        }
    }
}

/// A type as the language writes it.
pub(crate) fn external_type(descriptor: &str) -> String {
    let dimensions = descriptor.bytes().take_while(|&byte| byte == b'[').count();
    let element = &descriptor[dimensions..];
    let name = match element.as_bytes() {
        [b'L', .., b';'] => element[1..element.len() - 1].replace('/', "."),
        [letter] => Kind::of(*letter).map_or_else(|| element.to_string(), |kind| kind.word().to_string()),
        _ => element.to_string(),
    };
    name + &"[]".repeat(dimensions)
}
