//! Findings: short schedules, replayed, with their traces.

use crate::check::Label;
use crate::summary::entry;
use crate::traces::trace;
use sojourner_frontend::Target;
use sojourner_program::{Choice, Finding, Kind, Load, Schedule};
use sojourner_report::{Found, Summary};
use sojourner_search::{Outcome, Replayed, replay};
use sojourner_trace::{Origin, Search};
use std::path::PathBuf;

/// Makes each finding's schedule short as `shorten` can, saves its trace where `path` says, and puts into the result what the
/// trace shows. `shorten` is told how many findings are left, with this one.
pub fn add<T: Target>(
    summary: &mut Summary,
    load: &T,
    outcome: &Outcome,
    label: &Label,
    shorten: impl Fn(&[Choice], &Finding, usize) -> Option<Schedule>,
    path: impl Fn(Kind, usize) -> Option<PathBuf>,
) {
    let origin = Origin {
        target: label.target.clone(),
        arguments: label.arguments.clone(),
        options: label.options.clone(),
        learned: load.learned(),
        hash: load.content_hash(),
    };
    summary.findings.clear();
    // Of searches that can be had alone, the trace names the one that found it.
    let name = match summary.winner().filter(|_| !summary.search.repeat.is_empty()) {
        Some(winner) => Search { name: winner.name.clone(), seed: winner.seed },
        None => Search { name: summary.search.name.clone(), seed: summary.search.seed },
    };
    for (nth, found) in outcome.found.iter().enumerate() {
        let mut shown = entry(&found.finding);
        if let Some(schedule) = &found.schedule {
            // A livelock or a hang is not in a state but in the way back to it.
            let may = !matches!(found.finding.kind, Kind::Livelock | Kind::Hang);
            let left = outcome.found.len() - nth;
            let short = may.then(|| shorten(schedule, &found.finding, left)).flatten();
            let replayed = replayed(load, found, short.as_deref().unwrap_or(schedule), schedule);
            let other = found.other.as_ref().map(|other| {
                let other = otherwise(load, other, |schedule, end| shorten(schedule, end, left));
                other.ok_or("the execution with the other exit status does not replay")
            });
            let other = other.transpose().unwrap_or_else(|why| {
                summary.warnings.push(why.into());
                None
            });
            let traced = replayed.and_then(|(replayed, finding)| {
                let traced =
                    trace(load, &replayed, &finding, schedule, other.as_ref(), origin.clone(), name.clone());
                traced.map_err(|error| format!("no trace: {error}"))
            });
            match traced {
                Ok(trace) => {
                    let path = path(found.finding.kind, nth);
                    let saved = path.as_ref().map_or(Ok(()), |path| trace.save(path));
                    shown = Found { trace_file: path.filter(|_| saved.is_ok()), ..Found::of(trace) };
                    summary.warnings.extend(saved.err().map(|error| error.to_string()));
                }
                Err(why) => summary.warnings.push(why),
            }
        }
        summary.findings.push(Found { preemptions: found.preemptions, ..shown });
    }
}

/// How an execution with another exit status ends, with its schedule made short.
fn otherwise<L: Load>(
    load: &L,
    schedule: &[Choice],
    shorten: impl Fn(&[Choice], &Finding) -> Option<Schedule>,
) -> Option<(Finding, Schedule)> {
    let status = |schedule: &[Choice]| replay(load, schedule).ok()?.status;
    let end = Finding::exit(status(schedule)?);
    let short =
        shorten(schedule, &end).filter(|short| status(short).map(Finding::exit).as_ref() == Some(&end));
    Some((end, short.unwrap_or_else(|| schedule.to_vec())))
}

/// Follows the short schedule of a finding, or the original one if the short one does not lead to the same defect. The finding
/// is as it shows at the end of that schedule.
fn replayed<L: Load>(
    load: &L,
    found: &sojourner_search::Found,
    short: &[Choice],
    original: &[Choice],
) -> Result<(Replayed, Finding), String> {
    let mut why = "the finding does not replay".to_string();
    for schedule in [short, original] {
        match replay(load, schedule) {
            Ok(replayed) => match replayed.shows(&found.finding).or(replayed.finding.clone()) {
                // That a status depends on the schedule takes two executions to see.
                Some(finding) if finding.same_defect(&found.finding) && found.other.is_some() => {
                    return Ok((replayed, found.finding.clone()));
                }
                Some(finding) if finding.same_defect(&found.finding) => return Ok((replayed, finding)),
                // A cycle of states does not show in the last one.
                None if schedule == original => return Ok((replayed, found.finding.clone())),
                None => {}
                Some(other) => {
                    why = format!("the finding does not replay: its schedule leads to a {}", other.kind);
                }
            },
            Err(fault) => why = format!("the finding does not replay: {fault}"),
        }
    }
    Err(why)
}
