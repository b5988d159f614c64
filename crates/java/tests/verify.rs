//! The verifier on the class library and on what javac writes: nothing of it may be refused, in neither way of verification.

mod hierarchy;

use hierarchy::Files;
use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::ClassFile;
use sojourner_java::library::Jdk;
use sojourner_java::verify::verify;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The last class file version without declared frames.
const INFERRED: u16 = 49;

#[test]
fn all_of_java_base_is_accepted_by_its_declared_frames() {
    java_base(None);
}

#[test]
fn all_of_java_base_is_accepted_without_its_declared_frames() {
    java_base(Some(INFERRED));
}

/// Verifies all classes of java.base, as if they were of another version if one is given.
fn java_base(version: Option<u16>) {
    let jdk = Jdk::find(None).expect("a JDK is installed");
    let mut hierarchy = Files::new(|name: &str| Some(jdk.image.class(name)?.0));
    let (mut classes, mut wrong) = (0, Vec::new());
    let start = Instant::now();
    for (module, path) in jdk.image.entries() {
        if module != "java.base" || !path.ends_with(".class") {
            continue;
        }
        let bytes = jdk.image.resource(module, &path).expect("what is listed is there");
        let mut class = ClassFile::parse(bytes).expect("the JDK's classes are well formed");
        class.major = version.unwrap_or(class.major);
        classes += 1;
        if let Err(error) = verify(&class, &mut hierarchy) {
            wrong.push(format!("{}: {error}", class.name()));
        }
    }
    // To the stream itself: the test harness would keep a printed line to itself.
    let (seconds, questions) = (start.elapsed().as_secs_f64(), hierarchy.questions);
    let _ = writeln!(std::io::stderr(), "{classes} classes in {seconds:.2} s with {questions} questions");
    assert!(wrong.is_empty(), "{} of {classes} refused:\n{}", wrong.len(), wrong.join("\n"));
    assert!(classes > 6000, "only {classes} classes");
}

#[test]
fn a_compiled_program_is_accepted() {
    let jdk = Jdk::find(None).expect("a JDK is installed");
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let sources = ["tests/verify/Shapes.java", "tests/explain/Nulls.java"];
    for source in sources {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        let compiled = Command::new("javac").arg("-d").arg(folder.path()).arg(source).status();
        assert!(compiled.expect("a JDK is installed").success());
    }
    let read = |name: &str| std::fs::read(folder.path().join(format!("{name}.class"))).ok().map(Bytes::new);
    let mut hierarchy = Files::new(|name: &str| read(name).or_else(|| Some(jdk.image.class(name)?.0)));
    let mut classes = 0;
    for entry in std::fs::read_dir(folder.path()).expect("the folder is there") {
        let bytes = std::fs::read(entry.expect("it can be listed").path()).expect("and read");
        let mut class = ClassFile::parse(Bytes::new(bytes)).expect("what javac writes is well formed");
        verify(&class, &mut hierarchy).unwrap_or_else(|error| panic!("{}: {error}", class.name()));
        class.major = INFERRED;
        verify(&class, &mut hierarchy).unwrap_or_else(|error| panic!("{}: {error}", class.name()));
        classes += 1;
    }
    assert!(classes > 10, "only {classes} classes");
}
