//! `sojourner check`: parses, hands over, prints.

use crate::args::CheckArguments;
use crate::exit::Exit;
use crate::growth::{self, Recorder};
use crate::interrupts;
use crate::outputs::{Output, writable};
use crate::progress::Progress;
use crate::usage::Usage;
use sojourner_check::{
    Check, Growth, Label, Observer, Options, Sample, Samples, Summary, Tick, Traces, Verdict,
};
use sojourner_frontend::{FrontEnds, Request, Target, Visit};
use sojourner_program::Finding;
use sojourner_report::Style;
use std::time::Duration;

/// Checks one of the programs of `front_ends` and reports the result. `command` is the command that does so, for reports.
pub fn check(
    front_ends: &impl FrontEnds,
    request: &Request<'_>,
    how: &CheckArguments,
    command: &str,
    style: Style,
) -> Result<Exit, Usage> {
    let options = Options::of(&how.check.given);
    let request = &Request { all: options.all, ..*request };
    let stem = front_ends.find(request.target)?.stem(request.target);
    let traces = how.trace.clone().map_or(Traces::Named(stem), Traces::File);
    let check = Check::new(options.traces(traces))?;
    refuse_same_files(how, &check)?;
    let label = Label { command: command.into(), ..Label::of(front_ends, request)? };
    let verdict = front_ends.open(request, Job { check, how, label, style })??;
    Ok(Exit::Verdict(verdict))
}

/// Outputs that would overwrite each other, and tables of one search where there are several.
fn refuse_same_files(how: &CheckArguments, check: &Check) -> Result<(), Usage> {
    if how.json.is_some() && how.json == how.trace {
        return Err(Usage::Settings("--json and --trace name the same file: give each its own".into()));
    }
    let tables = [("--growth", &how.growth, "bfs"), ("--samples", &how.samples, "dfs")];
    for (flag, file, search) in tables.into_iter().filter(|(_, file, _)| file.is_some()) {
        if check.has_several_searches() {
            let message = format!("{flag} is for one search: add --search {search}, and leave out --swarm");
            return Err(Usage::Settings(message));
        }
        let others = tables.into_iter().filter(|(other, ..)| *other != flag).map(|(_, other, _)| other);
        if others.chain([&how.json, &how.trace]).any(|other| other == file) {
            let message = format!("{flag} names the file of another output: give each its own");
            return Err(Usage::Settings(message));
        }
    }
    Ok(())
}

/// The most lines of a table of samples: more than a figure can show.
const MOST_SAMPLES: usize = 2048;

/// A check of a program whose type is not known yet.
struct Job<'a> {
    check: Check,
    how: &'a CheckArguments,
    label: Label,
    style: Style,
}

impl Visit for Job<'_> {
    type Out = Result<Verdict, Usage>;

    /// No file is touched before the program is there: what the user asks for may make no sense.
    fn visit<T: Target>(self, target: &T) -> Self::Out {
        let json = self.how.json.as_deref().map(Output::open).transpose()?;
        if let Some(path) = &self.how.trace {
            writable(path)?;
        }
        let halt = interrupts::heed();
        let growth_file = self.how.growth.as_deref().map(Output::open).transpose()?;
        let table = self.how.samples.as_deref().map(Output::open).transpose()?;
        let screen = Screen {
            progress: (!self.how.quiet).then(Progress::new),
            recorder: growth_file.is_some().then(Recorder::default),
            samples: table.is_some().then(|| Samples::new(MOST_SAMPLES)),
            json,
            quiet: self.how.quiet,
            style: self.style,
        };
        let summary = self.check.run(target, &self.label, &screen, &halt);
        screen.finish();
        let summary = summary?;
        if let (Some(growth_file), Some(recorder)) = (&growth_file, &screen.recorder) {
            growth_file.write(&recorder.table(&summary))?;
        }
        if let (Some(table), Some(samples)) = (&table, &screen.samples) {
            table.write(&growth::table_of_samples(samples, &summary))?;
        }
        screen.report(&summary)
    }
}

/// Where results and progress are shown.
struct Screen {
    progress: Option<Progress>,
    recorder: Option<Recorder>,
    samples: Option<Samples>,
    json: Option<Output>,
    quiet: bool,
    style: Style,
}

impl Screen {
    /// Takes the line of progress away.
    fn finish(&self) {
        if let Some(progress) = &self.progress {
            progress.finish();
        }
    }

    /// Shows a part of the text for people.
    fn show(&self, text: &str) {
        match self.json {
            // Standard output is for the machine then.
            Some(Output::Standard) => crate::say(text),
            _ => drop(crate::print(text)),
        }
    }

    /// Shows all that follows the verdict.
    fn report(&self, summary: &Summary) -> Result<Verdict, Usage> {
        if let Some(json) = &self.json {
            json.write(&sojourner_report::json(summary))?;
        }
        if !self.quiet {
            self.show(&sojourner_report::details(summary, self.style));
        }
        Ok(summary.verdict)
    }
}

impl Observer for Screen {
    fn tick(&self, tick: &Tick) {
        if let Some(progress) = &self.progress {
            progress.tick(tick);
        }
    }

    fn deeper(&self, growth: &Growth) {
        if let Some(recorder) = &self.recorder {
            recorder.deeper(growth);
        }
    }

    fn sample_every(&self) -> Option<u64> {
        self.samples.as_ref().map(Samples::every)
    }

    fn sample(&self, sample: &Sample) {
        if let Some(samples) = &self.samples {
            samples.take(sample);
        }
    }

    fn noticed(&self, race: &Finding, goes_on: Duration) {
        if let Some(progress) = &self.progress {
            progress.noticed(race, goes_on);
        }
    }

    /// The verdict is shown as soon as it is known.
    fn concluded(&self, summary: &Summary) {
        self.finish();
        self.show(&match self.quiet {
            true => format!("{}\n", summary.verdict.name()),
            false => sojourner_report::headline(summary, self.style),
        });
    }

    /// No thread can be made to leave a step, so the process ends.
    fn stuck(&self, summary: Summary) {
        crate::leave(|| self.report(&summary).map(Exit::Verdict))
    }
}
