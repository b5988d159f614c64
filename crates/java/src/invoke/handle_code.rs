//! Writing the code of method handles.
//!
//! Every handle has a form, and every form a method in the machine's own code: its first argument is the handle, the
//! others are those of the call. What a handle was made of (other handles, bound values) it keeps in an array of
//! operands, so that handles of the same shape share one method.

use crate::classfile::{Descriptor, Kind};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId, Shape};
use crate::machine::method_handles::Layout;
use crate::machine::{Abrupt, Machine, Run};
use crate::memory::Ref;

/// A register and the kind of what it holds.
pub(super) type Value = (u16, Kind);

/// Code that is being written.
pub(super) struct HandleCode<'m> {
    pub machine: &'m mut Machine,
    pub builder: Builder,
    /// The arguments of the call, without the handle, which is in register 0.
    pub arguments: Vec<Value>,
    parameters: Vec<Kind>,
    layout: Layout,
    next: u16,
}

/// The descriptor of a method of these kinds; references are objects.
pub(super) fn descriptor(parameters: &[Kind], returns: Kind) -> String {
    let letter = |kind: &Kind| match kind {
        Kind::Reference => "Ljava/lang/Object;".to_string(),
        kind => kind.letter().to_string(),
    };
    let parameters: String = parameters.iter().map(letter).collect();
    format!("({parameters}){}", letter(&returns))
}

/// Kinds as letters, for keys.
pub(super) fn letters(kinds: &[Kind]) -> String {
    kinds.iter().map(|kind| kind.letter()).collect()
}

impl<'m> HandleCode<'m> {
    /// Code of a form with these parameters.
    pub fn new(machine: &'m mut Machine, parameters: &[Kind]) -> Run<HandleCode<'m>> {
        let layout = machine.layout()?;
        let mut next = 1;
        let mut arguments = Vec::with_capacity(parameters.len());
        for &kind in parameters {
            arguments.push((next, kind));
            next += kind.slots();
        }
        // Results of calls in place may take the handle's register and the one behind it.
        let next = next.max(2);
        let builder = Builder::new(next);
        Ok(HandleCode { machine, builder, arguments, parameters: parameters.to_vec(), layout, next })
    }

    /// A free register, with room for a long.
    pub fn register(&mut self) -> u16 {
        self.next += 2;
        self.next - 2
    }

    pub fn emit(&mut self, op: Op, a: u16, b: u16, c: u16) -> usize {
        self.builder.emit(Insn::new(op, a, b, c))
    }

    /// What the handle itself keeps.
    pub fn bound(&mut self) -> u16 {
        let register = self.register();
        self.emit(Op::GetRef, register, 0, self.layout.bound_operands as u16);
        register
    }

    /// One of the operands of the handle.
    pub fn operand(&mut self, index: usize) -> u16 {
        let operands = self.bound();
        self.element(operands, index)
    }

    /// An element of an array of objects.
    pub fn element(&mut self, array: u16, index: usize) -> u16 {
        let (register, place) = (self.register(), self.register());
        self.builder.constant(place, index as u64);
        self.emit(Op::LoadRef, register, array, place);
        register
    }

    /// An object that is always there.
    pub fn object(&mut self, object: Ref) -> u16 {
        let register = self.register();
        self.builder.emit(Insn::wide(Op::ConstRef, register, object.0));
        register
    }

    /// A value of zero bits of a kind.
    pub fn zero(&mut self, kind: Kind) -> u16 {
        let register = self.register();
        match kind {
            Kind::Reference => {
                self.emit(Op::ConstNull, register, 0, 0);
            }
            _ => self.builder.constant(register, 0),
        }
        register
    }

    /// Calls a site with copies of these values; the register of the result.
    pub fn call(&mut self, op: Op, site: u32, arguments: &[Value]) -> u16 {
        let first = self.next;
        let mut register = first;
        for &(from, kind) in arguments {
            self.emit(Op::Move, register, from, 0);
            register += kind.slots();
        }
        self.next = register.max(first + 2);
        self.builder.emit(Insn::wide(op, first, site));
        first
    }

    /// Calls a method handle that takes exactly these values.
    pub fn call_handle(&mut self, handle: u16, arguments: &[Value], returns: Kind) -> Run<u16> {
        let kinds: Vec<Kind> = arguments.iter().map(|&(_, kind)| kind).collect();
        let site = self.machine.basic_site(&kinds, returns)?;
        let mut all = vec![(handle, Kind::Reference)];
        all.extend_from_slice(arguments);
        Ok(self.call(Op::CallPolymorphic, site, &all))
    }

    /// Calls a method handle with the arguments where they are, and leaves with its result.
    pub fn leave_by(&mut self, handle: u16, returns: Kind) -> Run<()> {
        let site = self.machine.basic_site(&self.parameters, returns)?;
        self.emit(Op::Move, 0, handle, 0);
        self.builder.emit(Insn::wide(Op::CallPolymorphic, 0, site));
        self.leave(0, returns);
        Ok(())
    }

    /// Calls a method of one of the JDK's classes.
    pub fn call_java(&mut self, class: &str, name: &str, descriptor: &str, arguments: &[Value]) -> Run<u16> {
        let class = self.machine.load(Loader::BOOT, class)?;
        let method = self.machine.method_named(class, name, descriptor);
        let missing = || Abrupt::unsupported(format!("this JDK has no {name}{descriptor}"));
        let method = method.ok_or_else(missing)?;
        let op = match self.machine.method(method) {
            method if method.is_static() => Op::CallStatic,
            method if method.slot == u32::MAX => Op::CallDirect,
            _ => Op::CallVirtual,
        };
        let site = self.machine.call_site(method);
        Ok(self.call(op, site, arguments))
    }

    /// Leaves with a value.
    pub fn leave(&mut self, register: u16, kind: Kind) {
        let op = match kind {
            Kind::Void => Op::Return,
            Kind::Reference => Op::ReturnRef,
            _ => Op::ReturnValue,
        };
        self.emit(op, register, 0, 0);
    }

    /// The method.
    pub fn finish(mut self, returns: Kind) -> MethodId {
        let mut parameters = vec![Kind::Reference];
        parameters.extend_from_slice(&self.parameters);
        self.builder.reserve(self.next + 2);
        self.machine.make_method("form", &descriptor(&parameters, returns), self.builder.finish())
    }
}

impl Machine {
    /// The kind of the values of a class.
    pub(super) fn kind_of_class(&self, class: ClassId) -> Kind {
        match self.class(class).shape {
            Shape::Primitive(kind) => kind,
            _ => Kind::Reference,
        }
    }

    /// The kinds of the parameters and of the result of a type.
    pub(super) fn kinds_of_type(&mut self, of: Ref) -> Run<(Vec<Kind>, Kind)> {
        let classes = self.classes_of_type(of)?;
        let kinds = classes[1..].iter().map(|&class| self.kind_of_class(class)).collect();
        Ok((kinds, self.kind_of_class(classes[0])))
    }

    /// The type of a handle.
    pub(super) fn type_of_handle(&mut self, handle: Ref) -> Run<Ref> {
        if handle.is_null() {
            return Err(Abrupt::null());
        }
        let layout = self.layout()?;
        Ok(self.heap.get_ref(handle, layout.handle_type))
    }

    /// The form that a key stands for; its code is written when it is first asked for.
    pub(super) fn form(
        &mut self,
        key: String,
        parameters: &[Kind],
        returns: Kind,
        write: impl FnOnce(&mut HandleCode) -> Run<()>,
    ) -> Run<Ref> {
        if let Some(&form) = self.tables.handles.forms.get(&key) {
            return Ok(form);
        }
        let layout = self.layout()?;
        let mut handle_code = HandleCode::new(self, parameters)?;
        write(&mut handle_code)?;
        let method = handle_code.finish(returns);
        let form = self.permanently(
            |_| crate::machine::name_hash(&key, 8),
            |machine| {
                let form = machine.new_object(layout.form)?;
                machine.heap.put_u32(form, layout.form_code, method.0);
                Ok(form)
            },
        )?;
        self.tables.roots.push(form);
        self.tables.handles.forms.insert(key, form);
        Ok(form)
    }

    /// The method that has the code of a form.
    pub(super) fn code_of_form(&mut self, form: Ref) -> Run<MethodId> {
        let layout = self.layout()?;
        match form.some().map(|form| self.heap.get_u32(form, layout.form_code)) {
            Some(id) if id != 0 => Ok(MethodId(id)),
            _ => Err(Abrupt::unsupported("a method handle that the machine has not made")),
        }
    }

    /// The method that has the code of a form, and the kinds of its parameters, without the handle, and of its result.
    pub(super) fn kinds_of_form(&mut self, form: Ref) -> Run<(MethodId, Vec<Kind>, Kind)> {
        let method = self.code_of_form(form)?;
        let parsed = Descriptor::parse(self.classes.symbols.text(self.method(method).descriptor))?;
        Ok((method, parsed.kinds[1..].to_vec(), parsed.returns))
    }

    /// A handle of a type and form that keeps operands.
    pub(super) fn new_handle(&mut self, of: Ref, form: Ref, operands: &[Ref]) -> Run<Ref> {
        let layout = self.layout()?;
        let array = self.new_objects(self.known.object, operands)?;
        let handle = self.new_object(layout.bound)?;
        self.heap.put_ref(handle, layout.handle_type, of);
        self.heap.put_ref(handle, layout.handle_form, form);
        self.heap.put_ref(handle, layout.bound_operands, array);
        Ok(handle)
    }

    /// A site that calls a handle without looking at its type.
    pub(super) fn basic_site(&mut self, parameters: &[Kind], returns: Kind) -> Run<u32> {
        let class = self.known.method_handle.unwrap_or_default();
        let generic = "([Ljava/lang/Object;)Ljava/lang/Object;";
        let basic = self.method_named(class, "invokeBasic", generic);
        let basic = basic.ok_or_else(|| Abrupt::unsupported("this JDK's MethodHandle"))?;
        let descriptor = self.classes.symbols.intern(&descriptor(parameters, returns));
        let site = self.call_site(basic);
        self.links.calls[site as usize].descriptor = descriptor;
        Ok(site)
    }
}
