//! `sojourner replay`.

use crate::args::Replay;
use crate::exit::Exit;
use crate::summary;
use crate::target::Programs;
use crate::usage::Usage;
use sojourner_model::{Checked, Model};
use sojourner_program::{Fault, Load, Schedule, Stateful, Verdict};
use sojourner_report::{Style, trace_text};
use sojourner_search::replay as follow;
use sojourner_testkit::models::Visit;
use sojourner_trace::{Flaw, Origin, Search, Token, Trace};

/// A token is there to be pasted: longer ones are not printed.
const LONGEST_TOKEN: usize = 1000;

/// Follows a saved schedule of one of the programs and shows what happens.
pub fn replay(programs: &impl Programs, options: &Replay, style: Style) -> Result<Exit, Usage> {
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
    let (name, arguments) = match &saved {
        Saved::Token(_) => (&options.target, &options.arguments),
        Saved::Trace(trace) => (&trace.program.target, &trace.program.arguments),
    };
    let origin = Origin { target: name.clone(), arguments: arguments.clone(), hash: None };
    let (text, verdict) = programs.open(
        name,
        arguments,
        Job { saved: &saved, origin, original: options.original, style },
    )??;
    crate::print(&text)?;
    Ok(Exit::Verdict(verdict))
}

/// Where the schedule comes from.
enum Saved {
    Trace(Box<Trace>),
    Token(Token),
}

/// A replay of a program whose type is not known yet.
struct Job<'a> {
    saved: &'a Saved,
    origin: Origin,
    original: bool,
    style: Style,
}

impl Visit for Job<'_> {
    type Out = Result<(String, Verdict), Usage>;

    fn visit<M: Model>(self, model: M) -> Self::Out {
        self.run(&Checked::new(model))
    }
}

impl Job<'_> {
    fn run<L>(self, load: &L) -> Result<(String, Verdict), Usage>
    where
        L: Load,
        L::P: Stateful,
    {
        let mut text = String::new();
        let (schedule, expected, search) = match self.saved {
            Saved::Token(token) => (token.choices(load.threads()).map_err(flaw)?, None, Search::default()),
            Saved::Trace(trace) => {
                let now = load.open().ok().map(|mut program| format!("{:032x}", program.fingerprint()));
                if trace.program.hash.is_some() && trace.program.hash != now {
                    text.push_str("note: the program has changed since the trace was saved\n\n");
                }
                if self.original && trace.original.is_none() {
                    text.push_str("note: the schedule was saved as it was found, there is no other\n\n");
                }
                (self.schedule(trace, load)?, Some(&trace.finding), trace.search.clone())
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
        let Some(finding) = &replayed.finding else {
            let steps = replayed.events.len();
            text.push_str(&format!(
                "nothing is found: the schedule ends after {steps} steps without an error\n"
            ));
            return Ok((text, Verdict::Incomplete));
        };
        let taken: Schedule = replayed.events.iter().map(|event| event.choice).collect();
        let trace = summary::trace(load, &replayed, &taken, self.origin, search)
            .map_err(|error| Usage::Replay(error.to_string()))?;
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
        match (&trace.original, self.original) {
            (Some(original), true) => {
                let identities: Vec<_> = trace.threads.iter().map(|thread| thread.identity.clone()).collect();
                let token = Token { threads: identities, schedule: original.clone() };
                token.choices(load.threads()).map_err(flaw)
            }
            _ => trace.choices(load.threads()).map_err(flaw),
        }
    }
}

fn flaw(flaw: Flaw) -> Usage {
    Usage::Replay(format!("the schedule cannot be followed: {flaw}"))
}
