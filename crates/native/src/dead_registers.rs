//! Values that a function leaves in registers after their last use.
//!
//! A call preserves some registers. A thread that stands in a call keeps their values, and the runtime cannot know whether the thread will
//! read them again. So two states could differ only in such a value, for instance in the last sum that a thread has computed. To avoid
//! that, a register is set to 0 behind the last instruction that needs it. Only the state hash notices. Functions whose control flow is
//! not visible in the text, such as jump tables, are left unchanged.

use crate::assembly::parts;
use crate::struct_copies::{edited, whole};
use std::borrow::Cow;
use std::collections::HashMap;

/// The registers that calls leave as they are, with the name of what is set to clear one.
const KEPT: [(&str, &str); 5] =
    [("%rbx", "%ebx"), ("%r12", "%r12d"), ("%r13", "%r13d"), ("%r14", "%r14d"), ("%r15", "%r15d")];

/// A set of those registers, one bit each.
type Registers = u8;

const ALL: Registers = (1 << KEPT.len()) - 1;

/// What gcc wrote, with registers cleared when they are needed no more.
pub fn cleared(text: &str) -> Cow<'_, str> {
    edited(text, |function| Function::new(function)?.cleared())
}

/// What a line does, as far as registers go.
struct Line<'a> {
    text: &'a str,
    /// What it needs, and what it sets without needing it.
    needs: Registers,
    sets: Registers,
    next: Next<'a>,
}

/// Where control goes behind a line.
enum Next<'a> {
    /// To the next one, and maybe to a label.
    On(Option<&'a str>),
    /// To a label.
    To(&'a str),
    /// To the caller, or another function, which uses the registers for its own ends.
    Out,
}

struct Function<'a> {
    lines: Vec<Line<'a>>,
    labels: HashMap<&'a str, usize>,
}

impl<'a> Function<'a> {
    /// A function, unless control goes where it does not stand in the text: by tables, out of the source's own assembly, by
    /// exceptions.
    fn new(text: &'a str) -> Option<Function<'a>> {
        let strange = ["#APP", ".cfi_personality", "jmp\t*", "jmp *", ".intel_syntax"];
        if strange.iter().any(|word| text.contains(word))
            || !KEPT.iter().any(|(whole, _)| text.contains(whole))
        {
            return None;
        }
        let mut labels = HashMap::new();
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            if let Some(label) = line.trim().strip_suffix(':') {
                labels.insert(label, lines.len());
            }
            lines.push(Line::of(line));
        }
        Some(Function { lines, labels })
    }

    /// What is needed behind a line, by what is needed before each.
    fn needed_behind(&self, nth: usize, before: &[Registers]) -> Registers {
        let at = |label: &str| self.labels.get(label).map_or(ALL, |&nth| before[nth]);
        let on = || before.get(nth + 1).copied().unwrap_or(ALL);
        match self.lines[nth].next {
            Next::On(label) => on() | label.map_or(0, at),
            Next::To(label) => at(label),
            Next::Out => ALL,
        }
    }

    /// The text with what clears registers, if there is something to clear.
    fn cleared(&self) -> Option<String> {
        let mut before = vec![0; self.lines.len()];
        loop {
            let mut settled = true;
            for nth in (0..self.lines.len()).rev() {
                let Line { needs, sets, .. } = self.lines[nth];
                let now = needs | self.needed_behind(nth, &before) & !sets;
                settled &= now == before[nth];
                before[nth] = now;
            }
            if settled {
                break;
            }
        }
        let mut out = String::new();
        let mut clears = false;
        for (nth, line) in self.lines.iter().enumerate() {
            out.push_str(line.text);
            if !matches!(line.next, Next::On(None)) {
                continue;
            }
            let last = line.needs & !self.needed_behind(nth, &before);
            for (_, part) in
                KEPT.iter().enumerate().filter(|(nth, _)| last >> nth & 1 != 0).map(|(_, kept)| kept)
            {
                out.push_str(&format!("\tmovl\t$0, {part}\n"));
                clears = true;
            }
        }
        clears.then_some(out)
    }
}

impl<'a> Line<'a> {
    fn of(text: &'a str) -> Line<'a> {
        let line = text.split('#').next().unwrap_or_default().trim();
        let (name, rest) = parts(line);
        let next = match name {
            "ret" | "retq" => Next::Out,
            "rep" if rest.starts_with("ret") => Next::Out,
            "jmp" => Next::To(rest),
            _ if name.starts_with('j') || name.starts_with("loop") => Next::On(Some(rest)),
            _ => Next::On(None),
        };
        if name.starts_with('.') || line.ends_with(':') {
            return Line { text, needs: 0, sets: 0, next: Next::On(None) };
        }
        let mentioned = registers_in(rest);
        // What is written as a whole, and not read as well.
        let target = rest.rsplit(',').next().unwrap_or_default().trim();
        let copies = ["mov", "lea", "pop"].iter().any(|word| name.starts_with(word));
        let source = rest.strip_suffix(target).unwrap_or_default();
        let is_whole = KEPT.iter().position(|&(whole, part)| target == whole || target == part);
        match is_whole.filter(|&nth| copies && registers_in(source) >> nth & 1 == 0) {
            Some(nth) => Line { text, needs: mentioned & !(1 << nth), sets: 1 << nth, next },
            None => Line { text, needs: mentioned, sets: 0, next },
        }
    }
}

/// The registers that operands name.
fn registers_in(operands: &str) -> Registers {
    let mut all = 0;
    for word in operands.split(['(', ')', ',', ' ', '\t', '*']).filter(|word| word.starts_with('%')) {
        let nth = whole(word).and_then(|whole| KEPT.iter().position(|(kept, _)| *kept == whole));
        all |= nth.map_or(0, |nth| 1 << nth);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body: &str) -> String {
        format!("\t.type\tf, @function\nf:\n{body}\t.size\tf, .-f\n")
    }

    #[test]
    fn a_register_is_cleared_behind_its_last_use() {
        let text = function(
            "\tpushq\t%rbx\n\tleal\t1(%rax), %ebx\n\tcall\t__tsan_write4\n\tmovl\t%ebx, x(%rip)\n\tpopq\t%rbx\n\tret\n",
        );
        let cleared = cleared(&text);
        assert!(cleared.contains("\tmovl\t%ebx, x(%rip)\n\tmovl\t$0, %ebx\n"), "{cleared}");
        assert!(!cleared.contains("\tpopq\t%rbx\n\tmovl"), "{cleared}");
        assert_eq!(cleared.matches("$0").count(), 2, "{cleared}");
    }

    #[test]
    fn register_of_next_iteration_is_kept() {
        let text = function(
            "\tpushq\t%r12\n\tmovl\t$9, %r12d\n.L2:\n\tcall\tg\n\tsubl\t$1, %r12d\n\tjne\t.L2\n\tpopq\t%r12\n\tret\n",
        );
        let cleared = cleared(&text);
        assert!(!cleared.contains("\tsubl\t$1, %r12d\n\tmovl\t$0"), "{cleared}");
        assert_eq!(cleared.matches("$0").count(), 1, "{cleared}");
    }

    #[test]
    fn tail_calls_and_jump_tables_are_left_unchanged() {
        let text = function("\tmovl\t(%rbx), %eax\n\tjmp\tg\n");
        assert_eq!(cleared(&text), text);
        let text = function("\tpushq\t%rbx\n\tmovl\t%ebx, %eax\n\tjmp\t*%rax\n");
        assert_eq!(cleared(&text), text);
        let text = function("\tpushq\t%rbx\n#APP\n\tnop\n#NO_APP\n\tpopq\t%rbx\n\tret\n");
        assert_eq!(cleared(&text), text);
    }
}
