//! `FileInputStream`, `FileOutputStream`, `RandomAccessFile` and their descriptors.

use super::open::{failed, refusal};
use super::reason;
use crate::files::OpenMode;
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;
use std::io;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/io/FileDescriptor",
        methods: &[
            ("getHandle(I)J", leaf(|_, _| Ok((-1i64).bits()))),
            ("getAppend(I)Z", leaf(|_, _| Ok(0))),
            ("close0()V", framed(close)),
            ("sync()V", NOTHING),
            ("sync0()V", NOTHING),
        ],
    },
    Table {
        class: "java/io/FileInputStream",
        methods: &[
            ("open0(Ljava/lang/String;)V", framed(open_to_read)),
            ("read0()I", framed(read)),
            ("readBytes([BII)I", framed(read_bytes)),
            ("length0()J", framed(length)),
            ("position0()J", framed(position)),
            ("skip0(J)J", framed(skip)),
            ("available0()I", framed(available)),
            ("isRegularFile0(Ljava/io/FileDescriptor;)Z", leaf(|_, _| Ok(1))),
        ],
    },
    Table {
        class: "java/io/FileOutputStream",
        methods: &[
            ("open0(Ljava/lang/String;Z)V", framed(open_to_write)),
            ("writeBytes([BIIZ)V", framed(write_bytes)),
            ("write(IZ)V", framed(write)),
        ],
    },
    Table {
        class: "java/io/RandomAccessFile",
        methods: &[
            ("open0(Ljava/lang/String;I)V", framed(open_random)),
            ("read0()I", framed(read)),
            ("readBytes([BII)I", framed(read_bytes)),
            ("write0(I)V", framed(write)),
            ("writeBytes([BII)V", framed(write_bytes)),
            ("length()J", framed(length)),
            ("setLength(J)V", framed(set_length)),
            ("getFilePointer()J", framed(position)),
            ("seek0(J)V", framed(seek)),
        ],
    },
    Table { class: "java/io/FileCleanable", methods: &[("cleanupClose0(IJ)V", NOTHING)] },
];

fn open_path(machine: &mut Machine, arguments: Arguments, how: OpenMode) -> Run<u64> {
    let (stream, path) = (arguments.object(0), machine.text_of(arguments.object(1))?);
    let not_found = |error: &io::Error| {
        let message = || format!("{path} ({})", reason(error));
        refusal(error).unwrap_or_else(|| Abrupt::raise("java/io/FileNotFoundException", message()))
    };
    let opened = machine.open_file(path.as_bytes(), how)?;
    // A directory can be opened, but not as a stream.
    let is_directory =
        || machine.files.layer.stat(path.as_bytes(), true).is_ok_and(|stat| stat.is_directory());
    let number = match opened {
        Ok(_) if is_directory() => return Err(not_found(&io::Error::from_raw_os_error(libc::EISDIR))),
        opened => opened.map_err(|error| not_found(&error))?,
    };
    let descriptor = machine.ref_in(stream, "fd");
    machine.set_int(descriptor, "fd", number);
    machine.set_position(descriptor, 0);
    Ok(0)
}

fn open_to_read(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    open_path(machine, arguments, OpenMode { reads: true, ..OpenMode::default() })
}

fn open_to_write(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let appends = arguments.int(2) != 0;
    let how = OpenMode {
        writes: true,
        creates: true,
        appends,
        truncates: !appends,
        mode: 0o666,
        ..OpenMode::default()
    };
    open_path(machine, arguments, how)
}

fn open_random(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    const READ_ONLY: i32 = 1;
    let writes = arguments.int(2) & READ_ONLY == 0;
    open_path(
        machine,
        arguments,
        OpenMode { reads: true, writes, creates: writes, mode: 0o666, ..OpenMode::default() },
    )
}

fn close(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = arguments.object(0);
    let number = machine.descriptor_number(descriptor)?;
    machine.close_file(descriptor, number)?;
    Ok(0)
}

/// The descriptor of a stream that is open.
fn descriptor(machine: &Machine, stream: Ref) -> Run<Ref> {
    let descriptor = machine.ref_in(stream, "fd");
    if descriptor.is_null() || machine.int_in(descriptor, "fd") < 0 {
        return Err(Abrupt::raise("java/io/IOException", "Stream Closed"));
    }
    Ok(descriptor)
}

fn read(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let bytes = machine.read_from(descriptor, None, 1)?.map_err(|error| failed(&error))?;
    Ok(bytes.first().map_or(-1, |&byte| i32::from(byte)).bits())
}

/// The part of an array that a stream is given: the array, where the part begins and how long it is.
fn part(machine: &Machine, arguments: Arguments) -> Run<(Ref, usize, usize)> {
    let (array, offset, length) = (arguments.object(1), arguments.int(2), arguments.int(3));
    if array.is_null() {
        return Err(Abrupt::null());
    }
    let all = machine.heap.length(array);
    if offset < 0 || length < 0 || offset as u32 > all || length as u32 > all - offset as u32 {
        return Err(Abrupt::bare("java/lang/IndexOutOfBoundsException"));
    }
    Ok((array, offset as usize, length as usize))
}

fn read_bytes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (array, start, length) = part(machine, arguments)?;
    if length == 0 {
        return Ok(0);
    }
    let descriptor = descriptor(machine, arguments.object(0))?;
    let bytes = machine.read_from(descriptor, None, length)?.map_err(|error| failed(&error))?;
    if bytes.is_empty() {
        return Ok((-1i32).bits());
    }
    machine.heap.elements_mut(array, 1)[start..start + bytes.len()].copy_from_slice(&bytes);
    Ok((bytes.len() as i32).bits())
}

fn write(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    put(machine, arguments.object(0), &[arguments.int(1) as u8])
}

fn write_bytes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (array, start, length) = part(machine, arguments)?;
    if length == 0 {
        return Ok(0);
    }
    let bytes = machine.heap.elements(array, 1)[start..start + length].to_vec();
    put(machine, arguments.object(0), &bytes)
}

fn put(machine: &mut Machine, stream: Ref, bytes: &[u8]) -> Run<u64> {
    let descriptor = descriptor(machine, stream)?;
    machine.write_to(descriptor, None, bytes)?.map_err(|error| failed(&error))?;
    Ok(0)
}

fn length(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let number = machine.descriptor_number(descriptor)?;
    let stat = machine.stat_file(descriptor, number)?.map_err(|error| failed(&error))?;
    Ok(stat.size)
}

fn set_length(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let length = u64::try_from(arguments.long(1))
        .map_err(|_| Abrupt::raise("java/io/IOException", "Invalid argument"))?;
    machine.set_length(descriptor, length)?.map_err(|error| failed(&error))?;
    if machine.position_of(descriptor) > length {
        machine.set_position(descriptor, length);
    }
    Ok(0)
}

fn position(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    Ok(machine.position_of(descriptor))
}

fn skip(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let count = arguments.long(1);
    if machine.descriptor_number(descriptor)? == 0 {
        // What has not been typed cannot be passed over.
        return Err(Abrupt::raise("java/io/IOException", "Illegal seek"));
    }
    let from = machine.position_of(descriptor) as i64;
    let to = from.checked_add(count).filter(|&to| to >= 0);
    let to = to.ok_or_else(|| Abrupt::raise("java/io/IOException", "Invalid argument"))?;
    machine.move_to(descriptor, to as u64)?;
    Ok((to - from).bits())
}

fn available(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let number = machine.descriptor_number(descriptor)?;
    let length = machine.stat_file(descriptor, number)?.map_err(|error| failed(&error))?.size;
    let left = length.saturating_sub(machine.position_of(descriptor));
    Ok(i32::try_from(left).unwrap_or(i32::MAX).bits())
}

fn seek(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let to = arguments.long(1);
    if to < 0 {
        return Err(Abrupt::raise("java/io/IOException", "Negative seek offset"));
    }
    machine.move_to(descriptor, to as u64)?;
    Ok(0)
}
