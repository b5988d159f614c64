//! `sojourner check` on Java programs: every schedule of them, and what is found on the way.

use crate::desk::{Desk, Ran};
use serde_json::{Value, json};

/// A desk with this source as `Main.java`.
pub fn desk(source: &str) -> Desk {
    let desk = Desk::new();
    desk.write("Main.java", source);
    desk
}

/// Two threads that add to a counter, which fails if one of the additions is lost.
const LOST_UPDATE: &str = "public class Main {
    static int count;
    public static void main(String[] args) throws Exception {
        System.out.println(\"begin\");
        Thread a = new Thread(() -> count = count + 1, \"a\"), b = new Thread(() -> count = count + 1, \"b\");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2 : \"count is \" + count;
    }
}";

/// Two threads that take two locks in opposite orders.
const DEADLOCK: &str = "public class Main {
    static final Object left = new Object(), right = new Object();
    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) { }
        }
    }
    public static void main(String[] args) {
        new Thread(() -> both(left, right), \"alice\").start();
        new Thread(() -> both(right, left), \"bob\").start();
    }
}";

/// Three threads that count under a lock. The program ends with the status that its argument or its property says.
const SOUND: &str = "public class Main {
    static int count;
    static synchronized void add() { count++; }
    public static void main(String[] args) throws Exception {
        Thread[] threads = { new Thread(Main::add), new Thread(Main::add), new Thread(Main::add) };
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert count == 3;
        System.exit(args.length > 0 ? Integer.parseInt(args[0]) : Integer.getInteger(\"status\", 0));
    }
}";

pub fn is_at_line(finding: &Value, line: u32) -> bool {
    finding["location"]["file"] == "Main.java" && finding["location"]["line"] == line
}

#[test]
fn a_lost_update_is_found_and_seen_again() {
    let desk = desk(LOST_UPDATE);
    let ran = desk.run("check Main.java").code(1);
    let ran = ran.says("found: assertion in Main.java").says("count is 1").says("Main.java:5");
    ran.says("output    begin").says("sojourner replay Main-assertion.trace.json");
    let again = desk.run("replay Main-assertion.trace.json").code(1);
    again.says("assertion: ").says("count is 1").says("output    begin").says("at        Main.java:10");
}

#[test]
fn a_deadlock_shows_who_waits_where() {
    let desk = desk(DEADLOCK);
    let (ran, result) = desk.result("Main.java");
    assert_eq!(ran.code, 1);
    let finding = &result["findings"][0];
    assert_eq!(
        (&finding["kind"], &finding["trace"]),
        (&json!("deadlock"), &json!("Main-deadlock.trace.json"))
    );
    let again = desk.run("replay Main-deadlock.trace.json").code(1);
    again.says("\"alice\" waits for the monitor").says("held by \"bob\"").says("at Main.both(Main.java:5)");
}

#[test]
fn a_program_without_defects_is_proven_to_have_none() {
    let desk = desk(SOUND);
    let (ran, result) = desk.result("Main.java --search dfs");
    assert_eq!((ran.code, &result["verdict"], &result["warnings"]), (0, &json!("clean"), &json!([])));
    assert_eq!(desk.files(), ["Main.java"]);
    let states = |options: &str| {
        let (ran, result) = desk.result(&format!("Main.java {options}"));
        assert_eq!(ran.code, 0, "{options}: {result:#}");
        result["stats"]["states"].as_u64().unwrap()
    };
    let one = states("--search dfs --jobs 1");
    assert_eq!(one, states("--search dfs --jobs 2"));
    assert_eq!(one, states("--search bfs --store collapse"));
    assert!(one < states("--search dfs --reduce none"));
    states("");
}

#[test]
fn a_test_of_junit_is_run_under_every_schedule() {
    const JUNIT: &str = ".:/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar";
    let test = |add: &str| {
        format!(
            "public class Main {{
                int count;
                {add}
                @org.junit.Test public void bothCount() throws Exception {{
                    Thread first = new Thread(this::add), second = new Thread(this::add);
                    first.start(); second.start(); first.join(); second.join();
                    org.junit.Assert.assertEquals(2, count);
                }}
                public static void main(String[] args) {{ org.junit.runner.JUnitCore.main(\"Main\"); }}
            }}"
        )
    };
    let check = |add: &str| desk(&test(add)).run(&format!("check --exit -cp {JUNIT} Main.java"));
    check("void add() { count++; }").code(1).says("expected:<2> but was:<1>").says("writes Main.count");
    check("synchronized void add() { count++; }").code(0).says("clean: ");
}

#[test]
fn a_jar_a_class_a_directory_and_a_class_name_are_checked() {
    let desk = desk(&format!("package a.b; {DEADLOCK}"));
    desk.javac(&["Main.java"]);
    for target in ["a/b/Main.class", ".", "a.b.Main", "-cp . a.b.Main"] {
        desk.run(&format!("check --trace t.json {target}")).code(1).says("found: deadlock");
        desk.run("replay t.json").code(1).says("deadlock: ");
    }
}

#[test]
fn arguments_and_properties_are_the_programs() {
    let desk = desk(SOUND);
    desk.run("check Main.java -- 3").code(0).says("the program ends with status 3 under every schedule");
    let found = |line: &str, status: u32| {
        let ran = desk.run(line).code(1);
        ran.says(&format!("exit: the program ends with status {status}"));
        desk.run("replay Main-exit.trace.json").code(1).says(&format!("status {status}"));
    };
    found("check Main.java --exit -- 3", 3);
    found("check Main.java --exit -Dstatus=4", 4);
}

#[test]
fn races_are_warned_of_or_findings_or_nothing() {
    let desk = desk(&LOST_UPDATE.replace("assert count == 2", "assert count > 0"));
    let (ran, result) = desk.result("Main.java");
    assert_eq!(ran.code, 0);
    let warnings = result["warnings"].as_array().unwrap();
    assert!(
        !warnings.is_empty() && warnings[0].as_str().unwrap().contains("a data race on Main.count"),
        "{result:#}"
    );
    let has_caveat = |result: &Value, text: &str| result["caveats"].to_string().contains(text);
    assert!(has_caveat(&result, "what weak memory makes of them was not explored"), "{result:#}");
    desk.run("check Main.java").code(0).says("warning   a data race on Main.count");

    let (ran, result) = desk.result("Main.java --races fail");
    assert_eq!((ran.code, &result["findings"][0]["kind"]), (1, &json!("race")));
    assert!(is_at_line(&result["findings"][0], 5), "{result:#}");
    desk.run("replay Main-race.trace.json").code(1).says("Main.java --races fail");

    let (ran, result) = desk.result("Main.java --races off");
    assert_eq!((ran.code, &result["warnings"]), (0, &json!([])));
    assert!(has_caveat(&result, "data races were not looked for"), "{result:#}");
}

#[test]
fn proof_states_its_assumptions() {
    let desk = desk(SOUND);
    desk.run("check Main.java --granularity line").code(0).says("caveat    --granularity line is not sound");
    desk.run("check Main.java --timeouts last").code(0).says("caveat    --timeouts last assumes");
    let ran = desk.run("check Main.java").code(0);
    assert!(!ran.out.contains("--timeouts") && !ran.out.contains("not sound"), "{}", ran.out);
}

/// A program that fails for one value of a die, and draws a number that has too many values.
const DICE: &str = "public class Main {
    public static void main(String[] args) {
        int die = new java.util.Random().nextInt(6);
        double number = Math.random();
        assert die != 5 || number < 0;
    }
}";

#[test]
fn every_value_of_a_small_random_number_is_explored() {
    let desk = desk(DICE);
    desk.run("check Main.java").code(1).says("draws 5 of nextInt(6)");
    desk.run("replay Main-assertion.trace.json").code(1).says("draws 5 of nextInt(6)");
    desk.run("check Main.java --search dpor").code(1).says("draws 5 of nextInt(6)");
    desk.run("check Main.java --random choose:5").code(0);
    let (ran, result) = desk.result("Main.java --random draw");
    assert_eq!(ran.code, 0);
    let caveat = "only one value of each random number was explored: Math.random at Main.java:4, Random.nextInt at Main.java:3";
    assert!(result["caveats"].as_array().unwrap().contains(&json!(caveat)), "{result:#}");
}

#[test]
fn a_seed_of_the_program_decides_its_random_numbers() {
    let desk = desk(&DICE.replace("Random()", "Random(7)").replace("Math.random()", "0"));
    let (ran, result) = desk.result("Main.java --store exact");
    assert_eq!((ran.code, &result["caveats"]), (0, &json!([])), "{result:#}");
}

/// Two threads that look for a file before they make it, of which one should.
const LOCK_FILE: &str = "import java.io.*;
public class Main {
    static int made;
    static void make() {
        try {
            File file = new File(\"main.lock\");
            if (!file.exists() && file.createNewFile() == CREATES) {
                synchronized (Main.class) { made++; }
            }
        } catch (IOException e) { throw new UncheckedIOException(e); }
    }
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Main::make), b = new Thread(Main::make);
        a.start();
        b.start();
        a.join();
        b.join();
        assert made <= 1 && new File(\"main.lock\").exists();
    }
}";

#[test]
fn threads_that_race_for_a_file_are_found_and_seen_again() {
    let racy = desk(&LOCK_FILE.replace("CREATES", "true | true"));
    for search in ["auto", "dfs", "bfs", "dpor", "walk", "pct"] {
        racy.run(&format!("check Main.java --search {search}")).code(1).says("looks for main.lock");
    }
    racy.run("replay Main-assertion.trace.json").code(1).says("looks for main.lock");
    assert!(!racy.path("main.lock").exists());
    let sound = desk(&LOCK_FILE.replace("CREATES", "true"));
    for search in ["auto", "dfs", "dpor"] {
        sound.run(&format!("check Main.java --search {search}")).code(0);
    }
    assert!(!sound.path("main.lock").exists());
}

#[test]
fn a_run_says_that_it_has_written_nothing() {
    let desk = desk(&LOCK_FILE.replace("CREATES", "true"));
    let ran = desk.run("run Main.java").code(0);
    assert!(ran.err.contains("nothing was written to the disk"), "{}", ran.err);
    assert!(!desk.path("main.lock").exists());
    // What was made and deleted again is no change.
    let desk = self::desk(
        &LOCK_FILE
            .replace("CREATES", "true")
            .replace("assert made <= 1 &&", "assert new File(\"main.lock\").delete() | "),
    );
    let ran = desk.run("run Main.java").code(0);
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn a_trace_keeps_what_the_program_was_explored_with() {
    let desk = desk(&format!("package a.b; {LOST_UPDATE}"));
    desk.javac_into("classes", &["Main.java"]);
    desk.run("check -cp classes --reduce private,alone --heap 1G --trace t.json a.b.Main").code(1);
    let program = &desk.read_json("t.json")["program"];
    let options = json!(["--classpath", "classes", "--heap", "1073741824", "--reduce", "private,alone"]);
    assert_eq!((&program["target"], &program["options"]), (&json!("a.b.Main"), &options));
    desk.run("replay t.json").code(1).says("count is 1");
    desk.run("replay t.json --gc none").refused(&["a trace contains the program's options: leave out --gc"]);

    // Classes that have been moved are found where the user says, and those that have changed are noticed.
    std::fs::rename(desk.path("classes"), desk.path("moved")).unwrap();
    desk.run("replay t.json").refused(&["could not find or load the main class a.b.Main"]);
    let ran = desk.run("replay t.json -cp moved").code(1).says("count is 1");
    assert!(!ran.out.contains("has changed"), "{}", ran.out);
    desk.write("Main.java", format!("package a.b; {}", LOST_UPDATE.replace("begin", "start")));
    desk.javac_into("moved", &["Main.java"]);
    desk.run("replay t.json -cp moved").says("note: the program has changed since the trace was saved");
}

#[test]
fn a_search_that_begins_again_keeps_its_finding() {
    // What the fields of an object are used for is learned on the way, and a trace has it in it.
    let desk = desk(LOST_UPDATE);
    desk.run("check Main.java --search dfs").code(1);
    let learned = desk.read_json("Main-assertion.trace.json")["program"]["learned"].to_string();
    assert!(learned.contains("Main.count"), "{learned}");
    let ran = desk.run("replay Main-assertion.trace.json").code(1);
    ran.says("replay token: none, it would not say what had been learned of the program");
}

#[test]
fn all_findings_include_those_behind_others() {
    // The main thread fails before any other has moved, and those that it leaves behind deadlock.
    let fails = "        throw new IllegalStateException();\n    }\n}";
    let desk = desk(&DEADLOCK.replace("    }\n}", fails));
    let (ran, result) = desk.result("Main.java --all");
    let findings = result["findings"].as_array().unwrap();
    let of = |kind: &str| findings.iter().find(|finding| finding["kind"] == kind).unwrap();
    assert_eq!(
        (ran.code, findings.len(), &of("exception")["type"]),
        (1, 2, &json!("java.lang.IllegalStateException"))
    );
    let trace = of("deadlock")["trace"].as_str().unwrap();
    desk.run(&format!("replay {trace}")).code(1).says("\"alice\" waits for the monitor");
}

#[test]
fn a_property_must_hold_in_every_state() {
    let source =
        SOUND.replace("static int count;", "static int count; static boolean few() { return count < 3; }");
    let desk = desk(&source);
    let ran = desk.run("check Main.java --property Main.few").code(1);
    ran.says("property: Main.few does not hold");
    desk.run("replay Main-property.trace.json").code(1).says("Main.few does not hold");
}

#[test]
fn a_property_that_is_not_there_is_refused() {
    let desk = desk(SOUND);
    for missing in ["Main.none", "None.few", "None"] {
        let ran = desk.run(&format!("check Main.java --property {missing}"));
        ran.refused(&[&format!("the property {missing}: there is no such method"), "static method"]);
    }
}

#[test]
fn unsupported_operation_is_named_with_its_place() {
    let source = "public class Main {
        native void f();
        public static void main(String[] args) {
            new Main().f();
        }
    }";
    let ran = desk(source).run("check Main.java").code(4);
    ran.says("unsupported: ").says("the native method Main.f()V is not supported").says("Main.java:4");
}

#[test]
fn a_program_that_is_not_there_or_does_not_compile_is_refused() {
    let refused = |ran: Ran, texts: &[&str]| drop(ran.refused(texts));
    let empty = Desk::new();
    refused(empty.run("check None.java"), &["None.java: cannot be read"]);
    refused(empty.run("check none.jar"), &["none.jar"]);
    refused(empty.run("check a.b.None"), &["could not find or load the main class a.b.None"]);
    refused(empty.run("check --jdk none Main.java"), &["none: not a JDK"]);
    let broken = desk("public class Main { int x = nothing; }");
    refused(
        broken.run("check Main.java --json r.json"),
        &["cannot find symbol", "the program does not compile"],
    );
    assert_eq!(broken.files(), ["Main.java"]);
}

#[test]
fn several_sources_are_one_program() {
    let desk = Desk::new();
    // `Parts.java` has a class that nobody would look for there.
    desk.write("Parts.java", "class Counter { static int count; static void add() { count++; } }");
    desk.write(
        "Main.java",
        "public class Main {
            public static void main(String[] args) throws Exception {
                Thread other = new Thread(Counter::add);
                other.start();
                Counter.add();
                other.join();
                assert Counter.count == 2;
            }
        }",
    );
    desk.run("check Parts.java Main.java").code(1).says("Main.java:7");
    desk.run("replay Parts-assertion.trace.json").code(1).says("reads Counter.count = 0");
    desk.run("run Main.java Parts.java").code(0);
    desk.run("check Main.java parts.txt").refused(&["'parts.txt' cannot be combined with 'Main.java'"]);
    desk.run("check Parts.java").refused(&["Parts.java: there is no `public static void main(String[])`"]);
}

#[test]
fn sources_that_leave_values_open_need_no_class_path() {
    let desk = desk(
        "import gov.nasa.jpf.vm.Verify;
        public class Main {
            public static void main(String[] args) {
                int number = Verify.getInt(1, 6);
                Verify.ignoreIf(number < 5);
                int flipped = Verify.getBitFlip(number, 1);
                assert sojourner.Verify.choose(0, 1) == 0 || number != 5 || flipped != 4 : \"5 4\";
            }
        }",
    );
    desk.run("check Main.java").code(1).says("an assertion failed in thread \"main\": 5 4");
}

/// A thread that counts, and one that fails with what it has seen of the count.
const SEEN: &str = "public class Main {
    static volatile int moved;
    public static void main(String[] args) throws Exception {
        Thread counter = new Thread(() -> { moved = 1; moved = 2; moved = 3; moved = 4; }, \"counter\");
        counter.start();
        int seen = moved;
        if (seen > 0) throw new IllegalStateException(\"moved \" + seen);
        counter.join();
    }
}";

#[test]
fn all_parts_of_a_report_describe_the_shortened_execution() {
    let desk = desk(SEEN);
    let line = "Main.java --search walk --seed 3 --jobs 1 --trace t.json";
    let message = |options: &str| {
        let (_, result) = desk.result(&format!("{line} {options}"));
        result["findings"][0]["message"].as_str().unwrap().to_string()
    };
    assert!(!message("--shorten 0").contains("moved 1"), "the finding is short as it was found");
    let short = message("--shorten 100000");
    assert!(short.contains("moved 1"), "{short}");
    assert_eq!(desk.read_json("t.json")["finding"]["message"], short.as_str());
    let ran = desk.run(&format!("check {line} --shorten 100000")).code(1);
    // Once in the message, and once where it says why the last step fails.
    assert_eq!(ran.out.matches("moved 1").count(), 2, "{}", ran.out);
    for other in 2..=4 {
        assert!(!ran.out.contains(&format!("moved {other}")), "{}", ran.out);
    }
    desk.run("replay t.json").code(1).says("moved 1");
}

/// Ends with a status that depends on which thread is first.
const FLAKY: &str = "public class Main {
    static volatile int first;
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { if (HALT) Runtime.getRuntime().halt(2); first = 2; });
        other.start();
        int seen = first;
        other.join();
        System.exit(seen);
    }
    static final boolean HALT = Boolean.getBoolean(\"halt\");
}";

#[test]
fn an_exit_status_that_depends_on_the_schedule_is_a_finding() {
    let desk = desk(FLAKY);
    for search in ["", "--search dfs --jobs 2", "--search dpor --jobs 1", "--search walk --executions 200"] {
        desk.run(&format!("check Main.java --trace t.json {search}"))
            .code(1)
            .says("found: exit in Main.java");
        desk.run("replay t.json").code(1).says("status 2, and with status 0 under another schedule");
        desk.run("replay --other t.json").code(1).says("exit: the program ends with status 0");
    }
    // It always comes before the end of `join`.
    desk.run("check Main.java -Dhalt=true").code(0).says("status 2 under every schedule");
}
