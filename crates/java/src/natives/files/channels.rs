//! Channels of files.

use super::super::{NOTHING, Table, framed, leaf};
use super::reason;
use crate::class::Loader;
use crate::classfile::Kind;
use crate::machine::{Arguments, Bits, Machine, Run, Trouble};
use crate::memory::{ARRAY_DATA, Ref};
use std::io;

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/nio/ch/FileDispatcherImpl",
        methods: &[
            ("init()V", NOTHING),
            ("read0(Ljava/io/FileDescriptor;JI)I", framed(read)),
            ("pread0(Ljava/io/FileDescriptor;JIJ)I", framed(read_at)),
            ("seek0(Ljava/io/FileDescriptor;J)J", framed(seek)),
            ("size0(Ljava/io/FileDescriptor;)J", framed(size)),
            ("close0(Ljava/io/FileDescriptor;)V", NOTHING),
            ("preClose0(Ljava/io/FileDescriptor;)V", NOTHING),
            ("closeIntFD(I)V", NOTHING),
            ("canTransferToFromOverlappedMap0()Z", leaf(|_, _| Ok(1))),
            ("lock0(Ljava/io/FileDescriptor;ZJJZ)I", leaf(|_, _| Ok(0))),
            ("release0(Ljava/io/FileDescriptor;JJ)V", NOTHING),
        ],
    },
    Table {
        class: "sun/nio/ch/FileChannelImpl",
        methods: &[
            ("initIDs()J", leaf(|_, _| Ok(4096))),
            ("map0(IJJZ)J", framed(map)),
            ("unmap0(JJ)I", leaf(|_, _| Ok(0))),
            ("maxDirectTransferSize0()I", leaf(|_, _| Ok(i32::MAX.bits()))),
            // Transfers go through buffers.
            (
                "transferTo0(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J",
                leaf(|_, _| Ok(UNSUPPORTED.bits())),
            ),
        ],
    },
    Table {
        class: "sun/nio/ch/IOUtil",
        methods: &[
            ("fdVal(Ljava/io/FileDescriptor;)I", leaf(number)),
            ("setfdVal(Ljava/io/FileDescriptor;I)V", leaf(set_number)),
            ("configureBlocking(Ljava/io/FileDescriptor;Z)V", NOTHING),
            ("iovMax()I", leaf(|_, _| Ok(1024))),
            ("fdLimit()I", leaf(|_, _| Ok(1024))),
        ],
    },
    Table {
        class: "sun/nio/ch/NativeThread",
        methods: &[("init()V", NOTHING), ("current()J", leaf(|_, _| Ok(0))), ("signal(J)V", NOTHING)],
    },
    Table {
        class: "java/nio/MappedMemoryUtils",
        methods: &[
            ("isLoaded0(JJJ)Z", leaf(|_, _| Ok(1))),
            ("load0(JJ)V", NOTHING),
            ("unload0(JJ)V", NOTHING),
            ("force0(Ljava/io/FileDescriptor;JJ)V", NOTHING),
        ],
    },
];

/// `IOStatus.EOF` and `IOStatus.UNSUPPORTED`.
const END: i32 = -1;
const UNSUPPORTED: i64 = -4;

fn failed(error: &io::Error) -> Trouble {
    Trouble::raise("java/io/IOException", reason(error))
}

/// Puts bytes to where a channel wants them; their number.
fn deliver(machine: &mut Machine, address: i64, bytes: &[u8]) -> Run<u64> {
    if bytes.is_empty() {
        return Ok(END.bits());
    }
    let to = machine.heap.raw_bytes(Ref::NULL, address, bytes.len());
    let to = to.ok_or_else(|| Trouble::raise("java/lang/InternalError", "a buffer outside of the heap"))?;
    to.copy_from_slice(bytes);
    Ok((bytes.len() as i32).bits())
}

fn read(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let count = arguments.int(3).max(0) as usize;
    let bytes = machine.read_from(arguments.object(0), count)?.map_err(|error| failed(&error))?;
    deliver(machine, arguments.long(1), &bytes)
}

fn read_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let number = machine.descriptor_number(arguments.object(0))?;
    let (count, position) = (arguments.int(3).max(0) as usize, arguments.long(4).max(0) as u64);
    let bytes = machine
        .files
        .read(&mut *machine.options.console, number, position, count)
        .map_err(|error| failed(&error))?;
    deliver(machine, arguments.long(1), &bytes)
}

/// Goes to a position, or says which it is if that is negative.
fn seek(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (descriptor, to) = (arguments.object(0), arguments.long(1));
    if to >= 0 {
        machine.set_position(descriptor, to as u64);
    }
    Ok(machine.position_of(descriptor))
}

fn size(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let number = machine.descriptor_number(arguments.object(0))?;
    machine.files.length(number).map_err(|error| failed(&error))
}

/// A mapped file is a copy, since nobody may write to it.
fn map(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    const READ_ONLY: i32 = 0;
    if arguments.int(1) != READ_ONLY {
        return Err(Trouble::unsupported("mapping a file for writing is not supported"));
    }
    let descriptor = machine.ref_in(arguments.object(0), "fd");
    let number = machine.descriptor_number(descriptor)?;
    let (position, length) = (arguments.long(2), arguments.long(4));
    let bytes = machine.files.read(&mut *machine.options.console, number, position as u64, length as usize);
    let bytes = bytes.map_err(|error| failed(&error))?;
    let units = i32::try_from(length / 8 + 1).map_err(|_| Trouble::bare("java/lang/OutOfMemoryError"))?;
    let block = machine.new_array(machine.known.primitive_arrays[Kind::Long as usize], units)?;
    machine.heap.elements_mut(block, 8)[..bytes.len()].copy_from_slice(&bytes);
    machine.aside.roots.push(block);
    Ok(u64::from(block.0) * 8 + u64::from(ARRAY_DATA))
}

fn number(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(machine.descriptor_number(arguments.object(0))?.bits())
}

fn set_number(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.load(Loader::BOOT, "java/io/FileDescriptor")?;
    let descriptor = arguments.object(0);
    if let Some(offset) = machine.offset_of(class, "fd").filter(|_| !descriptor.is_null()) {
        machine.heap.put_i32(descriptor, offset, arguments.int(1));
    }
    Ok(0)
}
