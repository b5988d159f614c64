//! Structures that are passed and returned by value.
//!
//! gcc announces what assignments read and write, not what a call reads of its arguments (`print(shared)`) and writes of its
//! result (`shared = make()`). In what it has written those accesses stand without an announcement: between two calls, or
//! jumps, an access is one that was announced there, or it is one of these. Before each of them a call is put that announces it and
//! leaves all registers as they are. clang copies such structures where they can be seen.
//!
//! Of what lies on the function's own stack only variables count whose address is taken somewhere in the function: to others
//! nobody else can come.

use crate::assembly::{parts, split, telling};
use std::borrow::Cow;
use std::collections::HashSet;

/// The call that every function with an access to memory begins with. What comes before it belongs to the call of the function.
const ENTERED: &str = "__tsan_func_entry";

/// What gcc wrote, with every access to memory announced.
pub fn announced(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut taken = 0;
    for (from, to) in functions(text) {
        if let Some(function) = Function::new(&text[from..to]).announced() {
            out.push_str(&text[taken..from]);
            out.push_str(&function);
            taken = to;
        }
    }
    if taken == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[taken..]);
    Cow::Owned(out)
}

/// Where functions begin and end.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let (mut all, mut begun, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n') {
        let (directive, rest) = parts(line.trim());
        if directive == ".type" && rest.ends_with("@function") {
            begun = Some(at);
        }
        at += line.len();
        if directive == ".size"
            && let Some(begun) = begun.take()
        {
            all.push((begun, at));
        }
    }
    all
}

/// How many bytes have been announced that are still to be touched.
#[derive(Clone, Copy, Default)]
struct Announced {
    read: u64,
    written: u64,
}

impl Announced {
    /// Whether an access was announced.
    fn has(&mut self, access: &Access) -> bool {
        let bytes = if access.writes { &mut self.written } else { &mut self.read };
        let known = *bytes > 0;
        *bytes = bytes.saturating_sub(access.bytes);
        known
    }
}

/// An access to one place in memory by one instruction.
struct Access<'a> {
    writes: bool,
    bytes: u64,
    place: &'a str,
}

/// Where a register points to, as far as that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    /// To a variable on the function's stack.
    Variable,
    /// To where the arguments of the next call are put.
    Arguments,
    Elsewhere,
}

/// The walk over a function.
struct Function<'a> {
    text: &'a str,
    /// Where variables lie whose address is taken, relative to the frame.
    addressed: HashSet<i64>,
    /// What has been announced since the last call or jump, of variables on the stack and of the rest.
    on_stack: Announced,
    elsewhere: Announced,
    /// What registers hold that do not point elsewhere.
    registers: Vec<(&'static str, Points)>,
    /// Where the last variable on the stack ends that was touched: its next piece begins there.
    reached: Option<i64>,
    /// The number that the second argument of the next call was set to last.
    second: Option<u64>,
}

impl<'a> Function<'a> {
    fn new(text: &'a str) -> Function<'a> {
        let addressed = text.lines().filter_map(|line| {
            let (name, operands) = parts(line.trim());
            let place = operands.split_once(',')?.0;
            (name == "leaq").then(|| in_frame(place)).flatten()
        });
        Function {
            text,
            addressed: addressed.collect(),
            on_stack: Announced::default(),
            elsewhere: Announced::default(),
            registers: Vec::new(),
            reached: None,
            second: None,
        }
    }

    /// The function with further announcements, if it needs any.
    fn announced(mut self) -> Option<String> {
        let mut out = String::new();
        let (mut taken, mut at, mut entered, mut own) = (0, 0, false, false);
        for line in self.text.split_inclusive('\n') {
            let begins = at;
            at += line.len();
            let line = line.trim();
            // What the source itself has of assembly is announced otherwise.
            own = line == "#APP" || own && line != "#NO_APP";
            if own || line.is_empty() || line.starts_with('#') {
                continue;
            }
            if !entered {
                entered = callee(line) == Some(ENTERED);
                continue;
            }
            if let Some(announcement) = self.step(line) {
                out.push_str(&self.text[taken..begins]);
                out.push_str(&announcement);
                taken = begins;
            }
        }
        (taken > 0).then(|| out + &self.text[taken..])
    }

    /// Goes over one line. What is to be put before it.
    fn step(&mut self, line: &str) -> Option<String> {
        if line.ends_with(':') {
            self.registers.clear();
            self.forget();
            return None;
        }
        if line.starts_with('.') {
            return None;
        }
        let (name, operands) = parts(line);
        if let Some(callee) = callee(line) {
            self.call(callee);
            return None;
        }
        if name.starts_with('j') || name == "ret" || name == "leave" {
            self.forget();
            return None;
        }
        if name == "rep" && ["movs", "stos"].iter().any(|copy| operands.starts_with(copy)) {
            return self.copy(operands);
        }
        let operands = split(operands);
        let announcement = match access(name, &operands) {
            Known::Nothing => None,
            Known::Access(access) => self.touch(&access),
            Known::Other => {
                (self.on_stack, self.elsewhere) = Default::default();
                None
            }
        };
        self.set(name, &operands);
        announcement
    }

    fn forget(&mut self) {
        (self.on_stack, self.elsewhere, self.reached, self.second) = Default::default();
    }

    fn call(&mut self, callee: &str) {
        match announcement(callee) {
            Some((reads, writes, bytes)) => {
                let bytes = bytes.or(self.second).unwrap_or(u64::MAX);
                let announced = match self.points("%rdi") {
                    Points::Elsewhere => &mut self.elsewhere,
                    _ => &mut self.on_stack,
                };
                announced.read = announced.read.saturating_add(if reads { bytes } else { 0 });
                announced.written = announced.written.saturating_add(if writes { bytes } else { 0 });
                self.reached = None;
            }
            None => self.forget(),
        }
        // Those of ours leave all registers as they are, which makes no difference here.
        self.registers.retain(|(register, _)| KEPT.contains(register));
    }

    /// An access of an instruction. What is to be put before it.
    fn touch(&mut self, access: &Access) -> Option<String> {
        let points = self.place(access.place);
        let known = match points {
            Points::Arguments => true,
            Points::Variable => self.on_stack.has(access),
            Points::Elsewhere => self.elsewhere.has(access),
        };
        let counts = match in_frame(access.place) {
            Some(offset) => {
                let counts = self.addressed.contains(&offset) || self.reached == Some(offset);
                self.reached = counts.then(|| offset + access.bytes as i64);
                counts
            }
            None => !is_frame(access.place),
        };
        let how = if access.writes { "write" } else { "read" };
        (!known && counts).then(|| telling(&format!("value_{how}{}", access.bytes), access.place))
    }

    /// An instruction that copies, or fills, many bytes.
    fn copy(&mut self, instruction: &str) -> Option<String> {
        let size = match instruction.bytes().last() {
            Some(b'q') => 8,
            Some(b'l') => 4,
            Some(b'w') => 2,
            _ => 1,
        };
        let mut out = String::new();
        let reads = instruction.starts_with("movs");
        let mut tell = |how: &str, register: &str| {
            out.push_str(&format!(
                "\tleaq -128(%rsp), %rsp\n\tpushq %rdi\n\tpushq %rsi\n\tmovq {register}, %rdi\n\
                 \tleaq (,%rcx,{size}), %rsi\n\tcall __sojourner_value_{how}\n\
                 \tpopq %rsi\n\tpopq %rdi\n\tleaq 128(%rsp), %rsp\n"
            ));
        };
        for (does, writes, how, register) in
            [(reads, false, "read_range", "%rsi"), (true, true, "write_range", "%rdi")]
        {
            let access = Access { writes, bytes: u64::MAX, place: register };
            let known = match self.points(register) {
                Points::Arguments => true,
                Points::Variable => self.on_stack.has(&access),
                Points::Elsewhere => self.elsewhere.has(&access),
            };
            if does && !known {
                tell(how, register);
            }
        }
        (!out.is_empty()).then_some(out)
    }

    /// Takes note of what an instruction leaves in its last operand.
    fn set(&mut self, name: &str, operands: &[&str]) {
        let Some(&last) = operands.last() else { return };
        let Some(register) = whole(last) else { return };
        let points = match (name, operands) {
            ("movq", [from, _]) => self.points(from),
            ("leaq", [place, _]) => self.place(place),
            // An address within what it pointed to.
            ("addq" | "subq", _) => self.points(register),
            _ => Points::Elsewhere,
        };
        if register == "%rsi" {
            let number = operands[0].strip_prefix('$').and_then(|number| number.parse().ok());
            self.second = if name.starts_with("mov") { number } else { None };
        }
        self.registers.retain(|(known, _)| *known != register);
        if points != Points::Elsewhere {
            self.registers.push((register, points));
        }
    }

    /// What a register holds.
    fn points(&self, register: &str) -> Points {
        match register {
            "%rbp" => Points::Variable,
            "%rsp" => Points::Arguments,
            _ => self
                .registers
                .iter()
                .find(|(known, _)| *known == register)
                .map_or(Points::Elsewhere, |(_, points)| *points),
        }
    }

    /// What a place is part of, by the register that it begins at.
    fn place(&self, place: &str) -> Points {
        let base = place.split_once('(').map_or("", |(_, rest)| rest);
        self.points(base.split([',', ')']).next().unwrap_or_default())
    }
}

/// Registers that calls leave as they are.
const KEPT: [&str; 5] = ["%rbx", "%r12", "%r13", "%r14", "%r15"];

/// The registers by the names of all their bytes, and of their lower halves.
const REGISTERS: [(&str, &str); 15] = [
    ("%rax", "%eax"),
    ("%rbx", "%ebx"),
    ("%rcx", "%ecx"),
    ("%rdx", "%edx"),
    ("%rsi", "%esi"),
    ("%rdi", "%edi"),
    ("%rbp", "%ebp"),
    ("%r8", "%r8d"),
    ("%r9", "%r9d"),
    ("%r10", "%r10d"),
    ("%r11", "%r11d"),
    ("%r12", "%r12d"),
    ("%r13", "%r13d"),
    ("%r14", "%r14d"),
    ("%r15", "%r15d"),
];

/// The register that an operand is, or is the lower half of.
fn whole(operand: &str) -> Option<&'static str> {
    REGISTERS.iter().find(|(whole, half)| [*whole, *half].contains(&operand)).map(|(whole, _)| *whole)
}

/// The function that a line calls, if that is known.
fn callee(line: &str) -> Option<&str> {
    let (name, callee) = parts(line);
    matches!(name, "call" | "callq").then(|| callee.trim_end_matches("@PLT"))
}

/// What a call of the runtime announces: whether a read, whether a write, and of how many bytes, if that is not its second argument.
fn announcement(callee: &str) -> Option<(bool, bool, Option<u64>)> {
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
enum Known<'a> {
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

fn access<'a>(name: &str, operands: &[&'a str]) -> Known<'a> {
    // Registers and numbers are marked; constants have names of the compiler's, and other segments are the thread's own.
    let is_place =
        |operand: &&str| !operand.starts_with(['%', '$', '.', '*']) && !operand.contains(['@', ':']);
    let Some(&place) = operands.iter().find(|operand| is_place(operand)) else { return Known::Nothing };
    if name == "leaq" || name.starts_with("nop") {
        return Known::Nothing;
    }
    match COPIES.iter().find(|(copy, _)| *copy == name) {
        Some(&(_, bytes)) => {
            let writes = name != "pushq" && operands.last() == Some(&place);
            Known::Access(Access { writes, bytes, place })
        }
        None => Known::Other,
    }
}

/// Whether a place lies on the function's stack, as it is written.
fn is_frame(place: &str) -> bool {
    place.contains("(%rbp") || place.contains("(%rsp")
}

/// Where a place lies in the function's frame, if it is a variable below its end.
fn in_frame(place: &str) -> Option<i64> {
    let offset: i64 = place.trim().strip_suffix("(%rbp)")?.parse().ok()?;
    (offset < 0).then_some(offset)
}

#[cfg(test)]
mod tests {
    use super::announced;

    /// The places that are announced in a function, in order.
    fn told(body: &str) -> Vec<String> {
        let text =
            format!("\t.type\tf, @function\nf:\n\tcall\t__tsan_func_entry\n{body}\tret\n\t.size\tf, .-f\n");
        let announced = announced(&text).into_owned();
        let lines: Vec<&str> = announced.lines().map(str::trim).collect();
        let calls = lines.windows(2).filter_map(|pair| {
            let how = pair[1].strip_prefix("call __sojourner_value_")?;
            let place = pair[0].strip_prefix("leaq ")?.strip_suffix(", %rdi").unwrap_or("many");
            Some(format!("{how} {place}"))
        });
        calls.collect()
    }

    #[test]
    fn what_calls_read_and_write_is_announced() {
        for (body, expected) in [
            (
                "\tcall\tmake\n\tmovq\t%rax, g(%rip)\n\tmovq\t%rdx, g+8(%rip)\n",
                vec!["write8 g(%rip)", "write8 g+8(%rip)"],
            ),
            (
                "\tmovq\tg(%rip), %rax\n\tmovl\tg+8(%rip), %edx\n\tcall\tlook\n",
                vec!["read8 g(%rip)", "read4 g+8(%rip)"],
            ),
            // The first read is announced, the second one is the argument.
            (
                "\tmovl\t$p, %edi\n\tcall\t__tsan_read8\n\tmovq\tp(%rip), %rax\n\tmovq\t(%rax), %rdi\n\tcall\tlook\n",
                vec!["read8 (%rax)"],
            ),
            (
                "\tleaq\t-32(%rbp), %rax\n\tmovq\t%rax, %rdi\n\tcall\tkeep\n\tcall\tmake\n\tmovq\t%rax, -32(%rbp)\n\tmovq\t%rdx, -24(%rbp)\n",
                vec!["write8 -32(%rbp)", "write8 -24(%rbp)"],
            ),
            ("\tmovl\t$g, %esi\n\tmovq\t%rsp, %rdi\n\trep movsq\n\tcall\tlook\n", vec!["read_range many"]),
        ] {
            assert_eq!(told(body), expected, "{body}");
        }
    }

    #[test]
    fn what_was_announced_is_not_announced_again() {
        for body in [
            "\tcall\t__tsan_write4\n\tmovl\t%ebx, x(%rip)\n",
            "\tcall\t__tsan_volatile_write4@PLT\n\tmovl\t%ebx, x(%rip)\n",
            "\tcall\t__tsan_write8\n\tcall\t__tsan_read8\n\tmovq\t(%rdx), %rax\n\tmovq\t%rax, (%rcx)\n",
            "\tmovl\t$24, %esi\n\tcall\t__tsan_read_range\n\tmovq\tg(%rip), %rax\n\tmovq\tg+8(%rip), %rdx\n\tmovq\tg+16(%rip), %rcx\n",
            "\tcall\t__tsan_read2\n\tmovzbl\ts(%rip), %eax\n\tcall __sojourner_bits_write1\n\tmovb\t%al, s(%rip)\n",
            // The function's own variables, constants, the arguments of a call, and what is no access.
            "\tcall\tf\n\tmovl\t%eax, -20(%rbp)\n\tmovsd\t.LC0(%rip), %xmm0\n\tmovq\t%fs:40, %rax\n",
            "\tsubq\t$32, %rsp\n\tmovq\t%rsp, %rax\n\tmovq\t%rcx, 8(%rax)\n\tleaq\t8(%rcx), %rdx\n\trep nop\n",
            "#APP\n\tmovq\t(%rax), %rax\n#NO_APP\n",
        ] {
            assert_eq!(told(body), Vec::<String>::new(), "{body}");
        }
    }
}
