//! Every sort of defect is found, and its repaired twin is clean.

mod common;

use common::{brute, brute_of, compiled, follow};
use sojourner_native::{Exploration, Leaks, NativeProgram, Races, Signal};
use sojourner_program::{Fault, Kind, Load};
use std::time::Duration;

/// More executions than any of the small programs has.
const ALL: u64 = 400_000;

#[track_caller]
fn clean(name: &str, flags: &str) {
    let explored = brute_of(name, flags, ALL);
    assert_eq!(explored.kinds(), [], "{name} {flags}: {}", explored.text());
    assert!(explored.fault.is_none(), "{name} {flags}: {:?}", explored.fault);
    assert!(explored.all, "{name} {flags}: more than {ALL} executions");
}

#[track_caller]
fn found(name: &str, flags: &str, kind: Kind, words: &str) {
    let explored = brute_of(name, flags, ALL);
    assert!(explored.fault.is_none(), "{name} {flags}: {:?}", explored.fault);
    assert_eq!(explored.kinds(), [kind], "{name} {flags}: {explored:?}");
    assert!(explored.text().contains(words), "{name} {flags}: {}", explored.text());
}

#[test]
fn additions_get_lost_without_a_lock() {
    found("/counter.c", "-DTHREADS=2 -DROUNDS=1 -DBROKEN", Kind::Assertion, "counter == THREADS * ROUNDS");
    clean("/counter.c", "-DTHREADS=2 -DROUNDS=1");
}

#[test]
fn philosophers_who_all_take_the_left_fork_first_starve() {
    found(
        "/philosophers.c",
        "-DN=2 -DBROKEN",
        Kind::Deadlock,
        "thread 1 holds the mutex forks[0] (taken at ../../examples/c/philosophers.c:19 (dine)) and waits for the mutex \
         forks[1], which thread 2 holds",
    );
    clean("/philosophers.c", "-DN=2");
}

#[test]
fn a_balance_that_is_looked_at_before_the_lock_is_stale() {
    found("/account.c", "-DBROKEN", Kind::Assertion, "balance == 120");
    clean("/account.c", "");
}

#[test]
fn the_wrong_lock_protects_nothing() {
    found("/wronglock.c", "-DBROKEN", Kind::Assertion, "data == before + 1");
    clean("/wronglock.c", "");
}

#[test]
fn read_between_two_writes_sees_one_of_them() {
    found("/reorder.c", "-DBROKEN", Kind::Assertion, "(a == 0 && b == 0) || (a == 1 && b == -1)");
    clean("/reorder.c", "");
    found("/twostage.c", "-DBROKEN", Kind::Assertion, "one == 0 || two == one + 1");
    clean("/twostage.c", "");
}

#[test]
fn a_stack_without_locks_and_its_classic_defect() {
    found("/treiber.c", "-DBROKEN", Kind::Assertion, "atomic_fetch_add(&node->owners, 1) == 0");
    clean("/treiber.c", "");
}

#[test]
fn a_ring_without_locks_announces_what_is_there() {
    found("/circular_buffer.c", "-DBROKEN -DITEMS=1", Kind::Assertion, "buffer[at % PLACES] == i");
    clean("/circular_buffer.c", "-DITEMS=1");
}

#[test]
fn tokens_pass_in_order_if_somebody_waits() {
    found("/token_ring.c", "-DBROKEN", Kind::Assertion, "token[0] == 2");
    clean("/token_ring.c", "");
}

#[test]
fn a_length_is_stale_when_the_lock_was_given_back() {
    found("/string_buffer.c", "-DBROKEN", Kind::Assertion, "wanted <= length");
    clean("/string_buffer.c", "");
}

#[test]
fn a_queue_of_work_is_done_once() {
    found("/work_stealing.c", "-DBROKEN", Kind::Assertion, "atomic_fetch_add(&done[item], 1) == 0");
    clean("/work_stealing.c", "");
}

#[test]
fn a_reader_looks_again_at_the_sequence() {
    found("/seqlock.c", "-DREADERS=1 -DBROKEN", Kind::Assertion, "a == -b");
    clean("/seqlock.c", "-DREADERS=1");
}

#[test]
fn one_of_four_executions_can_be_the_only_bad_one() {
    found("/lost_trace.c", "-DBROKEN", Kind::Assertion, "first == 1 || second == 0");
    clean("/lost_trace.c", "");
}

#[test]
fn a_customer_that_is_announced_before_it_sits_is_missed() {
    found("/barbershop.c", "-DCUSTOMERS=1 -DBROKEN", Kind::Assertion, "waiting > 0");
}

#[test]
fn a_barber_who_looks_and_then_falls_asleep_misses_a_customer() {
    found(
        "/barber.c",
        "-DCUSTOMERS=1 -DBROKEN",
        Kind::Deadlock,
        "waits to be woken from the condition variable somebody_came",
    );
    clean("/barber.c", "-DCUSTOMERS=1");
}

#[test]
fn groups_that_count_under_one_lock_stop_each_other() {
    found("/carter.c", "-DBROKEN", Kind::Deadlock, "waits for the mutex counting[0], which thread 2 holds");
}

#[test]
fn a_cache_looks_again_before_it_writes() {
    found("/cache.cpp", "-std=c++17 -DBROKEN", Kind::Assertion, "computed == 1");
    clean("/cache.cpp", "-std=c++17");
}

#[test]
fn a_semaphore_orders_only_who_waits_for_it() {
    found("semaphore.c", "-DBROKEN", Kind::Assertion, "x == 1");
    clean("semaphore.c", "");
}

#[test]
fn two_readers_may_both_be_inside() {
    found("rwlock.c", "-DBROKEN", Kind::Assertion, "x == y");
    clean("rwlock.c", "");
}

#[test]
fn a_barrier_holds_threads_back() {
    found("barrier.c", "-DBROKEN", Kind::Assertion, "");
    clean("barrier.c", "");
}

#[test]
fn a_loop_that_waits_is_blocked_until_what_it_looks_at_changes() {
    clean("spin.c", "");
    found("spin.c", "-DBROKEN", Kind::Hang, "main looks again and again at flag");
    clean("spinlock.c", "");
    clean("polling.c", "");
    found("polling.c", "-DBROKEN", Kind::Hang, "");
}

#[test]
fn a_thread_that_goes_round_alone_does_so_for_ever() {
    for flags in ["", "-DSEEN"] {
        found("rounds.c", flags, Kind::Hang, "thread 1 goes round");
        let program = compiled("rounds.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = common::reduced(&subject);
        assert_eq!(explored.kinds(), [Kind::Hang], "{flags}: {explored:?}");
        let (finding, schedule) = &explored.found[0];
        let again = follow(&subject, schedule);
        assert!(again.as_ref().is_some_and(|again| again.same_defect(finding)), "{flags}: {again:?}");
    }
    // It goes on when the program ends, and that is no defect.
    clean("rounds.c", "-DLEAVES");
    let program = compiled("rounds.c", "-DLEAVES");
    let exploration = Exploration { exit: true, ..Exploration::default() };
    let explored = common::reduced(&NativeProgram::new(&program.executable, Vec::new(), exploration));
    assert_eq!(explored.kinds(), [Kind::Exit], "{explored:?}");
    assert!(explored.text().contains("status 3"), "{}", explored.text());
}

#[test]
fn a_loop_that_counts_is_none_that_waits() {
    found("bounded_spin.c", "", Kind::Assertion, "seen == 1");
}

#[test]
fn memory_that_was_freed_is_not_to_be_used() {
    found("freed_meanwhile.c", "-DBROKEN", Kind::Memory, "uses a block that has been freed");
    clean("freed_meanwhile.c", "");
    found("dead_stack.c", "-DBROKEN", Kind::Memory, "touches the stack of a thread that has ended");
    found("dead_stack.c", "-DRETURNS", Kind::Memory, "touches a variable of a function that has returned");
    found(
        "dead_stack.c",
        "-DRETURNS -DALONE",
        Kind::Memory,
        "touches a variable of a function that has returned",
    );
    clean("dead_stack.c", "");
    for case in 1..=5 {
        let flags = format!("-DCASE={case}");
        match case {
            1 | 2 => {
                found(
                    "main_gone.c",
                    &flags,
                    Kind::Memory,
                    "touches a variable of a function that has returned",
                );
            }
            _ => clean("main_gone.c", &flags),
        }
    }
    found("use_after_free.c", "-DBROKEN", Kind::Memory, "uses a block that has been freed");
    clean("use_after_free.c", "");
    found("double_free.c", "-DBROKEN", Kind::Memory, "frees a block that has been freed");
    clean("double_free.c", "");
    found("out_of_bounds.c", "", Kind::Memory, "behind the end of a block");
}

#[test]
fn allocation_and_release_stacks_are_reported() {
    let explored = brute_of("use_after_free.c", "-DBROKEN", ALL);
    for part in ["had freed it\n    at ", "had allocated it\n    at ", "of a block of "] {
        assert!(explored.text().contains(part), "{part}: {}", explored.text());
    }
}

#[test]
fn unreachable_unfreed_block_is_a_leak() {
    for (case, words) in [
        (1, "a block of 100 bytes is never freed"),
        (2, "a block of 72 bytes is never freed"),
        (3, "a block of 24 bytes is never freed"),
        (4, "a block of 48 bytes is never freed"),
    ] {
        let program = compiled("leak.c", &format!("-DCASE={case}"));
        let explored =
            brute(&NativeProgram::new(&program.executable, Vec::new(), Exploration::default()), ALL);
        assert_eq!(explored.kinds(), [], "{case}: {}", explored.text());
        assert!(
            explored.warnings.iter().any(|text| text.starts_with(words)),
            "{case}: {:?}",
            explored.warnings
        );
        let exploration = Exploration { leaks: Leaks::Fail, ..Exploration::default() };
        let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), exploration), ALL);
        assert_eq!(explored.kinds(), [Kind::Memory], "{case}");
        assert!(explored.text().starts_with(words), "{case}: {}", explored.text());
        assert!(explored.text().contains("had allocated it\n    at "), "{case}: {}", explored.text());
        let exploration = Exploration { leaks: Leaks::Off, ..Exploration::default() };
        let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), exploration), ALL);
        assert!(explored.kinds().is_empty() && explored.warnings.is_empty(), "{case}: {explored:?}");
    }
    let explored = brute_of("leak.c", "-DCASE=0", ALL);
    assert!(explored.all && explored.kinds().is_empty(), "{explored:?}");
    assert!(!explored.warnings.iter().any(|text| text.contains("freed")), "{:?}", explored.warnings);
}

#[test]
fn crashes_are_findings() {
    found("null_pointer.c", "", Kind::Crash, "main crashes with SIGSEGV by a null pointer");
    found("stack_overflow.c", "", Kind::Crash, "main overflows its stack");
    found("division.c", "", Kind::Crash, "main crashes with SIGFPE by a division");
}

#[test]
fn a_program_that_ends_its_process_is_survived() {
    let explored = brute_of("killed.c", "", 100);
    assert_eq!(explored.kinds(), [Kind::Crash], "{explored:?}");
    assert!(explored.text().contains("it was killed by "), "{}", explored.text());
}

#[test]
fn rules_of_the_thread_library_are_watched() {
    for (case, words) in [
        (1, "unlocks a mutex that another thread has locked: lock"),
        (2, "destroys a locked mutex"),
        (3, "joins a thread that has been joined"),
        (4, "waits on a condition variable without holding the mutex"),
        (5, "locks a mutex that has been destroyed"),
        (6, "unlocks a read-write lock that is not locked: shared"),
        (7, "joins a thread that has been detached"),
        (8, "waits on a condition variable with another mutex than who waits already"),
    ] {
        found("misuse.c", &format!("-DCASE={case}"), Kind::Misuse, words);
    }
}

#[test]
fn a_wait_with_a_time_out_has_two_outcomes() {
    found("timed_wait.c", "-DBROKEN", Kind::Assertion, "result == 0");
    clean("timed_wait.c", "");
}

#[test]
fn a_signal_before_the_wait_is_lost() {
    found(
        "lost_signal.c",
        "",
        Kind::Deadlock,
        "thread 1 waits to be woken from the condition variable condition",
    );
}

#[test]
fn a_signal_wakes_any_waiter_unless_the_first_is_asked_for() {
    let program = compiled("waiters.c", "");
    for (signal, expected) in [(Signal::Any, vec![Kind::Assertion]), (Signal::Fifo, vec![])] {
        let exploration = Exploration { signal, ..Exploration::default() };
        let subject = NativeProgram::new(&program.executable, Vec::new(), exploration);
        let found = common::sample(&subject, sojourner_search::Shape::Walk, 20_000, 3);
        assert_eq!(found.kinds(), expected, "{signal:?}: {}", found.text());
    }
}

#[test]
fn threads_of_c11_are_threads() {
    clean("c11.c", "");
}

#[test]
fn exit_handlers_interleave_with_living_threads() {
    found("main_returns.c", "-DBROKEN", Kind::Assertion, "!closed");
    clean("main_returns.c", "");
}

#[test]
fn signals_that_are_blocked_everywhere_can_be_waited_for() {
    clean("signals.c", "-DCASE=1");
    clean("signals.c", "-DCASE=2");
    found("signals.c", "-DCASE=3", Kind::Deadlock, "main waits for thread 1 to end");
    match brute_of("signals.c", "-DCASE=4", ALL).fault {
        Some(Fault::Unsupported { what, .. }) => assert_eq!(what, "pthread_kill"),
        other => panic!("{other:?}"),
    }
    // Whoever waits for it has it, if nobody else is sent one.
    clean("signals.c", "-DCASE=5");
    clean("signals.c", "-DCASE=7");
    match brute_of("signals.c", "-DCASE=6", ALL).fault {
        Some(Fault::Unsupported { what, .. }) => assert_eq!(what, "signals to the process, and to threads"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn mutexes_have_kinds() {
    clean("recursive.c", "");
}

#[test]
fn races_are_told_of_or_are_findings() {
    let program = compiled("race.c", "");
    let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), Exploration::default()), ALL);
    assert_eq!(explored.kinds(), []);
    assert!(explored.warnings.iter().any(|text| text.starts_with("a data race on counter")), "{explored:?}");
    let exploration = Exploration { races: Races::Fail, ..Exploration::default() };
    let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), exploration), ALL);
    assert_eq!(explored.kinds(), [Kind::Race]);
    assert!(explored.text().contains("race.c:11 (add)"), "{}", explored.text());
    let calls = explored.text().matches("(work)").count();
    assert_eq!(calls, 2, "the stacks of both accesses: {}", explored.text());
    let program = compiled("race.c", "-DATOMIC");
    let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), Exploration::default()), ALL);
    assert!(explored.warnings.is_empty(), "{:?}", explored.warnings);
}

#[test]
fn whatever_orders_two_accesses_keeps_them_from_racing() {
    for case in 1..=16 {
        for broken in [false, true] {
            let flags = format!("-DCASE={case} {}", if broken { "-DBROKEN" } else { "" });
            let program = compiled("ordered.c", &flags);
            let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
            let explored = brute(&subject, ALL);
            assert!(explored.all && explored.fault.is_none(), "{flags}: {:?}", explored.fault);
            let races: Vec<&String> =
                explored.warnings.iter().filter(|text| text.starts_with("a data race on data")).collect();
            assert_eq!(!races.is_empty(), broken, "{flags}: {:?}", explored.warnings);
        }
    }
}

#[test]
fn the_order_of_memory_decides_what_races() {
    assert!(!brute_of("publish.c", "", ALL).warnings.is_empty());
    let explored = brute_of("publish.c", "-DORDER", ALL);
    assert!(explored.warnings.is_empty(), "{:?}", explored.warnings);
}

#[test]
fn atomic_operation_joins_the_release_sequence() {
    let explored = brute_of("refcount.c", "", ALL);
    assert!(explored.warnings.is_empty(), "{:?}", explored.warnings);
    assert!(!brute_of("refcount.c", "-DRELAXED", ALL).warnings.is_empty());
}

#[test]
fn unsupported_function_is_refused_by_name() {
    const EPOLL: &str = "epoll (to wake a thread, have it read from an eventfd, or poll that one, or use a condition variable)";
    let cases = [
        (1, "fork", 17),
        (2, "pthread_cancel", 21),
        (3, "socket", 23),
        (4, "read from standard input", 25),
        (5, "getchar", 27),
        (6, "reading standard input", 29),
        (7, EPOLL, 31),
        (8, "aio_read", 34),
        (9, "semop", 37),
    ];
    for (case, name, line) in cases {
        match brute_of("refused.c", &format!("-DCASE={case}"), ALL).fault {
            Some(Fault::Unsupported { what, location: Some(location) }) => {
                assert_eq!((what.as_str(), location.line), (name, line), "{case}");
            }
            other => panic!("{case}: {other:?}"),
        }
    }
}

#[test]
fn instructions_in_assembly_are_steps_or_refused() {
    for (flags, kinds) in [("", vec![]), ("-DBROKEN", vec![Kind::Assertion])] {
        for optimised in ["", "-O2"] {
            let program = compiled("assembly.c", &format!("{flags} {optimised}"));
            let exploration = Exploration { races: Races::Fail, ..Exploration::default() };
            let explored = common::reduced(&NativeProgram::new(&program.executable, Vec::new(), exploration));
            assert!(explored.fault.is_none(), "{flags} {optimised}: {:?}", explored.fault);
            assert_eq!(explored.kinds(), kinds, "{flags} {optimised}: {}", explored.text());
            assert!(explored.all || !kinds.is_empty(), "{flags} {optimised}");
        }
    }
    match brute_of("assembly.c", "-DREFUSED", ALL).fault {
        Some(Fault::Unsupported { what, location: Some(location) }) => {
            assert!(what.starts_with("inline assembly"), "{what}");
            assert_eq!(location.line, 21);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn waiting_loops_of_any_length_are_recognised() {
    for case in 1..=3 {
        let program = compiled("waiting.c", &format!("-DCASE={case}"));
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = common::reduced(&subject);
        assert_eq!(explored.kinds(), [], "{case}: {}", explored.text());
        assert!(explored.all && explored.fault.is_none(), "{case}: {:?}", explored.fault);
    }
}

#[test]
fn programs_for_verifiers_find_their_functions() {
    for case in 1..=4 {
        for broken in [false, true] {
            let flags = format!("-DCASE={case} {}", if broken { "-DBROKEN" } else { "" });
            let program = compiled("verifier.c", &flags);
            let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
            let explored = common::reduced(&subject);
            let expected = if broken { vec![Kind::Assertion] } else { vec![] };
            assert_eq!(explored.kinds(), expected, "{flags}: {}", explored.text());
            assert!(explored.fault.is_none(), "{flags}: {:?}", explored.fault);
            assert!(explored.all || broken, "{flags}");
        }
    }
    let refused = "__VERIFIER_nondet_pointer";
    match brute_of("verifier.c", "-DCASE=6", ALL).fault {
        Some(Fault::Unsupported { what, .. }) => assert!(what.starts_with(refused), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sampled_values_prove_nothing() {
    for (flags, expected) in [("-DCASE=5", vec![]), ("-DCASE=5 -DBROKEN", vec![Kind::Assertion])] {
        let program = compiled("verifier.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = common::reduced(&subject);
        assert_eq!(explored.kinds(), expected, "{flags}: {}", explored.text());
        assert!(explored.fault.is_none() && subject.leaves_out().is_some(), "{flags}: {:?}", explored.fault);
        assert!(!explored.all || !expected.is_empty(), "{flags}");
    }
}

#[test]
fn operations_inside_cpp_library_are_seen() {
    for case in 1..=6 {
        let program = compiled("library.cpp", &format!("-std=c++20 -DCASE={case}"));
        let exploration = Exploration { races: Races::Fail, ..Exploration::default() };
        let explored = common::reduced(&NativeProgram::new(&program.executable, Vec::new(), exploration));
        assert!(explored.fault.is_none(), "{case}: {:?}", explored.fault);
        match case {
            5 => assert!(explored.text().contains("by std::terminate"), "{}", explored.text()),
            _ => assert!(explored.all && explored.found.is_empty(), "{case}: {}", explored.text()),
        }
    }
}

#[test]
fn endless_thread_creation_is_incomplete() {
    for (flags, kinds) in [("", vec![]), ("-DBROKEN", vec![Kind::Assertion])] {
        let program = compiled("spawning.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = common::reduced(&subject);
        assert!(explored.fault.is_none(), "{flags}: {:?}", explored.fault);
        assert_eq!(explored.kinds(), kinds, "{flags}: {}", explored.text());
        assert!(subject.leaves_out().is_some_and(|what| what.starts_with("threads: ")), "{flags}");
        assert!(!explored.all || !kinds.is_empty(), "{flags}");
    }
}

#[test]
fn copies_that_race_are_seen_halfway() {
    for case in 1..=4 {
        for (flags, kinds) in
            [("", vec![Kind::Assertion]), ("-DREVERSED", vec![Kind::Assertion]), ("-DLOCKED", vec![])]
        {
            let program = compiled("torn.c", &format!("-DCASE={case} {flags}"));
            let subject = || NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
            for explored in [common::reduced(&subject()), brute(&subject(), ALL)] {
                assert!(explored.fault.is_none(), "{case} {flags}: {:?}", explored.fault);
                assert_eq!(explored.kinds(), kinds, "{case} {flags}: {}", explored.text());
            }
        }
    }
}

#[test]
fn loop_that_repeats_its_state_is_a_hang() {
    for flags in ["", "-O2", "-DSHARED", "-DBESIDE", "-DBESIDE -O2"] {
        let explored = brute_of("endless.c", flags, 2);
        assert!(explored.fault.is_none(), "{flags}: {:?}", explored.fault);
        assert_eq!(explored.kinds(), [Kind::Hang], "{flags}: {}", explored.text());
        let (finding, _) = &explored.found[0];
        assert_eq!(finding.location.as_ref().unwrap().function, "main", "{flags}");
    }
}

#[test]
fn long_loop_that_does_not_repeat_is_named_with_its_place() {
    for flags in ["-DCOUNTS", "-DDRAWS"] {
        let program = compiled("endless.c", flags);
        let exploration = Exploration { patience: Duration::from_millis(300), ..Exploration::default() };
        let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), exploration), ALL);
        match explored.fault {
            Some(Fault::TooLong { what, location: Some(location) }) => {
                assert!(what.contains("without a visible operation"), "{flags}: {what}");
                assert_eq!(location.function, "main", "{flags}");
            }
            other => panic!("{flags}: {other:?}"),
        }
    }
}

#[test]
fn nondeterminism_is_refused() {
    match brute_of("nondeterministic.c", "", ALL).fault {
        Some(Fault::Unsupported { what, .. }) => assert!(what.contains("nondeterminism"), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn incomplete_race_detection_is_reported_and_invents_no_race() {
    for (flags, missed) in [
        ("-DTHREADS=100", false),
        ("-DTOGETHER -DTHREADS=2 -DCOUNTERS=1000", false),
        ("-DTOGETHER -DTHREADS=2 -DCOUNTERS=9000", true),
    ] {
        let program = compiled("crowd.c", flags);
        let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
        let explored = brute(&subject, 2);
        assert!(explored.fault.is_none(), "{flags}: {:?}", explored.fault);
        assert_eq!(explored.text(), "", "{flags}");
        assert_eq!(explored.warnings, [""; 0], "{flags}");
        assert_eq!(subject.has_missed_races(), missed, "{flags}");
    }
    let program = compiled("crowd.c", "-DTOGETHER -DTHREADS=100 -DBROKEN");
    let explored = brute(&NativeProgram::new(&program.executable, Vec::new(), Exploration::default()), 2);
    assert!(
        explored.warnings.iter().any(|text| text.contains("data race on last")),
        "{:?}",
        explored.warnings
    );
}

/// What a reduction finds in a program of C++ that has too many executions to run them all.
#[track_caller]
fn reduced(name: &str, flags: &str, kinds: &[Kind]) -> NativeProgram {
    let program = compiled(name, &format!("-std=c++17 {flags}"));
    let subject = NativeProgram::new(&program.executable, Vec::new(), Exploration::default());
    let explored = common::reduced(&subject);
    assert!(explored.fault.is_none() && subject.warnings().is_empty(), "{name} {flags}: {explored:?}");
    assert_eq!(explored.kinds(), kinds, "{name} {flags}: {explored:?}");
    subject
}

#[test]
fn locks_that_are_taken_together_are_had_or_not() {
    assert!(!reduced("several_locks.cpp", "", &[]).has_hidden_attempts());
    assert!(reduced("several_locks.cpp", "-DTRIES", &[]).has_hidden_attempts());
    reduced("several_locks.cpp", "-DBROKEN", &[Kind::Deadlock]);
}

#[test]
fn an_exception_may_leave_what_is_run_once() {
    reduced("thrown_once.cpp", "", &[]);
    reduced("thrown_once.cpp", "-DBROKEN", &[Kind::Exception]);
}

#[test]
fn a_spin_lock_has_four_bytes() {
    clean("spin_lock.c", "");
    found("spin_lock.c", "-DBROKEN", Kind::Assertion, "sum == 2");
}

#[test]
fn attributes_keep_what_is_put_into_them() {
    clean("attributes.c", "");
}

#[test]
fn a_thread_handles_the_signals_that_it_sends_itself() {
    clean("handled.c", "");
    found("handled.c", "-DBROKEN", Kind::Assertion, "sum == 4");
}

#[test]
fn once_initialised_data_is_visible_to_callers() {
    clean("made_once.c", "");
    found("made_once.c", "-DBROKEN", Kind::Assertion, "early == 0");
}

#[test]
fn early_futex_wake_is_lost() {
    clean("futex.c", "");
    found("futex.c", "-DBROKEN", Kind::Deadlock, "waits to be woken from the futex");
    clean("futex_again.c", "");
    found("futex_again.c", "-DBROKEN", Kind::Assertion, "woken < CALLS");
}
