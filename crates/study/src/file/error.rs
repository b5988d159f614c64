//! What is wrong with a study file, and where.

use std::ops::Range;

/// What is wrong with a study file: the place, what was expected there, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// The bytes of the file that are meant.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl FileError {
    /// Something is wrong with these bytes of `text`.
    pub(crate) fn at(
        text: &str,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> FileError {
        let start = span.start.min(text.len());
        let line = text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count() + 1;
        FileError { line, span, message: message.into(), help: help.into() }
    }
}

/// The name that was probably meant by `word`, if one is near.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|name| (distance(word, name), name)).min()?;
    (near.0 <= 1 + word.chars().count() / 4).then_some(near.1)
}

/// How many characters must be added, removed or changed to make one word of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, left) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in other.iter().enumerate() {
            let changed = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn only_near_names_are_suggested() {
        assert_eq!(nearest("trails", ["trials", "seed"]), Some("trials"));
        assert_eq!(nearest("arguements", ["arguments", "target"]), Some("arguments"));
        assert_eq!(nearest("colour", ["trials", "seed"]), None);
    }

    #[test]
    fn lines_are_counted_from_one() {
        let line = |at: usize| FileError::at("a\nb\nc", at..at, "", "").line;
        assert_eq!((line(0), line(2), line(4), line(99)), (1, 2, 3, 3));
    }
}
