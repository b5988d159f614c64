//! The options of a check as they can be typed: how one search of several is run alone.

use crate::options::{Options, Shorten};
use sojourner_frontend::Bytes;
use sojourner_search::{Backtracking, OrderKind, Settings, Winner};

/// The options with which a search of a swarm does the same alone. By states, a data race ends the search, as it does only in a swarm.
pub fn of_search(options: &Options, settings: &Settings) -> Vec<String> {
    let by_states = options.winner == Winner::States;
    words(&Options {
        swarm: by_states.then_some(1),
        order: settings.strategy.order,
        backtrack: settings.strategy.backtrack.map(Backtracking::One),
        seed: settings.seed,
        jobs: Some(1),
        time: None,
        ..options.clone()
    })
}

/// The options that differ from the defaults.
fn words(options: &Options) -> Vec<String> {
    let default = Options::default();
    let mut words = Vec::new();
    let mut add = |flag: &str, value: String| words.extend([flag.to_string(), value]);
    add("--search", options.search.to_string());
    if options.order != OrderKind::AsGiven {
        add("--order", options.order.to_string());
    }
    if options.heuristic != default.heuristic {
        add("--heuristic", options.heuristic.to_string());
    }
    options.destinations.iter().for_each(|target| add("--target", target.to_string()));
    let named: [(&str, Option<String>); 10] = [
        ("--backtrack", options.backtrack.map(|how| how.to_string())),
        ("--swarm", options.swarm.map(|n| n.to_string())),
        ("--seed", Some(options.seed.to_string())),
        ("--store", options.store.map(|store| store.to_string())),
        ("--jobs", options.jobs.map(|n| n.to_string())),
        ("--preemptions", options.preemptions.map(|n| n.to_string())),
        ("--depth", options.depth.map(|n| n.to_string())),
        ("--memory", options.memory.map(|bytes| Bytes(bytes).to_string())),
        ("--states", options.states.map(|n| n.to_string())),
        ("--executions", options.executions.map(|n| n.to_string())),
    ];
    named.into_iter().for_each(|(flag, value)| value.into_iter().for_each(|value| add(flag, value)));
    if options.winner != default.winner {
        add("--winner", options.winner.to_string());
    }
    if options.livelocks != default.livelocks {
        words.push(format!("--livelock={}", options.livelocks));
    }
    if options.all {
        words.push("--all".into());
    }
    if options.shorten != Shorten::AsLongAsTheSearch {
        words.extend(["--shorten".into(), options.shorten.to_string()]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::OPTIONS;
    use sojourner_frontend::Given;

    #[test]
    fn words_read_as_the_options_that_they_were_made_of() {
        for line in [
            "--search dfs --seed 7",
            "--search best-first:ties=random,bound=9 --heuristic efsm:2 --target Main.java:3 --target Main.run --seed 1",
            "--search dfs --order random --backtrack threshold=5,strategy=luby,ratio=1-d/20 --swarm 1 --seed 0 --store \
             bitstate:bytes=1048576,hashes=2 --jobs 1 --preemptions 1..3 --depth 11 --memory 1G --states 12 --winner states \
             --livelock=off --all --shorten 0",
            "--search pct:depth=4 --seed 18446744073709551615 --executions 13",
        ] {
            let read = |words: &[String]| {
                let (given, others) = Given::read(OPTIONS.iter().map(|(_, table)| table), words).unwrap();
                assert!(others.is_empty());
                Options::of(&given)
            };
            let typed: Vec<String> = line.split_whitespace().map(String::from).collect();
            let again = words(&read(&typed));
            assert_eq!(format!("{:?}", read(&typed)), format!("{:?}", read(&again)), "{again:?}");
        }
    }
}
