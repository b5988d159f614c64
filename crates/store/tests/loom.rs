//! The lock-free code under Loom, which runs every interleaving of a few threads, and every value that a relaxed load
//! may see, up to a number of preemptions.
//!
//! In this build tables start with four slots. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p sojourner-store --test loom --release`.
#![cfg(loom)]

use loom::sync::Arc;
use sojourner_program::Encoded;
use sojourner_store::{Key, Opened, Options, Pools, Seat, Seen, Store, StoreKind, open};

/// Enough to find every defect that was ever put in on purpose.
const PREEMPTIONS: usize = 4;

/// Runs `test` in every interleaving.
fn check(test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS);
    model.check(test);
}

fn opened(kind: StoreKind, depths: bool) -> Arc<Opened> {
    Arc::new(open(&Options { depths, ..Options::new(kind, 2) }).expect("these options make sense"))
}

fn insert(store: &Opened, seat: &mut Seat, number: u32, depth: u32) -> Seen {
    match store.wants() {
        sojourner_store::Wants::Encoding => store.insert(seat, Key::Encoded(&encoded(number)), depth),
        _ => store.insert(seat, Key::Fingerprint(u128::from(number) << 100 | u128::from(number)), depth),
    }
}

/// A state of three components, one of which is too long for a reference.
fn encoded(number: u32) -> Encoded {
    let mut state = Encoded::new();
    state.put(0, &number.to_le_bytes());
    state.put(0, b"a");
    state.put(1, b"b");
    state
}

/// Two workers insert their numbers, after `before` were inserted. Each number is new to one of them, and known to the
/// store afterwards.
fn each_is_new_once(kind: StoreKind, before: &'static [u32], numbers: [&'static [u32]; 2]) {
    check(move || {
        let store = opened(kind, false);
        let (mut seat, mut others) = (store.seat(), store.seat());
        for &number in before {
            assert_eq!(insert(&store, &mut seat, number, 0), Seen::New);
        }
        let news = |store: &Opened, seat: &mut Seat, numbers: &[u32]| {
            numbers.iter().filter(|&&number| insert(store, seat, number, 0) == Seen::New).count()
        };
        let other = {
            let store = store.clone();
            loom::thread::spawn(move || news(&store, &mut others, numbers[1]))
        };
        let count = news(&store, &mut seat, numbers[0]) + other.join().unwrap();
        let mut all: Vec<u32> = numbers.concat();
        all.sort();
        all.dedup();
        assert_eq!(count, all.len());
        for &number in before.iter().chain(&all) {
            assert_eq!(insert(&store, &mut seat, number, 0), Seen::Again, "{number}");
        }
        assert_eq!(store.states(), (before.len() + all.len()) as u64);
    });
}

const KINDS: [StoreKind; 3] = [StoreKind::Compact, StoreKind::Exact, StoreKind::Collapse];

#[test]
fn one_key_is_new_to_one_worker() {
    for kind in KINDS {
        each_is_new_once(kind, &[9], [&[1], &[1]]);
    }
}

#[test]
fn two_keys_are_new_to_one_worker_each() {
    for kind in KINDS {
        each_is_new_once(kind, &[9], [&[1, 2], &[2, 1]]);
    }
}

#[test]
fn keys_of_one_home_do_not_hide_each_other() {
    // The high halves of these fingerprints add up with the low ones to the same first word.
    check(|| {
        let store = opened(StoreKind::Compact, false);
        let (mut seat, mut others) = (store.seat(), store.seat());
        let keys = [1u128 << 64 | 1, 2];
        assert_eq!(store.insert(&mut seat, Key::Fingerprint(77), 0), Seen::New);
        let other = {
            let store = store.clone();
            loom::thread::spawn(move || keys.map(|key| store.insert(&mut others, Key::Fingerprint(key), 0)))
        };
        let mine = keys.map(|key| store.insert(&mut seat, Key::Fingerprint(key), 0));
        for (mine, theirs) in mine.into_iter().zip(other.join().unwrap()) {
            assert!(
                matches!((mine, theirs), (Seen::New, Seen::Again) | (Seen::Again, Seen::New)),
                "{mine:?} {theirs:?}"
            );
        }
    });
}

#[test]
fn nothing_is_lost_while_a_table_grows() {
    // The first insertion allocates; the third of four slots makes the table grow while the other worker inserts.
    each_is_new_once(StoreKind::Compact, &[8, 9], [&[1], &[2]]);
    each_is_new_once(StoreKind::Compact, &[8, 9], [&[1], &[1]]);
    each_is_new_once(StoreKind::Compact, &[], [&[1], &[2]]);
    each_is_new_once(StoreKind::Compact, &[8], [&[1, 2], &[2, 3]]);
    each_is_new_once(StoreKind::Exact, &[8, 9], [&[1], &[2]]);
    each_is_new_once(StoreKind::Collapse, &[8, 9], [&[1], &[1]]);
}

#[test]
fn the_least_depth_stays_when_two_lower_it() {
    check(|| {
        let store = opened(StoreKind::Compact, true);
        let (mut seat, mut others) = (store.seat(), store.seat());
        assert_eq!(insert(&store, &mut seat, 1, 9), Seen::New);
        let other = {
            let store = store.clone();
            loom::thread::spawn(move || insert(&store, &mut others, 1, 5))
        };
        let mine = insert(&store, &mut seat, 1, 4);
        assert_eq!(mine, Seen::Shallower);
        let theirs = other.join().unwrap();
        assert!(matches!(theirs, Seen::Shallower | Seen::Again), "{theirs:?}");
        assert_eq!(insert(&store, &mut seat, 1, 4), Seen::Again);
        assert_eq!(insert(&store, &mut seat, 1, 3), Seen::Shallower);
    });
}

#[test]
fn a_new_state_may_be_found_shallower_at_once() {
    check(|| {
        let store = opened(StoreKind::Compact, true);
        let (mut seat, mut others) = (store.seat(), store.seat());
        assert_eq!(insert(&store, &mut seat, 7, 0), Seen::New);
        let other = {
            let store = store.clone();
            loom::thread::spawn(move || insert(&store, &mut others, 1, 5))
        };
        let both = (insert(&store, &mut seat, 1, 4), other.join().unwrap());
        assert!(matches!(both, (Seen::New, Seen::Again) | (Seen::Shallower, Seen::New)), "{both:?}");
    });
}

#[test]
fn workers_agree_on_a_root_and_can_expand_it() {
    check(|| {
        let pools = Arc::new(Pools::new(&[], 2, None));
        let (mut seat, mut others) = (pools.seat(), pools.seat());
        pools.intern(&mut seat, &encoded(9));
        let other = {
            let pools = pools.clone();
            loom::thread::spawn(move || pools.intern(&mut others, &encoded(1)))
        };
        let root = pools.intern(&mut seat, &encoded(1)).expect("there is no limit");
        let mut back = Encoded::new();
        pools.expand(root, &mut back);
        assert_eq!(back, encoded(1));
        assert_eq!(other.join().unwrap(), Some(root));
    });
}
