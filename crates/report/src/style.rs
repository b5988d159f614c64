//! How text is laid out: colours, widths, and characters that must not reach a terminal.

use unicode_width::UnicodeWidthChar;

/// How a report should look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to colour with ANSI escapes.
    pub color: bool,
    /// The columns of the terminal. Fewer than 40 are treated as 40.
    pub width: usize,
}

impl Default for Style {
    /// Plain text of 100 columns.
    fn default() -> Self {
        Style { color: false, width: 100 }
    }
}

/// What a piece of text means, where that has a colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
    Warn,
    Strong,
    Faint,
}

impl Style {
    /// The columns that may be used.
    pub(crate) fn columns(self) -> usize {
        self.width.clamp(40, 1000)
    }

    /// The text in the colour of its meaning.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            _ if !self.color || text.is_empty() => return text.to_owned(),
            Tone::Plain => return text.to_owned(),
            Tone::Good => "1;32",
            Tone::Bad => "1;31",
            Tone::Warn => "33",
            Tone::Strong => "1",
            Tone::Faint => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// The columns that a text without control characters takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The text on one line: control characters, and those that turn the direction of writing, are written as escapes.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if c.is_control() || unseen(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether the character shows nothing and changes how others are shown: line separators, marks of direction.
fn unseen(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text in at most `columns`, with an ellipsis for what is cut off.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut used = 1;
    let mut out: String = text
        .chars()
        .take_while(|&c| {
            used += char_width(c);
            used <= columns
        })
        .collect();
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// The lines of the text, escaped and broken at spaces so that each fits into `columns`; at most `limit` of them,
/// the last of which says how many are missing.
pub(crate) fn wrap(text: &str, columns: usize, limit: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        wrap_line(&one_line(line), columns.max(1), &mut lines);
    }
    if lines.len() > limit {
        let missing = lines.len() - limit + 1;
        lines.truncate(limit.saturating_sub(1));
        lines.push(cut(&format!("… {missing} more lines"), columns));
    }
    lines
}

fn wrap_line(line: &str, columns: usize, lines: &mut Vec<String>) {
    let first = lines.len();
    let mut current = String::new();
    let mut used = 0;
    for c in line.chars() {
        while used + char_width(c) > columns && !current.is_empty() {
            // Indentation is no place to break a line at.
            let indent = current.len() - current.trim_start().len();
            let space = current.rfind(' ').filter(|&space| space > indent && c != ' ');
            // A name that is longer than a line is broken behind one of its parts.
            let part =
                || current.rfind(['.', '$', '/']).filter(|&at| at > indent && c != ' ').map(|at| at + 1);
            let start = space.map(|space| space + 1).or_else(part);
            let rest = start.map_or(String::new(), |start| current[start..].to_owned());
            current.truncate(space.or(start).unwrap_or(current.len()));
            lines.push(current.trim_end().to_owned());
            current = rest;
            used = width(&current);
        }
        // Spaces at a break are not carried over; those that indent the first line are kept.
        if c != ' ' || !current.is_empty() || lines.len() == first {
            current.push(c);
            used += char_width(c);
        }
    }
    lines.push(current.trim_end().to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(one_line("a\x1b[2Jb\u{202e}\tc\r\n"), "a\\u{1b}[2Jb\\u{202e}    c\\r\\n");
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("takes the left fork", 9, 9), ["takes the", "left fork"]);
        assert_eq!(wrap("abcdefgh", 3, 9), ["abc", "def", "gh"]);
        assert_eq!(wrap("on java.lang.Thread.name", 12, 9), ["on", "java.lang.", "Thread.name"]);
        assert_eq!(wrap("  indented text", 11, 9), ["  indented", "text"]);
        assert_eq!(wrap("哲学者 一", 6, 9), ["哲学者", "一"]);
        assert_eq!(wrap("a\nb\nc\nd", 20, 3), ["a", "b", "… 2 more lines"]);
        assert_eq!(wrap("", 9, 3), Vec::<String>::new());
    }

    #[test]
    fn a_cut_text_fits() {
        assert_eq!(
            (cut("philosopher", 5), cut("phil", 4), cut("哲学者", 5)),
            ("phil…".into(), "phil".into(), "哲学…".into())
        );
    }
}
