//! A random graph of states, most of which lead on and some of which lead back.

use sojourner_model::{Model, State, Transitions};
use sojourner_program::Random;

/// Two processes move a token through a graph that was drawn at random.
pub struct Maze {
    /// Where each process can move the token from each room.
    ways: Vec<[Option<u32>; 2]>,
}

/// Where the token is.
#[derive(Clone, Debug, State)]
pub struct Room {
    number: u32,
}

impl Maze {
    /// A maze with that many rooms. Ways lead on by a few rooms; one in `back` leads back by a few, or far. A room is a dead end
    /// with a chance of one in `ends`.
    pub fn new(seed: u64, rooms: u32, back: usize, ends: usize) -> Self {
        let mut random = Random::new(seed);
        let mut ways = Vec::new();
        for room in 0..rooms {
            let ends = room + 1 == rooms || random.below(ends) == 0;
            let mut way = || {
                let far = if random.below(8) == 0 { rooms as usize } else { 8 };
                let by = 1 + random.below(far) as u32;
                let to = match random.below(back) == 0 {
                    true => room.saturating_sub(by - 1),
                    false => (room + by).min(rooms - 1),
                };
                (random.below(4) > 0).then_some(to)
            };
            let both = [way(), way()];
            ways.push(if ends { [None, None] } else { both });
        }
        Maze { ways }
    }
}

impl Model for Maze {
    type State = Room;

    fn initial(&self) -> Room {
        Room { number: 0 }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, at: &Room, on: &mut Transitions<'_>) {
        for (process, way) in self.ways[at.number as usize].iter().enumerate() {
            on.when(way.is_some(), process, 0);
        }
    }

    fn fire(&self, at: &mut Room, process: usize, _: u32) {
        if let Some(to) = self.ways[at.number as usize][process] {
            at.number = to;
        }
    }

    fn may_end(&self, _: &Room) -> bool {
        true
    }
}
