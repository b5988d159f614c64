//! Structures that are passed and returned by value.
//!
//! gcc announces what assignments read and write. It does not announce what a call reads of its arguments (`print(shared)`) or writes of
//! its result (`shared = make()`). In gcc's output those accesses have no announcement of their own. Between two calls or jumps, every
//! access is either one that was announced there, or one of these. Before each of these, a call is inserted that announces the access and
//! preserves all registers. clang copies such structures by calls that are already seen.
//!
//! On the function's own stack, only variables count whose address is taken in the function: other threads can reach no others.

mod instructions;

pub use instructions::whole;

use crate::assembly::{parts, split};
use instructions::{
    Access, Effect, FLOATS, LOST, OWN, RESULTS, access, announcement, callee, in_frame, is_cut, is_frame,
    is_target,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// The call that every function with an access to memory begins with. What comes before it belongs to the call of the function.
const ENTERED: &str = "__tsan_func_entry";

/// What gcc wrote, with every access to memory announced.
pub fn announced(text: &str) -> Cow<'_, str> {
    edited(text, |function| Function::new(function).announced())
}

/// A text in which some functions are replaced by what `edit` makes of them.
pub fn edited(text: &str, edit: impl Fn(&str) -> Option<String>) -> Cow<'_, str> {
    let mut out = String::new();
    let mut taken = 0;
    for (from, to) in functions(text) {
        if let Some(function) = edit(&text[from..to]) {
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
    /// Registers that calls do not keep and that may hold something which is still needed.
    used: Vec<&'static str>,
    /// Whether registers for floating point may do so: some are named before the next call or jump.
    floats: bool,
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
            used: Vec::new(),
            floats: false,
        }
    }

    /// The function with further announcements, if it needs any.
    fn announced(mut self) -> Option<String> {
        let mut out = String::new();
        let (mut taken, mut at, mut entered, mut own) = (0, 0, false, false);
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        for (number, line) in lines.iter().enumerate() {
            let begins = at;
            at += line.len();
            let line = line.trim();
            // What the source itself has of assembly is announced otherwise.
            own = line == "#APP" || own && line != "#NO_APP";
            if own || line.is_empty() || line.starts_with('#') {
                continue;
            }
            if is_cut(line) {
                let behind = lines[number + 1..].iter().map(|line| line.trim());
                self.floats = behind.take_while(|line| !is_cut(line)).any(|line| line.contains("%xmm"));
            }
            if !entered {
                entered = callee(line) == Some(ENTERED);
                // Optimised code works out addresses before.
                let (name, operands) = parts(line);
                self.set(name, &split(operands));
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
        if is_target(line) {
            self.registers.clear();
            self.used = LOST.to_vec();
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
        if is_cut(line) {
            self.forget();
            return None;
        }
        if name == "rep" && ["movs", "stos"].iter().any(|copy| operands.starts_with(copy)) {
            return self.copy(operands);
        }
        let operands = split(operands);
        let announcement = match access(name, &operands) {
            Effect::Nothing => None,
            Effect::Access(access) => self.touch(&access),
            Effect::Other => {
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
        self.registers.retain(|(register, _)| !LOST.contains(register));
        self.used = match announcement(callee) {
            // It leaves all registers as they are.
            _ if callee.starts_with(OWN) => return,
            Some(_) => Vec::new(),
            None => RESULTS.to_vec(),
        };
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
        let arguments = format!("\tleaq {}, %rdi\n", access.place);
        (!known && counts).then(|| self.telling(&format!("{how}{}", access.bytes), &arguments))
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
                let arguments = format!("\tmovq {register}, %rdi\n\tleaq (,%rcx,{size}), %rsi\n");
                out.push_str(&self.telling(how, &arguments));
            }
        }
        (!out.is_empty()).then_some(out)
    }

    /// A call of the runtime. The registers that are in use are saved for it: they are part of where the thread stands. Below the
    /// stack pointer lies what the function may have there without saying so.
    fn telling(&self, function: &str, arguments: &str) -> String {
        let mut saved: String = self.used.iter().map(|register| format!("\tpushq {register}\n")).collect();
        let mut back: String =
            self.used.iter().rev().map(|register| format!("\tpopq {register}\n")).collect();
        if self.floats {
            saved += &format!("\tleaq -{FLOATS}(%rsp), %rsp\n");
            for number in 0..FLOATS / 16 {
                saved += &format!("\tmovups %xmm{number}, {}(%rsp)\n", number * 16);
            }
            back.insert_str(0, &format!("\tleaq {FLOATS}(%rsp), %rsp\n"));
        }
        format!(
            "\tleaq -128(%rsp), %rsp\n{saved}{arguments}\tcall {OWN}value_{function}\n{back}\tleaq 128(%rsp), %rsp\n"
        )
    }

    /// Takes note of what an instruction leaves in its last operand.
    fn set(&mut self, name: &str, operands: &[&str]) {
        let written = match operands.last() {
            Some(last) if operands.len() > 1 && !name.starts_with("xchg") => whole(last).as_slice().to_vec(),
            // It may leave something in registers that it does not name.
            _ => LOST.to_vec(),
        };
        for register in written {
            if LOST.contains(&register) && !self.used.contains(&register) {
                self.used.push(register);
            }
        }
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
            // A jump leads behind the announcement.
            ("\tcall\t__tsan_read4\n.L3:\n\tmovl\tx(%rip), %eax\n", vec!["read4 x(%rip)"]),
            ("\tmovl\t$g, %esi\n\tmovq\t%rsp, %rdi\n\trep movsq\n\tcall\tlook\n", vec!["read_range many"]),
        ] {
            assert_eq!(told(body), expected, "{body}");
        }
    }

    #[test]
    fn access_is_announced_once() {
        for body in [
            "\tcall\t__tsan_write4\n\tmovl\t%ebx, x(%rip)\n",
            "\tcall\t__tsan_volatile_write4@PLT\n\tmovl\t%ebx, x(%rip)\n",
            "\tcall\t__tsan_write8\n\tcall\t__tsan_read8\n\tmovq\t(%rdx), %rax\n\tmovq\t%rax, (%rcx)\n",
            "\tmovl\t$24, %esi\n\tcall\t__tsan_read_range\n\tmovq\tg(%rip), %rax\n\tmovq\tg+8(%rip), %rdx\n\tmovq\tg+16(%rip), %rcx\n",
            "\tcall\t__tsan_read2\n\tmovzbl\ts(%rip), %eax\n\tcall __sojourner_bits_write1\n\tmovb\t%al, s(%rip)\n",
            // Labels for debuggers lead nowhere.
            "\tmovl\t$x, %edi\n.LVL3:\n\tcall\t__tsan_read4\n.LVL4:\n.LBB2:\n\tmovl\tx(%rip), %eax\n",
            // Sums that are worked out as addresses.
            "\tmovl\t$x, %edi\n\tcall\t__tsan_write4\n\tleal\t1(%rbx), %edi\n\tmovl\t%edi, x(%rip)\n",
            // The function's own variables, constants, the arguments of a call, and what is no access.
            "\tcall\tf\n\tmovl\t%eax, -20(%rbp)\n\tmovsd\t.LC0(%rip), %xmm0\n\tmovq\t%fs:40, %rax\n",
            "\tsubq\t$32, %rsp\n\tmovq\t%rsp, %rax\n\tmovq\t%rcx, 8(%rax)\n\tleaq\t8(%rcx), %rdx\n\trep nop\n",
            "#APP\n\tmovq\t(%rax), %rax\n#NO_APP\n",
        ] {
            assert_eq!(told(body), Vec::<String>::new(), "{body}");
        }
    }
}
