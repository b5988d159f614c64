//! Sources are compiled by the JDK's own compiler into a cache, so that a second run does not start it.
//!
//! A directory of the cache is named by a hash of all that the compiler might have read: the sources, everything
//! beside them that they might refer to, the class path and the version of the JDK. It appears all at once, by being
//! renamed, and never changes, so that runs at the same time and runs that go on for days do not disturb each other.

use super::outline::SourceOutline;
use super::tree::{self, Fingerprint};
use super::verify_class;
use super::{ClassPath, Jdk, LibraryError};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the compiler is told in every case. With classes of a class path and sources beside it, the sources count.
/// What follows `-J` makes it start faster: 0.5 instead of 0.7 s for a small program.
const OPTIONS: [&str; 7] = [
    "-g",
    "-nowarn",
    "-encoding",
    "UTF-8",
    "-Xprefer:source",
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:+UseSerialGC",
];

/// Changes when directories of the cache that were made before must not be used any more.
const CACHE_VERSION: &str = "2";

/// Compiles `sources`, and what they refer to in the directories in which their packages begin. Returns the directory
/// with the classes. The error of sources that do not compile holds what the compiler says.
pub fn compile(sources: &[PathBuf], jdk: &Jdk, class_path: &[PathBuf]) -> Result<PathBuf, LibraryError> {
    let compilation = Compilation::new(sources, jdk, class_path)?;
    let cache = cache()?;
    let key = compilation.key()?;
    if let Some(key) = &key {
        let classes = cache.join(key);
        if classes.is_dir() {
            return Ok(classes);
        }
    }
    let fresh = NewDirectory::new(&cache)?;
    compilation.run(&fresh.0, &brought(&cache)?.0)?;
    // A source that was changed meanwhile belongs to no key, and neither do classes of which not all sources could be
    // looked at. Classes can always be named by themselves.
    let name = match key {
        Some(key) if compilation.key()?.as_ref() == Some(&key) => key,
        _ => {
            let mut print = Fingerprint::new();
            print.all_contents(&fresh.0)?;
            format!("{}-classes", print.finish())
        }
    };
    let classes = cache.join(name);
    match fs::rename(&fresh.0, &classes) {
        Ok(()) => Ok(classes),
        // Another run was faster.
        Err(_) if classes.is_dir() => Ok(classes),
        Err(source) => Err(LibraryError::Cache { path: classes, source }),
    }
}

/// One call of the compiler.
struct Compilation<'a> {
    jdk: &'a Jdk,
    javac: PathBuf,
    sources: Vec<PathBuf>,
    /// The directories in which the packages of the sources begin.
    roots: Vec<PathBuf>,
    class_path: Vec<PathBuf>,
}

impl<'a> Compilation<'a> {
    fn new(sources: &[PathBuf], jdk: &'a Jdk, class_path: &[PathBuf]) -> Result<Self, LibraryError> {
        let javac = jdk.home.join("bin/javac");
        if !javac.is_file() {
            return Err(LibraryError::NoCompiler { home: jdk.home.clone() });
        }
        let class_path = ClassPath::open(class_path)?.entries().to_vec();
        let mut compilation = Compilation { jdk, javac, sources: Vec::new(), roots: Vec::new(), class_path };
        for source in sources {
            let unreadable = |error| LibraryError::Unreadable { path: source.clone(), source: error };
            let source = fs::canonicalize(source).map_err(unreadable)?;
            let text = tree::read(&source).map_err(unreadable)?;
            let package = SourceOutline::read(&String::from_utf8_lossy(&text)).package;
            if let Some(root) = root(&source, &package).filter(|root| !compilation.roots.contains(root)) {
                compilation.roots.push(root);
            }
            compilation.sources.push(source);
        }
        Ok(compilation)
    }

    /// What it is told that the JDK exports to the sources.
    fn exports(&self) -> impl Iterator<Item = String> {
        let grants = self.jdk.exports.iter().filter(|grant| grant.is_for_class_path());
        grants.map(|grant| format!("--add-exports={}/{}=ALL-UNNAMED", grant.module, grant.package))
    }

    /// The hash of all that the compiler might read; `None` if that is too much to look at.
    fn key(&self) -> Result<Option<String>, LibraryError> {
        let mut print = Fingerprint::new();
        print.text(CACHE_VERSION);
        print.text(&self.jdk.version);
        print.path(&self.jdk.home);
        OPTIONS.iter().for_each(|option| print.text(option));
        self.exports().for_each(|export| print.text(&export));
        for source in &self.sources {
            print.path(source.file_name().unwrap_or_default().as_ref());
            print.contents(source)?;
        }
        let mut whole = true;
        for root in &self.roots {
            whole &= print.sources_under(root);
        }
        for entry in &self.class_path {
            whole &= print.classes_of(entry);
        }
        Ok(whole.then(|| print.finish()))
    }

    /// `brought` is a directory with the classes that the machine brings along.
    fn run(&self, classes: &Path, brought: &Path) -> Result<(), LibraryError> {
        let class_path = [self.class_path.as_slice(), &[brought.into()]].concat();
        // A path that is not given has a default, which is not wanted; the new directory is empty.
        let joined = |paths: &[PathBuf]| -> OsString {
            let paths =
                if paths.is_empty() { vec![classes] } else { paths.iter().map(PathBuf::as_path).collect() };
            paths.iter().map(|path| path.as_os_str()).collect::<Vec<_>>().join(":".as_ref())
        };
        let output = Command::new(&self.javac)
            .args(OPTIONS)
            .args(self.exports())
            .arg("-d")
            .arg(classes)
            .arg("-sourcepath")
            .arg(joined(&self.roots))
            .arg("-classpath")
            .arg(joined(&class_path))
            .args(&self.sources)
            .env_remove("JDK_JAVAC_OPTIONS")
            .env_remove("CLASSPATH")
            .stdin(Stdio::null())
            .output()
            .map_err(|source| LibraryError::Unreadable { path: self.javac.clone(), source })?;
        if output.status.success() {
            return Ok(());
        }
        let mut message = String::from_utf8_lossy(&output.stderr).trim().to_string();
        if message.is_empty() {
            message = format!("javac: {}", output.status);
        }
        Err(LibraryError::DoesNotCompile { message })
    }
}

/// The directory in which the package of a source begins; `None` if it does not lie where its package says.
fn root(source: &Path, package: &[String]) -> Option<PathBuf> {
    let mut directory = source.parent()?;
    for part in package.iter().rev() {
        if directory.file_name()? != part.as_str() {
            return None;
        }
        directory = directory.parent()?;
    }
    Some(directory.into())
}

/// The directory of all compiled classes, which is made if it does not exist.
fn cache() -> Result<PathBuf, LibraryError> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    let cache = base.ok_or(LibraryError::NoCache)?.join("sojourner/classes");
    match fs::create_dir_all(&cache) {
        Ok(()) => Ok(cache),
        Err(source) => Err(LibraryError::Cache { path: cache, source }),
    }
}

/// A directory with the classes that the machine brings along, for sources that refer to them.
fn brought(cache: &Path) -> Result<NewDirectory, LibraryError> {
    let directory = NewDirectory::new(cache)?;
    for name in ["sojourner/Verify", "sojourner/Property", "gov/nasa/jpf/vm/Verify"] {
        let path = directory.0.join(name).with_extension("class");
        let made = fs::create_dir_all(path.parent().unwrap_or(&directory.0));
        let written = made.and_then(|()| fs::write(&path, verify_class(name).unwrap_or_default()));
        written.map_err(|source| LibraryError::Cache { path, source })?;
    }
    Ok(directory)
}

/// A new directory that is removed again unless it was renamed.
struct NewDirectory(PathBuf);

impl NewDirectory {
    fn new(parent: &Path) -> Result<NewDirectory, LibraryError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!(".new-{}-{count}", std::process::id()));
        // One of the same name can only be left over from a process that was killed.
        let _ = fs::remove_dir_all(&path);
        match fs::create_dir(&path) {
            Ok(()) => Ok(NewDirectory(path)),
            Err(source) => Err(LibraryError::Cache { path, source }),
        }
    }
}

impl Drop for NewDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_begin_where_their_names_do() {
        let package = ["a".to_string(), "b".to_string()];
        assert_eq!(root(Path::new("/x/A.java"), &[]), Some("/x".into()));
        assert_eq!(root(Path::new("/x/a/b/A.java"), &package), Some("/x".into()));
        assert_eq!(root(Path::new("/x/b/A.java"), &package), None);
        assert_eq!(root(Path::new("/A.java"), &package), None);
    }
}
