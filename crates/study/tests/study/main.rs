//! Studies of models: the rows do not depend on threads and interruptions, reports are whole, and bad files are refused.

mod bad_files;
mod common;
mod report;
mod same_rows;
