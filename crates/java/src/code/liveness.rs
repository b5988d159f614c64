//! Which registers still matter at an instruction, and which of those are references.
//!
//! One pass backwards over the instructions, repeated until nothing changes. What a register holds is told by the instructions that read it:
//! code was verified, so all readers agree. The garbage collector needs the references; states are compared by all that
//! is alive.

use super::{Code, Insn, Op, Role};

/// What an instruction reads and writes.
#[derive(Default)]
pub struct Effects {
    /// Registers that it reads, and whether as references.
    pub uses: Vec<(u16, bool)>,
    /// The register that it writes.
    pub defines: Option<u16>,
    /// The register that it copies from, of whatever kind.
    pub copies: Option<u16>,
}

impl Effects {
    /// The effects that the instruction alone tells; `None` if a descriptor is needed.
    pub fn of(insn: Insn) -> Option<Effects> {
        let mut effects = Effects::default();
        match insn.op {
            Op::Move => {
                effects.defines = Some(insn.a);
                effects.copies = Some(insn.b);
                return Some(effects);
            }
            Op::GetField
            | Op::PutField
            | Op::GetStatic
            | Op::PutStatic
            | Op::InvokeVirtual
            | Op::InvokeSpecial
            | Op::InvokeStatic
            | Op::InvokeInterface
            | Op::InvokeDynamic
            | Op::CallDirect
            | Op::CallStatic
            | Op::CallVirtual
            | Op::CallInterface
            | Op::CallPolymorphic
            | Op::Native => return None,
            Op::NewArrays => {
                effects.uses.extend((0..insn.c).map(|index| (insn.a + index, false)));
                effects.defines = Some(insn.a);
                return Some(effects);
            }
            // The references that a hook needs are in the registers up to `a`.
            Op::Hook => {
                effects.uses.extend((0..=insn.a).map(|register| (register, true)));
                return Some(effects);
            }
            _ => {}
        }
        for (role, register) in insn.op.roles().into_iter().zip([insn.a, insn.b, insn.c]) {
            match role {
                Role::None => {}
                Role::Define | Role::DefineRef => effects.defines = Some(register),
                Role::Use => effects.uses.push((register, false)),
                Role::UseRef => effects.uses.push((register, true)),
            }
        }
        Some(effects)
    }

    /// Reads the arguments of a method from a register on.
    pub fn arguments(&mut self, first: u16, receiver: bool, descriptor: &str) {
        let mut register = first;
        if receiver {
            self.uses.push((register, true));
            register += 1;
        }
        let mut rest = descriptor.trim_start_matches('(').as_bytes();
        while let Some(&letter) = rest.first().filter(|&&letter| letter != b')') {
            let dimensions = rest.iter().take_while(|&&byte| byte == b'[').count();
            let element = rest.get(dimensions).copied().unwrap_or(b')');
            let name = if element == b'L' {
                rest.iter().position(|&byte| byte == b';').unwrap_or(0)
            } else {
                dimensions
            };
            let reference = letter == b'[' || letter == b'L';
            self.uses.push((register, reference));
            register += if !reference && matches!(letter, b'J' | b'D') { 2 } else { 1 };
            rest = rest.get(name + 1..).unwrap_or(&[]);
        }
    }
}

/// Up to 64 registers that are alive.
#[derive(Clone, Copy)]
pub struct Set {
    /// Those that are no references.
    pub plain: u64,
    /// Those that are.
    pub references: u64,
}

/// What is alive at the instructions of a method, in sets of 64 registers.
pub struct Liveness {
    words: usize,
    /// For each instruction: alive before it, alive while a call that it makes is under way.
    before: Box<[Set]>,
    during: Box<[Set]>,
}

/// The same while it is computed.
struct Draft {
    words: usize,
    before: Vec<u64>,
    during: Vec<u64>,
    /// The same, references only.
    references_before: Vec<u64>,
    references_during: Vec<u64>,
}

impl Draft {
    fn at(&self, half: usize, index: usize) -> &[u64] {
        let all = if half == 0 { &self.before } else { &self.references_before };
        &all[index * self.words..(index + 1) * self.words]
    }

    fn finish(self) -> Liveness {
        let sets = |all: Vec<u64>, references: Vec<u64>| {
            let pairs = all.into_iter().zip(references);
            pairs
                .map(|(all, references)| Set { plain: all & !references, references: all & references })
                .collect()
        };
        Liveness {
            words: self.words,
            before: sets(self.before, self.references_before),
            during: sets(self.during, self.references_during),
        }
    }
}

impl Liveness {
    /// Computes it, given the effects of all instructions.
    pub fn new(code: &Code, effects: &[Effects]) -> Liveness {
        let count = code.insns.len();
        let words = usize::from(code.registers).div_ceil(64).max(1);
        let mut liveness = Draft {
            words,
            before: vec![0; count * words],
            during: vec![0; count * words],
            references_before: vec![0; count * words],
            references_during: vec![0; count * words],
        };
        let successors: Vec<Vec<u32>> = (0..count).map(|index| successors(code, index)).collect();
        let mut changed = true;
        let mut set = [vec![0u64; words], vec![0u64; words]];
        while changed {
            changed = false;
            for index in (0..count).rev() {
                for (half, set) in set.iter_mut().enumerate() {
                    set.fill(0);
                    for &next in &successors[index] {
                        let next = liveness.at(half, next as usize);
                        set.iter_mut().zip(next).for_each(|(word, &more)| *word |= more);
                    }
                }
                let effect = &effects[index];
                let copied = effect.defines.zip(effect.copies).map(|(to, _)| {
                    let (word, bit) = (usize::from(to) / 64, 1u64 << (to % 64));
                    (set[0][word] & bit != 0, set[1][word] & bit != 0)
                });
                if let Some(register) = effect.defines {
                    let (word, bit) = (usize::from(register) / 64, 1u64 << (register % 64));
                    set.iter_mut().for_each(|set| set[word] &= !bit);
                }
                // What a handler needs is alive wherever it may be entered from.
                let bci = code.bcis[index];
                for handler in
                    code.handlers.iter().filter(|handler| handler.start <= bci && bci < handler.end)
                {
                    for (half, set) in set.iter_mut().enumerate() {
                        let next = liveness.at(half, handler.target as usize);
                        for (word, (value, &more)) in set.iter_mut().zip(next).enumerate() {
                            let own = usize::from(handler.register) / 64 == word;
                            *value |= more & !(u64::from(own) << (handler.register % 64));
                        }
                    }
                }
                changed |= store(&mut liveness.during, index * words, &set[0]);
                changed |= store(&mut liveness.references_during, index * words, &set[1]);
                if let (Some(from), Some((alive, reference))) = (effect.copies, copied) {
                    let (word, bit) = (usize::from(from) / 64, 1u64 << (from % 64));
                    set[0][word] |= if alive { bit } else { 0 };
                    set[1][word] |= if reference { bit } else { 0 };
                }
                for &(register, reference) in &effect.uses {
                    let (word, bit) = (usize::from(register) / 64, 1u64 << (register % 64));
                    set[0][word] |= bit;
                    set[1][word] |= if reference { bit } else { 0 };
                }
                changed |= store(&mut liveness.before, index * words, &set[0]);
                changed |= store(&mut liveness.references_before, index * words, &set[1]);
            }
        }
        liveness.finish()
    }

    /// What is alive before an instruction is executed (`again`), or while the call that it makes is under way.
    #[inline(always)]
    pub fn sets(&self, pc: u32, again: bool) -> &[Set] {
        let sets = if again { &self.before } else { &self.during };
        match self.words {
            // Few methods have more registers.
            1 => std::slice::from_ref(&sets[pc as usize]),
            words => &sets[pc as usize * words..][..words],
        }
    }

    /// Calls `visit` with the registers that are references.
    pub fn references(&self, pc: u32, again: bool, mut visit: impl FnMut(u16)) {
        self.alive(pc, again, |register, is_reference| {
            if is_reference {
                visit(register);
            }
        });
    }

    /// Calls `visit` with all registers that are alive, and whether they are references.
    pub fn alive(&self, pc: u32, again: bool, mut visit: impl FnMut(u16, bool)) {
        for (first, &Set { plain, references }) in (0..).step_by(64).zip(self.sets(pc, again)) {
            for register in registers(plain | references) {
                visit(first + register as u16, references >> register & 1 != 0);
            }
        }
    }
}

/// The registers of a set, from the lowest on.
#[inline(always)]
pub fn registers(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let register = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (register < 64).then_some(register)
    })
}

fn store(all: &mut [u64], at: usize, set: &[u64]) -> bool {
    let old = &mut all[at..at + set.len()];
    let changed = old != set;
    old.copy_from_slice(set);
    changed
}

/// The instructions that may follow one, without handlers.
fn successors(code: &Code, index: usize) -> Vec<u32> {
    let insn = code.insns[index].get();
    let next = index as u32 + 1;
    match insn.op {
        Op::Return | Op::ReturnValue | Op::ReturnRef | Op::Throw => Vec::new(),
        Op::Goto => vec![insn.operand()],
        Op::Switch => code.switches[insn.operand() as usize].targets(),
        Op::IfEq | Op::IfNe | Op::IfLt | Op::IfGe | Op::IfGt | Op::IfLe | Op::IfNull | Op::IfNonNull => {
            vec![next, insn.operand()]
        }
        Op::IfIEq
        | Op::IfINe
        | Op::IfILt
        | Op::IfIGe
        | Op::IfIGt
        | Op::IfILe
        | Op::IfIImmEq
        | Op::IfIImmNe
        | Op::IfIImmLt
        | Op::IfIImmGe
        | Op::IfIImmGt
        | Op::IfIImmLe
        | Op::IfLEq
        | Op::IfLNe
        | Op::IfLLt
        | Op::IfLGe
        | Op::IfLGt
        | Op::IfLLe
        | Op::IfSame
        | Op::IfNotSame => vec![next, u32::from(insn.c)],
        _ if next as usize == code.insns.len() => Vec::new(),
        _ => vec![next],
    }
}
