//! Reading and writing trace files.
//!
//! A trace is JSON, so that other tools can read it (`docs/decisions/0001-json-traces.md`). Within one version of
//! the schema fields may be added: unknown ones are ignored.

use crate::{Trace, TraceError};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

/// The schema of the traces that this version reads and writes.
pub const SCHEMA: &str = "sojourner/trace/1";

/// What the schemas of all versions start with.
const FAMILY: &str = "sojourner/trace/";

/// The largest trace that is read or written: more than the longest schedule takes.
pub const MAX_BYTES: u64 = 1 << 29;

#[derive(Deserialize)]
struct Header {
    schema: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct Versioned<'a> {
    schema: &'static str,
    #[serde(flatten)]
    trace: &'a Trace,
}

impl Trace {
    /// Reads a trace, to the end of `source`, and checks it.
    pub fn read(source: &mut impl Read) -> Result<Trace, TraceError> {
        let mut bytes = Vec::new();
        source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(TraceError::TooLarge { limit: MAX_BYTES });
        }
        parse(&bytes)
    }

    /// Reads the trace in a file, and checks it.
    pub fn load(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
        let path = path.as_ref();
        let unreadable = |source| TraceError::Unreadable { path: path.to_owned(), source };
        let mut file = fs::File::open(path).map_err(unreadable)?;
        match Trace::read(&mut file) {
            Err(TraceError::Transfer(source)) => Err(unreadable(source)),
            other => other,
        }
    }

    /// Checks the trace and writes it. A trace that cannot be read again is not written.
    pub fn write(&self, sink: &mut impl Write) -> Result<(), TraceError> {
        sink.write_all(&self.to_json()?)?;
        Ok(())
    }

    /// Checks the trace and saves it in a file, replacing what was there.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TraceError> {
        let path = path.as_ref();
        fs::write(path, self.to_json()?)
            .map_err(|source| TraceError::Unwritable { path: path.to_owned(), source })
    }

    fn to_json(&self) -> Result<Vec<u8>, TraceError> {
        self.check()?;
        // Strings, numbers and lists cannot fail to become JSON.
        let versioned = Versioned { schema: SCHEMA, trace: self };
        let mut bytes = serde_json::to_vec_pretty(&versioned).map_err(std::io::Error::from)?;
        bytes.push(b'\n');
        if bytes.len() as u64 > MAX_BYTES {
            return Err(TraceError::TooLarge { limit: MAX_BYTES });
        }
        Ok(bytes)
    }
}

fn parse(bytes: &[u8]) -> Result<Trace, TraceError> {
    match serde_json::from_slice::<Header>(bytes) {
        Ok(Header { schema: Some(serde_json::Value::String(schema)) }) if schema == SCHEMA => {}
        Ok(Header { schema: Some(serde_json::Value::String(schema)) }) => {
            return Err(if schema.starts_with(FAMILY) {
                TraceError::Version { found: schema }
            } else {
                TraceError::Foreign { why: format!("its schema is `{schema}`") }
            });
        }
        Ok(_) => return Err(TraceError::Foreign { why: "it names no schema".into() }),
        // A trace that was cut off or damaged is still told apart from a file that never was one.
        Err(error) if names_schema(bytes) => return Err(corrupt(&error)),
        Err(error) => {
            let why = match error.classify() {
                Category::Data => "it is JSON of another sort".into(),
                _ => format!("it is not JSON ({error})"),
            };
            return Err(TraceError::Foreign { why });
        }
    }
    let trace: Trace = serde_json::from_slice(bytes).map_err(|error| corrupt(&error))?;
    trace.check()?;
    Ok(trace)
}

/// Whether a schema of ours stands near the start, where it is written.
fn names_schema(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    start.windows(FAMILY.len()).any(|window| window == FAMILY.as_bytes())
}

fn corrupt(error: &serde_json::Error) -> TraceError {
    let text = error.to_string();
    // The message repeats the place, which has fields of its own here.
    let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why).to_owned();
    TraceError::Corrupt { line: error.line(), column: error.column(), why }
}
