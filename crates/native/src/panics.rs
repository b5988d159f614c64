//! Panics of Rust programs, as findings and as warnings.
//!
//! A panic that the program catches is not reported. A panic that ends a thread is passed to the thread that joins it. So it is a
//! finding if no thread joins, or if the program fails in the end, mostly because of the panic. The report then shows the first panic
//! and those that came after it. In all other cases the panic is a warning.

use crate::execution::Execution;
use crate::symbols::{is_library, short};
use sojourner_native_rt::protocol::{MOST_FRAMES, Panic};
use sojourner_program::{Finding, Kind, Location};
use std::cell::Cell;
use std::fmt::Write;

impl Execution {
    /// The panic for which the program, which has ended with that status, has failed.
    pub(crate) fn fatal_panic(&self, status: u32) -> Option<Finding> {
        let fatal = self.panics().iter().any(|panic| status != 0 || panic.joined == 0);
        fatal.then(|| self.first_panic()).flatten()
    }

    /// The first panic that the program's own code has not caught, with those that came after it.
    pub(crate) fn first_panic(&self) -> Option<Finding> {
        let panics = self.panics();
        let (first, others) = panics.split_first()?;
        let mut finding = self.as_finding(first);
        for other in others {
            let _ = write!(finding.message, "\nafter that {}", self.as_finding(other).message);
        }
        Some(finding)
    }

    /// Warns of panics that another thread has learned of, in a program that has not failed.
    pub(crate) fn warn_of_panics(&self) {
        if self.fatal_panic(self.worker.region.header().status.get()).is_none() {
            self.panics().iter().for_each(|panic| self.shared.warn(self.as_finding(panic)));
        }
    }

    /// The panics that the program's own code has not caught, in their order.
    pub(crate) fn panics(&self) -> Vec<Panic> {
        let header = self.worker.region.header();
        header.panic[..(header.panics.get() as usize).min(header.panic.len())].iter().map(Cell::get).collect()
    }

    fn as_finding(&self, panic: &Panic) -> Finding {
        let thread = self.thread_id(panic.thread);
        let who = thread.map_or_else(|| "a thread".into(), |thread| self.call(thread));
        let text = words(&panic.text, panic.text_length);
        let mut message = match text.is_empty() {
            true => format!("{who} panics without a message"),
            false => format!("{who} panics: {text}"),
        };
        let stack = &panic.stack[..(panic.frames as usize).min(MOST_FRAMES)];
        let places = self.shared.symbols.own_places(stack);
        for place in &places {
            let _ = write!(message, "\n    at {place}");
        }
        let innermost = places.into_iter().next();
        let file = short(&words(&panic.file, panic.file_length));
        let function = innermost.as_ref().map(|place| place.function.clone()).unwrap_or_default();
        let said = Location { file, line: panic.line, function };
        // A panic within the standard library is where the program's own code has called that.
        let location = if said.file.is_empty() || is_library(&said) { innermost } else { Some(said) };
        Finding { kind: Kind::Panic, message, type_name: None, thread, location }
    }
}

fn words(text: &[u8], length: u32) -> String {
    String::from_utf8_lossy(&text[..(length as usize).min(text.len())]).into_owned()
}
