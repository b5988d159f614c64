//! A search that goes on from checkpoints sees what one sees in which every execution runs all the way, in a process of its own.

mod common;

use common::compiled;
use sojourner_native::{Exploration, NativeProgram, Races};
use sojourner_search::{Halt, Reduction, Settings, Shape, Strategy, Unobserved, Wanted, explore_stateless};
use sojourner_store::StoreKind;
use std::path::Path;

/// What is told of a search, with and without checkpoints.
fn told(executable: &Path, races: Races, isolate: bool, wanted: Wanted) -> String {
    let exploration = Exploration { races, isolate, ..Exploration::default() };
    let subject = NativeProgram::new(executable, Vec::new(), exploration);
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(Reduction::Optimal)));
    settings.store = StoreKind::None;
    settings.wanted = wanted;
    let outcome =
        explore_stateless(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    assert!(isolate || !subject.is_isolated(), "{:?}", outcome.fault);
    let mut warnings: Vec<String> = subject.warnings().into_iter().map(|warning| warning.message).collect();
    warnings.sort();
    let found: Vec<_> = outcome.found.iter().map(|found| (&found.finding.message, &found.schedule)).collect();
    format!("{:?}\n{:?}\n{found:#?}\n{warnings:#?}", outcome.tally, outcome.fault)
}

fn agree(name: &str, flags: &str, races: &[Races], wanted: Wanted) {
    let program = compiled(name, flags);
    for &races in races {
        let of = |isolate| told(&program.executable, races, isolate, wanted.clone());
        assert_eq!(of(false), of(true), "{name} {flags} {races:?}");
    }
}

const EVERY: [Races; 4] = [Races::Warn, Races::Fail, Races::Last, Races::Off];

#[test]
fn races_are_the_same_with_and_without_checkpoints() {
    for (name, flags) in [
        ("race.c", ""),
        ("torn.c", "-DCASE=2"),
        ("sharing.c", ""),
        ("publish.c", ""),
        ("ordered.c", "-DCASE=1 -DBROKEN"),
        ("ordered.c", "-DCASE=2"),
        ("races_late.c", ""),
        ("races_late.c", "-DRACES"),
        ("/readers.c", "-DREADERS=5"),
        ("/bbuf.c", "-DPRODUCERS=2 -DCONSUMERS=2"),
        ("/seqlock.c", ""),
    ] {
        agree(name, flags, &EVERY, Wanted::First);
    }
}

#[test]
fn crash_within_a_copy_leaves_nothing_to_executions_behind_it() {
    agree("crashing_copy.c", "-DCOUNT=2", &EVERY, Wanted::All);
}
