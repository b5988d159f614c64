//! The thread library's objects: mutexes, condition variables, read-write locks, semaphores, barriers, futexes, and what runs once.
//!
//! Uses `time` (waits with a time-out), `memory`, `sched` and `base`.

pub mod condition;
pub mod futex;
pub mod multilock;
pub mod mutex;
pub mod named_semaphores;
pub mod once;
pub mod robust;
pub mod rwlock;
pub mod semaphore;
pub mod spin;
