//! Channels of files.

use super::open::failed;
use crate::classfile::Kind;
use crate::machine::class::Loader;
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/nio/ch/FileDispatcherImpl",
        methods: &[
            ("init()V", NOTHING),
            ("read0(Ljava/io/FileDescriptor;JI)I", framed(read)),
            ("pread0(Ljava/io/FileDescriptor;JIJ)I", framed(read_at)),
            ("readv0(Ljava/io/FileDescriptor;JI)J", framed(read_pieces)),
            ("write0(Ljava/io/FileDescriptor;JI)I", framed(write)),
            ("pwrite0(Ljava/io/FileDescriptor;JIJ)I", framed(write_at)),
            ("writev0(Ljava/io/FileDescriptor;JI)J", framed(write_pieces)),
            ("truncate0(Ljava/io/FileDescriptor;J)I", framed(truncate)),
            ("force0(Ljava/io/FileDescriptor;Z)I", leaf(|_, _| Ok(0))),
            ("seek0(Ljava/io/FileDescriptor;J)J", framed(seek)),
            ("size0(Ljava/io/FileDescriptor;)J", framed(size)),
            ("close0(Ljava/io/FileDescriptor;)V", framed(close)),
            ("preClose0(Ljava/io/FileDescriptor;)V", NOTHING),
            ("closeIntFD(I)V", framed(close_number)),
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
            ("unmap0(JJ)I", leaf(unmap)),
            ("maxDirectTransferSize0()I", leaf(|_, _| Ok(i32::MAX.bits()))),
            ("transferTo0(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J", framed(transfer)),
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

/// `IOStatus.EOF`.
const END: i32 = -1;

fn outside() -> Abrupt {
    Abrupt::raise("java/lang/InternalError", "a buffer outside of the heap")
}

/// Puts bytes to where a channel wants them.
fn put(machine: &mut Machine, address: i64, bytes: &[u8]) -> Run<()> {
    let to = machine.heap.raw_bytes(Ref::NULL, address, bytes.len()).ok_or_else(outside)?;
    to.copy_from_slice(bytes);
    Ok(())
}

fn get(machine: &mut Machine, address: i64, count: usize) -> Run<Vec<u8>> {
    machine.heap.raw_bytes(Ref::NULL, address, count).map(|bytes| bytes.to_vec()).ok_or_else(outside)
}

/// Puts bytes to where a channel wants them; their number.
fn deliver(machine: &mut Machine, address: i64, bytes: &[u8]) -> Run<u64> {
    if bytes.is_empty() {
        return Ok(END.bits());
    }
    put(machine, address, bytes)?;
    Ok((bytes.len() as i32).bits())
}

fn read(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let count = arguments.int(3).max(0) as usize;
    let bytes = machine.read_from(arguments.object(0), None, count)?.map_err(|error| failed(&error))?;
    deliver(machine, arguments.long(1), &bytes)
}

fn read_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (count, position) = (arguments.int(3).max(0) as usize, arguments.long(4).max(0) as u64);
    let bytes = machine.read_from(arguments.object(0), Some(position), count)?;
    deliver(machine, arguments.long(1), &bytes.map_err(|error| failed(&error))?)
}

/// The addresses and lengths of several buffers.
fn pieces(machine: &mut Machine, address: i64, count: i32) -> Run<Vec<(i64, usize)>> {
    let mut pieces = Vec::new();
    for index in 0..i64::from(count) {
        let word = |offset| machine.heap.raw_get::<i64>(Ref::NULL, address + 16 * index + offset);
        let piece = word(0).zip(word(8)).ok_or_else(outside)?;
        pieces.push((piece.0, piece.1.max(0) as usize));
    }
    Ok(pieces)
}

fn read_pieces(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let pieces = pieces(machine, arguments.long(1), arguments.int(3))?;
    let count = pieces.iter().map(|(_, length)| length).sum();
    let bytes = machine.read_from(arguments.object(0), None, count)?.map_err(|error| failed(&error))?;
    if bytes.is_empty() && count > 0 {
        return Ok(i64::from(END).bits());
    }
    let mut rest = bytes.as_slice();
    for (address, length) in pieces {
        let (part, left) = rest.split_at(length.min(rest.len()));
        put(machine, address, part)?;
        rest = left;
    }
    Ok(bytes.len() as u64)
}

fn write(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let bytes = get(machine, arguments.long(1), arguments.int(3).max(0) as usize)?;
    machine.write_to(arguments.object(0), None, &bytes)?.map_err(|error| failed(&error))?;
    Ok((bytes.len() as i32).bits())
}

fn write_at(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let bytes = get(machine, arguments.long(1), arguments.int(3).max(0) as usize)?;
    let position = arguments.long(4).max(0) as u64;
    machine.write_to(arguments.object(0), Some(position), &bytes)?.map_err(|error| failed(&error))?;
    Ok((bytes.len() as i32).bits())
}

fn write_pieces(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let mut bytes = Vec::new();
    for (address, length) in pieces(machine, arguments.long(1), arguments.int(3))? {
        bytes.extend(get(machine, address, length)?);
    }
    machine.write_to(arguments.object(0), None, &bytes)?.map_err(|error| failed(&error))?;
    Ok(bytes.len() as u64)
}

fn truncate(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let length = arguments.long(1).max(0) as u64;
    machine.set_length(arguments.object(0), length)?.map_err(|error| failed(&error))?;
    Ok(0)
}

/// Copies a part of a file to where another stands; the number of bytes.
fn transfer(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (position, count) = (arguments.long(2).max(0) as u64, arguments.long(4).clamp(0, 1 << 30) as usize);
    let opened = machine.opened(machine.descriptor_number(arguments.object(1))?);
    // To copy is one operation: that of the writer.
    let bytes = opened.and_then(|opened| machine.read_opened(&opened, position, count));
    let bytes = bytes.map_err(|error| failed(&error))?;
    machine.write_to(arguments.object(6), None, &bytes)?.map_err(|error| failed(&error))?;
    Ok(bytes.len() as u64)
}

fn close(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let number = machine.descriptor_number(arguments.object(0))?;
    machine.close_file(arguments.object(0), number)?;
    Ok(0)
}

fn close_number(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.close_file(Ref::NULL, arguments.int(0))?;
    Ok(0)
}

/// Goes to a position, or says which it is if that is negative.
fn seek(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (descriptor, to) = (arguments.object(0), arguments.long(1));
    if to >= 0 {
        machine.move_to(descriptor, to as u64)?;
    }
    Ok(machine.position_of(descriptor))
}

fn size(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let number = machine.descriptor_number(arguments.object(0))?;
    let stat = machine.stat_file(arguments.object(0), number)?.map_err(|error| failed(&error))?;
    Ok(stat.size)
}

/// A mapped file is a copy, since it must not be written to: neither through the map nor otherwise.
fn map(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    const READ_WRITE: i32 = 1;
    const PRIVATE: i32 = 2;
    let mode = arguments.int(1);
    if mode == READ_WRITE {
        return Err(Abrupt::unsupported("mapping a file for writing is not supported"));
    }
    let descriptor = machine.ref_in(arguments.object(0), "fd");
    let number = machine.descriptor_number(descriptor)?;
    let (position, length) = (arguments.long(2), arguments.long(4));
    let bytes = machine.read_from(descriptor, Some(position.max(0) as u64), length as usize)?;
    let bytes = bytes.map_err(|error| failed(&error))?;
    let units = i32::try_from(length / 8 + 1).map_err(|_| Abrupt::bare("java/lang/OutOfMemoryError"))?;
    let block = machine.new_array(machine.known.primitive_arrays[Kind::Long as usize], units)?;
    machine.heap.elements_mut(block, 8)[..bytes.len()].copy_from_slice(&bytes);
    machine.tables.roots.push(block);
    let address = u64::from(block.0) * 8 + u64::from(ARRAY_DATA);
    if mode != PRIVATE
        && let Ok(opened) = machine.opened(number)
    {
        machine.files.layer.map(address, Some(opened));
    }
    Ok(address)
}

fn unmap(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.files.layer.map(arguments.long(0) as u64, None);
    Ok(0)
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
