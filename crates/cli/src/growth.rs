//! How a search grows with its depth, taken down while it runs.

use sojourner_program::Finding;
use sojourner_search::{Growth, Observe, Outcome, Tick};
use std::sync::Mutex;
use std::time::Duration;

/// Takes down how a search grows, and lets another watch it too.
pub struct Recorder<'a> {
    next: &'a dyn Observe,
    rows: Mutex<Vec<Growth>>,
}

impl<'a> Recorder<'a> {
    pub fn new(next: &'a dyn Observe) -> Recorder<'a> {
        Recorder { next, rows: Mutex::default() }
    }

    /// The table, ended by how the search ended.
    pub fn table(self, outcome: &Outcome) -> String {
        let mut rows = self.rows.into_inner().expect("no holder panics");
        let bytes = outcome.store.as_ref().map_or(0, |store| store.bytes);
        rows.push(Growth { depth: outcome.tally.max_depth, states: outcome.tally.states, bytes });
        let rows: Vec<[u64; 3]> = rows.iter().map(|row| [row.depth, row.states, row.bytes]).collect();
        sojourner_report::growth(&rows)
    }
}

impl Observe for Recorder<'_> {
    fn tick(&self, tick: &Tick) {
        self.next.tick(tick);
    }

    fn noticed(&self, race: &Finding, goes_on: Duration) {
        self.next.noticed(race, goes_on);
    }

    fn stuck(&self, outcome: Outcome) {
        self.next.stuck(outcome);
    }

    fn deeper(&self, growth: &Growth) {
        let mut rows = self.rows.lock().expect("no holder panics");
        // A search that begins again is another one. Workers may overtake each other on the way here.
        if growth.depth == 1 {
            rows.clear();
        }
        let at = rows.partition_point(|row| row.depth < growth.depth);
        rows.insert(at, *growth);
    }
}
