//! A mutation fuzzer for class files, on the stable toolchain: the reader, everything that can be asked of what it has
//! read, the verifier in both its ways, the translator, and the explanation of null pointers.
//! [`sojourner_testkit::fuzz`] has the loop.

#[path = "fuzz/mutate.rs"]
mod mutate;

use mutate::mutate;
use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::{ClassFile, Constant, Descriptor, Span, field_kind, text};
use sojourner_java::code::translate;
use sojourner_java::explain::null_pointer_message;
use sojourner_java::verify::{Hierarchy, verify};
use sojourner_testkit::fuzz::{Fuzz, corpus, without_contents};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

const FUZZ: Fuzz<'_> =
    Fuzz { name: "classfile", executions: 40_000, hang: Duration::from_secs(5), accepted: "verified" };

/// No input of the fuzzer's size may need more memory, in kilobytes of the whole process.
const MEMORY: u64 = 500_000;

#[test]
fn no_class_file_makes_the_readers_panic_or_hang() {
    let inputs = corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/classfile"));
    assert!(!inputs.is_empty(), "the corpus is there");
    for input in &inputs {
        let answer = try_input(input);
        assert!(answer.contains("verified"), "the corpus is sound, but: {answer}");
    }
    FUZZ.run(inputs, mutate, try_input);
    assert!(peak_memory().is_none_or(|peak| peak < MEMORY), "{:?} kB were in use", peak_memory());
}

/// Feeds everything and says how it answered, in words that are equal for inputs of one sort.
fn try_input(input: &[u8]) -> String {
    let mut class = match ClassFile::parse(Bytes::new(input.to_vec())) {
        Ok(class) => class,
        Err(error) => return without_contents(&error.to_string()),
    };
    ask_everything(&class);
    explain(&class);
    let mut answer = "read".to_string();
    // Its own version decides first; then both ways of verification have their turn.
    for major in [class.major, 61, 49] {
        class.major = major;
        let verdict = match verify(&class, &mut Guess) {
            Ok(()) => "verified".to_string(),
            Err(error) => without_contents(&error.reason),
        };
        answer = format!("{answer} | {verdict}");
        translate_all(&class, verdict == "verified");
    }
    answer
}

/// Translates all code. What the verifier accepts must be accepted here too.
fn translate_all(class: &ClassFile, verified: bool) {
    for method in &class.methods {
        let Ok(Some(code)) = class.code(method.attributes) else { continue };
        let translated = translate(class, &code);
        if verified && let Err(error) = translated {
            // Bounds of the machine's own, which no compiler comes near.
            let bound = ["too many local variables", "the method is too large"];
            let bounded = bound.iter().any(|bound| error.to_string().contains(bound));
            assert!(bounded, "verified, but not translated: {error}");
        }
    }
}

/// Calls everything that reads lazily.
fn ask_everything(class: &ClassFile) {
    black_box(class.name());
    for index in 0..=class.pool.len() as u16 {
        let pool = &class.pool;
        black_box((
            pool.raw(index).ok().map(text::decode),
            pool.text(index).ok(),
            pool.class_name(index).ok(),
        ));
        black_box((pool.name_and_type(index).ok(), pool.member(index).ok(), pool.dynamic(index).ok()));
        if let Ok(Constant::Utf8(span)) = pool.get(index) {
            black_box(class.part(span));
        }
        if let Ok(text) = pool.utf8(index) {
            black_box((field_kind(text).ok(), Descriptor::parse(text).ok()));
        }
    }
    black_box((class.bootstraps().ok(), class.inner_classes()));
    attributes(class, class.attributes);
    for member in class.fields.iter().chain(&class.methods) {
        attributes(class, member.attributes);
        if let Ok(Some(code)) = class.code(member.attributes) {
            black_box(class.lines(&code));
            attributes(class, code.attributes);
        }
    }
}

fn attributes(class: &ClassFile, table: Span) {
    for attribute in class.attributes(table) {
        black_box((class.part(attribute.contents), class.index_attribute(table, attribute.name)));
        black_box(class.attribute(table, attribute.name));
    }
}

/// Explains null pointers at some places of each method.
fn explain(class: &ClassFile) {
    for (position, method) in class.methods.iter().enumerate() {
        let Ok(Some(code)) = class.code(method.attributes) else { continue };
        let step = 1 + code.code.len() / 16;
        for bci in (0..=code.code.len()).step_by(step) {
            black_box(null_pointer_message(class, position, bci as u16));
        }
    }
}

/// A hierarchy of names that mean nothing: whatever it answers, it answers it each time.
struct Guess;

impl Hierarchy for Guess {
    fn is_assignable(&mut self, from: &str, to: &str) -> Result<bool, String> {
        assert!(from != to && !from.starts_with('[') && !to.starts_with('['));
        match (from.len() * 7 + to.len()) % 16 {
            0 => Err(format!("{from} cannot be found")),
            1 => Ok(false),
            _ => Ok(true),
        }
    }

    fn common_superclass(&mut self, a: &str, b: &str) -> Result<String, String> {
        // The shorter name, so that merging comes to an end.
        Ok(if (a.len(), a) < (b.len(), b) { a } else { b }.to_string())
    }

    fn is_subclass(&mut self, class: &str, of: &str) -> Result<bool, String> {
        Ok(!(class.len() + of.len()).is_multiple_of(4))
    }
}

/// The most memory that the process has used so far, in kilobytes, where the system says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
