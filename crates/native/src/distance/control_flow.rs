//! The control-flow graph of the functions of an executable.

use super::executable::{Executable, Map, Set};
use super::instructions::{Flow, Instruction, decode};
use super::jump_tables;
use super::library::{Called, called, reports_failure};
use crate::names::demangle;
use sojourner_distance::{Function, Graph, GraphBuilder, Node, Unit};
use std::ops::Range;

/// How many instructions before a call its arguments are set.
const NEAR: usize = 24;

/// Where the graph has which instruction.
pub struct ControlFlow {
    /// The instructions by their addresses.
    instructions: Vec<(Range<u64>, Node)>,
    /// The calls by which the program says that something is wrong: the addresses behind them.
    pub failures: Vec<(u64, Node)>,
}

impl ControlFlow {
    /// The graph of all functions of the program.
    pub fn new(executable: &Executable, unit: Unit) -> (ControlFlow, Graph) {
        let parts: Vec<Vec<Instruction>> = executable
            .functions
            .iter()
            .map(|function| decode(executable.code(function.range.clone()), function.range.start).collect())
            .collect();
        let owners = owners(executable, &parts);
        let mut building = Building::new(executable, unit, &parts, &owners);
        for owner in (0..parts.len()).filter(|&number| owners[number] == number) {
            let of_one: Vec<&[Instruction]> = std::iter::once(owner)
                .chain((0..parts.len()).filter(|&part| part != owner && owners[part] == owner))
                .map(|part| &parts[part][..])
                .collect();
            building.add(owner, &of_one);
        }
        building.finish()
    }

    /// The instruction that ends at an address, or in whose midst that address is.
    pub fn node_before(&self, address: u64) -> Option<Node> {
        let after = self.instructions.partition_point(|(range, _)| range.start < address);
        let (range, node) = self.instructions.get(after.checked_sub(1)?)?;
        (address <= range.end).then_some(*node)
    }

    /// The instructions that begin between two addresses.
    pub fn nodes_in(&self, range: Range<u64>) -> impl Iterator<Item = Node> {
        let first = self.instructions.partition_point(|(instruction, _)| instruction.start < range.start);
        let rest = self.instructions[first..].iter();
        rest.take_while(move |(instruction, _)| instruction.start < range.end).map(|&(_, node)| node)
    }
}

/// For each function the one that it is a part of: gcc moves what it takes to be rare out of a function, and calls that `NAME.cold`.
fn owners(executable: &Executable, parts: &[Vec<Instruction>]) -> Vec<usize> {
    let mut owners: Vec<usize> = (0..parts.len()).collect();
    for (number, part) in parts.iter().enumerate() {
        for instruction in part {
            let (Flow::Jump(target) | Flow::Branch(target)) = instruction.flow() else { continue };
            let Some(other) = executable.function_at(target).filter(|&other| other != number) else {
                continue;
            };
            let names = &executable.functions[number].names;
            let is_part = |name: &String| {
                name.split_once(".cold").is_some_and(|(whole, _)| names.iter().any(|name| name == whole))
            };
            if executable.functions[other].names.iter().any(is_part) {
                owners[other] = number;
            }
        }
    }
    owners
}

/// A graph while it is made.
struct Building<'a> {
    executable: &'a Executable,
    unit: Unit,
    graph: GraphBuilder,
    functions: Vec<Function>,
    /// Whether the program calls a function to say that something is wrong.
    reports: Vec<bool>,
    /// A function that calls any of those whose addresses the program takes.
    anything: Function,
    /// A function that returns at once.
    nothing: Function,
    /// What threads of the library of C++ begin with.
    runs: Vec<Function>,
    instructions: Vec<(Range<u64>, Node)>,
    failures: Vec<(u64, Node)>,
}

/// What is called, as far as that is known.
enum Callee {
    Own(usize),
    Outside(Called),
    Computed,
}

impl<'a> Building<'a> {
    fn new(
        executable: &'a Executable,
        unit: Unit,
        parts: &[Vec<Instruction>],
        owners: &[usize],
    ) -> Building<'a> {
        let mut graph = GraphBuilder::default();
        let nothing = graph.function();
        let returns = graph.node(nothing, 0);
        graph.exit(returns);
        let wholes: Vec<Function> = executable.functions.iter().map(|_| graph.function()).collect();
        let functions: Vec<Function> = owners.iter().map(|&owner| wholes[owner]).collect();
        let named = || executable.functions.iter().map(|function| &function.names);
        let runs = named().zip(&functions).filter(|(names, _)| names.iter().any(|name| is_run(name)));
        let runs: Vec<Function> = runs.map(|(_, &function)| function).collect();
        let reports =
            named().map(|names| names.iter().any(|name| reports_failure(&demangle(name)))).collect();
        let instructions = || parts.iter().flatten().flat_map(Instruction::addresses);
        let taken: Set<usize> = instructions()
            .chain(executable.data())
            .filter_map(|word| executable.function_from(word))
            .collect();
        let takes_outside = instructions().any(|address| executable.outside.contains_key(&address));
        let anything = graph.function();
        let (calls, returns) = (graph.node(anything, 0), graph.node(anything, 0));
        graph.edge(calls, returns);
        graph.exit(returns);
        let mut taken: Vec<usize> = taken.into_iter().collect();
        taken.sort_unstable();
        taken.iter().for_each(|&function| graph.call(calls, functions[function]));
        if takes_outside || taken.is_empty() {
            graph.call(calls, nothing);
        }
        Building {
            executable,
            unit,
            graph,
            functions,
            reports,
            anything,
            nothing,
            runs,
            instructions: Vec::new(),
            failures: Vec::new(),
        }
    }

    fn finish(mut self) -> (ControlFlow, Graph) {
        self.instructions.sort_by_key(|(range, _)| range.start);
        (ControlFlow { instructions: self.instructions, failures: self.failures }, self.graph.build())
    }

    /// Adds a function that lies in these parts.
    fn add(&mut self, number: usize, parts: &[&[Instruction]]) {
        let function = self.functions[number];
        let mut body = Body {
            function,
            nodes: Map::default(),
            edges: Vec::new(),
            unwinds: Vec::new(),
            lost: Vec::new(),
        };
        for instruction in parts.iter().copied().flatten() {
            let callee = self.callee(instruction);
            let node = self.graph.node(function, self.weight(instruction, callee.as_ref()));
            body.nodes.insert(instruction.start(), node);
            self.instructions.push((instruction.start()..instruction.end(), node));
        }
        for part in parts {
            for (index, instruction) in part.iter().enumerate() {
                self.connect(&mut body, &part[..=index], instruction);
            }
        }
        self.connect_unreached(&mut body, parts);
        body.edges.iter().for_each(|&(from, to)| self.graph.edge(from, to));
    }

    /// What executing an instruction costs.
    fn weight(&self, instruction: &Instruction, callee: Option<&Callee>) -> u32 {
        match (self.unit, callee) {
            (Unit::Instructions, Some(Callee::Outside(called))) => u32::from(!called.is_hook),
            (Unit::Instructions, _) => u32::from(!instruction.is_padding()),
            (Unit::Operations, Some(Callee::Outside(called))) => u32::from(called.is_visible),
            (Unit::Operations, _) => 0,
        }
    }

    /// What an instruction calls, if it is a call.
    fn callee(&self, instruction: &Instruction) -> Option<Callee> {
        match instruction.flow() {
            Flow::Call(target) => Some(self.at(target)),
            Flow::CallComputed => Some(match instruction.slot() {
                Some(slot) => self.by_slot(slot),
                None => Callee::Computed,
            }),
            _ => None,
        }
    }

    fn at(&self, address: u64) -> Callee {
        match (self.executable.function_from(address), self.executable.outside.get(&address)) {
            (Some(own), _) => Callee::Own(own),
            (None, name) => Callee::Outside(name.map(|name| called(name)).unwrap_or_default()),
        }
    }

    /// What is called by a word at a fixed address. A pointer that the program may change is no such word.
    fn by_slot(&self, slot: u64) -> Callee {
        if let Some(name) = self.executable.slots.get(&slot) {
            return Callee::Outside(called(name));
        }
        match self.executable.word(slot).filter(|_| self.executable.is_constant(slot)) {
            Some(address) => self.at(address),
            None => Callee::Computed,
        }
    }

    /// Adds the ways from the last of these instructions.
    fn connect(&mut self, body: &mut Body, before: &[Instruction], instruction: &Instruction) {
        let node = body.nodes[&instruction.start()];
        let next = body.nodes.get(&instruction.end()).copied();
        let mut leads_on = true;
        match instruction.flow() {
            Flow::Next => {}
            Flow::Jump(target) => {
                leads_on = false;
                self.jump(body, node, target);
            }
            Flow::Branch(target) => self.jump(body, node, target),
            Flow::Computed => {
                leads_on = false;
                if let Some(slot) = instruction.slot().filter(|slot| self.executable.is_constant(*slot)) {
                    let callee = self.by_slot(slot);
                    self.leave_by(body, node, &callee);
                } else {
                    let targets =
                        jump_tables::targets(self.executable, before, |to| body.nodes.contains_key(&to));
                    if targets.is_empty() {
                        body.lost.push(node);
                    }
                    targets.iter().for_each(|to| body.edges.push((node, body.nodes[to])));
                }
            }
            Flow::Call(_) | Flow::CallComputed => {
                let callee = self.callee(instruction).unwrap_or(Callee::Computed);
                leads_on = self.call(body, node, &callee, before, instruction.end());
            }
            Flow::Return => {
                leads_on = false;
                self.graph.exit(node);
            }
            Flow::Stop => leads_on = false,
        }
        if leads_on {
            body.edges.extend(next.map(|next| (node, next)));
        }
    }

    /// Adds the way of a jump, which may be a call that returns to the caller.
    fn jump(&mut self, body: &mut Body, node: Node, target: u64) {
        match body.nodes.get(&target) {
            Some(&to) => body.edges.push((node, to)),
            None => {
                let callee = self.at(target);
                self.leave_by(body, node, &callee);
            }
        }
    }

    /// Adds a call that takes the place of a return.
    fn leave_by(&mut self, body: &mut Body, node: Node, callee: &Callee) {
        let (calls, returns) = (self.graph.node(body.function, 0), self.graph.node(body.function, 0));
        body.edges.push((node, calls));
        if self.call(body, calls, callee, &[], 0) {
            body.edges.push((calls, returns));
        }
        self.graph.exit(returns);
    }

    /// Adds a call behind those instructions. Whether it returns.
    fn call(
        &mut self,
        body: &mut Body,
        node: Node,
        callee: &Callee,
        before: &[Instruction],
        behind: u64,
    ) -> bool {
        let called = match callee {
            Callee::Own(own) => {
                self.graph.call(node, self.functions[*own]);
                if self.reports[*own] {
                    self.failures.push((behind, node));
                }
                body.unwinds.push(node);
                return true;
            }
            Callee::Computed => {
                self.graph.call(node, self.anything);
                body.unwinds.push(node);
                return true;
            }
            Callee::Outside(called) => called,
        };
        if called.fails {
            self.failures.push((behind, node));
        }
        if called.throws {
            self.graph.exit(node);
        }
        if !called.is_hook && (called.throws || !called.ends) {
            body.unwinds.push(node);
        }
        if called.ends {
            return false;
        }
        let handed = if called.is_hook { Vec::new() } else { self.handed(before) };
        if called.starts {
            let entered = match (handed.is_empty(), self.runs.is_empty()) {
                (false, _) => handed,
                (true, false) => self.runs.clone(),
                (true, true) => vec![self.anything],
            };
            entered.into_iter().for_each(|function| self.graph.start(node, function));
        } else if called.calls_back && handed.is_empty() {
            self.graph.call(node, self.anything);
            self.graph.call(node, self.nothing);
        } else if !handed.is_empty() {
            handed.into_iter().for_each(|function| self.graph.call(node, function));
            self.graph.call(node, self.nothing);
        }
        true
    }

    /// The functions whose addresses are handed over by a call, the last of these instructions.
    fn handed(&self, before: &[Instruction]) -> Vec<Function> {
        let sets = |instruction: &&Instruction| match instruction.flow() {
            Flow::Next => true,
            Flow::Call(target) => matches!(self.at(target), Callee::Outside(called) if called.is_hook),
            _ => false,
        };
        let set = before.iter().rev().skip(1).take(NEAR).take_while(sets);
        let functions =
            set.flat_map(Instruction::addresses).filter_map(|word| self.executable.function_from(word));
        let mut handed: Vec<Function> = functions.map(|number| self.functions[number]).collect();
        handed.sort_unstable();
        handed.dedup();
        handed
    }

    /// Adds the ways to what no other instruction leads to: code that handles exceptions, and where a computed jump leads whose
    /// table was not found.
    fn connect_unreached(&mut self, body: &mut Body, parts: &[&[Instruction]]) {
        let mut successors: Map<Node, Vec<Node>> = Map::default();
        body.edges.iter().for_each(|&(from, to)| successors.entry(from).or_default().push(to));
        let mut reached: Set<Node> = Set::default();
        let mut unreached = Vec::new();
        for (nth, instruction) in parts.iter().copied().flatten().enumerate() {
            let node = body.nodes[&instruction.start()];
            if nth > 0 && (instruction.is_padding() || reached.contains(&node)) {
                continue;
            }
            unreached.extend((nth > 0).then_some(node));
            let mut waiting = vec![node];
            while let Some(node) = waiting.pop() {
                if reached.insert(node) {
                    waiting.extend(successors.get(&node).into_iter().flatten());
                }
            }
        }
        if unreached.is_empty() || body.unwinds.is_empty() && body.lost.is_empty() {
            return;
        }
        let unwinds = self.graph.node(body.function, 0);
        let ways = body.unwinds.iter().chain(&body.lost).map(|&from| (from, unwinds));
        body.edges.extend(ways.chain(unreached.into_iter().map(|to| (unwinds, to))));
    }
}

/// A function while its ways are found.
struct Body {
    function: Function,
    nodes: Map<u64, Node>,
    edges: Vec<(Node, Node)>,
    /// Calls that may end by an exception.
    unwinds: Vec<Node>,
    /// Jumps of which nothing is known.
    lost: Vec<Node>,
}

/// Whether a function is what a `std::thread` of libstdc++ begins with.
fn is_run(name: &str) -> bool {
    name.starts_with("_ZNSt6thread11_State_impl") && name.contains("6_M_run")
}
