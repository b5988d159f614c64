//! From what a search has to say to a result.

use crate::check::Label;
use sojourner_frontend::Target;
use sojourner_program::{Fault, Finding, Verdict};
use sojourner_report::{Found, Member, SearchMemory, SearchName, Stats, StoreUse, Summary};
use sojourner_search::{Memory, Outcome, Reason};
use sojourner_store::{Omission, Report};

/// The result without its findings.
pub fn of<T: Target>(outcome: &Outcome, label: &Label, search: &str, seed: u64, target: &T) -> Summary {
    // Of `auto`, one search is exhaustive: what matters is why that one did not end.
    let auto = search.starts_with("auto") && outcome.reasons.len() > 1;
    let telling = outcome.reasons.iter().filter(|reason| !(auto && **reason == Reason::Randomised));
    let mut reasons: Vec<String> = telling.map(|reason| reason.to_string()).collect();
    if let Some(fault) = &outcome.fault {
        reasons.insert(0, fault_text(fault));
    }
    let verdict = outcome.verdict();
    let mut caveats = target.caveats(verdict);
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
    let lesser = outcome.lesser.iter().map(|race| &race.finding);
    let noticed = target.warnings();
    let warnings = noticed.iter().chain(lesser).map(|finding| sojourner_report::sentence(&finding.message));
    let tally = outcome.tally;
    let (cpu_seconds, peak_memory_bytes) = process_usage();
    let Memory { store, queue, pools } = outcome.memory;
    Summary {
        command: label.command.clone(),
        target: label.target.clone(),
        arguments: label.arguments.clone(),
        verdict,
        reasons,
        findings: Vec::new(),
        warnings: warnings.collect(),
        caveats,
        search: SearchName { name: search.into(), seed, winner: outcome.winner, repeat: Vec::new() },
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
            memory: SearchMemory { store, queue, pools },
            garbage: outcome.garbage,
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
    let entry =
        |found: &sojourner_search::Found| Found { preemptions: found.preemptions, ..entry(&found.finding) };
    outcome.found.iter().map(entry).collect()
}

/// A finding as results show it, without its trace.
pub fn entry(finding: &Finding) -> Found {
    Found {
        kind: finding.kind,
        message: finding.message.clone(),
        type_name: finding.type_name.clone(),
        thread: None,
        location: finding.location.clone(),
        preemptions: None,
        trace_file: None,
        trace: None,
    }
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
