//! Modules: those of the JDK by name, and one without a name for each loader.
//!
//! There is no layer and no resolution of modules. What a module of the JDK exports and opens is read from its
//! `module-info.class`, to which the user may add; every module reads every other. Exports are checked where reflection
//! is used, and not where code is linked.

use crate::classfile::ClassFile;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::library::Grant;
use crate::machine::class::{ClassId, Loader};
use crate::machine::modules::Declaration;
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;
use std::rc::Rc;

pub const TABLES: &[Table] = &[
    Table { class: "java/lang/Class", methods: &[("getModule()Ljava/lang/Module;", framed(class_module))] },
    Table {
        class: "jdk/internal/loader/BootLoader$PackageHelper",
        methods: &[("findModule(Ljava/lang/String;)Ljava/lang/Module;", framed(module_at))],
    },
    Table {
        class: "java/lang/Module",
        methods: &[
            ("implIsExportedOrOpen(Ljava/lang/String;Ljava/lang/Module;Z)Z", leaf(is_exported_or_open)),
            (
                "isReflectivelyExportedOrOpen(Ljava/lang/String;Ljava/lang/Module;Z)Z",
                leaf(is_exported_or_open),
            ),
            ("implAddExportsOrOpens(Ljava/lang/String;Ljava/lang/Module;ZZ)V", leaf(add_exports_or_opens)),
            ("implAddReads(Ljava/lang/Module;Z)V", NOTHING),
            ("implAddUses(Ljava/lang/Class;)V", NOTHING),
            ("getDescriptor()Ljava/lang/module/ModuleDescriptor;", framed(descriptor)),
            ("canRead(Ljava/lang/Module;)Z", leaf(|_, _| Ok(1))),
            ("canUse(Ljava/lang/Class;)Z", leaf(|_, _| Ok(1))),
            (
                "defineModule0(Ljava/lang/Module;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V",
                NOTHING,
            ),
            ("addReads0(Ljava/lang/Module;Ljava/lang/Module;)V", NOTHING),
            ("addExports0(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V", NOTHING),
            ("addExportsToAll0(Ljava/lang/Module;Ljava/lang/String;)V", NOTHING),
            ("addExportsToAllUnnamed0(Ljava/lang/Module;Ljava/lang/String;)V", NOTHING),
        ],
    },
];

impl Machine {
    /// What a module of the JDK declares; `None` if it has none of that name.
    pub(crate) fn module_declaration(&mut self, name: &str) -> Option<Rc<Declaration>> {
        if let Some(known) = self.tables.modules.declared.get(name) {
            return known.clone();
        }
        let bytes = self.library.jdk.image.resource(name, "module-info.class");
        let file = bytes.and_then(|bytes| ClassFile::parse(bytes).ok());
        let declaration = file.and_then(|file| Declaration::parse(&file).ok()).map(Rc::new);
        self.tables.modules.declared.insert(name.into(), declaration.clone());
        declaration
    }

    /// The object of a module that has a name.
    pub(crate) fn named_module(&mut self, name: &Rc<str>) -> Run<Ref> {
        if let Some(&object) = self.tables.modules.objects.get(name) {
            return Ok(object);
        }
        let loader = if Machine::is_platform_module(name) { self.platform_loader()? } else { Ref::NULL };
        self.make_module(name, loader)
    }

    /// A new module.
    pub(super) fn make_module(&mut self, name: &str, loader: Ref) -> Run<Ref> {
        let class = self.load(Loader::BOOT, "java/lang/Module")?;
        self.initialise(class)?;
        let object = self.new_object(class)?;
        let units: Vec<u16> = name.encode_utf16().collect();
        let text = self.intern(&units)?;
        self.set_ref(object, "name", text);
        self.set_ref(object, "loader", loader);
        self.tables.roots.push(object);
        self.tables.modules.objects.insert(name.into(), object);
        Ok(object)
    }

    /// The module of a class.
    pub(crate) fn module_of(&mut self, class: ClassId) -> Run<Ref> {
        let mut id = class;
        while let Some((component, _)) = self.class(id).component() {
            id = component;
        }
        if let Some(name) = self.class(id).module.clone() {
            return self.named_module(&name);
        }
        match self.loader_of(id) {
            Loader::BOOT => self.named_module(&"java.base".into()),
            _ => {
                let loader = self.loader_object(id)?;
                Ok(self.ref_in(loader, "unnamedModule"))
            }
        }
    }
}

fn class_module(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    machine.module_of(class).map(Bits::bits)
}

/// The module at a place such as `jrt:/java.base`.
fn module_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let place = machine.text_of(arguments.object(0))?;
    match place.strip_prefix("jrt:/") {
        Some(name) => machine.named_module(&name.into()).map(Bits::bits),
        None => Ok(0),
    }
}

/// Whether a module exports a package to another, or opens it.
fn is_exported_or_open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (module, other, open) = (arguments.object(0), arguments.object(2), arguments.int(3) != 0);
    if other.is_null() {
        return Err(Abrupt::null());
    }
    let name = machine.ref_in(module, "name");
    if name.is_null() || module == other {
        return Ok(1);
    }
    let (name, package) = (machine.text(name), machine.text_of(arguments.object(1))?);
    let other_name = machine.ref_in(other, "name").some().map(|name| machine.text(name));
    let mut recipients = vec![other];
    let of = ClassId(machine.heap.class(module));
    recipients.push(machine.static_ref(of, "EVERYONE_MODULE"));
    if other_name.is_none() {
        recipients.push(machine.static_ref(of, "ALL_UNNAMED_MODULE"));
    }
    let added = |open: bool| {
        recipients
            .iter()
            .any(|&to| machine.tables.modules.added.contains(&(module, package.clone(), to, open)))
    };
    if added(true) || !open && added(false) {
        return Ok(1);
    }
    let granted =
        |grants: &[Grant]| grants.iter().any(|grant| grant.covers(&name, &package, other_name.as_deref()));
    let jdk = &machine.library.jdk;
    if granted(&jdk.opens) || !open && granted(&jdk.exports) {
        return Ok(1);
    }
    // The modules of proxies export the package that is called as they are.
    if machine.tables.modules.dynamic.iter().any(|&(_, dynamic)| dynamic == module) {
        return Ok((!open && package == name).bits());
    }
    let Some(declaration) = machine.module_declaration(&name) else { return Ok(0) };
    let package = package.replace('.', "/");
    let allows = |to: Option<&Vec<String>>| {
        to.is_some_and(|to| to.is_empty() || other_name.as_ref().is_some_and(|other| to.contains(other)))
    };
    let opened = declaration.open || allows(declaration.opens.get(&package));
    Ok((opened || !open && allows(declaration.exports.get(&package))).bits())
}

fn add_exports_or_opens(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (module, other, open) = (arguments.object(0), arguments.object(2), arguments.int(3) != 0);
    let package = machine.text_of(arguments.object(1))?;
    if !machine.ref_in(module, "name").is_null() {
        machine.tables.modules.added.insert((module, package, other, open));
        machine.tables.roots.extend([module, other]);
    }
    Ok(0)
}

/// The descriptor of a module of the JDK: read by the JDK's own code when it is first asked for.
fn descriptor(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let module = arguments.object(0);
    let known = machine.ref_in(module, "descriptor");
    let name = machine.ref_in(module, "name");
    if !known.is_null() || name.is_null() {
        return Ok(known.bits());
    }
    let name = machine.text(name);
    let Some(bytes) = machine.library.jdk.image.resource(&name, "module-info.class") else { return Ok(0) };
    let bytes = machine.new_bytes(&bytes)?;
    let stub = descriptor_stub(machine, ClassId(machine.heap.class(module)))?;
    machine.call(stub, &[module.bits(), bytes.bits()], Resume::Again)?;
    Err(Abrupt::Again)
}

/// The stub that gives the module in register 0 the descriptor that the bytes in register 1 stand for.
fn descriptor_stub(machine: &mut Machine, module: ClassId) -> Run<crate::machine::class::MethodId> {
    let mut site = |class: &str, name: &str, descriptor: &str| {
        let class = machine.load(Loader::BOOT, class)?;
        let method = machine.method_named(class, name, descriptor);
        let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's modules"))?;
        Ok::<u32, Abrupt>(machine.call_site(method))
    };
    let attributes = "jdk/internal/module/ModuleInfo$Attributes";
    let wrap = site("java/nio/ByteBuffer", "wrap", "([B)Ljava/nio/ByteBuffer;")?;
    let read = site(
        "jdk/internal/module/ModuleInfo",
        "read",
        &format!("(Ljava/nio/ByteBuffer;Ljava/util/function/Supplier;)L{attributes};"),
    )?;
    let describe = site(attributes, "descriptor", "()Ljava/lang/module/ModuleDescriptor;")?;
    let field = machine.offset_of(module, "descriptor").unwrap_or_default();
    let mut builder = Builder::new(5);
    builder.emit(Insn::wide(Op::CallStatic, 1, wrap));
    builder.emit(Insn::new(Op::ConstNull, 2, 0, 0));
    builder.emit(Insn::wide(Op::CallStatic, 1, read));
    builder.emit(Insn::wide(Op::CallDirect, 1, describe));
    builder.emit(Insn::new(Op::PutRef, 0, field as u16, 1));
    builder.emit(Insn::new(Op::Return, 0, 0, 0));
    Ok(machine.make_method("describe", "(Ljava/lang/Module;[B)V", builder.finish()))
}
