//! A result as text: one screen, the verdict first, then why, then the numbers, then what to do next.
//!
//! The order is that of the questions an engineer asks. The numbers follow the report of Spin's `pan`.

use crate::page::Page;
use crate::steps::Window;
use crate::style::{Style, Tone, cut, one_line, width};
use crate::trace_text::{body, circumstances, command, quote};
use crate::{Found, StoreUse, Summary, Verdict, human};

/// With the numbers below it, this is about a screen.
const WINDOW: Window = Window { head: 16, tail: 24, lines: 20 };

/// The summary of a check: the headline and the details.
pub fn text(summary: &Summary, style: Style) -> String {
    headline(summary, style) + &details(summary, style)
}

/// The verdict and the program, in a line. Of findings only the number and the kinds count, so that it can be shown before their
/// traces are there.
pub fn headline(summary: &Summary, style: Style) -> String {
    let mut page = Page::new(style);
    verdict(&mut page, summary);
    page.finish()
}

/// All that follows the headline.
pub fn details(summary: &Summary, style: Style) -> String {
    let mut page = Page::below(style);
    page.rows(Tone::Plain, "because", &summary.reasons);
    let several = summary.findings.len() > 1;
    for (i, found) in summary.findings.iter().enumerate() {
        page.blank();
        finding(&mut page, found, several.then_some(i + 1), &summary.command);
    }
    page.blank();
    numbers(&mut page, summary);
    if !summary.members.is_empty() {
        page.blank();
        members(&mut page, summary);
    }
    page.blank();
    page.rows(Tone::Warn, "warning", &summary.warnings);
    page.rows(Tone::Plain, "caveat", &summary.caveats);
    page.row("next", &next(summary));
    page.finish().trim_end().to_owned() + "\n"
}

fn verdict(page: &mut Page, summary: &Summary) {
    let program = command(&summary.target, &[], &summary.arguments);
    let (tone, rest) = match summary.verdict {
        Verdict::Clean => (Tone::Good, format!("no finding in {program}, and everything was explored")),
        Verdict::Found => match &summary.findings[..] {
            [one] => (Tone::Bad, format!("{} in {program}", one.kind)),
            many => (Tone::Bad, format!("{} in {program}", human::plural(many.len() as u64, "finding"))),
        },
        Verdict::Incomplete => {
            (Tone::Warn, format!("no finding in {program}, and not everything was explored"))
        }
        Verdict::Unsupported => (Tone::Warn, format!("{program} does something that cannot be modelled")),
    };
    page.head(tone, summary.verdict.name(), &rest);
}

fn finding(page: &mut Page, found: &Found, number: Option<usize>, command: &str) {
    let kind = number.map_or(found.kind.to_string(), |number| format!("{number}. {}", found.kind));
    page.head(Tone::Bad, &kind, &found.message);
    circumstances(page, found.type_name.as_deref(), found.thread.as_deref(), found.location.as_ref());
    if let Some(trace) = &found.trace {
        page.blank();
        body(page, trace, WINDOW);
    }
    if let Some(bound) = found.preemptions {
        page.row("bound", &format!("found with at most {}", human::plural(bound.into(), "preemption")));
    }
    if let Some(path) = &found.trace_file {
        page.row_unbroken("replay", &format!("{command} replay {}", quote(&path.to_string_lossy())));
    }
}

fn numbers(page: &mut Page, summary: &Summary) {
    let stats = &summary.stats;
    let mut search = format!("{}, seed {}", one_line(&summary.search.name), summary.search.seed);
    if let Some(winner) = summary.winner() {
        search += &format!("; decided by {} with seed {}", one_line(&winner.name), winner.seed);
    }
    page.row("search", &search);
    if let Some(repeat) = summary.repeat() {
        page.row_unbroken("repeat", &repeat);
    }
    let mut explored = Vec::new();
    if stats.states > 0 {
        explored.push(human::plural(stats.states, "state"));
    }
    explored.push(human::plural(stats.transitions, "transition"));
    if stats.executions > 0 {
        explored.push(human::plural(stats.executions, "execution"));
    }
    explored.push(format!("depth {}", human::exact(stats.max_depth)));
    page.row("explored", &explored.join(", "));
    if stats.restarts > 0 {
        let times = human::plural(stats.restarts, "time");
        page.row("", &format!("begun again {times}: what had been left out turned out to matter"));
    }
    let cut: Vec<String> = [
        (stats.blocked_executions, "by sleep sets"),
        (stats.await_blocked_executions, "waiting for a value, or where they had been"),
    ]
    .iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, how)| format!("{} {how}", human::plural(*n, "execution")))
    .collect();
    page.row("cut", &cut.join(", "));
    let (n, unit) =
        if stats.states > 0 { (stats.states, "states") } else { (stats.transitions, "transitions") };
    let mut time =
        format!("{}, {} of processor", human::duration(stats.seconds), human::duration(stats.cpu_seconds));
    if let Some(rate) = human::rate(n, unit, stats.seconds) {
        time += &format!("; {rate}");
    }
    page.row("time", &time);
    page.row("memory", &format!("{} at most", human::bytes(stats.peak_memory_bytes)));
    if let Some(garbage) = stats.garbage.filter(|garbage| garbage.objects > 0) {
        let objects = human::plural(garbage.objects, "object");
        let runs = garbage.runs.map_or(String::new(), |runs| format!(" in {}", human::plural(runs, "run")));
        page.row("garbage", &format!("{objects} collected{runs}"));
    }
    if let Some(store) = &summary.store {
        page.row("store", &store_line(store));
        for (name, entries, bytes) in &store.pools {
            let name = one_line(name);
            page.row("", &format!("{name}: {} different, {}", human::exact(*entries), human::bytes(*bytes)));
        }
    }
}

fn store_line(store: &StoreUse) -> String {
    let mut line = format!(
        "{}: {} in {}",
        one_line(&store.name),
        human::plural(store.states, "state"),
        human::bytes(store.bytes)
    );
    // A table that is nearly empty would make a state look expensive.
    if store.states >= 10_000 {
        line += &format!(", {:.1} bytes a state", store.bytes as f64 / store.states as f64);
    }
    if !store.note.trim().is_empty() {
        line += &format!("; {}", store.note.trim());
    }
    line
}

/// The columns of the table of searches.
const HEAD: [&str; 6] = ["swarm", "seed", "states", "transitions", "executions", "ended"];

/// The columns that are left out where there is no room for them, the first one first.
const DISPENSABLE: [usize; 3] = [1, 4, 3];

/// The searches of a swarm that have begun, a line for each, with a star at the one that decided.
fn members(page: &mut Page, summary: &Summary) {
    let mut table = vec![(false, HEAD.map(String::from))];
    for (i, member) in summary.members.iter().enumerate() {
        let decided = summary.search.winner == Some(i);
        if !decided && (member.states, member.transitions, member.executions) == (0, 0, 0) {
            continue;
        }
        let cells = [
            cut(&one_line(&member.name), 36),
            member.seed.to_string(),
            human::exact(member.states),
            human::exact(member.transitions),
            human::exact(member.executions),
            cut(&one_line(&member.ended), 36),
        ];
        table.push((decided, cells));
    }
    let mut widths: [usize; 6] =
        std::array::from_fn(|i| table.iter().map(|(_, row)| width(&row[i])).max().unwrap_or(0));
    let total =
        |widths: &[usize; 6]| widths.iter().filter(|wide| **wide > 0).map(|wide| wide + 2).sum::<usize>();
    for column in DISPENSABLE {
        if total(&widths) > page.style.columns() {
            widths[column] = 0;
        }
    }
    // Names are long and tell the searches apart by their first words.
    let excess = total(&widths).saturating_sub(page.style.columns());
    widths[0] = widths[0].saturating_sub(excess).max(12);
    for (i, (decided, row)) in table.iter().enumerate() {
        let mut line = String::from(if *decided { "* " } else { "  " });
        for (j, cell) in row.iter().enumerate().filter(|(j, _)| widths[*j] > 0) {
            let cell = cut(cell, widths[j]);
            let padding = " ".repeat(widths[j] - width(&cell));
            // Words start at one column and numbers end at one.
            let (before, after) =
                if j == 0 || j == 5 { ("", padding.as_str()) } else { (padding.as_str(), "") };
            line += &format!("{before}{cell}{after}  ");
        }
        let tone = match (i, decided) {
            (0, _) => Tone::Faint,
            (_, true) => Tone::Strong,
            _ => Tone::Plain,
        };
        let line = page.style.paint(tone, line.trim_end());
        page.line(&line);
    }
    let waiting = summary.members.len() + 1 - table.len();
    if waiting > 0 {
        let line = page
            .style
            .paint(Tone::Faint, &format!("{} had not begun", human::plural(waiting as u64, "more search")));
        page.line(&format!("  {line}"));
    }
}

/// What the user can do about a verdict that is not the last word.
fn next(summary: &Summary) -> String {
    match summary.verdict {
        Verdict::Clean | Verdict::Found => String::new(),
        Verdict::Unsupported => "take that part out of the program, or check a smaller part of it".into(),
        Verdict::Incomplete => {
            let reasons = summary.reasons.join("\n").to_lowercase();
            let remedies = [
                ("time", "more time (--time)"),
                ("memory", "more memory (--memory) or a smaller store (--store compact, --store bitstate)"),
                ("states:", "more states (--states)"),
                ("executions:", "more executions (--executions)"),
                ("depth", "a greater depth (--depth)"),
                ("preempt", "more preemptions (--preemptions)"),
                ("frontier", "a larger frontier (bound=N of --search)"),
                ("bitstate", "a store that forgets nothing (--store compact)"),
                ("interrupted", "time to finish"),
                ("random", "an exhaustive search (--search auto)"),
            ];
            let fitting: Vec<&str> = remedies
                .iter()
                .filter(|(word, _)| reasons.contains(word))
                .map(|(_, remedy)| *remedy)
                .collect();
            if fitting.is_empty() {
                "run it again and let it finish, or check a smaller instance of the program".into()
            } else {
                format!("give it {}, or a smaller instance of the program", fitting.join(", "))
            }
        }
    }
}
