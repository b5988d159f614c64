//! The path of a model: the states from the start to the present one.
//!
//! A step changes the state in place, so the state that it leaves must be kept to come back to. One that allocates
//! nothing is kept as it is, and coming back is a copy. Any other is packed, one behind the other in one buffer, and
//! unpacked into the memory of the value that is there. Either way a path of a million states allocates twenty times
//! on the way and never again.

use crate::{Foreign, Packed, State};
use smallvec::SmallVec;
use std::mem::needs_drop;

/// A state of a model, packed: what it takes to come back to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place(pub(crate) SmallVec<[u8; 24]>);

impl Place {
    /// The bytes that it keeps elsewhere, if it does not fit here.
    pub(crate) fn bytes_elsewhere(&self) -> usize {
        if self.0.spilled() { self.0.capacity() } else { 0 }
    }
}

/// The state of a model and those before it.
#[derive(Debug)]
pub(crate) struct Path<S> {
    /// The last one.
    pub state: S,
    depth: usize,
    /// Those before it, and its own where it has been left and come back to: plain ones here, others packed.
    plain: Vec<S>,
    packed: Packed,
    /// Where each of the packed ones begins.
    starts: Vec<usize>,
}

impl<S: State + Clone> Path<S> {
    /// Whether states are kept as they are. Beyond some size, packing them saves more memory than copying saves time.
    const PLAIN: bool = !needs_drop::<S>() && size_of::<S>() <= 256;

    /// A path of one state.
    pub fn new(state: S) -> Self {
        Path { state, depth: 0, plain: Vec::new(), packed: Packed::new(), starts: Vec::new() }
    }

    /// The number of steps on the path.
    #[inline]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The bytes of the states before the present one, with the room for more.
    pub fn bytes(&self) -> usize {
        self.plain.capacity() * size_of::<S>()
            + self.packed.capacity()
            + self.starts.capacity() * size_of::<usize>()
    }

    /// Takes a step and gives the state to change.
    #[inline]
    pub fn step(&mut self) -> &mut S {
        if Self::PLAIN {
            if self.plain.len() == self.depth {
                self.plain.push(self.state.clone());
            }
        } else if self.starts.len() == self.depth {
            self.starts.push(self.packed.len());
            self.state.pack(&mut self.packed);
        }
        self.depth += 1;
        &mut self.state
    }

    /// Goes back to the state at `depth`, which must be less than the present one.
    #[inline]
    pub fn rewind(&mut self, depth: usize) {
        self.recall(depth);
        if Self::PLAIN {
            self.plain.truncate(depth + 1);
        } else if let Some(&end) = self.starts.get(depth + 1) {
            self.packed.truncate(end);
            self.starts.truncate(depth + 1);
        }
        self.depth = depth;
    }

    /// Undoes what the last step did to the state, but stays where it led.
    #[cold]
    pub fn undo(&mut self) {
        self.recall(self.depth - 1);
    }

    /// Becomes what `read` makes of the state, as the only one. If that is foreign, the path stays as it is.
    pub fn restart(&mut self, read: impl FnOnce(&mut S) -> Result<(), Foreign>) -> Result<(), Foreign> {
        let depth = self.depth;
        let read = read(self.step());
        if read.is_err() {
            self.rewind(depth);
        } else {
            self.depth = 0;
            self.plain.clear();
            self.packed.truncate(0);
            self.starts.clear();
        }
        read
    }

    /// Makes the state what it was at `depth`, where it has been left.
    #[inline]
    fn recall(&mut self, depth: usize) {
        if Self::PLAIN {
            self.state = self.plain[depth].clone();
        } else {
            let end = self.starts.get(depth + 1).copied().unwrap_or(self.packed.len());
            let packed = &self.packed.bytes()[self.starts[depth]..end];
            self.state.unpack_all(packed).expect("a path holds states of its own model");
        }
    }
}
