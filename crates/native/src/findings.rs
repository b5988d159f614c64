//! What went wrong, in words.

use crate::cells::{self, Thing};
use crate::execution::Execution;
use crate::names;
use crate::worker::{self, Lost};
use sojourner_native_rt::protocol::{Defect, DefectKind, MOST_FRAMES, NOBODY, Pending, Stack, StackRequest};
use sojourner_program::{Fault, Finding, Kind, Location, ObjectId, Status, ThreadId};
use std::fmt::Write;

impl Execution {
    /// The defect that ended the last run, as a finding.
    pub(crate) fn finding(&mut self) -> Finding {
        if self.worker.region.header().defect.get().kind == DefectKind::Panic as u32
            && let Some(panic) = self.first_panic()
        {
            return panic;
        }
        let watched = self.what_to_watch().and_then(|watch| self.watch(watch));
        let defect = self.worker.region.header().defect.get();
        let thread = self.thread_id(defect.thread).or_else(|| self.newest_thread(defect.thread));
        let location = self.innermost(&defect);
        let who = thread.map_or_else(|| "a thread".into(), |thread| self.call(thread));
        let (kind, mut type_name, mut message) = self.judge_defect(&defect, &who);
        self.add_stack(&mut message, &defect.stack, defect.frames);
        if let Some(watched) = watched {
            let did = if defect.detail & 2 != 0 { "wrote it" } else { "read it" };
            self.add_watched(&mut message, &watched.access, did);
            self.add_watched(&mut message, &watched.release, "had freed it");
            self.add_watched(&mut message, &watched.allocation, "had allocated it");
        }
        let mut location = location;
        if let Some(race) = self.fatal_race() {
            (location, type_name) = self.identify(&race);
        }
        Finding { kind, message, type_name, thread, location }
    }

    /// Of what the stacks belong to the defect: the other access of a race, or the thread that allocated a block and the one that freed it.
    fn what_to_watch(&self) -> Option<StackRequest> {
        let Defect { other_step: step, slot, block, .. } = self.worker.region.header().defect.get();
        let watch = StackRequest { step, slot, block };
        (step != NOBODY || block != 0).then_some(watch)
    }

    /// Adds which thread did something, and where, if it happened.
    pub(crate) fn add_watched(&self, message: &mut String, stack: &Stack, what: &str) {
        if stack.frames > 0 {
            let who = self.thread_id(stack.thread).map_or_else(|| "a thread".into(), |who| self.call(who));
            let _ = write!(message, "\n{who} {what}");
            self.add_stack(message, &stack.places, stack.frames);
        }
    }

    fn judge_defect(&self, defect: &Defect, who: &str) -> (Kind, Option<String>, String) {
        let text = text(defect);
        let object = || self.name_address(defect.object);
        let none = None;
        match DefectKind::from_number(defect.kind) {
            Some(DefectKind::Assertion) => {
                (Kind::Assertion, none, format!("the assertion {text} fails in {who}"))
            }
            Some(DefectKind::Abort) => self.judge_abort(defect, who),
            Some(DefectKind::Exception) => {
                let (name, words) = text.split_once('\0').unwrap_or((&text, ""));
                let name = names::type_name(name);
                let words = if words.is_empty() { String::new() } else { format!(": {words}") };
                let message = format!("{who} throws {name}, which no handler catches{words}");
                (Kind::Exception, Some(name), message)
            }
            Some(DefectKind::Signal) => {
                let name = worker::signal_name(defect.number as i32);
                let how = match name.as_str() {
                    "SIGSEGV" | "SIGBUS" if defect.object < 4096 => "by a null pointer".into(),
                    "SIGSEGV" | "SIGBUS" => format!("at the address {:#x}", defect.object),
                    "SIGFPE" => "by a division".into(),
                    _ => String::new(),
                };
                (
                    Kind::Crash,
                    Some(name.clone()),
                    format!("{who} crashes with {name} {how}").trim_end().into(),
                )
            }
            Some(DefectKind::StackOverflow) => {
                (Kind::Crash, Some("stack overflow".into()), format!("{who} overflows its stack"))
            }
            Some(kind @ (DefectKind::UseAfterFree | DefectKind::BadFree | DefectKind::OutOfBounds)) => {
                let name = match kind {
                    DefectKind::UseAfterFree => "use after free",
                    DefectKind::BadFree if text.contains("has been freed") => "double free",
                    DefectKind::BadFree => "bad free",
                    _ => "out of bounds",
                };
                let object = match defect.block {
                    0 => object(),
                    _ => {
                        let offset = defect.object.wrapping_sub(defect.block_start);
                        format!("byte {offset} of a block of {} bytes", defect.block_size)
                    }
                };
                (Kind::Memory, Some(name.into()), format!("{who} {text}: {object}"))
            }
            Some(DefectKind::Hang) => {
                (Kind::Hang, none, format!("{who} repeats itself for ever without a visible operation"))
            }
            Some(DefectKind::Misuse) => (Kind::Misuse, none, format!("{who} {text}: {}", object())),
            Some(DefectKind::Race) => {
                let does = if defect.detail & 1 != 0 { "writes" } else { "reads" };
                (Kind::Race, none, format!("a data race on {}\n{who} {does} it", object()))
            }
            _ => (Kind::Crash, none, format!("{who} failed: {text}")),
        }
    }

    /// An abort, which may be how the C++ library ends a program: it has then said why.
    fn judge_abort(&self, defect: &Defect, who: &str) -> (Kind, Option<String>, String) {
        let said = if defect.detail == 0 { String::new() } else { self.worker.end_of_output() };
        let how = match said.contains("terminate called without an active exception") {
            true => {
                " by std::terminate, and not for an exception: a thread that can be joined is destroyed, for example"
            }
            false => "",
        };
        (Kind::Crash, Some("SIGABRT".into()), format!("{who} aborts the program{how}"))
    }

    /// Something that is not modelled, as a fault.
    pub(crate) fn refusal(&self) -> Fault {
        let defect = self.worker.region.header().defect.get();
        match DefectKind::from_number(defect.kind) {
            Some(DefectKind::Endless) => {
                let patience = self.shared.exploration.patience.as_secs();
                let what =
                    format!("a thread runs for more than {patience} seconds without a visible operation");
                let places = [defect.stack[0], defect.object];
                let location = self.shared.symbols.own_places(&places).into_iter().next();
                Fault::TooLong { what, location: location.or_else(|| self.innermost(&defect)) }
            }
            _ => Fault::Unsupported { what: text(&defect), location: self.innermost(&defect) },
        }
    }

    /// That the program is not a function of its schedule, as a fault.
    pub(crate) fn nondeterminism(&self) -> Fault {
        let defect = self.worker.region.header().defect.get();
        let who = self.thread_id(defect.thread).map_or_else(|| "a thread".into(), |thread| self.call(thread));
        let before = self.pending_at_end(defect.thread).unwrap_or(Pending::NONE);
        let now = Pending { op: defect.detail as u8, object: defect.object, ..Pending::NONE };
        let place = self.shared.symbols.location(before.place);
        let place = place.map_or_else(String::new, |place| format!(" at {place}"));
        let (now, before) = (self.words(&now), self.words(&before));
        let what = match defect.number {
            0 => format!(
                "uncontrolled nondeterminism: with the same schedule {who} {now}, and before it {before}{place}"
            ),
            _ => format!(
                "uncontrolled nondeterminism: with the same schedule memory is not as it was, where {who} {now}{place}"
            ),
        };
        Fault::Unsupported { what, location: self.innermost(&defect) }
    }

    /// What it means that the worker is gone.
    pub(crate) fn lost(&self, lost: Lost) -> Finding {
        let message = match lost {
            Lost::Died(status) => format!("the program ended its process: {}", worker::how(status)),
            Lost::Cancelled => "the search was stopped".to_string(),
            Lost::Hangs => "the program stopped its process: it does not even handle signals".to_string(),
        };
        Finding { type_name: Some("process".into()), ..Finding::new(Kind::Crash, message) }
    }

    /// The innermost place of a defect.
    fn innermost(&self, defect: &Defect) -> Option<Location> {
        let frames = (defect.frames as usize).min(MOST_FRAMES);
        let mut location = self.shared.symbols.own_places(&defect.stack[..frames]).into_iter().next()?;
        if defect.kind == DefectKind::Assertion as u32 && defect.detail > 0 {
            location.line = defect.detail;
        }
        Some(location)
    }

    fn add_stack(&self, message: &mut String, stack: &[u64; MOST_FRAMES], frames: u32) {
        for place in self.shared.symbols.own_places(&stack[..(frames as usize).min(MOST_FRAMES)]) {
            let _ = write!(message, "\n    at {place}");
        }
    }

    /// What people call the thing at an address.
    pub(crate) fn name_address(&self, address: u64) -> String {
        let place = cells::place(address, &self.slots);
        self.name_object(cells::object(sojourner_native_rt::protocol::Space::Memory, place))
    }

    /// What people call an object.
    pub(crate) fn name_object(&self, object: ObjectId) -> String {
        match cells::thing(object) {
            Thing::Data(address) => {
                self.shared.symbols.variable(address).unwrap_or_else(|| format!("{address:#x}"))
            }
            // Where a stack ends lies what the thread is known by.
            Thing::Stack(thread, 0) => self.call(thread),
            Thing::Stack(thread, offset) => {
                format!("a variable on the stack of {} (-{offset})", self.call(thread))
            }
            Thing::Heap(thread, offset) => format!("memory that {} allocated (+{offset})", self.call(thread)),
            Thing::Block(thread, number) => format!("block {number} of {}", self.call(thread)),
            Thing::Thread(thread) => self.call(thread),
        }
    }

    /// What people call a thread.
    pub(crate) fn call(&self, thread: ThreadId) -> String {
        if thread == cells::NO_THREAD {
            return "a new thread".into();
        }
        let identity = self.shared.threads.identity(thread);
        match &identity.0[..] {
            [_] => "main".into(),
            [_, path @ ..] => {
                let path: Vec<String> = path.iter().map(|nth| (nth + 1).to_string()).collect();
                format!("thread {}", path.join("."))
            }
            [] => "a thread".into(),
        }
    }

    /// Where each thread stands, for the end of a trace.
    pub(crate) fn describe_threads(&self) -> String {
        let mut text = String::new();
        // A worker that was lost took what it knew of the failure with it.
        let failed = (self.failed_here() && self.lost.is_none())
            .then(|| self.worker.region.header().defect.get().thread);
        for (number, entry) in self.last_pending().iter().enumerate() {
            let Some(thread) = self.thread_id(number as u32) else { continue };
            let state = match self.status(entry) {
                _ if failed == Some(number as u32) => "failed".to_string(),
                Status::Finished => "has ended".to_string(),
                Status::Ready => format!("is about to do: {}", self.words(entry)),
                Status::Blocked(_) => self.waits_for(entry),
            };
            let _ = writeln!(text, "  {} {state}", self.call(thread));
        }
        text
    }
}

fn text(defect: &Defect) -> String {
    let length = (defect.text_length as usize).min(defect.text.len());
    String::from_utf8_lossy(&defect.text[..length]).into_owned()
}
