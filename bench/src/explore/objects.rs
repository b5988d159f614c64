//! How many objects a state of a program holds.

use sojourner_java::explore::{Exploration, JavaProgram};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::{Detail, Encode, Encoded, Load, Program, Random, Step};
use std::path::Path;

const WALKS: u64 = 20;
const STEPS: usize = 500;

/// The most live dynamic objects, those that the program made and can still reach, that some random walks saw in a state.
pub fn most(program: &str, reduce: &str, classes: &Path) -> anyhow::Result<usize> {
    let jdk = Jdk::find(None)?;
    let mut words = program.split(' ').map(str::to_owned);
    let class = words.next().unwrap_or_default();
    let launch = launch(&class, &[classes.to_owned()], &jdk)?;
    let reduce = reduce.parse().map_err(anyhow::Error::msg)?;
    let subject =
        JavaProgram::new(launch, &jdk, words.collect(), Exploration { reduce, ..Exploration::default() });
    let mut program = subject.open_to_follow()?;
    let kind = program.kinds().iter().position(|kind| kind == "objects");
    let mut step = Step::new(Detail::Outcome);
    let (mut encoded, mut choices, mut most) = (Encoded::new(), Vec::new(), 0);
    for walk in 0..WALKS {
        let mut random = Random::new(walk);
        program.rewind(0)?;
        for _ in 0..STEPS {
            encoded.clear();
            program.encode(&mut encoded);
            let objects = encoded.components().filter(|&(of, _)| Some(usize::from(of)) == kind).count();
            most = most.max(objects);
            choices.clear();
            program.choices(&mut choices);
            if choices.is_empty() {
                break;
            }
            program.step(choices[random.below(choices.len())], &mut step)?;
        }
    }
    Ok(most)
}
