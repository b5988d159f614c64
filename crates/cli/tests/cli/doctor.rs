//! `sojourner doctor` on Java: the JDK, and what a program needs that is lacking.

use crate::desk::Desk;

#[test]
fn the_doctor_names_the_jdk() {
    let desk = Desk::new();
    desk.run("doctor")
        .code(0)
        .says("jdk: 17.")
        .says("(supported)")
        .says("checks Java programs: ")
        .says("checks C, C++ and Rust programs: a .c or .cpp file");
    std::fs::create_dir(desk.path("jdk")).unwrap();
    desk.write("jdk/release", "JAVA_VERSION=\"21.0.1\"\n");
    desk.run("doctor --jdk jdk").code(0).says("this is Java 21.0.1 and only Java 17 is supported");
}

/// What the doctor says of the program whose `Main.java` this is.
fn examine(source: &str) -> String {
    let desk = Desk::new();
    desk.write("Main.java", source);
    // What is said of the machine changes from run to run.
    let examine = || desk.run("doctor Main.java").code(0).out.split_once("\n\n").unwrap().1.to_string();
    let said = examine();
    assert_eq!(said, examine());
    said
}

#[test]
fn a_program_that_lacks_nothing_near_is_told_so() {
    let said =
        examine("class Main { public static void main(String[] args) { System.out.println(args.length); } }");
    assert!(said.contains("Main.java: ") && said.contains("1 of them the program's own"), "{said}");
    assert!(said.contains("near the program's own code nothing is missing"), "{said}");
}

#[test]
fn a_native_method_is_named_with_the_calls_that_lead_to_it() {
    let said = examine(
        "interface Task { void go(); }
        class Worker extends Thread { public void run() { new Deep().f(); } }
        class Deep implements Task { native void f(); native static int never(); public void go() { g(1); } native void g(int i); }
        class Main {
            static native void h();
            public static void main(String[] args) {
                new Worker().start();
                Task task = new Deep();
                task.go();
                Runnable later = () -> h();
                later.run();
            }
        }",
    );
    for text in [
        "native method Deep.f()V\n      by Worker.run (line 2)\n",
        "native method Deep.g(I)V\n      by Deep.go (line 3)\n",
        "native method Main.h()V\n      by Main.lambda$main$0 (line 10)\n",
    ] {
        assert!(said.contains(text), "no {text} in:\n{said}");
    }
    assert!(!said.contains("never"), "{said}");
}

#[test]
fn a_library_call_that_needs_what_is_lacking_is_near() {
    let said = examine(
        r#"class Main { public static void main(String[] args) throws Exception { Runtime.getRuntime().exec("ls"); } }"#,
    );
    let near = said.split("deep in the class library").next().unwrap();
    assert!(near.contains("refused method java.lang.ProcessBuilder.start"), "{said}");
    assert!(near.contains("by Main.main (line 1) > java.lang.Runtime.exec"), "{said}");
}

#[test]
fn calls_are_followed_into_bootstrap_methods() {
    let desk = Desk::new();
    desk.write(
        "Main.java",
        r#"class Main { public static void main(String[] args) { Object o = args;
            switch (o) { case String s -> System.out.println(s); default -> System.out.println(1); } } }"#,
    );
    let reached = || {
        let said = desk.run("doctor Main.class").code(0).out;
        said.split("Main.class: ").nth(1).unwrap().split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    desk.javac(&["--enable-preview", "--release", "17", "Main.java"]);
    let switching = reached();
    desk.write(
        "Main.java",
        "class Main { public static void main(String[] args) { System.out.println(1); } }",
    );
    desk.javac(&["Main.java"]);
    assert!(switching > reached());
}

#[test]
fn a_java_program_that_is_not_there_is_refused() {
    Desk::new().run("doctor None.java").refused(&["None.java"]);
    Desk::new()
        .run("doctor org.example.None")
        .refused(&["could not find or load the main class org.example.None"]);
}
