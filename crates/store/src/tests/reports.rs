//! The figures that stores give of themselves.

use super::*;
use crate::{Omission, Pool};

fn filled(kind: StoreKind, states: u64, depths: bool) -> Opened {
    let options = Options {
        component_kinds: vec!["frames".to_owned(), "locks".to_owned()],
        ..options(kind, 1, depths)
    };
    let store = open(&options).expect("these options make sense");
    let mut seat = store.seat();
    for n in 0..states {
        insert(&store, &mut seat, &numbered(n), 0);
    }
    store
}

#[test]
fn names_and_counts() {
    for kind in EXACT {
        let store = filled(kind, 1000, false);
        let report = store.report();
        assert_eq!((report.name, report.states, report.bytes), (kind.name(), 1000, store.bytes()));
        assert!((9_000..100_000).contains(&report.bytes), "{kind}: {}", report.bytes);
        let pools: u64 = report.pools.iter().map(|pool| pool.bytes).sum();
        assert!(report.pools.is_empty() || pools == report.bytes, "{report:?}");
    }
}

#[test]
fn lossless_stores_omit_nothing() {
    for kind in [StoreKind::Collapse, StoreKind::Exact] {
        assert_eq!(filled(kind, 10, false).report().omission, Omission::Impossible);
    }
    assert_eq!(filled(StoreKind::None, 10, false).report().omission, Omission::NotStored);
}

#[test]
fn compact_states_the_birthday_bound() {
    let probability = |depths| match filled(StoreKind::Compact, 5000, depths).report().omission {
        Omission::Probability(probability) => probability,
        other => panic!("{other:?}"),
    };
    let pairs = 5000.0 * 4999.0 / 2.0;
    assert!((probability(false) / (pairs * 2f64.powi(-128)) - 1.0).abs() < 1e-9);
    assert!((probability(true) / (pairs * 2f64.powi(-104)) - 1.0).abs() < 1e-9);
    assert_eq!(filled(StoreKind::Compact, 1, false).report().omission, Omission::Probability(0.0));
}

#[test]
fn bitstate_expects_about_as_many_omissions_as_there_are() {
    let states = 50_000;
    let store = filled(StoreKind::Bitstate { bytes: 32 << 10, hashes: 3 }, states, false);
    let omitted = (states - store.states()) as f64;
    let Omission::Expected(expected) = store.report().omission else { panic!("{:?}", store.report()) };
    assert!(omitted > 1000.0);
    assert!((expected / omitted - 1.0).abs() < 0.1, "{expected} expected, {omitted} omitted");
}

#[test]
fn bitstate_with_room_expects_next_to_none() {
    let Omission::Expected(expected) = filled(StoreKind::BITSTATE, 1000, false).report().omission else {
        panic!()
    };
    assert!((0.0..1e-6).contains(&expected), "{expected}");
}

#[test]
fn collapse_lists_its_pools() {
    let store = filled(StoreKind::Collapse, 0, false);
    let mut seat = store.seat();
    for n in 0..100u8 {
        let mut state = Encoded::new();
        state.put(0, &[n / 10; 8]);
        state.put(0, &[n % 10; 8]);
        state.put(7, &[1, 2, 3, 4, 5]);
        state.put(1, &[n]);
        assert_eq!(store.insert(&mut seat, Key::Encoded(&state), 0), Seen::New);
    }
    let pools = store.report().pools;
    let figures = |name: &str| {
        let pool: &Pool =
            pools.iter().find(|pool| pool.name == name).unwrap_or_else(|| panic!("no {name} in {pools:?}"));
        (pool.entries, pool.bytes > 0)
    };
    assert_eq!(figures("frames"), (10, true));
    assert_eq!(figures("locks"), (0, false));
    assert_eq!(figures("kind 7"), (1, true));
    assert_eq!(figures("shapes"), (1, true));
    // The pairs of frames, and of the constant and the lock.
    assert_eq!(figures("inner nodes"), (200, true));
    assert_eq!(figures("roots"), (100, true));
    assert_eq!(pools.len(), 6);
}
