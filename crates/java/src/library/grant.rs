//! Packages of the JDK that are exported or opened beyond what their modules declare: `--add-exports`, `--add-opens`, and
//! the same in the manifest of the jar that is started.

use std::fmt;
use std::str::FromStr;

/// All code on the class path.
const ALL_UNNAMED: &str = "ALL-UNNAMED";

/// A package that a module exports or opens on request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The module.
    pub module: String,
    /// The package, with dots.
    pub package: String,
    /// The modules that may use it, or `ALL-UNNAMED`.
    to: Vec<String>,
}

impl Grant {
    /// What `Add-Opens` and `Add-Exports` of a manifest mean: `MODULE/PACKAGE`, for all code on the class path. As with
    /// `java`, what is malformed is passed over.
    pub fn of_manifest(text: &str) -> Option<Grant> {
        format!("{text}={ALL_UNNAMED}").parse().ok()
    }

    /// Whether it is for all code on the class path.
    pub fn is_for_class_path(&self) -> bool {
        self.to.iter().any(|to| to == ALL_UNNAMED)
    }

    /// Whether it lets a module use a package of another one. `to` is `None` for code on the class path.
    pub fn covers(&self, module: &str, package: &str, to: Option<&str>) -> bool {
        self.module == module
            && self.package == package
            && match to {
                None => self.is_for_class_path(),
                Some(name) => self.to.iter().any(|to| to == name),
            }
    }
}

impl FromStr for Grant {
    type Err = String;

    fn from_str(text: &str) -> Result<Grant, String> {
        let form = "MODULE/PACKAGE=ALL-UNNAMED, as in java.base/java.lang=ALL-UNNAMED";
        let wrong = |what: &str| format!("'{text}' {what}; it must be {form}");
        let (source, targets) = text.split_once('=').ok_or_else(|| wrong("names no target module"))?;
        let (module, package) = source.split_once('/').ok_or_else(|| wrong("names no package"))?;
        if !is_name(module) {
            return Err(wrong("names no module"));
        }
        if !is_name(package) {
            return Err(wrong("names no package"));
        }
        let to: Vec<String> = targets.split(',').map(String::from).collect();
        if !to.iter().all(|to| to == ALL_UNNAMED || is_name(to)) {
            return Err(wrong("names no target module"));
        }
        Ok(Grant { module: module.into(), package: package.into(), to })
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}={}", self.module, self.package, self.to.join(","))
    }
}

/// Whether a text is made of identifiers with dots between them.
fn is_name(text: &str) -> bool {
    text.split('.').all(|part| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grant_covers_what_it_names_and_nothing_else() {
        let grant: Grant = "java.base/java.lang=ALL-UNNAMED,java.sql".parse().unwrap();
        assert!(grant.covers("java.base", "java.lang", None));
        assert!(grant.covers("java.base", "java.lang", Some("java.sql")));
        assert!(!grant.covers("java.base", "java.lang", Some("java.xml")));
        assert!(!grant.covers("java.base", "java.lang.reflect", None));
        assert!(!grant.covers("java.xml", "java.lang", None));
        assert_eq!(grant.to_string(), "java.base/java.lang=ALL-UNNAMED,java.sql");
    }

    #[test]
    fn malformed_grant_says_what_is_missing() {
        for (text, what) in [
            ("java.base/java.lang", "names no target module"),
            ("java.base=ALL-UNNAMED", "names no package"),
            ("/java.lang=ALL-UNNAMED", "names no module"),
            ("java.base/=ALL-UNNAMED", "names no package"),
            ("java.base/java..lang=ALL-UNNAMED", "names no package"),
            ("java.base/java.lang=", "names no target module"),
            ("java.base/java.lang=all unnamed", "names no target module"),
            ("", "names no target module"),
        ] {
            let error = text.parse::<Grant>().unwrap_err();
            assert!(error.contains(what) && error.contains("MODULE/PACKAGE=ALL-UNNAMED"), "{error}");
        }
        assert_eq!(Grant::of_manifest("java.base"), None);
    }
}
