//! `java.lang.reflect.Proxy`: the classes are made by the JDK's own code, the modules that they live in by the machine.

use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::Loader;
use crate::machine::native::{Table, framed};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;
use std::rc::Rc;

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/reflect/Proxy$ProxyBuilder",
    methods: &[("getDynamicModule(Ljava/lang/ClassLoader;)Ljava/lang/Module;", framed(dynamic_module))],
}];

/// The module of a loader's proxies.
fn dynamic_module(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let loader = arguments.object(0);
    if let Some(&(_, module)) = machine.tables.modules.dynamic.iter().find(|(of, _)| *of == loader) {
        return Ok(module.bits());
    }
    let number = machine.tables.modules.dynamic.len() + 1;
    let module = machine.make_module(&format!("jdk.proxy{number}"), loader)?;
    machine.tables.modules.dynamic.push((loader, module));
    describe(machine, module)?;
    Err(Abrupt::Again)
}

/// Gives the module of proxies a descriptor that names its packages.
fn describe(machine: &mut Machine, module: Ref) -> Run<()> {
    let class = machine.load(Loader::BOOT, "java/lang/module/ModuleDescriptor")?;
    let descriptor = machine.new_object(class)?;
    let name = machine.ref_in(module, "name");
    machine.set_ref(descriptor, "name", name);
    machine.set_ref(module, "descriptor", descriptor);
    let set = machine.load(Loader::BOOT, "java/util/Set")?;
    let set = machine.method_named(set, "of", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Set;");
    let set = set.ok_or_else(|| Abrupt::unsupported("this JDK's Set"))?;
    let site = machine.call_site(set);
    let packages = machine.offset_of(class, "packages").unwrap_or_default();
    let mut builder = Builder::new(4);
    builder.emit(Insn::wide(Op::CallStatic, 1, site));
    builder.emit(Insn::new(Op::PutRef, 0, packages as u16, 1));
    builder.emit(Insn::new(Op::Return, 0, 0, 0));
    let parameters = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";
    let stub = machine.make_method("describe", parameters, builder.finish());
    let hidden = machine.new_string(&format!("com.sun.proxy.{}", machine.text(name)))?;
    machine.call(stub, &[descriptor.bits(), name.bits(), hidden.bits()], Resume::Again)
}

impl Machine {
    /// The module of a class that a loader defines, if it is a proxy that lives in a module of its own.
    pub(crate) fn module_of_proxy(&self, loader: Ref, name: &str) -> Option<Rc<str>> {
        let &(_, module) = self.tables.modules.dynamic.iter().find(|(of, _)| *of == loader)?;
        let module = self.text(self.ref_in(module, "name"));
        let (package, _) = name.rsplit_once('/')?;
        let package = package.replace('/', ".");
        (package == module || package.strip_prefix("com.sun.proxy.") == Some(&module)).then(|| module.into())
    }
}
