//! The class path: directories and jars that are searched in order, as `java` does.

use super::{Jar, LibraryError, tree};
use crate::bytes::Bytes;
use hashbrown::HashSet;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Directories in which classes lie are not nested deeper; a symbolic link to a directory above is.
const DEEPEST: usize = 64;

/// An open class path.
pub struct ClassPath {
    paths: Vec<PathBuf>,
    kinds: Vec<EntryKind>,
}

/// What an entry of the class path is.
enum EntryKind {
    Directory,
    Jar(Box<Jar>),
}

/// A class or resource that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its contents.
    pub bytes: Bytes,
    /// The place of its origin among the entries of the class path.
    pub entry: usize,
}

impl ClassPath {
    /// Opens directories and jars. `directory/*` stands for the jars of a directory, an empty entry for the current
    /// directory; what does not exist is passed over; a jar's own `Class-Path` comes right after it. A file that is
    /// not a readable jar is an error.
    pub fn open(entries: &[PathBuf]) -> Result<ClassPath, LibraryError> {
        let mut class_path = ClassPath { paths: Vec::new(), kinds: Vec::new() };
        let mut seen = HashSet::new();
        // A stack, so that what a jar names comes before what follows the jar. It ends since nothing is seen twice.
        let mut pending = Vec::new();
        for entry in entries {
            expand(entry, &mut pending)?;
        }
        pending.reverse();
        while let Some(path) = pending.pop() {
            let Ok(identity) = fs::canonicalize(&path) else { continue };
            if !seen.insert(identity) {
                continue;
            }
            if path.is_dir() {
                class_path.add(path, EntryKind::Directory);
            } else if !path.is_file() {
                return Err(LibraryError::CorruptJar { path, why: "it is neither a file nor a directory" });
            } else {
                let jar = Jar::open(&path)?;
                let named = jar.manifest().class_path.iter().filter_map(|url| beside(&path, url));
                pending.extend(named.collect::<Vec<_>>().into_iter().rev());
                class_path.add(path, EntryKind::Jar(Box::new(jar)));
            }
        }
        Ok(class_path)
    }

    fn add(&mut self, path: PathBuf, place: EntryKind) {
        self.paths.push(path);
        self.kinds.push(place);
    }

    /// A class or resource by its path with slashes, `a/b/C.class`, in the first entry that has it. An error if that
    /// entry has it damaged.
    pub fn find(&self, path: &str) -> Result<Option<Found>, LibraryError> {
        for entry in 0..self.kinds.len() {
            if let Some(bytes) = self.find_in(entry, path)? {
                return Ok(Some(Found { bytes, entry }));
            }
        }
        Ok(None)
    }

    /// All that have this path, in the order of the entries.
    pub fn find_all(&self, path: &str) -> Result<Vec<Found>, LibraryError> {
        let mut all = Vec::new();
        for entry in 0..self.kinds.len() {
            all.extend(self.find_in(entry, path)?.map(|bytes| Found { bytes, entry }));
        }
        Ok(all)
    }

    fn find_in(&self, entry: usize, path: &str) -> Result<Option<Bytes>, LibraryError> {
        match &self.kinds[entry] {
            EntryKind::Jar(jar) => jar.find(path),
            EntryKind::Directory => read_in(&self.paths[entry], path),
        }
    }

    /// The entries that exist, as absolute paths, with wildcards and the jars that jars name in their places.
    pub fn entries(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The names of all classes, `a/b/C`, in order. Goes through all directories.
    pub fn classes(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for (path, place) in self.paths.iter().zip(&self.kinds) {
            match place {
                EntryKind::Jar(jar) => names.extend(jar.names().filter_map(class_name)),
                EntryKind::Directory => {
                    let mut seen = HashSet::new();
                    list(path, "", DEEPEST, &mut seen, &mut |file| names.extend(class_name(file)));
                }
            }
        }
        names.into_iter().collect()
    }
}

/// The name of the class that a file holds by its path; `None` for other files and for what describes modules.
fn class_name(path: &str) -> Option<String> {
    let name = path.strip_suffix(".class")?;
    let simple = name.rsplit('/').next()?;
    let described = simple.is_empty() || simple == "module-info" || simple == "package-info";
    (!described && !name.starts_with("META-INF/")).then(|| name.into())
}

/// Puts the files of a directory and of those in it before `visit`, by their paths from the first. What cannot be
/// listed counts as empty.
fn list(root: &Path, prefix: &str, depth: usize, seen: &mut HashSet<PathBuf>, visit: &mut dyn FnMut(&str)) {
    let directory = root.join(prefix);
    if depth == 0 || !fs::canonicalize(&directory).is_ok_and(|identity| seen.insert(identity)) {
        return;
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let path = if prefix.is_empty() { name.into() } else { format!("{prefix}/{name}") };
        if entry.path().is_dir() {
            list(root, &path, depth - 1, seen, visit);
        } else {
            visit(&path);
        }
    }
}

/// Makes an entry absolute, and a wildcard the jars that it stands for, in order.
fn expand(entry: &Path, paths: &mut Vec<PathBuf>) -> Result<(), LibraryError> {
    let entry = if entry.as_os_str().is_empty() { Path::new(".") } else { entry };
    let path = std::path::absolute(entry)
        .map_err(|source| LibraryError::Unreadable { path: entry.into(), source })?;
    if path.file_name().is_none_or(|name| name != "*") {
        paths.push(path);
        return Ok(());
    }
    let directory = path.parent().unwrap_or(&path);
    let is_jar = |path: &PathBuf| path.extension().is_some_and(|end| end == "jar" || end == "JAR");
    let files = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> = files.filter(|path| is_jar(path) && path.is_file()).collect();
    jars.sort();
    paths.append(&mut jars);
    Ok(())
}

/// The file that a URL in the manifest of `jar` names; `None` if it is not one of this machine.
fn beside(jar: &Path, url: &str) -> Option<PathBuf> {
    let path = match url.split_once(':') {
        Some(("file", path)) => path.strip_prefix("//").unwrap_or(path),
        Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => return None,
        _ => url,
    };
    Some(jar.parent()?.join(percent_decoded(path)?))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

/// Reads a file in a directory, if it lies within and is not too large.
fn read_in(directory: &Path, path: &str) -> Result<Option<Bytes>, LibraryError> {
    let within = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if !within || path.contains('\0') {
        return Ok(None);
    }
    let file = directory.join(path);
    match tree::read(&file) {
        Ok(bytes) => Ok(Some(Bytes::new(bytes))),
        Err(source) => match source.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidFilename => Ok(None),
            ErrorKind::FileTooLarge => {
                Err(LibraryError::TooLarge { path: directory.into(), entry: path.into() })
            }
            _ => Err(LibraryError::Unreadable { path: file, source }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_files_beside_its_jar() {
        let beside = |url| beside(Path::new("/a/b/x.jar"), url);
        assert_eq!(beside("lib/y.jar"), Some("/a/b/lib/y.jar".into()));
        assert_eq!(beside("file:///c/y%20z.jar"), Some("/c/y z.jar".into()));
        assert_eq!(beside("file:/c/y.jar"), Some("/c/y.jar".into()));
        assert_eq!(beside("http://example.org/y.jar"), None);
        assert_eq!(beside("y%2"), None);
        assert_eq!(beside("y%é"), None);
    }
}
