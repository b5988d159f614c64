//! Threads that wait for each other's locks.
//!
//! A thread that waits for a monitor, or for a lock of `java.util.concurrent`, goes on only if the holder gives it back. If the
//! holder waits, in turn, for something that the first thread holds, neither ever moves again, whatever other threads do. Such a
//! cycle is a deadlock in the state in which it closes. Other threads may go on for ever behind it.
//!
//! Waits that another thread can end do not count: for a notification, a permit, a semaphore, and all waits with a time-out. A wait
//! that an interrupt ends (`join`, `lockInterruptibly`) counts if no thread that could still move has a reference to the thread that
//! waits. Locks of classes of the program's own do not count, even if they note an owner: which threads may give them back is not known.

use crate::classfile::Kind as ElementKind;
use crate::machine::class::{ClassId, Shape};
use crate::machine::lock_waits::{Holder, Lock, Wait};
use crate::machine::{Machine, Resume, Status};
use crate::memory::{ARRAY_DATA, Ref};
use hashbrown::HashSet;
use sojourner_program::{Finding, Kind};

/// Threads that wait for each other: each for what the next one holds.
pub(super) struct Cycle {
    pub threads: Vec<usize>,
    /// The holder that has ended, for which the only thread waits.
    ended: Option<Ref>,
}

impl Machine {
    /// The deadlock that the last transition has closed, if it has closed one.
    pub(super) fn closed_deadlock(&self) -> Option<Finding> {
        let blocked = |thread: &usize| self.may_wait_for_lock(*thread);
        let ends = self.stirred().any(|thread| self.threads.list[thread].status == Status::Finished);
        let cycle = match ends {
            false => self.stirred().filter(blocked).find_map(|thread| self.cycle_from(thread)),
            // A thread that has ended may have held a lock.
            true => (0..self.threads.list.len()).filter(blocked).find_map(|thread| self.cycle_from(thread)),
        }?;
        let mut message = match (&cycle.threads[..], cycle.ended) {
            (_, Some(_)) => "a thread waits for a lock whose holder has ended".to_string(),
            ([_], None) => "a thread waits for itself, for ever".to_string(),
            (threads, None) => format!("{} threads wait for each other, for ever", threads.len()),
        };
        for &thread in &cycle.threads {
            message.push_str(&format!("\n{}", self.link(&cycle, thread)?));
        }
        let mut finding = Finding::new(Kind::Deadlock, message);
        finding.location = self.location_of(cycle.threads[0]);
        Some(finding)
    }

    /// Threads that wait for each other, wherever they have begun to.
    pub(super) fn any_cycle(&self) -> Option<Cycle> {
        let mut threads = (0..self.threads.list.len()).filter(|thread| self.may_wait_for_lock(*thread));
        threads.find_map(|thread| self.cycle_from(thread))
    }

    #[inline]
    fn may_wait_for_lock(&self, thread: usize) -> bool {
        use Status::{Entering, Initialising, Joining, Parked};
        matches!(
            self.threads.list[thread].status,
            Entering(_) | Parked { until: None } | Joining(_) | Initialising(_)
        )
    }

    /// A shortest cycle through a thread; or that it waits for a lock whose holder has ended. The thread with the least number comes
    /// first.
    fn cycle_from(&self, from: usize) -> Option<Cycle> {
        let wait = self.lock_wait(from)?;
        if !wait.interruptible
            && !self.threads.list[from].daemon
            && let Some(ended) = wait.holders.iter().find_map(|holder| match holder {
                Holder::Ended(owner) => Some(*owner),
                _ => None,
            })
        {
            return Some(Cycle { threads: vec![from], ended: Some(ended) });
        }
        let mut before: Vec<Option<usize>> = vec![None; self.threads.list.len()];
        let mut found = vec![from];
        let mut next = 0;
        let mut last = None;
        while let Some(&waiting) = found.get(next).filter(|_| last.is_none()) {
            next += 1;
            let Some(wait) = self.lock_wait(waiting) else { continue };
            for holder in wait.holders {
                let Some(holder) = holder.thread() else { continue };
                if holder == from {
                    last = Some(waiting);
                } else if before[holder].is_none() {
                    before[holder] = Some(waiting);
                    found.push(holder);
                }
            }
        }
        let mut threads = vec![last?];
        while let Some(earlier) = before[threads[threads.len() - 1]].filter(|_| threads.last() != Some(&from))
        {
            threads.push(earlier);
        }
        threads.reverse();
        if self.could_be_interrupted(&threads) {
            return None;
        }
        let least = (0..threads.len()).min_by_key(|&nth| self.threads.list[threads[nth]].id)?;
        threads.rotate_left(least);
        Some(Cycle { threads, ended: None })
    }

    /// Whether a thread that can still move could end a wait of a cycle by an interrupt. Threads that wait for those of the cycle do
    /// not move unless they are interrupted themselves.
    fn could_be_interrupted(&self, cycle: &[usize]) -> bool {
        let mut stuck = cycle.to_vec();
        let waits = |thread: usize| self.lock_wait(thread);
        let interruptible =
            |stuck: &[usize]| stuck.iter().any(|&thread| waits(thread).is_none_or(|wait| wait.interruptible));
        if !interruptible(&stuck) {
            return false;
        }
        while let Some(next) = (0..self.threads.list.len()).find(|thread| {
            let on_stuck = |holder: &Holder| holder.thread().is_some_and(|holder| stuck.contains(&holder));
            !stuck.contains(thread) && waits(*thread).is_some_and(|wait| wait.holders.iter().any(on_stuck))
        }) {
            stuck.push(next);
        }
        let reached = self.reached_by_others(&stuck);
        stuck.iter().any(|&thread| {
            waits(thread).is_none_or(|wait| wait.interruptible)
                && reached.contains(&self.threads.list[thread].object)
        })
    }

    /// The objects that threads other than these reach.
    fn reached_by_others(&self, threads: &[usize]) -> HashSet<Ref> {
        let mut open: Vec<Ref> = self.classes.list.iter().skip(1).map(|class| class.mirror).collect();
        open.extend(self.tables.roots.iter());
        for (index, thread) in self.threads.list.iter().enumerate() {
            if threads.contains(&index) || thread.status == Status::Finished {
                continue;
            }
            open.push(thread.object);
            for (depth, frame) in thread.frames.iter().enumerate() {
                open.push(frame.lock);
                let again = thread.frames.get(depth + 1).is_none_or(|above| above.resume == Resume::Again);
                self.liveness(frame.method).references(frame.pc, again, |register| {
                    open.push(Ref(thread.stack.get(frame.base as usize + usize::from(register)) as u32));
                });
            }
        }
        let mut reached = HashSet::new();
        while let Some(object) = open.pop() {
            if object.is_null() || !reached.insert(object) {
                continue;
            }
            let class = self.class(ClassId(self.heap.class(object)));
            match class.shape {
                Shape::Array { kind: ElementKind::Reference, .. } => {
                    let elements = 0..self.heap.length(object);
                    open.extend(elements.map(|index| self.heap.get_ref(object, ARRAY_DATA + 4 * index)));
                }
                Shape::Array { .. } => {}
                _ => {
                    open.extend(class.references.iter().map(|&offset| self.heap.get_ref(object, offset)));
                    if Some(class.id) == self.known.class {
                        let of = self.class(self.class_of_mirror(object));
                        open.extend(
                            of.static_references.iter().map(|&offset| self.heap.get_ref(object, offset)),
                        );
                    }
                }
            }
        }
        reached
    }

    /// The threads that wait for locks for ever where the program has ended: no thread that is left could move.
    pub(super) fn blocked_at_end(&self) -> Vec<Finding> {
        let left = || {
            (0..self.threads.list.len()).filter(|&thread| {
                !matches!(self.threads.list[thread].status, Status::Finished | Status::Leaving)
            })
        };
        let moves =
            |thread: usize| self.is_enabled(thread) || self.threads.list[thread].status.deadline().is_some();
        if self.outcome.exit.is_none() || left().any(|thread| thread != self.turn.thread && moves(thread)) {
            return Vec::new();
        }
        let describe = |thread: usize| {
            let lock = self.describe_lock_wait(thread)?;
            let name = self.thread_name(thread);
            let message = format!("{name} is blocked for ever when the program ends: it {lock}");
            let mut warning = Finding::new(Kind::Deadlock, message);
            (warning.type_name, warning.location) = (Some("at exit".into()), self.location_of(thread));
            Some(warning)
        };
        left().filter(|&thread| thread != self.turn.thread).filter_map(describe).collect()
    }

    /// What a thread of a cycle holds, and what it waits for, in words.
    pub(super) fn link(&self, cycle: &Cycle, thread: usize) -> Option<String> {
        let threads = &cycle.threads;
        let nth = threads.iter().position(|other| *other == thread)?;
        let wait = self.lock_wait(thread)?;
        let before = self.lock_wait(threads[(nth + threads.len() - 1) % threads.len()])?;
        let name = self.thread_name(thread);
        let waits = self.waits_for(wait.lock);
        if let Some(owner) = cycle.ended {
            return Some(format!(
                "{name} {waits}, held by {}, which has ended",
                self.name_of_thread_object(owner)
            ));
        }
        if threads.len() == 1 {
            return Some(format!("{name} {waits}, held by itself"));
        }
        let queues = |wait: &Wait, holder: usize| !wait.holders.contains(&Holder::Thread(holder));
        let holds = match before.lock {
            Lock::Synchronizer(_) if queues(&before, thread) => String::new(),
            Lock::Monitor(object) => format!("holds the monitor of {} and ", self.describe_object(object)),
            Lock::Synchronizer(lock) => format!("holds {} and ", self.describe_synchronizer(lock)),
            Lock::Class(class) => format!("initialises {} and ", self.external_name(class)),
            Lock::End(_) => String::new(),
        };
        let next = threads[(nth + 1) % threads.len()];
        let holder = self.thread_name(next);
        let held = match wait.lock {
            Lock::Synchronizer(_) if queues(&wait, next) => format!(", behind {holder}"),
            Lock::End(_) => String::new(),
            Lock::Class(_) => format!(" by {holder}"),
            _ => format!(", held by {holder}"),
        };
        Some(format!("{name} {holds}{waits}{held}"))
    }
}
