//! Jars: archives with a manifest, of which some hold classes for several versions of Java.

use super::LibraryError;
use super::archive::{Archive, ArchiveError, Source};
use crate::bytes::Bytes;
use hashbrown::HashMap;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// The first version of Java for which a jar can hold classes of its own.
const FIRST_VERSION: u32 = 9;

/// An open jar. Its directory has been read; its entries are read when they are asked for.
pub struct Jar {
    path: PathBuf,
    archive: Archive,
    manifest: Manifest,
    /// What a jar for several versions holds for ours: the position of an entry by its name without the version.
    versioned: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
}

/// What is taken from a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The class to start, with dots.
    pub main_class: Option<String>,
    /// Further jars and directories, as URLs relative to the jar.
    pub class_path: Vec<String>,
    /// Whether there are classes for single versions of Java.
    pub multi_release: bool,
}

impl Jar {
    /// Opens the jar at `path`. Fails if it cannot be read, is no archive, or has a damaged directory or manifest.
    pub fn open(path: &Path) -> Result<Jar, LibraryError> {
        let file = std::fs::File::open(path)
            .map_err(|source| LibraryError::Unreadable { path: path.into(), source })?;
        Jar::of(path, Source::File(file))
    }

    /// The jar that `bytes` hold; errors call it `path`.
    pub fn from_bytes(path: &Path, bytes: Bytes) -> Result<Jar, LibraryError> {
        Jar::of(path, Source::Bytes(bytes))
    }

    fn of(path: &Path, source: Source) -> Result<Jar, LibraryError> {
        let archive = Archive::open(source).map_err(|error| match error {
            ArchiveError::Io(source) => LibraryError::Unreadable { path: path.into(), source },
            ArchiveError::Corrupt(why) => LibraryError::CorruptJar { path: path.into(), why },
            ArchiveError::TooLarge => {
                LibraryError::CorruptJar { path: path.into(), why: "its directory is too large" }
            }
        })?;
        let mut jar =
            Jar { path: path.into(), archive, manifest: Manifest::default(), versioned: HashMap::default() };
        if let Some(name) = jar.manifest_name() {
            let bytes = jar.find(&name)?;
            jar.manifest = Manifest::parse(bytes.as_deref().unwrap_or_default());
        }
        if jar.manifest.multi_release {
            jar.index_versions();
        }
        Ok(jar)
    }

    /// What its manifest says; of one without a manifest nothing.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// An entry by its name, in the variant for the supported version of Java. `None` if there is none; an error if
    /// it is damaged or too large.
    pub fn find(&self, name: &str) -> Result<Option<Bytes>, LibraryError> {
        let Some(position) = self.versioned.get(name).copied().or_else(|| self.archive.position(name)) else {
            return Ok(None);
        };
        let (path, entry) = (self.path.clone(), String::from(name));
        match self.archive.contents(position) {
            Ok(contents) => Ok(Some(Bytes::new(contents))),
            Err(ArchiveError::Io(source)) => Err(LibraryError::Unreadable { path, source }),
            Err(ArchiveError::Corrupt(why)) => Err(LibraryError::CorruptEntry { path, entry, why }),
            Err(ArchiveError::TooLarge) => Err(LibraryError::TooLarge { path, entry }),
        }
    }

    /// The names of what can be found in it, in no order. What is only there for single versions is among them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let only_versioned = |name: &&str| self.archive.position(name).is_none();
        let versioned = self.versioned.keys().map(|name| &**name).filter(only_versioned);
        self.archive.names().filter(|name| !name.ends_with('/')).chain(versioned)
    }

    fn manifest_name(&self) -> Option<String> {
        if self.archive.position(MANIFEST).is_some() {
            return Some(MANIFEST.into());
        }
        self.archive.names().find(|name| name.eq_ignore_ascii_case(MANIFEST)).map(String::from)
    }

    fn index_versions(&mut self) {
        let mut best: HashMap<Box<str>, (u32, u32), foldhash::fast::RandomState> = HashMap::default();
        for full in self.archive.names() {
            let Some((version, name)) = full.strip_prefix(VERSIONS).and_then(|rest| rest.split_once('/'))
            else {
                continue;
            };
            let (Ok(version), Some(position)) = (version.parse(), self.archive.position(full)) else {
                continue;
            };
            // What is about the jar itself exists once.
            let fits = (FIRST_VERSION..=super::jdk::SUPPORTED).contains(&version);
            if !fits || name.is_empty() || name.starts_with("META-INF/") {
                continue;
            }
            let best = best.entry(name.into()).or_insert((version, position));
            if best.0 < version {
                *best = (version, position);
            }
        }
        self.versioned = best.into_iter().map(|(name, (_, position))| (name, position)).collect();
    }
}

impl Manifest {
    /// Reads the main section of a manifest, and passes over what it cannot make sense of.
    pub fn parse(bytes: &[u8]) -> Manifest {
        let mut manifest = Manifest::default();
        for (name, value) in main_section(&String::from_utf8_lossy(bytes)) {
            let value = value.trim();
            if name.eq_ignore_ascii_case("Main-Class") {
                manifest.main_class = Some(value.into()).filter(|class: &String| !class.is_empty());
            } else if name.eq_ignore_ascii_case("Class-Path") {
                manifest.class_path = value.split_ascii_whitespace().map(String::from).collect();
            } else if name.eq_ignore_ascii_case("Multi-Release") {
                manifest.multi_release = value.eq_ignore_ascii_case("true");
            }
        }
        manifest
    }
}

/// The attributes before the first empty line. A line that begins with a space continues the one before it.
fn main_section(text: &str) -> Vec<(String, String)> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    let lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(more) = line.strip_prefix(' ') {
            if let Some((_, value)) = attributes.last_mut() {
                value.push_str(more);
            }
        } else if let Some((name, value)) = line.split_once(':') {
            attributes.push((name.trim().into(), value.into()));
        }
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_ends_at_the_first_empty_line_and_continues_lines() {
        let text = "Manifest-Version: 1.0\r\nMain-Class: a.b.Ma\r\n in\r\nclass-path: lib/x.jar \n  lib/y.jar\nMulti-Release: TRUE\n\nName: a\nMain-Class: no\n";
        let manifest = Manifest::parse(text.as_bytes());
        assert_eq!(manifest.main_class.as_deref(), Some("a.b.Main"));
        assert_eq!(manifest.class_path, ["lib/x.jar", "lib/y.jar"]);
        assert!(manifest.multi_release);
    }

    #[test]
    fn a_manifest_without_sense_says_nothing() {
        for text in ["", "\n", " x", ":", "Main-Class:", "Main-Class", "\u{0}\u{1}:\n :\n"] {
            assert_eq!(Manifest::parse(text.as_bytes()), Manifest::default(), "{text:?}");
        }
    }
}
