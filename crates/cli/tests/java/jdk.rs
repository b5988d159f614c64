//! The installed JDK: its compiler, and its machine as the reference.

use super::program::Program;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Jdk {
    javac: PathBuf,
    java: PathBuf,
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, or the one on the path.
    pub fn find() -> Self {
        let tool = |name: &str| match std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            Some(home) => Path::new(&home).join("bin").join(name),
            None => PathBuf::from(name),
        };
        let jdk = Jdk { javac: tool("javac"), java: tool("java") };
        for tool in [&jdk.javac, &jdk.java] {
            let version = Command::new(tool).arg("-version").output();
            assert!(
                version.is_ok_and(|output| output.status.success()),
                "{} cannot be run: install a JDK 17 (Debian: openjdk-17-jdk-headless) or set JAVA_HOME to one",
                tool.display()
            );
        }
        jdk
    }

    /// Compiles all programs at once.
    pub fn compile(&self, programs: &[Program], jars: &[PathBuf], classes: &Path) {
        std::fs::create_dir_all(classes).unwrap();
        let mut javac = Command::new(&self.javac);
        javac.args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(classes);
        if !jars.is_empty() {
            javac.arg("-cp").arg(std::env::join_paths(jars).unwrap());
        }
        let output = javac.args(programs.iter().map(|program| &program.source)).output().unwrap();
        assert!(output.status.success(), "javac fails:\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The command that runs a program on the JDK's machine.
    pub fn java(&self, program: &Program, class_path: &std::ffi::OsStr) -> Command {
        let mut java = Command::new(&self.java);
        java.args(["-ea", "-Duser.language=en", "-Xshare:auto"]);
        java.args(program.properties.iter().map(|property| format!("-D{property}")));
        java.arg("-cp").arg(class_path).arg(&program.name).args(&program.arguments);
        java
    }
}
