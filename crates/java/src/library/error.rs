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
        "{}: {entry} is larger than the {} bytes that are read at most; take it off the class path",
        path.display(),
        super::LARGEST
    )]
    TooLarge {
        /// The jar or directory.
        path: PathBuf,
        /// What in it is too large.
        entry: String,
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
    /// The JDK has no compiler.
    #[error(
        "{}: there is no compiler, bin/javac; install it (Debian package openjdk-17-jdk-headless), name another JDK 17 with --jdk, or name compiled classes",
        home.display()
    )]
    NoCompiler {
        /// The directory of the JDK.
        home: PathBuf,
    },
    /// It is not known where compiled classes are kept.
    #[error("there is no directory for compiled classes; set XDG_CACHE_HOME or HOME to an absolute path")]
    NoCache,
    /// Compiled classes cannot be kept.
    #[error(
        "{}: compiled classes cannot be kept there; make it writable, or set XDG_CACHE_HOME to another directory",
        path.display()
    )]
    Cache {
        /// What could not be written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A source has errors.
    #[error(
        "the program does not compile; mend the source, or name what it needs with --classpath\n{message}"
    )]
    DoesNotCompile {
        /// What the compiler says.
        message: String,
    },
    /// The file of a class is something else.
    #[error("{}: not a class file; compile it anew, or name another", path.display())]
    NotAClass {
        /// The file.
        path: PathBuf,
    },
    /// A class does not lie where its package says.
    #[error(
        "{}: this is the class {class}, which does not lie in the directory of its package; name the directory in which its packages begin",
        path.display()
    )]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// The name of the class, with dots.
        class: String,
    },
    /// The target is a file of another kind.
    #[error(
        "{}: not a Java program; name a .java, .class or .jar file, a directory of classes, or a class", path.display()
    )]
    NotAProgram {
        /// The file.
        path: PathBuf,
    },
    /// A class is not on the class path.
    #[error(
        "could not find or load the main class {name}: there is no such file, and no such class on the class path ({looked}); compile it, or name its directory or jar with --classpath"
    )]
    NoSuchClass {
        /// The name of the class, with dots.
        name: String,
        /// The entries of the class path.
        looked: String,
    },
    /// There is nothing to start.
    #[error("{place}: there is no `public static void main(String[])`; name a class that has one")]
    NoMain {
        /// The class, source, jar or directory.
        place: String,
    },
    /// It is not clear what to start.
    #[error(
        "{place}: several classes have a main method ({classes}); name one, and this place with --classpath"
    )]
    SeveralMains {
        /// The jar or directory.
        place: String,
        /// The names of the classes.
        classes: String,
    },
}
