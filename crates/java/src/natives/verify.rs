//! `sojourner.Verify`: data choices of programs under test.

use super::Table;

pub const TABLES: &[Table] = &[];

/// The class file of a class that the machine itself brings.
pub fn verify_class(name: &str) -> Option<&'static [u8]> {
    let _ = name;
    None
}
