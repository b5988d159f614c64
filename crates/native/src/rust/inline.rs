//! Assembly in the sources of a Rust program (`asm!`), and instructions that read the processor's ticks.
//!
//! It is not instrumented, so what it does to memory would be missed. A function with such code is made to stop the program where it
//! begins, and the runtime says why: a program that does not call it is none the worse.

use crate::assembly;
use crate::toolchain::CompileError;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeSet;
use std::path::Path;

/// The instruction that stops the program.
const HALT: u8 = 0xf4;

/// Has functions of an executable stop the program that have assembly in them. The text is what the compiler made of the program.
pub fn stop(text: &Path, executable: &Path) -> Result<(), CompileError> {
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| CompileError::File { path, error }
    };
    let text = std::fs::read(text).map_err(at(text))?;
    let text = String::from_utf8_lossy(&text);
    let functions = functions(&text)?;
    if functions.is_empty() {
        return Ok(());
    }
    let mut bytes = std::fs::read(executable).map_err(at(executable))?;
    for place in places(&bytes, &functions) {
        bytes[place] = HALT;
    }
    std::fs::write(executable, bytes).map_err(at(executable))
}

/// The functions with code that is not instrumented.
fn functions(text: &str) -> Result<BTreeSet<&str>, CompileError> {
    let is_hidden = |part: &str| assembly::guarded(part) != part || assembly::timed(part) != part;
    let mut found = BTreeSet::new();
    if !is_hidden(text) {
        return Ok(found);
    }
    // A function's code goes from its type to its size.
    let mut parts = text.split("\t.type\t");
    let outside = |part: &str| match part.contains("#APP") {
        true => {
            let what = "global_asm! and naked functions: their assembly cannot be looked into".into();
            Err(CompileError::Unsupported { what })
        }
        false => Ok(()),
    };
    outside(parts.next().unwrap_or_default())?;
    for part in parts {
        let (name, rest) = part.split_once(',').unwrap_or((part, ""));
        let end = rest.find("\t.size\t").unwrap_or(rest.len());
        if rest.starts_with("@function") && is_hidden(&rest[..end]) {
            found.insert(name);
        }
        outside(&rest[end..])?;
    }
    Ok(found)
}

/// Where in the file they begin.
fn places(bytes: &[u8], functions: &BTreeSet<&str>) -> Vec<usize> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let begins = |symbol: object::Symbol<'_, '_>| {
        let section = file.section_by_index(symbol.section_index()?).ok()?;
        let (offset, size) = section.file_range()?;
        let within = symbol.address().checked_sub(section.address()).filter(|within| *within < size)?;
        (functions.contains(symbol.name().ok()?)).then_some((offset + within) as usize)
    };
    file.symbols().filter_map(begins).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_with_assembly_is_named() {
        let text = "\t.type\tplain,@function\nplain:\n\tret\n\t.size\tplain, 1\n\
                    \t.type\tempty,@function\nempty:\n\t#APP\n\t#NO_APP\n\tret\n\t.size\tempty, 1\n\
                    \t.type\tstores,@function\nstores:\n\t#APP\n\tmovq\t$1, (%rax)\n\t#NO_APP\n\tret\n\t.size\tstores, 1\n";
        assert_eq!(functions(text).unwrap().into_iter().collect::<Vec<_>>(), ["stores"]);
    }

    #[test]
    fn assembly_outside_functions_is_refused() {
        assert!(functions("\t#APP\n\tmovq\t$1, (%rax)\n\t#NO_APP\n").is_err());
    }
}
