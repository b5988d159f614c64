//! A thread on which searches of a swarm take turns.

use crate::control::Budget;
use crate::engine::{AnyWorker, Flow};
use crate::guard::Guard;
use crate::outcome::{Reason, Tally};
use crate::search::{ProgramTraits, Search, StateAccess};
use crate::shares::{Share, Shares};
use crate::swarm::{Decision, HaltOnPanic, MemberObserver, Plan, Progress};
use sojourner_program::{Fault, Load, Reducible};
use std::sync::Mutex;
use std::time::Instant;

/// A thread on which searches take turns.
pub(crate) struct SwarmThread<'s, 'a, L: Load, M> {
    pub load: &'a L,
    pub traits: &'s Result<ProgramTraits, Fault>,
    pub plans: &'a [Plan],
    pub members: &'s [Mutex<Progress<'a, L, M>>],
    pub decided: &'s Decision<'a>,
    pub guard: &'a Guard<'a>,
    pub views: &'a [MemberObserver<'a>],
    pub access: M,
    pub start: Instant,
}

impl<'a, L: Load<P: Reducible>, M: StateAccess<L::P> + 'a> SwarmThread<'_, 'a, L, M> {
    /// Lets these searches take turns until one decides or all have ended.
    pub fn take_turns(&mut self, mine: &[usize]) {
        let _guard = HaltOnPanic(self.guard);
        // A search is put together when its first turn comes: another one may decide before that.
        let mut engines: Vec<Option<AnyWorker<'a, L::P>>> = mine.iter().map(|_| None).collect();
        // A search that would have run alone has as many steps as all others.
        let first_has_half = mine.first().is_some_and(|&index| self.plans[index].alone);
        let mut shares = Shares::new(mine.iter().map(|&index| self.share(index)).collect(), first_has_half);
        while let Some(at) = shares.next().filter(|_| !self.decided.is_over()) {
            let (index, engine) = (mine[at], &mut engines[at]);
            let opens = engine.is_none();
            if opens {
                *engine = self.begin(index);
            }
            let busy = self.guard.enter();
            let before = self.tally(index);
            let paused = engine.as_mut().is_some_and(|engine| engine.run(shares.turn(at)) == Flow::Paused);
            let after = self.tally(index);
            drop(busy);
            shares.took(at, after.transitions - before.transitions, after.novel - before.novel, opens);
            if paused {
                continue;
            }
            // Its program makes room for the next one.
            drop(engine.take());
            if !self.goes_on(index) {
                shares.ended(at);
            }
        }
    }

    fn share(&self, index: usize) -> Share {
        let plan = &self.plans[index];
        Share::new(plan.turn, plan.settings.strategy.shape.samples())
    }

    /// What the present round of a search has counted.
    fn tally(&self, index: usize) -> Tally {
        self.members[index].lock().expect("one thread each").search.tally()
    }

    /// Puts a worker together for the round of a search that begins.
    fn begin(&self, index: usize) -> Option<AnyWorker<'a, L::P>> {
        let member = self.members[index].lock().expect("one thread each");
        // The first search proves something: it may take all the memory that there is.
        if index > 0 && !self.guard.has_room_for_program() {
            member.search.refuse();
        }
        member.search.worker(0, None)
    }

    /// A round of a search has ended. Returns whether there is to be another one, and prepares it.
    fn goes_on(&self, index: usize) -> bool {
        let plan = &self.plans[index];
        let mut member = self.members[index].lock().expect("one thread each");
        let outcome = member.search.outcome();
        let refused = outcome.reasons.contains(&Reason::Memory) && !self.guard.has_room_for_program();
        let stopped =
            refused || self.guard.halt.reason().is_some() || outcome.reasons.contains(&Reason::Time);
        let decides = member.finish(outcome, index, plan, self.decided);
        let is_left = |whole: Budget| member.rounds < plan.rounds && !is_spent(&whole, &member.tally);
        let goes_on = plan.restarts.is_some_and(is_left);
        if decides || stopped || !goes_on {
            return false;
        }
        member.rounds += 1;
        member.ended = None;
        let settings = plan.of_round(member.rounds);
        let deadline = settings.budget.time.map(|time| self.start + time);
        let view = &self.views[index];
        let search = Search::new(self.load, self.traits, &settings, deadline, self.guard, view, self.access);
        member.search = search.expect("the same settings with another seed");
        true
    }
}

/// Whether a search has visited all states that it may, or run all executions.
fn is_spent(budget: &Budget, tally: &Tally) -> bool {
    budget.states.is_some_and(|most| tally.states >= most)
        || budget.executions.is_some_and(|most| tally.runs >= most)
}
