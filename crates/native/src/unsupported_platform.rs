//! What there is where programs cannot be explored: an answer that says so.

use crate::exploration::{Ended, Exploration};
use crate::front_end::Content;
use sojourner_frontend::{Target, VisitStates};
use sojourner_program::{
    Choice, Fault, Finding, Load, Program, Promises, Reducible, Schedule, Stateful, Step, Thread, ThreadId,
    Threads,
};
use std::path::{Path, PathBuf};

const WHY: &str = "C and C++ programs can be explored on Linux on x86-64 only, not supported here";

/// A program, of which there is none.
pub enum Execution {}

impl Program for Execution {
    type Place = Schedule;

    fn choices(&mut self, _: &mut Vec<Choice>) {
        match *self {}
    }

    fn judge(&mut self, _: bool) -> Option<Finding> {
        match *self {}
    }

    fn step(&mut self, _: Choice, _: &mut Step) -> Result<(), Fault> {
        match *self {}
    }

    fn depth(&self) -> usize {
        match *self {}
    }

    fn rewind(&mut self, _: usize) -> Result<(), Fault> {
        match *self {}
    }

    fn here(&mut self) -> Schedule {
        match *self {}
    }

    fn go(&mut self, _: &Schedule) -> Result<(), Fault> {
        match *self {}
    }

    fn threads(&mut self, _: &mut Vec<Thread>) {
        match *self {}
    }

    fn name(&self, _: ThreadId) -> String {
        match *self {}
    }
}

impl Reducible for Execution {
    fn prepare_reduction(&mut self, _: bool) -> Result<Promises, Fault> {
        match *self {}
    }
}

impl Stateful for Execution {
    fn fingerprint(&mut self) -> u128 {
        match *self {}
    }
}

/// An executable with its arguments.
pub struct NativeProgram {
    executable: PathBuf,
    exploration: Exploration,
    threads: Threads,
}

impl NativeProgram {
    /// An executable with its arguments, explored in that way.
    pub fn new(executable: &Path, _arguments: Vec<String>, exploration: Exploration) -> NativeProgram {
        NativeProgram { executable: executable.to_path_buf(), exploration, threads: Threads::new(1) }
    }

    /// The executable.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// The same: what it was made of does not matter here.
    pub(crate) fn with_content(self, _: Content) -> NativeProgram {
        self
    }

    /// Whether the executable has the runtime in it.
    pub fn is_linked(&self) -> bool {
        true
    }

    /// How it is explored.
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// What there was to warn of so far.
    pub fn warnings(&self) -> Vec<Finding> {
        Vec::new()
    }
}

impl Load for NativeProgram {
    type P = Execution;

    fn open(&self) -> Result<Execution, Fault> {
        Err(Fault::Unsupported { what: WHY.into(), location: None })
    }

    fn threads(&self) -> &Threads {
        &self.threads
    }
}

impl Target for NativeProgram {
    fn by_states<V: VisitStates>(&self, visit: V) -> V::Out {
        visit.hashed(self)
    }

    fn afresh(&self, _: Option<&[String]>) -> NativeProgram {
        NativeProgram::new(&self.executable, Vec::new(), self.exploration.clone())
    }

    fn content_hash(&self) -> Option<String> {
        None
    }
}

/// Runs a program once.
pub fn run(_: &NativeProgram) -> std::io::Result<Ended> {
    Err(std::io::Error::new(std::io::ErrorKind::Unsupported, WHY))
}
