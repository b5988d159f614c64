//! Functions that are not modelled: a program that calls one is told so, with the place.

use crate::rt::base::errno;
use crate::rt::libc::eventfd;
use crate::rt::sched::context::{Frame, export};
use crate::rt::sched::defect;
use crate::rt::sched::state::runtime;

macro_rules! refused {
    ($($name:ident as $body:ident;)*) => {
        $(
            extern "C" fn $body() -> ! {
                Frame::here();
                defect::refuse(stringify!($name).as_bytes())
            }
        )*
        export! { $($name => $body;)* }
    };
}

refused! {
    fork as no_fork;
    vfork as no_vfork;
    _Fork as no_fork_either;
    clone as no_clone;
    execv as no_execv;
    execve as no_execve;
    execvp as no_execvp;
    execl as no_execl;
    execlp as no_execlp;
    posix_spawn as no_spawn;
    posix_spawnp as no_spawnp;
    system as no_system;
    popen as no_popen;
    wait as no_wait;
    waitpid as no_waitpid;
    pthread_cancel as no_cancel;
    pthread_sigqueue as no_sigqueue;
    killpg as no_group_kill;
    tgkill as no_thread_kill;
    sigqueue as no_queued_signal;
    timer_create as no_timers;
    sigwaitinfo as no_sigwaitinfo;
    sigtimedwait as no_sigtimedwait;
    sigsuspend as no_sigsuspend;
    ppoll as no_ppoll;
    select as no_select;
    pselect as no_pselect;
    timerfd_create as no_timerfd;
    socket as no_socket;
    socketpair as no_socketpair;
    accept as no_accept;
    connect as no_connect;
    recv as no_recv;
    recvfrom as no_recvfrom;
    pipe as no_pipe;
    pipe2 as no_pipe2;
    mkfifo as no_fifo;
    signalfd as no_signal_descriptor;
    inotify_init as no_watches;
    inotify_init1 as no_watches_with;
    mq_open as no_queue;
    msgsnd as no_message;
    msgrcv as no_message_received;
    semop as no_semaphore_set;
    semtimedop as no_timed_semaphore_set;
    aio_read as no_aio_read;
    aio_read64 as no_aio_read_64;
    aio_write as no_aio_write;
    aio_write64 as no_aio_write_64;
    aio_fsync as no_aio_sync;
    aio_fsync64 as no_aio_sync_64;
    lio_listio as no_aio_list;
    lio_listio64 as no_aio_list_64;
    shm_open as no_shared;
    dlopen as no_library;
    swapcontext as no_contexts;
    makecontext as no_context;
    scanf as no_scanf;
    __isoc99_scanf as no_scanf_99;
    __isoc23_scanf as no_scanf_23;
    vscanf as no_vscanf;
    getchar as no_getchar;
    getchar_unlocked as no_getchar_unlocked;
}

extern "C" fn set_cancel(_new: i32, old: *mut i32) -> i32 {
    if !old.is_null() {
        // SAFETY: the program passes where the old value goes. No thread is ever cancelled.
        unsafe { *old = 0 };
    }
    0
}

extern "C" fn test_cancel() {}

/// Handlers for forks are never called: forking is refused.
extern "C" fn no_forks() -> i32 {
    0
}

/// Waiting for several descriptors, with what a program can do in its place.
extern "C" fn no_epoll() -> ! {
    Frame::here();
    defect::refuse(b"epoll (to wake a thread, have it read from an eventfd, or poll that one, or use a condition variable)")
}

/// A thread that only looks does not wait.
extern "C" fn poll_once(entries: usize, count: usize, time: i32) -> isize {
    let frame = Frame::here();
    // SAFETY: the program passes that many entries.
    let polled = unsafe { core::slice::from_raw_parts_mut(entries as *mut eventfd::Polled, count) };
    if runtime().running.get()
        && count > 0
        && let Some(ready) = eventfd::poll(frame, polled, time)
    {
        return ready;
    }
    if time != 0 {
        defect::refuse(b"poll");
    }
    const ENTRY_BYTES: usize = 8;
    const POLL: usize = 7;
    runtime().memory.about_to_write(entries, count * ENTRY_BYTES);
    // SAFETY: what the program asks for.
    let result = unsafe { crate::rt::base::syscalls::call(POLL, [entries, count, 0, 0, 0, 0]) };
    if result < 0 {
        errno::set(-result as i32);
        return -1;
    }
    result
}

export! {
    epoll_create => no_epoll;
    epoll_create1 => no_epoll;
    epoll_wait => no_epoll;
    poll => poll_once;
    pthread_atfork => no_forks;
    __register_atfork => no_forks;
    pthread_setcancelstate => set_cancel;
    pthread_setcanceltype => set_cancel;
    pthread_testcancel => test_cancel;
}
