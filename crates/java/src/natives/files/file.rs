//! `java.io.File`.

use super::open::failed;
use crate::files::OpenMode;
use crate::machine::native::{Table, framed, leaf};
use crate::machine::visible::Behaviour;
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;
use std::io;

pub const TABLES: &[Table] = &[Table {
    class: "java/io/UnixFileSystem",
    methods: &[
        ("canonicalize0(Ljava/lang/String;)Ljava/lang/String;", framed(canonicalize)),
        ("getBooleanAttributes0(Ljava/io/File;)I", framed(boolean_attributes)),
        ("checkAccess(Ljava/io/File;I)Z", framed(check_access)),
        ("getLastModifiedTime(Ljava/io/File;)J", framed(last_modified)),
        ("getLength(Ljava/io/File;)J", framed(length)),
        ("list(Ljava/io/File;)[Ljava/lang/String;", framed(list)),
        ("createFileExclusively(Ljava/lang/String;)Z", framed(create)),
        ("delete0(Ljava/io/File;)Z", framed(delete)),
        ("createDirectory(Ljava/io/File;)Z", framed(make_directory)),
        ("rename0(Ljava/io/File;Ljava/io/File;)Z", framed(rename)),
        ("setLastModifiedTime(Ljava/io/File;J)Z", framed(set_last_modified)),
        ("setReadOnly(Ljava/io/File;)Z", framed(|m, a| change_mode(m, a, |mode| mode & !0o222))),
        ("setPermission(Ljava/io/File;IZZ)Z", framed(set_permission)),
        ("getSpace(Ljava/io/File;I)J", leaf(|_, _| Ok(0))),
        ("getNameMax0(Ljava/lang/String;)J", leaf(|_, _| Ok(255))),
    ],
}];

/// The path of a `java.io.File`.
fn path_of(machine: &Machine, file: Ref) -> Run<Vec<u8>> {
    if file.is_null() {
        return Err(Abrupt::null());
    }
    machine.text_of(machine.ref_in(file, "path")).map(String::into_bytes)
}

/// Whether something was done. `java.io.File` does not say why not.
fn succeeded(result: io::Result<()>) -> Run<u64> {
    match result {
        Ok(()) => Ok(true.bits()),
        Err(error) => super::open::refusal(&error).map_or(Ok(false.bits()), Err),
    }
}

/// A path without links, `.` and `..`. Of one that does not exist the part that does is resolved.
fn canonicalize(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.text_of(arguments.object(1))?;
    machine.look_at_path(path.as_bytes(), "looks at")?;
    let all: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let resolved = (0..=all.len()).rev().find_map(|length| {
        let known = machine.files.layer.real_path(format!("/{}", all[..length].join("/")).as_bytes()).ok()?;
        Some((String::from_utf8_lossy(&known).into_owned(), length))
    });
    let (known, length) = resolved.unwrap_or_else(|| ("/".into(), 0));
    let mut canonical = std::path::PathBuf::from(known);
    for name in &all[length..] {
        match *name {
            "." => {}
            ".." => {
                canonical.pop();
            }
            name => canonical.push(name),
        }
    }
    machine.new_string(&canonical.display().to_string()).map(Bits::bits)
}

fn boolean_attributes(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.look_at_path(&path, "looks for")?;
    let (exists, regular, directory, hidden) = (1, 2, 4, 8);
    let Ok(stat) = machine.files.layer.stat(&path, true) else { return Ok(0) };
    let mut attributes = exists;
    attributes |= if stat.is_file() { regular } else { 0 };
    attributes |= if stat.is_directory() { directory } else { 0 };
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    attributes |= if name.starts_with(b".") { hidden } else { 0 };
    Ok(i32::bits(attributes))
}

fn check_access(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (read, write, execute) = (4, 2, 1);
    let path = path_of(machine, arguments.object(1))?;
    machine.look_at_path(&path, "looks at")?;
    let wanted = arguments.int(2);
    let mode = [(read, libc::R_OK), (write, libc::W_OK), (execute, libc::X_OK)];
    let mode = mode.into_iter().filter(|(bit, _)| wanted & bit != 0).fold(0, |mode, (_, flag)| mode | flag);
    Ok(machine.files.layer.may(&path, mode).is_ok().bits())
}

fn last_modified(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.learn_behaviour(Behaviour::ReadsFileTimes);
    machine.look_at_path(&path, "looks at")?;
    let stat = machine.files.layer.stat(&path, true);
    Ok(stat.map_or(0, |stat| stat.changed.div_euclid(1_000_000)).bits())
}

fn length(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.look_at_path(&path, "looks at")?;
    Ok(machine.files.layer.stat(&path, true).map_or(0, |stat| stat.size))
}

fn list(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.look_at_path(&path, "lists")?;
    let Ok(names) = machine.files.layer.list(&path) else { return Ok(0) };
    let mut strings = Vec::new();
    for name in names {
        strings.push(machine.new_string(&String::from_utf8_lossy(&name))?);
    }
    machine.new_objects(machine.known.string, &strings).map(Bits::bits)
}

fn create(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.text_of(arguments.object(1))?.into_bytes();
    let how = OpenMode {
        reads: true,
        writes: true,
        creates: true,
        exclusively: true,
        mode: 0o666,
        ..OpenMode::default()
    };
    match machine.open_file(&path, how)? {
        Ok(number) => {
            machine.layer_mut().close(number);
            Ok(true.bits())
        }
        Err(error) if error.raw_os_error() == Some(libc::EEXIST) => Ok(false.bits()),
        Err(error) => Err(failed(&error)),
    }
}

fn delete(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.change_path(&path, "deletes")?;
    let now = machine.time_of_files();
    succeeded(machine.files.layer.stat(&path, false).and_then(|stat| match stat.is_directory() {
        true => machine.layer_mut().remove_directory(&path, now),
        false => machine.layer_mut().unlink(&path, now),
    }))
}

fn make_directory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.change_path(&path, "makes directory")?;
    let now = machine.time_of_files();
    succeeded(machine.layer_mut().make_directory(&path, 0o777, now))
}

fn rename(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (from, to) = (path_of(machine, arguments.object(1))?, path_of(machine, arguments.object(2))?);
    machine.change_path(&from, "renames")?;
    machine.refuse_fixed(&to)?;
    let now = machine.time_of_files();
    succeeded(machine.layer_mut().rename(&from, &to, now))
}

fn set_last_modified(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.change_path(&path, "sets the time of")?;
    succeeded(machine.layer_mut().set_changed(&path, arguments.long(2).saturating_mul(1_000_000)))
}

fn set_permission(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (access, enable) = (arguments.int(2) as u32 & 7, arguments.int(3) != 0);
    let bits = if arguments.int(4) != 0 { access << 6 } else { access << 6 | access << 3 | access };
    change_mode(machine, arguments, |mode| if enable { mode | bits } else { mode & !bits })
}

fn change_mode(machine: &mut Machine, arguments: Arguments, change: impl Fn(u32) -> u32) -> Run<u64> {
    let path = path_of(machine, arguments.object(1))?;
    machine.change_path(&path, "sets the permissions of")?;
    succeeded(machine.files.layer.stat(&path, true).and_then(|stat| {
        let mode = change(stat.mode & 0o7777);
        machine.layer_mut().set_mode(&path, mode)
    }))
}
