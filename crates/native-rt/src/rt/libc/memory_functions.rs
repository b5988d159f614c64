//! Functions of the C library that read or write memory of the program. Compilers do not look into them, so objects of the
//! program call these instead (`objcopy --redefine-sym` gives them the names), and what they touch is an operation.

use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::state::runtime;
use crate::rt::sched::torn_copies;
use core::ffi::{CStr, c_char};

export! {
    __sojourner_memcpy => copy;
    __sojourner_memmove => copy;
    __sojourner_mempcpy => copy_to_end;
    __sojourner_memset => set;
    __sojourner_memcmp => compare;
    __sojourner_bcmp => compare;
    __sojourner_bcopy => copy_from;
    __sojourner_bzero => clear;
    __sojourner_explicit_bzero => clear;
    __sojourner_strlen => length;
    __sojourner_strcpy => copy_string;
    __sojourner_stpcpy => copy_string_to_end;
    __sojourner_strncpy => copy_some;
    __sojourner_strcat => append;
    __sojourner_strcmp => compare_strings;
    __sojourner_strncmp => compare_some;
    __sojourner_strchr => find;
    __sojourner_index => find;
    __sojourner_strdup => duplicate;
    // What LLVM 15 and later call by themselves.
    __tsan_memcpy => copy;
    __tsan_memmove => copy;
    __tsan_memset => set;
}

extern "C" fn copy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    let frame = Frame::here();
    let torn = |address: u64| torn_copies::is_torn(runtime(), address, size as u64);
    if torn(from as u64) || torn(to as u64) {
        torn_copies::copy(frame, to as u64, from as u64, size as u64);
        return to;
    }
    range(frame, from as u64, size as u64, false);
    range(frame, to as u64, size as u64, true);
    // SAFETY: the program asks for this.
    unsafe { core::ptr::copy(from, to, size) };
    to
}

extern "C" fn copy_to_end(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    copy(to, from, size).wrapping_add(size)
}

/// Takes them the other way round.
extern "C" fn copy_from(from: *const u8, to: *mut u8, size: usize) {
    copy(to, from, size);
}

extern "C" fn set(to: *mut u8, value: i32, size: usize) -> *mut u8 {
    let frame = Frame::here();
    if torn_copies::is_torn(runtime(), to as u64, size as u64) {
        torn_copies::set(frame, to as u64, value as u8, size as u64);
        return to;
    }
    range(frame, to as u64, size as u64, true);
    // SAFETY: the program asks for this.
    unsafe { core::ptr::write_bytes(to, value as u8, size) };
    to
}

extern "C" fn clear(to: *mut u8, size: usize) {
    set(to, 0, size);
}

unsafe extern "C" {
    fn memcmp(a: *const u8, b: *const u8, size: usize) -> i32;
    fn strcmp(a: *const c_char, b: *const c_char) -> i32;
    fn strncmp(a: *const c_char, b: *const c_char, size: usize) -> i32;
    fn strnlen(text: *const c_char, size: usize) -> usize;
    fn strchr(text: *const c_char, byte: i32) -> *const c_char;
}

extern "C" fn compare(a: *const u8, b: *const u8, size: usize) -> i32 {
    let frame = Frame::here();
    range(frame, a as u64, size as u64, false);
    range(frame, b as u64, size as u64, false);
    // SAFETY: the program asks for this.
    unsafe { memcmp(a, b, size) }
}

/// The bytes of a string, with the one that ends it. That they are read is an operation; the length is as it is then.
pub fn string(frame: &Frame, text: *const c_char) -> &'static [u8] {
    let bytes = || {
        // SAFETY: the program passes a string.
        unsafe { CStr::from_ptr(text) }.to_bytes_with_nul()
    };
    range(frame, text as u64, bytes().len() as u64, false);
    bytes()
}

/// The bytes of a string, but no more than so many, and without the one that ends it.
pub fn string_of(frame: &Frame, text: *const c_char, most: usize) -> &'static [u8] {
    // SAFETY: the program passes a string, or that many bytes.
    let length = || unsafe { strnlen(text, most) };
    range(frame, text as u64, (length() + 1).min(most) as u64, false);
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts(text as *const u8, length()) }
}

extern "C" fn length(text: *const c_char) -> usize {
    string(Frame::here(), text).len() - 1
}

pub fn place(frame: &Frame, to: *mut u8, bytes: &[u8]) {
    range(frame, to as u64, bytes.len() as u64, true);
    // SAFETY: the program asks for this.
    unsafe { core::ptr::copy(bytes.as_ptr(), to, bytes.len()) };
}

extern "C" fn copy_string(to: *mut u8, from: *const c_char) -> *mut u8 {
    let frame = Frame::here();
    let bytes = string(frame, from);
    place(frame, to, bytes);
    to
}

extern "C" fn copy_string_to_end(to: *mut u8, from: *const c_char) -> *mut u8 {
    let frame = Frame::here();
    let bytes = string(frame, from);
    place(frame, to, bytes);
    to.wrapping_add(bytes.len() - 1)
}

extern "C" fn copy_some(to: *mut u8, from: *const c_char, size: usize) -> *mut u8 {
    let frame = Frame::here();
    // SAFETY: the program passes a string, or that many bytes.
    let length = unsafe { strnlen(from, size) };
    range(frame, from as u64, (length + 1).min(size) as u64, false);
    range(frame, to as u64, size as u64, true);
    // SAFETY: the program asks for this.
    unsafe {
        let length = strnlen(from, size);
        core::ptr::copy(from as *const u8, to, length);
        core::ptr::write_bytes(to.add(length), 0, size - length);
    }
    to
}

extern "C" fn append(to: *mut u8, from: *const c_char) -> *mut u8 {
    let frame = Frame::here();
    let old = string(frame, to as *const c_char).len() - 1;
    let bytes = string(frame, from);
    place(frame, to.wrapping_add(old), bytes);
    to
}

extern "C" fn compare_strings(a: *const c_char, b: *const c_char) -> i32 {
    let frame = Frame::here();
    string(frame, a);
    string(frame, b);
    // SAFETY: the program asks for this.
    unsafe { strcmp(a, b) }
}

extern "C" fn compare_some(a: *const c_char, b: *const c_char, size: usize) -> i32 {
    compare_up_to(Frame::here(), a, b, size, strncmp)
}

/// A function that compares no more than so many bytes of two strings.
type Comparison = unsafe extern "C" fn(*const c_char, *const c_char, usize) -> i32;

pub fn compare_up_to(frame: &Frame, a: *const c_char, b: *const c_char, size: usize, by: Comparison) -> i32 {
    // SAFETY: the program passes strings, or that many bytes.
    let (first, second) = unsafe { (strnlen(a, size), strnlen(b, size)) };
    range(frame, a as u64, (first + 1).min(size) as u64, false);
    range(frame, b as u64, (second + 1).min(size) as u64, false);
    // SAFETY: the program asks for this.
    unsafe { by(a, b, size) }
}

extern "C" fn find(text: *const c_char, byte: i32) -> *const c_char {
    string(Frame::here(), text);
    // SAFETY: the program asks for this.
    unsafe { strchr(text, byte) }
}

extern "C" fn duplicate(text: *const c_char) -> *mut u8 {
    let frame = Frame::here();
    let bytes = string(frame, text);
    let to = crate::rt::memory::allocator::allocate_for(frame, bytes.len() as u64) as *mut u8;
    if !to.is_null() {
        // SAFETY: a new block of that size.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
    to
}
