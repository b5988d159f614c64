//! `FileInputStream` and `RandomAccessFile`.

use super::super::{NOTHING, Table, framed, leaf};
use super::reason;
use crate::machine::{Arguments, Bits, Machine, Run, Trouble};
use crate::memory::Ref;
use std::io;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/io/FileInputStream",
        methods: &[
            ("open0(Ljava/lang/String;)V", framed(open)),
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
        class: "java/io/RandomAccessFile",
        methods: &[
            ("open0(Ljava/lang/String;I)V", framed(open_random)),
            ("read0()I", framed(read)),
            ("readBytes([BII)I", framed(read_bytes)),
            ("length()J", framed(length)),
            ("getFilePointer()J", framed(position)),
            ("seek0(J)V", framed(seek)),
        ],
    },
    Table { class: "java/io/FileCleanable", methods: &[("cleanupClose0(IJ)V", NOTHING)] },
];

fn failed(error: &io::Error) -> Trouble {
    Trouble::raise("java/io/IOException", reason(error))
}

fn open_path(machine: &mut Machine, stream: Ref, path: Ref) -> Run<u64> {
    let path = machine.text_of(path)?;
    let opened = machine.files.open(&path).and_then(|number| {
        // A directory can be opened, but not as a stream.
        let directory = std::fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if directory { Err(io::Error::from_raw_os_error(libc::EISDIR)) } else { Ok(number) }
    });
    let number = opened.map_err(|error| {
        Trouble::raise("java/io/FileNotFoundException", format!("{path} ({})", reason(&error)))
    })?;
    let descriptor = machine.ref_in(stream, "fd");
    machine.set_int(descriptor, "fd", number);
    machine.set_position(descriptor, 0);
    Ok(0)
}

fn open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    open_path(machine, arguments.object(0), arguments.object(1))
}

fn open_random(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    const READ_ONLY: i32 = 1;
    if arguments.int(2) & READ_ONLY == 0 {
        let path = machine.text_of(arguments.object(1))?;
        return Err(Trouble::unsupported(format!("writing the file {path} is not supported")));
    }
    open_path(machine, arguments.object(0), arguments.object(1))
}

/// The descriptor of a stream that is open.
fn descriptor(machine: &Machine, stream: Ref) -> Run<Ref> {
    let descriptor = machine.ref_in(stream, "fd");
    if descriptor.is_null() || machine.int_in(descriptor, "fd") < 0 {
        return Err(Trouble::raise("java/io/IOException", "Stream Closed"));
    }
    Ok(descriptor)
}

fn read(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let bytes = machine.read_from(descriptor, 1)?.map_err(|error| failed(&error))?;
    Ok(bytes.first().map_or(-1, |&byte| i32::from(byte)).bits())
}

fn read_bytes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (array, offset, length) = (arguments.object(1), arguments.int(2), arguments.int(3));
    if array.is_null() {
        return Err(Trouble::null());
    }
    let all = machine.heap.length(array);
    if offset < 0 || length < 0 || offset as u32 > all || length as u32 > all - offset as u32 {
        return Err(Trouble::bare("java/lang/IndexOutOfBoundsException"));
    }
    if length == 0 {
        return Ok(0);
    }
    let descriptor = descriptor(machine, arguments.object(0))?;
    let bytes = machine.read_from(descriptor, length as usize)?.map_err(|error| failed(&error))?;
    if bytes.is_empty() {
        return Ok((-1i32).bits());
    }
    let start = offset as usize;
    machine.heap.elements_mut(array, 1)[start..start + bytes.len()].copy_from_slice(&bytes);
    Ok((bytes.len() as i32).bits())
}

fn length(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let number = machine.descriptor_number(descriptor)?;
    machine.files.length(number).map_err(|error| failed(&error))
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
        return Err(Trouble::raise("java/io/IOException", "Illegal seek"));
    }
    let from = machine.position_of(descriptor) as i64;
    let to = from.checked_add(count).filter(|&to| to >= 0);
    let to = to.ok_or_else(|| Trouble::raise("java/io/IOException", "Invalid argument"))?;
    machine.set_position(descriptor, to as u64);
    Ok((to - from).bits())
}

fn available(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let number = machine.descriptor_number(descriptor)?;
    let length = machine.files.length(number).map_err(|error| failed(&error))?;
    let left = length.saturating_sub(machine.position_of(descriptor));
    Ok(i32::try_from(left).unwrap_or(i32::MAX).bits())
}

fn seek(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let descriptor = descriptor(machine, arguments.object(0))?;
    let to = arguments.long(1);
    if to < 0 {
        return Err(Trouble::raise("java/io/IOException", "Negative seek offset"));
    }
    machine.set_position(descriptor, to as u64);
    Ok(0)
}
