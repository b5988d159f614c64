//! Orders arrange the choices of a state. An order never adds or drops one.

mod interference;
mod pct;
mod pos;
mod surw;

pub(crate) use interference::Interference;
pub(crate) use pct::Pct;
pub(crate) use pos::Pos;
pub(crate) use surw::Surw;

use crate::Past;
use crate::heuristic::Ranking;
use sojourner_program::{Choice, Detail, Fault, Program, Random, Step};

/// Arranges choices: the first comes first, and a search that samples takes only that.
pub(crate) trait Order<P: Program> {
    /// An execution starts, of a search that samples them.
    fn begin(&mut self) {}

    /// How much the order wants to know of steps.
    fn detail(&self) -> Detail {
        Detail::Outcome
    }

    /// A step was taken. Told only if the order wants more detail than the outcome.
    fn stepped(&mut self, choice: Choice, step: &Step) {
        let _ = (choice, step);
    }

    /// Arranges the choices of the state that the program is in, which stays, or is brought back, there.
    fn arrange(&mut self, program: &mut P, past: Past, choices: &mut [Choice]) -> Result<(), Fault>;
}

/// As the program gives them: by thread, then by value.
pub(crate) struct AsGiven;

impl<P: Program> Order<P> for AsGiven {
    fn arrange(&mut self, _: &mut P, _: Past, _: &mut [Choice]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Every permutation equally likely, anew in each state (Dwyer et al. 2007, Figure 3).
pub(crate) struct Shuffled(pub Random);

impl<P: Program> Order<P> for Shuffled {
    fn arrange(&mut self, _: &mut P, _: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        self.0.shuffle(choices);
        Ok(())
    }
}

/// Other threads than the one that moved last come first, beginning with the one after it.
pub(crate) struct Interleave;

impl<P: Program> Order<P> for Interleave {
    fn arrange(&mut self, _: &mut P, past: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        if let Some(last) = past.last() {
            choices.sort_by_key(|choice| (choice.thread <= last, choice.thread));
            // Threads up to the last one are now at the end, and it behind them.
        }
        Ok(())
    }
}

/// By the rank of the state that each choice leads to, for which it has to be tried.
pub(crate) struct ByRank(pub Ranking);

impl<P: Program> Order<P> for ByRank {
    fn arrange(&mut self, program: &mut P, past: Past, choices: &mut [Choice]) -> Result<(), Fault> {
        if choices.len() < 2 {
            return Ok(());
        }
        let depth = program.depth();
        let mut step = Step::new(Detail::Outcome);
        let mut behind = Vec::new();
        let mut ranked = Vec::with_capacity(choices.len());
        for &choice in choices.iter() {
            program.step(choice, &mut step)?;
            behind.clear();
            program.choices(&mut behind);
            let rank = match step.finding {
                Some(_) => 0,
                None => self.0.rank(program, reached_by(past, choice, &step), depth + 1, &behind),
            };
            ranked.push((rank, choice));
            program.rewind(depth)?;
        }
        ranked.sort_by_key(|&(rank, _)| rank);
        for (slot, (_, choice)) in choices.iter_mut().zip(ranked) {
            *slot = choice;
        }
        Ok(())
    }
}

/// The past of the state that a step led to.
pub(crate) fn reached_by(past: Past, choice: Choice, step: &Step) -> Past {
    let past = past.after(choice);
    if step.has_chosen { past.having_chosen() } else { past }
}

/// Moves the choices of one thread to the front, a random one of them first.
fn favour(thread: sojourner_program::ThreadId, choices: &mut [Choice], random: &mut Random) {
    let values = choices.iter().filter(|choice| choice.thread == thread).count();
    let nth = random.below(values);
    let found = choices.iter().enumerate().filter(|(_, choice)| choice.thread == thread).nth(nth);
    if let Some((at, _)) = found {
        choices.swap(0, at);
    }
}
