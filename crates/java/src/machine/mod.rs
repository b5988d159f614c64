//! The machine: classes, heap and threads, and what happens between them.
//!
//! Nothing here recurses for a call of the program under test: class initialisers, reflection and natives that call Java
//! push frames, so that a state is what lies in heap, frames and threads, and nothing else.

mod alive;
mod aside;
mod boot;
mod call;
mod choices;
pub(crate) mod clock;
mod collapse;
mod collect;
mod coverage;
mod errors;
mod initialise;
mod interpret;
mod known;
mod monitors;
mod options;
mod pools;
mod resolve;
mod schedule;
mod strings;
mod stubs;
mod threads;
mod trouble;
mod undo;
mod values;
mod verification;

pub use boot::BootError;
pub use call::{CallSite, StaticSite};
pub use choices::{Choices, RoundRobin, Seeded};
pub(crate) use collapse::{Pools, Root};
pub use coverage::Coverage;
pub(crate) use errors::Stop;
pub use known::Known;
pub use options::{Console, Options};
pub use schedule::Ended;
pub use threads::{Frame, Resume, Standing, Status, Thread, Woken};
pub use trouble::{Run, Trouble};
pub(crate) use undo::Moved;
pub use values::{Arguments, Bits};

pub(crate) use crate::explore::Pending;

use crate::class::{Class, ClassId, Loader, Method, MethodId, Symbol, Symbols};
use crate::explore::Look;
use crate::library::{ClassPath, Jdk};
use crate::memory::Heap;
use crate::natives::{Archives, Files, Layer, Natives};
use hashbrown::HashMap;
use std::rc::Rc;

pub(crate) type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

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
    /// Files of the disk that the program has opened.
    pub(crate) files: Files,
    /// What the program has changed of files.
    pub(crate) layer: Rc<Layer>,
    /// Streams of compressed bytes that the program reads or writes.
    pub(crate) archives: Archives,
    pub(crate) natives: Natives,
    pub(crate) known: Known,
    pub(crate) sites: Vec<CallSite>,
    pub(crate) statics: Vec<StaticSite>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) current: usize,
    pub(crate) stubs: stubs::Stubs,
    /// Bytes after whose allocation garbage is collected.
    pub(crate) collect_at: u64,
    /// The number of waits so far.
    pub(crate) waits: u64,
    /// Polls until somebody looks at the clock, other threads and the garbage.
    pub(crate) fuel: i32,
    /// Nanoseconds of virtual time.
    pub(crate) now: i64,
    /// The exit status, once the program has ended.
    pub(crate) exit: Option<i32>,
    /// The number of lambdas so far.
    pub(crate) lambdas: u32,
    /// Natives that join strings, by their descriptors.
    pub(crate) joins: Map<Symbol, MethodId>,
    /// Tables that refer to objects.
    pub(crate) aside: aside::Tables,
    pub(crate) next_hash: u32,
    /// Whether the program has looked at the clock, so that time is a part of its state.
    pub(crate) clock_was_read: bool,
    /// Who has looked at it last, while the program is explored.
    pub(crate) look: Look,
    /// What the program has written, while it is explored.
    pub(crate) output: Vec<u8>,
    /// How many threads without a name have been made, and how many threads at all.
    pub(crate) threads_named: u32,
    pub(crate) threads_made: u32,
    /// Whether the program wants to be left alone from here on.
    pub(crate) ignored: bool,
    /// The number of threads that have been started and have not ended.
    pub(crate) alive: usize,
    /// The transition in which a thread last came or went, which no other has: if it is the same, so are those who are there.
    pub(crate) lineup: u64,
    /// How to take back what threads do.
    pub(crate) undo: undo::Undo,
    /// What decides where threads may take turns, while the program is explored.
    pub(crate) watch: crate::explore::Watch,
    pub(crate) booted: bool,
    /// What the run uses, if somebody wants to know.
    pub(crate) coverage: Option<Box<coverage::Notes>>,
}
