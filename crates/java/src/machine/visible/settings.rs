//! What decides which operations are scheduling points, and what a thread that waits for the time or draws a number does.
//!
//! The names are those of the command line, and of Lerda & Visser 2001 where the paper has one.

use sojourner_frontend::shared::Timeouts;
use sojourner_names::{Name, UnknownName, names};
use std::fmt;
use std::str::FromStr;

/// Which operations are scheduling points, and what the program is told of time and chance.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Which scheduling points are left out.
    pub reduce: Reduce,
    /// How objects are numbered.
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
    /// Whether every state is looked at from outside, so that what one thread has to itself matters.
    pub looks_at_states: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            reduce: Reduce::ALL,
            symmetry: Symmetry::Canonical,
            granularity: Granularity::Operation,
            juc: Juc::Primitive,
            timeouts: Timeouts::Any,
            random: Draws::default(),
            spurious: false,
            looks_at_states: false,
        }
    }
}

/// Reasons for which an operation is no scheduling point. Each can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduce {
    /// Only one thread can reach the object.
    pub private: bool,
    /// The field is never written once a second thread can reach its object.
    pub immutable: bool,
    /// All accesses to the object hold the same lock.
    pub locked: bool,
    /// One thread accesses the object, and then another one that has waited for the end of the first.
    pub owned: bool,
    /// No other thread is alive: none was started, or all have been joined.
    pub alone: bool,
    /// The operation commutes to the left: giving back a monitor, notifying, starting and ending a thread.
    pub movers: bool,
}

impl Reduce {
    /// Everything.
    pub const ALL: Reduce =
        Reduce { private: true, immutable: true, locked: true, owned: true, alone: true, movers: true };
    /// Nothing: every access to the heap is a scheduling point.
    pub const NONE: Reduce =
        Reduce { private: false, immutable: false, locked: false, owned: false, alone: false, movers: false };
    /// About what Java PathFinder did when it was used for studies of guided and randomised searches: objects that one thread
    /// can reach, fields that do not change, fields under one lock, and threads without others.
    pub const JPF: Reduce =
        Reduce { private: true, immutable: true, locked: true, owned: false, alone: true, movers: false };
    /// What can be written: everything, nothing, a preset, or the parts.
    pub const NAMES: [Name; 9] = [
        Name { name: "all", about: "all of these" },
        Name { name: "none", about: "none: every access to the heap is a scheduling point" },
        Name {
            name: "jpf",
            about: "private,immutable,locked,alone: close to Java PathFinder, to compare with published results",
        },
        Name { name: "private", about: "only one thread can reach the object" },
        Name {
            name: "immutable",
            about: "the field is not written once a second thread can reach its object",
        },
        Name { name: "locked", about: "all accesses to the object hold the same lock" },
        Name { name: "owned", about: "one thread uses the object, then another that has waited for its end" },
        Name { name: "alone", about: "no other thread is alive" },
        Name {
            name: "movers",
            about: "unlock, notify, start and end commute with what other threads do before",
        },
    ];
    /// The parts.
    pub const PARTS: &'static [Name] = Self::NAMES.split_at(3).1;

    /// Whether objects have guards.
    pub(crate) fn guards(&self) -> bool {
        self.locked || self.owned
    }

    fn part(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "private" => &mut self.private,
            "immutable" => &mut self.immutable,
            "locked" => &mut self.locked,
            "owned" => &mut self.owned,
            "alone" => &mut self.alone,
            "movers" => &mut self.movers,
            _ => return None,
        })
    }
}

impl fmt::Display for Reduce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Reduce::ALL || *self == Reduce::NONE {
            return f.pad(if self.private { "all" } else { "none" });
        }
        let mut copy = *self;
        let names = Reduce::PARTS.iter().map(|part| part.name);
        let names = names.filter(|name| copy.part(name).is_some_and(|part| *part));
        f.pad(&names.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Reduce {
    type Err = UnknownName;

    /// `all`, `none`, `jpf`, or names with commas between them.
    fn from_str(text: &str) -> Result<Reduce, UnknownName> {
        match text {
            "all" => return Ok(Reduce::ALL),
            "none" => return Ok(Reduce::NONE),
            "jpf" => return Ok(Reduce::JPF),
            _ => {}
        }
        let mut reduce = Reduce::NONE;
        for name in text.split(',') {
            match reduce.part(name) {
                Some(part) => *part = true,
                None => return Err(UnknownName::new("reduction", name, &Reduce::NAMES)),
            }
        }
        Ok(reduce)
    }
}

names! {
    /// How the objects of a state are numbered (Lerda & Visser 2001, section 2.4).
    pub enum Symmetry ("symmetry") {
        /// in the order in which they are reached from threads and static fields
        Canonical = "canonical",
        /// by the place in the code that allocated them
        Site = "site",
        /// by the thread that allocated them
        Thread = "thread",
        /// in the order in which they were allocated
        None = "none",
    }
}

names! {
    /// How much one transition does.
    pub enum Granularity ("granularity") {
        /// one operation that other threads can notice
        Operation = "operation",
        /// a whole line of source: coarser and faster, and NOT SOUND, because errors within a line are missed
        Line = "line",
    }
}

names! {
    /// What `java.util.concurrent` is.
    pub enum Juc ("form of java.util.concurrent") {
        /// its methods are single steps that keep their contract
        Primitive = "primitive",
        /// the JDK's own code with every step in it: finds errors in that code, and in its use with Unsafe
        Real = "real",
    }
}

/// What becomes of random numbers that no seed of the program decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// A draw of the program with at most so many outcomes is a data choice; other draws have one value.
    Choose(u32),
    /// Each draw has one value.
    Draw,
}

impl Draws {
    /// What can be written.
    pub const NAMES: [Name; 2] = [
        Name {
            name: "choose[:N]",
            about: "explore every value of nextInt(n), nextInt(a, b), nextLong(n) and nextBoolean() that the program \
                    calls, if there are at most N values, 16 by default",
        },
        Name { name: "draw", about: "explore one value" },
    ];

    /// The most outcomes that may be asked for: a search tries each of them.
    const MOST: u32 = 65_536;
}

impl Default for Draws {
    fn default() -> Draws {
        Draws::Choose(16)
    }
}

impl fmt::Display for Draws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Draws::Choose(most) => f.pad(&format!("choose:{most}")),
            Draws::Draw => f.pad("draw"),
        }
    }
}

impl FromStr for Draws {
    type Err = String;

    /// `choose`, `choose:N` or `draw`.
    fn from_str(text: &str) -> Result<Draws, String> {
        match text.split_once(':') {
            None if text == "choose" => Ok(Draws::default()),
            None if text == "draw" => Ok(Draws::Draw),
            Some(("choose", most)) => {
                let most = most.parse().ok().filter(|most| (2..=Draws::MOST).contains(most));
                let most = most.ok_or_else(|| {
                    format!("'{text}' needs a number of outcomes from 2 to {}, as in choose:16", Draws::MOST)
                })?;
                Ok(Draws::Choose(most))
            }
            _ => Err(UnknownName::new("treatment of random numbers", text, &Draws::NAMES).to_string()),
        }
    }
}
