//! Instructions of the processor, as far as control flow depends on them.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction as Decoded, Mnemonic, OpKind, Register};

/// An instruction.
#[derive(Clone, Copy)]
pub struct Instruction(Decoded);

/// Where a thread goes from an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next one.
    Next,
    /// To an address.
    Jump(u64),
    /// To an address, or to the next one.
    Branch(u64),
    /// To an address that the program computes.
    Computed,
    /// Into the function at an address, and then to the next one.
    Call(u64),
    /// The same, where the program computes the address.
    CallComputed,
    /// Out of the function.
    Return,
    /// Nowhere.
    Stop,
}

/// The instructions that lie one behind the other in some code. What is no instruction is left out.
pub fn decode(code: &[u8], start: u64) -> impl Iterator<Item = Instruction> {
    let mut decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
    std::iter::from_fn(move || decoder.can_decode().then(|| Instruction(decoder.decode())))
        .filter(|instruction| !instruction.0.is_invalid())
}

impl Instruction {
    /// Its address.
    pub fn start(&self) -> u64 {
        self.0.ip()
    }

    /// The address behind it.
    pub fn end(&self) -> u64 {
        self.0.next_ip()
    }

    /// Where a thread goes from here.
    pub fn flow(&self) -> Flow {
        match self.0.flow_control() {
            FlowControl::UnconditionalBranch => Flow::Jump(self.0.near_branch_target()),
            FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend
                if self.0.near_branch_target() != 0 =>
            {
                Flow::Branch(self.0.near_branch_target())
            }
            FlowControl::IndirectBranch => Flow::Computed,
            FlowControl::Call if self.0.is_call_near() => Flow::Call(self.0.near_branch_target()),
            FlowControl::IndirectCall => Flow::CallComputed,
            FlowControl::Return => Flow::Return,
            FlowControl::Exception => Flow::Stop,
            FlowControl::Interrupt if self.0.mnemonic() == Mnemonic::Int3 => Flow::Stop,
            _ if self.0.mnemonic() == Mnemonic::Hlt => Flow::Stop,
            _ => Flow::Next,
        }
    }

    /// Whether it fills up room.
    pub fn is_padding(&self) -> bool {
        let same = |left: Register, right: Register| left == right;
        match self.0.mnemonic() {
            Mnemonic::Nop | Mnemonic::Int3 | Mnemonic::Ud2 => true,
            Mnemonic::Xchg => same(self.0.op0_register(), self.0.op1_register()),
            _ => false,
        }
    }

    /// Whether a stub ends behind it.
    pub fn ends_stub(&self) -> bool {
        matches!(self.flow(), Flow::Computed | Flow::Jump(_))
    }

    /// Whether it jumps, or calls a function, by a word at a fixed address: where that word lies.
    pub fn slot(&self) -> Option<u64> {
        let computed = matches!(self.flow(), Flow::Computed | Flow::CallComputed);
        (computed && self.0.op0_kind() == OpKind::Memory).then(|| self.fixed_memory())?
    }

    /// The address of the memory that it touches, if that is always the same.
    fn fixed_memory(&self) -> Option<u64> {
        if self.0.is_ip_rel_memory_operand() {
            return Some(self.0.ip_rel_memory_address());
        }
        let bare = self.0.memory_base() == Register::None && self.0.memory_index() == Register::None;
        (bare && self.0.segment_prefix() == Register::None).then(|| self.0.memory_displacement64())
    }

    /// The addresses that it computes or holds: what may be the address of a function or of a table.
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        let computed = (self.0.mnemonic() == Mnemonic::Lea).then(|| self.fixed_memory()).flatten();
        let held = (0..self.0.op_count()).filter_map(|operand| self.0.try_immediate(operand).ok());
        held.chain(computed)
    }

    /// The address from which on it reads one of several words, if there it may read a table of addresses.
    pub fn table(&self) -> Option<u64> {
        let memory = (0..self.0.op_count()).any(|operand| self.0.op_kind(operand) == OpKind::Memory);
        let indexed = self.0.memory_base() == Register::None && self.0.memory_index() != Register::None;
        (memory && indexed && self.0.memory_index_scale() == 8).then(|| self.0.memory_displacement64())
    }

    /// The largest number that passes, if it compares something with a constant.
    pub fn bound(&self) -> Option<u64> {
        let compares = matches!(self.0.mnemonic(), Mnemonic::Cmp | Mnemonic::Sub);
        compares.then(|| self.0.try_immediate(1).ok()).flatten()
    }
}
