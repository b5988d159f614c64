//! Searches side by side: the winner can be had again, alone, by the command that the result names.

use crate::desk::Desk;
use crate::java;
use serde_json::Value;

/// A setter changes two values, and a checker looks at both. With -DBROKEN there is no lock.
const REORDER: &str = "#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t done = PTHREAD_COND_INITIALIZER;
int a, b;

void *set(void *unused) {
    pthread_mutex_lock(&lock);
    a = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    b = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

void *check(void *unused) {
    pthread_mutex_lock(&lock);
    assert(a == b);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], 0, i < 3 ? set : check, 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
";

/// The same in Java.
const PAIRS: &str = "public class Main {
    static volatile int first, second;

    static void set() {
        first = 1;
        second = -1;
    }

    static void check() {
        if (first + second != 0) {
            throw new IllegalStateException(\"between the changes\");
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) {
            new Thread(Main::set).start();
        }
        new Thread(Main::check).start();
    }
}";

/// Checks with these options, and requires that the command in the result finds the same by the same search.
#[track_caller]
fn repeats(desk: &Desk, line: &str) -> Value {
    let (options, arguments) = line.split_once(" -- ").unwrap_or((line, ""));
    let (ran, result) = desk.result(&format!("{options} --shorten 0 --trace swarm.json -- {arguments}"));
    assert_eq!(ran.code, 1, "{ran:?}");
    let repeat = result["search"]["repeat"].as_str().expect("a search has won");
    let winner = &result["members"][result["search"]["winner_index"].as_u64().unwrap() as usize];
    let words = repeat.strip_prefix("sojourner check ").expect("it is a check");
    let (options, arguments) = words.split_once(" -- ").unwrap_or((words, ""));
    let (ran, alone) = desk.result(&format!("{options} --trace alone.json -- {arguments}"));
    assert_eq!(ran.code, 1, "{ran:?}");
    for count in ["states", "transitions", "executions"] {
        assert_eq!(alone["stats"][count], winner[count], "{count} of {repeat}");
    }
    assert_eq!(alone["findings"][0]["message"], result["findings"][0]["message"]);
    let (swarm, alone) = (desk.read_json("swarm.json"), desk.read_json("alone.json"));
    assert_eq!(swarm["schedule"], alone["schedule"]);
    assert_eq!(swarm["search"]["seed"], winner["seed"]);
    result
}

#[test]
fn the_winner_of_a_model_can_be_had_again() {
    for options in [
        "--search dfs --swarm 4 --jobs 2",
        "--search dfs --swarm 4 --jobs 2 --winner states",
        "--search best-first:ties=random --swarm 3 --winner states",
        "--search dfs --backtrack portfolio --winner states",
        "--search pos --swarm 3",
    ] {
        repeats(&Desk::new(), &format!("model:phil {options} --seed 5 -- n=6 fair=false"));
    }
}

#[test]
fn the_winner_of_a_java_program_can_be_had_again() {
    for winner in ["time", "states"] {
        let options = format!("Main.java --search dfs --swarm 4 --jobs 2 --seed 5 --winner {winner}");
        repeats(&java::desk(PAIRS), &options);
    }
}

#[test]
fn the_winner_of_a_c_program_can_be_had_again() {
    let desk = Desk::new();
    desk.write("main.c", REORDER);
    for options in ["--winner time", "--winner states", "--winner states --store compact"] {
        repeats(&desk, &format!("main.c --search dfs --swarm 4 --jobs 2 --seed 5 {options}"));
    }
}

#[test]
fn by_states_any_number_of_jobs_gives_the_same() {
    let of = |jobs: usize| {
        let line = format!(
            "model:phil --search dfs --swarm 6 --winner states --shorten 0 --jobs {jobs} -- n=7 fair=false"
        );
        let (_, result) = Desk::new().result(&line);
        (
            result["members"].clone(),
            result["search"]["winner_index"].clone(),
            result["stats"]["states"].clone(),
        )
    };
    assert_eq!((of(2), of(4)), (of(1), of(1)));
}

#[test]
fn the_portfolio_of_backtracking_has_the_thresholds_of_the_paper() {
    let (_, result) = Desk::new().result("model:phil --search dfs --backtrack portfolio -- n=5 fair=false");
    let names: Vec<&str> =
        result["members"].as_array().unwrap().iter().map(|member| member["name"].as_str().unwrap()).collect();
    let expected = [5, 10, 20, 50, 100]
        .map(|depth| format!("dfs with backtracking threshold={depth},strategy=random,ratio=0.9"));
    assert_eq!(names, expected);
    assert_eq!(result["search"]["name"], "swarm of 5 x dfs with backtracking portfolio");
}

#[test]
fn a_winner_needs_several_searches() {
    Desk::new().run("check model:phil --search dfs --winner states").refused(&["add --search dfs --swarm N"]);
}
