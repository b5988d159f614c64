//! What the JDK looks up once and keeps, got ready before a program can watch it being looked up.
//!
//! Formats, calendars and loggers fill tables of the JDK with what they find out on their first use: providers of locales,
//! bundles of resources, constructors. Two threads that print numbers would otherwise be explored in every order of some
//! hundred accesses to such tables, which no program can tell apart. Whoever first uses one of the classes below has the
//! method called before, as if it had been called at the start: what it finds is there for ever.

use crate::class::ClassId;
use crate::machine::{Machine, Resume, Run, Trouble};

/// A class, and the static method without parameters that is called before the class is initialised.
const PRELUDES: &[(&str, &str, &str, &str)] = &[
    ("java/util/Formatter", "java/text/NumberFormat", "getNumberInstance", "()Ljava/text/NumberFormat;"),
    ("java/util/Scanner", "java/text/NumberFormat", "getNumberInstance", "()Ljava/text/NumberFormat;"),
    ("java/text/Format", "java/text/NumberFormat", "getNumberInstance", "()Ljava/text/NumberFormat;"),
    ("java/text/DateFormat", "java/text/DateFormat", "getInstance", "()Ljava/text/DateFormat;"),
    ("java/util/Calendar", "java/util/Calendar", "getInstance", "()Ljava/util/Calendar;"),
    ("java/util/logging/Logger", "java/util/logging/Logger", "getGlobal", "()Ljava/util/logging/Logger;"),
    ("java/security/MessageDigest", "java/security/Security", "getProviders", "()[Ljava/security/Provider;"),
];

impl Machine {
    /// Calls what has to be called before a class of the JDK is initialised, if that was not done yet: then the
    /// instruction that needs the class is executed again afterwards.
    pub(crate) fn play_prelude(&mut self, class: ClassId) -> Run<()> {
        let name = self.class_name(class);
        let Some(at) = PRELUDES.iter().position(|(of, ..)| *of == name) else { return Ok(()) };
        let (_, of, method, descriptor) = PRELUDES[at];
        // Several classes may ask for the same.
        let same = PRELUDES.iter().position(|other| (other.1, other.2) == (of, method)).unwrap_or(at);
        if self.watch.played & 1 << same != 0 {
            return Ok(());
        }
        self.watch.played |= 1 << same;
        let key = |_: &Machine| super::print(PRELUDES[at].0, 7);
        self.permanently(key, |machine| {
            let of = machine.load(crate::class::Loader::BOOT, of)?;
            let Some(method) = machine.method_named(of, method, descriptor) else { return Ok(()) };
            machine.call(method, &[], Resume::Again)?;
            Err(Trouble::Again)
        })
    }
}
