//! The methods that every record has: `ObjectMethods`.

use super::concat::Piece;
use super::dynamic::Site;
use crate::classfile::Kind;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Field, Loader, MethodId};
use crate::machine::{Abrupt, Machine, Run};

impl Machine {
    pub(super) fn link_record_method(&mut self, site: &Site) -> Run<MethodId> {
        let class = self.resolve_class(site.from, site.argument(0)?)?;
        let mut components = Vec::new();
        for number in 2..site.arguments.len() {
            let getter = self.handle_target(site.from, site.argument(number)?)?;
            let (name, descriptor) =
                (self.classes.symbols.intern(&getter.name), self.classes.symbols.intern(&getter.descriptor));
            let found = self.find_field(class, name, descriptor);
            let found =
                found.ok_or_else(|| Abrupt::raise("java/lang/NoSuchFieldError", getter.name.clone()))?;
            components.push(self.field(found).clone());
        }
        match site.name.as_str() {
            "toString" => self.record_to_string(class, &components, &site.descriptor),
            "hashCode" => self.record_hash_code(&components, &site.descriptor),
            "equals" => self.record_equals(class, &components, &site.descriptor),
            other => Err(Abrupt::unsupported(format!("the method {other} of records"))),
        }
    }

    fn record_to_string(&mut self, class: ClassId, components: &[Field], descriptor: &str) -> Run<MethodId> {
        let mut builder = Builder::new(2 + 2 * components.len() as u16);
        let simple = self.simple_name(class);
        let mut parts = Vec::new();
        let mut text = format!("{simple}[");
        let mut register = 1;
        for field in components {
            builder.emit(Insn::new(Op::get(field.kind), register, 0, field.offset as u16));
            text.push_str(self.classes.symbols.text(field.name));
            text.push('=');
            parts.push(Piece::Text(text.encode_utf16().collect()));
            parts.push(Piece::Value(register, self.classes.symbols.text(field.descriptor).to_string()));
            register += field.kind.slots();
            text = ", ".to_string();
        }
        let end = if components.is_empty() { text + "]" } else { "]".to_string() };
        parts.push(Piece::Text(end.encode_utf16().collect()));
        self.emit_concat(&mut builder, &parts, register)?;
        builder.emit(Insn::new(Op::ReturnRef, register, 0, 0));
        Ok(self.make_method("toString", descriptor, builder.finish()))
    }

    /// The name of a class in the source, without those around it.
    fn simple_name(&self, class: ClassId) -> String {
        let file = self.class(class).file.as_ref();
        let inner = file.and_then(|file| {
            let own = file.inner_classes().into_iter();
            let own = own.into_iter().find(|inner| file.pool.class_name(inner.inner) == Ok(file.name()))?;
            file.pool.text(own.name).ok().map(|name| name.into_owned())
        });
        inner.unwrap_or_else(|| self.external_name(class).rsplit('.').next().unwrap_or_default().to_string())
    }

    /// The static method that hashes a value of a kind, or compares two.
    fn component_method(&mut self, kind: Kind, name: &str) -> Run<u32> {
        let (class, descriptor) = match (super::adapt::wrapper(kind), name) {
            (Some(wrapper), "hashCode") => (wrapper, format!("({})I", kind.letter())),
            (Some(wrapper), _) => (wrapper, format!("({0}{0})I", kind.letter())),
            (None, "hashCode") => ("java/util/Objects", "(Ljava/lang/Object;)I".to_string()),
            (None, _) => ("java/util/Objects", "(Ljava/lang/Object;Ljava/lang/Object;)Z".to_string()),
        };
        let class = self.load(Loader::BOOT, class)?;
        let method = self.method_named(class, name, &descriptor);
        let method =
            method.ok_or_else(|| Abrupt::unsupported(format!("this JDK has no {name}{descriptor}")))?;
        Ok(self.call_site(method))
    }

    fn record_hash_code(&mut self, components: &[Field], descriptor: &str) -> Run<MethodId> {
        let mut builder = Builder::new(6);
        builder.constant(1, 0);
        for field in components {
            let site = self.component_method(field.kind, "hashCode")?;
            builder.emit(Insn::new(Op::get(field.kind), 2, 0, field.offset as u16));
            builder.emit(Insn::wide(Op::CallStatic, 2, site));
            builder.emit(Insn::new(Op::IMulImm, 1, 1, 31));
            builder.emit(Insn::new(Op::IAdd, 1, 1, 2));
        }
        builder.emit(Insn::new(Op::ReturnValue, 1, 0, 0));
        Ok(self.make_method("hashCode", descriptor, builder.finish()))
    }

    fn record_equals(&mut self, class: ClassId, components: &[Field], descriptor: &str) -> Run<MethodId> {
        let mut builder = Builder::new(8);
        let mut different = Vec::new();
        let same = builder.emit(Insn::new(Op::IfSame, 0, 1, 0));
        let of = u16::try_from(class.0).map_err(|_| Abrupt::unsupported("more than 65,535 classes"))?;
        builder.emit(Insn::new(Op::InstanceOfClass, 2, 1, of));
        different.push(builder.emit(Insn::wide(Op::IfEq, 2, 0)));
        for field in components {
            let offset = field.offset as u16;
            builder.emit(Insn::new(Op::get(field.kind), 2, 0, offset));
            match field.kind {
                Kind::Reference => {
                    builder.emit(Insn::new(Op::get(field.kind), 3, 1, offset));
                    let site = self.component_method(field.kind, "equals")?;
                    builder.emit(Insn::wide(Op::CallStatic, 2, site));
                    different.push(builder.emit(Insn::wide(Op::IfEq, 2, 0)));
                }
                Kind::Float | Kind::Double | Kind::Long => {
                    builder.emit(Insn::new(Op::get(field.kind), 2 + field.kind.slots(), 1, offset));
                    let site = self.component_method(field.kind, "compare")?;
                    builder.emit(Insn::wide(Op::CallStatic, 2, site));
                    different.push(builder.emit(Insn::wide(Op::IfNe, 2, 0)));
                }
                _ => {
                    builder.emit(Insn::new(Op::get(field.kind), 3, 1, offset));
                    different.push(builder.emit(Insn::new(Op::IfINe, 2, 3, 0)));
                }
            }
        }
        let equal = builder.next();
        builder.patch(same, equal);
        builder.constant(2, 1);
        builder.emit(Insn::new(Op::ReturnValue, 2, 0, 0));
        let unequal = builder.next();
        for jump in different {
            builder.patch(jump, unequal);
        }
        builder.constant(2, 0);
        builder.emit(Insn::new(Op::ReturnValue, 2, 0, 0));
        Ok(self.make_method("equals", descriptor, builder.finish()))
    }
}
