//! Damaged classes that are run: whatever the verifier lets through must be executed without a panic or a hang.
//!
//! By default it runs a fixed number of inputs, as a test. `SOJOURNER_FUZZ_SECONDS=600` runs it for a time, and
//! `SOJOURNER_FUZZ_SEED` with other inputs.

#[path = "fuzz/mutate.rs"]
mod mutate;

use mutate::mutate;
use sojourner_java::library::{ClassPath, Jdk, compile};
use sojourner_java::{Console, Library, Machine, Options};
use sojourner_program::Random;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How many inputs are tried unless a time is given.
const EXECUTIONS: u64 = 60;

/// Turns that a damaged program may take: it may well be endless.
const TURNS: u32 = 20;

/// No input may take longer.
const HANG: Duration = Duration::from_secs(20);

/// Output that nobody reads.
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
    let seconds: Option<f64> = variable("SOJOURNER_FUZZ_SECONDS");
    let mut random = Random::new(variable("SOJOURNER_FUZZ_SEED").unwrap_or(1));
    let start = Instant::now();
    let (mut executions, mut ended) = (0, 0);
    loop {
        let done = match seconds {
            Some(seconds) => start.elapsed().as_secs_f64() >= seconds,
            None => executions >= EXECUTIONS,
        };
        if done {
            break;
        }
        let input = mutate(&mut random, &original, &original);
        std::fs::write(folder.path().join("Runs.class"), &input).expect("the folder can be written to");
        let began = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| run(&jdk.home, folder.path())));
        let Ok(came_to_an_end) = result else {
            panic!("the failure above comes from the input b\"{}\"", input.escape_ascii())
        };
        assert!(began.elapsed() < HANG, "{:?} for b\"{}\"", began.elapsed(), input.escape_ascii());
        executions += 1;
        ended += u64::from(came_to_an_end);
    }
    let _ = writeln!(std::io::stderr(), "{executions} executions, {ended} came to an end");
    assert!(ended > 0, "the mutations are too wild: nothing runs any more");
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

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}
