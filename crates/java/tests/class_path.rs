//! Class paths of directories and jars behave as `java` has it.

use sojourner_java::library::{ClassPath, LibraryError};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn jar(path: &Path, entries: &[(&str, &str)]) -> PathBuf {
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    for (number, (name, contents)) in entries.iter().enumerate() {
        let methods = [zip::CompressionMethod::Deflated, zip::CompressionMethod::Stored];
        let options = SimpleFileOptions::default().compression_method(methods[number % 2]);
        writer.start_file(*name, options).unwrap();
        writer.write_all(contents.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    path.into()
}

fn text(class_path: &ClassPath, path: &str) -> Option<String> {
    let found = class_path.find(path).expect("nothing is damaged")?;
    Some(String::from_utf8(found.bytes.to_vec()).unwrap())
}

#[test]
fn the_first_entry_that_has_a_file_counts() {
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    fs::create_dir_all(at("classes/a")).unwrap();
    fs::write(at("classes/a/A.class"), "directory").unwrap();
    let library = jar(&at("library.jar"), &[("a/A.class", "jar"), ("a/B.class", "only jar"), ("a/", "")]);
    let class_path = ClassPath::open(&[at("missing"), at("classes"), library.clone()]).unwrap();
    assert_eq!(class_path.entries(), [at("classes"), library]);
    assert_eq!(text(&class_path, "a/A.class").as_deref(), Some("directory"));
    assert_eq!(text(&class_path, "a/B.class").as_deref(), Some("only jar"));
    assert_eq!(class_path.find("a/B.class").unwrap().unwrap().entry, 1);
    let all: Vec<usize> = class_path.find_all("a/A.class").unwrap().iter().map(|found| found.entry).collect();
    assert_eq!(all, [0, 1]);
    assert_eq!(class_path.classes(), ["a/A", "a/B"]);
    let outside = [
        "",
        "a",
        "a/C.class",
        "../classes/a/A.class",
        "/etc/passwd",
        "a/A.class/x",
        "a\0",
        &"x".repeat(9999),
    ];
    for path in outside {
        assert!(class_path.find(path).unwrap().is_none(), "{path}");
    }
}

#[test]
fn wildcards_and_manifests_name_further_jars() {
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    fs::create_dir_all(at("lib/more classes")).unwrap();
    fs::write(at("lib/more classes/r"), "resource").unwrap();
    // Two jars that name each other, and one that is not there.
    let manifest = "Manifest-Version: 1.0\nClass-Path: other.JAR more%20classes/ no.jar http://a/b.jar\n";
    let one = jar(&at("lib/one.jar"), &[("META-INF/MANIFEST.MF", manifest)]);
    let other =
        jar(&at("lib/other.JAR"), &[("meta-inf/manifest.mf", "Class-Path: one.jar\n"), ("x", "other")]);
    let zip = jar(&at("lib/unseen.zip"), &[]);
    let last = jar(&at("last.jar"), &[("x", "last")]);
    let class_path = ClassPath::open(&[at("lib/one.jar"), last.clone()]).unwrap();
    let classes = at("lib/more classes/");
    assert_eq!(class_path.entries(), [one.clone(), other.clone(), classes.clone(), last]);
    assert_eq!(text(&class_path, "x").as_deref(), Some("other"));
    assert_eq!(text(&class_path, "r").as_deref(), Some("resource"));
    let class_path = ClassPath::open(&[at("lib/*"), zip.clone(), at("none/*")]).unwrap();
    assert_eq!(class_path.entries(), [one, other, classes, zip]);
}

#[test]
fn a_jar_for_several_versions_has_what_is_for_ours() {
    let temporary = tempfile::tempdir().unwrap();
    let entries = |multi_release: &'static str| {
        [
            ("META-INF/MANIFEST.MF", multi_release),
            ("A.class", "8"),
            ("META-INF/versions/9/A.class", "9"),
            ("META-INF/versions/17/A.class", "17"),
            ("META-INF/versions/21/A.class", "21"),
            ("META-INF/versions/8/B.class", "8"),
            ("META-INF/versions/11/C.class", "11"),
        ]
    };
    let versions = jar(&temporary.path().join("versions.jar"), &entries("Multi-Release: true\n"));
    let class_path = ClassPath::open(&[versions]).unwrap();
    assert_eq!(text(&class_path, "A.class").as_deref(), Some("17"));
    assert_eq!(text(&class_path, "B.class"), None);
    assert_eq!(text(&class_path, "C.class").as_deref(), Some("11"));
    assert_eq!(class_path.classes(), ["A", "C"]);
    let plain = jar(&temporary.path().join("plain.jar"), &entries("Multi-Release: false\n"));
    let class_path = ClassPath::open(&[plain]).unwrap();
    assert_eq!(text(&class_path, "A.class").as_deref(), Some("8"));
    assert_eq!(text(&class_path, "C.class"), None);
}

#[test]
fn a_damaged_jar_is_an_error_that_names_it() {
    let temporary = tempfile::tempdir().unwrap();
    let path = jar(&temporary.path().join("x.jar"), &[("a/A.class", &"contents ".repeat(100)), ("b", "b")]);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = ClassPath::open(std::slice::from_ref(&path)).err().expect("half a jar is none");
    assert!(matches!(&error, LibraryError::CorruptJar { path: named, .. } if *named == path), "{error}");
    // A wrong byte in the contents is noticed when they are read.
    let mut wrong = whole.clone();
    wrong[30 + "a/A.class".len() + 5] ^= 0x55;
    fs::write(&path, &wrong).unwrap();
    let class_path = ClassPath::open(std::slice::from_ref(&path)).unwrap();
    let error = class_path.find("a/A.class").unwrap_err();
    assert!(matches!(&error, LibraryError::CorruptEntry { entry, .. } if entry == "a/A.class"), "{error}");
    assert_eq!(text(&class_path, "b").as_deref(), Some("b"));
    // A jar behind something else, as in a program that unpacks itself.
    fs::write(&path, [b"#!/bin/sh\n".as_slice(), &whole].concat()).unwrap();
    assert_eq!(text(&ClassPath::open(&[path]).unwrap(), "b").as_deref(), Some("b"));
}

#[test]
fn an_entry_that_lies_about_its_size_is_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let path = jar(&temporary.path().join("x.jar"), &[("zeros", &"0".repeat(1 << 20))]);
    let whole = fs::read(&path).unwrap();
    let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    for (size, large) in [(1_u32, false), (1 << 21, false), (0x7FFF_FFFF, true)] {
        let mut lying = whole.clone();
        lying[directory + 24..directory + 28].copy_from_slice(&size.to_le_bytes());
        fs::write(&path, &lying).unwrap();
        let error = ClassPath::open(std::slice::from_ref(&path)).unwrap().find("zeros").unwrap_err();
        assert_eq!(matches!(error, LibraryError::TooLarge { .. }), large, "{error}");
    }
}
