//! Which instruction pushed each value on the operand stack: a simulation of a method without values.
//!
//! It goes over the code as HotSpot does, because what can be said depends on it: from the front, again as long as
//! that finds more, and no further than to the instruction in question. So a parameter that is only written
//! behind that place, in a loop, still counts as untouched.

use crate::classfile::instruction::{Flow, Instruction};
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, CodeAttribute, Descriptor, field_kind};

/// A bound on the values remembered for one method.
const MOST: usize = 1_000_000;

/// The operand stacks before the instructions of a method.
pub(super) struct Origins {
    /// By bytecode index; `None` where no way has been found yet.
    stacks: Vec<Option<Stack>>,
    remembered: usize,
    added: bool,
}

#[derive(Clone, Default)]
struct Stack {
    /// The instruction that pushed the value of each slot; `None` if several may have.
    slots: Vec<Option<u16>>,
    /// The locals below 64 that have been written.
    written: u64,
}

impl Origins {
    /// Simulates a method up to the instruction at `bci`. `None` if the bytecode makes no sense, or
    /// if no instruction begins there.
    pub fn before(class: &ClassFile, code: &CodeAttribute<'_>, bci: usize) -> Option<Origins> {
        let mut origins = Origins { stacks: vec![None; code.code.len() + 1], remembered: 0, added: true };
        origins.stacks[0] = Some(Stack::default());
        for handler in &code.handlers {
            let at = origins.stacks.get_mut(usize::from(handler.handler))?;
            *at = Some(Stack { slots: vec![Some(handler.handler)], written: 0 });
        }
        let (mut complete, mut begins) = (false, bci == 0);
        while !complete && origins.added {
            complete = true;
            origins.added = false;
            let mut at = 0;
            while at < code.code.len() {
                let instruction = Instruction::decode(code.code, at).ok()?;
                match origins.stacks[at].clone() {
                    Some(stack) => origins.execute(class, &instruction, stack)?,
                    None => complete = false,
                }
                at = instruction.next;
                begins |= at == bci;
                if at == bci && origins.stacks[at].is_some() {
                    return Some(origins);
                }
                if origins.remembered > MOST {
                    return Some(origins);
                }
            }
        }
        begins.then_some(origins)
    }

    /// The instruction that pushed the value at that depth of the stack before `bci`, if there is one that surely did.
    pub fn of(&self, bci: usize, depth: usize) -> Option<usize> {
        let slots = &self.stacks.get(bci)?.as_ref()?.slots;
        slots[slots.len().checked_sub(depth + 1)?].map(usize::from)
    }

    /// Whether a local may have been written on the way to `bci`.
    pub fn written(&self, bci: usize, local: u16) -> bool {
        let stack = self.stacks.get(bci).and_then(Option::as_ref);
        local >= 64 || stack.is_none_or(|stack| stack.written >> local & 1 == 1)
    }

    /// Passes the effect of an instruction on to where control goes from it.
    fn execute(&mut self, class: &ClassFile, instruction: &Instruction<'_>, mut stack: Stack) -> Option<()> {
        apply(class, instruction, &mut stack)?;
        match instruction.flow() {
            Flow::Next => self.merge(instruction.next as i64, &stack),
            Flow::Branch(target) => {
                self.merge(instruction.next as i64, &stack)?;
                self.merge(target, &stack)
            }
            Flow::Goto(target) => self.merge(target, &stack),
            Flow::Switch => instruction.targets().try_for_each(|target| self.merge(target, &stack)),
            Flow::Leave => Some(()),
            Flow::Subroutine => None,
        }
    }

    fn merge(&mut self, at: i64, stack: &Stack) -> Option<()> {
        match self.stacks.get_mut(usize::try_from(at).ok()?)? {
            Some(known) => {
                if known.slots.len() != stack.slots.len() {
                    return None;
                }
                for (known, other) in known.slots.iter_mut().zip(&stack.slots) {
                    if known != other {
                        *known = None;
                    }
                }
                known.written |= stack.written;
            }
            unknown => {
                self.remembered += stack.slots.len();
                self.added = true;
                *unknown = Some(stack.clone());
            }
        }
        Some(())
    }
}

/// What an instruction does to the stack.
fn apply(class: &ClassFile, instruction: &Instruction<'_>, stack: &mut Stack) -> Option<()> {
    let (pops, pushes) = match instruction.opcode {
        // A parameter that is only counted up keeps its name.
        NOP | IINC | CHECKCAST | GOTO | GOTO_W | RETURN => (0, 0),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 | LDC2_W => (0, 2),
        LLOAD | DLOAD | LLOAD_0..=LLOAD_3 | DLOAD_0..=DLOAD_3 => (0, 2),
        ACONST_NULL..=ALOAD_3 => (0, 1),
        LALOAD | DALOAD => (2, 2),
        IALOAD..=SALOAD => (2, 1),
        LSTORE | DSTORE | LSTORE_0..=LSTORE_3 | DSTORE_0..=DSTORE_3 => {
            stack.write(instruction.local());
            stack.write(instruction.local().saturating_add(1));
            (2, 0)
        }
        ISTORE..=ASTORE_3 => {
            stack.write(instruction.local());
            (1, 0)
        }
        LASTORE | DASTORE => (4, 0),
        IASTORE..=SASTORE => (3, 0),
        POP => (1, 0),
        POP2 => (2, 0),
        DUP..=SWAP => return stack.rearrange(instruction.opcode),
        // The four kinds of number follow each other in the arithmetic instructions: int, long, float, double.
        IADD..=DREM => {
            let width = 1 + usize::from(instruction.opcode - IADD) % 2;
            (2 * width, width)
        }
        INEG..=DNEG => {
            let width = 1 + usize::from(instruction.opcode - INEG) % 2;
            (width, width)
        }
        ISHL..=LUSHR => {
            let width = 1 + usize::from(instruction.opcode - ISHL) % 2;
            (width + 1, width)
        }
        IAND..=LXOR => {
            let width = 1 + usize::from(instruction.opcode - IAND) % 2;
            (2 * width, width)
        }
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        L2D | D2L => (2, 2),
        I2F | F2I | I2B..=I2S => (1, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        FCMPL | FCMPG => (2, 1),
        IFEQ..=IFLE | IFNULL | IFNONNULL | TABLESWITCH | LOOKUPSWITCH => (1, 0),
        IF_ICMPEQ..=IF_ACMPNE => (2, 0),
        LRETURN | DRETURN => (2, 0),
        IRETURN | FRETURN | ARETURN | ATHROW | MONITORENTER | MONITOREXIT => (1, 0),
        GETSTATIC..=PUTFIELD => {
            let (_, _, descriptor) = class.pool.member(instruction.u16(1)).ok()?;
            let width = usize::from(field_kind(descriptor).ok()?.slots());
            match instruction.opcode {
                GETSTATIC => (0, width),
                PUTSTATIC => (width, 0),
                GETFIELD => (1, width),
                _ => (width + 1, 0),
            }
        }
        INVOKEVIRTUAL..=INVOKEDYNAMIC => {
            let descriptor = match instruction.opcode {
                INVOKEDYNAMIC => class.pool.dynamic(instruction.u16(1)).ok()?.2,
                _ => class.pool.member(instruction.u16(1)).ok()?.2,
            };
            let descriptor = Descriptor::parse(descriptor).ok()?;
            let receiver = usize::from(!matches!(instruction.opcode, INVOKESTATIC | INVOKEDYNAMIC));
            (usize::from(descriptor.slots) + receiver, usize::from(descriptor.returns.slots()))
        }
        NEW => (0, 1),
        NEWARRAY | ANEWARRAY | ARRAYLENGTH | INSTANCEOF => (1, 1),
        MULTIANEWARRAY => (usize::from(instruction.u8(3)), 1),
        _ => return None,
    };
    let left = stack.slots.len().checked_sub(pops)?;
    stack.slots.truncate(left);
    stack.slots.resize(left + pushes, Some(instruction.at as u16));
    Some(())
}

impl Stack {
    fn write(&mut self, local: u16) {
        if local < 64 {
            self.written |= 1 << local;
        }
    }

    /// The instructions that repeat or exchange values. Those keep their origins.
    fn rearrange(&mut self, opcode: u8) -> Option<()> {
        let slots = &mut self.slots;
        if opcode == SWAP {
            let second = slots.len().checked_sub(2)?;
            slots.swap(second, second + 1);
            return Some(());
        }
        // How many slots are repeated, and beneath how many others the copy goes.
        let (count, beneath) = (1 + usize::from(opcode - DUP) / 3, usize::from(opcode - DUP) % 3);
        let start = slots.len().checked_sub(count)?;
        let place = start.checked_sub(beneath)?;
        let copy: Vec<_> = slots[start..].to_vec();
        slots.splice(place..place, copy);
        Some(())
    }
}
