//! The report as one page: tables and figures, readable without a network, without scripts, on light and dark screens.

use crate::figure::{Figure, escaped};
use crate::file::Stop;
use crate::results::Results;
use crate::table::Table;

const STYLE: &str = include_str!("page.css");

/// The page. Equal results give equal pages.
pub fn page(results: &Results, tables: &[Table], figures: &[Figure]) -> String {
    let file = &results.plan.file;
    let mut contents = String::new();
    let mut body = String::new();
    for (nth, table) in tables.iter().enumerate() {
        let id = format!("table-{}", nth + 1);
        contents.push_str(&entry(&id, &format!("Table {}: {}", nth + 1, table.heading())));
        body.push_str(&table_section(&id, nth + 1, table));
    }
    for (nth, figure) in figures.iter().enumerate() {
        let id = format!("figure-{}", nth + 1);
        let title = format!("Figure {}: {} (reductions: {})", nth + 1, figure.title, figure.preset);
        contents.push_str(&entry(&id, &title));
        body.push_str(&format!("<section id=\"{id}\">\n<h2>{}</h2>\n", escaped(&title)));
        body.push_str(&format!("<p>{}</p>\n<div class=\"panels\">\n", escaped(&figure.note)));
        figure.panels.iter().for_each(|panel| body.push_str(panel));
        body.push_str("</div>\n</section>\n");
    }
    contents.push_str(&entry("commands", "Commands"));
    body.push_str(&commands(results));
    let (name, about) = (escaped(&file.name), escaped(&file.about));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{name}: a study</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p class=\"about\">{about}</p>\n\
         {}<nav>\n<ul>\n{contents}</ul>\n</nav>\n{body}</body>\n</html>\n",
        facts(results)
    )
}

fn entry(id: &str, title: &str) -> String {
    format!("<li><a href=\"#{id}\">{}</a></li>\n", escaped(title))
}

/// What was run.
fn facts(results: &Results) -> String {
    let run = &results.plan.file.run;
    let trials: usize = results.cells.iter().map(|one| one.trials.len()).sum();
    let missing = results.cells.iter().filter(|one| one.trials.is_empty()).count();
    let stop = match run.stop {
        Stop::Trials(n) => format!("{n} for each cell"),
        Stop::Found { found, runs } => format!("until {found} found the error, at most {runs}"),
    };
    let limit = run.states.map_or("none".into(), |states| crate::table::grouped(&states.to_string()));
    let mut facts = vec![
        ("trials", format!("{} ({stop})", crate::table::grouped(&trials.to_string()))),
        ("cells", results.cells.len().to_string()),
        ("states of a trial, at most", limit),
        ("first seed", run.seed.to_string()),
        ("version", format!("sojourner {}", env!("CARGO_PKG_VERSION"))),
    ];
    if missing > 0 {
        facts.push(("cells without a trial yet", missing.to_string()));
    }
    let hit = results.hit_the_machine();
    if hit > 0 {
        facts.push((
            "trials that a limit of time or memory ended, which depend on the machine",
            hit.to_string(),
        ));
    }
    let rows =
        facts.iter().map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value)));
    format!("<dl>\n{}</dl>\n", rows.collect::<String>())
}

fn table_section(id: &str, nth: usize, table: &Table) -> String {
    let class = |column: usize| if table.is_text(column) { " class=\"text\"" } else { "" };
    let mut text = format!("<section id=\"{id}\">\n<h2>Table {nth}: {}</h2>\n", escaped(&table.heading()));
    text.push_str(&format!(
        "<p>{}</p>\n<div class=\"scroll\">\n<table>\n<thead>\n<tr>",
        escaped(&table.note)
    ));
    for (column, name) in table.columns.iter().enumerate() {
        text.push_str(&format!("<th scope=\"col\"{}>{}</th>", class(column), escaped(name)));
    }
    text.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for (column, value) in row.iter().enumerate() {
            text.push_str(&format!("<td{}>{}</td>", class(column), escaped(&value.shown())));
        }
        text.push_str("</tr>\n");
    }
    text.push_str(&format!(
        "</tbody>\n</table>\n</div>\n<p class=\"file\">As numbers: table-{nth}.csv</p>\n</section>\n"
    ));
    text
}

/// The command that repeats the cheapest trial of each cell.
fn commands(results: &Results) -> String {
    let mut text = String::from(
        "<section id=\"commands\">\n<h2>Commands</h2>\n<p>Of each cell the trial that found the error with the fewest states, or the \
         first trial. The file trials.csv has the command of every trial.</p>\n<div class=\"scroll\">\n<table>\n<tbody>\n",
    );
    for one in &results.cells {
        let found =
            one.trials.iter().filter(|trial| trial.found()).min_by_key(|trial| (trial.states, trial.nth));
        let Some(trial) = found.or(one.trials.first()) else { continue };
        text.push_str(&format!(
            "<tr><td class=\"text\">{}</td><td class=\"text\">{}</td><td class=\"text\"><code>{}</code></td></tr>\n",
            escaped(&one.cell.label()),
            escaped(&one.cell.strategy),
            escaped(&one.cell.command(trial.seed))
        ));
    }
    text.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    text
}
