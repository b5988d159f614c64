//! Peterson's lock for any number of processes, the filter lock (Peterson 1981).

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};

/// Processes that pass one level after the other, each of which holds one of them back, and read the others one at a
/// time.
#[derive(Clone, Debug)]
pub struct Peterson {
    /// How many there are.
    pub n: u8,
}

/// What the processes and the memory they share hold.
#[derive(Clone, Debug, State)]
pub struct Memory {
    #[state(local)]
    processes: Row<Process, 8>,
    /// The level that each process has announced.
    announced: Row<u8, 8>,
    /// The last to arrive at each level.
    last: Row<u8, 8>,
}

/// A process.
#[derive(Clone, Copy, Debug, Default, State)]
struct Process {
    stage: Stage,
    /// The level that it claims.
    level: u8,
    /// The process that it reads next.
    scan: u8,
}

/// What a process is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    Idle,
    Claim,
    Arrive,
    Scan,
    Critical,
}

/// Its only action, or past a process that is not in the way.
const STEP: u32 = 0;
/// From the scan to the next level.
const ADVANCE: u32 = 1;

impl Peterson {
    /// The process may step past the one that it scans, which is itself or has not come as far.
    fn may_step(&self, memory: &Memory, i: usize) -> bool {
        let Process { scan, level, .. } = memory.processes[i];
        scan < self.n && (usize::from(scan) == i || memory.announced[usize::from(scan)] < level)
    }

    /// The process has stepped past all others, or another one has arrived at its level since.
    fn may_advance(&self, memory: &Memory, i: usize) -> bool {
        let Process { scan, level, .. } = memory.processes[i];
        scan == self.n || usize::from(memory.last[usize::from(level)]) != i
    }

    fn announcement(i: usize) -> ObjectId {
        ObjectId(i as u64)
    }

    fn last(&self, level: u8) -> ObjectId {
        ObjectId(u64::from(self.n + level))
    }

    /// What both guards of a scanning process look at.
    fn scanned(&self, process: &Process, i: usize, out: &mut Footprint) {
        if process.scan < self.n {
            if usize::from(process.scan) != i {
                out.touch(Self::announcement(process.scan.into()), Mode::Read);
            }
            out.touch(self.last(process.level), Mode::Read);
        }
    }
}

impl Named for Peterson {
    const ABOUT: About = About {
        name: "peterson",
        summary: "Peterson's lock for n processes",
        parameters: &[Parameter::number("n", 4, 2, 8, "how many processes")],
    };

    fn with(values: &Values) -> Self {
        Peterson { n: values.number("n") }
    }
}

impl Model for Peterson {
    type State = Memory;

    fn initial(&self) -> Memory {
        let n = self.n.into();
        Memory {
            processes: Row::filled(n, Process::default()),
            announced: Row::filled(n, 0),
            last: Row::filled(n, 0),
        }
    }

    fn processes(&self) -> u32 {
        self.n.into()
    }

    fn transitions(&self, memory: &Memory, on: &mut Transitions<'_>) {
        for (i, process) in memory.processes.iter().enumerate() {
            if process.stage == Stage::Scan {
                on.when(self.may_step(memory, i), i, STEP);
                on.when(self.may_advance(memory, i), i, ADVANCE);
            } else {
                on.when(true, i, STEP);
            }
        }
    }

    fn fire(&self, memory: &mut Memory, i: usize, action: u32) {
        let process = &mut memory.processes[i];
        process.stage = match process.stage {
            Stage::Idle => {
                process.level = 1;
                Stage::Claim
            }
            Stage::Claim if process.level < self.n => {
                memory.announced[i] = process.level;
                Stage::Arrive
            }
            Stage::Claim => Stage::Critical,
            Stage::Arrive => {
                memory.last[usize::from(process.level)] = i as u8;
                process.scan = 0;
                Stage::Scan
            }
            Stage::Scan if action == STEP => {
                process.scan += 1;
                Stage::Scan
            }
            Stage::Scan => {
                process.level += 1;
                Stage::Claim
            }
            Stage::Critical => {
                memory.announced[i] = 0;
                Stage::Idle
            }
        };
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("mutual exclusion", |_, memory| {
            memory.processes.iter().filter(|process| process.stage == Stage::Critical).count() < 2
        });
    }

    fn words(&self, memory: &Memory, i: usize, action: u32) -> String {
        let Process { stage, level, scan } = memory.processes[i];
        match stage {
            Stage::Idle => "sets out".to_owned(),
            Stage::Claim if level < self.n => format!("announces level {level}"),
            Stage::Claim => "enters the critical section".to_owned(),
            Stage::Arrive => format!("arrives last at level {level}"),
            Stage::Scan if action == STEP => format!("steps past process {scan}"),
            Stage::Scan => format!("passes level {level}"),
            Stage::Critical => "leaves the critical section".to_owned(),
        }
    }

    fn footprint(&self, memory: &Memory, i: usize, _: u32, out: &mut Footprint) -> bool {
        let process = &memory.processes[i];
        match process.stage {
            Stage::Idle => {}
            Stage::Claim if process.level < self.n => out.touch(Self::announcement(i), Mode::Write),
            Stage::Claim => {}
            Stage::Arrive => out.touch(self.last(process.level), Mode::Write),
            Stage::Scan => self.scanned(process, i, out),
            Stage::Critical => out.touch(Self::announcement(i), Mode::Write),
        }
        true
    }

    fn blocked_on(&self, memory: &Memory, i: usize, out: &mut Footprint) -> bool {
        self.scanned(&memory.processes[i], i, out);
        true
    }

    fn object_name(&self, object: ObjectId) -> String {
        match object.0.checked_sub(self.n.into()) {
            None => format!("what process {} announced", object.0),
            Some(level) => format!("the last at level {level}"),
        }
    }
}
