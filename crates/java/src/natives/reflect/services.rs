//! Providers of services that the JDK's own modules declare. Those on the class path are found by `ServiceLoader` itself.

use crate::machine::class::Loader;
use crate::machine::native::{Table, framed, leaf};
use crate::machine::{Arguments, Bits, Machine, Run};
use std::rc::Rc;

pub const TABLES: &[Table] = &[
    Table {
        class: "jdk/internal/module/ServicesCatalog",
        methods: &[
            ("findServices(Ljava/lang/String;)Ljava/util/List;", framed(find_services)),
            // All that the JDK provides is in the catalogue of its own loader.
            (
                "getServicesCatalogOrNull(Ljava/lang/ClassLoader;)Ljdk/internal/module/ServicesCatalog;",
                leaf(|_, _| Ok(0)),
            ),
        ],
    },
    Table {
        class: "java/util/ServiceLoader",
        methods: &[("inExplicitModule(Ljava/lang/Class;)Z", leaf(in_explicit_module))],
    },
];

/// The providers of a service, those of the platform loader first, as that of the JDK's base comes last.
fn find_services(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let service = machine.text_of(arguments.object(1))?.replace('.', "/");
    let of = machine.load(Loader::BOOT, "jdk/internal/module/ServicesCatalog$ServiceProvider")?;
    machine.initialise(of)?;
    let library = machine.library.clone();
    let mut names = library.jdk.modules();
    names.sort_by_key(|name| !Machine::is_platform_module(name));
    let mut providers = Vec::new();
    for name in names {
        let Some(declaration) = machine.module_declaration(&name) else { continue };
        let provided = declaration.provides.iter().filter(|(provided, _)| *provided == service);
        for class in provided.flat_map(|(_, with)| with) {
            let module = machine.named_module(&Rc::from(name.as_str()))?;
            let object = machine.new_object(of)?;
            let class = machine.new_string(&class.replace('/', "."))?;
            machine.set_ref(object, "module", module);
            machine.set_ref(object, "providerName", class);
            providers.push(object);
        }
    }
    let array = machine.new_objects(machine.known.object, &providers)?;
    machine.give("java/util/List", "of", "([Ljava/lang/Object;)Ljava/util/List;", &[array.bits()])
}

fn in_explicit_module(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    Ok(machine.class(class).module.is_some().bits())
}
