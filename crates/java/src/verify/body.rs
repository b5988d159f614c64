//! The code of one method, with what both ways of verification need to know of it.

use super::constants::Constants;
use super::effect;
use super::frame::Frame;
use super::layout::Layout;
use super::types::{THROWABLE, Type};
use super::{Fault, Reason};
use crate::classfile::instruction::Instruction;
use crate::classfile::opcode::{INVOKESPECIAL, NEW};
use crate::classfile::{ClassFile, CodeAttribute, ExceptionRange, Member, access};

/// A bound on the slots that are compared and copied for one method. Real methods stay below a thousandth of it; methods
/// made for the purpose, with thousands of handlers around thousands of stores to thousands of local variables,
/// would keep the verifier busy for days.
const WORK: usize = 1 << 28;

/// A bound on the slots that are remembered for one method.
const ROOM: usize = 1 << 24;

/// A method's code whose instructions are all well formed.
pub(super) struct Body<'a> {
    pub code: &'a [u8],
    pub handlers: Vec<ExceptionRange>,
    /// The types that the handlers catch.
    pub caught: Vec<Type>,
    pub layout: Layout,
    /// The frame before the first instruction.
    pub entry: Frame,
    pub result: Option<Type>,
    /// Whether it is a constructor that must call another one.
    pub constructor: bool,
    pub max_locals: u16,
    pub max_stack: u16,
    work: usize,
    room: usize,
}

impl<'a> Body<'a> {
    pub fn new(
        constants: &mut Constants<'a>,
        method: &Member,
        code: CodeAttribute<'a>,
    ) -> Result<Body<'a>, Fault> {
        let class: &'a ClassFile = constants.class;
        let layout = Layout::new(&code)?;
        let start = |reason: Reason| Fault::at(0, reason);
        let signature = constants.signature(method.descriptor).map_err(start)?;
        let constructor = class.pool.utf8(method.name) == Ok("<init>") && class.super_class != 0;

        let mut entry = Frame::new(code.max_locals, code.max_stack);
        let mut slot = 0;
        if method.access & access::STATIC == 0 {
            let this = if constructor { Type::UninitializedThis } else { Type::Object(constants.this) };
            entry.this_uninitialised = constructor;
            entry.store(slot, this).map_err(start)?;
            slot += 1;
        }
        for &parameter in &signature.parameters {
            entry.store(slot, parameter).map_err(start)?;
            slot += parameter.slots() as u16;
        }

        let mut caught = Vec::with_capacity(code.handlers.len());
        for handler in &code.handlers {
            let kind = caught_type(constants, handler.catches);
            caught.push(kind.map_err(|reason| Fault::at(handler.handler.into(), reason))?);
        }
        Ok(Body {
            code: code.code,
            handlers: code.handlers,
            caught,
            layout,
            entry,
            result: signature.result,
            constructor,
            max_locals: code.max_locals,
            max_stack: code.max_stack,
            work: 0,
            room: 0,
        })
    }

    /// The instruction at a place where one begins.
    pub fn instruction(&self, at: usize) -> Result<Instruction<'a>, Fault> {
        Instruction::decode(self.code, at).map_err(|reason| Fault::at(at, reason.to_string()))
    }

    /// Checks an instruction and applies its effect to the frame.
    pub fn apply(
        &mut self,
        constants: &mut Constants<'a>,
        instruction: &Instruction<'a>,
        frame: &mut Frame,
    ) -> Result<(), Fault> {
        // These two go over the whole frame.
        let slots = match instruction.opcode {
            NEW | INVOKESPECIAL => frame.locals.len() + frame.stack.len(),
            _ => 0,
        };
        let applied = self.charge(slots).and_then(|()| effect::apply(constants, self, instruction, frame));
        applied.map_err(|reason| Fault::at(instruction.at, reason))
    }

    /// The positions of the handlers that are in force at a place.
    pub fn handlers_at(&mut self, at: usize, active: &mut Vec<usize>) -> Result<(), Reason> {
        active.clear();
        if self.handlers.is_empty() {
            return Ok(());
        }
        self.charge(self.handlers.len())?;
        let covers = |handler: &ExceptionRange| (handler.start.into()..handler.end.into()).contains(&at);
        active.extend((0..self.handlers.len()).filter(|&position| covers(&self.handlers[position])));
        Ok(())
    }

    /// Counts slots that are compared or copied.
    pub fn charge(&mut self, slots: usize) -> Result<(), Reason> {
        self.work += 1 + slots;
        match self.work > WORK {
            true => Err("the method takes too much work to verify".to_string()),
            false => Ok(()),
        }
    }

    /// Counts slots that are remembered.
    pub fn remember(&mut self, slots: usize) -> Result<(), Reason> {
        self.room += 1 + slots;
        match self.room > ROOM {
            true => Err("the method takes too much memory to verify".to_string()),
            false => Ok(()),
        }
    }
}

fn caught_type(constants: &mut Constants<'_>, index: u16) -> Result<Type, Reason> {
    if index == 0 {
        return Ok(Type::Object(THROWABLE));
    }
    let class = Type::Object(constants.plain_class(index)?);
    match constants.types.is_assignable(class, Type::Object(THROWABLE))? {
        true => Ok(class),
        false => Err(format!("{} is caught, but cannot be thrown", constants.types.show(class))),
    }
}
