//! Makes small images of the jimage format, as `jlink` does.

use std::collections::BTreeMap;

const HASH: u32 = 0x0100_0193;

/// How a resource is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Packed {
    /// As it is.
    No,
    /// By zlib, as many times.
    Zip(usize),
    /// In a way that is not supported.
    Otherwise,
}

/// An image of resources, each with its module, its path, its contents, and how these are stored.
pub fn image(big_endian: bool, resources: &[(&str, &str, &[u8], Packed)]) -> Vec<u8> {
    let mut image = Builder { big_endian, strings: vec![0], locations: vec![0], ..Builder::default() };
    let mut packages: BTreeMap<String, &str> = BTreeMap::new();
    for (module, path, contents, packed) in resources {
        let (parent, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (base, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        image.add(&format!("/{module}/{path}"), [module, parent, base, extension], contents, *packed);
        if extension == "class" && !parent.is_empty() {
            packages.insert(parent.replace('/', "."), module);
        }
    }
    for (package, module) in packages {
        // An empty part in another module comes first.
        let names = [image.string("other"), image.string(module)];
        let list = [1, names[0], 0, names[1]].map(|word| image.word(word)).concat();
        image.add(&format!("/packages/{package}"), ["packages", "", &package, ""], &list, Packed::No);
    }
    image.finish()
}

#[derive(Default)]
struct Builder {
    big_endian: bool,
    strings: Vec<u8>,
    known: BTreeMap<String, u32>,
    /// The first is one without attributes, for slots that no name has.
    locations: Vec<u8>,
    contents: Vec<u8>,
    /// Full names and where their locations are.
    names: Vec<(String, u32)>,
}

impl Builder {
    fn word(&self, word: u32) -> Vec<u8> {
        if self.big_endian { word.to_be_bytes() } else { word.to_le_bytes() }.to_vec()
    }

    fn long(&self, long: u64) -> Vec<u8> {
        if self.big_endian { long.to_be_bytes() } else { long.to_le_bytes() }.to_vec()
    }

    fn string(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let next = self.strings.len() as u32;
        if !self.known.contains_key(text) {
            self.strings.extend(text.bytes().chain([0]));
        }
        *self.known.entry(text.into()).or_insert(next)
    }

    fn add(&mut self, name: &str, parts: [&str; 4], contents: &[u8], packed: Packed) {
        let stored = match packed {
            Packed::No => contents.to_vec(),
            Packed::Zip(times) => (0..times).fold(contents.to_vec(), |bytes, _| self.pack("zip", &bytes)),
            Packed::Otherwise => self.pack("compact-cp", contents),
        };
        let compressed = if packed == Packed::No { 0 } else { stored.len() as u64 };
        let parts = parts.map(|part| u64::from(self.string(part)));
        let offset = self.contents.len() as u64;
        let values = [parts[0], parts[1], parts[2], parts[3], offset, compressed, contents.len() as u64];
        self.names.push((name.into(), self.locations.len() as u32));
        for (kind, value) in (1..).zip(values) {
            if value != 0 {
                let bytes = value.to_be_bytes();
                let zeros = value.leading_zeros() as usize / 8;
                self.locations.push(kind << 3 | (7 - zeros) as u8);
                self.locations.extend(&bytes[zeros..]);
            }
        }
        self.locations.push(0);
        self.contents.extend(stored);
    }

    fn pack(&mut self, by: &str, contents: &[u8]) -> Vec<u8> {
        let by = self.string(by);
        let mut stream = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut stream, contents).unwrap();
        let stream = stream.finish().unwrap();
        let sizes = [self.long(stream.len() as u64), self.long(contents.len() as u64)].concat();
        [self.word(0xCAFE_FAFA), sizes, self.word(by), self.word(0), vec![1], stream].concat()
    }

    fn finish(self) -> Vec<u8> {
        let (redirects, slots) = perfect_hash(&self.names);
        let sizes = [self.names.len(), slots.len(), self.locations.len(), self.strings.len()];
        let header = [0xCAFE_DADA, 1 << 16, 0].into_iter().chain(sizes.map(|size| size as u32));
        let words = header.chain(redirects.into_iter().map(|redirect| redirect as u32)).chain(slots);
        let mut bytes: Vec<u8> = words.flat_map(|word| self.word(word)).collect();
        bytes.extend([self.locations, self.strings, self.contents].concat());
        bytes
    }
}

/// Seeds are tried up to this one. Names whose hashes are congruent for one seed may be so for all, as the last bit of
/// the hash is just a sum of bits.
const MOST_SEEDS: i32 = 10_000;

/// The redirects and the values by slot, in tables that are as large as is needed for all names to have a slot.
fn perfect_hash(names: &[(String, u32)]) -> (Vec<i32>, Vec<u32>) {
    let mut count = names.len();
    loop {
        if let Some(tables) = perfect_hash_of(count, names) {
            return tables;
        }
        count = (count + 1) | 1;
    }
}

/// Names that share a slot get a seed with which each has one of its own. A slot without a name has the value 0.
fn perfect_hash_of(count: usize, names: &[(String, u32)]) -> Option<(Vec<i32>, Vec<u32>)> {
    let slot = |name: &str, seed: u32| {
        let hash = name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH) ^ u32::from(byte));
        (hash & 0x7FFF_FFFF) as usize % count
    };
    let mut buckets: Vec<Vec<&(String, u32)>> = vec![Vec::new(); count];
    for entry in names {
        buckets[slot(&entry.0, HASH)].push(entry);
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
    let (mut redirects, mut slots) = (vec![0; count], vec![None; count]);
    for bucket in order {
        match buckets[bucket].as_slice() {
            [] => {}
            [(_, value)] => {
                let free = slots.iter().position(Option::is_none)?;
                redirects[bucket] = -1 - free as i32;
                slots[free] = Some(*value);
            }
            several => {
                let placed = |seed: i32| {
                    let mut slots = slots.clone();
                    let mut is_free =
                        |name: &str, value| slots[slot(name, seed as u32)].replace(value).is_none();
                    several.iter().all(|(name, value)| is_free(name, *value)).then_some((seed, slots))
                };
                (redirects[bucket], slots) = (1..MOST_SEEDS).find_map(placed)?;
            }
        }
    }
    Some((redirects, slots.into_iter().map(Option::unwrap_or_default).collect()))
}
