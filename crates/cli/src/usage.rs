//! What can be wrong with what the user asked for, and what to do about it.

use miette::Diagnostic;
use sojourner_check::{CheckError, ReplayError};
use sojourner_frontend::OpenError;
use sojourner_trace::{TokenError, TraceError};
use std::path::PathBuf;

/// What is wrong with what the user asked for.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Usage {
    #[error("{error}")]
    Open {
        error: OpenError,
        #[help]
        help: Option<String>,
    },
    #[error("states of '{0}' cannot be told apart, so there is nothing to compare")]
    #[diagnostic(help("`sojourner diff-states` is for models and Java programs"))]
    WithoutStates(String),
    #[error("'{0}' is a model, and models are not run")]
    #[diagnostic(help("`sojourner check {0}` explores it; `sojourner run` is for Java, C and C++ programs"))]
    ModelToRun(String),
    #[error("{0}")]
    #[diagnostic(help("`sojourner check --help` shows which options go together"))]
    Settings(String),
    #[error("the file {path} cannot be written: {why}")]
    #[diagnostic(help("give a path in a directory that exists and that you may write to"))]
    Unwritable { path: PathBuf, why: String },
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error("{0}")]
    #[diagnostic(help("`sojourner replay --help` shows how a trace or a token is given"))]
    Replay(String),
    #[error("there is no command '{name}'; there are {known}")]
    #[diagnostic(help(
        "`sojourner man COMMAND` prints the page of a command, `sojourner man` the first page"
    ))]
    Command { name: String, known: String },
    #[error("{what} cannot be written: {why}")]
    Output { what: String, why: String },
}

impl From<OpenError> for Usage {
    fn from(error: OpenError) -> Usage {
        Usage::Open { help: error.help(), error }
    }
}

impl From<CheckError> for Usage {
    fn from(error: CheckError) -> Usage {
        match error {
            CheckError::Open(error) => error.into(),
            error => Usage::Settings(error.to_string()),
        }
    }
}

impl From<ReplayError> for Usage {
    fn from(error: ReplayError) -> Usage {
        Usage::Replay(error.to_string())
    }
}
