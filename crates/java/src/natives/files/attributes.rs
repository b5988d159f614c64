//! What the system knows of a file: `stat`.

use super::super::{Table, framed};
use crate::machine::{Arguments, Bits, Machine, Run};
use crate::memory::Ref;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;

pub const TABLES: &[Table] = &[Table {
    class: "sun/nio/fs/UnixNativeDispatcher",
    methods: &[
        ("stat0(JLsun/nio/fs/UnixFileAttributes;)V", framed(of_target)),
        ("stat1(J)I", framed(mode)),
        ("lstat0(JLsun/nio/fs/UnixFileAttributes;)V", framed(of_link)),
        ("fstat(ILsun/nio/fs/UnixFileAttributes;)V", framed(of_open)),
    ],
}];

fn of_target(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    fill(machine, arguments.object(2), std::fs::metadata(path))
}

fn of_link(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    fill(machine, arguments.object(2), std::fs::symlink_metadata(path))
}

fn of_open(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let metadata = machine.files.path(arguments.int(0)).and_then(std::fs::metadata);
    fill(machine, arguments.object(1), metadata)
}

/// The mode of a file; zero if there is none.
fn mode(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.path_at(arguments.long(0))?;
    Ok(std::fs::metadata(path).map_or(0, |metadata| metadata.mode()).bits())
}

fn fill(machine: &mut Machine, object: Ref, metadata: io::Result<Metadata>) -> Run<u64> {
    let metadata = match metadata {
        Ok(metadata) => metadata,
        Err(error) => return Err(machine.unix_error(&error)),
    };
    for (name, value) in [
        ("st_mode", metadata.mode()),
        ("st_nlink", metadata.nlink() as u32),
        ("st_uid", metadata.uid()),
        ("st_gid", metadata.gid()),
    ] {
        machine.set_int(object, name, value as i32);
    }
    for (name, value) in [
        ("st_ino", metadata.ino() as i64),
        ("st_dev", metadata.dev() as i64),
        ("st_rdev", metadata.rdev() as i64),
        ("st_size", metadata.size() as i64),
        ("st_atime_sec", metadata.atime()),
        ("st_atime_nsec", metadata.atime_nsec()),
        ("st_mtime_sec", metadata.mtime()),
        ("st_mtime_nsec", metadata.mtime_nsec()),
        ("st_ctime_sec", metadata.ctime()),
        ("st_ctime_nsec", metadata.ctime_nsec()),
        ("st_birthtime_sec", metadata.mtime()),
    ] {
        machine.set_long(object, name, value);
    }
    Ok(0)
}
