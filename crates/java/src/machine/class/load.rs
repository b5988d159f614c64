//! Loading classes: from a name to a class whose fields have places and whose methods have slots.

use super::layout::{lay_out, references};
use super::{Class, ClassId, Field, Loader, Method, MethodId, MethodTraits, Shape, Symbol, status};
use crate::bytes::Bytes;
use crate::classfile::{ClassFile, Kind, access, field_kind, method_shape};
use crate::machine::{Abrupt, Machine, Run};
use crate::memory::{HEADER, Ref};
use hashbrown::HashMap;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Where a class comes from: what decides its loader and how it is trusted.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Its loader.
    pub loader: Loader,
    /// The module in the JDK's image.
    pub module: Option<Rc<str>>,
    /// The class in whose nest a hidden class is defined.
    pub hidden_in: Option<ClassId>,
}

/// Superclasses deeper than this are a mistake.
const DEEPEST: usize = 400;

impl Machine {
    /// The class of that name, as in `java/lang/String` or `[I`, seen from a loader. It is loaded if need be.
    pub fn load(&mut self, loader: Loader, name: &str) -> Run<ClassId> {
        let symbol = self.classes.symbols.intern(name);
        self.load_symbol(loader, symbol)
    }

    /// The class of that name, if it is loaded already.
    pub fn loaded(&self, loader: Loader, name: Symbol) -> Option<ClassId> {
        let found = self.classes.names.get(&(loader, name)).copied();
        found.or_else(|| self.classes.names.get(&(Loader::BOOT, name)).copied())
    }

    /// The same, by symbol.
    pub fn load_symbol(&mut self, loader: Loader, name: Symbol) -> Run<ClassId> {
        if let Some(class) = self.loaded(loader, name) {
            return Ok(class);
        }
        let text = self.classes.symbols.shared(name);
        if let Some(component) = text.strip_prefix('[') {
            let component = self.load_described(loader, component)?;
            return self.array_of(component);
        }
        let library = self.library.clone();
        if let Some((bytes, module)) = library.jdk.image.class(&text) {
            let module: Rc<str> = self.module_name(module);
            let origin = Origin { loader: Loader::BOOT, module: Some(module), hidden_in: None };
            return self.define(&text, bytes, origin);
        }
        if loader.0 > Loader::APP.0 {
            return self.load_by_object(loader, &text, false);
        }
        if loader != Loader::BOOT {
            if let Some(made) = crate::library::verify_class(&text) {
                let origin = Origin { loader: Loader::APP, module: None, hidden_in: None };
                return self.define(&text, Bytes::new(made), origin);
            }
            let found = self.library.class_path.find(&format!("{text}.class"));
            let found = found.map_err(|error| Abrupt::unsupported(error.to_string()))?;
            if let Some(found) = found {
                let origin = Origin { loader: Loader::APP, module: None, hidden_in: None };
                return self.define(&text, found.bytes, origin);
            }
        }
        Err(Abrupt::raise("java/lang/NoClassDefFoundError", text.to_string()))
    }

    fn module_name(&mut self, module: &str) -> Rc<str> {
        let symbol = self.classes.symbols.intern(module);
        self.classes.symbols.shared(symbol)
    }

    /// The class that a field descriptor names, primitive ones included.
    pub fn load_described(&mut self, loader: Loader, descriptor: &str) -> Run<ClassId> {
        match descriptor.as_bytes() {
            [letter] => match Kind::of(*letter) {
                Some(kind) if kind != Kind::Reference => Ok(self.known.primitives[kind as usize]),
                _ => Err(Abrupt::raise("java/lang/NoClassDefFoundError", descriptor.to_string())),
            },
            [b'L', name @ .., b';'] => {
                let name = std::str::from_utf8(name).unwrap_or_default();
                self.load(loader, name)
            }
            [b'[', ..] => self.load(loader, descriptor),
            _ => Err(Abrupt::raise("java/lang/NoClassDefFoundError", descriptor.to_string())),
        }
    }

    /// Makes a class from a class file.
    pub fn define(&mut self, name: &str, bytes: Bytes, origin: Origin) -> Run<ClassId> {
        let file = ClassFile::parse(bytes).map_err(|error| {
            let kind = match error {
                crate::classfile::ClassFileError::Version(_) => "java/lang/UnsupportedClassVersionError",
                _ => "java/lang/ClassFormatError",
            };
            Abrupt::raise(kind, format!("{name}: {error}"))
        })?;
        if file.name() != name && origin.hidden_in.is_none() {
            let message = format!("{name} (wrong name: {})", file.name());
            return Err(Abrupt::raise("java/lang/NoClassDefFoundError", message));
        }
        if self.classes.loading >= DEEPEST {
            return Err(Abrupt::raise("java/lang/ClassCircularityError", name.to_string()));
        }
        self.classes.loading += 1;
        let result = self.define_parsed(name, file, origin);
        self.classes.loading -= 1;
        result
    }

    fn define_parsed(&mut self, name: &str, file: ClassFile, origin: Origin) -> Run<ClassId> {
        let bad = |error: crate::classfile::ClassFileError| {
            Abrupt::raise("java/lang/ClassFormatError", format!("{name}: {error}"))
        };
        let malformed =
            |reason: &str| Abrupt::raise("java/lang/ClassFormatError", format!("{name}: {reason}"));
        let loader = origin.loader;
        let superclass = match file.super_class {
            0 if name == "java/lang/Object" => None,
            0 => return Err(malformed("it has no superclass")),
            index => {
                let super_name = file.pool.class_name(index).map_err(bad)?.to_string();
                let id = self.load(loader, &super_name)?;
                if self.class(id).is_interface() || self.class(id).is(access::FINAL) {
                    let message = format!(
                        "class {} cannot inherit from {} class {}",
                        name.replace('/', "."),
                        if self.class(id).is_interface() { "interface" } else { "final" },
                        super_name.replace('/', ".")
                    );
                    return Err(Abrupt::raise("java/lang/IncompatibleClassChangeError", message));
                }
                Some(id)
            }
        };
        let mut interfaces = Vec::with_capacity(file.interfaces.len());
        for &index in &file.interfaces {
            let interface = file.pool.class_name(index).map_err(bad)?.to_string();
            let id = self.load(loader, &interface)?;
            if !self.class(id).is_interface() {
                let message =
                    format!("class {name} can not implement {interface}, because it is not an interface");
                return Err(Abrupt::raise("java/lang/IncompatibleClassChangeError", message));
            }
            interfaces.push(id);
        }
        let id = ClassId(self.classes.list.len() as u32);
        let mut fields = Vec::with_capacity(file.fields.len());
        for member in &file.fields {
            let descriptor = file.pool.utf8(member.descriptor).map_err(bad)?;
            fields.push(Field {
                name: self.classes.symbols.intern(file.pool.utf8(member.name).map_err(bad)?),
                kind: field_kind(descriptor).map_err(bad)?,
                descriptor: self.classes.symbols.intern(descriptor),
                access: member.access,
                offset: 0,
                attributes: member.attributes,
            });
        }
        let (super_size, mut offsets, mut lineage, super_table) = match superclass {
            Some(superclass) => {
                let superclass = self.class(superclass);
                (
                    superclass.size,
                    superclass.references.to_vec(),
                    superclass.lineage.to_vec(),
                    superclass.vtable.to_vec(),
                )
            }
            None => (HEADER, Vec::new(), Vec::new(), Vec::new()),
        };
        let size = lay_out(super_size, fields.iter_mut().filter(|field| !field.is_static()));
        if size > 60_000 {
            return Err(malformed("it has too many fields"));
        }
        offsets.extend(references(fields.iter().filter(|field| !field.is_static())));
        lineage.push(id);
        let mut all_interfaces: Vec<ClassId> = interfaces.clone();
        for parent in interfaces.iter().chain(&superclass) {
            all_interfaces.extend_from_slice(&self.class(*parent).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let mut methods = Vec::with_capacity(file.methods.len());
        let mut by_name = HashMap::with_capacity_and_hasher(file.methods.len(), Default::default());
        for (index, member) in file.methods.iter().enumerate() {
            let descriptor = file.pool.utf8(member.descriptor).map_err(bad)?;
            let text = file.pool.utf8(member.name).map_err(bad)?;
            let (slots, returns) =
                method_shape(descriptor).ok_or_else(|| malformed("a method has a bad descriptor"))?;
            let method = MethodId(self.classes.methods.len() as u32);
            let native = self.natives.find(name, text, descriptor);
            let (symbol, descriptor) =
                (self.classes.symbols.intern(text), self.classes.symbols.intern(descriptor));
            let polymorphic = member.access & (access::NATIVE | access::VARARGS)
                == access::NATIVE | access::VARARGS
                && (name == "java/lang/invoke/MethodHandle" || name == "java/lang/invoke/VarHandle");
            self.classes.methods.push(Method {
                id: method,
                class: id,
                name: symbol,
                descriptor,
                access: member.access,
                arguments: slots + u16::from(member.access & access::STATIC == 0),
                returns,
                slot: u32::MAX,
                index,
                attributes: member.attributes,
                code: OnceCell::new(),
                native: Cell::new(native),
                marks: MethodTraits {
                    hidden: native.is_some_and(|native| native.wraps),
                    polymorphic,
                    several: runs_tasks(name, text) || is_several(name, text),
                    idles: (name, text) == ("java/util/concurrent/ForkJoinPool", "awaitWork"),
                    counts: name == "java/util/concurrent/ThreadPoolExecutor"
                        && matches!(text, "getCompletedTaskCount" | "getTaskCount"),
                    adds: adds_to_places(name, text),
                    sums: sums_places(name, text),
                    ..MethodTraits::default()
                },
            });
            by_name.insert((symbol, descriptor), method);
            methods.push(method);
        }
        let interface = file.access & access::INTERFACE != 0;
        let vtable = if interface { Vec::new() } else { self.vtable(name, &methods, super_table) };
        let initialiser = {
            let key = (self.classes.symbols.intern("<clinit>"), self.classes.symbols.intern("()V"));
            by_name.get(&key).copied()
        };
        let has_defaults = interface
            && methods
                .iter()
                .any(|&method| !self.method(method).is(access::ABSTRACT | access::STATIC | access::PRIVATE));
        let symbol = self.classes.symbols.intern(name);
        let trusted = loader == Loader::BOOT || origin.hidden_in.is_some();
        let looks_up = loader == Loader::BOOT && looks_up(name);
        let concurrent = looks_up || loader == Loader::BOOT && name.starts_with("java/util/concurrent/");
        let class = Class {
            module: origin.module,
            superclass,
            interfaces: interfaces.into(),
            lineage: lineage.into(),
            all_interfaces: all_interfaces.into(),
            fields: fields.into(),
            methods: methods.into(),
            by_name,
            vtable: vtable.into(),
            size,
            references: offsets.into(),
            initialiser,
            has_defaults,
            hidden_in: origin.hidden_in,
            verified: Cell::new(trusted),
            concurrent,
            looks_up,
            keeps_times: keeps_times(loader, name),
            ..Class::new(id, symbol, file.access, Shape::Instance, loader)
        };
        let class = Class { file: Some(Rc::new(file)), ..class };
        self.classes.list.push(class);
        if origin.hidden_in.is_none() {
            self.classes.names.insert((loader, symbol), id);
        }
        self.make_mirror(id)?;
        Ok(id)
    }

    /// The methods that virtual calls reach: those of the superclass, overridden or followed by the class's own.
    fn vtable(&mut self, name: &str, methods: &[MethodId], mut table: Vec<MethodId>) -> Vec<MethodId> {
        let package = |name: &str| name.rfind('/').map_or("", |end| &name[..end]).to_string();
        let own_package = package(name);
        let init = self.classes.symbols.intern("<init>");
        // Slots by name and type: of several the last is the most derived declaration.
        let mut slots: HashMap<(Symbol, Symbol), Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
        for (slot, &method) in table.iter().enumerate() {
            let method = self.method(method);
            slots.entry((method.name, method.descriptor)).or_default().push(slot);
        }
        for &id in methods {
            let method = self.method(id);
            if method.is(access::STATIC | access::PRIVATE) || method.name == init {
                continue;
            }
            let mut own = None;
            for &slot in slots.get(&(method.name, method.descriptor)).into_iter().flatten() {
                let overridden = self.method(table[slot]);
                let visible = overridden.is(access::PUBLIC | access::PROTECTED)
                    || package(self.class_name(overridden.class)) == own_package;
                if visible {
                    table[slot] = id;
                    own = Some(slot);
                }
            }
            let slot = own.unwrap_or_else(|| {
                table.push(id);
                table.len() - 1
            });
            self.classes.methods[id.0 as usize].slot = slot as u32;
        }
        table
    }

    /// Makes the instance of `java.lang.Class` that stands for a class, with room for its static fields.
    pub fn make_mirror(&mut self, id: ClassId) -> Run<()> {
        // The first classes are loaded before java.lang.Class itself is there; boot comes back to them.
        let Some(of) = self.known.class else { return Ok(()) };
        let start = self.known.mirror_id + 8;
        let class = &mut self.classes.list[id.0 as usize];
        let end = lay_out(start, class.fields.iter_mut().filter(|field| field.is_static()));
        class.static_references = references(class.fields.iter().filter(|field| field.is_static())).into();
        class.mirror_size = end;
        let failed = || Abrupt::raise("java/lang/OutOfMemoryError", "Java heap space".to_string());
        let key = |machine: &Machine| {
            let class = machine.class(id);
            crate::machine::name_hash(machine.classes.symbols.text(class.name), 3 + u64::from(class.loader.0))
        };
        self.permanently(key, |machine| {
            let mirror = machine.heap.allocate(of.0, u64::from(end), 0).ok_or_else(failed)?;
            machine.classes.list[id.0 as usize].mirror = mirror;
            machine.heap.put_u32(mirror, start - 8, id.0);
            machine.heap.put_u32(mirror, start - 4, status::LOADED);
            if let Shape::Array { component, .. } = machine.class(id).shape {
                let component = machine.class(component).mirror;
                machine.heap.put_ref(mirror, machine.known.class_component, component);
            }
            let loader = machine.class(id).loader;
            if let Some(&object) = machine.tables.loaders.get(loader.0 as usize) {
                machine.heap.put_ref(mirror, machine.known.class_loader, object);
            }
            if !matches!(machine.class(id).shape, Shape::Instance) {
                machine.set_status(id, status::DONE);
            }
            Ok(())
        })
    }

    /// The class of arrays whose elements are of a class.
    pub fn array_of(&mut self, component: ClassId) -> Run<ClassId> {
        if let Some(&array) = self.class(component).arrays.get() {
            return Ok(array);
        }
        let element = self.class(component);
        let (text, kind) = match element.shape {
            Shape::Primitive(kind) => (format!("[{}", kind.letter()), kind),
            Shape::Array { .. } => (format!("[{}", self.classes.symbols.text(element.name)), Kind::Reference),
            Shape::Instance => (format!("[L{};", self.classes.symbols.text(element.name)), Kind::Reference),
        };
        let (loader, flags) = (element.loader, element.access & access::PUBLIC);
        let module = element.module.clone();
        let id = ClassId(self.classes.list.len() as u32);
        let name = self.classes.symbols.intern(&text);
        let object = self.class(self.known.object);
        let mut all_interfaces = vec![self.known.cloneable, self.known.serializable];
        all_interfaces.sort_unstable();
        let flags = flags | access::FINAL | access::ABSTRACT;
        let class = Class {
            module,
            superclass: Some(self.known.object),
            interfaces: Box::new([self.known.cloneable, self.known.serializable]),
            lineage: Box::new([self.known.object, id]),
            all_interfaces: all_interfaces.into(),
            vtable: object.vtable.clone(),
            size: HEADER,
            ..Class::new(id, name, flags, Shape::Array { component, kind }, loader)
        };
        self.classes.list.push(class);
        self.classes.names.insert((loader, name), id);
        let _ = self.class(component).arrays.set(id);
        self.make_mirror(id)?;
        Ok(id)
    }

    /// Makes the class of a primitive kind.
    pub fn make_primitive(&mut self, kind: Kind) -> Run<ClassId> {
        let id = ClassId(self.classes.list.len() as u32);
        let name = self.classes.symbols.intern(kind.word());
        let flags = access::PUBLIC | access::FINAL | access::ABSTRACT;
        let class = Class::new(id, name, flags, Shape::Primitive(kind), Loader::BOOT);
        self.classes.list.push(class);
        self.make_mirror(id)?;
        Ok(id)
    }

    /// The class that an instance of `java.lang.Class` stands for.
    #[inline]
    pub fn class_of_mirror(&self, mirror: Ref) -> ClassId {
        ClassId(self.heap.get_u32(mirror, self.known.mirror_id))
    }

    /// How far a class has been initialised, and by which thread.
    #[inline(always)]
    pub fn status(&self, class: ClassId) -> u32 {
        self.heap.get_u32(self.class(class).mirror, self.known.mirror_id + 4)
    }

    /// Notes how far a class has been initialised.
    pub fn set_status(&mut self, class: ClassId, status: u32) {
        let mirror = self.class(class).mirror;
        self.heap.put_u32(mirror, self.known.mirror_id + 4, status);
    }
}

/// Whether a method is the loop of a thread of `java.util.concurrent` that takes tasks and runs them.
fn runs_tasks(class: &str, method: &str) -> bool {
    let loops = [
        ("java/util/concurrent/ThreadPoolExecutor$Worker", "run"),
        ("java/util/concurrent/ThreadPoolExecutor", "runWorker"),
        ("java/util/concurrent/ForkJoinWorkerThread", "run"),
        ("java/util/concurrent/ForkJoinPool", "runWorker"),
    ];
    loops.contains(&(class, method))
}

/// Whether a method of `java.util.concurrent` is specified as several operations, between which others may come.
fn is_several(class: &str, method: &str) -> bool {
    let Some(class) = class.strip_prefix("java/util/concurrent/") else { return false };
    let traversals = [
        "addAll",
        "bulkRemove",
        "clear",
        "removeAll",
        "removeIf",
        "retainAll",
        "size",
        "toArray",
        "toString",
    ];
    match class.split('$').next().unwrap_or(class) {
        "ConcurrentHashMap" => match method {
            "putAll" | "containsValue" | "contains" | "equals" | "hashCode" => true,
            "replaceAll" | "removeEntryIf" | "removeValueIf" | "containsAll" => true,
            // The size is kept.
            "size" => false,
            _ => traversals.contains(&method),
        },
        // A thread that looks for its first or last element may come to one that is neither any more.
        "ConcurrentLinkedDeque" => true,
        "ConcurrentLinkedQueue" | "LinkedTransferQueue" => {
            traversals.contains(&method) || matches!(method, "toArrayInternal" | "countOfMode")
        }
        "ConcurrentSkipListMap" | "ConcurrentSkipListSet" => {
            method != "size" && traversals.contains(&method) || matches!(method, "containsValue" | "equals")
        }
        "AbstractExecutorService" => matches!(method, "invokeAll" | "invokeAny" | "doInvokeAny"),
        _ => false,
    }
}

/// Whether a method of `java.util.concurrent` adds to what is counted in several places.
fn adds_to_places(class: &str, method: &str) -> bool {
    match class.strip_prefix("java/util/concurrent/") {
        Some("ConcurrentHashMap") => method == "addCount",
        Some("atomic/LongAdder" | "atomic/DoubleAdder") => method == "add",
        Some("atomic/LongAccumulator" | "atomic/DoubleAccumulator") => method == "accumulate",
        _ => false,
    }
}

/// Whether a method of `java.util.concurrent` looks at those places one after the other.
fn sums_places(class: &str, method: &str) -> bool {
    match class.strip_prefix("java/util/concurrent/") {
        Some("ConcurrentHashMap") => method == "sumCount",
        Some("atomic/LongAdder" | "atomic/DoubleAdder") => {
            matches!(method, "sum" | "reset" | "sumThenReset")
        }
        Some("atomic/LongAccumulator" | "atomic/DoubleAccumulator") => {
            matches!(method, "get" | "reset" | "getThenReset")
        }
        _ => false,
    }
}

/// Whether a class of the JDK looks up and keeps things for the rest of the library: several threads may call its methods,
/// as those of `java.util.concurrent`, and each of them has its effect at one point.
fn looks_up(class: &str) -> bool {
    const PACKAGES: [&str; 8] = [
        "java/time/zone/",
        "jdk/internal/loader/",
        "jdk/internal/module/",
        "sun/security/jca/",
        "sun/util/cldr/",
        "sun/util/locale/",
        "sun/util/logging/",
        "sun/util/resources/",
    ];
    const CLASSES: [&str; 15] = [
        "java/io/ObjectStreamClass",
        "java/lang/Class",
        "java/lang/ClassLoader",
        "java/lang/ClassValue",
        "java/lang/Module",
        "java/lang/Package",
        "java/lang/invoke/VarHandle",
        "java/security/Provider",
        "java/security/Security",
        "java/util/Currency",
        "java/util/Locale",
        "java/util/ResourceBundle",
        "java/util/TimeZone",
        "sun/util/calendar/ZoneInfo",
        "sun/util/calendar/ZoneInfoFile",
    ];
    let outer = class.split('$').next().unwrap_or(class);
    PACKAGES.iter().any(|package| class.starts_with(package)) || CLASSES.contains(&outer)
}

/// Whether a class of the JDK looks at the clock in order to wait. It only compares times with each other and with the clock, so that it
/// does the same whatever the time is.
fn keeps_times(loader: Loader, class: &str) -> bool {
    let others = ["java/lang/Thread", "java/util/Timer", "java/util/TimerTask", "java/util/TimerThread"];
    loader == Loader::BOOT && (class.starts_with("java/util/concurrent/") || others.contains(&class))
}
