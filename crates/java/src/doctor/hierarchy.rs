//! Classes as far as the walk needs them: which class extends which, and which method a call means.

use crate::classfile::{ClassFile, access};
use crate::library::{ClassPath, Jdk};
use crate::machine::Library;
use crate::machine::class::{Symbol, Symbols};
use hashbrown::HashMap;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// No hierarchy is deeper; one that goes in circles is.
const DEEPEST: usize = 200;

/// The number of a class that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassKey(pub u32);

/// The number of a method of such a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodKey {
    pub class: ClassKey,
    /// Its place in the class file.
    pub index: u16,
}

/// A name with a descriptor.
pub type Selector = (Symbol, Symbol);

/// A class that was looked at.
pub struct Node {
    pub file: ClassFile,
    /// Whether it is one of the program's, not of the class library.
    pub own: bool,
    /// Its superclass.
    pub superclass: Option<ClassKey>,
    /// Itself and all classes and interfaces above it.
    pub above: Vec<ClassKey>,
    methods: Map<Selector, u16>,
}

/// The classes that were looked at.
#[derive(Default)]
pub struct Hierarchy {
    pub symbols: Symbols,
    names: Map<String, Option<ClassKey>>,
    nodes: Vec<Node>,
}

impl Hierarchy {
    pub fn node(&self, class: ClassKey) -> &Node {
        &self.nodes[class.0 as usize]
    }

    /// The class of that name; `None` if there is none that can be read.
    pub fn find(&mut self, library: &Library, name: &str) -> Option<ClassKey> {
        self.find_within(library, name, DEEPEST)
    }

    fn find_within(&mut self, library: &Library, name: &str, depth: usize) -> Option<ClassKey> {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        // A class above itself is none.
        self.names.insert(name.to_string(), None);
        let made = self.make(library, name, depth.checked_sub(1)?);
        self.names.insert(name.to_string(), made);
        made
    }

    fn make(&mut self, library: &Library, name: &str, depth: usize) -> Option<ClassKey> {
        let Library { jdk, class_path } = library;
        let (file, own) = read(jdk, class_path, name)?;
        let superclass = match file.super_class {
            0 => None,
            index => Some(self.find_within(library, file.pool.class_name(index).ok()?, depth)?),
        };
        let mut above = Vec::new();
        for &index in &file.interfaces {
            above.extend(self.find_within(library, file.pool.class_name(index).ok()?, depth));
        }
        above.extend(superclass);
        let mut all: Vec<ClassKey> = above.iter().flat_map(|&class| self.node(class).above.clone()).collect();
        let key = ClassKey(self.nodes.len() as u32);
        all.push(key);
        all.sort_by_key(|class| class.0);
        all.dedup();
        let mut methods = Map::default();
        for (index, method) in file.methods.iter().enumerate() {
            let (name, descriptor) =
                (file.pool.utf8(method.name).ok()?, file.pool.utf8(method.descriptor).ok()?);
            methods.insert((self.symbols.intern(name), self.symbols.intern(descriptor)), index as u16);
        }
        self.nodes.push(Node { file, own, superclass, above: all, methods });
        Some(key)
    }

    /// The method that a class itself declares.
    pub fn declared(&self, class: ClassKey, selector: Selector) -> Option<MethodKey> {
        self.node(class).methods.get(&selector).map(|&index| MethodKey { class, index })
    }

    /// The method that a name means in a class: its own, or the nearest one above it, of classes before interfaces.
    pub fn resolve(&self, class: ClassKey, selector: Selector) -> Option<MethodKey> {
        let mut next = Some(class);
        while let Some(class) = next {
            if let Some(method) = self.declared(class, selector) {
                return Some(method);
            }
            next = self.node(class).superclass;
        }
        let above = &self.node(class).above;
        let mut found = above.iter().filter_map(|&class| self.declared(class, selector));
        let all: Vec<MethodKey> = found.by_ref().collect();
        let concrete = all.iter().rev().find(|&&method| !self.is(method, access::ABSTRACT));
        concrete.or(all.last()).copied()
    }

    /// Whether the class of that name, if it was looked at, is an exception or an error.
    pub fn is_throwable(&self, name: &str) -> bool {
        let mut next = self.names.get(name).copied().flatten();
        while let Some(class) = next {
            if self.node(class).file.name() == "java/lang/Throwable" {
                return true;
            }
            next = self.node(class).superclass;
        }
        false
    }

    /// Whether a method has a flag.
    pub fn is(&self, method: MethodKey, flag: u16) -> bool {
        self.node(method.class).file.methods[usize::from(method.index)].access & flag != 0
    }

    /// The name and the descriptor of a method.
    pub fn signature(&self, method: MethodKey) -> (&str, &str) {
        let file = &self.node(method.class).file;
        let member = &file.methods[usize::from(method.index)];
        (file.pool.utf8(member.name).unwrap_or("?"), file.pool.utf8(member.descriptor).unwrap_or("?"))
    }
}

/// The class file of that name, and whether it is the program's.
fn read(jdk: &Jdk, class_path: &ClassPath, name: &str) -> Option<(ClassFile, bool)> {
    let (bytes, own) = match jdk.image.class(name) {
        Some((bytes, _)) => (bytes, false),
        None => match crate::library::verify_class(name) {
            Some(bytes) => (crate::bytes::Bytes::new(bytes), false),
            None => (class_path.find(&format!("{name}.class")).ok()??.bytes, true),
        },
    };
    Some((ClassFile::parse(bytes).ok()?, own))
}
