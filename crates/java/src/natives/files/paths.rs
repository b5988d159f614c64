//! Names, links and directories of `java.nio.file`.

use crate::classfile::Kind;
use crate::files::OpenMode;
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::{ARRAY_DATA, Ref};
use std::io;
use std::os::unix::ffi::OsStrExt;

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/nio/fs/UnixNativeDispatcher",
        methods: &[
            ("init()I", leaf(|_, _| Ok(0))),
            ("getcwd()[B", leaf(current_directory)),
            ("open0(JII)I", framed(open)),
            ("close0(I)V", framed(close)),
            ("readlink0(J)[B", framed(read_link)),
            ("realpath0(J)[B", framed(real_path)),
            ("opendir0(J)J", framed(open_directory)),
            ("closedir(J)V", leaf(close_directory)),
            ("readdir(J)[B", leaf(read_directory)),
            ("access0(JI)V", framed(access)),
            ("exists0(J)Z", framed(exists)),
            ("unlink0(J)V", framed(unlink)),
            ("mkdir0(JI)V", framed(make_directory)),
            ("rmdir0(J)V", framed(remove_directory)),
            ("rename0(JJ)V", framed(rename)),
            ("link0(JJ)V", framed(link)),
            ("symlink0(JJ)V", framed(make_link)),
            ("getpwuid(I)[B", framed(|m, a| name_of_id(m, a, "/etc/passwd"))),
            ("getgrgid(I)[B", framed(|m, a| name_of_id(m, a, "/etc/group"))),
            ("strerror(I)[B", leaf(describe_error)),
        ],
    },
    Table { class: "sun/nio/fs/LinuxNativeDispatcher", methods: &[("init()V", NOTHING)] },
    Table { class: "sun/nio/fs/UnixCopyFile", methods: &[("transfer(IIJ)V", framed(transfer))] },
];

impl Machine {
    /// The bytes up to the zero at an address that `Unsafe` gave.
    pub(super) fn path_at(&mut self, address: i64) -> Run<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let at = address + bytes.len() as i64;
            match self.heap.raw_get::<u8>(Ref::NULL, at) {
                Some(0) => return Ok(bytes),
                Some(byte) => bytes.push(byte),
                None => return Err(Abrupt::raise("java/lang/InternalError", "a path outside of the heap")),
            }
        }
    }

    /// Nothing, or a `UnixException`.
    pub(super) fn unix_result(&mut self, result: io::Result<()>) -> Run<u64> {
        result.map_err(|error| self.unix_error(&error)).map(|()| 0)
    }

    fn unix_bytes(&mut self, bytes: io::Result<Vec<u8>>) -> Run<u64> {
        let bytes = bytes.map_err(|error| self.unix_error(&error))?;
        self.new_bytes(&bytes).map(Bits::bits)
    }
}

fn current_directory(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
    machine.new_bytes(directory.as_os_str().as_bytes()).map(Bits::bits)
}

fn open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    let flags = arguments.int(2);
    let has = |flag| flags & flag != 0;
    let access = flags & libc::O_ACCMODE;
    let how = OpenMode {
        reads: access != libc::O_WRONLY,
        writes: access != libc::O_RDONLY,
        appends: has(libc::O_APPEND),
        truncates: has(libc::O_TRUNC),
        creates: has(libc::O_CREAT),
        exclusively: has(libc::O_EXCL),
        no_follow: has(libc::O_NOFOLLOW),
        mode: arguments.int(3) as u32,
    };
    let opened = machine.open_file(&path, how)?;
    let number = opened.map_err(|error| machine.unix_error(&error))?;
    Ok(number.bits())
}

fn close(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.close_file(Ref::NULL, arguments.int(0))?;
    Ok(0)
}

/// Copies all of one open file to another, which is new.
fn transfer(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let opened = machine.opened(arguments.int(0)).and_then(|to| Ok((to, machine.opened(arguments.int(1))?)));
    machine.change_path(b"", "copies a file")?;
    let copied = opened.and_then(|(to, from)| {
        let length = machine.files.layer.stat_opened(&from)?.size;
        let bytes = machine.read_opened(&from, 0, length as usize)?;
        let node = machine.layer_mut().adopt_opened(&to)?;
        machine.write_node(node, Some(0), &bytes).map(drop)
    });
    machine.unix_result(copied)
}

fn read_link(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks at")?;
    let target = machine.files.layer.read_link(&path);
    machine.unix_bytes(target)
}

fn real_path(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks at")?;
    let real = machine.files.layer.real_path(&path).map(|path| path.to_vec());
    machine.unix_bytes(real)
}

/// An open directory is an array of its names that the program does not see, and the number of those that have been read is
/// in its first element, so that a state of the machine has it.
fn open_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "lists")?;
    let names = machine.files.layer.list(&path).map_err(|error| machine.unix_error(&error))?;
    let counter = machine.new_array(machine.known.primitive_arrays[Kind::Int as usize], 1)?;
    let mut objects = vec![counter];
    for name in names {
        objects.push(machine.new_bytes(&name)?);
    }
    let array = machine.new_objects(machine.known.object, &objects)?;
    machine.tables.roots.push(array);
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
    if let Some(index) = machine.tables.roots.iter().position(|&root| root == array) {
        machine.tables.roots.swap_remove(index);
    }
    Ok(0)
}

fn access(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks at")?;
    let may = machine.files.layer.may(&path, arguments.int(2));
    machine.unix_result(may)
}

fn exists(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks for")?;
    Ok(machine.files.layer.stat(&path, true).is_ok().bits())
}

fn unlink(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (path, now) = (machine.path_at(arguments.long(0))?, machine.time_of_files());
    machine.change_path(&path, "deletes")?;
    let result = machine.layer_mut().unlink(&path, now);
    machine.unix_result(result)
}

fn make_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (path, now) = (machine.path_at(arguments.long(0))?, machine.time_of_files());
    machine.change_path(&path, "makes directory")?;
    let result = machine.layer_mut().make_directory(&path, arguments.int(2) as u32, now);
    machine.unix_result(result)
}

fn remove_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (path, now) = (machine.path_at(arguments.long(0))?, machine.time_of_files());
    machine.change_path(&path, "deletes directory")?;
    let result = machine.layer_mut().remove_directory(&path, now);
    machine.unix_result(result)
}

fn rename(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (from, to) = (machine.path_at(arguments.long(0))?, machine.path_at(arguments.long(2))?);
    machine.change_path(&from, "renames")?;
    machine.refuse_fixed(&to)?;
    let now = machine.time_of_files();
    let result = machine.layer_mut().rename(&from, &to, now);
    machine.unix_result(result)
}

fn link(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (existing, path) = (machine.path_at(arguments.long(0))?, machine.path_at(arguments.long(2))?);
    machine.change_path(&path, "makes link")?;
    let now = machine.time_of_files();
    let result = machine.layer_mut().link(&existing, &path, now);
    machine.unix_result(result)
}

fn make_link(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (target, path) = (machine.path_at(arguments.long(0))?, machine.path_at(arguments.long(2))?);
    machine.change_path(&path, "makes link")?;
    let now = machine.time_of_files();
    let result = machine.layer_mut().make_link(&target, &path, now);
    machine.unix_result(result)
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
