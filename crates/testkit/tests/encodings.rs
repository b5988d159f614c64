//! Encodings travel: another program of the same `Load` decodes them to the same state, with the same partition keys.

use proptest::prelude::*;
use sojourner_model::Checked;
use sojourner_models::{Abp, Phil, TwoPhase};
use sojourner_program::{Decode, Detail, Encoded, Load, Partition, Program, Random, Stateful, Step};
use sojourner_testkit::oracle::wire;
use sojourner_testkit::{Maze, RandomSystem, Undo};
use std::collections::HashMap;

const STEPS: usize = 80;

fn partition_keys<P: Decode>(program: &mut P) -> Vec<u64> {
    let one = |nth| [Partition::LocalOf(nth), Partition::Pc(nth), Partition::Pcs(nth)];
    let all = [Partition::Global, Partition::Local].into_iter().chain((0..4).flat_map(one));
    all.map(|by| program.partition_key(by)).collect()
}

/// Walks at random. Another program decodes each state on the way from the bytes that would be sent to another machine.
fn travels<L: Load<P: Decode>>(load: &L, seed: u64) {
    let (mut sender, mut receiver) = (load.open().unwrap(), load.open().unwrap());
    let (mut random, mut step) = (Random::new(seed), Step::new(Detail::Outcome));
    let mut keys_of_states = HashMap::new();
    for _ in 0..STEPS {
        let sent = wire(&mut sender);
        let mut received = Encoded::new();
        received.from_wire(&sent).expect("the bytes are those of an encoding");
        receiver.decode(&received).unwrap();
        assert_eq!(wire(&mut receiver), sent);
        assert_eq!(receiver.depth(), 0);
        assert_eq!(receiver.fingerprint(), sender.fingerprint());
        let [mut here, mut there] = [Vec::new(), Vec::new()];
        sender.choices(&mut here);
        receiver.choices(&mut there);
        assert_eq!(here, there);
        let keys = partition_keys(&mut sender);
        assert_eq!(partition_keys(&mut receiver), keys);
        assert_eq!(*keys_of_states.entry(sent).or_insert_with(|| keys.clone()), keys);
        if here.is_empty() {
            sender.rewind(0).unwrap();
            continue;
        }
        sender.step(here[random.below(here.len())], &mut step).unwrap();
        if step.finding.is_some() {
            sender.rewind(0).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn states_of_random_systems_travel(system: u64, walk: u64) {
        travels(&Checked::new(RandomSystem::any(system)), walk);
        travels(&Undo::new(Checked::new(RandomSystem::any(system))), walk);
        travels(&Checked::new(Maze::new(system, 30, 4, 9)), walk);
    }

    #[test]
    fn states_of_models_travel(walk: u64) {
        travels(&Checked::new(Phil { n: 4, fair: true }), walk);
        travels(&Checked::new(TwoPhase { n: 3 }), walk);
        travels(&Checked::new(Abp { items: 2, capacity: 2, checks: false }), walk);
    }
}
