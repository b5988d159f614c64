//! `sojourner check` on Java programs that use the JDK's own threads, locks, collections and clocks.

use crate::java::{desk, is_at_line};
use serde_json::json;

#[test]
fn waits_of_a_second_outlast_threads_that_can_go_on() {
    let desk = desk(
        "import java.util.concurrent.*;
        public class Main {
            public static void main(String[] args) throws Exception {
                ExecutorService pool = Executors.newFixedThreadPool(1);
                Future<Integer> one = pool.submit(() -> 1);
                assert one.get(1, TimeUnit.SECONDS) == 1;
                pool.shutdown();
                assert pool.awaitTermination(1, TimeUnit.SECONDS);
            }
        }",
    );
    let patient = desk.run("check Main.java --timeouts patient").code(0);
    patient.says("caveat    waits of a second or more were taken to last until");
    desk.run("check Main.java").code(1).says("has waited long enough");
}

#[test]
fn races_of_what_threads_do_first_are_found() {
    // Both threads write before they do anything else that others could notice.
    let first = "public class Main {
        static int value;
        public static void main(String[] args) {
            new Thread(() -> value = 1).start();
            new Thread(() -> value = 2).start();
        }
    }";
    // Main writes as soon as it has seen the end of another thread.
    let joined = "public class Main {
        static int value;
        public static void main(String[] args) throws Exception {
            Thread ends = new Thread(() -> { });
            ends.start();
            new Thread(() -> value = 1).start();
            ends.join();
            value = 2;
        }
    }";
    for source in [first, joined] {
        let desk = desk(source);
        let (ran, result) = desk.result("Main.java --races fail");
        assert_eq!((ran.code, &result["findings"][0]["kind"]), (1, &json!("race")), "{result:#}");
        desk.run("replay Main-race.trace.json").code(1).says("a data race on Main.value");
        desk.run("check Main.java").code(0).says("warning   a data race on Main.value");
    }
}

#[test]
fn jdk_lookups_add_no_schedules() {
    // Each of these fills tables of the JDK on its first use.
    for what in [
        "String.format(\"%d %.2f\", 1, 1.5)",
        "new java.text.SimpleDateFormat(\"yyyy\").format(new java.util.Date(0))",
        "new java.util.Scanner(\"1 2\").nextInt()",
    ] {
        let desk = desk(&format!(
            "public class Main {{
                public static void main(String[] args) {{
                    for (int i = 0; i < 3; i++) new Thread(() -> {{ Object made = {what}; }}).start();
                }}
            }}"
        ));
        let (ran, result) = desk.result("Main.java --search dfs");
        assert_eq!(ran.code, 0, "{what}: {result:#}");
        assert!(result["stats"]["states"].as_u64().is_some_and(|states| states < 200), "{what}: {result:#}");
    }
}

#[test]
fn tables_of_the_jdk_that_go_by_identity_outlast_schedules() {
    // The generator of proxies has a table with classes as keys.
    let desk = desk(
        "public class Main {
            interface Answer { int to(int question); }
            static void ask() {
                Class<?>[] interfaces = { Answer.class };
                Object made = java.lang.reflect.Proxy.newProxyInstance(
                        Main.class.getClassLoader(), interfaces, (proxy, method, arguments) -> 42);
                assert ((Answer) made).to(1) == 42;
            }
            public static void main(String[] args) {
                new Thread(Main::ask).start();
                new Thread(Main::ask).start();
            }
        }",
    );
    let ran = desk.run("check Main.java --search dfs --states 500");
    assert!(ran.code == 0 || ran.code == 3, "{}", ran.out);
}

#[test]
fn an_exception_in_the_handler_of_exceptions_is_found() {
    let desk = desk(
        "public class Main {
            public static void main(String[] args) {
                Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> { assert false : \"handler\"; });
                new Thread(() -> { throw new RuntimeException(); }).start();
            }
        }",
    );
    desk.run("check Main.java").code(1).says("an assertion failed in thread \"Thread-0\": handler");
}

#[test]
fn idle_workers_of_a_fork_join_pool_end_last() {
    let desk = desk(
        "import java.util.concurrent.*;
        public class Main {
            static class Sum extends RecursiveTask<Integer> {
                final int n;
                Sum(int n) { this.n = n; }
                protected Integer compute() {
                    if (n < 2) return n;
                    Sum left = new Sum(n - 1);
                    left.fork();
                    return new Sum(n - 2).compute() + left.join();
                }
            }
            public static void main(String[] args) {
                ForkJoinPool pool = new ForkJoinPool(2);
                assert pool.invoke(new Sum(2)) == 1;
                pool.shutdown();
            }
        }",
    );
    desk.run("check Main.java").code(0);
}

#[test]
fn races_inside_collections_are_those_of_the_program() {
    let program = |map: &str| {
        desk(&format!(
            "import java.util.*;
            public class Main {{
                static final Map<Integer, Integer> map = {map};
                public static void main(String[] args) {{
                    for (int i = 0; i < 2; i++) {{
                        int key = i;
                        new Thread(() -> map.put(key, key)).start();
                    }}
                }}
            }}"
        ))
    };
    let (ran, result) = program("new HashMap<>()").result("Main.java --races fail");
    let finding = &result["findings"][0];
    assert_eq!((ran.code, &finding["kind"], is_at_line(finding, 7)), (1, &json!("race"), true), "{result:#}");
    for safe in
        ["Collections.synchronizedMap(new HashMap<>())", "new java.util.concurrent.ConcurrentHashMap<>()"]
    {
        program(safe).run("check Main.java --races fail").code(0);
    }
}

#[test]
fn thread_that_polls_the_clock_continues() {
    let waits = [
        "long end = System.currentTimeMillis() + 100; while (System.currentTimeMillis() < end) { }",
        "long start = System.nanoTime(); while (System.nanoTime() - start < 3_600_000_000_000L) Thread.onSpinWait();",
        "var end = java.time.Instant.now().plusSeconds(5); while (java.time.Instant.now().isBefore(end)) looks++;",
    ];
    for wait in waits {
        let desk = desk(&format!(
            "public class Main {{
                static volatile int looks;
                public static void main(String[] args) {{
                    Thread other = new Thread(() -> looks++);
                    other.start();
                    {wait}
                    assert false : \"time has passed\";
                }}
            }}"
        ));
        desk.run("check Main.java").code(1).says("time has passed");
    }
    // A thread that never stops asking comes back to a state in which it was, and hangs.
    let asks = desk(
        "public class Main { public static void main(String[] args) { while (true) System.nanoTime(); } }",
    );
    asks.run("check Main.java").code(1).says("hang: main goes on for ever");
    asks.run("check Main.java --livelock off").code(0);
}

#[test]
fn loops_that_sleep_end_although_the_program_looks_at_the_clock() {
    let desk = desk(
        "public class Main {
            static volatile boolean stop;
            public static void main(String[] args) throws Exception {
                long start = System.currentTimeMillis();
                Thread sleeper = new Thread(() -> {
                    while (!stop) {
                        try { Thread.sleep(1); } catch (InterruptedException e) { return; }
                    }
                });
                Thread waiter = new Thread(() -> {
                    synchronized (Main.class) {
                        while (!stop) {
                            try { Main.class.wait(3); } catch (InterruptedException e) { return; }
                        }
                    }
                });
                sleeper.start();
                waiter.start();
                Thread.sleep(50);
                stop = true;
                sleeper.join();
                waiter.join();
                assert System.currentTimeMillis() - start >= 50;
            }
        }",
    );
    desk.run("check Main.java").code(0);
}

#[test]
fn a_semaphore_that_is_a_mutex_leaves_no_races() {
    // Whoever was parked in `acquire` has not got the permit yet when it is woken: another may be quicker.
    let desk = desk(
        "import java.util.concurrent.Semaphore;
        public class Main {
            static int count;
            static final Semaphore mutex = new Semaphore(1);
            static void add() {
                mutex.acquireUninterruptibly();
                count++;
                mutex.release();
            }
            public static void main(String[] args) {
                for (int i = 0; i < 3; i++) new Thread(Main::add).start();
            }
        }",
    );
    desk.run("check Main.java --races fail --search dfs").code(0);
    desk.run("check Main.java --races fail --search bfs").code(0);
}

#[test]
fn spinning_before_a_wait_makes_no_states() {
    let desk = desk(
        "import java.util.concurrent.Phaser;
        public class Main {
            public static void main(String[] args) {
                Phaser phaser = new Phaser(3);
                for (int i = 0; i < 2; i++) new Thread(() -> {
                    phaser.arriveAndAwaitAdvance();
                    phaser.arriveAndDeregister();
                }).start();
                phaser.arriveAndAwaitAdvance();
                phaser.arriveAndDeregister();
            }
        }",
    );
    let (ran, result) = desk.result("Main.java --search dfs");
    assert_eq!(ran.code, 0, "{result:#}");
    assert!(result["stats"]["states"].as_u64().is_some_and(|states| states < 2_000), "{result:#}");
}

#[test]
fn a_trace_tells_whom_a_notification_has_woken() {
    let trace = |before: &str, within: &str, after: &str, kind: &str| {
        let desk = desk(&format!(
            "public class Main {{
                public static void main(String[] args) throws Exception {{
                    Object signal = new Object();
                    Thread notifies = new Thread(() -> {{
                        synchronized (signal) {{
                            signal.notify();
                        }}
                    }});
                    {before}
                    synchronized (signal) {{
                        {within}
                        signal.wait();
                    }}
                    {after}
                }}
            }}"
        ));
        desk.run("check Main.java").code(1);
        desk.read(&format!("Main-{kind}.trace.json"))
    };
    let start = "notifies.start();";
    let early = trace(start, "", "", "deadlock");
    assert!(early.contains("notifies nobody on java.lang.Object"), "{early}");
    let in_time = trace("", start, "assert false;", "assertion");
    assert!(in_time.contains("notifies thread \\\"main\\\" on java.lang.Object"), "{in_time}");
}
