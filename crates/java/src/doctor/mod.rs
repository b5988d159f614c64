//! What a program could need that the machine lacks, without running it.
//!
//! From `main`, the calls of the bytecode are followed into the program's classes and the class library. A virtual call leads to all
//! classes that were seen to be instantiated so far (rapid type analysis, Bacon & Sweeney 1996). Class initialisers, bootstrap methods,
//! lambdas and method references are followed, too. A method that is reached may never be called. Methods that only reflection calls are
//! not reached.

mod hierarchy;
mod scan;
mod walk;

use crate::machine::Machine;
pub(crate) use hierarchy::MethodKey;
use std::fmt;
pub(crate) use walk::CallGraph;

/// Methods that are looked at, at most. The whole class library has some 200,000.
const MOST_METHODS: usize = 60_000;

/// Calls on the way from the program's own code up to which something counts as near. Overloads that call each other
/// take some: `Runtime.exec` is four calls away from starting a process.
const NEAR: usize = 5;

/// What was found by looking at a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// What the program could need and the machine lacks: what is nearest to the program's own code first.
    pub missing: Vec<MissingOperation>,
    /// How many methods could be reached.
    pub methods: usize,
    /// How many of them are the program's own.
    pub own: usize,
    /// Whether all that can be reached was looked at.
    pub complete: bool,
}

/// Something that the machine lacks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingOperation {
    /// The calls that lead to it, as in `java.util.List.size`; the first is in the program's own code.
    pub path: Vec<String>,
    /// What it is.
    pub what: OperationKind,
}

/// A kind of thing that the machine may lack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationKind {
    /// A native method, as in `java.lang.Object.hashCode()I`.
    Native(String),
    /// A method that reaches outside of the machine and is refused.
    Refused(String),
}

impl MissingOperation {
    /// Whether it is only a few calls away from the program's own code.
    pub fn is_near(&self) -> bool {
        self.path.len() <= NEAR
    }
}

impl fmt::Display for OperationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperationKind::Native(name) => write!(f, "native method {name}"),
            OperationKind::Refused(name) => write!(f, "refused method {name}"),
        }
    }
}

/// What the calls of the program whose main class has this name lead to.
pub(crate) fn call_graph(machine: &Machine, main_class: &str) -> CallGraph {
    let mut walk = walk::Walk::new(machine);
    walk.start(main_class);
    walk.run(MOST_METHODS);
    walk.into_call_graph()
}

/// Looks at the program whose main class has this name, as in `a/b/Main`. The machine has booted: what it did on the
/// way need not be looked at. The same program gives the same result.
pub fn examine(machine: &Machine, main_class: &str) -> Examination {
    let mut walk = walk::Walk::new(machine);
    walk.start(main_class);
    let complete = walk.run(MOST_METHODS);
    walk.result(complete)
}
