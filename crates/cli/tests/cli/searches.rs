//! Every search, order, heuristic, way to turn back and store, by name.

use crate::desk::Desk;
use serde_json::Value;

/// Philosophers of which each takes the left fork first.
const PHIL: &str = "n=4 fair=false";

/// Checks the philosophers with these options, requires the deadlock, and gives the result.
#[track_caller]
fn deadlock(options: &str) -> Value {
    let desk = Desk::new();
    let (ran, result) = desk.result(&format!("model:phil {options} -- {PHIL}"));
    assert_eq!((ran.code, &result["verdict"]), (1, &"found".into()), "{ran:?}");
    assert_eq!(result["findings"][0]["kind"], "deadlock");
    desk.run("replay phil-deadlock.trace.json").code(1);
    result
}

/// Checks that a search finds the deadlock and shows its name in the result.
#[track_caller]
fn named(options: &str, name: &str) {
    assert_eq!(deadlock(options)["search"]["name"], name);
}

#[test]
fn auto_is_the_default() {
    assert_eq!(deadlock("")["search"]["name"], deadlock("--search auto")["search"]["name"]);
}

#[test]
fn auto_names_its_searches_and_the_one_that_decided() {
    let result = deadlock("");
    let names: Vec<&str> =
        result["members"].as_array().unwrap().iter().map(|member| member["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 11);
    assert!(names.contains(&result["search"]["winner"].as_str().unwrap()), "{names:?}");
}

#[test]
fn auto_proves_as_well() {
    let (ran, result) = Desk::new().result("model:peterson -- n=3");
    assert_eq!((ran.code, &result["verdict"]), (0, &"clean".into()), "{ran:?}");
}

#[test]
fn dfs_finds_it() {
    named("--search dfs", "dfs");
}

#[test]
fn bfs_finds_it_by_the_fewest_steps() {
    let desk = Desk::new();
    desk.run("check model:phil --search bfs --shorten 0 -- n=4,fair=false").code(1).says("4 steps");
}

#[test]
fn bfs_with_a_bound_says_so() {
    named("--search bfs:bound=100", "bfs:bound=100");
}

#[test]
fn bfs_drops_states_beyond_its_bound_and_is_incomplete() {
    let (ran, result) = Desk::new().result("model:grid --search bfs:bound=5 -- counters=3 values=4");
    assert_eq!(ran.code, 3);
    assert!(result["reasons"][0].as_str().unwrap().contains("frontier was full at 5"), "{result}");
}

#[test]
fn best_first_finds_it() {
    named("--search best-first", "best-first:ties=age by fewest-runnable");
}

#[test]
fn best_first_with_ties_by_age_finds_it() {
    named("--search best-first:ties=age", "best-first:ties=age by fewest-runnable");
}

#[test]
fn best_first_with_random_ties_finds_it() {
    named("--search best-first:ties=random", "best-first:ties=random by fewest-runnable");
}

#[test]
fn best_first_among_the_best_finds_it() {
    named("--search best-first:best=3", "best-first:best=3 by fewest-runnable");
}

#[test]
fn best_first_with_a_bound_finds_it() {
    named(
        "--search best-first:ties=random,bound=1000",
        "best-first:ties=random,bound=1000 by fewest-runnable",
    );
}

#[test]
fn best_first_goes_by_the_heuristic_distance() {
    named("--search best-first --heuristic distance", "best-first:ties=age by distance");
}

#[test]
fn best_first_goes_by_the_heuristic_switches() {
    named("--search best-first --heuristic switches", "best-first:ties=age by switches");
}

#[test]
fn best_first_goes_by_the_heuristic_that_is_named() {
    for heuristic in [
        "fewest-runnable",
        "most-blocked",
        "choose-free",
        "interleaving:5",
        "prefer-threads:1,2",
        "preemptions",
        "random",
    ] {
        let name = format!("best-first:ties=age by {heuristic}");
        named(&format!("--search best-first --heuristic {heuristic}"), &name);
    }
}

#[test]
fn best_first_adds_the_length_of_the_path_as_a_star_does() {
    named("--search best-first:astar", "best-first:ties=age,astar by fewest-runnable");
}

#[test]
fn walk_finds_it() {
    named("--search walk", "walk");
}

#[test]
fn pct_finds_it() {
    named("--search pct", "pct");
}

#[test]
fn pct_of_a_depth_finds_it() {
    named("--search pct:depth=4", "pct:depth=4");
}

#[test]
fn pos_finds_it() {
    named("--search pos", "pos");
}

#[test]
fn choices_as_given_need_no_mention() {
    named("--search dfs --order as-given", "dfs");
}

#[test]
fn choices_are_taken_in_random_order() {
    named("--search dfs --order random", "dfs in random order");
}

#[test]
fn choices_of_other_threads_are_taken_first() {
    named("--search dfs --order interleave", "dfs interleaving first");
}

#[test]
fn choices_are_taken_by_heuristic() {
    named("--search dfs --order heuristic --heuristic most-blocked", "dfs by most-blocked");
}

#[test]
fn backtracking_is_randomised_with_defaults_for_what_is_not_given() {
    named(
        "--search dfs --backtrack threshold=5",
        "dfs with backtracking threshold=5,strategy=random,ratio=0.9",
    );
}

#[test]
fn backtracking_is_by_one_step() {
    let how = "threshold=50,strategy=fixed,ratio=0.9";
    named(&format!("--search dfs --backtrack {how}"), &format!("dfs with backtracking {how}"));
}

#[test]
fn backtracking_is_by_the_sequence_of_luby_and_likelier_with_depth() {
    let how = "threshold=50,strategy=luby,ratio=1-d/500";
    named(&format!("--search dfs --backtrack {how}"), &format!("dfs with backtracking {how}"));
}

#[test]
fn a_search_that_turns_back_early_does_not_prove() {
    let (ran, result) =
        Desk::new().result("model:peterson --search dfs --backtrack threshold=1,ratio=0.1 -- n=2");
    assert_eq!((ran.code, &result["verdict"]), (3, &"incomplete".into()));
    assert!(result["reasons"][0].as_str().unwrap().starts_with("randomised"), "{result}");
}

/// Proves the repaired philosophers with this store, and gives its part of the result.
#[track_caller]
fn proved_with(store: &str) -> Value {
    let (ran, result) = Desk::new().result(&format!("model:phil --search dfs --store {store} -- n=4"));
    assert_eq!((ran.code, &result["stats"]["states"]), (0, &81.into()), "{ran:?}");
    result["store"].clone()
}

#[test]
fn the_compact_store_goes_by_fingerprints() {
    let store = proved_with("compact");
    assert_eq!(store["name"], "compact");
    assert!(store["note"].as_str().unwrap().contains("fingerprints"), "{store}");
}

#[test]
fn the_collapse_store_is_lossless_and_counts_its_components() {
    let store = proved_with("collapse");
    assert_eq!((&store["name"], &store["note"]), (&"collapse".into(), &"lossless".into()));
    let pools: Vec<&str> =
        store["pools"].as_array().unwrap().iter().map(|pool| pool["name"].as_str().unwrap()).collect();
    assert!(pools.contains(&"philosophers") && pools.contains(&"taken"), "{pools:?}");
}

#[test]
fn the_exact_store_is_lossless() {
    let store = proved_with("exact");
    assert_eq!((&store["name"], &store["note"]), (&"exact".into(), &"lossless".into()));
}

#[test]
fn the_bitstate_store_does_not_prove() {
    let (ran, result) = Desk::new().result("model:phil --search dfs --store bitstate -- n=4");
    assert_eq!((ran.code, &result["store"]["name"]), (3, &"bitstate".into()));
    assert!(result["reasons"][0].as_str().unwrap().starts_with("bitstate"), "{result}");
}

#[test]
fn the_bitstate_store_has_a_size_and_a_number_of_hashes() {
    let (_, result) = Desk::new().result("model:phil --search dfs --store bitstate:bytes=1M,hashes=2 -- n=4");
    let bytes = result["store"]["bytes"].as_u64().unwrap();
    assert!((1 << 20..2 << 20).contains(&bytes), "{bytes}");
}

#[test]
fn no_store_at_all_visits_states_again() {
    let (ran, result) = Desk::new().result("model:grid --search dfs --store none -- counters=2 values=4");
    assert_eq!((ran.code, &result["verdict"]), (0, &"clean".into()), "{ran:?}");
    assert!(result["stats"]["states"].as_u64().unwrap() > 16, "{result}");
}

#[test]
fn a_swarm_runs_searches_with_seeds_of_their_own() {
    let result = deadlock("--search dfs --swarm 4 --seed 7");
    let members = result["members"].as_array().unwrap();
    let mut seeds: Vec<u64> = members.iter().map(|member| member["seed"].as_u64().unwrap()).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!((members.len(), seeds.len()), (4, 4));
    assert_eq!(result["search"]["winner"], "dfs in random order");
}

#[test]
fn a_swarm_has_one_winner_however_equal_its_searches_are() {
    let ran = Desk::new().run("check model:phil --search dfs --swarm 4 -- n=4,fair=false").code(1);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("* ")).count(), 1, "{}", ran.out);
}

#[test]
fn a_swarm_of_one_is_a_swarm() {
    assert_eq!(deadlock("--search dfs --swarm 1")["members"].as_array().unwrap().len(), 1);
}

#[test]
fn any_number_of_jobs_visits_the_same_states() {
    let states = |jobs: usize| {
        let (ran, result) = Desk::new().result(&format!("model:twophase --search dfs --jobs {jobs} -- n=4"));
        assert_eq!(ran.code, 0);
        result["stats"]["states"].clone()
    };
    assert_eq!((states(2), states(3)), (states(1), states(1)));
}

#[test]
fn jobs_have_a_short_name() {
    Desk::new().run("check model:phil --search bfs -j 2 -- n=3").code(0);
}

/// The schedule that a search finds.
fn schedule(options: &str) -> Value {
    let desk = Desk::new();
    desk.run(&format!("check model:phil --jobs 1 --shorten 0 --trace t.json {options} -- n=6,fair=false"))
        .code(1);
    desk.read_json("t.json")["schedule"].clone()
}

#[test]
fn equal_seeds_find_equal_traces() {
    for search in [
        "dfs --order random",
        "best-first:ties=random",
        "walk",
        "pct",
        "pos",
        "surw",
        "dfs --backtrack threshold=9",
    ] {
        let options = format!("--search {search} --seed 42");
        assert_eq!(schedule(&options), schedule(&options), "{search}");
    }
}

#[test]
fn other_seeds_find_other_traces() {
    let found: Vec<Value> =
        (1..=3).map(|seed| schedule(&format!("--search dfs --order random --seed {seed}"))).collect();
    assert!(found[0] != found[1] || found[1] != found[2]);
}

#[test]
fn all_reports_one_of_each_defect() {
    let desk = Desk::new();
    let (ran, result) = desk.result("model:bakery --all --search bfs -- choosing=false n=2");
    assert_eq!((ran.code, &result["verdict"]), (1, &"found".into()));
    assert_eq!(result["findings"].as_array().unwrap().len(), 1);
    let states = result["stats"]["states"].as_u64().unwrap();
    let (_, first) = desk.result("model:bakery --search bfs -- choosing=false n=2");
    assert!(states > first["stats"]["states"].as_u64().unwrap(), "it goes on after the finding");
}

#[test]
fn all_goes_with_auto() {
    Desk::new().run("check model:phil --all -- n=4 fair=false").code(1).says("deadlock");
}

#[test]
fn parameters_are_separate_words_or_one_with_commas() {
    let states = |arguments: &str| {
        let (ran, result) = Desk::new().result(&format!("model:grid --search dfs -- {arguments}"));
        assert_eq!(ran.code, 0);
        result["stats"]["states"].clone()
    };
    assert_eq!(states("counters=3 values=4"), 64);
    assert_eq!(states("counters=3,values=4"), 64);
}

#[test]
fn reductions_find_it() {
    named("--search dpor --depth 20", "dpor:optimal");
    for mode in ["optimal", "source", "eager", "classic"] {
        named(&format!("--search dpor:{mode} --depth 20 --jobs 2"), &format!("dpor:{mode}"));
    }
}

#[test]
fn a_reduction_counts_executions() {
    let (ran, result) = Desk::new().result("model:grid --search dpor --jobs 2 -- counters=4,values=5");
    assert_eq!((ran.code, &result["verdict"]), (0, &"clean".into()), "{ran:?}");
    assert_eq!(result["stats"]["executions"], 1);
    assert_eq!(result["stats"]["blocked_executions"], 0);
}
