//! Exact numbers of executions of the programs that reductions are measured on.

use sojourner_search::*;
use sojourner_testkit::threads::*;

fn explored<C: Code>(code: C, mode: Reduction, workers: usize) -> Tally {
    let settings = Settings { workers, ..Settings::new(Strategy::plain(Shape::Dpor(mode))) };
    let outcome = explore_stateless(&Threaded::new(code), &settings, &Halt::new(), &Unobserved).unwrap();
    assert!(outcome.reasons.is_empty() && outcome.fault.is_none(), "{outcome:?}");
    assert!(outcome.found.is_empty(), "{:?}", outcome.found);
    outcome.tally
}

/// Every mode runs that many inequivalent executions, on any number of workers; those that plan together none twice, and
/// the optimal one begins none in vain.
fn counts<C: Code>(code: impl Fn() -> C, executions: u64) {
    for mode in Reduction::ALL {
        for workers in [1, 2, 4] {
            let tally = explored(code(), mode, workers);
            let how = format!("{mode} on {workers}");
            assert_eq!(tally.executions - tally.redundant_executions, executions, "{how}");
            if workers == 1 || matches!(mode, Reduction::Source | Reduction::Optimal) {
                assert_eq!(tally.redundant_executions, 0, "{how}");
            }
            if mode == Reduction::Optimal {
                assert_eq!((tally.executions, tally.blocked_executions), (executions, 0), "{how}");
            }
        }
    }
}

/// Only the optimal mode, on one worker: for programs with many executions.
fn counts_of_optimal<C: Code>(code: C, executions: u64) {
    let tally = explored(code, Reduction::Optimal, 1);
    assert_eq!((tally.executions, tally.blocked_executions), (executions, 0));
}

#[test]
fn figure_7() {
    counts(|| Counter { threads: 3, rounds: 1, adds: false }, 6);
}

/// The paper's Figure 2, read literally, runs three of these.
#[test]
fn two_readers() {
    counts(|| TwoReaders, 4);
}

#[test]
fn counter() {
    counts(|| Counter { threads: 3, rounds: 3, adds: true }, 1680);
}

#[test]
fn indexer() {
    for (threads, executions) in [(12, 8), (13, 64), (14, 512)] {
        counts(|| Indexer { threads }, executions);
    }
    counts_of_optimal(Indexer { threads: 15 }, 4096);
}

#[test]
fn fsbench() {
    counts(|| Fsbench { threads: 18 }, 32);
}

#[test]
fn readers() {
    counts(|| Readers { readers: 8 }, 256);
}

#[test]
fn last_zero() {
    counts(|| LastZero { elements: 5 }, 64);
    counts_of_optimal(LastZero { elements: 10 }, 3328);
}

#[test]
fn bounded_buffer() {
    // A ring of three has room for two.
    counts(|| BoundedBuffer { each: 2, capacity: 2, any: false }, 48);
    counts_of_optimal(BoundedBuffer { each: 3, capacity: 2, any: false }, 5076);
}

/// One thread takes two locks at once; of two others each takes one of them, and the second gives it back only when the first has
/// said that it has its own.
struct HeldMeanwhile;

impl Code for HeldMeanwhile {
    fn threads(&self) -> usize {
        3
    }

    fn variables(&self) -> usize {
        1
    }

    fn locks(&self) -> usize {
        3
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        use Operation::*;
        let code: &[Operation] = match thread {
            0 => &[LockSeveral(0b011), Unlock(0), Unlock(1)],
            // What it says is that it has ended.
            1 => &[Lock(0), Unlock(0), Exit],
            _ => &[Lock(1), Join(1), Unlock(1)],
        };
        code.get(usize::from(local.at)).copied().unwrap_or(End)
    }
}

#[test]
fn several_locks_at_once() {
    // Before both, between them, or behind both: where only one of them has been given back there is no room.
    counts(|| HeldMeanwhile, 3);
}

#[test]
#[ignore = "takes half a minute: run with --release"]
fn large_ones() {
    counts_of_optimal(Fsbench { threads: 26 }, 8192);
    counts_of_optimal(Indexer { threads: 16 }, 32_768);
    counts_of_optimal(Aget { workers: 5 }, 113_400);
    counts(|| Fsbench { threads: 26 }, 8192);
    counts(|| BoundedBuffer { each: 3, capacity: 2, any: false }, 5076);
}
