//! The options of a check as tables, and how they are read.

use crate::options::{Livelocks, Options, Search, Shorten};
use crate::preemptions::Preemptions;
use crate::target_place::TargetPlace;
use sojourner_distance::Measure;
use sojourner_frontend::{Bytes, Given, Opt, Otherwise, Time, Value, read};
use sojourner_search::{Backtracking, Heuristic, OrderKind, Winner};
use sojourner_store::StoreKind;

/// The options of a check, by the headings of help.
pub static OPTIONS: [(&str, &[Opt]); 3] =
    [("Search", SEARCH), ("Bounds and budgets", BOUNDS), ("Findings", FINDINGS)];

static SEARCH: &[Opt] = &[
    Opt {
        names: &Search::NAMES,
        ..Opt::value("--search", Value::of::<Search>("NAME[:OPTIONS]"), "Choose the search.")
    }
    .otherwise(Otherwise::Is("auto")),
    Opt::named::<OrderKind>(
        "--order",
        Otherwise::Is("as-given"),
        "Choose in which order the choices of a state are taken. For --search auto, dfs, bfs and best-first.",
    ),
    Opt {
        names: &Heuristic::NAMES,
        ..Opt::value(
            "--heuristic",
            Value::of::<Heuristic>("NAME[:OPTIONS]"),
            "Choose what --search best-first and --order heuristic go by: which states come first.",
        )
    }
    .otherwise(Otherwise::Says("fewest-runnable; e-fca with --target")),
    Opt::value(
        "--target",
        Value::of::<TargetPlace>("PLACE"),
        "Choose where the heuristics fsm, efsm and e-fca lead: FILE:LINE, CLASS.METHOD, the name of a function, assertions, or a \
         trace (.json), for the place of its finding. It may be given more than once; the nearest place counts.",
    )
    .repeated()
    .otherwise(Otherwise::Says("everything that the program throws, its assertions, aborts and panics")),
    Opt {
        names: &sojourner_search::BACKTRACK,
        ..Opt::value("--backtrack", Value::of::<Backtracking>("HOW"), "Turn back early at random, with --search dfs.")
    }
    .otherwise(Otherwise::Says("never; what HOW leaves out is as in threshold=50,strategy=random,ratio=0.9")),
    Opt::value(
        "--swarm",
        Value::positive(),
        "Run N copies of the search side by side, each with its own seed. The first finding ends all of them.",
    ),
    Opt::named::<Winner>(
        "--winner",
        Otherwise::Is("time"),
        "Choose which search counts, with --swarm or --backtrack portfolio. The result says how to run that search alone.",
    ),
    Opt::value(
        "--seed",
        Value::number::<u64>(),
        "Start random numbers from this seed. Equal seeds give equal searches with --jobs 1.",
    )
    .otherwise(Otherwise::Is("0")),
    Opt {
        names: &StoreKind::NAMES,
        ..Opt::value(
            "--store",
            Value::of::<StoreKind>("NAME"),
            "Choose what is remembered of each state. C, C++ and Rust programs take only none, or compact with --search dfs, \
             bfs or best-first and --jobs 1 or --swarm.",
        )
    }
    .otherwise(Otherwise::Says("compact; none for C, C++ and Rust programs")),
    Opt { short: Some('j'), ..Opt::value("--jobs", Value::positive(), "Search on N threads.") }
        .otherwise(Otherwise::Says("all cores")),
    Opt::value(
        "--soft-limit",
        Value::positive(),
        "With --search dpor on several threads: give work away only while more than N branches wait on a thread's path.",
    )
    .otherwise(Otherwise::Is("1")),
];

static BOUNDS: &[Opt] = &[
    Opt::value(
        "--preemptions",
        Value::of::<Preemptions>("N|A..B"),
        "Explore only schedules with at most N preemptions. With A..B, rounds follow each other with A, A+1 and so on up to B, \
         until one decides or cuts nothing; A.. has no last round.",
    )
    .otherwise(Otherwise::Says("no bound")),
    Opt::value("--depth", Value::number::<u32>(), "Explore only schedules of at most N steps.").otherwise(Otherwise::Says(
        "10000 for dpor; 200000 for the exhaustive search of auto if it is dpor; for walk, pct, pos and surw twice the longest \
         execution seen, or 10000; no bound for the others",
    )),
    Opt::value(
        "--time",
        Value::of::<Time>("TIME"),
        "Stop after this time, as in 90s, 5m or 2h. It starts with the search, after compiling.",
    )
    .otherwise(Otherwise::Says("no bound")),
    Opt::value(
        "--memory",
        Value::of::<Bytes>("SIZE"),
        "Stop when sojourner and the processes that run the program use this much memory, as in 512M or 4G.",
    )
    .otherwise(Otherwise::Says("three quarters of the memory of the machine, or of the container")),
    Opt::value("--states", Value::number::<u64>(), "Stop after N states.").otherwise(Otherwise::Says("no bound")),
    Opt::value("--executions", Value::number::<u64>(), "Stop after N executions. For --search dpor, walk, pct, pos and surw.")
        .otherwise(Otherwise::Says("1000 for walk, pct, pos and surw if neither --time nor --states is given; no bound for dpor")),
];

static FINDINGS: &[Opt] = &[
    Opt::flag("--all", "Go on after a finding, and report one of each defect."),
    Opt {
        value: Value::Optional { name: "WHICH", read: read::<Livelocks>, missing: "all" },
        ..Opt::named::<Livelocks>(
            "--livelock",
            Otherwise::Is("hangs"),
            "Choose which executions that never end are findings. The option without a value means all.",
        )
    },
    Opt::value(
        "--shorten",
        Value::of::<Shorten>("TIME|N"),
        "Spend this on short schedules for findings: a time, as in 10s or 500ms; a number of states for each search; or 0, to \
         show schedules as they were found.",
    )
    .otherwise(Otherwise::Says("as long as the search took, and at least 200ms")),
];

impl Options {
    /// The options that a user has given, and defaults for the others.
    pub fn of(given: &Given) -> Options {
        let default = Options::default();
        Options {
            search: given.get("--search").unwrap_or(default.search),
            order: given.get("--order").unwrap_or(default.order),
            heuristic: given.get("--heuristic").unwrap_or(match given.has("--target") {
                true => Heuristic::Way(Measure::EFca),
                false => default.heuristic,
            }),
            destinations: given
                .texts("--target")
                .filter_map(|text| text.parse().ok())
                .map(|TargetPlace(place)| place)
                .collect(),
            backtrack: given.get("--backtrack"),
            swarm: given.get("--swarm"),
            winner: given.get("--winner").unwrap_or(default.winner),
            seed: given.get("--seed").unwrap_or(default.seed),
            store: given.get("--store"),
            jobs: given.get("--jobs"),
            soft_limit: given.get("--soft-limit").unwrap_or(default.soft_limit),
            all: given.has("--all"),
            livelocks: given.get("--livelock").unwrap_or(default.livelocks),
            preemptions: given.get("--preemptions"),
            depth: given.get("--depth"),
            time: given.get("--time").map(|Time(time)| time),
            memory: given.get("--memory").map(|Bytes(bytes)| bytes),
            states: given.get("--states"),
            executions: given.get("--executions"),
            shorten: given.get("--shorten").unwrap_or(default.shorten),
            traces: default.traces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searches::SAMPLES;
    use sojourner_search::{Backtrack, REDUCED_DEPTH, SAMPLE_DEPTH, Shape, Threshold};
    use std::time::Duration;

    fn read(line: &str) -> Options {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let (given, others) = Given::read(OPTIONS.iter().map(|(_, table)| table), &words).unwrap();
        assert!(others.is_empty());
        Options::of(&given)
    }

    fn stated(flag: &str) -> &'static str {
        let opt = OPTIONS.iter().flat_map(|(_, table)| table.iter()).find(|opt| opt.flag == flag).unwrap();
        match opt.otherwise {
            Otherwise::Is(text) | Otherwise::Says(text) => text,
            Otherwise::Nothing => "",
        }
    }

    #[test]
    fn texts_name_all_searches_that_sample() {
        let sampling = sojourner_names::all(&Shape::names_of(Shape::samples));
        for flag in ["--depth", "--executions"] {
            assert!(stated(flag).contains(&sampling), "the default of {flag} should name {sampling}");
        }
        let stateless = sojourner_names::all(&Shape::names_of(Shape::stateless));
        let executions = BOUNDS.iter().find(|opt| opt.flag == "--executions").unwrap();
        assert!(executions.help.contains(&stateless), "{}", executions.help);
    }

    #[test]
    fn every_option_is_read() {
        let options = read(
            "--search bfs:bound=9 --order random --heuristic switches --backtrack threshold=5 --swarm 3 --winner states --seed 7 --store exact \
             --jobs 2 --soft-limit 4 --preemptions 1 --depth 11 --time 90s --memory 1G --states 12 --executions 13 --all \
             --livelock=off --shorten 500ms --target Main.java:3 --target Main.run",
        );
        assert_eq!(options.search, Search::One(Shape::BreadthFirst(Some(9))));
        assert_eq!((options.order, options.heuristic), (OrderKind::Random, Heuristic::Switches));
        assert_eq!(options.backtrack.map(|how| how.all()[0].threshold), Some(Threshold::At(5)));
        assert_eq!(options.winner, Winner::States);
        assert_eq!((options.swarm, options.seed, options.jobs, options.soft_limit), (Some(3), 7, Some(2), 4));
        assert_eq!((options.store, options.all), (Some(StoreKind::Exact), true));
        assert_eq!((options.preemptions, options.depth), (Some(Preemptions::at_most(1)), Some(11)));
        assert_eq!((options.time, options.memory), (Some(Duration::from_secs(90)), Some(1 << 30)));
        assert_eq!((options.states, options.executions), (Some(12), Some(13)));
        assert_eq!(
            options.destinations.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["Main.java:3", "Main.run"]
        );
        assert_eq!(options.livelocks, Livelocks::Off);
        assert_eq!(options.shorten, Shorten::Time(Duration::from_millis(500)));
        assert_eq!(read("--livelock").livelocks, Livelocks::All);
    }

    #[test]
    fn nothing_given_is_the_default() {
        assert_eq!(format!("{:?}", read("")), format!("{:?}", Options::default()));
    }

    #[test]
    fn stated_defaults_are_the_real_ones() {
        let default = Options::default();
        assert_eq!(stated("--search"), default.search.to_string());
        assert_eq!(stated("--order"), default.order.to_string());
        assert!(stated("--heuristic").starts_with(&format!("{};", default.heuristic)));
        assert!(stated("--heuristic").contains(&read("--target A.f").heuristic.to_string()));
        assert_eq!(stated("--seed"), default.seed.to_string());
        assert_eq!(stated("--soft-limit"), default.soft_limit.to_string());
        assert_eq!(stated("--winner"), default.winner.to_string());
        assert_eq!(stated("--livelock"), default.livelocks.to_string());
        assert!(stated("--backtrack").ends_with(&Backtrack::default().to_string()));
        assert!(stated("--store").starts_with(StoreKind::default().name()));
        assert!(stated("--depth").starts_with(&format!("{SAMPLE_DEPTH} for dpor; {REDUCED_DEPTH} for")));
        assert!(stated("--depth").contains(&format!("longest execution seen, or {SAMPLE_DEPTH}")));
        assert!(stated("--executions").starts_with(&SAMPLES.to_string()));
    }
}
