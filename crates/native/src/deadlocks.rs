//! Threads that cannot move any more, in words: what each waits for, and what it holds.

use crate::execution::Execution;
use sojourner_native_rt::protocol::{Cycle, MOST_CYCLES, NOBODY, Op, Ops, Pending};
use sojourner_program::{Finding, Kind};
use std::cell::Cell;
use std::fmt::Write;

/// What a thread does to hold a lock.
const TAKES: Ops = {
    use Op::*;
    Ops::new(&[
        Lock,
        TryLock,
        TimedLock,
        Relock,
        Woken,
        SpinLock,
        SpinTry,
        ReadLock,
        WriteLock,
        TryReadLock,
        TryWriteLock,
        LockSeveral,
    ])
};

/// What threads are about to do that have ended, or are not blocked for ever because of another thread.
const NOT_BLOCKED: Ops = Ops::new(&[Op::Finished, Op::Exit, Op::Await, Op::Left, Op::GivenUp]);

impl Execution {
    /// The threads that wait for each other's locks, if they do so since the step that led here, or (`earlier`) since an earlier one.
    /// Each waits for what the next one holds; the thread with the least number comes first.
    pub(crate) fn cycle_here(&self, earlier: bool) -> Option<Vec<u32>> {
        let header = self.worker.region.header();
        if header.cycles.get() == 0 || self.at() >= self.rows() {
            return None;
        }
        let at = self.at() as u32;
        let cycles = &header.cycle[..(header.cycles.get() as usize).min(MOST_CYCLES)];
        let closed = |cycle: &Cycle| cycle.row == at || earlier && cycle.row < at;
        let cycle = cycles.iter().map(Cell::get).rfind(closed)?;
        let known = &cycle.threads[..(cycle.length as usize).min(cycle.threads.len())];
        let mut threads: Vec<u32> = known.iter().rev().copied().collect();
        let ends =
            |thread: u32| self.pending_here(thread).is_some_and(|pending| pending.op == Op::Finished as u8);
        if !threads.iter().any(|&thread| ends(thread)) {
            let least = (0..threads.len()).min_by_key(|&nth| threads[nth])?;
            threads.rotate_left(least);
        }
        Some(threads)
    }

    /// A deadlock of some threads, whatever the others do.
    pub(crate) fn partial_deadlock(&self, cycle: &[u32]) -> Finding {
        let mut message = match cycle {
            [_] => "a thread waits for itself, for ever".to_string(),
            [_, holder] if self.has_ended(*holder) => {
                "a thread waits for a lock whose holder has ended".to_string()
            }
            _ => format!("{} threads wait for each other, for ever", cycle.len()),
        };
        for (nth, &thread) in cycle.iter().enumerate() {
            if !self.has_ended(thread) {
                self.add_link(&mut message, cycle, nth);
            }
        }
        self.add_panic(&mut message);
        Finding { location: self.place_of_cycle(cycle), ..Finding::new(Kind::Deadlock, message) }
    }

    /// Adds the panic that came before it, if there was one: it may have left a lock taken.
    fn add_panic(&self, message: &mut String) {
        if let Some(panic) = self.first_panic() {
            let _ = write!(message, "\nbefore that {}", panic.message);
        }
    }

    /// The threads that remain where no thread can move, and what each waits for.
    pub(crate) fn deadlock(&self) -> Finding {
        let round = self.goes_round();
        // A thread that waits for a lock before it looks again does not look: the holder cannot move.
        let looks = self.here_pending().filter(|entry| is_look(entry) && entry.holder == NOBODY).count();
        let (kind, mut message) = match (round, looks) {
            (true, 0) => {
                (Kind::Hang, "a thread goes round for ever, and no other thread can move".to_string())
            }
            (true, _) => {
                (Kind::Livelock, "threads go round for ever, and no other thread can move".to_string())
            }
            (_, 0) => (Kind::Deadlock, "no thread can move".to_string()),
            (_, 1) => {
                (Kind::Hang, "a thread repeats itself for ever, and no other thread can move".to_string())
            }
            _ => (
                Kind::Livelock,
                "threads repeat themselves for ever, and no other thread can move".to_string(),
            ),
        };
        let cycle = self.cycle_here(true).unwrap_or_default();
        // The threads that spin may wait for one of the cycle.
        if kind != Kind::Deadlock && !cycle.is_empty() {
            return self.partial_deadlock(&cycle);
        }
        let mut location = None;
        for (number, entry) in self.here_pending().enumerate() {
            if entry.op == Op::Finished as u8 {
                continue;
            }
            if let Some(nth) = cycle.iter().position(|thread| *thread == number as u32) {
                self.add_link(&mut message, &cycle, nth);
                continue;
            }
            let Some(thread) = self.thread_id(number as u32) else { continue };
            let at = self.shared.symbols.location(entry.place);
            let does = match round && (entry.offer != 0 || entry.op == Op::Left as u8) {
                true => "goes round".to_string(),
                false => self.waits_for(&entry),
            };
            let _ = write!(message, "\n{} {does}", self.call(thread));
            if let Some(at) = &at {
                let _ = write!(message, "\n    at {at}");
            }
            // What goes on for ever is to blame, not the threads that wait for its end.
            let blamed = kind == Kind::Deadlock || entry.op != Op::Join as u8;
            location = location.or(at.filter(|_| blamed));
        }
        self.add_panic(&mut message);
        let location = if cycle.is_empty() { location } else { self.place_of_cycle(&cycle) };
        Finding { location, ..Finding::new(kind, message) }
    }

    fn pending_here(&self, thread: u32) -> Option<Pending> {
        self.worker.region.state(self.at()).pending(thread as usize)
    }

    fn has_ended(&self, thread: u32) -> bool {
        self.pending_here(thread).is_some_and(|pending| pending.op == Op::Finished as u8)
    }

    /// Where the first thread of a cycle waits.
    fn place_of_cycle(&self, cycle: &[u32]) -> Option<sojourner_program::Location> {
        self.shared.symbols.location(self.pending_here(*cycle.first()?)?.place)
    }

    /// Adds what a thread of a cycle holds, and what it waits for.
    fn add_link(&self, message: &mut String, cycle: &[u32], nth: usize) {
        let (thread, holder) = (cycle[nth], cycle[(nth + 1) % cycle.len()]);
        let before = cycle[(nth + cycle.len() - 1) % cycle.len()];
        let (Some(pending), Some(wanted)) = (self.pending_here(thread), self.pending_here(before)) else {
            return;
        };
        let call = |number: u32| self.thread_id(number).map_or_else(|| "a thread".into(), |id| self.call(id));
        let _ = write!(message, "\n{} ", call(thread));
        let _ = match Op::from_number(wanted.op) {
            _ if cycle.len() == 1 => Ok(()),
            None | Some(Op::Join | Op::Finished) => Ok(()),
            Some(Op::Once) => write!(message, "runs {} and ", self.name_of(&wanted)),
            _ => write!(message, "holds {}{} and ", self.lock_of(&wanted), self.taken_at(thread, &wanted)),
        };
        let what = self.waited_for(&pending);
        let _ = match pending.op {
            op if op == Op::Join as u8 => write!(message, "{what}"),
            op if op == Op::Once as u8 => write!(message, "{what} by {}", call(holder)),
            _ if holder == thread => {
                write!(message, "{what}, which it holds itself{}", self.taken_at(thread, &pending))
            }
            _ if self.has_ended(holder) => {
                write!(message, "{what}, which {} holds, and has ended", call(holder))
            }
            _ => write!(message, "{what}, which {} holds", call(holder)),
        };
        if let Some(at) = self.shared.symbols.location(pending.place) {
            let _ = write!(message, "\n    at {at}");
        }
    }

    /// Where a thread has taken the lock that another one waits for, if a step on the way here did.
    fn taken_at(&self, thread: u32, wanted: &Pending) -> String {
        let region = &self.worker.region;
        let took = |step: &usize| region.taken(*step).thread == thread;
        let taken = (0..self.at()).rev().filter(took).find_map(|step| {
            let pending = region.state(step).pending(thread as usize)?;
            let same = pending.object == wanted.object
                || region.extras(&pending).any(|touch| touch.object == wanted.object);
            (same && TAKES.contains(pending.op)).then_some(pending.place)
        });
        match taken.and_then(|place| self.shared.symbols.location(place)) {
            Some(at) => format!(" (taken at {at})"),
            None => String::new(),
        }
    }

    pub(crate) fn waits_for(&self, pending: &Pending) -> String {
        if is_look(pending) {
            let looks = format!("looks again and again at {}", self.name_of(pending));
            return match self.thread_id(pending.holder) {
                Some(holder) => {
                    format!("{looks}, and waits for the mutex for that, which {} holds", self.call(holder))
                }
                None => looks,
            };
        }
        let what = self.waited_for(pending);
        match self.thread_id(pending.holder) {
            Some(holder) if pending.op != Op::Join as u8 => {
                format!("{what}, which {} holds", self.call(holder))
            }
            _ => what,
        }
    }

    /// That a thread waits for what it is about to do.
    fn waited_for(&self, pending: &Pending) -> String {
        let op = Op::from_number(pending.op).unwrap_or(Op::Finished);
        let object = self.name_of(pending);
        match op {
            Op::Join => format!("waits for {object} to end"),
            Op::Lock
            | Op::LockSeveral
            | Op::Relock
            | Op::Woken
            | Op::SpinLock
            | Op::ReadLock
            | Op::WriteLock
            | Op::Queue => format!("waits for {}", self.lock_of(pending)),
            Op::SemWait if object.starts_with("eventfd") => format!("waits for the {object}"),
            Op::SemWait => format!("waits for the semaphore {object}"),
            Op::Leave => format!("waits at the barrier {object}"),
            Op::Once => format!("waits until {object} has been run"),
            Op::Asleep => format!("waits to be woken from the condition variable {object}"),
            Op::FutexWoken => format!("waits to be woken from the futex {object}"),
            _ => format!("{} {object}", op.words()),
        }
    }

    /// The lock that a thread is about to take.
    fn lock_of(&self, pending: &Pending) -> String {
        let sort = match Op::from_number(pending.op) {
            Some(Op::SpinLock) => "spin lock",
            Some(Op::ReadLock | Op::WriteLock | Op::Queue) => "read-write lock",
            _ => "mutex",
        };
        format!("the {sort} {}", self.name_of(pending))
    }

    /// Warns of threads that are blocked for ever when the program ends.
    pub(crate) fn warn_of_blocked(&self) {
        // The step that ended the program came from there, and no thread could move but the one that took it.
        let Some(last) = self.rows().checked_sub(2) else { return };
        let state = self.worker.region.state(last);
        let is_ready = |pending: Pending| pending.offer != 0 && pending.op != Op::Exit as u8;
        // Unless it came early, because another thread goes round: that thread may wake a blocked one.
        if self.path.exits_early && state.all_pending().any(is_ready) {
            return;
        }
        let leaves =
            |thread: u32| state.pending(thread as usize).is_some_and(|pending| pending.op == Op::Exit as u8);
        for (number, pending) in state.all_pending().enumerate() {
            // A thread that waits for the end of the one that ends the program has been heard.
            let answered = pending.op == Op::Join as u8 && leaves(pending.holder);
            if pending.offer != 0 || NOT_BLOCKED.contains(pending.op) || answered {
                continue;
            }
            let Some(thread) = self.thread_id(number as u32) else { continue };
            let location = self.shared.symbols.location(pending.place);
            let at = location.as_ref().map_or_else(String::new, |at| format!(" at {at}"));
            let mut warning =
                Finding { location, type_name: Some("at exit".into()), ..Finding::new(Kind::Deadlock, "") };
            if !self.shared.has_warned_of(&warning) {
                let (call, waits) = (self.call(thread), self.waits_for(&pending));
                warning.message = format!("{call} is blocked for ever when the program ends: it {waits}{at}");
                self.shared.warn(warning);
            }
        }
    }
}

/// Whether a thread repeats itself until another thread does something.
fn is_look(pending: &Pending) -> bool {
    pending.op == Op::Await as u8
}
