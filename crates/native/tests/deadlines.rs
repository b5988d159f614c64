//! Time: waits that end by themselves, and clocks.

mod common;

use common::{brute, compiled, reduced, sample};
use sojourner_native::{Exploration, NativeProgram};
use sojourner_program::Kind;
use sojourner_search::Shape;

#[test]
fn recomputed_wait_deadlines_are_restored() {
    for case in 1..=5 {
        for broken in [false, true] {
            let flags = format!("-DCASE={case} {}", if broken { "-DBROKEN" } else { "" });
            let program = compiled("deadlines.c", &flags);
            let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
            let explored = reduced(&subject);
            assert!(explored.fault.is_none(), "{flags}: {:?}", explored.fault);
            let expected = match (broken, case) {
                (false, _) => vec![],
                (true, 1..=3) => vec![Kind::Assertion],
                (true, _) => vec![Kind::Hang],
            };
            assert_eq!(explored.kinds(), expected, "{flags}: {}", explored.text());
            assert!(explored.all || broken, "{flags}");
        }
    }
}

#[test]
fn expired_deadlines_replay_the_same_steps() {
    // Three threads that wait until a moment which has passed: what is left on their stacks must not matter.
    let program = compiled("in_vain.c", "");
    for shape in [Shape::Walk, Shape::Pos] {
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = sample(&subject, shape, 3_000, 1);
        assert!(explored.fault.is_none(), "{:?}", explored.fault);
        assert_eq!(explored.kinds(), []);
        assert!(!subject.is_isolated());
    }
}

#[test]
fn the_processor_ticks_the_same_in_every_execution() {
    for flags in ["", "-O2"] {
        let program = compiled("ticks.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = brute(&subject, 100_000);
        assert!(explored.all && explored.fault.is_none(), "{flags}: {:?}", explored.fault);
        assert_eq!(explored.kinds(), [], "{flags}: {}", explored.text());
        assert!(!subject.is_isolated(), "{flags}: it does the same with the same schedule");
    }
}
