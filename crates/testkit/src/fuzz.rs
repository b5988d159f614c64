//! The loop of the mutation fuzzers, on the stable toolchain.
//!
//! A reader of foreign input gets inputs that are mutated from a corpus. It must not panic, and it must answer in
//! time. By default a fuzzer runs a fixed number of inputs, as a test. Variables of the environment change that:
//!
//! | variable | effect |
//! |---|---|
//! | `SOJOURNER_FUZZ_SECONDS=600` | run for a time instead |
//! | `SOJOURNER_FUZZ_SEED=2` | other inputs; the default is 1 |
//! | `SOJOURNER_FUZZ_KEEP=FOLDER` | save each input that was the first to get its answer |
//!
//! The compiler gives no coverage, so the answer of the reader is the feedback: an input with a new answer is mutated further.

use sojourner_program::Random;
use std::collections::HashSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// One fuzzer.
#[derive(Clone, Copy, Debug)]
pub struct Fuzz<'a> {
    /// What is fuzzed, for messages and for the names of files.
    pub name: &'a str,
    /// How many inputs are tried unless a time is given.
    pub executions: u64,
    /// No input may take longer.
    pub hang: Duration,
    /// The word in the answer to an input that the reader accepts. At least one mutated input must get it: otherwise the
    /// mutations are too wild to test more than the first check of the reader.
    pub accepted: &'a str,
}

impl Fuzz<'_> {
    /// Mutates `inputs` and what came of them, and hands each result to `reader`.
    ///
    /// `mutate` gets an input and another one to take pieces from. `reader` says how it answered, in words that are equal
    /// for inputs of one sort.
    ///
    /// # Panics
    ///
    /// If the reader panics or takes too long, with the place of the input; if no mutated input is accepted; if a variable
    /// of the environment makes no sense.
    pub fn run(
        &self,
        inputs: Vec<Vec<u8>>,
        mut mutate: impl FnMut(&mut Random, &[u8], &[u8]) -> Vec<u8>,
        reader: impl Fn(&[u8]) -> String,
    ) {
        let seconds: Option<f64> = variable("SOJOURNER_FUZZ_SECONDS");
        let keep: Option<PathBuf> = variable("SOJOURNER_FUZZ_KEEP");
        let mut random = Random::new(variable("SOJOURNER_FUZZ_SEED").unwrap_or(1));
        let mut pool = Pool::default();
        for input in inputs {
            let answer = reader(&input);
            pool.add(input, answer, self.accepted);
        }
        let start = Instant::now();
        let (mut done, mut accepted, mut slowest) = (0, 0_u64, Duration::ZERO);
        while seconds.map_or(done < self.executions, |seconds| start.elapsed().as_secs_f64() < seconds) {
            let (input, other) = (pool.pick(&mut random), pool.pick(&mut random));
            let input = mutate(&mut random, input, other);
            let began = Instant::now();
            let Ok(answer) = catch_unwind(AssertUnwindSafe(|| reader(&input))) else {
                panic!("the panic above comes from {}", saved(self.name, &input));
            };
            let took = began.elapsed();
            assert!(took < self.hang, "{took:?} for {}", saved(self.name, &input));
            slowest = slowest.max(took);
            done += 1;
            accepted += u64::from(answer.contains(self.accepted));
            if !pool.answers.contains(&answer) {
                if let Some(folder) = &keep {
                    let file = folder.join(format!("{}-{done:012}", self.name));
                    std::fs::write(file, &input).expect("the folder can be written to");
                }
                pool.add(input, answer, self.accepted);
            }
        }
        // To the stream itself: the test harness would keep a printed line to itself.
        let _ = writeln!(
            std::io::stderr(),
            "{}: {done} executions, {accepted} {}, {} different answers, the slowest took {slowest:?}",
            self.name,
            self.accepted,
            pool.answers.len()
        );
        assert!(accepted > 0, "the mutations are too wild: no input is {} any more", self.accepted);
    }
}

/// The files of a folder, in the order of their names; none if there is no such folder.
pub fn corpus(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    // The order in which a folder is listed differs between machines; the inputs of a seed must not.
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("the corpus is readable")).collect()
}

/// The words of a message up to what it quotes, which may itself hold quotes, and without numbers: messages of one sort
/// become equal.
pub fn without_contents(message: &str) -> String {
    let words = message.split(['`', '"']).next().unwrap_or_default();
    words.chars().filter(|sign| sign.is_ascii_alphabetic() || *sign == ' ').take(60).collect()
}

/// The number of binary digits: numbers of about one size give one answer.
pub fn magnitude(number: u64) -> u32 {
    number.checked_ilog2().map_or(0, |log| log + 1)
}

/// The inputs that are mutated.
#[derive(Default)]
struct Pool {
    accepted: Vec<Vec<u8>>,
    refused: Vec<Vec<u8>>,
    answers: HashSet<String>,
}

impl Pool {
    fn add(&mut self, input: Vec<u8>, answer: String, accepted: &str) {
        let inputs = if answer.contains(accepted) { &mut self.accepted } else { &mut self.refused };
        inputs.push(input);
        self.answers.insert(answer);
    }

    /// Mostly an input that is accepted: mutations of one that is refused tend to be refused for the same reason.
    fn pick(&self, random: &mut Random) -> &[u8] {
        let from =
            if random.below(4) > 0 || self.refused.is_empty() { &self.accepted } else { &self.refused };
        &from[random.below(from.len())]
    }
}

/// Writes an input to a file of its own, and says where.
fn saved(name: &str, input: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!("sojourner-fuzz-{name}-{}", std::process::id()));
    match std::fs::write(&path, input) {
        Ok(()) => path.display().to_string(),
        Err(_) => format!("the input b\"{}\"", input.escape_ascii()),
    }
}

fn variable<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} makes no sense")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const FUZZ: Fuzz<'_> =
        Fuzz { name: "test", executions: 50, hang: Duration::from_secs(60), accepted: "even" };

    fn add_one(random: &mut Random, input: &[u8], _: &[u8]) -> Vec<u8> {
        vec![input[0].wrapping_add(1 + random.below(2) as u8)]
    }

    fn parity(input: &[u8]) -> String {
        if input[0].is_multiple_of(2) { "even".into() } else { "odd".into() }
    }

    #[test]
    fn reader_gets_the_corpus_and_so_many_mutations() {
        let calls = Cell::new(0);
        FUZZ.run(vec![vec![0], vec![2]], add_one, |input| {
            calls.set(calls.get() + 1);
            parity(input)
        });
        // A run for a time has no fixed number of inputs.
        if std::env::var_os("SOJOURNER_FUZZ_SECONDS").is_none() {
            assert_eq!(calls.get(), 52);
        }
    }

    #[test]
    #[should_panic(expected = "the panic above comes from")]
    fn panic_of_the_reader_fails_the_fuzzer() {
        FUZZ.run(vec![vec![0]], add_one, |input| {
            assert!(input[0] < 2, "two is too much");
            parity(input)
        });
    }

    #[test]
    #[should_panic(expected = "the mutations are too wild")]
    fn mutations_that_are_never_accepted_fail_the_fuzzer() {
        FUZZ.run(vec![vec![0]], |_, _, _| vec![1], parity);
    }
}
