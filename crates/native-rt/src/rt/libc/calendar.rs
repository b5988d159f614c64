//! Functions of the C library about dates: see [`crate::rt::libc::memory_functions`].
//!
//! `localtime` and `asctime` return a pointer to one place for the whole program, so two threads that use them can race. The places are
//! variables of the runtime, because accesses of the C library to its own variables are not instrumented.

use crate::rt::base::cell::Restored;
use crate::rt::libc::memory_functions::{place, string};
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use core::cell::Cell;
use core::ffi::c_char;

export! {
    __sojourner_localtime => local;
    __sojourner_localtime_r => local_at;
    __sojourner_gmtime => universal;
    __sojourner_gmtime_r => universal_at;
    __sojourner_asctime => text;
    __sojourner_asctime_r => text_at;
    __sojourner_ctime => local_text;
    __sojourner_ctime_r => local_text_at;
    __sojourner_mktime => moment;
    __sojourner_strftime => format;
}

/// As large as `struct tm`, and aligned like it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Date([u64; 7]);

const DATE_BYTES: u64 = size_of::<Date>() as u64;
const MOMENT_BYTES: u64 = size_of::<i64>() as u64;
/// The room that `asctime_r` asks for.
const TEXT_BYTES: usize = 26;

unsafe extern "C" {
    fn localtime_r(moment: *const i64, out: *mut Date) -> *mut Date;
    fn gmtime_r(moment: *const i64, out: *mut Date) -> *mut Date;
    fn asctime_r(date: *const Date, out: *mut c_char) -> *mut c_char;
    fn mktime(date: *mut Date) -> i64;
    fn strftime(out: *mut c_char, room: usize, format: *const c_char, date: *const Date) -> usize;
}

#[cfg_attr(sojourner_rt, unsafe(export_name = "__sojourner_localtime_result"))]
#[allow(non_upper_case_globals)] // The name is the one by which a race is told of.
static localtime_result: Restored<Cell<Date>> = Restored::new(Cell::new(Date([0; 7])));

#[cfg_attr(sojourner_rt, unsafe(export_name = "__sojourner_asctime_result"))]
#[allow(non_upper_case_globals)] // As above.
static asctime_result: Restored<Cell<[c_char; TEXT_BYTES]>> = Restored::new(Cell::new([0; TEXT_BYTES]));

/// A function that makes a date of a moment.
type Conversion = unsafe extern "C" fn(*const i64, *mut Date) -> *mut Date;

fn convert(frame: &Frame, moment: *const i64, out: *mut Date, by: Conversion) -> *mut Date {
    range(frame, moment as u64, MOMENT_BYTES, false);
    range(frame, out as u64, DATE_BYTES, true);
    // SAFETY: the program passes a moment and room for a date, or the room is ours.
    unsafe { by(moment, out) }
}

extern "C" fn local(moment: *const i64) -> *mut Date {
    convert(Frame::here(), moment, localtime_result.as_ptr(), localtime_r)
}

extern "C" fn local_at(moment: *const i64, out: *mut Date) -> *mut Date {
    convert(Frame::here(), moment, out, localtime_r)
}

/// The library has one place for this and for the local date.
extern "C" fn universal(moment: *const i64) -> *mut Date {
    convert(Frame::here(), moment, localtime_result.as_ptr(), gmtime_r)
}

extern "C" fn universal_at(moment: *const i64, out: *mut Date) -> *mut Date {
    convert(Frame::here(), moment, out, gmtime_r)
}

fn write_text(frame: &Frame, date: *const Date, out: *mut c_char) -> *mut c_char {
    range(frame, date as u64, DATE_BYTES, false);
    range(frame, out as u64, TEXT_BYTES as u64, true);
    // SAFETY: the program passes a date and room for the text, or the room is ours.
    unsafe { asctime_r(date, out) }
}

extern "C" fn text(date: *const Date) -> *mut c_char {
    write_text(Frame::here(), date, asctime_result.as_ptr().cast())
}

extern "C" fn text_at(date: *const Date, out: *mut c_char) -> *mut c_char {
    write_text(Frame::here(), date, out)
}

extern "C" fn local_text(moment: *const i64) -> *mut c_char {
    let frame = Frame::here();
    let date = convert(frame, moment, localtime_result.as_ptr(), localtime_r);
    write_text(frame, date, asctime_result.as_ptr().cast())
}

extern "C" fn local_text_at(moment: *const i64, out: *mut c_char) -> *mut c_char {
    let frame = Frame::here();
    range(frame, moment as u64, MOMENT_BYTES, false);
    range(frame, out as u64, TEXT_BYTES as u64, true);
    let mut date = Date([0; 7]);
    // SAFETY: the program passes a moment and room for the text; the date is ours alone.
    unsafe {
        localtime_r(moment, &raw mut date);
        asctime_r(&raw const date, out)
    }
}

/// What is out of range in the date is put right there.
extern "C" fn moment(date: *mut Date) -> i64 {
    let frame = Frame::here();
    range(frame, date as u64, DATE_BYTES, false);
    range(frame, date as u64, DATE_BYTES, true);
    // SAFETY: the program passes a date.
    unsafe { mktime(date) }
}

/// Writes no more than there is; how much that is shows in a place of our own first.
extern "C" fn format(out: *mut u8, room: usize, format: *const c_char, date: *const Date) -> usize {
    const OWN_ROOM: usize = 512;
    let frame = Frame::here();
    string(frame, format);
    range(frame, date as u64, DATE_BYTES, false);
    let mut text = [0u8; OWN_ROOM];
    let most = room.min(OWN_ROOM);
    // SAFETY: the program passes a format and a date; the room is as large as is said.
    let length = unsafe { strftime(text.as_mut_ptr().cast(), most, format, date) };
    if length > 0 || most == room {
        place(frame, out, &text[..(length + 1).min(most)]);
        return length;
    }
    range(frame, out as u64, room as u64, true);
    // SAFETY: as above; the program passes where the text goes.
    unsafe { strftime(out.cast(), room, format, date) }
}
