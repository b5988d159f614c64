//! Lines of a report: no trailing spaces, labels in one column, long values broken and indented.

use crate::human;
use crate::style::{Style, Tone, cut, width, wrap};

/// The column at which values start, behind their labels.
const VALUES: usize = 12;

/// The most lines that a value may take: a message can carry a whole stack trace.
const LINES: usize = 60;

/// A report that is being written.
pub(crate) struct Page {
    pub style: Style,
    out: String,
    /// Whether other text stands above it.
    below: bool,
}

impl Page {
    pub(crate) fn new(style: Style) -> Self {
        Page { style, out: String::new(), below: false }
    }

    /// A page that continues another one.
    pub(crate) fn below(style: Style) -> Self {
        Page { below: true, ..Page::new(style) }
    }

    /// Appends a line, which must hold no control characters but those of colours.
    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// Appends an empty line, unless there is one already.
    pub(crate) fn blank(&mut self) {
        let begun = !self.out.is_empty() || self.below;
        if begun && self.out != "\n" && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Appends a value with its label before the first line of it; nothing if the value is empty.
    pub(crate) fn row(&mut self, label: &str, value: &str) {
        self.row_in(Tone::Plain, label, value);
    }

    /// The same in the colour of `tone`.
    pub(crate) fn row_in(&mut self, tone: Tone, label: &str, value: &str) {
        let columns = self.style.columns() - VALUES;
        for (i, line) in wrap(value.trim_matches('\n').trim_end(), columns, LINES).iter().enumerate() {
            let label = self.label(if i == 0 { label } else { "" });
            self.line(&(label + &self.style.paint(tone, line)));
        }
    }

    /// Appends a text of many lines, without its middle if there are more than `most`. A label that is too long for its
    /// column stands above it.
    pub(crate) fn passage(&mut self, label: &str, text: &str, most: usize) {
        let columns = self.style.columns() - VALUES;
        let lines = wrap(text.trim_matches('\n').trim_end(), columns, usize::MAX);
        let mut label = label;
        if width(label) + 3 > VALUES && !lines.is_empty() {
            let above = self.label(&cut(label, columns));
            self.line(&above);
            label = "";
        }
        let omitted = lines.len().saturating_sub(most);
        for (i, line) in lines.iter().enumerate() {
            let label = self.label(if i == 0 { label } else { "" });
            if omitted > 0 && i == most / 2 {
                let left_out = format!("… {} left out", human::plural(omitted as u64, "line"));
                self.line(&(label + &self.style.paint(Tone::Faint, &left_out)));
            } else if i < most / 2 || i >= most / 2 + omitted {
                self.line(&(label + line));
            }
        }
    }

    /// Appends a value that must not be broken, because it will be copied.
    pub(crate) fn row_unbroken(&mut self, label: &str, value: &str) {
        let label = self.label(label);
        self.line(&(label + value));
    }

    /// Appends values under one label.
    pub(crate) fn rows<S: AsRef<str>>(
        &mut self,
        tone: Tone,
        label: &str,
        values: impl IntoIterator<Item = S>,
    ) {
        for (i, value) in values.into_iter().enumerate() {
            self.row_in(tone, if i == 0 { label } else { "" }, value.as_ref());
        }
    }

    /// Appends a head line and, indented, what of it does not fit into one.
    pub(crate) fn head(&mut self, tone: Tone, word: &str, rest: &str) {
        let text = format!("{word}: {rest}");
        for (i, line) in wrap(&text, self.style.columns() - 2, LINES).iter().enumerate() {
            let indent = if i == 0 { "" } else { "  " };
            let line = match line.strip_prefix(word) {
                Some(rest) if i == 0 => self.style.paint(tone, word) + rest,
                _ => line.clone(),
            };
            self.line(&format!("{indent}{line}"));
        }
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }

    fn label(&self, label: &str) -> String {
        let padding = " ".repeat(VALUES.saturating_sub(2 + width(label)));
        format!("  {}{padding}", self.style.paint(Tone::Faint, label))
    }
}
