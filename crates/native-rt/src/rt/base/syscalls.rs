//! System calls, made directly: those of the C library are the program's.

use core::arch::asm;

pub const PROT_NONE: usize = 0;
pub const PROT_READ: usize = 1;
pub const PROT_WRITE: usize = 2;
pub const PROT_EXEC: usize = 4;
const MAP_PRIVATE: usize = 2;
const MAP_SHARED: usize = 1;
const MAP_FIXED: usize = 0x10;
const MAP_ANONYMOUS: usize = 0x20;
const MAP_NORESERVE: usize = 0x4000;
const MAP_FIXED_NOREPLACE: usize = 0x10_0000;

const WRITE: usize = 1;
const OPEN: usize = 2;
const CLOSE: usize = 3;
const POLL: usize = 7;
const MMAP: usize = 9;
const MPROTECT: usize = 10;
const RT_SIGACTION: usize = 13;
const RT_SIGPROCMASK: usize = 14;
const SCHED_YIELD: usize = 24;
const GETPID: usize = 39;
const FORK: usize = 57;
const WAIT4: usize = 61;
const KILL: usize = 62;
const FTRUNCATE: usize = 77;
const GETPPID: usize = 110;
const SIGALTSTACK: usize = 131;
const PRCTL: usize = 157;
const ARCH_PRCTL: usize = 158;
const FUTEX: usize = 202;
const EXIT_GROUP: usize = 231;
const CLOSE_RANGE: usize = 436;

/// Signals that the processor raises, or the driver: their handlers are the runtime's.
const SIGILL: u32 = 4;
pub const SIGTRAP: u32 = 5;
pub const SIGBUS: u32 = 7;
const SIGFPE: u32 = 8;
pub const SIGSEGV: u32 = 11;
/// The driver asks what takes so long.
pub const SIGUSR2: u32 = 12;
/// A system call that is not to be made: the filter for standard input.
pub const SIGSYS: u32 = 31;
/// All of them.
pub const RAISED_BY_PROCESSOR: [u32; 7] = [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGUSR2, SIGSYS];

/// Whether a signal is the runtime's, so that the program may not have it.
pub fn is_raised_by_processor(signal: u32) -> bool {
    RAISED_BY_PROCESSOR.contains(&signal)
}

/// A system call.
///
/// # Safety
/// What the call does to memory must be sound.
#[inline]
pub unsafe fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: the kernel changes rcx, r11 and rax, and the memory that the caller answers for.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") a, in("rsi") b, in("rdx") c,
             in("r10") d, in("r8") e, in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

/// Maps memory of zeros at an address that is the runtime's to give. Whether that worked.
pub fn map(at: usize, length: usize, protection: usize) -> bool {
    let flags = MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE;
    // SAFETY: the addresses that are passed are those of the runtime's own layout, where nothing else lies.
    unsafe { call(MMAP, [at, length, protection, flags, usize::MAX, 0]) == at as isize }
}

/// Maps a file for both reading and writing, shared. Whether that worked.
pub fn map_file(at: usize, length: usize, descriptor: usize) -> bool {
    let flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
    // SAFETY: as above.
    unsafe { call(MMAP, [at, length, PROT_READ | PROT_WRITE, flags, descriptor, 0]) == at as isize }
}

/// Takes addresses where nothing lies yet, so that touching them is an error. Whether nothing did.
pub fn map_anew(at: usize, length: usize) -> bool {
    let flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | MAP_ANONYMOUS | MAP_NORESERVE;
    // SAFETY: what lies there stays as it is.
    unsafe { call(MMAP, [at, length, PROT_NONE, flags, usize::MAX, 0]) == at as isize }
}

/// Opens a file for reading and writing, by its path, which ends in a zero.
pub fn open(path: &[u8]) -> Option<usize> {
    const READ_AND_WRITE: usize = 2;
    const CLOSE_ON_EXEC: usize = 0x80000;
    if !path.contains(&0) {
        return None;
    }
    // SAFETY: the path is readable up to its end.
    let opened = unsafe { call(OPEN, [path.as_ptr() as usize, READ_AND_WRITE | CLOSE_ON_EXEC, 0, 0, 0, 0]) };
    usize::try_from(opened).ok()
}

/// Closes a descriptor that is the runtime's own.
pub fn close(descriptor: usize) {
    // SAFETY: touches no memory.
    unsafe { call(CLOSE, [descriptor, 0, 0, 0, 0, 0]) };
}

/// Changes what may be done with pages.
///
/// # Safety
/// The pages must be the program's data, or the runtime's.
pub unsafe fn protect(at: usize, length: usize, protection: usize) -> bool {
    // SAFETY: the caller answers for the pages.
    unsafe { call(MPROTECT, [at, length, protection, 0, 0, 0]) == 0 }
}

/// Writes bytes to a descriptor, as far as it takes them.
pub fn write(descriptor: usize, bytes: &[u8]) {
    // SAFETY: the bytes are readable.
    unsafe { call(WRITE, [descriptor, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) };
}

/// Sleeps while the word holds the value.
pub fn futex_wait(word: *const u32, value: u32) {
    // SAFETY: the word is mapped.
    unsafe { call(FUTEX, [word as usize, 0, value as usize, 0, 0, 0]) };
}

/// Wakes the process that sleeps on the word.
pub fn futex_wake(word: *const u32) {
    // SAFETY: the word is mapped.
    unsafe { call(FUTEX, [word as usize, 1, 1, 0, 0, 0]) };
}

/// Ticks of the processor.
pub fn ticks() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Lets others run on this processor.
pub fn yield_processor() {
    // SAFETY: touches no memory.
    unsafe { call(SCHED_YIELD, [0; 6]) };
}

/// Ends the process.
pub fn exit(status: u32) -> ! {
    loop {
        // SAFETY: nothing comes after it.
        unsafe { call(EXIT_GROUP, [status as usize, 0, 0, 0, 0, 0]) };
    }
}

/// Sets the base of thread-local storage, where the processor's instruction for it may not be used.
pub fn set_fs(base: usize) {
    const SET_FS: usize = 0x1002;
    // SAFETY: the base is that of a thread that the runtime has made.
    unsafe { call(ARCH_PRCTL, [SET_FS, base, 0, 0, 0, 0]) };
}

/// Closes all descriptors from that one on. Whether those before it are open.
pub fn close_from(first: usize) -> bool {
    let open = open_descriptors();
    if open >> first != 0 {
        // SAFETY: the runtime has no descriptor open from the first on.
        unsafe { call(CLOSE_RANGE, [first, u32::MAX as usize, 0, 0, 0, 0]) };
    }
    open.trailing_ones() as usize >= first
}

/// Whether a descriptor from that one on is open.
pub fn is_open_from(first: usize) -> bool {
    open_descriptors() >> first != 0
}

/// Which of the first descriptors are open, one bit each. The system gives the lowest that is free, so that one far behind is open while
/// none of these is only in programs that have had many open and closed the first ones.
fn open_descriptors() -> u32 {
    const MOST: usize = 12;
    const NOT_OPEN: u16 = 0x20;
    #[repr(C)]
    struct Entry {
        descriptor: u32,
        events: u16,
        found: u16,
    }
    let mut entries = core::array::from_fn::<Entry, MOST, _>(|index| Entry {
        descriptor: index as u32,
        events: 0,
        found: 0,
    });
    // SAFETY: the entries may be written to.
    unsafe { call(POLL, [entries.as_mut_ptr() as usize, MOST, 0, 0, 0, 0]) };
    let bits = entries.iter().enumerate();
    bits.fold(0, |bits, (index, entry)| bits | u32::from(entry.found & NOT_OPEN == 0) << index)
}

/// Makes a file empty.
pub fn truncate(descriptor: usize) {
    // SAFETY: no memory is touched; if the descriptor is no file, nothing happens.
    unsafe { call(FTRUNCATE, [descriptor, 0, 0, 0, 0, 0]) };
}

/// The number of this process.
pub fn own_process() -> u32 {
    // SAFETY: touches no memory.
    unsafe { call(GETPID, [0; 6]) as u32 }
}

/// Makes a copy of this process: 0 in the copy, its number here, or an error.
pub fn fork() -> isize {
    // SAFETY: there is one thread; the copy goes on with memory of its own.
    unsafe { call(FORK, [0; 6]) }
}

/// Sees to it that this process ends when its parent does.
pub fn die_with_parent(parent: u32) {
    const ON_DEATH: usize = 1;
    const SIGKILL: usize = 9;
    // SAFETY: touches no memory.
    unsafe {
        call(PRCTL, [ON_DEATH, SIGKILL, 0, 0, 0, 0]);
        if call(GETPPID, [0; 6]) != parent as isize {
            exit(0);
        }
    }
}

/// How a child ended.
pub enum Ended {
    Exited(u32),
    Killed(u32),
}

/// Waits for a child to end.
pub fn wait_for(child: u32) -> Ended {
    let mut status = 0u32;
    // SAFETY: the status goes where it may. A signal that is handled interrupts the wait.
    while unsafe { call(WAIT4, [child as usize, &raw mut status as usize, 0, 0, 0, 0]) } != child as isize {}
    match status & 0x7f {
        0 => Ended::Exited(status >> 8 & 0xff),
        signal => Ended::Killed(signal),
    }
}

/// Sends a signal to a process of ours.
pub fn send(process: u32, signal: u32) {
    // SAFETY: touches no memory.
    unsafe { call(KILL, [process as usize, signal as usize, 0, 0, 0, 0]) };
}

/// Ends the process by a signal, as it would have ended without the runtime.
pub fn die_by(signal: u32) -> ! {
    let action = Action { handler: 0, flags: 0, restorer: 0, mask: 0 };
    set_action(signal, &action);
    let mask: u64 = 1 << (signal - 1);
    // SAFETY: unblocks the signal and sends it.
    unsafe {
        call(RT_SIGPROCMASK, [1, &raw const mask as usize, 0, 8, 0, 0]);
        let own = call(GETPID, [0; 6]);
        call(KILL, [own as usize, signal as usize, 0, 0, 0, 0]);
    }
    exit(128 + signal)
}

/// The kernel's own form of an action.
#[repr(C)]
pub struct Action {
    pub handler: usize,
    pub flags: usize,
    pub restorer: usize,
    pub mask: u64,
}

/// Says what happens at a signal.
pub fn set_action(signal: u32, action: &Action) {
    // SAFETY: the handler is one of the runtime's, or the default.
    unsafe { call(RT_SIGACTION, [signal as usize, action as *const _ as usize, 0, 8, 0, 0]) };
}

/// Says on which stack handlers run.
pub fn set_signal_stack(at: usize, length: usize) {
    let stack = [at, 0, length];
    // SAFETY: the stack is the runtime's own.
    unsafe { call(SIGALTSTACK, [stack.as_ptr() as usize, 0, 0, 0, 0, 0]) };
}
