//! Models by name, with parameters by name.
//!
//! Each model is a type of its own, so what is found by name is not returned but visited.

use sojourner_model::Model;
use std::fmt;

/// What is done with a model, whichever it is.
pub trait Visit {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<M: Model>(self, model: M) -> Self::Out;
}

/// A model that can be had by name.
pub trait Named: Model {
    /// Its name and parameters.
    const ABOUT: About;

    /// The model with these values of its parameters.
    fn with(values: &Values) -> Self;
}

/// The name of a model, what it is, and its parameters.
#[derive(Debug)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// A parameter of a model.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// The values it can have.
    pub range: Range,
}

/// The values that a parameter can have.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// A number.
    Number {
        /// Its value if none is given.
        default: u8,
        /// The least value.
        least: u8,
        /// The greatest value: what the types of the state have room for.
        most: u8,
    },
    /// True or false.
    Flag {
        /// Its value if none is given.
        default: bool,
    },
    /// One of a few words. The first is the value if none is given.
    Word {
        /// The words.
        words: &'static [&'static str],
    },
}

impl Parameter {
    /// A number from `least` to `most`.
    pub const fn number(name: &'static str, default: u8, least: u8, most: u8, summary: &'static str) -> Self {
        Parameter { name, summary, range: Range::Number { default, least, most } }
    }

    /// True or false.
    pub const fn flag(name: &'static str, default: bool, summary: &'static str) -> Self {
        Parameter { name, summary, range: Range::Flag { default } }
    }

    /// One of `words`, the first unless another is given.
    pub const fn word(name: &'static str, words: &'static [&'static str], summary: &'static str) -> Self {
        Parameter { name, summary, range: Range::Word { words } }
    }
}

impl Range {
    fn default(self) -> u8 {
        match self {
            Range::Number { default, .. } => default,
            Range::Flag { default } => u8::from(default),
            Range::Word { .. } => 0,
        }
    }

    fn parse(self, text: &str) -> Option<u8> {
        match self {
            Range::Number { least, most, .. } => {
                text.parse().ok().filter(|value| (least..=most).contains(value))
            }
            Range::Flag { .. } => text.parse().ok().map(bool::into),
            Range::Word { words } => words.iter().position(|word| *word == text).map(|i| i as u8),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Number { least, most, .. } => write!(f, "a number from {least} to {most}"),
            Range::Flag { .. } => f.write_str("true or false"),
            Range::Word { words } => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// As a listing of models shows it: the name and summary, then a line for each parameter.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.name, self.summary)?;
        for Parameter { name, summary, range } in self.parameters {
            let default = match range {
                Range::Number { default, .. } => default.to_string(),
                Range::Flag { default } => default.to_string(),
                Range::Word { words } => words[0].to_owned(),
            };
            writeln!(f, "  {name}={default}  {summary} ({range})")?;
        }
        Ok(())
    }
}

/// A value for every parameter of a model.
#[derive(Debug)]
pub struct Values {
    about: &'static About,
    values: Vec<u8>,
}

impl Values {
    /// Reads `name=value` texts, each one or several with commas between. What is not given has its default.
    pub fn parse(about: &'static About, texts: &[String]) -> Result<Self, ModelError> {
        let mut values: Vec<Option<u8>> = vec![None; about.parameters.len()];
        for text in texts.iter().flat_map(|text| text.split(',')).filter(|text| !text.is_empty()) {
            let (name, value) =
                text.split_once('=').ok_or_else(|| ModelError::Malformed { text: text.to_owned() })?;
            let i = about.parameters.iter().position(|parameter| parameter.name == name);
            let i = i.ok_or_else(|| ModelError::UnknownParameter {
                model: about.name,
                name: name.to_owned(),
                known: listed(about.parameters.iter().map(|parameter| parameter.name)),
            })?;
            let range = about.parameters[i].range;
            let parsed = range.parse(value).ok_or_else(|| ModelError::BadValue {
                parameter: about.parameters[i].name,
                value: value.to_owned(),
                range,
            })?;
            if values[i].replace(parsed).is_some() {
                return Err(ModelError::Twice { parameter: about.parameters[i].name });
            }
        }
        let filled = values.iter().zip(about.parameters);
        let values = filled.map(|(value, parameter)| value.unwrap_or(parameter.range.default())).collect();
        Ok(Values { about, values })
    }

    /// The value of a number. Panics if the model has no such parameter.
    pub fn number(&self, name: &str) -> u8 {
        let i = self.about.parameters.iter().position(|parameter| parameter.name == name);
        self.values[i.expect("a model asks for its own parameters")]
    }

    /// The number of a word. Panics if the model has no such parameter.
    pub fn word(&self, name: &str) -> usize {
        self.number(name).into()
    }

    /// The value of a flag. Panics if the model has no such parameter.
    pub fn flag(&self, name: &str) -> bool {
        self.number(name) == 1
    }
}

/// Why there is no such model.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ModelError {
    /// No model has that name.
    #[error("there is no model `{name}`; there are {known}")]
    UnknownModel {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The model has no parameter of that name.
    #[error("the model `{model}` has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The parameter cannot have that value.
    #[error("`{parameter}` cannot be `{value}`: it is {range}")]
    BadValue {
        /// The parameter.
        parameter: &'static str,
        /// The value.
        value: String,
        /// What it can be.
        range: Range,
    },
    /// A parameter is not written as one.
    #[error("`{text}` is not of the form `name=value`")]
    Malformed {
        /// What is written.
        text: String,
    },
    /// A parameter is given twice.
    #[error("`{parameter}` is given twice")]
    Twice {
        /// The parameter.
        parameter: &'static str,
    },
}

/// Names as a list in a sentence.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
