//! What of the standard library is cut short, because no thread can notice it and it has thousands of times as many executions.
//!
//! **Loops before going to sleep.** A thread that finds a `Mutex` or an `RwLock` taken looks up to a hundred times before it has the
//! system put it to sleep. That is a matter of speed: the outcome of the loop is what the last look found, and the looks before it
//! have no effect. So a thread that looks once has the same outcomes. But each look is a place where others may go on. The jump
//! that leaves the loop if the lock has changed is made to leave it always.
//!
//! **Handlers of stack overflows.** Each thread that ends takes a lock to forget what the library's own handler of SIGSEGV would need
//! to know of it. That handler is never installed: `sigaction` says that there is one already, the runtime's, so that the library keeps
//! nothing of its threads. The function that forgets it returns at once.
//!
//! **Backing off.** A channel's threads wait for each other for a moment by a loop that counts how often it has come round, to wait
//! longer each time. The count makes every round look different, so that the loop would have no end. It decides only how
//! long the thread waits. The functions that wait return at once: the thread is then seen to look again and again.
//!
//! What is not found as it is known here stays as it is.

use crate::toolchain::CompileError;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::path::Path;

/// What the names of functions with such loops have in them: `std::sys::sync::mutex::futex`, and of `rwlock`.
const LOCKS: [&str; 2] = ["4sync5mutex5futex", "4sync6rwlock5futex"];
/// What the names of functions have in them that return at once: `stack_overflow::imp::drop_handler`, and the methods of
/// `std::sync::mpmc::utils::Backoff`.
const RETURNS: [&str; 3] = [
    "14stack_overflow3imp12drop_handler",
    "4sync4mpmc5utils7Backoff10spin_heavy",
    "4sync4mpmc5utils7Backoff10spin_light",
];

/// The counter's first value, as it is loaded into a register: it counts up to 0.
const ROUNDS: [u8; 4] = (-99_i32).to_le_bytes();
/// The instruction that each round begins with.
const PAUSE: [u8; 2] = [0xf3, 0x90];
/// The most bytes that align the loop.
const PADDING: usize = 16;

const SHORT_JUMP: u8 = 0x75;
const JUMP_ALWAYS: u8 = 0xeb;
const LONG_JUMP: [u8; 2] = [0x0f, 0x85];
const LONG_JUMP_ALWAYS: u8 = 0xe9;
const NOTHING: u8 = 0x90;
const RETURN: u8 = 0xc3;

/// Takes the shortcuts in a file, which is an object or an executable.
pub fn take_in(path: &Path) -> Result<(), CompileError> {
    let failed = |error| CompileError::File { path: path.to_path_buf(), error };
    let mut bytes = std::fs::read(path).map_err(failed)?;
    match take(&mut bytes) {
        0 => Ok(()),
        _ => std::fs::write(path, bytes).map_err(failed),
    }
}

/// Takes the shortcuts in an object or an executable. Their number.
fn take(bytes: &mut [u8]) -> usize {
    let changes = find(bytes);
    for (at, new) in &changes {
        bytes[*at..*at + new.len()].copy_from_slice(new);
    }
    changes.len()
}

/// Where in the file which bytes are to stand.
fn find(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let mut changes = Vec::new();
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else { continue };
        let locks = LOCKS.iter().any(|part| name.contains(part));
        if !locks && !RETURNS.iter().any(|part| name.contains(part)) || symbol.kind() != SymbolKind::Text {
            continue;
        }
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let Some(section) = section else { continue };
        let Some((offset, _)) = section.file_range() else { continue };
        let start = (offset + symbol.address().wrapping_sub(section.address())) as usize;
        let Some(code) = bytes.get(start..start + symbol.size() as usize) else { continue };
        if locks {
            changes.extend(loops(code).map(|(at, new)| (start + at, new)));
        } else if !code.is_empty() {
            changes.push((start, vec![RETURN]));
        }
    }
    changes
}

/// Where in a function jumps stand that leave a loop before its first round, and what is to stand there.
fn loops(code: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    code.windows(ROUNDS.len()).enumerate().filter_map(|(at, window)| {
        if window != ROUNDS {
            return None;
        }
        let behind = &code[at + ROUNDS.len()..];
        let loops = behind[..behind.len().min(PADDING + PAUSE.len())].windows(2).any(|pair| pair == PAUSE);
        // The register's number is in the instruction's own byte, and one before it for the later registers.
        let load = at.checked_sub(1).filter(|&load| (0xb8..=0xbf).contains(&code[load]) && loops)?;
        let load = if load > 0 && code[load - 1] == 0x41 { load - 1 } else { load };
        let short = load.checked_sub(2).filter(|&jump| code[jump] == SHORT_JUMP);
        let long = load.checked_sub(6).filter(|&jump| code[jump..jump + 2] == LONG_JUMP);
        // The long form is a byte shorter without a condition.
        let always = |jump| (jump, vec![NOTHING, LONG_JUMP_ALWAYS]);
        short.map(|jump| (jump, vec![JUMP_ALWAYS])).or(long.map(always))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jump_out_of_spin_loop_is_found_in_both_forms() {
        let load = [0x41, 0xbe, 0x9d, 0xff, 0xff, 0xff, 0x0f, 0x1f, 0x00, 0xf3, 0x90];
        let short = [&[0x83, 0xf8, 0x01, 0x75, 0x2f][..], &load].concat();
        assert_eq!(loops(&short).collect::<Vec<_>>(), [(3, vec![0xeb])]);
        let long = [&[0x83, 0xf8, 0x01, 0x0f, 0x85, 0x5a, 0xff, 0xff, 0xff][..], &load].concat();
        assert_eq!(loops(&long).collect::<Vec<_>>(), [(3, vec![0x90, 0xe9])]);
    }

    #[test]
    fn number_without_loop_behind_it_stays() {
        let code = [0x75, 0x2f, 0x41, 0xbe, 0x9d, 0xff, 0xff, 0xff, 0xc3];
        assert_eq!(loops(&code).count(), 0);
    }
}
