//! What makes states of a program differ: for `diff-states`.

use crate::observe::{Observer, SearchObserver};
use crate::replay::Saved;
use sojourner_frontend::{Target, VisitStates};
use sojourner_program::{Component, Detail, Encode, Fault, Program, Schedule, Step};
use sojourner_report::{Difference, Differences, DifferingKind, Summary};
use sojourner_search::{
    Budget, Halt, Outcome, Settings, SettingsError, Shape, Strategy, Wanted, compare, differences,
};
use sojourner_trace::Flaw;
use std::time::Duration;

/// Which states of a program are compared.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Those that a search visits: each with the nearest of those in which all threads stand at the same places.
    Visited(Visits),
    /// Those at the ends of two schedules.
    Ends(Box<[Saved; 2]>),
}

/// A search for states to compare.
#[derive(Clone, Copy, Debug)]
pub struct Visits {
    /// Breadth-first, and not depth-first.
    pub breadth_first: bool,
    /// The most states.
    pub states: u64,
    /// The longest time, if there is one.
    pub time: Option<Duration>,
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// What the visited states differ in, by kind.
    Visited(Differences),
    /// What the two states differ in.
    Ends(Vec<Difference>),
}

/// Why states cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The program's states are hashes.
    #[error("the states are hashes")]
    Hashed,
    /// A schedule does not fit the program's threads.
    #[error("the schedule cannot be followed: {0}")]
    Flaw(#[from] Flaw),
    /// The search cannot run.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The program cannot be run.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Comparison {
    /// Compares states of a program that is called `name` in the result.
    pub fn run<T: Target>(
        &self,
        target: &T,
        name: &str,
        observer: &dyn Observer,
        halt: &Halt<'_>,
    ) -> Result<Compared, CompareError> {
        target.by_states(Running { comparison: self, name, observer, halt })
    }
}

struct Running<'a> {
    comparison: &'a Comparison,
    name: &'a str,
    observer: &'a dyn Observer,
    halt: &'a Halt<'a>,
}

impl VisitStates for Running<'_> {
    type Out = Result<Compared, CompareError>;

    fn hashed<T: Target>(self, _: &T) -> Self::Out {
        Err(CompareError::Hashed)
    }

    fn encoded<T: Target<P: Encode>>(self, target: &T) -> Self::Out {
        match self.comparison {
            Comparison::Visited(visits) => self.explore(target, *visits).map(Compared::Visited),
            Comparison::Ends(ends) => {
                let [one, other] = &**ends;
                let (one, other) = (state_at(target, one)?, state_at(target, other)?);
                Ok(Compared::Ends(compare(one, other).into_iter().map(shown).collect()))
            }
        }
    }
}

impl Running<'_> {
    fn explore<T: Target<P: Encode>>(&self, target: &T, visits: Visits) -> Result<Differences, CompareError> {
        let shape = if visits.breadth_first { Shape::BreadthFirst(None) } else { Shape::DepthFirst };
        let settings = Settings {
            budget: Budget { states: Some(visits.states), time: visits.time, ..Budget::default() },
            wanted: Wanted::All,
            ..Settings::new(Strategy::plain(shape))
        };
        // A step that does not return leaves no result here.
        let conclude = |_: &Outcome| Summary::default();
        let observe = SearchObserver { observer: self.observer, first: true, conclude };
        let (all, outcome) = differences(target, &settings, self.halt, &observe)?;
        if let Some(fault) = outcome.fault {
            return Err(fault.into());
        }
        Ok(Differences {
            program: self.name.into(),
            reasons: outcome.reasons.iter().map(ToString::to_string).collect(),
            states: all.states,
            places: all.places,
            pairs: all.pairs,
            kinds: all.kinds.into_iter().map(shown_kind).collect(),
        })
    }
}

fn shown_kind(kind: sojourner_search::DifferenceKind) -> DifferingKind {
    DifferingKind {
        pairs: kind.pairs,
        alone: kind.alone,
        without: kind.without,
        example: Difference { kind: kind.name, ..shown(kind.example) },
    }
}

fn shown(difference: sojourner_search::Difference) -> Difference {
    let sojourner_search::Difference { kind, owner, values } = difference;
    Difference { kind, owner, values }
}

/// The state that a schedule leads to.
fn state_at<T: Target<P: Encode>>(target: &T, saved: &Saved) -> Result<Vec<Component>, CompareError> {
    let schedule = match saved {
        Saved::Token(token) => token.choices(target.threads())?,
        Saved::Trace(trace) => {
            target.learn(&trace.program.learned);
            trace.choices(target.threads())?
        }
    };
    Ok(follow(target, &schedule)?)
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
