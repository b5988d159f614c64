//! The command as a user meets it: what it prints, what it writes, how it exits.
//!
//! Every test runs the command in a directory of its own, because a finding is saved in the current one.

mod bad_input;
mod bad_traces;
mod bounds;
mod budgets;
mod codes;
mod desk;
mod diff_states;
mod doctor;
mod help;
mod interrupt;
mod java;
mod java_budgets;
mod java_concurrency;
mod java_guided;
mod java_modules;
mod java_refused;
mod json;
mod livelocks;
mod native;
mod native_guided;
mod outputs;
mod own_model;
mod progress;
mod replay;
mod run;
mod searches;
mod study;
mod swarms;
mod text;
mod timeouts;
