//! Small Java programs, explored to the end.

use sojourner_java::explore::{Exploration, JavaProgram, Juc, Reduce};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::{Kind, Verdict};
use sojourner_search::{Halt, OrderKind, Outcome, Settings, Shape, Strategy, Ties, Unobserved, explore};

fn check(name: &str, source: &str, exploration: Exploration) -> (Outcome, JavaProgram) {
    let settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    check_by(&settings, name, source, exploration)
}

fn check_by(
    settings: &Settings,
    name: &str,
    source: &str,
    exploration: Exploration,
) -> (Outcome, JavaProgram) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{name}.java"));
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    let subject = JavaProgram::new(launch, &jdk, Vec::new(), exploration);
    subject.collect_end_states();
    let outcome = explore(&subject, settings, &Halt::new(), &Unobserved).unwrap();
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
fn property_is_checked_between_unlocked_steps() {
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

const AWAITS: &str = "
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.*;

public class Awaits {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Lock lock = new LOCK;
        Condition raised = lock.newCondition();
        Thread thread = new Thread(() -> {
            lock.lock();
            try {
                LOOKS (!ready) {
                    AWAITS;
                }
                assert ready;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                lock.unlock();
            }
        });
        thread.start();
        lock.lock();
        RAISES;
        raised.signal();
        lock.unlock();
        thread.join();
    }
}";

fn awaits(looks: &str, awaits: &str, lock: &str, raises: &str, exploration: Exploration) -> Outcome {
    let source = AWAITS.replace("LOOKS", looks).replace("AWAITS", awaits).replace("LOCK", lock);
    check("Awaits", &source.replace("RAISES", raises), exploration).0
}

#[test]
fn condition_waits_wake_spuriously() {
    let locks = ["ReentrantLock()", "ReentrantReadWriteLock().writeLock()"];
    let kinds =
        ["raised.await()", "raised.awaitUninterruptibly()", "if (!raised.await(30, TimeUnit.DAYS)) return"];
    for (lock, kind) in locks.iter().flat_map(|lock| kinds.iter().map(move |kind| (lock, kind))) {
        let of = |looks, spurious| {
            let exploration = Exploration { spurious, ..Exploration::default() };
            awaits(looks, kind, lock, "ready = true", exploration).verdict()
        };
        assert_eq!(of("if", true), Verdict::Found, "{lock} {kind}");
        assert_eq!(of("while", true), Verdict::Clean, "{lock} {kind}");
        assert_eq!(of("if", false), Verdict::Clean, "{lock} {kind}");
    }
}

#[test]
fn real_condition_methods_wake_spuriously() {
    let exploration = Exploration { spurious: true, juc: Juc::Real, ..Exploration::default() };
    let outcome = awaits("if", "raised.await()", "ReentrantLock()", "ready = true", exploration);
    assert_eq!(outcome.verdict(), Verdict::Found);
}

#[test]
fn thread_that_needs_a_spurious_wakeup_is_stuck() {
    for spurious in [false, true] {
        let exploration = Exploration { spurious, ..Exploration::default() };
        let outcome = awaits("while", "raised.await()", "ReentrantLock()", "ready = false", exploration);
        assert_eq!(outcome.found.first().map(|found| found.finding.kind), Some(Kind::Deadlock));
    }
}

const LOOKS_UP: &str = "
import java.security.*;

public class LooksUp {
    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            assert new SecureRandom().nextInt(5) < 5;
            try {
                assert MessageDigest.getInstance(\"MD5\").getDigestLength() == 16;
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
            assert String.format(\"%,d\", 1234).length() == 5;
        };
        Thread first = new Thread(work), second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}";

#[test]
fn library_lookups_outlive_executions() {
    for seed in 0..3 {
        let shape = Shape::best_first(Ties::Age);
        let strategy = Strategy { order: OrderKind::Random, ..Strategy::plain(shape) };
        let settings = Settings { seed, ..Settings::new(strategy) };
        let (outcome, _) = check_by(&settings, "LooksUp", LOOKS_UP, Exploration::default());
        assert_eq!(outcome.verdict(), Verdict::Clean, "{:?}", outcome.found);
        assert!(outcome.tally.states < 1000, "{} states", outcome.tally.states);
    }
}

const SETS_ZONE: &str = "
public class SetsZone {
    public static void main(String[] args) throws Exception {
        System.setProperty(\"user.timezone\", \"Asia/Tokyo\");
        Thread thread = new Thread(() -> {
            assert new java.util.GregorianCalendar().getTimeZone().getID().equals(\"Asia/Tokyo\");
        });
        thread.start();
        thread.join();
    }
}";

#[test]
fn library_lookups_follow_properties_set_by_program() {
    let (outcome, _) = check("SetsZone", SETS_ZONE, Exploration::default());
    assert_eq!(outcome.verdict(), Verdict::Clean, "{:?}", outcome.found);
}

const OPENS: &str = "
import java.io.*;

public class Opens {
    static volatile boolean on;

    public static void main(String[] args) {
        Thread reader = new Thread(() -> {
            while (true) {
                try (InputStream in = new FileInputStream(System.getProperty(\"java.home\") + \"/release\")) {
                    on = in.read() > 0 && !on;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        reader.setDaemon(true);
        reader.start();
        on = true;
    }
}";

#[test]
fn a_file_that_is_opened_again_and_again_is_the_same() {
    let (outcome, _) = check("Opens", OPENS, Exploration::default());
    assert_eq!(outcome.verdict(), Verdict::Clean);
    assert!(outcome.tally.states < 1000, "{} states", outcome.tally.states);
}
