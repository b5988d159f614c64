//! The line that is shown while a search runs.

use crate::human;

/// A search at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    /// States so far; 0 if the search keeps none.
    pub states: u64,
    /// Transitions so far.
    pub transitions: u64,
    /// Complete executions so far; 0 if the search does not count them.
    pub executions: u64,
    /// States, or transitions where there are no states, of each second since the last tick.
    pub rate: f64,
    /// The depth of the search now.
    pub depth: u64,
    /// The states that are waiting to be expanded; 0 if the search keeps none.
    pub frontier: u64,
    /// The memory in use.
    pub memory_bytes: u64,
    /// The time since the start.
    pub seconds: f64,
}

/// The moment in one line, as in `1.2 M states  600 k/s  depth 42  frontier 10.0 k  3.4 GB  1m 02s`.
///
/// What does not fit into `width` columns is left out, the least telling first; `width` 0 is no limit.
pub fn line(tick: &Tick, width: usize) -> String {
    let mut parts = Vec::new();
    // Each with how long it stays when the line gets narrow: the higher, the longer.
    match tick.states {
        0 => parts.push((9, format!("{} transitions", human::count(tick.transitions)))),
        states => parts.push((9, format!("{} states", human::count(states)))),
    }
    if tick.executions > 0 {
        parts.push((6, format!("{} executions", human::count(tick.executions))));
    }
    if tick.rate.is_finite() && tick.rate >= 0.0 {
        parts.push((5, format!("{}/s", human::count(tick.rate.round() as u64))));
    }
    parts.push((3, format!("depth {}", human::count(tick.depth))));
    if tick.frontier > 0 {
        parts.push((2, format!("frontier {}", human::count(tick.frontier))));
    }
    parts.push((4, human::bytes(tick.memory_bytes)));
    parts.push((8, human::duration(tick.seconds)));
    let mut text = join(&parts);
    while width > 0 && text.len() > width && parts.len() > 1 {
        let least = (0..parts.len()).min_by_key(|&i| parts[i].0).unwrap_or(0);
        parts.remove(least);
        text = join(&parts);
    }
    text
}

/// That a race was found, and for how long the search goes on, in two lines.
pub fn noticed(message: &str, seconds: f64) -> String {
    let (race, time) = (human::sentence(message), human::duration(seconds));
    format!("race: {race}\n  the search goes on for something worse, for {time} at most\n")
}

fn join(parts: &[(u8, String)]) -> String {
    parts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_line_keeps_what_tells_most() {
        let tick = Tick {
            states: 1_234_567,
            transitions: 3_000_000,
            executions: 0,
            rate: 600_000.4,
            depth: 42,
            frontier: 10_000,
            memory_bytes: 3_400_000_000,
            seconds: 62.0,
        };
        assert_eq!(line(&tick, 0), "1.2 M states  600 k/s  depth 42  frontier 10.0 k  3.4 GB  1m 02s");
        assert_eq!(line(&tick, 40), "1.2 M states  600 k/s  3.4 GB  1m 02s");
        assert_eq!(line(&tick, 1), "1.2 M states");
    }

    #[test]
    fn a_search_without_a_store_counts_executions() {
        let tick =
            Tick { transitions: 12_000, executions: 340, rate: f64::NAN, seconds: 0.5, ..Tick::default() };
        assert_eq!(line(&tick, 0), "12.0 k transitions  340 executions  depth 0  0 B  0.50 s");
    }
}
