//! Files that the user named for results. They are opened before the search, so that a long search does not end
//! in a path that cannot be written.

use crate::usage::Usage;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a result goes.
#[derive(Debug)]
pub enum Output {
    /// To standard output.
    Standard,
    /// To a file.
    File(PathBuf),
}

impl Output {
    /// The place that `path` names, if it can be written.
    pub fn open(path: &Path) -> Result<Output, Usage> {
        if path == Path::new("-") {
            return Ok(Output::Standard);
        }
        writable(path)?;
        Ok(Output::File(path.to_path_buf()))
    }

    /// Writes the text there.
    pub fn write(&self, text: &str) -> Result<(), Usage> {
        match self {
            Output::Standard => {
                // A reader that has gone away is no error.
                let _ = std::io::stdout().write_all(text.as_bytes());
                Ok(())
            }
            Output::File(path) => std::fs::write(path, text)
                .map_err(|error| Usage::Unwritable { path: path.clone(), why: error.to_string() }),
        }
    }
}

/// Whether a file can be written. What is in it stays, and a file that was not there is not there afterwards: a
/// search without a finding has no trace to leave.
pub fn writable(path: &Path) -> Result<(), Usage> {
    let new = !path.exists();
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened
        .map(drop)
        .map_err(|error| Usage::Unwritable { path: path.to_path_buf(), why: error.to_string() })?;
    if new {
        // If it cannot be removed it stays there, empty: that does no harm.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}
