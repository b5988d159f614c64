//! A memory limit is kept, what is stored stays known, and senseless options are refused.

use super::*;
use crate::{MAX_WORKERS, OpenError};

fn limited(kind: StoreKind, limit: u64, depths: bool) -> (Opened, Seat) {
    let options = Options { limit: Some(limit), ..options(kind, 1, depths) };
    let store = open(&options).expect("these options make sense");
    let seat = store.seat();
    (store, seat)
}

#[test]
fn a_full_store_says_so_and_remembers() {
    for kind in EXACT {
        for depths in [false, true] {
            let limit = 300_000;
            let (store, mut seat) = limited(kind, limit, depths);
            let mut stored = Vec::new();
            let mut refused = 0;
            for n in 0..60_000 {
                match insert(&store, &mut seat, &numbered(n), 0) {
                    Seen::New => stored.push(n),
                    Seen::Full => refused += 1,
                    other => panic!("{other:?} in {kind}"),
                }
                assert!(store.bytes() <= limit, "{kind} holds {}", store.bytes());
            }
            assert!(refused > 1000, "{kind}");
            assert_eq!(store.states(), stored.len() as u64);
            assert!(store.bytes() > limit / 3, "{kind} gave up at {}", store.bytes());
            for &n in &stored {
                assert_eq!(insert(&store, &mut seat, &numbered(n), 0), Seen::Again, "{n} in {kind}");
            }
            assert_eq!(insert(&store, &mut seat, &numbered(59_999), 0), Seen::Full, "{kind}");
        }
    }
}

#[test]
fn a_table_that_may_not_grow_fills_to_the_brim() {
    let (store, mut seat) = limited(StoreKind::Compact, 100_000, false);
    let stored =
        (0..20_000).filter(|&n| store.insert(&mut seat, Key::Fingerprint(n), 0) == Seen::New).count();
    let load = stored as f64 * 16.0 / store.bytes() as f64;
    assert!((0.9..=0.96).contains(&load), "{load}");
}

#[test]
fn no_memory_at_all_is_full_from_the_start() {
    for kind in EXACT {
        let (store, mut seat) = limited(kind, 10, false);
        for n in 0..20 {
            assert_eq!(insert(&store, &mut seat, &numbered(n), 0), Seen::Full, "{kind}");
        }
        assert_eq!(store.states(), 0);
    }
}

#[test]
fn two_workers_keep_the_limit_too() {
    for kind in EXACT {
        let store = open(&Options { limit: Some(300_000), ..options(kind, 2, false) }).unwrap();
        let news = std::thread::scope(|scope| {
            let run = || {
                let mut seat = store.seat();
                (0..30_000).filter(|&n| insert(&store, &mut seat, &numbered(n), 0) == Seen::New).count()
            };
            let (one, two) = (scope.spawn(run), scope.spawn(run));
            one.join().unwrap() + two.join().unwrap()
        });
        assert_eq!(store.states(), news as u64);
        let mut seat = store.seat();
        let known =
            (0..30_000).filter(|&n| insert(&store, &mut seat, &numbered(n), 0) == Seen::Again).count();
        assert_eq!(known, news, "{kind}");
        assert!(store.bytes() <= 300_000, "{kind}");
    }
}

#[test]
fn senseless_options_are_refused() {
    let refusal = |options: &Options| open(options).err();
    assert_eq!(refusal(&Options::new(StoreKind::Compact, 0)), Some(OpenError::Workers(0)));
    assert_eq!(
        refusal(&Options::new(StoreKind::Exact, MAX_WORKERS + 1)),
        Some(OpenError::Workers(MAX_WORKERS + 1))
    );
    assert_eq!(refusal(&options(StoreKind::BITSTATE, 1, true)), Some(OpenError::Depths));
    for (bytes, hashes) in [(0, 3), (64, 0), (64, 65)] {
        let kind = StoreKind::Bitstate { bytes, hashes };
        assert_eq!(refusal(&Options::new(kind, 1)), Some(OpenError::Bitstate));
    }
    let small = Options { limit: Some(1000), ..Options::new(StoreKind::BITSTATE, 1) };
    assert_eq!(refusal(&small), Some(OpenError::Memory { bytes: 64 << 20 }));
}
