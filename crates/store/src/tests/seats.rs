//! A seat for each worker, and no insertion without one.

use super::*;
use crate::Pools;

const KINDS: [StoreKind; 5] =
    [StoreKind::Compact, StoreKind::Collapse, StoreKind::Exact, StoreKind::BITSTATE, StoreKind::None];

/// The message of the panic that `action` ends in.
fn panic<R: std::fmt::Debug>(action: impl FnOnce() -> R) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(action)).expect_err("it panics");
    panic
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_else(|| panic.downcast_ref::<&str>().unwrap().to_string())
}

#[test]
fn there_are_as_many_as_workers() {
    for kind in KINDS {
        let store = opened(kind, 2, false);
        let _seats = [store.seat(), store.seat()];
        let message = panic(|| store.seat());
        assert_eq!(message, "the store was opened for 2 workers, and more seats were asked for than that");
    }
}

#[test]
fn one_that_is_dropped_can_be_had_again() {
    for kind in KINDS {
        let store = opened(kind, 2, false);
        let _one = store.seat();
        for n in 0..3 {
            assert_eq!(insert(&store, &mut store.seat(), &numbered(n), 0), Seen::New);
        }
    }
}

#[test]
fn one_of_another_store_is_refused() {
    for kind in KINDS {
        let (store, other) = (opened(kind, 1, false), opened(kind, 1, false));
        let mut seat = other.seat();
        let message = panic(|| insert(&store, &mut seat, &numbered(1), 0));
        assert_eq!(message, "the seat belongs to another store");
        assert_eq!(insert(&other, &mut seat, &numbered(1), 0), Seen::New);
    }
    let (pools, other) = (Pools::new(&[], 1, None), Pools::new(&[], 1, None));
    panic(|| pools.intern(&mut other.seat(), &numbered(1)));
}

#[test]
fn one_outlives_its_store() {
    let seat = opened(StoreKind::Compact, 1, false).seat();
    let later = opened(StoreKind::Compact, 1, false);
    let mut seat = seat;
    panic(|| insert(&later, &mut seat, &numbered(1), 0));
}

#[test]
fn one_may_go_from_thread_to_thread() {
    let (store, mut seat) = alone(StoreKind::Compact, false);
    let store = &store;
    for n in 0..100 {
        seat = std::thread::scope(|scope| {
            let insert = move || {
                assert_eq!(insert(store, &mut seat, &numbered(n), 0), Seen::New);
                seat
            };
            scope.spawn(insert).join().unwrap()
        });
    }
    assert!((0..100).all(|n| insert(store, &mut seat, &numbered(n), 0) == Seen::Again));
}

#[test]
fn a_prefetch_changes_nothing() {
    for kind in KINDS {
        let (store, mut seat) = alone(kind, false);
        for n in 0..1000 {
            store.prefetch(n);
            store.prefetch(!n);
            assert_eq!(insert(&store, &mut seat, &numbered(n as u64), 0), Seen::New, "{kind}");
        }
    }
}
