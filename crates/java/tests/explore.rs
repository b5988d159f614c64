//! Small Java programs, explored to the end.

use sojourner_java::explore::{Exploration, Reduce, Subject};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::Verdict;
use sojourner_search::{Halt, Outcome, Settings, Shape, Strategy, Unobserved, explore};

fn check(name: &str, source: &str, exploration: Exploration) -> (Outcome, Subject) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{name}.java"));
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    let subject = Subject::new(launch, &jdk, Vec::new(), exploration);
    subject.collect_end_states();
    let settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    let outcome = explore(&subject, &settings, &Halt::new(), &Unobserved).unwrap();
    (outcome, subject)
}

const RACE: &str = "
public class Race {
    static int x;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { x = x + 1; });
        Thread b = new Thread(() -> { x = x + 1; });
        a.start(); b.start(); a.join(); b.join();
    }
}";

#[test]
fn two_unordered_increments_may_lose_one() {
    for reduce in [Reduce::ALL, Reduce::NONE] {
        let (outcome, subject) = check("Race", RACE, Exploration { reduce, ..Exploration::default() });
        let ends = subject.end_states();
        let results: Vec<&str> = ends.iter().filter_map(|end| end.lines().next()).collect();
        assert_eq!(outcome.verdict(), Verdict::Clean);
        assert_eq!(results, ["Race.x=1", "Race.x=2"]);
        assert_eq!(subject.warnings().len(), 1, "{:?}", subject.warnings());
    }
}

const RANGE: &str = "
public class Range {
    static int low, high;
    static boolean isOne() { return low <= high; }
    static synchronized void both() { low = 5; high = 5; }
    static void move() { low = 3; high = 3; }
    public static void main(String[] args) throws Exception {
        Thread mover = new Thread(() -> MOVES);
        mover.start();
        mover.join();
    }
}";

#[test]
fn a_property_is_looked_at_between_what_one_thread_does_without_a_lock() {
    for (moves, verdict) in [("move()", Verdict::Found), ("both()", Verdict::Clean)] {
        let properties = vec!["Range.isOne".to_string()];
        let exploration = Exploration { properties, ..Exploration::default() };
        let (outcome, _) = check("Range", &RANGE.replace("MOVES", moves), exploration);
        assert_eq!(outcome.verdict(), verdict, "{moves}: {:?}", outcome.found);
    }
}

const ROWS: &str = "
public class Rows {
    public static void main(String[] args) throws Exception {
        int[][] given = new int[3][4], sums = new int[3][4];
        Thread[] threads = new Thread[3];
        for (int row = 0; row < 3; row++) {
            int mine = row;
            threads[row] = new Thread(() -> {
                for (int column = 0; column < 4; column++) {
                    sums[mine][column] += given[column % 3][mine];
                }
            });
            threads[row].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}";

#[test]
fn rows_of_one_matrix_are_not_taken_for_those_of_another() {
    let (outcome, _) = check("Rows", ROWS, Exploration::default());
    assert_eq!(outcome.verdict(), Verdict::Clean);
    assert!(outcome.tally.states < 100, "{} states", outcome.tally.states);
}
