//! `sojourner diff-states`.

use crate::args::{DiffStates, Native, Visits};
use crate::check::{HALT, heed_interrupts};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::target::{Candidate, Programs, Request, Visit};
use crate::usage::Usage;
use sojourner_program::{Component, Detail, Encode, Fault, Program, Schedule, Step, Verdict};
use sojourner_report::{Difference, Differences, DifferingKind, Style, two_states};
use sojourner_search::{Budget, Settings, Shape, Strategy, Wanted, compare, differences};
use sojourner_trace::{Token, Trace};
use std::path::Path;

/// Tells what makes states of a program differ that look alike, or in what two states of it differ.
pub fn diff_states(programs: &impl Programs, options: &DiffStates, style: Style) -> Result<Exit, Usage> {
    let at: Vec<Saved> = options.at.iter().map(|text| Saved::read(text)).collect::<Result<_, _>>()?;
    if ![0, 2].contains(&at.len()) {
        return Err(Usage::Settings("two states are compared: give --at twice, or not at all".into()));
    }
    let DiffStates { target, arguments, java, .. } = options;
    let job = Job { options, at: &at, style };
    let native = Native::default();
    let result = programs.open(Request { target, more: &[], arguments, java, native: &native }, job)??;
    match result {
        Ok(text) => crate::print(&text),
        Err(fault) => {
            crate::say(&format!("unsupported: {fault}\n"));
            Ok(Exit::Verdict(Verdict::Unsupported))
        }
    }
}

/// A schedule that leads to a state.
enum Saved {
    Trace(Box<Trace>),
    Token(Token),
}

impl Saved {
    fn read(text: &str) -> Result<Saved, Usage> {
        match text.parse() {
            Ok(token) if !Path::new(text).exists() => Ok(Saved::Token(token)),
            _ => Ok(Saved::Trace(Box::new(Trace::load(text)?))),
        }
    }
}

struct Job<'a> {
    options: &'a DiffStates,
    at: &'a [Saved],
    style: Style,
}

impl Visit for Job<'_> {
    type Out = Result<Result<String, Fault>, Usage>;

    fn visit_stateless<C: Candidate>(self, _: &C) -> Self::Out {
        Err(Usage::WithoutStates(self.options.target.clone()))
    }

    fn visit<C: Candidate<P: Encode>>(self, candidate: &C) -> Self::Out {
        match self.at {
            [one, other] => {
                let (one, other) = (state_at(candidate, one)?, state_at(candidate, other)?);
                Ok(one.and_then(|one| {
                    let all: Vec<Difference> = compare(one, other?).into_iter().map(shown).collect();
                    Ok(two_states(&all, self.style))
                }))
            }
            _ => self.explore(candidate),
        }
    }
}

impl Job<'_> {
    fn explore<C: Candidate<P: Encode>>(&self, candidate: &C) -> Result<Result<String, Fault>, Usage> {
        let DiffStates { target, arguments, states, time, search, top, .. } = self.options;
        let shape = match search {
            Visits::Bfs => Shape::BreadthFirst(None),
            Visits::Dfs => Shape::DepthFirst,
        };
        let settings = Settings {
            budget: Budget { states: Some(*states), time: *time, ..Budget::default() },
            wanted: Wanted::All,
            ..Settings::new(Strategy::plain(shape))
        };
        heed_interrupts();
        let progress = Progress::new();
        let result = differences(candidate, &settings, &HALT, &progress);
        progress.finish();
        let (all, outcome) = result.map_err(|error| Usage::Settings(error.to_string()))?;
        if let Some(fault) = outcome.fault {
            return Ok(Err(fault));
        }
        let kind = |kind: sojourner_search::DifferenceKind| DifferingKind {
            pairs: kind.pairs,
            alone: kind.alone,
            without: kind.without,
            example: Difference { kind: kind.name, ..shown(kind.example) },
        };
        let table = Differences {
            program: [std::slice::from_ref(target), &arguments[..]].concat().join(" "),
            reasons: outcome.reasons.iter().map(ToString::to_string).collect(),
            states: all.states,
            places: all.places,
            pairs: all.pairs,
            kinds: all.kinds.into_iter().map(kind).collect(),
        };
        Ok(Ok(sojourner_report::differences(&table, *top, self.style)))
    }
}

fn shown(difference: sojourner_search::Difference) -> Difference {
    let sojourner_search::Difference { kind, owner, values } = difference;
    Difference { kind, owner, values }
}

/// The state that a schedule leads to.
fn state_at<C: Candidate<P: Encode>>(
    candidate: &C,
    saved: &Saved,
) -> Result<Result<Vec<Component>, Fault>, Usage> {
    let schedule = match saved {
        Saved::Token(token) => token.choices(candidate.threads()),
        Saved::Trace(trace) => {
            candidate.learn(&trace.program.learned);
            trace.choices(candidate.threads())
        }
    };
    let schedule =
        schedule.map_err(|flaw| Usage::Replay(format!("the schedule cannot be followed: {flaw}")))?;
    Ok(follow(candidate, &schedule))
}

fn follow<C: Candidate<P: Encode>>(candidate: &C, schedule: &Schedule) -> Result<Vec<Component>, Fault> {
    let mut program = candidate.open_to_follow()?;
    let mut step = Step::new(Detail::Words);
    for &choice in schedule {
        program.step(choice, &mut step)?;
        if step.finding.is_some() {
            break;
        }
    }
    let mut components = Vec::new();
    program.components(&mut components);
    Ok(components)
}
