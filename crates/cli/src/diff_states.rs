//! `sojourner diff-states`.

use crate::args::{DiffStates, Visits};
use crate::exit::Exit;
use crate::interrupts;
use crate::progress::Progress;
use crate::usage::Usage;
use sojourner_frontend::{FrontEnds, Request, Target, Time, Visit, VisitStates};
use sojourner_program::{Component, Detail, Encode, Fault, Program, Schedule, Step, Verdict};
use sojourner_report::{Difference, Differences, DifferingKind, Style, two_states};
use sojourner_search::{Budget, Settings, Shape, Strategy, Wanted, compare, differences};
use sojourner_trace::{Token, Trace};
use std::path::Path;

/// Tells what makes states of a program differ that look alike, or in what two states of it differ.
pub fn diff_states(front_ends: &impl FrontEnds, options: &DiffStates, style: Style) -> Result<Exit, Usage> {
    let at: Vec<Saved> = options.at.iter().map(|text| Saved::read(text)).collect::<Result<_, _>>()?;
    if ![0, 2].contains(&at.len()) {
        return Err(Usage::Settings("two states are compared: give --at twice, or not at all".into()));
    }
    let DiffStates { target, arguments, program, .. } = options;
    let job = Job { options, at: &at, style };
    let request = Request { arguments, tell: crate::tell, ..Request::new(target, &program.given) };
    let result = front_ends.open(&request, job)??;
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

    fn visit<T: Target>(self, target: &T) -> Self::Out {
        target.by_states(self)
    }
}

impl VisitStates for Job<'_> {
    type Out = Result<Result<String, Fault>, Usage>;

    fn hashed<T: Target>(self, _: &T) -> Self::Out {
        Err(Usage::WithoutStates(self.options.target.clone()))
    }

    fn encoded<T: Target<P: Encode>>(self, target: &T) -> Self::Out {
        match self.at {
            [one, other] => {
                let (one, other) = (state_at(target, one)?, state_at(target, other)?);
                Ok(one.and_then(|one| {
                    let all: Vec<Difference> = compare(one, other?).into_iter().map(shown).collect();
                    Ok(two_states(&all, self.style))
                }))
            }
            _ => self.explore(target),
        }
    }
}

impl Job<'_> {
    fn explore<T: Target<P: Encode>>(&self, program: &T) -> Result<Result<String, Fault>, Usage> {
        let DiffStates { target, arguments, states, time, search, top, .. } = self.options;
        let shape = match search {
            Visits::Bfs => Shape::BreadthFirst(None),
            Visits::Dfs => Shape::DepthFirst,
        };
        let settings = Settings {
            budget: Budget { states: Some(*states), time: time.map(|Time(time)| time), ..Budget::default() },
            wanted: Wanted::All,
            ..Settings::new(Strategy::plain(shape))
        };
        let halt = interrupts::heed();
        let progress = Progress::new();
        let result = differences(program, &settings, &halt, &progress);
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
        Ok(Ok(sojourner_report::differences(&table, top.get(), self.style)))
    }
}

fn shown(difference: sojourner_search::Difference) -> Difference {
    let sojourner_search::Difference { kind, owner, values } = difference;
    Difference { kind, owner, values }
}

/// The state that a schedule leads to.
fn state_at<T: Target<P: Encode>>(target: &T, saved: &Saved) -> Result<Result<Vec<Component>, Fault>, Usage> {
    let schedule = match saved {
        Saved::Token(token) => token.choices(target.threads()),
        Saved::Trace(trace) => {
            target.learn(&trace.program.learned);
            trace.choices(target.threads())
        }
    };
    let schedule =
        schedule.map_err(|flaw| Usage::Replay(format!("the schedule cannot be followed: {flaw}")))?;
    Ok(follow(target, &schedule))
}

fn follow<T: Target<P: Encode>>(target: &T, schedule: &Schedule) -> Result<Vec<Component>, Fault> {
    let mut program = target.open_to_follow()?;
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
