//! Object files of the program under test, changed before they are linked.

use crate::toolchain::{CompileError, run};
use crate::{redirected_functions, spin_bounds};
use std::path::Path;
use std::process::Command;

/// Functions that programs written for verifiers define, in ways that are not meant to be run.
const REPLACED: [&str; 2] = ["__VERIFIER_assume", "assume_abort_if_not"];

/// Gives calls of functions that read or write memory the names of ours, and cuts short what only spins.
pub(crate) fn adapt(object: &Path) -> Result<(), CompileError> {
    let failed = |error| CompileError::File { path: object.to_path_buf(), error };
    let bytes = std::fs::read(object).map_err(failed)?;
    let mut command = Command::new("objcopy");
    for (name, new) in redirected_functions::symbols(&bytes) {
        command.arg("--redefine-sym").arg(format!("{name}={new}"));
    }
    for name in REPLACED {
        command.arg("--weaken-symbol").arg(name);
    }
    run(command.arg(object))?;
    let mut bytes = std::fs::read(object).map_err(failed)?;
    if spin_bounds::cut(&mut bytes) {
        std::fs::write(object, bytes).map_err(failed)?;
    }
    Ok(())
}
