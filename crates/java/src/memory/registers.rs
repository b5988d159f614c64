//! What the interpreter's loop holds on to: the registers of a frame and the code of its method.

use crate::code::{Code, Insn};

/// The registers of the frame that runs.
///
/// Its numbers are trusted: translation gives instructions only registers that the frame has, and a call makes sure that
/// the stack has room for all registers of the callee.
#[derive(Clone, Copy)]
pub struct Registers {
    base: *mut u64,
}

impl Registers {
    /// The registers that begin at a slot.
    #[inline(always)]
    pub fn new(base: *mut u64) -> Registers {
        Registers { base }
    }

    /// The value of a register.
    #[inline(always)]
    pub fn get(self, register: u16) -> u64 {
        // SAFETY: see the type.
        unsafe { *self.base.add(usize::from(register)) }
    }

    /// Sets a register.
    #[inline(always)]
    pub fn set(self, register: u16, value: u64) {
        // SAFETY: see the type.
        unsafe { *self.base.add(usize::from(register)) = value }
    }

    /// The registers from one on, as a callee sees them.
    #[inline(always)]
    pub fn from(self, register: u16) -> Registers {
        Registers { base: self.base.wrapping_add(usize::from(register)) }
    }
}

/// The code that runs.
///
/// The code of a method lies in a box of its own that never moves, and lives as long as the machine, which is longer than any run of its interpreter.
#[derive(Clone, Copy)]
pub struct Running {
    code: *const Code,
    insns: *const Insn,
}

impl Running {
    /// Holds on to code.
    #[inline(always)]
    pub fn new(code: &Code) -> Running {
        Running { code, insns: code.insns.as_ptr().cast() }
    }

    /// The code.
    #[inline(always)]
    pub fn code<'a>(self) -> &'a Code {
        // SAFETY: see the type.
        unsafe { &*self.code }
    }

    /// An instruction. The index is trusted: translation makes only jumps within the code, and no path runs over its
    /// end.
    #[inline(always)]
    pub fn insn(self, index: usize) -> Insn {
        debug_assert!(index < self.code().insns.len());
        // SAFETY: see above; a `Cell<Insn>` has the layout of an `Insn`, and nothing else writes meanwhile.
        unsafe { *self.insns.add(index) }
    }
}
