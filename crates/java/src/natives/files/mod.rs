//! Files and archives.
//!
//! The program sees the files of the disk, and over them what it has changed itself: `crate::files`. The disk stays as it is.
//! An operation on a file is one that other threads can notice: `open`.

mod attributes;
mod channels;
mod file;
mod open;
mod paths;
mod refused;
mod streams;
mod zip;

pub use attributes::TIMES;
pub use refused::TABLES as REFUSED;

use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::Loader;
use crate::machine::native::Table;
use crate::machine::{Abrupt, Machine, Resume};

pub const TABLES: &[&[Table]] = &[
    attributes::TABLES,
    channels::TABLES,
    file::TABLES,
    paths::TABLES,
    refused::TABLES,
    streams::TABLES,
    zip::TABLES,
];

/// What the system says of an error, as `strerror` does.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}

/// The number of an error.
pub fn number(error: &std::io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}

impl Machine {
    /// Makes an exception by one of its constructors and throws it: the frame that does so is on top afterwards.
    pub(crate) fn throw_new(
        &mut self,
        class: &'static str,
        descriptor: &'static str,
        arguments: &[u64],
    ) -> Abrupt {
        let stub = match self.links.stubs.throwing.get(&(class, descriptor)) {
            Some(&stub) => stub,
            None => match self.throwing_stub(class, descriptor) {
                Ok(stub) => stub,
                Err(abrupt) => return abrupt,
            },
        };
        match self.call(stub, arguments, Resume::Again) {
            Ok(()) => Abrupt::Again,
            Err(abrupt) => abrupt,
        }
    }

    fn throwing_stub(
        &mut self,
        name: &'static str,
        descriptor: &'static str,
    ) -> Result<crate::machine::class::MethodId, Abrupt> {
        let class = self.load(Loader::BOOT, name)?;
        let constructor = self.method_named(class, "<init>", descriptor);
        let constructor = constructor.ok_or_else(|| Abrupt::unsupported(format!("this JDK's {name}")))?;
        let slots = self.method(constructor).arguments - 1;
        let site = self.call_site(constructor);
        let mut builder = Builder::new(2 * slots + 3);
        builder.emit(Insn::wide(Op::NewOf, slots, class.0));
        builder.emit(Insn::new(Op::Move, slots + 1, slots, 0));
        for slot in 0..slots {
            builder.emit(Insn::new(Op::Move, slots + 2 + slot, slot, 0));
        }
        builder.emit(Insn::wide(Op::CallDirect, slots + 1, site));
        builder.emit(Insn::new(Op::Throw, slots, 0, 0));
        let stub = self.make_method("raise", descriptor, builder.finish());
        self.links.stubs.throwing.insert((name, descriptor), stub);
        Ok(stub)
    }

    /// A `UnixException` for an error of the system.
    pub(super) fn unix_error(&mut self, error: &std::io::Error) -> Abrupt {
        if let Some(refusal) = open::refusal(error) {
            return refusal;
        }
        self.throw_new("sun/nio/fs/UnixException", "(I)V", &[number(error) as u32 as u64])
    }
}
