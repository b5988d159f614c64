//! Experiments: programs x strategies x seeds x limits, their statistics, tables and figures.
//!
//! A study file ([`file::StudyFile`]) says which programs are searched by which strategies, how often and within which limits. A
//! [`plan::Plan`] makes cells of it: one program with its arguments, one strategy, one preset of reductions. [`runner::run`] runs the
//! trials of each cell that are not there yet, side by side, and a [`database::Database`] keeps each as it ends. [`results::Results`]
//! reads them back. [`table::tables`], [`figure::figures`] and [`page::page`] show them, by the rules in [`stats`].
//!
//! The same file has the same rows on any number of threads, and after any interruption: see [`runner`].
//!
//! Papers that the tables and figures follow: PRSS (Dwyer, Elbaum, Person and Purandare, 2007), RGDS (Rungta and Mercer, 2007), RB
//! (Parízek and Lhoták, 2011), and the paper on Java PathFinder of 2001 (Lerda and Visser).
#![forbid(unsafe_code)]

pub mod comparison;
pub mod database;
pub mod figure;
pub mod file;
mod output;
pub mod page;
pub mod plan;
pub mod results;
pub mod runner;
pub mod stats;
pub mod table;
mod trial;

pub use output::{Written, write};
pub use trial::Trial;
