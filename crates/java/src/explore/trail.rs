//! Places: how to come back to a state by the choices that led there.
//!
//! A place is the end of a path in a tree that all places share. Going to one rewinds to where its path leaves the
//! present one and takes the choices from there: a search that goes through its places in some order of the tree, as
//! breadth-first search does, takes few steps for each.

use sojourner_program::Choice;
use std::sync::Arc;

/// The end of a path from the start; `None` is the start itself.
#[derive(Clone, Debug, Default)]
pub struct Place(Option<Arc<Node>>);

#[derive(Debug)]
struct Node {
    before: Place,
    choice: Choice,
    depth: usize,
}

impl Drop for Place {
    /// Long paths are taken apart one by one: they would be too deep for a recursion.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(node) = next.and_then(Arc::into_inner) {
            let mut node = node;
            next = node.before.0.take();
        }
    }
}

/// The path to where a program stands, and the places on it as far as somebody has asked for them.
#[derive(Debug, Default)]
pub(super) struct Trail {
    choices: Vec<Choice>,
    places: Vec<Place>,
}

impl Trail {
    /// The number of choices from the start.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// A choice is taken.
    #[inline]
    pub fn push(&mut self, choice: Choice) {
        self.choices.push(choice);
    }

    /// Goes back.
    #[inline]
    pub fn truncate(&mut self, depth: usize) {
        self.choices.truncate(depth);
        self.places.truncate(depth);
    }

    /// The place at the end.
    pub fn place(&mut self) -> Place {
        while self.places.len() < self.choices.len() {
            let depth = self.places.len();
            let before = self.places.last().cloned().unwrap_or_default();
            let node = Node { before, choice: self.choices[depth], depth: depth + 1 };
            self.places.push(Place(Some(Arc::new(node))));
        }
        self.places.last().cloned().unwrap_or_default()
    }

    /// How far this path goes together with the one to a place, and the choices that lead on from there, last first.
    pub fn way_to(&self, place: &Place) -> (usize, Vec<Choice>) {
        let mut rest = Vec::new();
        let mut at = place;
        while let Some(node) = &at.0 {
            let same = self.places.get(node.depth - 1).and_then(|place| place.0.as_ref());
            if same.is_some_and(|same| Arc::ptr_eq(same, node)) {
                return (node.depth, rest);
            }
            rest.push(node.choice);
            at = &node.before;
        }
        (0, rest)
    }

    /// The path has come to a place: its nodes become those of the path.
    pub fn arrived(&mut self, place: &Place) {
        let mut at = place.clone();
        let mut nodes = Vec::new();
        while self.places.len() + nodes.len() < self.choices.len() {
            let Some(node) = at.0.clone() else { break };
            nodes.push(at);
            at = node.before.clone();
        }
        self.places.extend(nodes.into_iter().rev());
    }
}
