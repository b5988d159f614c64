//! Steps first that interfere with what others have just done (Wehrle & Kupferschmid 2010, as Parizek & Lhotak 2011 use it).
//!
//! A defect of concurrency needs accesses of several threads to one object, close to each other. So a choice comes the earlier, the more
//! recent the last step of another thread is that its thread's next operation conflicts with. Choices that conflict with none of the
//! recent steps come last, and equal ones stay as the program gives them.

use super::Order;
use crate::Past;
use sojourner_program::{Choice, Detail, Fault, Footprint, Program, Step, Thread, ThreadId, dependent};

/// The steps of the path that are looked at.
const RECENT: usize = 16;

/// Steps that are remembered of one path: behind longer ones, the first are forgotten.
const MOST: usize = 1 << 16;

/// The order that prefers interference.
#[derive(Default)]
pub(crate) struct Interference {
    /// The steps of the path, each with the depth behind it, the thread, and what it touched.
    path: Vec<(usize, ThreadId, Footprint)>,
    /// The last step, which may have led to a state that is not opened.
    last: Option<(ThreadId, Footprint)>,
    threads: Vec<Thread>,
}

impl Interference {
    /// How many steps ago another thread touched what this one is about to touch.
    fn distance(&self, thread: &Thread) -> usize {
        let recent = self.path.iter().rev().take(RECENT);
        let mut others = recent.enumerate().filter(|(_, (_, mover, _))| *mover != thread.id);
        others
            .find(|(_, (_, _, touched))| dependent(touched, &thread.pending))
            .map_or(RECENT, |(distance, _)| distance)
    }
}

impl<P: Program> Order<P> for Interference {
    fn detail(&self) -> Detail {
        Detail::Footprint
    }

    fn stepped(&mut self, choice: Choice, step: &Step) {
        self.last = Some((choice.thread, step.footprint.clone()));
    }

    fn arrange(&mut self, program: &mut P, _: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        // What was on the path deeper than this state has been taken back.
        let depth = program.depth();
        while self.path.last().is_some_and(|(behind, ..)| *behind >= depth) {
            self.path.pop();
        }
        if let Some((thread, touched)) = self.last.take() {
            if self.path.len() == MOST {
                self.path.drain(..MOST / 2);
            }
            self.path.push((depth, thread, touched));
        }
        if choices.len() < 2 {
            return Ok(());
        }
        self.threads.clear();
        program.threads(&mut self.threads);
        let threads = std::mem::take(&mut self.threads);
        choices.sort_by_cached_key(|choice| {
            let thread = threads.iter().find(|thread| thread.id == choice.thread);
            thread.map_or(RECENT, |thread| self.distance(thread))
        });
        self.threads = threads;
        Ok(())
    }
}
