//! However a program goes back, it is the same program.

use proptest::collection::vec;
use proptest::prelude::*;
use sojourner_model::{Checked, Model};
use sojourner_models::{Abp, Buffer, TwoPhase};
use sojourner_program::{Choice, Decode, Detail, Encode, Encoded, Kind, Load, Program, Stateful, Step};
use sojourner_testkit::oracle::{explore, wire};
use sojourner_testkit::{RandomSystem, ReplayOnly, Undo};

/// What a test does to a program.
#[derive(Clone, Debug)]
enum Move {
    Step(prop::sample::Index),
    Rewind(prop::sample::Index),
    Keep,
    Go(prop::sample::Index),
    Decode(prop::sample::Index),
    Diverge,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => any::<prop::sample::Index>().prop_map(Move::Step),
        2 => any::<prop::sample::Index>().prop_map(Move::Rewind),
        1 => Just(Move::Keep),
        1 => any::<prop::sample::Index>().prop_map(Move::Go),
        1 => any::<prop::sample::Index>().prop_map(Move::Decode),
        1 => Just(Move::Diverge),
    ];
    vec(one, 0..60)
}

fn choices(program: &mut impl Program) -> Vec<Choice> {
    let mut choices = Vec::new();
    program.choices(&mut choices);
    choices
}

/// What can be seen of a program without its states.
fn seen<P: Program>(program: &mut P) -> (usize, Vec<Choice>, Option<(Kind, String)>, String, usize) {
    let choices = choices(program);
    let finding = program.judge(choices.is_empty()).map(|finding| (finding.kind, finding.message));
    let mut threads = Vec::new();
    program.threads(&mut threads);
    (program.depth(), choices, finding, program.describe(), threads.len())
}

fn agree<M: Model + Clone>(model: &M, moves: &[Move]) {
    let (plain, replay) = (Checked::new(model.clone()), ReplayOnly::new(Checked::new(model.clone())));
    let undo = Undo::new(Checked::new(model.clone()));
    let (mut a, mut b, mut c) = (plain.open().unwrap(), replay.open().unwrap(), undo.open().unwrap());
    let mut places = vec![(a.here(), b.here(), c.here(), Encoded::new())];
    a.encode(&mut places[0].3);
    for one in moves {
        match one {
            Move::Step(which) => {
                let choices = choices(&mut a);
                if choices.is_empty() {
                    continue;
                }
                let choice = choices[which.index(choices.len())];
                let mut steps = [Detail::Outcome, Detail::Footprint, Detail::Words].map(Step::new);
                a.step(choice, &mut steps[0]).unwrap();
                b.step(choice, &mut steps[1]).unwrap();
                c.step(choice, &mut steps[2]).unwrap();
                assert_eq!(steps[0].finding, steps[1].finding);
                assert_eq!(steps[0].finding, steps[2].finding);
                assert_eq!(steps[1].footprint, steps[2].footprint);
            }
            Move::Rewind(which) => {
                let depth = which.index(a.depth() + 1);
                a.rewind(depth).unwrap();
                b.rewind(depth).unwrap();
                c.rewind(depth).unwrap();
            }
            Move::Keep => {
                let mut encoded = Encoded::new();
                a.encode(&mut encoded);
                places.push((a.here(), b.here(), c.here(), encoded));
            }
            Move::Go(which) => {
                let place = which.get(&places);
                a.go(&place.0).unwrap();
                b.go(&place.1).unwrap();
                c.go(&place.2).unwrap();
            }
            Move::Decode(which) => {
                let place = which.get(&places);
                a.decode(&place.3).unwrap();
                b.go(&place.1).unwrap();
                c.decode(&place.3).unwrap();
            }
            Move::Diverge => {
                let foreign =
                    Choice::run(choices(&mut a).first().map_or(sojourner_program::ThreadId(0), |c| c.thread));
                assert!(a.step(foreign, &mut Step::new(Detail::Words)).is_err());
                assert!(b.step(foreign, &mut Step::new(Detail::Words)).is_err());
                assert!(c.step(foreign, &mut Step::new(Detail::Words)).is_err());
            }
        }
        assert_eq!(seen(&mut a), seen(&mut b));
        assert_eq!(seen(&mut a), seen(&mut c));
        assert_eq!(wire(&mut a), wire(&mut c));
        assert_eq!(a.fingerprint(), c.fingerprint());
        let mut fresh = plain.open().unwrap();
        fresh.go(&a.here()).unwrap();
        assert_eq!((wire(&mut fresh), fresh.fingerprint()), (wire(&mut a), a.fingerprint()));
    }
}

proptest! {
    #[test]
    fn random_systems_agree(seed: u64, moves in moves()) {
        agree(&RandomSystem::any(seed), &moves);
    }

    #[test]
    fn models_agree(moves in moves()) {
        agree(&TwoPhase { n: 3 }, &moves);
        agree(&Buffer { threads: 4, items: 2, all: false, capacity: 1 }, &moves);
        agree(&Abp { items: 2, capacity: 2, checks: false }, &moves);
    }
}

#[test]
fn the_oracle_sees_the_same_through_the_journal() {
    for seed in 0..30 {
        let plain = explore(&Checked::new(RandomSystem::any(seed))).unwrap();
        let undo = explore(&Undo::new(Checked::new(RandomSystem::any(seed)))).unwrap();
        assert_eq!(plain.states, undo.states);
        assert_eq!((plain.transitions, plain.findings), (undo.transitions, undo.findings));
    }
}
