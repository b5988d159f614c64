//! Options that several front-ends have in common.

use crate::option::{Opt, Otherwise, Value};
use sojourner_names::names;

names! {
    /// What a data race is.
    pub enum Races ("treatment of races") {
        /// a finding if nothing worse is found; the search goes on for as long again, and for at least 2 s; not for Java
        Last = "last",
        /// a finding that ends the execution
        Fail = "fail",
        /// a warning
        Warn = "warn",
        /// nothing: data races are not looked for
        Off = "off",
    }
}

names! {
    /// When waits with a time-out end by themselves.
    pub enum Timeouts ("rule for time-outs") {
        /// at any time, which covers every speed of the machine
        Any = "any",
        /// at any time if less than a second is left, otherwise only when no other thread can go on
        Patient = "patient",
        /// only when no thread can do anything else
        Last = "last",
    }
}

/// `--races`.
pub const RACES: &str = "--races";
/// `--timeouts`.
pub const TIMEOUTS: &str = "--timeouts";
/// `--exit`.
pub const EXIT: &str = "--exit";

/// The options that programs have in common which run on a machine or as a process: Java, C, C++ and Rust programs.
pub static OPTIONS: &[Opt] = &[
    Opt::named::<Timeouts>(
        TIMEOUTS,
        Otherwise::Is("any"),
        "Choose when a wait with a time-out ends by itself. Short sleeps may end at any time, except with `last`.",
    ),
    Opt {
        value: Value::of::<Races>("HOW"),
        ..Opt::named::<Races>(
            RACES,
            Otherwise::Says("warn for Java programs, last for C, C++ and Rust programs"),
            "Choose how to report a data race.",
        )
    },
    Opt::flag(EXIT, "Report it as a finding if the program ends with a status other than 0."),
];
