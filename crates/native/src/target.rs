//! What a check asks of a C, C++ or Rust program beside how to run it.

use crate::exploration::Signal;
use crate::native_program::NativeProgram;
use sojourner_distance::{Measure, Unit};
use sojourner_frontend::shared::{Races, Timeouts};
use sojourner_frontend::{Destination, Endless, Target, VisitStates};
use sojourner_program::{Finding, Verdict};
use xxhash_rust::xxh3::Xxh3;

/// What is assumed where time-outs were withheld.
const PATIENT: &str = "waits of a second or more, and the time that a thread polls, were taken to last until no other thread gets \
                       on (--timeouts any: any time)";
const LAST: &str = "--timeouts last assumes that time-outs expire only when nothing else can happen";

impl Target for NativeProgram {
    fn by_states<V: VisitStates>(&self, visit: V) -> V::Out {
        visit.hashed(self)
    }

    fn afresh(&self, learned: Option<&[String]>) -> NativeProgram {
        NativeProgram::afresh(self, learned)
    }

    fn guide(&self, destinations: &[Destination], measure: Measure, unit: Unit) -> Result<(), String> {
        NativeProgram::guide(self, destinations, measure, unit)
    }

    fn content_hash(&self) -> Option<String> {
        let content = self.content();
        let mut hash = Xxh3::new();
        for path in &content.files {
            let bytes = std::fs::read(path).ok()?;
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
        }
        for flag in &content.flags {
            hash.update(flag.as_bytes());
            hash.update(b"\0");
        }
        Some(format!("{:032x}", hash.digest128()))
    }

    fn caveats(&self, verdict: Verdict) -> Vec<String> {
        // A finding is real, whatever was left out on the way.
        if verdict == Verdict::Found {
            return Vec::new();
        }
        let mut caveats = vec![
            "threads take turns at visible operations: what weak memory makes of them was not explored"
                .to_string(),
        ];
        if self.exploration().races == Races::Off {
            caveats.push("data races were not looked for".into());
        }
        if self.has_missed_races() {
            let why =
                "data races were not looked for everywhere: more variables or objects than there is room for";
            caveats.push(why.into());
        }
        if self.has_hidden_attempts() {
            let why = "attempts of std::lock and std::scoped_lock are single steps: other threads that try one of the locks during an attempt were not explored";
            caveats.push(why.into());
        }
        if self.has_alarms() {
            let why = "an alarm goes off only where its thread sleeps, pauses or looks at the clock: alarms at other places were not explored";
            caveats.push(why.into());
        }
        caveats.extend(sojourner_frontend::draws_caveat(&self.draws()));
        let times = sojourner_frontend::some_of(&self.times_of_day());
        caveats.extend(times.map(|named| format!("only one time of day was explored: {named}")));
        if self.is_isolated() && !self.exploration().isolate {
            let why = "each execution ran in a process of its own, as with --isolate, because the program changes what outlasts an execution";
            caveats.push(why.into());
        }
        if self.has_lost_checkpoints() {
            let why = "going back to an earlier state once led to another state, so that all executions have run from the start since \
                       then: a part of the program's state is not copied, which is a defect of sojourner";
            caveats.push(why.into());
        }
        let assumes = match self.exploration().timeouts {
            _ if !self.has_withheld_timeouts() => None,
            Timeouts::Any => None,
            Timeouts::Patient => Some(PATIENT),
            Timeouts::Last => Some(LAST),
        };
        caveats.extend(assumes.map(String::from));
        if self.exploration().signal == Signal::Fifo {
            caveats
                .push("--signal fifo assumes that a signal wakes the thread that has waited longest".into());
        }
        caveats
    }

    fn warnings(&self) -> Vec<Finding> {
        NativeProgram::warnings(self)
    }

    fn endless(&self) -> Endless {
        Endless::Defect
    }

    fn ignore_endless(&self) {
        NativeProgram::ignore_endless(self);
    }

    fn goes_round(&self) -> bool {
        NativeProgram::goes_round(self)
    }

    fn endless_unknown(&self) -> &'static str {
        "threads can keep each other running: whether they can do so for ever was not explored to the end"
    }
}
