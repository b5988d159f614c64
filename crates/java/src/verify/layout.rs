//! Where instructions begin, and that all jumps and exception ranges agree with it.

use super::{Fault, Reason};
use crate::classfile::CodeAttribute;
use crate::classfile::instruction::{Flow, Instruction};
use crate::classfile::opcode::LOOKUPSWITCH;

/// The places in a method's code that matter.
pub(super) struct Layout {
    begins: Bits,
    /// Where control may come from elsewhere than from the instruction before, or exception ranges begin or end.
    leaders: Bits,
    /// Where exception ranges begin or end.
    edges: Bits,
}

impl Layout {
    /// Goes over the code once. Every instruction is checked, reachable or not.
    pub fn new(code: &CodeAttribute<'_>) -> Result<Layout, Fault> {
        let length = code.code.len();
        let mut layout =
            Layout { begins: Bits::new(length), leaders: Bits::new(length), edges: Bits::new(length) };
        let mut at = 0;
        while at < length {
            let instruction =
                Instruction::decode(code.code, at).map_err(|reason| Fault::at(at, reason.to_string()))?;
            layout.begins.set(at);
            at = instruction.next;
        }
        at = 0;
        while at < length {
            let Ok(instruction) = Instruction::decode(code.code, at) else { break };
            layout.jump(&instruction).map_err(|reason| Fault::at(at, reason))?;
            at = instruction.next;
        }
        for handler in &code.handlers {
            let (start, end) = (usize::from(handler.start), usize::from(handler.end));
            let handler = usize::from(handler.handler);
            if start >= end || !layout.begins.get(start) || !(end == length || layout.begins.get(end)) {
                return Err(Fault::at(
                    start,
                    format!("the exception range {start}..{end} is not one of instructions"),
                ));
            }
            if !layout.begins.get(handler) {
                return Err(Fault::at(
                    start,
                    format!("no instruction begins at the exception handler {handler}"),
                ));
            }
            layout.leaders.set(handler);
            for edge in [start, end] {
                layout.edges.set(edge);
                layout.leaders.set(edge);
            }
        }
        Ok(layout)
    }

    fn jump(&mut self, instruction: &Instruction<'_>) -> Result<(), Reason> {
        match instruction.flow() {
            Flow::Branch(target) | Flow::Goto(target) => self.target(target),
            Flow::Switch => {
                if instruction.opcode == LOOKUPSWITCH && !instruction.keys_grow() {
                    return Err("the keys of the lookupswitch are not in order".to_string());
                }
                instruction.targets().try_for_each(|target| self.target(target))
            }
            Flow::Subroutine => Err("jsr and ret are not allowed since class file version 51".to_string()),
            Flow::Next | Flow::Leave => Ok(()),
        }
    }

    fn target(&mut self, target: i64) -> Result<(), Reason> {
        match usize::try_from(target) {
            Ok(place) if self.begins.get(place) => {
                self.leaders.set(place);
                Ok(())
            }
            _ => Err(format!("no instruction begins at the target {target}")),
        }
    }

    pub fn begins(&self, at: usize) -> bool {
        self.begins.get(at)
    }

    pub fn leads(&self, at: usize) -> bool {
        self.leaders.get(at)
    }

    /// Whether other handlers are in force than for the instruction before.
    pub fn is_edge(&self, at: usize) -> bool {
        self.edges.get(at)
    }
}

struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    fn new(length: usize) -> Bits {
        Bits { words: vec![0; length.div_ceil(64)], length }
    }

    fn get(&self, at: usize) -> bool {
        at < self.length && self.words[at / 64] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: usize) {
        if at < self.length {
            self.words[at / 64] |= 1 << (at % 64);
        }
    }
}
