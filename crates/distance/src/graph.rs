//! Control-flow graphs of whole programs.

/// A place in the code: an instruction, or a row of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// A function: a method, a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(pub u32);

/// The code of a program.
///
/// A thread at a node has not executed it yet. Executing a node costs its weight and leads to one of its successors. If the
/// node calls functions, one of them is entered first, and the thread goes on to a successor when it has returned.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<NodeRecord>,
    /// The node at which each function begins. `None`: nothing is known of its code, and it does not return.
    pub(crate) entries: Vec<Option<Node>>,
    successors: Lists,
    predecessors: Lists,
    /// The functions that a node calls.
    callees: Lists,
    /// The nodes that call a function.
    callers: Lists,
    /// The nodes that start a thread in a function.
    starters: Lists,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRecord {
    pub function: Function,
    pub weight: u32,
    /// A function returns from here.
    pub exits: bool,
}

impl Graph {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.nodes.len() as u32).map(Node)
    }

    pub(crate) fn record(&self, node: Node) -> NodeRecord {
        self.nodes[node.0 as usize]
    }

    pub(crate) fn entry(&self, function: Function) -> Option<Node> {
        self.entries[function.0 as usize]
    }

    /// Whether the node calls a function.
    pub(crate) fn calls(&self, node: Node) -> bool {
        !self.callees.of(node.0).is_empty()
    }

    pub(crate) fn successors(&self, node: Node) -> impl Iterator<Item = Node> {
        self.successors.of(node.0).iter().copied().map(Node)
    }

    pub(crate) fn predecessors(&self, node: Node) -> impl Iterator<Item = Node> {
        self.predecessors.of(node.0).iter().copied().map(Node)
    }

    /// The nodes that call the function which begins with this node, if one does.
    pub(crate) fn callers(&self, node: Node) -> impl Iterator<Item = Node> {
        self.of_entry(node, &self.callers)
    }

    /// The nodes that start a thread in that function.
    pub(crate) fn starters(&self, node: Node) -> impl Iterator<Item = Node> {
        self.of_entry(node, &self.starters)
    }

    fn of_entry<'a>(&'a self, node: Node, lists: &'a Lists) -> impl Iterator<Item = Node> {
        let function = self.record(node).function;
        let begins = self.entry(function) == Some(node);
        let list = if begins { lists.of(function.0) } else { &[] };
        list.iter().copied().map(Node)
    }

    pub(crate) fn callees(&self, node: Node) -> impl Iterator<Item = Function> {
        self.callees.of(node.0).iter().copied().map(Function)
    }
}

/// Makes a graph.
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    nodes: Vec<NodeRecord>,
    entries: Vec<Option<Node>>,
    edges: Vec<(u32, u32)>,
    calls: Vec<(u32, u32)>,
    starts: Vec<(u32, u32)>,
}

impl GraphBuilder {
    /// A function, still without nodes. The first node that it gets is where it begins.
    pub fn function(&mut self) -> Function {
        self.entries.push(None);
        Function(self.entries.len() as u32 - 1)
    }

    /// A node of a function, with the cost of executing it.
    pub fn node(&mut self, function: Function, weight: u32) -> Node {
        self.nodes.push(NodeRecord { function, weight, exits: false });
        let node = Node(self.nodes.len() as u32 - 1);
        self.entries[function.0 as usize].get_or_insert(node);
        node
    }

    /// After `from`, and after the calls that it makes, `to` may come. Both are nodes of one function.
    pub fn edge(&mut self, from: Node, to: Node) {
        debug_assert_eq!(self.nodes[from.0 as usize].function, self.nodes[to.0 as usize].function);
        self.edges.push((from.0, to.0));
    }

    /// The node calls the function. If it calls several, that is one of them. A function returns by a node of its own, so that a
    /// node that calls is no exit.
    pub fn call(&mut self, node: Node, callee: Function) {
        debug_assert!(!self.nodes[node.0 as usize].exits);
        self.calls.push((node.0, callee.0));
    }

    /// The node starts a thread that begins with the function.
    pub fn start(&mut self, node: Node, entered: Function) {
        self.starts.push((node.0, entered.0));
    }

    /// The function of the node returns behind it.
    pub fn exit(&mut self, node: Node) {
        self.nodes[node.0 as usize].exits = true;
    }

    /// The graph.
    pub fn build(self) -> Graph {
        let (nodes, functions) = (self.nodes.len(), self.entries.len());
        let turned = |pairs: &[(u32, u32)]| pairs.iter().map(|&(from, to)| (to, from)).collect::<Vec<_>>();
        Graph {
            successors: Lists::new(nodes, &self.edges),
            predecessors: Lists::new(nodes, &turned(&self.edges)),
            callees: Lists::new(nodes, &self.calls),
            callers: Lists::new(functions, &turned(&self.calls)),
            starters: Lists::new(functions, &turned(&self.starts)),
            nodes: self.nodes,
            entries: self.entries,
        }
    }
}

/// A list of numbers for each number, one behind the other.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// For each number below `len` the second parts of the pairs that begin with it.
    fn new(len: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut ends = vec![0; len];
        for &(from, _) in &sorted {
            ends[from as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Lists { ends, items: sorted.into_iter().map(|(_, to)| to).collect() }
    }

    pub fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.items[start as usize..self.ends[number] as usize]
    }
}
