//! What the system knows of a file: `stat`, permissions and times.

use crate::files::Stat;
use crate::machine::native::{Table, framed, wrapping};
use crate::machine::visible::Behaviour;
use crate::machine::{Arguments, Bits, Machine, Run};
use crate::memory::Ref;
use std::io;

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/nio/fs/UnixNativeDispatcher",
        methods: &[
            ("stat0(JLsun/nio/fs/UnixFileAttributes;)V", framed(|m, a| of_path(m, a, true))),
            ("stat1(J)I", framed(mode)),
            ("lstat0(JLsun/nio/fs/UnixFileAttributes;)V", framed(|m, a| of_path(m, a, false))),
            ("fstat(ILsun/nio/fs/UnixFileAttributes;)V", framed(of_open)),
            ("chmod0(JI)V", framed(set_mode)),
            ("fchmod(II)V", framed(set_mode_of_open)),
            ("utimes0(JJJ)V", framed(set_time)),
            ("lutimes0(JJJ)V", framed(set_time)),
            ("futimes(IJJ)V", framed(|m, a| set_time_of_open(m, a, 1_000))),
            ("futimens(IJJ)V", framed(|m, a| set_time_of_open(m, a, 1))),
            // No file has further attributes.
            ("flistxattr(IJI)I", framed(|_, _| Ok(0))),
            // The program sees all of its files as its own.
            ("chown0(JII)V", framed(keep_owner)),
            ("lchown0(JII)V", framed(keep_owner)),
            ("fchown(III)V", framed(|_, _| Ok(0))),
        ],
    },
    Table { class: "sun/nio/ch/FileKey", methods: &[("init(Ljava/io/FileDescriptor;)V", framed(fill_key))] },
];

/// When files were changed is a part of the state of programs that ask for it.
pub const TIMES: &[Table] = &[Table {
    class: "sun/nio/fs/UnixFileAttributes",
    methods: &[
        ("lastModifiedTime()Ljava/nio/file/attribute/FileTime;", wrapping(ask_for_time)),
        ("lastAccessTime()Ljava/nio/file/attribute/FileTime;", wrapping(ask_for_time)),
        ("creationTime()Ljava/nio/file/attribute/FileTime;", wrapping(ask_for_time)),
        ("ctime()Ljava/nio/file/attribute/FileTime;", wrapping(ask_for_time)),
    ],
}];

fn ask_for_time(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.learn_behaviour(Behaviour::ReadsFileTimes);
    Err(machine.call_original(arguments))
}

fn of_path(machine: &mut Machine, arguments: Arguments, follow: bool) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks at")?;
    let stat = machine.files.layer.stat(&path, follow);
    fill(machine, arguments.object(2), stat)
}

fn of_open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let stat = machine.stat_file(Ref::NULL, arguments.int(0))?;
    fill(machine, arguments.object(1), stat)
}

/// The mode of a file; zero if there is none.
fn mode(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks at")?;
    Ok(machine.files.layer.stat(&path, true).map_or(0, |stat| stat.mode).bits())
}

/// What locks of files are kept by.
fn fill_key(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (key, descriptor) = (arguments.object(0), arguments.object(1));
    let number = machine.descriptor_number(descriptor)?;
    let stat = machine.stat_file(descriptor, number)?.map_err(|error| super::open::failed(&error))?;
    machine.set_long(key, "st_dev", stat.device as i64);
    machine.set_long(key, "st_ino", stat.inode as i64);
    Ok(0)
}

fn fill(machine: &mut Machine, object: Ref, stat: io::Result<Stat>) -> Run<u64> {
    let stat = match stat {
        Ok(stat) => stat,
        Err(error) => return Err(machine.unix_error(&error)),
    };
    for (name, value) in [
        ("st_mode", stat.mode),
        ("st_nlink", stat.links as u32),
        ("st_uid", stat.user),
        ("st_gid", stat.group),
    ] {
        machine.set_int(object, name, value as i32);
    }
    let (seconds, nanoseconds) =
        (stat.changed.div_euclid(1_000_000_000), stat.changed.rem_euclid(1_000_000_000));
    for (name, value) in [
        ("st_ino", stat.inode as i64),
        ("st_dev", stat.device as i64),
        ("st_rdev", stat.special as i64),
        ("st_size", stat.size as i64),
        ("st_atime_sec", seconds),
        ("st_atime_nsec", nanoseconds),
        ("st_mtime_sec", seconds),
        ("st_mtime_nsec", nanoseconds),
        ("st_ctime_sec", seconds),
        ("st_ctime_nsec", nanoseconds),
        ("st_birthtime_sec", seconds),
    ] {
        machine.set_long(object, name, value);
    }
    Ok(0)
}

fn set_mode(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.change_path(&path, "sets the permissions of")?;
    let set = machine.layer_mut().set_mode(&path, arguments.int(2) as u32);
    machine.unix_result(set)
}

fn set_mode_of_open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let opened = machine.opened(arguments.int(0));
    machine.change_path(b"", "sets the permissions of a file")?;
    let set = opened.and_then(|opened| {
        let layer = machine.layer_mut();
        let node = layer.adopt_opened(&opened)?;
        layer.set_mode_of(node, arguments.int(1) as u32);
        Ok(())
    });
    machine.unix_result(set)
}

/// Microseconds since 1970, of the last access and the last change.
fn set_time(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.change_path(&path, "sets the time of")?;
    let set = machine.layer_mut().set_changed(&path, arguments.long(4).saturating_mul(1_000));
    machine.unix_result(set)
}

fn set_time_of_open(machine: &mut Machine, arguments: Arguments, unit: i64) -> Run<u64> {
    let opened = machine.opened(arguments.int(0));
    machine.change_path(b"", "sets the time of a file")?;
    let set = opened.and_then(|opened| {
        let layer = machine.layer_mut();
        let node = layer.adopt_opened(&opened)?;
        layer.set_changed_of(node, arguments.long(3).saturating_mul(unit));
        Ok(())
    });
    machine.unix_result(set)
}

/// Fails if there is no such file.
fn keep_owner(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    machine.look_at_path(&path, "looks at")?;
    let there = machine.files.layer.stat(&path, false).map(drop);
    machine.unix_result(there)
}
