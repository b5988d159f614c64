//! The models' exact counts, for every store that is exact, depth-first, breadth-first and best-first, on one and two threads.
//! The larger instances are in the benchmark.

mod common;

use common::*;
use sojourner_model::{Checked, Model};
use sojourner_models::{self as models, Visit};
use sojourner_search::*;

struct Count;

impl Visit for Count {
    type Out = Vec<(String, Outcome)>;

    fn visit<M: Model>(self, model: M) -> Self::Out {
        let load = Checked::new(model);
        let mut outcomes = Vec::new();
        for store in STORES {
            for shape in SHARED {
                for workers in [1, 2] {
                    let settings = Settings { store, workers, ..settings(shape) };
                    outcomes.push((format!("{shape} {store:?} {workers}"), run(&load, &settings)));
                }
            }
        }
        outcomes
    }
}

fn counts(model: &str, parameters: &str, states: u64, transitions: Option<u64>, found: usize) {
    let parameters: Vec<String> = parameters.split(',').map(String::from).collect();
    for (how, outcome) in models::with(model, &parameters, Count).unwrap() {
        assert_eq!(outcome.tally.states, states, "states of {model} by {how}");
        if let Some(transitions) = transitions {
            assert_eq!(outcome.tally.transitions, transitions, "transitions of {model} by {how}");
        }
        assert_eq!(outcome.found.len(), found, "findings of {model} by {how}");
        assert_eq!(outcome.store.as_ref().map(|store| store.states), Some(states));
        assert!(outcome.reasons.is_empty());
    }
}

#[test]
fn grid() {
    counts("grid", "counters=4,values=8", 4096, Some(4 * 7 * 512), 0);
}

#[test]
fn philosophers() {
    counts("phil", "n=9,fair=true", 19_683, None, 0);
    // One state fewer, and the deadlock.
    counts("phil", "n=9,fair=false", 19_682, None, 1);
}

#[test]
fn peterson() {
    counts("peterson", "n=3", 12_498, Some(33_369), 0);
}

#[test]
fn two_phase_commit() {
    counts("twophase", "n=7", 296_448, Some(2_744_705), 0);
}

#[test]
fn bounded_buffer() {
    counts("buffer", "threads=6,items=3,all=true", 48_088, None, 0);
    counts("buffer", "threads=6,items=3,all=false", 321_234, None, 1);
    counts("buffer", "threads=8,items=2,all=true", 131_071, None, 0);
}
