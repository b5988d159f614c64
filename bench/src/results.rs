//! What was measured, the best of all rounds.

use crate::case::Case;
use crate::explorer::Explorer;
use crate::measure::{Measured, Run};

/// The measurements by case and explorer.
#[derive(Default)]
pub struct Results(Vec<(&'static str, Explorer, Run)>);

impl Results {
    /// Adds a round of a measurement. Noise only adds, so the least of each figure is nearest to the truth.
    pub fn add(&mut self, case: &Case, explorer: Explorer, run: Run) {
        let known = self.0.iter_mut().find(|(name, other, _)| (*name, *other) == (case.name, explorer));
        match (known, run) {
            (Some((_, _, Run::Done(best))), Run::Done(measured)) => {
                best.cpu = best.cpu.min(measured.cpu);
                best.wall = best.wall.min(measured.wall);
                best.peak = best.peak.min(measured.peak);
                best.store = best.store.min(measured.store);
            }
            (Some((_, _, known)), worse) => *known = worse,
            (None, run) => self.0.push((case.name, explorer, run)),
        }
    }

    /// How it ended; `None` if it was not to be measured.
    pub fn run(&self, case: &Case, explorer: Explorer) -> Option<&Run> {
        let known = self.0.iter().find(|(name, other, _)| (*name, *other) == (case.name, explorer));
        known.map(|(_, _, run)| run)
    }

    /// What was measured, of a search that ended.
    pub fn measured(&self, case: &Case, explorer: Explorer) -> Option<&Measured> {
        self.run(case, explorer)?.done()
    }

    /// Whether it has come to a limit, so that another round would only come to it again.
    pub fn gave_up(&self, case: &Case, explorer: Explorer) -> bool {
        self.run(case, explorer).is_some_and(|run| run.done().is_none())
    }

    /// A figure of one search as a multiple of another's.
    pub fn ratio(
        &self,
        case: &Case,
        figure: impl Fn(&Measured) -> f64,
        above: Explorer,
        below: Explorer,
    ) -> Option<f64> {
        Some(figure(self.measured(case, above)?) / figure(self.measured(case, below)?))
    }
}
