//! Sojourner against the floor and against Stateright, on models with known counts.
//!
//! The floor is [`bare`]: a loop over a table of fingerprints that keeps no traces and knows the size of the table
//! beforehand. Every explorer searches the same systems at the same granularity, and must count the same states and
//! transitions, or the benchmark fails. Every measurement is a process of its own, so that processor time and peak
//! memory are of that search alone; rounds alternate between explorers, and the best of them counts.
//!
//! `auto` is compared with its strategies alone, see [`auto`]. Java programs are measured beside the JDK's own machine, see [`java`], and explored, see [`explore`].
//!
//! What is printed is Markdown, to be kept in `docs/benchmarks.md`.

mod auto;
#[allow(unsafe_code, dead_code)]
mod bare;
mod bars;
mod budgets;
mod case;
mod explore;
mod explorer;
mod java;
mod machine;
mod measure;
mod ours;
mod results;
mod stateright;
mod systems;
mod tables;

use case::Case;
use clap::{Parser, Subcommand, ValueEnum};
use explorer::Explorer;
use results::Results;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Parser)]
#[command(about = "Sojourner against a bare loop and against Stateright, on models with known counts")]
struct Options {
    /// Smaller models, and one round: to see that everything works.
    #[arg(long)]
    quick: bool,
    /// Only measurements with a name that contains the text, as in `twophase-8 dfs-compact-1`.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Only this part: models, java, budgets, auto, explore, or of explore only speed, jpf, threads, growth, paper or native.
    #[arg(long, value_name = "NAME", value_parser = Part::named)]
    part: Option<Part>,
    /// How often everything is measured; the best time counts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// The time that a search may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    seconds: u64,
    /// The address space that a search may take.
    #[arg(long, value_name = "GB", default_value_t = 8)]
    gigabytes: u64,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Our searches against others, on models.
    Models,
    /// The Java machine against the JDK's.
    Java,
    /// Whether bounds on time and memory, and signals, are heeded.
    Budgets,
    /// `auto` against its strategies alone.
    Auto,
    /// The exploration of Java programs, or one part of it.
    Explore(Option<explore::Part>),
}

impl Part {
    fn named(name: &str) -> Result<Part, String> {
        match name {
            "models" => Ok(Part::Models),
            "java" => Ok(Part::Java),
            "budgets" => Ok(Part::Budgets),
            "auto" => Ok(Part::Auto),
            "explore" => Ok(Part::Explore(None)),
            _ => Ok(Part::Explore(Some(explore::Part::from_str(name, false)?))),
        }
    }
}

#[derive(Subcommand)]
enum Command {
    /// Runs one search in this process and prints its states, transitions, seconds of processor and wall-clock time,
    /// peak memory and memory of the store in bytes.
    Run {
        /// `bare-THREADS`, `dfs-STORE-THREADS`, `bfs-STORE-THREADS`, `stateright-dfs` or `stateright-bfs`.
        explorer: Explorer,
        /// The name of a model, such as `twophase-8`.
        case: String,
    },
}

fn main() -> ExitCode {
    let options = Options::parse();
    let outcome = match &options.command {
        Some(Command::Run { explorer, case }) => run(*explorer, case, options.gigabytes),
        None => bench(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sojourner-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(explorer: Explorer, case: &str, gigabytes: u64) -> anyhow::Result<()> {
    let mut cases = Case::full().into_iter().chain(Case::quick());
    let case = cases.find(|known| known.name == case);
    let case = case.ok_or_else(|| anyhow::anyhow!("there is no such model"))?;
    println!("{}", measure::here(explorer, &case, gigabytes)?);
    Ok(())
}

fn bench(options: &Options) -> anyhow::Result<()> {
    let wanted =
        |case: &Case, explorer: &Explorer| format!("{} {explorer}", case.name).contains(&options.only);
    let mut cases = if options.quick { Case::quick() } else { Case::full() };
    if options.part.is_some_and(|part| part != Part::Models) {
        cases.clear();
    }
    cases.retain(|case| Explorer::all_for(case).iter().any(|explorer| wanted(case, explorer)));
    let rounds = options.rounds.unwrap_or(if options.quick { 1 } else { 3 });
    let limits = measure::Limits { time: Duration::from_secs(options.seconds), gigabytes: options.gigabytes };
    let machine = machine::described();
    let mut busy = machine::busy_cores();
    let mut results = Results::default();
    for case in &cases {
        let mut explorers = Explorer::all_for(case);
        explorers.retain(|explorer| wanted(case, explorer));
        for round in 1..=rounds {
            for &explorer in &explorers {
                if results.gave_up(case, explorer) {
                    continue;
                }
                let run = measure::apart(explorer, case, limits)?;
                eprintln!("{} {explorer}, round {round} of {rounds}: {run}", case.name);
                results.add(case, explorer, run);
            }
        }
        busy = busy.max(machine::busy_cores());
    }
    println!("{machine} Best of {rounds}.");
    print!("{}", machine::warning(busy));
    if !cases.is_empty() {
        print!("{}", tables::all(&cases, &results));
        print!("{}", bars::all(&cases, &results, options.quick));
    }
    let machine_wanted =
        "java Loops Maps Texts Hello".contains(&options.only) || options.only.starts_with("java ");
    if machine_wanted && options.part.is_none_or(|part| part == Part::Java) {
        println!();
        print!("{}", java::bench(rounds, |name| name.contains(&options.only))?);
    }
    if options.part.is_none_or(|part| part == Part::Budgets) {
        print!("{}", budgets::bench(|name| name.contains(&options.only))?);
    }
    // Hours, so only if it is asked for.
    if options.part == Some(Part::Auto) {
        let seeds = options.rounds.unwrap_or(if options.quick { 1 } else { 5 });
        print!("{}", auto::bench(seeds, |name| name.contains(&options.only))?);
    }
    let parts = match options.part {
        None | Some(Part::Explore(None)) => explore::Part::value_variants().to_vec(),
        Some(Part::Explore(Some(part))) => vec![part],
        Some(Part::Models | Part::Java | Part::Budgets | Part::Auto) => Vec::new(),
    };
    if !parts.is_empty() {
        let scale = explore::Scale { rounds, quick: options.quick };
        print!("{}", explore::bench(&parts, scale, |name| name.contains(&options.only))?);
    }
    Ok(())
}
