//! Verification by type checking, §4.10.1: the class file declares the frames at which ways meet, and one pass over the
//! code checks that they are right.

use super::body::Body;
use super::constants::Constants;
use super::frame::Frame;
use super::types::Type;
use super::{Fault, Reason};
use crate::classfile::Cursor;
use crate::classfile::instruction::Flow;
use crate::classfile::opcode::NEW;
use std::ops::Range;

/// Checks a method against the frames that its `StackMapTable` declares.
pub(super) fn check<'a>(
    constants: &mut Constants<'a>,
    body: &mut Body<'a>,
    table: Option<&[u8]>,
) -> Result<(), Fault> {
    let frames =
        Frames::read(constants, body, table.unwrap_or(&[0, 0])).map_err(|reason| Fault::at(0, reason))?;
    for (handler, &caught) in body.handlers.iter().zip(&body.caught) {
        let at = usize::from(handler.handler);
        frames.check_caught(constants, at, caught).map_err(|reason| Fault::at(at, reason))?;
    }
    let mut frame = body.entry.clone();
    let (mut at, mut next_frame, mut reachable) = (0, 0, true);
    let mut active = Vec::new();
    while at < body.code.len() {
        let fault = |reason| Fault::at(at, reason);
        if let Some(declared) = frames.all.get(next_frame).filter(|declared| declared.at == at) {
            next_frame += 1;
            if reachable {
                frames.check(constants, body, &frame, at).map_err(fault)?;
            }
            body.charge(declared.locals.len()).map_err(fault)?;
            let (locals, stack) =
                (&frames.types[declared.locals.clone()], &frames.types[declared.stack.clone()]);
            frame.assume(locals, stack, declared.this_uninitialised);
        } else if !reachable {
            return Err(fault("a stack map frame is missing where only jumps can lead".to_string()));
        }
        if body.layout.is_edge(at) {
            body.handlers_at(at, &mut active).map_err(fault)?;
            frame.changed = true;
        }
        if frame.changed {
            for &position in &active {
                let handler = usize::from(body.handlers[position].handler);
                frames.check_locals(constants, body, &frame, handler).map_err(fault)?;
            }
            frame.changed = false;
        }
        let instruction = body.instruction(at)?;
        body.apply(constants, &instruction, &mut frame)?;
        match instruction.flow() {
            Flow::Branch(target) | Flow::Goto(target) => {
                frames.check(constants, body, &frame, target as usize).map_err(fault)?;
            }
            Flow::Switch => {
                for target in instruction.targets() {
                    frames.check(constants, body, &frame, target as usize).map_err(fault)?;
                }
            }
            Flow::Next | Flow::Leave | Flow::Subroutine => {}
        }
        reachable = matches!(instruction.flow(), Flow::Next | Flow::Branch(_));
        if reachable && instruction.next == body.code.len() {
            return Err(fault("control falls off the end of the code".to_string()));
        }
        at = instruction.next;
    }
    Ok(())
}

/// The frames of a method, in the order of the code.
struct Frames {
    all: Vec<Declared>,
    /// The slots of all frames. A frame that only shortens or lengthens the one before shares its slots.
    types: Vec<Type>,
}

struct Declared {
    at: usize,
    locals: Range<usize>,
    stack: Range<usize>,
    this_uninitialised: bool,
}

impl Frames {
    fn read<'a>(constants: &mut Constants<'a>, body: &mut Body<'a>, table: &[u8]) -> Result<Frames, Reason> {
        let mut cursor = Cursor::new(table);
        let mut frames = Frames { all: Vec::new(), types: body.entry.locals.clone() };
        let mut locals = 0..frames.types.len();
        let mut previous = None;
        for _ in 0..cursor.u16().map_err(cut_off)? {
            let tag = cursor.u8().map_err(cut_off)?;
            let delta = match tag {
                0..=63 => tag,
                64..=127 => tag - 64,
                128..=246 => return Err(format!("there are no stack map frames of kind {tag}")),
                247..=255 => 0,
            };
            let delta = if tag >= 247 { cursor.u16().map_err(cut_off)? } else { delta.into() };
            let at = previous.map_or(0, |at: usize| at + 1) + usize::from(delta);
            if !body.layout.begins(at) {
                return Err(format!("no instruction begins at the stack map frame at {at}"));
            }
            previous = Some(at);
            let mut stack = 0..0;
            match tag {
                64..=127 | 247 => stack = frames.append(constants, body, &mut cursor, 1)?,
                // Chopped are values, not slots.
                248..=250 => {
                    for _ in 0..251 - tag {
                        let last =
                            locals.clone().next_back().ok_or("no local variable is left to be dropped")?;
                        let wide = frames.types[last] == Type::Half;
                        locals.end = last - usize::from(wide);
                    }
                }
                252..=254 => {
                    if locals.end != frames.types.len() {
                        body.remember(locals.len())?;
                        body.charge(locals.len())?;
                        let start = frames.types.len();
                        frames.types.extend_from_within(locals);
                        locals = start..frames.types.len();
                    }
                    locals.end = frames.append(constants, body, &mut cursor, (tag - 251).into())?.end;
                }
                255 => {
                    let count = cursor.u16().map_err(cut_off)?;
                    locals = frames.append(constants, body, &mut cursor, count)?;
                    let count = cursor.u16().map_err(cut_off)?;
                    stack = frames.append(constants, body, &mut cursor, count)?;
                }
                _ => {}
            }
            if locals.len() > body.max_locals.into() || stack.len() > body.max_stack.into() {
                return Err(format!("the stack map frame at {at} has more slots than the method"));
            }
            if frames.types[stack.clone()].contains(&Type::Top) {
                return Err(format!("the stack map frame at {at} has unusable values on its stack"));
            }
            // Frames that only look at what changed must not pay for all that stayed.
            body.charge(locals.len())?;
            let this_uninitialised = frames.types[locals.clone()].contains(&Type::UninitializedThis);
            frames.all.push(Declared { at, locals: locals.clone(), stack, this_uninitialised });
        }
        Ok(frames)
    }

    /// Reads that many types and gives the slots that they take.
    fn append<'a>(
        &mut self,
        constants: &mut Constants<'a>,
        body: &mut Body<'a>,
        cursor: &mut Cursor<'_>,
        count: u16,
    ) -> Result<Range<usize>, Reason> {
        let start = self.types.len();
        for _ in 0..count {
            let kind = match cursor.u8().map_err(cut_off)? {
                0 => Type::Top,
                1 => Type::Int,
                2 => Type::Float,
                3 => Type::Double,
                4 => Type::Long,
                5 => Type::Null,
                6 if body.constructor => Type::UninitializedThis,
                6 => {
                    return Err(
                        "a stack map frame has an uninitialised `this` outside of a constructor".to_string()
                    );
                }
                7 => Type::Object(constants.class(cursor.u16().map_err(cut_off)?)?),
                8 => {
                    let at = cursor.u16().map_err(cut_off)?;
                    let made = body.layout.begins(at.into()) && body.code[usize::from(at)] == NEW;
                    if !made {
                        return Err(format!(
                            "a stack map frame has an object made at {at}, where no `new` is"
                        ));
                    }
                    Type::Uninitialized(at)
                }
                other => return Err(format!("a stack map frame has a type of the unknown kind {other}")),
            };
            self.types.push(kind);
            if kind.is_wide() {
                self.types.push(Type::Half);
            }
        }
        body.remember(self.types.len() - start)?;
        Ok(start..self.types.len())
    }

    fn find(&self, at: usize) -> Result<&Declared, Reason> {
        let found = self.all.binary_search_by_key(&at, |declared| declared.at);
        found.map(|position| &self.all[position]).map_err(|_| format!("a stack map frame is missing at {at}"))
    }

    /// Whether a frame may go over into the one that is declared at `at`.
    fn check(
        &self,
        constants: &mut Constants<'_>,
        body: &mut Body<'_>,
        frame: &Frame,
        at: usize,
    ) -> Result<(), Reason> {
        let declared = self.find(at)?;
        if frame.stack.len() != declared.stack.len() {
            return Err(format!(
                "the operand stack has {} slots, but {} are declared at {at}",
                frame.stack.len(),
                declared.stack.len()
            ));
        }
        body.charge(frame.stack.len())?;
        for (&found, &wanted) in frame.stack.iter().zip(&self.types[declared.stack.clone()]) {
            if !constants.types.is_assignable(found, wanted)? {
                let (found, wanted) = (constants.types.show(found), constants.types.show(wanted));
                return Err(format!("the operand stack has {found} where {wanted} is declared at {at}"));
            }
        }
        self.check_locals(constants, body, frame, at)
    }

    /// Whether the local variables of a frame are as declared at `at`.
    fn check_locals(
        &self,
        constants: &mut Constants<'_>,
        body: &mut Body<'_>,
        frame: &Frame,
        at: usize,
    ) -> Result<(), Reason> {
        let declared = self.find(at)?;
        body.charge(declared.locals.len())?;
        for (index, &wanted) in self.types[declared.locals.clone()].iter().enumerate() {
            let found = frame.locals.get(index).copied().unwrap_or(Type::Top);
            if !constants.types.is_assignable(found, wanted)? {
                let (found, wanted) = (constants.types.show(found), constants.types.show(wanted));
                return Err(format!(
                    "local variable {index} holds {found} where {wanted} is declared at {at}"
                ));
            }
        }
        if frame.this_uninitialised && !declared.this_uninitialised {
            return Err(format!("the frame at {at} forgets that `this` is not initialised"));
        }
        Ok(())
    }

    /// Whether a handler takes what it catches.
    fn check_caught(&self, constants: &mut Constants<'_>, at: usize, caught: Type) -> Result<(), Reason> {
        match &self.types[self.find(at)?.stack.clone()] {
            &[wanted] if constants.types.is_assignable(caught, wanted)? => Ok(()),
            _ => Err(format!("the exception handler does not expect {}", constants.types.show(caught))),
        }
    }
}

fn cut_off(_: crate::classfile::ClassFileError) -> Reason {
    "the stack map table is cut off".to_string()
}
