//! What cannot be explored is said so, in words, and nothing is left behind.

mod common;

use common::{compiled, reduced};
use sojourner_native::{CompileError, Exploration, Language, NativeProgram, Toolchain, compile, wrap};
use sojourner_program::{Fault, Load};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn subject(executable: &Path) -> NativeProgram {
    NativeProgram::new(executable, Vec::new(), Exploration::default())
}

/// Why a program cannot even be opened.
fn refusal(executable: &Path) -> String {
    match subject(executable).open() {
        Ok(_) => panic!("{} can be explored", executable.display()),
        Err(fault) => fault.to_string(),
    }
}

/// An executable of these bytes.
fn executable(bytes: &[u8]) -> tempfile::TempPath {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("it can be written");
    let path = file.into_temp_path();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}

#[test]
fn compile_error_shows_compiler_message() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("wrong.c");
    std::fs::write(&source, "int main(void) { return undeclared; }\n").expect("a file");
    match compile(&[source], &[], &Toolchain::default()) {
        Err(CompileError::DoesNotCompile { message }) => {
            assert!(message.contains("wrong.c:1:25: error"), "{message}");
            assert!(message.contains("undeclared"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn dependency_file_is_written_beside_program_built_in_one_step() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    std::fs::write(at("part.h"), "int part;\n").expect("a file");
    std::fs::write(at("main.c"), "#include \"part.h\"\nint main(void) { return part; }\n").expect("a file");
    let words = [OsString::from("-MMD"), "-o".into(), at("program").into(), at("main.c").into()];
    assert_eq!(wrap(Language::C, &words, &Toolchain::default()).expect("the tools are there"), 0);
    let rule = std::fs::read_to_string(at("program.d")).expect("it is beside the program");
    assert!(rule.starts_with(&format!("{}: ", at("program").display())), "{rule}");
    assert!(rule.contains("part.h"), "{rule}");
    assert!(subject(&at("program")).is_linked());
}

#[test]
fn only_executables_are_started() {
    let text = executable(b"int main(void) { return 0; }\n");
    assert!(!subject(&text).is_linked());
    let why = refusal(&text);
    assert!(why.contains("not linked with the runtime"), "{why}");
}

#[test]
fn an_executable_without_its_end_is_no_program() {
    let whole = compiled("null_pointer.c", "");
    let bytes = std::fs::read(&whole.executable).expect("it is there");
    for length in [4, 64, 4096, bytes.len() / 2] {
        let part = executable(&bytes[..length]);
        assert!(!subject(&part).is_linked(), "{length} bytes");
    }
}

#[test]
fn an_executable_without_the_runtime_is_no_program() {
    let why = refusal(Path::new("/bin/true"));
    assert!(why.contains("not linked with the runtime"), "{why}");
}

#[test]
fn a_program_may_close_what_is_not_its_own() {
    let program = compiled("closes.c", "");
    let explored = reduced(&subject(&program.executable));
    assert!(explored.fault.is_none(), "{:?}", explored.fault);
    assert!(explored.all && explored.found.is_empty(), "{}", explored.text());
}

#[test]
fn workers_end_with_their_starter_and_remove_their_files() {
    let program = compiled("killed.c", "");
    let directory = program.executable.parent().expect("it lies in one").to_path_buf();
    let name = program.executable.file_name().expect("it has one").to_string_lossy().into_owned();
    let explored = reduced(&subject(&program.executable));
    assert!(!explored.found.is_empty(), "{:?}", explored.fault);
    assert_eq!(running(&program.executable), Vec::<u32>::new(), "{name}");
    drop(program);
    assert!(!directory.exists());
}

/// The processes that run an executable.
fn running(executable: &Path) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is one on Linux").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let runs = |process: &u32| {
        std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|runs| runs == executable)
    };
    numbers.filter(runs).collect()
}

#[test]
fn a_fault_says_where() {
    let program = compiled("assembly.c", "-DREFUSED");
    match reduced(&subject(&program.executable)).fault {
        Some(fault @ Fault::Unsupported { .. }) => {
            assert!(fault.to_string().contains("inline assembly"), "{fault}");
        }
        other => panic!("{other:?}"),
    }
}
