//! The reporter must never be what crashes: arbitrary results and traces, however little sense they make.

use proptest::prelude::*;
use sojourner_program::{Elapsed, Garbage, Identity, Kind, Location, Rule};
use sojourner_report::{
    Found, Member, SearchMemory, SearchName, Stats, StoreUse, Style, Summary, Verdict, json, text, trace_text,
};
use sojourner_trace::{Event, Finding, Move, Origin, Runs, Search, Thread, Timeout, Trace, Waiting};
use unicode_width::UnicodeWidthChar;

/// Words, or whatever a program may call its threads.
fn words() -> impl Strategy<Value = String> {
    let strange = prop::collection::vec(
        prop_oneof![
            any::<char>(),
            prop::sample::select(vec!['\n', '\t', '\x1b', '\r', ' ', '\u{202e}', '哲', '\u{301}'])
        ],
        0..40,
    );
    prop_oneof!["[a-z ]{0,60}", strange.prop_map(String::from_iter)]
}

fn location() -> impl Strategy<Value = Option<Location>> {
    let place = (words(), any::<u32>(), words());
    prop::option::of(place.prop_map(|(file, line, function)| Location { file, line, function }))
}

fn runs() -> impl Strategy<Value = Runs> {
    let step = (prop_oneof![0u32..4, any::<u32>()], prop::option::of(0..u32::MAX), 1usize..30);
    prop::collection::vec(step, 0..30).prop_map(|steps| {
        let mut runs = Runs::new();
        for (thread, value, times) in steps {
            for _ in 0..times {
                runs.push(Move { thread, value }).expect("it is short");
            }
        }
        runs
    })
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::ALL.to_vec())
}

prop_compose! {
    fn timeout()(
        how in prop::sample::select(Elapsed::ALL.to_vec()),
        operation in words(),
        location in location(),
        overtakes in prop::collection::vec(any::<u32>(), 0..5),
        withheld_by in prop::option::of(prop::sample::select(Rule::ALL.to_vec())),
    ) -> Timeout {
        Timeout { how, operation, location, overtakes, withheld_by }
    }
}

prop_compose! {
    /// A trace that need not pass `Trace::check`.
    fn trace()(
        target in words(),
        arguments in prop::collection::vec(words(), 0..3),
        name in words(),
        seed in any::<u64>(),
        (kind, message, type_name) in (kind(), words(), prop::option::of(words())),
        (thread, location) in (prop::option::of(any::<u32>()), location()),
        threads in prop::collection::vec((words(), prop::collection::vec(any::<u32>(), 0..3)), 0..9),
        schedule in runs(),
        events in prop::collection::vec((any::<u32>(), words(), location(), prop::option::of(timeout())), 0..50),
        end in words(),
        waiting in prop::collection::vec((0u32..9, words()), 0..4),
        original in prop::option::of(runs()),
    ) -> Trace {
        Trace {
            program: Origin { target, arguments, ..Origin::default() },
            version: String::new(),
            search: Search { name, seed },
            finding: Finding { kind, message, type_name, thread, location },
            threads: threads.into_iter().map(|(name, path)| Thread { identity: Identity(path), name }).collect(),
            schedule,
            events: events
                .into_iter()
                .map(|(thread, words, location, timeout)| Event { thread, words, location, timeout })
                .collect(),
            end,
            waiting: waiting.into_iter().map(|(thread, words)| Waiting { thread, words }).collect(),
            original,
            other: None,
        }
    }
}

prop_compose! {
    fn found()(
        kind in kind(),
        message in words(),
        type_name in prop::option::of(words()),
        thread in prop::option::of(words()),
        location in location(),
        file in prop::option::of(words()),
        trace in prop::option::of(trace()),
    ) -> Found {
        Found { kind, message, type_name, thread, location, preemptions: None, trace_file: file.map(Into::into), trace }
    }
}

prop_compose! {
    fn stats()(n in any::<[u64; 7]>(), seconds in any::<f64>(), cpu_seconds in any::<f64>()) -> Stats {
        Stats {
            states: n[0],
            transitions: n[1],
            executions: n[2],
            blocked_executions: n[3],
            await_blocked_executions: n[4],
            max_depth: n[5],
            restarts: n[4],
            seconds,
            cpu_seconds,
            peak_memory_bytes: n[6],
            memory: SearchMemory { store: n[0], queue: n[1], pools: n[2] },
            garbage: Some(Garbage { objects: n[3], runs: Some(n[4]) }),
        }
    }
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(vec![Verdict::Clean, Verdict::Found, Verdict::Incomplete, Verdict::Unsupported])
}

fn member() -> impl Strategy<Value = Member> {
    (words(), any::<[u64; 4]>(), words()).prop_map(
        |(name, [seed, states, transitions, executions], ended)| Member {
            name,
            seed,
            states,
            transitions,
            executions,
            ended,
        },
    )
}

fn store() -> impl Strategy<Value = StoreUse> {
    let pools = prop::collection::vec((words(), any::<u64>(), any::<u64>()), 0..3);
    (words(), any::<[u64; 2]>(), words(), pools).prop_map(|(name, [states, bytes], note, pools)| StoreUse {
        name,
        states,
        bytes,
        note,
        pools,
    })
}

prop_compose! {
    fn summary()(
        target in words(),
        arguments in prop::collection::vec(words(), 0..3),
        verdict in verdict(),
        reasons in prop::collection::vec(words(), 0..3),
        findings in prop::collection::vec(found(), 0..3),
        warnings in prop::collection::vec(words(), 0..3),
        caveats in prop::collection::vec(words(), 0..3),
        (name, seed, winner) in (words(), any::<u64>(), prop::option::of(0usize..5)),
        members in prop::collection::vec(member(), 0..4),
        stats in stats(),
        store in prop::option::of(store()),
    ) -> Summary {
        Summary {
            command: "sojourner".into(),
            target, arguments, verdict, reasons, findings, warnings, caveats,
            search: SearchName { name, seed, winner, repeat: Vec::new() },
            members, stats, store,
        }
    }
}

/// No trailing spaces, and nothing that would rewrite a terminal.
fn is_tidy(text: &str) -> Result<(), TestCaseError> {
    prop_assert!(text.ends_with('\n'));
    for line in text.lines() {
        prop_assert_eq!(line, line.trim_end());
        prop_assert!(
            !line.contains(|c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)),
            "{:?}",
            line
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_summary_can_be_reported(summary in summary(), width in prop_oneof![0usize..120, any::<usize>()]) {
        is_tidy(&text(&summary, Style { color: false, width }))?;
        text(&summary, Style { color: true, width });
        let result: serde_json::Value = serde_json::from_str(&json(&summary)).expect("the result is JSON");
        prop_assert_eq!(&result["verdict"], summary.verdict.name());
    }

    #[test]
    fn any_trace_can_be_reported(trace in trace(), width in prop_oneof![0usize..120, any::<usize>()]) {
        let text = trace_text(&trace, Style { color: false, width });
        is_tidy(&text)?;
        for line in text.lines() {
            let columns: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
            prop_assert!(columns <= width.max(40), "{} columns: {}", columns, line);
        }
        trace_text(&trace, Style { color: true, width });
    }
}
