//! How a thread ends from wherever it is (`pthread_exit`): what its functions have left to be done is done, the last one first.
//!
//! That is the handlers of `pthread_cleanup_push` in C, and in C++ the destructors of objects on the stack, which are its handlers,
//! too. As with the C library, the stack is unwound by force (Itanium C++ ABI, section 1.6.1); where the program is not
//! linked with an unwinder, none of its functions has anything to be done but handlers of C.

use crate::protocol::{DefectKind, Ending};
use crate::rt::sched::context::{Frame, export, save_frame};
use crate::rt::sched::defect;
use crate::rt::sched::schedule::finish;
use crate::rt::sched::state::runtime;
use crate::rt::threads::lifecycle;

/// Gives functions that do not return to their caller the names under which programs call them. Their stubs find out in a
/// function of ours what to unwind with, and go on in the unwinder as if the caller itself had called it, whose frame is the first
/// one that the unwinder meets.
macro_rules! unwinding {
    ($($name:ident => $function:path;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                $crate::rt::base::symbols::listed!($name),
                save_frame!(),
                "call {function}",
                "add rsp, 56",
                "mov rdi, rax",
                "lea rsi, [rip + {stop}]",
                "xor edx, edx",
                "mov rax, [rip + _Unwind_ForcedUnwind@GOTPCREL]",
                "jmp rax",
                frame = const crate::rt::base::layout::FRAME_AT,
                function = sym $function,
                stop = sym stop,
            )
        }
    )* };
}

unwinding! {
    pthread_exit => exit;
    thrd_exit => exit_c11;
    __pthread_unwind_next => next_cleanup;
}

export! {
    __pthread_register_cancel => push_cleanup;
    __pthread_unregister_cancel => pop_cleanup;
}

/// What is thrown, so to say: the record of an exception that the ABI asks for. It outlives the frames that are unwound.
#[repr(C, align(16))]
struct Exception {
    class: u64,
    caught: extern "C" fn(i32, *mut Exception),
    private: [u64; 2],
}

extern "C" fn exit(result: usize) -> *mut Exception {
    Frame::here();
    runtime().thread().result.set(result);
    unwinds()
}

extern "C" fn exit_c11(status: i32) -> *mut Exception {
    exit(status as isize as usize)
}

/// A handler of C has been run.
extern "C" fn next_cleanup(buffer: usize) -> *mut Exception {
    Frame::here();
    pop_cleanup(buffer);
    unwinds()
}

/// What to unwind the stack with, if there is an unwinder: else the next handler of C is run at once.
fn unwinds() -> *mut Exception {
    if !has_unwinder() {
        end();
    }
    let record = crate::rt::memory::allocator::allocate_own(size_of::<Exception>() as u64) as *mut Exception;
    if record.is_null() {
        defect::refuse(b"more memory than there is");
    }
    // SAFETY: a block of that size, which the heap aligns.
    unsafe { *record = Exception { class: 0, caught, private: [0; 2] } };
    record
}

unsafe extern "C" {
    fn _Unwind_ForcedUnwind();
    fn _Unwind_GetCFA(context: usize) -> usize;
}

#[cfg(sojourner_rt)]
core::arch::global_asm!(".weak _Unwind_ForcedUnwind", ".weak _Unwind_GetCFA");

/// Whether the program, or one of its libraries, brings an unwinder.
fn has_unwinder() -> bool {
    let unwinder = _Unwind_ForcedUnwind as *const ();
    !core::hint::black_box(unwinder).is_null()
}

/// A handler has caught what unwinds the stack, and does not let it go on. The C library ends the program then.
extern "C" fn caught(_reason: i32, _record: *mut Exception) {
    defect::note(runtime(), DefectKind::Abort, b"");
    finish(Ending::Failed)
}

/// Called by the unwinder before each frame that it unwinds.
extern "C" fn stop(
    _version: i32,
    actions: i32,
    _class: u64,
    _record: usize,
    context: usize,
    _unused: usize,
) -> i32 {
    const END_OF_STACK: i32 = 16;
    const GO_ON: i32 = 0;
    let cleanup = runtime().thread().cleanup.get();
    // SAFETY: the context is the unwinder's own.
    let frame = unsafe { _Unwind_GetCFA(context) };
    // A buffer below this frame belongs to the one before it, in which there is nothing else to be done.
    if actions & END_OF_STACK != 0 || (cleanup != 0 && frame > cleanup) {
        end();
    }
    GO_ON
}

/// Runs the last handler of C by going back to where it was pushed, or ends the thread.
fn end() -> ! {
    unsafe extern "C" {
        fn longjmp(buffer: usize, value: i32) -> !;
    }
    let thread = runtime().thread();
    match thread.cleanup.get() {
        0 => lifecycle::end(thread.result.get()),
        // SAFETY: the frame that pushed the handler has not returned.
        buffer => unsafe { longjmp(buffer, 1) },
    }
}

/// The word of the C library's buffer that is free for the owner of the list.
const NEXT_CLEANUP: usize = 72;

extern "C" fn push_cleanup(buffer: usize) {
    let thread = runtime().thread();
    // SAFETY: behind the saved registers and the mask the buffer has four words for this.
    unsafe { *((buffer + NEXT_CLEANUP) as *mut usize) = thread.cleanup.get() };
    thread.cleanup.set(buffer);
}

extern "C" fn pop_cleanup(buffer: usize) {
    // SAFETY: as above.
    runtime().thread().cleanup.set(unsafe { *((buffer + NEXT_CLEANUP) as *const usize) });
}
