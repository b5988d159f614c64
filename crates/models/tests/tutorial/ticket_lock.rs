//! A ticket lock.

use sojourner_model::{Model, Properties, Row, State, Transitions};

#[derive(Clone, Debug, State)]
pub struct Memory {
    #[state(local)]
    threads: Row<Thread, 8>,
    next: u8,
    serving: u8,
}

#[derive(Clone, Copy, Debug, Default, State)]
struct Thread {
    stage: Stage,
    ticket: u8,
}

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
enum Stage {
    #[default]
    Read,
    Write,
    Enter,
    Leave,
    Done,
}

pub struct TicketLock {
    pub threads: usize,
    /// Whether a ticket is read and counted up in one step.
    pub atomic: bool,
}

const MOVE: u32 = 0;

impl Model for TicketLock {
    type State = Memory;

    fn initial(&self) -> Memory {
        Memory { threads: Row::filled(self.threads, Thread::default()), next: 0, serving: 0 }
    }

    fn processes(&self) -> u32 {
        self.threads as u32
    }

    fn transitions(&self, memory: &Memory, on: &mut Transitions<'_>) {
        for (i, thread) in memory.threads.iter().enumerate() {
            let may_move = match thread.stage {
                Stage::Enter => thread.ticket == memory.serving,
                Stage::Done => false,
                _ => true,
            };
            on.when(may_move, i, MOVE);
        }
    }

    fn fire(&self, memory: &mut Memory, i: usize, _action: u32) {
        let thread = &mut memory.threads[i];
        thread.stage = match thread.stage {
            Stage::Read => {
                thread.ticket = memory.next;
                if self.atomic {
                    memory.next += 1;
                    Stage::Enter
                } else {
                    Stage::Write
                }
            }
            Stage::Write => {
                memory.next = thread.ticket + 1;
                Stage::Enter
            }
            Stage::Enter => Stage::Leave,
            Stage::Leave | Stage::Done => {
                memory.serving += 1;
                Stage::Done
            }
        };
    }

    fn may_end(&self, memory: &Memory) -> bool {
        memory.threads.iter().all(|thread| thread.stage == Stage::Done)
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("at most one thread is inside", |_, memory| {
            memory.threads.iter().filter(|thread| thread.stage == Stage::Leave).count() <= 1
        });
        expect.at_end("everybody was served", |model, memory| usize::from(memory.serving) == model.threads);
        expect.goal("the last thread enters", |_, memory| {
            memory.threads.last().is_some_and(|thread| thread.stage == Stage::Leave)
        });
    }

    fn name(&self, i: usize) -> String {
        format!("thread {i}")
    }

    fn words(&self, memory: &Memory, i: usize, _action: u32) -> String {
        let Thread { stage, ticket } = memory.threads[i];
        match stage {
            Stage::Read => format!("reads ticket {}", memory.next),
            Stage::Write => format!("writes back {}", ticket + 1),
            Stage::Enter => format!("enters with ticket {ticket}"),
            Stage::Leave | Stage::Done => format!("leaves and serves {}", memory.serving + 1),
        }
    }
}
