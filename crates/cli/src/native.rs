//! C and C++ programs, as the command checks them.

use crate::args::{self, Java, Native};
use crate::target::{Candidate, Request};
use crate::usage::Usage;
use sojourner_native::{
    CompileError, Compiled, Execution, Exploration, Language, Races, Signal, Subject, Timeouts, Toolchain,
    compile,
};
use sojourner_program::{Load, Verdict, forward};
use sojourner_search::Endless;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// A C or C++ program, with the executable that was made of it.
pub struct Program {
    subject: Subject,
    /// What its content is: its sources with the flags that they are compiled with, or the executable.
    content: Vec<PathBuf>,
    flags: Vec<String>,
    _compiled: Option<Compiled>,
}

/// Whether a target is a C or C++ source, or an executable.
pub fn is_native(target: &str) -> bool {
    is_source(target) || is_executable(Path::new(target))
}

/// Whether a target is a C or C++ source.
pub fn is_source(target: &str) -> bool {
    Language::of(Path::new(target)).is_some()
}

fn is_executable(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

/// The program that is asked for.
pub fn open(request: Request<'_>) -> Result<Program, Usage> {
    let Request { target, more, arguments, java, native } = request;
    if let Some(option) = only_for_java(java).into_iter().find(|word| word.starts_with('-')) {
        return Err(Usage::NotForNative { option, target: target.into() });
    }
    let (compiled, content) = build(target, more, native)?;
    let executable = compiled.as_ref().map_or(Path::new(target), |compiled| &compiled.executable);
    let executable = std::fs::canonicalize(executable).unwrap_or_else(|_| executable.to_path_buf());
    let exploration = Exploration {
        signal: native.signal.unwrap_or(Signal::Any),
        timeouts: timeouts(java),
        // A race is undefined behaviour.
        races: java.races.map_or(Races::Last, args::Races::of_native),
        leaks: native.leaks.unwrap_or_default(),
        isolate: native.isolate,
        exit: java.exit,
        ..Exploration::default()
    };
    let subject = Subject::new(&executable, arguments.to_vec(), exploration);
    if !subject.is_linked() {
        return Err(Usage::NotLinked(target.into()));
    }
    Ok(Program { subject, content, flags: native.cflags.clone(), _compiled: compiled })
}

/// The options that a C or C++ program does not know.
fn only_for_java(java: &Java) -> Vec<String> {
    Java { races: None, exit: false, timeouts: None, ..java.clone() }.words()
}

/// When time-outs come, which is asked for like for Java programs.
fn timeouts(java: &Java) -> Timeouts {
    use sojourner_java::explore::Timeouts as Asked;
    match java.timeouts {
        None | Some(Asked::Any) => Timeouts::Any,
        Some(Asked::Patient) => Timeouts::Patient,
        Some(Asked::Last) => Timeouts::Last,
    }
}

fn build(target: &str, more: &[String], native: &Native) -> Result<(Option<Compiled>, Vec<PathBuf>), Usage> {
    let all: Vec<PathBuf> =
        std::iter::once(target).chain(more.iter().map(String::as_str)).map(PathBuf::from).collect();
    if Language::of(&all[0]).is_none() {
        let option = [
            ("--cflags", !native.cflags.is_empty()),
            ("--cc", native.cc.is_some()),
            ("--cxx", native.cxx.is_some()),
        ];
        let option = option.into_iter().find(|(_, given)| *given);
        return match (all.len(), option) {
            (1, None) => Ok((None, all)),
            (1, Some((option, _))) => {
                Err(Usage::Settings(format!("{option} is for sources: an executable has been compiled")))
            }
            _ => Err(Usage::Settings("an executable comes alone: further files are for sources".into())),
        };
    }
    match compile(&all, &native.cflags, &native.toolchain()) {
        Ok(compiled) => Ok((Some(compiled), all)),
        Err(CompileError::DoesNotCompile { message }) => {
            // The compiler's text is laid out in lines of its own.
            crate::say(&format!("{}\n", message.trim_end()));
            Err(Usage::NativeSource)
        }
        Err(error @ CompileError::Unsupported { .. }) => Err(Usage::Unsupported(error)),
        Err(error @ CompileError::File { .. }) => Err(Usage::NativeFile(error)),
        Err(error) => Err(Usage::Compiler(error)),
    }
}

impl Load for Program {
    type P = Execution;

    forward!(Load for subject);
}

/// What is assumed where time-outs were withheld.
const PATIENT: &str = "waits of a second or more, and the time that a thread polls, were taken to last until no other thread gets \
                       on (--timeouts any: any time)";
const LAST: &str = "--timeouts last assumes that time-outs expire only when nothing else can happen";

impl Candidate for Program {
    fn ignore_endless(&self) {
        self.subject.ignore_endless();
    }

    fn endless(&self) -> Endless {
        Endless::Found
    }

    fn goes_round(&self) -> bool {
        self.subject.goes_round()
    }

    fn open_endless(&self) -> &'static str {
        "threads can go round together, each because of what the others do: whether they can do so for ever was not looked at to \
         the end"
    }

    fn hash(&self) -> Option<String> {
        let mut hash = Xxh3::new();
        for path in &self.content {
            let bytes = std::fs::read(path).ok()?;
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
        }
        for flag in &self.flags {
            hash.update(flag.as_bytes());
            hash.update(b"\0");
        }
        Some(format!("{:032x}", hash.digest128()))
    }

    fn caveats(&self, verdict: Verdict) -> Vec<String> {
        // A finding is one, whatever was left out on the way.
        if verdict == Verdict::Found {
            return Vec::new();
        }
        let mut caveats = vec![
            "threads take turns at visible operations: what weak memory makes of them was not explored"
                .to_string(),
        ];
        if self.subject.exploration().races == Races::Off {
            caveats.push("data races were not looked for".into());
        }
        if self.subject.has_missed_races() {
            let why =
                "data races were not looked for everywhere: more variables or objects than there is room for";
            caveats.push(why.into());
        }
        if self.subject.has_hidden_attempts() {
            let why = "attempts of std::lock and std::scoped_lock are single steps: that somebody tries one of the locks meanwhile was not explored";
            caveats.push(why.into());
        }
        if self.subject.has_alarms() {
            let why = "an alarm goes off only where its thread sleeps, pauses or looks at the clock: that it comes elsewhere was not explored";
            caveats.push(why.into());
        }
        caveats.extend(crate::java::draws(&self.subject.draws()));
        if self.subject.is_isolated() && !self.subject.exploration().isolate {
            let why = "each execution has had a process of its own, as with --isolate: the program does what outlasts one";
            caveats.push(why.into());
        }
        let assumes = match self.subject.exploration().timeouts {
            _ if !self.subject.has_withheld_timeouts() => None,
            Timeouts::Any => None,
            Timeouts::Patient => Some(PATIENT),
            Timeouts::Last => Some(LAST),
        };
        caveats.extend(assumes.map(String::from));
        if self.subject.exploration().signal == Signal::Fifo {
            caveats
                .push("--signal fifo assumes that a signal wakes the thread that has waited longest".into());
        }
        caveats
    }

    fn warnings(&self) -> Vec<String> {
        self.subject.warnings().into_iter().map(|finding| finding.message).collect()
    }
}

/// Runs a program once.
pub fn run(
    target: &str,
    more: &[String],
    arguments: &[String],
    native: &Native,
) -> Result<crate::exit::Exit, Usage> {
    let program = open(Request { target, more, arguments, java: &Java::default(), native })?;
    // An interrupt is for the program, which ends by it.
    let _ = ctrlc::set_handler(|| std::process::exit(130));
    match sojourner_native::run(&program.subject) {
        Ok(sojourner_native::Ended::Exit(status)) => Ok(crate::exit::Exit::Program(status)),
        Ok(sojourner_native::Ended::Died(signal)) => Ok(crate::exit::Exit::Program(128 + signal)),
        Err(error) => Err(Usage::Output { what: target.into(), why: error.to_string() }),
    }
}

/// `sojourner cc` and `sojourner c++`.
pub fn wrap(language: Language, arguments: &[std::ffi::OsString]) -> Result<crate::exit::Exit, Usage> {
    sojourner_native::wrap(language, arguments, &Toolchain::default())
        .map(crate::exit::Exit::Program)
        .map_err(Usage::Compiler)
}
