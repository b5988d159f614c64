//! What can be wrong with what the user asked for, and what to do about it. Each ends the command with exit code 2.

use miette::Diagnostic;
use std::path::PathBuf;

/// What is wrong with what the user asked for.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Usage {
    #[error("'{0}' is not a target that can be checked")]
    #[diagnostic(help("targets are model:NAME; `sojourner models` lists the models that there are"))]
    Target(String),
    #[error("{0}")]
    #[diagnostic(help("`sojourner models` lists the models and their parameters"))]
    Model(String),
    #[error("{0}")]
    #[diagnostic(help("`sojourner check --help` shows which options go together"))]
    Settings(String),
    #[error("the file {path} cannot be written: {why}")]
    #[diagnostic(help("give a path in a directory that exists and that you may write to"))]
    Unwritable { path: PathBuf, why: String },
    #[error("{0}")]
    Trace(String),
    #[error("{what} cannot be written: {why}")]
    Output { what: String, why: String },
}
