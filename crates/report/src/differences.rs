//! Why states that look alike did not match, as text.

use crate::human;
use crate::page::Page;
use crate::style::{Style, Tone, cut, one_line, width};

/// What makes states that look alike differ.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The program, as it could be typed.
    pub program: String,
    /// Why not all states were looked at; empty: all were.
    pub reasons: Vec<String>,
    /// The states that were looked at.
    pub states: u64,
    /// In how many ways threads stood in them.
    pub places: u64,
    /// The pairs of states that look alike and were compared.
    pub pairs: u64,
    /// What they differ in, the most frequent first.
    pub kinds: Vec<DifferingKind>,
}

/// A kind of components in which states differ.
#[derive(Clone, Debug, Default)]
pub struct DifferingKind {
    /// The pairs that differ in it.
    pub pairs: u64,
    /// Those that differ in nothing else.
    pub alone: u64,
    /// How many different states there would be without it.
    pub without: u64,
    /// An example, with the name of the kind.
    pub example: Difference,
}

/// A component in which two states differ.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Its kind.
    pub kind: String,
    /// The thread or the class that it belongs to.
    pub owner: String,
    /// What it holds in either state; `None` where it is not there.
    pub values: [Option<String>; 2],
}

/// What stands for a component that is not there.
const ABSENT: &str = "-";

/// A table of what makes states differ, at most `most` kinds of it.
pub fn differences(all: &Differences, most: usize, style: Style) -> String {
    let mut page = Page::new(style);
    let head = format!("{} of {}", human::plural(all.states, "state"), one_line(&all.program));
    let (tone, rest) = match all.reasons.is_empty() {
        true => (Tone::Good, "all there are"),
        false => (Tone::Warn, "not all there are"),
    };
    page.head(tone, &head, rest);
    page.rows(Tone::Plain, "because", &all.reasons);
    page.row("places", &format!("threads stand in {}", human::plural(all.places, "different way")));
    let compared = match all.pairs {
        0 => "no two states look alike: there is nothing to compare".to_string(),
        n => format!(
            "{} of states that look alike, each state with the nearest of those before it",
            human::plural(n, "pair")
        ),
    };
    page.row("compared", &compared);
    if all.kinds.is_empty() {
        return page.finish();
    }
    page.blank();
    page.line(&page.style.paint(Tone::Strong, &line(["differ", "in it alone", "states without it"], "in")));
    for kind in all.kinds.iter().take(most) {
        let numbers = [kind.pairs, kind.alone, kind.without].map(human::exact);
        page.line(&fit(
            &line(numbers.each_ref().map(|text| text.as_str()), &one_line(&kind.example.kind)),
            style,
        ));
        let example = line([""; 3], &in_words(&kind.example));
        page.line(&style.paint(Tone::Faint, &fit(&example, style)));
    }
    if all.kinds.len() > most {
        page.blank();
        page.row("left out", &human::plural((all.kinds.len() - most) as u64, "kind"));
    }
    page.finish()
}

/// What two states differ in.
pub fn two_states(all: &[Difference], style: Style) -> String {
    let mut page = Page::new(style);
    match all.len() {
        0 => page.head(Tone::Good, "equal", "the two states do not differ"),
        n => page.head(
            Tone::Warn,
            "different",
            &format!("the two states differ in {}", human::plural(n as u64, "component")),
        ),
    }
    page.blank();
    for difference in all {
        page.line(&fit(&one_line(&difference.kind), style));
        page.line(&style.paint(Tone::Faint, &fit(&format!("    {}", in_words(difference)), style)));
    }
    page.finish()
}

fn line([pairs, alone, without]: [&str; 3], name: &str) -> String {
    format!("{pairs:>10}  {alone:>11}  {without:>17}  {name}")
}

fn in_words(Difference { owner, values, .. }: &Difference) -> String {
    let [one, other] = values.each_ref().map(|value| value.as_deref().map_or(ABSENT.into(), one_line));
    let owner = one_line(owner);
    let owner = if owner.is_empty() { owner } else { format!("{owner}: ") };
    // A long text would push the other one out of sight.
    format!("{owner}{} | {}", cut(&one, 60), cut(&other, 60))
}

fn fit(text: &str, style: Style) -> String {
    if width(text) <= style.columns() { text.to_owned() } else { cut(text, style.columns()) }
}
