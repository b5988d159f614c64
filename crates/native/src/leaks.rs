//! Memory that is neither freed nor reachable when the program ends, in words.

use crate::execution::Execution;
use sojourner_native_rt::protocol::{Leak, MOST_LEAKS, NOBODY, StackRequest};
use sojourner_program::{Finding, Kind};
use std::cell::Cell;

impl Execution {
    /// The leaks of the execution that has just ended.
    fn leaks(&self) -> Vec<Leak> {
        let header = self.worker.region.header();
        header.leak[..(header.leaks.get() as usize).min(MOST_LEAKS)].iter().map(Cell::get).collect()
    }

    /// The first leak, as a finding.
    pub(crate) fn leak(&mut self) -> Option<Finding> {
        let leak = *self.leaks().first()?;
        Some(self.describe_leak(&leak))
    }

    /// Tells of leaks that are new.
    pub(crate) fn warn_of_leaks(&mut self) {
        for leak in self.leaks() {
            if !self.shared.has_warned_of(&self.leak_at(&leak)) {
                let finding = self.describe_leak(&leak);
                self.shared.warn(finding);
            }
        }
    }

    /// A leak without words.
    fn leak_at(&self, leak: &Leak) -> Finding {
        let location = self.shared.symbols.location(leak.place);
        Finding { location, type_name: Some("leak".into()), ..Finding::new(Kind::Memory, "") }
    }

    fn describe_leak(&mut self, leak: &Leak) -> Finding {
        let mut finding = self.leak_at(leak);
        let (bytes, count) = (leak.bytes, leak.count);
        finding.message = match count {
            1 => format!("a block of {bytes} bytes is never freed, and nothing refers to it at the end"),
            _ => format!(
                "{count} blocks of {bytes} bytes in all are never freed, and nothing refers to them at the end"
            ),
        };
        let watched = self.watch(StackRequest { step: NOBODY, slot: leak.slot, block: leak.block });
        if let Some(watched) = watched {
            self.add_watched(&mut finding.message, &watched.allocation, "had allocated it");
        }
        finding
    }
}
