//! Assembly that stands in the sources of a program. The compiler does not look into it, so what it does to memory would
//! be missed. Around an instruction of which it is known what it does, calls are put that tell the runtime; where there is
//! anything else, an instruction is put before it that stops the program, and the runtime says why.
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

/// Instructions that read the processor's ticks; the second one says, too, which processor it is.
const TICKS: [&str; 2] = ["rdtsc", "rdtscp"];

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

/// What a compiler wrote, with calls of the runtime around instructions that come from the source and touch memory, if all of a
/// block are known; otherwise with a stop before it.
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
        if !touches_memory(&block, syntax) {
            out.push_str(&block);
        } else if let Some(told) = told(&block, syntax) {
            out.push_str(&told);
        } else {
            out.push_str(STOP);
            out.push_str(&block);
        }
    }
    Cow::Owned(out)
}

/// How instructions begin that draw a random number from the processor, into a register. They say by a flag that they could.
const DRAWS: [&str; 2] = ["rdrand", "rdseed"];

/// What comes in place of such an instruction: the runtime writes the number to the stack. All other registers stay as they are.
fn drawn(statement: &str) -> Option<String> {
    let (name, register) = parts(statement);
    let is_draw = DRAWS.iter().any(|draw| name.starts_with(draw));
    let load = match bytes_of(register).filter(|_| is_draw)? {
        2 => "movw",
        4 => "movl",
        8 => "movq",
        _ => return None,
    };
    Some(format!(
        "\n\tleaq -136(%rsp), %rsp\n\tpushq %rdi\n\tleaq 8(%rsp), %rdi\n\tcall __sojourner_rdrand\n\tpopq %rdi\n\
         \t{load} (%rsp), {register}\n\tleaq 136(%rsp), %rsp\n\tstc\n"
    ))
}

/// What a compiler wrote, with calls of the runtime in place of instructions that read the processor's ticks or draw a random
/// number, wherever they come from.
pub fn timed(text: &str) -> Cow<'_, str> {
    let is_one = |statement: &str| TICKS.contains(&parts(statement).0) || drawn(statement).is_some();
    let reads = |line: &str| !line.contains('"') && statements(line).any(is_one);
    if ![TICKS[0], DRAWS[0], DRAWS[1]].iter().any(|name| text.contains(name))
        || text.contains(".intel_syntax")
        || !text.lines().any(reads)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        if !reads(line) {
            out.push_str(line);
            continue;
        }
        for statement in line.split('#').next().unwrap_or_default().trim().split(';') {
            let bare = without_labels(statement);
            let (name, _) = parts(bare);
            if let Some(drawn) = drawn(bare) {
                out.push_str(statement.trim().strip_suffix(bare).unwrap_or_default());
                out.push_str(&drawn);
                continue;
            }
            if !TICKS.contains(&name) {
                out.push_str(&format!("\t{}\n", statement.trim()));
                continue;
            }
            out.push_str(statement.trim().strip_suffix(bare).unwrap_or_default());
            // Below the stack pointer lies what the function may have there without saying so.
            out.push_str("\n\tleaq -128(%rsp), %rsp\n\tcall __sojourner_ticks\n\tleaq 128(%rsp), %rsp\n");
            if name != TICKS[0] {
                out.push_str("\tmovl $0, %ecx\n");
            }
        }
    }
    Cow::Owned(out)
}

/// The instructions of a line, without labels and comments.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split('#').next().unwrap_or_default();
    code.split(';').map(without_labels).filter(|statement| !statement.is_empty())
}

/// A block with calls around what touches memory, if that is all known.
fn told(block: &str, syntax: Syntax) -> Option<String> {
    if matches!(syntax, Syntax::Intel) {
        return None;
    }
    let mut out = String::new();
    let mut locked = false;
    for line in block.lines() {
        let (code, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
        for statement in code.split(';') {
            let bare = without_labels(statement);
            let label = statement.trim().strip_suffix(bare).unwrap_or_default().trim();
            if !label.is_empty() {
                out.push_str(&format!("{label}\n"));
            }
            if bare == "lock" {
                locked = true;
                continue;
            }
            let (locks, instruction) = match parts(bare) {
                ("lock", rest) => (true, rest),
                _ => (std::mem::take(&mut locked), bare),
            };
            let lock = if locks { "lock " } else { "" };
            if touches_memory(&format!("{lock}{instruction}"), syntax) {
                out.push_str(&Told::of(instruction, locks)?.around(&format!("{lock}{instruction}")));
            } else if !instruction.is_empty() {
                out.push_str(&format!("\t{lock}{instruction}\n"));
            }
        }
        out.push_str(comment);
        out.push('\n');
    }
    Some(out)
}

/// An instruction of which it is known what it does to memory.
struct Told<'a> {
    /// `read`, `write` or `update`.
    how: &'static str,
    bytes: u32,
    place: &'a str,
}

/// Instructions that read, change and write one place, which is their last operand. They are atomic if they are locked.
const UPDATES: [&str; 10] = ["xadd", "cmpxchg", "inc", "dec", "add", "sub", "or", "and", "xor", "neg"];

impl<'a> Told<'a> {
    fn of(instruction: &'a str, locked: bool) -> Option<Told<'a>> {
        let (name, operands) = parts(instruction);
        let operands = split(operands);
        let is_place = |operand: &&str| Syntax::Att.has_memory(operand);
        let mut places = operands.iter().copied().enumerate().filter(|(_, operand)| is_place(operand));
        let (at, place) = places.next()?;
        let last = at + 1 == operands.len();
        // Segments lie elsewhere, and the stack pointer is another one in the call.
        if places.next().is_some() || place.contains("%rsp") || place.contains("%esp") || place.contains(':')
        {
            return None;
        }
        if locked && last && matches!(name, "cmpxchg16b" | "cmpxchg8b") {
            let bytes = if name == "cmpxchg16b" { 16 } else { 8 };
            return Some(Told { how: "update", bytes, place });
        }
        let register = operands.iter().find(|operand| operand.starts_with('%')).copied();
        let sized = |base: &str| match name.strip_prefix(base)? {
            "b" => Some(1),
            "w" => Some(2),
            "l" => Some(4),
            "q" => Some(8),
            "" => register.and_then(bytes_of),
            _ => None,
        };
        if let Some(bytes) = sized("xchg") {
            return Some(Told { how: "update", bytes, place });
        }
        if locked {
            let bytes = UPDATES.iter().find_map(|update| sized(update)).filter(|_| last)?;
            return Some(Told { how: "update", bytes, place });
        }
        let bytes = sized("mov")?;
        Some(Told { how: if last { "write" } else { "read" }, bytes, place })
    }

    /// The instruction between its calls.
    fn around(&self, instruction: &str) -> String {
        let Told { how, bytes, place } = self;
        let before = telling(&format!("assembly_{how}{bytes}"), place);
        format!(
            "{before}\t{instruction}\n\
             \tleaq -128(%rsp), %rsp\n\tcall __sojourner_assembly_done\n\tleaq 128(%rsp), %rsp\n"
        )
    }
}

/// A call of one of the runtime's functions with the address of a place, which leaves all registers as they are. Below the stack
/// pointer lies what the function may have there without saying so.
pub fn telling(function: &str, place: &str) -> String {
    format!(
        "\tleaq -128(%rsp), %rsp\n\tpushq %rdi\n\tleaq {place}, %rdi\n\
         \tcall __sojourner_{function}\n\tpopq %rdi\n\tleaq 128(%rsp), %rsp\n"
    )
}

/// The bytes of a register.
fn bytes_of(register: &str) -> Option<u32> {
    let name = register.strip_prefix('%')?;
    let numbered = name.strip_prefix('r').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    Some(match name {
        _ if numbered && name.ends_with('b') => 1,
        _ if numbered && name.ends_with('w') => 2,
        _ if numbered && name.ends_with('d') => 4,
        _ if name.starts_with('r') => 8,
        _ if name.starts_with('e') => 4,
        _ if name.ends_with(['l', 'h']) => 1,
        _ if name.len() == 2 => 2,
        _ => return None,
    })
}

/// Operands, which have commas of their own in parentheses.
pub fn split(operands: &str) -> Vec<&str> {
    let (mut all, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in operands.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                all.push(operands[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    if !operands.trim().is_empty() {
        all.push(operands[from..].trim());
    }
    all
}

fn touches_memory(block: &str, syntax: Syntax) -> bool {
    let mut statements = block.lines().flat_map(statements);
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
pub fn parts(statement: &str) -> (&str, &str) {
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

    fn tells(statement: &str, how: &str) -> bool {
        let text = guarded(&format!("f:\n#APP\n# 7 \"a.c\" 1\n\t{statement}\n# 0 \"\" 2\n#NO_APP\n\tret\n"))
            .into_owned();
        text.contains(&format!("call __sojourner_assembly_{how}\n")) && !text.contains("hlt")
    }

    #[test]
    fn known_memory_instructions_are_announced() {
        for (statement, how) in [
            ("lock; xaddl %eax, -4(%rbp)", "update4"),
            ("lock cmpxchgq %rcx, (%rdx)", "update8"),
            ("lock cmpxchg %r9b, (%rdx,%rsi,8)", "update1"),
            ("lock cmpxchg16b (%rdi)", "update16"),
            ("xchgl %eax, (%rdx)", "update4"),
            ("xchg %ax, counter(%rip)", "update2"),
            ("movl $1, 8(%rax)", "write4"),
            ("movq (%rax), %rdx", "read8"),
            ("mov %sil, (%rax)", "write1"),
            ("1: lock; decl (%rdi)\n\tjnz 1b", "update4"),
            ("lock\n\tincl (%rax); setz %al", "update4"),
            ("movl $1, flag+4", "write4"),
            ("movl %ebx, %eax\n\tlock; addq $2, (%rax)", "update8"),
        ] {
            assert!(tells(statement, how), "{statement}");
        }
        let text = guarded("#APP\n1: lock; decl (%rdi) # x\n\tjnz 1b\n#NO_APP\n").into_owned();
        assert!(
            text.starts_with("#APP\n1:\n\tleaq -128(%rsp)") && text.contains("\tlock decl (%rdi)\n"),
            "{text}"
        );
        assert!(text.contains("\tjnz 1b\n") && text.ends_with("#NO_APP\n"), "{text}");
    }

    #[test]
    fn unknown_memory_instructions_are_stopped() {
        for statement in [
            "rep stosb",
            "syscall",
            "incl counter",
            "lock; incl 8(%rsp)",
            "lock; incl %fs:(%rax)",
            "lock; btsl %eax, (%rdi)",
            "lock; inc (%rdi)",
            "addl (%rdi), %eax",
            "movzbl (%rdi), %eax",
            "xchgl %eax, (%rdx)\n\trep movsb",
            ".intel_syntax noprefix\n\txchg eax, [rdx]\n\t.att_syntax",
        ] {
            assert!(stops(statement), "{statement}");
        }
    }

    #[test]
    fn ticks_are_asked_of_the_runtime() {
        let text = timed("\tmovl %eax, %ebx\n\trdtsc\n\tsalq $32, %rdx\n").into_owned();
        let call = "\tleaq -128(%rsp), %rsp\n\tcall __sojourner_ticks\n\tleaq 128(%rsp), %rsp\n";
        assert_eq!(text, format!("\tmovl %eax, %ebx\n\n{call}\tsalq $32, %rdx\n"));
        let text = timed("#APP\n\tlfence; 1: rdtscp; shl $32, %rdx # x\n#NO_APP\n").into_owned();
        assert_eq!(text, format!("#APP\n\tlfence\n1: \n{call}\tmovl $0, %ecx\n\tshl $32, %rdx\n#NO_APP\n"));
        let text = timed("\trdrand %eax\n\tcmovc\t%eax, %edx\n").into_owned();
        assert!(text.contains("call __sojourner_rdrand\n"), "{text}");
        assert!(
            text.ends_with("\tmovl (%rsp), %eax\n\tleaq 136(%rsp), %rsp\n\tstc\n\tcmovc\t%eax, %edx\n"),
            "{text}"
        );
        let other = "\t.string \"rdtsc ; rdtsc ;\"\n\tcall rdtsc_of\n";
        assert_eq!(timed(other), other);
    }

    #[test]
    fn other_assembly_is_left_unchanged() {
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
