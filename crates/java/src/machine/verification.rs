//! Verifying classes before any of their code runs.

use super::{Abrupt, Machine, Run};
use crate::machine::class::{ClassId, Loader};
use crate::verify::{Hierarchy, verify};

impl Machine {
    /// Checks the code of a class, unless that was done or the class is the JDK's own.
    pub(super) fn verify_class(&mut self, class: ClassId) -> Run<()> {
        if self.class(class).verified.replace(true) {
            return Ok(());
        }
        let Some(file) = self.class(class).file.clone() else { return Ok(()) };
        // What the JDK's reflection generates bends the rules on purpose: it makes objects without their constructors.
        let generated = "jdk/internal/reflect/MagicAccessorImpl";
        if self.class(class).lineage.iter().any(|&id| self.class_name(id) == generated) {
            return Ok(());
        }
        let loader = self.loader_of(class);
        let mut loaded = Loaded { machine: self, loader, missing: None };
        let result = verify(&file, &mut loaded);
        let missing = loaded.missing.take();
        result.map_err(|error| {
            self.class(class).verified.set(false);
            missing.unwrap_or_else(|| {
                let message = format!("{}: {error}", self.external_name(class));
                match error.unsupported {
                    true => Abrupt::unsupported(message),
                    false => Abrupt::raise("java/lang/VerifyError", message),
                }
            })
        })
    }
}

/// The classes as a loader sees them.
struct Loaded<'a> {
    machine: &'a mut Machine,
    loader: Loader,
    /// What loading a class came to that could not be loaded.
    missing: Option<Abrupt>,
}

impl Loaded<'_> {
    fn load(&mut self, name: &str) -> Result<ClassId, String> {
        self.machine.load(self.loader, name).map_err(|abrupt| {
            self.missing = Some(abrupt);
            format!("{name} cannot be loaded")
        })
    }
}

impl Hierarchy for Loaded<'_> {
    fn is_assignable(&mut self, from: &str, to: &str) -> Result<bool, String> {
        let to = self.load(to)?;
        if self.machine.class(to).is_interface() {
            return Ok(true);
        }
        let from = self.load(from)?;
        Ok(self.machine.is_subclass(from, to))
    }

    fn common_superclass(&mut self, a: &str, b: &str) -> Result<String, String> {
        let (a, b) = (self.load(a)?, self.load(b)?);
        let (first, second) = (self.machine.class(a), self.machine.class(b));
        if first.is_interface() || second.is_interface() {
            return Ok("java/lang/Object".to_string());
        }
        let shared = first.lineage.iter().zip(&second.lineage).take_while(|(a, b)| a == b).last();
        let shared = shared.map_or(self.machine.known.object, |(&class, _)| class);
        Ok(self.machine.class_name(shared).to_string())
    }

    fn is_subclass(&mut self, class: &str, of: &str) -> Result<bool, String> {
        let (class, of) = (self.load(class)?, self.load(of)?);
        Ok(self.machine.is_subclass(class, of))
    }
}
