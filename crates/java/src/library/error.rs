//! What can be wrong with a JDK, a class path or a program, in words that say what to do about it.

use std::io;
use std::path::PathBuf;

/// Why classes could not be found, read or compiled.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// A file or directory could not be opened or read.
    #[error("{}: cannot be read; check the path and its permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The class library is not an image that can be read.
    #[error("{}: {why}; name an undamaged JDK 17 with --jdk", path.display())]
    CorruptImage {
        /// The image.
        path: PathBuf,
        /// How that was noticed.
        why: &'static str,
    },
    /// A jar is not one, or is damaged as a whole.
    #[error("{}: not a readable jar: {why}; restore it, or take it off the class path", path.display())]
    CorruptJar {
        /// The jar.
        path: PathBuf,
        /// How that was noticed.
        why: &'static str,
    },
    /// One entry of a jar is damaged.
    #[error("{}: the entry {entry} cannot be read: {why}; make the jar anew", path.display())]
    CorruptEntry {
        /// The jar.
        path: PathBuf,
        /// The name of the entry.
        entry: String,
        /// How that was noticed.
        why: &'static str,
    },
    /// A class or resource is larger than any should be.
    #[error(
        "{}: {entry} has {size} bytes and at most {} are read; take it off the class path",
        path.display(),
        super::LARGEST
    )]
    TooLarge {
        /// The jar or directory.
        path: PathBuf,
        /// What in it is too large.
        entry: String,
        /// Its size.
        size: u64,
    },
    /// No JDK was found at all.
    #[error(
        "no JDK 17 was found ({looked}); install one (Debian package openjdk-17-jdk-headless), or name its directory with --jdk or JAVA_HOME"
    )]
    NoJdk {
        /// Where was looked and what was there.
        looked: String,
    },
    /// A JDK was named that is not one.
    #[error(
        "{}: not a JDK: {why}; name the directory of a JDK 17 with --jdk or JAVA_HOME (Debian package openjdk-17-jdk-headless)",
        home.display()
    )]
    NotAJdk {
        /// The directory.
        home: PathBuf,
        /// What is missing there.
        why: String,
    },
    /// A JDK was found whose library this version was not made for.
    #[error(
        "{}: this is Java {version} and only Java {} is supported; install it (Debian package openjdk-17-jdk-headless), or name its directory with --jdk or JAVA_HOME",
        home.display(),
        super::jdk::SUPPORTED
    )]
    UnsupportedJdk {
        /// Its directory.
        home: PathBuf,
        /// The version that its `release` file names.
        version: String,
    },
}
