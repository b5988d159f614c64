//! From what a user names to a class to start and a class path to find it on.

use super::outline::{ClassOutline, SourceOutline};
use super::{ClassPath, Jar, Jdk, LibraryError, source, tree};
use std::path::{Path, PathBuf};

/// No hierarchy of classes is deeper; one that goes in circles is.
const DEEPEST: usize = 1_000;

/// How many classes a message lists.
const MOST_LISTED: usize = 20;

/// What is started, and where its classes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The class whose `main` is called, as in `a/b/Main`.
    pub main_class: String,
    /// Where its classes are, for [`ClassPath::open`].
    pub class_path: Vec<PathBuf>,
    /// What the user named.
    pub origin: Origin,
}

/// What a user named to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A source, which was compiled.
    Source(PathBuf),
    /// A jar.
    Jar(PathBuf),
    /// The file of a class.
    ClassFile(PathBuf),
    /// A directory of classes.
    Directory(PathBuf),
    /// A class on the class path.
    ClassName,
}

impl Launch {
    /// Has a JDK export and open what the manifest of the jar asks for, if a jar is started.
    pub fn apply_grants(&self, jdk: &mut Jdk) -> Result<(), LibraryError> {
        if let Origin::Jar(path) = &self.origin {
            let manifest = Jar::open(path)?.manifest().clone();
            jdk.exports.extend(manifest.add_exports);
            jdk.opens.extend(manifest.add_opens);
        }
        Ok(())
    }
}

/// Finds out what `target` means: a source, a jar, the file of a class, a directory of classes, or a class by its name
/// with dots or slashes. Without a class path a name is looked for in the current directory; the others come before
/// the class path. Fails if there is no such thing or it is not clear which `main` to call.
pub fn launch(target: &str, class_path: &[PathBuf], jdk: &Jdk) -> Result<Launch, LibraryError> {
    let path = Path::new(target);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("java") => launch_sources(&[path.into()], class_path, jdk),
        Some("jar") => launch_jar(path, class_path),
        Some("class") if path.is_file() => launch_class_file(path, class_path),
        _ if path.is_file() => Err(LibraryError::NotAProgram { path: path.into() }),
        // A class that was named together with its class path is meant even if a directory has the same name.
        _ if path.is_dir() && !is_class(target, class_path) => launch_directory(path, class_path),
        _ => launch_class(target, class_path),
    }
}

/// Compiles sources together and finds out what to start: the first that has a `main`. Fails if they do not compile, or none
/// has one.
pub fn launch_sources(
    sources: &[PathBuf],
    class_path: &[PathBuf],
    jdk: &Jdk,
) -> Result<Launch, LibraryError> {
    let read = |path: &PathBuf| {
        let text = tree::read(path);
        text.map_err(|source| LibraryError::Unreadable { path: path.clone(), source })
    };
    let texts = sources.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let classes = source::compile(sources, jdk, class_path)?;
    let class_path = before(classes, class_path);
    let opened = ClassPath::open(&class_path)?;
    for (path, text) in sources.iter().zip(texts) {
        if let Some(main_class) = main_of_source(path, &String::from_utf8_lossy(&text), &opened)? {
            return Ok(Launch { main_class, class_path, origin: Origin::Source(path.clone()) });
        }
    }
    let places: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
    Err(LibraryError::NoMain { place: places.join(", ") })
}

/// The class of a source that can be started.
fn main_of_source(path: &Path, text: &str, opened: &ClassPath) -> Result<Option<String>, LibraryError> {
    let SourceOutline { package, types } = SourceOutline::read(text);
    let prefix: String = package.iter().map(|part| format!("{part}/")).collect();
    let mut candidates: Vec<String> = types.iter().map(|name| format!("{prefix}{name}")).collect();
    // As `java File.java` does, the first type is started. If that cannot be, the one that is named like the file.
    let file_name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if let Some(at) = types.iter().skip(1).position(|name| name == file_name) {
        candidates[1..=at + 1].rotate_right(1);
    }
    for candidate in candidates {
        if has_main(opened, &candidate)? == Some(true) {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

fn launch_jar(path: &Path, class_path: &[PathBuf]) -> Result<Launch, LibraryError> {
    let manifest = Jar::open(path)?.manifest().clone();
    let class_path = before(path.into(), class_path);
    let main_class = match manifest.main_class {
        Some(name) => {
            let name = name.replace('.', "/");
            check_main(&ClassPath::open(&class_path)?, &name)?;
            name
        }
        None => only_main(path)?,
    };
    Ok(Launch { main_class, class_path, origin: Origin::Jar(path.into()) })
}

fn launch_class_file(path: &Path, class_path: &[PathBuf]) -> Result<Launch, LibraryError> {
    let unreadable = |source| LibraryError::Unreadable { path: path.into(), source };
    let bytes = tree::read(path).map_err(unreadable)?;
    let outline = ClassOutline::read(&bytes).ok_or_else(|| LibraryError::NotAClass { path: path.into() })?;
    let absolute = std::path::absolute(path).map_err(unreadable)?;
    let root = root(&absolute, &outline.name).ok_or_else(|| LibraryError::Misplaced {
        path: path.into(),
        class: outline.name.replace('/', "."),
    })?;
    let class_path = before(root.into(), class_path);
    check_main(&ClassPath::open(&class_path)?, &outline.name)?;
    Ok(Launch { main_class: outline.name, class_path, origin: Origin::ClassFile(path.into()) })
}

fn launch_directory(path: &Path, class_path: &[PathBuf]) -> Result<Launch, LibraryError> {
    let main_class = only_main(path)?;
    let class_path = before(path.into(), class_path);
    Ok(Launch { main_class, class_path, origin: Origin::Directory(path.into()) })
}

fn launch_class(target: &str, class_path: &[PathBuf]) -> Result<Launch, LibraryError> {
    let class_path = if class_path.is_empty() { vec![".".into()] } else { class_path.to_vec() };
    let main_class = target.replace('.', "/");
    check_main(&ClassPath::open(&class_path)?, &main_class)?;
    Ok(Launch { main_class, class_path, origin: Origin::ClassName })
}

fn is_class(target: &str, class_path: &[PathBuf]) -> bool {
    let file = format!("{}.class", target.replace('.', "/"));
    !class_path.is_empty()
        && ClassPath::open(class_path).is_ok_and(|class_path| matches!(class_path.find(&file), Ok(Some(_))))
}

fn before(first: PathBuf, class_path: &[PathBuf]) -> Vec<PathBuf> {
    [&[first], class_path].concat()
}

/// The directory in which the packages of a class begin whose file is `path`.
fn root<'a>(path: &'a Path, class: &str) -> Option<&'a Path> {
    let mut parts = class.rsplit('/');
    if path.file_stem()?.to_str()? != parts.next()? {
        return None;
    }
    let mut directory = path.parent()?;
    for part in parts {
        if directory.file_name()?.to_str()? != part {
            return None;
        }
        directory = directory.parent()?;
    }
    Some(directory)
}

/// The only class of a directory or jar that has a `main`.
fn only_main(place: &Path) -> Result<String, LibraryError> {
    let class_path = ClassPath::open(&[place.into()])?;
    let mut mains = Vec::new();
    let mut misplaced = None;
    for name in class_path.classes() {
        let file = format!("{name}.class");
        // Only what lies here: a jar may name others.
        let Some(found) = class_path.find(&file)?.filter(|found| found.entry == 0) else { continue };
        match ClassOutline::read(&found.bytes) {
            Some(outline) if outline.name != name => misplaced = misplaced.or(Some((file, outline.name))),
            Some(outline) if outline.has_main => mains.push(name.replace('/', ".")),
            _ => {}
        }
    }
    let place_name = place.display().to_string();
    match (mains.as_slice(), misplaced) {
        ([main], _) => Ok(main.replace('.', "/")),
        ([], Some((file, class))) => {
            Err(LibraryError::Misplaced { path: place.join(file), class: class.replace('/', ".") })
        }
        ([], None) => Err(LibraryError::NoMain { place: place_name }),
        _ => {
            let more = mains.len().saturating_sub(MOST_LISTED);
            mains.truncate(MOST_LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            Err(LibraryError::SeveralMains { place: place_name, classes: mains.join(", ") + &more })
        }
    }
}

/// Fails if there is no such class or it has no `main`.
fn check_main(class_path: &ClassPath, name: &str) -> Result<(), LibraryError> {
    match has_main(class_path, name)? {
        Some(true) => Ok(()),
        Some(false) => Err(LibraryError::NoMain { place: name.replace('/', ".") }),
        None => {
            let entries: Vec<String> =
                class_path.entries().iter().map(|path| path.display().to_string()).collect();
            Err(LibraryError::NoSuchClass {
                name: name.replace('/', "."),
                looked: if entries.is_empty() { "which is empty".into() } else { entries.join(":") },
            })
        }
    }
}

/// Whether a class has a `main`, of its own or inherited; `None` if there is no such class.
fn has_main(class_path: &ClassPath, name: &str) -> Result<Option<bool>, LibraryError> {
    let mut name = name.to_string();
    for depth in 0..DEEPEST {
        let Some(found) = class_path.find(&format!("{name}.class"))? else {
            // Of a class of the JDK nothing is inherited that could be started.
            return Ok((depth > 0).then_some(false));
        };
        let path = || class_path.entries()[found.entry].join(format!("{name}.class"));
        let outline =
            ClassOutline::read(&found.bytes).ok_or_else(|| LibraryError::NotAClass { path: path() })?;
        if outline.name != name {
            return Err(LibraryError::Misplaced { path: path(), class: outline.name.replace('/', ".") });
        }
        match outline.extends {
            _ if outline.has_main => return Ok(Some(true)),
            Some(extended) => name = extended,
            None => break,
        }
    }
    Ok(Some(false))
}
