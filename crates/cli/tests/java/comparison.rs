//! What two executions of one program have not in common.

use super::execution::Execution;
use super::program::Program;

/// How many lines of a difference are shown, and how many characters of a line.
const SHOWN_LINES: usize = 40;
const SHOWN_WIDTH: usize = 240;
/// How many equal lines are shown around those that differ.
const CONTEXT: usize = 2;

pub struct Difference {
    /// In one line.
    pub summary: String,
    /// Line by line: `-` is what `java` wrote and we did not, `+` what we wrote and it did not.
    pub lines: Vec<String>,
}

impl Difference {
    fn brief(summary: String) -> Self {
        Difference { summary, lines: vec![] }
    }
}

/// All differences; none if the program runs as by `java`. That `java` does not end with the status that the program declares
/// is one, too: the program is wrong then.
pub fn compare(program: &Program, reference: &Execution, ours: &Execution) -> Vec<Difference> {
    if reference.status != Some(program.status) {
        let summary = format!("java itself ends with {:?}, not with {}", reference.status, program.status);
        return vec![Difference { summary, lines: reference.err.lines().map(str::to_owned).collect() }];
    }
    let mut differences = Vec::new();
    if ours.overdue {
        differences.push(Difference::brief("time is up".to_owned()));
    } else if ours.status != reference.status {
        let status = ours.status.map_or("none, by a signal".to_owned(), |status| status.to_string());
        differences.push(Difference::brief(format!("exit status {status}, not {}", program.status)));
    }
    for (name, expected, found) in
        [("standard output", &reference.out, &ours.out), ("standard error", &reference.err, &ours.err)]
    {
        if expected != found {
            differences.push(between(name, expected, found));
        }
    }
    differences
}

fn between(name: &str, expected: &str, found: &str) -> Difference {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.split('\n').collect(), found.split('\n').collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let line =
        |lines: &[&str]| lines.get(first).map_or("nothing".to_owned(), |line| format!("`{}`", cut(line, 60)));
    let summary = format!("{name} differs in line {}: {} instead of {}", first + 1, line(&new), line(&old));
    let mut lines = Vec::new();
    let edits = edits(&old, &new);
    let mut hidden = false;
    for (at, (mark, text)) in edits.iter().enumerate() {
        let near = &edits[at.saturating_sub(CONTEXT)..edits.len().min(at + CONTEXT + 1)];
        if near.iter().all(|(mark, _)| *mark == ' ') {
            hidden = true;
            continue;
        }
        if lines.len() >= SHOWN_LINES {
            lines.push("...".to_owned());
            break;
        }
        if std::mem::take(&mut hidden) {
            lines.push("...".to_owned());
        }
        lines.push(format!("{mark} {}", cut(text, SHOWN_WIDTH)));
    }
    Difference { summary, lines }
}

/// The shortest way from one text to the other, by the table of longest common subsequences; what both begin and end with
/// is taken off before, and of the rest at most a thousand lines on either side are looked at.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let limited =
        |lines: &[&'a str]| lines[head..lines.len() - tail].iter().take(1000).copied().collect::<Vec<_>>();
    let (a, b) = (limited(old), limited(new));
    let mut common = vec![vec![0u16; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] =
                if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let mut edits: Vec<(char, &str)> = old[..head].iter().map(|line| (' ', *line)).collect();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            edits.push((' ', a[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[i + 1][j] >= common[i][j + 1]) {
            edits.push(('-', a[i]));
            i += 1;
        } else {
            edits.push(('+', b[j]));
            j += 1;
        }
    }
    edits.extend(old[old.len() - tail..].iter().map(|line| (' ', *line)));
    edits
}

fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width) {
        Some((at, _)) => format!("{}...", &line[..at]),
        None => line.to_owned(),
    }
}
