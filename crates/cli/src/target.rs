//! From what the user names to a program.

use crate::usage::Usage;
use sojourner_model::Model;
use sojourner_testkit::models::{self, Visit};
use std::path::Path;

/// The programs that a command can check.
pub trait Programs {
    /// Opens the program of that name and hands it to `visit`, which is where its type is known.
    fn open<V: Visit>(&self, target: &str, arguments: &[String], visit: V) -> Result<V::Out, Usage>;

    /// A word for file names.
    fn stem(&self, target: &str) -> String;

    /// The name of the command.
    fn command(&self) -> &'static str;
}

/// The programs of the command `sojourner`: models that come with it.
pub struct Shipped;

impl Programs for Shipped {
    fn open<V: Visit>(&self, target: &str, arguments: &[String], visit: V) -> Result<V::Out, Usage> {
        let Some(name) = target.strip_prefix("model:") else {
            return Err(if is_java(target) { Usage::NotYet } else { Usage::Target(target.into()) });
        };
        // Parameters may be written together, as in n=6,fair=true.
        let parameters: Vec<String> =
            arguments.iter().flat_map(|argument| argument.split(',')).map(String::from).collect();
        models::with(name, &parameters, visit).map_err(|error| Usage::Model(error.to_string()))
    }

    fn stem(&self, target: &str) -> String {
        target.trim_start_matches("model:").to_string()
    }

    fn command(&self) -> &'static str {
        "sojourner"
    }
}

/// Whether a target looks like a Java program: a source, class, jar or directory, or the name of a class.
pub fn is_java(target: &str) -> bool {
    let path = Path::new(target);
    let file =
        path.extension().is_some_and(|extension| ["java", "class", "jar"].iter().any(|e| extension == *e));
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    let parts: Vec<&str> = target.split('.').collect();
    let capital = parts.last().is_some_and(|part| part.starts_with(char::is_uppercase));
    file || path.is_dir() || capital && parts.iter().all(|part| word(part))
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
    fn open<V: Visit>(&self, target: &str, arguments: &[String], visit: V) -> Result<V::Out, Usage> {
        if target != self.name {
            return Err(Usage::Foreign { target: target.into(), own: self.name });
        }
        (self.make)(arguments).map(|model| visit.visit(model)).map_err(Usage::Arguments)
    }

    fn stem(&self, _: &str) -> String {
        self.name.to_string()
    }

    fn command(&self) -> &'static str {
        self.name
    }
}
