//! Names for addresses: source lines and variables, from the executable's own tables.

use crate::names::{code, demangle};
use crate::redirected_functions::in_source;
use crate::region::Region;
use crate::variables::Variables;
use addr2line::Loader;
use object::{Object, ObjectSymbol, SymbolKind};
use sojourner_native_rt::protocol::{Code, MOST_FUNCTIONS};
use sojourner_program::Location;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What the executable says of itself.
pub struct Symbols {
    lines: Option<Loader>,
    /// Variables by address: where each begins, its size and its name.
    variables: Vec<(u64, u64, String)>,
    executable: PathBuf,
    /// Their types, if they have been asked for.
    types: OnceCell<Variables>,
    /// Whether the runtime is linked in.
    has_runtime: bool,
    /// Places that have been asked for.
    known: HashMap<u64, Option<Location>>,
}

/// Symbols for all programs of a subject.
pub struct Shared {
    symbols: Mutex<Symbols>,
    /// Functions that their names make atomic sections: where each begins and ends.
    sections: Vec<(u64, u64)>,
    /// The same of functions that take several locks.
    lockers: Vec<(u64, u64)>,
    /// The same of functions of the standard library of Rust.
    library: Vec<(u64, u64, Code)>,
}

impl Shared {
    /// The tables of an executable; what is missing in it has no names.
    pub fn of(executable: &Path) -> Shared {
        let bytes = std::fs::read(executable).unwrap_or_default();
        let mut variables = Vec::new();
        let mut has_runtime = false;
        let (mut sections, mut lockers, mut library) = (Vec::new(), Vec::new(), Vec::new());
        if let Ok(file) = object::File::parse(bytes.as_slice()) {
            has_runtime =
                file.symbols().any(|symbol| symbol.name() == Ok("__wrap_main") && symbol.is_definition());
            for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
                let range = (symbol.address(), symbol.address() + symbol.size());
                match symbol.name() {
                    Ok(name) if symbol.is_definition() && is_section(name) => sections.push(range),
                    Ok(name) if symbol.is_definition() && is_locker(name) => lockers.push(range),
                    Ok(name) if symbol.is_definition() => {
                        library.extend(code(name).map(|code| (range.0, range.1, code)));
                    }
                    _ => {}
                }
            }
            for symbol in
                file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0)
            {
                if let Ok(name) = symbol.name() {
                    variables.push((symbol.address(), symbol.size(), demangle(in_source(name))));
                }
            }
        }
        variables.sort();
        let symbols = Symbols {
            lines: Loader::new(executable).ok(),
            variables,
            executable: executable.to_path_buf(),
            types: OnceCell::new(),
            has_runtime,
            known: HashMap::new(),
        };
        Shared { symbols: Mutex::new(symbols), sections, lockers, library }
    }

    /// Tells the runtime which functions are atomic sections, which take several locks, and which are the standard library's.
    pub fn tell_functions(&self, region: &mut Region) {
        if !self.library.is_empty() && region.header().told.get() == 0 {
            self.library.iter().for_each(|&(start, end, code)| region.set_code(start, end, code));
            region.header().told.set(1);
        }
        let header = region.header();
        for (known, told) in [(&self.sections, &header.sections), (&self.lockers, &header.lockers)] {
            let count = known.len().min(MOST_FUNCTIONS);
            told.count.set(count as u64);
            told.ranges.iter().zip(known).for_each(|(told, known)| told.set(*known));
        }
    }

    /// Whether the runtime is linked in.
    pub fn has_runtime(&self) -> bool {
        self.symbols.lock().expect("no holder panics").has_runtime
    }

    /// The place of a call, by the address behind it.
    pub fn location(&self, return_address: u64) -> Option<Location> {
        let symbols = &mut *self.symbols.lock().expect("no holder panics");
        let address = return_address.checked_sub(1)?;
        if let Some(known) = symbols.known.get(&address) {
            return known.clone();
        }
        let found = symbols.lines.as_ref().and_then(|lines| find(lines, address));
        symbols.known.insert(address, found.clone());
        found
    }

    /// The line of the program's own source that a call belongs to, by the address behind it: where a function of a library's header
    /// has been put into its caller, that is the line of the caller.
    pub fn own_line(&self, return_address: u64) -> Option<(String, u32)> {
        let symbols = self.symbols.lock().expect("no holder panics");
        let mut frames = symbols.lines.as_ref()?.find_frames(return_address.checked_sub(1)?).ok()?;
        while let Some(frame) = frames.next().ok()? {
            let at = frame.location.and_then(|at| Some((at.file?, at.line?)));
            if let Some((file, line)) = at.filter(|(file, _)| !Path::new(file).starts_with("/usr")) {
                return Some((short(file), line));
            }
        }
        None
    }

    /// Calls `see` with each row of the table of lines that lies in one of these ranges of code: where its code lies, its file as the
    /// compiler wrote it, and its line.
    pub fn each_line(
        &self,
        ranges: impl Iterator<Item = Range<u64>>,
        mut see: impl FnMut(Range<u64>, &str, u32),
    ) {
        let symbols = self.symbols.lock().expect("no holder panics");
        let Some(lines) = symbols.lines.as_ref() else { return };
        for range in ranges {
            for (start, length, at) in lines.find_location_range(range.start, range.end).into_iter().flatten()
            {
                if let (Some(file), Some(line)) = (at.file, at.line) {
                    see(start..start + length, file, line);
                }
            }
        }
    }

    /// The places of calls, innermost first, without those in the standard library of Rust. If there are only such ones, those.
    pub fn own_places(&self, stack: &[u64]) -> Vec<Location> {
        let mut places: Vec<(u64, Location)> = Vec::new();
        let mut skipped = false;
        for &address in stack {
            let Some(place) = self.location(address) else { continue };
            // The start of the program, in front of all that is written in Rust, comes without lines.
            if is_library(&place) || !self.library.is_empty() && place.file.is_empty() {
                skipped = true;
                continue;
            }
            // The runtime may have named the first call outside of the library already.
            let again = skipped && places.last().is_some_and(|(last, _)| *last == address);
            if !again {
                places.push((address, place));
            }
            skipped = false;
        }
        if places.is_empty() {
            return stack.iter().filter_map(|&address| self.location(address)).collect();
        }
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// The variable at an address, and how far in.
    pub fn variable(&self, address: u64) -> Option<String> {
        let symbols = self.symbols.lock().expect("no holder panics");
        let after = symbols.variables.partition_point(|(start, ..)| *start <= address);
        let (start, size, name) = symbols.variables.get(after.checked_sub(1)?)?;
        let offset = address - start;
        if offset >= *size {
            return None;
        }
        let types = symbols.types.get_or_init(|| {
            let bytes = std::fs::read(&symbols.executable).unwrap_or_default();
            Variables::of(&bytes)
        });
        let plain = || if offset == 0 { name.clone() } else { format!("{name}+{offset}") };
        Some(types.name(*start, offset, name).unwrap_or_else(plain))
    }
}

/// `std::lock` and what `std::scoped_lock` does, of either library.
fn is_locker(name: &str) -> bool {
    name.starts_with("_ZSt4lockI") || name.starts_with("_ZNSt3__14lockI")
}

/// Whether a function is an atomic section by its name, as SV-COMP has it; those that begin and end one are the runtime's.
fn is_section(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_atomic_").is_some_and(|rest| rest != "begin" && rest != "end")
}

fn find(lines: &Loader, address: u64) -> Option<Location> {
    let mut at = lines.find_location(address).ok().flatten();
    if at.as_ref().and_then(|at| at.file).is_some_and(is_library_file) {
        at = outside_library(lines, address).or(at);
    }
    let symbol = lines.find_symbol(address).unwrap_or_default();
    let file = at.as_ref().and_then(|at| at.file).map(short).unwrap_or_default();
    let function = demangle(if file.is_empty() { symbol } else { in_source(symbol) });
    // The runtime's own frames are left out; the runtime comes without lines, and what programs call of it has names that are not
    // for programs. Behind the last symbol come the libraries.
    let nobody = ["", "_end", "_edata"].contains(&&*function) || function.starts_with("__");
    if file.is_empty() && (nobody || function.starts_with("sojourner_rt::")) {
        return None;
    }
    Some(Location { file, line: at.and_then(|at| at.line).unwrap_or(0), function })
}

/// Whether a place is in the standard library of Rust.
pub fn is_library(location: &Location) -> bool {
    is_library_file(&location.file)
}

/// The library's sources are where it was built.
fn is_library_file(file: &str) -> bool {
    file.starts_with("/rustc/") || file.starts_with("library/")
}

/// The call of the program's own code, if code of the standard library has been inlined there.
fn outside_library(lines: &Loader, address: u64) -> Option<addr2line::Location<'_>> {
    let mut frames = lines.find_frames(address).ok()?;
    while let Some(frame) = frames.next().ok()? {
        if let Some(at) = frame.location
            && !at.file.is_some_and(is_library_file)
        {
            return Some(at);
        }
    }
    None
}

/// A path as people would write it: from here, if it is below.
pub fn short(path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(path);
    path.strip_prefix(&here).unwrap_or(path).to_string_lossy().into_owned()
}
