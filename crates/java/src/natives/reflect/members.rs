//! Fields, methods, constructors and record components as objects of `java.lang.reflect`.

use crate::classfile::{ClassFile, Cursor, Descriptor, Span, access};
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::machine::native::{Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Class",
        methods: &[
            ("getDeclaredFields0(Z)[Ljava/lang/reflect/Field;", framed(declared_fields)),
            ("getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;", framed(declared_methods)),
            ("getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;", framed(declared_constructors)),
            ("getRecordComponents0()[Ljava/lang/reflect/RecordComponent;", framed(record_components)),
        ],
    },
    Table {
        class: "java/io/ObjectStreamClass",
        methods: &[("hasStaticInitializer(Ljava/lang/Class;)Z", leaf(has_static_initialiser))],
    },
    Table {
        class: "java/lang/reflect/Executable",
        methods: &[("getParameters0()[Ljava/lang/reflect/Parameter;", framed(parameters))],
    },
    Table {
        class: "jdk/internal/reflect/ReflectionFactory$GetReflectionFactoryAction",
        methods: &[("run()Ljdk/internal/reflect/ReflectionFactory;", framed(reflection_factory))],
    },
];

impl Machine {
    /// The method or constructor that an object of `java.lang.reflect` stands for.
    pub(crate) fn reflected_method(&self, object: Ref) -> Run<MethodId> {
        if object.is_null() {
            return Err(Abrupt::null());
        }
        let class = self.class_of_mirror(self.ref_in(object, "clazz"));
        let slot = self.int_in(object, "slot") as usize;
        let method = self.class(class).methods.get(slot).copied();
        method.ok_or_else(|| Abrupt::raise("java/lang/InternalError", "a method without a class"))
    }

    /// The class of `java.lang.reflect`, initialised.
    fn reflecting(&mut self, name: &str) -> Run<ClassId> {
        let class = self.load(Loader::BOOT, name)?;
        self.initialise(class)?;
        Ok(class)
    }

    /// A new object of `java.lang.reflect.Field`.
    pub(crate) fn reflect_field(&mut self, class: ClassId, index: usize) -> Run<Ref> {
        let of = self.reflecting("java/lang/reflect/Field")?;
        let field = self.class(class).fields[index].clone();
        let loader = self.loader_of(class);
        let descriptor = self.classes.symbols.shared(field.descriptor);
        let described = self.load_described(loader, &descriptor)?;
        let described = self.class(described).mirror;
        let object = self.new_object(of)?;
        let name = self.interned_symbol(field.name)?;
        let mirror = self.class(class).mirror;
        self.set_ref(object, "clazz", mirror);
        self.set_ref(object, "name", name);
        self.set_ref(object, "type", described);
        self.set_int(object, "modifiers", i32::from(field.access));
        self.set_int(object, "slot", index as i32);
        let hidden = self.class(class).hidden_in.is_some();
        let record = self.class(class).superclass.is_some_and(|id| self.class_name(id) == "java/lang/Record");
        let trusted = field.access & access::FINAL != 0 && (field.is_static() || hidden || record);
        self.set_boolean(object, "trustedFinal", trusted);
        let signature = self.generic_type(class, field.attributes)?;
        self.set_ref(object, "signature", signature);
        let annotations = self.raw_attribute(class, field.attributes, "RuntimeVisibleAnnotations")?;
        self.set_ref(object, "annotations", annotations);
        Ok(object)
    }

    /// A new object of `java.lang.reflect.Method` or `Constructor`.
    pub(crate) fn reflect_method(&mut self, id: MethodId) -> Run<Ref> {
        let method = self.method(id);
        let (class, flags, attributes) = (method.class, method.access, method.attributes);
        // A method that the machine made has no place in a class file, but one in its class.
        let index = self.class(class).methods.iter().position(|&known| known == id).unwrap_or_default();
        let (name, descriptor) = (method.name, self.classes.symbols.shared(method.descriptor));
        let constructor = self.classes.symbols.text(name) == "<init>";
        let of = self.reflecting(if constructor {
            "java/lang/reflect/Constructor"
        } else {
            "java/lang/reflect/Method"
        })?;
        let parsed = Descriptor::parse(&descriptor)?;
        let loader = self.loader_of(class);
        let mut parameters = Vec::new();
        for parameter in &parsed.parameters {
            let parameter = self.load_described(loader, parameter)?;
            parameters.push(self.class(parameter).mirror);
        }
        let result = self.load_described(loader, &parsed.result)?;
        let exceptions = self.exceptions(class, attributes)?;
        let object = self.new_object(of)?;
        let classes = self.known.class.unwrap_or_default();
        let (mirror, result) = (self.class(class).mirror, self.class(result).mirror);
        self.set_ref(object, "clazz", mirror);
        let parameters = self.new_objects(classes, &parameters)?;
        self.set_ref(object, "parameterTypes", parameters);
        let exceptions = self.new_objects(classes, &exceptions)?;
        self.set_ref(object, "exceptionTypes", exceptions);
        self.set_int(object, "modifiers", i32::from(flags));
        self.set_int(object, "slot", index as i32);
        let signature = self.generic_type(class, attributes)?;
        self.set_ref(object, "signature", signature);
        for (field, attribute) in [
            ("annotations", "RuntimeVisibleAnnotations"),
            ("parameterAnnotations", "RuntimeVisibleParameterAnnotations"),
            ("annotationDefault", "AnnotationDefault"),
        ] {
            let contents = self.raw_attribute(class, attributes, attribute)?;
            self.set_ref(object, field, contents);
        }
        if !constructor {
            let name = self.interned_symbol(name)?;
            self.set_ref(object, "name", name);
            self.set_ref(object, "returnType", result);
        }
        Ok(object)
    }

    fn interned_symbol(&mut self, symbol: crate::machine::class::Symbol) -> Run<Ref> {
        let units: Vec<u16> = self.classes.symbols.text(symbol).encode_utf16().collect();
        self.intern(&units)
    }

    /// The generic type of a member; null if it has none.
    fn generic_type(&mut self, class: ClassId, attributes: Span) -> Run<Ref> {
        let Some(file) = self.class(class).file.clone() else { return Ok(Ref::NULL) };
        match file.index_attribute(attributes, "Signature") {
            Some(index) => self.new_string(&file.pool.text(index)?),
            None => Ok(Ref::NULL),
        }
    }

    /// An attribute as an array of bytes; null if there is none.
    pub(super) fn raw_attribute(&mut self, class: ClassId, attributes: Span, name: &str) -> Run<Ref> {
        let Some(file) = self.class(class).file.clone() else { return Ok(Ref::NULL) };
        match file.attribute(attributes, name) {
            Some(contents) => self.new_bytes(contents),
            None => Ok(Ref::NULL),
        }
    }

    /// The mirrors of the exceptions that a method declares.
    fn exceptions(&mut self, class: ClassId, attributes: Span) -> Run<Vec<Ref>> {
        let mut mirrors = Vec::new();
        let Some(file) = self.class(class).file.clone() else { return Ok(mirrors) };
        if let Some(contents) = file.attribute(attributes, "Exceptions") {
            let mut at = Cursor::new(contents);
            for _ in 0..at.u16()? {
                let exception = self.resolve_class(class, at.u16()?)?;
                mirrors.push(self.class(exception).mirror);
            }
        }
        Ok(mirrors)
    }
}

fn declared_fields(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let public = arguments.int(1) != 0;
    let of = machine.reflecting("java/lang/reflect/Field")?;
    let mut objects = Vec::new();
    for index in 0..machine.class(class).fields.len() {
        if !public || machine.class(class).fields[index].access & access::PUBLIC != 0 {
            objects.push(machine.reflect_field(class, index)?);
        }
    }
    machine.new_objects(of, &objects).map(Bits::bits)
}

/// The methods of a class, or its constructors, as an array of objects.
fn declared(machine: &mut Machine, arguments: Arguments, constructors: bool) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let public = arguments.int(1) != 0;
    let of = machine.reflecting(if constructors {
        "java/lang/reflect/Constructor"
    } else {
        "java/lang/reflect/Method"
    })?;
    let mut objects = Vec::new();
    for index in 0..machine.class(class).methods.len() {
        let id = machine.class(class).methods[index];
        let method = machine.method(id);
        let name = machine.classes.symbols.text(method.name);
        if name == "<clinit>" || (name == "<init>") != constructors || public && !method.is(access::PUBLIC) {
            continue;
        }
        objects.push(machine.reflect_method(id)?);
    }
    machine.new_objects(of, &objects).map(Bits::bits)
}

fn declared_methods(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    declared(machine, arguments, false)
}

fn declared_constructors(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    declared(machine, arguments, true)
}

fn record_components(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let of = machine.reflecting("java/lang/reflect/RecordComponent")?;
    machine.reflecting("java/lang/reflect/Method")?;
    let Some(file) = machine.class(class).file.clone() else { return Ok(0) };
    let Some(components) = components(&file)? else { return Ok(0) };
    let mut objects = Vec::new();
    for (name, descriptor, attributes) in components {
        let (name, descriptor) = (file.pool.utf8(name)?, file.pool.utf8(descriptor)?);
        let described = machine.load_described(machine.loader_of(class), descriptor)?;
        let described = machine.class(described).mirror;
        let object = machine.new_object(of)?;
        let mirror = machine.class(class).mirror;
        machine.set_ref(object, "clazz", mirror);
        let units: Vec<u16> = name.encode_utf16().collect();
        let text = machine.intern(&units)?;
        machine.set_ref(object, "name", text);
        machine.set_ref(object, "type", described);
        let symbols = (
            machine.classes.symbols.intern(name),
            machine.classes.symbols.intern(&format!("(){descriptor}")),
        );
        if let Some(accessor) = machine.declared_method(class, symbols.0, symbols.1) {
            let accessor = machine.reflect_method(accessor)?;
            machine.set_ref(object, "accessor", accessor);
        }
        let signature = machine.generic_type(class, attributes)?;
        machine.set_ref(object, "signature", signature);
        let contents = machine.raw_attribute(class, attributes, "RuntimeVisibleAnnotations")?;
        machine.set_ref(object, "annotations", contents);
        let contents = machine.raw_attribute(class, attributes, "RuntimeVisibleTypeAnnotations")?;
        machine.set_ref(object, "typeAnnotations", contents);
        objects.push(object);
    }
    machine.new_objects(of, &objects).map(Bits::bits)
}

/// A component of a record: the indices of its name and descriptor, and its attributes.
type Component = (u16, u16, Span);

/// The components of a record; `None` if the class is none.
fn components(file: &ClassFile) -> Run<Option<Vec<Component>>> {
    let found = file.attributes(file.attributes).find(|attribute| attribute.name == "Record");
    let Some(attribute) = found else { return Ok(None) };
    let start = attribute.contents.start;
    let mut at = Cursor::new(file.part(attribute.contents));
    let mut components = Vec::new();
    for _ in 0..at.u16()? {
        let (name, descriptor) = (at.u16()?, at.u16()?);
        let first = start + at.position() as u32;
        for _ in 0..at.u16()? {
            at.u16()?;
            let length = at.u32()?;
            at.skip(length as usize)?;
        }
        components.push((name, descriptor, Span { start: first, end: start + at.position() as u32 }));
    }
    Ok(Some(components))
}

fn parameters(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let executable = arguments.object(0);
    let id = machine.reflected_method(executable)?;
    let method = machine.method(id);
    let attributes = method.attributes;
    let Some(file) = machine.class(method.class).file.clone() else { return Ok(0) };
    let Some(contents) = file.attribute(attributes, "MethodParameters") else { return Ok(0) };
    let of = machine.reflecting("java/lang/reflect/Parameter")?;
    let mut at = Cursor::new(contents);
    let mut objects = Vec::new();
    for index in 0..at.u8()? {
        let (name, flags) = (at.u16()?, at.u16()?);
        let object = machine.new_object(of)?;
        if name != 0 {
            let units: Vec<u16> = file.pool.text(name)?.encode_utf16().collect();
            let name = machine.intern(&units)?;
            machine.set_ref(object, "name", name);
        }
        machine.set_int(object, "modifiers", i32::from(flags));
        machine.set_ref(object, "executable", executable);
        machine.set_int(object, "index", i32::from(index));
        objects.push(object);
    }
    machine.new_objects(of, &objects).map(Bits::bits)
}

/// The factory of accessors. It relies on the members' classes being initialised before it, which other machines do at
/// their start.
fn reflection_factory(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.reflecting("java/lang/reflect/AccessibleObject")?;
    let class = machine.reflecting("jdk/internal/reflect/ReflectionFactory")?;
    Ok(machine.static_ref(class, "soleInstance").bits())
}

fn has_static_initialiser(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    Ok(machine.class(class).initialiser.is_some().bits())
}
