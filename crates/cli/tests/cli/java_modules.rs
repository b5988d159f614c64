//! Packages of the JDK that are opened and exported by options and manifests.

use crate::desk::Desk;
use std::process::Command;

/// Defines a class by reflection, as libraries do that generate classes, while another thread is alive.
const DEFINES: &str = "import java.lang.reflect.*;
public class Main {
    static volatile int started;
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> started++);
        other.start();
        Method define = ClassLoader.class.getDeclaredMethod(
            \"defineClass\", String.class, byte[].class, int.class, int.class);
        define.setAccessible(true);
        try {
            define.invoke(Main.class.getClassLoader(), \"Made\", new byte[4], 0, 4);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        Field value = String.class.getDeclaredField(\"hash\");
        value.setAccessible(true);
        other.join();
    }
}";

/// Uses a class of a package that is not exported, by name and by reflection.
const LINKS: &str = "import jdk.internal.misc.VM;
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(VM.class.getMethod(\"isBooted\").invoke(null) + \" \" + VM.isModuleSystemInited());
    }
}";

const OPENS: &str = "--add-opens java.base/java.lang=ALL-UNNAMED";

#[test]
fn package_is_closed_unless_it_is_opened() {
    let desk = Desk::new();
    desk.write("Main.java", DEFINES);
    let closed = desk.run("check Main.java").code(1);
    closed.says("java.lang.reflect.InaccessibleObjectException").says("does not \"opens java.lang\"");
    desk.run(&format!("check {OPENS} Main.java")).code(0);
    desk.run("check --add-opens=java.base/java.lang=ALL-UNNAMED Main.java").code(0);
    desk.run(&format!("run {OPENS} Main.java")).code(0).says("ClassFormatError");
    // Another package, another recipient, or an export does not do.
    for other in [
        "--add-opens java.base/java.util=ALL-UNNAMED",
        "--add-opens java.base/java.lang=java.sql",
        "--add-exports java.base/java.lang=ALL-UNNAMED",
    ] {
        desk.run(&format!("check {other} Main.java")).code(1);
    }
}

#[test]
fn trace_keeps_what_was_opened() {
    let desk = Desk::new();
    desk.write("Main.java", DEFINES.replace("other.join();", "assert started == 1;"));
    desk.run(&format!("check {OPENS} Main.java")).code(1).says("found: assertion");
    desk.run("replay Main-assertion.trace.json").code(1).says("assertion: ");
}

#[test]
fn exported_package_can_be_compiled_against() {
    let desk = Desk::new();
    desk.write("Main.java", LINKS);
    desk.run("run Main.java").code(2).warns(&["package jdk.internal.misc"]);
    desk.run("run --add-exports java.base/jdk.internal.misc=ALL-UNNAMED Main.java").code(0).says("true");
}

#[test]
fn manifest_of_the_jar_that_is_started_opens_packages() {
    let desk = Desk::new();
    desk.write("Main.java", DEFINES);
    desk.javac_into("classes", &["Main.java"]);
    let jar = |name: &str, manifest: &str| {
        desk.write("manifest.txt", format!("Main-Class: Main\n{manifest}"));
        let made = Command::new("jar")
            .args(["cfm", name, "manifest.txt", "-C", "classes", "."])
            .current_dir(desk.root())
            .status();
        assert!(made.expect("jar is installed").success());
    };
    jar("closed.jar", "");
    jar("open.jar", "Add-Opens: java.base/java.util java.base/java.lang java.nonsense/x nonsense\n");
    desk.run("check closed.jar").code(1);
    desk.run("check open.jar").code(0);
    desk.run("run open.jar").code(0);
    // The manifests of other jars do not count.
    desk.run("check Main --classpath open.jar").code(1);
}

#[test]
fn malformed_and_unknown_packages_are_named() {
    let desk = Desk::new();
    desk.write("Main.java", "public class Main { public static void main(String[] args) { } }");
    for (value, says) in [
        ("java.base/java.lang", "names no target module"),
        ("java.base=ALL-UNNAMED", "names no package"),
        ("java.base/java.lang=", "names no target module"),
    ] {
        for option in ["--add-opens", "--add-exports"] {
            desk.run(&format!("check {option} {value} Main.java")).refused(&[says]);
        }
    }
    let ran = desk.run("run --add-opens java.none/x=ALL-UNNAMED Main.java").code(0);
    ran.warns(&["warning: --add-opens: there is no module java.none in this JDK"]);
    let ran = desk.run("run --add-exports java.base/java.none=ALL-UNNAMED Main.java").code(0);
    ran.warns(&["warning: --add-exports: there is no package java.none in module java.base"]);
}
