//! What the JDK looks up once and keeps, got ready before a program can watch it being looked up.
//!
//! Formats, calendars and loggers fill tables of the JDK with what they find out on their first use: providers of locales,
//! bundles of resources, constructors. Two threads that print numbers would otherwise be explored in every order of some
//! hundred accesses to such tables, which no program can tell apart. That a program uses one of the classes below is
//! learned, and the search begins again with the method called at the start: what it finds is there for ever. It must not be
//! called later. What an execution has looked up itself by then is taken back with the execution, and what is there for ever
//! must not refer to that.

use super::assumptions::Discipline;
use crate::machine::Machine;
use crate::machine::class::{ClassId, Loader};
use crate::memory::Ref;

/// A class, and the static method without parameters that is called at the start of programs that use the class. What has
/// tables of its own stands here with the class that keeps them, which is the first to be used.
const PRELUDES: &[(&str, &str, &str, &str)] = &[
    ("java/util/Formatter", "java/text/NumberFormat", "getNumberInstance", "()Ljava/text/NumberFormat;"),
    ("java/util/Scanner", "java/text/NumberFormat", "getNumberInstance", "()Ljava/text/NumberFormat;"),
    ("java/text/Format", "java/text/NumberFormat", "getNumberInstance", "()Ljava/text/NumberFormat;"),
    ("java/text/DateFormat", "java/text/DateFormat", "getInstance", "()Ljava/text/DateFormat;"),
    ("java/util/Calendar", "java/util/Calendar", "getInstance", "()Ljava/util/Calendar;"),
    ("java/util/logging/Logger", "java/util/logging/Logger", "getGlobal", "()Ljava/util/logging/Logger;"),
    ("sun/security/jca/Providers", "java/security/Security", "getProviders", "()[Ljava/security/Provider;"),
    ("java/time/ZoneId", "java/time/ZoneId", "systemDefault", "()Ljava/time/ZoneId;"),
];

/// The name of a prelude among what has been learned.
fn lesson(class: &str) -> String {
    format!("use of {}", class.replace('/', "."))
}

impl Machine {
    /// A class of the JDK is about to be initialised. If something should have been called at the start, the search has to
    /// begin again.
    pub(crate) fn learn_prelude(&mut self, class: ClassId) {
        let name = self.class_name(class);
        let Some(at) = PRELUDES.iter().position(|(of, ..)| *of == name) else { return };
        let name = PRELUDES[at].0;
        let is_learned = self.scheduling.assumptions.learned.of(&lesson(name)).is_some();
        let is_known = is_learned || self.scheduling.assumptions.preludes_called & 1 << at != 0;
        if self.scheduling.assumptions.fixed || is_known || self.has_set_properties() {
            return;
        }
        self.scheduling.assumptions.learned.learn(&lesson(name), Discipline::Visible);
        self.scheduling.assumptions.violated =
            Some(format!("the program uses {}", self.external_name(class)));
    }

    /// Whether executions have set system properties that were not there at the start. What is looked up goes by them, so
    /// that it is not the same then.
    fn has_set_properties(&mut self) -> bool {
        let Ok(system) = self.load(Loader::BOOT, "java/lang/System") else { return false };
        let field = |object: Ref, class: ClassId, name: &str| {
            let offset = self.offset_of(class, name)?;
            self.heap.get_ref(object, offset).some()
        };
        let properties = field(self.class(system).mirror, system, "props");
        let table =
            properties.and_then(|properties| field(properties, ClassId(self.heap.class(properties)), "map"));
        table.is_some_and(|table| self.heap.changed().iter().any(|word| word.object == table))
    }

    /// Whether something is known to be called at the start that was not.
    pub(crate) fn lacks_preludes(&self) -> bool {
        let mut all = PRELUDES.iter().enumerate();
        all.any(|(at, (class, ..))| {
            self.scheduling.assumptions.preludes_called & 1 << at == 0
                && self.scheduling.assumptions.learned.of(&lesson(class)).is_some()
        })
    }

    /// Calls what is known to be called at the start, where the machine stands.
    pub(crate) fn play_preludes(&mut self) {
        for (at, &(class, of, method, descriptor)) in PRELUDES.iter().enumerate() {
            if self.scheduling.assumptions.learned.of(&lesson(class)).is_none() {
                continue;
            }
            self.scheduling.assumptions.preludes_called |= 1 << at;
            let Ok(of) = self.load(Loader::BOOT, of) else { continue };
            let Some(method) = self.method_named(of, method, descriptor) else { continue };
            // What it could not look up is looked up by the thread that needs it.
            let _ = self.evaluate_permanently(method, crate::machine::name_hash(class, 7));
        }
    }
}
