//! `java.lang.Class` and class loaders.

use crate::bytes::Bytes;
use crate::classfile::{Cursor, Kind, access};
use crate::machine::class::{ClassId, Loader, Origin, Shape};
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Class",
        methods: &[
            ("desiredAssertionStatus()Z", framed(desired_assertion_status)),
            ("desiredAssertionStatus0(Ljava/lang/Class;)Z", leaf(|_, _| Ok(1))),
            (
                "forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
                framed(for_name),
            ),
            ("getComponentType()Ljava/lang/Class;", leaf(component_type)),
            ("getInterfaces0()[Ljava/lang/Class;", leaf(interfaces)),
            ("getModifiers()I", leaf(modifiers)),
            (
                "getClassAccessFlagsRaw0()I",
                leaf(|machine, arguments| {
                    let class = machine.class_of_mirror(arguments.object(0));
                    Ok(i32::from(machine.class(class).access).bits())
                }),
            ),
            ("getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;", leaf(primitive_class)),
            ("getSuperclass()Ljava/lang/Class;", leaf(superclass)),
            ("initClassName()Ljava/lang/String;", leaf(init_class_name)),
            (
                "isArray()Z",
                leaf(|machine, arguments| {
                    let class = machine.class_of_mirror(arguments.object(0));
                    Ok(machine.class(class).component().is_some().bits())
                }),
            ),
            ("isAssignableFrom(Ljava/lang/Class;)Z", leaf(is_assignable_from)),
            ("isInstance(Ljava/lang/Object;)Z", leaf(is_instance)),
            (
                "isInterface()Z",
                leaf(|machine, arguments| {
                    let class = machine.class_of_mirror(arguments.object(0));
                    Ok(machine.class(class).is_interface().bits())
                }),
            ),
            (
                "isPrimitive()Z",
                leaf(|machine, arguments| {
                    let class = machine.class_of_mirror(arguments.object(0));
                    Ok(matches!(machine.class(class).shape, Shape::Primitive(_)).bits())
                }),
            ),
            (
                "isHidden()Z",
                leaf(|machine, arguments| {
                    let class = machine.class_of_mirror(arguments.object(0));
                    Ok(machine.class(class).hidden_in.is_some().bits())
                }),
            ),
            ("isRecord0()Z", leaf(is_record)),
            ("getDeclaringClass0()Ljava/lang/Class;", framed(declaring_class)),
            ("getSimpleBinaryName0()Ljava/lang/String;", leaf(simple_binary_name)),
            ("getEnclosingMethod0()[Ljava/lang/Object;", framed(enclosing_method)),
            ("getNestHost0()Ljava/lang/Class;", framed(nest_host)),
            ("getNestMembers0()[Ljava/lang/Class;", framed(nest_members)),
            ("getPermittedSubclasses0()[Ljava/lang/Class;", framed(permitted_subclasses)),
            ("getDeclaredClasses0()[Ljava/lang/Class;", framed(declared_classes)),
            ("getGenericSignature0()Ljava/lang/String;", leaf(generic_signature)),
            ("getSigners()[Ljava/lang/Object;", leaf(|_, _| Ok(0))),
            ("setSigners([Ljava/lang/Object;)V", NOTHING),
        ],
    },
    Table {
        class: "java/lang/ClassLoader",
        methods: &[
            ("findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;", framed(find_bootstrap_class)),
            ("findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;", framed(find_loaded_class)),
            ("findInitiatedLoader(Ljava/lang/Class;)V", NOTHING),
            (
                "findBuiltinLib(Ljava/lang/String;)Ljava/lang/String;",
                leaf(|_, arguments| Ok(arguments.get(0))),
            ),
            ("retrieveDirectives()Ljava/lang/AssertionStatusDirectives;", framed(assertion_directives)),
            (
                "defineClass1(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
                framed(define_class),
            ),
        ],
    },
    Table {
        class: "jdk/internal/loader/BuiltinClassLoader",
        methods: &[
            ("loadClassOrNull(Ljava/lang/String;Z)Ljava/lang/Class;", framed(load_class_or_null)),
            (
                "findClass(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Class;",
                framed(|machine, arguments| load_named(machine, Loader::BOOT, arguments.object(2))),
            ),
        ],
    },
    Table {
        class: "jdk/internal/loader/BootLoader",
        methods: &[
            ("setBootLoaderUnnamedModule0(Ljava/lang/Module;)V", NOTHING),
            ("getSystemPackageNames()[Ljava/lang/String;", leaf(system_package_names)),
        ],
    },
];

/// Assertions are on in the program and off in the JDK, unless the program has told the loader of the class otherwise.
fn desired_assertion_status(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    if machine.class(class).loader == Loader::BOOT {
        return Ok(0);
    }
    let loader = machine.loader_object(class)?;
    if loader.is_null() || machine.ref_in(loader, "classAssertionStatus").is_null() {
        return Ok(1);
    }
    let of = ClassId(machine.heap.class(loader));
    let method = machine.method_named(of, "desiredAssertionStatus", "(Ljava/lang/String;)Z");
    let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's ClassLoader"))?;
    let name = machine.new_string(&machine.external_name(class))?;
    machine.call(method, &[loader.bits(), name.bits()], Resume::Next)?;
    Err(Abrupt::Called)
}

/// What `java` is told of assertions when it starts: they are on, with no exceptions for classes or packages.
fn assertion_directives(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let class = machine.load(Loader::BOOT, "java/lang/AssertionStatusDirectives")?;
    machine.initialise(class)?;
    let directives = machine.new_object(class)?;
    let (strings, booleans) = (machine.known.string, machine.known.primitive_arrays[Kind::Boolean as usize]);
    for (names, enabled) in [("classes", "classEnabled"), ("packages", "packageEnabled")] {
        let none = machine.new_objects(strings, &[])?;
        machine.set_ref(directives, names, none);
        let none = machine.new_array(booleans, 0)?;
        machine.set_ref(directives, enabled, none);
    }
    if let Some(offset) = machine.offset_of(class, "deflt") {
        machine.heap.put_u8(directives, offset, 1);
    }
    Ok(directives.bits())
}

/// The packages of the JDK's classes that were there at the start, or are there now in a run that is not explored: what other
/// executions have loaded must not show.
fn system_package_names(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let mut names = std::collections::BTreeSet::new();
    for id in (1..machine.classes.list.len() as u32).map(ClassId) {
        let class = machine.class(id);
        let is_given = !machine.scheduling.controlled || class.mirror.0 < machine.scheduling.permanent.first;
        if class.loader == Loader::BOOT && is_given && matches!(class.shape, Shape::Instance) {
            names.extend(machine.class_name(id).rsplit_once('/').map(|(package, _)| package.to_string()));
        }
    }
    let names = names.iter().map(|name| machine.new_string(name)).collect::<Run<Vec<Ref>>>()?;
    machine.new_objects(machine.known.string, &names).map(Bits::bits)
}

fn mirror(machine: &Machine, class: Option<ClassId>) -> u64 {
    class.map_or(0, |class| machine.class(class).mirror.bits())
}

impl Machine {
    /// The loader that an instance of `java.lang.ClassLoader` stands for.
    pub(crate) fn loader_of_object(&mut self, object: Ref) -> Loader {
        if object.is_null() {
            return Loader::BOOT;
        }
        if let Some(index) = self.tables.loaders.iter().position(|&known| known == object) {
            return Loader(index as u32);
        }
        let of = ClassId(self.heap.class(object));
        // The platform loader's classes come from the JDK's image, as the boot loader's do.
        if self.class_name(of) == "jdk/internal/loader/ClassLoaders$PlatformClassLoader" {
            return Loader::BOOT;
        }
        self.tables.loaders.push(object);
        Loader(self.tables.loaders.len() as u32 - 1)
    }
}

fn for_name(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text_of(arguments.object(0))?;
    let initialise = arguments.int(1) != 0;
    let loader = machine.loader_of_object(arguments.object(2));
    if name.contains('/') {
        return Err(Abrupt::raise("java/lang/ClassNotFoundException", name));
    }
    let internal = name.replace('.', "/");
    let symbol = machine.classes.symbols.intern(&internal);
    let class = match machine.classes.names.get(&(loader, symbol)) {
        Some(&class) => class,
        None if loader.0 > Loader::APP.0 && !name.starts_with('[') => {
            machine.load_by_object(loader, &internal, true)?
        }
        None => not_found(machine.load(loader, &internal), &name)?,
    };
    if initialise {
        machine.initialise(class)?;
    }
    Ok(machine.class(class).mirror.bits())
}

/// A class that is not there is an exception for callers that ask by name, and an error for code.
fn not_found(found: Run<ClassId>, name: &str) -> Run<ClassId> {
    // Of an array, it is the class of its elements that is not there.
    let element = match name.strip_prefix('[') {
        Some(array) => {
            let array = array.trim_start_matches('[');
            array.strip_prefix('L').unwrap_or(array).trim_end_matches(';')
        }
        None => name,
    };
    found.map_err(|abrupt| match abrupt {
        Abrupt::Raise { class: "java/lang/NoClassDefFoundError", message: Some(missing) }
            if missing.replace('/', ".") == element =>
        {
            Abrupt::raise("java/lang/ClassNotFoundException", missing.replace('/', "."))
        }
        other => other,
    })
}

fn absent(found: Run<ClassId>, name: &str) -> Run<Option<ClassId>> {
    match not_found(found, name) {
        Ok(class) => Ok(Some(class)),
        Err(Abrupt::Raise { class: "java/lang/ClassNotFoundException", .. }) => Ok(None),
        Err(abrupt) => Err(abrupt),
    }
}

fn find_bootstrap_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text_of(arguments.object(0))?;
    let found = machine.load(Loader::BOOT, &name.replace('.', "/"));
    let found = absent(found, &name)?;
    Ok(mirror(machine, found))
}

fn find_loaded_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let loader = machine.loader_of_object(arguments.object(0));
    let name = machine.text_of(arguments.object(1))?.replace('.', "/");
    let symbol = machine.classes.symbols.intern(&name);
    let found = machine.classes.names.get(&(loader, symbol)).copied();
    Ok(mirror(machine, found))
}

fn load_class_or_null(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let loader = machine.loader_of_object(arguments.object(0));
    load_named(machine, loader, arguments.object(1))
}

fn load_named(machine: &mut Machine, loader: Loader, name: Ref) -> Run<u64> {
    let name = machine.text_of(name)?;
    let found = machine.load(loader, &name.replace('.', "/"));
    let found = absent(found, &name)?;
    Ok(mirror(machine, found))
}

fn define_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let loader = machine.loader_of_object(arguments.object(0));
    let (array, offset, length) = (arguments.object(2), arguments.int(3), arguments.int(4));
    let bytes = machine.heap.elements(array, 1);
    let (offset, length) = (offset as usize, length as usize);
    let part = offset.checked_add(length).and_then(|end| bytes.get(offset..end));
    let part = part.ok_or_else(|| Abrupt::bare("java/lang/ArrayIndexOutOfBoundsException"))?.to_vec();
    let name = match arguments.object(1).some() {
        Some(name) => machine.text(name).replace('.', "/"),
        None => {
            let parsed = crate::classfile::ClassFile::parse(Bytes::new(part.clone()));
            parsed.map(|file| file.name().to_string()).map_err(Abrupt::from)?
        }
    };
    let module = machine.module_of_proxy(arguments.object(0), &name);
    let class = machine.define(&name, Bytes::new(part), Origin { loader, module, hidden_in: None })?;
    Ok(machine.class(class).mirror.bits())
}

fn component_type(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let component = machine.class(class).component().map(|(component, _)| component);
    Ok(mirror(machine, component))
}

fn mirrors(machine: &mut Machine, classes: &[ClassId]) -> Run<u64> {
    let mirrors: Vec<Ref> = classes.iter().map(|&class| machine.class(class).mirror).collect();
    let class = machine.known.class.unwrap_or_default();
    machine.new_objects(class, &mirrors).map(Bits::bits)
}

fn interfaces(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let interfaces = machine.class(class).interfaces.to_vec();
    mirrors(machine, &interfaces)
}

/// The flags of a class: an inner class has those of its source.
fn modifiers(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class(machine.class_of_mirror(arguments.object(0)));
    let mut flags = class.access & !access::SUPER;
    if let Some(file) = &class.file {
        let own = file
            .inner_classes()
            .into_iter()
            .find(|inner| file.pool.class_name(inner.inner) == Ok(file.name()));
        if let Some(inner) = own {
            flags = inner.access & !access::SUPER;
        }
    }
    Ok(i32::from(flags).bits())
}

fn primitive_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text_of(arguments.object(0))?;
    let kind = Kind::PRIMITIVES.into_iter().find(|kind| kind.word() == name);
    let class = kind.map(|kind| machine.known.primitives[kind as usize]);
    class
        .map(|class| mirror(machine, Some(class)))
        .ok_or_else(|| Abrupt::raise("java/lang/ClassNotFoundException", name))
}

fn superclass(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class(machine.class_of_mirror(arguments.object(0)));
    let superclass = class.superclass.filter(|_| !class.is_interface());
    Ok(mirror(machine, superclass))
}

fn init_class_name(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(0);
    let class = machine.class_of_mirror(object);
    let name: Vec<u16> = machine.external_name(class).encode_utf16().collect();
    let name = machine.intern(&name)?;
    if let Some(offset) = machine.known.class.and_then(|class| machine.offset_of(class, "name")) {
        machine.heap.put_ref(object, offset, name);
    }
    Ok(name.bits())
}

fn is_assignable_from(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    if arguments.object(1).is_null() {
        return Err(Abrupt::null());
    }
    let (to, from) =
        (machine.class_of_mirror(arguments.object(0)), machine.class_of_mirror(arguments.object(1)));
    Ok(machine.is_subclass(from, to).bits())
}

fn is_instance(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let object = arguments.object(1);
    let is = !object.is_null() && machine.is_subclass(ClassId(machine.heap.class(object)), class);
    Ok(is.bits())
}

fn is_record(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class(machine.class_of_mirror(arguments.object(0)));
    let record = class.file.as_ref().is_some_and(|file| file.attribute(file.attributes, "Record").is_some());
    Ok(record.bits())
}

/// The class that a constant of a class names, loaded.
fn named(machine: &mut Machine, class: ClassId, index: u16) -> Run<Option<ClassId>> {
    if index == 0 { Ok(None) } else { machine.resolve_class(class, index).map(Some) }
}

fn declaring_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let Some(file) = machine.class(class).file.clone() else { return Ok(0) };
    let own =
        file.inner_classes().into_iter().find(|inner| file.pool.class_name(inner.inner) == Ok(file.name()));
    let outer = named(machine, class, own.map_or(0, |inner| inner.outer))?;
    Ok(mirror(machine, outer))
}

fn simple_binary_name(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let Some(file) = machine.class(class).file.clone() else { return Ok(0) };
    let own =
        file.inner_classes().into_iter().find(|inner| file.pool.class_name(inner.inner) == Ok(file.name()));
    match own {
        Some(inner) if inner.name != 0 => {
            let name = file.pool.text(inner.name)?.into_owned();
            machine.new_string(&name).map(Bits::bits)
        }
        _ => Ok(0),
    }
}

fn enclosing_method(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let Some(file) = machine.class(class).file.clone() else { return Ok(0) };
    let Some(contents) = file.attribute(file.attributes, "EnclosingMethod") else { return Ok(0) };
    let mut at = Cursor::new(contents);
    let (outer, method) = (at.u16()?, at.u16()?);
    let outer = machine.resolve_class(class, outer)?;
    let (mut name, mut descriptor) = (Ref::NULL, Ref::NULL);
    if method != 0 {
        let (name_text, descriptor_text) = file.pool.name_and_type(method)?;
        name = machine.new_string(name_text)?;
        descriptor = machine.new_string(descriptor_text)?;
    }
    let outer = machine.class(outer).mirror;
    machine.new_objects(machine.known.object, &[outer, name, descriptor]).map(Bits::bits)
}

/// The classes that an attribute lists.
fn listed(machine: &mut Machine, class: ClassId, attribute: &str) -> Run<Option<Vec<ClassId>>> {
    let Some(file) = machine.class(class).file.clone() else { return Ok(None) };
    let Some(contents) = file.attribute(file.attributes, attribute) else { return Ok(None) };
    let mut at = Cursor::new(contents);
    let count = at.u16()?;
    let mut classes = Vec::new();
    for _ in 0..count {
        let index = at.u16()?;
        classes.push(machine.resolve_class(class, index)?);
    }
    Ok(Some(classes))
}

impl Machine {
    /// The class whose nest a class belongs to.
    pub(crate) fn nest_host(&mut self, class: ClassId) -> Run<ClassId> {
        if let Some(host) = self.class(class).hidden_in {
            return self.nest_host(host);
        }
        let Some(file) = self.class(class).file.clone() else { return Ok(class) };
        match file.index_attribute(file.attributes, "NestHost") {
            Some(index) => self.resolve_class(class, index),
            None => Ok(class),
        }
    }
}

fn nest_host(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let host = machine.nest_host(class)?;
    Ok(mirror(machine, Some(host)))
}

fn nest_members(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let host = machine.nest_host(class)?;
    let mut members = vec![host];
    members.extend(listed(machine, host, "NestMembers")?.unwrap_or_default());
    mirrors(machine, &members)
}

fn permitted_subclasses(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    match listed(machine, class, "PermittedSubclasses")? {
        Some(classes) => mirrors(machine, &classes),
        None => Ok(0),
    }
}

fn declared_classes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let mut classes = Vec::new();
    if let Some(file) = machine.class(class).file.clone() {
        for inner in file.inner_classes() {
            if inner.outer != 0 && file.pool.class_name(inner.outer) == Ok(file.name()) {
                classes.push(machine.resolve_class(class, inner.inner)?);
            }
        }
    }
    mirrors(machine, &classes)
}

fn generic_signature(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let Some(file) = machine.class(class).file.clone() else { return Ok(0) };
    match file.index_attribute(file.attributes, "Signature") {
        Some(index) => {
            let text = file.pool.text(index)?.into_owned();
            machine.new_string(&text).map(Bits::bits)
        }
        None => Ok(0),
    }
}
