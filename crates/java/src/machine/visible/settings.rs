//! What decides which operations are scheduling points, and what a thread that waits for the time or draws a number does.
//!
//! The names are those of the command line, and of Lerda & Visser 2001 where the paper has one.

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

/// Defines values with names.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident ($what:literal) { $($(#[$case_doc:meta])* $case:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type {
            $($(#[$case_doc])* $case,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: &[$type] = &[$($type::$case,)*];

            /// Its name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$case => $name,)*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                let known = $type::ALL.iter().find(|known| known.name() == text).copied();
                known.ok_or_else(|| {
                    let names = [$($name,)*].join(", ");
                    format!(concat!("unknown ", $what, " '{}'; there are {}"), text, names)
                })
            }
        }
    };
}

pub(crate) use named;

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
    /// The names.
    pub const NAMES: [&'static str; 6] = ["private", "immutable", "locked", "owned", "alone", "movers"];

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
        let names = Reduce::NAMES.into_iter().filter(|name| copy.part(name).is_some_and(|part| *part));
        f.pad(&names.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Reduce {
    type Err = String;

    /// `all`, `none`, or names with commas between them.
    fn from_str(text: &str) -> Result<Reduce, String> {
        match text {
            "all" => return Ok(Reduce::ALL),
            "none" => return Ok(Reduce::NONE),
            _ => {}
        }
        let mut reduce = Reduce::NONE;
        for name in text.split(',') {
            match reduce.part(name) {
                Some(part) => *part = true,
                None => {
                    let names = Reduce::NAMES.join(", ");
                    return Err(format!("unknown reduction '{name}'; there are all, none, {names}"));
                }
            }
        }
        Ok(reduce)
    }
}

named! {
    /// How the objects of a state are numbered (Lerda & Visser 2001, section 2.4).
    Symmetry ("symmetry") {
        /// In the order in which they are reached from threads and static fields.
        Canonical = "canonical",
        /// By the place in the code that allocated them, and how many it had allocated before.
        Site = "site",
        /// By the thread that allocated them, and how many it had allocated before.
        Thread = "thread",
        /// In the order in which they were allocated.
        None = "none",
    }
}

named! {
    /// How much one transition does.
    Granularity ("granularity") {
        /// One visible operation.
        Operation = "operation",
        /// All visible operations of a line of source: not sound, interleavings within a line are not seen.
        Line = "line",
    }
}

named! {
    /// What `java.util.concurrent` is.
    Juc ("form of java.util.concurrent") {
        /// Its methods are operations of the machine, which keep what they specify.
        Primitive = "primitive",
        /// The JDK's own code, with every scheduling point in it.
        Real = "real",
    }
}

named! {
    /// When time-outs expire.
    Timeouts ("rule for time-outs") {
        /// At any time if less than a second is left; otherwise only when nothing else can happen.
        Patient = "patient",
        /// At any time.
        Any = "any",
        /// Only when nothing else can happen.
        Last = "last",
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
            _ => {
                Err(format!("unknown treatment of random numbers '{text}'; there are choose, choose:N, draw"))
            }
        }
    }
}
