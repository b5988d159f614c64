//! Guided searches of C programs by the distance from places in the code.

use crate::desk::Desk;
use serde_json::json;

const SHOP: &str = include_str!("../../../../examples/c/barbershop.c");

/// The line of the assertion that fails.
fn line() -> usize {
    SHOP.lines().position(|line| line.contains("assert(waiting")).expect("it is there") + 1
}

#[test]
fn distance_leads_to_an_assertion_where_calls_tell_the_way() {
    let desk = Desk::new();
    desk.write("shop.c", SHOP);
    let states = |target: &str| {
        let search = "--search best-first --store compact --jobs 1 --shorten 0";
        let line = format!(
            "check shop.c {search} --target {target} --json result.json --cflags -DBROKEN -DCUSTOMERS=9"
        );
        let ran = desk.run(&line);
        let result = desk.read_json("result.json");
        assert_eq!((ran.code, &result["findings"][0]["kind"]), (1, &json!("assertion")), "{result:#}");
        result["stats"]["states"].as_u64().expect("it is a number")
    };
    let nearest = states(&format!("shop.c:{}", line()));
    assert!(nearest < 300, "{nearest}");
    // The trace of the finding stands for its place.
    assert_eq!(states("shop-assertion.trace.json"), nearest);
}

#[test]
fn places_that_are_not_there_are_refused_with_what_is() {
    let desk = Desk::new();
    desk.write("shop.c", SHOP);
    let refused = |options: &str, texts: &[&str]| {
        desk.run(&format!("check shop.c --search best-first {options}")).refused(texts);
    };
    refused("--target shop.c:1", &["shop.c has no code at line 1", "the nearest lines with code are"]);
    refused("--target baber", &["the program has no function baber; it has barber"]);
    refused("--target no-such.json", &["no-such.json"]);
}
