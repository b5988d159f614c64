//! Searches by states go on from copies of earlier states. If a part of the state is missing in them, that is noticed, and the search
//! comes to the same without them.

mod common;

use common::compiled;
use sojourner_native::{Exploration, NativeProgram};
use sojourner_native_rt::protocol::Unkept;
use sojourner_search::{Endless, Halt, Outcome, Settings, Shape, Strategy, Unobserved, explore_fingerprints};

/// Programs whose states are compared, with flags.
const PROGRAMS: [(&str, &str); 6] = [
    ("/counter.c", "-DTHREADS=2 -DROUNDS=20"),
    ("/bbuf.c", "-DPRODUCERS=2 -DCONSUMERS=2"),
    ("/philosophers.c", ""),
    ("/cache.cpp", ""),
    ("thread_data.c", ""),
    ("/work_stealing.c", ""),
];

fn by_states(subject: &NativeProgram) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    settings.endless = Endless::Found;
    settings.budget.states = Some(4000);
    explore_fingerprints(subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit")
}

/// Searches all programs, with that part missing in checkpoints. In how many that was noticed.
fn noticed(unkept: Unkept) -> usize {
    let mut noticed = 0;
    for (name, flags) in PROGRAMS {
        let compiled = compiled(name, flags);
        let subject = || NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
        let whole = subject();
        let expected = by_states(&whole);
        assert!(!whole.has_lost_checkpoints(), "{name} {flags}");
        let subject = subject().leaving_out(unkept);
        let outcome = by_states(&subject);
        let counts = |outcome: &Outcome| {
            let tally = &outcome.tally;
            (tally.states, tally.transitions, tally.max_depth, outcome.found.len(), outcome.fault.is_some())
        };
        assert_eq!(
            counts(&outcome),
            counts(&expected),
            "{name} {flags}: {outcome:?} instead of {expected:?}"
        );
        noticed += usize::from(subject.has_lost_checkpoints());
    }
    noticed
}

#[test]
fn nothing_is_missing() {
    assert_eq!(noticed(Unkept::Nothing), 0);
}

#[test]
fn missing_data_is_noticed() {
    assert!(noticed(Unkept::Data) >= 5);
}

#[test]
fn missing_heap_is_noticed() {
    assert!(noticed(Unkept::Heap) >= 1);
}

#[test]
fn missing_thread_local_storage_is_noticed() {
    assert!(noticed(Unkept::Storage) >= 1);
}

#[test]
fn missing_calls_are_noticed() {
    assert!(noticed(Unkept::Calls) >= 1);
}
