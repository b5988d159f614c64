//! The verifier against the one of the installed `java`, on mutants of small class files.
//!
//! What `java` refuses as unverifiable must be refused, and what it links must be accepted. Where `java` has other
//! objections, as to names and flags, there is nothing to compare. `SOJOURNER_FUZZ_MUTANTS` and `SOJOURNER_FUZZ_SEED` ask for
//! more and other mutants, `SOJOURNER_FUZZ_CORPUS` for those of the classes in another folder.

mod hierarchy;
#[path = "fuzz/mutate.rs"]
mod mutate;

use hierarchy::Files;
use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::ClassFile;
use sojourner_java::library::Jdk;
use sojourner_java::verify::verify;
use sojourner_program::Random;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn java_and_we_agree_on_mutants() {
    let mutants: usize = variable("SOJOURNER_FUZZ_MUTANTS").unwrap_or(3000);
    let mut random = Random::new(variable("SOJOURNER_FUZZ_SEED").unwrap_or(1));
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let corpus = variable("SOJOURNER_FUZZ_CORPUS").unwrap_or_else(|| tests.join("corpus/classfile"));
    let mutants = make(&mut random, &corpus, mutants);
    let verdicts = judge(&mutants, &tests, &corpus);
    assert_eq!(verdicts.len(), mutants.len());

    let jdk = Jdk::find(None).expect("a JDK is installed");
    let (mut sound, mut refused, mut wrong) = (0, 0, Vec::new());
    for (bytes, verdict) in mutants.iter().zip(&verdicts) {
        let class = ClassFile::parse(Bytes::new(bytes.clone())).expect("only those that parse are compared");
        let own = class.name().to_string();
        let mut hierarchy = Files::new(|name: &str| {
            if name == own {
                return Some(Bytes::new(bytes.clone()));
            }
            let file = std::fs::read(corpus.join(format!("{name}.class"))).ok().map(Bytes::new);
            file.or_else(|| Some(jdk.image.class(name)?.0))
        });
        let ours = verify(&class, &mut hierarchy);
        let agrees = match verdict.as_str() {
            "sound" => ours.is_ok(),
            verdict if verdict.starts_with("VerifyError") => ours.is_err(),
            _ => continue,
        };
        sound += u64::from(verdict == "sound");
        refused += u64::from(verdict != "sound");
        if !agrees && !known(&class, verdict, ours.as_ref().err().map_or("", |error| &error.reason)) {
            wrong.push(format!("{own} {}\n  java: {verdict}\n  ours: {ours:?}", class.major));
        }
    }
    // To the stream itself: the test harness would keep a printed line to itself.
    let _ = writeln!(std::io::stderr(), "{sound} sound and {refused} unsound mutants");
    assert!(sound > 50 && refused > 50, "too few mutants to compare");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Differences that are meant.
fn known(class: &ClassFile, java: &str, ours: &str) -> bool {
    // Which constants a version has, and what stands in gaps that nobody reads, is not a matter of safety.
    let old = class.major < 52 && (java.contains("Illegal type") || java.contains("padding byte"));
    // Java ignores all flags of class initialisers, and only misses a field of an array when it looks for it. We want sense.
    let strict = ["native or abstract", "class initialiser", "is an array where a class is wanted"];
    old || strict.iter().any(|reason| ours.contains(reason))
}

/// Mutants that parse.
fn make(random: &mut Random, corpus: &Path, count: usize) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus)
        .expect("the corpus exists")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let originals: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("readable")).collect();
    let mut mutants = Vec::new();
    while mutants.len() < count {
        let (original, other) = (random.below(originals.len()), random.below(originals.len()));
        let mutant = mutate::mutate(random, &originals[original], &originals[other]);
        if ClassFile::parse(Bytes::new(mutant.clone())).is_ok() {
            mutants.push(mutant);
        }
    }
    mutants
}

/// What `java` thinks of each.
fn judge(mutants: &[Vec<u8>], tests: &Path, corpus: &Path) -> Vec<String> {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut file = (mutants.len() as u32).to_be_bytes().to_vec();
    for mutant in mutants {
        file.extend((mutant.len() as u32).to_be_bytes());
        file.extend(mutant);
    }
    let path = folder.path().join("mutants");
    std::fs::write(&path, file).expect("and for the mutants");
    let output = Command::new("java").arg(tests.join("verify/Judge.java")).arg(&path).arg(corpus).output();
    let output = output.expect("a JDK is installed");
    let verdicts = String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    verdicts
}

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} makes no sense")))
}
