//! Random numbers. Each thread has a row of its own, which is the same for equal schedules: else which thread draws first would
//! make a difference.
//!
//! One value of each is explored. Where the program itself decides the row, by a seed or by none, that is all there is. Where the
//! system would decide it, the driver is told of the place, so that the verdict names it: numbers of the system and of the
//! processor, rows whose seed may come from a clock or from the number of the process, and the C library's one row that several threads
//! draw from, each in its turn.

use crate::rt::base::cell::Restored;
use crate::rt::base::syscalls;
use crate::rt::libc::out_buffers::fill;
use crate::rt::sched::byte_ranges::range;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::single_values::note;
use crate::rt::sched::state::runtime;
use core::cell::Cell;
use core::ffi::{CStr, c_char};

export! {
    getrandom => random_bytes;
    getentropy => entropy;
    arc4random => any;
    arc4random_buf => any_bytes;
    arc4random_uniform => any_below;
    rand => rand_seeded;
    random => rand_long;
    lrand48 => rand_48;
    mrand48 => rand_signed;
    drand48 => rand_real;
    srand => seed;
    srandom => seed_long;
    srand48 => seed_48;
    _ZNSt13random_device9_M_getvalEv => device;
    __sojourner_fopen => open_stream;
    __sojourner_fopen64 => open_stream;
}

/// Where the first thread's row of random numbers begins: what is drawn before `main` is called comes before it.
static RANDOM: Restored<Cell<u64>> = Restored::new(Cell::new(1));

pub fn first_random() -> u64 {
    RANDOM.get()
}

fn row() -> &'static Cell<u64> {
    let runtime = runtime();
    if runtime.running.get() { &runtime.thread().random } else { &RANDOM }
}

/// The next number of the running thread's row. A thread that draws one does not repeat itself.
fn draw() -> u64 {
    crate::rt::sched::spin_loops::changed();
    let state = row();
    state.update(|state| {
        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
    });
    state.get() >> 33
}

fn write(frame: &Frame, out: *mut u8, length: usize) {
    range(frame, out as u64, length as u64, true);
    for index in 0..length {
        // SAFETY: the program passes room for that many bytes.
        unsafe { *out.add(index) = draw() as u8 };
    }
}

extern "C" fn random_bytes(out: *mut u8, length: usize, _flags: u32) -> isize {
    let frame = Frame::here();
    note(frame, "getrandom");
    write(frame, out, length);
    length as isize
}

extern "C" fn entropy(out: *mut u8, length: usize) -> i32 {
    let frame = Frame::here();
    note(frame, "getentropy");
    write(frame, out, length);
    0
}

/// All bits of a number.
fn draw_whole() -> u32 {
    draw() as u32 ^ (draw() as u32) << 16
}

extern "C" fn any() -> u32 {
    note(Frame::here(), "arc4random");
    draw_whole()
}

extern "C" fn any_bytes(out: *mut u8, length: usize) {
    let frame = Frame::here();
    note(frame, "arc4random_buf");
    write(frame, out, length);
}

extern "C" fn any_below(bound: u32) -> u32 {
    note(Frame::here(), "arc4random_uniform");
    if bound == 0 { 0 } else { draw_whole() % bound }
}

/// The device of C++, which may be an instruction of the processor.
extern "C" fn device(_this: usize) -> u32 {
    note(Frame::here(), "std::random_device");
    draw_whole()
}

/// Positions for the instructions of the processor, see the assembly of the driver.
pub extern "C" fn processors(out: *mut u64) {
    note(Frame::here(), "rdrand");
    // SAFETY: the place that the assembly has made on its stack.
    unsafe { *out = u64::from(draw_whole()) << 32 | u64::from(draw_whole()) };
}

/// The thread that has drawn from the C library's row, and one more, or 0.
static DRAWER: Restored<Cell<u32>> = Restored::new(Cell::new(0));

/// The next number of the row that the C library has for all threads.
fn draw_seeded(frame: &Frame, name: &str) -> u64 {
    let own = runtime().current.get() + 1;
    if runtime().running.get() && DRAWER.get() != own {
        if DRAWER.get() != 0 {
            note(frame, name);
        }
        DRAWER.set(own);
    }
    draw()
}

extern "C" fn rand_seeded() -> i32 {
    draw_seeded(Frame::here(), "rand by several threads") as i32 & i32::MAX
}

extern "C" fn rand_long() -> i64 {
    (draw_seeded(Frame::here(), "random by several threads") & 0x7fff_ffff) as i64
}

extern "C" fn rand_48() -> i64 {
    (draw_seeded(Frame::here(), "lrand48 by several threads") & 0x7fff_ffff) as i64
}

extern "C" fn rand_signed() -> i64 {
    let number = draw_seeded(Frame::here(), "mrand48 by several threads") << 1;
    i64::from(number as i32)
}

extern "C" fn rand_real() -> f64 {
    draw_seeded(Frame::here(), "drand48 by several threads") as f64 / (1u64 << 31) as f64
}

extern "C" fn seed(number: u32) {
    sow(Frame::here(), "srand", u64::from(number));
}

extern "C" fn seed_long(number: u32) {
    sow(Frame::here(), "srandom", u64::from(number));
}

extern "C" fn seed_48(number: u64) {
    sow(Frame::here(), "srand48", number);
}

/// Begins a row. The value of the seed does not show whether it comes from the clock. So every seed that is not a number in the source is
/// taken to come from there, if the program has looked at a clock, or at something else that differs from run to run.
fn sow(frame: &Frame, name: &str, number: u64) {
    if runtime().varies.get() && !is_literal(frame.place) {
        note(frame, name);
    }
    row().set(number);
}

/// Whether the instruction before the call that returns there sets the first argument to a number.
fn is_literal(place: u64) -> bool {
    const CALL: usize = 5;
    const SET: usize = 5;
    const CLEAR: usize = 2;
    // SAFETY: the program's own code, or a library's: what comes before a call is more code.
    let code = unsafe { core::slice::from_raw_parts((place as usize - CALL - SET) as *const u8, CALL + SET) };
    code[SET] == 0xe8 && (code[0] == 0xbf || code[SET - CLEAR..SET] == [0x31, 0xff])
}

/// The names of the system's devices for random numbers, and their numbers.
const DEVICES: [&[u8]; 2] = [b"/dev/urandom", b"/dev/random"];
const NUMBERS: [u64; 2] = [1 << 8 | 8, 1 << 8 | 9];

/// Reads from a descriptor if it is one of those devices. Whether it is.
pub fn read(frame: &Frame, descriptor: i32, to: usize, length: usize) -> bool {
    const FSTAT: usize = 5;
    const DEVICE: usize = 5;
    let mut status = [0u64; 18];
    // SAFETY: the system fills in the status of the descriptor.
    unsafe { syscalls::call(FSTAT, [descriptor as usize, status.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    let is_device = NUMBERS.contains(&status[DEVICE]);
    if is_device {
        note(frame, "/dev/urandom");
        fill(frame, to, length);
        write(frame, to as *mut u8, length);
    }
    is_device
}

/// Functions of a stream of the program's own, as the C library has them.
#[repr(C)]
struct Functions {
    read: extern "C" fn(usize, *mut u8, usize) -> isize,
    others: [usize; 3],
}

unsafe extern "C" {
    fn fopen(path: *const c_char, mode: *const c_char) -> u64;
    fn fopencookie(cookie: usize, mode: *const c_char, functions: Functions) -> u64;
    fn setvbuf(stream: u64, buffer: *mut u8, mode: i32, size: usize) -> i32;
}

/// A stream of one of those devices reads from the running thread's row.
extern "C" fn open_stream(path: *const c_char, mode: *const c_char) -> u64 {
    extern "C" fn read(_cookie: usize, to: *mut u8, length: usize) -> isize {
        for index in 0..length {
            // SAFETY: the C library passes room for that many bytes.
            unsafe { *to.add(index) = draw() as u8 };
        }
        length as isize
    }
    const UNBUFFERED: i32 = 2;
    let frame = Frame::here();
    // SAFETY: the program passes texts, and asks for this.
    unsafe {
        if !DEVICES.contains(&CStr::from_ptr(path).to_bytes()) {
            return fopen(path, mode);
        }
        note(frame, "/dev/urandom");
        let stream = fopencookie(0, mode, Functions { read, others: [0; 3] });
        setvbuf(stream, core::ptr::null_mut(), UNBUFFERED, 0);
        stream
    }
}
