//! What cannot be done is refused before anything is done, with what could be done instead.

use crate::desk::Desk;

/// Requires that the command is refused with these texts, and that it leaves no file behind.
#[track_caller]
fn refused(line: &str, texts: &[&str]) {
    let desk = Desk::new();
    desk.run(line).refused(texts);
    assert!(desk.files().is_empty(), "{:?}", desk.files());
}

#[test]
fn an_unknown_command_lists_what_there_is() {
    refused("frobnicate", &["unrecognized subcommand 'frobnicate'", "--help"]);
}

#[test]
fn a_command_that_is_nearly_right_is_guessed() {
    refused("chekc model:phil", &["'check'"]);
}

#[test]
fn a_check_needs_a_target() {
    refused("check", &["required", "<TARGET>"]);
}

#[test]
fn a_target_of_another_sort_says_what_can_be_checked() {
    refused(
        "check phil.py",
        &[
            "'phil.py' is not a program that can be checked",
            "models: model:NAME",
            "sojourner models",
            "a .java file",
            "a .c or .cpp file",
        ],
    );
}

#[test]
fn an_unknown_model_lists_what_there_is() {
    refused("check model:fill", &["there is no model `fill`", "`phil`", "`twophase`", "sojourner models"]);
}

#[test]
fn a_model_without_a_name_lists_what_there_is() {
    refused("check model:", &["there is no model ``", "`phil`"]);
}

#[test]
fn an_unknown_parameter_lists_what_there_is() {
    refused("check model:phil -- m=4", &["has no parameter `m`; it has `n`, `fair`"]);
}

#[test]
fn a_bad_number_says_what_it_can_be() {
    refused("check model:phil -- n=four", &["`n` cannot be `four`: it is a number from 2 to 16"]);
}

#[test]
fn a_number_out_of_range_says_what_it_can_be() {
    refused("check model:phil -- n=17", &["`n` cannot be `17`: it is a number from 2 to 16"]);
}

#[test]
fn a_negative_number_says_what_it_can_be() {
    refused("check model:phil -- n=-1", &["`n` cannot be `-1`: it is a number from 2 to 16"]);
}

#[test]
fn a_bad_flag_says_what_it_can_be() {
    refused("check model:phil -- fair=yes", &["`fair` cannot be `yes`: it is true or false"]);
}

#[test]
fn a_bad_word_says_what_it_can_be() {
    refused("check model:faulty -- part=soul", &["`part` cannot be `soul`: it is one of invariant, initial"]);
}

#[test]
fn a_malformed_parameter_shows_the_form() {
    refused("check model:phil -- n", &["`n` is not of the form `name=value`"]);
}

#[test]
fn a_parameter_that_is_given_twice_is_named() {
    refused("check model:phil -- n=4,n=5", &["`n` is given twice"]);
}

#[test]
fn a_parameter_without_the_dashes_is_told_where_it_belongs() {
    refused(
        "check model:phil n=4",
        &["'n=4' cannot be combined with 'model:phil'", "write parameters of the model after --"],
    );
}

#[test]
fn an_unknown_search_lists_what_there_is() {
    refused("check model:phil --search dsf", &["there is no search 'dsf'", "auto", "dfs", "bfs", "pos"]);
}

#[test]
fn an_unknown_option_of_a_search_lists_what_there_is() {
    refused("check model:phil --search bfs:bond=3", &["the search bfs has no option 'bond=3'", "bound=N"]);
}

#[test]
fn an_option_of_a_search_that_has_none_says_so() {
    refused(
        "check model:phil --search dfs:bound=3",
        &["the search dfs has no option 'bound=3': it has none"],
    );
}

#[test]
fn a_bad_value_of_a_search_is_shown() {
    refused("check model:phil --search pct:depth=x", &["'depth=x'", "depth=N"]);
}

#[test]
fn an_unknown_order_lists_what_there_is() {
    refused(
        "check model:phil --order backwards",
        &["there is no order 'backwards'", "as-given, random, interleave"],
    );
}

#[test]
fn an_unknown_heuristic_lists_what_there_is() {
    refused("check model:phil --heuristic luck", &["there is no heuristic 'luck'", "most-blocked"]);
}

#[test]
fn an_unknown_store_lists_what_there_is() {
    refused("check model:phil --store attic", &["there is no store 'attic'", "compact, collapse, exact"]);
}

#[test]
fn an_unknown_setting_of_a_store_lists_what_there_is() {
    refused("check model:phil --store bitstate:bits=3", &["no setting 'bits'", "it has bytes and hashes"]);
}

#[test]
fn a_bad_size_of_a_store_shows_the_form() {
    refused("check model:phil --store bitstate:bytes=lots", &["'lots' is not a value for bytes", "64M"]);
}

#[test]
fn a_setting_of_a_store_that_has_none_is_refused() {
    refused("check model:phil --store compact:bytes=1M", &["the store 'compact' has no setting 'bytes'"]);
}

#[test]
fn a_number_of_hashes_that_no_store_has_is_refused() {
    refused("check model:phil --search dfs --store bitstate:hashes=0", &["hashes"]);
    refused("check model:phil --search dfs --store bitstate:hashes=1000", &["hashes"]);
}

#[test]
fn bad_backtracking_shows_the_form() {
    for how in ["threshold=x", "strategy=far", "ratio=2", "ratio=1-d/0", "sometimes"] {
        refused(
            &format!("check model:phil --search dfs --backtrack {how}"),
            &[how, "strategy=fixed|random|luby"],
        );
    }
}

#[test]
fn a_bad_time_shows_the_form() {
    for time in ["soon", "5x", "-1s", ""] {
        Desk::new()
            .run_words(&["check", "model:phil", &format!("--time={time}")])
            .refused(&["is not a time; write one like 90s"]);
    }
}

#[test]
fn a_bad_memory_size_shows_the_form() {
    for size in ["lots", "4X", "0", "-1"] {
        Desk::new()
            .run_words(&["check", "model:phil", &format!("--memory={size}")])
            .refused(&["is not a size; write one like 512M"]);
    }
}

#[test]
fn numbers_that_are_none_are_shown_with_their_option() {
    for option in ["--seed", "--depth", "--preemptions", "--states", "--executions", "--shorten"] {
        refused(&format!("check model:phil {option}=many"), &["'many'", option]);
    }
}

#[test]
fn no_jobs_and_no_searches_are_too_few() {
    refused("check model:phil --jobs 0", &["'0' is not a number from 1"]);
    refused("check model:phil --search dfs --swarm 0", &["'0' is not a number from 1"]);
}

#[test]
fn backtracking_needs_a_search_to_apply_to() {
    refused("check model:phil --backtrack threshold=5", &["--backtrack needs a search", "add --search dfs"]);
}

#[test]
fn a_swarm_needs_a_search_to_apply_to() {
    refused("check model:phil --swarm 4", &["--swarm needs a search", "add --search dfs"]);
}

#[test]
fn backtracking_is_for_depth_first_search() {
    refused("check model:phil --search bfs --backtrack threshold=5", &["use --search dfs"]);
}

#[test]
fn backtracking_runs_on_one_thread() {
    let line = "check model:phil --search dfs --backtrack threshold=5 --jobs 2";
    refused(line, &["use --jobs 1, or --swarm N"]);
}

#[test]
fn samples_have_an_order_of_their_own() {
    refused("check model:phil --search walk --order random", &["leave out --order"]);
}

#[test]
fn executions_are_for_searches_that_go_by_them() {
    refused(
        "check model:phil --search dfs --executions 5",
        &["--executions is for the searches dpor, walk, pct, pos and surw"],
    );
}

#[test]
fn a_reduction_goes_with_neither_orders_nor_a_swarm() {
    refused("check model:phil --search dpor:source --order random", &["leave out --order"]);
    refused("check model:phil --search dpor --swarm 2", &["use --jobs N"]);
    refused(
        "check model:phil --search dpor:best",
        &["no option 'best'", "dpor[:optimal|source|eager|classic]"],
    );
}

#[test]
fn a_depth_bound_needs_more_than_bits() {
    refused(
        "check model:phil --search dfs --depth 9 --store bitstate",
        &["use --store compact, or --search bfs"],
    );
}

#[test]
fn a_depth_beyond_all_bounds_says_what_the_most_is() {
    refused("check model:phil --search dfs --depth 4294967295", &["a depth bound is at most"]);
}

#[test]
fn preemptions_beyond_all_bounds_say_what_the_most_is() {
    refused("check model:phil --search dfs --preemptions 4294967295", &["a preemption bound is at most"]);
}

#[test]
fn a_result_cannot_be_written_over_a_directory() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.run("check model:phil --json out").refused(&["out cannot be written", "directory", "give a path"]);
}

#[test]
fn a_result_cannot_be_written_into_a_directory_that_is_not_there() {
    refused(
        "check model:phil --json no/such/place.json",
        &["no/such/place.json cannot be written", "give a path"],
    );
}

#[test]
fn a_trace_cannot_be_written_over_a_directory() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.run("check model:phil --trace out").refused(&["out cannot be written", "directory", "give a path"]);
}

#[test]
fn a_trace_cannot_be_written_into_a_directory_that_is_not_there() {
    refused(
        "check model:phil --trace no/such/place.json",
        &["no/such/place.json cannot be written", "give a path"],
    );
}

#[test]
fn a_result_and_a_trace_do_not_go_into_one_file() {
    refused("check model:phil --json x.json --trace x.json", &["name the same file: give each its own"]);
}

#[test]
fn a_refused_check_leaves_no_result_behind() {
    refused("check model:phil --json r.json --trace t.json -- n=99", &["`n` cannot be `99`"]);
    refused("check model:phil --json r.json --swarm 2", &["--swarm needs a search"]);
}

#[test]
fn an_examination_of_an_unknown_model_lists_what_there_is() {
    refused("doctor model:fill", &["there is no model `fill`", "`phil`"]);
}

#[test]
fn an_unknown_shell_lists_what_there_is() {
    refused("completions tcsh", &["'tcsh'", "bash", "fish", "zsh"]);
}

#[test]
fn a_page_of_an_unknown_command_lists_what_there_is() {
    refused("man frobnicate", &["there is no command 'frobnicate'", "check, run, replay"]);
}

#[test]
fn an_unknown_colour_lists_what_there_is() {
    refused("--color sometimes models", &["'sometimes'", "auto, always, never"]);
}

#[test]
fn options_of_java_programs_are_not_for_models() {
    for (option, value) in [
        ("--reduce", " none"),
        ("--reduce", " private,alone"),
        ("--gc", " none"),
        ("--symmetry", " site"),
        ("--granularity", " line"),
        ("--juc", " real"),
        ("--timeouts", " last"),
        ("--random", " draw"),
        ("--spurious", ""),
        ("--races", " fail"),
        ("--exit", ""),
        ("--property", " Main.holds"),
        ("-D", "key=value"),
        ("--classpath", " classes"),
        ("--jdk", " jdk"),
        ("--heap", " 1G"),
        ("--stack", " 500"),
    ] {
        let programs = match option {
            "--timeouts" | "--races" | "--exit" => "C, C++ and Rust programs and Java programs",
            _ => "Java programs",
        };
        let text = format!("{option} is for {programs}; 'model:phil' is a model");
        refused(&format!("check model:phil {option}{value}"), &[&text, "leave it out"]);
    }
    refused("check model:phil -cp classes", &["--classpath is for Java programs"]);
}

#[test]
fn bad_values_of_options_of_java_programs_list_what_there_is() {
    for (option, texts) in [
        (
            "--reduce some",
            [
                "there is no reduction 'some'",
                "all, none, jpf, private, immutable, locked, owned, alone or movers",
            ],
        ),
        ("--gc sweep", ["there is no garbage collection 'sweep'", "mark, refcount or none"]),
        ("--symmetry mirror", ["there is no symmetry 'mirror'", "canonical, site, thread or none"]),
        ("--granularity file", ["there is no granularity 'file'", "operation or line"]),
        ("--juc fake", ["there is no form of java.util.concurrent 'fake'", "primitive or real"]),
        ("--timeouts never", ["there is no rule for time-outs 'never'", "any, patient or last"]),
        ("--random seed", ["there is no treatment of random numbers 'seed'", "choose or draw"]),
        ("--random choose:1", ["'choose:1' needs a number of outcomes", "as in choose:16"]),
        ("--races win", ["there is no treatment of races 'win'", "last, fail, warn or off"]),
        ("--property 1+1", ["'1+1' is not the name of a method or a class", "org.example.Main.holds"]),
        ("--heap much", ["'much' is not a size", "512M"]),
        ("--stack 1", ["'1' is not a number of calls", "from 100"]),
    ] {
        refused(&format!("check Main.java {option}"), &texts);
    }
}
