//! Corners of the C library and of the thread library: each with its defect and without, in every execution and with the reduction
//! that leaves out most.

mod common;

use common::{Explored, brute, compiled, reduced};
use sojourner_native::{Exploration, NativeProgram, Races};
use sojourner_program::Kind;

/// More executions than any of the programs has.
const ALL: u64 = 400_000;

#[track_caller]
fn explore(name: &str, flags: &str, races: Races, kinds: &[Kind], words: &str) {
    let program = compiled(name, flags);
    let subject =
        NativeProgram::new(&program.executable, Vec::new(), Exploration { races, ..Exploration::default() });
    for explored in [brute(&subject, ALL), reduced(&subject)] {
        judge(&explored, name, flags, kinds, words);
    }
}

/// The same with the reduction only, for programs with too many executions.
#[track_caller]
fn reduce(name: &str, flags: &str, races: Races, kinds: &[Kind], words: &str) {
    let program = compiled(name, flags);
    let subject =
        NativeProgram::new(&program.executable, Vec::new(), Exploration { races, ..Exploration::default() });
    judge(&reduced(&subject), name, flags, kinds, words);
}

#[track_caller]
fn judge(explored: &Explored, name: &str, flags: &str, kinds: &[Kind], words: &str) {
    assert!(explored.fault.is_none(), "{name} {flags}: {:?}", explored.fault);
    assert_eq!(explored.kinds(), kinds, "{name} {flags}: {}", explored.text());
    assert!(explored.text().contains(words), "{name} {flags}: {}", explored.text());
    assert!(explored.executions > 0, "{name} {flags}: what ends at once is an execution, too");
    assert!(explored.all || !kinds.is_empty(), "{name} {flags}: more than {ALL} executions");
}

#[track_caller]
fn clean(name: &str, flags: &str) {
    explore(name, flags, Races::Warn, &[], "");
}

#[track_caller]
fn found(name: &str, flags: &str, kind: Kind, words: &str) {
    explore(name, flags, Races::Warn, &[kind], words);
}

/// With and without a lock, where data races are findings.
#[track_caller]
fn races(name: &str, flags: &str, words: &str) {
    explore(name, flags, Races::Fail, &[], "");
    explore(name, &format!("{flags} -DBROKEN"), Races::Fail, &[Kind::Race], words);
}

#[test]
fn what_is_printed_into_a_buffer_is_written() {
    found("texts.c", "-DCASE=1 -DBROKEN", Kind::Assertion, "strlen(buffer) == 6");
    clean("texts.c", "-DCASE=1");
    races("texts.c", "-DCASE=1", "a data race on buffer");
}

#[test]
fn strtok_is_for_one_thread() {
    found("texts.c", "-DCASE=2 -DBROKEN", Kind::Assertion, "tokens == 2");
    clean("texts.c", "-DCASE=2");
    races("texts.c", "-DCASE=2", "a data race on strtok_position");
}

#[test]
fn what_a_format_names_is_read() {
    races("texts.c", "-DCASE=3", "a data race on buffer");
}

#[test]
fn what_a_compare_and_exchange_expects_is_read_and_written() {
    races("expected.c", "", "a data race on a variable on the stack of main");
}

#[test]
fn structures_that_are_passed_by_value_are_read_and_written() {
    for case in 1..=6 {
        let place = ["shared", "around", "shared", "around", "a variable", "a variable"][case - 1];
        for flags in ["-DSIZE=16", "-DSIZE=24", "-DSIZE=2000", "-DSIZE=16 -O1", "-DSIZE=40 -O2 -fPIC"] {
            // With optimisation what is on the stack has places that are not known.
            if case < 5 || !flags.contains("-O") {
                let flags = format!("-DCASE={case} {flags}");
                reduce("values.c", &flags, Races::Fail, &[], "");
                let broken = format!("{flags} -DBROKEN");
                reduce("values.c", &broken, Races::Fail, &[Kind::Race], &format!("a data race on {place}"));
            }
        }
    }
}

#[test]
fn wait_for_uninstrumented_library_call_ends() {
    clean("stream_polled.cpp", "-std=c++17");
    found("stream_polled.cpp", "-std=c++17 -DBROKEN", Kind::Hang, "");
}

#[test]
fn a_seed_is_read_and_written() {
    races("texts.c", "-DCASE=4", "a data race on seed");
}

#[test]
fn numbers_that_are_scanned_are_written() {
    races("texts.c", "-DCASE=6", "a data race on shared");
}

#[test]
fn what_is_printed_must_fit_into_its_block() {
    found("texts.c", "-DCASE=5 -DBROKEN", Kind::Memory, "a block of 8 bytes");
    clean("texts.c", "-DCASE=5");
}

#[test]
fn dates_that_the_library_keeps_are_for_one_thread() {
    found("texts.c", "-DCASE=7 -DBROKEN", Kind::Assertion, "second == number");
    races("texts.c", "-DCASE=7", "a data race on localtime_result");
    races("texts.c", "-DCASE=8", "a data race on localtime_result");
    clean("texts.c", "-DCASE=9");
}

#[test]
fn cut_text_and_time_are_written() {
    races("texts.c", "-DCASE=10", "a data race on ");
    races("texts.c", "-DCASE=11", "a data race on now");
}

#[test]
fn the_environment_is_one_for_all_threads() {
    races("texts.c", "-DCASE=12", "a data race on environment");
}

#[test]
fn the_system_can_fill_in_data_of_the_program() {
    clean("filled.c", "");
    races("filled.c", "", "a data race on status");
}

#[test]
fn flags_of_the_program_hide_nothing() {
    races("texts.c", "-DCASE=3 -O2 -D_FORTIFY_SOURCE=2", "a data race on buffer");
    races("texts.c", "-DCASE=3 -flto", "a data race on buffer");
    races("texts.c", "-DCASE=13 -O2", "a data race on buffer");
}

#[test]
fn atomic_objects_may_be_large() {
    found("large.c", "-DBROKEN", Kind::Assertion, "sums.first == 2");
    explore("large.c", "", Races::Fail, &[], "");
}

#[test]
fn functions_within_others_can_be_called_on_any_stack() {
    clean("nested.c", "");
}

#[test]
fn there_is_no_waiting_until_what_is_no_moment() {
    found("moments.c", "-DCASE=1 -DBROKEN", Kind::Hang, "looks again and again");
    clean("moments.c", "-DCASE=1");
    clean("moments.c", "-DCASE=2");
}

#[test]
fn first_reader_gets_the_first_line() {
    found("lines.c", "-DBROKEN", Kind::Assertion, "strncmp(first");
    clean("lines.c", "");
}

#[test]
fn first_descriptor_read_gets_the_first_byte() {
    found("descriptor.c", "-DBROKEN", Kind::Assertion, "bytes[0] == 'T'");
    clean("descriptor.c", "");
}

#[test]
fn strings_of_the_cpp_library_are_for_one_thread() {
    for standard in ["-std=c++17", "-std=c++20"] {
        // Every execution would be too many.
        let explored = |flags: &str| {
            let program = compiled("strings.cpp", &format!("{standard} {flags}"));
            reduced(&NativeProgram::new(&program.executable, Vec::new(), Exploration::default()))
        };
        let broken = explored("-DBROKEN");
        assert_eq!(broken.kinds(), [Kind::Assertion], "{standard}: {broken:?}");
        let sound = explored("");
        assert!(sound.all && sound.found.is_empty() && sound.fault.is_none(), "{standard}: {sound:?}");
    }
}

#[test]
fn bit_fields_of_one_word_overwrite_each_other() {
    found("bits.c", "-DBROKEN", Kind::Assertion, "fields.first == 5 && fields.second == 9");
    clean("bits.c", "");
    races("bits.c", "", "a data race on fields");
}

#[test]
fn initialisers_may_create_threads() {
    found("early_thread.cpp", "-std=c++17 -DBROKEN", Kind::Assertion, "value == 0");
    clean("early_thread.cpp", "-std=c++17");
}

#[test]
fn a_robust_mutex_is_left_to_the_next() {
    found("robust.c", "-DBROKEN", Kind::Assertion, "told == 0");
    clean("robust.c", "");
    clean("robust.c", "-DLOST");
}

#[test]
fn a_lock_that_prefers_writers_keeps_readers_out() {
    found("preference.c", "-DBROKEN", Kind::Deadlock, "waits for the read-write lock lock");
    clean("preference.c", "");
}

#[test]
fn semaphores_with_names_are_one_by_name() {
    found("named.c", "-DBROKEN", Kind::Assertion, "x == 2");
    clean("named.c", "");
}

#[test]
fn end_of_thread_that_ends_program_is_unseen() {
    found("leaves.c", "-DBROKEN", Kind::Assertion, "x == 1");
    clean("leaves.c", "");
}

#[test]
fn program_may_define_functions_named_like_library_functions() {
    clean("own_functions.c", "");
}

#[test]
fn a_thread_that_ends_in_its_functions_leaves_them_one_by_one() {
    for case in 1..=4 {
        clean("leaving.cpp", &format!("-DCASE={case}"));
    }
    found("leaving.cpp", "-DCASE=1 -DBROKEN", Kind::Deadlock, "waits for the mutex mutex");
    found("leaving.cpp", "-DCASE=3 -DBROKEN", Kind::Crash, "aborts the program");
    found("leaving.cpp", "-DCASE=4 -DBROKEN", Kind::Assertion, "objects == 4");
}

#[test]
fn promise_set_at_thread_exit_happens_before_get() {
    for flags in ["-std=c++17", "-std=c++17 -DTASK"] {
        reduce("ready_at_exit.cpp", flags, Races::Fail, &[], "");
        let broken = format!("{flags} -DBROKEN");
        reduce("ready_at_exit.cpp", &broken, Races::Fail, &[Kind::Race], "a data race on ended");
    }
}

#[test]
fn exit_handlers_are_called() {
    for case in 1..=3 {
        found("handlers.c", &format!("-DCASE={case} -DBROKEN"), Kind::Assertion, "!done");
        clean("handlers.c", &format!("-DCASE={case}"));
    }
}

#[test]
fn atomic_objects_of_any_size_are_read_and_written_in_one_step() {
    for size in [3, 40] {
        found("any_size.c", &format!("-DSIZE={size} -DBROKEN"), Kind::Assertion, "== 2");
        clean("any_size.c", &format!("-DSIZE={size}"));
        races("any_size.c", &format!("-DSIZE={size} -DPUBLISH"), "a data race on data");
    }
}

#[test]
fn random_numbers_do_not_depend_on_who_draws_first() {
    for case in 1..=2 {
        clean("numbers.cpp", &format!("-std=c++17 -DCASE={case}"));
    }
}

#[test]
fn clock_polling_reaches_its_deadline() {
    found("deadline.c", "-DBROKEN", Kind::Assertion, "seen");
    clean("deadline.c", "");
}

#[test]
fn links_of_containers_are_followed_and_changed_in_steps() {
    clean("nodes.cpp", "-std=c++17");
    for flags in ["-std=c++17 -DCASE=1", "-std=c++17 -DCASE=2"] {
        clean("containers.cpp", flags);
        let broken = format!("{flags} -DBROKEN");
        reduce("containers.cpp", &broken, Races::Fail, &[Kind::Race], "a data race on container");
    }
    reduce("containers.cpp", "-std=c++17 -DCASE=1 -DBROKEN", Races::Warn, &[Kind::Assertion], "== 2");
}
