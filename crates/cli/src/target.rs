//! From what the user names to a program.

use crate::usage::Usage;
use sojourner_testkit::models;

/// A program that can be checked.
#[derive(Clone, Debug)]
pub enum Target<'a> {
    /// One of the models that come with the tool.
    Model(&'a str),
}

impl<'a> Target<'a> {
    /// What `text` names.
    pub fn find(text: &'a str) -> Result<Target<'a>, Usage> {
        match text.strip_prefix("model:") {
            Some(name) => Ok(Target::Model(name)),
            None => Err(Usage::Target(text.into())),
        }
    }

    /// Opens the program and hands it to `visit`, which is where its type is known.
    pub fn open<V: models::Visit>(&self, arguments: &[String], visit: V) -> Result<V::Out, Usage> {
        match self {
            Target::Model(name) => {
                // Parameters may be written together, as in n=6,fair=true.
                let parameters: Vec<String> =
                    arguments.iter().flat_map(|argument| argument.split(',')).map(String::from).collect();
                models::with(name, &parameters, visit).map_err(|error| Usage::Model(error.to_string()))
            }
        }
    }

    /// A word for file names.
    pub fn stem(&self) -> String {
        match self {
            Target::Model(name) => name.to_string(),
        }
    }
}

/// The models, for people.
pub fn list() -> String {
    models::ALL.iter().map(|about| format!("model:{about}\n")).collect()
}
