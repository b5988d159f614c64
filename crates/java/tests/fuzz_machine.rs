//! Damaged classes that are run: whatever the verifier lets through must be executed without a panic or a hang.
//! [`sojourner_testkit::fuzz`] has the loop.

#[path = "fuzz/mutate.rs"]
mod mutate;

use mutate::mutate;
use sojourner_java::library::{ClassPath, Jdk, compile};
use sojourner_java::{Console, Library, Machine, Options};
use sojourner_testkit::fuzz::Fuzz;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

const FUZZ: Fuzz<'_> =
    Fuzz { name: "machine", executions: 60, hang: Duration::from_secs(20), accepted: "ended" };

/// Turns that a damaged program may take: it may well be endless.
const TURNS: u32 = 20;

/// A console without output or input.
struct Nowhere;

impl Console for Nowhere {
    fn out(&mut self, _: &[u8]) {}
    fn err(&mut self, _: &[u8]) {}

    fn input(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
}

#[test]
fn no_damaged_class_makes_the_machine_panic_or_hang() {
    let jdk = Jdk::find(None).expect("a JDK 17");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/Runs.java");
    let compiled = compile(&[source], &jdk, &[]).expect("the program compiles");
    let original = std::fs::read(compiled.join("Runs.class")).expect("the class is there");
    let folder = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(&compiled).expect("the classes are there").flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    FUZZ.run(
        vec![original.clone()],
        |random, _, _| mutate(random, &original, &original),
        |input| {
            std::fs::write(folder.path().join("Runs.class"), input).expect("the folder can be written to");
            if run(&jdk.home, folder.path()) { "ended".into() } else { "stopped".into() }
        },
    );
}

/// Runs the program in a folder; whether it came to an end.
fn run(home: &Path, folder: &Path) -> bool {
    let jdk = Jdk::open(home).expect("the same JDK");
    let class_path = ClassPath::open(&[folder.to_path_buf()]).expect("the folder");
    let library = Rc::new(Library { jdk, class_path });
    let options = Options { console: Box::new(Nowhere), heap: 256 << 20, ..Options::default() };
    let mut machine = Machine::boot(library, options).expect("the JDK's own classes are sound");
    if machine.start("Runs", &[]).is_err() {
        return false;
    }
    (0..TURNS).any(|_| machine.turn().is_some())
}
