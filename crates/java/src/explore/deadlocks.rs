//! Threads that wait for each other's locks.
//!
//! A thread that waits for a monitor, or for a lock of `java.util.concurrent`, goes on only if the holder gives it back. If the
//! holder waits, in turn, for something that the first thread holds, neither ever moves again, whatever other threads do. Such a
//! cycle is a deadlock in the state in which it closes. Other threads may go on for ever behind it.
//!
//! Waits that another thread can end do not count: for a notification, a permit, a semaphore, and all waits with a time-out. A wait
//! that an interrupt ends (`join`, `lockInterruptibly`) counts if no thread that could still move has a reference to the thread that
//! waits. Locks of classes of the program's own do not count, even if they note an owner: who may give them back is not known.

use crate::class::{ClassId, MethodId, Shape};
use crate::classfile::Kind as ElementKind;
use crate::machine::{Machine, Resume, Status};
use crate::memory::{ARRAY_DATA, Ref};
use hashbrown::HashSet;
use sojourner_program::{Finding, Kind};

/// Where threads wait for locks of `java.util.concurrent`.
const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
/// The classes whose methods lie between that and where the thread stands.
const PARKING: [&str; 4] = [
    "jdk/internal/misc/Unsafe",
    "java/util/concurrent/locks/LockSupport",
    "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionNode",
    "java/util/concurrent/ForkJoinPool",
];
/// Where threads wait for a condition, and then for its lock.
const CONDITION: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";
/// Registers of its method `acquire`: the node in the queue, whether the lock is shared with others, whether an interrupt ends the
/// wait, and whether a time-out does.
const ACQUIRE: &str = "(Ljava/util/concurrent/locks/AbstractQueuedSynchronizer$Node;IZZZJ)I";
const NODE: u32 = 1;
const SHARED: u32 = 3;
const INTERRUPTIBLE: u32 = 4;
const TIMED: u32 = 5;
/// The synchronizers of the JDK whose owner alone can give them back.
const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock$Sync";
const READ_WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$Sync";
/// The bits of a read-write lock's state that count readers begin here.
const READERS: u32 = 16;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    Monitor(Ref),
    /// A lock of `java.util.concurrent`, by its synchronizer.
    Synchronizer(Ref),
    /// That a class is initialised.
    Class(ClassId),
    /// The end of a thread.
    End(Ref),
}

/// The thread that holds what another one waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Thread(usize),
    /// It does not hold the lock: it comes before the other one in the queue.
    Before(usize),
    /// It has ended, and took the lock with it.
    Ended(Ref),
}

impl Holder {
    /// The thread that must move.
    fn thread(self) -> Option<usize> {
        match self {
            Holder::Thread(thread) | Holder::Before(thread) => Some(thread),
            Holder::Ended(_) => None,
        }
    }
}

/// Why a thread cannot go on.
#[derive(Clone, Debug)]
struct Wait {
    lock: Lock,
    /// The threads that hold it. It takes all of them to give it back.
    holders: Vec<Holder>,
    interruptible: bool,
}

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
        let ends = self.stirred().any(|thread| self.threads[thread].status == Status::Finished);
        let cycle = match ends {
            false => self.stirred().filter(blocked).find_map(|thread| self.cycle_from(thread)),
            // A thread that has ended may have held a lock.
            true => (0..self.threads.len()).filter(blocked).find_map(|thread| self.cycle_from(thread)),
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
        let mut threads = (0..self.threads.len()).filter(|thread| self.may_wait_for_lock(*thread));
        threads.find_map(|thread| self.cycle_from(thread))
    }

    #[inline]
    fn may_wait_for_lock(&self, thread: usize) -> bool {
        use Status::{Entering, Initialising, Joining, Parked};
        matches!(
            self.threads[thread].status,
            Entering(_) | Parked { until: None } | Joining(_) | Initialising(_)
        )
    }

    /// A shortest cycle through a thread; or that it waits for a lock whose holder has ended. The thread with the least number comes
    /// first.
    fn cycle_from(&self, from: usize) -> Option<Cycle> {
        let wait = self.lock_wait(from)?;
        if !wait.interruptible
            && !self.threads[from].daemon
            && let Some(ended) = wait.holders.iter().find_map(|holder| match holder {
                Holder::Ended(owner) => Some(*owner),
                _ => None,
            })
        {
            return Some(Cycle { threads: vec![from], ended: Some(ended) });
        }
        let mut before: Vec<Option<usize>> = vec![None; self.threads.len()];
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
        let least = (0..threads.len()).min_by_key(|&nth| self.threads[threads[nth]].id)?;
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
        while let Some(next) = (0..self.threads.len()).find(|thread| {
            let on_stuck = |holder: &Holder| holder.thread().is_some_and(|holder| stuck.contains(&holder));
            !stuck.contains(thread) && waits(*thread).is_some_and(|wait| wait.holders.iter().any(on_stuck))
        }) {
            stuck.push(next);
        }
        let reached = self.reached_by_others(&stuck);
        stuck.iter().any(|&thread| {
            waits(thread).is_none_or(|wait| wait.interruptible)
                && reached.contains(&self.threads[thread].object)
        })
    }

    /// The objects that threads other than these reach.
    fn reached_by_others(&self, threads: &[usize]) -> HashSet<Ref> {
        let mut open: Vec<Ref> = self.classes.iter().skip(1).map(|class| class.mirror).collect();
        open.extend(self.aside.roots.iter());
        for (index, thread) in self.threads.iter().enumerate() {
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

    /// The lock that a thread waits for and cannot have, with those who hold it.
    fn lock_wait(&self, thread: usize) -> Option<Wait> {
        let alone = |lock: Lock, holder: usize, interruptible: bool| {
            Some(Wait { lock, holders: vec![Holder::Thread(holder)], interruptible })
        };
        match self.threads[thread].status {
            Status::Entering(object) => {
                let (holder, _) = self.holder(object).filter(|(holder, _)| *holder != thread)?;
                alone(Lock::Monitor(object), holder, false)
            }
            Status::Initialising(class) => alone(Lock::Class(class), self.initialiser(class, thread)?, false),
            Status::Joining(object) => alone(Lock::End(object), self.thread_of(object)?, true),
            Status::Parked { until: None } => self.synchronizer_wait(thread),
            _ => None,
        }
    }

    /// The same for a thread that is parked.
    fn synchronizer_wait(&self, thread: usize) -> Option<Wait> {
        let at = &self.threads[thread];
        let mut frames = at.frames.iter().rev();
        let class_of = |method: MethodId| self.class_name(self.method(method).class);
        let frame = frames.find(|frame| !PARKING.contains(&class_of(frame.method)))?;
        let method = self.method(frame.method);
        let (name, descriptor) = (self.symbols.text(method.name), self.symbols.text(method.descriptor));
        let register = |number: u32| at.stack.get((frame.base + number) as usize) as u32;
        let (receiver, node) = (Ref(register(0)), Ref(register(NODE)));
        let (lock, shared, interruptible) = match (class_of(frame.method), name, descriptor) {
            (SYNCHRONIZER, "acquire", ACQUIRE) if register(TIMED) == 0 => {
                (receiver, register(SHARED) != 0, register(INTERRUPTIBLE) != 0)
            }
            // A thread that has been signalled stays parked until it may take the lock back, whether it is interrupted or not.
            (CONDITION, "await" | "awaitUninterruptibly", "()V") if !self.waits_for_signal(node) => {
                (self.reference(receiver, "this$0")?, false, false)
            }
            _ => return None,
        };
        let lineage = &self.class(ClassId(self.heap.class(lock))).lineage;
        let is = |name: &str| lineage.iter().any(|&above| self.class_name(above) == name);
        let read_write = is(READ_WRITE);
        if !read_write && !is(REENTRANT) {
            return None;
        }
        let mut holders: Vec<Holder> = Vec::new();
        if let Some(owner) = self.reference(lock, "exclusiveOwnerThread") {
            holders.push(self.thread_of(owner).map_or(Holder::Ended(owner), Holder::Thread));
        }
        if read_write && !shared {
            holders.extend(self.readers(lock).into_iter().map(Holder::Thread));
        }
        // A thread in the queue has its turn when the one before it has had the lock.
        if let Some(before) = node.some().and_then(|node| self.reference(node, "prev"))
            && Some(before) != self.reference(lock, "head")
            && let Some(waiter) = self.reference(before, "waiter").and_then(|waiter| self.thread_of(waiter))
        {
            holders.push(Holder::Before(waiter));
        }
        (!holders.is_empty()).then_some(Wait { lock: Lock::Synchronizer(lock), holders, interruptible })
    }

    /// Whether the node of a thread that waits for a condition has not been signalled.
    fn waits_for_signal(&self, node: Ref) -> bool {
        const CONDITION_BIT: i32 = 2;
        node.is_null() || self.number(node, "status") & CONDITION_BIT != 0
    }

    /// What a field of an object of the JDK refers to.
    fn reference(&self, object: Ref, field: &str) -> Option<Ref> {
        let offset = self.offset_of(ClassId(self.heap.class(object)), field)?;
        self.heap.get_ref(object, offset).some()
    }

    /// The number in a field of an object of the JDK.
    fn number(&self, object: Ref, field: &str) -> i32 {
        let offset = self.offset_of(ClassId(self.heap.class(object)), field);
        offset.map_or(0, |offset| self.heap.get_i32(object, offset))
    }

    /// The threads that have a read-write lock for reading.
    fn readers(&self, lock: Ref) -> Vec<usize> {
        if self.number(lock, "state") as u32 >> READERS == 0 {
            return Vec::new();
        }
        let first = self.reference(lock, "firstReader");
        let holds = self.reference(lock, "readHolds");
        // The count of each thread is among its thread-local variables, but for the first reader's.
        let counts = |thread: Ref| -> Option<bool> {
            let table = self.reference(self.reference(thread, "threadLocals")?, "table")?;
            let mut entries =
                (0..self.heap.length(table)).filter_map(|index| self.element(table, index).some());
            let entry = entries.find(|&entry| self.reference(entry, "referent") == holds)?;
            Some(self.number(self.reference(entry, "value")?, "count") > 0)
        };
        (0..self.threads.len())
            .filter(|&index| {
                let thread = &self.threads[index];
                let is_first = Some(thread.object) == first && self.number(lock, "firstReaderHoldCount") > 0;
                thread.status != Status::Finished && (is_first || counts(thread.object) == Some(true))
            })
            .collect()
    }

    /// The threads that wait for locks for ever where the program has ended: no thread that is left could move.
    pub(super) fn blocked_at_end(&self) -> Vec<Finding> {
        let left = || {
            (0..self.threads.len())
                .filter(|&thread| !matches!(self.threads[thread].status, Status::Finished | Status::Leaving))
        };
        let moves =
            |thread: usize| self.is_enabled(thread) || self.threads[thread].status.deadline().is_some();
        if self.exit.is_none() || left().any(|thread| thread != self.current && moves(thread)) {
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
        left().filter(|&thread| thread != self.current).filter_map(describe).collect()
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

    fn waits_for(&self, lock: Lock) -> String {
        match lock {
            Lock::Monitor(object) => format!("waits for the monitor of {}", self.describe_object(object)),
            Lock::Synchronizer(lock) => format!("waits for {}", self.describe_synchronizer(lock)),
            Lock::Class(class) => format!("waits until {} is initialised", self.external_name(class)),
            Lock::End(thread) => format!("waits for the end of {}", self.name_of_thread_object(thread)),
        }
    }

    /// The lock that a thread waits for, and one thread that holds it, in words.
    pub(crate) fn describe_lock_wait(&self, thread: usize) -> Option<String> {
        let wait = self.lock_wait(thread)?;
        let holder = match wait.holders.first()? {
            Holder::Thread(holder) => format!("held by {}", self.thread_name(*holder)),
            Holder::Before(other) => format!("behind {}", self.thread_name(*other)),
            Holder::Ended(owner) => {
                format!("held by {}, which has ended", self.name_of_thread_object(*owner))
            }
        };
        Some(format!("{}, {holder}", self.waits_for(wait.lock)))
    }

    /// A lock of `java.util.concurrent` by the class that its synchronizer belongs to.
    fn describe_synchronizer(&self, lock: Ref) -> String {
        let name = self.external_name(ClassId(self.heap.class(lock)));
        format!("a {}", name.split('$').next().unwrap_or(&name))
    }
}
