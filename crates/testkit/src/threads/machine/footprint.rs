//! What the threads touch, and what they wait for.

use super::{Code, FREE, Machine, Operation, Stage, can_be_shared, each_of};
use smallvec::SmallVec;
use sojourner_program::{Footprint, Mode, ObjectId};

fn variable(of: usize) -> ObjectId {
    ObjectId(of as u64)
}

fn lock(of: usize) -> ObjectId {
    ObjectId(1000 + of as u64)
}

fn condition(of: usize) -> ObjectId {
    ObjectId(2000 + of as u64)
}

fn wake_up(of: usize) -> ObjectId {
    ObjectId(3000 + of as u64)
}

fn exit(of: usize) -> ObjectId {
    ObjectId(4000 + of as u64)
}

impl<C: Code> Machine<C> {
    /// What the thread would touch, with that outcome; with any, if none is given.
    pub(super) fn footprint(&self, thread: usize, outcome: Option<u32>) -> Footprint {
        let mut out = Footprint::nothing();
        match self.threads[thread].stage {
            Stage::Exited => {}
            Stage::Waiting(of) | Stage::Woken(of) => {
                out.touch(wake_up(thread), Mode::Acquire);
                out.touch(lock(of), Mode::Acquire);
            }
            Stage::Running => match self.operation(thread) {
                Operation::End | Operation::Choose(_) | Operation::Start(_) => {}
                Operation::Exit => out.touch(exit(thread), Mode::Release),
                Operation::Read(of) | Operation::Refuse(of, _) => out.touch(variable(of), Mode::Read),
                Operation::Write(of, _) | Operation::Add(of, _) => out.touch(variable(of), Mode::Write),
                Operation::ReadSeveral(variables) => {
                    each_of(variables).for_each(|of| out.touch(variable(of), Mode::Read));
                }
                Operation::WriteSeveral(variables, _) => {
                    each_of(variables).for_each(|of| out.touch(variable(of), Mode::Write));
                }
                Operation::WriteAny(_) => {
                    let written = |of: &usize| outcome.is_none_or(|one| one as usize == *of);
                    let all = 0..self.variables.len();
                    all.filter(written).for_each(|of| out.touch(variable(of), Mode::Write));
                }
                // It writes what it found, if it does not find what it looks for.
                Operation::CompareAndSwap(of, ..) => out.touch(variable(of), Mode::Write),
                Operation::Lock(of) => out.touch(lock(of), Mode::Acquire),
                Operation::LockSeveral(locks) => {
                    each_of(locks).for_each(|of| out.touch(lock(of), Mode::Acquire));
                }
                Operation::Unlock(of) => out.touch(lock(of), Mode::Release),
                // It does not wait, so that it could have come before the lock was given back.
                Operation::TryLock(of) if !self.code.is_shared(of) => out.touch(lock(of), Mode::Write),
                Operation::TryLock(of) => out.touch(
                    lock(of),
                    match self.holders[of] {
                        FREE => Mode::Open,
                        holder if can_be_shared(holder) => Mode::Ajar,
                        _ => Mode::Shut,
                    },
                ),
                Operation::Share(of) => out.touch(lock(of), Mode::Share),
                Operation::Unshare(of) => out.touch(lock(of), Mode::Unshare),
                Operation::TryShare(of) => {
                    let shared = can_be_shared(self.holders[of]);
                    out.touch(lock(of), if shared { Mode::Enter } else { Mode::Shut });
                }
                Operation::Wait(on, of) => {
                    out.touch(condition(on), Mode::Write);
                    out.touch(lock(of), Mode::Release);
                }
                Operation::Signal(on) | Operation::Broadcast(on) => {
                    out.touch(condition(on), Mode::Write);
                    for &woken in &self.queues[on] {
                        if self.wakes(thread, outcome, on, woken) {
                            out.touch(wake_up(woken.into()), Mode::Release);
                        }
                    }
                }
                Operation::Join(other) => out.touch(exit(other), Mode::Acquire),
            },
        }
        out
    }

    /// Whether a signal or broadcast of the thread can wake the one that waits, with that outcome.
    fn wakes(&self, thread: usize, outcome: Option<u32>, on: usize, woken: u8) -> bool {
        match self.operation(thread) {
            Operation::Signal(_) if self.code.wakes_any() => outcome.is_none_or(|one| one == woken.into()),
            Operation::Signal(_) => self.queues[on].first() == Some(&woken),
            _ => true,
        }
    }

    /// What a thread that waits for several things cannot have: locks, or to be woken.
    pub(super) fn lacks(&self, thread: usize) -> SmallVec<[ObjectId; 2]> {
        let taken = |&of: &usize| self.holders[of] != FREE;
        match (self.threads[thread].stage, self.operation(thread)) {
            (Stage::Waiting(of), _) => {
                [of].into_iter().filter(taken).map(lock).chain([wake_up(thread)]).collect()
            }
            (Stage::Woken(of), _) => [of].into_iter().filter(taken).map(lock).collect(),
            (Stage::Running, Operation::LockSeveral(locks)) => {
                each_of(locks).filter(taken).map(lock).collect()
            }
            _ => SmallVec::new(),
        }
    }
}
