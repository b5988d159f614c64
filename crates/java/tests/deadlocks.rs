//! Threads that wait for each other's locks are found in the state in which the cycle closes, whatever other threads do.

use sojourner_java::explore::{Exploration, JavaProgram, Juc, Reduce};
use sojourner_java::library::{Jdk, Launch, Origin, launch};
use sojourner_program::{Detail, Finding, Kind, Load, Program, Step};
use sojourner_search::{
    Halt, Outcome, Reduction, Settings, Shape, Strategy, Unobserved, Wanted, explore, explore_stateless,
};
use sojourner_store::StoreKind;
use std::path::Path;

/// A program with two threads that do this, and a third one that never ends.
fn source(first: &str, second: &str) -> String {
    source_with("while (true) tick = !tick;", first, second)
}

/// The same with a third thread that does that. What they lock is static.
fn source_with(third: &str, first: &str, second: &str) -> String {
    format!(
        "import java.util.concurrent.TimeUnit;
        import java.util.concurrent.locks.*;
        public class Main {{
            static final Object a = new Object(), b = new Object();
            static final ReentrantLock one = new ReentrantLock(), two = new ReentrantLock(true);
            static final ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
            static final Condition told = one.newCondition();
            static volatile boolean tick;
            static boolean ready;
            interface Body {{ void run() throws Exception; }}
            static Thread start(String name, Body body) {{
                Thread thread = new Thread(() -> {{
                    try {{ body.run(); }} catch (InterruptedException end) {{ }} catch (Exception wrong) {{ throw new Error(wrong); }}
                }}, name);
                thread.setDaemon(name.equals(\"daemon\"));
                thread.start();
                return thread;
            }}
            static class Lazy {{ static int x; static {{ synchronized (a) {{ x = 1; }} }} static void touch() {{ }} }}
            public static void main(String[] args) throws Exception {{
                start(\"ticker\", () -> {{ {third} }});
                start(\"first\", () -> {{ {first} }});
                start(\"second\", () -> {{ {second} }});
            }}
        }}"
    )
}

fn load(directory: &Path, source: &str, exploration: Exploration) -> JavaProgram {
    let path = directory.join("Main.java");
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch: Launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    assert!(launch.origin != Origin::ClassName);
    JavaProgram::new(launch, &jdk, Vec::new(), exploration)
}

fn by_states(subject: &JavaProgram, shape: Shape) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(shape));
    settings.wanted = Wanted::First;
    explore(subject, &settings, &Halt::new(), &Unobserved).unwrap()
}

fn by_executions(subject: &JavaProgram) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(Reduction::Optimal)));
    settings.store = StoreKind::None;
    explore_stateless(subject, &settings, &Halt::new(), &Unobserved).unwrap()
}

/// What is found where the schedule of a finding leads.
fn follow(subject: &JavaProgram, outcome: &Outcome) -> Option<Finding> {
    let mut program = subject.open_to_follow().unwrap();
    let mut step = Step::new(Detail::Words);
    for &choice in outcome.found[0].schedule.as_ref().unwrap() {
        program.step(choice, &mut step).unwrap();
    }
    let mut choices = Vec::new();
    program.choices(&mut choices);
    program.judge(choices.is_empty())
}

#[track_caller]
fn is_deadlock(first: &str, second: &str, words: &[&str]) {
    let source = source(first, second);
    for (reduce, juc) in [(Reduce::ALL, Juc::Primitive), (Reduce::NONE, Juc::Real)] {
        let directory = tempfile::tempdir().unwrap();
        let subject = load(directory.path(), &source, Exploration { reduce, juc, ..Exploration::default() });
        let mut outcomes =
            vec![by_states(&subject, Shape::DepthFirst), by_states(&subject, Shape::BreadthFirst(None))];
        if juc == Juc::Primitive {
            // Without states, a thread that never ends is all that is run.
            let source = source_with("tick = true; tick = false;", first, second);
            let directory = tempfile::tempdir().unwrap();
            outcomes.push(by_executions(&load(directory.path(), &source, Exploration::default())));
        }
        for outcome in &outcomes {
            assert!(outcome.fault.is_none(), "{first}: {:?}", outcome.fault);
            let [found] = &outcome.found[..] else { panic!("{first}; {second}: {outcome:?}") };
            assert_eq!(found.finding.kind, Kind::Deadlock, "{first}; {second}: {:?}", found.finding);
            for words in words {
                assert!(found.finding.message.contains(words), "{words}: {}", found.finding.message);
            }
        }
        assert_eq!(follow(&subject, &outcomes[1]).as_ref(), Some(&outcomes[1].found[0].finding));
    }
}

#[track_caller]
fn is_none(first: &str, second: &str) {
    let directory = tempfile::tempdir().unwrap();
    let subject = load(directory.path(), &source(first, second), Exploration::default());
    let outcome = by_states(&subject, Shape::DepthFirst);
    assert!(outcome.fault.is_none() && outcome.reasons.is_empty(), "{first}: {outcome:?}");
    assert!(outcome.found.is_empty(), "{first}; {second}: {:?}", outcome.found);
}

#[test]
fn cycle_of_monitors_is_found_while_another_thread_ticks() {
    is_deadlock(
        "synchronized (a) { synchronized (b) { } }",
        "synchronized (b) { synchronized (a) { } }",
        &[
            "\"first\" holds the monitor of a java.lang.Object and waits for the monitor of a java.lang.Object, held by \
             \"second\"",
        ],
    );
    is_none("synchronized (a) { synchronized (b) { } }", "synchronized (a) { synchronized (b) { } }");
}

#[test]
fn locks_of_the_library_close_cycles() {
    let holds = "\"first\" holds a java.util.concurrent.locks.ReentrantLock and waits for ";
    is_deadlock(
        "one.lock(); two.lock(); two.unlock(); one.unlock();",
        "two.lock(); one.lock(); one.unlock(); two.unlock();",
        &[holds, "a java.util.concurrent.locks.ReentrantLock, held by \"second\""],
    );
    is_deadlock(
        "one.lock(); synchronized (a) { } one.unlock();",
        "synchronized (a) { one.lock(); one.unlock(); }",
        &[holds, "the monitor of a java.lang.Object, held by \"second\""],
    );
    is_none(
        "one.lock(); two.lock(); two.unlock(); one.unlock();",
        "one.lock(); one.unlock(); two.lock(); two.unlock();",
    );
}

#[test]
fn reader_that_wants_to_write_waits_for_itself() {
    is_deadlock(
        "shared.readLock().lock(); shared.writeLock().lock();",
        "",
        &["\"first\" waits for a java.util.concurrent.locks.ReentrantReadWriteLock, held by itself"],
    );
    is_none(
        "shared.writeLock().lock(); shared.readLock().lock(); shared.writeLock().unlock(); shared.readLock().unlock();",
        "",
    );
}

#[test]
fn readers_and_the_queue_before_a_lock_are_in_cycles() {
    let first = "shared.readLock().lock(); synchronized (a) { } shared.readLock().unlock();";
    is_deadlock(
        first,
        "synchronized (a) { shared.writeLock().lock(); shared.writeLock().unlock(); }",
        &["\"first\" holds a java.util.concurrent.locks.ReentrantReadWriteLock and waits for the monitor"],
    );
    is_none(first, "synchronized (a) { shared.readLock().lock(); shared.readLock().unlock(); }");
}

#[test]
fn class_initialisers_are_in_cycles() {
    is_deadlock(
        "Lazy.touch();",
        "synchronized (a) { Lazy.touch(); }",
        &["\"first\" initialises Main$Lazy and waits for"],
    );
}

#[test]
fn lock_of_a_thread_that_has_ended_is_never_given_back() {
    is_deadlock(
        "one.lock();",
        "one.lock(); one.unlock();",
        &["waits for a java.util.concurrent.locks.ReentrantLock, held by \"first\", which has ended"],
    );
}

#[test]
fn signalled_thread_that_needs_its_lock_again_is_in_a_cycle() {
    is_deadlock(
        "synchronized (a) { one.lock(); while (!ready) told.await(); one.unlock(); }",
        "one.lock(); ready = true; told.signal(); synchronized (a) { } one.unlock();",
        &["\"second\" holds a java.util.concurrent.locks.ReentrantLock and waits for the monitor"],
    );
}

#[test]
fn waits_that_time_or_an_interrupt_ends_close_no_cycle() {
    is_none(
        "one.lock(); if (two.tryLock(1, TimeUnit.SECONDS)) two.unlock(); one.unlock();",
        "two.lock(); one.lock(); one.unlock(); two.unlock();",
    );
    is_none(
        "Thread inner = start(\"inner\", () -> { one.lock(); try { two.lockInterruptibly(); two.unlock(); } finally { one.unlock(); } });
         inner.interrupt();",
        "two.lock(); one.lock(); one.unlock(); two.unlock();",
    );
}

#[test]
fn join_with_a_lock_that_the_joined_thread_needs_is_a_cycle() {
    is_deadlock(
        "synchronized (a) { start(\"inner\", () -> { synchronized (a) { } }).join(); }",
        "",
        &["\"first\" holds the monitor of a java.lang.Object and waits for the end of \"inner\""],
    );
    // Another thread may still interrupt it.
    is_none(
        "Thread self = Thread.currentThread();
         start(\"other\", () -> { tick = true; self.interrupt(); });
         synchronized (a) { start(\"inner\", () -> { synchronized (a) { } }).join(); }",
        "",
    );
}

#[test]
fn daemons_that_are_blocked_when_the_program_ends_are_told_of() {
    let source = "public class Main {
        static final Object a = new Object(), b = new Object();
        public static void main(String[] args) throws Exception {
            Thread holds = new Thread(() -> { synchronized (a) { synchronized (b) { try { b.wait(); } catch (InterruptedException e) { } } } });
            Thread waits = new Thread(() -> { synchronized (a) { } }, \"waits\");
            holds.setDaemon(true);
            waits.setDaemon(true);
            holds.start();
            waits.start();
        }
    }";
    let directory = tempfile::tempdir().unwrap();
    let subject = load(directory.path(), source, Exploration::default());
    let outcome = by_states(&subject, Shape::DepthFirst);
    assert!(outcome.found.is_empty() && outcome.reasons.is_empty(), "{outcome:?}");
    let told: Vec<String> = subject.warnings().into_iter().map(|warning| warning.message).collect();
    assert!(
        told.iter().any(|text| text
            .starts_with("\"waits\" is blocked for ever when the program ends: it waits for the monitor")),
        "{told:?}"
    );
}
