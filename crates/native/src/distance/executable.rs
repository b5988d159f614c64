//! The code of an executable: its functions, what lies in its memory, and the functions outside of the program that it calls.

use crate::compile::RUNTIME;
use crate::names::code;
use hashbrown::{HashMap, HashSet};
use object::elf::{SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE};
use object::read::archive::ArchiveFile;
use object::{
    Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget, SectionFlags, SymbolKind,
};
use std::ops::Range;

/// Maps with the same order in every run.
pub type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;
/// Sets of that kind.
pub type Set<K> = HashSet<K, foldhash::fast::FixedState>;

/// An executable, read whole.
pub struct Executable {
    /// The program's functions by their addresses. They do not overlap.
    pub functions: Vec<Function>,
    /// The functions outside of the program, by the addresses at which it calls them: those of the runtime, and the stubs that jump
    /// to libraries.
    pub outside: Map<u64, String>,
    /// The same, by the words that hold their addresses.
    pub slots: Map<u64, String>,
    /// Where the sections lie that hold code or data.
    sections: Vec<Section>,
}

/// A function of the program.
pub struct Function {
    /// Where it lies.
    pub range: Range<u64>,
    /// Its names, as the linker knows them.
    pub names: Vec<String>,
}

struct Section {
    start: u64,
    bytes: Vec<u8>,
    has_code: bool,
    is_constant: bool,
}

impl Executable {
    /// Reads the bytes of a file. An error says what is missing.
    pub fn read(bytes: &[u8]) -> Result<Executable, String> {
        let file =
            object::File::parse(bytes).map_err(|error| format!("the executable cannot be read: {error}"))?;
        let mut sections: Vec<Section> = file.sections().filter_map(Section::of).collect();
        sections.sort_by_key(|section| section.start);
        let mut executable =
            Executable { functions: Vec::new(), outside: Map::default(), slots: Map::default(), sections };
        executable.find_runtime(&file);
        executable.find_functions(&file);
        if executable.functions.is_empty() {
            return Err("the executable has no symbols: link it without -s".into());
        }
        executable.find_imports(&file);
        Ok(executable)
    }

    /// Takes the functions of the symbol table that are not the runtime's.
    fn find_functions(&mut self, file: &object::File<'_>) {
        let symbols = || {
            let text =
                file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
            text.filter_map(|symbol| Some((symbol.name().ok()?, symbol.address(), symbol.size())))
        };
        let runtime = names_of_runtime();
        // The program may have a function of its own in place of one of the runtime's.
        let listed: Set<&str> = self.outside.values().map(String::as_str).collect();
        let own = |name: &str, at: u64| {
            !runtime.contains(name) || listed.contains(name) && !self.outside.contains_key(&at)
        };
        // The runtime brings parts of the library of Rust, which are those of the program if that is written in Rust.
        let in_rust = symbols().any(|(name, at, _)| own(name, at) && code(name).is_some());
        let is_own = |name: &str, at: u64| own(name, at) || in_rust && code(name).is_some();
        let mut found: Vec<(u64, u64, &str)> = symbols()
            .filter(|&(name, at, size)| size > 0 && is_own(name, at))
            .map(|(name, start, size)| (start, start + size, name))
            .collect();
        found.sort();
        for (start, end, name) in found {
            match self.functions.last_mut() {
                Some(last) if last.range.start == start => last.names.push(name.into()),
                Some(last) if last.range.end > start => {}
                _ => self.functions.push(Function { range: start..end, names: vec![name.into()] }),
            }
        }
    }

    /// Finds the functions of the runtime, which lists those that take the place of others.
    fn find_runtime(&mut self, file: &object::File<'_>) {
        for symbol in file.symbols().filter(ObjectSymbol::is_definition) {
            if let Ok(name) = symbol.name()
                && name.starts_with("__tsan_")
            {
                self.outside.insert(symbol.address(), name.into());
            }
        }
        let list = file.section_by_name("sojourner_names");
        let words = list.map(|list| list.address()..list.address() + list.size()).unwrap_or_default();
        for entry in words.step_by(16) {
            if let (Some(name), Some(stub)) = (self.word(entry), self.word(entry + 8))
                && let Some(name) = self.text(name)
            {
                self.outside.insert(stub, name);
            }
        }
    }

    /// Finds the functions of libraries, and the stubs by which the program calls them.
    fn find_imports(&mut self, file: &object::File<'_>) {
        let Some(symbols) = file.dynamic_symbol_table() else { return };
        for (slot, relocation) in file.dynamic_relocations().into_iter().flatten() {
            if let RelocationTarget::Symbol(index) = relocation.target()
                && let Ok(symbol) = symbols.symbol_by_index(index)
                && let Ok(name) = symbol.name()
            {
                self.slots.insert(slot, name.into());
            }
        }
        let stubs: Vec<Range<u64>> = file
            .sections()
            .filter(|section| section.name().is_ok_and(|name| name.starts_with(".plt")))
            .map(|section| section.address()..section.address() + section.size())
            .collect();
        for stub in stubs {
            let mut start = stub.start;
            let mut found = Vec::new();
            for instruction in super::instructions::decode(self.code(stub.clone()), stub.start) {
                if let Some(name) = instruction.slot().and_then(|slot| self.slots.get(&slot)) {
                    // A stub may begin with a mark for indirect jumps.
                    found.extend([start, instruction.start()].map(|at| (at, name.clone())));
                }
                if instruction.ends_stub() {
                    start = instruction.end().next_multiple_of(8);
                }
            }
            self.outside.extend(found);
        }
    }

    /// The bytes of code between two addresses.
    pub fn code(&self, range: Range<u64>) -> &[u8] {
        self.bytes(range.start, range.end.saturating_sub(range.start) as usize).unwrap_or_default()
    }

    /// The word at an address.
    pub fn word(&self, address: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(address, 8)?.try_into().ok()?))
    }

    /// The half of a word at an address.
    pub fn half(&self, address: u64) -> Option<i32> {
        Some(i32::from_le_bytes(self.bytes(address, 4)?.try_into().ok()?))
    }

    /// The words of the program's data.
    pub fn data(&self) -> impl Iterator<Item = u64> {
        let words = self.sections.iter().filter(|section| !section.has_code).flat_map(|section| {
            let skipped = section.start.next_multiple_of(8) - section.start;
            section.bytes.get(skipped as usize..).unwrap_or_default().chunks_exact(8)
        });
        words.map(|word| u64::from_le_bytes(word.try_into().expect("a chunk has eight bytes")))
    }

    /// Whether data lies at an address.
    pub fn is_data(&self, address: u64) -> bool {
        self.section(address).is_some_and(|section| !section.has_code)
    }

    /// Whether the program cannot change what lies at an address.
    pub fn is_constant(&self, address: u64) -> bool {
        self.section(address).is_some_and(|section| section.is_constant)
    }

    fn text(&self, address: u64) -> Option<String> {
        let section = self.section(address)?;
        let bytes = &section.bytes[(address - section.start) as usize..];
        let end = bytes.iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(&bytes[..end]).ok().map(String::from)
    }

    fn bytes(&self, address: u64, count: usize) -> Option<&[u8]> {
        let section = self.section(address)?;
        let offset = (address - section.start) as usize;
        section.bytes.get(offset..offset.checked_add(count)?)
    }

    fn section(&self, address: u64) -> Option<&Section> {
        let after = self.sections.partition_point(|section| section.start <= address);
        let section = &self.sections[after.checked_sub(1)?];
        (address - section.start < section.bytes.len() as u64).then_some(section)
    }

    /// The function that an address lies in, by its number.
    pub fn function_at(&self, address: u64) -> Option<usize> {
        let number =
            self.functions.partition_point(|function| function.range.start <= address).checked_sub(1)?;
        self.functions[number].range.contains(&address).then_some(number)
    }

    /// The function that begins at an address, by its number.
    pub fn function_from(&self, address: u64) -> Option<usize> {
        self.functions.binary_search_by_key(&address, |function| function.range.start).ok()
    }
}

impl Section {
    fn of(section: object::Section<'_, '_>) -> Option<Section> {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return None };
        let has_code = sh_flags.contains(SHF_EXECINSTR);
        let is_writable = sh_flags.contains(SHF_WRITE);
        // The linker fills in addresses before the program begins.
        let is_filled =
            section.name().is_ok_and(|name| name.starts_with(".got") || name.starts_with(".data.rel.ro"));
        let start = section.address();
        let is_loaded = sh_flags.contains(SHF_ALLOC);
        let bytes = section.data().ok().filter(|bytes| is_loaded && !bytes.is_empty())?;
        Some(Section { start, bytes: bytes.to_vec(), has_code, is_constant: is_filled || !is_writable })
    }
}

/// What the linker finds in the runtime.
fn names_of_runtime() -> Set<String> {
    let mut names = Set::default();
    let Ok(archive) = ArchiveFile::parse(RUNTIME) else { return names };
    for member in archive.members().flatten() {
        let Ok(bytes) = member.data(RUNTIME) else { continue };
        let Ok(file) = object::File::parse(bytes) else { continue };
        let defined = file.symbols().filter(ObjectSymbol::is_definition);
        names.extend(defined.filter_map(|symbol| symbol.name().ok().map(String::from)));
    }
    names
}
