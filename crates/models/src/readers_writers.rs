//! Readers and writers (Courtois, Heymans and Parnas 1971): many may read at once, or one may write.

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};

/// Readers and writers that come and go.
#[derive(Clone, Debug)]
pub struct ReadersWriters {
    /// How many readers.
    pub readers: u8,
    /// How many writers.
    pub writers: u8,
    /// Whether a writer looks and enters in one step. If not, others can enter in between.
    pub atomic: bool,
}

/// Where each thread is.
#[derive(Clone, Debug, State)]
pub struct Room {
    #[state(local)]
    people: Row<Stage, 16>,
    /// What the sign at the door says.
    door: Door,
}

/// The threads that are inside.
#[derive(Clone, Debug, State)]
struct Door {
    readers: u8,
    writing: bool,
}

/// What a reader or writer is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    Look,
    Enter,
    Leave,
}

const MOVE: u32 = 0;

const DOOR: ObjectId = ObjectId(0);

impl ReadersWriters {
    fn reads(&self, i: usize) -> bool {
        i < self.readers.into()
    }

    fn may_look(&self, room: &Room, i: usize) -> bool {
        !room.door.writing && (self.reads(i) || room.door.readers == 0)
    }
}

impl Named for ReadersWriters {
    const ABOUT: About = About {
        name: "readers-writers",
        summary: "many read or one writes; if writers do not enter in one step, both happen at once",
        parameters: &[
            Parameter::number("readers", 3, 0, 8, "how many readers"),
            Parameter::number("writers", 2, 0, 8, "how many writers"),
            Parameter::flag("atomic", true, "whether a writer looks and enters in one step"),
        ],
    };

    fn with(values: &Values) -> Self {
        ReadersWriters {
            readers: values.number("readers"),
            writers: values.number("writers"),
            atomic: values.flag("atomic"),
        }
    }
}

impl Model for ReadersWriters {
    type State = Room;

    fn initial(&self) -> Room {
        let people = Row::filled(usize::from(self.readers + self.writers), Stage::Look);
        Room { people, door: Door { readers: 0, writing: false } }
    }

    fn processes(&self) -> u32 {
        u32::from(self.readers + self.writers)
    }

    fn transitions(&self, room: &Room, on: &mut Transitions<'_>) {
        for (i, stage) in room.people.iter().enumerate() {
            on.when(*stage != Stage::Look || self.may_look(room, i), i, MOVE);
        }
    }

    fn fire(&self, room: &mut Room, i: usize, _: u32) {
        let Room { people, door } = room;
        people[i] = match (people[i], self.reads(i)) {
            (Stage::Look, true) => {
                door.readers += 1;
                Stage::Leave
            }
            (Stage::Look, false) if !self.atomic => Stage::Enter,
            (Stage::Look | Stage::Enter, _) => {
                door.writing = true;
                Stage::Leave
            }
            (Stage::Leave, true) => {
                door.readers -= 1;
                Stage::Look
            }
            (Stage::Leave, false) => {
                door.writing = false;
                Stage::Look
            }
        };
    }

    fn may_end(&self, room: &Room) -> bool {
        room.people.is_empty()
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("a writer is alone", |model, room| {
            let inside = |reads| {
                let people = room.people.iter().enumerate();
                people.filter(|(i, stage)| model.reads(*i) == reads && **stage == Stage::Leave).count()
            };
            inside(false) == 0 || inside(false) == 1 && inside(true) == 0
        });
    }

    fn name(&self, i: usize) -> String {
        if self.reads(i) {
            format!("reader {i}")
        } else {
            format!("writer {}", i - usize::from(self.readers))
        }
    }

    fn words(&self, room: &Room, i: usize, _: u32) -> String {
        let words = match room.people[i] {
            Stage::Look if self.atomic || self.reads(i) => "enters",
            Stage::Look => "sees that no thread is inside",
            Stage::Enter => "enters without another look",
            Stage::Leave => "leaves",
        };
        words.to_owned()
    }

    fn footprint(&self, room: &Room, i: usize, _: u32, out: &mut Footprint) -> bool {
        let only_looks = room.people[i] == Stage::Look && !self.atomic && !self.reads(i);
        out.touch(DOOR, if only_looks { Mode::Read } else { Mode::Write });
        true
    }

    fn blocked_on(&self, room: &Room, i: usize, out: &mut Footprint) -> bool {
        self.footprint(room, i, MOVE, out)
    }

    fn object_name(&self, _: ObjectId) -> String {
        "the door".to_owned()
    }
}
