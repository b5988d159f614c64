//! Writes to bit fields, which are a read and a write of the word around them.
//!
//! gcc announces only the write, and does so before both accesses. A write by another thread to a neighbouring field, between the two,
//! would then never be seen. In code without optimisation, the two accesses are separate instructions with the same operand, behind the
//! call that announces; no other code has this form. There the call is changed to announce the read. Another call, which
//! preserves all registers, is inserted before the write. clang announces both accesses itself.

use crate::assembly::telling;
use std::borrow::Cow;

/// How the call begins that announces a write; the number of bytes follows.
const ANNOUNCED: &str = "call\t__tsan_write";

/// Instructions that read a place into a register, and those that write one.
const LOADS: [&str; 4] = ["movzbl", "movzwl", "movl", "movq"];
const STORES: [(&str, u32); 4] = [("movb", 1), ("movw", 2), ("movl", 4), ("movq", 8)];

/// How far behind the call the write is looked for, in lines.
const NEAR: usize = 24;

/// What gcc wrote, with two calls for each write to a bit field.
pub fn parted(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut stores: Vec<(usize, u32, &str)> = Vec::new();
    let mut calls: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.trim().strip_prefix(ANNOUNCED).is_some_and(is_small)
            && let Some((behind, bytes, place)) = update(&lines[at + 1..])
        {
            calls.push(at);
            stores.push((at + 1 + behind, bytes, place));
        }
    }
    if calls.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + stores.len() * 128);
    let (mut calls, mut stores) = (calls.into_iter().peekable(), stores.into_iter().peekable());
    for (at, line) in lines.into_iter().enumerate() {
        if let Some((_, bytes, place)) = stores.next_if(|(store, ..)| *store == at) {
            out.push_str(&telling(&format!("bits_write{bytes}"), place));
        }
        match calls.next_if_eq(&at) {
            Some(_) => out.push_str(&line.replace("__tsan_write", "__tsan_read")),
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// Whether a write is of a word at most.
fn is_small(bytes: &str) -> bool {
    matches!(bytes.trim_end_matches("@PLT"), "1" | "2" | "4" | "8")
}

/// The write of what is read, changed and written in a piece of code without calls and jumps: its line, bytes and place.
fn update<'a>(lines: &[&'a str]) -> Option<(usize, u32, &'a str)> {
    let mut read: Option<&str> = None;
    for (at, line) in lines.iter().take(NEAR).enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(".loc") || line.starts_with('#') {
            continue;
        }
        let (name, operands) = line.split_once('\t')?;
        if name.starts_with('j') || name == "call" || name.starts_with('.') {
            return None;
        }
        let Some((from, to)) = operands.rsplit_once(", ") else { continue };
        let is_place =
            |operand: &str| operand.ends_with(')') && !operand.contains("%rbp") && !operand.contains("%rsp");
        if LOADS.contains(&name) && is_place(from) {
            read = Some(from);
        } else if let Some((_, bytes)) = STORES.iter().find(|(store, _)| *store == name)
            && is_place(to)
        {
            return (read == Some(to)).then_some((at, *bytes, to));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn the_read_and_the_write_of_a_bit_field_are_announced_apart() {
        let text = "\tmovl\t$s, %edi\n\tcall\t__tsan_write2\n\t.loc 1 2 5\n\tmovzbl\ts(%rip), %eax\n\tandl\t$-16, %eax\n\torl\t$5, %eax\n\tmovb\t%al, s(%rip)\n";
        let parted = parted(text);
        assert!(parted.contains("call\t__tsan_read2\n"), "{parted}");
        let (call, write) = (parted.find("call __sojourner_bits_write1"), parted.find("movb\t%al, s(%rip)"));
        assert!(call.is_some() && call < write, "{parted}");
    }

    #[test]
    fn other_writes_stay_as_they_are() {
        for text in [
            "\tcall\t__tsan_write4\n\tmovl\t-20(%rbp), %eax\n\tmovl\t%eax, x(%rip)\n",
            "\tcall\t__tsan_write4\n\tmovl\t%ebx, (%rax)\n\tcall\t__tsan_read4\n\tmovl\t(%rax), %eax\n",
            "\tcall\t__tsan_write8\n\tjmp\t.L2\n\tmovq\tx(%rip), %rax\n\tmovq\t%rax, x(%rip)\n",
        ] {
            assert_eq!(parted(text), text);
        }
    }
}
