//! The walk along calls.
//!
//! Its graph has methods and virtual calls; a virtual call leads to a method for each instantiated class below the one
//! that it names. The two grow together until nothing is new.

use super::hierarchy::{ClassKey, Hierarchy, MethodKey, Selector};
use super::scan::{Use, scan};
use super::{Examination, MissingOperation, OperationKind};
use crate::classfile::{Bootstrap, ClassFile, Constant, Descriptor, access};
use crate::machine::Machine;
use crate::machine::class::ClassId;
use crate::natives::refuses;
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;
type Set<K> = HashSet<K, foldhash::fast::FixedState>;

/// Classes whose bootstrap methods are not called: the machine links in their place.
const LINKED: &[&str] = &[
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/StringConcatFactory",
    "java/lang/runtime/ObjectMethods",
];

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A method.
    Method(MethodKey),
    /// A virtual call of a method of that name on an instance of a class or interface.
    Call(ClassKey, Selector),
}

pub struct Walk<'a> {
    machine: &'a Machine,
    classes: Hierarchy,
    /// Where each node leads, and from which byte of its code.
    edges: Map<Node, Vec<(Node, u16)>>,
    /// Methods in the order in which they were reached, and how many of them have been looked at.
    reached: Vec<MethodKey>,
    looked_at: usize,
    seen: Set<Node>,
    instantiated: Set<ClassKey>,
    /// For each class, the instantiated ones below it, and the virtual calls that name it.
    below: Map<ClassKey, Vec<ClassKey>>,
    calls: Map<ClassKey, Vec<Selector>>,
    /// For each interface, the bodies of the lambda expressions that make instances of it or of one below it.
    lambdas: Map<ClassKey, Vec<(Selector, Node)>>,
    /// Where lambda expressions are made: their bodies are not called there.
    lambda_sites: Set<(MethodKey, u16)>,
    /// Classes that are initialised already.
    initialised: Set<String>,
}

/// What a walk has found of calls.
pub struct CallGraph {
    /// The classes of the methods.
    pub classes: Hierarchy,
    /// The methods that can be reached and have been looked at.
    pub methods: Vec<MethodKey>,
    /// Those of them that the machine answers itself.
    pub answered: Set<MethodKey>,
    edges: Map<Node, Vec<(Node, u16)>>,
    lambda_sites: Set<(MethodKey, u16)>,
}

impl CallGraph {
    /// The methods that a node leads to, each with the byte of the call: those that virtual calls mean, too.
    pub fn callees(&self, method: MethodKey) -> Vec<(u16, MethodKey)> {
        let mut callees = Vec::new();
        for &(node, bci) in self.edges.get(&Node::Method(method)).into_iter().flatten() {
            if !self.lambda_sites.contains(&(method, bci)) {
                self.add_methods(node, bci, &mut callees, &mut Set::default());
            }
        }
        callees
    }

    fn add_methods(&self, node: Node, bci: u16, out: &mut Vec<(u16, MethodKey)>, seen: &mut Set<Node>) {
        match node {
            Node::Method(method) => out.push((bci, method)),
            Node::Call(..) if seen.insert(node) => {
                for &(next, _) in self.edges.get(&node).into_iter().flatten() {
                    self.add_methods(next, bci, out, seen);
                }
            }
            Node::Call(..) => {}
        }
    }
}

impl<'a> Walk<'a> {
    /// A walk that begins where the boot of the machine has ended.
    pub fn new(machine: &'a Machine) -> Walk<'a> {
        let mut walk = Walk {
            machine,
            classes: Hierarchy::default(),
            edges: Map::default(),
            reached: Vec::new(),
            looked_at: 0,
            seen: Set::default(),
            instantiated: Set::default(),
            below: Map::default(),
            calls: Map::default(),
            lambdas: Map::default(),
            lambda_sites: Set::default(),
            initialised: Set::default(),
        };
        for id in 1..machine.classes.list.len() as u32 {
            let name = machine.class_name(ClassId(id));
            if machine.is_initialised(ClassId(id)) {
                walk.initialised.insert(name.to_string());
                if let Some(class) = walk.find(name) {
                    walk.instantiate(class);
                }
            }
        }
        walk
    }

    /// Begins with `main`, with what the machine itself makes, and with the end of a thread.
    pub fn start(&mut self, main_class: &str) {
        let Some(class) = self.find(main_class) else { return };
        let selector = self.selector("main", "([Ljava/lang/String;)V");
        if let Some(main) = self.classes.resolve(class, selector) {
            self.reach(main);
            self.initialise(Node::Method(main), class, 0);
        }
    }

    /// Follows calls until there are no new ones, or so many methods were looked at. Whether it came to the end.
    pub fn run(&mut self, most: usize) -> bool {
        while let Some(&method) = self.reached.get(self.looked_at) {
            if self.looked_at == most {
                return false;
            }
            self.looked_at += 1;
            self.look_at(method);
        }
        true
    }

    fn find(&mut self, name: &str) -> Option<ClassKey> {
        // Arrays have the methods of objects.
        let name = if name.starts_with('[') { "java/lang/Object" } else { name };
        self.classes.find(&self.machine.library, name)
    }

    fn selector(&mut self, name: &str, descriptor: &str) -> Selector {
        (self.classes.symbols.intern(name), self.classes.symbols.intern(descriptor))
    }

    fn reach(&mut self, method: MethodKey) {
        if self.seen.insert(Node::Method(method)) {
            self.reached.push(method);
        }
    }

    fn lead(&mut self, from: Node, to: Node, bci: u16) {
        let edges = self.edges.entry(from).or_default();
        if !edges.contains(&(to, bci)) {
            edges.push((to, bci));
        }
        if let Node::Method(method) = to {
            self.reach(method);
        }
    }

    /// Whether the machine answers a method itself.
    fn is_answered(&self, method: MethodKey) -> bool {
        let (name, descriptor) = self.classes.signature(method);
        let class = self.classes.node(method.class).file.name();
        let polymorphic = matches!(class, "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle");
        polymorphic && self.classes.is(method, access::NATIVE)
            || self.machine.natives.find(class, name, descriptor).is_some()
    }

    fn is_refused(&self, method: MethodKey) -> bool {
        let (name, descriptor) = self.classes.signature(method);
        refuses(self.classes.node(method.class).file.name(), name, descriptor)
    }

    fn look_at(&mut self, method: MethodKey) {
        let node = Node::Method(method);
        if self.is_answered(method) {
            if self.classes.signature(method).0 == "start0" {
                self.call_virtual(node, method.class, "run", "()V", 0);
            }
            return;
        }
        for (bci, found) in self.uses(method).unwrap_or_default() {
            self.follow(node, method, bci, found);
        }
    }

    fn uses(&self, method: MethodKey) -> Option<Vec<(u16, Use)>> {
        let file = &self.classes.node(method.class).file;
        let code = file.code(file.methods[usize::from(method.index)].attributes).ok()??;
        Some(scan(code.code))
    }

    fn follow(&mut self, node: Node, method: MethodKey, bci: u16, found: Use) -> Option<()> {
        let file = &self.classes.node(method.class).file;
        match found {
            Use::Static(index) | Use::Special(index) | Use::Virtual(index) => {
                let (class, name, descriptor) = owned(file.pool.member(index).ok()?);
                let class = self.find(&class)?;
                match found {
                    Use::Virtual(_) => self.call_virtual(node, class, &name, &descriptor, bci),
                    _ => self.call(node, class, &name, &descriptor, bci),
                }
                if let Use::Static(_) = found {
                    self.initialise(node, class, bci);
                }
            }
            Use::New(index) => {
                let name = file.pool.class_name(index).ok()?.to_string();
                let class = self.find(&name)?;
                self.instantiate(class);
                self.initialise(node, class, bci);
            }
            Use::Field(index) => {
                let name = file.pool.member(index).ok()?.0.to_string();
                let class = self.find(&name)?;
                self.initialise(node, class, bci);
            }
            Use::Dynamic(index) => self.dynamic(node, method, bci, index)?,
            Use::Load(index) => match file.pool.get(index).ok()? {
                Constant::Dynamic { .. } => self.dynamic(node, method, bci, index)?,
                Constant::MethodHandle { .. } => {
                    let handle = handle_member(file, index)?;
                    self.handle(node, bci, &handle);
                }
                _ => {}
            },
        }
        Some(())
    }

    /// A call of exactly one method.
    fn call(&mut self, from: Node, class: ClassKey, name: &str, descriptor: &str, bci: u16) {
        let selector = self.selector(name, descriptor);
        if let Some(method) = self.classes.resolve(class, selector) {
            self.lead(from, Node::Method(method), bci);
        }
    }

    /// A call of what a method means for each instantiated class.
    fn call_virtual(&mut self, from: Node, class: ClassKey, name: &str, descriptor: &str, bci: u16) {
        let selector = self.selector(name, descriptor);
        let Some(declared) = self.classes.resolve(class, selector) else { return };
        if self.classes.is(declared, access::PRIVATE | access::FINAL) {
            self.lead(from, Node::Method(declared), bci);
            return;
        }
        let call = Node::Call(class, selector);
        self.lead(from, call, bci);
        if self.seen.insert(call) {
            self.calls.entry(class).or_default().push(selector);
            for receiver in self.below.get(&class).cloned().unwrap_or_default() {
                self.receive(call, selector, receiver);
            }
            for (made, body) in self.lambdas.get(&class).cloned().unwrap_or_default() {
                if made == selector {
                    self.lead(call, body, 0);
                }
            }
        }
    }

    /// A lambda expression or a method reference makes an instance of an interface, whose method of that name leads to its body.
    fn make_lambda(&mut self, interface: ClassKey, selector: Selector, body: Node) {
        for above in self.classes.node(interface).above.clone() {
            let bodies = self.lambdas.entry(above).or_default();
            if bodies.contains(&(selector, body)) {
                continue;
            }
            bodies.push((selector, body));
            if self.calls.get(&above).is_some_and(|calls| calls.contains(&selector)) {
                self.lead(Node::Call(above, selector), body, 0);
            }
        }
    }

    /// A virtual call meets an instance of a class.
    fn receive(&mut self, call: Node, selector: Selector, class: ClassKey) {
        if let Some(method) = self.classes.resolve(class, selector) {
            self.lead(call, Node::Method(method), 0);
        }
    }

    fn instantiate(&mut self, class: ClassKey) {
        if !self.instantiated.insert(class) {
            return;
        }
        for above in self.classes.node(class).above.clone() {
            self.below.entry(above).or_default().push(class);
            for selector in self.calls.get(&above).cloned().unwrap_or_default() {
                self.receive(Node::Call(above, selector), selector, class);
            }
        }
    }

    /// A class and those above it are initialised.
    fn initialise(&mut self, from: Node, class: ClassKey, bci: u16) {
        let mut next = Some(class);
        while let Some(class) = next {
            let name = self.classes.node(class).file.name();
            if self.initialised.contains(name) {
                return;
            }
            let selector = self.selector("<clinit>", "()V");
            if let Some(initialiser) = self.classes.declared(class, selector) {
                self.lead(from, Node::Method(initialiser), bci);
            }
            next = self.classes.node(class).superclass;
        }
    }

    /// A dynamic call or constant: what its arguments refer to, and what links it.
    fn dynamic(&mut self, node: Node, method: MethodKey, bci: u16, index: u16) -> Option<()> {
        let file = &self.classes.node(method.class).file;
        let (number, name, descriptor) = file.pool.dynamic(index).ok()?;
        let (name, descriptor) = (name.to_string(), descriptor.to_string());
        let Bootstrap { method: handle, arguments } =
            file.bootstraps().ok()?.into_iter().nth(usize::from(number))?;
        let bootstrap = handle_member(file, handle)?;
        let linked = LINKED.contains(&bootstrap.class.as_str());
        let concat = bootstrap.class == "java/lang/invoke/StringConcatFactory";
        let lambda = (bootstrap.class == "java/lang/invoke/LambdaMetafactory").then(|| {
            // The first argument is the type of the method, the second one its body.
            let Constant::MethodType(descriptor) = file.pool.get(*arguments.first()?).ok()? else {
                return None;
            };
            Some((file.pool.utf8(descriptor).ok()?.to_string(), handle_member(file, *arguments.get(1)?)?))
        });
        let mut handles: Vec<Handle> =
            arguments.iter().filter_map(|&index| handle_member(file, index)).collect();
        if !linked {
            handles.push(bootstrap);
        }
        for handle in handles {
            self.handle(node, bci, &handle);
        }
        if let Some(Some((method_type, body))) = lambda {
            self.lambda_sites.insert((method, bci));
            let interface = descriptor.rsplit_once(")L").and_then(|(_, class)| class.strip_suffix(';'));
            let interface = interface.and_then(|class| self.find(class));
            let selector = self.selector(&name, &method_type);
            if let (Some(interface), Some(body)) = (interface, self.node_of(&body)) {
                self.make_lambda(interface, selector, body);
            }
        }
        if concat {
            for parameter in Descriptor::parse(&descriptor).ok()?.parameters.iter() {
                if let Some(class) = parameter.strip_prefix('L').and_then(|name| name.strip_suffix(';'))
                    && let Some(class) = self.find(class)
                {
                    self.call_virtual(node, class, "toString", "()Ljava/lang/String;", bci);
                }
            }
        }
        Some(())
    }

    /// A method handle, which is taken to be called where it is named.
    fn handle(&mut self, from: Node, bci: u16, handle: &Handle) {
        let Handle { kind, class, name, descriptor } = handle;
        let Some(class) = self.find(class) else { return };
        match kind {
            5 | 9 => self.call_virtual(from, class, name, descriptor, bci),
            6..=8 => {
                if *kind == 8 {
                    self.instantiate(class);
                }
                self.call(from, class, name, descriptor, bci);
                self.initialise(from, class, bci);
            }
            _ => self.initialise(from, class, bci),
        }
    }

    /// What the call of a method handle leads to, if it has been seen.
    fn node_of(&mut self, handle: &Handle) -> Option<Node> {
        let class = self.find(&handle.class)?;
        let selector = self.selector(&handle.name, &handle.descriptor);
        let declared = self.classes.resolve(class, selector)?;
        let call = Node::Call(class, selector);
        Some(if self.seen.contains(&call) { call } else { Node::Method(declared) })
    }

    /// All that was found of calls.
    pub fn into_call_graph(mut self) -> CallGraph {
        self.reached.truncate(self.looked_at);
        let answered = self.reached.iter().copied().filter(|&method| self.is_answered(method)).collect();
        CallGraph {
            classes: self.classes,
            methods: self.reached,
            answered,
            edges: self.edges,
            lambda_sites: self.lambda_sites,
        }
    }

    /// What is lacking, each with a shortest way to it from a method of the program.
    pub fn result(&self, complete: bool) -> Examination {
        let own: Vec<MethodKey> =
            self.reached.iter().copied().filter(|method| self.classes.node(method.class).own).collect();
        let callers = own.iter().copied().filter(|&method| !self.classes.is(method, access::NATIVE));
        let came_from = self.ways_from(callers);
        let way = |method: MethodKey| self.describe_way(&came_from, method);
        let methods = self.reached[..self.looked_at].iter().filter_map(|&method| {
            let refused = self.is_refused(method);
            if !refused && (self.is_answered(method) || !self.classes.is(method, access::NATIVE)) {
                return None;
            }
            let (_, descriptor) = self.classes.signature(method);
            let mut path = way(method);
            let name = format!("{}{descriptor}", path.pop().unwrap_or_default());
            Some(MissingOperation {
                what: if refused { OperationKind::Refused(name) } else { OperationKind::Native(name) },
                path,
            })
        });
        let mut missing: Vec<MissingOperation> = methods.collect();
        missing.sort_by(|a, b| (a.path.len(), &a.what, &a.path).cmp(&(b.path.len(), &b.what, &b.path)));
        let mut told = std::collections::BTreeSet::new();
        missing.retain(|lack| told.insert(lack.what.clone()));
        Examination { missing, methods: self.looked_at, own: own.len(), complete }
    }

    /// For every node, a node before it on a shortest way from one of the program's methods.
    fn ways_from(&self, own: impl Iterator<Item = MethodKey>) -> Map<Node, Option<(Node, u16)>> {
        let mut came_from: Map<Node, Option<(Node, u16)>> = Map::default();
        // Virtual calls are no step of their own: what they lead to is as far away as they are.
        let mut queue: VecDeque<Node> = own.map(Node::Method).collect();
        came_from.extend(queue.iter().map(|&node| (node, None)));
        while let Some(node) = queue.pop_front() {
            for &(next, bci) in self.edges.get(&node).into_iter().flatten() {
                if came_from.contains_key(&next) {
                    continue;
                }
                came_from.insert(next, Some((node, bci)));
                match next {
                    Node::Call(..) => queue.push_front(next),
                    Node::Method(_) => queue.push_back(next),
                }
            }
        }
        came_from
    }

    /// The methods on the way to one, which is the last.
    fn describe_way(&self, came_from: &Map<Node, Option<(Node, u16)>>, method: MethodKey) -> Vec<String> {
        let mut way = vec![self.describe(method, None)];
        let mut at = Node::Method(method);
        while let Some(&Some((before, bci))) = came_from.get(&at) {
            if let Node::Method(method) = before {
                way.push(self.describe(method, Some(bci)));
            }
            at = before;
        }
        way.reverse();
        way
    }

    /// A method, and for the program's own the line of a byte.
    fn describe(&self, method: MethodKey, bci: Option<u16>) -> String {
        let node = self.classes.node(method.class);
        let name = format!("{}.{}", node.file.name().replace('/', "."), self.classes.signature(method).0);
        let line = bci.filter(|_| node.own).and_then(|bci| self.line(method, bci));
        match line {
            Some(line) => format!("{name} (line {line})"),
            None => name,
        }
    }

    fn line(&self, method: MethodKey, bci: u16) -> Option<u16> {
        let file = &self.classes.node(method.class).file;
        let code = file.code(file.methods[usize::from(method.index)].attributes).ok()??;
        let lines = file.lines(&code).into_iter().filter(|&(start, _)| start <= bci);
        lines.max_by_key(|&(start, _)| start).map(|(_, line)| line)
    }
}

/// A method handle in a constant pool.
struct Handle {
    /// What it does, as in table 5.4.3.5-A of the JVM specification.
    kind: u8,
    class: String,
    name: String,
    descriptor: String,
}

/// The constant of that index, if it is a method handle.
fn handle_member(file: &ClassFile, index: u16) -> Option<Handle> {
    let Constant::MethodHandle { kind, reference } = file.pool.get(index).ok()? else { return None };
    let (class, name, descriptor) = owned(file.pool.member(reference).ok()?);
    Some(Handle { kind, class, name, descriptor })
}

fn owned((class, name, descriptor): (&str, &str, &str)) -> (String, String, String) {
    (class.to_string(), name.to_string(), descriptor.to_string())
}
