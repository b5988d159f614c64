//! Random C programs: what the reductions say they can come to is what an interpreter of a few lines says.
//!
//! `SOJOURNER_RANDOM_PROGRAMS` says how many programs there are, `SOJOURNER_RANDOM_SEED` which: program `i` of seed `s` is always
//! the same one. `SOJOURNER_RANDOM_FAMILY` names a sort of operations that all have. A program on which the two do not agree is made smaller as long as they do not, and shown.

mod generate;
mod oracle;
mod program;

use generate::Family;
use oracle::Verdict;
use program::{PROLOGUE, Program};
use sojourner_native::{Compiled, Exploration, NativeProgram, Races, Toolchain, compile};
use sojourner_program::{Finding, Kind, Load, Random, Reducible, forward};
use sojourner_search::{
    Endless, Halt, Outcome, Reason, Reduction, Settings, Shape, Strategy, Unobserved, Wanted,
    explore_fingerprints, explore_stateless,
};
use sojourner_store::StoreKind;
use sojourner_testkit::executions::Traced;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Mutex;

/// How many programs there are if nothing else is said.
const PROGRAMS: usize = 150;
/// How many executions a program may have in the oracle; one that has more is not taken.
const EXECUTIONS: usize = 20_000;
/// How many programs are compiled into one executable.
const BATCH: usize = 50;
/// How many programs are explored at the same time.
const WORKERS: usize = 2;

#[test]
fn reductions_come_to_what_the_oracle_says() {
    agrees(PROGRAMS, &Toolchain::default());
}

#[test]
fn and_so_they_do_with_clang() {
    agrees(BATCH, &Toolchain { cc: "clang".into(), ..Toolchain::default() });
}

/// Holds programs, compiled so, against the oracle: that many, if nothing else is said.
fn agrees(programs: usize, toolchain: &Toolchain) {
    let number = |name: &str, default: usize| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let programs = number("SOJOURNER_RANDOM_PROGRAMS", programs);
    let seed = number("SOJOURNER_RANDOM_SEED", 1) as u64;
    let family = std::env::var("SOJOURNER_RANDOM_FAMILY").ok();
    let family = family.map(|name| Family::named(&name).expect("a family"));
    for first in (0..programs).step_by(BATCH) {
        let cases: Vec<(Program, Verdict)> =
            (first..programs.min(first + BATCH)).map(|nth| random(seed, nth, family)).collect();
        let batch = Batch::of(cases.iter().map(|(program, _)| program), toolchain);
        let wrong = Mutex::new(Vec::new());
        let queue = Mutex::new(cases.iter().enumerate());
        std::thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(|| {
                    while let Some((nth, (_, verdict))) = { queue.lock().unwrap().next() } {
                        for way in Way::ALL {
                            let lines = batch.disagreement(nth, verdict, way);
                            if !lines.is_empty() {
                                wrong.lock().unwrap().push((nth, way, lines));
                                break;
                            }
                        }
                    }
                });
            }
        });
        if let Some((nth, way, lines)) = wrong.into_inner().unwrap().pop() {
            let shrunk = shrunk(&cases[nth].0, toolchain, way, lines);
            panic!("program {} of seed {seed}: {shrunk}", first + nth);
        }
    }
}

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
enum Way {
    Reduced(Reduction),
    /// By states, which leaves some programs to a reduction.
    ByStates,
}

impl Way {
    const ALL: [Way; 5] = {
        let [one, two, three, four] = Reduction::ALL;
        [Way::Reduced(one), Way::Reduced(two), Way::Reduced(three), Way::Reduced(four), Way::ByStates]
    };
}

/// The program of that number, and what it can come to.
fn random(seed: u64, nth: usize, family: Option<Family>) -> (Program, Verdict) {
    let mut random = Random::stream(seed, nth as u64);
    loop {
        let program = generate::generate(&mut random, family);
        if let Some(verdict) = oracle::verdict(&program, EXECUTIONS) {
            return (program, verdict);
        }
    }
}

/// Programs in one executable, which is told by its argument which of them to run.
struct Batch {
    text: String,
    compiled: Compiled,
}

impl Batch {
    fn of<'a>(programs: impl Iterator<Item = &'a Program>, toolchain: &Toolchain) -> Batch {
        let mut text = String::from(PROLOGUE);
        let mut cases = String::new();
        for (nth, program) in programs.enumerate() {
            text.push_str(&program::c(program, &format!("p{nth}")));
            let _ = writeln!(cases, "    case {nth}: return p{nth}();");
        }
        let _ = write!(
            text,
            "int main(int count, char **arguments) {{\n    switch (atoi(arguments[1])) {{\n{cases}    }}\n    return 0;\n}}\n"
        );
        let directory = tempfile::tempdir().expect("a directory");
        let source = directory.path().join("programs.c");
        std::fs::write(&source, &text).expect("a file");
        let compiled = compile(&[source], &[], toolchain).expect("the programs compile");
        Batch { text, compiled }
    }

    /// In what a reduction does not agree with the oracle, with and without a look at races: without one, executions need not start
    /// again each time.
    fn disagreement(&self, nth: usize, verdict: &Verdict, way: Way) -> Vec<String> {
        let Way::Reduced(reduction) = way else { return self.disagreement_by_states(nth, verdict) };
        let mut lines = self.disagreement_with(Races::Warn, nth, verdict, reduction);
        lines.extend(self.disagreement_with(Races::Off, nth, verdict, reduction));
        lines
    }

    fn disagreement_with(
        &self,
        races: Races,
        nth: usize,
        verdict: &Verdict,
        reduction: Reduction,
    ) -> Vec<String> {
        let exploration = Exploration { exit: true, races, ..Exploration::default() };
        let subject = NativeProgram::new(&self.compiled.executable, vec![nth.to_string()], exploration);
        let mut lines = Vec::new();
        let mut seen = BTreeSet::new();
        if verdict.assertion {
            // A reduction that goes on behind a finding, and one that does not.
            let outcome = reduced(&subject, reduction, Wanted::All);
            seen.extend(outcome.found.iter().map(|found| words(&found.finding)));
            fault(&outcome, &mut lines);
            let outcome = reduced(&subject, reduction, Wanted::First);
            fault(&outcome, &mut lines);
            if outcome.found.is_empty() {
                lines.push("nothing is found if the first finding is wanted".into());
            }
        } else {
            // The ends are no findings for the search, so that it does not end with the first of them.
            let traced = Traced::new(Borrowed(&subject), true);
            let outcome = reduced(&traced, reduction, Wanted::First);
            fault(&outcome, &mut lines);
            seen.extend(traced.take().findings.into_iter().map(|(kind, message)| match kind {
                Kind::Exit => message.rsplit(' ').next().unwrap_or_default().to_string(),
                kind => name(kind).to_string(),
            }));
            let exact = matches!(reduction, Reduction::Source | Reduction::Optimal);
            if let Some(expected) = verdict.inequivalent.filter(|_| exact)
                && outcome.tally.executions != expected as u64
            {
                let runs = outcome.tally.executions;
                lines.push(format!("{runs} executions are run, there are {expected} inequivalent ones"));
            }
            let blocked = outcome.tally.blocked_executions;
            if reduction == Reduction::Optimal && blocked > 0 {
                lines.push(format!("{blocked} executions are begun in vain"));
            }
        }
        let mut wanted = verdict.ends();
        if verdict.maybe_livelock && !verdict.livelock {
            seen.remove(Kind::Livelock.name());
        }
        if verdict.copies && races == Races::Off {
            wanted.retain(|end| seen.contains(end));
        }
        differ("end", &seen, &wanted, &mut lines);
        if let Some(raced) = verdict.races.as_ref().filter(|_| races != Races::Off) {
            differ("race", &self.races(&subject.warnings()), raced, &mut lines);
        }
        lines
    }

    /// In what a search that goes by states does not agree with the oracle. If it has left out nothing, it has seen all.
    fn disagreement_by_states(&self, nth: usize, verdict: &Verdict) -> Vec<String> {
        let exploration = Exploration { exit: true, ..Exploration::default() };
        let subject = NativeProgram::new(&self.compiled.executable, vec![nth.to_string()], exploration);
        let mut settings = Settings::new(Strategy::plain(Shape::DepthFirst));
        settings.wanted = if verdict.assertion { Wanted::First } else { Wanted::All };
        settings.endless = Endless::Found;
        let outcome =
            explore_fingerprints(&subject, &settings, &Halt::new(), &Unobserved).expect("the settings fit");
        let mut lines = Vec::new();
        fault(&outcome, &mut lines);
        let seen: BTreeSet<String> = outcome.found.iter().map(|found| words(&found.finding)).collect();
        let mut wanted = verdict.ends();
        // Where no end can be reached is known also if several threads keep each other going.
        wanted.extend(verdict.maybe_livelock.then(|| Kind::Livelock.name().to_string()));
        let is_overlooked = |reason: &Reason| matches!(reason, Reason::Overlooked(_));
        let all = outcome.reasons.iter().all(is_overlooked);
        if outcome.reasons.is_empty() && verdict.races.as_ref().is_some_and(|raced| !raced.is_empty()) {
            lines.push("a race is missed".into());
        }
        if verdict.assertion || !all {
            wanted.retain(|end| seen.contains(end));
        }
        if verdict.assertion && all && seen.is_empty() {
            lines.push("nothing is found".into());
        }
        if !verdict.assertion {
            differ("end", &seen, &wanted, &mut lines);
        } else if seen.contains(Kind::Livelock.name()) && !wanted.contains(Kind::Livelock.name()) {
            lines.push("a livelock cannot be".into());
        }
        lines
    }

    /// The plain variables that are raced for, by the lines that are told.
    fn races(&self, warnings: &[Finding]) -> BTreeSet<usize> {
        let lines: Vec<&str> = self.text.lines().collect();
        let at = |line: u32| program::variables_of(lines[line as usize - 1]);
        let mut all = BTreeSet::new();
        for warning in warnings.iter().filter(|warning| warning.kind == Kind::Race) {
            let here = at(warning.location.as_ref().expect("a race has a place").line);
            let there = warning.type_name.as_ref().and_then(|place| {
                let line = place.rsplit(':').next()?;
                line.split(' ').next()?.parse().ok()
            });
            let there = at(there.expect("the other access has a line"));
            all.extend(here.into_iter().filter(|x| there.contains(x)));
        }
        all
    }
}

impl Verdict {
    /// All that a program can come to, as findings have it.
    fn ends(&self) -> BTreeSet<String> {
        let kinds = [
            (self.assertion, Kind::Assertion),
            (self.deadlock, Kind::Deadlock),
            (self.livelock, Kind::Livelock),
        ];
        let kinds = kinds.into_iter().filter(|(is, _)| *is).map(|(_, kind)| kind.name().to_string());
        self.statuses.iter().map(u32::to_string).chain(kinds).collect()
    }
}

/// A subject that somebody else needs, too.
struct Borrowed<'a>(&'a NativeProgram);

impl Load for Borrowed<'_> {
    type P = <NativeProgram as Load>::P;

    forward!(Load for 0);
}

fn fault(outcome: &Outcome, lines: &mut Vec<String>) {
    lines.extend(outcome.fault.as_ref().map(|fault| format!("{fault}")));
}

fn words(finding: &Finding) -> String {
    match finding.kind {
        Kind::Exit => finding.type_name.clone().unwrap_or_default(),
        kind => name(kind).to_string(),
    }
}

/// The name of a kind. Whether one thread goes round for ever, or several, is not told apart by the oracle.
fn name(kind: Kind) -> &'static str {
    if kind == Kind::Hang { Kind::Livelock.name() } else { kind.name() }
}

fn differ<T: Ord + std::fmt::Debug>(
    what: &str,
    seen: &BTreeSet<T>,
    wanted: &BTreeSet<T>,
    lines: &mut Vec<String>,
) {
    lines.extend(wanted.difference(seen).map(|missing| format!("{what} {missing:?} is missed")));
    lines.extend(seen.difference(wanted).map(|other| format!("{what} {other:?} cannot be")));
}

fn reduced<L: Load<P: Reducible>>(load: &L, reduction: Reduction, wanted: Wanted) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(Shape::Dpor(reduction)));
    settings.store = StoreKind::None;
    settings.wanted = wanted;
    explore_stateless(load, &settings, &Halt::new(), &Unobserved).expect("the settings fit")
}

/// The smallest program that is found to disagree in the same way, and how it does, as text.
fn shrunk(program: &Program, toolchain: &Toolchain, way: Way, lines: Vec<String>) -> String {
    let mut program = program.clone();
    let mut found = None;
    'smaller: loop {
        let candidates = if found.is_none() { vec![program.clone()] } else { program.smaller() };
        let candidates: Vec<(Program, Verdict)> = candidates
            .into_iter()
            .filter_map(|program| oracle::verdict(&program, EXECUTIONS).map(|verdict| (program, verdict)))
            .collect();
        let batch = Batch::of(candidates.iter().map(|(program, _)| program), toolchain);
        for (nth, (candidate, verdict)) in candidates.iter().enumerate() {
            let lines = batch.disagreement(nth, verdict, way);
            if !lines.is_empty() {
                program = candidate.clone();
                found = Some(lines);
                continue 'smaller;
            }
        }
        break;
    }
    let again = if found.is_some() { "" } else { " (but not a second time)" };
    let lines = found.unwrap_or(lines);
    format!("{way:?}{again}:\n  {}\n\n{}", lines.join("\n  "), program::c(&program, "p"))
}
