//! How a search grows with its depth, taken down while it runs.

use sojourner_check::{Growth, Summary};
use std::sync::Mutex;

/// Takes down how a search grows.
#[derive(Debug, Default)]
pub struct Recorder {
    rows: Mutex<Vec<Growth>>,
}

impl Recorder {
    /// The search has come to a new depth.
    pub fn deeper(&self, growth: &Growth) {
        let mut rows = self.rows.lock().expect("no holder panics");
        // A search that begins again is another one. Workers may overtake each other on the way here.
        if growth.depth == 1 {
            rows.clear();
        }
        let at = rows.partition_point(|row| row.depth < growth.depth);
        rows.insert(at, *growth);
    }

    /// The table, ended by how the search ended.
    pub fn table(&self, summary: &Summary) -> String {
        let rows = self.rows.lock().expect("no holder panics");
        let bytes = summary.store.as_ref().map_or(0, |store| store.bytes);
        let last = [summary.stats.max_depth, summary.stats.states, bytes];
        let rows = rows.iter().map(|row| [row.depth, row.states, row.bytes]);
        sojourner_report::growth(&rows.chain([last]).collect::<Vec<_>>())
    }
}
