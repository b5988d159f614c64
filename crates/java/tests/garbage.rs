//! Collecting garbage all the time changes nothing that a program can see.

use sojourner_java::library::{ClassPath, Jdk, compile};
use sojourner_java::{Console, Ended, Library, Machine, Options};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Output that is kept.
struct Kept(Rc<RefCell<Vec<u8>>>);

impl Console for Kept {
    fn out(&mut self, bytes: &[u8]) {
        self.0.borrow_mut().extend_from_slice(bytes);
    }

    fn err(&mut self, bytes: &[u8]) {
        self.0.borrow_mut().extend_from_slice(bytes);
    }

    fn input(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
}

/// How a program ends and what it prints, if garbage is collected after so many bytes.
fn run(jdk: &Path, classes: &Path, name: &str, garbage: u64) -> (Ended, String) {
    let jdk = Jdk::open(jdk).expect("the same JDK");
    let class_path = ClassPath::open(&[classes.to_path_buf()]).expect("the classes");
    let output = Rc::new(RefCell::new(Vec::new()));
    let console = Box::new(Kept(output.clone()));
    let options = Options { console, garbage, ..Options::default() };
    let library = Rc::new(Library { jdk, class_path });
    let mut machine = Machine::boot(library, options).expect("the machine starts");
    machine.start(name, &[]).expect("there is a main");
    let ended = machine.run();
    let output = String::from_utf8_lossy(&output.borrow()).into_owned();
    (ended, output)
}

#[test]
fn programs_do_not_notice_that_garbage_is_collected() {
    let jdk = Jdk::find(None).expect("a JDK 17");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let names = [
        "Lambdas",
        "StringConcatenation",
        "LinkedHashMaps",
        "WaitNotify",
        "Locks",
        "Records",
        "NestedFinally",
    ];
    for name in names {
        let source: PathBuf = sources.join(format!("{name}.java"));
        let classes = compile(&[source], &jdk, &[]).expect("the program compiles");
        let seldom = run(&jdk.home, &classes, name, u64::MAX);
        assert!(matches!(seldom.0, Ended::Exit(0)), "{name}: {:?}", seldom.0);
        assert!(!seldom.1.is_empty(), "{name} prints something");
        assert_eq!(run(&jdk.home, &classes, name, 4_000), seldom, "{name}");
    }
}
