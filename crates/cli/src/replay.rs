//! `sojourner replay`.

use crate::args::{Java, Native, NativeLine, Replay};
use crate::exit::Exit;
use crate::summary;
use crate::target::{Candidate, Programs, Request, Visit};
use crate::usage::Usage;
use sojourner_program::{Choice, Encode, Fault, Finding, Kind, Load, Schedule, Verdict};
use sojourner_report::{Style, trace_text};
use sojourner_search::{comes_back, replay as follow};
use sojourner_trace::{Flaw, Origin, Search, Token, Trace};

/// A token is there to be pasted: longer ones are not printed.
const LONGEST_TOKEN: usize = 1000;

/// Follows a saved schedule of one of the programs and shows what happens.
pub fn replay(
    programs: &impl Programs,
    options: &Replay,
    java: &Java,
    native: &Native,
    style: Style,
) -> Result<Exit, Usage> {
    let saved = match &options.token {
        Some(token) => Saved::Token(token.parse::<Token>()?),
        None => {
            if !options.arguments.is_empty() {
                return Err(Usage::Replay(
                    "a trace has the program's arguments in it: leave them out".into(),
                ));
            }
            Saved::Trace(Box::new(Trace::load(&options.target)?))
        }
    };
    let (line, origin) = match &saved {
        Saved::Token(_) => {
            let origin = Origin {
                target: options.target.clone(),
                arguments: options.arguments.clone(),
                options: NativeLine::words(&[], java, native),
                ..Origin::default()
            };
            (NativeLine { more: Vec::new(), native: native.clone(), java: java.clone() }, origin)
        }
        Saved::Trace(trace) => (moved(&trace.program, java, native)?, trace.program.clone()),
    };
    let request = Request {
        target: &origin.target,
        more: &line.more,
        arguments: &origin.arguments,
        java: &line.java,
        native: &line.native,
    };
    let job = Job { saved: &saved, origin: &origin, original: options.original, other: options.other, style };
    let (text, verdict) = programs.open(request, job)??;
    crate::print(&text)?;
    Ok(Exit::Verdict(verdict))
}

/// The options that a trace has in it, with classes and the JDK where the user says that they are now.
fn moved(program: &Origin, now: &Java, native: &Native) -> Result<NativeLine, Usage> {
    let saved = NativeLine::from_words(&program.options).map_err(|error| {
        let why = error.to_string();
        let why = why.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Usage::Replay(format!("the options that the trace was saved with are not understood: {why}"))
    })?;
    let places = &now.machine.places;
    let only_places = Java::default().moved(places).words();
    let given = NativeLine::words(&[], now, native);
    match given.iter().find(|word| word.starts_with('-') && !only_places.contains(word)) {
        Some(option) => {
            Err(Usage::Replay(format!("a trace has the program's options in it: leave out {option}")))
        }
        None => Ok(NativeLine { java: saved.java.moved(places), ..saved }),
    }
}

/// Where the schedule comes from.
enum Saved {
    Trace(Box<Trace>),
    Token(Token),
}

/// A replay of a program whose type is not known yet.
struct Job<'a> {
    saved: &'a Saved,
    origin: &'a Origin,
    original: bool,
    other: bool,
    style: Style,
}

impl Visit for Job<'_> {
    type Out = Result<(String, Verdict), Usage>;

    fn visit<C: Candidate<P: Encode>>(self, load: &C) -> Self::Out {
        self.visit_stateless(load)
    }

    /// Such programs notice it themselves when threads repeat themselves, and otherwise the trace says that they go round.
    fn visit_stateless<C: Candidate>(self, load: &C) -> Self::Out {
        self.show(load, |schedule| matches!(comes_back(load, schedule), Ok(Some(_))))
    }
}

impl Job<'_> {
    /// Follows the schedule and shows what happens. `comes_back` says whether a schedule comes back to a state.
    fn show<C: Candidate>(
        &self,
        load: &C,
        comes_back: impl Fn(&[Choice]) -> bool,
    ) -> Result<(String, Verdict), Usage> {
        load.learn(&self.origin.learned);
        let mut text = String::new();
        let (schedule, expected, search) = match self.saved {
            Saved::Token(token) => (token.choices(load.threads()).map_err(flaw)?, None, Search::default()),
            Saved::Trace(trace) => {
                if trace.program.hash.is_some() && trace.program.hash != load.hash() {
                    text.push_str("note: the program has changed since the trace was saved\n\n");
                }
                if self.other && trace.other.is_none() {
                    let why = "the trace has no other execution: that is for exit statuses that depend on the schedule";
                    return Err(Usage::Replay(why.into()));
                }
                if self.original && trace.original.is_none() {
                    text.push_str("note: the schedule was saved as it was found, there is no other\n\n");
                }
                let other = trace.other.as_ref().filter(|_| self.other);
                let expected = other.map_or(&trace.finding, |other| &other.finding);
                (self.schedule(trace, load)?, Some(expected), trace.search.clone())
            }
        };
        let replayed = match follow(load, &schedule) {
            Ok(replayed) => replayed,
            Err(Fault::Diverged { step, why, .. }) => {
                // Steps are counted from 1 wherever people read them.
                text.push_str(&format!(
                    "the trace does not fit this program: step {} of {} cannot be taken: {why}\n",
                    step + 1,
                    schedule.len()
                ));
                return Ok((text, Verdict::Incomplete));
            }
            Err(fault) => {
                text.push_str(&format!("{fault}\n"));
                return Ok((text, Verdict::Unsupported));
            }
        };
        let livelock = expected.filter(|expected| matches!(expected.kind, Kind::Livelock | Kind::Hang));
        let livelock = livelock.filter(|_| replayed.finding.is_none() && comes_back(&schedule));
        let finding = match expected {
            // The thread does not tell defects apart.
            Some(saved) => replayed.shows(&Finding {
                kind: saved.kind,
                message: String::new(),
                type_name: saved.type_name.clone(),
                thread: None,
                location: saved.location.clone(),
            }),
            None => {
                let status = replayed.status.filter(|status| *status != 0);
                replayed.lesser.last().cloned().or(status.map(Finding::exit))
            }
        };
        // That a status depends on the schedule takes two executions to see.
        let finding = finding.map(|finding| match expected {
            Some(saved) if finding.kind == Kind::Exit => {
                Finding { message: saved.message.clone(), ..finding }
            }
            _ => finding,
        });
        let finding = finding.or_else(|| replayed.finding.clone());
        let finding = finding.or(livelock.map(|saved| Finding::new(saved.kind, &saved.message)));
        let Some(finding) = finding else {
            let steps = replayed.events.len();
            text.push_str(&format!(
                "nothing is found: the schedule ends after {steps} steps without an error\n"
            ));
            return Ok((text, Verdict::Incomplete));
        };
        let taken: Schedule = replayed.events.iter().map(|event| event.choice).collect();
        let mut trace = summary::trace(load, &replayed, &finding, &taken, None, self.origin.clone(), search)
            .map_err(|error| Usage::Replay(error.to_string()))?;
        if let Saved::Trace(saved) = self.saved
            && !self.other
        {
            trace.other.clone_from(&saved.other);
        }
        if taken.len() < schedule.len() {
            text.push_str(&format!(
                "note: the finding comes after {} of the {} steps\n\n",
                taken.len(),
                schedule.len()
            ));
        }
        text.push_str(&trace_text(&trace, self.style));
        let token = trace.token().to_string();
        text.push_str(&match token.len() {
            _ if !trace.program.learned.is_empty() => {
                "\nreplay token: none, it would not say what had been learned of the program; keep the trace file\n"
                    .into()
            }
            0..=LONGEST_TOKEN => format!("\nreplay token: {token}\n"),
            n => format!("\nreplay token: none, it would have {n} characters; keep the trace file\n"),
        });
        if expected.is_some_and(|expected| {
            (expected.kind, &expected.type_name) != (finding.kind, &finding.type_name)
        }) {
            text.push_str("note: this is not the finding that was saved\n");
            return Ok((text, Verdict::Incomplete));
        }
        Ok((text, Verdict::Found))
    }

    fn schedule<L: Load>(&self, trace: &Trace, load: &L) -> Result<Schedule, Usage> {
        let other = trace.other.as_ref().filter(|_| self.other).map(|other| &other.schedule);
        let original = trace.original.as_ref().filter(|_| self.original);
        let Some(schedule) = other.or(original) else {
            return trace.choices(load.threads()).map_err(flaw);
        };
        let identities: Vec<_> = trace.threads.iter().map(|thread| thread.identity.clone()).collect();
        let token = Token { threads: identities, schedule: schedule.clone() };
        token.choices(load.threads()).map_err(flaw)
    }
}

fn flaw(flaw: Flaw) -> Usage {
    Usage::Replay(format!("the schedule cannot be followed: {flaw}"))
}
