//! Figures of results, drawn as SVG.
//!
//! They are drawn by hand: colours are names that the page's style sheet gives a value, so that one figure is readable on a light and on
//! a dark page. Libraries for plots write colours into the figure.

mod axis;
mod boxes;
mod growth;
mod heat;
mod histogram;
mod nodes;
mod plot;
mod scatter;
mod survival;
mod svg;

pub(crate) use svg::escaped;

use crate::file::{FigureKind, Preset, Shown};
use crate::results::Results;

/// A figure: one or more drawings that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its heading.
    pub title: String,
    /// The reductions that all its data has.
    pub preset: Preset,
    /// How it is to be read.
    pub note: String,
    /// The drawings, as SVG.
    pub panels: Vec<String>,
}

/// The figures that a study file asks for: one for each preset of reductions. A figure without data is left out.
pub fn figures(results: &Results) -> Vec<Figure> {
    let mut all = Vec::new();
    for shown in &results.plan.file.figures {
        for preset in results.presets() {
            let (title, note, panels) = figure(results, *preset, shown);
            if !panels.is_empty() {
                let title = shown.title.clone().unwrap_or(title);
                all.push(Figure { title, preset: *preset, note, panels });
            }
        }
    }
    all
}

fn figure(results: &Results, preset: Preset, shown: &Shown<FigureKind>) -> (String, String, Vec<String>) {
    let programs = results.programs(preset, shown);
    let metric = shown.metric;
    let texts = |title: &str, note: &str| (title.to_string(), note.to_string());
    let (title, note) = match shown.kind {
        FigureKind::Histogram => texts(
            &format!("Distribution of cost: {metric}"),
            "Each bar is the share of all trials that found the error at a cost in its range. The axis of costs is logarithmic.",
        ),
        FigureKind::Nodes => texts(
            &format!("Cost against searches side by side: {metric}"),
            "Points are means of 50 samples, whiskers one standard deviation; the cross is the expectation without drawing. Lines: \
             the default search, the cheapest search of the pool, and the number of searches from which all 50 samples find the error. \
             A default that is off the scale is stated.",
        ),
        FigureKind::Scatter => texts(
            "Two strategies, normalised",
            "One point for the minimum, the mean and the maximum of each program. 1 is the best of both strategies, 0 the worst; above \
             the diagonal the second strategy is better.",
        ),
        FigureKind::Heat => texts(
            &format!("Mean cost of configurations: {metric}"),
            "A stronger colour is cheaper, on a logarithmic scale; the number is the mean, with the share of trials that found the error below it.",
        ),
        FigureKind::Boxes => texts(
            &format!("Spread of cost: {metric}"),
            "Of trials that found the error: quartiles, median, and the cheapest and the dearest. The share that found it stands at \
             the right.",
        ),
        FigureKind::Survival => texts(
            &format!("Share of trials that have found the error: {metric}"),
            "A curve that is higher and farther to the left is better.",
        ),
        FigureKind::Growth => texts(
            "Memory and depth of a search",
            "The first trial of each strategy. The memory is that of the store.",
        ),
    };
    let panels = match shown.kind {
        FigureKind::Histogram => histogram::panels(&programs, metric),
        FigureKind::Nodes => nodes::panels(&programs, shown),
        FigureKind::Scatter => scatter::panels(&programs, shown),
        FigureKind::Heat => heat::panels(&programs, shown),
        FigureKind::Boxes => boxes::panels(&programs, metric),
        FigureKind::Survival => survival::panels(&programs, metric),
        FigureKind::Growth => growth::panels(&programs),
    };
    (title, note, panels)
}
