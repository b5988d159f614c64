//! A class hierarchy out of class files, for tests of the verifier.

use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::{ClassFile, access};
use sojourner_java::verify::Hierarchy;
use std::collections::HashMap;

/// Looks classes up by name; keeps of each whether it is an interface, and its superclass.
pub struct Files<F> {
    find: F,
    known: HashMap<String, (bool, Option<String>)>,
    /// How many questions have been asked.
    pub questions: u64,
}

impl<F: FnMut(&str) -> Option<Bytes>> Files<F> {
    pub fn new(find: F) -> Files<F> {
        Files { find, known: HashMap::new(), questions: 0 }
    }

    fn class(&mut self, name: &str) -> Result<&(bool, Option<String>), String> {
        assert!(!name.starts_with('['), "the verifier takes arrays apart itself");
        if !self.known.contains_key(name) {
            let bytes = (self.find)(name).ok_or_else(|| format!("the class {name} cannot be found"))?;
            let class = ClassFile::parse(bytes).map_err(|error| format!("{name}: {error}"))?;
            let superclass = match class.super_class {
                0 => None,
                index => Some(class.pool.class_name(index).expect("checked by the parser").to_string()),
            };
            self.known.insert(name.to_string(), (class.access & access::INTERFACE != 0, superclass));
        }
        Ok(&self.known[name])
    }

    /// A class and those above it, from below.
    fn chain(&mut self, name: &str) -> Result<Vec<String>, String> {
        let mut chain = vec![name.to_string()];
        while let Some(above) = self.class(&chain[chain.len() - 1])?.1.clone() {
            if chain.contains(&above) {
                return Err(format!("{above} is above itself"));
            }
            chain.push(above);
        }
        Ok(chain)
    }
}

impl<F: FnMut(&str) -> Option<Bytes>> Hierarchy for Files<F> {
    fn is_assignable(&mut self, from: &str, to: &str) -> Result<bool, String> {
        assert_ne!(from, to, "equal names need no hierarchy");
        self.questions += 1;
        Ok(self.class(to)?.0 || self.is_subclass(from, to)?)
    }

    fn common_superclass(&mut self, a: &str, b: &str) -> Result<String, String> {
        self.questions += 1;
        if self.class(a)?.0 || self.class(b)?.0 {
            return Ok("java/lang/Object".to_string());
        }
        let (a, b) = (self.chain(a)?, self.chain(b)?);
        a.into_iter().find(|class| b.contains(class)).ok_or_else(|| "nothing in common".to_string())
    }

    fn is_subclass(&mut self, class: &str, of: &str) -> Result<bool, String> {
        Ok(self.chain(class)?.iter().any(|above| above == of))
    }
}
