//! Files: the console, and files that are read.

use super::{NOTHING, Table, framed, leaf};
use crate::class::ClassId;
use crate::machine::{Arguments, Bits, Machine, Run, Trouble};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/io/FileDescriptor",
        methods: &[
            ("getHandle(I)J", leaf(|_, _| Ok((-1i64).bits()))),
            ("getAppend(I)Z", leaf(|_, _| Ok(0))),
            ("close0()V", NOTHING),
            ("sync()V", NOTHING),
            ("sync0()V", NOTHING),
        ],
    },
    Table {
        class: "java/io/FileOutputStream",
        methods: &[("writeBytes([BIIZ)V", framed(write_bytes)), ("write(IZ)V", framed(write))],
    },
    Table {
        class: "java/io/UnixFileSystem",
        methods: &[
            ("canonicalize0(Ljava/lang/String;)Ljava/lang/String;", leaf(canonicalize)),
            ("getBooleanAttributes0(Ljava/io/File;)I", leaf(boolean_attributes)),
        ],
    },
];

/// The number of the file that a stream's descriptor stands for.
fn descriptor(machine: &Machine, stream: Ref) -> Run<i32> {
    let of = ClassId(machine.heap.class(stream));
    let object = machine.offset_of(of, "fd").map(|offset| machine.heap.get_ref(stream, offset));
    let object = object.and_then(Ref::some).ok_or_else(Trouble::null)?;
    let of = ClassId(machine.heap.class(object));
    let offset =
        machine.offset_of(of, "fd").ok_or_else(|| Trouble::unsupported("this JDK's FileDescriptor"))?;
    Ok(machine.heap.get_i32(object, offset))
}

fn write_bytes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (array, offset, length) = (arguments.object(1), arguments.int(2), arguments.int(3));
    if array.is_null() {
        return Err(Trouble::null());
    }
    let bytes = machine.heap.elements(array, 1);
    let range =
        (offset as usize).checked_add(length as usize).and_then(|end| bytes.get(offset as usize..end));
    let part = range.ok_or_else(|| Trouble::bare("java/lang/IndexOutOfBoundsException"))?.to_vec();
    output(machine, arguments.object(0), &part)
}

fn write(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    output(machine, arguments.object(0), &[arguments.int(1) as u8])
}

fn output(machine: &mut Machine, stream: Ref, bytes: &[u8]) -> Run<u64> {
    match descriptor(machine, stream)? {
        1 => machine.options.console.out(bytes),
        2 => machine.options.console.err(bytes),
        _ => return Err(Trouble::unsupported("writing files is not supported")),
    }
    Ok(0)
}

fn canonicalize(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.text_of(arguments.object(1))?;
    machine.new_string(&canonical(&path)).map(Bits::bits)
}

/// A path without links, `.` and `..`. Of one that does not exist the part that does is resolved.
fn canonical(path: &str) -> String {
    let all: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let resolved = (0..=all.len()).rev().find_map(|length| {
        let known = std::fs::canonicalize(format!("/{}", all[..length].join("/"))).ok()?;
        Some((known, length))
    });
    let (mut canonical, length) = resolved.unwrap_or_else(|| ("/".into(), 0));
    for name in &all[length..] {
        match *name {
            "." => {}
            ".." => {
                canonical.pop();
            }
            name => canonical.push(name),
        }
    }
    canonical.display().to_string()
}

fn boolean_attributes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let file = arguments.object(1);
    let of = ClassId(machine.heap.class(file));
    let path = machine.offset_of(of, "path").map(|offset| machine.heap.get_ref(file, offset));
    let path = machine.text_of(path.unwrap_or_default())?;
    let (exists, regular, directory, hidden) = (1, 2, 4, 8);
    let Ok(metadata) = std::fs::metadata(&path) else { return Ok(0) };
    let mut attributes = exists;
    attributes |= if metadata.is_file() { regular } else { 0 };
    attributes |= if metadata.is_dir() { directory } else { 0 };
    let name = path.rsplit('/').next().unwrap_or_default();
    attributes |= if name.starts_with('.') { hidden } else { 0 };
    Ok(i32::bits(attributes))
}
