//! `sojourner run`: a program under one schedule.

use crate::args::Run;
use crate::console::{self, Standard};
use crate::exit::Exit;
use crate::outputs::Output;
use crate::usage::Usage;
use sojourner_java::library::{ClassPath, Grant, Jdk, Launch, LibraryError, launch, launch_sources};
use sojourner_java::{Choices, Coverage, Ended, Library, Machine, Options, RoundRobin, Seeded};
use sojourner_program::Verdict;
use std::path::PathBuf;
use std::rc::Rc;

/// Slots of a thread's stack for each frame that is allowed, on the average.
const SLOTS: usize = 26;

/// Runs a program to its end.
pub fn run(options: &Run) -> Result<Exit, Usage> {
    if crate::native::is_native(&options.target) {
        return crate::native::run(&options.target, &options.more, &options.arguments, &options.native);
    }
    if let Some(option) = options.native.words().into_iter().next() {
        return Err(Usage::ForNative { option, target: options.target.clone() });
    }
    let (jdk, launch) = find(&options.target, &options.more, &options.machine.places)?;
    let coverage = options.coverage.as_deref().map(Output::open).transpose()?;
    let library = Rc::new(Library { jdk, class_path: ClassPath::open(&launch.class_path)? });
    // If no handler can be set, the system ends the program, without the output that was gathered last.
    let _ = ctrlc::set_handler(|| {
        console::flush();
        std::process::exit(130);
    });
    let mut machine = Machine::boot(library, machine_options(options))?;
    machine.start(&launch.main_class, &options.arguments)?;
    let ended = machine.run();
    let used = machine.coverage();
    let changed_files = machine.has_changed_files();
    // The process is about to end: its memory goes back at once, without every class being taken apart first.
    console::flush();
    std::mem::forget(machine);
    if let (Some(output), Some(used)) = (coverage, used) {
        output.write(&coverage_json(&used))?;
    }
    if changed_files {
        crate::say(
            "note: the program's changes to files were kept in memory; nothing was written to the disk\n",
        );
    }
    Ok(match ended {
        Ended::Exit(status) => Exit::Program(status),
        Ended::Deadlock(who) => {
            crate::say(&format!("deadlock: no thread can go on\n{who}"));
            Exit::Deadlock
        }
        Ended::Ignored(place) => {
            let text =
                "ignored: an assumption of the program does not hold here; another --seed may lead elsewhere";
            crate::say(&format!("{text}{place}\n"));
            Exit::Verdict(Verdict::Incomplete)
        }
        Ended::Unsupported(what) => {
            crate::say(&format!("unsupported: {}\n", what.trim_end()));
            Exit::Verdict(Verdict::Unsupported)
        }
    })
}

/// The JDK, and what is to be started on it.
pub fn find(target: &str, more: &[String], places: &crate::args::Places) -> Result<(Jdk, Launch), Usage> {
    if target.starts_with("model:") {
        return Err(Usage::ModelToRun(target.into()));
    }
    // Only sources can be several.
    let is_source = |name: &String| name.ends_with(".java");
    if let Some(further) = more.iter().find(|name| !is_source(name) || !target.ends_with(".java")) {
        return Err(Usage::More { further: further.clone(), target: target.into() });
    }
    let mut jdk = Jdk::find(places.jdk.as_deref())?;
    (jdk.exports, jdk.opens) = (places.add_exports.clone(), places.add_opens.clone());
    for (option, grants) in [("--add-exports", &jdk.exports), ("--add-opens", &jdk.opens)] {
        grants.iter().filter_map(|grant| unknown(&jdk, grant)).for_each(|what| {
            crate::say(&format!("warning: {option}: {what}\n"));
        });
    }
    let launched = if more.is_empty() {
        launch(target, &places.class_path(), &jdk)
    } else {
        let sources: Vec<PathBuf> =
            std::iter::once(target).chain(more.iter().map(String::as_str)).map(PathBuf::from).collect();
        launch_sources(&sources, &places.class_path(), &jdk)
    };
    match launched {
        Ok(launch) => {
            launch.apply_grants(&mut jdk)?;
            Ok((jdk, launch))
        }
        Err(LibraryError::DoesNotCompile { message }) => {
            // The compiler's text is laid out in lines of its own.
            crate::say(&format!("{}\n", message.trim_end()));
            Err(Usage::Source)
        }
        Err(error) => Err(error.into()),
    }
}

/// What of a package that is to be exported or opened the JDK does not have. As with `java` that is no error: the option may
/// be for another version.
fn unknown(jdk: &Jdk, grant: &Grant) -> Option<String> {
    let Grant { module, package, .. } = grant;
    if !jdk.modules().contains(module) {
        return Some(format!("there is no module {module} in this JDK"));
    }
    let known = jdk.image.resource(module, "module-info.class").is_some()
        && jdk.image.entries().any(|(of, path)| {
            of == module && path.rsplit_once('/').is_some_and(|(at, _)| at.replace('/', ".") == *package)
        });
    (!known).then(|| format!("there is no package {package} in module {module}"))
}

fn machine_options(options: &Run) -> Options {
    let (defaults, frames) = (Options::default(), options.machine.frames());
    let choices: Box<dyn Choices> = match options.seed {
        Some(seed) => Box::new(Seeded::new(seed)),
        None => Box::new(RoundRobin),
    };
    Options {
        properties: options.machine.properties.clone(),
        heap: options.machine.heap(),
        frames,
        slots: defaults.slots.max(frames * SLOTS),
        choices,
        coverage: options.coverage.is_some(),
        console: Box::new(Standard::new()),
        ..defaults
    }
}

fn coverage_json(used: &Coverage) -> String {
    let Coverage { opcodes, natives, intrinsics, bootstraps } = used;
    let json = serde_json::json!({
        "opcodes": opcodes,
        "natives": natives,
        "intrinsics": intrinsics,
        "bootstraps": bootstraps,
    });
    format!("{json:#}\n")
}
