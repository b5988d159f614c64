//! The trees of maps and sets of C++ (see [`crate::rt::cpp::list_links`]): red-black trees (Cormen, Leiserson, Rivest & Stein, chapter 13) with a
//! head, which knows the root, the first node and the last one, and is red.

use crate::rt::cpp::list_links::Links;
use crate::rt::sched::context::export;

export! {
    _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base => next;
    _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base => next;
    _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base => previous;
    _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base => previous;
    _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_ => insert;
    _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_ => erase;
}

const RED: u32 = 0;
const BLACK: u32 = 1;

/// Where a node has its links. Those of the head lead to the root, the first node and the last one.
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;
const SIDES: [u64; 2] = [LEFT, RIGHT];

/// The other one of two sides.
fn opposite(side: u64) -> u64 {
    LEFT + RIGHT - side
}

extern "C" fn next(node: u64) -> u64 {
    neighbour(Links::here(), node, RIGHT)
}

extern "C" fn previous(node: u64) -> u64 {
    let links = Links::here();
    // The one before the head is the last one.
    let is_head = links.number(node) == RED && links.get(links.get(node, PARENT), PARENT) == node;
    if is_head { links.get(node, RIGHT) } else { neighbour(links, node, LEFT) }
}

/// The nearest node on a side.
fn neighbour(links: Links, mut node: u64, side: u64) -> u64 {
    let below = links.get(node, side);
    if below != 0 {
        return outermost(links, below, opposite(side));
    }
    let mut above = links.get(node, PARENT);
    while node == links.get(above, side) {
        (node, above) = (above, links.get(above, PARENT));
    }
    // From a root without anything on that side the way leads to the head, which is the root's parent, and back.
    if links.get(node, side) == above { node } else { above }
}

/// The last node on a side, below a node.
fn outermost(links: Links, mut node: u64, side: u64) -> u64 {
    loop {
        match links.get(node, side) {
            0 => return node,
            below => node = below,
        }
    }
}

/// A tree, by its head.
#[derive(Clone, Copy)]
struct Tree {
    links: Links,
    head: u64,
}

impl Tree {
    fn is_red(self, node: u64) -> bool {
        node != 0 && self.links.number(node) == RED
    }

    fn root(self) -> u64 {
        self.links.get(self.head, PARENT)
    }

    fn parent(self, node: u64) -> u64 {
        self.links.get(node, PARENT)
    }

    fn paint(self, node: u64, colour: u32) {
        self.links.set_number(node, colour);
    }

    /// Puts another node, or none, in the place that a node has below its parent.
    fn replace(self, node: u64, by: u64) {
        let links = self.links;
        if self.root() == node {
            return links.set(self.head, PARENT, by);
        }
        let parent = self.parent(node);
        let side = if links.get(parent, LEFT) == node { LEFT } else { RIGHT };
        links.set(parent, side, by);
    }

    /// Moves a node down to a side; what is on its other side takes its place.
    fn rotate(self, node: u64, side: u64) {
        let links = self.links;
        let other = opposite(side);
        let up = links.get(node, other);
        let inner = links.get(up, side);
        links.set(node, other, inner);
        if inner != 0 {
            links.set(inner, PARENT, node);
        }
        links.set(up, PARENT, self.parent(node));
        self.replace(node, up);
        links.set(up, side, node);
        links.set(node, PARENT, up);
    }

    /// A red node may have got a red parent.
    fn settle_inserted(self, mut node: u64) {
        let links = self.links;
        while node != self.root() && self.is_red(self.parent(node)) {
            let mut parent = self.parent(node);
            let above = self.parent(parent);
            let side = if links.get(above, LEFT) == parent { LEFT } else { RIGHT };
            let uncle = links.get(above, opposite(side));
            if self.is_red(uncle) {
                self.paint(parent, BLACK);
                self.paint(uncle, BLACK);
                self.paint(above, RED);
                node = above;
                continue;
            }
            if links.get(parent, opposite(side)) == node {
                self.rotate(parent, side);
                (node, parent) = (parent, node);
            }
            self.paint(parent, BLACK);
            self.paint(above, RED);
            self.rotate(above, opposite(side));
        }
        self.paint(self.root(), BLACK);
    }

    /// Below a parent, where there is a node or none now, a black one is missing on every way.
    fn settle_erased(self, mut node: u64, mut parent: u64) {
        let links = self.links;
        while node != self.root() && !self.is_red(node) {
            let side = if links.get(parent, LEFT) == node { LEFT } else { RIGHT };
            let other = opposite(side);
            let mut sibling = links.get(parent, other);
            if self.is_red(sibling) {
                self.paint(sibling, BLACK);
                self.paint(parent, RED);
                self.rotate(parent, side);
                sibling = links.get(parent, other);
            }
            if SIDES.iter().all(|&at| !self.is_red(links.get(sibling, at))) {
                self.paint(sibling, RED);
                (node, parent) = (parent, self.parent(parent));
                continue;
            }
            if !self.is_red(links.get(sibling, other)) {
                self.paint(links.get(sibling, side), BLACK);
                self.paint(sibling, RED);
                self.rotate(sibling, other);
                sibling = links.get(parent, other);
            }
            self.paint(sibling, links.number(parent));
            self.paint(parent, BLACK);
            self.paint(links.get(sibling, other), BLACK);
            self.rotate(parent, side);
            return;
        }
        if node != 0 {
            self.paint(node, BLACK);
        }
    }
}

/// Puts a node below another one, or below the head of a tree without nodes, where there is none on that side.
extern "C" fn insert(left: bool, node: u64, parent: u64, head: u64) {
    let links = Links::here();
    links.set(node, PARENT, parent);
    links.set(node, LEFT, 0);
    links.set(node, RIGHT, 0);
    links.set_number(node, RED);
    let side = if left { LEFT } else { RIGHT };
    if parent == head {
        for at in [PARENT, LEFT, RIGHT] {
            links.set(head, at, node);
        }
    } else {
        links.set(parent, side, node);
        if links.get(head, side) == parent {
            links.set(head, side, node);
        }
    }
    Tree { links, head }.settle_inserted(node);
}

/// Takes a node out of its tree. The node.
extern "C" fn erase(node: u64, head: u64) -> u64 {
    let links = Links::here();
    let tree = Tree { links, head };
    for side in SIDES {
        if links.get(head, side) == node {
            let below = links.get(node, opposite(side));
            let outer = if below == 0 { tree.parent(node) } else { outermost(links, below, side) };
            links.set(head, side, outer);
        }
    }
    let (left, right) = (links.get(node, LEFT), links.get(node, RIGHT));
    let colour = links.number(node);
    // What is missing is the node's own colour, in its own place; or, if the next one takes it, that one's, where it was.
    let (moved, parent, missing);
    if left == 0 || right == 0 {
        moved = left | right;
        (parent, missing) = (tree.parent(node), colour);
        if moved != 0 {
            links.set(moved, PARENT, parent);
        }
        tree.replace(node, moved);
    } else {
        let heir = outermost(links, right, LEFT);
        moved = links.get(heir, RIGHT);
        missing = links.number(heir);
        if heir == right {
            parent = heir;
        } else {
            parent = tree.parent(heir);
            if moved != 0 {
                links.set(moved, PARENT, parent);
            }
            links.set(parent, LEFT, moved);
            links.set(heir, RIGHT, right);
            links.set(right, PARENT, heir);
        }
        tree.replace(node, heir);
        links.set(heir, PARENT, tree.parent(node));
        links.set(heir, LEFT, left);
        links.set(left, PARENT, heir);
        tree.paint(heir, colour);
    }
    if missing == BLACK {
        tree.settle_erased(moved, parent);
    }
    node
}
