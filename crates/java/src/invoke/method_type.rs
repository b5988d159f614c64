//! Method types: objects of the JDK's own class, of which there is one for each type.
//!
//! `MethodType` runs as the JDK wrote it, except for the table of all types. That table is the machine's, so that constants find their
//! types without running Java code. The JDK's weak table changes with every look, and would be a part of the state.

use crate::classfile::Descriptor;
use crate::machine::class::{ClassId, Loader, Shape};
use crate::machine::native::{Table, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/invoke/MethodType$ConcurrentWeakInternSet",
    methods: &[
        ("get(Ljava/lang/Object;)Ljava/lang/Object;", leaf(get)),
        ("add(Ljava/lang/Object;)Ljava/lang/Object;", leaf(add)),
    ],
}];

/// The class of the result and those of the parameters.
pub(super) type Classes = Box<[ClassId]>;

impl Machine {
    /// The classes of a method type.
    pub(super) fn classes_of_type(&mut self, of: Ref) -> Run<Classes> {
        let layout = self.layout()?;
        let result = self.heap.get_ref(of, layout.type_result);
        let parameters = self.heap.get_ref(of, layout.type_parameters);
        if parameters.is_null() {
            return Err(Abrupt::null());
        }
        let count = self.heap.length(parameters);
        // The JDK's code asks each class for its hash code, in this order.
        let class = |mirror: Ref, name: &str| {
            let message = || format!("Cannot invoke \"Object.hashCode()\" because \"{name}\" is null");
            let none = || Abrupt::raise("java/lang/NullPointerException", message());
            mirror.some().map(|mirror| self.class_of_mirror(mirror)).ok_or_else(none)
        };
        let parameters = (0..count).map(|index| class(self.element(parameters, index), "ptype"));
        std::iter::once(class(result, "this.rtype")).chain(parameters).collect()
    }

    /// The descriptor of a class, as in `Ljava/lang/String;`.
    pub(super) fn class_descriptor(&self, class: ClassId) -> String {
        match self.class(class).shape {
            Shape::Primitive(kind) => kind.letter().to_string(),
            Shape::Array { .. } => self.class_name(class).to_string(),
            Shape::Instance => format!("L{};", self.class_name(class)),
        }
    }

    /// The descriptor of a method of these classes.
    pub(super) fn descriptor_of(&self, classes: &[ClassId]) -> String {
        let parameters: String = classes[1..].iter().map(|&class| self.class_descriptor(class)).collect();
        format!("({parameters}){}", self.class_descriptor(classes[0]))
    }

    /// The classes that a descriptor names, seen from a loader.
    pub(super) fn classes_of_descriptor(&mut self, loader: Loader, descriptor: &str) -> Run<Classes> {
        let parsed = Descriptor::parse(descriptor)?;
        let texts = std::iter::once(&parsed.result).chain(&parsed.parameters);
        texts.map(|text| self.load_described(loader, text)).collect()
    }

    /// The method type of these classes. `Again` if Java code must run before it is there.
    pub(super) fn type_of_classes(&mut self, classes: &[ClassId]) -> Run<Ref> {
        if let Some(&known) = self.tables.handles.types.get(classes) {
            return Ok(known);
        }
        let layout = self.layout()?;
        self.initialise(layout.method_type)?;
        let make = self.method_named(
            layout.method_type,
            "makeImpl",
            "(Ljava/lang/Class;[Ljava/lang/Class;Z)Ljava/lang/invoke/MethodType;",
        );
        let make = make.ok_or_else(|| Abrupt::unsupported("this JDK's MethodType"))?;
        let mirrors: Vec<Ref> = classes[1..].iter().map(|&class| self.class(class).mirror).collect();
        let parameters = self.new_objects(self.known.class.unwrap_or_default(), &mirrors)?;
        let result = self.class(classes[0]).mirror;
        self.call(make, &[result.bits(), parameters.bits(), 1], Resume::Again)?;
        Err(Abrupt::Again)
    }

    /// The object that a constant of a method type stands for.
    pub(crate) fn method_type(&mut self, from: ClassId, descriptor: &str) -> Run<Ref> {
        let classes = self.classes_of_descriptor(self.loader_of(from), descriptor)?;
        self.type_of_classes(&classes)
    }
}

fn get(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let classes = machine.classes_of_type(arguments.object(1))?;
    Ok(machine.tables.handles.types.get(&classes).map_or(0, |known| known.bits()))
}

fn add(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(1);
    let classes = machine.classes_of_type(object)?;
    if let Some(&known) = machine.tables.handles.types.get(&classes) {
        return Ok(known.bits());
    }
    machine.tables.handles.types.insert(classes, object);
    machine.tables.roots.push(object);
    Ok(object.bits())
}
