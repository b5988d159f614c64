//! Properties of the user's own, looked at in every state.

use super::Execution;
use crate::classfile::access;
use crate::machine::class::{Loader, MethodId};
use crate::machine::{Abrupt, Machine};
use sojourner_program::{Finding, Kind};

impl Execution {
    /// The first property that does not hold in this state.
    pub(super) fn broken_property(&mut self) -> Option<Finding> {
        if self.settings.properties.is_empty() || self.machine.outcome.exit.is_some() {
            return None;
        }
        let properties = self.settings.properties.clone();
        properties.iter().find_map(|property| match self.machine.holds_here(property) {
            Ok(true) => None,
            Ok(false) => {
                let mut finding = Finding::new(Kind::Property, format!("{property} does not hold"));
                finding.type_name = Some(property.clone());
                Some(finding)
            }
            Err(_) if self.machine.scheduling.cancel.is_set() => None,
            Err(why) => {
                let mut finding = Finding::new(Kind::Property, format!("{property} cannot be told: {why}"));
                finding.type_name = Some(property.clone());
                Some(finding)
            }
        })
    }
}

impl Machine {
    /// Whether the properties can be evaluated at all: the classes and methods that they name are there.
    pub(super) fn check_properties(&mut self, properties: &[String]) -> Result<(), String> {
        properties.iter().try_for_each(|property| self.method_of_property(property).map(drop))
    }

    fn method_of_property(&mut self, property: &str) -> Result<MethodId, String> {
        let missing = |_| format!("the property {property}: there is no such method, and no such class");
        if let Some((class_name, method_name)) = property.rsplit_once('.')
            && let Ok(class) = self.load(Loader::APP, &class_name.replace('.', "/"))
            && let Some(method) = self.method_named(class, method_name, "()Z")
        {
            return match self.method(method).is(access::STATIC) {
                true => Ok(method),
                false => Err(format!("the property {property}: the method is not static")),
            };
        }
        let class = self.load(Loader::APP, &property.replace('.', "/")).map_err(missing)?;
        let interface = self.load(Loader::APP, "sojourner/Property").map_err(missing)?;
        if !self.is_subclass(class, interface) {
            return Err(format!(
                "the property {property} is neither a static method without parameters that gives a boolean, \
                 nor a class that implements sojourner.Property"
            ));
        }
        self.stub_property(class).map_err(|abrupt| format!("the property {property}: {abrupt:?}"))
    }

    /// Runs a property on a thread of its own, and takes back what it did.
    fn holds_here(&mut self, property: &str) -> Result<bool, String> {
        let method = self.method_of_property(property)?;
        let marks = self.marks();
        let current = self.turn.thread;
        let result = self.evaluate(method);
        self.rewind_to(marks);
        self.turn.thread = current;
        match result {
            Ok(bits) => Ok(bits != 0),
            Err(Abrupt::Found(finding)) => Err(finding.message),
            Err(other) => Err(format!("{other:?}")),
        }
    }
}
