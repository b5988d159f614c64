//! A model keeps the promises of the seam.

use sojourner_model::{Checked, Model, Properties, State, Transitions};
use sojourner_program::{
    Choice, Decode, Detail, Encode, Encoded, Fault, Kind, Load, Partition, Program, Stateful, Status, Step,
    Target, ThreadId,
};

/// Two counters up to `top`; the second may also be set back to 0. Transitions are named in no order, and twice.
struct Counters {
    top: u32,
}

#[derive(Clone, Debug, State)]
struct Values {
    #[state(local)]
    counters: Vec<u32>,
    steps: bool,
}

const RESET: u32 = 0;
const COUNT: u32 = 1;

impl Model for Counters {
    type State = Values;

    fn initial(&self) -> Values {
        Values { counters: vec![0, 0], steps: false }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, values: &Values, on: &mut Transitions<'_>) {
        for i in [1, 0, 1] {
            on.when(values.counters[i] < self.top, i, COUNT);
        }
        on.when(values.counters[1] == 1, 1, RESET);
    }

    fn fire(&self, values: &mut Values, i: usize, action: u32) {
        values.steps = true;
        if action == COUNT {
            values.counters[i] += 1;
        } else {
            values.counters[i] = 0;
        }
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("not both", |_, values| values.counters != [1, 1]);
        expect.goal("top", |model, values| values.counters[0] == model.top);
    }
}

fn choices(program: &mut impl Program) -> Vec<Choice> {
    let mut choices = Vec::new();
    program.choices(&mut choices);
    choices
}

const FIRST: Choice = Choice::pick(ThreadId(0), COUNT);
const SECOND: Choice = Choice::pick(ThreadId(1), COUNT);

#[test]
fn choices_come_by_process_and_action_each_once() {
    let mut program = Checked::new(Counters { top: 3 }).open().unwrap();
    assert_eq!(choices(&mut program), [FIRST, SECOND]);
    program.step(SECOND, &mut Step::new(Detail::Outcome)).unwrap();
    assert_eq!(choices(&mut program), [FIRST, Choice::pick(ThreadId(1), RESET), SECOND]);
}

#[test]
fn choice_that_is_not_offered_diverges_without_a_step() {
    let mut program = Checked::new(Counters { top: 3 }).open().unwrap();
    let foreign = [Choice::pick(ThreadId(1), RESET), Choice::pick(ThreadId(7), 0), Choice::run(ThreadId(0))];
    program.step(FIRST, &mut Step::new(Detail::Outcome)).unwrap();
    let before = program.fingerprint();
    for choice in foreign {
        let fault = program.step(choice, &mut Step::new(Detail::Words)).unwrap_err();
        assert!(matches!(fault, Fault::Diverged { step: 1, choice: at, .. } if at == choice));
    }
    assert_eq!((program.depth(), program.fingerprint()), (1, before));
}

#[test]
fn a_path_can_be_very_deep() {
    const DEPTH: usize = 1_000_000;
    let mut program = Checked::new(Counters { top: u32::MAX }).open().unwrap();
    let mut step = Step::new(Detail::Outcome);
    for _ in 0..DEPTH {
        program.step(FIRST, &mut step).unwrap();
    }
    assert_eq!((program.depth(), program.state().counters[0]), (DEPTH, DEPTH as u32));
    program.rewind(DEPTH / 2).unwrap();
    assert_eq!(program.state().counters[0], DEPTH as u32 / 2);
    program.rewind(0).unwrap();
    assert_eq!(program.state().counters, [0, 0]);
}

#[test]
fn places_and_encodings_lead_back_from_anywhere() {
    let load = Checked::new(Counters { top: 3 });
    let (mut program, mut other) = (load.open().unwrap(), load.open().unwrap());
    let mut step = Step::new(Detail::Outcome);
    program.step(FIRST, &mut step).unwrap();
    program.step(SECOND, &mut step).unwrap();
    let (place, fingerprint) = (program.here(), program.fingerprint());
    let mut encoded = Encoded::new();
    program.encode(&mut encoded);
    other.step(SECOND, &mut step).unwrap();
    other.go(&place).unwrap();
    assert_eq!((other.depth(), other.fingerprint()), (0, fingerprint));
    other.step(FIRST, &mut step).unwrap();
    other.decode(&encoded).unwrap();
    assert_eq!((other.depth(), other.fingerprint()), (0, fingerprint));
    // Foreign components are refused, and nothing moves.
    encoded.put(9, &[1]);
    other.step(FIRST, &mut step).unwrap();
    let before = other.fingerprint();
    assert!(other.decode(&encoded).is_err());
    assert_eq!((other.depth(), other.fingerprint()), (1, before));
    other.rewind(0).unwrap();
    assert_eq!(other.fingerprint(), fingerprint);
}

#[test]
fn states_are_judged() {
    let mut program = Checked::new(Counters { top: 1 }).open().unwrap();
    let mut step = Step::new(Detail::Words);
    assert_eq!(program.judge(false), None);
    assert_eq!(program.goals(), ["top"]);
    assert_ne!(program.distance(Target::Goal(0)), Some(0));
    program.step(FIRST, &mut step).unwrap();
    assert_eq!(step.words, "action 1");
    assert_eq!(program.distance(Target::Goal(0)), Some(0));
    program.step(SECOND, &mut step).unwrap();
    let finding = program.judge(false).unwrap();
    assert_eq!((finding.kind, finding.type_name.as_deref()), (Kind::Property, Some("not both")));
    assert_eq!(program.describe(), "Values { counters: [1, 1], steps: true }");
}

#[test]
fn being_stuck_is_a_deadlock_unless_the_system_may_end() {
    let mut program = Checked::new(Counters { top: 0 }).open().unwrap();
    assert_eq!(choices(&mut program), []);
    assert_eq!(program.judge(true).unwrap().kind, Kind::Deadlock);
    let mut threads = Vec::new();
    program.threads(&mut threads);
    assert!(threads.iter().all(|thread| thread.status == Status::Blocked(None)));
}

#[test]
fn partitions_go_by_the_local_states() {
    let mut program = Checked::new(Counters { top: 9 }).open().unwrap();
    let by = [Partition::Global, Partition::Local, Partition::LocalOf(0), Partition::LocalOf(1)];
    let before = by.map(|by| program.partition_key(by));
    program.step(SECOND, &mut Step::new(Detail::Outcome)).unwrap();
    let after = by.map(|by| program.partition_key(by));
    let same: Vec<bool> = before.iter().zip(after).map(|(before, after)| *before == after).collect();
    assert_eq!(same, [false, false, true, false]);
    assert_eq!(program.kinds(), ["counters", "steps"]);
}
