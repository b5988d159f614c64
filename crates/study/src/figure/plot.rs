//! A frame with two axes, in which data is drawn.

use super::axis::Axis;
use super::svg::{Anchor, Svg};

/// A drawing with axes.
pub struct Plot {
    /// The drawing.
    pub svg: Svg,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from bottom to top.
    pub y: Axis,
}

/// The size of a panel, and the room around the axes.
pub const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

impl Plot {
    /// A frame with ticks and labels.
    pub fn new(title: &str, (x, x_label): (Axis, &str), (y, y_label): (Axis, &str)) -> Plot {
        Plot::sized(title, (WIDTH, HEIGHT), (x, x_label), (y, y_label))
    }

    /// A frame of that size.
    pub fn sized(title: &str, size: (f64, f64), x: (Axis, &str), y: (Axis, &str)) -> Plot {
        Plot::sized_with_room(title, size, 0.0, x, y)
    }

    /// A frame of that size, with room below it.
    pub fn sized_with_room(
        title: &str,
        (width, height): (f64, f64),
        room: f64,
        (x, x_label): (Axis, &str),
        (y, y_label): (Axis, &str),
    ) -> Plot {
        let x = x.between(LEFT, width - RIGHT);
        let y = y.between(height - BOTTOM, TOP);
        let mut plot = Plot::framed(Svg::new(width, height + room, title), title, x, y, (width, height));
        for (number, label) in plot.x.ticks() {
            let at = plot.x.at(number);
            plot.svg.line((at, TOP), (at, height - BOTTOM), "grid");
            plot.svg.text((at, height - BOTTOM + 16.0), Anchor::Middle, "tick", &label);
        }
        plot.labels(x_label, y_label, (width, height));
        plot
    }

    /// A frame whose horizontal axis has names at even distances.
    pub fn named(title: &str, (names, x_label): (&[String], &str), (y, y_label): (Axis, &str)) -> Plot {
        let x = Axis::even(-0.5, names.len() as f64 - 0.5).between(LEFT, WIDTH - RIGHT);
        let y = y.between(HEIGHT - BOTTOM, TOP);
        let mut plot = Plot::framed(Svg::new(WIDTH, HEIGHT, title), title, x, y, (WIDTH, HEIGHT));
        for (nth, name) in names.iter().enumerate() {
            let at = plot.x.at(nth as f64);
            plot.svg.text((at, HEIGHT - BOTTOM + 16.0), Anchor::Middle, "tick", name);
        }
        plot.labels(x_label, y_label, (WIDTH, HEIGHT));
        plot
    }

    fn framed(mut svg: Svg, title: &str, x: Axis, y: Axis, (width, height): (f64, f64)) -> Plot {
        svg.text((LEFT, 20.0), Anchor::Start, "panel", &short(title, 48));
        for (number, label) in y.ticks() {
            let at = y.at(number);
            svg.line((LEFT, at), (width - RIGHT, at), "grid");
            svg.text((LEFT - 6.0, at + 4.0), Anchor::End, "tick", &label);
        }
        svg.line((LEFT, height - BOTTOM), (width - RIGHT, height - BOTTOM), "axis");
        svg.line((LEFT, TOP), (LEFT, height - BOTTOM), "axis");
        Plot { svg, x, y }
    }

    fn labels(&mut self, x_label: &str, y_label: &str, (width, height): (f64, f64)) {
        self.svg.text(((LEFT + width - RIGHT) / 2.0, height - 10.0), Anchor::Middle, "label", x_label);
        self.svg.upright((16.0, (TOP + height - BOTTOM) / 2.0), "label", y_label);
    }

    /// The place of a point.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    /// A line across the plot at a height, with a text above its right or left end.
    pub fn level(&mut self, y: f64, class: &str, text: &str, anchor: Anchor) {
        let ((left, right), at) = (self.ends_x(), self.y.at(y));
        self.svg.line((left, at), (right, at), class);
        let x = if anchor == Anchor::End { right - 4.0 } else { self.x.at(0.0) + 8.0 };
        self.svg.text((x, at - 4.0), anchor, "tick", text);
    }

    /// A line up the plot, with a text at its top.
    pub fn upright(&mut self, x: f64, class: &str, text: &str) {
        let at = self.x.at(x);
        let (low, high) = self.y.ends();
        self.svg.line((at, self.y.at(low)), (at, self.y.at(high)), class);
        self.svg.text((at + 4.0, self.y.at(high) + 10.0), Anchor::Start, "tick", text);
    }

    fn ends_x(&self) -> (f64, f64) {
        let (low, high) = self.x.ends();
        (self.x.at(low), self.x.at(high))
    }
}

/// The class of the nth series: a colour, and a dash pattern when colours are used up.
pub fn series(nth: usize) -> String {
    format!("s{} d{}", nth % 8, (nth / 8).min(3))
}

/// A legend below a drawing: what the colours mean. Returns the height that it takes.
pub fn legend_height(names: usize) -> f64 {
    16.0 * names as f64 + 8.0
}

/// Draws the legend from that height on.
pub fn legend(svg: &mut Svg, top: f64, names: &[String]) {
    for (nth, name) in names.iter().enumerate() {
        let at = top + 16.0 * nth as f64 + 8.0;
        svg.line((LEFT, at - 4.0), (LEFT + 24.0, at - 4.0), &format!("curve {}", series(nth)));
        svg.text((LEFT + 32.0, at), Anchor::Start, "tick", name);
    }
}

/// The height of a panel without a legend.
pub const fn height() -> f64 {
    HEIGHT
}

/// As much of a title as fits above a panel: all of it is read aloud, and shown when the pointer rests on the drawing.
pub fn short(title: &str, most: usize) -> String {
    match title.char_indices().nth(most) {
        None => title.into(),
        Some((end, _)) => format!("{}\u{2026}", &title[..end]),
    }
}
