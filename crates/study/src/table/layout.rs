//! A table as rows of values, and how it is written.

use crate::file::Preset;

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// The reductions that all its rows have, where that matters.
    pub preset: Option<Preset>,
    /// How it is to be read, in sentences.
    pub note: String,
    /// The headings of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<Value>>,
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A word.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number, with so many digits behind the point where it is shown.
    Real(f64, usize),
    /// A number that is at least that large: a limit ended the search.
    AtLeast(f64),
    /// A share.
    Percent(f64),
    /// There is none.
    Nothing,
}

impl Value {
    /// A word.
    pub fn text(text: impl ToString) -> Value {
        Value::Text(text.to_string())
    }

    /// A cost, with digits that fit its size; nothing if there is none.
    pub fn cost(cost: Option<f64>) -> Value {
        cost.map_or(Value::Nothing, |cost| {
            Value::Real(cost, if cost.abs() < 10.0 && cost.fract() != 0.0 { 2 } else { 0 })
        })
    }

    /// A share, or nothing.
    pub fn share(share: Option<f64>) -> Value {
        share.map_or(Value::Nothing, |share| Value::Real(share, 2))
    }

    /// As people read it.
    pub fn shown(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Count(count) => grouped(&count.to_string()),
            Value::Real(number, digits) => grouped(&format!("{number:.digits$}")),
            Value::AtLeast(number) => format!("\u{2265} {}", grouped(&format!("{number:.0}"))),
            Value::Percent(share) => format!("{:.0} %", share * 100.0),
            Value::Nothing => "-".into(),
        }
    }

    /// As programs read it: all digits, no groups.
    pub fn raw(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Count(count) => count.to_string(),
            Value::Real(number, _) | Value::AtLeast(number) | Value::Percent(number) => number.to_string(),
            Value::Nothing => String::new(),
        }
    }

    /// Whether it is a word, which stands to the left.
    pub fn is_text(&self) -> bool {
        matches!(self, Value::Text(_))
    }
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut text = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, note: impl Into<String>, columns: &[&str]) -> Table {
        let columns = columns.iter().map(ToString::to_string).collect();
        Table { title: title.into(), note: note.into(), columns, ..Table::default() }
    }

    /// Whether a column has words only.
    pub fn is_text(&self, column: usize) -> bool {
        self.rows.iter().filter_map(|row| row.get(column)).all(Value::is_text)
    }

    /// The heading with the preset.
    pub fn heading(&self) -> String {
        match self.preset {
            Some(preset) => format!("{} (reductions: {preset})", self.title),
            None => self.title.clone(),
        }
    }

    /// For a terminal: columns side by side.
    pub fn text(&self) -> String {
        let width = |column: usize| {
            let cells =
                self.rows.iter().filter_map(|row| row.get(column)).map(|value| value.shown().chars().count());
            cells.chain([self.columns[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: Vec<String>| {
            let padded = cells.iter().enumerate().map(|(column, text)| match self.is_text(column) {
                true => format!("{text:<width$}", width = widths[column]),
                false => format!("{text:>width$}", width = widths[column]),
            });
            format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        let mut text = format!("{}\n", self.heading());
        text.push_str(&line(self.columns.clone()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(Value::shown).collect()));
        }
        text
    }

    /// For other programs: comma-separated values.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| {
            format!("{}\n", cells.iter().map(|cell| csv_field(cell)).collect::<Vec<_>>().join(","))
        };
        let rows = self.rows.iter().map(|row| line(row.iter().map(Value::raw).collect()));
        std::iter::once(line(self.columns.clone())).chain(rows).collect()
    }
}

/// A field of comma-separated values (RFC 4180).
pub(crate) fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_groups() {
        assert_eq!(grouped("1234567.25"), "1,234,567.25");
        assert_eq!((grouped("123"), grouped("-1234")), ("123".into(), "-1,234".into()));
        assert_eq!(Value::AtLeast(1e6).shown(), "\u{2265} 1,000,000");
    }

    #[test]
    fn fields_with_commas_have_quotes() {
        let mut table = Table::new("t", "", &["a", "b, c"]);
        table.rows.push(vec![Value::text("say \"x\""), Value::Real(1.5, 0)]);
        assert_eq!(table.csv(), "a,\"b, c\"\n\"say \"\"x\"\"\",1.5\n");
    }

    #[test]
    fn columns_stand_below_their_headings() {
        let mut table = Table::new("Costs", "", &["program", "n"]);
        table.rows.push(vec![Value::text("a"), Value::Count(1000)]);
        table.rows.push(vec![Value::text("longer-one"), Value::Nothing]);
        assert_eq!(table.text(), "Costs\nprogram         n\na           1,000\nlonger-one      -\n");
    }
}
