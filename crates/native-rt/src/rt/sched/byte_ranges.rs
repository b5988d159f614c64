//! Accesses to many bytes at once, and copies, which are two of them.

use crate::protocol::{How, Op, Space, Touch};
use crate::rt::sched::context::Frame;
use crate::rt::sched::private_memory;
use crate::rt::sched::schedule::Operation;
use crate::rt::sched::state::{runtime, touch};

/// How many bytes of code lie between the two calls that announce a copy at most.
const NEAR: u64 = 96;

/// An access to many bytes, which is one operation. A copy is two, and is made when both have been announced: what is written
/// is what is there then, so that writing as many bytes as were read before touches those, too. If the write was announced
/// first, it had not happened yet, and is announced once more.
pub fn range(frame: &Frame, address: u64, size: u64, writes: bool) {
    let runtime = runtime();
    if size == 0 || !runtime.running.get() || !writes && runtime.is_constant(address) {
        return;
    }
    let size = size.min(u64::from(u32::MAX)) as u32;
    let own = private_memory::is_own(runtime, address, size);
    let thread = runtime.thread();
    let read = thread.copies.take();
    let written = thread.fills.take();
    let this = if own { Announced::NONE } else { Announced { address, size, place: frame.place } };
    if writes {
        thread.fills.set(if read.size == size { Announced::NONE } else { this });
        return write(frame, address, size, read);
    }
    Operation::new(Op::Read, How::Read, address, size).take(frame);
    if !own && written.size == size && frame.place.wrapping_sub(written.place) < NEAR {
        return write(frame, written.address, size, this);
    }
    thread.copies.set(this);
}

/// Writes many bytes, which were read before if there are as many.
fn write(frame: &Frame, address: u64, size: u32, read: Announced) {
    let write = Operation::new(Op::Write, How::Write, address, size);
    if read.size == size {
        let source = Touch { size, ..touch(read.address, How::Read, Space::Memory) };
        write.also(source).take(frame);
    } else {
        write.take(frame);
    }
}

/// What a thread has announced of a copy.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Announced {
    address: u64,
    size: u32,
    /// Where it has.
    place: u64,
}

impl Announced {
    pub const NONE: Announced = Announced { address: 0, size: 0, place: 0 };
}
