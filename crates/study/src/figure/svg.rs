//! A drawing as text: lines, boxes and words, whose colours are classes of the page's style sheet.

use std::fmt::Write;

/// A drawing.
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// Where a text is anchored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// An empty drawing. Its title is read aloud, and shown when the pointer rests on it.
    pub fn new(width: f64, height: f64, title: &str) -> Svg {
        Svg { width, height, title: title.into(), body: String::new() }
    }

    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.put(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#
        ));
    }

    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let (width, height) = (width.max(0.0), height.max(0.0));
        self.put(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}"/>"#
        ));
    }

    /// A box of which only a part of the colour shows.
    pub fn shade(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str, part: f64) {
        self.put(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}" fill-opacity="{part:.2}"/>"#
        ));
    }

    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        self.put(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" class="{class}"/>"#));
    }

    pub fn path(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.put(format_args!(r#"<polyline points="{}" class="{class}"/>"#, points.join(" ")));
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{text}</text>"#
        ));
    }

    /// A text from bottom to top.
    pub fn upright(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let text = escaped(text);
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" transform="rotate(-90 {x:.1} {y:.1})" class="{class}">{text}</text>"#
        ));
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("a String takes everything");
    }

    /// The drawing as text.
    pub fn finish(self) -> String {
        let Svg { width, height, title, body } = self;
        let title = escaped(&title);
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
             aria-label=\"{title}\">\n<title>{title}</title>\n{body}</svg>\n"
        )
    }
}

/// A text that stands for itself, between tags and within quotes. Control characters, which no page may have, are shown as a box.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_cannot_become_markup() {
        assert_eq!(escaped("<a href='x'>&\"\u{1b}"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{fffd}");
        let mut svg = Svg::new(10.0, 10.0, "</title><script>");
        svg.text((1.0, 2.0), Anchor::Start, "label", "<script>alert(1)</script>");
        assert!(!svg.finish().contains("<script"));
    }
}
