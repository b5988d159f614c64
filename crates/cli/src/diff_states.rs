//! `sojourner diff-states`: parses, hands over, prints.

use crate::args::{DiffStates, Order};
use crate::exit::Exit;
use crate::interrupts;
use crate::progress::Progress;
use crate::usage::Usage;
use sojourner_check::{CompareError, Compared, Comparison, Halt, Observer, Saved, Tick, Visits};
use sojourner_frontend::{FrontEnds, Request, Target, Time, Visit};
use sojourner_program::Verdict;
use sojourner_report::{Style, differences, two_states};
use sojourner_trace::Trace;
use std::path::Path;
use std::sync::Arc;

/// Tells what makes states of a program differ that look alike, or in what two states of it differ.
pub fn diff_states(front_ends: &impl FrontEnds, options: &DiffStates, style: Style) -> Result<Exit, Usage> {
    let DiffStates { target, arguments, program, .. } = options;
    let request = Request { arguments, tell: crate::tell, ..Request::new(target, &program.given) };
    let name = [std::slice::from_ref(target), &arguments[..]].concat().join(" ");
    let comparison = comparison(options)?;
    // Schedules are followed to their ends; only a search heeds an interrupt.
    let halt = if options.at.is_empty() { interrupts::heed() } else { Arc::new(Halt::new()) };
    let job = Job { comparison, name, halt: &halt };
    match front_ends.open(&request, job)? {
        Ok(Compared::Visited(all)) => crate::print(&differences(&all, options.top.get(), style)),
        Ok(Compared::Ends(all)) => crate::print(&two_states(&all, style)),
        Err(CompareError::Fault(fault)) => {
            crate::say(&format!("unsupported: {fault}\n"));
            Ok(Exit::Verdict(Verdict::Unsupported))
        }
        Err(CompareError::Hashed) => Err(Usage::WithoutStates(target.clone())),
        Err(error @ CompareError::Flaw(_)) => Err(Usage::Replay(error.to_string())),
        Err(CompareError::Settings(error)) => Err(Usage::Settings(error.to_string())),
    }
}

/// What the options ask for.
fn comparison(options: &DiffStates) -> Result<Comparison, Usage> {
    let &DiffStates { search, states, time, .. } = options;
    match &options.at[..] {
        [] => {
            let time = time.map(|Time(time)| time);
            Ok(Comparison::Visited(Visits { breadth_first: search == Order::Bfs, states, time }))
        }
        [one, other] => Ok(Comparison::Ends(Box::new([saved(one)?, saved(other)?]))),
        _ => Err(Usage::Settings("two states are compared: give --at twice, or not at all".into())),
    }
}

/// Reads a schedule: a file's name, or a token.
fn saved(text: &str) -> Result<Saved, Usage> {
    match text.parse() {
        Ok(token) if !Path::new(text).exists() => Ok(Saved::Token(token)),
        _ => Ok(Saved::Trace(Box::new(Trace::load(text)?))),
    }
}

struct Job<'a> {
    comparison: Comparison,
    name: String,
    halt: &'a Halt<'a>,
}

impl Visit for Job<'_> {
    type Out = Result<Compared, CompareError>;

    fn visit<T: Target>(self, target: &T) -> Self::Out {
        let progress = Progress::new();
        let compared = self.comparison.run(target, &self.name, &progress, self.halt);
        progress.finish();
        compared
    }
}

impl Observer for Progress {
    fn tick(&self, tick: &Tick) {
        Progress::tick(self, tick);
    }
}
