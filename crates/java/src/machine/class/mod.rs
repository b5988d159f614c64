//! Classes, methods and fields as the machine knows them.

mod layout;
mod load;
mod lookup;
mod symbols;

pub use layout::{lay_out, references};
pub use load::Origin;
pub use symbols::{Symbol, Symbols};

use crate::classfile::{ClassFile, Kind, Span, access};
use crate::code::Code;
use crate::machine::native::Native;
use crate::memory::Ref;
use hashbrown::HashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// A class, by number. Zero is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// A method, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodId(pub u32);

/// A class loader, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loader(pub u32);

impl Loader {
    /// The loader of the JDK's own classes.
    pub const BOOT: Loader = Loader(0);
    /// The loader of the class path.
    pub const APP: Loader = Loader(1);
}

/// What a class describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Objects with fields, or an interface.
    Instance,
    /// Arrays.
    Array {
        /// The class of the elements.
        component: ClassId,
        /// Their kind.
        kind: Kind,
    },
    /// No objects: `int.class` and its like.
    Primitive(Kind),
}

/// How far a class has been initialised; kept in its mirror.
pub mod status {
    #![allow(missing_docs)]
    pub const LOADED: u32 = 0;
    pub const RUNNING: u32 = 1;
    pub const DONE: u32 = 2;
    pub const FAILED: u32 = 3;
    /// The thread that initialises the class is kept above this bit.
    pub const OWNER: u32 = 8;
    pub const MASK: u32 = 0xFF;
}

/// A class.
pub struct Class {
    /// Its number.
    pub id: ClassId,
    /// Its name, as in `java/lang/String` or `[I`.
    pub name: Symbol,
    /// Flags of the class file.
    pub access: u16,
    /// What it describes.
    pub shape: Shape,
    /// Its loader.
    pub loader: Loader,
    /// The name of its module, if the JDK's image has it.
    pub module: Option<Rc<str>>,
    /// The superclass.
    pub superclass: Option<ClassId>,
    /// The interfaces that it names.
    pub interfaces: Box<[ClassId]>,
    /// Its superclasses from `Object` down to itself.
    pub lineage: Box<[ClassId]>,
    /// All interfaces, sorted.
    pub all_interfaces: Box<[ClassId]>,
    /// The file that it was made from.
    pub file: Option<Rc<ClassFile>>,
    /// Its fields, in the order of the file.
    pub fields: Box<[Field]>,
    /// Its methods, in the order of the file.
    pub methods: Box<[MethodId]>,
    /// Methods by name and descriptor.
    pub by_name: HashMap<(Symbol, Symbol), MethodId, foldhash::fast::FixedState>,
    /// The methods that its instances answer virtual calls with.
    pub vtable: Box<[MethodId]>,
    /// The bytes of an instance, header included.
    pub size: u32,
    /// Offsets of references in an instance.
    pub references: Box<[u32]>,
    /// Offsets of references among the static fields, in the mirror.
    pub static_references: Box<[u32]>,
    /// The bytes of the mirror.
    pub mirror_size: u32,
    /// The instance of `java.lang.Class`, where the static fields are too.
    pub mirror: Ref,
    /// The static initialiser.
    pub initialiser: Option<MethodId>,
    /// Whether a superinterface or this interface itself must be initialised because it has default methods.
    pub has_defaults: bool,
    /// The class of arrays of this one.
    pub arrays: OnceCell<ClassId>,
    /// What interface calls mean for instances.
    pub selected: RefCell<HashMap<(Symbol, Symbol), Option<MethodId>, foldhash::fast::FixedState>>,
    /// The class in whose nest this hidden class lives, and other things that hidden classes have.
    pub hidden_in: Option<ClassId>,
    /// Whether its code has been verified or is trusted.
    pub verified: Cell<bool>,
    /// Whether it belongs to the JDK, and its methods have their effect at one point although several threads may call them.
    pub concurrent: bool,
    /// It is one of those that look up and keep things for the rest of the library.
    pub looks_up: bool,
    /// Whether it belongs to the JDK, and looks at the clock only in order to wait.
    pub keeps_times: bool,
}

impl Class {
    /// A class without superclass, members or mirror: what its loader fills in.
    pub fn new(id: ClassId, name: Symbol, access: u16, shape: Shape, loader: Loader) -> Class {
        Class {
            id,
            name,
            access,
            shape,
            loader,
            module: None,
            superclass: None,
            interfaces: Box::default(),
            lineage: Box::new([id]),
            all_interfaces: Box::default(),
            file: None,
            fields: Box::default(),
            methods: Box::default(),
            by_name: HashMap::default(),
            vtable: Box::default(),
            size: 0,
            references: Box::default(),
            static_references: Box::default(),
            mirror_size: 0,
            mirror: Ref::NULL,
            initialiser: None,
            has_defaults: false,
            arrays: OnceCell::new(),
            selected: RefCell::default(),
            hidden_in: None,
            verified: Cell::new(true),
            concurrent: false,
            looks_up: false,
            keeps_times: false,
        }
    }

    /// Whether a flag of the class file is set.
    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.is(access::INTERFACE)
    }

    /// The kind and class of its elements, if it describes arrays.
    pub fn component(&self) -> Option<(ClassId, Kind)> {
        match self.shape {
            Shape::Array { component, kind } => Some((component, kind)),
            _ => None,
        }
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub descriptor: Symbol,
    /// Flags.
    pub access: u16,
    /// The kind of its values.
    pub kind: Kind,
    /// Where it lies: in an instance, or in the mirror if it is static.
    pub offset: u32,
    /// Where its attributes lie in the class file.
    pub attributes: Span,
}

impl Field {
    /// Whether it is static.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

/// A method.
pub struct Method {
    /// Its number.
    pub id: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub descriptor: Symbol,
    /// Flags.
    pub access: u16,
    /// The slots of its arguments, the receiver included.
    pub arguments: u16,
    /// The kind of its result.
    pub returns: Kind,
    /// Its place in the tables of virtual methods; `u32::MAX` if it is not called through them.
    pub slot: u32,
    /// Its place among the methods of its class; `usize::MAX` for one that belongs to none.
    pub index: usize,
    /// Where its attributes lie in the class file.
    pub attributes: Span,
    /// Its code, once it was called.
    pub code: OnceCell<Box<Code>>,
    /// What is called instead of code.
    pub native: Cell<Option<Native>>,
    /// Marks that stand in no class file.
    pub marks: MethodTraits,
}

/// What the machine knows of a method beside its flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodTraits {
    /// It takes part in no stack trace.
    pub hidden: bool,
    /// Its type is that of each call: `MethodHandle.invokeExact` and its like.
    pub polymorphic: bool,
    /// Calls find out which class calls.
    pub caller_sensitive: bool,
    /// It belongs to `java.util.concurrent` and is several operations: the loop of a thread that takes tasks and runs them,
    /// or what does something to all elements of a collection.
    pub several: bool,
    /// It is where idle threads of `java.util.concurrent` wait for tasks, and end after some time without any.
    pub idles: bool,
    /// It tells the program how many tasks a pool has done.
    pub counts: bool,
    /// It adds to what `java.util.concurrent` counts in several places.
    pub adds: bool,
    /// It sums up what is counted in several places, one after the other.
    pub sums: bool,
}

impl Method {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }

    /// Whether it is static.
    #[inline(always)]
    pub fn is_static(&self) -> bool {
        self.is(access::STATIC)
    }
}
