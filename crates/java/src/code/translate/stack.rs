//! The simulated operand stack: where values are, and moving them into their places.

use super::{Entry, Result, Translation, Type, Value};
use crate::code::{Insn, Op};

impl Translation<'_> {
    pub(super) fn place(&self, entry: Entry) -> u16 {
        self.max_locals + entry.at
    }

    pub(super) fn push(&mut self, value: Value, kind: Type) -> Result<u16> {
        let entry = Entry { value, kind, at: self.depth };
        self.depth += kind.width();
        if self.depth > self.max_stack {
            return Err(self.bad("the stack overflows"));
        }
        self.stack.push(entry);
        Ok(self.place(entry))
    }

    pub(super) fn push_here(&mut self, kind: Type) -> Result<u16> {
        self.push(Value::Here, kind)
    }

    pub(super) fn pop_any(&mut self) -> Result<Entry> {
        let entry = self.stack.pop().ok_or_else(|| self.bad("the stack is empty"))?;
        self.depth = entry.at;
        Ok(entry)
    }

    pub(super) fn pop(&mut self, kind: Type) -> Result<Entry> {
        let entry = self.pop_any()?;
        if entry.kind == kind { Ok(entry) } else { Err(self.bad("a value of another kind is needed")) }
    }

    /// The register that has the value of an entry.
    pub(super) fn register(&mut self, entry: Entry) -> u16 {
        match entry.value {
            Value::Here => self.place(entry),
            Value::Local(local) => local,
            Value::Int(value) => {
                let place = self.place(entry);
                self.emit(Insn::wide(Op::ConstInt, place, value as u32));
                place
            }
        }
    }

    pub(super) fn pop_register(&mut self, kind: Type) -> Result<u16> {
        let entry = self.pop(kind)?;
        Ok(self.register(entry))
    }

    /// Puts an entry's value into its own place.
    pub(super) fn materialise(&mut self, index: usize) {
        let entry = self.stack[index];
        let place = self.place(entry);
        match entry.value {
            Value::Here => return,
            Value::Local(local) => self.emit(Insn::new(Op::Move, place, local, 0)),
            Value::Int(value) => self.emit(Insn::wide(Op::ConstInt, place, value as u32)),
        }
        self.stack[index].value = Value::Here;
    }

    /// Puts all values into their places.
    pub(super) fn settle(&mut self) {
        for index in 0..self.stack.len() {
            self.materialise(index);
        }
    }

    /// A local variable is about to change: entries that still refer to it take its value now.
    pub(super) fn save_local(&mut self, local: u16) {
        for index in 0..self.stack.len() {
            if self.stack[index].value == Value::Local(local) {
                self.materialise(index);
            }
        }
    }

    /// Copies the `count` topmost slots to below the `below` slots under them.
    pub(super) fn duplicate(&mut self, count: u16, below: u16) -> Result<()> {
        let (mut top, mut under) = (Vec::new(), Vec::new());
        let mut slots = 0;
        while slots < count {
            let entry = self.pop_any()?;
            slots += entry.kind.width();
            top.push(entry);
        }
        let mut under_slots = 0;
        while under_slots < below {
            let entry = self.pop_any()?;
            under_slots += entry.kind.width();
            under.push(entry);
        }
        if slots != count || under_slots != below {
            return Err(self.bad("half of a value is copied"));
        }
        // Everything moves up by `count`, the topmost first, and then the topmost is copied to where there is room.
        let bottom = self.depth;
        let mut moved: Vec<Entry> = Vec::new();
        for entry in top.iter().chain(&under) {
            let new = Entry { at: entry.at + count, ..*entry };
            if entry.value == Value::Here {
                self.emit(Insn::new(Op::Move, self.place(new), self.place(*entry), 0));
            }
            moved.push(new);
        }
        let mut copies: Vec<Entry> = Vec::new();
        let mut at = bottom;
        for entry in moved[..top.len()].iter().rev() {
            let copy = Entry { at, ..*entry };
            if entry.value == Value::Here {
                self.emit(Insn::new(Op::Move, self.place(copy), self.place(*entry), 0));
            }
            at += entry.kind.width();
            copies.push(copy);
        }
        self.stack.extend(copies);
        self.stack.extend(moved.into_iter().rev());
        self.depth = bottom + 2 * count + below;
        if self.depth > self.max_stack {
            return Err(self.bad("the stack overflows"));
        }
        Ok(())
    }

    pub(super) fn swap(&mut self) -> Result<()> {
        let (top, under) = (self.pop_any()?, self.pop_any()?);
        if top.kind.width() != 1 || under.kind.width() != 1 {
            return Err(self.bad("half of a value is moved"));
        }
        let (a, b) = (Entry { at: under.at, ..top }, Entry { at: top.at, ..under });
        let spare = self.max_locals + self.max_stack;
        if top.value == Value::Here {
            self.emit(Insn::new(Op::Move, spare, self.place(top), 0));
        }
        if under.value == Value::Here {
            self.emit(Insn::new(Op::Move, self.place(b), self.place(under), 0));
        }
        if top.value == Value::Here {
            self.emit(Insn::new(Op::Move, self.place(a), spare, 0));
        }
        self.stack.extend([a, b]);
        self.depth = b.at + 1;
        Ok(())
    }
}
