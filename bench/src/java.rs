//! The Java machine against the JDK's own: the same programs, the same output, processor time of both.

use crate::tables::Table;
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program, how often it runs in one measurement, and what it may take.
struct Program {
    name: &'static str,
    times: u32,
    /// Options of `java`.
    options: &'static [&'static str],
    /// At most that many times the processor time of `java`.
    bar: f64,
}

const PROGRAMS: [Program; 4] = [
    Program { name: "Loops", times: 1, options: &["-Xint"], bar: 3.0 },
    Program { name: "Maps", times: 1, options: &["-Xint"], bar: 3.0 },
    Program { name: "Texts", times: 1, options: &["-Xint"], bar: 3.0 },
    // From the shell and back, with everything that `java` has to be quick at this.
    Program { name: "Hello", times: 20, options: &[], bar: 1.0 / 3.0 },
];

/// The longest that hello world may take by the clock, in seconds.
const HELLO: f64 = 0.15;

/// What a run took, in seconds.
#[derive(Clone, Copy)]
struct Taken {
    cpu: f64,
    wall: f64,
}

/// Measures, and writes the tables. `wanted` says which programs.
pub fn bench(rounds: u32, wanted: impl Fn(&str) -> bool) -> anyhow::Result<String> {
    let sojourner = sojourner()?;
    let classes = compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join("java"))?;
    let mut table = Table::new(
        "The Java machine, in seconds of processor time (of the clock):",
        ["program", "java", "ours", "ours / java", "bar", ""],
    );
    let mut missed = 0;
    for program in PROGRAMS.iter().filter(|program| wanted(&format!("java {}", program.name))) {
        let (mut theirs, mut ours) = (None, None);
        for _ in 0..rounds {
            let java =
                format!("java {} -cp '{}' {}", program.options.join(" "), classes.display(), program.name);
            let run = format!("'{}' run -cp '{}' {}", sojourner.display(), classes.display(), program.name);
            let (a, java_output) = time(&java, program.times)?;
            let (b, our_output) = time(&run, program.times)?;
            ensure!(java_output == our_output, "{} prints something else under sojourner", program.name);
            better(&mut theirs, a);
            better(&mut ours, b);
        }
        let (Some(theirs), Some(ours)) = (theirs, ours) else { continue };
        let ratio = ours.cpu / theirs.cpu;
        let passed = ratio <= program.bar && (program.name != "Hello" || ours.wall <= HELLO);
        missed += u32::from(!passed);
        let bar = if program.name == "Hello" {
            format!("<= {:.2}, {HELLO} s by the clock", program.bar)
        } else {
            format!("<= {}", program.bar)
        };
        let show = |taken: Taken| format!("{:.3} ({:.3})", taken.cpu, taken.wall);
        let name = format!("{} {}", program.name, program.options.join(" "));
        table.row([
            name.trim(),
            &show(theirs),
            &show(ours),
            &format!("{ratio:.2}"),
            &bar,
            if passed { "pass" } else { "MISS" },
        ]);
    }
    Ok(format!("{table}\n{missed} bars of the Java machine missed.\n"))
}

/// The command as it was built for release.
pub fn sojourner() -> anyhow::Result<PathBuf> {
    let built = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let built = built.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"));
    let sojourner = std::path::absolute(built.join("release/sojourner"))?;
    ensure!(
        sojourner.exists(),
        "{} is not built: cargo build --release -p sojourner-cli",
        sojourner.display()
    );
    Ok(sojourner)
}

fn better(best: &mut Option<Taken>, new: Taken) {
    if best.is_none_or(|old| new.cpu < old.cpu) {
        *best = Some(new);
    }
}

/// Compiles the programs; the directory of their classes.
fn compile(sources: &Path) -> anyhow::Result<PathBuf> {
    let classes = std::env::temp_dir().join(format!("sojourner-bench-{}", std::process::id()));
    let files: Vec<PathBuf> =
        PROGRAMS.iter().map(|program| sources.join(format!("{}.java", program.name))).collect();
    let status = Command::new("javac").arg("-d").arg(&classes).args(&files).status().context("javac")?;
    ensure!(status.success(), "javac failed");
    Ok(classes)
}

/// Runs a command several times in a shell. The shell measures its children more finely than the system does.
fn time(command: &str, times: u32) -> anyhow::Result<(Taken, Vec<u8>)> {
    let script = format!("TIMEFORMAT='%R %U %S'; time for i in $(seq {times}); do {command}; done");
    let output = Command::new("bash").args(["-c", &script]).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{command} failed: {said}");
    let numbers: Vec<f64> =
        said.lines().last().unwrap_or_default().split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [wall, user, system] = numbers[..] else { anyhow::bail!("{command} said {said}") };
    let times = f64::from(times);
    Ok((Taken { cpu: (user + system) / times, wall: wall / times }, output.stdout))
}
