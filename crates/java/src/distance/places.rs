//! Places in the code of a program as users name them.

use super::control_flow::ControlFlow;
use crate::classfile::instruction::Instruction;
use crate::classfile::{CodeAttribute, opcode};
use crate::doctor::{CallGraph, MethodKey};
use sojourner_distance::Node;
use sojourner_frontend::Destination;

/// The nodes of the destinations. With none, those of all failures that the program names.
pub fn find(
    calls: &CallGraph,
    flow: &ControlFlow,
    destinations: &[Destination],
) -> Result<Vec<Node>, String> {
    let own: Vec<Method<'_>> = calls
        .methods
        .iter()
        .filter(|method| calls.classes.node(method.class).own)
        .filter_map(|&method| Method::of(calls, flow, method))
        .collect();
    if destinations.is_empty() {
        let nodes = failures(&own);
        return match nodes.is_empty() {
            true => {
                Err("the program has no assertion and throws nothing itself: name a place with --target"
                    .into())
            }
            false => Ok(nodes),
        };
    }
    let mut nodes = Vec::new();
    for destination in destinations {
        let found = match destination {
            Destination::Line { file, line } => at_line(&own, file, *line)?,
            Destination::Function(name) => at_start(&own, name)?,
            Destination::Assertions => match failures(&own) {
                none if none.is_empty() => {
                    return Err("the program has no assertion and throws nothing itself".into());
                }
                found => found,
            },
        };
        nodes.extend(found);
    }
    Ok(nodes)
}

/// A method of the program.
struct Method<'a> {
    calls: &'a CallGraph,
    flow: &'a ControlFlow,
    key: MethodKey,
    number: u32,
    code: CodeAttribute<'a>,
}

impl<'a> Method<'a> {
    fn of(calls: &'a CallGraph, flow: &'a ControlFlow, key: MethodKey) -> Option<Method<'a>> {
        let file = &calls.classes.node(key.class).file;
        let code = file.code(file.methods[usize::from(key.index)].attributes).ok()??;
        Some(Method { calls, flow, key, number: flow.number_of(key)?, code })
    }

    fn source(&self) -> Option<String> {
        let file = &self.calls.classes.node(self.key.class).file;
        let index = file.index_attribute(file.attributes, "SourceFile")?;
        file.pool.text(index).ok().map(|text| text.into_owned())
    }

    /// The lines of its code, each with its first byte.
    fn lines(&self) -> Vec<(u16, u16)> {
        self.calls.classes.node(self.key.class).file.lines(&self.code)
    }

    fn node(&self, bci: u16) -> Option<Node> {
        self.flow.node(self.number, bci)
    }

    /// Where it makes an exception or an error.
    fn failures(&self) -> Vec<Node> {
        let file = &self.calls.classes.node(self.key.class).file;
        let mut nodes = Vec::new();
        let mut at = 0;
        while let Ok(instruction) = Instruction::decode(self.code.code, at) {
            let throwable = instruction.opcode == opcode::NEW
                && file
                    .pool
                    .class_name(instruction.u16(1))
                    .is_ok_and(|class| self.calls.classes.is_throwable(class));
            if throwable {
                nodes.extend(self.node(at as u16));
            }
            at = instruction.next;
        }
        nodes
    }
}

fn failures(own: &[Method<'_>]) -> Vec<Node> {
    own.iter().flat_map(Method::failures).collect()
}

fn at_line(own: &[Method<'_>], file: &str, line: u32) -> Result<Vec<Node>, String> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let (mut nodes, mut lines, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for method in own {
        let Some(source) = method.source() else { continue };
        if source != name {
            files.push(source);
            continue;
        }
        for (bci, at) in method.lines() {
            if u32::from(at) == line {
                nodes.extend(method.node(bci));
            }
            lines.push(at);
        }
    }
    if !nodes.is_empty() {
        return Ok(nodes);
    }
    let nearest = lines.iter().min_by_key(|&&at| u32::from(at).abs_diff(line));
    Err(match nearest {
        Some(nearest) => format!(
            "{name} has no code at line {line} that the program can reach; the nearest is line {nearest}"
        ),
        None => {
            files.sort();
            files.dedup();
            format!("the program can reach no code of {name}; it can reach {}", files.join(", "))
        }
    })
}

fn at_start(own: &[Method<'_>], name: &str) -> Result<Vec<Node>, String> {
    let (class, wanted) = name.rsplit_once('.').unwrap_or(("", name));
    let matches = |method: &&Method<'_>| {
        let owner = method.calls.classes.node(method.key.class).file.name().replace('/', ".");
        let known = method.calls.classes.signature(method.key).0;
        known == wanted && (class.is_empty() || owner == class || owner.ends_with(&format!(".{class}")))
    };
    let nodes: Vec<Node> = own.iter().filter(matches).filter_map(|method| method.node(0)).collect();
    match nodes.is_empty() {
        true => Err(format!("the program can reach no method {name}")),
        false => Ok(nodes),
    }
}
