//! Jars: archives with a manifest, of which some hold classes for several versions of Java.

use super::archive::{Archive, ArchiveError, Source};
use super::{Grant, LibraryError};
use crate::bytes::Bytes;
use hashbrown::HashMap;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// The first version of Java for which a jar can hold classes of its own.
const FIRST_VERSION: u32 = 9;

/// Its class path takes many times its size in memory.
const LARGEST_MANIFEST: usize = 4 << 20;

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
    /// Packages of the JDK that are exported to all code on the class path, if this jar is started.
    pub add_exports: Vec<Grant>,
    /// The same for packages that are opened to reflection.
    pub add_opens: Vec<Grant>,
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
            let bytes = bytes.as_deref().unwrap_or_default();
            if bytes.len() > LARGEST_MANIFEST {
                return Err(LibraryError::CorruptJar { path: path.into(), why: "its manifest is too large" });
            }
            jar.manifest = Manifest::parse(bytes);
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
        // As `java` does it, in any case. Of several it is the same one in each run.
        self.archive.names().filter(|name| name.eq_ignore_ascii_case(MANIFEST)).min().map(String::from)
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
    /// Reads the main section of a manifest, which ends at the first empty line, and passes over what it cannot make
    /// sense of.
    pub fn parse(bytes: &[u8]) -> Manifest {
        let text = String::from_utf8_lossy(bytes);
        let [mut main_class, mut class_path, mut multi_release] = [const { String::new() }; 3];
        let [mut add_exports, mut add_opens] = [const { String::new() }; 2];
        let mut current: Option<&mut String> = None;
        let lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
        for line in lines.take_while(|line| !line.is_empty()) {
            // A line that begins with a space continues the one before it.
            if let Some(more) = line.strip_prefix(' ') {
                if let Some(attribute) = &mut current {
                    attribute.push_str(more);
                }
                continue;
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            current = match name.trim().to_ascii_lowercase().as_str() {
                "main-class" => Some(&mut main_class),
                "class-path" => Some(&mut class_path),
                "multi-release" => Some(&mut multi_release),
                "add-exports" => Some(&mut add_exports),
                "add-opens" => Some(&mut add_opens),
                _ => None,
            };
            if let Some(attribute) = &mut current {
                attribute.clear();
                attribute.push_str(value);
            }
        }
        let grants = |text: &str| text.split_ascii_whitespace().filter_map(Grant::of_manifest).collect();
        Manifest {
            add_exports: grants(&add_exports),
            add_opens: grants(&add_opens),
            main_class: Some(main_class.trim().into()).filter(|name: &String| !name.is_empty()),
            class_path: class_path.split_ascii_whitespace().map(String::from).collect(),
            multi_release: multi_release.trim().eq_ignore_ascii_case("true"),
        }
    }
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
