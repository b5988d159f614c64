//! The JDK's class library, `lib/modules`, in the jimage format 1.0.
//!
//! The format is described by `imageFile.hpp` of the JDK: a header, a redirect table and a table of offsets that
//! together are a perfect hash, the attributes of each resource, a pool of strings, and then the resources. The
//! file is mapped and nothing is read ahead: to find a class costs two hashes of its name and touches a few pages.

use super::{LARGEST, LibraryError};
use crate::bytes::Bytes;
use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

const MAGIC: u32 = 0xCAFE_DADA;
const VERSION: u32 = 1 << 16;
const HEADER: u64 = 28;

/// The multiplier of the hash, which is also its first seed.
const HASH: u32 = 0x0100_0193;

/// Strings of the pool are at most this long. Without a bound a damaged pool would be read to its end for each name.
const LONGEST_STRING: usize = 4096;

/// How many attributes a location has at most.
const ATTRIBUTES: usize = 7;

/// No package is spread over more modules.
const MOST_MODULES: usize = 10_000;

const COMPRESSED_MAGIC: u32 = 0xCAFE_FAFA;
const COMPRESSED_HEADER: usize = 29;

/// `jlink` stacks its two compressors at most; a few more do no harm.
const MOST_COMPRESSORS: usize = 4;

/// An open image. Its classes stay mapped for as long as any piece of them is in use.
#[derive(Clone, Debug)]
pub struct Image {
    bytes: Bytes,
    big_endian: bool,
    /// The number of slots of both tables.
    slots: u32,
    redirects: usize,
    offsets: usize,
    locations: Range<usize>,
    strings: Range<usize>,
}

/// What the image says of one resource.
#[derive(Default)]
struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    /// 0 if it is not compressed.
    compressed: u64,
    size: u64,
}

impl Image {
    /// Maps the image at `path`. Fails if it cannot be read or is not an image of this format.
    pub fn open(path: &Path) -> Result<Image, LibraryError> {
        let unreadable = |source| LibraryError::Unreadable { path: path.into(), source };
        let file = std::fs::File::open(path).map_err(unreadable)?;
        let bytes = map(&file).map_err(unreadable)?;
        Image::parse(bytes).map_err(|why| LibraryError::CorruptImage { path: path.into(), why })
    }

    /// The image that `bytes` hold.
    pub fn from_bytes(bytes: Bytes) -> Result<Image, LibraryError> {
        Image::parse(bytes).map_err(|why| LibraryError::CorruptImage { path: "image".into(), why })
    }

    fn parse(bytes: Bytes) -> Result<Image, &'static str> {
        let magic = bytes.first_chunk().ok_or("the file is too short for a class library image")?;
        let big_endian = match (u32::from_be_bytes(*magic), u32::from_le_bytes(*magic)) {
            (MAGIC, _) => true,
            (_, MAGIC) => false,
            _ => return Err("the file is not a class library image"),
        };
        let field =
            |at| word(&bytes, big_endian, at).ok_or("the header of the class library image is cut off");
        if field(4)? != VERSION {
            return Err("the class library image has a format other than 1.0");
        }
        let slots = field(16)?;
        // As 64 bits none of these can overflow; the last is compared with the length of the file.
        let redirects = HEADER;
        let offsets = redirects + 4 * u64::from(slots);
        let locations = offsets + 4 * u64::from(slots);
        let strings = locations + u64::from(field(20)?);
        let contents = strings + u64::from(field(24)?);
        if contents > bytes.len() as u64 {
            return Err("the index of the class library image is cut off");
        }
        Ok(Image {
            big_endian,
            slots,
            redirects: redirects as usize,
            offsets: offsets as usize,
            locations: locations as usize..strings as usize,
            strings: strings as usize..contents as usize,
            bytes,
        })
    }

    /// A resource by its module and its path in it: `java.base` and `java/lang/String.class`. `None` if the image has
    /// none, or has it damaged or compressed by other means than `zip`.
    pub fn resource(&self, module: &str, path: &str) -> Option<Bytes> {
        let bytes = &self.bytes[..];
        let name = || b"/".iter().chain(module.as_bytes()).chain(b"/").chain(path.as_bytes()).copied();
        self.contents(bytes, &self.find(bytes, name)?)
    }

    /// The module that holds the classes of a package: `java.base` for `java/lang`.
    pub fn module_of(&self, package: &str) -> Option<&str> {
        let bytes = &self.bytes[..];
        let dotted = || package.bytes().map(|byte| if byte == b'/' { b'.' } else { byte });
        let location = self.find(bytes, || b"/packages/".iter().copied().chain(dotted()))?;
        let list = bytes.get(self.range(&location, location.size)?)?;
        // Each module of the package is two words: whether its part is empty, and its name. At most one is not empty.
        for at in (0..list.len()).step_by(8).take(MOST_MODULES) {
            if word(list, self.big_endian, at)? == 0 {
                let name = word(list, self.big_endian, at + 4)?;
                return std::str::from_utf8(self.string(bytes, name.into())?).ok();
            }
        }
        None
    }

    /// A class by its binary name, `java/lang/String`: its bytes and its module.
    pub fn class(&self, name: &str) -> Option<(Bytes, &str)> {
        let (package, _) = name.rsplit_once('/')?;
        let module = self.module_of(package)?;
        let bytes = &self.bytes[..];
        let path = || {
            b"/".iter().chain(module.as_bytes()).chain(b"/").chain(name.as_bytes()).chain(b".class").copied()
        };
        let contents = self.contents(bytes, &self.find(bytes, path)?)?;
        Some((contents, module))
    }

    /// The names of all modules, in order. Goes through the whole image.
    pub fn modules(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.all().map(|(module, _)| module).collect();
        names.into_iter().map(String::from).collect()
    }

    /// All resources as module and path, in no order that means anything.
    pub fn entries(&self) -> impl Iterator<Item = (&str, String)> {
        self.all().filter_map(|(module, location)| {
            let bytes = &self.bytes[..];
            let [parent, base, extension] =
                [location.parent, location.base, location.extension].map(|offset| self.string(bytes, offset));
            let (parent, base, extension) = (parent?, base?, extension?);
            let slash = if parent.is_empty() { "" } else { "/" };
            let dot = if extension.is_empty() { "" } else { "." };
            let path = [parent, slash.as_bytes(), base, dot.as_bytes(), extension].concat();
            Some((module, String::from_utf8(path).ok()?))
        })
    }

    /// What belongs to a module: all but the lists by which packages and modules are found.
    fn all(&self) -> impl Iterator<Item = (&str, Location)> {
        (0..self.slots as usize).filter_map(|slot| {
            let bytes = &self.bytes[..];
            let location = self.location(bytes, slot)?;
            let module = std::str::from_utf8(self.string(bytes, location.module)?).ok()?;
            (!matches!(module, "" | "packages" | "modules")).then_some((module, location))
        })
    }

    /// Looks a full name up by the perfect hash. Any name hashes to some resource, so the one found is compared.
    fn find<N: Iterator<Item = u8>>(&self, bytes: &[u8], name: impl Fn() -> N) -> Option<Location> {
        let slot = |seed| hash(name(), seed).checked_rem(self.slots);
        let redirect = word(bytes, self.big_endian, self.redirects + 4 * slot(HASH)? as usize)? as i32;
        let slot = match redirect {
            0 => return None,
            1.. => slot(redirect as u32)?,
            // The slot itself, as -1 - slot.
            _ => !redirect as u32,
        };
        if slot >= self.slots {
            return None;
        }
        let location = self.location(bytes, slot as usize)?;
        self.is_named(bytes, &location, name())?.then_some(location)
    }

    fn is_named(&self, bytes: &[u8], location: &Location, name: impl Iterator<Item = u8>) -> Option<bool> {
        let mut name = name;
        let mut starts = |part: &[u8]| part.iter().all(|&byte| name.next() == Some(byte));
        let module = self.string(bytes, location.module)?;
        let parent = self.string(bytes, location.parent)?;
        let extension = self.string(bytes, location.extension)?;
        let same = (module.is_empty() || starts(b"/") && starts(module) && starts(b"/"))
            && (parent.is_empty() || starts(parent) && starts(b"/"))
            && starts(self.string(bytes, location.base)?)
            && (extension.is_empty() || starts(b".") && starts(extension));
        Some(same && name.next().is_none())
    }

    fn location(&self, bytes: &[u8], slot: usize) -> Option<Location> {
        let offset = word(bytes, self.big_endian, self.offsets + 4 * slot)? as usize;
        let mut rest = bytes.get(self.locations.clone())?.get(offset..)?;
        let mut location = Location::default();
        // Each attribute stands there once at most. In a damaged image they might go on for as long as it does.
        for _ in 0..=ATTRIBUTES {
            let (&head, after) = rest.split_first()?;
            let field = match head >> 3 {
                0 => return Some(location),
                1 => &mut location.module,
                2 => &mut location.parent,
                3 => &mut location.base,
                4 => &mut location.extension,
                5 => &mut location.offset,
                6 => &mut location.compressed,
                7 => &mut location.size,
                _ => return None,
            };
            let (value, after) = after.split_at_checked((head & 7) as usize + 1)?;
            // Attributes are big endian in every image.
            *field = value.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            rest = after;
        }
        None
    }

    fn string<'a>(&self, bytes: &'a [u8], offset: u64) -> Option<&'a [u8]> {
        let rest = bytes.get(self.strings.clone())?.get(usize::try_from(offset).ok()?..)?;
        let end = rest.iter().take(LONGEST_STRING).position(|&byte| byte == 0)?;
        rest.get(..end)
    }

    /// Where a resource lies that takes up `size` bytes.
    fn range(&self, location: &Location, size: u64) -> Option<Range<usize>> {
        let start = (self.strings.end as u64).checked_add(location.offset)?;
        let end = start.checked_add(size)?;
        (end <= self.bytes.len() as u64).then_some(start as usize..end as usize)
    }

    fn contents(&self, bytes: &[u8], location: &Location) -> Option<Bytes> {
        if location.compressed == 0 {
            return self.bytes.slice(self.range(location, location.size)?);
        }
        let packed = bytes.get(self.range(location, location.compressed)?)?;
        let mut contents = self.unpack(packed)?;
        for _ in 1..MOST_COMPRESSORS {
            if word(&contents, self.big_endian, 0) != Some(COMPRESSED_MAGIC) {
                break;
            }
            contents = self.unpack(&contents)?;
        }
        (contents.len() as u64 == location.size).then(|| Bytes::new(contents))
    }

    /// Undoes one compressor, whose header stands before what it made.
    fn unpack(&self, packed: &[u8]) -> Option<Vec<u8>> {
        let long = |at| {
            let (high, low) = if self.big_endian { (at, at + 4) } else { (at + 4, at) };
            let word = |at| word(packed, self.big_endian, at).map(u64::from);
            Some(word(high)? << 32 | word(low)?)
        };
        let (size, unpacked) = (long(4)?, long(12)?);
        let name = word(packed, self.big_endian, 20)?;
        if word(packed, self.big_endian, 0)? != COMPRESSED_MAGIC
            || unpacked > LARGEST
            || self.string(&self.bytes, name.into())? != b"zip"
        {
            return None;
        }
        let stream = packed.get(COMPRESSED_HEADER..)?.get(..usize::try_from(size).ok()?)?;
        let mut contents = Vec::new();
        flate2::read::ZlibDecoder::new(stream).take(unpacked + 1).read_to_end(&mut contents).ok()?;
        (contents.len() as u64 == unpacked).then_some(contents)
    }
}

fn word(bytes: &[u8], big_endian: bool, at: usize) -> Option<u32> {
    let word = *bytes.get(at..)?.first_chunk()?;
    Some(if big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
}

fn hash(name: impl Iterator<Item = u8>, seed: u32) -> u32 {
    name.fold(seed, |hash, byte| hash.wrapping_mul(HASH) ^ u32::from(byte)) & 0x7FFF_FFFF
}

#[allow(unsafe_code)]
fn map(file: &std::fs::File) -> std::io::Result<Bytes> {
    // SAFETY: the map is only read, and as bytes that may have any value. It needs a file that no process writes to
    // or cuts off meanwhile; the Java launcher maps the same file of an installed JDK in the same way.
    let map = unsafe { memmap2::Mmap::map(file)? };
    Ok(Bytes::new(map))
}
