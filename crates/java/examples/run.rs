//! Runs a Java program: `cargo run --example run -- [-DNAME=VALUE...] CLASSPATH MAIN ARGS...`.
#![allow(clippy::print_stderr)]
use sojourner_java::library::{ClassPath, Jdk};
use sojourner_java::{Ended, Library, Machine, Options};
use std::rc::Rc;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let properties = arguments.iter().map_while(|argument| argument.strip_prefix("-D"));
    let properties: Vec<(String, String)> = properties
        .map(|property| property.split_once('=').unwrap_or((property, "")))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    arguments.drain(..properties.len());
    let jdk = Jdk::find(None).unwrap();
    let entries: Vec<std::path::PathBuf> = arguments[0].split(':').map(Into::into).collect();
    let class_path = ClassPath::open(&entries).unwrap();
    let library = Rc::new(Library { jdk, class_path });
    let mut options = Options { properties, ..Options::default() };
    if let Ok(garbage) = std::env::var("GARBAGE") {
        options.garbage = garbage.parse().unwrap();
    }
    let mut machine = match Machine::boot(library, options) {
        Ok(machine) => machine,
        Err(error) => {
            eprintln!("boot: {error}");
            std::process::exit(2)
        }
    };
    if let Err(error) = machine.start(&arguments[1].replace('.', "/"), &arguments[2..]) {
        eprintln!("start: {error}");
        std::process::exit(2);
    }
    match machine.run() {
        Ended::Exit(status) => std::process::exit(status),
        Ended::Deadlock(who) => eprintln!("deadlock:\n{who}"),
        Ended::Ignored(what) => eprintln!("ignored: {what}"),
        Ended::Unsupported(what) => eprintln!("unsupported: {what}"),
    }
    std::process::exit(4);
}
