//! Which lock a thread waits for, and which threads hold it.
//!
//! Monitors, classes that are being initialised, ends of threads, and the locks of `java.util.concurrent` whose owner alone can
//! give them back. Of the latter, the JDK's own fields and frames tell.

use super::class::{ClassId, MethodId};
use super::{Machine, Status};
use crate::memory::Ref;

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
pub(crate) enum Lock {
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
pub(crate) enum Holder {
    Thread(usize),
    /// It does not hold the lock: it comes before the other one in the queue.
    Before(usize),
    /// It has ended, and took the lock with it.
    Ended(Ref),
}

impl Holder {
    /// The thread that must move.
    pub fn thread(self) -> Option<usize> {
        match self {
            Holder::Thread(thread) | Holder::Before(thread) => Some(thread),
            Holder::Ended(_) => None,
        }
    }
}

/// Why a thread cannot go on.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub lock: Lock,
    /// The threads that hold it. It takes all of them to give it back.
    pub holders: Vec<Holder>,
    pub interruptible: bool,
}

impl Machine {
    /// The lock that a thread waits for and cannot have, with the threads that hold it.
    pub(crate) fn lock_wait(&self, thread: usize) -> Option<Wait> {
        let alone = |lock: Lock, holder: usize, interruptible: bool| {
            Some(Wait { lock, holders: vec![Holder::Thread(holder)], interruptible })
        };
        match self.threads.list[thread].status {
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
        let at = &self.threads.list[thread];
        let mut frames = at.frames.iter().rev();
        let class_of = |method: MethodId| self.class_name(self.method(method).class);
        let frame = frames.find(|frame| !PARKING.contains(&class_of(frame.method)))?;
        let method = self.method(frame.method);
        let (name, descriptor) =
            (self.classes.symbols.text(method.name), self.classes.symbols.text(method.descriptor));
        let register = |number: u32| at.stack.get((frame.base + number) as usize) as u32;
        let (receiver, node) = (Ref(register(0)), Ref(register(NODE)));
        let (lock, shared, interruptible) = match (class_of(frame.method), name, descriptor) {
            (SYNCHRONIZER, "acquire", ACQUIRE) if register(TIMED) == 0 => {
                (receiver, register(SHARED) != 0, register(INTERRUPTIBLE) != 0)
            }
            // A thread that has been signalled stays parked until it may take the lock back, whether it is interrupted or not.
            (CONDITION, "await" | "awaitUninterruptibly", "()V") if !self.waits_for_signal(node) => {
                (self.reference_in(receiver, "this$0")?, false, false)
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
        if let Some(owner) = self.reference_in(lock, "exclusiveOwnerThread") {
            holders.push(self.thread_of(owner).map_or(Holder::Ended(owner), Holder::Thread));
        }
        if read_write && !shared {
            holders.extend(self.readers(lock).into_iter().map(Holder::Thread));
        }
        // A thread in the queue has its turn when the one before it has had the lock.
        if let Some(before) = node.some().and_then(|node| self.reference_in(node, "prev"))
            && Some(before) != self.reference_in(lock, "head")
            && let Some(waiter) =
                self.reference_in(before, "waiter").and_then(|waiter| self.thread_of(waiter))
        {
            holders.push(Holder::Before(waiter));
        }
        (!holders.is_empty()).then_some(Wait { lock: Lock::Synchronizer(lock), holders, interruptible })
    }

    /// Whether the node of a thread that waits for a condition has not been signalled.
    fn waits_for_signal(&self, node: Ref) -> bool {
        const CONDITION_BIT: i32 = 2;
        node.is_null() || self.number_in(node, "status") & CONDITION_BIT != 0
    }

    /// What a field of an object of the JDK refers to.
    pub(crate) fn reference_in(&self, object: Ref, field: &str) -> Option<Ref> {
        let offset = self.offset_of(ClassId(self.heap.class(object)), field)?;
        self.heap.get_ref(object, offset).some()
    }

    /// The number in a field of an object of the JDK.
    fn number_in(&self, object: Ref, field: &str) -> i32 {
        let offset = self.offset_of(ClassId(self.heap.class(object)), field);
        offset.map_or(0, |offset| self.heap.get_i32(object, offset))
    }

    /// The threads that have a read-write lock for reading.
    fn readers(&self, lock: Ref) -> Vec<usize> {
        if self.number_in(lock, "state") as u32 >> READERS == 0 {
            return Vec::new();
        }
        let first = self.reference_in(lock, "firstReader");
        let holds = self.reference_in(lock, "readHolds");
        // The count of each thread is among its thread-local variables, but for the first reader's.
        let counts = |thread: Ref| -> Option<bool> {
            let table = self.reference_in(self.reference_in(thread, "threadLocals")?, "table")?;
            let mut entries =
                (0..self.heap.length(table)).filter_map(|index| self.element(table, index).some());
            let entry = entries.find(|&entry| self.reference_in(entry, "referent") == holds)?;
            Some(self.number_in(self.reference_in(entry, "value")?, "count") > 0)
        };
        (0..self.threads.list.len())
            .filter(|&index| {
                let thread = &self.threads.list[index];
                let is_first =
                    Some(thread.object) == first && self.number_in(lock, "firstReaderHoldCount") > 0;
                thread.status != Status::Finished && (is_first || counts(thread.object) == Some(true))
            })
            .collect()
    }

    pub(crate) fn waits_for(&self, lock: Lock) -> String {
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
    pub(crate) fn describe_synchronizer(&self, lock: Ref) -> String {
        let name = self.external_name(ClassId(self.heap.class(lock)));
        format!("a {}", name.split('$').next().unwrap_or(&name))
    }
}
