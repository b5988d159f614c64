//! The steps of a trace: a column for each thread or, where those would be too narrow, a list.
//!
//! Columns show which thread runs when, and that is what a concurrency error is about. They pay only as long as each is
//! wide enough for a few words. The place of a step in the program is never given up for them: people look it up next.

use crate::human;
use crate::page::Page;
use crate::style::{Tone, cut, one_line, width, wrap};
use sojourner_program::Location;
use sojourner_trace::{Move, Trace};
use std::collections::BTreeSet;

/// More threads than this are listed.
const MAX_COLUMNS: usize = 6;

/// Columns narrower than this are not worth having.
const MIN_COLUMN: usize = 14;

/// A thread's name in a list takes no more than this.
const MAX_NAME: usize = 24;

/// A step takes no more lines than this.
const MAX_LINES: usize = 8;

/// If steps take more lines than this on the average, columns are too narrow for what they do.
const MANY_LINES: usize = 3;

/// The space between columns.
const GAP: usize = 2;

/// How much of a long trace is shown.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// So many of the first.
    pub head: u64,
    /// So many of the last, where things go wrong.
    pub tail: u64,
    /// So many lines of each thing that there is to say of the last state.
    pub lines: usize,
}

/// A step that is shown.
struct Shown {
    /// From 1, as people count.
    number: u64,
    thread: u32,
    words: String,
    /// Where it happened, with the function and without; empty if that is not known.
    location: String,
    line: String,
}

/// Appends the steps in the window, and a line for those that are left out.
pub(crate) fn steps(page: &mut Page, trace: &Trace, window: Window) {
    let total = trace.schedule.len();
    if total == 0 {
        page.line("  no step: the first state fails");
        return;
    }
    let (head, tail) =
        if total <= window.head + window.tail { (total, 0) } else { (window.head, window.tail) };
    let mut shown: Vec<Shown> =
        trace.schedule.iter().take(head as usize).zip(0..).map(|(step, at)| show(trace, step, at)).collect();
    let omitted = total - head - tail;
    let resumes = total - tail;
    shown.extend(trace.schedule.iter_from(resumes).zip(resumes..).map(|(step, at)| show(trace, step, at)));

    let layout = Layout::columns(page, trace, &shown).unwrap_or_else(|| Layout::list(page, trace, &shown));
    layout.header(page);
    for (i, step) in shown.iter().enumerate() {
        if i as u64 == head {
            let line = format!("… {} left out", human::plural(omitted, "step"));
            let line = page.style.paint(Tone::Faint, &line);
            page.line(&format!("  {:width$}  {line}", "", width = layout.number));
        }
        let last = step.number == total;
        layout.step(page, trace, step, if last { Tone::Bad } else { Tone::Plain });
    }
}

/// What people call the thread, whether the trace lists it or not.
pub(crate) fn name(trace: &Trace, thread: u32) -> String {
    match trace.name(thread).map(one_line) {
        Some(name) if !name.trim().is_empty() => name,
        _ => format!("thread {thread}"),
    }
}

fn show(trace: &Trace, step: Move, at: u64) -> Shown {
    let event = usize::try_from(at).ok().and_then(|at| trace.events.get(at));
    let words = match event {
        Some(event) => one_line(&event.words),
        None => String::new(),
    };
    let words = match (words.trim(), step.value) {
        ("", None) => "moves".into(),
        ("", Some(value)) => format!("picks {value}"),
        _ => words,
    };
    let place = event.and_then(|event| event.location.as_ref());
    let location = place.map_or(String::new(), |place| one_line(&place.to_string()));
    let line = place.map_or(String::new(), |place| {
        one_line(&Location { function: String::new(), ..place.clone() }.to_string())
    });
    Shown { number: at + 1, thread: step.thread, words, location, line }
}

/// Where things stand on a line.
struct Layout {
    /// The width of the step's number.
    number: usize,
    body: Body,
}

enum Body {
    /// A column for each thread, and that of the places if there are any.
    Columns { columns: Vec<Column>, places: Option<Places> },
    /// The width of the names and that of the words.
    List { names: usize, words: usize },
}

/// The column of a thread.
struct Column {
    thread: u32,
    name: String,
    start: usize,
    width: usize,
}

/// The column that says where in the program steps happened.
#[derive(Clone, Copy)]
struct Places {
    start: usize,
    /// Whether functions are named.
    functions: bool,
}

impl Places {
    fn of(self, step: &Shown) -> &str {
        if self.functions { &step.location } else { &step.line }
    }
}

impl Layout {
    /// Columns, if the threads are few enough and there is room.
    fn columns(page: &Page, trace: &Trace, shown: &[Shown]) -> Option<Layout> {
        let mut indexes = BTreeSet::new();
        for (step, _) in trace.schedule.runs() {
            indexes.insert(step.thread);
            if indexes.len() > MAX_COLUMNS {
                return None;
            }
        }
        let number = number_width(trace);
        let mut columns: Vec<Column> = indexes
            .into_iter()
            .map(|thread| {
                let name = name(trace, thread);
                let words = shown.iter().filter(|step| step.thread == thread).map(|step| width(&step.words));
                let width = words.max().unwrap_or(0).max(width(&name));
                Column { thread, name, start: 0, width }
            })
            .collect();
        let start = 2 + number;
        let room = page.style.columns().checked_sub(start + GAP * columns.len())?;
        let needed: usize = columns.iter().map(|column| column.width).sum();
        let widest = |of: fn(&Shown) -> &str| shown.iter().map(|step| width(of(step))).max().unwrap_or(0);
        let taken = |widest: usize| if widest > 0 { GAP + widest } else { 0 };
        let (full, lines) = (taken(widest(|step| &step.location)), taken(widest(|step| &step.line)));
        // What does not fit is given up in this order: the functions, the width of columns, the columns.
        let functions = needed + full <= room;
        let room = room.checked_sub(if functions { full } else { lines })?;
        if needed > room {
            let share = fair_share(columns.iter().map(|column| column.width).collect(), room);
            if share < MIN_COLUMN {
                return None;
            }
            for column in &mut columns {
                column.width = column.width.min(share);
            }
            let lines: usize = shown.iter().map(|step| wrap(&step.words, share, MAX_LINES).len()).sum();
            if lines > MANY_LINES * shown.len() {
                return None;
            }
        }
        let mut next = start + GAP;
        for column in &mut columns {
            column.start = next;
            next += column.width + GAP;
        }
        let places = (lines > 0).then_some(Places { start: next, functions });
        Some(Layout { number, body: Body::Columns { columns, places } })
    }

    fn list(page: &Page, trace: &Trace, shown: &[Shown]) -> Layout {
        let number = number_width(trace);
        let widest = shown.iter().map(|step| width(&name(trace, step.thread))).max().unwrap_or(0);
        let names = widest.clamp("thread".len(), MAX_NAME.min(page.style.columns() / 3));
        let words = page.style.columns().saturating_sub(2 + number + GAP + names + GAP).max(10);
        Layout { number, body: Body::List { names, words } }
    }

    fn header(&self, page: &mut Page) {
        let mut line = format!("  {:>width$}", "step", width = self.number);
        match &self.body {
            Body::Columns { columns, places } => {
                for column in columns {
                    pad_to(&mut line, column.start);
                    line.push_str(&cut(&column.name, column.width));
                }
                if let Some(places) = places {
                    pad_to(&mut line, places.start);
                    line.push_str("at");
                }
            }
            Body::List { names, .. } => {
                line.push_str("  thread");
                pad_to(&mut line, 2 + self.number + GAP + names + GAP);
                line.push_str("does");
            }
        }
        let line = page.style.paint(Tone::Strong, line.trim_end());
        page.line(&line);
    }

    fn step(&self, page: &mut Page, trace: &Trace, step: &Shown, tone: Tone) {
        let number = format!("  {:>width$}", step.number, width = self.number);
        let (start, wide, place, words) = match &self.body {
            Body::Columns { columns, places } => {
                let column = columns.iter().find(|column| column.thread == step.thread);
                let (start, wide) =
                    column.map_or((number.len() + GAP, MIN_COLUMN), |column| (column.start, column.width));
                let place = places.map(|places| (places.start, places.of(step).to_owned()));
                (start, wide, place, step.words.clone())
            }
            Body::List { names, words } => {
                let with = |place: &str| match place {
                    "" => step.words.clone(),
                    place => format!("{}  [{place}]", step.words),
                };
                let full = Some(with(&step.location)).filter(|text| width(text) <= *words);
                let text = full.unwrap_or_else(|| with(&step.line));
                (number.len() + GAP + names + GAP, *words, None, text)
            }
        };
        for (i, words) in wrap(&words, wide, MAX_LINES).into_iter().enumerate() {
            let mut line = if i == 0 { number.clone() } else { String::new() };
            if let (Body::List { names, .. }, 0) = (&self.body, i) {
                line.push_str("  ");
                line.push_str(&cut(&name(trace, step.thread), *names));
            }
            pad_to(&mut line, start);
            let after = start + width(&words);
            line.push_str(&page.style.paint(tone, &words));
            if let (Some((start, place)), 0) = (&place, i) {
                line.push_str(&" ".repeat(start.saturating_sub(after)));
                line.push_str(&page.style.paint(Tone::Faint, place));
            }
            page.line(&line);
        }
    }
}

fn number_width(trace: &Trace) -> usize {
    trace.schedule.len().to_string().len().max("step".len())
}

/// Appends spaces up to a column.
fn pad_to(line: &mut String, column: usize) {
    let used = width(line);
    line.push_str(&" ".repeat(column.saturating_sub(used)));
}

/// The width to which columns must be cut so that together they fit into `room`: narrow ones keep theirs.
fn fair_share(mut widths: Vec<usize>, mut room: usize) -> usize {
    widths.sort_unstable();
    for (i, wide) in widths.iter().enumerate() {
        let share = room / (widths.len() - i);
        if *wide > share {
            return share;
        }
        room -= wide;
    }
    usize::MAX
}
