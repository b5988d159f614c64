//! Live progress on standard error: one line that changes on a terminal, plain lines now and then elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sojourner_program::Finding;
use sojourner_report::progress::{self, Tick};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

/// Shows how a search stands.
pub struct Progress {
    bar: Option<ProgressBar>,
    shown: Mutex<Shown>,
}

/// What was shown last, and when the next plain line is due.
struct Shown {
    transitions: u64,
    states: u64,
    at: Duration,
    next_line: Duration,
}

/// Plain lines start late, so that short searches print none, and become rare.
const FIRST_LINE: Duration = Duration::from_secs(2);

impl Progress {
    /// On a terminal, or not.
    pub fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a constant template"));
            bar
        });
        let shown = Shown { transitions: 0, states: 0, at: Duration::ZERO, next_line: FIRST_LINE };
        Progress { bar, shown: Mutex::new(shown) }
    }

    /// Takes the line away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress {
    /// Shown at once, and above the line that changes.
    pub fn noticed(&self, race: &Finding, goes_on: Duration) {
        let text = progress::noticed(&race.message, goes_on.as_secs_f64());
        match &self.bar {
            Some(bar) => bar.suspend(|| crate::say(&text)),
            None => crate::say(&text),
        }
    }

    /// Shows how the search stands now.
    pub fn tick(&self, tick: &sojourner_search::Tick) {
        let mut shown = self.shown.lock().expect("no holder panics");
        let seconds = (tick.elapsed.saturating_sub(shown.at)).as_secs_f64();
        let new = match tick.tally.states {
            0 => tick.tally.transitions.saturating_sub(shown.transitions),
            states => states.saturating_sub(shown.states),
        };
        let line = |width| {
            let tick = Tick {
                states: tick.tally.states,
                transitions: tick.tally.transitions,
                executions: tick.tally.runs,
                rate: new as f64 / seconds,
                depth: tick.depth,
                frontier: tick.frontier,
                memory_bytes: tick.memory,
                seconds: tick.elapsed.as_secs_f64(),
            };
            progress::line(&tick, width)
        };
        match &self.bar {
            Some(bar) => {
                bar.set_message(line(terminal_width().saturating_sub(2)));
                bar.tick();
            }
            None if tick.elapsed >= shown.next_line => {
                crate::say(&format!("{}\n", line(0)));
                shown.next_line = tick.elapsed * 2;
            }
            None => return,
        }
        (shown.transitions, shown.states) = (tick.tally.transitions, tick.tally.states);
        shown.at = tick.elapsed;
    }
}

/// The width of the terminal, or what is usual.
pub fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(terminal_size::Width(columns), _)| columns.into())
}
