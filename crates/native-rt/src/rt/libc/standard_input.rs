//! Standard input: it could not be read again in the next execution, so reading it is refused. Functions of the C library and
//! of C++ read it by system calls of their own, which nothing but the system can notice: it is asked to raise a signal.

use crate::rt::base::syscalls;

/// An instruction of the filter: code, where to go if a comparison holds and if not, and a number.
#[repr(C)]
#[derive(Clone, Copy)]
struct Instruction {
    code: u16,
    yes: u8,
    no: u8,
    number: u32,
}

#[repr(C)]
struct Filter {
    length: u16,
    instructions: *const Instruction,
}

const LOAD: u16 = 0x20;
const EQUALS: u16 = 0x15;
const RETURN: u16 = 0x06;
const TRAP: u32 = 0x0003_0000;
const ALLOW: u32 = 0x7fff_0000;
/// Where the number of a call lies in what the filter sees, and its first argument.
const NUMBER: u32 = 0;
const DESCRIPTOR: u32 = 16;
const READ: u32 = 0;
const PREAD: u32 = 17;
const READV: u32 = 19;

const fn instruction(code: u16, yes: u8, no: u8, number: u32) -> Instruction {
    Instruction { code, yes, no, number }
}

static INSTRUCTIONS: [Instruction; 8] = [
    instruction(LOAD, 0, 0, NUMBER),
    instruction(EQUALS, 2, 0, READ),
    instruction(EQUALS, 1, 0, PREAD),
    instruction(EQUALS, 0, 3, READV),
    instruction(LOAD, 0, 0, DESCRIPTOR),
    instruction(EQUALS, 0, 1, 0),
    instruction(RETURN, 0, 0, TRAP),
    instruction(RETURN, 0, 0, ALLOW),
];

/// From now on reading standard input raises `SIGSYS`. Where the system does not know how to, it is empty.
pub fn refuse() {
    const PRCTL: usize = 157;
    const NO_NEW_PRIVILEGES: usize = 38;
    const SECCOMP: usize = 317;
    const SET_FILTER: usize = 1;
    let filter = Filter { length: INSTRUCTIONS.len() as u16, instructions: INSTRUCTIONS.as_ptr() };
    // SAFETY: says what this process may not do; both records are read before the call returns.
    unsafe {
        syscalls::call(PRCTL, [NO_NEW_PRIVILEGES, 1, 0, 0, 0, 0]);
        syscalls::call(SECCOMP, [SET_FILTER, 0, &raw const filter as usize, 0, 0, 0]);
    }
}
