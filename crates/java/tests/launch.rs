//! What can be named to start a program, and what the answer is where it is not clear.

use sojourner_java::library::{ClassPath, Jdk, Launch, LibraryError, Origin, launch};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

fn jdk() -> Jdk {
    Jdk::find(None).expect("a JDK 17 is installed")
}

/// Whether this is the process in which `test` is to run: one whose cache of compiled classes is empty. Otherwise it is
/// started.
fn has_own_cache(test: &str) -> bool {
    const MARK: &str = "SOJOURNER_TEST_HAS_OWN_CACHE";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let cache = tempfile::tempdir().unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(MARK, "yes")
        .env("XDG_CACHE_HOME", cache.path())
        .status();
    assert!(status.unwrap().success());
    false
}

fn write(path: &Path, text: &str) -> String {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    path.to_str().unwrap().into()
}

fn main_class(launch: Result<Launch, LibraryError>) -> String {
    launch.unwrap_or_else(|error| panic!("{error}")).main_class
}

/// A JDK that counts how often its compiler is started.
fn counting_jdk(home: &Path) -> Jdk {
    let real = jdk();
    write(&home.join("release"), "JAVA_VERSION=\"17.0.1\"\n");
    fs::create_dir(home.join("lib")).unwrap();
    symlink(real.home.join("lib/modules"), home.join("lib/modules")).unwrap();
    let (count, javac) = (home.join("count"), real.home.join("bin/javac"));
    let script = format!("#!/bin/sh\necho >> {}\nexec {} \"$@\"\n", count.display(), javac.display());
    let script = write(&home.join("bin/javac"), &script);
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    Jdk::open(home).unwrap()
}

#[test]
fn sources_are_compiled_once_and_again_when_what_they_need_changes() {
    if !has_own_cache("sources_are_compiled_once_and_again_when_what_they_need_changes") {
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    let jdk = counting_jdk(&at("jdk"));
    let count = || fs::read_to_string(at("jdk/count")).unwrap().lines().count();
    let main = write(
        &at("src/a/b/Main.java"),
        "package a.b; class Main { public static void main(String[] a) { Beside.f(); a.Above.f(); } }",
    );
    let main = main.as_str();
    write(&at("src/a/b/Beside.java"), "package a.b; class Beside { static void f() { } }");
    write(&at("src/a/b/Broken.java"), "package a.b; class Broken {");
    let above = at("src/a/Above.java");
    write(&above, "package a; public class Above { public static void f() { } }");
    // `a` is the parameter there: the error is the compiler's.
    let error = launch(main, &[], &jdk).unwrap_err().to_string();
    assert!(error.contains("Main.java:1: error:"), "{error}");
    write(
        Path::new(main),
        "package a.b; class Main { public static void main(String[] x) { Beside.f(); a.Above.f(); } }",
    );
    let first = launch(main, &[], &jdk).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(first.main_class, "a/b/Main");
    assert_eq!(first.origin, Origin::Source(main.into()));
    let class_path = ClassPath::open(&first.class_path).unwrap();
    assert_eq!(class_path.classes(), ["a/Above", "a/b/Beside", "a/b/Main"]);
    assert_eq!(count(), 2);
    assert_eq!(launch(main, &[], &jdk).unwrap(), first);
    assert_eq!(count(), 2);
    write(&above, "package a; public class Above { public static int f() { return 1; } }");
    let second = launch(main, &[], &jdk).unwrap();
    assert_ne!(second.class_path, first.class_path);
    assert_eq!(count(), 3);
    // Nothing half made is left over.
    let cache = first.class_path[0].parent().unwrap();
    assert_eq!(fs::read_dir(cache).unwrap().count(), 2);
    assert_eq!(launch(main, &[], &jdk).unwrap(), second);
    assert_eq!(count(), 3);
    // More packages than are looked at: compiled each time, into the same directory.
    for number in 0..2_100 {
        fs::create_dir(at("src").join(format!("p{number}"))).unwrap();
    }
    let third = launch(main, &[], &jdk).unwrap();
    assert_eq!(launch(main, &[], &jdk).unwrap(), third);
    assert_eq!(count(), 5);
}

#[test]
fn the_main_class_of_a_source_is_found() {
    if !has_own_cache("the_main_class_of_a_source_is_found") {
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let jdk = jdk();
    let main = "{ public static void main(String... a) { } }";
    let cases = [
        ("class A { } class B MAIN class C MAIN", Ok("B")),
        ("class A { } class B MAIN class Here MAIN", Ok("Here")),
        ("class A MAIN class Here MAIN", Ok("A")),
        ("class A extends B { } class B MAIN", Ok("A")),
        ("interface A MAIN", Ok("A")),
        (
            "class A { static void main(String[] a) { } public void main() { } }",
            Err("no `public static void main"),
        ),
        ("", Err("no `public static void main")),
        ("class A { class Inner MAIN }", Err("no `public static void main")),
        ("class A", Err("reached end of file")),
    ];
    for (text, expected) in cases {
        let here = write(&temporary.path().join("Here.java"), &text.replace("MAIN", main));
        match (launch(&here, &[], &jdk), expected) {
            (Ok(launch), Ok(name)) => assert_eq!(launch.main_class, name, "{text}"),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{text}: {error}"),
            (result, _) => panic!("{text}: {result:?}"),
        }
    }
    let missing = temporary.path().join("Missing.java");
    assert!(matches!(launch(missing.to_str().unwrap(), &[], &jdk), Err(LibraryError::Unreadable { .. })));
}

/// Compiles without the cache.
fn classes(directory: &Path, source: &str) {
    let file = directory.join("Sources.java");
    write(&file, source);
    let status = Command::new(jdk().home.join("bin/javac")).arg("-d").arg(directory).arg(&file).status();
    assert!(status.unwrap().success());
    fs::remove_file(file).unwrap();
}

#[test]
fn classes_and_directories_of_them_are_started() {
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    let name = |path: &Path| path.to_str().unwrap().to_string();
    let jdk = jdk();
    let class_path = [at("classes")];
    classes(
        &at("classes"),
        "package a.b; class Main { public static void main(String[] x) { } } class Sub extends Main { } class No { }",
    );
    assert_eq!(main_class(launch("a.b.Main", &class_path, &jdk)), "a/b/Main");
    assert_eq!(main_class(launch("a/b/Main", &class_path, &jdk)), "a/b/Main");
    assert_eq!(main_class(launch("a.b.Sub", &class_path, &jdk)), "a/b/Sub");
    assert!(matches!(launch("a.b.No", &class_path, &jdk), Err(LibraryError::NoMain { .. })));
    assert!(matches!(launch("a.b.main", &class_path, &jdk), Err(LibraryError::NoSuchClass { .. })));
    assert!(matches!(launch("no.such.Class", &[], &jdk), Err(LibraryError::NoSuchClass { .. })));
    let started = launch(&name(&at("classes/a/b/Main.class")), &[], &jdk).unwrap();
    assert_eq!((started.main_class.as_str(), &started.class_path[..]), ("a/b/Main", &class_path[..]));
    let started = launch(&name(&at("classes")), &[at("more")], &jdk).unwrap();
    assert_eq!(started.main_class, "a/b/Main");
    assert_eq!(started.class_path, [at("classes"), at("more")]);
    assert!(matches!(launch(&name(&at("classes/a")), &[], &jdk), Err(LibraryError::Misplaced { .. })));
    fs::copy(at("classes/a/b/Main.class"), at("Main.class")).unwrap();
    assert!(matches!(launch(&name(&at("Main.class")), &[], &jdk), Err(LibraryError::Misplaced { .. })));
    classes(&at("classes"), "class Other { public static void main(String[] x) { } }");
    let error = launch(&name(&at("classes")), &[], &jdk).unwrap_err().to_string();
    assert!(error.contains("(Other, a.b.Main)"), "{error}");
    let garbage = write(&at("Garbage.class"), "garbage");
    assert!(matches!(launch(&garbage, &[], &jdk), Err(LibraryError::NotAClass { .. })));
    let text = write(&at("text.txt"), "text");
    assert!(matches!(launch(&text, &[], &jdk), Err(LibraryError::NotAProgram { .. })));
}

#[test]
fn a_jar_starts_the_class_of_its_manifest() {
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    let jdk = jdk();
    classes(&at("."), "package a; class A { public static void main(String[] x) { } } class B extends A { }");
    let jar = |manifest: &str| -> String {
        let path = at("program.jar");
        let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        let mut add = |name: &str, contents: &[u8]| {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(contents).unwrap();
        };
        add("META-INF/MANIFEST.MF", manifest.as_bytes());
        for name in ["a/A.class", "a/B.class"] {
            add(name, &fs::read(at(name)).unwrap());
        }
        writer.finish().unwrap();
        path.to_str().unwrap().into()
    };
    let path: PathBuf = jar("Main-Class: a.B\n").into();
    let started = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    assert_eq!(started.main_class, "a/B");
    assert_eq!(started.class_path, std::slice::from_ref(&path));
    assert_eq!(started.origin, Origin::Jar(path));
    assert_eq!(main_class(launch(&jar(""), &[], &jdk)), "a/A");
    assert!(matches!(launch(&jar("Main-Class: a.C\n"), &[], &jdk), Err(LibraryError::NoSuchClass { .. })));
}
