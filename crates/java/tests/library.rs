//! The class library of a real JDK 17, and directories that are not one.

use sojourner_java::library::{Image, Jdk, LibraryError};
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

fn jdk() -> Jdk {
    Jdk::find(None).expect("a JDK 17 is installed")
}

const CAFEBABE: &[u8] = &[0xCA, 0xFE, 0xBA, 0xBE];

#[test]
fn the_image_has_the_classes_of_the_library() {
    let image = jdk().image;
    let (string, module) = image.class("java/lang/String").expect("String exists");
    assert!(string.starts_with(CAFEBABE));
    assert_eq!(module, "java.base");
    assert_eq!(&*image.resource("java.base", "java/lang/String.class").unwrap(), &*string);
    assert_eq!(image.module_of("java/util/logging"), Some("java.logging"));
}

#[test]
fn missing_resource_of_image_is_not_found() {
    let image = jdk().image;
    for name in [
        "",
        "/",
        "String",
        "java/lang/Strung",
        "java/lang/",
        "no/such/Class",
        "java/lang/String/x",
        "java/String",
    ] {
        assert!(image.class(name).is_none(), "{name}");
    }
    assert!(image.resource("java.logging", "java/lang/String.class").is_none());
    assert!(image.resource("", "").is_none());
    assert_eq!(image.module_of("java"), None);
    assert_eq!(image.module_of(""), None);
}

#[test]
fn every_entry_of_the_image_is_found_by_its_name() {
    let jdk = jdk();
    let modules = jdk.image.modules();
    assert!(modules.len() > 20 && modules.contains(&"java.base".into()), "{modules:?}");
    let mut classes = 0;
    for (module, path) in jdk.image.entries() {
        let bytes = jdk.image.resource(module, &path).unwrap_or_else(|| panic!("{module}/{path}"));
        let Some(name) = path.strip_suffix(".class") else { continue };
        classes += 1;
        assert!(bytes.starts_with(CAFEBABE), "{module}/{path}");
        // A description of a module or of an empty package belongs to no package with classes.
        if !name.ends_with("-info") {
            let (class, found) = jdk.image.class(name).unwrap_or_else(|| panic!("{module}/{name}"));
            assert_eq!((found, &*class), (module, &*bytes), "{name}");
        }
    }
    assert!(classes > 5_000, "{classes}");
}

#[test]
fn three_hundred_classes_take_no_time() {
    let jdk = jdk();
    let names: Vec<String> = jdk
        .image
        .entries()
        .filter(|(module, path)| *module == "java.base" && path.starts_with("java/"))
        .filter_map(|(_, path)| path.strip_suffix(".class").map(String::from))
        .take(300)
        .collect();
    let image = Image::open(&jdk.home.join("lib/modules")).unwrap();
    let start = Instant::now();
    assert!(names.iter().all(|name| image.class(name).is_some()));
    let first = start.elapsed();
    let again = Instant::now();
    assert!(names.iter().all(|name| image.class(name).is_some()));
    let again = again.elapsed();
    let _ = writeln!(std::io::stderr(), "{} classes in {first:?}, again in {again:?}", names.len());
    // A hundred times what it takes, for machines that are busy.
    assert!(first < Duration::from_millis(50), "{first:?}");
}

#[test]
fn another_version_and_what_is_not_a_jdk_are_refused_with_advice() {
    let home = tempfile::tempdir().unwrap();
    let refused = || Jdk::find(Some(home.path())).unwrap_err();
    assert!(matches!(refused(), LibraryError::NotAJdk { .. }));
    fs::write(home.path().join("release"), "IMPLEMENTOR=\"Nobody\"\n").unwrap();
    assert!(refused().to_string().contains("JAVA_VERSION"));
    fs::write(home.path().join("release"), "JAVA_VERSION=\"25.0.3\"\n").unwrap();
    let message = refused().to_string();
    for part in ["25.0.3", "17", "--jdk", "JAVA_HOME", "openjdk-17-jdk-headless"] {
        assert!(message.contains(part), "{part} in {message}");
    }
    fs::write(home.path().join("release"), "JAVA_VERSION=\"17.0.3\"\n").unwrap();
    assert!(refused().to_string().contains("lib/modules"));
    fs::create_dir(home.path().join("lib")).unwrap();
    fs::write(home.path().join("lib/modules"), "nonsense").unwrap();
    assert!(matches!(refused(), LibraryError::CorruptImage { .. }));
    fs::write(home.path().join("lib/modules"), "").unwrap();
    assert!(Jdk::find(Some(home.path())).is_err());
    let missing = home.path().join("missing");
    assert!(Jdk::find(Some(&missing)).unwrap_err().to_string().contains("no such directory"));
}
