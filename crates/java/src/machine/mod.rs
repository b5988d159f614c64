//! The machine: classes, heap and threads, and what happens between them.
//!
//! Nothing here recurses for a call of the program under test: class initialisers, reflection and natives that call Java
//! push frames, so that a state is what lies in heap, frames and threads, and nothing else.

mod alive;
mod boot;
mod call;
mod choices;
mod collect;
mod coverage;
mod errors;
mod initialise;
mod interpret;
mod known;
mod monitors;
mod options;
mod resolve;
mod schedule;
mod strings;
mod stubs;
mod threads;
mod trouble;
mod values;
mod verification;

pub use boot::BootError;
pub use call::{CallSite, StaticSite};
pub use choices::{Choices, RoundRobin, Seeded};
pub use coverage::Coverage;
pub use known::Known;
pub use options::{Console, Options};
pub use schedule::Ended;
pub use threads::{Frame, Resume, Status, Thread, Woken};
pub use trouble::{Run, Trouble};
pub use values::{Arguments, Bits};

use crate::class::{Class, ClassId, Loader, Method, MethodId, Symbol, Symbols};
use crate::library::{ClassPath, Jdk};
use crate::memory::{Heap, Ref};
use crate::natives::{Archives, Files, Modules, Natives};
use hashbrown::HashMap;
use std::rc::Rc;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Where the classes of a program come from.
pub struct Library {
    /// The JDK.
    pub jdk: Jdk,
    /// The program's own classes.
    pub class_path: ClassPath,
}

/// A Java machine with a program in it.
pub struct Machine {
    pub(crate) library: Rc<Library>,
    pub(crate) options: Options,
    pub(crate) symbols: Symbols,
    pub(crate) heap: Heap,
    pub(crate) classes: Vec<Class>,
    pub(crate) methods: Vec<Method>,
    pub(crate) class_names: Map<(Loader, Symbol), ClassId>,
    /// The number of superclasses that are just being loaded.
    pub(crate) loading: usize,
    /// Objects of class loaders, by number.
    pub(crate) loaders: Vec<Ref>,
    /// Modules that somebody has asked for.
    pub(crate) modules: Modules,
    /// Files that the program has opened.
    pub(crate) files: Files,
    /// Streams of compressed bytes that the program reads or writes.
    pub(crate) archives: Archives,
    pub(crate) natives: Natives,
    pub(crate) known: Known,
    pub(crate) sites: Vec<CallSite>,
    pub(crate) statics: Vec<StaticSite>,
    pub(crate) interned: Map<Box<[u16]>, Ref>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) current: usize,
    pub(crate) stubs: stubs::Stubs,
    /// Bytes after whose allocation garbage is collected.
    pub(crate) collect_at: u64,
    /// The number of waits so far.
    pub(crate) waits: u64,
    /// Classes whose initialisation has failed: what was thrown, and where.
    pub(crate) failures: Map<ClassId, (String, Ref)>,
    /// Polls until somebody looks at the clock, other threads and the garbage.
    pub(crate) fuel: i32,
    /// Nanoseconds of virtual time.
    pub(crate) now: i64,
    /// The exit status, once the program has ended.
    pub(crate) exit: Option<i32>,
    /// Objects that the machine itself holds on to.
    pub(crate) roots: Vec<Ref>,
    /// The number of lambdas so far.
    pub(crate) lambdas: u32,
    /// Natives that join strings, by their descriptors.
    pub(crate) joins: Map<Symbol, MethodId>,
    pub(crate) handles: crate::invoke::Handles,
    pub(crate) next_hash: u32,
    pub(crate) booted: bool,
    /// What the run uses, if somebody wants to know.
    pub(crate) coverage: Option<Box<coverage::Notes>>,
}
