//! What runs of `sojourner run --coverage` have executed.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Default)]
pub struct Coverage {
    /// Mnemonics of instructions.
    pub opcodes: BTreeSet<String>,
    natives: BTreeSet<String>,
    intrinsics: BTreeSet<String>,
    bootstraps: BTreeSet<String>,
}

impl Coverage {
    /// Adds what one run has reported. A run that was killed may have reported nothing.
    pub fn add_file(&mut self, file: &Path) {
        let Ok(text) = std::fs::read_to_string(file) else { return };
        let report: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for (key, names) in [
            ("opcodes", &mut self.opcodes),
            ("natives", &mut self.natives),
            ("intrinsics", &mut self.intrinsics),
            ("bootstraps", &mut self.bootstraps),
        ] {
            let listed =
                report[key].as_array().unwrap_or_else(|| panic!("{}: no list {key}", file.display()));
            names.extend(listed.iter().map(|name| name.as_str().unwrap().to_owned()));
        }
    }

    /// The native methods, intrinsics and bootstrap methods, a line each.
    pub fn members(&self) -> String {
        let mut text = String::new();
        for (what, names) in [
            ("native methods", &self.natives),
            ("intrinsics", &self.intrinsics),
            ("bootstrap methods", &self.bootstraps),
        ] {
            text.push_str(&format!("{what} called: {}\n", names.len()));
            for name in names {
                text.push_str(&format!("  {name}\n"));
            }
        }
        text
    }
}
