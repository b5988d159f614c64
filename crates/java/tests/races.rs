//! Data races: what is one, wherever its two accesses are done, and what is none.
//!
//! Each program is a class with some members, what a second thread does, and what the main thread does behind starting it.

use sojourner_java::explore::{Exploration, JavaProgram, Races, Reduce};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::{Kind, Verdict};
use sojourner_search::{Halt, Outcome, Settings, Shape, Strategy, Unobserved, explore};

/// The members, what the second thread does, and what the main thread does.
type Parts = [&'static str; 3];

fn check(parts: Parts, exploration: &Exploration, shape: Shape) -> Outcome {
    let [members, second, main] = parts;
    let source = format!(
        "import java.lang.invoke.*; import java.util.*; import java.util.concurrent.*; import java.util.concurrent.locks.*;
        public class Main {{
            static int x;
            static Thread thread;
            {members}
            static VarHandle x() throws Exception {{
                return MethodHandles.lookup().findStaticVarHandle(Main.class, \"x\", int.class);
            }}
            static void second() throws Exception {{ {second} }}
            public static void main(String[] args) throws Exception {{
                thread = new Thread(() -> {{
                    try {{ second(); }} catch (Exception e) {{ throw new IllegalStateException(e); }}
                }});
                thread.start();
                {main}
            }}
        }}"
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("Main.java");
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    let subject = JavaProgram::new(launch, &jdk, Vec::new(), exploration.clone());
    explore(&subject, &Settings::new(Strategy::plain(shape)), &Halt::new(), &Unobserved).unwrap()
}

/// Explores a program with these reductions, depth first and breadth first.
fn outcomes(parts: Parts, reductions: &[Reduce]) -> Vec<(String, Outcome)> {
    let mut outcomes = Vec::new();
    for &reduce in reductions {
        for shape in [Shape::DepthFirst, Shape::BreadthFirst(None)] {
            let exploration = Exploration { reduce, races: Races::Fail, ..Exploration::default() };
            let what = format!("{parts:?} with reductions {reduce}, {shape:?}");
            outcomes.push((what, check(parts, &exploration, shape)));
        }
    }
    outcomes
}

fn races(parts: Parts) {
    races_with(parts, &[Reduce::ALL, Reduce::NONE]);
}

fn races_with(parts: Parts, reductions: &[Reduce]) {
    for (what, outcome) in outcomes(parts, reductions) {
        let kinds: Vec<Kind> = outcome.found.iter().map(|found| found.finding.kind).collect();
        assert_eq!(kinds, [Kind::Race], "{what}");
    }
}

fn no_race(parts: Parts) {
    for (what, outcome) in outcomes(parts, &[Reduce::ALL, Reduce::NONE]) {
        assert_eq!(outcome.verdict(), Verdict::Clean, "{what}: {:?}", outcome.found);
    }
}

#[test]
fn an_access_behind_a_pause() {
    races(["", "x = 1;", "Thread.yield(); int y = x;"]);
    races(["", "x = 1;", "Thread.sleep(10); int y = x;"]);
    races(["", "x = 1;", "Thread.onSpinWait(); x = 2;"]);
}

#[test]
fn an_access_behind_a_wait_that_is_given_up() {
    races(["", "x = 1;", "LockSupport.parkNanos(1000); int y = x;"]);
    races(["", "x = 1;", "thread.join(10); int y = x;"]);
    races(["", "LockSupport.parkNanos(1000); x = 1;", "LockSupport.parkNanos(1000); x = 2;"]);
    no_race(["", "x = 1;", "LockSupport.parkNanos(1000); thread.join(); int y = x;"]);
}

#[test]
fn an_access_behind_a_static_initialiser_that_another_thread_has_run() {
    races(["enum Only { ONE; int n; }", "Only.ONE.n++;", "Only.ONE.n++;"]);
    no_race(["enum Only { ONE; int n = 3; }", "int y = Only.ONE.n;", "int y = Only.ONE.n;"]);
}

#[test]
fn elements_that_are_copied_in_one_go() {
    const ARRAYS: &str = "static final int[] from = new int[4], to = new int[4];";
    races([ARRAYS, "System.arraycopy(from, 0, to, 0, 3);", "to[2] = 1;"]);
    races([ARRAYS, "from.clone();", "from[3] = 1;"]);
    // Without reductions every array counts as shared, and of two shared ones the write is looked at.
    for copies in ["System.arraycopy(from, 0, new int[4], 1, 3);", "Arrays.copyOfRange(from, 1, 3);"] {
        races_with([ARRAYS, copies, "from[2] = 1;"], &[Reduce::ALL]);
        races_with([ARRAYS, copies, "System.arraycopy(new int[2], 0, from, 2, 2);"], &[Reduce::ALL]);
    }
    no_race([ARRAYS, "System.arraycopy(from, 0, to, 0, 3);", "to[3] = 1;"]);
    no_race([ARRAYS, "System.arraycopy(from, 0, new int[4], 1, 3);", "int y = from[2];"]);
    no_race([ARRAYS, "Arrays.copyOfRange(from, 1, 3);", "System.arraycopy(new int[2], 0, from, 3, 1);"]);
}

#[test]
fn accesses_by_variable_handles_are_as_plain_as_they_say() {
    races(["", "x().set(1);", "int y = (int) x().get();"]);
    races(["", "x().setVolatile(1);", "int y = x;"]);
    no_race(["", "x().setOpaque(1);", "int y = (int) x().getOpaque();"]);
    no_race([
        "static int data;",
        "data = 1; x().setRelease(1);",
        "if ((int) x().getAcquire() == 1) { int y = data; }",
    ]);
}
