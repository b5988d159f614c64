//! A store is a set: `New` once, `Again` ever after.

use super::*;
use sojourner_program::Random;
use std::collections::HashSet;
use std::sync::Barrier;

proptest! {
    #[test]
    fn a_state_is_new_once(states in states(400), depths: bool) {
        for kind in EXACT {
            let (store, mut seat) = alone(kind, depths);
            let mut seen = HashSet::new();
            for parts in &states {
                let expected = if seen.insert(parts) { Seen::New } else { Seen::Again };
                prop_assert_eq!(insert(&store, &mut seat, &encode(parts), 7), expected, "{} in {}", format!("{parts:?}"), kind);
            }
            prop_assert_eq!(store.states(), seen.len() as u64);
        }
    }

    #[test]
    fn a_state_is_new_to_one_of_two_workers(states in states(300), depths: bool) {
        for kind in EXACT {
            let store = opened(kind, 2, depths);
            let distinct: HashSet<&Parts> = states.iter().collect();
            let news = side_by_side(2, |worker| {
                let mut seat = store.seat();
                let count = |parts: &&Parts| insert(&store, &mut seat, &encode(parts), 7) == Seen::New;
                // Both go through all states, from opposite ends.
                if worker == 0 { states.iter().filter(count).count() } else { states.iter().rev().filter(count).count() }
            });
            prop_assert_eq!(news.iter().sum::<usize>(), distinct.len(), "{}", kind);
            prop_assert_eq!(store.states(), distinct.len() as u64);
            let mut seat = store.seat();
            for parts in distinct {
                prop_assert_eq!(insert(&store, &mut seat, &encode(parts), 7), Seen::Again, "{}", kind);
            }
        }
    }

    #[test]
    fn fingerprints_are_told_apart_by_every_bit(bits: u128, flips in prop::collection::vec(0u32..128, 0..40)) {
        let (store, mut seat) = alone(StoreKind::Compact, false);
        let mut seen = HashSet::new();
        for key in [0, 1, bits, u128::MAX].into_iter().chain(flips.iter().map(|bit| bits ^ 1 << bit)) {
            let expected = if seen.insert(key) { Seen::New } else { Seen::Again };
            prop_assert_eq!(store.insert(&mut seat, Key::Fingerprint(key), 0), expected, "{:x}", key);
        }
    }
}

#[test]
fn fingerprints_that_keep_a_depth_are_told_apart_by_104_bits() {
    // Each two have the same first word, since their halves add up to the same.
    let (store, mut seat) = alone(StoreKind::Compact, true);
    for bit in 24..64 {
        for key in [1u128 << (64 + bit), 1 << bit] {
            assert_eq!(store.insert(&mut seat, Key::Fingerprint(key), 0), Seen::New, "{key:x}");
            assert_eq!(store.insert(&mut seat, Key::Fingerprint(key), 0), Seen::Again, "{key:x}");
        }
    }
}

/// The results of that many workers that start at the same moment.
fn side_by_side<R: Send>(workers: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let start = Barrier::new(workers);
    let run = |worker| {
        start.wait();
        work(worker)
    };
    let run = &run;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || run(worker))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no worker panics")).collect()
    })
}

#[test]
fn many_workers_share_many_states_while_the_tables_grow() {
    const STATES: u64 = 60_000;
    for kind in EXACT {
        for depths in [false, true] {
            let store = opened(kind, 4, depths);
            let news = side_by_side(4, |worker| {
                let mut random = Random::stream(1, worker as u64);
                let mut order: Vec<u64> = (0..STATES).collect();
                random.shuffle(&mut order);
                let mut seat = store.seat();
                order.into_iter().filter(|&n| insert(&store, &mut seat, &numbered(n), 0) == Seen::New).count()
            });
            assert_eq!(news.iter().sum::<usize>() as u64, STATES, "{kind}");
            let mut seat = store.seat();
            assert!((0..STATES).all(|n| insert(&store, &mut seat, &numbered(n), 0) == Seen::Again), "{kind}");
        }
    }
}

#[test]
fn a_table_holds_what_it_held_before_it_grew() {
    for kind in EXACT {
        let (store, mut seat) = alone(kind, false);
        for n in 0..3000 {
            assert_eq!(insert(&store, &mut seat, &numbered(n), 0), Seen::New, "{kind}");
            if n % 7 == 0 || n < 40 {
                for m in 0..=n {
                    assert_eq!(
                        insert(&store, &mut seat, &numbered(m), 0),
                        Seen::Again,
                        "{m} of {n} in {kind}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_large_table_is_sampled_and_still_grows() {
    // Beyond 256 K slots only one claim in 64 is counted; these numbers also differ in few bits.
    let (store, mut seat) = alone(StoreKind::Compact, false);
    for n in 0..3_000_000u128 {
        assert_eq!(store.insert(&mut seat, Key::Fingerprint(n), 0), Seen::New);
    }
    assert!((0..3_000_000u128).all(|n| store.insert(&mut seat, Key::Fingerprint(n), 0) == Seen::Again));
    let load = 3_000_000.0 * 16.0 / store.bytes() as f64;
    assert!((0.35..=0.85).contains(&load), "{load}");
}

#[test]
fn nothing_is_never_seen() {
    let (store, mut seat) = alone(StoreKind::None, true);
    assert_eq!(store.wants(), Wants::Nothing);
    for _ in 0..2 {
        assert_eq!(store.insert(&mut seat, Key::Fingerprint(1), 0), Seen::New);
    }
    assert_eq!((store.states(), store.bytes()), (0, 0));
}

#[test]
fn bitstate_never_calls_a_seen_state_new() {
    let store = opened(StoreKind::Bitstate { bytes: 4096, hashes: 3 }, 2, false);
    let news = side_by_side(2, |_| {
        let mut seat = store.seat();
        (0..20_000u64).filter(|&n| insert(&store, &mut seat, &numbered(n), 0) == Seen::New).count()
    });
    let mut seat = store.seat();
    assert!((0..20_000).all(|n| insert(&store, &mut seat, &numbered(n), 0) == Seen::Again));
    assert_eq!(store.states(), news.iter().sum::<usize>() as u64);
}

#[test]
#[should_panic(expected = "wants encodings")]
fn a_wrong_key_is_refused() {
    let (store, mut seat) = alone(StoreKind::Exact, false);
    store.insert(&mut seat, Key::Fingerprint(1), 0);
}
