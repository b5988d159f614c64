//! Statements taken apart into single reads, writes and other operations that are indivisible.

use crate::program::{Compared, Comparison, Condition, Local, Monitor, Operand, Place, Pointer, Statement};

/// The numbers of a thread: its two locals, and two for what a statement has at hand.
pub const REGISTERS: usize = 4;
/// A number of a thread.
pub type Register = usize;

const FIRST: Register = 2;
const SECOND: Register = 3;

/// A shared number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    A,
    B,
    V,
    C,
    /// The element that a register's last bit says.
    Element(Register),
    /// The plain field of the object in the hand.
    Field,
    /// Its final field.
    FinalField,
}

/// One operation of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    // Operations that only the thread itself notices.
    Number(Register, i32),
    Copy(Register, Register),
    Plus(Register, i32),
    Jump(usize),
    /// Unless the register compares to the number.
    JumpUnless(Register, Comparison, i32, usize),
    /// Unless there is an object in the hand.
    JumpEmptyHanded(usize),
    // Operations that others notice.
    Load(Register, Cell),
    Store(Cell, Register),
    GetAndAdd(Register, i32),
    /// Into the first register whether the second was there and has made way for the third.
    CompareAndSet(Register, Register, Register),
    Enter(Monitor),
    Exit,
    Wait(Monitor),
    WaitTimed(Monitor),
    Notify(Monitor),
    NotifyAll(Monitor),
    /// A new object in the hand, its fields zero.
    New,
    Publish(Pointer),
    Take(Pointer),
    Start(usize),
    Join(usize),
    Park,
    Unpark(usize),
    Interrupt(usize),
    Interrupted(Register),
    /// An assertion of that number does not hold: gives back the monitors, one by one, and fails.
    Fail(usize),
    /// Writes down the locals.
    Result,
    End,
}

impl Code {
    /// Whether only the thread itself notices it.
    pub fn is_local(self) -> bool {
        matches!(
            self,
            Code::Number(..)
                | Code::Copy(..)
                | Code::Plus(..)
                | Code::Jump(_)
                | Code::JumpUnless(..)
                | Code::JumpEmptyHanded(_)
        )
    }
}

/// The operations of a thread.
pub fn code(body: &[Statement]) -> Vec<Code> {
    let mut out = Vec::new();
    block(body, &mut out);
    out.extend([Code::Result, Code::End]);
    out
}

fn block(statements: &[Statement], out: &mut Vec<Code>) {
    for statement in statements {
        if statement.uses_hand() {
            let at = out.len();
            out.push(Code::JumpEmptyHanded(0));
            one(statement, out);
            out[at] = Code::JumpEmptyHanded(out.len());
        } else {
            one(statement, out);
        }
    }
}

fn one(statement: &Statement, out: &mut Vec<Code>) {
    match statement {
        Statement::Assign(to, from, add) => {
            operand(FIRST, *from, out);
            out.extend([Code::Plus(FIRST, *add), Code::Copy(local(*to), FIRST)]);
        }
        Statement::Read(to, from) => {
            let from = place(*from, out);
            out.push(Code::Load(local(*to), from));
        }
        Statement::Write(to, from) => {
            let to = place(*to, out);
            operand(FIRST, *from, out);
            out.push(Code::Store(to, FIRST));
        }
        Statement::Add(to, add) => {
            let to = place(*to, out);
            out.extend([Code::Load(FIRST, to), Code::Plus(FIRST, *add), Code::Store(to, FIRST)]);
        }
        Statement::Get(to) => out.push(Code::Load(local(*to), Cell::C)),
        Statement::Set(from) => {
            operand(FIRST, *from, out);
            out.push(Code::Store(Cell::C, FIRST));
        }
        Statement::GetAndAdd(to, add) => out.push(Code::GetAndAdd(local(*to), *add)),
        Statement::CompareAndSet(to, expected, new) => {
            operand(FIRST, *expected, out);
            operand(SECOND, *new, out);
            out.push(Code::CompareAndSet(local(*to), FIRST, SECOND));
        }
        Statement::Update(to, add) => {
            let again = out.len();
            out.extend([
                Code::Load(local(*to), Cell::C),
                Code::Copy(FIRST, local(*to)),
                Code::Plus(FIRST, *add),
                Code::CompareAndSet(SECOND, local(*to), FIRST),
                Code::JumpUnless(SECOND, Comparison::Equal, 1, again),
            ]);
        }
        Statement::Synchronized(monitor, body) => {
            out.push(Code::Enter(*monitor));
            block(body, out);
            out.push(Code::Exit);
        }
        Statement::If(when, then, otherwise) => {
            let skip = condition(when, out);
            block(then, out);
            let end = out.len();
            out.push(Code::Jump(0));
            land(skip, out);
            block(otherwise, out);
            out[end] = Code::Jump(out.len());
        }
        Statement::Wait(monitor) => out.push(Code::Wait(*monitor)),
        Statement::WaitTimed(monitor) => out.push(Code::WaitTimed(*monitor)),
        Statement::WaitWhile(monitor, when) => {
            let again = out.len();
            let done = condition(when, out);
            out.extend([Code::Wait(*monitor), Code::Jump(again)]);
            land(done, out);
        }
        Statement::Notify(monitor) => out.push(Code::Notify(*monitor)),
        Statement::NotifyAll(monitor) => out.push(Code::NotifyAll(*monitor)),
        Statement::Park => out.push(Code::Park),
        Statement::Unpark(thread) => out.push(Code::Unpark(*thread)),
        Statement::Interrupt(thread) => out.push(Code::Interrupt(*thread)),
        Statement::Interrupted(to) => out.push(Code::Interrupted(local(*to))),
        Statement::Spin(when) => {
            let again = out.len();
            let done = condition(when, out);
            out.push(Code::Jump(again));
            land(done, out);
        }
        Statement::Assert(when, number) => {
            let fails = condition(when, out);
            let end = out.len();
            out.push(Code::Jump(0));
            land(fails, out);
            out.push(Code::Fail(*number));
            out[end] = Code::Jump(out.len());
        }
        Statement::New(value) => {
            operand(FIRST, *value, out);
            out.extend([Code::New, Code::Store(Cell::FinalField, FIRST)]);
        }
        Statement::NewEscaping(value) => {
            operand(FIRST, *value, out);
            out.extend([Code::New, Code::Publish(Pointer::P), Code::Store(Cell::FinalField, FIRST)]);
        }
        Statement::Publish(to) => out.push(Code::Publish(*to)),
        Statement::Take(from) => out.push(Code::Take(*from)),
        Statement::Start(thread) => out.push(Code::Start(*thread)),
        Statement::Join(thread) => out.push(Code::Join(*thread)),
    }
}

/// Goes on if the condition holds; gives the jump that is taken if it does not.
fn condition(when: &Condition, out: &mut Vec<Code>) -> usize {
    match when.left {
        Compared::Local(from) => out.push(Code::Copy(FIRST, local(from))),
        Compared::Place(from) => {
            let from = place(from, out);
            out.push(Code::Load(FIRST, from));
        }
    }
    out.push(Code::JumpUnless(FIRST, when.comparison, when.right, 0));
    out.len() - 1
}

/// Lets a jump of [`condition`] land here.
fn land(jump: usize, out: &mut [Code]) {
    let here = out.len();
    if let Code::JumpUnless(_, _, _, to) = &mut out[jump] {
        *to = here;
    }
}

fn local(local: Local) -> Register {
    match local {
        Local::X => 0,
        Local::Y => 1,
    }
}

fn operand(to: Register, from: Operand, out: &mut Vec<Code>) {
    out.push(match from {
        Operand::Number(number) => Code::Number(to, number),
        Operand::Local(from) => Code::Copy(to, local(from)),
    });
}

/// A place whose index, if it has one, is in the second register.
fn place(place: Place, out: &mut Vec<Code>) -> Cell {
    match place {
        Place::A => Cell::A,
        Place::B => Cell::B,
        Place::V => Cell::V,
        Place::Element(index) => {
            operand(SECOND, index, out);
            Cell::Element(SECOND)
        }
        Place::InHand => Cell::Field,
        Place::InHandFinal => Cell::FinalField,
    }
}
