//! A check: from a target to a result.

use crate::endless;
use crate::error::CheckError;
use crate::observe::{Observer, SearchObserver};
use crate::options::{Livelocks, Options};
use crate::searches::Searches;
use crate::{findings, summary, words};
use sojourner_frontend::{FrontEnds, OpenError, Request, States, Target, Visit, VisitStates};
use sojourner_program::{Choice, Encode, Fault, Finding, Schedule, Verdict};
use sojourner_report::Summary;
use sojourner_search::{
    Budget, Effort, Halt, Observe, Outcome, SettingsError, explore, explore_fingerprints, shorten,
    shorten_stateless, swarm, swarm_fingerprints,
};
use std::time::Instant;

/// What results and traces call a program, and how it can be checked again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The command that checks it, and replays its traces.
    pub command: String,
    /// The target, as it can be named to that command.
    pub target: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// Its further sources and options, as they could be typed.
    pub options: Vec<String>,
}

impl Label {
    /// A program of that name, without arguments.
    pub fn new(target: &str) -> Label {
        Label { command: "sojourner".into(), target: target.into(), ..Label::default() }
    }

    /// What is asked for, in the words of the front-end that opens it.
    pub fn of(front_ends: &impl FrontEnds, request: &Request<'_>) -> Result<Label, OpenError> {
        let front_end = front_ends.find(request.target)?;
        Ok(Label {
            arguments: request.arguments.to_vec(),
            options: front_end.words(request),
            ..Label::new(request.target)
        })
    }
}

/// A check that is about to run: options that go together.
#[derive(Clone)]
pub struct Check {
    options: Options,
    searches: Searches,
}

impl Check {
    /// Fails if the options do not go together.
    pub fn new(options: Options) -> Result<Check, CheckError> {
        let searches = Searches::new(&options)?;
        Ok(Check { options, searches })
    }

    /// What is done.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether several searches run.
    pub fn has_several_searches(&self) -> bool {
        !matches!(self.searches, Searches::One(_))
    }

    /// Opens a program and checks it.
    pub fn open(
        &self,
        front_ends: &impl FrontEnds,
        request: &Request<'_>,
        observer: &dyn Observer,
        halt: &Halt<'_>,
    ) -> Result<Summary, CheckError> {
        let request = Request { all: self.options.all, ..*request };
        let label = Label::of(front_ends, &request)?;
        front_ends.open(&request, Opened { check: self, label: &label, observer, halt })?
    }

    /// Checks a program that has been opened. `halt` ends the searches from outside.
    pub fn run<T: Target>(
        &self,
        target: &T,
        label: &Label,
        observer: &dyn Observer,
        halt: &Halt<'_>,
    ) -> Result<Summary, CheckError> {
        let asked = self.options.livelocks;
        let mut searches = self.searches.clone().with(endless::mode(asked, target.endless()));
        if target.states() == States::Hashed {
            match asked {
                Livelocks::Hangs => {}
                Livelocks::Off => target.ignore_endless(),
                Livelocks::All => return Err(CheckError::LivelocksOfHashes),
            }
            searches = searches.for_hashed_states(&self.options)?;
        }
        if let Some(measure) = self.options.heuristic.measure().filter(|_| self.options.is_guided()) {
            let Options { destinations, .. } = &self.options;
            target.guide(destinations, measure, self.options.unit()).map_err(CheckError::Distance)?;
        }
        let running = Running { options: &self.options, searches, target, label, observer, halt };
        Ok(running.run()?)
    }
}

struct Opened<'a> {
    check: &'a Check,
    label: &'a Label,
    observer: &'a dyn Observer,
    halt: &'a Halt<'a>,
}

impl Visit for Opened<'_> {
    type Out = Result<Summary, CheckError>;

    fn visit<T: Target>(self, target: &T) -> Self::Out {
        self.check.run(target, self.label, self.observer, self.halt)
    }
}

/// A check of a program whose type is known.
struct Running<'a, T> {
    options: &'a Options,
    searches: Searches,
    target: &'a T,
    label: &'a Label,
    observer: &'a dyn Observer,
    halt: &'a Halt<'a>,
}

impl<T: Target> Running<'_, T> {
    fn run(&self) -> Result<Summary, SettingsError> {
        let watched = |first| SearchObserver {
            observer: self.observer,
            first,
            conclude: |outcome: &Outcome| self.conclude(outcome),
        };
        let observe = watched(true);
        let (outcome, bound) = match self.options.preemptions {
            None => (self.search(&self.searches, &observe)?, None),
            Some(bounds) => {
                let (outcome, last) =
                    bounds.rounds(&self.searches, |searches| self.search(searches, &observe))?;
                (outcome, Some(last))
            }
        };
        let mut settings = self.searches.decisive(&outcome);
        settings.bounds.preemptions = bound;
        let asked = self.options.livelocks;
        let outcome = endless::look(self.target, asked, &settings, outcome, self.halt, &watched(false))?;
        Ok(self.conclude(&outcome))
    }

    fn search(&self, searches: &Searches, observe: &dyn Observe) -> Result<Outcome, SettingsError> {
        self.target.by_states(Exploring { searches, halt: self.halt, observe })
    }

    /// Makes a result of what came of the search, and saves traces. The observer hears the verdict before: traces take a while.
    fn conclude(&self, outcome: &Outcome) -> Summary {
        let mut summary =
            summary::of(outcome, self.label, &self.searches.name(), self.options.seed, self.target);
        if let (Searches::Swarm(swarm), Some(winner)) = (&self.searches, outcome.winner) {
            let words = words::of_search(self.options, &swarm.searches[winner]);
            summary.search.repeat = words.into_iter().chain(self.label.options.iter().cloned()).collect();
        }
        let (asked, mode) = (self.options.livelocks, self.searches.settings().endless);
        summary.caveats.extend(endless::caveat(self.target, asked, mode, outcome).map(String::from));
        summary.findings = summary::announced(outcome);
        self.observer.concluded(&summary);
        if outcome.verdict() == Verdict::Found {
            let Budget { time, memory, .. } = self.searches.settings().budget;
            let effort = self.options.shorten.effort(outcome.elapsed, time, memory);
            let started = Instant::now();
            let shorten = |schedule: &[Choice], defect: &Finding, left: usize| {
                let effort = effort?;
                let time = effort.time.saturating_sub(started.elapsed()) / left as u32;
                self.shorten(schedule, defect, Effort { time, ..effort }).ok()
            };
            let path = |kind, nth| self.options.traces.path(kind, nth);
            findings::add(&mut summary, self.target, outcome, self.label, shorten, path);
        }
        summary
    }

    /// Makes the schedule of a finding short.
    fn shorten(&self, schedule: &[Choice], defect: &Finding, effort: Effort) -> Result<Schedule, Fault> {
        self.target.by_states(Shortening { schedule, defect, effort, halt: self.halt })
    }
}

/// Runs the searches.
struct Exploring<'a> {
    searches: &'a Searches,
    halt: &'a Halt<'a>,
    observe: &'a dyn Observe,
}

impl VisitStates for Exploring<'_> {
    type Out = Result<Outcome, SettingsError>;

    fn encoded<T: Target<P: Encode>>(self, target: &T) -> Self::Out {
        match self.searches {
            Searches::One(settings) => explore(target, settings, self.halt, self.observe),
            Searches::Several(plans, threads) => swarm(target, plans, *threads, self.halt, self.observe),
            Searches::Swarm(swarm) => swarm.run(target, self.halt, self.observe),
        }
    }

    fn hashed<T: Target>(self, target: &T) -> Self::Out {
        match self.searches {
            Searches::One(settings) => explore_fingerprints(target, settings, self.halt, self.observe),
            Searches::Several(plans, threads) => {
                swarm_fingerprints(target, plans, *threads, self.halt, self.observe)
            }
            Searches::Swarm(swarm) => swarm.run_fingerprints(target, self.halt, self.observe),
        }
    }
}

/// Makes the schedule of a finding short.
struct Shortening<'a> {
    schedule: &'a [Choice],
    defect: &'a Finding,
    effort: Effort,
    halt: &'a Halt<'a>,
}

impl VisitStates for Shortening<'_> {
    type Out = Result<Schedule, Fault>;

    fn encoded<T: Target<P: Encode>>(self, target: &T) -> Self::Out {
        shorten(target, self.schedule, self.defect, self.effort, self.halt)
    }

    fn hashed<T: Target>(self, target: &T) -> Self::Out {
        shorten_stateless(target, self.schedule, self.defect, self.effort, self.halt)
    }
}
