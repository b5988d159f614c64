//! Executions that never end: which of them are findings, and what the verdict says of them.
//!
//! A depth-first search finds executions that cannot end on its way. After a search of another order that has explored everything, a
//! depth-first search looks for them. Of a search that goes by executions nothing is known of the number of states, so the second
//! search may take as long again, and no longer. Cycles that threads could leave take a search of all states of their own, on request.

use crate::options::Livelocks;
use sojourner_frontend::{Endless as Meaning, States, Target};
use sojourner_program::{Kind, Verdict};
use sojourner_search::{
    Bounds, Endless, Halt, Observe, Outcome, Reason, Settings, SettingsError, Shape, Sight, Strategy,
    explore_fingerprints, livelock,
};
use sojourner_store::StoreKind;
use std::time::Duration;

/// How long the search that follows one by executions may take at least, however soon that was done.
const LEAST_LOOK: Duration = Duration::from_secs(1);
/// How long it may take at most if one like it has run beside the other.
const MOST_LOOK: Duration = Duration::from_secs(10);

/// What a search does about executions that never end, in a program of which they are that.
pub fn mode(asked: Livelocks, meaning: Meaning) -> Endless {
    match (asked, meaning) {
        (Livelocks::Off, _) | (Livelocks::Hangs, Meaning::Ignored) => Endless::Ignored,
        (Livelocks::All, _) | (Livelocks::Hangs, Meaning::Defect) => Endless::Found,
        (Livelocks::Hangs, Meaning::DefectIfOthersEnd) => Endless::FoundBesideEnds,
    }
}

/// Looks for executions that never end, after a search that has not done so.
pub fn look<T: Target>(
    target: &T,
    asked: Livelocks,
    settings: &Settings,
    outcome: Outcome,
    halt: &Halt<'_>,
    observe: &dyn Observe,
) -> Result<Outcome, SettingsError> {
    let outcome = Outcome { endless: sight(target, settings, &outcome), ..outcome };
    let unknown = settings.endless != Endless::Ignored && outcome.endless == Sight::Unknown;
    // Of a program with hashed states, some things show only where a path comes back to itself, as depth-first ones always do.
    let confirms = target.states() == States::Hashed
        && settings.store != StoreKind::None
        && settings.strategy.shape != Shape::DepthFirst;
    if outcome.verdict() != Verdict::Clean || !(asked == Livelocks::All || unknown || confirms) {
        return Ok(outcome);
    }
    let mut budget = settings.budget;
    budget.time = budget.time.map(|time| time.saturating_sub(outcome.elapsed));
    let by_executions = settings.strategy.shape.stateless() || settings.store == StoreKind::None;
    // A program that notices most of it by itself keeps no states, and has been looked at by states beside that, if by several.
    let beside = settings.store == StoreKind::None && !outcome.members.is_empty();
    let looked = match asked {
        Livelocks::All => livelock(target, budget, halt, observe)?,
        Livelocks::Off | Livelocks::Hangs => {
            if by_executions {
                let most = if beside { MOST_LOOK } else { Duration::MAX };
                let time = outcome.elapsed.clamp(LEAST_LOOK, most);
                budget.time = Some(budget.time.map_or(time, |left| left.min(time)));
            }
            budget.executions = None;
            // One that knows that some execution ends, and that is on one thread, does not give up.
            let ends = outcome.tally.executions > 0;
            let endless = if ends { Endless::Found } else { settings.endless };
            let alone = settings.strategy.shape == Shape::DepthFirst || settings.store == StoreKind::None;
            let workers = if alone { 1 } else { settings.workers };
            // Nothing was cut by the bounds of a search that has run every execution.
            let bounds = if by_executions { Bounds::default() } else { settings.bounds };
            let strategy = Strategy::plain(Shape::DepthFirst);
            let store = StoreKind::Compact;
            let again = Settings { strategy, budget, bounds, store, endless, workers, ..settings.clone() };
            let looked = explore_fingerprints(target, &again, halt, observe)?;
            match looked.verdict() == Verdict::Clean && looked.endless == Sight::Unknown && workers > 1 {
                true => explore_fingerprints(target, &Settings { workers: 1, ..again }, halt, observe)?,
                false => looked,
            }
        }
    };
    let outcome = Outcome {
        elapsed: outcome.elapsed + looked.elapsed,
        restarts: outcome.restarts + looked.restarts,
        ..outcome
    };
    // What was explored before stays true if the second search does not come to its end.
    if asked != Livelocks::All && by_executions && looked.verdict() == Verdict::Incomplete {
        let is_overlooked = |reason: &Reason| matches!(reason, Reason::Overlooked(_));
        let endless = if looked.reasons.iter().all(is_overlooked) { looked.endless } else { Sight::Unknown };
        return Ok(Outcome { endless, ..outcome });
    }
    let (endless, reasons) = (looked.endless, looked.reasons);
    Ok(Outcome { found: looked.found, fault: looked.fault, reasons, endless, ..outcome })
}

/// What is known of them after the search. Programs with hashed states notice it by themselves when a thread repeats itself, unless
/// each of several changes what the others look at.
fn sight<T: Target>(target: &T, settings: &Settings, outcome: &Outcome) -> Sight {
    match (target.states(), settings.store) {
        (States::Hashed, StoreKind::None) if target.goes_round() => Sight::Unknown,
        (States::Hashed, StoreKind::None) => Sight::Clear,
        _ => outcome.endless,
    }
}

/// What has to be said of them beside the verdict.
pub fn caveat<T: Target>(
    target: &T,
    asked: Livelocks,
    mode: Endless,
    outcome: &Outcome,
) -> Option<&'static str> {
    let endless = |kind| matches!(kind, Kind::Livelock | Kind::Hang);
    match outcome.verdict() {
        Verdict::Found if outcome.found.iter().any(|found| endless(found.finding.kind)) => {
            (asked != Livelocks::Off).then_some("if the program is meant to run for ever, use --livelock off")
        }
        Verdict::Incomplete if asked == Livelocks::All => {
            Some("livelocks that threads could leave are known only when everything has been explored")
        }
        Verdict::Clean if asked == Livelocks::Off => {
            Some("executions that never end were not looked for (--livelock off)")
        }
        Verdict::Clean if mode == Endless::Ignored || asked == Livelocks::All => None,
        Verdict::Clean => match outcome.endless {
            Sight::Clear => None,
            Sight::Unknown => Some(target.endless_unknown()),
            Sight::NothingEnds => Some(
                "no execution ends, so the program is assumed to run for ever on purpose (--livelock all: report it)",
            ),
        },
        Verdict::Found | Verdict::Incomplete | Verdict::Unsupported => None,
    }
}
