//! `sojourner run`: a program under one schedule.

use crate::args::Run;
use crate::console::{self, Standard};
use crate::exit::Exit;
use crate::front_ends::FRONT_ENDS;
use crate::outputs::Output;
use crate::usage::Usage;
use sojourner_frontend::{FrontEnds, OpenError, Request};
use sojourner_java::front_end::{self, Places};
use sojourner_java::library::ClassPath;
use sojourner_java::{Choices, Coverage, Ended, Library, Machine, Options, RoundRobin, Seeded};
use sojourner_program::Verdict;
use std::rc::Rc;

/// Runs a program to its end.
pub fn run(options: &Run) -> Result<Exit, Usage> {
    let Run { target, more, arguments, program, .. } = options;
    let request = Request { more, arguments, tell: crate::tell, ..Request::new(target, &program.given) };
    let front_end = FRONT_ENDS.find(target)?;
    FRONT_ENDS.check_options(front_end, &request)?;
    match front_end.name() {
        "native" => native(&request),
        "java" => java(options, &request),
        _ => Err(Usage::ModelToRun(target.clone())),
    }
}

/// Runs a C, C++ or Rust program.
fn native(request: &Request<'_>) -> Result<Exit, Usage> {
    let program = sojourner_native::front_end::open(request)?;
    // An interrupt is for the program, which ends by it.
    let _ = ctrlc::set_handler(|| std::process::exit(130));
    match sojourner_native::run(&program) {
        Ok(sojourner_native::Ended::Exit(status)) => Ok(Exit::Program(status)),
        Ok(sojourner_native::Ended::Died(signal)) => Ok(Exit::Program(128 + signal)),
        Err(error) => Err(Usage::Output { what: request.target.into(), why: error.to_string() }),
    }
}

/// Runs a Java program.
fn java(options: &Run, request: &Request<'_>) -> Result<Exit, Usage> {
    let places = Places::of(request.options);
    let (jdk, launch) = front_end::find(request.target, request.more, &places, request.tell)?;
    let coverage = options.coverage.as_deref().map(Output::open).transpose()?;
    let library = Rc::new(Library {
        jdk,
        class_path: ClassPath::open(&launch.class_path).map_err(OpenError::refused)?,
    });
    // If no handler can be set, the system ends the program, without the output that was gathered last.
    let _ = ctrlc::set_handler(|| {
        console::flush();
        std::process::exit(130);
    });
    let mut machine = Machine::boot(library, machine_options(options)).map_err(OpenError::refused)?;
    machine.start(&launch.main_class, &options.arguments).map_err(OpenError::refused)?;
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

fn machine_options(options: &Run) -> Options {
    let choices: Box<dyn Choices> = match options.seed {
        Some(seed) => Box::new(Seeded::new(seed)),
        None => Box::new(RoundRobin),
    };
    Options {
        choices,
        coverage: options.coverage.is_some(),
        console: Box::new(Standard::new()),
        ..front_end::Machine::of(&options.program.given).options()
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
