//! How a Java program is explored: what may be left out, what is kept of a state, and what counts as a finding.
//!
//! The names are those of the command line, and of Lerda & Visser 2001 where the paper has one.

use crate::machine::visible::settings::Settings;
use crate::machine::visible::{Draws, Granularity, Juc, Reduce, Symmetry, Timeouts};
use sojourner_names::names;

/// How a Java program is explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// Which scheduling points are left out.
    pub reduce: Reduce,
    /// Which objects belong to a state.
    pub gc: Gc,
    /// How a search goes back.
    pub rewind: Rewind,
    /// How objects of a state are numbered.
    pub symmetry: Symmetry,
    /// How much one transition does.
    pub granularity: Granularity,
    /// What `java.util.concurrent` is.
    pub juc: Juc,
    /// When time-outs expire.
    pub timeouts: Timeouts,
    /// What becomes of random numbers that no seed of the program decides.
    pub random: Draws,
    /// Whether `wait` and `park` may return without a reason.
    pub spurious: bool,
    /// What a data race is.
    pub races: Races,
    /// Whether it is a finding that the program ends with a status other than 0.
    pub exit: bool,
    /// Whether threads go on when one of them has thrown what it does not catch. If not, that is where a schedule ends.
    pub beyond: bool,
    /// What must hold in every state: `Class.method` of a static method without parameters that gives a boolean, or the
    /// name of a class that implements `sojourner.Property`.
    pub properties: Vec<String>,
}

impl Exploration {
    /// What of it decides which operations are scheduling points.
    pub(super) fn of_machine(&self) -> Settings {
        Settings {
            reduce: self.reduce,
            symmetry: self.symmetry,
            granularity: self.granularity,
            juc: self.juc,
            timeouts: self.timeouts,
            random: self.random,
            spurious: self.spurious,
            looks_at_states: !self.properties.is_empty(),
        }
    }
}

impl Default for Exploration {
    fn default() -> Exploration {
        Exploration {
            reduce: Reduce::ALL,
            gc: Gc::Mark,
            rewind: Rewind::Undo,
            symmetry: Symmetry::Canonical,
            granularity: Granularity::Operation,
            juc: Juc::Primitive,
            timeouts: Timeouts::Any,
            random: Draws::default(),
            spurious: false,
            races: Races::Warn,
            exit: false,
            beyond: false,
            properties: Vec::new(),
        }
    }
}

names! {
    /// Which objects belong to a state (Lerda & Visser 2001, section 2.5).
    pub enum Gc ("garbage collection") {
        /// objects that can be reached
        Mark = "mark",
        /// objects that something refers to: garbage in cycles stays
        Refcount = "refcount",
        /// all objects that were ever allocated
        None = "none",
    }
}

#[expect(clippy::derivable_impls, reason = "the macro that declares the type has no place for a default")]
impl Default for Gc {
    fn default() -> Gc {
        Gc::Mark
    }
}

names! {
    /// How a search goes back to a state (Lerda & Visser 2001, sections 2.2 and 2.3).
    pub enum Rewind ("way to go back") {
        /// take back what each step has done, by a journal
        Undo = "undo",
        /// keep each state of the path as numbers of components, and put back those that differ
        Collapse = "collapse",
        /// keep a whole copy of each state of the path, and put it back
        Copy = "copy",
    }
}

/// What a data race is. Races of Java programs have defined behaviour, so there is none that comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Races {
    /// Something to warn of.
    Warn,
    /// A finding.
    Fail,
    /// Nothing.
    Off,
}
