//! The number of inequivalent executions of programs from the literature: what a reduction runs, no more and no less.

mod common;

use common::compiled;
use sojourner_native::{Exploration, Races, Signal, Subject};
use sojourner_search::{Halt, Reduction, Settings, Shape, Strategy, Unobserved, Wanted, explore_stateless};
use sojourner_store::StoreKind;

/// The executions that a reduction completes.
fn executions(name: &str, flags: &str, signal: Signal, reduction: Reduction) -> u64 {
    let program = compiled(name, flags);
    let exploration = Exploration { signal, races: Races::Off, ..Exploration::default() };
    let subject = Subject::new(&program.executable, Vec::new(), exploration);
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
    settings.store = StoreKind::None;
    settings.wanted = Wanted::All;
    let outcome =
        explore_stateless(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
    assert!(outcome.fault.is_none(), "{name}: {:?}", outcome.fault);
    outcome.tally.executions
}

#[test]
fn of_programs_with_known_numbers_that_many_executions_are_run() {
    for (name, flags, signal, expected) in [
        ("/lock3.c", "", Signal::Any, 6),
        ("/counter.c", "", Signal::Any, 1_680),
        ("/indexer.c", "", Signal::Any, 8),
        ("/readers.c", "", Signal::Any, 256),
        ("/lastzero.c", "", Signal::Any, 64),
        ("/bbuf.c", "", Signal::Fifo, 48),
        ("/bbuf.c", "", Signal::Any, 60),
        ("/bbuf.c", "-DPRODUCERS=3 -DCONSUMERS=3", Signal::Fifo, 5_076),
        ("/bbuf.c", "-DPRODUCERS=3 -DCONSUMERS=3", Signal::Any, 10_584),
    ] {
        for reduction in [Reduction::Source, Reduction::Optimal] {
            assert_eq!(
                executions(name, flags, signal, reduction),
                expected,
                "{name} {flags} {signal:?} {reduction}"
            );
        }
    }
}
