//! Stands in front of the functions of the standard library that begin and end panics, and tells the runtime of them.
//! BEGIN, START and CLEANUP are the names of those functions.
#![allow(improper_ctypes, improper_ctypes_definitions)]

use core::panic::PanicInfo;
use std::any::Any;
use std::fmt::{self, Write};

extern "C" {
    fn __sojourner_panics(text: *const u8, bytes: usize, file: *const u8, file_bytes: usize, line: u32);
    fn __sojourner_unwinds();
    fn __sojourner_caught();
    #[link_name = "__real_CLEANUP"]
    fn cleanup(payload: *mut u8) -> *mut (dyn Any + Send + 'static);
}

extern "Rust" {
    #[link_name = "__real_BEGIN"]
    fn begin(info: &PanicInfo<'_>) -> !;
    #[link_name = "__real_START"]
    fn start(payload: usize, table: usize) -> u32;
}

/// Has the library make now, before there is another thread, the key by which it knows when threads end. Threads would race to
/// make it when they begin, which no thread can notice. Older libraries do not let the first thread be asked for so early.
#[cfg(early)]
#[used]
#[link_section = ".init_array"]
static PREPARE: extern "C" fn() = {
    extern "C" fn prepare() {
        drop(std::thread::current());
    }
    prepare
};

/// The first bytes of a text.
struct Text {
    bytes: [u8; 512],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            if let Some(room) = self.bytes.get_mut(self.length) {
                *room = byte;
                self.length += 1;
            }
        }
        Ok(())
    }
}

/// A panic with a message begins.
#[export_name = "__wrap_BEGIN"]
fn panics(info: &PanicInfo<'_>) -> ! {
    let mut text = Text { bytes: [0; 512], length: 0 };
    let _ = write!(text, "{}", info.message());
    let (file, line) = info.location().map_or(("", 0), |place| (place.file(), place.line()));
    // SAFETY: the runtime only reads the texts; the function behind this one is the standard library's.
    unsafe {
        __sojourner_panics(text.bytes.as_ptr(), text.length, file.as_ptr(), file.len(), line);
        begin(info)
    }
}

/// A panic, with a message or without, begins to unwind the stack, or ends the program. The two numbers are a reference to an object
/// with a table of functions.
#[export_name = "__wrap_START"]
fn unwinds(payload: usize, table: usize) -> u32 {
    // SAFETY: as above.
    unsafe {
        __sojourner_unwinds();
        start(payload, table)
    }
}

/// A panic has been caught.
#[export_name = "__wrap_CLEANUP"]
extern "C" fn caught(payload: *mut u8) -> *mut (dyn Any + Send + 'static) {
    // SAFETY: as above.
    unsafe {
        __sojourner_caught();
        cleanup(payload)
    }
}
