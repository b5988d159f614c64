//! `sojourner replay`: parses, hands over, prints.

use crate::args::Replay as Asked;
use crate::exit::Exit;
use crate::usage::Usage;
use sojourner_check::{End, Note, Replay, ReplayError, Replayed, Saved};
use sojourner_frontend::{FrontEnds, Given, Request, Target, Visit};
use sojourner_report::{Style, trace_text};
use sojourner_trace::{Origin, Token, Trace};

/// A token is there to be pasted: longer ones are not printed.
const LONGEST_TOKEN: usize = 1000;

/// Follows a saved schedule of one of the programs and shows what happens. `now` are the options that are given with it.
pub fn replay(front_ends: &impl FrontEnds, asked: &Asked, now: &Given, style: Style) -> Result<Exit, Usage> {
    let saved = match &asked.token {
        Some(token) => Saved::Token(token.parse::<Token>()?),
        None => {
            if !asked.arguments.is_empty() {
                return Err(Usage::Replay(
                    "a trace contains the program's arguments: leave out the arguments".into(),
                ));
            }
            Saved::Trace(Box::new(Trace::load(&asked.target)?))
        }
    };
    let (given, more, origin) = match &saved {
        Saved::Token(_) => {
            let origin = Origin {
                target: asked.target.clone(),
                arguments: asked.arguments.clone(),
                options: now.words(),
                ..Origin::default()
            };
            (now.clone(), Vec::new(), origin)
        }
        Saved::Trace(trace) => {
            let (given, more) = as_saved(front_ends, &trace.program, now)?;
            (given, more, trace.program.clone())
        }
    };
    let replay = Replay { saved, origin, original: asked.original, other: asked.other };
    let request = Request {
        target: &replay.origin.target,
        more: &more,
        arguments: &replay.origin.arguments,
        options: &given,
        all: false,
        tell: crate::tell,
    };
    let replayed = front_ends.open(&request, Following(&replay))??;
    crate::print(&text(&replayed, style))?;
    Ok(Exit::Verdict(replayed.verdict()))
}

/// The options and further sources that a trace contains, with classes and the JDK where the user says that they are now.
fn as_saved(
    front_ends: &impl FrontEnds,
    program: &Origin,
    now: &Given,
) -> Result<(Given, Vec<String>), Usage> {
    let (saved, more) = Given::read(&front_ends.options(), &program.options).map_err(|error| {
        Usage::Replay(format!("the trace contains options that are not understood: {error}"))
    })?;
    match saved.moved(now) {
        Ok(given) => Ok((given, more)),
        Err(option) => {
            Err(Usage::Replay(format!("a trace contains the program's options: leave out {option}")))
        }
    }
}

struct Following<'a>(&'a Replay);

impl Visit for Following<'_> {
    type Out = Result<Replayed, ReplayError>;

    fn visit<T: Target>(self, target: &T) -> Self::Out {
        self.0.run(target)
    }
}

fn text(replayed: &Replayed, style: Style) -> String {
    let mut text = String::new();
    for note in &replayed.notes {
        text.push_str(match note {
            Note::ProgramChanged => "note: the program has changed since the trace was saved\n\n",
            Note::NoOriginal => "note: the schedule was saved as it was found, there is no other\n\n",
        });
    }
    match &replayed.end {
        End::Diverged { step, of, why } => text.push_str(&format!(
            "the trace does not fit this program: step {step} of {of} cannot be taken: {why}\n"
        )),
        End::Fault(fault) => text.push_str(&format!("{fault}\n")),
        End::Nothing { steps } => text
            .push_str(&format!("nothing is found: the schedule ends after {steps} steps without an error\n")),
        End::Found { trace, steps, of, same } => {
            if steps < of {
                text.push_str(&format!("note: the finding comes after {steps} of the {of} steps\n\n"));
            }
            text.push_str(&trace_text(trace, style));
            text.push_str(&token(trace));
            if !same {
                text.push_str("note: this is not the finding that was saved\n");
            }
        }
    }
    text
}

fn token(trace: &Trace) -> String {
    let token = trace.token().to_string();
    match token.len() {
        _ if !trace.program.learned.is_empty() => {
            "\nreplay token: none, it would not say what had been learned of the program; keep the trace file\n".into()
        }
        0..=LONGEST_TOKEN => format!("\nreplay token: {token}\n"),
        n => format!("\nreplay token: none, it would have {n} characters; keep the trace file\n"),
    }
}
