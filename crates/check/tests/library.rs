//! A check as a user of the library runs it: no command, no printing, no global state.

use sojourner_check::{
    Check, CheckError, End, Halt, Label, Livelocks, Observer, Options, Replay, Saved, Shorten, Summary, Tick,
    Traces, Verdict,
};
use sojourner_frontend::{FrontEnds, Given, OpenError, Opt, Request, Target, Visit};
use sojourner_java::front_end::Java;
use sojourner_models::Models;
use sojourner_program::Kind;
use sojourner_store::StoreKind;
use sojourner_trace::Trace;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

const FRONT_ENDS: (Models, Java) = (Models, Java);

fn by(search: &str) -> Options {
    Options::default().search(search.parse().unwrap()).jobs(1)
}

/// Checks a model with those arguments.
fn check(options: Options, target: &str, arguments: &str) -> Summary {
    watched(options, target, arguments, &())
}

fn watched(options: Options, target: &str, arguments: &str, observer: &dyn Observer) -> Summary {
    let arguments: Vec<String> = arguments.split_whitespace().map(String::from).collect();
    let given = Given::none();
    let request = Request { arguments: &arguments, ..Request::new(target, &given) };
    Check::new(options).unwrap().open(&FRONT_ENDS, &request, observer, &Halt::new()).unwrap()
}

#[test]
fn deadlock_is_found_shortened_and_traced() {
    // Bounded by states, so that a busy machine shortens as much as an idle one.
    let options = Options { shorten: Shorten::States(100_000), ..by("dfs") };
    let result = check(options, "model:phil", "n=4 fair=false");
    assert_eq!(result.verdict, Verdict::Found);
    let [finding] = &result.findings[..] else { panic!("{:?}", result.findings) };
    let trace = finding.trace.as_ref().unwrap();
    assert_eq!((finding.kind, trace.events.len()), (Kind::Deadlock, 4));
    assert!(trace.original.is_some(), "the schedule of a depth-first search is longer");
    assert_eq!(
        (&*trace.program.target, &trace.program.arguments[..]),
        ("model:phil", &["n=4".into(), "fair=false".into()][..])
    );
    assert_eq!(finding.trace_file, None);
}

#[test]
fn proof_counts_all_states_with_every_store() {
    let states: Vec<u64> = [StoreKind::Compact, StoreKind::Collapse, StoreKind::Exact]
        .into_iter()
        .map(|store| {
            let result = check(by("bfs").store(store), "model:phil", "n=4");
            assert_eq!((result.verdict, &result.reasons[..]), (Verdict::Clean, &[][..]));
            result.stats.states
        })
        .collect();
    assert!(states[0] > 0 && states.iter().all(|n| *n == states[0]), "{states:?}");
}

#[test]
fn default_is_a_portfolio() {
    let result = check(Options::default(), "model:phil", "n=3 fair=false");
    assert_eq!(result.verdict, Verdict::Found);
    assert!(result.search.name.starts_with("auto ("), "{}", result.search.name);
}

#[test]
fn same_seed_gives_same_result_on_one_thread() {
    let run = || {
        let options = Options { shorten: Shorten::Not, ..by("pos").seed(7) };
        let result = check(options, "model:phil", "n=4 fair=false");
        let trace = result.findings[0].trace.clone().unwrap();
        (result.stats.transitions, trace.token().to_string())
    };
    assert_eq!(run(), run());
}

#[test]
fn all_findings_are_reported_when_asked_for() {
    let first = check(by("dfs"), "model:phil", "n=4 fair=false");
    let all = check(by("dfs").all(), "model:phil", "n=4 fair=false");
    assert_eq!((first.findings.len(), all.findings.len()), (1, 1), "it has one defect");
    assert!(all.stats.states > first.stats.states, "the search goes on");
}

#[test]
fn schedules_stay_as_found_when_shortening_is_off() {
    let options = Options { shorten: Shorten::Not, ..by("dfs") };
    let result = check(options, "model:phil", "n=4 fair=false");
    assert_eq!(result.findings[0].trace.as_ref().unwrap().original, None);
}

#[test]
fn traces_are_saved_where_asked_and_replay() {
    let directory = tempfile::tempdir().unwrap();
    let stem = directory.path().join("phil").to_str().unwrap().to_string();
    let result = check(by("bfs").traces(Traces::Named(stem)), "model:phil", "n=3 fair=false");
    let file = result.findings[0].trace_file.clone().unwrap();
    assert_eq!(file, directory.path().join("phil-deadlock.trace.json"));

    let trace = Trace::load(&file).unwrap();
    let (given, more) = Given::read(&FRONT_ENDS.options(), &trace.program.options).unwrap();
    let origin = trace.program.clone();
    let replay = Replay { saved: Saved::Trace(Box::new(trace)), origin, original: false, other: false };
    let request = Request {
        more: &more,
        arguments: &replay.origin.arguments,
        ..Request::new(&replay.origin.target, &given)
    };
    let replayed = FRONT_ENDS.open(&request, Follow(&replay)).unwrap();
    assert_eq!(replayed.verdict(), Verdict::Found);
    assert!(matches!(replayed.end, End::Found { same: true, steps: 3, of: 3, .. }));
}

struct Follow<'a>(&'a Replay);

impl Visit for Follow<'_> {
    type Out = sojourner_check::Replayed;

    fn visit<T: Target>(self, target: &T) -> Self::Out {
        self.0.run(target).unwrap()
    }
}

#[test]
fn halted_check_says_so() {
    let halt = Halt::new();
    halt.interrupt();
    let given = Given::none();
    let check = Check::new(by("bfs")).unwrap();
    let result = check.open(&FRONT_ENDS, &Request::new("model:phil", &given), &(), &halt).unwrap();
    assert_eq!(result.verdict, Verdict::Incomplete);
    assert_eq!(result.reasons, ["interrupted"]);
}

#[test]
fn two_checks_run_side_by_side_and_halt_on_their_own() {
    let (halted, running) = (Halt::new(), Halt::new());
    halted.interrupt();
    let run = |halt: &Halt<'_>| {
        let given = Given::none();
        let arguments = ["counters=4,values=9".to_string()];
        let request = Request { arguments: &arguments, ..Request::new("model:grid", &given) };
        Check::new(by("bfs")).unwrap().open(&FRONT_ENDS, &request, &(), halt).unwrap().verdict
    };
    std::thread::scope(|scope| {
        let one = scope.spawn(|| run(&halted));
        let other = scope.spawn(|| run(&running));
        assert_eq!(one.join().unwrap(), Verdict::Incomplete);
        assert_eq!(other.join().unwrap(), Verdict::Clean);
    });
}

#[derive(Default)]
struct Witness {
    ticks: AtomicUsize,
    concluded: Mutex<Vec<(Verdict, usize, bool)>>,
}

impl Observer for Witness {
    fn tick(&self, _: &Tick) {
        self.ticks.fetch_add(1, Relaxed);
    }

    fn concluded(&self, summary: &Summary) {
        let traced = summary.findings.iter().any(|finding| finding.trace.is_some());
        self.concluded.lock().unwrap().push((summary.verdict, summary.findings.len(), traced));
    }
}

#[test]
fn observer_hears_the_verdict_before_there_are_traces() {
    let witness = Witness::default();
    let result = watched(by("dfs"), "model:phil", "n=4 fair=false", &witness);
    assert!(result.findings[0].trace.is_some());
    assert_eq!(*witness.concluded.lock().unwrap(), [(Verdict::Found, 1, false)]);
}

#[test]
fn observer_hears_how_a_long_search_stands() {
    let witness = Witness::default();
    let result = watched(by("bfs").time(Duration::from_secs(1)), "model:phil", "n=16", &witness);
    assert_eq!(result.verdict, Verdict::Incomplete);
    assert!(witness.ticks.load(Relaxed) > 0);
}

#[test]
fn livelocks_are_reported_as_asked() {
    let endless = |livelocks| {
        let result = check(Options { livelocks, ..by("dfs") }, "model:peterson", "n=2");
        (result.verdict, result.caveats.join(" "))
    };
    let (_, caveats) = endless(Livelocks::Off);
    assert!(caveats.contains("--livelock off"), "{caveats}");
}

#[test]
fn options_that_do_not_go_together_are_refused_before_anything_is_opened() {
    let refused = |options| match Check::new(options) {
        Err(error) => error,
        Ok(_) => panic!("they were accepted"),
    };
    assert!(matches!(
        refused(Options { swarm: Some(2), ..Options::default() }),
        CheckError::NeedsSearch("--swarm")
    ));
    assert!(matches!(refused(Options { executions: Some(2), ..by("dfs") }), CheckError::Executions));
    assert!(matches!(refused(Options { swarm: Some(2), ..by("dpor") }), CheckError::SwarmOfReduction));
    assert!(matches!(refused(by("dfs").store(StoreKind::BITSTATE).depth(9)), CheckError::Settings(_)));
}

#[test]
fn programs_that_cannot_be_opened_are_refused() {
    let given = Given::none();
    let open = |target: &str| {
        let check = Check::new(Options::default()).unwrap();
        check.open(&FRONT_ENDS, &Request::new(target, &given), &(), &Halt::new()).unwrap_err()
    };
    assert!(matches!(open("phil.py"), CheckError::Open(OpenError::UnknownTarget { .. })));
    assert!(matches!(open("model:fill"), CheckError::Open(OpenError::Refused { .. })));
}

#[test]
fn options_of_other_programs_are_refused() {
    let words = ["--gc".to_string(), "none".to_string()];
    let (given, _) = Given::read(&FRONT_ENDS.options(), &words).unwrap();
    let check = Check::new(Options::default()).unwrap();
    let request = Request::new("model:phil", &given);
    let error = check.open(&FRONT_ENDS, &request, &(), &Halt::new()).unwrap_err();
    assert_eq!(error.to_string(), "--gc is for Java programs; 'model:phil' is a model");
}

#[test]
fn no_option_is_in_two_tables() {
    let of_check = sojourner_check::OPTIONS.iter().flat_map(|(_, table)| table.iter());
    let of_programs = FRONT_ENDS.options().into_iter().flatten();
    let mut flags: Vec<&str> = of_check.chain(of_programs).map(|opt: &Opt| opt.flag).collect();
    flags.sort_unstable();
    let all = flags.len();
    flags.dedup();
    assert_eq!(flags.len(), all);
}

#[test]
fn label_names_program_in_result() {
    let result = Check::new(by("bfs"))
        .unwrap()
        .run(
            &sojourner_model::Checked::new(sojourner_models::Grid { counters: 2, values: 3 }),
            &Label::new("my grid"),
            &(),
            &Halt::new(),
        )
        .unwrap();
    assert_eq!((&*result.command, &*result.target), ("sojourner", "my grid"));
}
