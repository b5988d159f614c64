//! Resources of the JDK's modules, read from its image. Those on the class path are found by the JDK's own code.

use crate::bytes::Bytes;
use crate::machine::native::{NOTHING, Table, framed};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "jdk/internal/loader/BootLoader",
        methods: &[
            (
                "findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
                framed(|machine, arguments| stream(machine, arguments.object(0), arguments.object(1))),
            ),
            (
                "findResource(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;",
                framed(|machine, arguments| url(machine, arguments.object(0), arguments.object(1))),
            ),
            ("findResource(Ljava/lang/String;)Ljava/net/URL;", framed(find_anywhere)),
        ],
    },
    Table {
        class: "jdk/internal/loader/BuiltinClassLoader",
        methods: &[(
            "findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
            framed(|machine, arguments| stream(machine, arguments.object(1), arguments.object(2))),
        )],
    },
    Table {
        class: CONNECTION,
        methods: &[
            ("<clinit>()V", NOTHING),
            ("connect()V", NOTHING),
            ("getInputStream()Ljava/io/InputStream;", framed(connection_stream)),
            ("getContentLengthLong()J", framed(connection_length)),
        ],
    },
];

const CONNECTION: &str = "sun/net/www/protocol/jrt/JavaRuntimeURLConnection";

/// A resource of a module; `None` if there is none.
fn find(machine: &Machine, module: Ref, name: Ref) -> Run<Option<Bytes>> {
    if module.is_null() {
        return Ok(None);
    }
    let (module, name) = (machine.text(module), machine.text_of(name)?);
    Ok(machine.library.jdk.image.resource(&module, &name))
}

fn stream_of(machine: &mut Machine, bytes: &Bytes) -> Run<u64> {
    let array = machine.new_bytes(bytes)?;
    Err(machine.construct("java/io/ByteArrayInputStream", "([B)V", &[array.bits()]))
}

fn stream(machine: &mut Machine, module: Ref, name: Ref) -> Run<u64> {
    match find(machine, module, name)? {
        Some(bytes) => stream_of(machine, &bytes),
        None => Ok(0),
    }
}

fn url(machine: &mut Machine, module: Ref, name: Ref) -> Run<u64> {
    if find(machine, module, name)?.is_none() {
        return Ok(0);
    }
    let descriptor = "(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;";
    machine.give(CONNECTION, "toJrtURL", descriptor, &[module.bits(), name.bits()])
}

/// A resource of whatever module has its package. Only classes can be found so: other resources belong to their modules.
fn find_anywhere(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text_of(arguments.object(0))?;
    let library = machine.library.clone();
    let package = name.rsplit_once('/').map(|(package, _)| package).filter(|_| name.ends_with(".class"));
    match package.and_then(|package| library.jdk.image.module_of(package)) {
        Some(module) => {
            let module = machine.new_string(module)?;
            url(machine, module, arguments.object(0))
        }
        None => Ok(0),
    }
}

/// The resource that a connection leads to.
fn connected(machine: &Machine, connection: Ref) -> Run<Bytes> {
    let (module, name) = (machine.ref_in(connection, "module"), machine.ref_in(connection, "name"));
    let found = if name.is_null() { None } else { find(machine, module, name)? };
    found.ok_or_else(|| Abrupt::raise("java/io/IOException", "there is no such resource"))
}

fn connection_stream(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let bytes = connected(machine, arguments.object(0))?;
    stream_of(machine, &bytes)
}

fn connection_length(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(connected(machine, arguments.object(0))?.len() as u64)
}
