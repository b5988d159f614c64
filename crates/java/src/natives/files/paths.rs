//! `java.io.File`, and the names, links and directories of `java.nio.file`.

use super::super::{NOTHING, Table, framed, leaf};
use crate::classfile::Kind;
use crate::machine::{Arguments, Bits, Machine, Run, Trouble};
use crate::memory::{ARRAY_DATA, Ref};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/io/UnixFileSystem",
        methods: &[
            ("checkAccess(Ljava/io/File;I)Z", leaf(check_access)),
            ("getLastModifiedTime(Ljava/io/File;)J", leaf(last_modified)),
            ("getLength(Ljava/io/File;)J", leaf(length)),
            ("list(Ljava/io/File;)[Ljava/lang/String;", leaf(list)),
            ("getSpace(Ljava/io/File;I)J", leaf(|_, _| Ok(0))),
            ("getNameMax0(Ljava/lang/String;)J", leaf(|_, _| Ok(255))),
        ],
    },
    Table {
        class: "sun/nio/fs/UnixNativeDispatcher",
        methods: &[
            ("init()I", leaf(|_, _| Ok(0))),
            ("getcwd()[B", leaf(current_directory)),
            ("open0(JII)I", framed(open)),
            ("close0(I)V", NOTHING),
            ("readlink0(J)[B", framed(read_link)),
            ("realpath0(J)[B", framed(real_path)),
            ("opendir0(J)J", framed(open_directory)),
            ("closedir(J)V", leaf(close_directory)),
            ("readdir(J)[B", leaf(read_directory)),
            ("read(IJI)I", framed(|_, _| Err(Trouble::unsupported("reading without a channel")))),
            ("access0(JI)V", framed(access)),
            ("exists0(J)Z", leaf(exists)),
            ("getpwuid(I)[B", framed(|m, a| name_of_id(m, a, "/etc/passwd"))),
            ("getgrgid(I)[B", framed(|m, a| name_of_id(m, a, "/etc/group"))),
            ("strerror(I)[B", leaf(describe_error)),
        ],
    },
    Table { class: "sun/nio/fs/LinuxNativeDispatcher", methods: &[("init()V", NOTHING)] },
];

/// The path of a `java.io.File`.
fn path_of(machine: &Machine, file: Ref) -> Run<String> {
    if file.is_null() {
        return Err(Trouble::null());
    }
    machine.text_of(machine.ref_in(file, "path"))
}

fn check_access(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (read, write, execute) = (4, 2, 1);
    let path = path_of(machine, arguments.object(1))?;
    let wanted = arguments.int(2);
    let mode = [(read, libc::R_OK), (write, libc::W_OK), (execute, libc::X_OK)];
    let mode = mode.into_iter().filter(|(bit, _)| wanted & bit != 0).fold(0, |mode, (_, flag)| mode | flag);
    Ok(may(path.as_bytes(), mode).is_ok().bits())
}

/// Whether the process may do this with a path.
#[allow(unsafe_code)]
fn may(path: &[u8], mode: i32) -> io::Result<()> {
    let path = std::ffi::CString::new(path).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?;
    // SAFETY: the path ends in a zero, and the call only looks at it.
    match unsafe { libc::access(path.as_ptr(), mode) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn last_modified(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let metadata = std::fs::metadata(path_of(machine, arguments.object(1))?);
    let time = metadata.map_or(0, |metadata| metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000);
    Ok(time.bits())
}

fn length(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let metadata = std::fs::metadata(path_of(machine, arguments.object(1))?);
    Ok(metadata.map_or(0, |metadata| metadata.len()))
}

/// The names in a directory, sorted: the system has them in an order that means nothing.
fn names(path: &std::path::Path) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        names.push(entry?.file_name().into_vec());
    }
    names.sort();
    Ok(names)
}

fn list(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    let Ok(names) = names(path.as_ref()) else { return Ok(0) };
    let mut strings = Vec::new();
    for name in names {
        strings.push(machine.new_string(&String::from_utf8_lossy(&name))?);
    }
    machine.new_objects(machine.known.string, &strings).map(Bits::bits)
}

impl Machine {
    /// The bytes up to the zero at an address that `Unsafe` gave.
    pub(super) fn path_at(&mut self, address: i64) -> Run<std::path::PathBuf> {
        let mut bytes = Vec::new();
        loop {
            let at = address + bytes.len() as i64;
            match self.heap.raw_get::<u8>(Ref::NULL, at) {
                Some(0) => break,
                Some(byte) => bytes.push(byte),
                None => return Err(Trouble::raise("java/lang/InternalError", "a path outside of the heap")),
            }
        }
        Ok(std::ffi::OsString::from_vec(bytes).into())
    }
}

fn current_directory(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
    machine.new_bytes(directory.as_os_str().as_bytes()).map(Bits::bits)
}

fn open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    let path = path.to_string_lossy().into_owned();
    if arguments.int(2) & (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) != 0 {
        return Err(Trouble::unsupported(format!("writing the file {path} is not supported")));
    }
    match machine.files.open(&path) {
        Ok(number) => Ok(number.bits()),
        Err(error) => Err(machine.unix_error(&error)),
    }
}

fn path_bytes(machine: &mut Machine, path: io::Result<std::path::PathBuf>) -> Run<u64> {
    match path {
        Ok(path) => machine.new_bytes(path.as_os_str().as_bytes()).map(Bits::bits),
        Err(error) => Err(machine.unix_error(&error)),
    }
}

fn read_link(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    path_bytes(machine, std::fs::read_link(path))
}

fn real_path(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    path_bytes(machine, std::fs::canonicalize(path))
}

/// An open directory is an array of its names that nobody else sees, and the number of those that have been read is
/// in its first element, so that a state of the machine has it.
fn open_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    let names = match names(&path) {
        Ok(names) => names,
        Err(error) => return Err(machine.unix_error(&error)),
    };
    let counter = machine.new_array(machine.known.primitive_arrays[Kind::Int as usize], 1)?;
    let mut objects = vec![counter];
    for name in names {
        objects.push(machine.new_bytes(&name)?);
    }
    let array = machine.new_objects(machine.known.object, &objects)?;
    machine.aside.roots.push(array);
    Ok(u64::from(array.0))
}

fn read_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let array = Ref(arguments.long(0) as u32);
    let counter = machine.element(array, 0);
    let next = machine.heap.get_u32(counter, ARRAY_DATA) + 1;
    if next >= machine.heap.length(array) {
        return Ok(0);
    }
    machine.heap.put_u32(counter, ARRAY_DATA, next);
    Ok(machine.element(array, next).bits())
}

fn close_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let array = Ref(arguments.long(0) as u32);
    if let Some(index) = machine.aside.roots.iter().position(|&root| root == array) {
        machine.aside.roots.swap_remove(index);
    }
    Ok(0)
}

fn access(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    match may(path.as_os_str().as_bytes(), arguments.int(2)) {
        Ok(()) => Ok(0),
        Err(error) => Err(machine.unix_error(&error)),
    }
}

fn exists(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    Ok(path.exists().bits())
}

/// The name of a user or group in the system's list.
fn name_of_id(machine: &mut Machine, arguments: Arguments, list: &str) -> Run<u64> {
    let id = arguments.int(0).to_string();
    let list = std::fs::read_to_string(list).unwrap_or_default();
    let line = list.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let found = line.into_iter().find(|fields| fields.get(2) == Some(&id.as_str()));
    match found {
        Some(fields) => machine.new_bytes(fields[0].as_bytes()).map(Bits::bits),
        None => Err(machine.unix_error(&io::Error::from_raw_os_error(libc::ENOENT))),
    }
}

fn describe_error(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let text = super::reason(&io::Error::from_raw_os_error(arguments.int(0)));
    machine.new_bytes(text.as_bytes()).map(Bits::bits)
}
