//! Lambdas and method references: `LambdaMetafactory`.
//!
//! A call site becomes a class with a field for each captured value and one method that calls the body, and a static
//! method that makes an instance. A site that captures nothing has one instance for ever.

use super::dynamic::{Site, Target};
use crate::classfile::{Constant, Descriptor, Kind, Span, access, method_shape};
use crate::code::builder::Builder;
use crate::code::{Code, Insn, Op};
use crate::machine::class::{
    Class, ClassId, Field, Method, MethodId, MethodTraits, Shape, lay_out, references,
};
use crate::machine::{Abrupt, Machine, Run};
use crate::memory::HEADER;
use std::cell::{Cell, OnceCell};

/// Flags of `altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// Kinds of method handles.
const NEW: u8 = 8;
const STATIC: u8 = 6;
const SPECIAL: u8 = 7;

impl Machine {
    /// A class of the machine's own, without methods, whose instances have fields of the given types.
    pub(super) fn make_class(
        &mut self,
        name: &str,
        host: ClassId,
        interfaces: &[ClassId],
        fields: &[String],
    ) -> ClassId {
        let id = ClassId(self.classes.list.len() as u32);
        let symbol = self.classes.symbols.intern(name);
        let mut fields: Vec<Field> = fields
            .iter()
            .enumerate()
            .map(|(index, descriptor)| Field {
                name: self.classes.symbols.intern(&format!("arg${}", index + 1)),
                descriptor: self.classes.symbols.intern(descriptor),
                access: access::PRIVATE | access::FINAL,
                kind: descriptor.bytes().next().and_then(Kind::of).unwrap_or(Kind::Reference),
                offset: 0,
                attributes: Span::default(),
            })
            .collect();
        let size = lay_out(HEADER, fields.iter_mut());
        let mut all_interfaces = interfaces.to_vec();
        for &interface in interfaces {
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let object = self.known.object;
        let flags = access::FINAL | access::SYNTHETIC;
        let class = Class {
            superclass: Some(object),
            interfaces: interfaces.into(),
            lineage: Box::new([object, id]),
            all_interfaces: all_interfaces.into(),
            references: references(fields.iter()).into(),
            fields: fields.into(),
            vtable: self.class(object).vtable.clone(),
            size,
            hidden_in: Some(host),
            module: self.class(host).module.clone(),
            ..Class::new(id, symbol, flags, Shape::Instance, self.class(host).loader)
        };
        self.classes.list.push(class);
        id
    }

    /// Adds a method to a class of the machine's own. Frames of it show in no stack trace.
    pub(super) fn add_method(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
        flags: u16,
        code: Code,
    ) -> Run<MethodId> {
        let id = MethodId(self.classes.methods.len() as u32);
        let (slots, returns) =
            method_shape(descriptor).ok_or_else(|| Abrupt::unsupported("a bad descriptor"))?;
        let (name, descriptor) = (self.classes.symbols.intern(name), self.classes.symbols.intern(descriptor));
        self.classes.methods.push(Method {
            id,
            class,
            name,
            descriptor,
            access: flags | access::SYNTHETIC,
            arguments: slots + u16::from(flags & access::STATIC == 0),
            returns,
            slot: u32::MAX,
            index: self.class(class).methods.len(),
            attributes: Span::default(),
            code: OnceCell::from(Box::new(code)),
            native: Cell::new(None),
            marks: MethodTraits { hidden: true, ..MethodTraits::default() },
        });
        let class = &mut self.classes.list[class.0 as usize];
        class.by_name.insert((name, descriptor), id);
        class.methods = class.methods.iter().copied().chain([id]).collect();
        Ok(id)
    }

    pub(super) fn link_lambda(&mut self, site: &Site) -> Run<MethodId> {
        let loader = self.loader_of(site.from);
        let captured = Descriptor::parse(&site.descriptor)?;
        let interface = self.load_described(loader, &captured.result)?;
        let erased = site.method_type(self, 0)?;
        let body = self.handle_target(site.from, site.argument(1)?)?;
        let instantiated = site.method_type(self, 2)?;
        let (mut interfaces, mut types, mut flags) = (vec![interface], vec![erased.clone()], 0);
        if site.bootstrap.name == "altMetafactory" {
            flags = site.int(self, 3)?;
            let mut next = 4;
            if flags & MARKERS != 0 {
                let count = site.int(self, next)?;
                for number in next + 1..next + 1 + count.max(0) as usize {
                    let marker = self.resolve_class(site.from, site.argument(number)?)?;
                    interfaces.push(marker);
                }
                next += 1 + count.max(0) as usize;
            }
            if flags & BRIDGES != 0 {
                let count = site.int(self, next)?;
                for number in next + 1..next + 1 + count.max(0) as usize {
                    types.push(site.method_type(self, number)?);
                }
            }
            if flags & SERIALIZABLE != 0 {
                interfaces.push(self.known.serializable);
            }
        }
        interfaces.dedup();
        self.links.lambdas += 1;
        // While a program is explored the name does not depend on which lambda comes first.
        let number = if self.scheduling.controlled { u32::from(site.index) } else { self.links.lambdas };
        let name = format!("{}$$Lambda${number}", self.class_name(site.from));
        let class = self.make_class(&name, site.from, &interfaces, &captured.parameters);
        for descriptor in &types {
            let code = self.lambda_method(site.from, class, &captured, descriptor, &instantiated, &body)?;
            self.add_method(class, &site.name, descriptor, access::PUBLIC, code)?;
        }
        if flags & SERIALIZABLE != 0 {
            let code = self.write_replace(site, class, &captured, &erased, &body, &instantiated)?;
            self.add_method(
                class,
                "writeReplace",
                "()Ljava/lang/Object;",
                access::PRIVATE | access::FINAL,
                code,
            )?;
        }
        self.make_mirror(class)?;
        self.set_status(class, crate::machine::class::status::DONE);
        self.lambda_factory(class, &captured, &site.descriptor)
    }

    /// The method that makes an instance from the captured values.
    fn lambda_factory(&mut self, class: ClassId, captured: &Descriptor, descriptor: &str) -> Run<MethodId> {
        let result = captured.slots;
        let mut builder = Builder::new(result + 1);
        if captured.kinds.is_empty() {
            let instance = self.new_object(class)?;
            self.tables.roots.push(instance);
            builder.emit(Insn::wide(Op::ConstRef, result, instance.0));
        } else {
            builder.emit(Insn::wide(Op::NewOf, result, class.0));
            let mut register = 0;
            for (index, kind) in captured.kinds.iter().enumerate() {
                let offset = self.class(class).fields[index].offset as u16;
                builder.emit(Insn::new(Op::put(*kind), result, offset, register));
                register += kind.slots();
            }
        }
        builder.emit(Insn::new(Op::ReturnRef, result, 0, 0));
        Ok(self.make_method("lambda", descriptor, builder.finish()))
    }

    /// The method of a lambda: calls the body with the captured values and its own arguments.
    fn lambda_method(
        &mut self,
        from: ClassId,
        class: ClassId,
        captured: &Descriptor,
        descriptor: &str,
        instantiated: &str,
        body: &Target,
    ) -> Run<Code> {
        let loader = self.loader_of(from);
        let (own, instantiated) = (Descriptor::parse(descriptor)?, Descriptor::parse(instantiated)?);
        let target = Descriptor::parse(&body.descriptor)?;
        let owner = if body.class == self.class_name(from) { from } else { self.load(loader, &body.class)? };
        let (name, body_descriptor) =
            (self.classes.symbols.intern(&body.name), self.classes.symbols.intern(&body.descriptor));
        let Some(method) = self.find_method(owner, name, body_descriptor) else {
            let message = format!("{}.{}{}", self.external_name(owner), body.name, body.descriptor);
            return Err(Abrupt::raise("java/lang/NoSuchMethodError", message));
        };
        // The types that the body takes, its receiver included.
        let mut wanted: Vec<String> = target.parameters.clone();
        if !matches!(body.kind, STATIC | NEW) {
            wanted.insert(0, format!("L{};", body.class));
            if body.class.starts_with('[') {
                wanted[0] = body.class.clone();
            }
        }
        let first = 1 + own.slots;
        let mut builder = Builder::new(first + target.slots + 8);
        let mut base = first;
        if body.kind == NEW {
            builder.emit(Insn::wide(Op::NewOf, first, owner.0));
            builder.emit(Insn::new(Op::Move, first + 1, first, 0));
            base = first + 1;
        }
        let mut register = if body.kind == NEW { base + 1 } else { base };
        let spare = first + target.slots + 4;
        let mut wanted_types = wanted.iter();
        for (index, kind) in captured.kinds.iter().enumerate() {
            let offset = self.class(class).fields[index].offset as u16;
            builder.emit(Insn::new(Op::get(*kind), register, 0, offset));
            let to = wanted_types.next().ok_or_else(too_few)?.clone();
            self.adapt_captured(&mut builder, loader, register, (&captured.parameters[index], &to), spare)?;
            register += to.bytes().next().and_then(Kind::of).map_or(1, Kind::slots);
        }
        let mut argument = 1;
        for (index, kind) in own.kinds.iter().enumerate() {
            builder.emit(Insn::new(Op::Move, register, argument, 0));
            argument += kind.slots();
            let (from_type, through) = (&own.parameters[index], &instantiated.parameters[index]);
            let to = wanted_types.next().ok_or_else(too_few)?.clone();
            self.adapt(&mut builder, loader, register, (from_type, through), spare)?;
            self.adapt_captured(&mut builder, loader, register, (through, &to), spare)?;
            register += to.bytes().next().and_then(Kind::of).map_or(1, Kind::slots);
        }
        let declared = self.method(method);
        let op = match body.kind {
            STATIC => Op::CallStatic,
            NEW | SPECIAL => Op::CallDirect,
            _ if declared.is(access::PRIVATE) => Op::CallDirect,
            _ if self.class(declared.class).is_interface() => Op::CallInterface,
            _ if declared.slot == u32::MAX => Op::CallDirect,
            _ => Op::CallVirtual,
        };
        let polymorphic = declared.marks.polymorphic;
        let call = self.call_site(method);
        if polymorphic {
            self.links.calls[call as usize].descriptor = body_descriptor;
        }
        builder.emit(Insn::wide(if polymorphic { Op::CallPolymorphic } else { op }, base, call));
        let result = if body.kind == NEW { format!("L{};", body.class) } else { target.result };
        let at = if body.kind == NEW { first } else { base };
        self.leave_with(&mut builder, loader, at, (&result, &own.result), spare)?;
        Ok(builder.finish())
    }

    /// Values that were captured or already cast are of the right class; only boxes and widths may differ.
    fn adapt_captured(
        &mut self,
        builder: &mut Builder,
        loader: crate::machine::class::Loader,
        register: u16,
        (from, to): (&str, &str),
        spare: u16,
    ) -> Run<()> {
        let reference = |descriptor: &str| descriptor.starts_with(['L', '[']);
        if reference(from) && reference(to) {
            return Ok(());
        }
        self.adapt(builder, loader, register, (from, to), spare)
    }

    /// Adds code that returns the value in a register as a value of another type.
    pub(super) fn leave_with(
        &mut self,
        builder: &mut Builder,
        loader: crate::machine::class::Loader,
        register: u16,
        (from, to): (&str, &str),
        spare: u16,
    ) -> Run<()> {
        if to == "V" {
            builder.emit(Insn::new(Op::Return, 0, 0, 0));
            return Ok(());
        }
        self.adapt_captured(builder, loader, register, (from, to), spare)?;
        let op = if to.starts_with(['L', '[']) { Op::ReturnRef } else { Op::ReturnValue };
        builder.emit(Insn::new(op, register, 0, 0));
        Ok(())
    }

    /// `writeReplace` of a serialisable lambda: makes a `SerializedLambda`.
    fn write_replace(
        &mut self,
        site: &Site,
        class: ClassId,
        captured: &Descriptor,
        erased: &str,
        body: &Target,
        instantiated: &str,
    ) -> Run<Code> {
        let serialized =
            self.load(crate::machine::class::Loader::BOOT, "java/lang/invoke/SerializedLambda")?;
        let strings = "Ljava/lang/String;";
        let constructor = format!(
            "(Ljava/lang/Class;{strings}{strings}{strings}I{strings}{strings}{strings}{strings}[Ljava/lang/Object;)V"
        );
        let constructor = self.method_named(serialized, "<init>", &constructor);
        let constructor = constructor.ok_or_else(|| Abrupt::unsupported("this JDK's SerializedLambda"))?;
        let interface = captured.result.trim_start_matches('L').trim_end_matches(';').to_string();
        let mut builder = Builder::new(20);
        builder.emit(Insn::wide(Op::NewOf, 1, serialized.0));
        builder.emit(Insn::new(Op::Move, 2, 1, 0));
        let mirror = self.class(site.from).mirror;
        builder.emit(Insn::wide(Op::ConstRef, 3, mirror.0));
        let texts = [
            (4, interface.as_str()),
            (5, &site.name),
            (6, erased),
            (8, &body.class),
            (9, &body.name),
            (10, &body.descriptor),
            (11, instantiated),
        ];
        for (register, text) in texts {
            let units: Vec<u16> = text.encode_utf16().collect();
            let string = self.intern(&units)?;
            builder.emit(Insn::wide(Op::ConstRef, register, string.0));
        }
        builder.constant(7, u64::from(body.kind));
        builder.constant(13, captured.kinds.len() as u64);
        let objects = self.known.objects;
        builder.emit(Insn::new(Op::NewArrayOf, 12, 13, objects.0 as u16));
        for (index, kind) in captured.kinds.iter().enumerate() {
            let offset = self.class(class).fields[index].offset as u16;
            builder.emit(Insn::new(Op::get(*kind), 14, 0, offset));
            self.box_value(&mut builder, 14, *kind, 16)?;
            builder.constant(13, index as u64);
            builder.emit(Insn::new(Op::StoreRef, 12, 13, 14));
        }
        let call = self.call_site(constructor);
        builder.emit(Insn::wide(Op::CallDirect, 2, call));
        builder.emit(Insn::new(Op::ReturnRef, 1, 0, 0));
        Ok(builder.finish())
    }

    /// The text of a static argument that is a string.
    pub(super) fn bootstrap_string(&self, site: &Site, number: usize) -> Run<Vec<u16>> {
        let index = site.argument(number)?;
        let file = self.file(site.from)?;
        match file.pool.get(index)? {
            Constant::String(text) => Ok(crate::classfile::text::decode(file.pool.raw(text)?)),
            _ => Err(crate::classfile::ClassFileError::Constant { index, wanted: "string" }.into()),
        }
    }
}

fn too_few() -> Abrupt {
    Abrupt::raise("java/lang/invoke/LambdaConversionException", "Incorrect number of parameters")
}
