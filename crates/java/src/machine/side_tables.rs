//! Tables of the machine that refer to objects and lie beside the heap.
//!
//! They are shared with the marks that a rewinding machine leaves behind, and copied when they change.

use super::Map;
use super::method_handles::Handles;
use super::modules::Modules;
use crate::machine::class::ClassId;
use crate::memory::Ref;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// The tables.
#[derive(Clone, Default)]
pub struct SideTables {
    /// Objects of class loaders, by number.
    pub loaders: Vec<Ref>,
    /// Modules that the program has asked for.
    pub modules: Modules,
    /// The strings that literals stand for.
    pub interned: Map<Box<[u16]>, Ref>,
    /// Classes whose initialisation has failed: what was thrown, and where.
    pub failures: Map<ClassId, (String, Ref)>,
    /// Objects that the machine itself holds on to.
    pub roots: Vec<Ref>,
    /// What `java.lang.invoke` has come to.
    pub handles: Handles,
}

/// Tables that are copied when they change while a mark holds on to them.
#[derive(Default)]
pub struct SharedTables(Rc<SideTables>);

impl Deref for SharedTables {
    type Target = SideTables;

    #[inline(always)]
    fn deref(&self) -> &SideTables {
        &self.0
    }
}

impl DerefMut for SharedTables {
    fn deref_mut(&mut self) -> &mut SideTables {
        Rc::make_mut(&mut self.0)
    }
}

impl SideTables {
    /// Whether all that the tables know is of objects that `stay`, so that it holds in every state.
    pub fn holds_everywhere(&self, stays: impl Fn(Ref) -> bool) -> bool {
        let stays = |object: &Ref| object.is_null() || stays(*object);
        self.loaders.iter().chain(&self.roots).chain(self.interned.values()).all(stays)
            && self.failures.values().all(|(_, trace)| stays(trace))
            && self.modules.holds_everywhere(stays)
            && self.handles.holds_everywhere(stays)
    }
}

impl SharedTables {
    /// The tables as they are now.
    pub fn share(&self) -> Rc<SideTables> {
        Rc::clone(&self.0)
    }

    /// The tables are as they were, and keep what they have learned since then of objects that `stay`.
    #[inline]
    pub fn restore(&mut self, mut before: Rc<SideTables>, stays: impl Fn(Ref) -> bool) {
        if Rc::ptr_eq(&self.0, &before) {
            return;
        }
        let old = Rc::make_mut(&mut before);
        let now = &*self.0;
        old.modules.learn(&now.modules, &stays);
        old.handles.learn(&now.handles, &stays);
        for (units, &string) in now.interned.iter().filter(|(_, string)| stays(**string)) {
            old.interned.entry(units.clone()).or_insert(string);
        }
        for (&class, (message, trace)) in now.failures.iter().filter(|(_, (_, trace))| stays(*trace)) {
            old.failures.entry(class).or_insert_with(|| (message.clone(), *trace));
        }
        for (index, &loader) in now.loaders.iter().enumerate() {
            if index >= old.loaders.len() {
                old.loaders.push(loader);
            }
        }
        self.0 = before;
    }
}
