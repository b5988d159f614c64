//! Trace files: what is written can be read, and what cannot be read is refused in words that help.

use proptest::prelude::*;
use sojourner_program::{Choice, Elapsed, Finding, Identity, Kind, Location, Rule, ThreadId, Threads};
use sojourner_trace::{Event, Flaw, Move, Origin, Search, Timeout, Trace, TraceError, TraceThreads, Waiting};

/// Two philosophers, each with a fork.
fn deadlock() -> Trace {
    let threads = Threads::new(1);
    let [left, right] = [0, 1].map(|nth| threads.child(Some(ThreadId(0)), nth));
    let mut trace_threads = TraceThreads::new(&threads, |thread| format!("phil {}", thread.0));
    let schedule =
        trace_threads.runs(&[Choice::run(left), Choice::run(left), Choice::pick(right, 2)]).unwrap();
    let mut finding = Finding::new(Kind::Deadlock, "no thread can move");
    finding.thread = Some(right);
    finding.location = Some(Location { file: "phil.rs".into(), line: 12, function: "take".into() });
    let finding = trace_threads.finding(&finding);
    let event = |thread, words: &str| Event { thread, words: words.into(), location: None, timeout: None };
    Trace {
        program: Origin {
            options: vec!["--classpath".into(), "a:b".into()],
            learned: vec!["shared Account.balance".into()],
            target: "model:phil".into(),
            arguments: vec!["n=2".into()],
            hash: Some("c0ffee".into()),
        },
        version: "0.1.0".into(),
        search: Search { name: "dfs".into(), seed: u64::MAX },
        finding,
        threads: trace_threads.into_threads(),
        events: vec![event(0, "sits down"), event(0, "takes fork 0"), event(1, "takes fork 1")],
        end: "forks: taken".into(),
        waiting: vec![
            Waiting { thread: 0, words: "fork 1".into() },
            Waiting { thread: 1, words: "fork 0".into() },
        ],
        original: Some("0 1 0*7".parse().unwrap()),
        other: None,
        schedule,
    }
}

fn written(trace: &Trace) -> String {
    let mut bytes = Vec::new();
    trace.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn read(text: &str) -> Result<Trace, TraceError> {
    Trace::read(&mut text.as_bytes())
}

#[test]
fn a_saved_trace_loads_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    deadlock().save(&path).unwrap();
    assert_eq!(Trace::load(&path).unwrap(), deadlock());
}

#[test]
fn the_file_has_the_fields_of_its_schema() {
    let json: serde_json::Value = serde_json::from_str(&written(&deadlock())).unwrap();
    assert_eq!(json["schema"], "sojourner/trace/1");
    assert_eq!(json["program"]["target"], "model:phil");
    assert_eq!(json["search"]["seed"], u64::MAX);
    assert_eq!(json["finding"]["kind"], "deadlock");
    assert_eq!(json["finding"]["location"]["line"], 12);
    assert_eq!(json["threads"][1]["identity"], "0.1");
    assert_eq!(json["schedule"], "0*2 1:2");
    assert_eq!(json["events"][1]["words"], "takes fork 0");
    assert_eq!(json["waiting"][0]["words"], "fork 1");
    assert_eq!(json["original"], "0 1 0*7");
}

#[test]
fn a_later_run_follows_the_schedule_though_its_numbers_differ() {
    let later = Threads::new(4);
    let choices = deadlock().choices(&later).unwrap();
    let of = |nth| later.number(&Identity(vec![0, nth])).unwrap();
    assert_eq!(choices, [Choice::run(of(0)), Choice::run(of(0)), Choice::pick(of(1), 2)]);
    assert_eq!(of(0), ThreadId(4), "the identity was not known before");
}

#[test]
fn time_outs_are_kept_and_need_not_be_there() {
    let mut trace = deadlock();
    assert!(!written(&trace).contains("timeout"), "traces without time-outs are as they were");
    for withheld_by in [None, Some(Rule::Patient)] {
        trace.events[1].timeout = Some(Timeout {
            how: Elapsed::Wait,
            operation: "Object.wait".into(),
            location: trace.finding.location.clone(),
            overtakes: vec![1],
            withheld_by,
        });
        assert_eq!(read(&written(&trace)).unwrap(), trace);
    }
    trace.events[1].timeout.as_mut().unwrap().overtakes = vec![2];
    assert_eq!(trace.check(), Err(Flaw::Thread { place: "timeout", thread: 2, threads: 2 }));
}

#[test]
fn unknown_fields_are_ignored() {
    let text = written(&deadlock()).replacen('{', "{ \"added\": [{}, null], ", 1);
    assert_eq!(read(&text).unwrap(), deadlock());
}

#[test]
fn foreign_files_are_told_apart_from_damaged_ones() {
    for foreign in
        ["", "hello", "[]", "{}", "{\"schema\": 1}", "\u{7f}ELF", "{\"schema\": \"sojourner/result/1\"}"]
    {
        assert!(matches!(read(foreign), Err(TraceError::Foreign { .. })), "{foreign}");
    }
    let text = written(&deadlock());
    let error = read(&text[..text.len() / 2]).unwrap_err();
    assert!(matches!(error, TraceError::Corrupt { line: 2.., .. }), "{error}");
    assert!(error.to_string().contains("restore the file"), "{error}");
}

#[test]
fn a_newer_version_is_named() {
    let error = read(&written(&deadlock()).replace("trace/1", "trace/2")).unwrap_err().to_string();
    assert!(error.contains("`sojourner/trace/2`") && error.contains("`sojourner/trace/1`"), "{error}");
}

#[test]
fn inconsistent_trace_is_refused_by_reader_and_writer() {
    type Change = fn(&mut Trace);
    let changes: [(Change, &str); 8] = [
        (
            |trace| trace.schedule = "0*2 2".parse().unwrap(),
            "step 2 of `schedule` is of thread 2, and `threads` lists 2",
        ),
        (|trace| trace.original = Some("7".parse().unwrap()), "step 0 of `original`"),
        (|trace| trace.finding.thread = Some(2), "`finding` names thread 2"),
        (|trace| trace.waiting[1].thread = u32::MAX, "`waiting` names thread 4294967295"),
        (|trace| trace.events[2].thread = 0, "event 2 is of thread 0"),
        (|trace| trace.schedule = "0*2".parse().unwrap(), "3 events for 2 steps"),
        (|trace| trace.threads[0].identity.0.clear(), "thread 0 has no identity"),
        (|trace| trace.threads.clear(), "`threads` lists 0"),
    ];
    for (change, words) in changes {
        let mut trace = deadlock();
        change(&mut trace);
        let error = trace.write(&mut Vec::new()).unwrap_err();
        assert!(matches!(error, TraceError::Flawed(_)));
        assert!(error.to_string().contains(words), "{error}");
    }
    let text = written(&deadlock()).replace("0*2 1:2", "0*2 5:2");
    let Err(TraceError::Flawed(flaw)) = read(&text) else { panic!("read") };
    assert_eq!(flaw, Flaw::Step { place: "schedule", step: 2, thread: 5, threads: 2 });
}

#[test]
fn damaged_fields_are_named_with_their_place() {
    let text = written(&deadlock());
    for (field, damaged, words) in [
        ("\"0*2 1:2\"", "\"0*2 1:\"", "choice 1 of the schedule, `1:`"),
        ("\"0*2 1:2\"", "\"0*100000001\"", "more than 100000000 steps"),
        ("\"0*2 1:2\"", "\"0 1:4294967295\"", "choice 1 of the schedule"),
        ("\"0.1\"", "\"0..1\"", "`0..1` is no thread identity"),
        ("\"0.1\"", "\"\"", "`` is no thread identity"),
        ("\"deadlock\"", "\"bug\"", "`bug` is no kind of finding"),
        ("\"line\": 12", "\"line\": -1", "invalid value"),
    ] {
        assert!(text.contains(field));
        let error = read(&text.replace(field, damaged)).unwrap_err();
        assert!(matches!(error, TraceError::Corrupt { line: 2.., .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_opened_or_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing/trace.json");
    let error = Trace::load(&path).unwrap_err();
    assert!(error.to_string().contains("missing/trace.json: cannot be read"), "{error}");
    let error = deadlock().save(&path).unwrap_err();
    assert!(error.to_string().contains("missing/trace.json: cannot be written"), "{error}");
    assert!(matches!(Trace::load(folder.path()), Err(TraceError::Unreadable { .. })));
}

#[test]
fn a_long_run_costs_nothing_until_it_is_followed() {
    let short = Trace { events: vec![], ..deadlock() };
    let mut trace = read(&written(&short).replace("0*2 1:2", "0*99999999 1:2")).unwrap();
    assert_eq!((trace.schedule.len(), trace.schedule.runs().len()), (100_000_000, 2));
    assert_eq!(trace.schedule.iter_from(99_999_998).map(|step| step.thread).collect::<Vec<_>>(), [0, 1]);
    assert!(trace.schedule.push(Move { thread: 0, value: None }).is_err());
    assert_eq!(trace.schedule.len(), 100_000_000);
}

proptest! {
    #[test]
    fn schedules_round_trip_through_traces_and_tokens(
        picks in prop::collection::vec((0usize..5, prop::option::of(0..u32::MAX), 1usize..4), 0..40),
    ) {
        let table = Threads::new(2);
        let child = table.child(Some(ThreadId(1)), 3);
        let threads = [ThreadId(0), ThreadId(1), child, table.child(Some(child), 0), table.child(Some(child), 9)];
        let mut schedule = Vec::new();
        for (thread, value, times) in picks {
            let thread = threads[thread];
            let choice = value.map_or(Choice::run(thread), |value| Choice::pick(thread, value));
            schedule.extend(std::iter::repeat_n(choice, times));
        }
        let mut trace = deadlock();
        let mut trace_threads = TraceThreads::new(&table, |thread| format!("{thread:?}"));
        trace.schedule = trace_threads.runs(&schedule).unwrap();
        trace.threads = trace_threads.into_threads();
        (trace.events, trace.waiting, trace.original, trace.finding.thread) = (vec![], vec![], None, None);
        let back = read(&written(&trace)).unwrap();
        prop_assert_eq!(back.choices(&table).unwrap(), schedule.clone());
        let token: sojourner_trace::Token = back.token().to_string().parse().unwrap();
        prop_assert_eq!(token.choices(&table).unwrap(), schedule.clone());
        prop_assert_eq!(back.schedule.iter().count(), schedule.len());
        let switches = schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
        prop_assert_eq!(back.schedule.context_switches(), switches as u64);
    }
}
