//! Programs whose threads take one lock again and again have far more executions than states: they are proven by states. What
//! does not show in states is left to a reduction.

mod common;

use common::compiled;
use sojourner_native::{Exploration, NativeProgram};
use sojourner_program::Kind;
use sojourner_search::{
    Endless, Halt, Outcome, Reason, Settings, Shape, Sight, Strategy, Ties, Unobserved, explore_fingerprints,
};

fn by_states(name: &str, flags: &str) -> Outcome {
    in_order(name, flags, Shape::DepthFirst)
}

fn in_order(name: &str, flags: &str, shape: Shape) -> Outcome {
    let program = compiled(name, flags);
    let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
    let mut settings = Settings::new(Strategy::plain(shape));
    settings.endless = Endless::Found;
    let outcome =
        explore_fingerprints(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    assert!(outcome.fault.is_none(), "{name} {flags}: {:?}", outcome.fault);
    outcome
}

#[test]
fn threads_that_take_one_lock_again_and_again_are_proven() {
    for (name, flags) in [
        // As many as 12! / 4!^3 executions, and 10,584.
        ("/counter.c", "-DROUNDS=4"),
        ("/bbuf.c", "-DPRODUCERS=3 -DCONSUMERS=3"),
        ("/philosophers.c", ""),
        ("semaphore.c", ""),
        ("rwlock.c", ""),
        ("barrier.c", ""),
        ("sharing.c", "-DREADERS=2 -DWRITERS=2"),
        ("spin.c", ""),
    ] {
        let outcome = by_states(name, flags);
        assert!(outcome.found.is_empty() && outcome.reasons.is_empty(), "{name} {flags}: {outcome:?}");
        assert!(outcome.tally.states > 10, "{name} {flags}");
    }
}

#[test]
fn every_order_comes_to_the_same_states() {
    let orders = [Shape::BreadthFirst(None), Shape::best_first(Ties::Age), Shape::best_first(Ties::Random)];
    for (name, flags) in [
        ("/counter.c", "-DROUNDS=2"),
        ("/bbuf.c", "-DPRODUCERS=2 -DCONSUMERS=2"),
        ("/philosophers.c", ""),
        ("semaphore.c", ""),
        ("rwlock.c", ""),
        ("spin.c", ""),
        ("back_off.c", ""),
        ("race.c", ""),
    ] {
        let deep = by_states(name, flags);
        for shape in orders {
            let other = in_order(name, flags, shape);
            assert!(other.found.is_empty(), "{name} {flags} {shape}: {:?}", other.found);
            assert_eq!(other.reasons, deep.reasons, "{name} {flags} {shape}");
            let counts = |outcome: &Outcome| (outcome.tally.states, outcome.tally.transitions);
            // What lies behind a state that is left to a reduction may be come to by another way.
            let all = deep.reasons.iter().all(|reason| matches!(reason, Reason::Overlooked(_)));
            assert!(
                !all || counts(&other) == counts(&deep),
                "{name} {flags} {shape}: {:?} {:?}",
                other.tally,
                deep.tally
            );
        }
    }
    for (name, flags, expected) in [
        ("/philosophers.c", "-DBROKEN", Kind::Deadlock),
        ("/bbuf.c", "-DBROKEN", Kind::Assertion),
        ("lost_signal.c", "", Kind::Deadlock),
    ] {
        for shape in orders {
            let outcome = in_order(name, flags, shape);
            let found: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
            assert_eq!(found, [expected], "{name} {flags} {shape}: {:?}", outcome.reasons);
        }
    }
}

#[test]
fn property_of_a_state_is_checked() {
    for (name, flags, expected) in [
        ("/philosophers.c", "-DBROKEN", Kind::Deadlock),
        ("/bbuf.c", "-DBROKEN", Kind::Assertion),
        ("lost_signal.c", "", Kind::Deadlock),
        ("/barber.c", "-DCUSTOMERS=1 -DBROKEN", Kind::Deadlock),
    ] {
        let outcome = by_states(name, flags);
        let found: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
        assert_eq!(found, [expected], "{name} {flags}: {:?}", outcome.reasons);
    }
}

#[test]
fn defects_invisible_in_states_are_left_to_reduction() {
    let outcome = by_states("race.c", "");
    assert!(outcome.found.is_empty(), "{:?}", outcome.found);
    let [Reason::LeftOut(what)] = outcome.reasons[..] else { panic!("{:?}", outcome.reasons) };
    assert!(what.starts_with("races"), "{what}");
}

#[test]
fn attempts_that_fail_leave_races_to_a_reduction() {
    let outcome = by_states("back_off.c", "");
    assert!(outcome.found.is_empty(), "{:?}", outcome.found);
    let [Reason::Overlooked(what)] = outcome.reasons[..] else { panic!("{:?}", outcome.reasons) };
    assert!(what.starts_with("races"), "{what}");
    assert_eq!(outcome.endless, Sight::Clear);
}
