//! The threads of a trace: from the thread numbers of a running search to indexes in the trace.

use crate::{Finding, Move, Runs, RunsError, Thread, Timeout};
use sojourner_program::{Choice, ThreadId, Threads};
use std::collections::HashMap;

/// The threads that a trace speaks of, in the order in which they are first spoken of.
///
/// A trace is put together by asking it for the index of every thread that is named, and then for the list.
pub struct TraceThreads<'a> {
    table: &'a Threads,
    name: Box<dyn FnMut(ThreadId) -> String + 'a>,
    threads: Vec<Thread>,
    indexes: HashMap<ThreadId, u32>,
}

impl<'a> TraceThreads<'a> {
    /// An empty list of threads that are numbered in `table` and that `name` names.
    pub fn new(table: &'a Threads, name: impl FnMut(ThreadId) -> String + 'a) -> Self {
        TraceThreads { table, name: Box::new(name), threads: Vec::new(), indexes: HashMap::new() }
    }

    /// The index of a thread, which must be one of the table; given on first use.
    pub fn index(&mut self, thread: ThreadId) -> u32 {
        *self.indexes.entry(thread).or_insert_with(|| {
            self.threads.push(Thread { identity: self.table.identity(thread), name: (self.name)(thread) });
            self.threads.len() as u32 - 1
        })
    }

    /// A schedule by indexes. Fails if it has more steps than a trace can hold.
    pub fn runs(&mut self, schedule: &[Choice]) -> Result<Runs, RunsError> {
        let mut runs = Runs::new();
        for choice in schedule {
            runs.push(Move { thread: self.index(choice.thread), value: choice.value() })?;
        }
        Ok(runs)
    }

    /// A finding by indexes.
    pub fn finding(&mut self, finding: &sojourner_program::Finding) -> Finding {
        Finding {
            kind: finding.kind,
            message: finding.message.clone(),
            type_name: finding.type_name.clone(),
            thread: finding.thread.map(|thread| self.index(thread)),
            location: finding.location.clone(),
        }
    }

    /// A time-out by indexes.
    pub fn timeout(&mut self, timeout: &sojourner_program::Timeout) -> Timeout {
        Timeout {
            how: timeout.how,
            operation: timeout.operation.clone(),
            location: timeout.location.clone(),
            overtakes: timeout.overtakes.iter().map(|&thread| self.index(thread)).collect(),
            withheld_by: timeout.withheld_by,
        }
    }

    /// The list for [`crate::Trace::threads`].
    pub fn into_threads(self) -> Vec<Thread> {
        self.threads
    }
}
