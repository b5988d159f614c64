//! A mutation fuzzer for the two readers of foreign input, on the stable toolchain; [`sojourner_testkit::fuzz`] has the loop.

mod mutate;

use mutate::mutate;
use sojourner_program::Threads;
use sojourner_testkit::fuzz::{Fuzz, corpus, magnitude, without_contents};
use sojourner_trace::{Token, TokenError, Trace, TraceError};
use std::path::Path;
use std::time::Duration;

const FUZZ: Fuzz<'_> =
    Fuzz { name: "trace", executions: 20_000, hang: Duration::from_secs(5), accepted: "loaded" };

/// Schedules up to this length are also turned into choices.
const SPREAD: u64 = 100_000;

#[test]
fn reader_never_panics_and_loaded_input_survives_saving() {
    let inputs = corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"));
    assert!(!inputs.is_empty(), "the corpus is there");
    let mutate = |random: &mut _, input: &[u8], other: &[u8]| {
        let mut input = mutate(random, input, other);
        if random.below(2) == 0 {
            repair_checksum(&mut input);
        }
        input
    };
    FUZZ.run(inputs, mutate, try_input);
}

/// Feeds both readers and says how they answered, in words that are equal for inputs of one sort.
fn try_input(input: &[u8]) -> String {
    let trace = match Trace::read(&mut &input[..]) {
        Ok(trace) => {
            survives_saving(&trace);
            let buckets =
                [trace.schedule.len(), trace.events.len() as u64, trace.threads.len() as u64].map(magnitude);
            format!("loaded {buckets:?} {} {}", trace.waiting.len().min(3), trace.original.is_some())
        }
        Err(error) => {
            let variant = match &error {
                TraceError::Corrupt { why, .. } => format!("corrupt {why}"),
                TraceError::Foreign { .. } => "foreign".into(),
                other => other.to_string(),
            };
            without_contents(&variant)
        }
    };
    let token = match std::str::from_utf8(input).map(str::parse::<Token>) {
        Err(_) | Ok(Err(TokenError::Foreign)) => String::new(),
        Ok(Err(error)) => without_contents(&error.to_string()),
        Ok(Ok(token)) => {
            assert_eq!(token.to_string().parse(), Ok(token.clone()));
            spread(&token);
            format!("loaded token {}", magnitude(token.schedule.len()))
        }
    };
    trace + " | " + &token
}

fn survives_saving(trace: &Trace) {
    let mut bytes = Vec::new();
    trace.write(&mut bytes).expect("what was read can be written");
    assert_eq!(&Trace::read(&mut &bytes[..]).expect("what was written can be read"), trace);
    let token = trace.token();
    assert_eq!(token.to_string().parse(), Ok(token.clone()));
    spread(&token);
}

fn spread(token: &Token) {
    let steps = token.schedule.len();
    if steps <= SPREAD {
        let choices = token.choices(&Threads::new(1)).expect("what was read is in range");
        assert_eq!(choices.len() as u64, steps);
    }
}

/// Makes the last part of a line that may be a token the checksum of the rest, so that the parser goes on.
fn repair_checksum(input: &mut Vec<u8>) {
    if let Some(end) = input.iter().rposition(|&byte| byte == b'_').filter(|_| input.starts_with(b"s1_")) {
        input.truncate(end);
        let sum = xxhash_rust::xxh3::xxh3_64(input) as u32;
        input.extend(format!("_{sum:08x}").bytes());
    }
}
