//! Subroutines, which compilers before Java 6 made of `finally` blocks: `jsr` calls one, `ret` returns from it.
//!
//! A class file that has them is rewritten when it is read: every call gets a copy of the subroutine, so that neither the
//! verifier nor the translation knows of `jsr` and `ret`. The copies are made by executing the method for its return addresses
//! only. A place of the new code is a place of the old one together with the return addresses that local variables hold there
//! and that a `ret` may still use. So subroutines may be nested, be called from many places and from handlers, be left by
//! jumps and exceptions, and never return. Instead of a return address the new code has null.

use super::instruction::{Flow, Instruction};
use super::opcode::*;
use super::{ClassFile, CodeAttribute, Cursor, ExceptionRange, Span};
use crate::bytes::Bytes;
use hashbrown::HashMap;

/// The newest class file version in which subroutines are allowed.
pub const NEWEST_WITH_SUBROUTINES: u16 = 50;

/// The largest code that is made: jumps reach no further.
const LARGEST: usize = 0x7FFF;
/// A bound on the instructions that are gone over for one method.
const WORK: usize = 1 << 26;

/// Why the subroutines of a method cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The instruction.
    pub at: usize,
    /// What is wrong.
    pub reason: String,
    /// Whether a JVM might execute it all the same.
    pub valid: bool,
}

/// A return address: where it leads, and where the subroutine begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Address {
    leads: usize,
    entry: usize,
}

/// The return addresses that may still be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    /// Those in local variables, by variable.
    locals: Vec<(u16, Address)>,
    /// The one on top of the stack, where the subroutine has just been called.
    top: Option<Address>,
}

/// A place of the new code.
struct Node {
    /// The instruction in the old code.
    at: usize,
    state: State,
    /// Where control falls to.
    next: Option<usize>,
    /// Where it jumps to, in the order of the instruction's targets.
    targets: Vec<usize>,
    /// The handlers in force: their position in the table and their places.
    handlers: Vec<(usize, usize)>,
}

/// Whether code has subroutines. What cannot be decoded has none.
pub(crate) fn has_subroutines(code: &[u8]) -> bool {
    let mut at = 0;
    while let Ok(instruction) = Instruction::decode(code, at) {
        if instruction.flow() == Flow::Subroutine {
            return true;
        }
        at = instruction.next;
    }
    false
}

/// The file with all subroutines expanded that can be. The verifier asks again, and says what is wrong with the others.
pub(super) fn expanded(file: ClassFile) -> ClassFile {
    if file.major > NEWEST_WITH_SUBROUTINES {
        return file;
    }
    let (mut bytes, mut copied, mut changed) = (Vec::new(), 0, false);
    for method in &file.methods {
        let Ok(Some(code)) = file.code(method.attributes) else { continue };
        if !has_subroutines(code.code) {
            continue;
        }
        let Ok(new) = expand(&code) else { continue };
        bytes.extend_from_slice(&file.bytes[copied..method.attributes.start as usize]);
        rewrite(&file, method.attributes, &code, &new, &mut bytes);
        copied = method.attributes.end as usize;
        changed = true;
    }
    if !changed {
        return file;
    }
    bytes.extend_from_slice(&file.bytes[copied..]);
    ClassFile::parse_as_is(Bytes::new(bytes)).unwrap_or(file)
}

/// Writes a table of attributes with other code in it.
fn rewrite(file: &ClassFile, table: Span, code: &CodeAttribute<'_>, new: &Expanded, bytes: &mut Vec<u8>) {
    let mut at = Cursor::new(file.part(table));
    let count = at.u16().unwrap_or(0);
    bytes.extend(count.to_be_bytes());
    for attribute in file.attributes(table) {
        let name = &file.bytes[attribute.contents.start as usize - 6..][..2];
        bytes.extend_from_slice(name);
        let contents = match attribute.name {
            "Code" => new.attribute(file, code),
            _ => file.part(attribute.contents).to_vec(),
        };
        bytes.extend((contents.len() as u32).to_be_bytes());
        bytes.extend(contents);
    }
}

/// Code without subroutines.
#[derive(Debug)]
pub(crate) struct Expanded {
    code: Vec<u8>,
    handlers: Vec<ExceptionRange>,
    /// The new and the old place of every instruction.
    places: Vec<(u16, u16)>,
}

impl Expanded {
    /// The contents of the attribute. Of its own attributes only the line numbers are kept.
    fn attribute(&self, file: &ClassFile, code: &CodeAttribute<'_>) -> Vec<u8> {
        let mut bytes = [code.max_stack.to_be_bytes(), code.max_locals.to_be_bytes()].concat();
        bytes.extend((self.code.len() as u32).to_be_bytes());
        bytes.extend(&self.code);
        bytes.extend((self.handlers.len() as u16).to_be_bytes());
        for range in &self.handlers {
            for half in [range.start, range.end, range.handler, range.catches] {
                bytes.extend(half.to_be_bytes());
            }
        }
        let table = file.attributes(code.attributes).find(|attribute| attribute.name == "LineNumberTable");
        let lines = self.lines(file.lines(code));
        bytes.extend(u16::from(table.is_some()).to_be_bytes());
        if let Some(table) = table {
            bytes.extend_from_slice(&file.bytes[table.contents.start as usize - 6..][..2]);
            bytes.extend((lines.len() as u32 * 4 + 2).to_be_bytes());
            bytes.extend((lines.len() as u16).to_be_bytes());
            for (place, line) in lines {
                bytes.extend([place.to_be_bytes(), line.to_be_bytes()].concat());
            }
        }
        bytes
    }

    fn lines(&self, mut known: Vec<(u16, u16)>) -> Vec<(u16, u16)> {
        known.sort_by_key(|&(start, _)| start);
        let mut lines: Vec<(u16, u16)> = Vec::new();
        for &(new, old) in &self.places {
            let behind = known.partition_point(|&(start, _)| start <= old);
            let Some(&(_, line)) = behind.checked_sub(1).and_then(|last| known.get(last)) else { continue };
            if lines.last().is_none_or(|&(_, last)| last != line) {
                lines.push((new, line));
            }
        }
        lines
    }
}

/// Gives every call of a subroutine a copy of it.
pub(crate) fn expand(code: &CodeAttribute<'_>) -> Result<Expanded, Refused> {
    let mut expansion = Expansion::new(code)?;
    expansion.find_needs()?;
    let order = expansion.find_nodes()?;
    expansion.write(&order)
}

struct Expansion<'a> {
    code: &'a CodeAttribute<'a>,
    instructions: Vec<Instruction<'a>>,
    /// The position among the instructions of the one that begins at a byte.
    begins: Vec<Option<usize>>,
    /// The local variables that some `ret` names.
    returns: Vec<u16>,
    /// Of which of them a return address may be used later, for each instruction.
    needs: Vec<u64>,
    nodes: Vec<Node>,
    known: HashMap<(usize, State), usize>,
    work: usize,
}

fn invalid(at: usize, reason: impl Into<String>) -> Refused {
    Refused { at, reason: reason.into(), valid: false }
}

fn unsupported(at: usize, reason: impl Into<String>) -> Refused {
    Refused { at, reason: reason.into(), valid: true }
}

impl<'a> Expansion<'a> {
    fn new(code: &'a CodeAttribute<'a>) -> Result<Expansion<'a>, Refused> {
        let length = code.code.len();
        let (mut instructions, mut begins, mut returns) = (Vec::new(), vec![None; length], Vec::new());
        let mut at = 0;
        while at < length {
            let instruction = Instruction::decode(code.code, at).map_err(|reason| invalid(at, reason))?;
            begins[at] = Some(instructions.len());
            if instruction.opcode == RET && !returns.contains(&instruction.local()) {
                returns.push(instruction.local());
            }
            at = instruction.next;
            instructions.push(instruction);
        }
        if returns.len() > 64 {
            return Err(unsupported(0, "subroutines keep their return addresses in more than 64 variables"));
        }
        let needs = vec![0; instructions.len()];
        let (nodes, known) = (Vec::new(), HashMap::new());
        let expansion = Expansion { code, instructions, begins, returns, needs, nodes, known, work: 0 };
        for range in &code.handlers {
            let (start, end) = (usize::from(range.start), usize::from(range.end));
            let begins = |at: usize| expansion.begins.get(at).is_some_and(Option::is_some);
            if start >= end || !begins(start) || !(begins(end) || end == length) {
                return Err(invalid(start, "an exception range is not one of instructions"));
            }
            expansion.position(start, range.handler.into())?;
        }
        Ok(expansion)
    }

    /// The position of the instruction that control comes to.
    fn position(&self, from: usize, to: i64) -> Result<usize, Refused> {
        let place = usize::try_from(to).ok().and_then(|to| *self.begins.get(to)?);
        place.ok_or_else(|| invalid(from, format!("no instruction begins at the target {to}")))
    }

    /// The targets of the jumps of an instruction; the subroutine for a call.
    fn targets(&self, instruction: &Instruction<'_>) -> Result<Vec<usize>, Refused> {
        let targets: Vec<i64> = match instruction.flow() {
            Flow::Branch(target) | Flow::Goto(target) => vec![target],
            Flow::Switch => instruction.targets().collect(),
            Flow::Subroutine => instruction.subroutine().into_iter().collect(),
            Flow::Next | Flow::Leave => Vec::new(),
        };
        targets.into_iter().map(|target| self.position(instruction.at, target)).collect()
    }

    fn charge(&mut self, work: usize) -> Result<(), Refused> {
        self.work += work;
        match self.work > WORK {
            true => Err(unsupported(0, "subroutines that take too much work to expand")),
            false => Ok(()),
        }
    }

    fn bit(&self, local: u16) -> u64 {
        self.returns.iter().position(|&known| known == local).map_or(0, |bit| 1 << bit)
    }

    /// The local variables that an instruction overwrites.
    fn overwritten(instruction: &Instruction<'_>) -> impl Iterator<Item = u16> {
        let wide = matches!(instruction.opcode, LSTORE | DSTORE | LSTORE_0..=LSTORE_3 | DSTORE_0..=DSTORE_3);
        let stores = matches!(instruction.opcode, ISTORE..=ASTORE | ISTORE_0..=ASTORE_3);
        let first = u32::from(if stores { instruction.local() } else { 0 });
        let count = u32::from(stores) + u32::from(wide);
        (first..first + count).filter_map(|local| u16::try_from(local).ok())
    }

    /// Finds out which return addresses may still be used before each instruction: a backward analysis, in which a `ret` may
    /// lead behind any call.
    fn find_needs(&mut self) -> Result<(), Refused> {
        let targets: Vec<Vec<usize>> = self
            .instructions
            .iter()
            .map(|instruction| self.targets(instruction))
            .collect::<Result<_, _>>()?;
        loop {
            self.charge(self.instructions.len())?;
            let calls = self.instructions.iter().enumerate().filter(|(_, insn)| insn.is_call());
            let behind = calls.filter_map(|(position, _)| self.needs.get(position + 1));
            let behind_calls = behind.fold(0, |all, needs| all | needs);
            let mut changed = false;
            for position in (0..self.instructions.len()).rev() {
                let instruction = self.instructions[position];
                let mut needs = targets[position].iter().fold(0, |all, &target| all | self.needs[target]);
                match instruction.flow() {
                    Flow::Next | Flow::Branch(_) => {
                        needs |= self.needs.get(position + 1).copied().unwrap_or(0);
                    }
                    Flow::Subroutine if instruction.opcode == RET => {
                        needs |= behind_calls | self.bit(instruction.local());
                    }
                    _ => {}
                }
                needs = Self::overwritten(&instruction).fold(needs, |needs, local| needs & !self.bit(local));
                changed |= needs & !self.needs[position] != 0;
                self.needs[position] |= needs;
            }
            for range in &self.code.handlers {
                let first = self.position(0, range.start.into())?;
                let handler = self.needs[self.position(0, range.handler.into())?];
                let end = self.begins.get(usize::from(range.end)).copied().flatten();
                let covered = first..end.unwrap_or(self.instructions.len());
                self.work += covered.len();
                for needs in &mut self.needs[covered] {
                    changed |= handler & !*needs != 0;
                    *needs |= handler;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The node at the instruction of a position, with those of the addresses that matter there.
    fn node(&mut self, position: usize, mut state: State) -> usize {
        let needs = self.needs[position];
        state.locals.retain(|&(local, _)| needs & self.bit(local) != 0);
        let at = self.instructions[position].at;
        let next = self.nodes.len();
        *self.known.entry((at, state)).or_insert_with_key(|(_, state)| {
            let (targets, handlers) = (Vec::new(), Vec::new());
            self.nodes.push(Node { at, state: state.clone(), next: None, targets, handlers });
            next
        })
    }

    /// Finds all places of the new code, in the order in which they will lie.
    fn find_nodes(&mut self) -> Result<Vec<usize>, Refused> {
        let first = self.node(0, State::default());
        let (mut order, mut placed) = (Vec::new(), Vec::new());
        let mut open = vec![first];
        while let Some(mut at) = open.pop() {
            loop {
                placed.resize(self.nodes.len().max(placed.len()), false);
                if std::mem::replace(&mut placed[at], true) {
                    break;
                }
                order.push(at);
                self.visit(at)?;
                let node = &self.nodes[at];
                // The last one is taken first: the code behind a jump stays near it.
                open.extend(node.handlers.iter().rev().map(|&(_, handler)| handler));
                open.extend(node.targets.iter().rev());
                match node.next {
                    Some(next) => at = next,
                    None => break,
                }
            }
            if order.len() > LARGEST {
                return Err(unsupported(0, "a method that is too large once its subroutines are expanded"));
            }
        }
        Ok(order)
    }

    /// Finds out where control goes from a node.
    fn visit(&mut self, node: usize) -> Result<(), Refused> {
        let Node { at, ref state, .. } = self.nodes[node];
        let before = state.clone();
        let position = self.position(at, at as i64)?;
        let instruction = self.instructions[position];
        self.charge(1 + before.locals.len() + self.code.handlers.len())?;
        let mut handlers = Vec::new();
        for (nth, range) in self.code.handlers.iter().enumerate() {
            if (usize::from(range.start)..usize::from(range.end)).contains(&at) {
                handlers.push((nth, self.position(at, range.handler.into())?));
            }
        }
        // An exception clears the stack.
        let caught = State { top: None, ..before.clone() };
        self.nodes[node].handlers =
            handlers.into_iter().map(|(nth, handler)| (nth, self.node(handler, caught.clone()))).collect();

        let mut state = before;
        for local in Self::overwritten(&instruction) {
            state.locals.retain(|&(known, _)| known != local);
        }
        match (state.top, instruction.opcode) {
            (None, _) | (Some(_), NOP | GOTO | GOTO_W | RETURN) => {}
            (Some(_), POP) => state.top = None,
            (Some(address), ASTORE | ASTORE_0..=ASTORE_3) => {
                state.top = None;
                let local = instruction.local();
                if self.bit(local) != 0 {
                    state.locals.push((local, address));
                    state.locals.sort_by_key(|&(local, _)| local);
                }
            }
            _ => {
                let reason = "a subroutine that does not begin with storing its return address";
                return Err(unsupported(at, reason));
            }
        }
        let mut targets = self.targets(&instruction)?;
        if instruction.is_call() {
            let entry = targets[0];
            if state.locals.iter().any(|(_, address)| address.entry == entry) {
                return Err(invalid(at, "a subroutine calls itself"));
            }
            state.top = Some(Address { leads: position + 1, entry });
        } else if instruction.opcode == RET {
            let local = instruction.local();
            let held = state.locals.iter().find(|&&(known, _)| known == local);
            let Some(&(_, address)) = held else {
                return Err(invalid(at, format!("ret, but variable {local} holds no return address")));
            };
            // A return address can be used once.
            state.locals.retain(|&(_, known)| known != address);
            targets.push(address.leads);
        }
        let falls = matches!(instruction.flow(), Flow::Next | Flow::Branch(_)).then_some(position + 1);
        if targets.iter().chain(&falls).any(|&target| target >= self.instructions.len()) {
            return Err(invalid(at, "control falls off the end of the code"));
        }
        self.nodes[node].next = falls.map(|next| self.node(next, state.clone()));
        let targets = targets.into_iter().map(|target| self.node(target, state.clone())).collect();
        self.nodes[node].targets = targets;
        Ok(())
    }

    /// Writes the new code, with its nodes in that order.
    fn write(&self, order: &[usize]) -> Result<Expanded, Refused> {
        let mut starts = vec![0; self.nodes.len()];
        let mut at = 0;
        for (nth, &node) in order.iter().enumerate() {
            starts[node] = at;
            at += self.size(node, at) + if self.falls(order, nth) { 0 } else { 3 };
        }
        if at > LARGEST {
            return Err(unsupported(0, "a method that is too large once its subroutines are expanded"));
        }
        let mut code = Vec::with_capacity(at);
        for (nth, &node) in order.iter().enumerate() {
            self.write_node(node, &starts, &mut code);
            if !self.falls(order, nth) {
                let next = self.nodes[node].next.expect("only what falls somewhere needs a jump");
                jump(&mut code, starts[next]);
            }
        }
        let places = order.iter().map(|&node| (starts[node] as u16, self.nodes[node].at as u16)).collect();
        let handlers = self.ranges(order, &starts, code.len());
        if handlers.len() > usize::from(u16::MAX) {
            return Err(unsupported(0, "a method with too many handlers once its subroutines are expanded"));
        }
        Ok(Expanded { code, handlers, places })
    }

    /// Whether a node needs no jump to what comes behind it.
    fn falls(&self, order: &[usize], nth: usize) -> bool {
        self.nodes[order[nth]].next.is_none_or(|next| order.get(nth + 1) == Some(&next))
    }

    fn instruction(&self, node: usize) -> Instruction<'a> {
        let position = self.begins[self.nodes[node].at].expect("nodes are at instructions");
        self.instructions[position]
    }

    fn size(&self, node: usize, at: usize) -> usize {
        let instruction = self.instruction(node);
        match instruction.opcode {
            JSR | JSR_W => 4,
            RET => 3,
            TABLESWITCH | LOOKUPSWITCH => instruction.next - aligned(instruction.at) + (aligned(at) - at),
            _ => instruction.next - instruction.at,
        }
    }

    fn write_node(&self, node: usize, starts: &[usize], code: &mut Vec<u8>) {
        let (instruction, at) = (self.instruction(node), code.len());
        let targets = &self.nodes[node].targets;
        let old = &self.code.code[instruction.at..instruction.next];
        match instruction.flow() {
            Flow::Subroutine => {
                if instruction.is_call() {
                    code.push(ACONST_NULL);
                }
                jump(code, starts[targets[0]]);
            }
            Flow::Switch => {
                code.push(instruction.opcode);
                code.resize(aligned(at), 0);
                let operands = &self.code.code[aligned(instruction.at)..instruction.next];
                let mut offsets = targets.iter().map(|&target| offset(at, starts[target]).to_be_bytes());
                let mut write_offset = |code: &mut Vec<u8>| code.extend(offsets.next().unwrap_or_default());
                write_offset(code);
                let (keys, step) = if instruction.opcode == TABLESWITCH { (12, 4) } else { (8, 8) };
                code.extend(&operands[4..keys]);
                for entry in operands[keys..].chunks(step) {
                    code.extend(&entry[..step - 4]);
                    write_offset(code);
                }
            }
            Flow::Goto(_) | Flow::Branch(_) => {
                code.push(instruction.opcode);
                let offset = offset(at, starts[targets[0]]);
                match instruction.opcode {
                    GOTO_W => code.extend(offset.to_be_bytes()),
                    _ => code.extend((offset as i16).to_be_bytes()),
                }
            }
            Flow::Next | Flow::Leave => code.extend(old),
        }
    }

    /// The exception table: of each old range, the runs of new code with the same handler.
    fn ranges(&self, order: &[usize], starts: &[usize], end: usize) -> Vec<ExceptionRange> {
        let mut ranges: Vec<Vec<ExceptionRange>> = vec![Vec::new(); self.code.handlers.len()];
        for (nth, &node) in order.iter().enumerate() {
            let start = starts[node] as u16;
            let end = order.get(nth + 1).map_or(end, |&next| starts[next]) as u16;
            for &(range, handler) in &self.nodes[node].handlers {
                let (handler, catches) = (starts[handler] as u16, self.code.handlers[range].catches);
                match ranges[range].last_mut() {
                    Some(last) if last.end == start && last.handler == handler => last.end = end,
                    _ => ranges[range].push(ExceptionRange { start, end, handler, catches }),
                }
            }
        }
        ranges.concat()
    }
}

/// Where the operands of a switch begin.
fn aligned(at: usize) -> usize {
    (at + 4) & !3
}

/// How far it is from an instruction to its target. Both lie within `LARGEST`.
fn offset(from: usize, to: usize) -> i32 {
    to as i32 - from as i32
}

fn jump(code: &mut Vec<u8>, target: usize) {
    let offset = offset(code.len(), target) as i16;
    code.push(GOTO);
    code.extend(offset.to_be_bytes());
}
