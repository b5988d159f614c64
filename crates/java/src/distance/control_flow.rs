//! The control-flow graph of the bytecode of a program.

use crate::classfile::instruction::{Flow, Instruction};
use crate::classfile::{ClassFile, CodeAttribute, opcode};
use crate::doctor::{CallGraph, MethodKey};
use hashbrown::{HashMap, HashSet};
use sojourner_distance::{Function, Graph, GraphBuilder, Node, Unit};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;
type Set<K> = HashSet<K, foldhash::fast::FixedState>;

/// What stands for a byte at which no instruction begins.
const NOTHING: u32 = u32::MAX;

/// Where the graph has which bytecode.
pub struct ControlFlow {
    /// The methods of the graph, by class, name and descriptor.
    numbers: HashMap<[String; 3], u32, foldhash::fast::FixedState>,
    keys: Map<MethodKey, u32>,
    /// For each method the node of each byte.
    nodes: Vec<Vec<u32>>,
}

impl ControlFlow {
    /// The graph of the program's own methods and of those of the class library that can lead to them.
    pub fn new(calls: &CallGraph, unit: Unit) -> (ControlFlow, Graph) {
        let callees: Map<MethodKey, Vec<(u16, MethodKey)>> =
            calls.methods.iter().map(|&method| (method, calls.callees(method))).collect();
        let methods = leading_to_own(calls, &callees);
        let mut graph = GraphBuilder::default();
        // What is called and not in the graph.
        let outside = graph.function();
        let returns = graph.node(outside, 0);
        graph.exit(returns);
        let functions: Vec<Function> = methods.iter().map(|_| graph.function()).collect();
        let keys: Map<MethodKey, u32> = methods.iter().copied().zip(0..).collect();
        let mut flow = ControlFlow { numbers: HashMap::default(), keys, nodes: Vec::new() };
        for (&method, &function) in methods.iter().zip(&functions) {
            let file = &calls.classes.node(method.class).file;
            let (name, descriptor) = calls.classes.signature(method);
            let number = flow.nodes.len() as u32;
            flow.numbers.insert([file.name(), name, descriptor].map(String::from), number);
            let own = calls.classes.node(method.class).own;
            let sites = &callees[&method];
            let enters = |callee: &MethodKey| match flow.keys.get(callee) {
                Some(&number) => functions[number as usize],
                None => outside,
            };
            let nodes = match code_of(calls, method) {
                Some(code) => {
                    let mut at: Map<u16, Vec<Function>> = Map::default();
                    sites.iter().for_each(|(bci, callee)| at.entry(*bci).or_default().push(enters(callee)));
                    add_code(&mut graph, function, &code, (own, unit), &at)
                }
                None => {
                    // The machine answers it: of all such methods only `start0` leads anywhere, and it waits for nothing.
                    let counts = unit == Unit::Instructions || STOPS.contains(&name);
                    let node = graph.node(function, u32::from(counts));
                    sites.iter().for_each(|(_, callee)| graph.start(node, enters(callee)));
                    graph.exit(node);
                    vec![node.0]
                }
            };
            flow.nodes.push(nodes);
        }
        (flow, graph.build())
    }

    /// The number of a method.
    pub fn number(&self, class: &str, name: &str, descriptor: &str) -> Option<u32> {
        self.numbers.get(&[class, name, descriptor].map(String::from)).copied()
    }

    /// The number of a method of the call graph.
    pub fn number_of(&self, method: MethodKey) -> Option<u32> {
        self.keys.get(&method).copied()
    }

    /// The node of an instruction, by the method's number and the first byte.
    pub fn node(&self, method: u32, bci: u16) -> Option<Node> {
        let node = self.nodes[method as usize].get(usize::from(bci)).copied();
        node.filter(|&node| node != NOTHING).map(Node)
    }
}

/// The code of a method, unless it has none or the machine answers it.
fn code_of(calls: &CallGraph, method: MethodKey) -> Option<CodeAttribute<'_>> {
    if calls.answered.contains(&method) {
        return None;
    }
    let file: &ClassFile = &calls.classes.node(method.class).file;
    file.code(file.methods[usize::from(method.index)].attributes).ok()?
}

/// The methods of the program, and those from which one of them can be called, in the order in which they were reached.
fn leading_to_own(calls: &CallGraph, callees: &Map<MethodKey, Vec<(u16, MethodKey)>>) -> Vec<MethodKey> {
    let mut callers: Map<MethodKey, Vec<MethodKey>> = Map::default();
    for (&caller, called) in callees {
        called.iter().for_each(|&(_, callee)| callers.entry(callee).or_default().push(caller));
    }
    let own = |method: &MethodKey| calls.classes.node(method.class).own;
    let mut leading: Set<MethodKey> = calls.methods.iter().copied().filter(own).collect();
    let mut waiting: Vec<MethodKey> = leading.iter().copied().collect();
    while let Some(method) = waiting.pop() {
        for &caller in callers.get(&method).into_iter().flatten() {
            if leading.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    calls.methods.iter().copied().filter(|method| leading.contains(method)).collect()
}

/// Adds the bytecodes of a method and returns the node of each byte. An instruction of the class library costs nothing, unless it
/// calls something.
fn add_code(
    graph: &mut GraphBuilder,
    function: Function,
    code: &CodeAttribute<'_>,
    (own, unit): (bool, Unit),
    calls: &Map<u16, Vec<Function>>,
) -> Vec<u32> {
    let instructions = decode(code.code);
    let mut nodes = vec![NOTHING; code.code.len()];
    for instruction in &instructions {
        let called = calls.get(&(instruction.at as u16));
        let counts = match unit {
            Unit::Instructions => own || called.is_some(),
            Unit::Operations => own && is_visible(instruction.opcode),
        };
        let node = graph.node(function, u32::from(counts));
        called.into_iter().flatten().for_each(|&callee| graph.call(node, callee));
        nodes[instruction.at] = node.0;
    }
    let node_at = |at: i64| {
        let at = usize::try_from(at).ok()?;
        nodes.get(at).copied().filter(|&node| node != NOTHING).map(Node)
    };
    for instruction in &instructions {
        let Some(node) = node_at(instruction.at as i64) else { continue };
        let next = node_at(instruction.next as i64);
        let mut lead = |to: Option<Node>| to.into_iter().for_each(|to| graph.edge(node, to));
        match instruction.flow() {
            Flow::Next => lead(next),
            Flow::Branch(target) => [next, node_at(target)].into_iter().for_each(lead),
            Flow::Goto(target) => lead(node_at(target)),
            Flow::Switch => instruction.targets().for_each(|target| lead(node_at(target))),
            // An exception leaves the method as a return does: the handler that catches it is not looked up.
            Flow::Leave => graph.exit(node),
            // Where `ret` goes depends on values: the subroutine is taken to return behind its call.
            Flow::Subroutine => {
                lead(next.filter(|_| instruction.is_call()));
                lead(instruction.subroutine().and_then(node_at));
            }
        }
    }
    for range in &code.handlers {
        let Some(handler) = node_at(range.handler.into()) else { continue };
        for instruction in &instructions {
            let covered = (usize::from(range.start)..usize::from(range.end)).contains(&instruction.at);
            if covered && may_throw(instruction.opcode) {
                graph.edge(Node(nodes[instruction.at]), handler);
            }
        }
    }
    nodes
}

/// The instructions of a method; of bad code those before the fault.
fn decode(code: &[u8]) -> Vec<Instruction<'_>> {
    let mut instructions = Vec::new();
    let mut at = 0;
    while let Ok(instruction) = Instruction::decode(code, at) {
        at = instruction.next;
        instructions.push(instruction);
    }
    instructions
}

/// Methods that the machine answers, and before which a thread stops.
const STOPS: [&str; 9] = [
    "start0",
    "wait",
    "wait0",
    "notify",
    "notifyAll",
    "park",
    "unpark",
    "compareAndSetInt",
    "compareAndSetReference",
];

/// Whether a thread may stop before an instruction: other threads could notice what it does.
fn is_visible(code: u8) -> bool {
    use opcode::*;
    matches!(
        code,
        IALOAD..=SALOAD | IASTORE..=SASTORE | GETSTATIC..=PUTFIELD | MONITORENTER | MONITOREXIT
    )
}

/// Whether an instruction may throw an exception, as far as programs rely on it.
fn may_throw(code: u8) -> bool {
    use opcode::*;
    matches!(
        code,
        IALOAD..=SALOAD
            | IASTORE..=SASTORE
            | IDIV
            | LDIV
            | IREM
            | LREM
            | GETSTATIC..=INVOKEDYNAMIC
            | NEW..=CHECKCAST
            | MONITORENTER
            | MONITOREXIT
            | MULTIANEWARRAY
    )
}
