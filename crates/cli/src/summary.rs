//! From what a search has to say to what people and machines read.

use crate::target::{Candidate, Request};
use sojourner_program::{Choice, Fault, Finding, Kind, Load, Schedule, Verdict};
use sojourner_report::{Found, Member, SearchName, Stats, StoreUse, Summary};
use sojourner_search::{Outcome, Reason, Replayed, replay};
use sojourner_store::{Omission, Report};
use sojourner_trace::{Cast, Event, Origin, Other, RunsError, Search, Trace, Waiting};
use std::path::PathBuf;

/// What was checked, and how.
pub struct Subject<'a> {
    pub command: &'a str,
    pub request: Request<'a>,
    pub search: String,
    pub seed: u64,
}

/// The result without its findings.
pub fn of<C: Candidate>(outcome: &Outcome, subject: &Subject<'_>, candidate: &C) -> Summary {
    // Of `auto`, one search is exhaustive: what matters is why that one did not end.
    let auto = subject.search.starts_with("auto") && outcome.reasons.len() > 1;
    let telling = outcome.reasons.iter().filter(|reason| !(auto && **reason == Reason::Randomised));
    let mut reasons: Vec<String> = telling.map(|reason| reason.to_string()).collect();
    if let Some(fault) = &outcome.fault {
        reasons.insert(0, fault_text(fault));
    }
    let verdict = outcome.verdict();
    let mut caveats = candidate.caveats(verdict);
    if let ([status], Verdict::Clean) = (&outcome.statuses[..], verdict)
        && *status != 0
    {
        caveats
            .push(format!("the program ends with status {status} under every schedule (--exit: a finding)"));
    }
    // Only a proof rests on it that no state was missed.
    if let Some(Report { omission: Omission::Probability(p), .. }) = &outcome.store
        && *p > 0.0
        && verdict == Verdict::Clean
    {
        caveats
            .push(format!("states are told apart by fingerprints: one was missed with probability {p:.1e}"));
    }
    let lesser = outcome.lesser.iter().map(|race| sojourner_report::sentence(&race.finding.message));
    let tally = outcome.tally;
    let (cpu_seconds, peak_memory_bytes) = process_usage();
    Summary {
        command: subject.command.into(),
        target: subject.request.target.into(),
        arguments: subject.request.arguments.to_vec(),
        verdict,
        reasons,
        findings: Vec::new(),
        warnings: candidate.warnings().into_iter().chain(lesser).collect(),
        caveats,
        search: SearchName { name: subject.search.clone(), seed: subject.seed, winner: outcome.winner },
        members: outcome.members.iter().map(member).collect(),
        stats: Stats {
            states: tally.states,
            transitions: tally.transitions,
            executions: tally.executions,
            blocked_executions: tally.blocked_executions,
            await_blocked_executions: tally.cut_executions,
            max_depth: tally.max_depth,
            restarts: outcome.restarts,
            seconds: outcome.elapsed.as_secs_f64(),
            cpu_seconds,
            peak_memory_bytes,
        },
        store: outcome.store.as_ref().map(store_use),
    }
}

fn fault_text(fault: &Fault) -> String {
    match fault {
        Fault::Unsupported { location: Some(location), .. }
        | Fault::TooLong { location: Some(location), .. } => format!("{fault}, at {location}"),
        _ => fault.to_string(),
    }
}

fn member(member: &sojourner_search::Member) -> Member {
    Member {
        name: member.name.clone(),
        seed: member.seed,
        states: member.tally.states,
        transitions: member.tally.transitions,
        executions: member.tally.executions,
        ended: member.ended.clone(),
    }
}

fn store_use(report: &Report) -> StoreUse {
    let note = match report.omission {
        Omission::Impossible => "lossless".into(),
        Omission::Probability(_) => "fingerprints tell states apart".into(),
        Omission::Expected(n) => format!("{n:.2} states expected to be missed"),
        Omission::NotStored => "nothing is kept".into(),
    };
    let pools = report.pools.iter().map(|pool| (pool.name.clone(), pool.entries, pool.bytes)).collect();
    StoreUse { name: report.name.into(), states: report.states, bytes: report.bytes, note, pools }
}

/// The findings as they are known before their traces are there.
pub fn announced(outcome: &Outcome) -> Vec<Found> {
    outcome.found.iter().map(|found| entry(&found.finding)).collect()
}

/// Makes each finding's schedule short as `shorten` can, saves its trace where `path` says, and puts into the result what the
/// trace shows. `shorten` is told how many findings are left, with this one.
pub fn add_findings<C: Candidate>(
    summary: &mut Summary,
    load: &C,
    outcome: &Outcome,
    subject: &Subject<'_>,
    shorten: impl Fn(&[Choice], &Finding, usize) -> Option<Schedule>,
    path: impl Fn(Kind, usize) -> PathBuf,
) {
    let origin = Origin {
        target: subject.request.target.into(),
        arguments: subject.request.arguments.to_vec(),
        options: subject.request.words(),
        learned: load.learned(),
        hash: load.hash(),
    };
    summary.findings.clear();
    for (nth, found) in outcome.found.iter().enumerate() {
        let mut shown = entry(&found.finding);
        if let Some(schedule) = &found.schedule {
            // A livelock or a hang is not in a state but in the way back to it.
            let may = !matches!(found.finding.kind, Kind::Livelock | Kind::Hang);
            let left = outcome.found.len() - nth;
            let short = may.then(|| shorten(schedule, &found.finding, left)).flatten();
            let search = Search { name: subject.search.clone(), seed: subject.seed };
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
                    trace(load, &replayed, &finding, schedule, other.as_ref(), origin.clone(), search);
                traced.map_err(|error| format!("no trace: {error}"))
            });
            match traced {
                Ok(trace) => {
                    let path = path(found.finding.kind, nth);
                    let saved = trace.save(&path);
                    shown = Found { trace_file: saved.is_ok().then_some(path), ..Found::of(trace) };
                    summary.warnings.extend(saved.err().map(|error| error.to_string()));
                }
                Err(why) => summary.warnings.push(why),
            }
        }
        summary.findings.push(shown);
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

/// A finding as results show it, without its trace.
fn entry(finding: &Finding) -> Found {
    Found {
        kind: finding.kind,
        message: finding.message.clone(),
        type_name: finding.type_name.clone(),
        thread: None,
        location: finding.location.clone(),
        trace_file: None,
        trace: None,
    }
}

/// The trace of a replayed finding. `original` is the schedule before it was made short, `other` an execution that ends otherwise.
pub fn trace<L: Load>(
    load: &L,
    replayed: &Replayed,
    finding: &Finding,
    original: &[Choice],
    other: Option<&(Finding, Schedule)>,
    program: Origin,
    search: Search,
) -> Result<Trace, RunsError> {
    let schedule: Schedule = replayed.events.iter().map(|event| event.choice).collect();
    let name = |id| {
        let known = replayed.threads.iter().find(|(thread, _)| *thread == id);
        known.map_or_else(|| format!("thread {}", load.threads().identity(id)), |(_, name)| name.clone())
    };
    let mut cast = Cast::new(load.threads(), name);
    // Columns stand in the order of the threads, not in that of their first steps.
    for (thread, _) in &replayed.threads {
        cast.index(*thread);
    }
    Ok(Trace {
        program,
        version: env!("CARGO_PKG_VERSION").into(),
        search,
        finding: cast.finding(finding),
        schedule: cast.runs(&schedule)?,
        events: replayed
            .events
            .iter()
            .map(|event| Event {
                thread: cast.index(event.choice.thread),
                words: event.words.clone(),
                location: event.location.clone(),
                timeout: event.timeout.as_ref().map(|timeout| cast.timeout(timeout)),
            })
            .collect(),
        end: replayed.end.clone(),
        waiting: replayed
            .waiting
            .iter()
            .map(|(thread, words)| Waiting { thread: cast.index(*thread), words: words.clone() })
            .collect(),
        other: match other {
            Some((finding, schedule)) => {
                Some(Other { finding: cast.finding(finding), schedule: cast.runs(schedule)? })
            }
            None => None,
        },
        original: if original == schedule { None } else { Some(cast.runs(original)?) },
        threads: cast.into_threads(),
    })
}

/// The processor time and the peak memory of this process, as far as the system tells.
fn process_usage() -> (f64, u64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in parentheses may hold anything; the fields behind it are numbered from 3.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |n: usize| fields.get(n - 3).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
    ((ticks(14) + ticks(15)) / 100.0, kilobytes * 1024)
}
