//! Collapse compression loses nothing and comes to a few bytes a state.

use super::*;
use crate::{Pools, Root};
use std::collections::HashMap;

proptest! {
    #[test]
    fn a_root_expands_to_its_state(states in states(200)) {
        let pools = Pools::new(&[], 1, None);
        let mut seat = pools.seat();
        let roots: Vec<Root> =
            states.iter().map(|parts| pools.intern(&mut seat, &encode(parts)).expect("there is no limit")).collect();
        let mut by_root: HashMap<Root, &Parts> = HashMap::new();
        let mut back = Encoded::new();
        for (parts, &root) in states.iter().zip(&roots) {
            pools.expand(root, &mut back);
            prop_assert_eq!(&back, &encode(parts));
            prop_assert_eq!(*by_root.entry(root).or_insert(parts), parts);
            prop_assert_eq!(pools.intern(&mut seat, &encode(parts)), Some(root));
        }
    }

    #[test]
    fn states_of_any_length_expand(
        parts in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 0..30)), 0..200),
    ) {
        let pools = Pools::new(&[], 1, None);
        let mut seat = pools.seat();
        let state = encode(&parts);
        let mut back = Encoded::new();
        pools.expand(pools.intern(&mut seat, &state).expect("there is no limit"), &mut back);
        prop_assert_eq!(back, state);
    }
}

#[test]
fn similar_states_differ() {
    let alike: Vec<Parts> = vec![
        vec![],
        vec![(0, vec![])],
        vec![(1, vec![])],
        vec![(0, vec![]), (0, vec![])],
        vec![(0, vec![0])],
        vec![(0, vec![0, 0])],
        vec![(0, vec![0, 0, 0])],
        vec![(0, vec![0, 0, 0, 0])],
        vec![(1, vec![0, 0, 0, 0])],
        vec![(0, vec![0; 4]), (1, vec![0; 4])],
        vec![(1, vec![0; 4]), (0, vec![0; 4])],
        vec![(0, vec![0; 4]), (0, vec![0; 4])],
        vec![(0, vec![0]), (0, vec![0, 0])],
        vec![(0, vec![0, 0]), (0, vec![0])],
        vec![(0, vec![0]), (0, vec![0]), (0, vec![0])],
        vec![(0, vec![0]), (0, vec![0]), (0, vec![0]), (0, vec![0])],
    ];
    for depths in [false, true] {
        let (store, mut seat) = alone(StoreKind::Collapse, depths);
        for expected in [Seen::New, Seen::Again] {
            for parts in &alike {
                assert_eq!(insert(&store, &mut seat, &encode(parts), 0), expected, "{parts:?}");
            }
        }
    }
}

#[test]
fn workers_agree_on_roots() {
    let pools = Pools::new(&[], 2, None);
    let state = |n: u64| {
        encode(&vec![(0, n.to_le_bytes().to_vec()), (1, vec![n as u8; 5]), (1, vec![(n >> 3) as u8])])
    };
    let intern = || {
        let mut seat = pools.seat();
        (0..5000).map(|n| pools.intern(&mut seat, &state(n)).unwrap()).collect::<Vec<_>>()
    };
    let (one, two) = std::thread::scope(|scope| {
        let (one, two) = (scope.spawn(intern), scope.spawn(intern));
        (one.join().unwrap(), two.join().unwrap())
    });
    assert_eq!(one, two);
    let mut back = Encoded::new();
    for (n, root) in (0..).zip(one) {
        pools.expand(root, &mut back);
        assert_eq!(back, state(n));
    }
}

/// Eight workers, each in one of a few situations, and a coordinator that has heard from some of them: the states of a
/// commit protocol, as a search would meet them.
fn protocol(states: u64) -> impl Iterator<Item = Encoded> {
    (0..states).map(|number| {
        let mut state = Encoded::new();
        let (mut rest, mut heard) = (number, 0u8);
        for worker in 0..8u8 {
            let situation = (rest % 6) as u8;
            rest /= 6;
            heard |= u8::from(situation > 3) << worker;
            state.put(0, &[situation, situation / 2, u8::from(situation == 5)]);
        }
        state.put(1, &[heard, heard.count_ones() as u8, rest as u8]);
        state
    })
}

#[test]
fn states_of_nine_small_components_take_twelve_bytes() {
    // 6^8 states of eight workers, a little under 1.7 million; then some for which the coordinator differs.
    let (store, mut seat) = alone(StoreKind::Collapse, false);
    for (count, state) in (1u64..).zip(protocol(1_900_000)) {
        assert_eq!(insert(&store, &mut seat, &state, 0), Seen::New);
        if count >= 1_000_000 && count.is_multiple_of(50_000) {
            let each = store.bytes() as f64 / count as f64;
            assert!(each <= 12.0, "{each} bytes for each of {count} states: {:?}", store.report().pools);
        }
    }
    assert!(protocol(1_900_000).all(|state| insert(&store, &mut seat, &state, 0) == Seen::Again));
}
