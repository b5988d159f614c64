//! The memory of the machine: the heap of objects and the stacks of threads.
//!
//! Both are plain bytes in reserved address space, so that references and slots stay where they are for the life of the
//! machine and an access is one load. This is where the crate's `unsafe` code lives; what it relies on is that code was
//! verified before it runs (types of slots, bounds of registers), and that references come from `Heap::allocate`.
#![allow(unsafe_code)]

mod heap;
mod registers;
mod reserve;
mod stack;

pub use heap::journal::{Changed, HeapMark, Overwritten};
pub use heap::pieces::PIECE;
pub use heap::{
    ARRAY_DATA, FLAGS, GUARD, HASH, HEADER, Heap, LENGTH, LOCK, REFERENCES_END, Ref, SHARED, UNSEEDED,
};
pub use registers::{Registers, Running};
pub use stack::Stack;
