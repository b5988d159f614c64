//! A mutation fuzzer for the two readers of foreign input, on the stable toolchain.
//!
//! By default it runs a fixed number of inputs, as a test. `SOJOURNER_FUZZ_SECONDS=600` runs it for a time,
//! `SOJOURNER_FUZZ_SEED` with other inputs, and `SOJOURNER_FUZZ_KEEP=FOLDER` saves each input that was the first to
//! be answered in its way. Without coverage from the compiler that answer is the feedback: such an input is mutated
//! further.

mod mutate;

use mutate::mutate;
use sojourner_program::{Random, Threads};
use sojourner_trace::{Token, TokenError, Trace, TraceError};
use std::collections::HashSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many inputs are tried unless a time is given.
const EXECUTIONS: u64 = 20_000;

/// No input of the fuzzer's size may take longer.
const HANG: Duration = Duration::from_secs(5);

/// Schedules up to this length are also turned into choices.
const SPREAD: u64 = 100_000;

#[test]
fn no_input_makes_a_reader_panic_or_hang_and_what_loads_survives_saving() {
    let seconds: Option<f64> = variable("SOJOURNER_FUZZ_SECONDS");
    let keep: Option<PathBuf> = variable("SOJOURNER_FUZZ_KEEP");
    let mut random = Random::new(variable("SOJOURNER_FUZZ_SEED").unwrap_or(1));
    let mut pool = Pool::default();
    for input in corpus() {
        let answer = try_input(&input);
        pool.add(input, answer);
    }
    let start = Instant::now();
    let (mut executions, mut loaded) = (0, 0);
    loop {
        let done = match seconds {
            Some(seconds) => start.elapsed().as_secs_f64() >= seconds,
            None => executions >= EXECUTIONS,
        };
        if done {
            break;
        }
        let (input, other) = (pool.pick(&mut random), pool.pick(&mut random));
        let mut input = mutate(&mut random, input, other);
        if random.below(2) == 0 {
            repair_checksum(&mut input);
        }
        let began = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| try_input(&input)));
        let Ok(answer) = answer else {
            panic!("the failure above comes from the input b\"{}\"", input.escape_ascii())
        };
        assert!(began.elapsed() < HANG, "{:?} for b\"{}\"", began.elapsed(), input.escape_ascii());
        executions += 1;
        loaded += u64::from(loads(&answer));
        if pool.is_new(&answer) {
            if let Some(folder) = &keep {
                std::fs::write(folder.join(format!("{executions:012}")), &input)
                    .expect("the folder can be written to");
            }
            pool.add(input, answer);
        }
    }
    // To the stream itself: the test harness would keep a printed line to itself.
    let answers = pool.answers.len();
    let _ =
        writeln!(std::io::stderr(), "{executions} executions, {loaded} loaded, {answers} different answers");
    assert!(loaded > 0, "the mutations are too wild: nothing loads any more");
}

/// The inputs that are mutated.
#[derive(Default)]
struct Pool {
    loading: Vec<Vec<u8>>,
    refused: Vec<Vec<u8>>,
    answers: HashSet<String>,
}

impl Pool {
    fn is_new(&self, answer: &str) -> bool {
        !self.answers.contains(answer)
    }

    fn add(&mut self, input: Vec<u8>, answer: String) {
        let inputs = if loads(&answer) { &mut self.loading } else { &mut self.refused };
        inputs.push(input);
        self.answers.insert(answer);
    }

    /// Mostly an input that loads: mutations of one that is refused tend to be refused for the same reason.
    fn pick(&self, random: &mut Random) -> &[u8] {
        let from = if random.below(4) > 0 { &self.loading } else { &self.refused };
        &from[random.below(from.len())]
    }
}

fn loads(answer: &str) -> bool {
    answer.contains("loaded")
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

/// The words of a message up to what it quotes, which may itself hold quotes, and without numbers.
fn without_contents(message: &str) -> String {
    let words = message.split(['`', '"']).next().unwrap_or_default();
    words.chars().filter(|c| c.is_ascii_alphabetic() || *c == ' ').take(60).collect()
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus exists")
        .map(|entry| entry.expect("and is readable").path())
        .collect();
    // The order in which a folder is listed differs between machines; the inputs of a seed must not.
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("the corpus is readable")).collect()
}

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} makes no sense")))
}

/// Numbers of about one size give one answer.
fn magnitude(n: u64) -> u32 {
    n.checked_ilog2().map_or(0, |log| log + 1)
}
