//! Verification by type inference, §4.10.2: nothing is declared, so the frames at which ways meet are found by a dataflow
//! analysis that runs until they change no more.
//!
//! Frames are kept only where ways meet or exception ranges begin or end. In between, code is gone through again.

use super::body::Body;
use super::constants::Constants;
use super::frame::Frame;
use super::types::Type;
use super::{Fault, Reason};
use crate::classfile::instruction::Flow;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Finds the frames of a method, or that there are none that suit all its instructions. Code that cannot be reached has no
/// frames and is not checked beyond its layout.
pub(super) fn check<'a>(constants: &mut Constants<'a>, body: &mut Body<'a>) -> Result<(), Fault> {
    let mut meeting = Meetings { at: HashMap::new(), work: BinaryHeap::new() };
    let entry = body.entry.clone();
    meeting.arrive(constants, body, &entry, Some(&entry.stack), 0).map_err(|reason| Fault::at(0, reason))?;
    let mut frame = entry;
    let mut active = Vec::new();
    while let Some(start) = meeting.next(&mut frame) {
        let mut at = start;
        body.charge(frame.locals.len() + frame.stack.len()).map_err(|reason| Fault::at(at, reason))?;
        body.handlers_at(at, &mut active).map_err(|reason| Fault::at(at, reason))?;
        loop {
            let fault = |reason| Fault::at(at, reason);
            if frame.changed {
                for &position in &active {
                    let handler = usize::from(body.handlers[position].handler);
                    let caught = [body.caught[position]];
                    meeting.arrive(constants, body, &frame, Some(&caught), handler).map_err(fault)?;
                }
                frame.changed = false;
            }
            let instruction = body.instruction(at)?;
            body.apply(constants, &instruction, &mut frame)?;
            match instruction.flow() {
                Flow::Branch(target) | Flow::Goto(target) => {
                    meeting.arrive(constants, body, &frame, None, target as usize).map_err(fault)?;
                }
                Flow::Switch => {
                    for target in instruction.targets() {
                        meeting.arrive(constants, body, &frame, None, target as usize).map_err(fault)?;
                    }
                }
                Flow::Next | Flow::Leave | Flow::Subroutine => {}
            }
            if !matches!(instruction.flow(), Flow::Next | Flow::Branch(_)) {
                break;
            }
            if instruction.next == body.code.len() {
                return Err(fault("control falls off the end of the code".to_string()));
            }
            if body.layout.leads(instruction.next) {
                meeting.arrive(constants, body, &frame, None, instruction.next).map_err(fault)?;
                break;
            }
            at = instruction.next;
        }
    }
    Ok(())
}

/// The frames at which ways meet, and those that have changed since their code was gone through. The first of them in
/// the code is the next: loops are then gone through from their heads.
struct Meetings {
    at: HashMap<usize, Meeting>,
    work: BinaryHeap<Reverse<usize>>,
}

struct Meeting {
    locals: Vec<Type>,
    stack: Vec<Type>,
    this_uninitialised: bool,
    waiting: bool,
}

impl Meetings {
    /// Takes a frame that has changed, and says where.
    fn next(&mut self, frame: &mut Frame) -> Option<usize> {
        let Reverse(at) = self.work.pop()?;
        let meeting = self.at.get_mut(&at)?;
        meeting.waiting = false;
        frame.assume(&meeting.locals, &meeting.stack, meeting.this_uninitialised);
        Some(at)
    }

    /// Control may come to `at` with that frame, and with another stack if one is given.
    fn arrive(
        &mut self,
        constants: &mut Constants<'_>,
        body: &mut Body<'_>,
        frame: &Frame,
        stack: Option<&[Type]>,
        at: usize,
    ) -> Result<(), Reason> {
        let stack = stack.unwrap_or(&frame.stack);
        body.charge(frame.locals.len() + stack.len())?;
        let Some(meeting) = self.at.get_mut(&at) else {
            if stack.len() > body.max_stack.into() {
                return Err(format!("the operand stack has no room for an exception at {at}"));
            }
            body.remember(frame.locals.len() + stack.len())?;
            let meeting = Meeting {
                locals: frame.locals.clone(),
                stack: stack.to_vec(),
                this_uninitialised: frame.this_uninitialised,
                waiting: true,
            };
            self.at.insert(at, meeting);
            self.work.push(Reverse(at));
            return Ok(());
        };
        if meeting.merge(constants, frame, stack, at)? && !meeting.waiting {
            meeting.waiting = true;
            self.work.push(Reverse(at));
        }
        Ok(())
    }
}

impl Meeting {
    /// Weakens what is known to what holds of the other frame too. Whether that changed anything.
    fn merge(
        &mut self,
        constants: &mut Constants<'_>,
        frame: &Frame,
        stack: &[Type],
        at: usize,
    ) -> Result<bool, Reason> {
        if self.stack.len() != stack.len() {
            let (known, found) = (self.stack.len(), stack.len());
            return Err(format!(
                "the operand stack has {found} slots where it has {known} on another way to {at}"
            ));
        }
        let mut changed = false;
        for (known, &found) in self.stack.iter_mut().zip(stack) {
            let merged = constants.types.merge(*known, found)?;
            if merged == Type::Top {
                let (known, found) = (constants.types.show(*known), constants.types.show(found));
                return Err(format!(
                    "the operand stack has {found} where it has {known} on another way to {at}"
                ));
            }
            changed |= merged != *known;
            *known = merged;
        }
        for index in 0..self.locals.len() {
            let known = self.locals[index];
            let found = frame.locals.get(index).copied().unwrap_or(Type::Top);
            let mut merged = constants.types.merge(known, found)?;
            if merged == Type::Half && !(index > 0 && self.locals[index - 1].is_wide()) {
                merged = Type::Top;
            }
            changed |= merged != known;
            self.locals[index] = merged;
        }
        if frame.this_uninitialised && !self.this_uninitialised {
            self.this_uninitialised = true;
            changed = true;
        }
        Ok(changed)
    }
}
