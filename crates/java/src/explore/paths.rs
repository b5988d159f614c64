//! Paths: the choices that lead from the start to a state, in a tree that all paths share.

use sojourner_program::Choice;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The end of a path from the start; `None` is the start itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Path(Option<Arc<Node>>);

#[derive(Debug)]
struct Node {
    before: Path,
    choice: Choice,
    /// The number of choices from the start.
    length: usize,
    /// The nodes of the tree that this one was made for.
    nodes: Arc<AtomicUsize>,
}

/// The bytes of a node, with what counts its users.
const NODE: usize = size_of::<Node>() + 2 * size_of::<usize>();

impl Drop for Path {
    /// Long paths are taken apart one by one: they would be too deep for a recursion.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(node) = next.and_then(Arc::into_inner) {
            let mut node = node;
            node.nodes.fetch_sub(1, Relaxed);
            next = node.before.0.take();
        }
    }
}

impl Path {
    fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.length)
    }

    fn is(&self, other: &Path) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

/// The path to where a program stands, from a state on that it can go back to, and the ends of its beginnings as far as
/// they were asked for.
#[derive(Debug, Default)]
pub(super) struct PathTree {
    origin: Path,
    choices: Vec<Choice>,
    paths: Vec<Path>,
    /// How many nodes were made here and are still there, wherever.
    nodes: Arc<AtomicUsize>,
}

impl PathTree {
    /// The path begins at the end of another.
    pub fn begin(&mut self, origin: Path) {
        self.origin = origin;
        self.choices.clear();
        self.paths.clear();
    }

    /// The bytes of all paths that were made here and are still there.
    pub fn bytes(&self) -> usize {
        self.nodes.load(Relaxed) * NODE
            + self.choices.capacity() * size_of::<Choice>()
            + self.paths.capacity() * size_of::<Path>()
    }

    /// Whether the program can go back to the start.
    pub fn begins_at_start(&self) -> bool {
        self.origin.0.is_none()
    }

    /// A choice is taken.
    #[inline]
    pub fn push(&mut self, choice: Choice) {
        self.choices.push(choice);
    }

    /// Goes back until so many choices are left.
    #[inline]
    pub fn truncate(&mut self, choices: usize) {
        self.choices.truncate(choices);
        self.paths.truncate(choices);
    }

    /// The path.
    pub fn path(&mut self) -> Path {
        while self.paths.len() < self.choices.len() {
            let before = self.paths.last().unwrap_or(&self.origin).clone();
            let (choice, length) = (self.choices[self.paths.len()], before.length() + 1);
            self.nodes.fetch_add(1, Relaxed);
            let nodes = Arc::clone(&self.nodes);
            self.paths.push(Path(Some(Arc::new(Node { before, choice, length, nodes }))));
        }
        self.paths.last().unwrap_or(&self.origin).clone()
    }

    /// How many choices this path, from its origin, has in common with another one, and those that lead on from there, last
    /// first. `None` if the other one does not come through the origin, or more than `most` choices lead on.
    pub fn way_to(&self, path: &Path, most: usize) -> Option<(usize, Vec<Choice>)> {
        let mut rest = Vec::new();
        let mut at = path;
        loop {
            let from_origin = at.length().checked_sub(self.origin.length())?;
            let same = match from_origin {
                0 => Some(&self.origin),
                _ => self.paths.get(from_origin - 1),
            };
            if same.is_some_and(|same| same.is(at)) {
                return Some((from_origin, rest));
            }
            let node = at.0.as_ref().filter(|_| rest.len() < most)?;
            rest.push(node.choice);
            at = &node.before;
        }
    }

    /// It has come to the end of a path: what that shares with others is shared from now on.
    pub fn arrived(&mut self, path: &Path) {
        let mut at = path.clone();
        let mut paths = Vec::new();
        while self.paths.len() + paths.len() < self.choices.len() {
            let Some(node) = at.0.clone() else { break };
            paths.push(at);
            at = node.before.clone();
        }
        self.paths.extend(paths.into_iter().rev());
    }
}
