//! Class loaders as objects.
//!
//! The loader of the class path is made when it is first asked for, since most programs never do. Until then its
//! classes say that they have none.

use crate::bytes::Bytes;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId, Origin};
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Class",
        methods: &[
            ("getClassLoader()Ljava/lang/ClassLoader;", framed(class_loader)),
            ("getClassLoader0()Ljava/lang/ClassLoader;", framed(class_loader)),
        ],
    },
    Table {
        class: "java/lang/ClassLoader",
        methods: &[
            ("getSystemClassLoader()Ljava/lang/ClassLoader;", framed(system_loader)),
            ("getBuiltinAppClassLoader()Ljava/lang/ClassLoader;", framed(system_loader)),
            (
                "defineClass0(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
                framed(define_hidden),
            ),
        ],
    },
    Table {
        class: "java/lang/Thread",
        methods: &[("getContextClassLoader()Ljava/lang/ClassLoader;", framed(context_loader))],
    },
    Table {
        class: "jdk/internal/misc/VM",
        methods: &[
            ("latestUserDefinedLoader0()Ljava/lang/ClassLoader;", framed(latest_user_loader)),
            ("isSystemDomainLoader(Ljava/lang/ClassLoader;)Z", leaf(is_system_loader)),
        ],
    },
    Table {
        class: "jdk/internal/loader/BootLoader",
        methods: &[
            ("definePackage(Ljava/lang/Class;)Ljava/lang/Package;", framed(define_package)),
            ("getSystemPackageLocation(Ljava/lang/String;)Ljava/lang/String;", leaf(package_location)),
            // What the JDK's libraries hold is in the machine's own tables.
            ("loadLibrary(Ljava/lang/String;)V", NOTHING),
        ],
    },
    Table {
        class: "java/lang/Runtime",
        methods: &[
            ("loadLibrary0(Ljava/lang/Class;Ljava/lang/String;)V", framed(load_library)),
            ("load0(Ljava/lang/Class;Ljava/lang/String;)V", framed(load_library)),
        ],
    },
];

/// Modules of the JDK that the platform loader has: they are not trusted as its base is.
const PLATFORM: &[&str] = &[
    "java.compiler",
    "java.net.http",
    "java.scripting",
    "java.security.jgss",
    "java.smartcardio",
    "java.sql",
    "java.sql.rowset",
    "java.transaction.xa",
    "java.xml.crypto",
    "jdk.accessibility",
    "jdk.charsets",
    "jdk.crypto.cryptoki",
    "jdk.crypto.ec",
    "jdk.dynalink",
    "jdk.httpserver",
    "jdk.jsobject",
    "jdk.localedata",
    "jdk.naming.dns",
    "jdk.security.auth",
    "jdk.security.jgss",
    "jdk.xml.dom",
    "jdk.zipfs",
];

impl Machine {
    fn class_loaders(&mut self) -> Run<ClassId> {
        let class = self.load(Loader::BOOT, "jdk/internal/loader/ClassLoaders")?;
        self.initialise(class)?;
        Ok(class)
    }

    /// The object of the loader of the class path, made now if it is not there.
    pub(crate) fn app_loader(&mut self) -> Run<Ref> {
        let known = self.tables.loaders[Loader::APP.0 as usize];
        if !known.is_null() {
            return Ok(known);
        }
        let class = self.class_loaders()?;
        let object = self.static_ref(class, "APP_LOADER");
        if object.is_null() {
            // It is just being made.
            return Ok(object);
        }
        self.tables.loaders[Loader::APP.0 as usize] = object;
        for index in 1..self.classes.list.len() {
            if self.classes.list[index].loader == Loader::APP {
                let mirror = self.classes.list[index].mirror;
                self.heap.put_ref(mirror, self.known.class_loader, object);
            }
        }
        Ok(object)
    }

    /// The object of a class's loader; null for that of the JDK's base.
    pub(crate) fn loader_object(&mut self, class: ClassId) -> Run<Ref> {
        match self.loader_of(class) {
            Loader::BOOT => match self.class(class).module.as_deref() {
                Some(module) if Machine::is_platform_module(module) => self.platform_loader(),
                _ => Ok(Ref::NULL),
            },
            Loader::APP => self.app_loader(),
            Loader(other) => Ok(self.tables.loaders[other as usize]),
        }
    }

    /// The object of the loader of modules that are not in the JDK's base.
    pub(crate) fn platform_loader(&mut self) -> Run<Ref> {
        let class = self.class_loaders()?;
        Ok(self.static_ref(class, "PLATFORM_LOADER"))
    }

    /// Whether the platform loader has the classes of a module.
    pub(crate) fn is_platform_module(module: &str) -> bool {
        PLATFORM.contains(&module)
    }

    /// Has a loader that is written in Java load a class. `Again` until it has done so. A class that is not there is an
    /// error for code that needs it, and an exception for callers that ask by name.
    pub(crate) fn load_by_object(&mut self, loader: Loader, name: &str, by_name: bool) -> Run<ClassId> {
        let stub = match self.links.stubs.loader[usize::from(by_name)] {
            Some(stub) => stub,
            None => {
                let stub = self.loader_stub(by_name)?;
                self.links.stubs.loader[usize::from(by_name)] = Some(stub);
                stub
            }
        };
        let object = self.tables.loaders[loader.0 as usize];
        let text = self.new_string(&name.replace('/', "."))?;
        self.call(stub, &[object.bits(), text.bits()], Resume::Again)?;
        Err(Abrupt::Again)
    }

    fn loader_stub(&mut self, by_name: bool) -> Run<MethodId> {
        let class = self.load(Loader::BOOT, "java/lang/ClassLoader")?;
        let method = self.method_named(class, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
        let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's ClassLoader"))?;
        let site = self.call_site(method);
        let (loaded, missing) = (self.hook(loaded_by_object), self.hook(missing_by_object));
        let mut builder = Builder::new(6);
        builder.emit(Insn::new(Op::Move, 2, 0, 0));
        builder.emit(Insn::new(Op::Move, 3, 1, 0));
        builder.emit(Insn::wide(Op::CallVirtual, 2, site));
        let called = builder.next();
        builder.emit(Insn::wide(Op::Hook, 2, loaded));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        let caught = builder.next();
        builder.emit(Insn::wide(Op::Hook, 2, missing));
        builder.emit(Insn::new(Op::Throw, 2, 0, 0));
        if !by_name {
            builder.catch(0, called, caught, 2);
        }
        let descriptor = "(Ljava/lang/ClassLoader;Ljava/lang/String;)V";
        Ok(self.make_method("load", descriptor, builder.finish()))
    }
}

/// A loader in register 0 has given a class in register 2 for the name in register 1.
fn loaded_by_object(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let loader = machine.loader_of_object(arguments.object(0));
    let name = machine.text(arguments.object(1)).replace('.', "/");
    if arguments.object(2).is_null() {
        return Err(Abrupt::raise("java/lang/NoClassDefFoundError", name));
    }
    let class = machine.class_of_mirror(arguments.object(2));
    let symbol = machine.classes.symbols.intern(&name);
    machine.classes.names.insert((loader, symbol), class);
    Ok(0)
}

/// A loader has thrown what is in register 2: a class that is not there is an error for code that needs it.
fn missing_by_object(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let of = ClassId(machine.heap.class(arguments.object(2)));
    if machine.class_name(of) == "java/lang/ClassNotFoundException" {
        let name = machine.text(arguments.object(1)).replace('.', "/");
        return Err(Abrupt::raise("java/lang/NoClassDefFoundError", name));
    }
    Ok(0)
}

fn class_loader(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    machine.loader_object(class).map(Bits::bits)
}

fn system_loader(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.app_loader().map(Bits::bits)
}

/// Threads have the loader of the class path unless they were given another. A new thread takes over what its parent
/// was given, and nothing if that is nothing, so that threads alone need no loader.
fn context_loader(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let given = machine.ref_in(arguments.object(0), "contextClassLoader");
    if !given.is_null() {
        return Ok(given.bits());
    }
    let frames = &machine.threads.list[machine.turn.thread].frames;
    let caller = frames.len().checked_sub(2).map(|index| machine.method(frames[index].method));
    let constructing = caller.is_some_and(|caller| {
        caller.class == machine.known.thread && machine.classes.symbols.text(caller.name) == "<init>"
    });
    if constructing { Ok(0) } else { machine.app_loader().map(Bits::bits) }
}

fn latest_user_loader(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let frames = machine.threads.list[machine.turn.thread].frames.iter().rev();
    let mut methods = frames.map(|frame| machine.method(frame.method)).filter(|method| !method.marks.hidden);
    let latest = methods.find(|method| machine.loader_of(method.class) != Loader::BOOT);
    match latest.map(|method| method.class) {
        Some(class) => machine.loader_object(class).map(Bits::bits),
        None => machine.platform_loader().map(Bits::bits),
    }
}

fn is_system_loader(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok((machine.loader_of_object(arguments.object(0)) == Loader::BOOT).bits())
}

/// The package of a class whose mirror has no loader. The program's classes have one nevertheless.
fn define_package(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    let mut loader = machine.loader_object(class)?;
    if loader.is_null() {
        let class = machine.class_loaders()?;
        loader = machine.static_ref(class, "BOOT_LOADER");
    }
    let of = ClassId(machine.heap.class(loader));
    let method = machine.method_named(of, "definePackage", "(Ljava/lang/Class;)Ljava/lang/Package;");
    let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's ClassLoader"))?;
    machine.call(method, &[loader.bits(), arguments.get(0)], Resume::Next)?;
    Err(Abrupt::Called)
}

fn package_location(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let package = machine.text_of(arguments.object(0))?;
    let library = machine.library.clone();
    match library.jdk.image.module_of(package.trim_end_matches('/')) {
        Some(module) => machine.new_string(&format!("jrt:/{module}")).map(Bits::bits),
        None => Ok(0),
    }
}

fn load_library(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    if machine.loader_of(class) == Loader::BOOT {
        return Ok(0);
    }
    let name = machine.text_of(arguments.object(2))?;
    // A program that is prepared for a missing library does without. Other programs mean a library that is elsewhere.
    let error = machine.load(Loader::BOOT, "java/lang/UnsatisfiedLinkError")?;
    if machine.is_caught(error) && !library_exists(machine, &name) {
        let why = match name.starts_with('/') {
            true => format!("Can't load library: {name}"),
            false => format!("no {name} in java.library.path: "),
        };
        return Err(Abrupt::raise("java/lang/UnsatisfiedLinkError", why));
    }
    Err(Abrupt::unsupported(format!("the native library {name} is not supported: only Java code is run")))
}

/// Whether a library is there, by its path or where libraries lie.
fn library_exists(machine: &Machine, name: &str) -> bool {
    const USUAL: &str = "/usr/java/packages/lib:/usr/lib/x86_64-linux-gnu/jni:/lib/x86_64-linux-gnu:\
                         /usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:/usr/lib/jni:/lib:/usr/lib";
    if name.starts_with('/') {
        return std::path::Path::new(name).exists();
    }
    let given = machine.options.properties.iter().filter(|(key, _)| key == "java.library.path");
    let given = given.map(|(_, path)| path.clone()).chain(std::env::var("LD_LIBRARY_PATH"));
    let mut paths = given.chain([USUAL.to_string()]);
    let file = format!("lib{name}.so");
    paths.any(|path| path.split(':').any(|folder| std::path::Path::new(folder).join(&file).exists()))
}

/// `Lookup.defineHiddenClass`: a class that no name leads to, in the nest of another or its own.
fn define_hidden(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    const HIDDEN: i32 = 2;
    let loader = machine.loader_of_object(arguments.object(0));
    let host = machine.class_of_mirror(arguments.object(1));
    let name = machine.text_of(arguments.object(2))?.replace('.', "/");
    let (array, offset, length) = (arguments.object(3), arguments.int(4) as usize, arguments.int(5) as usize);
    let bytes = machine.heap.elements(array, 1);
    let part = offset.checked_add(length).and_then(|end| bytes.get(offset..end));
    let part = part.ok_or_else(|| Abrupt::bare("java/lang/ArrayIndexOutOfBoundsException"))?.to_vec();
    let (initialise, flags) = (arguments.int(7) != 0, arguments.int(8));
    let hidden_in = (flags & HIDDEN != 0).then_some(host);
    let module = machine.class(host).module.clone();
    let class = machine.define(&name, Bytes::new(part), Origin { loader, module, hidden_in })?;
    let mirror = machine.class(class).mirror;
    machine.set_ref(mirror, "classData", arguments.object(9));
    if initialise && machine.class(class).initialiser.is_some() {
        return Err(Abrupt::unsupported("a hidden class that is initialised when it is defined"));
    }
    Ok(mirror.bits())
}
