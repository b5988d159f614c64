//! How a search grows with its depth and over time, taken down while it runs.

use sojourner_check::{Growth, Samples, Summary};
use sojourner_report::SampleRow;
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

/// The table of samples, ended by how the search ended: with the most that each part has held.
pub fn table_of_samples(samples: &Samples, summary: &Summary) -> String {
    let rows = samples.rows();
    let rows = rows.iter().map(|sample| SampleRow {
        transitions: sample.transitions,
        seconds: sample.elapsed.as_secs_f64(),
        states: sample.states,
        depth: sample.depth,
        bytes: [sample.memory.store, sample.memory.queue, sample.memory.pools],
    });
    let stats = &summary.stats;
    let last = SampleRow {
        transitions: stats.transitions,
        seconds: stats.seconds,
        states: stats.states,
        depth: 0,
        bytes: [stats.memory.store, stats.memory.queue, stats.memory.pools],
    };
    sojourner_report::samples(&rows.chain([last]).collect::<Vec<_>>())
}
