//! Calls through `Method.invoke` and `Constructor.newInstance`.
//!
//! The native checks and unboxes the arguments and calls a stub, one for each method that is called so: it makes the
//! call, boxes the result, and wraps what the method throws.

use super::boxes::widen;
use crate::classfile::{Descriptor, Kind, access};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId, Shape};
use crate::machine::native::{Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "jdk/internal/reflect/NativeMethodAccessorImpl",
        methods: &[(
            "invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
            framed(invoke),
        )],
    },
    Table {
        class: "jdk/internal/reflect/NativeConstructorAccessorImpl",
        methods: &[(
            "newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
            framed(new_instance),
        )],
    },
    Table {
        class: "jdk/internal/reflect/MethodAccessorGenerator",
        methods: &[(
            "generateSerializationConstructor(Ljava/lang/Class;[Ljava/lang/Class;[Ljava/lang/Class;ILjava/lang/Class;)Ljdk/internal/reflect/SerializationConstructorAccessorImpl;",
            framed(serialization_constructor),
        )],
    },
    // Calls stay with the natives: the classes that the JDK would make after a few of them do the same more slowly.
    Table {
        class: "jdk/internal/reflect/ReflectionFactory",
        methods: &[("inflationThreshold()I", leaf(|_, _| Ok(i32::MAX.bits())))],
    },
];

fn illegal(message: &str) -> Abrupt {
    Abrupt::raise("java/lang/IllegalArgumentException", message)
}

fn invoke(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let id = machine.reflected_method(arguments.object(0))?;
    let method = machine.method(id);
    let class = method.class;
    if method.marks.polymorphic {
        let message = "method handles are not invoked through reflection";
        return Err(Abrupt::raise("java/lang/UnsupportedOperationException", message));
    }
    let mut slots = Vec::new();
    let target = if method.is_static() {
        machine.initialise(class)?;
        id
    } else {
        let receiver = arguments.object(1);
        if receiver.is_null() {
            return Err(Abrupt::null());
        }
        let of = ClassId(machine.heap.class(receiver));
        if !machine.is_subclass(of, class) {
            return Err(illegal("object is not an instance of declaring class"));
        }
        slots.push(receiver.bits());
        machine.selected_for(id, of)
    };
    unbox_arguments(machine, id, arguments.object(2), &mut slots)?;
    let stub = call_stub(machine, target)?;
    machine.call(stub, &slots, Resume::Next)?;
    Err(Abrupt::Called)
}

fn new_instance(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let id = machine.reflected_method(arguments.object(0))?;
    let class = instantiated(machine, arguments.object(0)).unwrap_or(machine.method(id).class);
    if machine.class(class).is(access::ABSTRACT | access::INTERFACE) {
        return Err(Abrupt::raise("java/lang/InstantiationException", machine.external_name(class)));
    }
    machine.initialise(class)?;
    let mut slots = vec![0, 0];
    unbox_arguments(machine, id, arguments.object(1), &mut slots)?;
    let object = machine.new_object(class)?;
    slots[0] = object.bits();
    slots[1] = object.bits();
    let stub = construct_stub(machine, id, true)?;
    machine.call(stub, &slots, Resume::Next)?;
    Err(Abrupt::Called)
}

/// The class whose instances a constructor makes that was made for serialization: a subclass of the one that declares it.
fn instantiated(machine: &Machine, constructor: Ref) -> Option<ClassId> {
    let marked = machine.ref_in(constructor, "constructorAccessor").some()?;
    let is_class = Some(ClassId(machine.heap.class(marked))) == machine.known.class;
    is_class.then(|| machine.class_of_mirror(marked))
}

/// What makes objects of a class by a constructor of a superclass, as deserialization does. The class takes the place
/// of the accessor in a constructor that only the native sees.
fn serialization_constructor(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (mirror, parameters) = (arguments.object(1), arguments.object(2));
    let declaring = machine.class_of_mirror(arguments.object(5));
    let mut descriptor = String::from("(");
    for index in 0..machine.heap.length(parameters) {
        let class = machine.class_of_mirror(machine.element(parameters, index));
        descriptor.push_str(&machine.describe_type(class));
    }
    descriptor.push_str(")V");
    let names = (machine.classes.symbols.intern("<init>"), machine.classes.symbols.intern(&descriptor));
    let constructor = machine.declared_method(declaring, names.0, names.1);
    let constructor = constructor.ok_or_else(|| Abrupt::bare("java/lang/NoSuchMethodError"))?;
    let accessor = machine.load(Loader::BOOT, "jdk/internal/reflect/NativeConstructorAccessorImpl")?;
    machine.initialise(accessor)?;
    let object = machine.reflect_method(constructor)?;
    machine.set_ref(object, "constructorAccessor", mirror);
    let accessor = machine.new_object(accessor)?;
    machine.set_ref(accessor, "c", object);
    Ok(accessor.bits())
}

impl Machine {
    /// The descriptor of a type.
    pub(crate) fn describe_type(&self, class: ClassId) -> String {
        match self.class(class).shape {
            Shape::Primitive(kind) => kind.letter().to_string(),
            Shape::Array { .. } => self.class_name(class).to_string(),
            Shape::Instance => format!("L{};", self.class_name(class)),
        }
    }

    /// Makes an object of one of the JDK's classes by a constructor, as the result of the native that asks for it.
    pub(crate) fn construct(&mut self, class: &str, descriptor: &str, arguments: &[u64]) -> Abrupt {
        match self.begin_construct(class, descriptor, arguments) {
            Ok(()) => Abrupt::Called,
            Err(abrupt) => abrupt,
        }
    }

    fn begin_construct(&mut self, name: &str, descriptor: &str, arguments: &[u64]) -> Run<()> {
        let class = self.load(Loader::BOOT, name)?;
        self.initialise(class)?;
        let constructor = self.method_named(class, "<init>", descriptor);
        let constructor = constructor.ok_or_else(|| Abrupt::unsupported(format!("this JDK's {name}")))?;
        let stub = construct_stub(self, constructor, false)?;
        let object = self.new_object(class)?.bits();
        let slots = [&[object, object], arguments].concat();
        self.call(stub, &slots, Resume::Next)
    }

    /// The method that a call of `id` means for an object of a class.
    pub(crate) fn selected_for(&self, id: MethodId, class: ClassId) -> MethodId {
        let method = self.method(id);
        if method.is(access::PRIVATE) || method.is_static() {
            id
        } else if self.class(method.class).is_interface() {
            self.select(class, method.name, method.descriptor).unwrap_or(id)
        } else {
            self.class(class).vtable.get(method.slot as usize).copied().unwrap_or(id)
        }
    }
}

/// Adds the arguments in an array of objects to those in slots, as a method takes them.
fn unbox_arguments(machine: &mut Machine, id: MethodId, array: Ref, slots: &mut Vec<u64>) -> Run<()> {
    let method = machine.method(id);
    let loader = machine.loader_of(method.class);
    let parsed = Descriptor::parse(machine.classes.symbols.text(method.descriptor))?;
    let given = if array.is_null() { 0 } else { machine.heap.length(array) as usize };
    if given != parsed.kinds.len() {
        return Err(illegal("wrong number of arguments"));
    }
    for (index, (&kind, descriptor)) in parsed.kinds.iter().zip(&parsed.parameters).enumerate() {
        let argument = machine.element(array, index as u32);
        if kind == Kind::Reference {
            let wanted = machine.load_described(loader, descriptor)?;
            if !argument.is_null() && !machine.is_subclass(ClassId(machine.heap.class(argument)), wanted) {
                return Err(illegal("argument type mismatch"));
            }
            slots.push(argument.bits());
            continue;
        }
        if argument.is_null() {
            return Err(Abrupt::bare("java/lang/IllegalArgumentException"));
        }
        let value = machine.unboxed(argument).and_then(|(from, bits)| widen(bits, from, kind));
        slots.push(value.ok_or_else(|| illegal("argument type mismatch"))?);
        if kind.slots() == 2 {
            slots.push(0);
        }
    }
    Ok(())
}

/// The stub that calls exactly this method and gives its result as an object.
fn call_stub(machine: &mut Machine, target: MethodId) -> Run<MethodId> {
    if let Some(&stub) = machine.links.stubs.reflective.get(&(target, true)) {
        return Ok(stub);
    }
    let method = machine.method(target);
    let (slots, returns, is_static) = (method.arguments, method.returns, method.is_static());
    let parsed = Descriptor::parse(machine.classes.symbols.text(method.descriptor))?;
    let site = machine.call_site(target);
    let mut builder = Builder::new(slots.max(4) + 2);
    builder.emit(Insn::wide(if is_static { Op::CallStatic } else { Op::CallDirect }, 0, site));
    let called = builder.next();
    if returns == Kind::Void {
        builder.emit(Insn::new(Op::ConstNull, 0, 0, 0));
    } else if let Some(boxing) = machine.boxing(returns)? {
        let site = machine.call_site(boxing);
        builder.emit(Insn::wide(Op::CallStatic, 0, site));
    }
    builder.emit(Insn::new(Op::ReturnRef, 0, 0, 0));
    catch_and_wrap(machine, &mut builder, called)?;
    let receiver = if is_static { "" } else { "Ljava/lang/Object;" };
    let descriptor = format!("({receiver}{})Ljava/lang/Object;", parsed.parameters.concat());
    let stub = machine.make_method("invoke", &descriptor, builder.finish());
    machine.links.stubs.reflective.insert((target, true), stub);
    Ok(stub)
}

/// The stub that calls a constructor on the object in registers 0 and 1, and gives that object.
fn construct_stub(machine: &mut Machine, constructor: MethodId, wraps: bool) -> Run<MethodId> {
    if let Some(&stub) = machine.links.stubs.reflective.get(&(constructor, wraps)) {
        return Ok(stub);
    }
    let method = machine.method(constructor);
    let slots = method.arguments;
    let parsed = Descriptor::parse(machine.classes.symbols.text(method.descriptor))?;
    let site = machine.call_site(constructor);
    let mut builder = Builder::new(slots.max(4) + 3);
    builder.emit(Insn::wide(Op::CallDirect, 1, site));
    let called = builder.next();
    builder.emit(Insn::new(Op::ReturnRef, 0, 0, 0));
    if wraps {
        catch_and_wrap(machine, &mut builder, called)?;
    }
    let parameters = parsed.parameters.concat();
    let descriptor = format!("(Ljava/lang/Object;Ljava/lang/Object;{parameters})Ljava/lang/Object;");
    let stub = machine.make_method("construct", &descriptor, builder.finish());
    machine.links.stubs.reflective.insert((constructor, wraps), stub);
    Ok(stub)
}

/// What the instructions before `called` throw is thrown as the cause of an `InvocationTargetException`.
fn catch_and_wrap(machine: &mut Machine, builder: &mut Builder, called: usize) -> Run<()> {
    let class = machine.load(Loader::BOOT, "java/lang/reflect/InvocationTargetException")?;
    let constructor = machine.method_named(class, "<init>", "(Ljava/lang/Throwable;)V");
    let constructor = constructor.ok_or_else(|| Abrupt::unsupported("this JDK"))?;
    let site = machine.call_site(constructor);
    let caught = builder.next();
    builder.emit(Insn::wide(Op::NewOf, 1, class.0));
    builder.emit(Insn::new(Op::Move, 2, 1, 0));
    builder.emit(Insn::new(Op::Move, 3, 0, 0));
    builder.emit(Insn::wide(Op::CallDirect, 2, site));
    builder.emit(Insn::new(Op::Throw, 1, 0, 0));
    builder.catch(0, called, caught, 0);
    Ok(())
}
