//! How a search stands over time, for a figure: memory and depth against transitions or seconds (Lerda & Visser 2001, Figure 1).

use sojourner_search::Sample;
use std::sync::Mutex;

/// Transitions of a worker between two samples of a search that has just begun.
const EVERY: u64 = 16;

/// Takes down samples of a search, evenly spread over its transitions: if they become too many, every other one is dropped, and
/// those to come are as far apart.
///
/// An observer of a check forwards `sample_every` and `sample` to it.
#[derive(Debug)]
pub struct Samples {
    most: usize,
    rows: Mutex<Rows>,
}

#[derive(Debug)]
struct Rows {
    apart: u64,
    kept: Vec<Sample>,
}

impl Samples {
    /// Keeps at most so many samples, and never fewer than half of them once there were that many.
    pub fn new(most: usize) -> Samples {
        Samples { most: most.max(2), rows: Mutex::new(Rows { apart: EVERY, kept: Vec::new() }) }
    }

    /// After how many transitions a worker is to give a sample.
    pub fn every(&self) -> u64 {
        EVERY
    }

    /// Takes a sample.
    pub fn take(&self, sample: &Sample) {
        let mut rows = self.rows.lock().expect("no holder panics");
        let last = rows.kept.last().map_or(0, |last| last.transitions);
        // A search that begins again is another one. Workers may overtake each other on the way here.
        if sample.transitions * 2 < last {
            *rows = Rows { apart: EVERY, kept: Vec::new() };
        } else if !rows.kept.is_empty() && sample.transitions < last + rows.apart {
            return;
        }
        rows.kept.push(*sample);
        if rows.kept.len() == self.most {
            let mut nth = 0;
            rows.kept.retain(|_| {
                nth += 1;
                nth % 2 == 0
            });
            rows.apart *= 2;
        }
    }

    /// The samples of the last search, in order.
    pub fn rows(&self) -> Vec<Sample> {
        self.rows.lock().expect("no holder panics").kept.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transitions(samples: &Samples) -> Vec<u64> {
        samples.rows().iter().map(|sample| sample.transitions).collect()
    }

    fn search(samples: &Samples, transitions: u64) {
        for at in (EVERY..=transitions).step_by(EVERY as usize) {
            samples.take(&Sample { transitions: at, ..Sample::default() });
        }
    }

    #[test]
    fn samples_stay_few_and_evenly_spread() {
        let samples = Samples::new(8);
        search(&samples, 5 * EVERY);
        assert_eq!(transitions(&samples), (1..=5).map(|n| n * EVERY).collect::<Vec<_>>());
        let samples = Samples::new(8);
        search(&samples, 1000 * EVERY);
        let rows = transitions(&samples);
        assert!((4..8).contains(&rows.len()), "{rows:?}");
        let apart: Vec<u64> = rows.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(apart.iter().all(|&apart| apart == 128 * EVERY), "{rows:?}");
    }

    #[test]
    fn search_that_begins_again_is_another_one() {
        let samples = Samples::new(100);
        search(&samples, 50 * EVERY);
        search(&samples, 3 * EVERY);
        assert_eq!(transitions(&samples), [EVERY, 2 * EVERY, 3 * EVERY]);
    }
}
