//! The exploration of Java and C programs: `sojourner check` as a user runs it, in a process of its own.
//!
//! The programs are those of `examples` and some in `bench/java`. A program that gets another verdict than it should
//! fails the benchmark. Times are the least of several rounds, of the whole process: the start of the machine and the end
//! of the process belong to them.

mod by_states;
pub mod check;
mod growth;
mod jpf;
mod native;
mod objects;
mod paper;
mod speed;
mod threads;

use crate::tables::Table;
use check::Checker;
use clap::ValueEnum;
use std::fmt::Write;

/// What can be measured by itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Transitions a second, bytes a state, the time before the first state.
    Speed,
    /// Against the processor time of Java PathFinder.
    Jpf,
    /// Two threads against one.
    Threads,
    /// How spaces grow with the program's parameters, under each reduction.
    Growth,
    /// The tables of Lerda and Visser 2001: components, garbage, symmetry.
    Paper,
    /// C programs under dynamic partial order reduction, and by states.
    Native,
}

/// How it is measured.
#[derive(Clone, Copy)]
pub struct Scale {
    pub rounds: u32,
    /// Smaller programs and less time for each: to see that everything works.
    pub quick: bool,
}

/// What should be achieved, as it was measured.
#[derive(Default)]
struct Bars {
    all: u32,
    missed: u32,
}

impl Bars {
    /// Counts it, and says it in a word.
    fn judge(&mut self, passed: bool) -> &'static str {
        self.all += 1;
        self.missed += u32::from(!passed);
        if passed { "pass" } else { "MISS" }
    }
}

/// Measures the parts, and writes their tables. `wanted` says which programs, by part and program.
pub fn bench(parts: &[Part], scale: Scale, wanted: impl Fn(&str) -> bool) -> anyhow::Result<String> {
    let checker = Checker::new(scale.rounds)?;
    let mut bars = Bars::default();
    let mut out = String::new();
    for part in parts {
        let tables: Vec<Table> = match part {
            Part::Speed => speed::measure(&checker, scale, &mut bars, &wanted)?,
            Part::Jpf => jpf::measure(&checker, scale, &mut bars, &wanted)?,
            Part::Threads => threads::measure(&checker, scale, &mut bars, &wanted)?,
            Part::Growth => growth::measure(&checker, scale, &wanted)?,
            Part::Paper => paper::measure(&checker, scale, &wanted)?,
            Part::Native => {
                let mut tables = native::measure(&checker, scale, &mut bars, &wanted)?;
                tables.extend(by_states::measure(&checker, scale, &mut bars, &wanted)?);
                tables
            }
        };
        for table in tables {
            write!(out, "{table}")?;
        }
    }
    if bars.all > 0 {
        let meant = if scale.quick { " They are meant for the full sizes." } else { "" };
        writeln!(out, "\n{} of {} bars of the exploration missed.{meant}", bars.missed, bars.all)?;
    }
    Ok(out)
}
