//! What the machine keeps of modules: their objects, and what they declare.

use super::Run;
use crate::classfile::{ClassFile, Constant, Cursor};
use crate::memory::Ref;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Modules that the program has asked for.
#[derive(Clone, Default)]
pub struct Modules {
    pub(crate) objects: Map<Rc<str>, Ref>,
    pub(crate) declared: Map<Rc<str>, Option<Rc<Declaration>>>,
    /// Packages that were exported, or opened, to all modules or to one while the program ran.
    pub(crate) added: HashSet<(Ref, String, Ref, bool), foldhash::fast::FixedState>,
    /// The object of the layer of the JDK's modules.
    pub(crate) layer: Ref,
    /// The modules of proxies, by loader.
    pub(crate) dynamic: Vec<(Ref, Ref)>,
}

impl Modules {
    /// Takes over what others have learned of objects that stay.
    pub fn learn(&mut self, from: &Modules, stays: impl Fn(Ref) -> bool) {
        for (name, &object) in from.objects.iter().filter(|(_, object)| stays(**object)) {
            self.objects.entry(name.clone()).or_insert(object);
        }
        self.declared.clone_from(&from.declared);
        if self.layer.is_null() && stays(from.layer) {
            self.layer = from.layer;
        }
    }

    /// Whether all of it is about objects that stay, and nothing that the program has done.
    pub fn holds_everywhere(&self, stays: impl Fn(&Ref) -> bool) -> bool {
        let done = !self.added.is_empty() || !self.dynamic.is_empty();
        !done && self.objects.values().chain([&self.layer]).all(stays)
    }
}

/// What `module-info.class` says.
#[derive(Debug, Default)]
pub struct Declaration {
    pub(crate) open: bool,
    /// Packages with the modules that they are exported to; to all if there are none.
    pub(crate) exports: Map<String, Vec<String>>,
    /// The same for packages that are open to reflection.
    pub(crate) opens: Map<String, Vec<String>>,
    /// Names of services with those of the classes that provide them, as in `java/lang/String`.
    pub(crate) provides: Vec<(String, Vec<String>)>,
}

impl Declaration {
    pub(crate) fn parse(file: &ClassFile) -> Run<Declaration> {
        const OPEN: u16 = 0x0020;
        let Some(contents) = file.attribute(file.attributes, "Module") else { return Ok(Self::default()) };
        let name = |index: u16| match file.pool.get(index) {
            Ok(Constant::Module(name) | Constant::Package(name) | Constant::Class(name)) => {
                file.pool.utf8(name).map(String::from)
            }
            _ => Ok(String::new()),
        };
        let mut at = Cursor::new(contents);
        let mut declaration = Declaration::default();
        at.u16()?;
        declaration.open = at.u16()? & OPEN != 0;
        at.u16()?;
        for _ in 0..at.u16()? {
            at.skip(6)?;
        }
        for table in [&mut declaration.exports, &mut declaration.opens] {
            for _ in 0..at.u16()? {
                let package = name(at.u16()?)?;
                at.u16()?;
                let mut to = Vec::new();
                for _ in 0..at.u16()? {
                    to.push(name(at.u16()?)?);
                }
                table.insert(package, to);
            }
        }
        for _ in 0..at.u16()? {
            at.skip(2)?;
        }
        for _ in 0..at.u16()? {
            let service = name(at.u16()?)?;
            let mut with = Vec::new();
            for _ in 0..at.u16()? {
                with.push(name(at.u16()?)?);
            }
            declaration.provides.push((service, with));
        }
        Ok(declaration)
    }
}
