//! Signals that the processor raises: a write to a page that is watched, or a crash of the program.

use crate::protocol::{Defect, DefectKind, Ending, Question};
use crate::rt::base::cell;
use crate::rt::base::layout::{GUARD_BYTES, SIGNAL_STACK_AT, SIGNAL_STACK_BYTES, slot_at, slot_of};
use crate::rt::base::syscalls;
use crate::rt::base::syscalls::{SIGBUS, SIGSEGV, SIGSYS, SIGTRAP, SIGUSR2};
use crate::rt::faults::silent_loops;
use crate::rt::sched::context;
use crate::rt::sched::defect;
use crate::rt::sched::schedule::conclude;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::{header, runtime};
use core::arch::naked_asm;
use core::sync::atomic::Ordering;

/// Why the processor raises SIGTRAP behind an instruction that is stepped through.
const TRAP_TRACE: u32 = 2;

const SA_SIGINFO: usize = 4;
const SA_RESTORER: usize = 0x0400_0000;
const SA_ONSTACK: usize = 0x0800_0000;
/// A question of the driver does not interrupt system calls.
const SA_RESTART: usize = 0x1000_0000;

/// The instruction that is put before assembly whose accesses are unknown: no program may execute it.
const HALT: u8 = 0xf4;

/// Where in the kernel's record of the interrupted thread its registers are.
const RBP: usize = 5 + 10;
const RSP: usize = 5 + 15;
const RIP: usize = 5 + 16;
const ERROR: usize = 5 + 19;

/// The bit of the page fault's error that tells a write.
const WRITES: u64 = 2;

#[unsafe(naked)]
unsafe extern "C" fn restorer() {
    naked_asm!("mov eax, 15", "syscall")
}

/// From now on signals come here.
pub fn listen() {
    if !syscalls::map(SIGNAL_STACK_AT, SIGNAL_STACK_BYTES, syscalls::PROT_READ | syscalls::PROT_WRITE) {
        defect::refuse(b"there is not enough memory for a stack for signals");
    }
    syscalls::set_signal_stack(SIGNAL_STACK_AT, SIGNAL_STACK_BYTES);
    let action = syscalls::Action {
        handler: handle as *const () as usize,
        flags: SA_SIGINFO | SA_RESTORER | SA_ONSTACK | SA_RESTART,
        restorer: restorer as *const () as usize,
        // A question is about the program, not about a handler.
        mask: 1 << (SIGUSR2 - 1),
    };
    for signal in syscalls::RAISED_BY_PROCESSOR {
        syscalls::set_action(signal, &action);
    }
}

extern "C" fn handle(signal: u32, info: *const u64, context: *mut u64) {
    let runtime = runtime();
    // SAFETY: the kernel passes both records; the address of a fault is the third word of the first.
    let (address, error) = unsafe { (*info.add(2), *context.add(ERROR)) };
    if signal == SIGSEGV && error & WRITES != 0 && runtime.memory.wrote(address as usize) {
        return;
    }
    // SAFETY: the reason for the signal is the first half of the second word.
    let stepped = signal == SIGTRAP && unsafe { *info.add(1) } as u32 == TRAP_TRACE;
    if stepped && !silent_loops::is_on() {
        // Flags that were saved while the thread was stepped through, and come back now.
        // SAFETY: the record of the interrupted thread.
        return unsafe { silent_loops::end(context) };
    }
    if stepped {
        // SAFETY: the record of the interrupted thread.
        match unsafe { silent_loops::step(runtime, context) } {
            silent_loops::StepOutcome::Nothing => return,
            silent_loops::StepOutcome::Hang => {}
        }
    }
    if !runtime.running.get() {
        if signal == SIGUSR2 {
            if runtime.child.get() != 0 {
                syscalls::send(runtime.child.get(), SIGUSR2);
            }
            return;
        }
        syscalls::die_by(signal);
    }
    if signal == SIGUSR2 && header().question.load(Ordering::Relaxed) == Question::Repeats as u32 {
        if !silent_loops::is_on() {
            // SAFETY: the record of the interrupted thread.
            unsafe { silent_loops::begin(runtime, context) };
        }
        return;
    }
    // SAFETY: the record of the interrupted thread.
    let (place, frame, stack) = unsafe { (*context.add(RIP), *context.add(RBP), *context.add(RSP)) };
    let own = |place: u64| place >= runtime.text.get().0 && place < runtime.text.get().1;
    // SAFETY: a place in the program's own code.
    let assembly = || signal == SIGSEGV && own(place) && unsafe { *(place as *const u8) } == HALT;
    let refused = signal == SIGSYS || assembly();
    let place = if own(place) { place + 1 } else { caller(runtime, (frame, stack), place) };
    let end = runtime.thread().stack_end();
    let overflow = signal == SIGSEGV
        && slot_of(address).is_some_and(|slot| address - slot_at(slot) < GUARD_BYTES && slot_at(slot) < end);
    let kind = match signal {
        SIGUSR2 => DefectKind::Endless,
        _ if stepped => DefectKind::Hang,
        _ if refused => DefectKind::Unsupported,
        _ if overflow => DefectKind::StackOverflow,
        _ => DefectKind::Signal,
    };
    let text: &[u8] = match signal {
        SIGSYS => b"reading standard input",
        _ if refused => b"inline assembly that touches memory, or calls the system",
        _ => b"",
    };
    defect::note_at(runtime, kind, text, place);
    let object = match signal {
        SIGSEGV | SIGBUS => address,
        // The thread may be in a function of ours: this is where the program called it.
        SIGUSR2 => last_call(runtime),
        _ => 0,
    };
    defect::amend(|defect| Defect { number: signal, object, ..defect });
    conclude(if signal == SIGUSR2 || refused { Ending::Refused } else { Ending::Failed });
    runtime.running.set(false);
    cell::abandon_loans();
    // The loop that takes commands goes on when the handler returns.
    // SAFETY: it stands where it entered the program; its base is set here, because returning does not.
    unsafe {
        silent_loops::end(context);
        *context.add(RSP) = runtime.host.get() as u64;
        *context.add(RIP) = context::arrive as *const () as u64;
        set_base(runtime.host_base.get(), runtime.may_write_base.get());
    }
}

/// Where the running thread has called a function of ours last, or 0.
fn last_call(runtime: &Runtime) -> u64 {
    let frame = runtime.thread().frame.get();
    // SAFETY: the registers that a stub saved lie on the thread's stack, which stays.
    if frame.is_null() { 0 } else { runtime.place(unsafe { &*frame }) }
}

/// The nearest caller in the program's own code: by frames as long as there are such, and by what lies on the stack.
fn caller(runtime: &Runtime, (mut frame, stack): (u64, u64), place: u64) -> u64 {
    let text = runtime.text.get();
    for _ in 0..64 {
        if slot_of(frame).is_none() || !frame.is_multiple_of(8) {
            break;
        }
        // SAFETY: within the slots of threads; a frame pointer that is none leads to memory of a stack all the same, or
        // to a page that is not there, and then the process ends.
        let (next, back) = unsafe { (*(frame as *const u64), *((frame + 8) as *const u64)) };
        if back >= text.0 && back < text.1 {
            return back;
        }
        frame = next;
    }
    runtime.found_above(stack, place + 1)
}

unsafe fn set_base(base: usize, may_write: bool) {
    if may_write {
        // SAFETY: the instruction may be used; the base is that of the process's first thread.
        unsafe { core::arch::asm!("wrfsbase {}", in(reg) base) };
    } else {
        syscalls::set_fs(base);
    }
}
