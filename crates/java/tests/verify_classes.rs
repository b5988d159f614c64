//! The class files of `Verify` that the machine brings along are those of the sources beside them.

use std::path::Path;
use std::process::Command;

/// What `javap` says of a class: its members, private ones included.
fn members(directory: &Path, class: &str) -> String {
    let output = Command::new("javap").arg("-p").arg("-cp").arg(directory).arg(class).output();
    let output = output.expect("javap is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_sources_compile_to_the_same_members() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify");
    let scratch = tempfile::tempdir().unwrap();
    let compiled = Command::new("javac")
        .args(["--release", "8", "-Xlint:-options", "-d"])
        .arg(scratch.path())
        .args(["sojourner/Verify.java", "gov/nasa/jpf/vm/Verify.java"])
        .current_dir(&sources)
        .status();
    assert!(compiled.unwrap().success());
    for class in ["sojourner.Verify", "gov.nasa.jpf.vm.Verify"] {
        let message = "run scripts/build-verify-jar --classes";
        assert_eq!(members(&sources.join("classes"), class), members(scratch.path(), class), "{message}");
    }
}
