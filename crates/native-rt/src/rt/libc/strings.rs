//! More functions of the C library that read or write strings, numbers and arrays of the program: see [`crate::rt::libc::memory_functions`].

use crate::rt::base::cell::Restored;
use crate::rt::libc::memory_functions::{compare_up_to, place, string, string_of};
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use core::cell::Cell;
use core::ffi::c_char;

export! {
    __sojourner_strncat => append_some;
    __sojourner_strnlen => length_up_to;
    __sojourner_strndup => duplicate_some;
    __sojourner_strtok => next_token;
    __sojourner_strtok_r => next_token_of;
    __sojourner_strsep => separate;
    __sojourner_strncasecmp => compare_some_letters;
    __sojourner_memchr => find_byte;
    __sojourner_rand_r => random_from;
    __sojourner_qsort => sort;
}

/// Functions that only read one string, or two.
macro_rules! reads {
    ($($name:ident => $function:ident($($text:ident),*; $($other:ident: $type:ty),*) -> $result:ty, $real:ident;)*) => {
        unsafe extern "C" { $( fn $real($($text: *const c_char,)* $($other: $type),*) -> $result; )* }
        $( extern "C" fn $function($($text: *const c_char,)* $($other: $type),*) -> $result {
            let frame = Frame::here();
            $( string(frame, $text); )*
            // SAFETY: the program asks for this.
            unsafe { $real($($text,)* $($other),*) }
        } )*
        export! { $( $name => $function; )* }
    };
}

reads! {
    __sojourner_strrchr => find_last(text; byte: i32) -> *const c_char, strrchr;
    __sojourner_rindex => find_last_too(text; byte: i32) -> *const c_char, rindex;
    __sojourner_strchrnul => find_or_end(text; byte: i32) -> *const c_char, strchrnul;
    __sojourner_strstr => find_text(text, part;) -> *const c_char, strstr;
    __sojourner_strcasestr => find_letters(text, part;) -> *const c_char, strcasestr;
    __sojourner_strpbrk => find_any(text, bytes;) -> *const c_char, strpbrk;
    __sojourner_strspn => span(text, bytes;) -> usize, strspn;
    __sojourner_strcspn => span_without(text, bytes;) -> usize, strcspn;
    __sojourner_strcasecmp => compare_letters(a, b;) -> i32, strcasecmp;
    __sojourner_strcoll => collate(a, b;) -> i32, strcoll;
    __sojourner_atoi => integer(text;) -> i32, atoi;
    __sojourner_atol => long(text;) -> i64, atol;
    __sojourner_atoll => long_long(text;) -> i64, atoll;
    __sojourner_atof => real(text;) -> f64, atof;
    __sojourner_strtod => parse_real(text; end: usize) -> f64, strtod;
    __sojourner_strtof => parse_short_real(text; end: usize) -> f32, strtof;
    __sojourner_strtol => parse(text; end: usize, base: i32) -> i64, strtol;
    __sojourner_strtoll => parse_long(text; end: usize, base: i32) -> i64, strtoll;
    __sojourner_strtoul => parse_unsigned(text; end: usize, base: i32) -> u64, strtoul;
    __sojourner_strtoull => parse_unsigned_long(text; end: usize, base: i32) -> u64, strtoull;
    __sojourner_puts => put_line(text;) -> i32, puts;
    __sojourner_fputs => put(text; stream: usize) -> i32, fputs;
}

unsafe extern "C" {
    fn memchr(text: *const u8, byte: i32, size: usize) -> *const u8;
    fn rand_r(seed: *mut u32) -> i32;
    fn strncasecmp(a: *const c_char, b: *const c_char, size: usize) -> i32;
    fn qsort(base: *mut u8, count: usize, size: usize, compare: usize);
}

extern "C" fn append_some(to: *mut u8, from: *const c_char, size: usize) -> *mut u8 {
    let frame = Frame::here();
    let old = string(frame, to as *const c_char).len() - 1;
    let bytes = string_of(frame, from, size);
    let end = to.wrapping_add(old);
    range(frame, end as u64, bytes.len() as u64 + 1, true);
    // SAFETY: the program asks for this.
    unsafe {
        core::ptr::copy(bytes.as_ptr(), end, bytes.len());
        *end.add(bytes.len()) = 0;
    }
    to
}

extern "C" fn length_up_to(text: *const c_char, size: usize) -> usize {
    string_of(Frame::here(), text, size).len()
}

extern "C" fn duplicate_some(text: *const c_char, size: usize) -> *mut u8 {
    let frame = Frame::here();
    let bytes = string_of(frame, text, size);
    let to = crate::rt::memory::allocator::allocate_for(frame, bytes.len() as u64 + 1) as *mut u8;
    if !to.is_null() {
        // SAFETY: a new block, with a byte more than is copied, which is zero.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
    to
}

extern "C" fn find_byte(text: *const u8, byte: i32, size: usize) -> *const u8 {
    let frame = Frame::here();
    let found = || {
        // SAFETY: the program asks for this.
        unsafe { memchr(text, byte, size) }
    };
    // Behind what it looks for it does not look.
    let first = found();
    let bytes = if first.is_null() { size } else { first as usize - text as usize + 1 };
    range(frame, text as u64, bytes as u64, false);
    found()
}

/// Where `strtok` goes on: it is the whole program's, so that two threads that use it get into each other's way.
#[cfg_attr(sojourner_rt, unsafe(export_name = "__sojourner_strtok_position"))]
#[allow(non_upper_case_globals)] // The name is the one by which a race is told of.
static strtok_position: Restored<Cell<*mut u8>> = Restored::new(Cell::new(core::ptr::null_mut()));

extern "C" fn next_token(text: *mut u8, separators: *const c_char) -> *mut u8 {
    token(Frame::here(), text, separators, strtok_position.as_ptr())
}

extern "C" fn next_token_of(text: *mut u8, separators: *const c_char, position: *mut *mut u8) -> *mut u8 {
    token(Frame::here(), text, separators, position)
}

fn token(frame: &Frame, text: *mut u8, separators: *const c_char, position: *mut *mut u8) -> *mut u8 {
    let go_on_at = |at: *mut u8| {
        range(frame, position as u64, 8, true);
        // SAFETY: the program passes where the position is kept, or it is ours.
        unsafe { *position = at };
    };
    let mut from = text;
    if from.is_null() {
        range(frame, position as u64, 8, false);
        // SAFETY: as above.
        from = unsafe { *position };
    }
    if from.is_null() {
        return from;
    }
    let bytes = string(frame, from as *const c_char);
    let separators = string(frame, separators);
    let separates = |byte: &u8| separators.contains(byte);
    let Some(start) = bytes.iter().position(|byte| *byte == 0 || !separates(byte)) else { return from };
    if bytes[start] == 0 {
        go_on_at(from.wrapping_add(start));
        return core::ptr::null_mut();
    }
    // The byte that ends the string separates, too.
    let length = bytes[start..].iter().position(separates).unwrap_or(0);
    let (first, end) = (from.wrapping_add(start), from.wrapping_add(start + length));
    if bytes[start + length] == 0 {
        go_on_at(end);
        return first;
    }
    place(frame, end, &[0]);
    go_on_at(end.wrapping_add(1));
    first
}

/// Cuts off what comes before a separator. Where it goes on is the program's variable.
extern "C" fn separate(position: *mut *mut u8, separators: *const c_char) -> *mut u8 {
    let frame = Frame::here();
    range(frame, position as u64, 8, false);
    // SAFETY: the program passes where the position is kept.
    let from = unsafe { *position };
    if from.is_null() {
        return from;
    }
    let bytes = string(frame, from as *const c_char);
    // The byte that ends the separators ends the string, too.
    let separators = string(frame, separators);
    let length = bytes.iter().position(|byte| separators.contains(byte)).unwrap_or(bytes.len() - 1);
    let end = from.wrapping_add(length);
    let mut next = core::ptr::null_mut();
    if bytes[length] != 0 {
        place(frame, end, &[0]);
        next = end.wrapping_add(1);
    }
    range(frame, position as u64, 8, true);
    // SAFETY: as above.
    unsafe { *position = next };
    from
}

extern "C" fn compare_some_letters(a: *const c_char, b: *const c_char, size: usize) -> i32 {
    compare_up_to(Frame::here(), a, b, size, strncasecmp)
}

extern "C" fn random_from(seed: *mut u32) -> i32 {
    let frame = Frame::here();
    range(frame, seed as u64, 4, false);
    range(frame, seed as u64, 4, true);
    // SAFETY: the program asks for this.
    unsafe { rand_r(seed) }
}

extern "C" fn sort(base: *mut u8, count: usize, size: usize, compare: usize) {
    range(Frame::here(), base as u64, count.saturating_mul(size) as u64, true);
    // SAFETY: the program asks for this; what it compares by is its own.
    unsafe { qsort(base, count, size, compare) };
}
