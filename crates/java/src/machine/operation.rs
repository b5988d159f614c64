//! Operations of a thread that others can notice.

use crate::memory::Ref;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperationKind {
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
    /// Notifies one or all threads that wait.
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

/// An operation of a thread that other threads can notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What it does.
    pub kind: OperationKind,
    /// The object that it is done to.
    pub object: Ref,
    /// The place in the object, if it is a variable.
    pub offset: u32,
    /// So many bytes behind that place belong to it, too: the further elements of an array that are accessed in one go.
    pub behind: u32,
}

impl Operation {
    /// Nothing that others could notice.
    pub const NOTHING: Operation = Operation::new(OperationKind::Nothing, Ref::NULL);

    /// The pause of a thread that has computed for long, so many times in a row: it lets other threads go on.
    pub fn after_long_run(times: u32) -> Operation {
        Operation { offset: times, ..Operation::new(OperationKind::Pause, Ref::NULL) }
    }

    /// How many times in a row a thread has computed for long that stands before this.
    pub fn long_runs(self) -> u32 {
        if self.kind == OperationKind::Pause { self.offset } else { 0 }
    }

    /// Something done to an object.
    pub const fn new(kind: OperationKind, object: Ref) -> Operation {
        Operation { kind, object, offset: 0, behind: 0 }
    }

    /// An access to a variable that is not volatile.
    pub fn is_plain(self) -> bool {
        matches!(self.kind, OperationKind::Read | OperationKind::Write)
    }

    /// Whether two operations of different threads are accesses to one variable of which at least one is plain and one
    /// writes: a data race, if both can happen next.
    pub fn races_with(self, other: Operation) -> bool {
        let access = |what| {
            matches!(
                what,
                OperationKind::Read
                    | OperationKind::Write
                    | OperationKind::ReadVolatile
                    | OperationKind::WriteVolatile
                    | OperationKind::Update
            )
        };
        let reads = |what| matches!(what, OperationKind::Read | OperationKind::ReadVolatile);
        self.object == other.object
            && self.offset <= other.offset + other.behind
            && other.offset <= self.offset + self.behind
            && access(self.kind)
            && access(other.kind)
            && (self.is_plain() || other.is_plain())
            && !(reads(self.kind) && reads(other.kind))
    }
}

impl Default for Operation {
    fn default() -> Operation {
        Operation::NOTHING
    }
}

/// A part of an object that can be touched by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectPart {
    /// A field or element, by its offset.
    Variable(u32),
    /// Its monitor.
    Monitor,
    /// Its identity hash code.
    Hash,
    /// Of a thread: that it is not alive.
    End,
    /// Of a thread: its permit to go on.
    Permit,
    /// Of a thread: that it need not wait any more.
    Wake,
    /// Of no object: the time.
    Clock,
    /// Of no object: the names and numbers of threads.
    Names,
    /// Of no object: all files.
    Files,
}

impl ObjectPart {
    /// A number; those of variables lie behind the header of an object.
    pub fn number(self) -> u64 {
        match self {
            ObjectPart::Variable(offset) => u64::from(offset),
            ObjectPart::Monitor => 1,
            ObjectPart::Hash => 2,
            ObjectPart::End => 3,
            ObjectPart::Permit => 4,
            ObjectPart::Wake => 5,
            ObjectPart::Clock => 6,
            ObjectPart::Names => 7,
            ObjectPart::Files => 8,
        }
    }
}
