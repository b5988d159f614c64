//! `sojourner cc` and `sojourner c++`: commands that stand in for a compiler in the build of a program.

use crate::compile::{RUNTIME, compile_source, link_arguments, scratch};
use crate::toolchain::{CompileError, Language, Toolchain};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `sojourner cc` and `sojourner c++` do: the compiler is run with the arguments that it was given and what it takes for
/// the program to be explored. The status with which to exit.
pub fn wrap(language: Language, arguments: &[OsString], toolchain: &Toolchain) -> Result<i32, CompileError> {
    if RUNTIME.is_empty() {
        return Err(CompileError::Elsewhere);
    }
    let given = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let pass = |command: &mut Command| {
        let tool = command.get_program().to_string_lossy().into_owned();
        command.status().map_err(|error| CompileError::Tool { tool, error })
    };
    let sources: Vec<&OsString> =
        arguments.iter().filter(|argument| Language::of(Path::new(argument)).is_some()).collect();
    let only_looks =
        ["-E", "-M", "-MM", "-S", "-fsyntax-only", "--version", "-v", "-dumpversion", "-dumpmachine"];
    if only_looks.iter().any(|flag| given(flag)) {
        return Ok(pass(toolchain.command(language).args(arguments))?.code().unwrap_or(1));
    }
    // What a tool ends with, if that is not 0, is what we end with.
    let mut tool = |command: &mut Command| match pass(command)?.code() {
        Some(0) => Ok(()),
        status => Err(Stopped::Status(status.unwrap_or(1))),
    };
    if given("-c") {
        let flags = flags_of(arguments);
        for (source, object) in sources.iter().zip(objects_of(arguments, &sources)) {
            let flags = [flags.clone(), dependencies(&flags, &object)].concat();
            match compile_source((toolchain, language), &flags, Path::new(source), &object, &mut tool) {
                Ok(()) => {}
                Err(Stopped::Status(status)) => return Ok(status),
                Err(Stopped::Error(error)) => return Err(error),
            }
        }
        return Ok(0);
    }
    // Sources are compiled one by one, so that only what comes of them is changed.
    let directory = scratch()?;
    let mut linked = Vec::new();
    let mut number = 0;
    let mut rest = arguments.iter();
    let mut flags = Vec::new();
    while let Some(argument) = rest.next() {
        if argument == "-o" {
            linked.extend([argument.clone(), rest.next().cloned().unwrap_or_default()]);
        } else if Language::of(Path::new(argument)).is_some() {
            linked.push(directory.path().join(format!("{number}.o")).into());
            number += 1;
        } else {
            linked.push(argument.clone());
            flags.push(argument.clone());
        }
    }
    let flags: Vec<OsString> = flags.into_iter().filter(|flag| !is_for_linking(flag)).collect();
    for (number, source) in sources.iter().enumerate() {
        let object = directory.path().join(format!("{number}.o"));
        // What depends on the source is the program, if that is named.
        let named = objects_of(arguments, &[source]);
        let more = named.first().map(|named| dependencies(&flags, named)).unwrap_or_default();
        let flags = [flags.clone(), more].concat();
        match compile_source((toolchain, language), &flags, Path::new(source), &object, &mut tool) {
            Ok(()) => {}
            Err(Stopped::Status(status)) => return Ok(status),
            Err(Stopped::Error(error)) => return Err(error),
        }
    }
    let linked = linked.iter().filter(|argument| *argument != "-fsanitize=thread" && *argument != "-pie");
    let mut command = toolchain.command(language);
    let status = pass(command.args(linked).args(link_arguments(directory.path())?))?;
    Ok(status.code().unwrap_or(1))
}

/// Why a tool that stands in for the compiler does not go on.
enum Stopped {
    Status(i32),
    Error(CompileError),
}

impl From<CompileError> for Stopped {
    fn from(error: CompileError) -> Stopped {
        Stopped::Error(error)
    }
}

/// The arguments of a compiler without the sources, without what says where the object goes, and without `-c`.
fn flags_of(arguments: &[OsString]) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "-o" {
            rest.next();
        } else if argument != "-c" && Language::of(Path::new(argument)).is_none() {
            flags.push(argument.clone());
        }
    }
    flags
}

/// Where `-MD` and its like put what an object depends on, and what they call it, as if the object were made at once.
fn dependencies(flags: &[OsString], object: &Path) -> Vec<OsString> {
    let has = |names: &[&str]| {
        flags.iter().any(|flag| names.iter().any(|name| flag.to_string_lossy().starts_with(name)))
    };
    let mut more = Vec::new();
    if has(&["-MD", "-MMD"]) {
        if !has(&["-MF"]) {
            more.extend(["-MF".into(), object.with_extension("d").into()]);
        }
        if !has(&["-MT", "-MQ"]) {
            more.extend(["-MT".into(), object.into()]);
        }
    }
    more
}

fn is_for_linking(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    let file = [".o", ".a", ".so"].iter().any(|end| text.ends_with(end));
    file || text.starts_with("-l") || text.starts_with("-L") || text.starts_with("-Wl,")
}

/// The objects that `-c` makes: what is named, or one beside each source.
fn objects_of(arguments: &[OsString], sources: &[&OsString]) -> Vec<PathBuf> {
    let named = arguments.iter().position(|argument| argument == "-o").and_then(|at| arguments.get(at + 1));
    match named {
        Some(named) => vec![named.into()],
        None => sources
            .iter()
            .filter_map(|source| Path::new(source).file_stem())
            .map(|stem| Path::new(stem).with_extension("o"))
            .collect(),
    }
}
