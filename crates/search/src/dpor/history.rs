//! The steps of an execution, and what happened before what.
//!
//! A step happens after the step of its thread before it, after the one that created its thread, and after every
//! earlier step that it depends on. Accesses to one object are linked, the latest first: of those that a step depends on
//! only the ones up to the last that commutes with none have to be looked at, because all before happened before that.

use super::clock::Clocks;
use super::deferred_sequences::{Trace, TraceCache};
use super::effect::{Effect, FootprintSignature};
use super::repeated_states::RepeatedStates;
use super::thread_ranges::Index;
use crate::memory::capacity;
use sojourner_program::{Choice, Mode, ObjectId, ThreadId};
use std::collections::HashMap;
use std::sync::Arc;

/// A step of an execution.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub choice: Choice,
    pub effect: Effect,
    /// One more than the longest chain of steps that happened before it.
    pub level: u32,
    /// One more than the place of the step of its thread before it, or else of the one that created the thread.
    before: u32,
    /// Where its accesses begin.
    accesses: u32,
    /// Where the threads that it created begin.
    created: u32,
}

/// What most questions about a step are about, close together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub thread: u32,
    /// How many steps its thread has taken with this one.
    pub index: u32,
    pub signature: FootprintSignature,
}

/// An access to an object, and the one before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub mode: Mode,
    pub event: u32,
    pub previous: u32,
    /// The latest access before it that it does not commute with, or that does not commute with one in between.
    before_run: u32,
    object: ObjectId,
}

impl Link {
    /// The access to look at next, going back, in a search for what an access in that mode does not commute with. If this one commutes with
    /// it, so do those in a row before it that commute with each other, like a thousand reads.
    #[inline]
    pub fn back_from(&self, mode: Mode) -> u32 {
        if self.mode.commutes(mode) { self.before_run } else { self.previous }
    }
}

/// There is no such access.
pub(crate) const NONE: u32 = u32::MAX;

/// The steps of an execution so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    events: Vec<Event>,
    /// By event.
    marks: Vec<Mark>,
    clocks: Clocks,
    links: Vec<Link>,
    /// The latest access to each object. Objects that are touched no more stay, with none.
    latest: HashMap<ObjectId, u32, foldhash::fast::FixedState>,
    /// Steps that may have touched anything.
    anything: Vec<u32>,
    created: Vec<ThreadId>,
    /// By thread: one more than the place of its last step, or else of the one that created it.
    last: Vec<u32>,
    /// By thread: how many steps it has taken.
    steps: Vec<u32>,
    rounds: RepeatedStates,
    index: Index,
    kept: TraceCache,
}

impl History {
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// The bytes of the steps, their clocks and their accesses.
    pub fn bytes(&self) -> u64 {
        let steps = capacity(&self.events) + capacity(&self.marks) + self.clocks.bytes();
        steps + capacity(&self.links) + capacity(&self.anything) + capacity(&self.created)
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn event(&self, at: usize) -> &Event {
        &self.events[at]
    }

    #[inline]
    pub fn mark(&self, at: usize) -> Mark {
        self.marks[at]
    }

    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The steps by thread, as far as [`History::keep`] has been called since they were taken.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Makes the index of all steps, and returns a copy of them that stays.
    pub fn keep(&mut self) -> Arc<Trace> {
        let mut index = std::mem::take(&mut self.index);
        index.extend(self);
        self.index = index;
        self.kept.of(&self.events)
    }

    /// The steps that may have touched anything, in order.
    pub fn anything(&self) -> &[u32] {
        &self.anything
    }

    pub fn link(&self, at: u32) -> Link {
        self.links[at as usize]
    }

    /// The latest access to the object.
    pub fn latest(&self, object: ObjectId) -> u32 {
        self.latest.get(&object).copied().unwrap_or(NONE)
    }

    /// The access to the same object before the `nth` access of the step.
    pub fn previous(&self, at: usize, nth: usize) -> u32 {
        self.links[self.events[at].accesses as usize + nth].previous
    }

    /// Whether the first step is the second, or happened before it.
    #[inline]
    pub fn leads_to(&self, first: usize, second: usize) -> bool {
        let Mark { thread, index, .. } = self.marks[first];
        self.clocks.of(second)[thread as usize] >= index
    }

    /// Whether a step is among those that a clock counts.
    #[inline]
    pub fn is_in(&self, at: usize, clock: &[u32]) -> bool {
        let Mark { thread, index, .. } = self.marks[at];
        clock.get(thread as usize).is_some_and(|&steps| steps >= index)
    }

    /// The steps between two that did not happen after the first one.
    #[inline]
    pub fn beside(&self, first: usize, until: usize) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        let Mark { thread, index, .. } = self.marks[first];
        let ticks = self.clocks.ticks_of(thread, first + 1, until);
        ticks.filter(move |&(_, steps)| steps < index).map(|(at, _)| at)
    }

    /// The last step of the thread or, if it has taken none, the one that created it.
    pub fn last_of(&self, thread: ThreadId) -> Option<usize> {
        let last = self.last.get(thread.0 as usize).copied().unwrap_or(0);
        (last as usize).checked_sub(1)
    }

    /// What happened before the step in its own thread.
    pub fn before(&self, at: usize) -> Option<usize> {
        (self.events[at].before as usize).checked_sub(1)
    }

    /// Whether the thread has come back to where the program had been, and takes no more steps.
    pub fn goes_round(&self, thread: ThreadId) -> bool {
        if self.rounds.is_empty() {
            return false;
        }
        let last = self.last_of(thread).filter(|&last| self.marks[last].thread == thread.0);
        last.is_some_and(|last| self.rounds.leads_back(last))
    }

    /// Appends a step that created those threads, and changed something if it tells what.
    pub fn push(&mut self, choice: Choice, effect: Effect, created: &[ThreadId], change: Option<u64>) {
        let at = self.events.len();
        self.admit(choice.thread);
        let thread = choice.thread.0 as usize;
        let before = self.last[thread];
        self.steps[thread] += 1;
        let index = self.steps[thread];
        self.clocks.push((before as usize).checked_sub(1));
        self.clocks.tick(choice.thread, index);
        self.last[thread] = at as u32 + 1;
        self.marks.push(Mark { thread: choice.thread.0, index, signature: effect.signature });
        let accesses = self.links.len() as u32;
        let chain = before.checked_sub(1).map_or(0, |before| self.events[before as usize].level);
        let level = self.order(at, &effect, chain) + 1;
        let History { rounds, clocks, marks, .. } = self;
        let clock = clocks.last();
        let is_before = |step: usize| clock[marks[step].thread as usize] >= marks[step].index;
        rounds.push(at, (choice.thread.0, index), change, clock, is_before);
        let created_from = self.created.len() as u32;
        self.events.push(Event { choice, effect, level, before, accesses, created: created_from });
        for &child in created {
            self.admit(child);
            self.created.push(child);
            self.last[child.0 as usize] = at as u32 + 1;
        }
    }

    /// Orders the step at `at`, the last one, behind those that it depends on, and links its accesses. Returns the longest
    /// chain of steps that happened before it, of which one is that long.
    fn order(&mut self, at: usize, effect: &Effect, mut chain: u32) -> u32 {
        if effect.ends {
            (0..at).for_each(|earlier| self.follow(earlier, &mut chain));
            return chain;
        }
        let Some(accesses) = effect.footprint.accesses() else {
            let since = self.anything.last().map_or(0, |&at| at as usize);
            for earlier in since..at {
                if !self.events[earlier].effect.footprint.is_nothing() {
                    self.follow(earlier, &mut chain);
                }
            }
            self.anything.push(at as u32);
            return chain;
        };
        if let Some(&earlier) = self.anything.last()
            && !accesses.is_empty()
        {
            self.follow(earlier as usize, &mut chain);
        }
        for access in accesses {
            let own = self.links.len() as u32;
            let latest = self.latest.entry(access.object).or_insert(NONE);
            let previous = std::mem::replace(latest, own);
            let mut link = previous;
            while link != NONE {
                let earlier @ Link { mode, event, .. } = self.link(link);
                link = earlier.back_from(access.mode);
                if event as usize == at {
                    continue;
                }
                if !access.mode.commutes(mode) {
                    self.follow(event as usize, &mut chain);
                }
                if !mode.is_one_of_several() {
                    break;
                }
            }
            // Of those that commute with each other, all have the same before them.
            let before_run = match previous {
                NONE => NONE,
                previous => match self.link(previous) {
                    run if run.mode.commutes(access.mode) => run.before_run,
                    _ => previous,
                },
            };
            let link =
                Link { object: access.object, mode: access.mode, event: at as u32, previous, before_run };
            self.links.push(link);
        }
        chain
    }

    /// The last step happens after an earlier one.
    #[inline]
    fn follow(&mut self, earlier: usize, chain: &mut u32) {
        // If that is known, so is whatever came before that one.
        if !self.is_in(earlier, self.clocks.last()) {
            self.clocks.join(earlier);
            *chain = (*chain).max(self.events[earlier].level);
        }
    }

    /// Makes room for a thread.
    fn admit(&mut self, thread: ThreadId) {
        let threads = thread.0 as usize + 1;
        if threads > self.last.len() {
            self.last.resize(threads, 0);
            self.steps.resize(threads, 0);
            self.clocks.admit(threads);
        }
    }

    /// Goes back to where that many steps had been taken.
    pub fn truncate(&mut self, steps: usize) {
        while self.events.len() > steps {
            let Some(event) = self.events.pop() else { break };
            let thread = event.choice.thread.0 as usize;
            self.last[thread] = event.before;
            self.rounds.pop(self.events.len(), (event.choice.thread.0, self.steps[thread]));
            self.steps[thread] -= 1;
            for child in self.created.drain(event.created as usize..) {
                self.last[child.0 as usize] = 0;
            }
            while self.links.len() > event.accesses as usize {
                let Some(link) = self.links.pop() else { break };
                self.latest.insert(link.object, link.previous);
            }
        }
        while self.anything.last().is_some_and(|&at| at as usize >= steps) {
            self.anything.pop();
        }
        self.marks.truncate(steps);
        self.clocks.truncate(steps);
        self.index.truncate(steps, &self.steps);
        self.kept.truncate(steps);
    }
}
