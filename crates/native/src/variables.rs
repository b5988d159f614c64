//! Names of parts of variables, such as `forks[1]` or `buffer.count`, from what the compiler wrote about types.

use addr2line::gimli::{self, AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian};
use object::{Object, ObjectSection};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

type Bytes<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = DebuggingInformationEntry<Bytes<'a>>;

/// Where a type stands in the tables.
type TypeOffset = usize;

/// A type, as far as it says what lies where.
enum Type {
    /// Another name for a type, or the type with a qualifier.
    Alias(Option<TypeOffset>),
    /// Elements behind each other; the numbers of all dimensions.
    Array(Option<TypeOffset>, Vec<u64>),
    /// A structure, a class or a union.
    Record(u64, Vec<Member>),
    /// What has no parts.
    Plain(u64),
}

struct Member {
    /// The name; a base class and an anonymous union have none.
    name: Option<String>,
    offset: u64,
    of: TypeOffset,
}

struct TypeEntry {
    what: Type,
    /// Whether it comes from a library: its parts are of no interest.
    library: bool,
}

/// The variables of an executable and their types.
#[derive(Default)]
pub struct Variables {
    types: HashMap<TypeOffset, TypeEntry>,
    /// The types of variables, by address.
    at: HashMap<u64, TypeOffset>,
}

impl Variables {
    /// What the tables of an executable say. Where they say nothing, or cannot be read, nothing is known.
    pub fn of(executable: &[u8]) -> Variables {
        let mut variables = Variables::default();
        if let Ok(file) = object::File::parse(executable) {
            // What was understood up to a mistake in the tables is of use.
            let _ = variables.read(&file);
        }
        variables
    }

    fn read(&mut self, file: &object::File<'_>) -> gimli::Result<()> {
        let sections = gimli::DwarfSections::load(|id| -> gimli::Result<Cow<'_, [u8]>> {
            let section = file.section_by_name(id.name());
            Ok(section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
        })?;
        let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            let unit = dwarf.unit(header)?;
            self.read_unit(&dwarf, &unit)?;
        }
        Ok(())
    }

    fn read_unit<'a>(
        &mut self,
        dwarf: &gimli::Dwarf<Bytes<'a>>,
        unit: &gimli::Unit<Bytes<'a>>,
    ) -> gimli::Result<()> {
        let reading = Reading { dwarf, unit };
        let mut declared: HashMap<TypeOffset, TypeOffset> = HashMap::new();
        // The types that the entry lies in, with their depths.
        let mut within: Vec<(isize, TypeOffset)> = Vec::new();
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            while within.last().is_some_and(|(depth, _)| *depth >= entry.depth()) {
                within.pop();
            }
            let Some(place) = reading.place(entry) else { continue };
            let parent =
                within.last().filter(|(depth, _)| *depth + 1 == entry.depth()).map(|(_, parent)| *parent);
            match entry.tag() {
                gimli::DW_TAG_member | gimli::DW_TAG_inheritance => {
                    if let Some(parent) = parent {
                        self.add_member(parent, &reading, entry);
                    }
                }
                gimli::DW_TAG_subrange_type => {
                    if let Some(TypeEntry { what: Type::Array(_, counts), .. }) =
                        parent.and_then(|parent| self.types.get_mut(&parent))
                    {
                        counts.push(reading.count(entry));
                    }
                }
                gimli::DW_TAG_variable => {
                    let of = reading.type_of(entry).or_else(|| {
                        let declaration = reading.reference(entry, gimli::DW_AT_specification)?;
                        declared.get(&declaration).copied()
                    });
                    if let Some(of) = of {
                        declared.insert(place, of);
                        if let Some(address) = reading.address(entry) {
                            self.at.insert(address, of);
                        }
                    }
                }
                _ => {}
            }
            if let Some(what) = reading.what(entry) {
                // Static members are declared like others, and have no place.
                if entry.tag() == gimli::DW_TAG_member {
                    continue;
                }
                self.types.insert(place, TypeEntry { what, library: reading.is_of_library(entry) });
                within.push((entry.depth(), place));
            }
        }
        Ok(())
    }

    fn add_member<'a>(&mut self, parent: TypeOffset, reading: &Reading<'_, 'a>, entry: &Entry<'a>) {
        let (Some(of), Some(TypeEntry { what: Type::Record(_, members), .. })) =
            (reading.type_of(entry), self.types.get_mut(&parent))
        else {
            return;
        };
        if entry.has_attr(gimli::DW_AT_external) {
            return;
        }
        let offset = reading.number(entry, gimli::DW_AT_data_member_location).unwrap_or(0);
        members.push(Member { name: reading.name(entry), offset, of });
    }

    /// What lies at an offset within the variable at an address, which is called `name`.
    pub fn name(&self, address: u64, offset: u64, name: &str) -> Option<String> {
        let mut name = name.to_string();
        let left = self.descend(*self.at.get(&address)?, offset, &mut name, 0)?;
        if left > 0 {
            let _ = write!(name, "+{left}");
        }
        Some(name)
    }

    /// Adds the parts that lead to an offset within a type. The offset within the last one.
    fn descend(&self, place: TypeOffset, offset: u64, name: &mut String, depth: usize) -> Option<u64> {
        const DEEPEST: usize = 64;
        if depth > DEEPEST {
            return None;
        }
        let known = self.types.get(&place)?;
        match &known.what {
            _ if known.library => Some(offset),
            Type::Alias(Some(of)) => self.descend(*of, offset, name, depth + 1),
            Type::Array(Some(of), counts) => {
                let mut rest = offset;
                let mut size = self.size(*of, 0)?;
                // The last dimension counts elements.
                let strides = counts.iter().rev().map(|count| {
                    let stride = size;
                    size = size.saturating_mul(*count);
                    stride
                });
                let strides: Vec<u64> = strides.collect();
                for stride in strides.into_iter().rev() {
                    let _ = write!(name, "[{}]", rest.checked_div(stride)?);
                    rest %= stride;
                }
                self.descend(*of, rest, name, depth + 1)
            }
            Type::Record(_, members) => {
                let holds = |member: &&Member| {
                    offset >= member.offset
                        && self.size(member.of, 0).is_some_and(|size| offset - member.offset < size)
                };
                let Some(member) = members.iter().find(holds) else { return Some(offset) };
                if let Some(part) = &member.name {
                    let _ = write!(name, ".{part}");
                }
                self.descend(member.of, offset - member.offset, name, depth + 1)
            }
            Type::Alias(None) | Type::Array(None, _) | Type::Plain(_) => Some(offset),
        }
    }

    fn size(&self, place: TypeOffset, depth: usize) -> Option<u64> {
        const DEEPEST: usize = 64;
        if depth > DEEPEST {
            return None;
        }
        match &self.types.get(&place)?.what {
            Type::Alias(of) => self.size((*of)?, depth + 1),
            Type::Array(of, counts) => {
                let element = self.size((*of)?, depth + 1)?;
                counts.iter().try_fold(element, |size, count| size.checked_mul(*count))
            }
            Type::Record(size, _) | Type::Plain(size) => Some(*size),
        }
    }
}

/// The entries of a unit, read.
struct Reading<'r, 'a> {
    dwarf: &'r gimli::Dwarf<Bytes<'a>>,
    unit: &'r gimli::Unit<Bytes<'a>>,
}

impl<'a> Reading<'_, 'a> {
    fn place(&self, entry: &Entry<'a>) -> Option<TypeOffset> {
        entry.offset().to_debug_info_offset(&self.unit.header).map(|offset| offset.0)
    }

    fn reference(&self, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<TypeOffset> {
        match entry.attr_value(attribute)? {
            AttributeValue::UnitRef(offset) => {
                offset.to_debug_info_offset(&self.unit.header).map(|offset| offset.0)
            }
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    fn type_of(&self, entry: &Entry<'a>) -> Option<TypeOffset> {
        self.reference(entry, gimli::DW_AT_type)
    }

    fn number(&self, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<u64> {
        entry.attr_value(attribute)?.udata_value()
    }

    fn name(&self, entry: &Entry<'a>) -> Option<String> {
        let value = entry.attr_value(gimli::DW_AT_name)?;
        let text = self.dwarf.attr_string(self.unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    /// The number of elements in a dimension of an array; 0 if it has no end.
    fn count(&self, entry: &Entry<'a>) -> u64 {
        let bound = || self.number(entry, gimli::DW_AT_upper_bound).map(|last| last.wrapping_add(1));
        self.number(entry, gimli::DW_AT_count).or_else(bound).unwrap_or(0)
    }

    /// The address of a variable that is always at the same one.
    fn address(&self, entry: &Entry<'a>) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else {
            return None;
        };
        let mut operations = expression.operations(self.unit.encoding());
        match operations.next().ok()?? {
            gimli::Operation::Address { address } => Some(address),
            gimli::Operation::AddressIndex { index } => self.dwarf.address(self.unit, index).ok(),
            _ => None,
        }
    }

    fn what(&self, entry: &Entry<'a>) -> Option<Type> {
        let size = || self.number(entry, gimli::DW_AT_byte_size);
        Some(match entry.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_atomic_type
            | gimli::DW_TAG_restrict_type => Type::Alias(self.type_of(entry)),
            gimli::DW_TAG_array_type => Type::Array(self.type_of(entry), Vec::new()),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                Type::Record(size().unwrap_or(0), Vec::new())
            }
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => Type::Plain(size().unwrap_or(0)),
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type
            | gimli::DW_TAG_ptr_to_member_type => Type::Plain(size().unwrap_or(8)),
            _ => return None,
        })
    }

    /// Whether a type is declared in a file of the system.
    fn is_of_library(&self, entry: &Entry<'a>) -> bool {
        let directory = || {
            let AttributeValue::FileIndex(index) = entry.attr_value(gimli::DW_AT_decl_file)? else {
                return None;
            };
            let header = self.unit.line_program.as_ref()?.header();
            let directory = header.file(index)?.directory(header)?;
            self.dwarf.attr_string(self.unit, directory).ok()
        };
        directory().is_some_and(|text| text.to_string_lossy().starts_with("/usr/"))
    }
}
