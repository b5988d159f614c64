//! Native methods as the machine sees them: functions by the names of the Java methods that they stand for.

use super::{Arguments, Machine, Run};
use hashbrown::HashMap;

/// A function in the place of a method: its result as bits, zero if there is none.
pub type Function = fn(&mut Machine, Arguments) -> Run<u64>;

/// A native method.
#[derive(Clone, Copy)]
pub struct Native {
    /// What is called.
    pub function: Function,
    /// Whether it needs no frame.
    pub leaf: bool,
    /// Whether it stands before the method's own code, which it may still call: see `Machine::call_original`.
    pub wraps: bool,
}

/// The native methods of a Java class: name with descriptor, and what is called.
pub struct Table {
    /// The class.
    pub class: &'static str,
    /// Its methods.
    pub methods: &'static [(&'static str, Native)],
}

/// A method that needs a frame.
pub const fn framed(function: Function) -> Native {
    Native { function, leaf: false, wraps: false }
}

/// A method that needs none.
pub const fn leaf(function: Function) -> Native {
    Native { function, leaf: true, wraps: false }
}

/// A method that looks at each call first and leaves the rest to the JDK's own code.
pub const fn wrapping(function: Function) -> Native {
    Native { function, leaf: false, wraps: true }
}

/// A method that does nothing.
pub const NOTHING: Native = leaf(|_, _| Ok(0));

/// All native methods, by class.
pub struct Natives {
    classes: HashMap<&'static str, Vec<(&'static str, Native)>, foldhash::fast::FixedState>,
}

impl Natives {
    /// The methods of these tables. If several are for one Java method, the first of them counts.
    pub fn new<'a>(tables: impl Iterator<Item = &'a Table>) -> Natives {
        let mut classes: HashMap<_, Vec<_>, _> = HashMap::default();
        for table in tables {
            classes.entry(table.class).or_default().extend_from_slice(table.methods);
        }
        Natives { classes }
    }

    /// What is called for a method, if it is one of ours.
    pub fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Native> {
        if descriptor == "()V" && matches!(name, "registerNatives" | "initIDs" | "initNative") {
            return Some(NOTHING);
        }
        let methods = self.classes.get(class)?;
        let found = methods.iter().find(|(signature, _)| {
            signature.len() == name.len() + descriptor.len()
                && signature.starts_with(name)
                && signature.ends_with(descriptor)
        });
        found.map(|&(_, native)| native)
    }
}
