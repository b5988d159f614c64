//! Places in the code of a program as users name them.

use super::control_flow::ControlFlow;
use super::executable::Executable;
use crate::names::{code, demangle};
use crate::symbols;
use sojourner_distance::Node;
use sojourner_frontend::Destination;
use std::path::Path;

/// How many names or lines an error offers.
const OFFERED: usize = 3;

/// The nodes of the destinations. With none, those of all failures that the program names.
pub fn find(
    executable: &Executable,
    flow: &ControlFlow,
    symbols: &symbols::Shared,
    destinations: &[Destination],
) -> Result<Vec<Node>, String> {
    let places = Places { executable, flow, symbols };
    if destinations.is_empty() {
        return places.failures().ok_or_else(|| {
            "the program has no assertion, abort, throw or panic of its own: name a place with --target"
                .into()
        });
    }
    let mut nodes = Vec::new();
    for destination in destinations {
        nodes.extend(match destination {
            Destination::Line { file, line } => places.at_line(file, *line)?,
            Destination::Function(name) => places.at_start(name)?,
            Destination::Assertions => {
                places.failures().ok_or("the program has no assertion, abort, throw or panic of its own")?
            }
        });
    }
    Ok(nodes)
}

struct Places<'a> {
    executable: &'a Executable,
    flow: &'a ControlFlow,
    symbols: &'a symbols::Shared,
}

impl Places<'_> {
    /// The calls by which the program's own code says that something is wrong.
    fn failures(&self) -> Option<Vec<Node>> {
        let is_own = |behind: u64| {
            let library =
                self.executable.function_at(behind - 1).is_some_and(|number| self.is_library(number));
            !library && self.symbols.own_line(behind).is_some()
        };
        let calls = self.flow.failures.iter().filter(|(behind, _)| *behind > 0 && is_own(*behind));
        let nodes: Vec<Node> = calls.map(|&(_, node)| node).collect();
        (!nodes.is_empty()).then_some(nodes)
    }

    /// Whether a function is one of the standard library of Rust.
    fn is_library(&self, number: usize) -> bool {
        self.executable.functions[number].names.iter().any(|name| code(name).is_some())
    }

    /// All instructions of a line, so that a thread that stops in the midst of it is there.
    fn at_line(&self, file: &str, line: u32) -> Result<Vec<Node>, String> {
        let (mut nodes, mut lines, mut files) = (Vec::new(), Vec::new(), Vec::new());
        let ranges = self.executable.functions.iter().map(|function| function.range.clone());
        self.symbols.each_line(ranges, |range, name, at| {
            if !Path::new(name).ends_with(file.strip_prefix("./").unwrap_or(file)) {
                files.push(name.to_string());
            } else if at == line {
                nodes.extend(self.flow.nodes_in(range));
            } else {
                lines.push(at);
            }
        });
        if !nodes.is_empty() {
            return Ok(nodes);
        }
        lines.sort_unstable();
        lines.dedup();
        if lines.is_empty() {
            return Err(match named(files) {
                known if known.is_empty() => "the program has no lines: compile it with -g".into(),
                known => format!("the program has no code of {file}; it has {}", known.join(", ")),
            });
        }
        lines.sort_by_key(|at| at.abs_diff(line));
        lines.truncate(OFFERED);
        lines.sort_unstable();
        let nearest: Vec<String> = lines.iter().map(u32::to_string).collect();
        let what = if nearest.len() == 1 { "line with code is" } else { "lines with code are" };
        let names: Vec<&str> = nearest.iter().map(String::as_str).collect();
        Err(format!("{file} has no code at line {line}; the nearest {what} {}", sojourner_names::all(&names)))
    }

    /// The start of each function of that name: as the source has it, with or without namespaces and classes.
    fn at_start(&self, name: &str) -> Result<Vec<Node>, String> {
        let wanted = name.trim_end_matches("()");
        let (mut nodes, mut others) = (Vec::new(), Vec::new());
        for (number, function) in self.executable.functions.iter().enumerate() {
            for symbol in &function.names {
                let shown = demangle(symbol);
                let is_it = symbol == wanted
                    || shown == wanted
                    || shown.strip_suffix(wanted).is_some_and(|before| before.ends_with("::"));
                if is_it {
                    nodes.extend(self.flow.node_before(function.range.start + 1));
                } else if !self.is_library(number) && !shown.starts_with("std::") && !shown.starts_with('_') {
                    others.push(shown);
                }
            }
        }
        if !nodes.is_empty() {
            return Ok(nodes);
        }
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_lowercase();
        others.sort();
        others.dedup();
        others.sort_by_key(|other| difference(&last(wanted), &last(other)));
        others.truncate(OFFERED);
        let names: Vec<&str> = others.iter().map(String::as_str).collect();
        Err(match names.is_empty() {
            true => format!("the program has no function {name}"),
            false => format!("the program has no function {name}; it has {}", sojourner_names::all(&names)),
        })
    }
}

/// The names of files without directories, each once, without those of the system.
fn named(mut files: Vec<String>) -> Vec<String> {
    files.retain(|file| !file.starts_with("/usr") && !file.starts_with("/rustc/"));
    let name = |file: &String| Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = files.iter().filter_map(name).collect();
    names.sort();
    names.dedup();
    names
}

/// The letters that must be changed, put in or left out to make one word of another (Levenshtein).
fn difference(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (before, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], before + 1);
        for (at, &with) in other.iter().enumerate() {
            let least = (diagonal + usize::from(letter != with)).min(row[at] + 1).min(row[at + 1] + 1);
            diagonal = std::mem::replace(&mut row[at + 1], least);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn similar_names_differ_by_few_letters() {
        assert_eq!(difference("barber", "barber"), 0);
        assert_eq!(difference("baber", "barber"), 1);
        assert_eq!(difference("customer", "costumer"), 2);
        assert_eq!(difference("", "main"), 4);
    }
}
