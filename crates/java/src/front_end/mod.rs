//! Java programs as a front-end: how they are named, which options they have, how they are opened for a check.

mod launching;
mod options;
mod target;

pub use launching::find;
pub use options::{Machine, OPTIONS, Places};

use crate::explore::JavaProgram;
use sojourner_frontend::{FrontEnd, OpenError, Opt, Request, Visit};
use std::path::Path;

/// The front-end of Java programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Java;

impl FrontEnd for Java {
    fn name(&self) -> &'static str {
        "java"
    }

    fn kind(&self) -> &'static str {
        "a Java program"
    }

    fn programs(&self) -> &'static str {
        "Java programs"
    }

    fn targets(&self) -> &'static str {
        "a .java file, a .jar, a .class file, a directory of classes, or the name of a class with --classpath"
    }

    fn options(&self) -> &'static [Opt] {
        OPTIONS
    }

    fn takes_shared(&self) -> bool {
        true
    }

    /// A source, class, jar or directory, or the name of a class.
    fn recognises(&self, target: &str) -> bool {
        let path = Path::new(target);
        let parts: Vec<&str> = target.split('.').collect();
        let capital = parts.last().is_some_and(|part| part.starts_with(char::is_uppercase));
        is_file_of_java(path)
            || path.is_dir()
            || capital && parts.iter().all(|part| options::is_identifier(part))
    }

    /// The name of a file without its directories and its extension, the last part of the name of a class, or the name of a
    /// directory however it was written.
    fn stem(&self, target: &str) -> String {
        let path = Path::new(target);
        let name = if path.is_dir() {
            path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        } else if is_file_of_java(path) {
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
        } else {
            target.rsplit(['.', '/']).next().map(String::from)
        };
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| "program".into())
    }

    fn words(&self, request: &Request<'_>) -> Vec<String> {
        let mut words = request.more.to_vec();
        words.extend(request.options.words());
        if request.all && !request.options.has("--beyond") {
            words.push("--beyond".into());
        }
        words
    }

    fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError> {
        let Request { target, more, arguments, options: given, all, tell } = *request;
        let exploration = options::exploration(given, all, target)?;
        let (jdk, launch) = find(target, more, &Places::of(given), tell)?;
        let mut subject = JavaProgram::new(launch, &jdk, arguments.to_vec(), exploration);
        let machine = Machine::of(given);
        subject.properties = machine.properties;
        (subject.heap, subject.frames) = (machine.heap, machine.frames);
        subject.check_properties().map_err(|why| {
            OpenError::refused_with(
                why,
                "name a static method without parameters that gives a boolean, as in org.example.Main.holds, or a \
                 class that implements sojourner.Property",
            )
        })?;
        Ok(visit.visit(&subject))
    }
}

fn is_file_of_java(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["java", "class", "jar"].iter().any(|e| extension == *e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_program() {
        let stem = |target| Java.stem(target);
        assert_eq!(stem("src/Main.java"), "Main");
        assert_eq!(stem("lib/a.b.jar"), "a.b");
        assert_eq!((stem("org.example.Main"), stem("org/example/Main")), ("Main".into(), "Main".into()));
        assert_eq!(stem("src/."), "src");
    }

    #[test]
    fn java_programs_are_recognised_by_name() {
        for target in ["Main.java", "a/b.jar", "X.class", "org.example.Main", "src", "Main"] {
            assert!(Java.recognises(target), "{target}");
        }
        for target in ["main.c", "model:phil", "phil.py", "org.example.main", "1+1"] {
            assert!(!Java.recognises(target), "{target}");
        }
    }
}
