//! The oracle by itself, on programs whose ends are known.

use crate::oracle::ends;
use crate::program::{
    Compared, Comparison, Condition, Local, Monitor, Operand, Place, Pointer, Program, Statement,
};
use std::collections::BTreeSet;

const ONE: Operand = Operand::Number(1);

/// Two threads with these bodies, which the main thread starts and joins.
fn two(first: Vec<Statement>, second: Vec<Statement>) -> Program {
    let main = vec![Statement::Start(1), Statement::Start(2), Statement::Join(1), Statement::Join(2)];
    Program { threads: vec![main, first, second] }
}

/// What something of the ends can be; `None` stands for threads that are stuck.
fn all<T: Ord>(program: &Program, of: impl Fn(&crate::oracle::End) -> T) -> BTreeSet<Option<T>> {
    let ends = ends(program, 100_000).expect("a small program");
    ends.iter().map(|end| (!end.stuck).then(|| of(end))).collect()
}

fn locked(monitor: Monitor, body: Vec<Statement>) -> Vec<Statement> {
    vec![Statement::Synchronized(monitor, body)]
}

#[test]
fn an_update_without_protection_can_be_lost() {
    let add = || vec![Statement::Add(Place::A, 1)];
    assert_eq!(all(&two(add(), add()), |end| end.numbers[0]), BTreeSet::from([Some(1), Some(2)]));
}

#[test]
fn no_update_is_lost_under_one_monitor() {
    let add = || locked(Monitor::M, vec![Statement::Add(Place::A, 1)]);
    assert_eq!(all(&two(add(), add()), |end| end.numbers[0]), BTreeSet::from([Some(2)]));
}

#[test]
fn two_monitors_protect_nothing() {
    let add = |monitor| locked(monitor, vec![Statement::Add(Place::A, 1)]);
    let program = two(add(Monitor::M), add(Monitor::N));
    assert_eq!(all(&program, |end| end.numbers[0]), BTreeSet::from([Some(1), Some(2)]));
}

#[test]
fn atomic_operations_are_indivisible() {
    let add = || vec![Statement::GetAndAdd(Local::X, 1)];
    assert_eq!(all(&two(add(), add()), |end| end.numbers[3]), BTreeSet::from([Some(2)]));
    let update = || vec![Statement::Update(Local::X, 1)];
    assert_eq!(all(&two(update(), update()), |end| end.numbers[3]), BTreeSet::from([Some(2)]));
    let set = || {
        vec![
            Statement::Get(Local::X),
            Statement::Assign(Local::X, Operand::Local(Local::X), 1),
            Statement::Set(Operand::Local(Local::X)),
        ]
    };
    assert_eq!(all(&two(set(), set()), |end| end.numbers[3]), BTreeSet::from([Some(1), Some(2)]));
}

#[test]
fn one_of_two_that_compare_and_set_succeeds() {
    let set = || vec![Statement::CompareAndSet(Local::X, Operand::Number(0), ONE)];
    let results = all(&two(set(), set()), |end| (end.results[1], end.results[2]));
    assert_eq!(results, BTreeSet::from([Some((1000, 0)), Some((0, 1000))]));
}

#[test]
fn opposite_orders_of_monitors_can_deadlock() {
    let both = |first, second| locked(first, locked(second, vec![Statement::Add(Place::A, 1)]));
    let same = two(both(Monitor::M, Monitor::N), both(Monitor::M, Monitor::N));
    assert_eq!(all(&same, |end| end.numbers[0]), BTreeSet::from([Some(2)]));
    let opposite = two(both(Monitor::M, Monitor::N), both(Monitor::N, Monitor::M));
    assert_eq!(all(&opposite, |end| end.numbers[0]), BTreeSet::from([None, Some(2)]));
}

#[test]
fn a_monitor_can_be_taken_again_by_its_owner() {
    let twice = || {
        let inner = locked(Monitor::M, vec![Statement::Add(Place::A, 1)]);
        locked(Monitor::M, [inner, vec![Statement::Add(Place::A, 1)]].concat())
    };
    assert_eq!(all(&two(twice(), twice()), |end| end.numbers[0]), BTreeSet::from([Some(4)]));
}

#[test]
fn store_buffering_does_not_happen() {
    let side = |write, read| vec![Statement::Write(write, ONE), Statement::Read(Local::X, read)];
    let results =
        all(&two(side(Place::A, Place::B), side(Place::B, Place::A)), |end| (end.results[1], end.results[2]));
    assert_eq!(results, BTreeSet::from([Some((0, 1000)), Some((1000, 0)), Some((1000, 1000))]));
}

#[test]
fn a_notification_can_be_lost() {
    let wait = locked(Monitor::M, vec![Statement::Wait(Monitor::M)]);
    let notify = locked(Monitor::M, vec![Statement::Notify(Monitor::M)]);
    assert_eq!(all(&two(wait, notify), |_| ()), BTreeSet::from([None, Some(())]));
}

#[test]
fn wait_in_loop_loses_no_notification() {
    let unset = Condition { left: Compared::Place(Place::A), comparison: Comparison::Equal, right: 0 };
    let wait = locked(
        Monitor::M,
        locked(
            Monitor::M,
            vec![Statement::WaitWhile(Monitor::M, unset), Statement::Read(Local::X, Place::A)],
        ),
    );
    let notify = locked(
        Monitor::M,
        vec![
            Statement::Write(Place::A, ONE),
            Statement::Notify(Monitor::M),
            Statement::Write(Place::A, Operand::Number(2)),
        ],
    );
    assert_eq!(all(&two(wait, notify), |end| end.results[1]), BTreeSet::from([Some(2000)]));
}

#[test]
fn any_waiter_can_be_the_one_that_is_woken() {
    let wait = |place| {
        [locked(Monitor::M, vec![Statement::Wait(Monitor::M)]), vec![Statement::Write(place, ONE)]].concat()
    };
    let notify = locked(Monitor::M, vec![Statement::Notify(Monitor::M)]);
    let main = [vec![Statement::Start(1), Statement::Start(2)], notify].concat();
    let program = Program { threads: vec![main, wait(Place::A), wait(Place::B)] };
    let ends = ends(&program, 100_000).unwrap();
    let written: BTreeSet<_> = ends.iter().map(|end| (end.numbers[0], end.numbers[1])).collect();
    assert_eq!(written, BTreeSet::from([(0, 0), (0, 1), (1, 0)]));
    assert!(ends.iter().all(|end| end.stuck));
}

#[test]
fn a_timed_wait_always_ends_and_may_take_the_notification() {
    let timed = locked(Monitor::M, vec![Statement::WaitTimed(Monitor::M)]);
    let alone = Program { threads: vec![timed.clone()] };
    assert_eq!(all(&alone, |_| ()), BTreeSet::from([Some(())]));
    let untimed = locked(Monitor::M, vec![Statement::Wait(Monitor::M), Statement::Write(Place::A, ONE)]);
    let notify = locked(Monitor::M, vec![Statement::Write(Place::B, ONE), Statement::Notify(Monitor::M)]);
    let main = [vec![Statement::Start(1), Statement::Start(2)], notify].concat();
    let program = Program { threads: vec![main, timed, untimed] };
    assert_eq!(all(&program, |end| end.numbers), BTreeSet::from([None, Some([1, 1, 0, 0])]));
}

#[test]
fn a_permit_is_kept_but_two_are_one() {
    let park = vec![Statement::Park; 2];
    let unpark = |times| {
        let main = [vec![Statement::Start(1)], vec![Statement::Unpark(1); times]].concat();
        all(&Program { threads: vec![main, park.clone()] }, |_| ())
    };
    assert_eq!(unpark(1), BTreeSet::from([None]));
    assert_eq!(unpark(2), BTreeSet::from([None, Some(())]));
}

#[test]
fn an_interrupt_is_seen_once() {
    let ask = vec![Statement::Interrupted(Local::X), Statement::Interrupted(Local::Y)];
    let main = vec![Statement::Start(1), Statement::Interrupt(1)];
    let results = all(&Program { threads: vec![main, ask] }, |end| end.results[1]);
    assert_eq!(results, BTreeSet::from([Some(0), Some(1), Some(1000)]));
}

#[test]
fn everyone_who_waits_is_woken() {
    let wait = || locked(Monitor::M, vec![Statement::Wait(Monitor::M)]);
    let notify = locked(Monitor::M, vec![Statement::NotifyAll(Monitor::M)]);
    let main = [vec![Statement::Start(1), Statement::Start(2)], notify].concat();
    let program = Program { threads: vec![main, wait(), wait()] };
    assert_eq!(all(&program, |_| ()), BTreeSet::from([None, Some(())]));
}

#[test]
fn a_final_field_is_seen_unset_only_if_its_object_escapes() {
    let read = || vec![Statement::Take(Pointer::P), Statement::Read(Local::X, Place::InHandFinal)];
    // A thread that has read nothing keeps its own number.
    let unread = Some(3000);
    let safe = two(vec![Statement::New(ONE), Statement::Publish(Pointer::P)], read());
    assert_eq!(all(&safe, |end| end.results[2]), BTreeSet::from([unread, Some(1000)]));
    let escaping = two(vec![Statement::NewEscaping(ONE)], read());
    assert_eq!(all(&escaping, |end| end.results[2]), BTreeSet::from([unread, Some(0), Some(1000)]));
}

#[test]
fn two_pointers_to_one_object_are_not_two_objects() {
    let make = vec![Statement::New(ONE), Statement::Publish(Pointer::P)];
    let mut main = make.clone();
    main.push(Statement::Publish(Pointer::Q));
    let one = ends(&Program { threads: vec![main.clone()] }, 100).unwrap();
    main.splice(2..2, make);
    main.remove(3);
    let other = ends(&Program { threads: vec![main] }, 100).unwrap();
    assert!(one.iter().all(|end| end.same) && other.iter().all(|end| !end.same));
}

#[test]
fn a_thread_that_spins_for_ever_comes_to_no_end() {
    let unset = Condition { left: Compared::Place(Place::A), comparison: Comparison::Equal, right: 0 };
    let spin = Statement::Spin(unset);
    assert_eq!(ends(&Program { threads: vec![vec![spin.clone()]] }, 100), Some(BTreeSet::new()));
    let program = two(vec![spin], vec![Statement::Write(Place::A, ONE)]);
    assert_eq!(all(&program, |end| end.numbers[0]), BTreeSet::from([Some(1)]));
}

#[test]
fn only_a_thread_that_was_started_is_waited_for() {
    let main = vec![Statement::Join(1), Statement::Read(Local::X, Place::A), Statement::Start(1)];
    let program = Program { threads: vec![main, vec![Statement::Write(Place::A, ONE)]] };
    assert_eq!(all(&program, |end| end.results[0]), BTreeSet::from([Some(0)]));
}

#[test]
fn an_assertion_fails_where_its_value_can_be_another_one() {
    let holds =
        |left, right| vec![Statement::Assert(Condition { left, comparison: Comparison::Equal, right }, 7)];
    let failed = |program: &Program| {
        let ends = ends(program, 100_000).expect("a small program");
        ends.iter().map(|end| end.failed).collect::<BTreeSet<_>>()
    };
    let read = holds(Compared::Place(Place::A), 0);
    let written = two(read.clone(), vec![Statement::Write(Place::A, ONE)]);
    assert_eq!(failed(&written), BTreeSet::from([None, Some(7)]));
    assert_eq!(failed(&two(read, vec![])), BTreeSet::from([None]));
    // Whoever fails gives back its monitors, so that others go on.
    let never = locked(Monitor::M, holds(Compared::Local(Local::X), 0));
    let other = Statement::Assert(
        Condition { left: Compared::Local(Local::X), comparison: Comparison::Equal, right: 0 },
        8,
    );
    let behind = locked(Monitor::M, vec![other]);
    let main = locked(Monitor::M, [vec![Statement::Start(1)], never].concat());
    assert_eq!(failed(&Program { threads: vec![main, behind] }), BTreeSet::from([Some(7), Some(8)]));
}
