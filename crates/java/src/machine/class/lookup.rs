//! Finding fields and methods, and telling whether one class is a kind of another.

use super::{Class, ClassId, Field, Method, MethodId, Shape, Symbol};
use crate::classfile::{Kind, access};
use crate::machine::Machine;

impl Machine {
    /// A class.
    #[inline(always)]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes.list[id.0 as usize]
    }

    /// A method.
    #[inline(always)]
    pub fn method(&self, id: MethodId) -> &Method {
        &self.classes.methods[id.0 as usize]
    }

    /// The name of a class, as in `java/lang/String`.
    pub fn class_name(&self, id: ClassId) -> &str {
        self.classes.symbols.text(self.class(id).name)
    }

    /// The name of a class as the language writes it: `java.lang.String`.
    pub fn external_name(&self, id: ClassId) -> String {
        match self.class(id).shape {
            Shape::Primitive(kind) => kind.word().to_string(),
            _ => self.class_name(id).replace('/', "."),
        }
    }

    /// Whether instances of `class` are instances of `of`.
    #[inline]
    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        if class == of {
            return true;
        }
        let (sub, sup) = (self.class(class), self.class(of));
        if sup.is_interface() {
            return sub.all_interfaces.binary_search(&of).is_ok();
        }
        match (sub.shape, sup.shape) {
            (
                Shape::Array { component: a, kind: Kind::Reference },
                Shape::Array { component: b, kind: Kind::Reference },
            ) => self.is_subclass(a, b),
            (_, Shape::Array { .. }) => false,
            _ => sub.lineage.get(sup.lineage.len().wrapping_sub(1)) == Some(&of),
        }
    }

    /// The field of that name and type that a class has or inherits, with the class that declares it.
    pub fn find_field(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<(ClassId, usize)> {
        let mut next = Some(class);
        while let Some(id) = next {
            let class = self.class(id);
            let found =
                class.fields.iter().position(|field| field.name == name && field.descriptor == descriptor);
            if let Some(index) = found {
                return Some((id, index));
            }
            for &interface in &class.interfaces {
                if let Some(found) = self.find_field(interface, name, descriptor) {
                    return Some(found);
                }
            }
            next = class.superclass;
        }
        None
    }

    /// A field, by what `find_field` gave.
    pub fn field(&self, (class, index): (ClassId, usize)) -> &Field {
        &self.class(class).fields[index]
    }

    /// The method that a class itself declares.
    pub fn declared_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        self.class(class).by_name.get(&(name, descriptor)).copied()
    }

    /// The method that a class or a superclass of it declares.
    fn inherited_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let lineage = &self.class(class).lineage;
        lineage.iter().rev().find_map(|&id| self.declared_method(id, name, descriptor))
    }

    /// The method that a reference in code means: in the class, its superclasses, or its interfaces.
    pub fn find_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        if let Some(found) = self.declared_method(class, name, descriptor) {
            return Some(found);
        }
        let found = if self.class(class).is_interface() {
            // An interface has the public methods of Object without naming them.
            self.inherited_method(self.known.object, name, descriptor)
        } else {
            self.inherited_method(class, name, descriptor)
        };
        found.or_else(|| self.interface_method(class, name, descriptor))
    }

    /// The most specific method among the interfaces of a class.
    fn interface_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let mut best: Option<&Method> = None;
        for &interface in &self.class(class).all_interfaces {
            let Some(id) = self.declared_method(interface, name, descriptor) else { continue };
            let method = self.method(id);
            if method.is(access::STATIC) || method.is(access::PRIVATE) {
                continue;
            }
            best = match best {
                Some(old) if self.is_subclass(old.class, method.class) => Some(old),
                Some(old) if self.is_subclass(method.class, old.class) => Some(method),
                // Of two that are unrelated the one with code is meant; if both have code, a call is an error anyway.
                Some(old) if !old.is(access::ABSTRACT) => Some(old),
                _ => Some(method),
            };
        }
        best.map(|method| method.id)
    }

    /// What a call of an interface's method means for instances of a class.
    pub fn select(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let cache = &self.class(class).selected;
        if let Some(&known) = cache.borrow().get(&(name, descriptor)) {
            return known;
        }
        let lineage = &self.class(class).lineage;
        let found = lineage.iter().rev().find_map(|&id| {
            let id = self.declared_method(id, name, descriptor)?;
            let method = self.method(id);
            (!method.is(access::STATIC) && !method.is(access::PRIVATE)).then_some(id)
        });
        let found = found.or_else(|| self.interface_method(class, name, descriptor));
        cache.borrow_mut().insert((name, descriptor), found);
        found
    }

    /// A method of one of the JDK's classes that must be there.
    pub fn method_named(&mut self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let (name, descriptor) = (self.classes.symbols.intern(name), self.classes.symbols.intern(descriptor));
        self.find_method(class, name, descriptor)
    }

    /// The offset of a field of one of the JDK's classes; `None` if it has none of that name.
    pub fn offset_of(&self, class: ClassId, name: &str) -> Option<u32> {
        let name = self.classes.symbols.find(name)?;
        let mut next = Some(class);
        while let Some(id) = next {
            let class = self.class(id);
            if let Some(field) = class.fields.iter().find(|field| field.name == name) {
                return Some(field.offset);
            }
            next = class.superclass;
        }
        None
    }
}
