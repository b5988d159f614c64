//! Traces that are none: a message that says what to do, and never a panic.

use crate::desk::Desk;

/// Replays a file of these contents.
fn replay(contents: impl AsRef<[u8]>) -> crate::desk::Ran {
    let desk = Desk::new();
    desk.write("t.json", contents);
    desk.run("replay t.json")
}

/// The text of a real trace.
fn real() -> String {
    let desk = Desk::new();
    desk.run("check model:phil --trace t.json -- n=4 fair=false").code(1);
    desk.read("t.json")
}

#[test]
fn random_bytes_are_no_trace() {
    let bytes: Vec<u8> = (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    replay(bytes).refused(&["not a trace", "give a file that `sojourner check` has saved"]);
}

#[test]
fn json_of_something_else_is_no_trace() {
    replay(r#"{"name": "left-pad", "version": "1.3.0"}"#).refused(&["not a trace: it names no schema"]);
}

#[test]
fn a_list_is_no_trace() {
    replay("[1, 2, 3]").refused(&["not a trace", "give a file that `sojourner check` has saved"]);
}

#[test]
fn a_result_is_no_trace() {
    let desk = Desk::new();
    desk.run("check model:phil --json r.json -- n=3").code(0);
    desk.run("replay r.json").refused(&["not a trace: its schema is `sojourner/result/1`"]);
}

#[test]
fn an_empty_file_is_no_trace() {
    replay("").refused(&["not a trace", "give a file that `sojourner check` has saved"]);
}

#[test]
fn a_directory_is_no_trace() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("t.json")).unwrap();
    desk.run("replay t.json").refused(&["t.json: cannot be read", "directory"]);
}

#[test]
fn a_missing_file_is_named() {
    Desk::new()
        .run("replay nowhere.json")
        .refused(&["nowhere.json: cannot be read; check the path", "No such file"]);
}

#[test]
fn a_newer_schema_says_which_version_to_use() {
    let newer = real().replace("sojourner/trace/1", "sojourner/trace/2");
    replay(newer).refused(&[
        "`sojourner/trace/2`",
        "reads `sojourner/trace/1`",
        "use the version of Sojourner",
    ]);
}

#[test]
fn a_truncated_trace_is_damaged_and_says_where() {
    let whole = real();
    replay(&whole[..whole.len() / 2])
        .refused(&["damaged at line", "restore the file or check the program again"]);
}

#[test]
fn a_trace_truncated_anywhere_is_refused() {
    let whole = real();
    let desk = Desk::new();
    for part in 1..8 {
        desk.write("t.json", &whole[..whole.len() * part / 8]);
        desk.run("replay t.json").refused(&[]);
    }
}

#[test]
fn a_schedule_of_threads_that_are_not_listed_contradicts_itself() {
    let mut trace: serde_json::Value = serde_json::from_str(&real()).unwrap();
    trace["schedule"] = "99".into();
    trace["events"] = serde_json::json!([]);
    replay(trace.to_string()).refused(&["contradicts itself", "check the program again"]);
}

#[test]
fn trace_of_unknown_model_lists_models() {
    replay(real().replace("model:phil", "model:fill")).refused(&["there is no model `fill`", "`phil`"]);
}

#[test]
fn trace_of_unknown_kind_lists_what_can_be_checked() {
    replay(real().replace("model:phil", "phil.py"))
        .refused(&["'phil.py' is not a program that can be checked", "model:NAME"]);
    replay(real().replace("model:phil", "phil.c")).refused(&["phil.c: No such file"]);
    replay(real().replace("model:phil", "Phil.java")).refused(&["Phil.java: cannot be read"]);
}

#[test]
fn a_token_with_a_wrong_checksum_is_damaged() {
    Desk::new()
        .run("replay --token s1_0-1_0-1_00000000 model:phil -- n=4")
        .refused(&["the replay token is damaged; copy it again, all of it"]);
}

#[test]
fn a_word_that_is_no_token_shows_what_one_looks_like() {
    Desk::new().run("replay --token hello model:phil").refused(&["not a replay token; one looks like `s1_"]);
}

#[test]
fn a_token_of_a_newer_version_says_so() {
    Desk::new()
        .run("replay --token s2_0_0_00000000 model:phil")
        .refused(&["version `s2`", "use the version"]);
}

#[test]
fn a_token_has_no_original() {
    Desk::new().run("replay --original --token s1_0_0_0 model:phil").refused(&["cannot be used with"]);
}

#[test]
fn a_trace_needs_no_arguments() {
    let desk = Desk::new();
    desk.write("t.json", real());
    desk.run("replay t.json -- n=4")
        .refused(&["a trace contains the program's arguments: leave out the arguments"]);
}
