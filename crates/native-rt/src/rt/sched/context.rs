//! Switching between fibers.
//!
//! A fiber that does not run is its stack pointer: the registers that a call preserves lie on its stack.

use crate::rt::base::layout::STATE_AT;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::runtime;
use core::arch::naked_asm;
use core::mem::offset_of;

/// The registers that a function was called with, as the stubs of [`export!`] push them, and what lies above: the return
/// address and the caller's stack. Together with the stack they are all that a thread goes on with.
#[repr(C)]
pub struct Frame {
    pub align: u64,
    pub r15: u64,
    pub r14: u64,
    pub r13: u64,
    pub r12: u64,
    pub rbx: u64,
    pub rbp: u64,
    /// The address behind the call.
    pub place: u64,
}

impl Frame {
    /// The frame of the function of the C library, or the hook, that was called last. Functions take it first of all: the
    /// next call of one replaces it.
    #[inline]
    pub fn here() -> &'static Frame {
        let runtime = runtime();
        let frame = runtime.frame.get();
        runtime.thread().frame.set(frame);
        if runtime.copies.open.get() {
            // SAFETY: as below.
            crate::rt::sched::torn_copies::settle(unsafe { &*frame }, runtime.thread().in_use());
        }
        let thread = runtime.thread();
        thread.fresh.set(true);
        thread.done.set(0);
        // SAFETY: the stub that called has just written the address of what it pushed; it is on the stack until that
        // function returns.
        unsafe { &*frame }
    }
}

/// How stubs begin: they save the registers for [`Frame::here`], by its address `{frame}`. What they have pushed is 56 bytes.
macro_rules! save_frame {
    () => {
        "push rbp; push rbx; push r12; push r13; push r14; push r15; sub rsp, 8; movabs r11, {frame}; mov [r11], rsp"
    };
}
pub(crate) use save_frame;

/// Gives functions the names under which programs call them. A stub saves the registers and calls the function with the arguments
/// untouched. [`crate::rt::base::symbols`] lists the stubs, which the program's own functions of these names may replace.
macro_rules! export {
    ($($name:ident => $function:path;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                $crate::rt::base::symbols::listed!($name),
                "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15", "sub rsp, 8",
                "movabs r11, {frame}",
                "mov [r11], rsp",
                "call {function}",
                "add rsp, 56",
                "jmp {leave}",
                frame = const crate::rt::base::layout::FRAME_AT,
                function = sym $function,
                leave = sym crate::rt::sched::context::leave,
            )
        }
    )* };
}
pub(crate) use export;

/// The bytes below the program's stack that functions of ours may use.
const BELOW: usize = 4096;

/// The end of a stub. Functions of ours run on the program's stack. If states are told by what lies there, they leave nothing
/// behind: the next function that the program calls could have it in what it does not write.
#[unsafe(naked)]
pub unsafe extern "C" fn leave() {
    naked_asm!(
        "movabs r11, {cleans}",
        "cmp dword ptr [r11], 0",
        "jne {clean}",
        "ret",
        cleans = const STATE_AT + offset_of!(Runtime, cleans),
        clean = sym clean,
    )
}

/// Clears what lies below the stack. Returns what its caller returns.
#[unsafe(naked)]
pub unsafe extern "C" fn clean() {
    naked_asm!(
        "mov r8, rax",
        "lea rdi, [rsp - {below}]",
        "mov ecx, {below} / 8",
        "xor eax, eax",
        "rep stosq",
        "mov rax, r8",
        "ret",
        below = const BELOW,
    )
}

/// Saves where this fiber stands in `save`, and goes on with the one that stands at `to` and has the base `fs`.
#[unsafe(naked)]
pub unsafe extern "C" fn switch(save: *mut usize, to: usize, fs: usize) {
    naked_asm!(
        "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15",
        "sub rsp, 8",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "wrfsbase rdx",
        "jmp {arrive}",
        arrive = sym arrive,
    )
}

/// The same where the processor's instruction for the base may not be used, and it has been set.
#[unsafe(naked)]
pub unsafe extern "C" fn switch_without_base(save: *mut usize, to: usize) {
    naked_asm!(
        "push rbp", "push rbx", "push r12", "push r13", "push r14", "push r15",
        "sub rsp, 8",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "jmp {arrive}",
        arrive = sym arrive,
    )
}

/// Goes on where the stack pointer points to a fiber that stands still.
#[unsafe(naked)]
pub unsafe extern "C" fn arrive() {
    naked_asm!(
        "ldmxcsr [rsp]",
        "fldcw [rsp + 4]",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Where a new fiber begins, with the function that it is to call in `rbx`. The unwinder finds no frame above.
#[unsafe(naked)]
unsafe extern "C" fn begin() {
    naked_asm!("xor ebp, ebp", "push 0", "mov rax, rbx", "xor ebx, ebx", "jmp rax")
}

/// Makes a stack that ends at `end`, a multiple of 16, one of a fiber that will begin with `start`. Its stack pointer.
pub fn prepare(end: u64, start: extern "C" fn() -> !) -> usize {
    const CONTROL: u64 = 0x037f_0000_1f80;
    let frame: [u64; 8] = [CONTROL, 0, 0, 0, 0, start as *const () as u64, 0, begin as *const () as u64];
    let at = end - 64;
    // SAFETY: the end of the slot's stack is mapped, and no thread uses it.
    unsafe { *(at as *mut [u64; 8]) = frame };
    at as usize
}

/// Asks whether the processor's instruction for the base may be used: bit 1 of the second word of the kernel's hints.
pub fn may_write_base() -> bool {
    unsafe extern "C" {
        fn getauxval(kind: u64) -> u64;
    }
    const HWCAP2: u64 = 26;
    // SAFETY: reads what the kernel left on the stack at the start.
    unsafe { getauxval(HWCAP2) & 2 != 0 }
}
