//! Linking dynamic calls: which bootstrap method a call site names, and what the machine does in its place.

use crate::classfile::{ClassFileError, Constant};
use crate::machine::class::{ClassId, MethodId};
use crate::machine::{Machine, Run};

/// A method that a constant of kind method handle refers to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// What is done with it: JVMS table 5.4.3.5-A.
    pub kind: u8,
    /// The class that is named.
    pub class: String,
    /// The member's name.
    pub name: String,
    /// Its type.
    pub descriptor: String,
}

/// A dynamic call site, as the class file has it.
pub(super) struct Site {
    /// The class that has the call.
    pub from: ClassId,
    /// The constant that describes it.
    pub index: u16,
    /// The name at the call site.
    pub name: String,
    /// The type at the call site.
    pub descriptor: String,
    /// The constant that names the bootstrap method.
    pub handle: u16,
    /// The bootstrap method.
    pub bootstrap: Target,
    /// Indices of its static arguments.
    pub arguments: Vec<u16>,
}

impl Machine {
    /// Links a dynamic call: the static method that it becomes.
    pub(crate) fn link_dynamic_call(&mut self, from: ClassId, index: u16) -> Run<MethodId> {
        let key = |machine: &Machine| machine.key_of_constant(from, index);
        self.permanently(key, |machine| machine.link_dynamic_call_now(from, index))
    }

    /// What stands for a constant of a class, in every execution.
    pub(crate) fn key_of_constant(&self, class: ClassId, index: u16) -> u64 {
        crate::machine::name_hash(self.class_name(class), 16 + u64::from(index))
    }

    fn link_dynamic_call_now(&mut self, from: ClassId, index: u16) -> Run<MethodId> {
        let site = self.dynamic_site(from, index)?;
        match (site.bootstrap.class.as_str(), site.bootstrap.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.link_lambda(&site)
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
                self.link_concat(&site)
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.link_record_method(&site),
            _ => self.link_by_bootstrap(&site),
        }
    }

    pub(super) fn dynamic_site(&mut self, from: ClassId, index: u16) -> Run<Site> {
        let file = self.file(from)?;
        let (bootstrap, name, descriptor) = file.pool.dynamic(index)?;
        let bootstraps = file.bootstraps()?;
        let bad = || ClassFileError::Malformed(format!("there is no bootstrap method {bootstrap}"));
        let entry = bootstraps.get(usize::from(bootstrap)).ok_or_else(bad)?;
        Ok(Site {
            from,
            index,
            name: name.to_string(),
            descriptor: descriptor.to_string(),
            handle: entry.method,
            bootstrap: self.handle_target(from, entry.method)?,
            arguments: entry.arguments.clone(),
        })
    }

    /// What a method handle constant refers to.
    pub(super) fn handle_target(&self, from: ClassId, index: u16) -> Run<Target> {
        let file = self.file(from)?;
        let Constant::MethodHandle { kind, reference } = file.pool.get(index)? else {
            return Err(ClassFileError::Constant { index, wanted: "method handle" }.into());
        };
        let (class, name, descriptor) = file.pool.member(reference)?;
        Ok(Target {
            kind,
            class: class.to_string(),
            name: name.to_string(),
            descriptor: descriptor.to_string(),
        })
    }
}

impl Site {
    /// The static argument of that number.
    pub fn argument(&self, number: usize) -> Run<u16> {
        let missing = || ClassFileError::Malformed("a bootstrap method has too few arguments".into());
        self.arguments.get(number).copied().ok_or_else(|| missing().into())
    }

    /// A static argument that is a method type.
    pub fn method_type(&self, machine: &Machine, number: usize) -> Run<String> {
        let index = self.argument(number)?;
        let file = machine.file(self.from)?;
        match file.pool.get(index)? {
            Constant::MethodType(descriptor) => Ok(file.pool.utf8(descriptor)?.to_string()),
            _ => Err(ClassFileError::Constant { index, wanted: "method type" }.into()),
        }
    }

    /// A static argument that is an int.
    pub fn int(&self, machine: &Machine, number: usize) -> Run<i32> {
        let index = self.argument(number)?;
        match machine.file(self.from)?.pool.get(index)? {
            Constant::Integer(value) => Ok(value),
            _ => Err(ClassFileError::Constant { index, wanted: "int" }.into()),
        }
    }
}
