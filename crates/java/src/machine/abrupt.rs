//! What keeps an instruction or a native method from completing.

use crate::memory::Ref;
use sojourner_program::Finding;

/// The result of something that may not complete.
pub type Run<T> = Result<T, Abrupt>;

/// Why something did not complete. It is an `Err`, but no error: exceptions and waiting are the program's own affair.
#[derive(Debug)]
pub enum Abrupt {
    /// This object is thrown.
    Throw(Ref),
    /// An exception of this class is made and thrown.
    Raise {
        /// Its class, as in `java/lang/Error`.
        class: &'static str,
        /// Its message.
        message: Option<String>,
    },
    /// Frames were pushed. When they are done the instruction is executed again.
    Again,
    /// A frame was pushed whose result is that of the native method.
    Called,
    /// The thread waits. When it runs again the instruction is executed again.
    Blocked,
    /// Another thread may be first. When this one has its turn the instruction is executed again.
    Yield,
    /// Something is wrong with the program.
    Found(Box<Finding>),
    /// The program has ended.
    Exit,
    /// The program does not want this execution to be looked at any further.
    Ignore,
    /// The program does something that the machine does not model.
    Unsupported(String),
}

impl Abrupt {
    /// An exception with a message.
    pub fn raise(class: &'static str, message: impl Into<String>) -> Abrupt {
        Abrupt::Raise { class, message: Some(message.into()) }
    }

    /// An exception without a message.
    pub fn bare(class: &'static str) -> Abrupt {
        Abrupt::Raise { class, message: None }
    }

    /// A `NullPointerException`.
    pub fn null() -> Abrupt {
        Abrupt::bare("java/lang/NullPointerException")
    }

    /// Something that is not modelled.
    pub fn unsupported(what: impl Into<String>) -> Abrupt {
        Abrupt::Unsupported(what.into())
    }
}
