//! `MethodHandleNatives`: how `java.lang.invoke` asks the machine about fields and methods.
//!
//! Lookups run as the JDK wrote them, with its checks and messages; what a `MemberName` means is found here.

use crate::classfile::{Kind, access};
use crate::machine::class::{ClassId, MethodId, Shape};
use crate::machine::native::{NOTHING, Table, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/invoke/MethodHandleNatives",
    methods: &[
        ("init(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V", leaf(init)),
        ("expand(Ljava/lang/invoke/MemberName;)V", NOTHING),
        (
            "resolve(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;",
            leaf(resolve),
        ),
        ("objectFieldOffset(Ljava/lang/invoke/MemberName;)J", leaf(field_offset)),
        ("staticFieldOffset(Ljava/lang/invoke/MemberName;)J", leaf(field_offset)),
        ("staticFieldBase(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;", leaf(static_field_base)),
        (
            "setCallSiteTargetNormal(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
            leaf(set_call_site_target),
        ),
        (
            "setCallSiteTargetVolatile(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
            leaf(set_call_site_target),
        ),
    ],
}];

/// Kinds of references to members, as class files number them.
#[allow(missing_docs)]
pub mod reference {
    pub const GET_FIELD: i32 = 1;
    pub const GET_STATIC: i32 = 2;
    pub const PUT_FIELD: i32 = 3;
    pub const PUT_STATIC: i32 = 4;
    pub const INVOKE_VIRTUAL: i32 = 5;
    pub const INVOKE_STATIC: i32 = 6;
    pub const INVOKE_SPECIAL: i32 = 7;
    pub const NEW_INVOKE_SPECIAL: i32 = 8;
    pub const INVOKE_INTERFACE: i32 = 9;
}

const IS_METHOD: i32 = 0x0001_0000;
const IS_CONSTRUCTOR: i32 = 0x0002_0000;
const IS_FIELD: i32 = 0x0004_0000;
const CALLER_SENSITIVE: i32 = 0x0010_0000;
const TRUSTED_FINAL: i32 = 0x0020_0000;
const KIND_SHIFT: i32 = 24;

/// Flags of class files that describe the machine's side of a member and are not shown.
const METHOD_FLAGS: u16 = 0x1FFF;

/// A field or method that a `MemberName` stands for.
pub(super) struct Member {
    pub class: ClassId,
    pub name: String,
    pub descriptor: String,
    pub flags: i32,
}

impl Member {
    /// The kind of the reference.
    pub fn kind(&self) -> i32 {
        self.flags >> KIND_SHIFT & 0xF
    }

    pub fn is_field(&self) -> bool {
        self.flags & IS_FIELD != 0
    }
}

impl Machine {
    /// What a `MemberName` says.
    pub(super) fn member(&mut self, object: Ref) -> Run<Member> {
        let layout = self.layout()?;
        if object.is_null() {
            return Err(Abrupt::raise("java/lang/InternalError", "no member"));
        }
        let class = self.heap.get_ref(object, layout.member_class);
        if class.is_null() {
            return Err(Abrupt::raise("java/lang/LinkageError", "nothing to resolve"));
        }
        let name = self.heap.get_ref(object, layout.member_name);
        let of = self.heap.get_ref(object, layout.member_type);
        Ok(Member {
            class: self.class_of_mirror(class),
            name: self.text_of(name)?,
            descriptor: self.type_descriptor(of)?,
            flags: self.heap.get_i32(object, layout.member_flags),
        })
    }

    /// The descriptor that the type of a `MemberName` stands for: a type, a class, both as an array, or a text.
    fn type_descriptor(&mut self, of: Ref) -> Run<String> {
        if of.is_null() {
            return Err(Abrupt::raise("java/lang/InternalError", "a member without a type"));
        }
        let layout = self.layout()?;
        let class = ClassId(self.heap.class(of));
        if class == layout.method_type {
            let classes = self.classes_of_type(of)?;
            return Ok(self.descriptor_of(&classes));
        }
        if Some(class) == self.known.class {
            return Ok(self.class_descriptor(self.class_of_mirror(of)));
        }
        if class == self.known.string {
            return Ok(self.text(of));
        }
        let (result, parameters) = (self.element(of, 0), self.element(of, 1));
        self.reflected_descriptor(result, parameters)
    }

    fn reflected_descriptor(&self, result: Ref, parameters: Ref) -> Run<String> {
        let mut classes = vec![self.class_of_mirror(result)];
        let count = self.heap.length(parameters);
        classes.extend((0..count).map(|index| self.class_of_mirror(self.element(parameters, index))));
        Ok(self.descriptor_of(&classes))
    }

    /// The method that a member stands for.
    pub(super) fn method_of_member(&mut self, member: &Member) -> Run<MethodId> {
        let class = match self.class(member.class).shape {
            Shape::Instance => member.class,
            _ => self.known.object,
        };
        let (name, descriptor) =
            (self.classes.symbols.intern(&member.name), self.classes.symbols.intern(&member.descriptor));
        let found = if member.name == "<init>" {
            self.declared_method(class, name, descriptor)
        } else {
            self.find_method(class, name, descriptor)
        };
        found.ok_or_else(|| {
            let message = self.missing_method(member.class, &member.name, &member.descriptor);
            Abrupt::raise("java/lang/NoSuchMethodError", message)
        })
    }

    /// The field that a member stands for.
    pub(super) fn field_of_member(&mut self, member: &Member) -> Run<(ClassId, usize)> {
        let (name, descriptor) =
            (self.classes.symbols.intern(&member.name), self.classes.symbols.intern(&member.descriptor));
        let found = self.find_field(member.class, name, descriptor);
        found.ok_or_else(|| Abrupt::raise("java/lang/NoSuchFieldError", member.name.clone()))
    }

    /// Whether code of a class may name a member of another: the rules of the virtual machine.
    fn may_access(&mut self, caller: ClassId, named: ClassId, declared: ClassId, flags: u16) -> Run<bool> {
        let package = |machine: &Machine, class: ClassId| {
            let name = machine.class_name(class);
            (machine.loader_of(class), name.rfind('/').map_or(String::new(), |end| name[..end].to_string()))
        };
        let same_package = |a: ClassId, b: ClassId| a == b || package(self, a) == package(self, b);
        let mut element = named;
        while let Some((component, _)) = self.class(element).component() {
            element = component;
        }
        if !self.class(element).is(access::PUBLIC) && !same_package(caller, element) {
            return Ok(false);
        }
        if flags & access::PUBLIC != 0 {
            return Ok(true);
        }
        if flags & access::PRIVATE != 0 {
            return Ok(caller == declared || self.nest_host(caller)? == self.nest_host(declared)?);
        }
        if same_package(caller, declared) {
            return Ok(true);
        }
        Ok(flags & access::PROTECTED != 0 && self.is_subclass(caller, declared))
    }

    fn write_member(&mut self, object: Ref, class: ClassId, flags: i32) -> Run<()> {
        let layout = self.layout()?;
        let mirror = self.class(class).mirror;
        self.heap.put_ref(object, layout.member_class, mirror);
        self.heap.put_i32(object, layout.member_flags, flags);
        Ok(())
    }

    fn field_flags(&self, found: (ClassId, usize), put: bool) -> i32 {
        let (field, class) = (self.field(found), self.class(found.0));
        let kind = if field.is_static() { reference::GET_STATIC } else { reference::GET_FIELD };
        let kind = kind + if put { reference::PUT_FIELD - reference::GET_FIELD } else { 0 };
        let record =
            class.file.as_ref().is_some_and(|file| file.attribute(file.attributes, "Record").is_some());
        let trusted =
            field.access & access::FINAL != 0 && (field.is_static() || record || class.hidden_in.is_some());
        i32::from(field.access) | IS_FIELD | kind << KIND_SHIFT | if trusted { TRUSTED_FINAL } else { 0 }
    }

    /// The flags of a method, with the kind of call that it takes; `wanted` is how it is looked for.
    fn method_flags(&self, id: MethodId, wanted: i32) -> i32 {
        let method = self.method(id);
        let direct = method.is(access::PRIVATE | access::FINAL) || self.class(method.class).is(access::FINAL);
        let (what, kind) = if method.is_static() {
            (IS_METHOD, reference::INVOKE_STATIC)
        } else if self.classes.symbols.text(method.name) == "<init>" {
            (IS_CONSTRUCTOR, reference::INVOKE_SPECIAL)
        } else if wanted == reference::INVOKE_SPECIAL || direct {
            (IS_METHOD, reference::INVOKE_SPECIAL)
        } else if self.class(method.class).is_interface() {
            (IS_METHOD, reference::INVOKE_INTERFACE)
        } else {
            (IS_METHOD, reference::INVOKE_VIRTUAL)
        };
        let caller = if method.marks.caller_sensitive { CALLER_SENSITIVE } else { 0 };
        i32::from(method.access & METHOD_FLAGS) | what | caller | kind << KIND_SHIFT
    }
}

fn resolve(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, caller, speculative) = (arguments.object(0), arguments.object(1), arguments.int(3) != 0);
    let caller = caller.some().map(|mirror| machine.class_of_mirror(mirror));
    match resolve_member(machine, object, caller) {
        Ok(()) => Ok(object.bits()),
        Err(Abrupt::Raise { .. }) if speculative => Ok(0),
        Err(abrupt) => Err(abrupt),
    }
}

fn resolve_member(machine: &mut Machine, object: Ref, caller: Option<ClassId>) -> Run<()> {
    let member = machine.member(object)?;
    let wanted = member.kind();
    let denied = |machine: &Machine, what: &str| {
        let caller = caller.map_or(String::new(), |caller| machine.external_name(caller));
        let class = machine.external_name(member.class);
        let message = format!("class {caller} tried to access {what} {class}.{}", member.name);
        Abrupt::raise("java/lang/IllegalAccessError", message)
    };
    if member.is_field() {
        let found = machine.field_of_member(&member)?;
        let flags = machine.field(found).access;
        if let Some(caller) = caller
            && !machine.may_access(caller, member.class, found.0, flags)?
        {
            return Err(denied(machine, "field"));
        }
        let put = matches!(wanted, reference::PUT_FIELD | reference::PUT_STATIC);
        let flags = machine.field_flags(found, put);
        return machine.write_member(object, found.0, flags);
    }
    let id = machine.method_of_member(&member)?;
    let method = machine.method(id);
    if method.is_static() != (wanted == reference::INVOKE_STATIC) {
        let expected = if wanted == reference::INVOKE_STATIC { "static" } else { "non-static" };
        let text = machine.missing_method(method.class, &member.name, &member.descriptor);
        let message = format!("Expected {expected} method {text}");
        return Err(Abrupt::raise("java/lang/IncompatibleClassChangeError", message));
    }
    let (class, flags) = (method.class, method.access);
    // Any code may copy arrays, though the method that does it is protected.
    let copies = machine.class(member.class).component().is_some() && member.name == "clone";
    if let Some(caller) = caller
        && !copies
        && !machine.may_access(caller, member.class, class, flags)?
    {
        return Err(denied(machine, "method"));
    }
    let flags = machine.method_flags(id, wanted);
    machine.write_member(object, class, flags)
}

/// Fills in a `MemberName` from a reflected field, method or constructor.
fn init(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, reflected) = (arguments.object(0), arguments.object(1));
    if object.is_null() || reflected.is_null() {
        return Err(Abrupt::raise("java/lang/InternalError", "init"));
    }
    let of = ClassId(machine.heap.class(reflected));
    let part = |machine: &Machine, name: &str| {
        machine.offset_of(of, name).map_or(Ref::NULL, |offset| machine.heap.get_ref(reflected, offset))
    };
    let class = machine.class_of_mirror(part(machine, "clazz"));
    let name = part(machine, "name");
    if machine.class_name(of) == "java/lang/reflect/Field" {
        let descriptor = machine.class_descriptor(machine.class_of_mirror(part(machine, "type")));
        let name = machine.text_of(name)?;
        let found = machine.field_of_member(&Member { class, name, descriptor, flags: IS_FIELD })?;
        let flags = machine.field_flags(found, false);
        machine.write_member(object, found.0, flags)?;
        return Ok(0);
    }
    let constructor = machine.class_name(of) == "java/lang/reflect/Constructor";
    let result = if constructor {
        machine.class(machine.known.primitives[Kind::Void as usize]).mirror
    } else {
        part(machine, "returnType")
    };
    let descriptor = machine.reflected_descriptor(result, part(machine, "parameterTypes"))?;
    let name = if constructor { "<init>".to_string() } else { machine.text_of(name)? };
    let id = machine.method_of_member(&Member { class, name, descriptor, flags: IS_METHOD })?;
    let flags = machine.method_flags(id, reference::INVOKE_VIRTUAL);
    machine.write_member(object, machine.method(id).class, flags)?;
    Ok(0)
}

fn field_offset(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let member = machine.member(arguments.object(0))?;
    let found = machine.field_of_member(&member)?;
    Ok(u64::from(machine.field(found).offset))
}

fn static_field_base(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let member = machine.member(arguments.object(0))?;
    let found = machine.field_of_member(&member)?;
    Ok(machine.class(found.0).mirror.bits())
}

fn set_call_site_target(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (site, target) = (arguments.object(0), arguments.object(1));
    if let Some(offset) = machine.offset_of(ClassId(machine.heap.class(site)), "target") {
        machine.heap.put_ref(site, offset, target);
    }
    Ok(0)
}
