//! Collapse compression: a state is a tree over pools of components.
//!
//! The states of a program differ little from each other: a step changes one frame, one field, one lock. Lerda &
//! Visser 2001 (section 2.2, after Spin's collapse) keep each component once in the pool of its kind and a state as the
//! list of their numbers. Here the list is compressed in the same way, as in LTSmin's tree compression. Neighbouring
//! numbers are paired, pairs are kept once and numbered, and so on up a balanced tree. Two numbers are left: the root, 8
//! bytes for a state of any size. Most steps leave most of the tree as it was.
//!
//! Nothing is lost: [`Pools::expand`] turns a root back into its state.

mod pools;
mod roots;

pub use pools::{Pools, Root};
pub(crate) use roots::Collapse;

/// Murmur3's finalizer: one to one, 0 stays 0, and every bit of the result depends on every bit of `word`.
#[inline]
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    word = (word ^ word >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}
