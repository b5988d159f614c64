//! Two-phase commit (Gray 1978), in the form of Gray and Lamport's "Consensus on transaction commit" (2004).

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};

/// A coordinator and resource managers that commit or abort together. Messages are never lost and never taken away: a
/// manager may read a decision again, which changes nothing.
#[derive(Clone, Debug)]
pub struct TwoPhase {
    /// How many managers.
    pub n: u8,
}

/// Where the transaction stands.
#[derive(Clone, Debug, State)]
pub struct Transaction {
    #[state(local)]
    managers: Row<Manager, 16>,
    coordinator: Coordinator,
}

/// A manager and what lies between it and the coordinator.
#[derive(Clone, Copy, Debug, Default, State)]
struct Manager {
    rm: Stage,
    /// It has sent that it is prepared.
    sent: bool,
    /// The coordinator has seen that.
    seen: bool,
}

/// The coordinator and the messages that it has sent.
#[derive(Clone, Debug, State)]
struct Coordinator {
    tm: Stage,
    commit: bool,
    abort: bool,
}

/// How far a manager or the coordinator has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    Working,
    Prepared,
    Committed,
    Aborted,
}

/// The coordinator is process 0, the managers come after it.
const COORDINATOR: usize = 0;

// Of the coordinator.
const DECIDE_COMMIT: u32 = 0;
const DECIDE_ABORT: u32 = 1;

// Of a manager. That the coordinator sees its message is a step of the manager, too.
const SEEN: u32 = 0;
const PREPARE: u32 = 1;
const GIVE_UP: u32 = 2;
const COMMIT: u32 = 3;
const ABORT: u32 = 4;

/// What the coordinator has decided.
const DECISION: ObjectId = ObjectId(0);

/// What the coordinator has seen of a manager.
fn seen(process: usize) -> ObjectId {
    ObjectId(process as u64)
}

impl Named for TwoPhase {
    const ABOUT: About = About {
        name: "twophase",
        summary: "two-phase commit with n resource managers",
        parameters: &[Parameter::number("n", 8, 1, 16, "how many resource managers")],
    };

    fn with(values: &Values) -> Self {
        TwoPhase { n: values.number("n") }
    }
}

impl Model for TwoPhase {
    type State = Transaction;

    fn initial(&self) -> Transaction {
        Transaction {
            managers: Row::filled(self.n.into(), Manager::default()),
            coordinator: Coordinator { tm: Stage::Working, commit: false, abort: false },
        }
    }

    fn processes(&self) -> u32 {
        u32::from(self.n) + 1
    }

    fn transitions(&self, Transaction { managers, coordinator }: &Transaction, on: &mut Transitions<'_>) {
        let deciding = coordinator.tm == Stage::Working;
        on.when(deciding && managers.iter().all(|manager| manager.seen), COORDINATOR, DECIDE_COMMIT);
        on.when(deciding, COORDINATOR, DECIDE_ABORT);
        for (i, manager) in managers.iter().enumerate() {
            let process = COORDINATOR + 1 + i;
            on.when(deciding && manager.sent, process, SEEN);
            on.when(manager.rm == Stage::Working, process, PREPARE);
            on.when(manager.rm == Stage::Working, process, GIVE_UP);
            on.when(coordinator.commit, process, COMMIT);
            on.when(coordinator.abort, process, ABORT);
        }
    }

    fn fire(&self, Transaction { managers, coordinator }: &mut Transaction, process: usize, action: u32) {
        if process == COORDINATOR {
            if action == DECIDE_COMMIT {
                coordinator.tm = Stage::Committed;
                coordinator.commit = true;
            } else {
                coordinator.tm = Stage::Aborted;
                coordinator.abort = true;
            }
            return;
        }
        let manager = &mut managers[process - 1];
        match action {
            SEEN => manager.seen = true,
            PREPARE => {
                manager.rm = Stage::Prepared;
                manager.sent = true;
            }
            COMMIT => manager.rm = Stage::Committed,
            _ => manager.rm = Stage::Aborted,
        }
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("agreement", |_, Transaction { managers, .. }| {
            let any = |stage| managers.iter().any(|manager| manager.rm == stage);
            !(any(Stage::Aborted) && any(Stage::Committed))
        });
        expect.goal("all commit", |_, transaction| {
            transaction.managers.iter().all(|manager| manager.rm == Stage::Committed)
        });
    }

    fn name(&self, process: usize) -> String {
        if process == COORDINATOR { "coordinator".to_owned() } else { format!("manager {}", process - 1) }
    }

    fn words(&self, _: &Transaction, process: usize, action: u32) -> String {
        let words = match (process, action) {
            (COORDINATOR, DECIDE_COMMIT) => "decides to commit",
            (COORDINATOR, _) => "decides to abort",
            (_, SEEN) => "is seen to be prepared",
            (_, PREPARE) => "prepares",
            (_, GIVE_UP) => "gives up",
            (_, COMMIT) => "commits",
            _ => "aborts",
        };
        words.to_owned()
    }

    fn footprint(&self, _: &Transaction, process: usize, action: u32, out: &mut Footprint) -> bool {
        if process == COORDINATOR {
            // Both guards are open as long as nothing is decided, and one of them looks at every manager.
            out.touch(DECISION, Mode::Write);
            (1..=usize::from(self.n)).for_each(|manager| out.touch(seen(manager), Mode::Read));
        } else {
            out.touch(DECISION, Mode::Read);
            if action == SEEN {
                out.touch(seen(process), Mode::Write);
            }
        }
        true
    }

    fn blocked_on(&self, _: &Transaction, process: usize, out: &mut Footprint) -> bool {
        if process != COORDINATOR {
            out.touch(DECISION, Mode::Read);
        }
        true
    }

    fn object_name(&self, object: ObjectId) -> String {
        match object {
            DECISION => "the decision".to_owned(),
            ObjectId(process) => format!("what is seen of manager {}", process - 1),
        }
    }
}
