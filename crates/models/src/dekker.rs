//! Dekker's lock for two processes, the first correct one (Dijkstra 1965).

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Properties, State, Transitions};

/// Two processes that say that they want to enter; if both do, the one whose turn it is not steps back.
#[derive(Clone, Debug)]
pub struct Dekker {
    /// Whether a process looks at what the other wants before it enters. If not, both can be inside.
    pub polite: bool,
}

/// What the processes do and what they share.
#[derive(Clone, Debug, State)]
pub struct Memory {
    #[state(local)]
    stages: [Stage; 2],
    wants: [bool; 2],
    turn: u8,
}

/// What a process is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
enum Stage {
    Want,
    Look,
    CheckTurn,
    AwaitTurn,
    WantAgain,
    PassTurn,
    Leave,
}

const MOVE: u32 = 0;

const TURN: ObjectId = ObjectId(2);

/// What process `i` wants.
fn wish(i: usize) -> ObjectId {
    ObjectId(i as u64)
}

impl Named for Dekker {
    const ABOUT: About = About {
        name: "dekker",
        summary: "Dekker's lock for two processes; if they are not polite, both can be inside",
        parameters: &[Parameter::flag("polite", true, "whether a process looks before it enters")],
    };

    fn with(values: &Values) -> Self {
        Dekker { polite: values.flag("polite") }
    }
}

impl Model for Dekker {
    type State = Memory;

    fn initial(&self) -> Memory {
        Memory { stages: [Stage::Want; 2], wants: [false; 2], turn: 0 }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, memory: &Memory, on: &mut Transitions<'_>) {
        for i in 0..2 {
            let waits = memory.stages[i] == Stage::AwaitTurn;
            on.when(!waits || usize::from(memory.turn) == i, i, MOVE);
        }
    }

    fn fire(&self, memory: &mut Memory, i: usize, _: u32) {
        let other = 1 - i;
        memory.stages[i] = match memory.stages[i] {
            Stage::Want | Stage::WantAgain => {
                memory.wants[i] = true;
                Stage::Look
            }
            Stage::Look if memory.wants[other] && self.polite => Stage::CheckTurn,
            Stage::Look => Stage::PassTurn,
            Stage::CheckTurn if usize::from(memory.turn) == i => Stage::Look,
            Stage::CheckTurn => {
                memory.wants[i] = false;
                Stage::AwaitTurn
            }
            Stage::AwaitTurn => Stage::WantAgain,
            Stage::PassTurn => {
                memory.turn = other as u8;
                Stage::Leave
            }
            Stage::Leave => {
                memory.wants[i] = false;
                Stage::Want
            }
        };
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        let inside = |stage: &Stage| matches!(stage, Stage::PassTurn | Stage::Leave);
        expect.invariant("mutual exclusion", move |_, memory| !memory.stages.iter().all(inside));
        expect.goal("the second process enters", move |_, memory| inside(&memory.stages[1]));
    }

    fn words(&self, memory: &Memory, i: usize, _: u32) -> String {
        let words = match memory.stages[i] {
            Stage::Want => "wants to enter",
            Stage::Look if memory.wants[1 - i] && self.polite => "sees that the other wants to enter, too",
            Stage::Look => "enters the critical section",
            Stage::CheckTurn if usize::from(memory.turn) == i => "sees that it is its turn",
            Stage::CheckTurn => "sees that it is not its turn, and steps back",
            Stage::AwaitTurn => "sees that its turn has come",
            Stage::WantAgain => "wants to enter again",
            Stage::PassTurn => "passes the turn on",
            Stage::Leave => "leaves",
        };
        words.to_owned()
    }

    fn footprint(&self, memory: &Memory, i: usize, _: u32, out: &mut Footprint) -> bool {
        match memory.stages[i] {
            Stage::Want | Stage::WantAgain | Stage::Leave => out.touch(wish(i), Mode::Write),
            Stage::Look => out.touch(wish(1 - i), Mode::Read),
            Stage::CheckTurn => {
                out.touch(TURN, Mode::Read);
                out.touch(wish(i), Mode::Write);
            }
            Stage::AwaitTurn => out.touch(TURN, Mode::Read),
            Stage::PassTurn => out.touch(TURN, Mode::Write),
        }
        true
    }

    fn blocked_on(&self, _: &Memory, _: usize, out: &mut Footprint) -> bool {
        out.touch(TURN, Mode::Read);
        true
    }

    fn object_name(&self, object: ObjectId) -> String {
        match object {
            TURN => "the turn".to_owned(),
            ObjectId(i) => format!("what process {i} wants"),
        }
    }
}
