//! Assembly that stands in the sources of a program. The compiler does not look into it, so what it does to memory would
//! be missed: where it does anything, an instruction is put before it that stops the program, and the runtime says why.
//!
//! Compilers mark what comes from the source in their own assembly.

use std::borrow::Cow;

/// Stops the program: no program may execute it, and none has it for another reason.
const STOP: &str = "\thlt\n";

/// Instructions that take a place in memory and do nothing to it.
const HARMLESS: [&str; 4] = ["lea", "nop", "prefetch", "clflush"];

/// Instructions whose operand is where to go on.
const JUMPS: [&str; 4] = ["j", "call", "loop", "xbegin"];

/// Instructions that do something to memory without naming it, or leave the program.
const DANGEROUS: [&str; 9] = ["lock", "movs", "stos", "lods", "cmps", "scas", "syscall", "sysenter", "int"];

/// Instructions that begin like one of these and are none.
const VECTORS: [&str; 3] = ["movss", "movshdup", "movsldup"];

#[derive(Clone, Copy)]
enum Syntax {
    Att,
    Intel,
}

impl Syntax {
    /// Whether one of the operands is a place in memory. A bare name is one for AT&T, as registers and numbers are marked.
    fn has_memory(self, operands: &str) -> bool {
        let is_marked =
            |operand: &str| operand.is_empty() || operand.trim_start().starts_with(['%', '$', '{']);
        match self {
            Syntax::Att => operands.contains('(') || !operands.split(',').all(is_marked),
            Syntax::Intel => operands.contains('['),
        }
    }
}

/// What a compiler wrote, with a stop before what comes from the source and touches memory.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if !text.contains("#APP") {
        return Cow::Borrowed(text);
    }
    let syntax = if text.contains(".intel_syntax") { Syntax::Intel } else { Syntax::Att };
    let mut out = String::with_capacity(text.len() + 64);
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        out.push_str(line);
        if line.trim() != "#APP" {
            continue;
        }
        let mut block = String::new();
        for line in lines.by_ref() {
            block.push_str(line);
            if line.trim() == "#NO_APP" {
                break;
            }
        }
        if touches_memory(&block, syntax) {
            out.push_str(STOP);
        }
        out.push_str(&block);
    }
    Cow::Owned(out)
}

fn touches_memory(block: &str, syntax: Syntax) -> bool {
    let lines = block.lines().map(|line| line.split('#').next().unwrap_or_default());
    let mut statements = lines.flat_map(|line| line.split(';')).map(without_labels).filter(|s| !s.is_empty());
    while let Some(statement) = statements.next() {
        let (name, operands) = parts(statement);
        let (name, operands) = match name {
            // A locked addition of nothing to the stack is a barrier.
            "lock" if is_barrier(operands) => continue,
            "lock" if operands.is_empty() && statements.next().is_some_and(is_barrier) => continue,
            "rep" | "repe" | "repz" | "repne" | "repnz" => parts(operands),
            _ => (name, operands),
        };
        let named = |names: &[&str]| names.iter().any(|other| name.starts_with(other));
        if named(&DANGEROUS) && !VECTORS.contains(&name) {
            return true;
        }
        let harmless = named(&HARMLESS) || named(&JUMPS) || name.starts_with('.');
        if !harmless && syntax.has_memory(operands) {
            return true;
        }
    }
    false
}

/// The name of an instruction, and the rest.
fn parts(statement: &str) -> (&str, &str) {
    let end = statement.find(char::is_whitespace).unwrap_or(statement.len());
    (&statement[..end], statement[end..].trim())
}

fn without_labels(statement: &str) -> &str {
    let (name, rest) = parts(statement.trim());
    if name.ends_with(':') { without_labels(rest) } else { statement.trim() }
}

fn is_barrier(statement: &str) -> bool {
    let (name, operands) = parts(statement);
    let stack = operands.ends_with("(%rsp)") || operands.ends_with("(%esp)");
    (name.starts_with("add") || name.starts_with("or")) && operands.starts_with("$0,") && stack
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops(statement: &str) -> bool {
        guarded(&format!(
            "f:\n\tmovl %eax, (%rdx)\n#APP\n# 7 \"a.c\" 1\n\t{statement}\n# 0 \"\" 2\n#NO_APP\n\tret\n"
        ))
        .contains("hlt")
    }

    #[test]
    fn what_touches_memory_is_stopped() {
        for statement in [
            "lock; xaddl %eax, -4(%rbp)",
            "lock cmpxchgq %rcx, (%rdx)",
            "xchgl %eax, (%rdx)",
            "movl $1, 8(%rax)",
            "rep stosb",
            "syscall",
            "1: lock; decl (%rdi)",
            "lock\n\tincl (%rax)",
            "incl counter",
            "movl $1, flag+4",
            "xchgl %eax, counter@GOTPCREL",
            ".intel_syntax noprefix\n\txchg eax, [rdx]\n\t.att_syntax",
        ] {
            assert!(stops(statement), "{statement}");
        }
    }

    #[test]
    fn what_does_not_is_left_alone() {
        for statement in [
            "",
            "pause",
            "rep; nop",
            "rep nop",
            "mfence",
            "lock; addl $0, 0(%rsp)",
            "lock addl $0,(%rsp)",
            "rdtsc",
            "bsrl %eax, %ecx",
            "jmp 1f\n1:",
            "call helper",
            "xorl %eax,%eax",
            ".intel_syntax noprefix\n\tmov eax, 1\n\t.att_syntax",
        ] {
            assert!(!stops(statement), "{statement}");
        }
        assert!(!guarded("\tlock\n\txaddl %eax, (%rdx)\n").contains("hlt"));
    }
}
