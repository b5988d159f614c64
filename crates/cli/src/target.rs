//! From what the user names to a program.

use crate::args::{Java, Native, NativeLine};
use crate::usage::Usage;
use crate::{java, native};
use sojourner_model::{Checked, Model};
use sojourner_program::{Encode, Load, Reducible, Stateful, Verdict};
use sojourner_search::Endless;
use sojourner_testkit::models;
use std::path::Path;

/// What the user wants to be checked or followed.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The program.
    pub target: &'a str,
    /// Its further sources.
    pub more: &'a [String],
    /// Its arguments.
    pub arguments: &'a [String],
    /// How it is explored, if it is a Java program.
    pub java: &'a Java,
    /// How it is compiled and explored, if it is a C or C++ program.
    pub native: &'a Native,
}

impl Request<'_> {
    /// How it is explored, as a trace keeps it.
    pub fn words(&self) -> Vec<String> {
        match native::is_source(self.target) {
            true => NativeLine::words(self.more, self.java, &self.native.with_compilers()),
            false => NativeLine::words(self.more, self.java, self.native),
        }
    }
}

/// A program that can be checked, with what the command wants to know of it beside how to run it.
pub trait Candidate: Load<P: Stateful + Reducible> {
    /// From now on, executions that go on for ever are no findings. It is for programs that notice them by themselves; for the
    /// others, the search does.
    fn ignore_endless(&self) {}

    /// A hash of its content, by which a replay notices that it has changed.
    fn hash(&self) -> Option<String>;

    /// What that verdict on it rests on, and what it does not cover.
    fn caveats(&self, verdict: Verdict) -> Vec<String> {
        let _ = verdict;
        Vec::new()
    }

    /// What executions that go on for ever are, if the user does not say.
    fn endless(&self) -> Endless {
        Endless::Ignored
    }

    /// Whether threads can go round together, each because of what the others do, so that executions need not end. It is for
    /// programs that notice by themselves when threads repeat themselves otherwise.
    fn goes_round(&self) -> bool {
        false
    }

    /// What is said if it is not known whether executions can go on for ever.
    fn open_endless(&self) -> &'static str {
        "whether executions can go on for ever was not looked at to the end (--search dfs)"
    }

    /// What was noticed while it was explored and is not a finding.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A model has no text that could be hashed: its first state stands for it.
impl<M: Model> Candidate for Checked<M> {
    fn hash(&self) -> Option<String> {
        self.open().ok().map(|mut program| format!("{:032x}", program.fingerprint()))
    }

    /// Many models are of systems that are meant to run for ever.
    fn endless(&self) -> Endless {
        Endless::FoundBesideEnds
    }
}

/// What is done with a program, whichever it is.
pub trait Visit {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<C: Candidate<P: Encode>>(self, candidate: &C) -> Self::Out;

    /// The same with a program whose states have a hash only.
    fn visit_stateless<C: Candidate>(self, candidate: &C) -> Self::Out;
}

/// The programs that a command can check.
pub trait Programs {
    /// Opens the program that is asked for and hands it to `visit`, which is where its type is known.
    fn open<V: Visit>(&self, request: Request<'_>, visit: V) -> Result<V::Out, Usage>;

    /// A word for file names.
    fn stem(&self, target: &str) -> String;

    /// The name of the command.
    fn command(&self) -> &'static str;
}

/// The programs of the command `sojourner`: models that come with it, Java programs, and C and C++ programs.
pub struct Shipped;

impl Programs for Shipped {
    fn open<V: Visit>(&self, request: Request<'_>, visit: V) -> Result<V::Out, Usage> {
        let Request { target, more, arguments, java: options, native: compiled } = request;
        let Some(name) = target.strip_prefix("model:") else {
            if native::is_native(target) {
                return Ok(visit.visit_stateless(&native::open(request)?));
            }
            if let Some(option) = compiled.words().into_iter().next() {
                return Err(Usage::ForNative { option, target: target.into() });
            }
            return if is_java(target) {
                Ok(visit.visit(&java::open(request)?))
            } else {
                Err(Usage::Target(target.into()))
            };
        };
        if let Some(option) = options.words().into_iter().next() {
            return Err(Usage::ForJava { option, target: target.into() });
        }
        if let Some(option) = compiled.words().into_iter().next() {
            return Err(Usage::ForNative { option, target: target.into() });
        }
        if let Some(further) = more.first() {
            return Err(Usage::More { further: further.clone(), target: target.into() });
        }
        // Parameters may be written together, as in n=6,fair=true.
        let parameters: Vec<String> =
            arguments.iter().flat_map(|argument| argument.split(',')).map(String::from).collect();
        models::with(name, &parameters, OfModel(visit)).map_err(|error| Usage::Model(error.to_string()))
    }

    fn stem(&self, target: &str) -> String {
        match target.strip_prefix("model:") {
            Some(model) => model.to_string(),
            None if native::is_native(target) => {
                file_stem(Path::new(target)).unwrap_or_else(|| "program".into())
            }
            None => java_stem(target),
        }
    }

    fn command(&self) -> &'static str {
        "sojourner"
    }
}

/// Visits a model as a program.
struct OfModel<V>(V);

impl<V: Visit> models::Visit for OfModel<V> {
    type Out = V::Out;

    fn visit<M: Model>(self, model: M) -> V::Out {
        self.0.visit(&Checked::new(model))
    }
}

/// The name of a file without its directories and its extension, the last part of the name of a class, or the name of a
/// directory however it was written.
fn java_stem(target: &str) -> String {
    let path = Path::new(target);
    let name = if path.is_dir() {
        path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
    } else if is_file_of_java(path) {
        file_stem(path)
    } else {
        target.rsplit(['.', '/']).next().map(String::from)
    };
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "program".into())
}

fn file_stem(path: &Path) -> Option<String> {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
}

fn is_file_of_java(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["java", "class", "jar"].iter().any(|e| extension == *e))
}

/// Whether a target looks like a Java program: a source, class, jar or directory, or the name of a class.
pub fn is_java(target: &str) -> bool {
    let path = Path::new(target);
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    let parts: Vec<&str> = target.split('.').collect();
    let capital = parts.last().is_some_and(|part| part.starts_with(char::is_uppercase));
    is_file_of_java(path) || path.is_dir() || capital && parts.iter().all(|part| word(part))
}

/// The models, for people.
pub fn list() -> String {
    models::ALL.iter().map(|about| format!("model:{about}\n")).collect()
}

/// The one program of a command that somebody else has written.
pub struct Own<F> {
    /// What it is called.
    pub name: &'static str,
    /// Makes the model from the arguments.
    pub make: F,
}

impl<M: Model, F: Fn(&[String]) -> Result<M, String>> Programs for Own<F> {
    fn open<V: Visit>(&self, request: Request<'_>, visit: V) -> Result<V::Out, Usage> {
        let Request { target, arguments, .. } = request;
        if target != self.name {
            return Err(Usage::Foreign { target: target.into(), own: self.name });
        }
        (self.make)(arguments).map(|model| visit.visit(&Checked::new(model))).map_err(Usage::Arguments)
    }

    fn stem(&self, _: &str) -> String {
        self.name.to_string()
    }

    fn command(&self) -> &'static str {
        self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_program() {
        let stem = |target| Shipped.stem(target);
        assert_eq!(stem("model:phil"), "phil");
        assert_eq!(stem("src/Main.java"), "Main");
        assert_eq!(stem("lib/a.b.jar"), "a.b");
        assert_eq!((stem("org.example.Main"), stem("org/example/Main")), ("Main".into(), "Main".into()));
        assert_eq!(stem("src/."), "src");
    }
}
