//! A mutation fuzzer for images and jars, on the stable toolchain; [`sojourner_testkit::fuzz`] has the loop.

mod damage;
mod images;

use damage::damage;
use images::{Packed, image};
use sojourner_java::bytes::Bytes;
use sojourner_java::library::{Image, Jar, Jdk, LARGEST, LibraryError};
use sojourner_testkit::fuzz::{self, Fuzz, magnitude};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use zip::CompressionMethod::{Deflated, Stored};
use zip::write::SimpleFileOptions;

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
fn damaged_image_index_never_makes_reader_panic_or_hang() {
    let jdk = Jdk::find(None).expect("a JDK 17 is installed");
    let bytes = std::fs::read(jdk.home.join("lib/modules")).expect("it has an image");
    let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("it has a header")) as usize;
    // The index and a little of what follows.
    let index = bytes[..28 + 8 * word(16) + word(20) + word(24) + 10_000].to_vec();
    fuzz("index", 150, vec![index], &[], try_image);
}

/// Damages `inputs` and those that were kept for this reader.
fn fuzz(
    name: &str,
    executions: u64,
    inputs: Vec<Vec<u8>>,
    marks: &[&[u8]],
    reader: impl Fn(&[u8]) -> String,
) {
    let kept = fuzz::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name));
    Fuzz { name, executions, hang: Duration::from_secs(5), accepted: "loaded" }.run(
        [inputs, kept].concat(),
        |random, input, other| damage(random, input, other, marks),
        reader,
    );
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
    format!("loaded {:?}", [modules.len(), entries, found, classes, bytes].map(size))
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
        [names.len(), bytes].map(size),
        size(manifest.class_path.len()),
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

fn size(number: usize) -> u32 {
    magnitude(number as u64)
}
