//! A trace as text: what was found, the steps that lead there, why the last one fails.

use crate::human;
use crate::page::Page;
use crate::steps::{Window, name, steps};
use crate::style::{Style, Tone, one_line};
use crate::timeouts::timeouts;
use sojourner_program::{Kind, Location};
use sojourner_trace::{Runs, Trace};

/// More than people read from end to end, and less than fills a scroll buffer.
const WINDOW: Window = Window { head: 200, tail: 200, lines: 200 };

/// A saved finding: the program, what was found, the steps, and the last state.
pub fn trace_text(trace: &Trace, style: Style) -> String {
    let mut page = Page::new(style);
    let finding = &trace.finding;
    page.head(Tone::Bad, finding.kind.name(), &finding.message);
    page.row("program", &command(&trace.program.target, &trace.program.options, &trace.program.arguments));
    if !trace.search.name.is_empty() {
        page.row("found by", &format!("{}, seed {}", trace.search.name, trace.search.seed));
    }
    let thread = finding.thread.map(|thread| name(trace, thread));
    circumstances(&mut page, finding.type_name.as_deref(), thread.as_deref(), finding.location.as_ref());
    page.blank();
    body(&mut page, trace, WINDOW);
    page.finish()
}

/// The type of a finding, its thread, and its place.
pub(crate) fn circumstances(
    page: &mut Page,
    type_name: Option<&str>,
    thread: Option<&str>,
    location: Option<&Location>,
) {
    page.row("type", type_name.unwrap_or_default());
    page.row("thread", &one_line(thread.unwrap_or_default()));
    page.row("at", &location.map(|place| one_line(&place.to_string())).unwrap_or_default());
}

/// The steps, their numbers, why the last one fails, and the state after it.
pub(crate) fn body(page: &mut Page, trace: &Trace, window: Window) {
    steps(page, trace, window);
    page.blank();
    let mut length = size(&trace.schedule);
    if let Some(original) = &trace.original {
        length += &format!("; before shortening {}", size(original));
    }
    page.row("length", &length);
    why(page, trace);
    timeouts(page, trace);
    if let Some(other) = &trace.other {
        page.row("otherwise", &format!("{} (replay --other)", other.finding.message));
    }
    for (label, text) in sections(&trace.end) {
        page.passage(&label, &text, window.lines);
    }
}

/// What lines below the name of a section start with.
const INDENT: &str = "  ";

/// The parts of a state's description, each with its name. A line that ends in a colon, with indented ones below it, names
/// what these are, as `output:` does; all else is simply the state.
fn sections(end: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    let mut named = false;
    let mut lines = end.lines().peekable();
    while let Some(line) = lines.next() {
        let names = !line.starts_with(' ') && lines.peek().is_some_and(|next| next.starts_with(INDENT));
        if let Some(name) = line.strip_suffix(':').filter(|_| names) {
            sections.push((one_line(name), String::new()));
            named = true;
            continue;
        }
        let inside = line.strip_prefix(INDENT).filter(|_| named);
        named &= inside.is_some() || line.is_empty();
        match sections.last_mut().filter(|(name, _)| named || name == STATE) {
            Some((_, text)) => text.extend(["\n", inside.unwrap_or(line)]),
            None => sections.push((STATE.into(), line.into())),
        }
    }
    sections
}

/// What a description is of unless it says otherwise.
const STATE: &str = "state";

fn size(schedule: &Runs) -> String {
    let (steps, switches) = (schedule.len(), schedule.context_switches());
    format!("{}, {}", human::plural(steps, "step"), human::plural(switches, "context switch"))
}

fn why(page: &mut Page, trace: &Trace) {
    let finding = &trace.finding;
    if finding.kind == Kind::Deadlock && !trace.waiting.is_empty() {
        let waiting = trace.waiting.iter().map(|waiting| match waiting.words.trim() {
            "" => format!("{} waits", name(trace, waiting.thread)),
            words => format!("{} waits for {words}", name(trace, waiting.thread)),
        });
        page.rows(Tone::Bad, "why", waiting);
    } else {
        let steps = trace.schedule.len();
        let place = match finding.thread {
            Some(thread) => format!("{}, at step {}: ", name(trace, thread), human::exact(steps)),
            None if steps > 0 => format!("after step {}: ", human::exact(steps)),
            None => String::new(),
        };
        // What follows the first line, such as the stack of an exception, stands above.
        let message = finding.message.trim_start().lines().next().unwrap_or_default();
        page.row_in(Tone::Bad, "why", &(place + message));
    }
}

/// The program with its options and arguments, as it could be typed.
pub(crate) fn command(target: &str, options: &[String], arguments: &[String]) -> String {
    let mut text = quote(target);
    for option in options {
        text.push(' ');
        text.push_str(&quote(option));
    }
    if !arguments.is_empty() {
        text.push_str(" --");
    }
    for argument in arguments {
        text.push(' ');
        text.push_str(&quote(argument));
    }
    text
}

/// A word for a shell: in quotes if it has anything but plain characters.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", one_line(&word.replace('\'', "'\\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_in_sections() {
        let parts = |end: &str| {
            let sections = sections(end).into_iter();
            sections.map(|(name, text)| format!("{name}={}", text.replace('\n', "|"))).collect::<Vec<_>>()
        };
        assert_eq!(parts(""), [""; 0]);
        assert_eq!(parts("forks: 0 1\n  eaten: 2"), ["state=forks: 0 1|  eaten: 2"]);
        assert_eq!(parts("output:\n  a\n    b\n\n  c\nthreads:\n  d"), ["output=|a|  b||c", "threads=|d"]);
        assert_eq!(parts("x = 1\noutput:\n  a\ny = 2\nz:"), ["state=x = 1", "output=|a", "state=y = 2|z:"]);
    }
}
