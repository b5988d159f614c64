//! Panics of a model's code, turned into findings.
//!
//! A model is the user's code, and a defect in it must not take the search down. Nor may it print: a search can reach
//! the same panic a million times.

use sojourner_program::{Finding, Kind, Location};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// What a panic said, and where.
#[derive(Clone, Debug)]
pub(crate) struct Panic {
    pub message: String,
    pub location: Option<Location>,
}

impl Panic {
    /// The panic as a finding; `what` is the part of the model that panicked.
    pub fn finding(self, what: &str) -> Finding {
        let message = format!("{what} panicked: {}", self.message);
        Finding { location: self.location, ..Finding::new(Kind::Panic, message) }
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Puts a hook in front of the present one, once: it keeps panics that are being caught, and passes the others on.
pub(crate) fn install() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CATCHING.get() {
                CAUGHT.set(Some(described(panic)));
            } else {
                previous(panic);
            }
        }));
    });
}

/// Runs the model's code. The hook must be installed for it to be quiet; without it, where the panic happened is not
/// known.
#[inline]
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Box<Panic>> {
    let outer = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(outer);
    result.map_err(caught)
}

/// The panic that was just caught.
#[cold]
#[inline(never)]
fn caught(payload: Box<dyn Any + Send>) -> Box<Panic> {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    // A payload of the user's own may panic in its destructor, which would not be caught.
    std::mem::forget(payload);
    Box::new(CAUGHT.take().unwrap_or(Panic { message: text.unwrap_or_default(), location: None }))
}

fn described(panic: &PanicHookInfo<'_>) -> Panic {
    let location = panic.location().map(|place| Location {
        file: place.file().to_owned(),
        line: place.line(),
        function: String::new(),
    });
    Panic { message: panic.payload_as_str().unwrap_or("no message").to_owned(), location }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_with_its_message_and_place() {
        install();
        let panic = catch(|| panic!("no {}", "luck")).unwrap_err();
        assert_eq!(panic.message, "no luck");
        assert!(panic.location.is_some_and(|place| place.file.ends_with("panics.rs")));
        assert_eq!(catch(|| 7).unwrap(), 7);
    }
}
