//! What can be wrong with what the user asked for, and what to do about it.

use miette::{Diagnostic, NamedSource, SourceSpan};
use sojourner_check::{CheckError, ReplayError};
use sojourner_frontend::OpenError;
use sojourner_study::database::DatabaseError;
use sojourner_study::file::FileError;
use sojourner_study::runner::RunError;
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
    #[error(transparent)]
    #[diagnostic(transparent)]
    Study(Box<StudyUsage>),
}

/// What can be wrong with a study.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum StudyUsage {
    #[error("no study file is named")]
    #[diagnostic(help("`sojourner study FILE.toml`; `sojourner study --help` shows what is in it"))]
    NoFile,
    #[error("the study file {path} cannot be read: {why}")]
    Unreadable { path: PathBuf, why: String },
    #[error("{message}")]
    File {
        message: String,
        #[source_code]
        text: NamedSource<String>,
        #[label("here")]
        place: SourceSpan,
        #[help]
        help: String,
    },
    #[error("no program and no strategy is called '{0}'")]
    #[diagnostic(help("--only takes the name of a program or a strategy, as the tables show it"))]
    NoCell(String),
    #[error("{0}")]
    Run(String, #[help] Option<String>),
    #[error(transparent)]
    #[diagnostic(help("--out DIR keeps the results elsewhere"))]
    Database(#[from] DatabaseError),
}

impl StudyUsage {
    /// What is wrong with a study file, with its place.
    pub fn file(error: FileError, name: &str, text: &str) -> StudyUsage {
        StudyUsage::File {
            message: error.to_string(),
            // A label behind the end cannot be shown.
            place: (
                error.span.start.min(text.len()),
                error.span.len().min(text.len() - error.span.start.min(text.len())),
            )
                .into(),
            text: NamedSource::new(name, text.to_string()),
            help: error.help,
        }
    }
}

impl From<StudyUsage> for Usage {
    fn from(error: StudyUsage) -> Usage {
        Usage::Study(Box::new(error))
    }
}

impl From<DatabaseError> for Usage {
    fn from(error: DatabaseError) -> Usage {
        StudyUsage::Database(error).into()
    }
}

impl From<RunError> for Usage {
    fn from(error: RunError) -> Usage {
        match error {
            RunError::Database(error) => error.into(),
            RunError::Open { label, error: OpenError::DoesNotCompile { output, help } } => StudyUsage::Run(
                format!("{label} does not compile:\n{}", output.trim_end()),
                Some(help.into()),
            )
            .into(),
            RunError::Open { label, error } => {
                StudyUsage::Run(format!("{label}: {error}"), error.help()).into()
            }
            error => {
                StudyUsage::Run(error.to_string(), Some("change the options of this strategy".into())).into()
            }
        }
    }
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
