//! Protection domains: where the classes of the program come from.

use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{Loader, MethodId};
use crate::machine::native::{Table, framed};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/Class",
    methods: &[("getProtectionDomain0()Ljava/security/ProtectionDomain;", framed(protection_domain))],
}];

/// The domain of a class on the class path: its loader makes one for each entry. Others have the JDK's.
fn protection_domain(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(0));
    if machine.loader_of(class) != Loader::APP || machine.class(class).module.is_some() {
        return Ok(0);
    }
    let library = machine.library.clone();
    let found = library.class_path.find(&format!("{}.class", machine.class_name(class)));
    let Some(found) = found.ok().flatten() else { return Ok(0) };
    let loader = machine.app_loader()?;
    let path = library.class_path.entries()[found.entry].display().to_string();
    let path = machine.new_string(&path)?;
    let stub = domain_stub(machine)?;
    machine.call(stub, &[loader.bits(), path.bits()], Resume::Next)?;
    Err(Abrupt::Called)
}

/// The stub that gives the domain of the loader in register 0 for the path in register 1.
fn domain_stub(machine: &mut Machine) -> Run<MethodId> {
    let file = machine.load(Loader::BOOT, "java/io/File")?;
    let source = machine.load(Loader::BOOT, "java/security/CodeSource")?;
    let mut site = |class: &str, name: &str, descriptor: &str| {
        let class = machine.load(Loader::BOOT, class)?;
        let method = machine.method_named(class, name, descriptor);
        let method = method.ok_or_else(|| Abrupt::unsupported("this JDK's class loaders"))?;
        Ok::<u32, Abrupt>(machine.call_site(method))
    };
    let new_file = site("java/io/File", "<init>", "(Ljava/lang/String;)V")?;
    let to_url = site("sun/net/www/ParseUtil", "fileToEncodedURL", "(Ljava/io/File;)Ljava/net/URL;")?;
    let certificates = "(Ljava/net/URL;[Ljava/security/cert/Certificate;)V";
    let new_source = site("java/security/CodeSource", "<init>", certificates)?;
    let domain = "(Ljava/security/CodeSource;)Ljava/security/ProtectionDomain;";
    let get_domain = site("java/security/SecureClassLoader", "getProtectionDomain", domain)?;
    let mut builder = Builder::new(8);
    builder.emit(Insn::wide(Op::NewOf, 2, file.0));
    builder.emit(Insn::new(Op::Move, 3, 2, 0));
    builder.emit(Insn::new(Op::Move, 4, 1, 0));
    builder.emit(Insn::wide(Op::CallDirect, 3, new_file));
    builder.emit(Insn::wide(Op::CallStatic, 2, to_url));
    builder.emit(Insn::wide(Op::NewOf, 3, source.0));
    builder.emit(Insn::new(Op::Move, 1, 2, 0));
    builder.emit(Insn::new(Op::Move, 4, 3, 0));
    builder.emit(Insn::new(Op::Move, 5, 1, 0));
    builder.emit(Insn::new(Op::ConstNull, 6, 0, 0));
    builder.emit(Insn::wide(Op::CallDirect, 4, new_source));
    builder.emit(Insn::new(Op::Move, 1, 0, 0));
    builder.emit(Insn::new(Op::Move, 2, 3, 0));
    builder.emit(Insn::wide(Op::CallDirect, 1, get_domain));
    builder.emit(Insn::new(Op::ReturnRef, 1, 0, 0));
    let descriptor = "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;";
    Ok(machine.make_method("domain", descriptor, builder.finish()))
}
