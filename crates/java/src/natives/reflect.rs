//! Reflection.

use super::Table;

pub const TABLES: &[Table] = &[];
