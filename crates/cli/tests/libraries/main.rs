//! Real libraries, as Debian packs them, run on our machine: programs that use them run by `sojourner run` as by `java`.

#[path = "../java/mod.rs"]
mod java;

use java::{run_suite, say};
use std::path::{Path, PathBuf};

/// The jars, and the Debian packages that bring them.
const JARS: [(&str, &str); 7] = [
    ("guava.jar", "libguava-java"),
    ("commons-collections3.jar", "libcommons-collections3-java"),
    ("commons-pool.jar", "libcommons-pool-java"),
    ("log4j-1.2.jar", "liblog4j1.2-java"),
    ("jctools-core.jar", "libjctools-java"),
    ("caffeine.jar", "libcaffeine-java"),
    ("h2.jar", "libh2-java"),
];

#[test]
fn libraries_run_as_by_java() {
    let jars: Vec<PathBuf> = JARS.iter().map(|(jar, _)| Path::new("/usr/share/java").join(jar)).collect();
    let absent: Vec<&str> =
        jars.iter().zip(JARS).filter(|(path, _)| !path.exists()).map(|(_, (_, package))| package).collect();
    assert!(
        absent.is_empty(),
        "libraries are missing: run scripts/install-missing, or apt-get install {}",
        absent.join(" ")
    );
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java/tests/libraries");
    let outcome = run_suite(&sources, &jars);
    say(&format!("instructions executed: {}\n", outcome.coverage.opcodes.len()));
    say(&outcome.coverage.members());
    outcome.demand(|_, _| vec![]);
}
