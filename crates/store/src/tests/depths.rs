//! Stores that keep depths keep the least, and say when it falls.

use super::*;
use std::collections::HashMap;

proptest! {
    #[test]
    fn the_least_depth_is_kept(visits in prop::collection::vec((0u64..40, 0u32..12), 0..600)) {
        for kind in EXACT {
            let (store, mut seat) = alone(kind, true);
            let mut least: HashMap<u64, u32> = HashMap::new();
            for &(number, depth) in &visits {
                let expected = match least.get(&number) {
                    None => Seen::New,
                    Some(&kept) if depth < kept => Seen::Shallower,
                    Some(_) => Seen::Again,
                };
                prop_assert_eq!(insert(&store, &mut seat, &numbered(number), depth), expected, "{} in {}", number, kind);
                if expected != Seen::Again {
                    least.insert(number, depth);
                }
            }
        }
    }
}

#[test]
fn depths_survive_growth() {
    for kind in EXACT {
        let (store, mut seat) = alone(kind, true);
        for n in 0..2000 {
            assert_eq!(insert(&store, &mut seat, &numbered(n), n as u32 + 1), Seen::New);
        }
        for n in 0..2000 {
            assert_eq!(insert(&store, &mut seat, &numbered(n), n as u32 + 1), Seen::Again, "{kind}");
            assert_eq!(insert(&store, &mut seat, &numbered(n), n as u32), Seen::Shallower, "{kind}");
        }
    }
}

#[test]
fn least_depth_survives_two_shallower_workers() {
    for kind in EXACT {
        let store = opened(kind, 2, true);
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let store = &store;
                scope.spawn(move || {
                    let mut seat = store.seat();
                    for round in (1..200u32).rev() {
                        for n in 0..50 {
                            insert(store, &mut seat, &numbered(n), round * 2 + worker as u32);
                        }
                    }
                });
            }
        });
        let mut seat = store.seat();
        for n in 0..50 {
            assert_eq!(insert(&store, &mut seat, &numbered(n), 2), Seen::Again, "{kind}");
            assert_eq!(insert(&store, &mut seat, &numbered(n), 1), Seen::Shallower, "{kind}");
        }
        assert_eq!(store.states(), 50);
    }
}

#[test]
fn a_depth_beyond_24_bits_counts_as_the_greatest() {
    for kind in EXACT {
        let (store, mut seat) = alone(kind, true);
        assert_eq!(insert(&store, &mut seat, &numbered(1), u32::MAX), Seen::New);
        assert_eq!(insert(&store, &mut seat, &numbered(1), (1 << 24) - 1), Seen::Again, "{kind}");
        assert_eq!(insert(&store, &mut seat, &numbered(1), (1 << 24) - 2), Seen::Shallower, "{kind}");
    }
}

#[test]
fn without_depths_nothing_is_shallower() {
    for kind in EXACT {
        let (store, mut seat) = alone(kind, false);
        assert_eq!(insert(&store, &mut seat, &numbered(1), 5), Seen::New);
        assert_eq!(insert(&store, &mut seat, &numbered(1), 3), Seen::Again, "{kind}");
    }
}
