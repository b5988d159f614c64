//! Fewer rounds of loops that precede a sleep.
//!
//! Where C++ waits for an atomic variable (`atomic::wait`, latches, barriers, semaphores), libstdc++ looks sixteen times before the
//! system puts the thread to sleep. That is a matter of speed: a thread that looks once and then sleeps until the variable changes
//! has the same outcomes. But each look is a scheduling point, so a program with a latch has thousands of times as many executions.
//! So the loop's bound is set to one round. This works in objects that were compiled without optimisation, where the bound stands in
//! one instruction. If that instruction is not found, the loop stays as it is.

use object::{Object, ObjectSection, ObjectSymbol};

/// How the names of the loop's instances begin: `std::__detail::__atomic_spin<...>`.
const LOOP: &str = "_ZNSt8__detail13__atomic_spinI";
/// The first bytes of `cmp dword ptr [rbp + byte], bound`.
const COMPARE: [u8; 2] = [0x83, 0x7d];
/// The bound as the last round that is run, and as the first that is not; and what each becomes.
const BOUNDS: [(u8, u8); 2] = [(15, 0), (16, 1)];

/// Sets the bounds in an object. Whether there were any.
pub fn cut(bytes: &mut [u8]) -> bool {
    let places = find(bytes);
    for &(at, bound) in &places {
        bytes[at] = bound;
    }
    !places.is_empty()
}

/// Where the bounds stand in the file, and what they become.
fn find(bytes: &[u8]) -> Vec<(usize, u8)> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let loops = file.symbols().filter(|symbol| symbol.name().is_ok_and(|name| name.starts_with(LOOP)));
    let bound = |symbol: object::Symbol<'_, '_>| {
        let section = file.section_by_index(symbol.section_index()?).ok()?;
        let (offset, _) = section.file_range()?;
        let start = (offset + symbol.address()) as usize;
        let code = bytes.get(start..start.checked_add(symbol.size() as usize)?)?;
        let mut found = code.windows(4).enumerate().filter_map(|(at, window)| {
            let (_, becomes) = BOUNDS.into_iter().find(|(bound, _)| *bound == window[3])?;
            (window[..2] == COMPARE).then_some((start + at + 3, becomes))
        });
        // Two would mean that this is not the loop that is meant.
        found.next().filter(|_| found.next().is_none())
    };
    loops.filter_map(bound).collect()
}
