//! A mutation fuzzer for images and jars, on the stable toolchain.
//!
//! By default each test runs a fixed number of inputs. `SOJOURNER_FUZZ_SECONDS=600` runs each for a time,
//! `SOJOURNER_FUZZ_SEED` with other inputs, and `SOJOURNER_FUZZ_KEEP=FOLDER` saves each input that was the first to
//! be answered in its way. Without coverage from the compiler that answer is the feedback: such an input is mutated
//! further.

mod damage;
mod images;

use damage::damage;
use images::{Packed, image};
use sojourner_java::bytes::Bytes;
use sojourner_java::library::{Image, Jar, Jdk, LARGEST, LibraryError};
use sojourner_program::Random;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zip::CompressionMethod::{Deflated, Stored};
use zip::write::SimpleFileOptions;

/// No input of the fuzzer's size may take longer.
const HANG: Duration = Duration::from_secs(5);

/// So many entries of an input are read.
const ENTRIES: usize = 200;

#[test]
fn no_image_makes_its_reader_panic_or_hang() {
    let marks: &[&[u8]] =
        &[b"\xCA\xFE\xDA\xDA", b"\xDA\xDA\xFE\xCA", b"\xCA\xFE\xFA\xFA", b"\xFA\xFA\xFE\xCA", b"zip\0"];
    fuzz("image", 60_000, images_to_damage(), marks, try_image);
}

#[test]
fn no_jar_makes_its_reader_panic_or_hang() {
    let marks: &[&[u8]] =
        &[b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"META-INF"];
    fuzz("jar", 60_000, jars_to_damage(), marks, try_jar);
}

#[test]
fn no_damage_to_the_index_of_a_real_image_makes_its_reader_panic_or_hang() {
    let jdk = Jdk::find(None).expect("a JDK 17 is installed");
    let bytes = std::fs::read(jdk.home.join("lib/modules")).expect("it has an image");
    let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("it has a header")) as usize;
    // The index and a little of what follows.
    let index = bytes[..28 + 8 * word(16) + word(20) + word(24) + 10_000].to_vec();
    fuzz("index", 150, vec![index], &[], try_image);
}

/// Damages `inputs` and what came of them. `reader` says how it answered, in words that are equal for inputs of one
/// sort, and that contain `loaded` if it could make sense of the input as a whole.
fn fuzz(
    name: &str,
    executions: u64,
    inputs: Vec<Vec<u8>>,
    marks: &[&[u8]],
    reader: impl Fn(&[u8]) -> String,
) {
    let seconds: Option<f64> = variable("SOJOURNER_FUZZ_SECONDS");
    let keep: Option<PathBuf> = variable("SOJOURNER_FUZZ_KEEP");
    let mut random = Random::new(variable("SOJOURNER_FUZZ_SEED").unwrap_or(1));
    let mut pool = Pool::default();
    for input in inputs.into_iter().chain(corpus(name)) {
        let answer = reader(&input);
        pool.add(input, answer);
    }
    let start = Instant::now();
    let (mut done, mut loaded, mut slowest) = (0, 0_u64, Duration::ZERO);
    while seconds.map_or(done < executions, |seconds| start.elapsed().as_secs_f64() < seconds) {
        let (input, other) = (pool.pick(&mut random), pool.pick(&mut random));
        let input = damage(&mut random, input, other, marks);
        let began = Instant::now();
        let Ok(answer) = catch_unwind(AssertUnwindSafe(|| reader(&input))) else {
            panic!("the failure above comes from {}", saved(name, &input));
        };
        slowest = slowest.max(began.elapsed());
        assert!(began.elapsed() < HANG, "{:?} for {}", began.elapsed(), saved(name, &input));
        done += 1;
        loaded += u64::from(answer.contains("loaded"));
        if pool.is_new(&answer) {
            if let Some(folder) = &keep {
                std::fs::write(folder.join(format!("{name}-{done:012}")), &input)
                    .expect("the folder can be written to");
            }
            pool.add(input, answer);
        }
    }
    // To the stream itself: the test harness would keep a printed line to itself.
    let _ = writeln!(
        std::io::stderr(),
        "{name}: {done} executions, {loaded} loaded, {} different answers, the slowest took {slowest:?}",
        pool.answers.len()
    );
    assert!(loaded > 0, "the mutations are too wild: nothing loads any more");
}

/// The inputs that are mutated.
#[derive(Default)]
struct Pool {
    loading: Vec<Vec<u8>>,
    refused: Vec<Vec<u8>>,
    answers: HashSet<String>,
}

impl Pool {
    fn is_new(&self, answer: &str) -> bool {
        !self.answers.contains(answer)
    }

    fn add(&mut self, input: Vec<u8>, answer: String) {
        let inputs = if answer.contains("loaded") { &mut self.loading } else { &mut self.refused };
        inputs.push(input);
        self.answers.insert(answer);
    }

    /// Mostly an input that loads: mutations of one that is refused tend to be refused for the same reason.
    fn pick(&self, random: &mut Random) -> &[u8] {
        let from = if random.below(4) > 0 || self.refused.is_empty() { &self.loading } else { &self.refused };
        &from[random.below(from.len())]
    }
}

fn try_image(input: &[u8]) -> String {
    let image = match Image::from_bytes(Bytes::new(input.to_vec())) {
        Ok(image) => image,
        Err(error) => return words(&error),
    };
    let modules = image.modules();
    let (mut found, mut classes, mut bytes, mut entries) = (0, 0, 0, 0);
    for (module, path) in image.entries() {
        entries += 1;
        if entries > ENTRIES {
            continue;
        }
        if let Some(contents) = image.resource(module, &path) {
            assert!(contents.len() as u64 <= LARGEST.max(input.len() as u64));
            found += 1;
            bytes += contents.len();
        }
        let name = path.strip_suffix(".class").unwrap_or(&path);
        classes += usize::from(image.class(name).is_some());
    }
    for package in ["", "a", "a/b", "java", "java/lang", "java/util/concurrent"] {
        let _ = image.module_of(package);
    }
    let _ = image.resource("", "");
    format!("loaded {:?}", [modules.len(), entries, found, classes, bytes].map(magnitude))
}

fn try_jar(input: &[u8]) -> String {
    let jar = match Jar::from_bytes(Path::new("x.jar"), Bytes::new(input.to_vec())) {
        Ok(jar) => jar,
        Err(error) => return words(&error),
    };
    let mut names: Vec<&str> = jar.names().collect();
    // The order of a hash table differs from run to run; the answer must not.
    names.sort_unstable();
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    let mut bytes = 0;
    for name in names.iter().take(ENTRIES) {
        match jar.find(name) {
            Ok(contents) => bytes += contents.expect("a name that is listed is found").len(),
            Err(error) => *answers.entry(words(&error)).or_default() += 1,
        }
    }
    let manifest = jar.manifest();
    format!(
        "loaded {:?} {:?} {} {} {answers:?}",
        [names.len(), bytes].map(magnitude),
        magnitude(manifest.class_path.len()),
        manifest.multi_release,
        manifest.main_class.is_some(),
    )
}

fn images_to_damage() -> Vec<Vec<u8>> {
    let zeros = vec![0; 100_000];
    let small: [(&str, &str, &[u8], Packed); 2] =
        [("m", "a/A.class", b"A", Packed::No), ("m", "module-info.class", b"", Packed::No)];
    let large: Vec<(String, Packed)> = (0..40)
        .map(|number| {
            let packed = match number % 4 {
                0 => Packed::Zip(1),
                1 => Packed::Zip(2),
                2 => Packed::Otherwise,
                _ => Packed::No,
            };
            (format!("a/b{}/C{number}.class", number % 3), packed)
        })
        .collect();
    let large: Vec<(&str, &str, &[u8], Packed)> = large
        .iter()
        .map(|(path, packed)| ("java.base", path.as_str(), b"contents".as_slice(), *packed))
        .collect();
    let bomb: [(&str, &str, &[u8], Packed); 1] = [("m", "a/A.class", &zeros, Packed::Zip(3))];
    let both = |resources: &[(&str, &str, &[u8], Packed)]| [image(false, resources), image(true, resources)];
    [both(&[]), both(&small), both(&large), both(&bomb)].concat()
}

fn jars_to_damage() -> Vec<Vec<u8>> {
    let manifest = "Manifest-Version: 1.0\nMain-Class: a.A\nMulti-Release: true\nClass-Path: a.jar b/\n";
    let jar = |large: bool, comment: &str, names: &[&str]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.set_comment(comment);
        for (number, name) in names.iter().enumerate() {
            let method = if number % 2 == 0 { Deflated } else { Stored };
            let options = SimpleFileOptions::default().compression_method(method).large_file(large);
            writer.start_file(*name, options).expect("the name is new");
            let contents =
                if name.ends_with(".MF") { manifest.into() } else { "contents ".repeat(20 * number) };
            writer.write_all(contents.as_bytes()).expect("there is memory");
        }
        writer.finish().expect("there is memory").into_inner()
    };
    let names = ["META-INF/MANIFEST.MF", "a/A.class", "META-INF/versions/11/a/A.class", "é", "text"];
    let mut jars = vec![
        jar(false, "", &[]),
        jar(false, "", &names[1..2]),
        jar(false, "a comment", &names),
        jar(true, "", &names),
    ];
    let large = [b"#!/bin/sh\n".to_vec(), zip64(&jars[1])].concat();
    jars.push(large);
    jars
}

/// The same jar with the end records of a large one.
fn zip64(jar: &[u8]) -> Vec<u8> {
    let (entries, end) = jar.split_at(jar.len() - 22);
    let field = |at: usize| u64::from(u32::from_le_bytes(*end[at..].first_chunk().expect("it is there")));
    let (size, offset, count) = (field(12), field(16), 1_u64);
    let position = entries.len() as u64;
    let mut bytes = [entries, b"PK\x06\x06"].concat();
    bytes.extend([44_u64.to_le_bytes().as_slice(), &[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]].concat());
    [count, count, size, offset].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    // The offset of the first record counts from the start of the file, before which a script has been put.
    bytes.extend([b"PK\x06\x07\0\0\0\0", (position + 10).to_le_bytes().as_slice(), &[1, 0, 0, 0]].concat());
    bytes.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &[0xFF; 12], &[0, 0]].concat());
    bytes
}

/// The words of an error up to what it quotes, and without numbers.
fn words(error: &LibraryError) -> String {
    let message = match error {
        LibraryError::CorruptEntry { why, .. } => why.to_string(),
        LibraryError::TooLarge { .. } => "too large".into(),
        other => other.to_string(),
    };
    message.chars().filter(|sign| sign.is_ascii_alphabetic() || *sign == ' ').collect()
}

/// Puts an input where it can be looked at, and says where.
fn saved(name: &str, input: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!("sojourner-fuzz-{name}-{}", std::process::id()));
    match std::fs::write(&path, input) {
        Ok(()) => path.display().to_string(),
        Err(_) => format!("b\"{}\"", input.escape_ascii()),
    }
}

/// The inputs that were kept.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    // The order in which a folder is listed differs between machines; the inputs of a seed must not.
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("the corpus is readable")).collect()
}

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} makes no sense")))
}

/// Numbers of about one size give one answer.
fn magnitude(n: usize) -> u32 {
    n.checked_ilog2().map_or(0, |log| log + 1)
}
