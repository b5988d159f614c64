//! Generated systems are small, and there is some of everything in them.

use sojourner_model::Checked;
use sojourner_program::Kind;
use sojourner_testkit::RandomSystem;
use sojourner_testkit::oracle::explore;

#[test]
fn a_seed_gives_one_system() {
    let [a, b] = [0, 1].map(|_| explore(&Checked::new(RandomSystem::any(5))).unwrap());
    assert_eq!((a.states, a.transitions, a.findings), (b.states, b.transitions, b.findings));
}

#[test]
fn systems_are_small_and_of_all_sorts() {
    let oracles: Vec<_> =
        (0..200).map(|seed| explore(&Checked::new(RandomSystem::any(seed))).unwrap()).collect();
    let mut sizes: Vec<usize> = oracles.iter().map(|oracle| oracle.count()).collect();
    sizes.sort_unstable();
    assert!(sizes[100] > 30, "half of the systems have more than {} states", sizes[100]);
    assert!(sizes[199] < 100_000, "the largest has {} states", sizes[199]);
    for kind in [Kind::Deadlock, Kind::Panic, Kind::Property] {
        let with =
            oracles.iter().filter(|oracle| oracle.findings.iter().any(|finding| finding.0 == kind)).count();
        assert!((20..180).contains(&with), "{with} of 200 systems have a {kind}");
    }
    assert!(oracles.iter().any(|oracle| oracle.findings.is_empty()));
    assert!(oracles.iter().any(|oracle| oracle.end_states.is_empty()));
}
