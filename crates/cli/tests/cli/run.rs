//! `sojourner run`: Java programs under one schedule, and what is said when they cannot be run.

use crate::desk::{Desk, Ran};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// A desk with this source as `Main.java`.
fn desk(source: &str) -> Desk {
    let desk = Desk::new();
    desk.write("Main.java", source);
    desk
}

/// The source of a class `Main` with this body of `main`.
fn main_of(body: &str) -> String {
    format!("public class Main {{ public static void main(String[] args) throws Exception {{ {body} }} }}")
}

/// What a program says whose `main` has this body.
fn run_main(body: &str) -> Ran {
    desk(&main_of(body)).run("run Main.java")
}

const ECHO: &str = "for (String arg : args) System.out.println(arg);";

#[test]
fn a_source_runs_with_its_arguments() {
    let ran = desk(&main_of(ECHO)).run("run Main.java -- one --two -cp").code(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("one\n--two\n-cp\n", ""));
}

#[test]
fn a_class_file_a_directory_and_a_class_name_run() {
    let desk = desk(&format!("package a.b; {}", main_of(ECHO)));
    desk.javac(&["Main.java"]);
    for target in [
        "a/b/Main.class",
        ".",
        "a.b.Main",
        "--classpath . a.b.Main",
        "-cp x:. a.b.Main",
        "-cp x -cp . a.b.Main",
    ] {
        assert_eq!(desk.run(&format!("run {target} -- here")).code(0).out, "here\n", "{target}");
    }
}

#[test]
fn a_jar_runs() {
    let desk = desk(&main_of(ECHO));
    desk.javac(&["Main.java"]);
    let jar =
        Command::new("jar").args(["cfe", "m.jar", "Main", "Main.class"]).current_dir(desk.root()).status();
    assert!(jar.unwrap().success());
    std::fs::remove_file(desk.path("Main.class")).unwrap();
    assert_eq!(desk.run("run m.jar -- x").code(0).out, "x\n");
}

#[test]
fn properties_are_set_in_both_ways_of_writing() {
    let desk = desk(&main_of(
        r#"System.out.println(System.getProperty("a") + System.getProperty("b") + "[" + System.getProperty("c") + "]");"#,
    ));
    desk.javac(&["Main.java"]);
    assert_eq!(desk.run("run -Da=1 -D b=2=3 -Dc Main").code(0).out, "12=3[]\n");
    desk.run("run -D =1 Main").refused(&["a property needs a name"]);
}

#[test]
fn the_exit_status_is_the_programs_own() {
    for (status, code) in [(0, 0), (3, 3), (-1, 255), (256, 0)] {
        run_main(&format!(r#"System.out.println("out"); System.exit({status});"#)).code(code).says("out\n");
    }
}

#[test]
fn an_uncaught_exception_ends_with_1_and_its_stack() {
    let ran = run_main(r#"System.out.println("before"); throw new IllegalStateException("so");"#).code(1);
    assert_eq!(ran.out, "before\n");
    let expected =
        "Exception in thread \"main\" java.lang.IllegalStateException: so\n\tat Main.main(Main.java:1)\n";
    assert_eq!(ran.err, expected);
}

#[test]
fn assertions_are_on() {
    run_main("assert args.length == 1;").code(1).warns(&["java.lang.AssertionError"]);
}

#[test]
fn output_and_errors_keep_their_order() {
    let desk = desk(&main_of(
        r#"for (int i = 0; i < 3; i++) { System.out.println("out " + (char) ('0' + i)); System.err.println("err"); }"#
            .replace("\"out \" + (char) ('0' + i)", "\"out\"")
            .as_str(),
    ));
    desk.javac(&["Main.java"]);
    let log = std::fs::File::create(desk.path("log")).unwrap();
    let mut command = desk.command(&["run", "Main"]);
    assert!(command.stdout(log.try_clone().unwrap()).stderr(log).status().unwrap().success());
    assert_eq!(desk.read("log"), "out\nerr\n".repeat(3));
}

#[test]
fn much_output_comes_whole() {
    let ran = run_main(r#"for (int i = 0; i < 20000; i++) System.out.println("0123456789");"#).code(0);
    assert_eq!(ran.out, "0123456789\n".repeat(20000));
}

#[test]
fn output_is_streamed_and_interrupt_exits_with_130() {
    let desk = desk(&main_of(r#"System.out.println("begins"); while (true) { }"#));
    desk.javac(&["Main.java"]);
    let mut child = desk.command(&["run", "Main"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "begins\n");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_deadlock_is_told_and_ends_with_1() {
    let source = r#"
        public class Main {
            static final Object a = new Object(), b = new Object();
            static boolean first, second;
            public static void main(String[] args) throws Exception {
                Thread t = new Thread("other") {
                    public void run() { synchronized (b) { first = true; while (!second) Thread.yield(); synchronized (a) { } } }
                };
                t.start();
                synchronized (a) { second = true; while (!first) Thread.yield(); synchronized (b) { } }
            }
        }"#;
    let ran = desk(source).run("run Main.java").code(1);
    assert!(ran.err.starts_with("deadlock: no thread can go on\n"), "{}", ran.err);
    ran.warns(&[
        "\"main\" waits for the monitor of a java.lang.Object, held by \"other\"",
        "\"other\" waits for the monitor of a java.lang.Object, held by \"main\"",
        "at Main.main(Main.java:10)",
    ]);
}

#[test]
fn native_method_of_program_is_refused_with_its_place() {
    let source = "public class Main {\n  native void f();\n  public static void main(String[] args) {\n    new Main().f();\n  }\n}";
    let ran = desk(source).run("run Main.java").code(4);
    assert!(
        ran.err.starts_with("unsupported: the native method Main.f()V is not supported\n"),
        "{}",
        ran.err
    );
    ran.warns(&["at Main.f(Native Method)", "at Main.main(Main.java:4)"]);
}

#[test]
fn the_stack_has_a_bound() {
    let source = "public class Main {
        static int depth;
        static void down() { depth++; down(); }
        public static void main(String[] args) {
            try { down(); } catch (StackOverflowError e) { System.out.println(depth); }
        }
    }";
    let desk = desk(source);
    let depth = |line: &str| desk.run(line).code(0).out.trim().parse::<u32>().unwrap();
    let (few, many) = (depth("run --stack 500 Main.java"), depth("run --stack 50000 Main.java"));
    assert!((300..=500).contains(&few) && (49_000..=50_000).contains(&many), "{few} {many}");
    desk.run("run --stack 0 Main.java").refused(&["'0' is not a number of calls"]);
}

#[test]
fn the_heap_has_a_bound() {
    let body = r#"try { byte[][] all = new byte[100][]; for (int i = 0; i < 100; i++) all[i] = new byte[1 << 20]; }
        catch (OutOfMemoryError e) { System.out.println("full"); }"#;
    let desk = desk(&main_of(body));
    assert_eq!(desk.run("run --heap 32M Main.java").code(0).out, "full\n");
    assert_eq!(desk.run("run --heap 512M Main.java").code(0).out, "");
    desk.run("run --heap much Main.java").refused(&["'much' is not a size"]);
}

#[test]
fn a_source_with_errors_shows_what_the_compiler_says() {
    let ran = desk(&main_of("int x = nothing;")).run("run Main.java");
    ran.refused(&[
        "Main.java:1: error: cannot find symbol",
        "symbol: variable nothing",
        "the program does not compile",
    ]);
}

#[test]
fn a_target_that_is_not_there_is_refused() {
    let desk = Desk::new();
    desk.run("run").refused(&["required", "<TARGET>"]);
    desk.run("run None.java").refused(&["None.java: cannot be read"]);
    desk.run("run none.jar").refused(&["none.jar"]);
    desk.run("run a.b.None")
        .refused(&["could not find or load the main class a.b.None", "compile it, or name its directory"]);
    desk.run("run -cp x:y None").refused(&["could not find or load the main class None", "--classpath"]);
    desk.run("run model:phil").refused(&["'model:phil' is a model", "sojourner check model:phil"]);
    desk.write("notes.txt", "");
    desk.run("run notes.txt").refused(&["'notes.txt' is not a program that can be checked"]);
}

#[test]
fn a_class_without_a_main_that_can_be_called_is_refused() {
    for method in [
        "",
        "public void main(String[] args) { }",
        "static void main(String[] args) { }",
        "public static void main() { }",
    ] {
        let desk = desk(&format!("public class Main {{ {method} }}"));
        desk.javac(&["Main.java"]);
        for target in ["Main", "Main.java", "Main.class", "."] {
            desk.run(&format!("run {target}")).refused(&["there is no `public static void main(String[])`"]);
        }
    }
}

#[test]
fn a_corrupt_jar_is_refused() {
    let desk = Desk::new();
    desk.write("bad.jar", "PK\u{3}\u{4} and nothing more");
    desk.run("run bad.jar").refused(&["bad.jar: not a readable jar"]);
    desk.run("run -cp bad.jar Main").refused(&["bad.jar: not a readable jar"]);
}

#[test]
fn a_class_that_the_main_class_needs_and_is_missing_is_named() {
    let desk =
        desk("public class Main extends Base { public static void main(String[] args) { } } class Base { }");
    desk.javac(&["Main.java"]);
    std::fs::remove_file(desk.path("Base.class")).unwrap();
    desk.run("run Main").refused(&["java.lang.NoClassDefFoundError: Base"]);
}

#[test]
fn a_jdk_of_another_version_is_refused() {
    let desk = desk(&main_of(""));
    std::fs::create_dir(desk.path("jdk")).unwrap();
    for version in ["11.0.2", "21.0.1", "1.8.0_402"] {
        desk.write("jdk/release", format!("JAVA_VERSION=\"{version}\"\n"));
        let texts =
            [&format!("this is Java {version} and only Java 17 is supported"), "openjdk-17-jdk-headless"];
        desk.run("run --jdk jdk Main.java").refused(&texts);
    }
    desk.run("run --jdk none Main.java").refused(&["none: not a JDK: there is no such directory"]);
}

#[test]
fn a_run_without_a_jdk_is_refused() {
    let desk = desk(&main_of(""));
    std::fs::create_dir(desk.path("empty")).unwrap();
    desk.run("run --jdk empty Main.java")
        .refused(&["empty: not a JDK", "name the directory of a JDK 17 with --jdk or JAVA_HOME"]);
    // Nowhere at all (words that no line break can split): not named, not on the path, not installed beside others.
    let mut command = desk.command(&["run", "Main.java"]);
    command.env_remove("JAVA_HOME").env("PATH", desk.path("empty")).env("SOJOURNER_JDKS", desk.path("empty"));
    Ran::of(&command.output().unwrap()).refused(&["no JDK 17 was found", "install one", "--jdk"]);
}

#[test]
fn input_is_read_after_what_was_asked_is_shown() {
    let desk = desk(&main_of(
        r#"System.out.print("name? "); int c; StringBuilder b = new StringBuilder();
           while ((c = System.in.read()) != '\n') b.append((char) c); System.out.println(b.reverse());"#,
    ));
    desk.javac(&["Main.java"]);
    let mut command = desk.command(&["run", "Main"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut asked = [0; 6];
    out.read_exact(&mut asked).unwrap();
    assert_eq!(&asked, b"name? ");
    child.stdin.take().unwrap().write_all(b"abc\n").unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), child.wait().unwrap().code()), ("cba\n", Some(0)));
}

#[test]
fn coverage_names_what_a_run_used() {
    let desk = desk(&main_of(
        "long a = args.length; if (a < 7) a++; Object o = args; o.hashCode(); if (a > 7) o.wait(a); int[][] b = new int[2][3];",
    ));
    desk.run("run --coverage used.json Main.java").code(0);
    let used = desk.read_json("used.json");
    let has = |list: &str, name: &str| used[list].as_array().unwrap().iter().any(|entry| entry == name);
    for opcode in ["lcmp", "ifge", "aload", "ldc2_w", "multianewarray", "invokevirtual", "return"] {
        assert!(has("opcodes", opcode), "{opcode} in {used:#}");
    }
    for form in ["aload_0", "wide", "drem", "ldc_w"] {
        assert!(!has("opcodes", form), "{form} in {used:#}");
    }
    assert!(
        has("natives", "java/lang/Object.hashCode()I") && !has("natives", "java/lang/Object.wait(J)V"),
        "{used:#}"
    );
    assert!(has("intrinsics", "java/lang/Class.desiredAssertionStatus()Z"), "{used:#}");
    assert_eq!(used["bootstraps"].as_array().unwrap().len(), 0);
    desk.run("run --coverage none/used.json Main.java").refused(&["none/used.json cannot be written"]);
}

#[test]
fn choices_take_their_first_value_or_one_by_the_seed() {
    let desk = desk(&main_of(
        r#"System.out.println(sojourner.Verify.choose(3, 9)); System.out.println(sojourner.Verify.choose());
           System.out.println(sojourner.Verify.choose("a", "b", "c")); sojourner.Verify.beginAtomic();
           System.out.println(gov.nasa.jpf.vm.Verify.getInt(9, 3)); System.out.println(gov.nasa.jpf.vm.Verify.getBoolean(false));
           System.out.println(gov.nasa.jpf.vm.Verify.isRunningInJPF()); sojourner.Verify.endAtomic();"#,
    ));
    desk.javac(&["-cp", VERIFY, "Main.java"]);
    assert_eq!(desk.run("run Main").code(0).out, "3\nfalse\na\n9\ntrue\ntrue\n");
    let seeded = |seed: u32| desk.run(&format!("run --seed {seed} Main")).code(0).out;
    assert_eq!(seeded(1), seeded(1));
    let mut all: Vec<String> = (0..8).map(seeded).collect();
    all.sort();
    all.dedup();
    assert!(all.len() > 4, "{all:?}");
}

/// The classes that programs with choices are compiled against.
const VERIFY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../java/verify/classes");

#[test]
fn an_assumption_that_does_not_hold_ends_the_run() {
    let desk = desk(&main_of(
        "System.out.println(1); sojourner.Verify.assume(args.length > 0); System.out.println(2);",
    ));
    desk.javac(&["-cp", VERIFY, "Main.java"]);
    let ran = desk.run("run Main").code(3);
    assert_eq!(ran.out, "1\n");
    ran.warns(&["ignored: an assumption of the program does not hold here", "at Main.main(Main.java:1)"]);
    assert_eq!(desk.run("run Main -- x").code(0).out, "1\n2\n");
}

#[test]
fn a_seed_gives_another_schedule_and_the_same_one_again() {
    let source = r#"
        public class Main {
            static final StringBuffer log = new StringBuffer();
            public static void main(String[] args) throws Exception {
                Thread[] threads = new Thread[3];
                for (int i = 0; i < 3; i++) {
                    char name = (char) ('a' + i);
                    threads[i] = new Thread() { public void run() { for (int k = 0; k < 20; k++) { log.append(name); work(); } } };
                }
                for (Thread t : threads) t.start();
                for (Thread t : threads) t.join();
                System.out.println(log);
            }
            static void work() { for (int i = 0; i < 50; i++) ; }
        }"#;
    let desk = desk(source);
    desk.javac(&["Main.java"]);
    let seeded = |seed: u32| desk.run(&format!("run --seed {seed} Main")).code(0).out;
    assert_eq!(
        desk.run("run Main").code(0).out,
        format!("{}{}{}\n", "a".repeat(20), "b".repeat(20), "c".repeat(20))
    );
    let logs: Vec<String> = (0..6).map(seeded).collect();
    assert_eq!(logs[3], seeded(3));
    assert!(logs.iter().any(|log| *log != logs[0]), "{logs:?}");
}

#[test]
fn no_thread_runs_while_another_is_in_an_atomic_section() {
    let source = r#"
        import sojourner.Verify;
        public class Main {
            static int in, most;
            public static void main(String[] args) throws Exception {
                Thread[] threads = new Thread[3];
                for (int i = 0; i < 3; i++) {
                    threads[i] = new Thread() { public void run() { for (int k = 0; k < 30; k++) section(); } };
                }
                for (Thread t : threads) t.start();
                for (Thread t : threads) t.join();
                System.out.println(most);
            }
            static void section() {
                Verify.beginAtomic();
                in++;
                for (int i = 0; i < 50; i++) Thread.yield();
                most = Math.max(most, in);
                in--;
                Verify.endAtomic();
            }
        }"#;
    let desk = desk(source);
    desk.javac(&["-cp", VERIFY, "Main.java"]);
    for line in ["run Main", "run --seed 1 Main", "run --seed 2 Main"] {
        assert_eq!(desk.run(line).code(0).out, "1\n");
    }
}
