//! What is remembered of the frames of threads from one walk to the next: most threads have not moved.

use super::sinks::{Bits, FRAMES, Fingerprinter, Sink, TIMES};
use crate::code::liveness::{Liveness, Set, registers};
use crate::machine::class::MethodId;
use crate::machine::{Machine, MovedThread, Resume, Thread};
use crate::memory::Ref;
use std::rc::Rc;

/// What is remembered of frames.
#[derive(Default)]
pub(super) struct Frames {
    pub summaries: FrameSummaries,
    pub methods: Methods,
}

/// The frames of a thread, all but the references in 128 bits.
#[derive(Default)]
pub(super) struct FrameSummary {
    version: u64,
    /// The thread's number plus one.
    thread: usize,
    pub print: Bits,
    pub references: Vec<Ref>,
    /// Times that classes of the JDK keep in order to wait. What counts of them is how far they lie ahead.
    pub times: Vec<u64>,
    /// For each frame, what there is below it.
    below: Vec<FramesBelow>,
}

/// The frames below one.
#[derive(Clone, Copy)]
struct FramesBelow {
    /// What stands for them.
    so_far: [u64; 2],
    /// How many references and times they have.
    references: usize,
    times: usize,
}

/// As many of them are remembered.
const MOST_SUMMARIES: usize = 1024;

/// The latest frames of all threads, and some that were before.
#[derive(Default)]
pub(super) struct FrameSummaries(Vec<FrameSummary>);

impl FrameSummaries {
    /// The frames of a thread.
    #[inline(always)]
    pub fn of(&mut self, machine: &Machine, thread: usize, methods: &mut Methods) -> &FrameSummary {
        let Thread { version, moved_at, .. } = machine.threads.list[thread];
        let seat = seat(moved_at, thread);
        if self.0.get(seat).is_none_or(|summary| (summary.version, summary.thread) != (version, thread + 1)) {
            self.summarise(machine, thread, methods);
        }
        &self.0[seat]
    }

    fn summarise(&mut self, machine: &Machine, at: usize, methods: &mut Methods) {
        if self.0.is_empty() {
            self.0.resize_with(MOST_SUMMARIES, FrameSummary::default);
        }
        let thread = &machine.threads.list[at];
        let (mut print, first) = self.begin(machine, at);
        let summary = &mut self.0[seat(thread.moved_at, at)];
        for (depth, frame) in thread.frames.iter().enumerate().skip(first) {
            let (references, times) = (summary.references.len(), summary.times.len());
            summary.below.push(FramesBelow { so_far: print.so_far(), references, times });
            let MethodSummary { print: method, keeps_times, liveness } = methods.of(machine, frame.method);
            print.pair(*method, u64::from(frame.pc) << 1 | u64::from(frame.resume == Resume::Again));
            if !frame.lock.is_null() {
                summary.references.push(frame.lock);
            }
            let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
            let mut slot = frame.base as usize;
            for &Set { plain, references } in liveness.sets(frame.pc, again) {
                for register in registers(plain) {
                    let value = thread.stack.get(slot + register);
                    if *keeps_times && machine.ahead(value).is_some() {
                        summary.times.push(value);
                        print.word(TIMES);
                    } else {
                        print.word(value);
                    }
                }
                for register in registers(references) {
                    summary.references.push(Ref(thread.stack.get(slot + register) as u32));
                }
                slot += 64;
            }
        }
        (summary.version, summary.thread, summary.print) = (thread.version, at + 1, print.take());
    }

    /// Begins the summary of a thread with the frames that its last transition has left as they were, if these are
    /// remembered. The answer is how many they are.
    fn begin(&mut self, machine: &Machine, at: usize) -> (Fingerprinter, usize) {
        let here = seat(machine.threads.list[at].moved_at, at);
        if let Some(MovedThread { thread, version, moved_at, frames }) = machine.moved()
            && thread == at
            && let there = seat(moved_at, at)
            && (self.0[there].version, self.0[there].thread) == (version, at + 1)
            && let Some(&FramesBelow { so_far, references, times }) = self.0[there].below.get(frames)
        {
            if let Ok([summary, before]) = self.0.get_disjoint_mut([here, there]) {
                summary.references.clear();
                summary.references.extend_from_slice(&before.references[..references]);
                summary.times.clear();
                if times > 0 {
                    summary.times.extend_from_slice(&before.times[..times]);
                }
                summary.below.clear();
                summary.below.extend_from_slice(&before.below[..frames]);
            } else {
                self.0[here].references.truncate(references);
                self.0[here].times.truncate(times);
                self.0[here].below.truncate(frames);
            }
            return (Fingerprinter::go_on(so_far), frames);
        }
        self.0[here].references.clear();
        self.0[here].times.clear();
        self.0[here].below.clear();
        let mut print = Fingerprinter::new();
        print.begin(FRAMES, 0);
        (print, 0)
    }
}

/// Where the frames are remembered that a thread has since it moved after so many transitions. A search goes up and down
/// near the end of its path: there it finds what it had found before, and what is in use lies close together.
fn seat(moved_at: usize, thread: usize) -> usize {
    (moved_at * 4 + thread % 4) % MOST_SUMMARIES
}

/// What is known of methods, by number.
#[derive(Default)]
pub(super) struct Methods(Vec<Option<MethodSummary>>);

/// What walks need to know of a method.
pub(super) struct MethodSummary {
    /// What stands for it, on every machine.
    pub print: u64,
    /// Whether its class keeps times.
    pub keeps_times: bool,
    /// What is alive in its frames.
    pub liveness: Rc<Liveness>,
}

impl Methods {
    /// What is known of the method of a frame.
    #[inline(always)]
    pub fn of(&mut self, machine: &Machine, method: MethodId) -> &MethodSummary {
        if self.0.get(method.0 as usize).is_none_or(Option::is_none) {
            self.make(machine, method);
        }
        match &self.0[method.0 as usize] {
            Some(summary) => summary,
            None => unreachable!("it has just been made"),
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, machine: &Machine, method: MethodId) {
        if self.0.len() <= method.0 as usize {
            self.0.resize_with(machine.classes.methods.len(), || None);
        }
        self.0[method.0 as usize] = Some(MethodSummary {
            print: crate::machine::name_hash(&machine.describe_method(method), 64) | 1,
            keeps_times: machine.class(machine.method(method).class).keeps_times,
            liveness: Rc::clone(machine.liveness(method)),
        });
    }
}
