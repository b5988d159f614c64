//! `printf`, `sscanf` and their like.
//!
//! They read memory of the program (the texts that `%s` names) and write to it. They are not instrumented, so the runtime announces
//! these accesses before it calls them.
//!
//! A function with any number of arguments cannot be written in stable Rust. A stub puts the registers where the C library would look
//! for them. The result is the list of arguments that `vprintf` and its like take.

use crate::rt::libc::memory_functions::{string, string_of};
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use core::arch::naked_asm;
use core::ffi::c_char;

/// Arguments of a call, as `va_list` of x86-64 has them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct List {
    /// Where the next argument of each sort lies in what the stub has saved.
    words: u32,
    floats: u32,
    /// Where the arguments lie for which there was no register.
    rest: *const u64,
    saved: *const u8,
}

impl List {
    const WORDS_END: u32 = 48;
    const FLOATS_END: u32 = 176;

    fn word(&mut self) -> u64 {
        if self.words >= List::WORDS_END {
            return self.above();
        }
        // SAFETY: within what the stub has saved.
        let word = unsafe { *(self.saved.add(self.words as usize) as *const u64) };
        self.words += 8;
        word
    }

    fn above(&mut self) -> u64 {
        // SAFETY: the format says that there is an argument.
        unsafe {
            let word = *self.rest;
            self.rest = self.rest.add(1);
            word
        }
    }

    fn skip_float(&mut self) {
        if self.floats >= List::FLOATS_END {
            self.above();
        } else {
            self.floats += 16;
        }
    }

    fn skip_long_float(&mut self) {
        self.rest = (self.rest as usize).next_multiple_of(16) as *const u64;
        self.above();
        self.above();
    }
}

/// Gives functions with any number of arguments the names under which programs call them. The function is called with those that
/// are always there, and a list of the others; `next` is the register that comes behind the former, and `used` the bytes that they
/// take among those that are saved.
macro_rules! variadic {
    ($($name:ident => $function:path, $next:literal, $used:literal;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            naked_asm!(
                $crate::rt::base::symbols::listed!($name),
                "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15", "sub rsp, 8",
                "movabs r11, {frame}",
                "mov [r11], rsp",
                "lea r10, [rsp + 64]",
                "sub rsp, 208",
                "mov [rsp], rdi", "mov [rsp + 8], rsi", "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx", "mov [rsp + 32], r8", "mov [rsp + 40], r9",
                "movaps [rsp + 48], xmm0", "movaps [rsp + 64], xmm1", "movaps [rsp + 80], xmm2",
                "movaps [rsp + 96], xmm3", "movaps [rsp + 112], xmm4", "movaps [rsp + 128], xmm5",
                "movaps [rsp + 144], xmm6", "movaps [rsp + 160], xmm7",
                "mov dword ptr [rsp + 176], {used}",
                "mov dword ptr [rsp + 180], 48",
                "mov [rsp + 184], r10",
                "mov [rsp + 192], rsp",
                concat!("lea ", $next, ", [rsp + 176]"),
                "call {function}",
                "add rsp, 264",
                "jmp {leave}",
                frame = const crate::rt::base::layout::FRAME_AT,
                used = const $used,
                function = sym $function,
                leave = sym crate::rt::sched::context::leave,
            )
        }
    )* };
}

variadic! {
    __sojourner_printf => print, "rsi", 8;
    __sojourner_fprintf => print_to, "rdx", 16;
    __sojourner_sprintf => write, "rdx", 16;
    __sojourner_snprintf => write_some, "rcx", 24;
    __sojourner_asprintf => make, "rdx", 16;
    __sojourner_sscanf => scan, "rdx", 16;
    __sojourner___isoc99_sscanf => scan, "rdx", 16;
    __sojourner_fscanf => scan_stream, "rdx", 16;
    __sojourner___isoc99_fscanf => scan_stream, "rdx", 16;
}

export! {
    __sojourner_vprintf => print;
    __sojourner_vfprintf => print_to;
    __sojourner_vsprintf => write;
    __sojourner_vsnprintf => write_some;
    __sojourner_vasprintf => make;
}

unsafe extern "C" {
    fn vprintf(format: *const c_char, list: *mut List) -> i32;
    fn vfprintf(stream: usize, format: *const c_char, list: *mut List) -> i32;
    fn vsprintf(to: *mut u8, format: *const c_char, list: *mut List) -> i32;
    fn vsnprintf(to: *mut u8, size: usize, format: *const c_char, list: *mut List) -> i32;
    fn vasprintf(out: *mut *mut u8, format: *const c_char, list: *mut List) -> i32;
    // By the rules of C99, in which `a` is a number.
    fn __isoc99_vsscanf(text: *const c_char, format: *const c_char, list: *mut List) -> i32;
    fn __isoc99_vfscanf(stream: u64, format: *const c_char, list: *mut List) -> i32;
}

extern "C" fn print(format: *const c_char, list: *mut List) -> i32 {
    read_texts(Frame::here(), format, list);
    // SAFETY: the program asks for this.
    unsafe { vprintf(format, list) }
}

extern "C" fn print_to(stream: usize, format: *const c_char, list: *mut List) -> i32 {
    read_texts(Frame::here(), format, list);
    // SAFETY: as above.
    unsafe { vfprintf(stream, format, list) }
}

extern "C" fn write(to: *mut u8, format: *const c_char, list: *mut List) -> i32 {
    let frame = Frame::here();
    read_texts(frame, format, list);
    range(frame, to as u64, bytes_of(format, list), true);
    // SAFETY: as above.
    unsafe { vsprintf(to, format, list) }
}

extern "C" fn write_some(to: *mut u8, size: usize, format: *const c_char, list: *mut List) -> i32 {
    let frame = Frame::here();
    read_texts(frame, format, list);
    range(frame, to as u64, bytes_of(format, list).min(size as u64), true);
    // SAFETY: as above.
    unsafe { vsnprintf(to, size, format, list) }
}

extern "C" fn make(out: *mut *mut u8, format: *const c_char, list: *mut List) -> i32 {
    let frame = Frame::here();
    read_texts(frame, format, list);
    range(frame, out as u64, 8, true);
    // SAFETY: as above.
    unsafe { vasprintf(out, format, list) }
}

extern "C" fn scan(text: *const c_char, format: *const c_char, list: *mut List) -> i32 {
    let frame = Frame::here();
    string(frame, text);
    announce_scanned(frame, format, list);
    // SAFETY: as above.
    unsafe { __isoc99_vsscanf(text, format, list) }
}

extern "C" fn scan_stream(stream: u64, format: *const c_char, list: *mut List) -> i32 {
    let frame = Frame::here();
    crate::rt::libc::streams::advance(frame, stream);
    announce_scanned(frame, format, list);
    // SAFETY: as above.
    unsafe { __isoc99_vfscanf(stream, format, list) }
}

/// How many bytes come of a format, with the one that ends them.
fn bytes_of(format: *const c_char, list: *const List) -> u64 {
    // SAFETY: the program passes both; nothing is written, and its list stays as it is.
    let length = unsafe {
        let mut list = *list;
        vsnprintf(core::ptr::null_mut(), 0, format, &raw mut list)
    };
    length.max(0) as u64 + 1
}

/// What is left of a format.
struct Format(*const u8);

impl Format {
    fn next(&mut self) -> u8 {
        // SAFETY: the program passes a string; its end is not passed.
        unsafe {
            self.0 = self.0.add(1);
            *self.0.sub(1)
        }
    }

    /// Goes on behind the next `%`, if there is one.
    fn find_conversion(&mut self) -> bool {
        loop {
            match self.next() {
                0 => return false,
                b'%' => return true,
                _ => {}
            }
        }
    }

    /// Goes on behind a set of bytes, of which the first one may be the bracket that ends it.
    fn skip_set(&mut self) {
        let first = match self.next() {
            b'^' => self.next(),
            first => first,
        };
        let mut byte = if first == b']' { self.next() } else { first };
        while byte != b']' && byte != 0 {
            byte = self.next();
        }
        if byte == 0 {
            self.0 = self.0.wrapping_sub(1);
        }
    }
}

/// Reads the texts that a format names.
fn read_texts(frame: &Frame, format: *const c_char, list: *const List) {
    // SAFETY: the program passes a list.
    let mut list = unsafe { *list };
    let mut format = Format(format as *const u8);
    while format.find_conversion() {
        let mut most = None;
        let mut long = false;
        let mut wide = false;
        let mut precise = false;
        loop {
            let byte = format.next();
            match byte {
                // Arguments by number: which are read is not known.
                0 | b'$' => return,
                b'*' => {
                    let number = list.word() as i32;
                    if precise {
                        most = usize::try_from(number).ok();
                    }
                }
                b'.' => (precise, most) = (true, Some(0)),
                b'0'..=b'9' if precise => {
                    most = most.map(|most| most * 10 + usize::from(byte - b'0'));
                }
                b'L' => long = true,
                b'l' => wide = true,
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'I' | b'0'..=b'9' => {}
                b'h' | b'j' | b'z' | b't' | b'q' => {}
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                    if long {
                        list.skip_long_float();
                    } else {
                        list.skip_float();
                    }
                    break;
                }
                b's' if !wide => {
                    let text = list.word() as *const c_char;
                    match most {
                        _ if text.is_null() => {}
                        Some(most) => _ = string_of(frame, text, most),
                        None => _ = string(frame, text),
                    }
                    break;
                }
                b'%' | b'm' => break,
                _ => {
                    list.word();
                    break;
                }
            }
        }
    }
}

/// Announces what a format for reading writes, if everything is found: numbers, and of texts, whose lengths are not known, the first
/// byte.
fn announce_scanned(frame: &Frame, format: *const c_char, list: *const List) {
    // SAFETY: the program passes a list.
    let mut list = unsafe { *list };
    let mut format = Format(format as *const u8);
    while format.find_conversion() {
        let (mut number, mut real, mut text) = (4, 4, 1);
        let mut kept = true;
        loop {
            let bytes = match format.next() {
                0 | b'$' => return,
                b'%' => break,
                b'*' => {
                    kept = false;
                    continue;
                }
                b'h' => {
                    number /= 2;
                    continue;
                }
                b'l' | b'q' | b'j' | b'z' | b't' => {
                    (number, real) = (8, 8);
                    continue;
                }
                b'L' => {
                    (number, real) = (8, 16);
                    continue;
                }
                b'm' => {
                    text = 8;
                    continue;
                }
                b'0'..=b'9' | b'\'' | b'I' => continue,
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => real,
                b's' | b'c' | b'S' | b'C' => text,
                b'[' => {
                    format.skip_set();
                    text
                }
                b'p' => 8,
                _ => number,
            };
            if kept {
                range(frame, list.word(), bytes, true);
            }
            break;
        }
    }
}
