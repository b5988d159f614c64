//! Where computed jumps lead: tables of addresses, or of offsets, as compilers make them of `switch` and `match`.

use super::executable::Executable;
use super::instructions::{Flow, Instruction};

/// How far before a jump its table is named.
const NEAR: usize = 40;

/// More entries than a table has.
const MOST: u64 = 4096;

/// The places to which the last of these instructions, a computed jump, may lead; none, if no table is found. `is_inside`: whether
/// an instruction of the function begins at an address. A table without a bound is read for as long as its entries are such
/// addresses.
pub fn targets(
    executable: &Executable,
    instructions: &[Instruction],
    is_inside: impl Fn(u64) -> bool,
) -> Vec<u64> {
    let near = || instructions.iter().rev().take(NEAR);
    let bound = near()
        .skip_while(|instruction| !matches!(instruction.flow(), Flow::Branch(_)))
        .skip(1)
        .find_map(Instruction::bound);
    let entries = 0..bound.map_or(MOST, |bound| bound.saturating_add(1).min(MOST));
    // The way to the jump has no other jump that always leads away.
    let on_the_way = || {
        near().take(1).chain(
            near().skip(1).take_while(|before| !matches!(before.flow(), Flow::Jump(_) | Flow::Computed)),
        )
    };
    let inside = |address: u64| Some(address).filter(|&address| is_inside(address));
    let mut found: Vec<u64> = Vec::new();
    if let Some(table) = on_the_way().find_map(Instruction::table) {
        found = entries.map_while(|entry| inside(executable.word(table.wrapping_add(8 * entry))?)).collect();
    } else {
        let tables = on_the_way().flat_map(|instruction| instruction.addresses());
        for table in tables.filter(|&table| executable.is_data(table)) {
            let entry = |entry| {
                let offset = executable.half(table.wrapping_add(4 * entry))?;
                inside(table.wrapping_add_signed(offset.into()))
            };
            found = entries.clone().map_while(entry).collect();
            if !found.is_empty() {
                break;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
