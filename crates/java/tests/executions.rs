//! Dynamic partial order reduction of Java programs: how many executions there are that differ in more than the order of
//! independent steps.

use sojourner_java::explore::{Exploration, JavaProgram};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::Verdict;
use sojourner_search::{
    Effort, Halt, Outcome, Reduction, Settings, Shape, Strategy, Unobserved, explore, replay, shorten,
};

/// A program of which `main` starts some threads and joins them: its name, its declarations, what each thread does, and how
/// many executions it has.
struct Example {
    name: &'static str,
    fields: &'static str,
    threads: Vec<String>,
    executions: u64,
}

impl Example {
    fn source(&self) -> String {
        let Example { name, fields, threads, .. } = self;
        let threads: Vec<String> =
            threads.iter().map(|body| format!("            new Thread(() -> {{ {body} }}),\n")).collect();
        format!(
            "public class {name} {{\n    {fields}\n    public static void main(String[] args) throws Exception {{\n        \
             Thread[] threads = {{\n{}        }};\n        for (Thread t : threads) t.start();\n        \
             for (Thread t : threads) t.join();\n    }}\n}}\n",
            threads.concat()
        )
    }
}

fn subject(name: &str, source: &str) -> JavaProgram {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{name}.java"));
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    JavaProgram::new(launch, &jdk, Vec::new(), Exploration::default())
}

fn explored(subject: &JavaProgram, mode: Reduction, workers: usize) -> Outcome {
    let settings = Settings { workers, ..Settings::new(Strategy::plain(Shape::Dpor(mode))) };
    explore(subject, &settings, &Halt::new(), &Unobserved).unwrap()
}

/// Explores a program in every mode that counts executions once, with one and two workers. Footprints are exact, so that no
/// execution of `optimal` is begun in vain.
fn check(example: &Example) {
    let (name, source) = (example.name, example.source());
    for workers in [1, 2] {
        for mode in [Reduction::Source, Reduction::Optimal] {
            let outcome = explored(&subject(name, &source), mode, workers);
            let told = format!("{name} {mode} {workers}: {outcome:?}");
            assert_eq!(outcome.verdict(), Verdict::Clean, "{told}");
            assert_eq!(outcome.tally.executions, example.executions, "{told}");
            assert!(mode != Reduction::Optimal || outcome.tally.blocked_executions == 0, "{told}");
        }
    }
    for mode in [Reduction::Classic, Reduction::Eager] {
        let outcome = explored(&subject(name, &source), mode, 1);
        assert_eq!(outcome.tally.executions, example.executions, "{name} {mode}: {outcome:?}");
    }
}

fn times(count: usize, body: &str) -> Vec<String> {
    (0..count).map(|nth| body.replace("NTH", &nth.to_string())).collect()
}

#[test]
fn three_threads_count_to_three_each_under_a_monitor() {
    check(&Example {
        name: "Counter",
        fields: "static int count; static synchronized void add() { count++; }",
        threads: times(3, "for (int i = 0; i < 3; i++) add();"),
        executions: 1_680,
    });
}

#[test]
fn three_threads_take_one_monitor() {
    let fields = "static final Object lock = new Object();";
    let threads = times(3, "synchronized (lock) { }");
    check(&Example { name: "Lock3", fields, threads, executions: 6 });
}

#[test]
fn readers_come_before_or_behind_one_writer() {
    let fields = "static volatile int x; static final int[] seen = new int[8];";
    let mut threads = times(8, "seen[NTH] = x;");
    threads.insert(0, "x = 1;".into());
    check(&Example { name: "Readers", fields, threads, executions: 256 });
    let fields = "static volatile int x; static int a, b;";
    let threads = vec!["x = 1;".into(), "a = x;".into(), "b = x;".into()];
    check(&Example { name: "TwoReaders", fields, threads, executions: 4 });
}

#[test]
fn one_looks_for_the_last_nought_while_others_count_up() {
    let fields = "static final java.util.concurrent.atomic.AtomicIntegerArray array = \
                  new java.util.concurrent.atomic.AtomicIntegerArray(6);";
    let mut threads = times(5, "array.set(NTH + 1, array.get(NTH) + 1);");
    threads.push("int i = 5; while (array.get(i) != 0) i--;".into());
    check(&Example { name: "LastZero", fields, threads, executions: 64 });
}

#[test]
fn elements_of_an_array_and_fields_of_an_object_are_different_things() {
    let fields = "static final int[] array = new int[3]; int a, b; static final Apart one = new Apart();";
    let threads = ["array[0]++;", "array[1]++;", "array[2]++;", "one.a++;", "one.b++;"].map(String::from);
    check(&Example { name: "Apart", fields, threads: threads.into(), executions: 1 });
}

#[test]
fn a_waiter_is_notified_or_need_not_wait() {
    let fields = "static boolean ready; static final Object lock = new Object();";
    let waits =
        "synchronized (lock) { try { while (!ready) lock.wait(); } catch (InterruptedException e) { } }";
    let notifies = "synchronized (lock) { ready = true; lock.notifyAll(); }";
    let threads = vec![waits.into(), notifies.into()];
    check(&Example { name: "Waits", fields, threads, executions: 2 });
    // Both wait, in either order, and come back in either order; one waits; nobody does, in either order.
    let threads = vec![waits.into(), waits.into(), notifies.into()];
    check(&Example { name: "BothWait", fields, threads, executions: 2 * 2 + 2 * 2 + 2 });
}

#[test]
fn a_permit_comes_first_or_is_waited_for() {
    let fields = "static volatile Thread parked; static int n;";
    let parks = "parked = Thread.currentThread(); java.util.concurrent.locks.LockSupport.park();";
    let unparks = "while (parked == null) { } java.util.concurrent.locks.LockSupport.unpark(parked);";
    check(&Example { name: "Parks", fields, threads: vec![parks.into(), unparks.into()], executions: 1 });
}

#[test]
fn waiting_loop_looks_once() {
    let fields = "static volatile boolean go; static int seen;";
    let threads = vec!["while (!go) Thread.onSpinWait(); seen = 1;".into(), "go = true;".into()];
    check(&Example { name: "Spins", fields, threads, executions: 1 });
}

#[test]
fn failed_assumption_restarts_search() {
    // Nobody interrupts, asks or waits for some time before a thread has seen that it may.
    let source = "
public class Teaches {
    static volatile boolean go;
    static int ended;
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            if (go) {
                try { Thread.sleep(5); ended = 1; } catch (InterruptedException e) { ended = 2; }
            }
        });
        t.start();
        go = true;
        t.interrupt();
        t.join();
        assert ended != 2;
    }
}";
    for workers in [1, 2] {
        let outcome = explored(&subject("Teaches", source), Reduction::Optimal, workers);
        assert_eq!(outcome.verdict(), Verdict::Found, "{outcome:?}");
    }
}

#[test]
fn findings_can_be_replayed_and_shortened() {
    let source = "
public class Opposite {
    static final Object a = new Object(), b = new Object();
    public static void main(String[] args) {
        new Thread(() -> { synchronized (a) { synchronized (b) { } } }).start();
        new Thread(() -> { synchronized (b) { synchronized (a) { } } }).start();
    }
}";
    for mode in Reduction::ALL {
        for workers in [1, 2] {
            let subject = subject("Opposite", source);
            let outcome = explored(&subject, mode, workers);
            let found = outcome.found.first().unwrap_or_else(|| panic!("{mode} {workers}: {outcome:?}"));
            let schedule = found.schedule.as_ref().expect("a schedule");
            let replayed = replay(&subject, schedule).expect("the schedule fits");
            assert!(replayed.finding.is_some_and(|finding| finding.same_defect(&found.finding)));
            let short = shorten(&subject, schedule, &found.finding, Effort::default(), &Halt::new());
            let short = short.expect("it can be followed");
            assert!(short.len() <= schedule.len());
        }
    }
}
