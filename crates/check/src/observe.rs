//! What a check tells while it runs.

use sojourner_program::Finding;
use sojourner_report::Summary;
use sojourner_search::{Growth, Observe, Outcome, Sample, Tick};
use std::time::Duration;

/// Watches a check. Every method may be left out; `&()` watches nothing.
///
/// Methods are called from several threads.
pub trait Observer: Send + Sync {
    /// How the search stands, some ten times a second. It should return soon.
    fn tick(&self, tick: &Tick) {
        let _ = tick;
    }

    /// The search has come deeper than ever before. It must return at once. A search that begins again begins with the first depth.
    fn deeper(&self, growth: &Growth) {
        let _ = growth;
    }

    /// After how many transitions it wants a sample; none, if it wants none. [`Samples`](crate::Samples) keeps them.
    fn sample_every(&self) -> Option<u64> {
        None
    }

    /// How the search stands after so many transitions of a worker. It must return at once. A search that begins again begins with
    /// few transitions; several searches side by side give no samples.
    fn sample(&self, sample: &Sample) {
        let _ = sample;
    }

    /// A data race was found, and the search goes on for that long, at most, to find something worse.
    fn noticed(&self, race: &Finding, goes_on: Duration) {
        let _ = (race, goes_on);
    }

    /// The verdict is known. Findings have no traces yet: making their schedules short takes a while.
    fn concluded(&self, summary: &Summary) {
        let _ = summary;
    }

    /// The search is over, and this is the result, but a step of a model has not returned, and the check cannot return before it.
    /// An observer that cannot wait ends the process.
    fn stuck(&self, summary: Summary) {
        let _ = summary;
    }
}

impl Observer for () {}

/// An observer as the searches know it.
pub struct SearchObserver<'a, F> {
    pub observer: &'a dyn Observer,
    /// Whether this is the search whose growth is of interest, not one that follows it.
    pub first: bool,
    /// Makes a result of what is known.
    pub conclude: F,
}

impl<F: Fn(&Outcome) -> Summary + Send + Sync> Observe for SearchObserver<'_, F> {
    fn tick(&self, tick: &Tick) {
        self.observer.tick(tick);
    }

    fn deeper(&self, growth: &Growth) {
        if self.first {
            self.observer.deeper(growth);
        }
    }

    fn sample_every(&self) -> Option<u64> {
        self.observer.sample_every().filter(|_| self.first)
    }

    fn sample(&self, sample: &Sample) {
        self.observer.sample(sample);
    }

    fn noticed(&self, race: &Finding, goes_on: Duration) {
        self.observer.noticed(race, goes_on);
    }

    fn stuck(&self, outcome: Outcome) {
        self.observer.stuck((self.conclude)(&outcome));
    }
}
