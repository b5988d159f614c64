//! One process runs a program again and again, always in the same way.

mod common;

use common::{brute, brute_of, compiled, sample, sample_of};
use sojourner_native::{Exploration, NativeProgram};
use sojourner_program::{Choice, Detail, Kind, Load, Program, Random, Step};
use sojourner_search::{Shape, replay};

fn subject(name: &str, flags: &str) -> (sojourner_native::Compiled, NativeProgram) {
    let program = compiled(name, flags);
    let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
    (program, subject)
}

/// A random execution: its choices, and what each step touched.
fn walk(program: &mut impl Program, random: &mut Random) -> Vec<(Choice, String)> {
    let mut step = Step::new(Detail::Footprint);
    let mut steps = Vec::new();
    program.rewind(0).unwrap();
    loop {
        let mut choices = Vec::new();
        program.choices(&mut choices);
        if choices.is_empty() {
            return steps;
        }
        let choice = choices[random.below(choices.len())];
        program.step(choice, &mut step).unwrap();
        steps.push((choice, format!("{:?} {:?}", step.footprint, step.created)));
        if step.finding.is_some() {
            return steps;
        }
    }
}

#[test]
fn ten_thousand_executions_in_one_process_agree() {
    let (_program, subject) = subject("thread_data.c", "");
    let mut program = subject.open().unwrap();
    let first: Vec<_> = (0..20).map(|seed| walk(&mut program, &mut Random::new(seed))).collect();
    let mut random = Random::new(99);
    for _ in 0..10_000 {
        walk(&mut program, &mut random);
    }
    let again: Vec<_> = (0..20).map(|seed| walk(&mut program, &mut Random::new(seed))).collect();
    assert_eq!(first, again);
    let mut other = subject.open().unwrap();
    let elsewhere: Vec<_> = (0..20).map(|seed| walk(&mut other, &mut Random::new(seed))).collect();
    assert_eq!(first, elsewhere);
}

#[test]
fn every_finding_replays() {
    for (name, flags) in [
        ("/counter.c", "-DTHREADS=2 -DROUNDS=1 -DBROKEN"),
        ("/philosophers.c", "-DN=2 -DBROKEN"),
        ("use_after_free.c", "-DBROKEN"),
        ("null_pointer.c", ""),
        ("spin.c", "-DBROKEN"),
    ] {
        let (_program, subject) = subject(name, flags);
        for (finding, schedule) in brute(&subject, 10_000).found {
            let replayed = replay(&subject, &schedule).unwrap();
            assert_eq!(replayed.finding.as_ref(), Some(&finding), "{name}");
            assert_eq!(replayed.events.len(), schedule.len());
            assert!(replayed.events.iter().all(|event| !event.words.is_empty()));
        }
    }
}

#[test]
fn going_back_and_forth_comes_to_the_same_states() {
    let (_program, subject) = subject("/bbuf.c", "");
    let mut program = subject.open().unwrap();
    let mut random = Random::new(5);
    for _ in 0..50 {
        let steps = walk(&mut program, &mut random);
        let mut step = Step::new(Detail::Footprint);
        for _ in 0..5 {
            let depth = random.below(steps.len());
            program.rewind(depth).unwrap();
            for (choice, what) in &steps[depth..] {
                program.step(*choice, &mut step).unwrap();
                assert_eq!(format!("{:?} {:?}", step.footprint, step.created), *what);
            }
        }
        let place = program.here();
        program.rewind(0).unwrap();
        program.go(&place).unwrap();
        assert_eq!(program.depth(), 0);
        let mut choices = Vec::new();
        program.choices(&mut choices);
        assert!(choices.is_empty());
        program.go(&Vec::new()).unwrap();
    }
}

#[test]
fn the_number_of_executions_is_known() {
    // Two threads of three steps each (lock, unlock, end), the second created while the first can move.
    let explored = brute_of("/lock3.c", "-DTHREADS=2", 100_000);
    assert!(explored.all);
    assert_eq!(explored.executions, brute_of("/lock3.c", "-DTHREADS=2", 100_000).executions);
}

#[test]
fn samples_find_what_is_there() {
    for shape in [Shape::Walk, Shape::Pct(Some(3)), Shape::Pos, Shape::Surw { all: false }] {
        let explored = sample_of("/counter.c", "-DBROKEN", shape, 2_000);
        assert_eq!(explored.kinds(), [Kind::Assertion], "{shape}");
        let explored = sample_of("/bbuf.c", "-DBROKEN", shape, 20_000);
        assert!(explored.kinds().contains(&Kind::Assertion), "{shape}: {explored:?}");
    }
}

#[test]
fn what_the_c_plus_plus_library_has_for_threads_works() {
    for case in 1..=8 {
        let (_program, subject) = subject("standard.cpp", &format!("-std=c++20 -DCASE={case}"));
        let explored = sample(&subject, Shape::Walk, 300, case);
        match case {
            7 => {
                assert_eq!(explored.kinds(), [Kind::Exception], "{explored:?}");
                let words = "throws std::runtime_error, which no handler catches: nobody catches it";
                assert!(explored.text().contains(words), "{}", explored.text());
            }
            _ => assert_eq!(explored.kinds(), [], "{case}: {}", explored.text()),
        }
        assert!(explored.fault.is_none(), "{case}: {:?}", explored.fault);
    }
    let (_program, subject) = subject("standard.cpp", "-std=c++20 -DCASE=1 -DBROKEN");
    assert_eq!(sample(&subject, Shape::Walk, 300, 1).kinds(), [Kind::Assertion]);
}

#[test]
fn reference_counts_are_atomic_as_soon_as_there_are_threads() {
    let (_program, subject) = subject("shared_ptr.cpp", "-std=c++17");
    let explored = brute(&subject, 100_000);
    assert!(explored.all && explored.kinds().is_empty(), "{explored:?}");
    assert!(explored.warnings.is_empty(), "{:?}", explored.warnings);
}

#[test]
fn output_is_complete_at_end_of_replay() {
    let (_program, subject) = subject("thread_data.c", "");
    let mut program = subject.open().unwrap();
    let schedule: Vec<Choice> =
        walk(&mut program, &mut Random::new(1)).into_iter().map(|(choice, _)| choice).collect();
    let replayed = replay(&subject, &schedule).unwrap();
    assert!(replayed.end.contains("destroyed 2"), "{}", replayed.end);
}
