//! `sojourner doctor`: what is here, and whether a program can be checked.

use crate::args::Doctor;
use crate::exit::Exit;
use crate::front_ends::FRONT_ENDS;
use crate::usage::Usage;
use sojourner_frontend::{FrontEnds, OpenError, Request, Target, Visit, VisitStates};
use sojourner_java::doctor::MissingOperation;
use sojourner_java::front_end::{self, Places};
use sojourner_java::library::{ClassPath, Jdk};
use sojourner_java::{Library, Machine, Options};
use sojourner_program::{Encode, Encoded, Fault, Program, Status};
use sojourner_report::human;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

/// Reports on this machine, and on a program if one is named.
pub fn doctor(options: &Doctor) -> Result<Exit, Usage> {
    let places = Places::of(&options.program.given);
    let mut text = machine(places.jdk.as_deref());
    if let Some(name) = &options.target {
        text.push('\n');
        let Doctor { arguments, program, .. } = options;
        let request = Request { arguments, tell: crate::tell, ..Request::new(name, &program.given) };
        if FRONT_ENDS.find(name)?.name() == "java" {
            text.push_str(&java(name, &places)?);
        } else {
            text.push_str(&FRONT_ENDS.open(&request, Examination { name })?);
        }
    }
    crate::print(&text)
}

fn machine(jdk: Option<&Path>) -> String {
    let mut text = format!("sojourner {}\n", env!("CARGO_PKG_VERSION"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory =
        sojourner_check::memory::field("MemAvailable:").map_or("an unknown amount".into(), human::bytes);
    let _ = writeln!(
        text,
        "machine: {} {}, {cores} cores, {memory} of memory free",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let pages = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    let pages = match pages.split(['[', ']']).nth(1) {
        Some("never") => "off: large state spaces are slower",
        Some(_) => "available",
        None => "unknown",
    };
    let _ = writeln!(text, "huge pages: {pages}");
    let compiler =
        version("cc", "--version").unwrap_or("not found (a C compiler, for C and C++ programs)".into());
    let _ = writeln!(text, "cc: {compiler}");
    match Jdk::find(jdk) {
        Ok(jdk) => {
            let _ = writeln!(text, "jdk: {} in {} (supported)", jdk.version, jdk.home.display());
        }
        Err(error) => {
            let _ = writeln!(text, "jdk: {error}");
        }
    }
    for front_end in FRONT_ENDS.all() {
        let _ = writeln!(text, "checks {}: {}", front_end.programs(), front_end.targets());
    }
    text
}

/// The first line of what a command says of itself.
fn version(command: &str, argument: &str) -> Option<String> {
    let output = Command::new(command).arg(argument).output().ok()?;
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    String::from_utf8_lossy(&said).lines().next().map(String::from)
}

/// What a Java program could need that the machine lacks.
fn java(name: &str, places: &Places) -> Result<String, Usage> {
    let (jdk, launch) = front_end::find(name, &[], places, crate::tell)?;
    let class_path = ClassPath::open(&launch.class_path).map_err(OpenError::refused)?;
    let library = Rc::new(Library { jdk, class_path });
    let machine = Machine::boot(library, Options::default()).map_err(OpenError::refused)?;
    let found = sojourner_java::doctor::examine(&machine, &launch.main_class);
    let mut text = format!(
        "{name}: {} methods could be called, {} of them the program's own{}\n",
        found.methods,
        found.own,
        if found.complete { "" } else { "; there are more, which were not looked at" }
    );
    let (near, deep): (Vec<&MissingOperation>, Vec<&MissingOperation>) =
        found.missing.iter().partition(|lack| lack.is_near());
    if near.is_empty() {
        text.push_str("  near the program's own code nothing is missing\n");
    } else {
        let _ = writeln!(
            text,
            "  not supported, and a few calls away from the program's own code: {}",
            near.len()
        );
        for lack in near {
            let _ = writeln!(text, "    {}\n      by {}", lack.what, lack.path.join(" > "));
        }
    }
    if !deep.is_empty() {
        let _ = writeln!(
            text,
            "  not supported, and deep in the class library, where few runs come: {}",
            deep.len()
        );
        for lack in deep {
            let _ = writeln!(text, "    {}\n      by {}", lack.what, shortened(&lack.path));
        }
    }
    text.push_str("  what is called by reflection was not looked at; `sojourner run` tells more\n");
    Ok(text)
}

/// A long path of calls: where it begins and where it ends.
fn shortened(path: &[String]) -> String {
    match path {
        [first, second, _, .., last] if path.len() > 4 => {
            format!("{first} > {second} > {} more > {last}", path.len() - 3)
        }
        _ => path.join(" > "),
    }
}

/// A look at a program whose type is not known yet.
struct Examination<'a> {
    name: &'a str,
}

impl Visit for Examination<'_> {
    type Out = String;

    fn visit<T: Target>(self, target: &T) -> String {
        target.by_states(self)
    }
}

impl VisitStates for Examination<'_> {
    type Out = String;

    fn encoded<T: Target<P: Encode>>(self, target: &T) -> String {
        match target.open() {
            Ok(mut program) => self.begins(&mut program) + &self.examine(&mut program),
            Err(fault) => self.cannot(&fault),
        }
    }

    fn hashed<T: Target>(self, target: &T) -> String {
        match target.open() {
            Ok(mut program) => self.begins(&mut program),
            Err(fault) => self.cannot(&fault),
        }
    }
}

impl Examination<'_> {
    fn cannot(&self, fault: &Fault) -> String {
        format!("{}: cannot be checked: {fault}\n", self.name)
    }

    fn begins<P: Program>(&self, program: &mut P) -> String {
        let (mut threads, mut choices) = (Vec::new(), Vec::new());
        program.threads(&mut threads);
        program.choices(&mut choices);
        let ready = threads.iter().filter(|thread| thread.status == Status::Ready).count();
        let mut text = format!("{}: can be checked\n", self.name);
        let _ = writeln!(text, "  threads at the start: {}, {ready} of them can move", threads.len());
        let _ = writeln!(text, "  choices at the start: {}", choices.len());
        text
    }

    fn examine<P: Encode>(&self, program: &mut P) -> String {
        let mut state = Encoded::new();
        program.encode(&mut state);
        let bytes: usize = state.components().map(|(_, component)| component.len()).sum();
        let mut text = String::new();
        let _ = writeln!(
            text,
            "  a state: {bytes} bytes in {} components ({})",
            state.len(),
            program.kinds().join(", ")
        );
        let goals = program.goals();
        if !goals.is_empty() {
            let _ = writeln!(text, "  goals: {}", goals.join(", "));
        }
        text
    }
}
