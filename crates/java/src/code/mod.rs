//! Code in the machine's own form.
//!
//! Bytecode is translated once, when a method is first called: from a form for a stack machine into one for registers. A register is a slot
//! of the frame. The first ones are the local variables, and the others the places of the operand stack. Loads of locals and constants
//! disappear into the instructions that use them. Nothing that runs parses anything: what refers to the constant pool is resolved when it
//! is first executed and rewritten in place.

mod access;
pub mod builder;
mod executed;
mod insn;
pub mod liveness;
mod translate;

pub use executed::Executed;
pub use insn::{Insn, Op, Role};
pub use translate::{TranslateError, translate, translate_with_trail};

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// The code of a method.
pub struct Code {
    /// The instructions. They change when they are resolved, never in what they mean.
    pub insns: Box<[Cell<Insn>]>,
    /// For each instruction, the byte of the original code that it comes from.
    pub bcis: Box<[u16]>,
    /// The number of registers.
    pub registers: u16,
    /// Where exceptions are caught, in order of precedence.
    pub handlers: Box<[Handler]>,
    /// The switches.
    pub switches: Box<[Switch]>,
    /// Constants of 64 bits.
    pub constants: Box<[u64]>,
    /// What is alive at each instruction, computed when first asked for.
    pub liveness: OnceCell<Rc<liveness::Liveness>>,
    /// Which of its bytecodes were executed, if coverage is wanted.
    pub executed: Option<Box<Executed>>,
}

/// A range of the original code with a handler for exceptions.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// The first byte that it covers.
    pub start: u16,
    /// The byte behind the last one.
    pub end: u16,
    /// The instruction that the handler begins with.
    pub target: u32,
    /// Index of the class that it catches in the constant pool; 0 for all.
    pub catches: u16,
    /// The register that receives the exception.
    pub register: u16,
}

/// Where a switch goes.
#[derive(Clone, Debug)]
pub enum Switch {
    /// By position: the key of the first target, the targets.
    Table {
        /// The key of the first target.
        low: i32,
        /// The targets.
        targets: Box<[u32]>,
        /// Where all other keys go.
        default: u32,
    },
    /// By search among sorted keys.
    Lookup {
        /// Keys with targets, sorted.
        pairs: Box<[(i32, u32)]>,
        /// Where all other keys go.
        default: u32,
    },
}

impl Switch {
    /// Where this key goes.
    #[inline]
    pub fn target(&self, key: i32) -> u32 {
        match self {
            Switch::Table { low, targets, default } => {
                let index = (i64::from(key) - i64::from(*low)) as usize;
                targets.get(index).copied().unwrap_or(*default)
            }
            Switch::Lookup { pairs, default } => {
                pairs.binary_search_by_key(&key, |pair| pair.0).map_or(*default, |index| pairs[index].1)
            }
        }
    }

    /// All instructions where it may go.
    pub fn targets(&self) -> Vec<u32> {
        match self {
            Switch::Table { targets, default, .. } => targets.iter().copied().chain([*default]).collect(),
            Switch::Lookup { pairs, default } => pairs.iter().map(|pair| pair.1).chain([*default]).collect(),
        }
    }
}
