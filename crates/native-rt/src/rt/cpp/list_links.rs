//! Links between the nodes of containers of C++, which libstdc++ follows and changes in code of its own.
//!
//! That code is not instrumented. The rest of the containers is, and it reads the same links. Without this file, a thread that waits
//! until a list is no longer empty would never notice the change. So these functions take the place of the library's, and each
//! access is an operation, as in the program's own code. Trees are in [`crate::rt::cpp::trees`].

use crate::protocol::{How, Op};
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::schedule::Operation;

export! {
    _ZNSt8__detail15_List_node_base7_M_hookEPS0_ => hook;
    _ZNSt8__detail15_List_node_base9_M_unhookEv => unhook;
    _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_ => transfer;
    _ZNSt8__detail15_List_node_base10_M_reverseEv => reverse;
    _ZNSt8__detail15_List_node_base4swapERS0_S1_ => swap;
}

/// The program's own place in its call of one of these functions, from which links are read and written.
#[derive(Clone, Copy)]
pub struct Links(&'static Frame);

impl Links {
    /// As with [`Frame::here`], first of all.
    pub fn here() -> Links {
        Links(Frame::here())
    }

    /// The link that lies so far behind the start of a node.
    pub fn get(self, node: u64, at: u64) -> u64 {
        Operation::new(Op::Read, How::Read, node + at, 8).take(self.0);
        // SAFETY: the program passes nodes of the library's layout, which lead to others.
        unsafe { *((node + at) as *const u64) }
    }

    pub fn set(self, node: u64, at: u64, to: u64) {
        Operation::new(Op::Write, How::Write, node + at, 8).take(self.0);
        // SAFETY: as above.
        unsafe { *((node + at) as *mut u64) = to };
    }

    /// The same with the number of four bytes that a node begins with.
    pub fn number(self, node: u64) -> u32 {
        Operation::new(Op::Read, How::Read, node, 4).take(self.0);
        // SAFETY: as above.
        unsafe { *(node as *const u32) }
    }

    pub fn set_number(self, node: u64, to: u32) {
        Operation::new(Op::Write, How::Write, node, 4).take(self.0);
        // SAFETY: as above.
        unsafe { *(node as *mut u32) = to };
    }
}

const NEXT: u64 = 0;
const PREVIOUS: u64 = 8;

/// Puts a node in front of another one.
extern "C" fn hook(node: u64, behind: u64) {
    let links = Links::here();
    let before = links.get(behind, PREVIOUS);
    links.set(node, NEXT, behind);
    links.set(node, PREVIOUS, before);
    links.set(before, NEXT, node);
    links.set(behind, PREVIOUS, node);
}

extern "C" fn unhook(node: u64) {
    let links = Links::here();
    let (behind, before) = (links.get(node, NEXT), links.get(node, PREVIOUS));
    links.set(before, NEXT, behind);
    links.set(behind, PREVIOUS, before);
}

/// Puts the nodes from one up to, but without, another one in front of a third.
extern "C" fn transfer(behind: u64, first: u64, end: u64) {
    let links = Links::here();
    if behind == end {
        return;
    }
    let last = links.get(end, PREVIOUS);
    let before = links.get(behind, PREVIOUS);
    let gap = links.get(first, PREVIOUS);
    links.set(gap, NEXT, end);
    links.set(end, PREVIOUS, gap);
    links.set(before, NEXT, first);
    links.set(first, PREVIOUS, before);
    links.set(last, NEXT, behind);
    links.set(behind, PREVIOUS, last);
}

extern "C" fn reverse(list: u64) {
    let links = Links::here();
    let mut node = list;
    loop {
        let (behind, before) = (links.get(node, NEXT), links.get(node, PREVIOUS));
        links.set(node, NEXT, before);
        links.set(node, PREVIOUS, behind);
        node = behind;
        if node == list {
            break;
        }
    }
}

/// Swaps two lists: their nodes lead to the other one's head, or a list is empty.
extern "C" fn swap(one: u64, other: u64) {
    let links = Links::here();
    let ends = |list: u64| (links.get(list, NEXT), links.get(list, PREVIOUS));
    let (of_one, of_other) = (ends(one), ends(other));
    for (list, was, (first, last)) in [(one, other, of_other), (other, one, of_one)] {
        let (first, last) = if first == was { (list, list) } else { (first, last) };
        links.set(list, NEXT, first);
        links.set(list, PREVIOUS, last);
        if first != list {
            links.set(first, PREVIOUS, list);
            links.set(last, NEXT, list);
        }
    }
}
