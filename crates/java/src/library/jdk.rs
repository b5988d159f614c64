//! Which JDK's class library programs run on.

use super::{Grant, Image, LibraryError};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The feature version whose library the machine was made for.
pub(super) const SUPPORTED: u32 = 17;

/// Where distributions install JDKs side by side.
const INSTALLED: &str = "/usr/lib/jvm";

/// A JDK whose class library is open.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// Its directory.
    pub home: PathBuf,
    /// Its version, as in `17.0.15`.
    pub version: String,
    /// The first number of its version.
    pub feature: u32,
    /// Its class library.
    pub image: Image,
    /// Packages that are exported beyond what its modules declare. What is opened is exported, too.
    pub exports: Vec<Grant>,
    /// Packages that are open to reflection beyond what its modules declare.
    pub opens: Vec<Grant>,
}

impl Jdk {
    /// Opens the JDK in `explicit` and no other. Without it, the first supported one of `$JAVA_HOME`, of the `java` on
    /// the `PATH`, and of those that are installed side by side in `$SOJOURNER_JDKS`, or `/usr/lib/jvm`.
    pub fn find(explicit: Option<&Path>) -> Result<Jdk, LibraryError> {
        if let Some(home) = explicit {
            return Jdk::open(home);
        }
        JdkSearch {
            java_home: std::env::var_os("JAVA_HOME"),
            path: std::env::var_os("PATH"),
            installed: std::env::var_os("SOJOURNER_JDKS").map_or_else(|| INSTALLED.into(), PathBuf::from),
        }
        .search()
    }

    /// Opens the JDK in a directory. Fails if that is none, or one of another version.
    pub fn open(home: &Path) -> Result<Jdk, LibraryError> {
        let home = &std::path::absolute(home).unwrap_or_else(|_| home.into());
        let no_jdk = |why: &str| LibraryError::NotAJdk { home: home.clone(), why: why.into() };
        if !home.is_dir() {
            return Err(no_jdk("there is no such directory"));
        }
        let release = read_release(home).ok_or_else(|| no_jdk("it has no readable file `release`"))?;
        let version = property(&release, "JAVA_VERSION")
            .ok_or_else(|| no_jdk("its file `release` does not name JAVA_VERSION"))?;
        let feature = feature(version);
        if feature != Some(SUPPORTED) {
            return Err(LibraryError::UnsupportedJdk { home: home.clone(), version: version.into() });
        }
        let modules = home.join("lib/modules");
        if !modules.is_file() {
            return Err(no_jdk("the class library, lib/modules, is missing"));
        }
        let image = Image::open(&modules)?;
        if image.class("java/lang/Object").is_none() {
            let why = "it holds no readable java.lang.Object (was it made by jlink with --compress=1?)";
            return Err(LibraryError::CorruptImage { path: modules, why });
        }
        let (exports, opens) = (Vec::new(), Vec::new());
        Ok(Jdk { home: home.clone(), version: version.into(), feature: SUPPORTED, image, exports, opens })
    }

    /// The names of its modules. The file `release` lists them; the image, which is searched if it does not, takes
    /// much longer.
    pub fn modules(&self) -> Vec<String> {
        let release = read_release(&self.home).unwrap_or_default();
        match property(&release, "MODULES") {
            Some(names) => names.split_whitespace().map(String::from).collect(),
            None => self.image.modules(),
        }
    }
}

/// Where a JDK is looked for that was not named.
struct JdkSearch {
    java_home: Option<OsString>,
    path: Option<OsString>,
    installed: PathBuf,
}

impl JdkSearch {
    fn search(&self) -> Result<Jdk, LibraryError> {
        let mut looked = Vec::new();
        let mut unsupported = None;
        for (place, home) in self.candidates() {
            let Some(home) = home else {
                looked.push(format!("{place}: none"));
                continue;
            };
            match Jdk::open(&home) {
                Ok(jdk) => return Ok(jdk),
                Err(LibraryError::NotAJdk { why, .. }) => {
                    looked.push(format!("{place}: {}: {why}", home.display()));
                }
                Err(error @ LibraryError::UnsupportedJdk { .. }) => unsupported = unsupported.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        Err(unsupported.unwrap_or_else(|| LibraryError::NoJdk { looked: looked.join("; ") }))
    }

    fn candidates(&self) -> Vec<(String, Option<PathBuf>)> {
        let java_home = self.java_home.as_ref().filter(|home| !home.is_empty()).map(PathBuf::from);
        let mut candidates =
            vec![("JAVA_HOME".into(), java_home), ("java on the PATH".into(), self.on_path())];
        let mut installed: Vec<PathBuf> =
            fs::read_dir(&self.installed).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        installed.retain(|home| home.join("release").is_file());
        // With a compiler first: sources need it.
        installed.sort_by_key(|home| (!home.join("bin/javac").is_file(), home.clone()));
        let place = self.installed.display().to_string();
        if installed.is_empty() {
            candidates.push((place, None));
        } else {
            candidates.extend(installed.into_iter().map(|home| (place.clone(), Some(home))));
        }
        candidates
    }

    /// The directory above the `bin` of the first `java` on the path.
    fn on_path(&self) -> Option<PathBuf> {
        let java = std::env::split_paths(self.path.as_ref()?)
            .map(|directory| directory.join("java"))
            .find(|java| java.is_file())?;
        Some(fs::canonicalize(java).ok()?.parent()?.parent()?.into())
    }
}

/// The file `release`, of which no sane one is longer than this reads.
fn read_release(home: &Path) -> Option<String> {
    let path = home.join("release");
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(1 << 20).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn property<'a>(release: &'a str, name: &str) -> Option<&'a str> {
    let value = release.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='))?;
    Some(value.trim().trim_matches('"'))
}

/// 17 of `17.0.15` and of `17-ea`, 8 of `1.8.0_402`.
fn feature(version: &str) -> Option<u32> {
    let mut numbers = version.split(|sign: char| !sign.is_ascii_digit()).map(str::parse);
    match numbers.next()?.ok()? {
        1 => numbers.next()?.ok(),
        feature => Some(feature),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_is_the_first_number_that_counts() {
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("17-ea"), Some(17));
        assert_eq!(feature("1.8.0_402"), Some(8));
        assert_eq!(feature(""), None);
        assert_eq!(feature("x"), None);
        assert_eq!(feature("99999999999"), None);
    }

    /// A directory that looks like a JDK of this version, without its library.
    fn fake(directory: &Path, version: &str) -> PathBuf {
        fs::create_dir_all(directory.join("bin")).unwrap();
        fs::write(directory.join("release"), format!("A=\"b\"\nJAVA_VERSION=\"{version}\"\n")).unwrap();
        fs::write(directory.join("bin/java"), "").unwrap();
        directory.into()
    }

    /// A directory that looks like a JDK 17, with the library of the real one.
    fn whole(directory: &Path) -> PathBuf {
        let real = Jdk::find(None).expect("a JDK 17 is installed");
        fs::create_dir_all(directory.join("lib")).unwrap();
        std::os::unix::fs::symlink(real.home.join("lib/modules"), directory.join("lib/modules")).unwrap();
        fake(directory, "17.0.1")
    }

    #[test]
    fn an_unsupported_jdk_is_passed_over_for_one_that_is_installed() {
        let temporary = tempfile::tempdir().unwrap();
        let at = |name: &str| temporary.path().join(name);
        let mut places = JdkSearch {
            java_home: Some(fake(&at("21"), "21.0.2").into()),
            path: Some(fake(&at("8"), "1.8.0_402").join("bin").into()),
            installed: at("jvm"),
        };
        let error = places.search().unwrap_err();
        assert!(
            matches!(&error, LibraryError::UnsupportedJdk { version, .. } if version == "21.0.2"),
            "{error}"
        );
        fake(&at("jvm/a"), "11.0.1");
        let installed = whole(&at("jvm/b"));
        assert_eq!(places.search().unwrap().home, installed);
        let on_path = whole(&at("17"));
        fs::create_dir(at("links")).unwrap();
        std::os::unix::fs::symlink(on_path.join("bin/java"), at("links/java")).unwrap();
        places.path = Some(at("links").into());
        assert_eq!(places.search().unwrap().home, fs::canonicalize(on_path).unwrap());
    }

    #[test]
    fn without_any_jdk_the_error_says_where_was_looked() {
        let temporary = tempfile::tempdir().unwrap();
        let at = |name: &str| temporary.path().join(name);
        let java_home = Some(fake(&at("jre"), "17.0.1").into());
        let places = JdkSearch { java_home, path: Some(at("no").into()), installed: at("jvm") };
        let message = places.search().unwrap_err().to_string();
        for part in
            ["JAVA_HOME", "lib/modules", "java on the PATH", "jvm", "--jdk", "openjdk-17-jdk-headless"]
        {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
}
