//! Footprints are complete: independent steps commute, and neither enables nor disables the other.

use sojourner_model::{Checked, Model};
use sojourner_models::{self as models, Visit};
use sojourner_program::{Choice, Detail, Encode, Fault, Footprint, Load, Program, Status, Step, dependent};
use sojourner_testkit::RandomSystem;
use sojourner_testkit::oracle::wire;
use std::collections::BTreeSet;

/// The state after the choices, and whether the last one failed; nothing if one of them is not enabled.
fn after<P: Encode>(program: &mut P, choices: &[Choice]) -> Option<(Vec<u8>, bool)> {
    let depth = program.depth();
    let mut step = Step::new(Detail::Words);
    let mut failed = false;
    let mut outcome = Some(());
    for &choice in choices {
        match program.step(choice, &mut step) {
            Ok(()) => failed |= step.finding.is_some(),
            Err(Fault::Diverged { .. }) => outcome = None,
            Err(fault) => panic!("{fault}"),
        }
    }
    let state = wire(program);
    program.rewind(depth).unwrap();
    outcome.map(|()| (state, failed))
}

/// Checks every pair of steps of different threads in at most `limit` states, and every blocked thread.
fn commute<M: Model>(model: M, limit: usize) {
    let load = Checked::new(model);
    let mut program = load.open().unwrap();
    let mut seen = BTreeSet::from([wire(&mut program)]);
    let mut queue = vec![program.here()];
    while let Some(place) = queue.pop() {
        program.go(&place).unwrap();
        let mut choices = Vec::new();
        program.choices(&mut choices);
        let mut threads = Vec::new();
        program.threads(&mut threads);
        let mut step = Step::new(Detail::Footprint);
        let mut footprints: Vec<Footprint> = Vec::new();
        for &choice in &choices {
            program.step(choice, &mut step).unwrap();
            footprints.push(step.footprint.clone());
            if step.finding.is_none() && seen.len() < limit && seen.insert(wire(&mut program)) {
                queue.push(program.here());
            }
            let mut next = Vec::new();
            program.choices(&mut next);
            // What a step leaves alone it neither enables nor disables; nor does it change what the others may do.
            for thread in threads.iter().filter(|thread| thread.id != choice.thread) {
                if step.finding.is_none() && !dependent(&step.footprint, &thread.pending) {
                    let of = |choices: &[Choice]| {
                        choices.iter().filter(|c| c.thread == thread.id).copied().collect()
                    };
                    let (before, now): (Vec<Choice>, Vec<Choice>) = (of(&choices), of(&next));
                    assert_eq!(before, now, "{choice:?} changes what {:?} may do", thread.id);
                }
            }
            program.rewind(0).unwrap();
        }
        for thread in &threads {
            let ready = choices.iter().any(|choice| choice.thread == thread.id);
            assert_eq!(thread.status == Status::Ready, ready);
        }
        for (i, &a) in choices.iter().enumerate() {
            for (j, &b) in choices.iter().enumerate().skip(i + 1) {
                if a.thread != b.thread && !dependent(&footprints[i], &footprints[j]) {
                    assert_eq!(after(&mut program, &[a, b]), after(&mut program, &[b, a]), "{a:?} and {b:?}");
                }
            }
        }
    }
}

struct Commute;

impl Visit for Commute {
    type Out = ();

    fn visit<M: Model>(self, model: M) {
        commute(model, 3000);
    }
}

#[test]
fn independent_steps_of_models_commute() {
    let small = [
        ("grid", "counters=3,values=4"),
        ("phil", "n=5,fair=false"),
        ("phil", "n=4"),
        ("peterson", "n=3"),
        ("twophase", "n=3"),
        ("buffer", "threads=4,items=2"),
        ("buffer", "threads=4,items=2,all=true"),
        ("dekker", ""),
        ("dekker", "polite=false"),
        ("bakery", "n=2,rounds=2"),
        ("bakery", "n=3,choosing=false"),
        ("readers-writers", "atomic=false"),
        ("readers-writers", ""),
        ("abp", ""),
    ];
    for (name, parameters) in small {
        models::with(name, &[parameters.to_owned()], Commute).unwrap();
    }
}

#[test]
fn independent_steps_of_random_systems_commute() {
    for seed in 0..150 {
        commute(RandomSystem::any(seed), 400);
    }
}
