//! A table of a study file as it is read: each key at most once, none that is not known, and every error with its place.

use super::error::{FileError, nearest};
use sojourner_names::Name;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table of a study file.
pub(super) struct Section<'a> {
    text: &'a str,
    /// How messages call it: `[run]`.
    name: String,
    table: &'a DeTable<'a>,
    span: Range<usize>,
}

impl<'a> Section<'a> {
    /// Fails if the table has a key that is not in `keys`.
    pub fn new(
        text: &'a str,
        name: impl Into<String>,
        table: &'a Spanned<DeTable<'a>>,
        keys: &[Name],
    ) -> Result<Section<'a>, FileError> {
        Section { text, name: name.into(), table: table.get_ref(), span: table.span() }.checked(keys)
    }

    fn checked(self, keys: &[Name]) -> Result<Section<'a>, FileError> {
        let known = || keys.iter().map(Name::word);
        let unknown = self.table.keys().find(|key| !known().any(|name| name == key.get_ref().as_ref()));
        let Some(key) = unknown else { return Ok(self) };
        let word = key.get_ref();
        let help = match nearest(word, known()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!(
                "the keys of {} are {}",
                self.name,
                sojourner_names::all(&known().collect::<Vec<_>>())
            ),
        };
        Err(FileError::at(self.text, key.span(), format!("{} has no key '{word}'", self.name), help))
    }

    /// An error about the whole section.
    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> FileError {
        let first_line =
            self.text[self.span.start..].find('\n').map_or(self.span.end, |end| self.span.start + end);
        FileError::at(self.text, self.span.start..first_line.min(self.span.end), message, help)
    }

    /// The bytes of the value of a key, or of the section's first line.
    pub fn place(&self, key: &str) -> Range<usize> {
        self.error_at(key, "", "").span
    }

    /// An error about the value of a key.
    pub fn error_at(&self, key: &str, message: impl Into<String>, help: impl Into<String>) -> FileError {
        match self.value(key) {
            Some(value) => FileError::at(self.text, value.span(), message, help),
            None => self.error(message, help),
        }
    }

    fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    fn expected(&self, value: &Spanned<DeValue<'_>>, key: &str, what: &str, example: &str) -> FileError {
        let kind = match value.get_ref() {
            // A number that is of the right kind is wrong for another reason, which `what` names.
            DeValue::Integer(_) => String::new(),
            other => format!(", not {}", article(other.type_str())),
        };
        FileError::at(
            self.text,
            value.span(),
            format!("{key} must be {what}{kind}"),
            format!("write {key} = {example}"),
        )
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<String>, FileError> {
        self.value(key)
            .map(|value| match value.get_ref() {
                DeValue::String(text) => Ok(text.to_string()),
                _ => Err(self.expected(value, key, "a text in quotes", "\"...\"")),
            })
            .transpose()
    }

    /// A text that must be there.
    pub fn required(&self, key: &str, example: &str) -> Result<String, FileError> {
        let missing =
            || self.error(format!("{} has no {key}", self.name), format!("add {key} = \"{example}\""));
        self.text(key)?.ok_or_else(missing)
    }

    /// A text that is read as `T`.
    pub fn parsed<T: FromStr<Err: ToString>>(&self, key: &str) -> Result<Option<T>, FileError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let read = text.parse().map(Some);
        read.map_err(|error: T::Err| {
            self.error_at(key, error.to_string(), format!("correct the value of {key}"))
        })
    }

    /// A whole number of at least 1.
    pub fn positive(&self, key: &str) -> Result<Option<u64>, FileError> {
        let number = self.number(key)?;
        match number {
            Some(0) => Err(self.error_at(
                key,
                format!("{key} must be at least 1"),
                format!("write {key} = 1 or more"),
            )),
            number => Ok(number),
        }
    }

    /// A whole number.
    pub fn number(&self, key: &str) -> Result<Option<u64>, FileError> {
        self.value(key).map(|value| self.read_number(value, key)).transpose()
    }

    fn read_number(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<u64, FileError> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        number.ok_or_else(|| self.expected(value, key, "a whole number that is not negative", "100"))
    }

    /// Whole numbers in brackets.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<u64>>, FileError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.expected(value, key, "a list of whole numbers", "[1, 2, 5]"));
        };
        items.iter().map(|item| self.read_number(item, key)).collect::<Result<_, _>>().map(Some)
    }

    /// Texts in brackets, or one text. Numbers count as text.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<String>>, FileError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let one = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.as_str().to_string()),
            DeValue::Float(number) => Ok(number.as_str().to_string()),
            _ => Err(self.expected(item, key, "a list of texts", "[\"...\", \"...\"]")),
        };
        match value.get_ref() {
            DeValue::Array(items) if items.is_empty() => Err(self.error_at(
                key,
                format!("{key} is empty"),
                format!("name at least one, or leave {key} out"),
            )),
            DeValue::Array(items) => items.iter().map(one).collect::<Result<_, _>>().map(Some),
            _ => Ok(Some(vec![one(value)?])),
        }
    }

    /// A section below this one, if it is there.
    pub fn section(&self, key: &str, keys: &[Name]) -> Result<Option<Section<'a>>, FileError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let name = match self.name.as_str() {
            "a study" => format!("[{key}]"),
            above => format!("{above}.{key}"),
        };
        match value.get_ref() {
            DeValue::Table(table) => {
                Section { text: self.text, name, table, span: value.span() }.checked(keys).map(Some)
            }
            _ => Err(self.expected(value, key, "a section", "{ ... }")),
        }
    }

    /// The sections `[[key]]` below this one.
    pub fn sections(&self, key: &str, keys: &[Name]) -> Result<Vec<Section<'a>>, FileError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let name = format!("[[{key}]]");
        let wrong = |value: &Spanned<DeValue<'_>>| {
            let message = format!("{key} must be sections of the form {name}");
            FileError::at(self.text, value.span(), message, format!("write {name} above the keys of each"))
        };
        let DeValue::Array(items) = value.get_ref() else { return Err(wrong(value)) };
        let one = |item: &'a Spanned<DeValue<'a>>| match item.get_ref() {
            DeValue::Table(table) => {
                Section { text: self.text, name: name.clone(), table, span: item.span() }.checked(keys)
            }
            _ => Err(wrong(item)),
        };
        items.iter().map(one).collect()
    }

    /// The keys of a section whose keys the user chooses, each with its texts, in the order of the file.
    pub fn axes(&self, key: &str) -> Result<Vec<(String, Vec<String>)>, FileError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.expected(value, key, "lists by name", "{ threshold = [5, 10] }"));
        };
        let inner = Section { text: self.text, name: key.into(), table, span: value.span() };
        let mut keys: Vec<_> = table.keys().collect();
        keys.sort_by_key(|key| key.span().start);
        let axis = |key: &Spanned<std::borrow::Cow<'_, str>>| {
            let name = key.get_ref().to_string();
            let texts = inner.texts(&name)?.unwrap_or_default();
            Ok((name, texts))
        };
        keys.into_iter().map(axis).collect()
    }
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}
