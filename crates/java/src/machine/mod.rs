//! The machine: classes, heap and threads, and what happens between them.
//!
//! Nothing here recurses for a call of the program under test: class initialisers, reflection and natives that call Java
//! push frames, so that a state is what lies in heap, frames and threads, and nothing else.

mod abrupt;
mod call;
mod choices;
pub mod class;
pub(crate) mod clock;
mod collapse;
mod collect;
mod coverage;
mod detached;
mod exceptions;
mod initialise;
mod interpret;
mod interrupts;
mod live_registers;
mod locations;
pub(crate) mod lock_waits;
pub(crate) mod method_handles;
pub(crate) mod modules;
mod monitors;
mod name_hash;
pub(crate) mod native;
pub mod operation;
mod options;
mod pools;
mod resolve;
mod schedule;
mod side_tables;
mod strings;
mod stubs;
mod threads;
mod uncaught;
mod undo;
mod values;
mod verification;
pub(crate) mod visible;
mod well_known;
mod whole_state;

pub use abrupt::{Abrupt, Run};
pub use call::{CallSite, StaticSite};
pub use choices::{Choices, RoundRobin, Seeded};
pub(crate) use clock::Clock;
pub(crate) use collapse::{Pools, Root};
pub use coverage::Coverage;
pub(crate) use exceptions::Stop;
pub(crate) use name_hash::name_hash;
pub use options::{Console, Options};
pub use schedule::Ended;
pub(crate) use threads::Threads;
pub use threads::{Frame, Resume, Status, Thread, ThreadState, Woken};
pub(crate) use undo::MovedThread;
pub use values::{Arguments, Bits};
pub use well_known::WellKnown;
pub(crate) use whole_state::WholeState;

use crate::files::{Archives, Files, Layer};
use crate::library::{ClassPath, Jdk};
use crate::memory::Heap;
use class::{Class, ClassId, Loader, Method, MethodId, Symbol, Symbols};
use hashbrown::HashMap;
use native::Natives;
use std::rc::Rc;
use visible::Scheduling;

pub(crate) type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Where the classes of a program come from.
pub struct Library {
    /// The JDK.
    pub jdk: Jdk,
    /// The program's own classes.
    pub class_path: ClassPath,
}

/// A Java machine with a program in it. Its state is in parts, one for each concern.
pub struct Machine {
    /// Where classes come from.
    pub(crate) library: Rc<Library>,
    /// Bounds, properties and the console.
    pub(crate) options: Options,
    /// Native methods.
    pub(crate) natives: Natives,
    /// Classes and methods that were loaded, and their names.
    pub(crate) classes: Classes,
    /// Classes and fields of the JDK that the machine itself uses.
    pub(crate) known: WellKnown,
    /// What instructions were linked to.
    pub(crate) links: Links,
    /// Objects and arrays.
    pub(crate) heap: Heap,
    /// Tables that refer to objects.
    pub(crate) tables: side_tables::SharedTables,
    /// Threads with their frames.
    pub(crate) threads: Threads,
    /// The thread that runs, and for how long.
    pub(crate) turn: Turn,
    /// Virtual time.
    pub(crate) clock: Clock,
    /// The files that the program sees.
    pub(crate) files: FileSystem,
    /// What the execution has come to.
    pub(crate) outcome: Outcome,
    /// How to take back what threads do.
    pub(crate) undo: undo::Undo,
    /// Where threads stop, and what the present transition does.
    pub(crate) scheduling: Scheduling,
    /// What the run uses, if the options ask for it.
    pub(crate) coverage: Option<Box<coverage::Notes>>,
}

/// Classes and methods that were loaded, and their names.
pub(crate) struct Classes {
    /// Names and descriptors.
    pub symbols: Symbols,
    /// Classes by number. The first one is none.
    pub list: Vec<Class>,
    /// Methods by number.
    pub methods: Vec<Method>,
    /// Classes by loader and name.
    pub names: Map<(Loader, Symbol), ClassId>,
    /// The number of superclasses that are just being loaded.
    pub loading: usize,
}

/// What instructions were linked to.
#[derive(Default)]
pub(crate) struct Links {
    /// Calls.
    pub calls: Vec<CallSite>,
    /// Accesses to static fields.
    pub statics: Vec<StaticSite>,
    /// Code of the machine's own.
    pub stubs: stubs::Stubs,
    /// The number of lambdas so far.
    pub lambdas: u32,
    /// Natives that join strings, by their descriptors.
    pub concatenations: Map<Symbol, MethodId>,
}

/// The thread that runs, and for how long.
pub(crate) struct Turn {
    /// The thread, by number.
    pub thread: usize,
    /// Polls until the thread lets the machine look at the clock, other threads and garbage.
    pub polls: i32,
}

/// The files that the program sees.
#[derive(Default)]
pub(crate) struct FileSystem {
    /// Files of the disk that the program has opened.
    pub disk: Files,
    /// What the program has changed.
    pub layer: Rc<Layer>,
    /// Streams of compressed bytes that the program reads or writes.
    pub archives: Archives,
}

/// What an execution has come to.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The exit status, once the program has ended.
    pub exit: Option<i32>,
    /// Whether the program wants the execution not to be looked at any further.
    pub ignored: bool,
    /// What the program has written, while an observer controls it.
    pub output: Vec<u8>,
}
