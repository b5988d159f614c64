//! Following a schedule, for people who want to see what happens.

use sojourner_program::{
    Choice, Detail, Fault, Finding, Kind, Load, Location, Program, Schedule, Status, Step, ThreadId, Timeout,
};

/// What happened along a schedule.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The steps that were taken: all of the schedule, unless one failed before its end.
    pub events: Vec<Event>,
    /// What is wrong at the end of them. A state on the way may have been wrong, too.
    pub finding: Option<Finding>,
    /// Errors of the last step that do not end the execution.
    pub lesser: Vec<Finding>,
    /// The exit status, if the program has ended with one.
    pub status: Option<i32>,
    /// Every thread that was there at the end, with its name.
    pub threads: Vec<(ThreadId, String)>,
    /// The threads that were blocked at the end, and what each of them waits for, as far as it is known.
    pub waiting: Vec<(ThreadId, String)>,
    /// The last state in words.
    pub end: String,
}

/// A step of a replay.
#[derive(Clone, Debug)]
pub struct Event {
    /// The choice that was taken.
    pub choice: Choice,
    /// What it did.
    pub words: String,
    /// Where in the program.
    pub location: Option<Location>,
    /// The time-out that expired in it, if one did.
    pub timeout: Option<Timeout>,
}

/// Follows a schedule from the start. A choice that is not there gives `Fault::Diverged`.
pub fn replay<L: Load>(load: &L, schedule: &[Choice]) -> Result<Replayed, Fault> {
    let mut program = load.open_to_follow()?;
    let mut walker = Walker::new(Detail::Words);
    let mut events = Vec::new();
    let mut finding = walker.look(&mut program);
    for (number, &choice) in schedule.iter().enumerate() {
        if walker.failed {
            break;
        }
        if !walker.choices.contains(&choice) {
            let why = format!("it is not among the {} choices there", walker.choices.len());
            return Err(Fault::Diverged { step: number, choice, why });
        }
        finding = walker.take(&mut program, choice)?;
        let step = &mut walker.step;
        events.push(Event {
            choice,
            words: std::mem::take(&mut step.words),
            location: step.location.take(),
            timeout: step.timeout.take(),
        });
    }
    let status = walker.status(finding.as_ref());
    let mut at_end = Vec::new();
    program.threads(&mut at_end);
    let waiting = at_end.iter().filter_map(|thread| match thread.status {
        Status::Blocked(Some(object)) => Some((thread.id, program.object_name(object))),
        // Of a program that does not say what its threads wait for, nothing is said.
        Status::Blocked(None) | Status::Ready | Status::Finished => None,
    });
    let waiting = waiting.collect();
    let threads = at_end.iter().map(|thread| (thread.id, program.name(thread.id))).collect();
    let lesser = std::mem::take(&mut walker.lesser);
    Ok(Replayed { events, finding, lesser, status, threads, waiting, end: program.describe() })
}

impl Replayed {
    /// The defect, as it shows at the end, if it does.
    pub fn shows(&self, defect: &Finding) -> Option<Finding> {
        let exit = self.status.map(Finding::exit);
        let all = self.finding.iter().chain(&self.lesser).chain(&exit);
        all.into_iter().find(|finding| finding.same_defect(defect)).cloned()
    }
}

/// Follows a schedule as far as it goes: choices that are not there are skipped. Returns the choices that were
/// taken if they lead to the same defect.
pub(crate) fn follow<P: Program>(
    program: &mut P,
    schedule: impl IntoIterator<Item = Choice>,
    defect: &Finding,
) -> Result<Option<Schedule>, Fault> {
    program.rewind(0)?;
    let mut walker = Walker::new(Detail::Outcome);
    let mut taken = Schedule::new();
    let mut finding = walker.look(program);
    let mut schedule = schedule.into_iter();
    while !walker.shows(finding.as_ref(), defect) {
        let Some(choice) = schedule.next().filter(|_| !walker.failed) else { return Ok(None) };
        if walker.choices.contains(&choice) {
            finding = walker.take(program, choice)?;
            taken.push(choice);
        }
    }
    Ok(Some(taken))
}

/// Whether a schedule, every choice of it, leads to the defect.
pub(crate) fn reaches<L: Load>(load: &L, schedule: &[Choice], defect: &Finding) -> bool {
    let followed = load.open_to_follow().and_then(|mut program| {
        let taken = follow(&mut program, schedule.iter().copied(), defect)?;
        Ok(taken.is_some_and(|taken| taken == schedule))
    });
    followed.unwrap_or(false)
}

/// A program being walked, and what it offers where it stands.
struct Walker {
    step: Step,
    choices: Vec<Choice>,
    /// Whether the last step failed, so that there is no way on.
    failed: bool,
    /// Errors of the last step that do not end the execution.
    lesser: Vec<Finding>,
}

impl Walker {
    fn new(detail: Detail) -> Self {
        Walker { step: Step::new(detail), choices: Vec::new(), failed: false, lesser: Vec::new() }
    }

    /// The exit status, if the program has ended without a finding.
    fn status(&self, finding: Option<&Finding>) -> Option<i32> {
        let ended = self.choices.is_empty() && !self.failed && finding.is_none();
        if ended { self.step.exit_status } else { None }
    }

    /// Whether the defect shows where the program stands.
    fn shows(&self, finding: Option<&Finding>, defect: &Finding) -> bool {
        let same = |finding: &Finding| finding.same_defect(defect);
        finding.is_some_and(same)
            || self.lesser.iter().any(same)
            || defect.kind == Kind::Exit
                && self.status(finding).is_some_and(|status| same(&Finding::exit(status)))
    }

    fn look<P: Program>(&mut self, program: &mut P) -> Option<Finding> {
        self.choices.clear();
        program.choices(&mut self.choices);
        program.judge(self.choices.is_empty())
    }

    fn take<P: Program>(&mut self, program: &mut P, choice: Choice) -> Result<Option<Finding>, Fault> {
        program.step(choice, &mut self.step)?;
        self.failed = self.step.finding.is_some() && !self.step.goes_on;
        // What a step reports that is still to come shows when it has come.
        let here = self.step.lesser.drain(..).filter(|lesser| lesser.behind.is_empty());
        self.lesser = here.map(|lesser| lesser.finding).collect();
        match self.step.finding.take() {
            Some(finding) => {
                self.choices.clear();
                if !self.failed {
                    program.choices(&mut self.choices);
                }
                Ok(Some(finding))
            }
            None => Ok(self.look(program)),
        }
    }
}
