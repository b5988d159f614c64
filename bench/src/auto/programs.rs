//! The programs with a defect: examples, hard sizes of them, and the corpus.

use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program and how to check it.
pub struct Program {
    pub name: String,
    /// The words of the command line behind the options of the search.
    pub words: Vec<String>,
}

/// All of them, compiled.
pub struct Programs {
    pub sojourner: PathBuf,
    /// Where they are, and where checks run.
    pub folder: PathBuf,
    pub all: Vec<Program>,
}

/// Hard sizes of the programs of the papers, programs of many threads, and programs of long executions.
const HARD: [&str; 17] = [
    "BoundedBuffer 3 6 6 1",
    "Twostage 8 1",
    "Reorder 10 1",
    "Wronglock 1 20",
    "Airline 20 1",
    "Airline 20 5",
    "Piper 2 16 8",
    "RaxExtended 4 3",
    "ReplicatedWorkers 5 2",
    "ProducerConsumer 1 16 4",
    "Daisy 3 2",
    "RWNoDeadLckCk 2 2 100",
    "DiningPhilosophers 100 1",
    "Reorder 99 1",
    "Counters 100 1",
    "Counters 2 10000",
    "Counters 20 1000",
];

impl Programs {
    /// Compiles those that are wanted.
    pub fn prepare(wanted: impl Fn(&str) -> bool) -> anyhow::Result<Programs> {
        let folder = std::env::temp_dir().join(format!("sojourner-auto-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let mut programs = Programs { sojourner: crate::java::sojourner()?, folder, all: Vec::new() };
        programs.add_java(&wanted)?;
        for (place, language) in [("tests/corpus", "c"), ("tests/corpus", "cpp"), ("tests/corpus", "rust")] {
            programs.add_compiled(place, language, &wanted)?;
        }
        programs.add_compiled("examples", "c", &wanted)?;
        for line in read("tests/corpus/models.tsv")?.lines() {
            if let [target, parameters, "found", _] = line.split('\t').collect::<Vec<_>>()[..] {
                let words = [target, "--"].into_iter().chain(parameters.split_whitespace());
                programs.add(format!("{target} {parameters}"), words.map(str::to_owned).collect(), &wanted);
            }
        }
        ensure!(!programs.all.is_empty(), "there is no such program");
        Ok(programs)
    }

    fn add(&mut self, name: String, words: Vec<String>, wanted: impl Fn(&str) -> bool) {
        if wanted(&format!("auto {name}")) {
            self.all.push(Program { name, words });
        }
    }

    fn add_class(&mut self, class: &str, options: &str, arguments: &str, wanted: impl Fn(&str) -> bool) {
        let options = options.split_whitespace().map(str::to_owned);
        let target = ["-cp".into(), self.folder.display().to_string(), class.to_owned(), "--".to_owned()];
        let words = options.chain(target).chain(arguments.split_whitespace().map(str::to_owned)).collect();
        self.add(format!("{class} {arguments}"), words, wanted);
    }

    fn add_java(&mut self, wanted: impl Fn(&str) -> bool + Copy) -> anyhow::Result<()> {
        let corpus = sources("tests/corpus/java", "java")?;
        let own = root().join("bench/java/Counters.java");
        let files = corpus.iter().cloned().chain(sources("examples/java", "java")?).chain([own]);
        let mut compiler = Command::new("javac");
        compiler.arg("-g").arg("-d").arg(&self.folder).arg("-classpath");
        compiler.arg(root().join("crates/java/verify/classes")).args(files);
        ensure!(compiler.status().context("javac")?.success(), "javac failed");
        for hard in HARD {
            let (class, arguments) = hard.split_once(' ').unwrap_or((hard, ""));
            self.add_class(class, "", arguments, wanted);
        }
        for line in read("examples/java/expected.tsv")?.lines() {
            if let [file, arguments, "found", _, rest @ ..] = &line.split('\t').collect::<Vec<_>>()[..] {
                let options = rest.first().copied().unwrap_or_default();
                self.add_class(file.trim_end_matches(".java"), options, arguments, wanted);
            }
        }
        for file in &corpus {
            let class = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            for (options, arguments) in defects(file)? {
                self.add_class(&class, &options, &arguments, wanted);
            }
        }
        Ok(())
    }

    /// Programs that `sojourner cc` compiles. Those of the corpus say their flags, and the examples take `-DBROKEN`.
    fn add_compiled(
        &mut self,
        place: &str,
        language: &str,
        wanted: impl Fn(&str) -> bool + Copy,
    ) -> anyhow::Result<()> {
        let extension = match language {
            "rust" => "rs",
            other => other,
        };
        for file in sources(&format!("{place}/{language}"), extension)? {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let cases = if place == "examples" { broken(&file)? } else { defects(&file)? };
            for (options, flags) in cases {
                let name = format!("{stem}.{extension} {flags}");
                if !wanted(&format!("auto {name}")) {
                    continue;
                }
                let target = if language == "rust" {
                    let cflags = flags.split_whitespace().map(str::to_owned);
                    let cflags: Vec<String> = if flags.is_empty() {
                        vec![]
                    } else {
                        ["--cflags".to_owned()].into_iter().chain(cflags).collect()
                    };
                    [vec![file.display().to_string()], cflags].concat()
                } else {
                    vec![self.compile(&file, &flags)?.display().to_string()]
                };
                let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
                self.add(name, [options, target].concat(), wanted);
            }
        }
        Ok(())
    }

    fn compile(&self, file: &Path, flags: &str) -> anyhow::Result<PathBuf> {
        let executable = self.folder.join(format!("program-{}", self.all.len()));
        let compiler =
            if file.extension().is_some_and(|extension| extension == "cpp") { "c++" } else { "cc" };
        let mut command = Command::new(&self.sojourner);
        command.arg(compiler).arg("-g").arg("-o").arg(&executable).args(flags.split_whitespace()).arg(file);
        ensure!(command.status()?.success(), "{} does not compile", file.display());
        Ok(executable)
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        // A directory for temporary files that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> anyhow::Result<String> {
    std::fs::read_to_string(root().join(file)).with_context(|| file.to_owned())
}

fn sources(folder: &str, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root().join(folder)).with_context(|| folder.to_owned())?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}

/// The cases in the first lines of a program of the corpus in which something is found: options of a check, and the rest.
fn defects(file: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let text = std::fs::read_to_string(file)?;
    let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
    let found = lines.filter_map(|line| line.strip_prefix("found "));
    let case = |line: &str| {
        let (before, options, after) = match line.split_once('{') {
            None => (line, "", ""),
            Some((before, rest)) => {
                let (options, after) = rest.split_once('}').unwrap_or((rest, ""));
                (before, options, after)
            }
        };
        // The first word is the kind of the finding.
        let rest = format!("{before} {after}");
        let rest: Vec<&str> = rest.split_whitespace().skip(1).collect();
        (options.to_owned(), rest.join(" "))
    };
    Ok(found.map(case).collect())
}

/// The defective version of an example, if it has one.
fn broken(file: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let has = std::fs::read_to_string(file)?.contains("-DBROKEN");
    Ok(if has { vec![(String::new(), "-DBROKEN".to_owned())] } else { Vec::new() })
}
