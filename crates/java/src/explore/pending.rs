//! Operations of a thread that others can notice.

use crate::memory::Ref;

/// What sort of operation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// None that others could notice.
    Nothing,
    /// Reads a variable.
    Read,
    /// Writes a variable.
    Write,
    /// Reads a volatile variable, or as if it were one.
    ReadVolatile,
    /// Writes a volatile variable, or as if it were one.
    WriteVolatile,
    /// Reads and writes a variable in one go.
    Update,
    /// Takes a monitor.
    Enter,
    /// Gives back a monitor.
    Exit,
    /// Waits to be notified.
    Wait,
    /// Notifies one or all who wait.
    Notify,
    /// Waits for a permit.
    Park,
    /// Gives another thread a permit.
    Unpark,
    /// Starts a thread.
    Start,
    /// Ends.
    End,
    /// Waits for the end of a thread.
    Join,
    /// Asks what a thread is doing.
    Ask,
    /// Interrupts a thread.
    Interrupt,
    /// Holds up a thread until it is let go on.
    Suspend,
    /// Lets a thread go on.
    Resume,
    /// Has a thread throw `ThreadDeath`.
    Stop,
    /// Clears weak references to garbage.
    Collect,
    /// Sleeps, or gives others a chance.
    Pause,
    /// Runs a static initialiser.
    Initialise,
    /// Looks at a file, directory or name.
    LookAtFile,
    /// Changes a file, directory or name, or moves a descriptor that several threads have.
    ChangeFile,
    /// Picks one of several values.
    Choose,
}

/// An operation that a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// What sort of operation it is.
    pub what: What,
    /// The object that it is done to.
    pub object: Ref,
    /// The place in the object, if it is a variable.
    pub offset: u32,
    /// So many bytes behind that place belong to it, too: the further elements of an array that are accessed in one go.
    pub behind: u32,
}

impl Pending {
    /// Nothing that others could notice.
    pub const NOTHING: Pending = Pending::new(What::Nothing, Ref::NULL);

    /// What a thread stands before that has computed for long, for so many times in a row: nothing but letting others go on.
    pub fn tired(times: u32) -> Pending {
        Pending { offset: times, ..Pending::new(What::Pause, Ref::NULL) }
    }

    /// How many times in a row a thread has computed for long that stands before this.
    pub fn times_tired(self) -> u32 {
        if self.what == What::Pause { self.offset } else { 0 }
    }

    /// Something done to an object.
    pub const fn new(what: What, object: Ref) -> Pending {
        Pending { what, object, offset: 0, behind: 0 }
    }

    /// An access to a variable that is not volatile.
    pub fn is_plain(self) -> bool {
        matches!(self.what, What::Read | What::Write)
    }

    /// Whether two operations of different threads are accesses to one variable of which at least one is plain and one
    /// writes: a data race, if both can happen next.
    pub fn races_with(self, other: Pending) -> bool {
        let access = |what| {
            matches!(what, What::Read | What::Write | What::ReadVolatile | What::WriteVolatile | What::Update)
        };
        let reads = |what| matches!(what, What::Read | What::ReadVolatile);
        self.object == other.object
            && self.offset <= other.offset + other.behind
            && other.offset <= self.offset + self.behind
            && access(self.what)
            && access(other.what)
            && (self.is_plain() || other.is_plain())
            && !(reads(self.what) && reads(other.what))
    }
}

impl Default for Pending {
    fn default() -> Pending {
        Pending::NOTHING
    }
}
