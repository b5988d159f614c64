//! The layer of the JDK's modules. There is no other.

use crate::machine::class::Loader;
use crate::machine::native::{Table, framed};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;
use std::rc::Rc;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/ModuleLayer",
        methods: &[
            ("boot()Ljava/lang/ModuleLayer;", framed(boot)),
            ("findModule(Ljava/lang/String;)Ljava/util/Optional;", framed(find_module)),
            ("modules()Ljava/util/Set;", framed(modules)),
            ("toString()Ljava/lang/String;", framed(describe)),
            ("configuration()Ljava/lang/module/Configuration;", framed(refuse)),
            ("parents()Ljava/util/List;", framed(refuse)),
        ],
    },
    Table { class: "java/lang/Module", methods: &[("getLayer()Ljava/lang/ModuleLayer;", framed(layer_of))] },
];

impl Machine {
    /// The object of the layer of the JDK's modules.
    fn boot_layer(&mut self) -> Run<Ref> {
        if self.tables.modules.layer.is_null() {
            let class = self.load(Loader::BOOT, "java/lang/ModuleLayer")?;
            self.initialise(class)?;
            let layer = self.new_object(class)?;
            self.tables.modules.layer = layer;
            self.tables.roots.push(layer);
        }
        Ok(self.tables.modules.layer)
    }

    /// Makes the result of a static method of the JDK that of the native which asks for it.
    pub(crate) fn give(&mut self, class: &str, name: &str, descriptor: &str, slots: &[u64]) -> Run<u64> {
        let id = self.load(Loader::BOOT, class)?;
        self.initialise(id)?;
        let method = self.method_named(id, name, descriptor);
        let method = method.ok_or_else(|| Abrupt::unsupported(format!("this JDK's {class}")))?;
        self.call(method, slots, Resume::Next)?;
        Err(Abrupt::Called)
    }
}

fn boot(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.boot_layer().map(Bits::bits)
}

/// Only the JDK's modules are in a layer.
fn layer_of(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.ref_in(arguments.object(0), "name");
    if name.is_null() {
        return Ok(0);
    }
    let name = machine.text(name);
    if machine.module_declaration(&name).is_some() { boot(machine, arguments) } else { Ok(0) }
}

fn find_module(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text_of(arguments.object(1))?;
    let module = match machine.module_declaration(&name) {
        Some(_) => machine.named_module(&Rc::from(name))?,
        None => Ref::NULL,
    };
    let descriptor = "(Ljava/lang/Object;)Ljava/util/Optional;";
    machine.give("java/util/Optional", "ofNullable", descriptor, &[module.bits()])
}

fn modules(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let library = machine.library.clone();
    let mut modules = Vec::new();
    for name in library.jdk.modules() {
        modules.push(machine.named_module(&Rc::from(name))?);
    }
    let array = machine.new_objects(machine.known.object, &modules)?;
    machine.give("java/util/Set", "of", "([Ljava/lang/Object;)Ljava/util/Set;", &[array.bits()])
}

fn describe(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let names = machine.library.jdk.modules().join(", ");
    machine.new_string(&names).map(Bits::bits)
}

fn refuse(_: &mut Machine, _: Arguments) -> Run<u64> {
    Err(Abrupt::unsupported("the configuration of modules is not supported"))
}
