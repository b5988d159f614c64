//! The runtime, in folders with a direction. Each uses only those before it:
//!
//! `base`, `sched` (the kernel), `memory`, `time`, `sync`, `libc`, `hooks`, `cpp`, `threads`, `faults`.
//!
//! `scripts/check-modules` fails on a cycle between them. This file is the root: it prepares the runtime's memory, stands in place of
//! `main`, and obeys the driver's commands. One of them is to go on with a search: `own_search`.

mod base;
mod cpp;
mod faults;
mod hooks;
mod libc;
mod memory;
mod own_search;
mod sched;
mod sync;
mod threads;
mod time;

use crate::protocol::{Command, DefectKind, Ending, NOBODY, REGION_BYTES, VARIABLE, VERSION};
use base::cell::Restored;
use base::layout::{REGION_AT, STATE_AT, STATE_BYTES};
use base::syscalls;
use core::cell::Cell;
use core::ffi::{CStr, c_char};
use core::sync::atomic::Ordering;
use faults::processor_signals;
use libc::{isolation, standard_input, streams};
use memory::allocator;
use sched::context::{self, export};
use sched::state::{self, choice, header, runtime};
use sched::{atomic_sections, checkpoints, lock_cycles, locksets, races, schedule, slots, tls};
use threads::{exit, keys, lifecycle, panics};
use time::{alarm, signals};

/// The first descriptor that an execution may open: the standard streams and the region are below.
const FIRST_DESCRIPTOR: usize = 4;

export! {
    __wrap_main => begin;
}

/// The runtime has come to where it cannot go on.
pub fn broken() -> ! {
    broken_at(None)
}

/// The same, with the place in the runtime if that is known.
pub fn broken_at(place: Option<&core::panic::Location<'_>>) -> ! {
    let say = |text: &[u8]| syscalls::write(2, text);
    say(b"sojourner: the runtime is broken");
    if let Some(place) = place {
        let mut digits = [b'0'; 8];
        let mut rest = place.line();
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(digits.len() - 1);
        say(b" at ");
        say(place.file().as_bytes());
        say(b":");
        say(&digits[first..]);
    }
    say(b"; this is a defect of sojourner, not of your program\n");
    syscalls::exit(70)
}

/// Whether the runtime's memory is there. Written before `main` is called, and never again.
static PREPARED: Restored<Cell<bool>> = Restored::new(Cell::new(false));

/// Makes the runtime's memory, before anything of the program runs.
#[inline]
fn prepare_once() {
    if !PREPARED.get() {
        prepare();
    }
}

#[cold]
fn prepare() {
    PREPARED.set(true);
    // Until the driver's region takes its place there is a private one: initialisers may call functions of ours.
    let parts = [(STATE_AT, STATE_BYTES), (REGION_AT, REGION_BYTES)];
    if !parts.iter().all(|&(at, bytes)| syscalls::map(at, bytes, syscalls::PROT_READ | syscalls::PROT_WRITE))
    {
        syscalls::write(2, b"sojourner: there is no address space for the runtime\n");
        syscalls::exit(70);
    }
    slots::open(0, 0, 0);
}

#[cfg(sojourner_rt)]
#[used]
#[unsafe(link_section = ".preinit_array")]
static PREPARE: extern "C" fn(i32, *const *const c_char, *const *const c_char) =
    threads::initialisers::prepare;

/// What stands in place of `main`.
extern "C" fn begin(count: i32, values: *mut *mut c_char, environment: *mut *mut c_char) -> i32 {
    prepare_once();
    exit::keep_arguments(exit::Arguments { count, values, environment });
    let runtime = runtime();
    let base: usize;
    // SAFETY: the first word of a thread's record is its own address.
    unsafe { core::arch::asm!("mov {}, fs:0", out(reg) base) };
    runtime.host_base.set(base);
    runtime.may_write_base.set(context::may_write_base());
    runtime.text.set(text());
    runtime.constants.set(constants());
    runtime.tls.set(tls::Templates::of(base));
    // SAFETY: writes a variable of the C library, if there is one.
    unsafe { lifecycle::are_several() };
    let descriptor = region(environment);
    let draws = header().draws.each_ref().map(Cell::get);
    let drawn = header().drawn.get();
    runtime.driven.set(descriptor.is_some());
    if !descriptor.is_none_or(|descriptor| syscalls::map_file(REGION_AT, REGION_BYTES, descriptor)) {
        syscalls::write(2, b"sojourner: the memory that is shared with the driver cannot be mapped\n");
        syscalls::exit(70);
    }
    // What initialisers have drawn is told of in the driver's region, too.
    header().draws.iter().zip(draws).for_each(|(place, draw)| place.set(draw));
    header().drawn.set(drawn);
    runtime.misses_alarm.set(Some(alarm::is_missed));
    processor_signals::listen();
    if !runtime.driven.get() {
        run_alone();
    }
    streams::keep_apart();
    allocator::programs();
    let heap = runtime.heap.keep();
    let isolate = header().isolate.get() != 0;
    runtime.memory.keep(heap, !isolate);
    standard_input::refuse();
    header().version.store(VERSION, Ordering::Release);
    // The first command may be there by now: nothing has been answered yet.
    wait_for_another(0);
    if isolate { isolation::serve(serve) } else { serve() }
}

/// The descriptor of the region, if a driver has passed one.
fn region(environment: *mut *mut c_char) -> Option<usize> {
    let mut at = environment;
    // SAFETY: the environment is a list of strings that a null pointer ends.
    unsafe {
        while !(*at).is_null() {
            let entry = CStr::from_ptr(*at).to_bytes();
            if let Some(value) =
                entry.strip_prefix(VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
            {
                return value.iter().try_fold(0usize, |number, digit| {
                    digit.is_ascii_digit().then(|| number * 10 + usize::from(digit - b'0'))
                });
            }
            at = at.add(1);
        }
    }
    None
}

/// The program's own code.
fn text() -> (u64, u64) {
    let mut text = (0, 0);
    tls::modules(|address, name, segments, _| {
        if name.is_empty() && text == (0, 0) {
            let code = segments.iter().find(|segment| segment.kind == tls::PT_LOAD && segment.flags & 1 != 0);
            if let Some(code) = code {
                text = (address + code.address, address + code.address + code.in_memory);
            }
        }
    });
    text
}

/// What of the program comes before all that can be written to.
fn constants() -> (u64, u64) {
    let mut constants = (0, 0);
    tls::modules(|address, name, segments, _| {
        if name.is_empty() && constants == (0, 0) {
            let starts = |writable: u32| {
                let loaded = segments.iter().filter(|segment| segment.kind == tls::PT_LOAD);
                loaded
                    .filter(move |segment| segment.flags & 2 == writable)
                    .map(|segment| segment.address)
                    .min()
            };
            if let (Some(start), Some(end)) = (starts(0), starts(2)) {
                constants = (address + start, address + end);
            }
        }
    });
    constants
}

/// Begins an execution with the choices that the driver gives.
fn restart() {
    let runtime = runtime();
    let header = header();
    header.outlasts.set(0);
    begin_record();
    let goes_on = runtime.go_back();
    if !goes_on && runtime.executions.get() > 0 {
        runtime.restore();
    }
    runtime.settings.set(header.settings.get());
    runtime.watch.set(header.watch.get());
    runtime.cleans.set(header.settings.get().sums);
    runtime.recording.set(true);
    runtime.known.set(header.known.get());
    schedule::heed(runtime);
    // Rows that are there from before stay, and so do the entries and the further objects that they name.
    let (new_extras, new_entries) = match header.known.get() {
        0 => (0, 0),
        known => {
            let row = state::row(known - 1).get();
            (row.extras, row.entries)
        }
    };
    runtime.extras.set(new_extras);
    runtime.entries.set(new_entries);
    if header.settings.get().output != 0 || runtime.executions.get().is_multiple_of(1024) {
        syscalls::truncate(1);
    }
    lock_cycles::keep(header.known.get());
    runtime.private.begin();
    if !goes_on {
        enter_main();
        return;
    }
    if let Some(next) = schedule::choose(runtime) {
        checkpoints::run(next);
    }
}

/// Nothing is known yet of how the execution ends.
fn begin_record() {
    let header = header();
    header.races.set(0);
    header.races_missed.set(0);
    header.leaks.set(0);
    header.panics.set(0);
    header.ending.set(Ending::Paused as u32);
}

fn enter_main() {
    let runtime = runtime();
    runtime.executions.update(|executions| executions + 1);
    runtime.threads.set(0);
    runtime.unjoined.set(0);
    runtime.depth.set(0);
    runtime.tickets.set(0);
    runtime.section.set(atomic_sections::Section::NONE);
    runtime.multilock_end.set(0);
    runtime.log.clear();
    runtime.revisits.clear();
    runtime.guarded.with_mut(locksets::Guarded::begin);
    runtime.copies.clear();
    runtime.stale.set(true);
    runtime.ready.clear();
    runtime.with_values.clear();
    runtime.beyond_memory.clear();
    races::begin(runtime);
    runtime.current.set(0);
    let first = runtime.prepare(0, NOBODY, 0);
    let base = runtime.table[0].base.get();
    tls::fill(runtime, 0, base, true);
    runtime.running.set(true);
    signals::begin(base, None);
    keys::take_over();
    checkpoints::run(first);
}

/// Without a driver: one execution, as far as it goes.
fn run_alone() -> ! {
    let runtime = runtime();
    runtime.recording.set(false);
    runtime.pause_at.set(u32::MAX);
    begin_record();
    enter_main();
    let header = header();
    let say = |text: &[u8]| syscalls::write(2, text);
    let defect = header.defect.get();
    match Ending::from_number(header.ending.get()) {
        Some(Ending::Exited) => syscalls::exit(header.status.get()),
        Some(Ending::Stuck) => {
            say(b"sojourner: deadlock: no thread can go on\n");
            syscalls::exit(1)
        }
        Some(Ending::Refused) => {
            say(b"sojourner: not supported: ");
            say(&defect.text[..defect.text_length as usize]);
            say(b"\n");
            syscalls::exit(4)
        }
        _ => {
            say(b"sojourner: the program failed: ");
            say(&defect.text[..defect.text_length as usize]);
            say(b"\n");
            let signal = if defect.kind == DefectKind::Signal as u32 { defect.number } else { 6 };
            syscalls::die_by(signal)
        }
    }
}

/// Tells the driver that its command has been obeyed, and waits for the next one.
fn answer() {
    let header = header();
    let runtime = runtime();
    panics::tell(runtime);
    header.busy.set(syscalls::ticks().wrapping_sub(runtime.since.get()));
    let seen = header.request.load(Ordering::Relaxed);
    header.response.store(seen, Ordering::SeqCst);
    if header.driver_sleeps.load(Ordering::SeqCst) != 0 {
        syscalls::futex_wake(header.response.as_ptr());
    }
    wait_for_another(seen);
}

/// Waits for another command than that one.
fn wait_for_another(seen: u32) {
    let (header, runtime) = (header(), runtime());
    for _ in 0..header.yields.get() {
        syscalls::yield_processor();
        if header.request.load(Ordering::Acquire) != seen {
            runtime.since.set(syscalls::ticks());
            return;
        }
    }
    header.runtime_sleeps.store(1, Ordering::SeqCst);
    while header.request.load(Ordering::SeqCst) == seen {
        syscalls::futex_wait(header.request.as_ptr(), seen);
    }
    header.runtime_sleeps.store(0, Ordering::Relaxed);
    runtime.since.set(syscalls::ticks());
}

/// The loop that takes commands.
fn serve() -> ! {
    loop {
        let header = header();
        match header.command.get() {
            command if command == Command::Run as u32 => {
                isolation::begin_again();
                restart();
            }
            command if command == Command::Continue as u32 => {
                schedule::heed(runtime());
                if let Some(next) = schedule::go_on_with(choice(header.steps.get() - 1).get()) {
                    schedule::enter(next);
                }
            }
            command if command == Command::Search as u32 => own_search::go_on(restart),
            _ => syscalls::exit(0),
        }
        answer();
    }
}
