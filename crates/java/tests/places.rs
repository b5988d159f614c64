//! Coming back to states of Java programs: by the roots of the machine that was there, and by paths on another machine.

use sojourner_java::explore::{Execution, Exploration, Gc, JavaProgram, Place, Races, Symmetry};
use sojourner_java::library::{Jdk, Launch, Origin, compile};
use sojourner_program::{Choice, Detail, Encode, Encoded, Load, Program, Random, Stateful, Step};
use std::path::{Path, PathBuf};

/// Walks from the start of each program, the most steps of each, and how often it goes to a place that was noted on the way.
const WALKS: usize = 4;
const STEPS: usize = 60;
const VISITS: usize = 60;

/// A state that somebody has been in.
struct Visited {
    place: Place,
    looks: Looks,
}

/// What can be told of a state.
#[derive(Debug, PartialEq, Eq)]
struct Looks {
    fingerprint: u128,
    encoded: Encoded,
    choices: Vec<Choice>,
}

fn looks(program: &mut Execution) -> Looks {
    let (mut encoded, mut choices) = (Encoded::default(), Vec::new());
    program.encode(&mut encoded);
    program.choices(&mut choices);
    Looks { fingerprint: program.fingerprint(), encoded, choices }
}

/// Takes a choice. The answer is what that did, in words that name the locks that the thread holds then, and whether the
/// execution can go on.
fn take(program: &mut Execution, choice: Choice) -> (String, bool) {
    let mut step = Step::new(Detail::Words);
    program
        .step(choice, &mut step)
        .expect("who follows learns nothing, and the programs need nothing special");
    (step.words, step.finding.is_none())
}

/// Random executions of a program, with states on the way.
fn walk(program: &mut Execution, random: &mut Random) -> Vec<Visited> {
    let start = program.here();
    let mut visited = Vec::new();
    for _ in 0..WALKS {
        program.go(&start).unwrap();
        for _ in 0..STEPS {
            let looks = looks(program);
            let choice =
                (!looks.choices.is_empty()).then(|| looks.choices[random.below(looks.choices.len())]);
            if random.below(3) == 0 {
                visited.push(Visited { place: program.here(), looks });
            }
            if !choice.is_some_and(|choice| take(program, choice).1) {
                break;
            }
        }
    }
    visited
}

fn check(name: &str, subject: &JavaProgram) {
    let (mut one, mut other) = (subject.open_to_follow().unwrap(), subject.open_to_follow().unwrap());
    let mut random = Random::new(1);
    let visited = walk(&mut one, &mut random);
    for visit in 0..VISITS.min(4 * visited.len()) {
        let Visited { place, looks: expected } = &visited[random.below(visited.len())];
        // Somewhere behind the last place, sometimes.
        for _ in 0..random.below(3) {
            let choices = looks(&mut one).choices;
            if choices.is_empty() || !take(&mut one, choices[random.below(choices.len())]).1 {
                break;
            }
        }
        one.go(place).unwrap();
        assert_eq!(one.depth(), 0);
        assert_eq!(looks(&mut one), *expected, "{name}, visit {visit}");
        if expected.choices.is_empty() {
            continue;
        }
        let choice = expected.choices[random.below(expected.choices.len())];
        other.go(place).unwrap();
        assert_eq!(looks(&mut other), *expected, "{name}, visit {visit}, by the path");
        let taken = take(&mut one, choice);
        assert_eq!(taken, take(&mut other, choice), "{name}, visit {visit}");
        if taken.1 {
            let behind = looks(&mut one);
            assert_eq!(behind, looks(&mut other), "{name}, visit {visit}, behind {choice:?}");
        }
        one.rewind(0).unwrap();
        assert_eq!(looks(&mut one), *expected, "{name}, visit {visit}, and back");
    }
}

/// The programs of the suite of soundness.
fn programs() -> (Jdk, Vec<Launch>) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soundness");
    let names = std::fs::read_dir(&sources).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        names.filter(|path| path.extension().is_some_and(|e| e == "java")).collect();
    files.sort();
    let jdk = Jdk::find(None).expect("a JDK 17");
    let verify = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify/classes");
    let classes = compile(&files, &jdk, &[verify]).expect("the programs compile");
    let launches = files.iter().map(|file| Launch {
        class_path: vec![classes.clone()],
        main_class: file.file_stem().unwrap().to_string_lossy().into_owned(),
        origin: Origin::ClassName,
    });
    (jdk, launches.collect())
}

#[test]
fn a_state_is_the_same_when_one_comes_back_to_it() {
    let (jdk, launches) = programs();
    for launch in launches.into_iter().step_by(2) {
        let name = launch.main_class.clone();
        let exploration = Exploration { races: Races::Off, ..Exploration::default() };
        check(&name, &JavaProgram::new(launch, &jdk, Vec::new(), exploration));
    }
}

#[test]
fn places_restore_states_under_other_symmetry_and_collection() {
    let (jdk, launches) = programs();
    for launch in launches.into_iter().step_by(10) {
        let name = launch.main_class.clone();
        for (symmetry, gc) in [(Symmetry::None, Gc::Mark), (Symmetry::Canonical, Gc::Refcount)] {
            let exploration = Exploration { races: Races::Off, symmetry, gc, ..Exploration::default() };
            check(&name, &JavaProgram::new(launch.clone(), &jdk, Vec::new(), exploration));
        }
    }
}
