//! Places in the program's own code.

use super::class::{Loader, MethodId};
use super::{Frame, Machine};
use sojourner_program::Location;

impl Machine {
    /// Whether a method is the program's own.
    pub(crate) fn is_own(&self, method: MethodId) -> bool {
        let method = self.method(method);
        !method.marks.hidden
            && self.class(method.class).loader != Loader::BOOT
            && !self.class_name(method.class).starts_with("sojourner/")
            && !self.class_name(method.class).starts_with("gov/nasa/jpf/vm/")
    }

    /// A place in the program.
    pub(crate) fn location(&self, method: MethodId, bci: u16) -> Location {
        let class = self.method(method).class;
        let name = self.classes.symbols.text(self.method(method).name);
        Location {
            file: self.source_file(class).unwrap_or_else(|| self.external_name(class)),
            line: u32::try_from(self.line(method, bci)).unwrap_or(0),
            function: format!("{}.{name}", self.external_name(class)),
        }
    }

    /// Where a thread stands in the program's own code.
    pub(crate) fn location_of(&self, thread: usize) -> Option<Location> {
        self.location_in(&self.threads.list[thread].frames)
    }

    pub(crate) fn location_in(&self, frames: &[Frame]) -> Option<Location> {
        let mut own = frames.iter().rev().filter(|frame| self.is_own(frame.method));
        let frame = own.next().or_else(|| {
            let mut frames = frames.iter().rev();
            frames.find(|frame| !self.method(frame.method).marks.hidden)
        })?;
        Some(self.location(frame.method, self.bci(frame.method, frame.pc)))
    }
}
