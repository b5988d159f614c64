//! A process of its own for each execution, for programs that change what putting memory back does not cover: mappings, the working
//! directory, limits.
//!
//! The process that was started stays as it was when `main` was called, and forks for every execution. The child takes commands
//! until it is asked to start again: then it ends, and its parent forks anew.

use crate::protocol::Command;
use crate::rt::base::errno;
use crate::rt::base::syscalls;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::state::{header, runtime};

export! {
    mmap => map;
    mmap64 => map;
    chdir => change_directory;
    fchdir => change_directory_to;
    umask => set_umask;
    setrlimit => set_limit;
    setrlimit64 => set_limit;
    shmat => attach;
    __sojourner_sbrk => move_break;
    __sojourner_brk => set_break;
}

/// The status by which a child says that it is asked to start again.
const AGAIN: u32 = 77;

/// Forks for every execution. The child takes `commands`.
pub fn serve(commands: fn() -> !) -> ! {
    loop {
        let own = syscalls::own_process();
        if header().command.get() == Command::Quit as u32 {
            syscalls::exit(0);
        }
        match syscalls::fork() {
            0 => {
                syscalls::die_with_parent(own);
                commands()
            }
            child if child > 0 => {
                runtime().child.set(child as u32);
                let status = syscalls::wait_for(child as u32);
                runtime().child.set(0);
                match status {
                    syscalls::Ended::Exited(AGAIN) => {}
                    syscalls::Ended::Exited(status) => syscalls::exit(status),
                    syscalls::Ended::Killed(signal) => syscalls::die_by(signal),
                }
            }
            _ => {
                syscalls::write(2, b"sojourner: there can be no further process\n");
                syscalls::exit(70);
            }
        }
    }
}

/// A child that is asked to start again ends.
pub fn begin_again() {
    if header().isolate.get() != 0 && runtime().executions.get() > 0 {
        syscalls::exit(AGAIN);
    }
}

/// The program does something that outlasts an execution, unless it has a process of its own.
pub fn outlasts() {
    crate::rt::prepare_once();
    Frame::here();
    if runtime().running.get() {
        header().outlasts.set(1);
    }
}

/// A system call, as the C library makes it.
pub fn system(number: usize, arguments: [usize; 6]) -> isize {
    // SAFETY: what the program asks for.
    let result = unsafe { syscalls::call(number, arguments) };
    if (-4095..0).contains(&result) {
        errno::set(-result as i32);
        return -1;
    }
    result
}

extern "C" fn map(
    at: usize,
    length: usize,
    protection: usize,
    flags: usize,
    file: usize,
    from: usize,
) -> isize {
    const MMAP: usize = 9;
    outlasts();
    let mapped = system(MMAP, [at, length, protection, flags, file, from]);
    if mapped != -1 && runtime().running.get() {
        crate::rt::sched::races::made_anew(runtime(), mapped as u64, length as u64);
    }
    mapped
}

unsafe extern "C" {
    fn sbrk(by: isize) -> *mut u8;
    fn brk(to: usize) -> i32;
}

extern "C" fn move_break(by: isize) -> *mut u8 {
    if by != 0 {
        outlasts();
    }
    // SAFETY: what the program asks for.
    unsafe { sbrk(by) }
}

extern "C" fn set_break(to: usize) -> i32 {
    outlasts();
    // SAFETY: what the program asks for.
    unsafe { brk(to) }
}

extern "C" fn change_directory(path: usize) -> isize {
    const CHDIR: usize = 80;
    outlasts();
    system(CHDIR, [path, 0, 0, 0, 0, 0])
}

extern "C" fn change_directory_to(descriptor: usize) -> isize {
    const FCHDIR: usize = 81;
    outlasts();
    system(FCHDIR, [descriptor, 0, 0, 0, 0, 0])
}

extern "C" fn set_umask(mask: usize) -> isize {
    const UMASK: usize = 95;
    outlasts();
    system(UMASK, [mask, 0, 0, 0, 0, 0])
}

extern "C" fn set_limit(which: usize, limit: usize) -> isize {
    const SETRLIMIT: usize = 160;
    outlasts();
    system(SETRLIMIT, [which, limit, 0, 0, 0, 0])
}

extern "C" fn attach(segment: usize, at: usize, flags: usize) -> isize {
    const SHMAT: usize = 30;
    outlasts();
    system(SHMAT, [segment, at, flags, 0, 0, 0])
}
