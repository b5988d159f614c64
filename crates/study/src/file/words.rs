//! Words of options as a user writes them in one text, and placeholders in them.

use super::Matrix;

/// The words of a text. Quotes keep spaces in a word.
pub(crate) fn split(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a quote {open} is not closed in: {text}"));
    }
    words.extend(word);
    Ok(words)
}

/// The names in braces.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// The text with values for names in braces.
pub(crate) fn filled(text: &str, values: &[(String, String)]) -> String {
    values.iter().fold(text.to_string(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Every combination of one value from each list; the last list changes fastest.
pub(crate) fn combinations(matrix: &Matrix) -> Vec<Vec<(String, String)>> {
    matrix.iter().fold(vec![Vec::new()], |all, (name, values)| {
        let with = |one: &Vec<(String, String)>, value: &String| {
            one.iter().cloned().chain([(name.clone(), value.clone())]).collect()
        };
        all.iter()
            .flat_map(|one| values.iter().map(move |value| with(one, value)).collect::<Vec<_>>())
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(split(" a  'b c' d\"e f\" ''").unwrap(), ["a", "b c", "de f", ""]);
        assert_eq!(split("").unwrap(), [""; 0]);
        assert!(split("a 'b").is_err());
    }

    #[test]
    fn every_combination_is_made_once() {
        let list = |values: &[&str]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
        let matrix = vec![("a".to_string(), list(&["1", "2"])), ("b".to_string(), list(&["x", "y", "z"]))];
        let all: Vec<String> = combinations(&matrix).iter().map(|values| filled("{a}{b}", values)).collect();
        assert_eq!(all, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        assert_eq!(combinations(&Vec::new()), [Vec::new()]);
        assert_eq!(placeholders("-D{n}={value} {").collect::<Vec<_>>(), ["n", "value"]);
    }
}
