//! Instructions and calls, as gcc writes them.

use crate::assembly::parts;

/// An access to one place in memory by one instruction.
pub struct Access<'a> {
    pub writes: bool,
    pub bytes: u64,
    pub place: &'a str,
}

/// How the names of the runtime's functions begin that leave all registers as they are.
pub const OWN: &str = "__sojourner_";

/// Registers that calls do not leave as they are, and those among them that hold what a function returns.
pub const LOST: [&str; 9] = ["%rax", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9", "%r10", "%r11"];
pub const RESULTS: [&str; 2] = ["%rax", "%rdx"];

/// The bytes of registers for floating point in which functions get arguments and return results.
pub const FLOATS: usize = 8 * 16;

/// The registers by the names of all their bytes, and of some.
const REGISTERS: [(&str, [&str; 4]); 15] = [
    ("%rax", ["%eax", "%ax", "%al", "%ah"]),
    ("%rbx", ["%ebx", "%bx", "%bl", "%bh"]),
    ("%rcx", ["%ecx", "%cx", "%cl", "%ch"]),
    ("%rdx", ["%edx", "%dx", "%dl", "%dh"]),
    ("%rsi", ["%esi", "%si", "%sil", ""]),
    ("%rdi", ["%edi", "%di", "%dil", ""]),
    ("%rbp", ["%ebp", "%bp", "%bpl", ""]),
    ("%r8", ["%r8d", "%r8w", "%r8b", ""]),
    ("%r9", ["%r9d", "%r9w", "%r9b", ""]),
    ("%r10", ["%r10d", "%r10w", "%r10b", ""]),
    ("%r11", ["%r11d", "%r11w", "%r11b", ""]),
    ("%r12", ["%r12d", "%r12w", "%r12b", ""]),
    ("%r13", ["%r13d", "%r13w", "%r13b", ""]),
    ("%r14", ["%r14d", "%r14w", "%r14b", ""]),
    ("%r15", ["%r15d", "%r15w", "%r15b", ""]),
];

/// The register that an operand is, or is a part of.
pub fn whole(operand: &str) -> Option<&'static str> {
    let known = REGISTERS.iter().find(|(whole, parts)| *whole == operand || parts.contains(&operand));
    known.map(|(whole, _)| *whole)
}

/// Whether a line is a label that a jump can lead to. Those for debuggers and unwinders (`.LVL7:`, `.LBB2:`, `.LEHB0:`), which
/// optimised code is full of, have letters behind `.L`; code has numbers.
pub fn is_target(line: &str) -> bool {
    let marks =
        |label: &str| label.strip_prefix(".L").is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    line.strip_suffix(':').is_some_and(|label| !marks(label))
}

/// Whether what comes behind a line may come without it, or after others have moved: a label, a jump or a call.
pub fn is_cut(line: &str) -> bool {
    let (name, _) = parts(line);
    is_target(line) || name.starts_with('j') || ["ret", "leave"].contains(&name) || callee(line).is_some()
}

/// The function that a line calls, if that is known.
pub fn callee(line: &str) -> Option<&str> {
    let (name, callee) = parts(line);
    matches!(name, "call" | "callq").then(|| callee.trim_end_matches("@PLT"))
}

/// What a call of the runtime announces: whether a read, whether a write, and of how many bytes, if that is not its second argument.
pub fn announcement(callee: &str) -> Option<(bool, bool, Option<u64>)> {
    if let Some(bytes) = callee.strip_prefix("__sojourner_bits_write") {
        return Some((false, true, Some(bytes.parse().ok()?)));
    }
    let access = callee.strip_prefix("__tsan_")?;
    let access = access.trim_start_matches("unaligned_").trim_start_matches("volatile_");
    let (how, bytes) = access.split_at(access.find(|c: char| c.is_ascii_digit()).unwrap_or(access.len()));
    let bytes = || bytes.parse().ok();
    Some(match how {
        "read" => (true, false, Some(bytes()?)),
        "write" => (false, true, Some(bytes()?)),
        "read_write" => (true, true, Some(bytes()?)),
        "read_range" => (true, false, None),
        "write_range" => (false, true, None),
        "vptr_update" => (false, true, Some(8)),
        "vptr_read" => (true, false, Some(8)),
        _ => return None,
    })
}

/// What is known of an instruction.
pub enum Effect<'a> {
    Access(Access<'a>),
    /// It does nothing to memory that others can reach.
    Nothing,
    /// It may touch memory, but is none that copies structures.
    Other,
}

/// Instructions that copy, with the bytes that they touch in memory.
const COPIES: [(&str, u64); 21] = [
    ("movb", 1),
    ("movw", 2),
    ("movl", 4),
    ("movq", 8),
    ("movzbl", 1),
    ("movzbw", 1),
    ("movzwl", 2),
    ("movsbl", 1),
    ("movswl", 2),
    ("movslq", 4),
    ("movd", 4),
    ("movss", 4),
    ("movsd", 8),
    ("movhps", 8),
    ("movlps", 8),
    ("movaps", 16),
    ("movups", 16),
    ("movapd", 16),
    ("movdqa", 16),
    ("movdqu", 16),
    ("pushq", 8),
];

pub fn access<'a>(name: &str, operands: &[&'a str]) -> Effect<'a> {
    // Registers and numbers are marked; constants have names of the compiler's, and other segments are the thread's own.
    let is_place =
        |operand: &&str| !operand.starts_with(['%', '$', '.', '*']) && !operand.contains(['@', ':']);
    let Some(&place) = operands.iter().find(|operand| is_place(operand)) else { return Effect::Nothing };
    if name.starts_with("lea") || name.starts_with("nop") {
        return Effect::Nothing;
    }
    match COPIES.iter().find(|(copy, _)| *copy == name) {
        Some(&(_, bytes)) => {
            let writes = name != "pushq" && operands.last() == Some(&place);
            Effect::Access(Access { writes, bytes, place })
        }
        None => Effect::Other,
    }
}

/// Whether a place lies on the function's stack, as it is written.
pub fn is_frame(place: &str) -> bool {
    place.contains("(%rbp") || place.contains("(%rsp")
}

/// Where a place lies in the function's frame, if it is a variable below its end.
pub fn in_frame(place: &str) -> Option<i64> {
    let offset: i64 = place.trim().strip_suffix("(%rbp)")?.parse().ok()?;
    (offset < 0).then_some(offset)
}
