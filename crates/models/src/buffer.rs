//! A bounded buffer guarded by one lock and one condition, and its classic defect.

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Row, State, Transitions};

/// The first half of the threads produce, the rest consume. Waking only one waiter can wake one of the wrong kind, and
/// the wake-up is lost.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// How many threads.
    pub threads: u8,
    /// How many items each thread produces or consumes.
    pub items: u8,
    /// Whether a thread wakes all that wait, not any one of them.
    pub all: bool,
    /// How many items the buffer holds.
    pub capacity: u8,
}

/// What the threads do and what the buffer holds.
#[derive(Clone, Debug, State)]
pub struct Memory {
    #[state(local)]
    threads: Row<Worker, 16>,
    shared: Shared,
}

/// A thread.
#[derive(Clone, Copy, Debug, Default, State)]
struct Worker {
    stage: Stage,
    /// The items it has still to produce or consume.
    left: u8,
}

/// The lock and the number of items in the buffer.
#[derive(Clone, Debug, State)]
struct Shared {
    locked: bool,
    count: u8,
}

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    Enter,
    Act,
    Wait,
    Notify,
    Leave,
    Done,
}

/// The only action of the thread.
const MOVE: u32 = 0;
/// With the number of a thread added: wakes that one.
const WAKE: u32 = 1;

/// What the lock guards: everything.
const LOCK: ObjectId = ObjectId(0);
/// What a waiting thread waits for.
const WAKE_UP: ObjectId = ObjectId(1);

impl Buffer {
    /// Whether thread `i` finds the buffer full, if it produces, or empty, if it consumes.
    fn must_wait(&self, memory: &Memory, i: usize) -> bool {
        memory.shared.count == if self.produces(i) { self.capacity } else { 0 }
    }

    fn produces(&self, i: usize) -> bool {
        i < usize::from(self.threads / 2)
    }
}

impl Named for Buffer {
    const ABOUT: About = About {
        name: "buffer",
        summary: "a bounded buffer with one condition; waking one waiter loses wake-ups, a deadlock",
        parameters: &[
            Parameter::number("threads", 8, 2, 16, "half of them produce, the rest consume"),
            Parameter::number("items", 2, 1, 100, "how many items each of them produces or consumes"),
            Parameter::flag("all", false, "whether all waiters are woken, not any one"),
            Parameter::number("capacity", 2, 1, 200, "how many items the buffer holds"),
        ],
    };

    fn with(values: &Values) -> Self {
        Buffer {
            threads: values.number("threads"),
            items: values.number("items"),
            all: values.flag("all"),
            capacity: values.number("capacity"),
        }
    }
}

impl Model for Buffer {
    type State = Memory;

    fn initial(&self) -> Memory {
        let worker = Worker { stage: Stage::Enter, left: self.items };
        Memory {
            threads: Row::filled(self.threads.into(), worker),
            shared: Shared { locked: false, count: 0 },
        }
    }

    fn processes(&self) -> u32 {
        self.threads.into()
    }

    fn transitions(&self, memory: &Memory, on: &mut Transitions<'_>) {
        let waits = |worker: &Worker| worker.stage == Stage::Wait;
        for (i, worker) in memory.threads.iter().enumerate() {
            match worker.stage {
                Stage::Enter => on.when(!memory.shared.locked, i, MOVE),
                Stage::Wait | Stage::Done => {}
                Stage::Notify if !self.all && memory.threads.iter().any(waits) => {
                    for (j, other) in memory.threads.iter().enumerate() {
                        on.when(waits(other), i, WAKE + j as u32);
                    }
                }
                Stage::Act | Stage::Notify | Stage::Leave => on.when(true, i, MOVE),
            }
        }
    }

    fn fire(&self, memory: &mut Memory, i: usize, action: u32) {
        if action >= WAKE {
            memory.threads[(action - WAKE) as usize].stage = Stage::Enter;
            memory.threads[i].stage = Stage::Leave;
            return;
        }
        let must_wait = self.must_wait(memory, i);
        let Memory { threads, shared } = memory;
        threads[i].stage = match threads[i].stage {
            Stage::Enter => {
                shared.locked = true;
                Stage::Act
            }
            Stage::Act if must_wait => {
                shared.locked = false;
                Stage::Wait
            }
            Stage::Act => {
                shared.count = if self.produces(i) { shared.count + 1 } else { shared.count - 1 };
                Stage::Notify
            }
            Stage::Notify => {
                for worker in threads.iter_mut().filter(|worker| worker.stage == Stage::Wait) {
                    worker.stage = Stage::Enter;
                }
                Stage::Leave
            }
            Stage::Leave | Stage::Wait | Stage::Done => {
                shared.locked = false;
                threads[i].left -= 1;
                if threads[i].left == 0 { Stage::Done } else { Stage::Enter }
            }
        };
    }

    fn may_end(&self, memory: &Memory) -> bool {
        memory.threads.iter().all(|worker| worker.stage == Stage::Done)
    }

    fn name(&self, i: usize) -> String {
        let producers = usize::from(self.threads / 2);
        if self.produces(i) { format!("producer {i}") } else { format!("consumer {}", i - producers) }
    }

    fn words(&self, memory: &Memory, i: usize, action: u32) -> String {
        if action >= WAKE {
            return format!("wakes {}", self.name((action - WAKE) as usize));
        }
        let words = match memory.threads[i].stage {
            Stage::Enter => "takes the lock",
            Stage::Act if self.must_wait(memory, i) => "waits",
            Stage::Act if self.produces(i) => "puts an item in",
            Stage::Act => "takes an item out",
            Stage::Notify if self.all => "wakes all",
            Stage::Notify => "wakes no thread: none waits",
            Stage::Leave | Stage::Wait | Stage::Done => "gives the lock back",
        };
        words.to_owned()
    }

    /// The list of waiting threads is guarded by the lock like everything else: only its holder can move, or one that wants it. The
    /// other object is there to say what a waiting thread waits for.
    fn footprint(&self, memory: &Memory, i: usize, _: u32, out: &mut Footprint) -> bool {
        let stage = memory.threads[i].stage;
        let mode = match stage {
            Stage::Enter => Mode::Acquire,
            Stage::Leave => Mode::Release,
            Stage::Act if self.must_wait(memory, i) => Mode::Release,
            _ => Mode::Write,
        };
        out.touch(LOCK, mode);
        if stage == Stage::Notify {
            out.touch(WAKE_UP, Mode::Write);
        }
        true
    }

    fn blocked_on(&self, memory: &Memory, i: usize, out: &mut Footprint) -> bool {
        match memory.threads[i].stage {
            Stage::Done => {}
            Stage::Wait => out.touch(WAKE_UP, Mode::Write),
            _ => out.touch(LOCK, Mode::Acquire),
        }
        true
    }

    fn object_name(&self, object: ObjectId) -> String {
        if object == LOCK { "the lock" } else { "a wake-up" }.to_owned()
    }
}
