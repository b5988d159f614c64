//! The dining philosophers (Dijkstra 1971).

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Row, State, Transitions};

/// Philosophers at a round table: each of them takes two forks, one at a time, and puts them back, one at a time.
#[derive(Clone, Debug)]
pub struct Phil {
    /// How many there are, and how many forks.
    pub n: u8,
    /// Whether the last one takes the forks in the other order, so that they cannot all hold one and wait.
    pub fair: bool,
}

/// What each philosopher does.
#[derive(Clone, Debug, State)]
pub struct Table {
    #[state(local)]
    philosophers: Row<Stage, 16>,
    taken: Row<bool, 16>,
}

/// What a philosopher is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    TakeFirst,
    TakeSecond,
    ReturnFirst,
    ReturnSecond,
}

const MOVE: u32 = 0;

impl Phil {
    /// The forks of philosopher `i`, in the order in which they are taken.
    fn forks(&self, i: usize) -> [usize; 2] {
        let n = usize::from(self.n);
        let (left, right) = (i, if i + 1 == n { 0 } else { i + 1 });
        if self.fair && i + 1 == n { [right, left] } else { [left, right] }
    }

    /// The fork that philosopher `i` is about to take or return.
    fn fork(&self, table: &Table, i: usize) -> usize {
        let [first, second] = self.forks(i);
        match table.philosophers[i] {
            Stage::TakeFirst | Stage::ReturnFirst => first,
            Stage::TakeSecond | Stage::ReturnSecond => second,
        }
    }
}

impl Named for Phil {
    const ABOUT: About = About {
        name: "phil",
        summary: "dining philosophers; if they are not fair, they can starve in a deadlock",
        parameters: &[
            Parameter::number("n", 12, 2, 16, "how many there are"),
            Parameter::flag("fair", true, "whether the last one takes the forks in the other order"),
        ],
    };

    fn with(values: &Values) -> Self {
        Phil { n: values.number("n"), fair: values.flag("fair") }
    }
}

impl Model for Phil {
    type State = Table;

    fn initial(&self) -> Table {
        let n = self.n.into();
        Table { philosophers: Row::filled(n, Stage::TakeFirst), taken: Row::filled(n, false) }
    }

    fn processes(&self) -> u32 {
        self.n.into()
    }

    fn transitions(&self, table: &Table, on: &mut Transitions<'_>) {
        for (i, stage) in table.philosophers.iter().enumerate() {
            let takes = matches!(stage, Stage::TakeFirst | Stage::TakeSecond);
            on.when(!takes || !table.taken[self.fork(table, i)], i, MOVE);
        }
    }

    fn fire(&self, table: &mut Table, i: usize, _: u32) {
        let fork = self.fork(table, i);
        let (taken, next) = match table.philosophers[i] {
            Stage::TakeFirst => (true, Stage::TakeSecond),
            Stage::TakeSecond => (true, Stage::ReturnFirst),
            Stage::ReturnFirst => (false, Stage::ReturnSecond),
            Stage::ReturnSecond => (false, Stage::TakeFirst),
        };
        table.taken[fork] = taken;
        table.philosophers[i] = next;
    }

    fn name(&self, i: usize) -> String {
        format!("philosopher {i}")
    }

    fn words(&self, table: &Table, i: usize, _: u32) -> String {
        let fork = self.fork(table, i);
        match table.philosophers[i] {
            Stage::TakeFirst | Stage::TakeSecond => format!("takes fork {fork}"),
            Stage::ReturnFirst | Stage::ReturnSecond => format!("returns fork {fork}"),
        }
    }

    fn footprint(&self, table: &Table, i: usize, _: u32, out: &mut Footprint) -> bool {
        let mode = match table.philosophers[i] {
            Stage::TakeFirst | Stage::TakeSecond => Mode::Acquire,
            Stage::ReturnFirst | Stage::ReturnSecond => Mode::Release,
        };
        out.touch(ObjectId(self.fork(table, i) as u64), mode);
        true
    }

    fn blocked_on(&self, table: &Table, i: usize, out: &mut Footprint) -> bool {
        out.touch(ObjectId(self.fork(table, i) as u64), Mode::Acquire);
        true
    }

    fn object_name(&self, fork: ObjectId) -> String {
        format!("fork {}", fork.0)
    }
}
