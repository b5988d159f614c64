//! Programs that define functions which the runtime defines, too: their own win, in every object, and they link.

mod common;

use common::{Explored, clang, compiled_by, reduced, source};
use object::{Object, ObjectSymbol};
use sojourner_native::{Exploration, Language, NativeProgram, Races, Toolchain, compile, wrap};
use sojourner_program::Kind;
use std::fmt::Write;
use std::path::Path;

fn toolchains() -> [Toolchain; 2] {
    [Toolchain { cc: "gcc".into(), cxx: "g++".into(), ..Toolchain::default() }, clang()]
}

fn explored(executable: &Path) -> Explored {
    let exploration = Exploration { races: Races::Warn, ..Exploration::default() };
    reduced(&NativeProgram::new(executable, Vec::new(), exploration))
}

#[track_caller]
fn holds(name: &str, flags: &str, expected: &[Kind]) {
    for toolchain in toolchains() {
        let program = compiled_by(&toolchain, name, flags);
        let explored = explored(&program.executable);
        assert!(explored.fault.is_none(), "{name} {flags} {toolchain:?}: {:?}", explored.fault);
        assert_eq!(explored.kinds(), expected, "{name} {flags} {toolchain:?}: {}", explored.text());
    }
}

#[test]
fn own_function_is_called_from_every_object() {
    let sources = ["own_names.c", "own_names_rest.c"].map(source);
    for toolchain in toolchains() {
        for level in ["-O0", "-O2"] {
            let flags = [level, "-fno-builtin", "-w"].map(String::from);
            let program = compile(&sources, &flags, &toolchain).expect("it links");
            let explored = explored(&program.executable);
            assert!(explored.all && explored.fault.is_none(), "{level} {toolchain:?}: {:?}", explored.fault);
            assert!(explored.found.is_empty(), "{level} {toolchain:?}: {}", explored.text());
        }
    }
}

#[test]
fn own_function_is_called_from_objects_that_the_wrapper_made() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    let toolchain = &toolchains()[0];
    for name in ["own_names", "own_names_rest"] {
        let object = at(&format!("{name}.o"));
        let source = source(&format!("{name}.c"));
        let arguments = ["-c".into(), "-w".into(), source.into(), "-o".into(), object.into()];
        assert_eq!(wrap(Language::C, &arguments, toolchain).expect("gcc is there"), 0);
    }
    let arguments = [at("own_names.o"), at("own_names_rest.o"), "-o".into(), at("program")].map(Into::into);
    assert_eq!(wrap(Language::C, &arguments, toolchain).expect("gcc is there"), 0);
    let explored = explored(&at("program"));
    assert!(explored.all && explored.found.is_empty() && explored.fault.is_none(), "{explored:?}");
}

#[test]
fn library_uses_the_allocator_of_the_program() {
    // Compilers know what is true of the allocators of libraries, and leave out calls of them.
    for level in ["-O0 -fno-builtin", "-O2 -fno-builtin"] {
        holds("own_malloc.c", level, &[]);
        holds("own_malloc.c", &format!("{level} -DBROKEN"), &[Kind::Assertion]);
        holds("own_malloc.c", &format!("{level} -DWRAPS"), &[]);
        holds("own_new.cpp", level, &[]);
    }
}

#[test]
fn threads_that_the_program_defines_itself_are_its_own() {
    for level in ["-O0", "-O2"] {
        holds("own_threads.c", level, &[]);
        holds("own_threads.c", &format!("{level} -DBROKEN"), &[Kind::Assertion]);
    }
}

/// The names of functions that the runtime defines in an executable and that a source in C can define, too.
fn names_of_runtime() -> Vec<String> {
    const INSISTED: [&str; 2] = ["__VERIFIER_assume", "assume_abort_if_not"];
    let program = compiled_by(&toolchains()[0], "race.c", "");
    let bytes = std::fs::read(&program.executable).expect("it is there");
    let file = object::File::parse(&*bytes).expect("it is an executable");
    let functions = file.symbols().filter(|symbol| symbol.is_weak() && symbol.is_definition());
    let names = functions.filter_map(|symbol| symbol.name().ok().map(String::from));
    let is_own = |name: &String| {
        ["_Z", "__atomic_", "__tsan_", "__sojourner_", "sojourner_", "__wrap_"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    names.filter(|name| !is_own(name) && !INSISTED.contains(&&**name) && !name.contains('.')).collect()
}

#[test]
fn every_function_of_the_runtime_can_be_defined_by_the_program() {
    let names = names_of_runtime();
    assert!(names.len() > 200 && names.contains(&"pthread_mutex_lock".to_string()), "{names:?}");
    let mut text = String::new();
    for name in &names {
        writeln!(text, "long {name}(void) {{ return 1; }}").expect("a text can be written to");
    }
    text.push_str("int main(void) { return 0; }\n");
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("all.c");
    std::fs::write(&source, text).expect("the directory can be written to");
    for toolchain in toolchains() {
        let flags = ["-fno-builtin", "-w"].map(String::from);
        let linked = compile(std::slice::from_ref(&source), &flags, &toolchain);
        assert!(linked.is_ok(), "{toolchain:?}: {:?}", linked.err());
    }
}
