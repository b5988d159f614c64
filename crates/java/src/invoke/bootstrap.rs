//! Dynamic calls and constants whose bootstrap methods the machine does not know: the methods are called, as the JDK
//! calls them.
//!
//! A call site becomes a method that calls whatever the target of its `CallSite` is at the time.

use super::dynamic::Site;
use super::handle_code::descriptor;
use crate::classfile::{ClassFileError, Constant, Descriptor, Kind};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::machine::native::Function;
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;

impl Machine {
    /// Links a dynamic call by its bootstrap method, which is called for each instruction once.
    pub(super) fn link_by_bootstrap(&mut self, site: &Site) -> Run<MethodId> {
        let top = self.threads.list[self.turn.thread].top();
        let place = (top.method.0, top.pc);
        let Some(&object) = self.tables.handles.call_sites.get(&place) else {
            let of = self.method_type(site.from, &site.descriptor)?;
            return Err(self.call_bootstrap(site, of, BootstrapCall::CALL_SITE, place)?);
        };
        let parsed = Descriptor::parse(&site.descriptor)?;
        let handle = parsed.slots;
        let get_target = {
            let class = self.load(Loader::BOOT, "java/lang/invoke/CallSite")?;
            let method = self.method_named(class, "getTarget", "()Ljava/lang/invoke/MethodHandle;");
            method.ok_or_else(|| Abrupt::unsupported("this JDK's CallSite"))?
        };
        let get_target = self.call_site(get_target);
        let call = self.basic_site(&parsed.kinds, parsed.returns)?;
        let mut builder = Builder::new(2 * handle + 4);
        builder.emit(Insn::wide(Op::ConstRef, handle, object.0));
        builder.emit(Insn::wide(Op::CallVirtual, handle, get_target));
        for slot in 0..handle {
            builder.emit(Insn::new(Op::Move, handle + 1 + slot, slot, 0));
        }
        builder.emit(Insn::wide(Op::CallPolymorphic, handle, call));
        let leave = match parsed.returns {
            Kind::Void => Op::Return,
            Kind::Reference => Op::ReturnRef,
            _ => Op::ReturnValue,
        };
        builder.emit(Insn::new(leave, handle, 0, 0));
        let text = descriptor(&parsed.kinds, parsed.returns);
        Ok(self.make_method("dynamic", &text, builder.finish()))
    }

    /// The value of a dynamic constant.
    pub(crate) fn dynamic_constant(&mut self, from: ClassId, index: u16) -> Run<u64> {
        let object = self.dynamic_object(from, index)?;
        let file = self.file(from)?;
        let (_, _, text) = file.pool.dynamic(index)?;
        let kind = text.bytes().next().and_then(Kind::of).unwrap_or(Kind::Reference);
        if kind == Kind::Reference {
            return Ok(object.bits());
        }
        let class = ClassId(self.heap.class(object.some().ok_or_else(Abrupt::null)?));
        let offset =
            self.offset_of(class, "value").ok_or_else(|| Abrupt::unsupported("a constant of this type"))?;
        Ok(match kind {
            Kind::Boolean => self.heap.get_u8(object, offset).bits(),
            Kind::Byte => self.heap.get_i8(object, offset).bits(),
            Kind::Char => self.heap.get_u16(object, offset).bits(),
            Kind::Short => self.heap.get_i16(object, offset).bits(),
            Kind::Long | Kind::Double => self.heap.get_u64(object, offset),
            _ => self.heap.get_u32(object, offset).bits(),
        })
    }

    /// The same, in a box if it is a primitive.
    fn dynamic_object(&mut self, from: ClassId, index: u16) -> Run<Ref> {
        let place = (from.0, u32::from(index));
        if let Some(&known) = self.tables.handles.dynamic_constants.get(&place) {
            return Ok(known);
        }
        let site = self.dynamic_site(from, index)?;
        let class = self.load_described(self.loader_of(from), &site.descriptor)?;
        let of = self.class(class).mirror;
        Err(self.call_bootstrap(&site, of, BootstrapCall::CONSTANT, place)?)
    }

    /// Has a bootstrap method called and its result kept under a place.
    fn call_bootstrap(
        &mut self,
        site: &Site,
        of: Ref,
        purpose: BootstrapCall,
        place: (u32, u32),
    ) -> Run<Abrupt> {
        let bootstrap = self.resolve_constant(site.from, site.handle)?;
        let mut arguments = Vec::with_capacity(site.arguments.len());
        for &index in &site.arguments {
            arguments.push(self.static_argument(site.from, index)?);
        }
        // None, one, or an array of several: what the JDK's code expects.
        let arguments = match arguments[..] {
            [] => Ref::NULL,
            [one] => one,
            _ => self.new_objects(self.known.object, &arguments)?,
        };
        let name: Vec<u16> = site.name.encode_utf16().collect();
        let name = self.intern(&name)?;
        let caller = self.class(site.from).mirror;
        let stub = self.bootstrap_stub(purpose)?;
        let values = [bootstrap, name, of, arguments, caller].map(Bits::bits);
        let values = [&values[..], &[u64::from(place.0), u64::from(place.1)]].concat();
        self.call(stub, &values, Resume::Again)?;
        Ok(Abrupt::Again)
    }

    fn static_argument(&mut self, from: ClassId, index: u16) -> Run<Ref> {
        let constant = self.file(from)?.pool.get(index)?;
        let (name, bits) = match constant {
            Constant::Integer(value) => ("java/lang/Integer", value.bits()),
            Constant::Float(bits) => ("java/lang/Float", bits.bits()),
            Constant::Long(value) => ("java/lang/Long", value.bits()),
            Constant::Double(bits) => ("java/lang/Double", bits),
            Constant::Dynamic { .. } => return self.dynamic_object(from, index),
            _ => return self.resolve_constant(from, index),
        };
        let class = self.load(Loader::BOOT, name)?;
        let object = self.new_object(class)?;
        let bad = || Abrupt::from(ClassFileError::Constant { index, wanted: "static argument" });
        let offset = self.offset_of(class, "value").ok_or_else(bad)?;
        if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
            self.heap.put_u64(object, offset, bits);
        } else {
            self.heap.put_u32(object, offset, bits as u32);
        }
        Ok(object)
    }

    /// The code that calls a bootstrap method through the JDK's and keeps the result. Its arguments are those of the
    /// JDK's method and the two numbers of the place.
    fn bootstrap_stub(&mut self, purpose: BootstrapCall) -> Run<MethodId> {
        if let Some(&known) = self.tables.handles.detours.get(purpose.name) {
            return Ok(known);
        }
        let class = self.load(Loader::BOOT, purpose.class)?;
        let make = self.method_named(class, purpose.name, purpose.descriptor);
        let make = make.ok_or_else(|| Abrupt::unsupported(format!("this JDK has no {}", purpose.name)))?;
        let site = self.call_site(make);
        let keep = self.hook(purpose.keep);
        let mut builder = Builder::new(14);
        for slot in 0..5 {
            builder.emit(Insn::new(Op::Move, 7 + slot, slot, 0));
        }
        builder.emit(Insn::wide(Op::CallStatic, 7, site));
        builder.emit(Insn::new(Op::Move, 0, 7, 0));
        // The hook reads the numbers too, which nothing else keeps alive.
        builder.emit(Insn::new(Op::IAdd, 8, 5, 6));
        builder.emit(Insn::wide(Op::Hook, 0, keep));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        let object = "Ljava/lang/Object;".repeat(5);
        let stub = self.make_method("bootstrap", &format!("({object}II)V"), builder.finish());
        self.tables.handles.detours.insert(purpose.name.to_string(), stub);
        Ok(stub)
    }
}

/// What a bootstrap method is called for: the JDK's method that does it, and what keeps the result.
struct BootstrapCall {
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    keep: Function,
}

impl BootstrapCall {
    const CALL_SITE: BootstrapCall = BootstrapCall {
        class: "java/lang/invoke/CallSite",
        name: "makeSite",
        descriptor: "(Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/invoke/CallSite;",
        keep: |machine, registers| {
            let (object, place) = pinned_object(machine, registers);
            machine.tables.handles.call_sites.entry(place).or_insert(object);
            Ok(0)
        },
    };
    const CONSTANT: BootstrapCall = BootstrapCall {
        class: "java/lang/invoke/ConstantBootstraps",
        name: "makeConstant",
        descriptor: "(Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;",
        keep: |machine, registers| {
            let (object, place) = pinned_object(machine, registers);
            machine.tables.handles.dynamic_constants.entry(place).or_insert(object);
            Ok(0)
        },
    };
}

fn pinned_object(machine: &mut Machine, registers: Arguments) -> (Ref, (u32, u32)) {
    let object = registers.object(0);
    machine.tables.roots.extend(object.some());
    (object, (registers.get(5), registers.get(6)))
}
