//! What people see, as snapshots.

mod sample;

use sample::{deadlock, found, java, late, property, summary, swarm, trace};
use sojourner_program::{Elapsed, Kind, Location, Rule};
use sojourner_report::{Style, Verdict, text, trace_text};
use sojourner_trace::{Timeout, Trace};

const PLAIN: Style = Style { color: false, width: 100 };

#[test]
fn clean() {
    let mut summary = summary(Verdict::Clean);
    summary.caveats = vec!["memory is sequentially consistent: weak memory is not covered".into()];
    insta::assert_snapshot!(text(&summary, PLAIN));
}

#[test]
fn found_a_deadlock() {
    let mut summary = swarm(summary(Verdict::Found));
    summary.findings = vec![found(deadlock(), "phil.trace.json")];
    insta::assert_snapshot!(text(&summary, PLAIN));
}

#[test]
fn found_a_deadlock_in_colour() {
    let mut summary = summary(Verdict::Found);
    summary.findings = vec![found(deadlock(), "phil.trace.json")];
    let coloured = text(&summary, Style { color: true, width: 100 });
    insta::assert_snapshot!(coloured.replace('\x1b', "ESC"));
}

#[test]
fn found_two_things() {
    let mut summary = summary(Verdict::Found);
    summary.target = "model:peterson".into();
    summary.arguments.clear();
    summary.findings = vec![found(property(), "out dir/it's.json"), found(deadlock(), "2.json")];
    summary.warnings = vec!["the finding was reached twice".into()];
    insta::assert_snapshot!(text(&summary, PLAIN));
}

#[test]
fn incomplete() {
    let mut summary = summary(Verdict::Incomplete);
    summary.reasons = vec![
        "the time of 60 s was up".into(),
        "schedules deeper than 1000 steps were cut off (depth bound)".into(),
    ];
    insta::assert_snapshot!(text(&summary, PLAIN));
}

#[test]
fn unsupported() {
    let mut summary = summary(Verdict::Unsupported);
    summary.target = "Main.java".into();
    summary.arguments.clear();
    summary.reasons = vec!["java.net.Socket.connect at Main.java:31 (fetch)".into()];
    summary.store = None;
    summary.stats.states = 0;
    summary.stats.blocked_executions = 40;
    insta::assert_snapshot!(text(&summary, PLAIN));
}

#[test]
fn a_store_with_pools() {
    let mut summary = summary(Verdict::Clean);
    let store = summary.store.as_mut().unwrap();
    store.name = "collapse".into();
    store.note.clear();
    store.pools = vec![("threads".into(), 120, 4_800), ("forks".into(), 64, 1_024)];
    insta::assert_snapshot!(text(&summary, PLAIN));
}

/// What is said of the time-outs of a trace.
fn of_timeouts(trace: &Trace) -> String {
    let text = trace_text(trace, Style { color: false, width: 200 });
    let lines = text.lines().skip_while(|line| !line.starts_with("  time-out"));
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_time_out_that_another_rule_holds_back() {
    insta::assert_snapshot!(trace_text(&late(), PLAIN));
}

#[test]
fn time_outs_of_all_kinds() {
    let mut trace = late();
    let first = trace.events[2].timeout.clone().unwrap();
    let poll =
        Timeout { how: Elapsed::Poll, operation: "clock".into(), overtakes: vec![1, 2], ..first.clone() };
    let sleep = Timeout { how: Elapsed::Sleep, operation: "Thread.sleep".into(), ..first };
    trace.events[0].timeout = Some(Timeout { withheld_by: Some(Rule::Last), ..poll.clone() });
    trace.events[1].timeout = Some(poll);
    trace.events[3].timeout = Some(Timeout { location: None, withheld_by: Some(Rule::Last), ..sleep });
    insta::assert_snapshot!(of_timeouts(&trace));
}

#[test]
fn the_rule_in_force_is_not_advised() {
    let mut trace = late();
    let timeout = trace.events[2].timeout.as_mut().unwrap();
    (timeout.withheld_by, timeout.overtakes) = (None, Vec::new());
    let text = of_timeouts(&trace);
    assert!(text.contains("when no other thread could get on, at Queue.java:31"), "{text}");
    assert!(!text.contains("--timeouts"), "{text}");
}

#[test]
fn a_schedule_without_time_outs_says_nothing_of_them() {
    assert_eq!(of_timeouts(&property()), "");
}

#[test]
fn a_property_with_places() {
    insta::assert_snapshot!(trace_text(&property(), PLAIN));
}

#[test]
fn narrow_columns_break_their_words() {
    insta::assert_snapshot!(trace_text(&property(), Style { width: 60, ..PLAIN }));
}

#[test]
fn a_terminal_too_narrow_for_columns_gets_a_list() {
    let mut trace = deadlock();
    trace.events[1].words = "takes fork 1, which lies between it and the next philosopher".into();
    trace.events[1].location = Some(Location { file: "phil.rs".into(), line: 9, function: "take".into() });
    insta::assert_snapshot!(trace_text(&trace, Style { width: 40, ..PLAIN }));
}

#[test]
fn many_threads_are_listed() {
    let names: Vec<String> = (0..9).map(|i| format!("worker {i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let steps: Vec<(u32, &str)> = (0..9).map(|i| (i, "takes a number")).collect();
    insta::assert_snapshot!(trace_text(
        &trace(Kind::Assertion, "number 9 was given twice", &names, &steps),
        PLAIN
    ));
}

#[test]
fn a_long_trace_shows_its_head_and_its_tail() {
    let mut long = trace(Kind::Livelock, "threads move for ever", &["spin", "other"], &[]);
    long.schedule = "0*12345 1:3*2 0*70".parse().unwrap();
    let mut summary = summary(Verdict::Found);
    summary.findings = vec![found(long, "long.json")];
    insta::assert_snapshot!(text(&summary, PLAIN));
}

#[test]
fn names_of_any_script_line_up_and_controls_are_escaped() {
    let names = ["哲学者一", "φιλόσοφος", "e\u{301}mile", "\x1b[31mred\u{202e}\n"];
    let steps = [(0, "フォークを取る"), (1, "takes\tfork"), (2, "prend la fourchette"), (3, "beeps \x07")];
    insta::assert_snapshot!(trace_text(
        &trace(Kind::Race, "二つの書き込み\nare unordered", &names, &steps),
        PLAIN
    ));
}

#[test]
fn a_first_state_that_fails_has_no_steps() {
    insta::assert_snapshot!(trace_text(&trace(Kind::Property, "initially: x is 1", &[], &[]), PLAIN));
}

#[test]
fn equal_searches_of_a_swarm_have_one_star() {
    let mut summary = swarm(summary(Verdict::Found));
    for member in &mut summary.members {
        member.name = "dfs in random order".into();
    }
    let stars: Vec<String> =
        text(&summary, PLAIN).lines().filter(|line| line.starts_with('*')).map(String::from).collect();
    assert!(stars.len() == 1 && stars[0].contains("34,000"), "{stars:?}");
}

#[test]
fn a_swarm_on_a_narrow_terminal_leaves_out_columns() {
    let mut summary = swarm(summary(Verdict::Incomplete));
    summary.members[0].name = "dfs in random order with backtracking threshold=50".into();
    summary.members[2] = Default::default();
    insta::assert_snapshot!(text(&summary, Style { width: 60, ..PLAIN }));
}

#[test]
fn a_java_program_in_columns() {
    let mut summary = summary(Verdict::Found);
    summary.target = "Bank.java".into();
    summary.arguments.clear();
    summary.findings = vec![found(java(), "Bank-assertion.trace.json")];
    insta::assert_snapshot!(text(&summary, Style { width: 120, ..PLAIN }));
}

#[test]
fn a_replay_shows_more_than_a_summary() {
    let text = trace_text(&java(), PLAIN);
    assert!((1..=80).all(|n| text.contains(&format!(" deposit {n}\n"))), "{text}");
    assert!(text.contains("  program   Bank.java --races off\n"), "{text}");
}

#[test]
fn functions_are_given_up_before_columns_and_columns_before_lines() {
    let steps = |width| {
        let text = trace_text(&java(), Style { width, ..PLAIN });
        let steps =
            text.lines().skip_while(|line| !line.contains("step")).take_while(|line| !line.is_empty());
        steps.collect::<Vec<_>>().join("\n")
    };
    let all: Vec<String> = [130, 100, 80, 60].map(steps).into();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn warnings_and_restarts_of_a_java_program() {
    let mut summary = summary(Verdict::Clean);
    summary.target = "Bank.java".into();
    summary.arguments.clear();
    summary.stats.restarts = 2;
    summary.warnings = vec!["data race on Account.balance (Bank.java:8)".into()];
    summary.caveats = vec!["time-outs are assumed to expire only when nothing else can happen".into()];
    insta::assert_snapshot!(text(&summary, PLAIN));
}
