//! Executions that go on for ever: hangs, livelocks, and programs that are meant to.

use crate::desk::Desk;

/// A desk with a program whose `main` has this body. The members of the class stand before it.
fn desk(members: &str, main: &str) -> Desk {
    let desk = Desk::new();
    let source = format!(
        "public class Main {{\n    {members}\n    public static void main(String[] args) throws Exception {{\n        {main}\n    }}\n}}"
    );
    desk.write("Main.java", &source);
    desk
}

/// The searches that explore everything.
const SEARCHES: [&str; 6] = [
    "",
    "--search dfs",
    "--search dfs --jobs 2",
    "--search bfs",
    "--search dpor",
    "--search dfs --reduce none",
];

/// A thread that waits in a loop until it is told to go on, and a main thread that does something before it tells it to.
fn spins(before: &str) -> Desk {
    desk(
        "static volatile boolean ready, done;",
        &format!(
            "new Thread(() -> {{ while (!ready) Thread.onSpinWait(); done = true; }}, \"other\").start();
             {before}
             ready = true;"
        ),
    )
}

#[test]
fn threads_that_wait_for_each_other_in_loops_are_a_livelock() {
    let hangs = spins("while (!done) Thread.onSpinWait();");
    for how in SEARCHES {
        let ran = hangs.run(&format!("check Main.java {how}")).code(1);
        ran.says("main, other go on for ever, and none of them can ever finish").says("--livelock off");
        hangs.run("replay Main-livelock.trace.json").code(1).says("livelock: main, other go on for ever");
    }
    hangs.run("check Main.java --livelock off").code(0).says("were not looked for (--livelock off)");
}

#[test]
fn wait_for_enabled_thread_is_no_livelock() {
    for how in SEARCHES {
        spins("").run(&format!("check Main.java {how}")).code(0);
    }
    // They can go on for ever under an unfair schedule only.
    spins("").run("check Main.java --livelock").code(0);
}

#[test]
fn spin_locks_taken_in_opposite_orders_are_a_livelock() {
    let locks = desk(
        "static final java.util.concurrent.atomic.AtomicBoolean a = new java.util.concurrent.atomic.AtomicBoolean(),
            b = new java.util.concurrent.atomic.AtomicBoolean();
        static void both(java.util.concurrent.atomic.AtomicBoolean x, java.util.concurrent.atomic.AtomicBoolean y) {
            while (!x.compareAndSet(false, true)) Thread.yield();
            while (!y.compareAndSet(false, true)) Thread.yield();
            y.set(false);
            x.set(false);
        }",
        "new Thread(() -> both(a, b), \"one\").start(); new Thread(() -> both(b, a), \"two\").start();",
    );
    for how in ["", "--search dfs --jobs 2", "--search bfs"] {
        locks.run(&format!("check Main.java {how}")).code(1).says("livelock: one, two go on for ever");
    }
}

#[test]
fn escapable_livelock_is_a_finding_only_on_request() {
    // Each gives its lock back when it cannot have the other one: they may do so for ever, and need not.
    let polite = desk(
        "static final java.util.concurrent.locks.ReentrantLock a = new java.util.concurrent.locks.ReentrantLock(),
            b = new java.util.concurrent.locks.ReentrantLock();
        static void both(java.util.concurrent.locks.ReentrantLock x, java.util.concurrent.locks.ReentrantLock y) {
            while (true) {
                x.lock();
                if (y.tryLock()) { y.unlock(); x.unlock(); return; }
                x.unlock();
            }
        }",
        "new Thread(() -> both(a, b), \"one\").start(); new Thread(() -> both(b, a), \"two\").start();",
    );
    polite.run("check Main.java").code(0);
    for option in ["--livelock", "--livelock all"] {
        polite.run(&format!("check {option} Main.java")).code(1).says("livelock: threads can go on for ever");
        polite.run("replay Main-livelock.trace.json").code(1).says("livelock: threads can go on for ever");
    }
    let ran = polite.run("check Main.java --livelock --search walk --executions 5").code(3);
    ran.says("livelocks that threads could leave are known only when everything has been explored");
}

/// Bodies of threads that run for ever and do nothing that others see.
const LOOPS: [&str; 7] = [
    "while (true) { }",
    "boolean stop = false; while (!stop) { }",
    "for (int i = 0; ; i = (i + 1) % 8) if (i > 8) return;",
    "while (true) { String text = new String(\"garbage\"); if (text.isEmpty()) return; }",
    "while (true) { if (Math.max(1, 2) > 2) return; }",
    "while (!plain) { }",
    "Object lock = new Object(); while (true) synchronized (lock) { }",
];

#[test]
fn endless_loop_without_visible_operations_is_a_hang() {
    for body in LOOPS {
        let hangs = desk("static boolean plain;", body);
        for how in ["", "--search dfs --jobs 2"] {
            let ran = hangs.run(&format!("check Main.java {how}")).code(1);
            ran.says("hang: main goes on for ever, and no other thread can move").says("Main.java:4");
        }
        hangs.run("replay Main-hang.trace.json").code(1).says("hang: main goes on for ever");
        hangs.run("check Main.java --livelock off").code(0);
    }
}

#[test]
fn endless_loop_in_a_thread_is_a_hang() {
    for body in LOOPS {
        let main =
            format!("new Thread(() -> {{ {body} }}, \"worker\").start(); synchronized (Main.class) {{ }}");
        let hangs = desk("static boolean plain;", &main);
        for how in ["", "--search bfs", "--search dfs --reduce none"] {
            hangs.run(&format!("check Main.java {how}")).code(1).says("hang: worker goes on for ever");
        }
    }
}

#[test]
fn loop_that_ends_is_none() {
    desk("static int count;", "for (int i = 0; i < 3_000_000; i++) if (i == 2_999_999) count = i;")
        .run("check Main.java")
        .code(0);
}

#[test]
fn daemon_that_runs_when_all_others_have_ended_is_none() {
    let daemon = "Thread ticker = new Thread(() -> { while (true) count = 1 - count; });
        ticker.setDaemon(true);
        ticker.start();";
    for how in SEARCHES {
        if how != "--search dpor" {
            desk("static volatile int count;", daemon).run(&format!("check Main.java {how}")).code(0);
        }
    }
}

#[test]
fn thread_that_waits_for_ever_beside_a_daemon_is_found() {
    let waits = "Thread ticker = new Thread(() -> { while (true) count = 1 - count; }, \"ticker\");
        ticker.setDaemon(true);
        ticker.start();
        synchronized (Main.class) { Main.class.wait(); }";
    desk("static volatile int count;", waits)
        .run("check Main.java")
        .code(1)
        .says("hang: ticker goes on for ever");
}

#[test]
fn time_out_that_is_held_back_is_no_hang() {
    let sleeps =
        "new Thread(() -> { while (!stop) Thread.yield(); }).start(); Thread.sleep(60_000); stop = true;";
    for timeouts in ["any", "patient", "last"] {
        let ran = desk("static volatile boolean stop;", sleeps)
            .run(&format!("check Main.java --timeouts {timeouts}"));
        assert!(ran.code != 1, "{timeouts}");
    }
}

#[test]
fn models_that_never_end_are_meant_to() {
    let desk = Desk::new();
    desk.run("check model:peterson").code(0).says("no execution ends");
    desk.run("check model:peterson --livelock off").code(0).says("--livelock off");
    desk.run("check model:peterson --livelock").code(1).says("livelock");
    desk.run("replay peterson-livelock.trace.json").code(1).says("livelock");
}

#[test]
fn livelock_all_is_not_for_c_programs() {
    let desk = Desk::new();
    desk.write("main.c", "int main(void) { return 0; }");
    desk.run("check main.c --livelock all").refused(&["--livelock all is for Java programs and models"]);
}

#[test]
fn c_programs_can_be_meant_to_run_for_ever() {
    let desk = Desk::new();
    let one = "void *turn(void *unused) { while (!stop) { turns = !turns; } return unused; }
        int main(void) { pthread_t other; pthread_create(&other, 0, turn, 0); pthread_join(other, 0); }";
    let several = "void *wait(void *unused) { while (!stop) {} return unused; }
        int main(void) { pthread_t other; pthread_create(&other, 0, wait, 0); wait(0); }";
    for (name, rest) in [("one.c", one), ("several.c", several)] {
        let before = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int stop, turns;";
        desk.write(name, format!("{before}\n{rest}"));
        desk.run(&format!("check {name}")).code(1).says("--livelock off");
        for search in ["", "--search dpor", "--search walk --executions 5"] {
            let ran = desk.run(&format!("check {name} --livelock off {search}"));
            assert!(ran.code == 0 || ran.code == 3, "{name} {search}: {}", ran.code);
        }
        desk.run(&format!("check {name} --livelock off")).code(0).says("(--livelock off)");
    }
}

#[test]
fn intended_endless_loop_without_visible_operations_is_incomplete() {
    let desk = Desk::new();
    desk.write("main.c", "int main(void) { while (1) {} }");
    desk.run("check main.c").code(1).says("hang: main repeats itself for ever").says("main.c:1");
    desk.run("check main.c --livelock off --time 2s").code(3);
}

#[test]
fn c_program_that_is_meant_to_run_for_ever_can_fail() {
    let desk = Desk::new();
    let text = "#include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_int count;
        void *add(void *unused) { int seen = count; count = seen + 1; return unused; }
        void *serve(void *unused) { while (1) { count = count; } return unused; }
        int main(void) {
            pthread_t one, two, server;
            pthread_create(&one, 0, add, 0);
            pthread_create(&two, 0, add, 0);
            pthread_join(one, 0);
            pthread_join(two, 0);
            assert(count == 2);
            pthread_create(&server, 0, serve, 0);
            pthread_join(server, 0);
        }";
    desk.write("main.c", text);
    desk.run("check main.c --livelock off").code(1).says("assertion");
    let stuck = text.replace(
        "add(void *unused) {",
        "add(void *unused) { static pthread_mutex_t lock; pthread_mutex_lock(&lock);",
    );
    desk.write("stuck.c", &stuck);
    desk.run("check stuck.c --livelock off").code(1).says("deadlock");
}
