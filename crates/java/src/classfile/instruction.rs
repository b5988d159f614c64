//! Instructions as they lie in the bytecode, taken apart without trusting them.

use super::opcode::*;

/// One instruction whose bytes all lie within the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction<'a> {
    code: &'a [u8],
    /// Where it begins.
    pub at: usize,
    /// What it does; that of the widened instruction if it is a `wide` one.
    pub opcode: u8,
    /// Whether its local variable is given by two bytes.
    pub wide: bool,
    /// Where the next one begins.
    pub next: usize,
}

/// Where control may go by other ways than to the next instruction. Targets are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Nowhere: control goes on to the next instruction.
    Next,
    /// To the target, or on to the next instruction.
    Branch(i64),
    /// To the target only.
    Goto(i64),
    /// To one of the targets of a switch.
    Switch,
    /// Out of the method.
    Leave,
    /// `jsr` and `ret`, whose targets depend on values.
    Subroutine,
}

impl<'a> Instruction<'a> {
    /// The instruction at `at`; the reason why there is none.
    pub fn decode(code: &'a [u8], at: usize) -> Result<Instruction<'a>, &'static str> {
        let first = *code.get(at).ok_or("the code ends where an instruction should begin")?;
        let (opcode, wide, length) = match first {
            WIDE => {
                let opcode = *code.get(at + 1).ok_or("the code ends within an instruction")?;
                match opcode {
                    IINC => (opcode, true, 6),
                    ILOAD..=ALOAD | ISTORE..=ASTORE | RET => (opcode, true, 4),
                    _ => return Err("an instruction that cannot be wide follows `wide`"),
                }
            }
            TABLESWITCH | LOOKUPSWITCH => (first, false, switch_length(code, at)?),
            _ => match LENGTHS.get(usize::from(first)) {
                Some(&length) => (first, false, usize::from(length)),
                None => return Err("there is no such instruction"),
            },
        };
        if length > code.len() - at {
            return Err("the code ends within an instruction");
        }
        Ok(Instruction { code, at, opcode, wide, next: at + length })
    }

    /// The operand of one byte at `offset` from the opcode.
    pub fn u8(&self, offset: usize) -> u8 {
        self.code[self.at + offset]
    }

    /// The operand of two bytes at `offset` from the opcode.
    pub fn u16(&self, offset: usize) -> u16 {
        u16::from_be_bytes([self.u8(offset), self.u8(offset + 1)])
    }

    fn i32(&self, offset: usize) -> i32 {
        int(self.code, self.at + offset)
    }

    /// The local variable that it names: in its operand, or in its opcode.
    pub fn local(&self) -> u16 {
        match self.opcode {
            ILOAD_0..=ALOAD_3 => u16::from((self.opcode - ILOAD_0) & 3),
            ISTORE_0..=ASTORE_3 => u16::from((self.opcode - ISTORE_0) & 3),
            _ if self.wide => self.u16(2),
            _ => u16::from(self.u8(1)),
        }
    }

    /// Where control goes from here.
    pub fn flow(&self) -> Flow {
        let near = || self.at as i64 + i64::from(self.u16(1) as i16);
        let far = || self.at as i64 + i64::from(self.i32(1));
        match self.opcode {
            IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => Flow::Branch(near()),
            GOTO => Flow::Goto(near()),
            GOTO_W => Flow::Goto(far()),
            TABLESWITCH | LOOKUPSWITCH => Flow::Switch,
            IRETURN..=RETURN | ATHROW => Flow::Leave,
            JSR | JSR_W | RET => Flow::Subroutine,
            _ => Flow::Next,
        }
    }

    /// Whether it calls a subroutine.
    pub fn is_call(&self) -> bool {
        matches!(self.opcode, JSR | JSR_W)
    }

    /// Where the subroutine begins that it calls.
    pub fn subroutine(&self) -> Option<i64> {
        match self.opcode {
            JSR => Some(self.at as i64 + i64::from(self.u16(1) as i16)),
            JSR_W => Some(self.at as i64 + i64::from(self.i32(1))),
            _ => None,
        }
    }

    /// The targets of a switch, the default one first.
    pub fn targets(self) -> impl Iterator<Item = i64> + use<'a> {
        let table = operands(self.at);
        let (count, first, step) = match self.opcode {
            TABLESWITCH => (1 + int(self.code, table + 8) as i64 - int(self.code, table + 4) as i64, 12, 4),
            LOOKUPSWITCH => (i64::from(int(self.code, table + 4)), 12, 8),
            _ => (-1, 0, 0),
        };
        let target = move |at: usize| self.at as i64 + i64::from(int(self.code, at));
        let default = (count >= 0).then(|| target(table));
        default.into_iter().chain((0..count.max(0) as usize).map(move |i| target(table + first + i * step)))
    }

    /// Whether the keys of a `lookupswitch` grow, so that they may be searched in halves.
    pub fn keys_grow(&self) -> bool {
        let table = operands(self.at);
        let key = |i: usize| int(self.code, table + 8 + i * 8);
        (1..int(self.code, table + 4).max(0) as usize).all(|i| key(i - 1) < key(i))
    }
}

/// Where the operands of a switch begin: at the next multiple of four.
fn operands(at: usize) -> usize {
    (at + 4) & !3
}

fn switch_length(code: &[u8], at: usize) -> Result<usize, &'static str> {
    let table = operands(at);
    if table + 12 > code.len() && (code[at] == TABLESWITCH || table + 8 > code.len()) {
        return Err("the code ends within a switch");
    }
    let length = if code[at] == TABLESWITCH {
        let (low, high) = (i64::from(int(code, table + 4)), i64::from(int(code, table + 8)));
        if low > high {
            return Err("the lowest key of a tableswitch is above the highest");
        }
        12 + 4 * (high - low + 1)
    } else {
        let pairs = i64::from(int(code, table + 4));
        if pairs < 0 {
            return Err("a lookupswitch has a negative number of keys");
        }
        8 + 8 * pairs
    };
    // In 64 bits nothing of this overflows; what does not fit the code is found by the caller.
    Ok(table - at + length as usize)
}

fn int(code: &[u8], at: usize) -> i32 {
    i32::from_be_bytes([code[at], code[at + 1], code[at + 2], code[at + 3]])
}

/// The lengths of the instructions; switches and `wide` are treated apart.
const LENGTHS: [u8; 202] = {
    let mut lengths = [1; 202];
    let mut opcode = 0;
    while opcode < 202 {
        lengths[opcode] = match opcode as u8 {
            BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | NEWARRAY => 2,
            SIPUSH | LDC_W | LDC2_W | IINC | IFEQ..=JSR | IFNULL | IFNONNULL => 3,
            GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => 3,
            MULTIANEWARRAY => 4,
            INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
            _ => 1,
        };
        opcode += 1;
    }
    lengths
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_aligned_and_give_their_targets() {
        let mut code = vec![0, TABLESWITCH, 0, 0];
        for word in [20i32, 1, 2, 30, 40] {
            code.extend(word.to_be_bytes());
        }
        let instruction = Instruction::decode(&code, 1).unwrap();
        assert_eq!(instruction.next, code.len());
        assert_eq!(instruction.targets().collect::<Vec<_>>(), [21, 31, 41]);
        code.pop();
        assert!(Instruction::decode(&code, 1).is_err());
    }

    #[test]
    fn a_lookupswitch_may_have_no_keys() {
        let code = [LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0];
        let instruction = Instruction::decode(&code, 0).unwrap();
        assert_eq!(instruction.targets().collect::<Vec<_>>(), [9]);
        assert!(instruction.keys_grow());
    }

    #[test]
    fn locals_are_named_in_operands_and_opcodes() {
        let local = |code: &[u8]| Instruction::decode(code, 0).unwrap().local();
        assert_eq!(local(&[ALOAD_3]), 3);
        assert_eq!(local(&[ILOAD_0 + 6]), 2);
        assert_eq!(local(&[ASTORE_3]), 3);
        assert_eq!(local(&[ALOAD, 200]), 200);
        assert_eq!(local(&[WIDE, ALOAD, 1, 0]), 256);
    }

    #[test]
    fn no_bytes_are_read_beyond_the_code() {
        for opcode in 0..=255 {
            for length in 1..20 {
                let mut code = vec![0xFF; length];
                code[0] = opcode;
                if let Ok(instruction) = Instruction::decode(&code, 0) {
                    assert!(instruction.next <= length);
                    let _ = (instruction.flow(), instruction.targets().count());
                }
            }
        }
    }
}
