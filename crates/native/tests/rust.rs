//! Rust programs: the standard library is part of what is explored, and panics are findings.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;

use common::{Explored, compiled, follow, reduced, sample_of, source};
use sojourner_native::{CompileError, Exploration, NativeProgram, Races, Toolchain, compile};
use sojourner_program::{Fault, Kind};
use sojourner_search::Shape;
use std::os::unix::fs::PermissionsExt;

fn explored(name: &str, flags: &str) -> (Explored, Vec<String>) {
    let compiled = compiled(&format!("rust/{name}.rs"), flags);
    let subject = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
    let explored = reduced(&subject);
    let warnings = subject.warnings().into_iter().map(|finding| finding.message).collect();
    (explored, warnings)
}

/// The program is right, and there is nothing to warn of: least of all of a race. How many executions it has is a matter of the
/// standard library, too, but not more than `most`.
#[track_caller]
fn is_clean(name: &str, flags: &str, most: u64) {
    let (explored, warnings) = explored(name, flags);
    assert_eq!(explored.found, [], "{name} {flags}");
    assert!(explored.all && explored.fault.is_none(), "{name} {flags}: {explored:?}");
    assert_eq!(warnings, [""; 0], "{name} {flags}");
    assert!(explored.executions <= most, "{name} {flags}: {} executions", explored.executions);
}

/// The program has a defect of that kind; its text.
#[track_caller]
fn fails(name: &str, flags: &str, kind: Kind) -> String {
    let (explored, _) = explored(name, flags);
    assert_eq!(explored.kinds(), [kind], "{name} {flags}: {:?}", explored.fault);
    explored.text().to_string()
}

macro_rules! pairs {
    ($($name:ident: $most:literal, $kind:ident;)*) => { $(
        #[test]
        fn $name() {
            is_clean(stringify!($name), "", $most);
            fails(stringify!($name), "--cfg broken", Kind::$kind);
        }
    )* };
}

// Each program as it is, with the most executions that it may have, and with a defect.
pairs! {
    once_lock: 81, Panic;
    mutex: 27, Panic;
    condvar: 67, Deadlock;
    rendezvous: 270, Deadlock;
    scope: 120, Panic;
    rwlock: 4000, Panic;
    barrier: 710, Panic;
    once: 57, Panic;
    lazy_lock: 57, Panic;
    arc: 2, Panic;
    weak: 10, Panic;
    park: 10, Deadlock;
    thread_local: 1, Panic;
    boxed: 27, Panic;
    spin_lock: 10, Panic;
    timed: 330, Panic;
    atomic: 2, Panic;
    one_value: 9100, Panic;
}

#[test]
fn channel_with_time_out_is_explored() {
    is_clean("timed", "--cfg channel", 11000);
}

#[test]
fn order_of_two_senders_is_found() {
    let shape = Shape::Pct(Some(3));
    let right = sample_of("rust/channel.rs", "", shape, 100);
    assert!(right.found.is_empty() && right.fault.is_none(), "{right:?}");
    let broken = sample_of("rust/channel.rs", "--cfg broken", shape, 1000);
    assert_eq!(broken.kinds(), [Kind::Panic], "{:?}", broken.fault);
}

#[test]
fn wake_up_of_the_wrong_side_is_found() {
    let explored = sample_of("/../rust/bounded_queue.rs", "", Shape::Pct(Some(3)), 3000);
    assert_eq!(explored.kinds(), [Kind::Deadlock], "{:?}", explored.fault);
}

#[test]
fn optimised_programs_are_explored_as_well() {
    is_clean("mutex", "-O", 27);
    is_clean("condvar", "-O", 68);
    fails("once_lock", "-O --cfg broken", Kind::Panic);
}

#[test]
fn printing_is_no_race() {
    is_clean("prints", "", 4500);
}

#[test]
fn lock_order_is_a_deadlock_at_the_programs_own_lines() {
    let text = fails("deadlock", "", Kind::Deadlock);
    assert!(text.contains("deadlock.rs:11 (deadlock::main::{{closure}})"), "{text}");
    assert!(text.contains("deadlock.rs:15 (deadlock::main)"), "{text}");
}

#[test]
fn race_of_unsafe_code_is_found() {
    for flags in ["", "--cfg compared"] {
        let compiled = compiled("rust/race.rs", flags);
        let exploration = Exploration { races: Races::Fail, ..Exploration::default() };
        let explored = reduced(&NativeProgram::new(&compiled.executable, Vec::new(), exploration));
        assert_eq!(explored.kinds(), [Kind::Race], "{flags}: {:?}", explored.fault);
        assert!(explored.text().contains("race.rs:"), "{}", explored.text());
        assert!(!explored.text().contains("/rustc/"), "{}", explored.text());
    }
}

#[test]
fn panic_of_main_is_a_finding_with_message_and_place() {
    let compiled = compiled("rust/panics.rs", "");
    let subject = NativeProgram::new(&compiled.executable, Vec::new(), Exploration::default());
    let explored = reduced(&subject);
    let (finding, schedule) = &explored.found[0];
    assert_eq!(finding.kind, Kind::Panic);
    let first = "main panics: index out of bounds: the len is 0 but the index is 3\n";
    assert!(finding.message.starts_with(first), "{}", finding.message);
    let place = finding.location.as_ref().expect("it has one");
    assert!(place.file.ends_with("panics.rs"), "{place}");
    assert_eq!((place.line, &*place.function), (8, "panics::fails"));
    let again = follow(&subject, schedule).expect("it is found again");
    assert!(again.same_defect(finding), "{again:?}");
}

#[test]
fn panic_that_fails_the_program_later_is_the_finding() {
    for (flags, then) in [
        (
            "--cfg unwrapped",
            "\nafter that main panics: called `Result::unwrap()` on an `Err` value: Any { .. }",
        ),
        ("--cfg resumed", "\nafter that main panics without a message"),
        ("--cfg scoped", "\nafter that main panics: a scoped thread panicked"),
        ("--cfg exits", ""),
        ("--cfg detached", ""),
        ("-Cpanic=abort --cfg joined", ""),
    ] {
        let text = fails("panics", flags, Kind::Panic);
        assert!(text.starts_with("thread 1 panics: index out of bounds"), "{flags}: {text}");
        assert!(text.contains(then), "{flags}: {text}");
    }
}

#[test]
fn panic_that_somebody_has_seen_is_a_warning() {
    for flags in ["--cfg joined", "--cfg poisoned"] {
        let (explored, warnings) = explored("panics", flags);
        assert!(explored.all && explored.found.is_empty(), "{flags}: {explored:?}");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("thread 1 panics: index out of bounds"), "{warnings:?}");
    }
}

#[test]
fn panic_that_the_program_catches_is_its_own_affair() {
    is_clean("panics", "--cfg caught", 1);
    is_clean("panics", "--cfg often", 1);
}

#[test]
fn panic_without_words_is_a_finding() {
    let text = fails("panics", "--cfg any", Kind::Panic);
    assert!(text.starts_with("main panics without a message\n    at "), "{text}");
}

#[test]
fn panic_during_a_panic_is_one_finding() {
    let text = fails("panics", "--cfg twice", Kind::Panic);
    assert!(text.starts_with("main panics: index out of bounds"), "{text}");
    assert!(text.contains("after that main panics: in a destructor"), "{text}");
}

#[test]
fn deadlock_tells_of_the_panic_before_it() {
    let text = fails("panics", "--cfg waited_for", Kind::Deadlock);
    assert!(text.contains("before that thread 1 panics: index out of bounds"), "{text}");
}

#[test]
fn other_ends_are_what_they_are_in_c() {
    let text = fails("ends", "--cfg aborts", Kind::Crash);
    assert!(text.contains("aborts the program"), "{text}");
    let text = fails("ends", "--cfg overflows", Kind::Crash);
    assert!(text.contains("overflows its stack"), "{text}");
    is_clean("ends", "--cfg sleeps", 1);
}

#[test]
fn unsupported_operation_is_refused_at_its_line() {
    for (flags, what, line) in [
        ("--cfg reads", "read from standard input", 23),
        ("--cfg runs", "posix_spawnp", 25),
        ("--cfg assembly", "inline assembly", 12),
    ] {
        let (explored, _) = explored("ends", flags);
        match explored.fault {
            Some(Fault::Unsupported { what: told, location: Some(place) }) => {
                assert!(told.contains(what), "{told}");
                assert!(place.file.ends_with("ends.rs") && place.line == line, "{flags}: {place}");
            }
            other => panic!("{flags}: {other:?}"),
        }
    }
}

#[test]
fn flags_that_leave_code_uninstrumented_are_refused() {
    for flags in
        [vec!["-Clto"], vec!["-C", "lto=fat"], vec!["--extern", "x=libx.rlib"], vec!["-Cprefer-dynamic"]]
    {
        let flags: Vec<String> = flags.into_iter().map(String::from).collect();
        let compiled = compile(&[source("rust/mutex.rs")], &flags, &Toolchain::default());
        assert!(matches!(compiled, Err(CompileError::Unsupported { .. })), "{flags:?}");
    }
}

/// A compiler that is the usual one, but for where it says that its libraries are.
fn compiler_elsewhere(directory: &std::path::Path) -> Toolchain {
    let script = directory.join("rustc");
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *'--print sysroot'*) echo '{}' ;; *) exec rustc \"$@\" ;; esac\n",
        directory.display()
    );
    std::fs::write(&script, text).expect("it can be written");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it is ours");
    Toolchain { rustc: script.display().to_string(), ..Toolchain::default() }
}

#[test]
fn toolchain_without_linker_or_bitcode_is_refused() {
    let directory = tempfile::tempdir().expect("there is room");
    let toolchain = compiler_elsewhere(directory.path());
    let refusal = || match compile(&[source("rust/mutex.rs")], &[], &toolchain) {
        Err(CompileError::Unsupported { what }) => what,
        other => panic!("{other:?}"),
    };
    assert!(refusal().contains("rust-lld"), "{}", refusal());
    let below = directory.path().join("lib/rustlib/x86_64-unknown-linux-gnu");
    for part in ["bin", "lib"] {
        std::fs::create_dir_all(below.join(part)).expect("there is room");
    }
    std::fs::write(below.join("bin/rust-lld"), "").expect("there is room");
    assert!(refusal().contains("there is no libstd-*.rlib"), "{}", refusal());
    std::fs::write(below.join("lib/libstd-1.rlib"), "!<arch>\n").expect("there is room");
    assert!(refusal().contains("has no bitcode in it"), "{}", refusal());
}
