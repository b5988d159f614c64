//! A hash of files and of trees of them, by which is known whether sources have to be compiled anew.

use super::{LARGEST, LibraryError};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// How much of a tree is looked at. A larger one is a home directory rather than the sources of a program.
const MOST_DIRECTORIES: usize = 2_000;
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 64 << 20;

/// A hash that grows. 128 bits, since equal hashes are taken to be of the same files.
pub struct Fingerprint(Xxh3);

impl Fingerprint {
    /// The hash of nothing.
    pub fn new() -> Fingerprint {
        Fingerprint(Xxh3::new())
    }

    /// The hash as a name for a file.
    pub fn finish(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }

    /// Adds bytes and their number, so that what ends here and what begins cannot be exchanged.
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Adds the name of a file.
    pub fn path(&mut self, path: &Path) {
        self.bytes(path.as_os_str().as_bytes());
    }

    /// Adds what a file contains.
    pub fn contents(&mut self, path: &Path) -> Result<(), LibraryError> {
        let contents = read(path).map_err(|source| LibraryError::Unreadable { path: path.into(), source })?;
        self.bytes(&contents);
        Ok(())
    }

    /// Adds the names and contents of all sources in a tree of packages; false if there is too much.
    #[must_use]
    pub fn sources_under(&mut self, root: &Path) -> bool {
        let Some(files) = files(root, Some("java")) else { return false };
        let size = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
        if files.iter().map(size).sum::<u64>() > MOST_BYTES {
            return false;
        }
        for file in files {
            self.path(file.strip_prefix(root).unwrap_or(&file));
            // One that cannot be read cannot be compiled either.
            self.bytes(&read(&file).unwrap_or_default());
        }
        true
    }

    /// Adds an entry of a class path: names, sizes and times, because reading all jars each time takes too long.
    /// False if there is too much.
    #[must_use]
    pub fn classes_of(&mut self, entry: &Path) -> bool {
        self.path(entry);
        let files = if entry.is_dir() { files(entry, Some("class")) } else { Some(vec![entry.into()]) };
        let Some(files) = files else { return false };
        for path in files {
            let Ok(file) = fs::metadata(&path) else { continue };
            self.path(&path);
            for number in [file.len(), file.mtime() as u64, file.mtime_nsec() as u64, file.ino()] {
                self.0.update(&number.to_le_bytes());
            }
        }
        true
    }

    /// Adds the names and contents of all files that the compiler has put into a directory.
    pub fn all_contents(&mut self, directory: &Path) -> Result<(), LibraryError> {
        for file in files(directory, None).unwrap_or_default() {
            self.path(file.strip_prefix(directory).unwrap_or(&file));
            self.contents(&file)?;
        }
        Ok(())
    }
}

/// The files of a tree of packages whose name has this ending, in order; `None` if there are too many. A directory
/// whose name cannot be that of a package is none. What cannot be listed counts as empty. Without an ending it is
/// all files in all directories.
fn files(root: &Path, ending: Option<&str>) -> Option<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    let mut directories = 0;
    while let Some(directory) = pending.pop() {
        directories += 1;
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let wanted = ending.is_none_or(|ending| path.extension().is_some_and(|end| end == ending));
            // The kind in the listing spares a look at each file; only links have to be followed.
            let kind = entry.file_type().ok()?;
            let is_directory = if kind.is_symlink() { path.is_dir() } else { kind.is_dir() };
            if is_directory {
                if ending.is_none() || is_package(&name) {
                    pending.push(path);
                }
            } else if wanted {
                found.push(path);
            }
        }
        if ending.is_some() && (directories + pending.len() > MOST_DIRECTORIES || found.len() > MOST_FILES) {
            return None;
        }
    }
    found.sort();
    Some(found)
}

/// Whether a directory can be a part of a package: its name is an identifier.
fn is_package(name: &OsStr) -> bool {
    let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let name = name.as_bytes();
    name.iter().all(of_word) && !name.first().is_none_or(u8::is_ascii_digit)
}

/// A whole file. Fails if it is larger than [`LARGEST`], and if it is a pipe or device, whose end is not known.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput };
        return Err(io::Error::new(kind, "it is not a file"));
    }
    if metadata.len() > LARGEST {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    fs::File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
