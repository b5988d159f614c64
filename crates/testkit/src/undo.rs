//! Any stateful program as one that goes back by undoing.
//!
//! This is how the Java machine uses the seam: a journal has what each step changed, going back undoes it, and a place
//! is a root into pools that all programs share.

use sojourner_program::{
    Choice, Decode, Encode, Encoded, Fault, Load, Program, Reducible, Stateful, Step, forward,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Makes programs that undo their steps.
pub struct Undo<L> {
    load: L,
    pool: Pool,
}

/// States that a program may come back to, each once.
type Pool = Arc<Mutex<Interned>>;

#[derive(Default)]
struct Interned {
    states: Vec<Encoded>,
    /// Where each of them is, by the form that travels.
    roots: HashMap<Vec<u8>, usize>,
}

/// A root into the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root(usize);

impl<L: Load> Undo<L> {
    /// The same programs, without their own way of going back.
    pub fn new(load: L) -> Self {
        Undo { load, pool: Pool::default() }
    }
}

impl<L: Load> Load for Undo<L>
where
    L::P: Decode,
{
    type P = Undoing<L::P>;

    forward!(Load for load, except open, renew, open_to_follow);

    fn open(&self) -> Result<Undoing<L::P>, Fault> {
        let mut program = self.load.open()?;
        let mut state = Encoded::new();
        program.encode(&mut state);
        Ok(Undoing { program, pool: Arc::clone(&self.pool), state, journal: Vec::new() })
    }
}

/// A program that goes back by undoing.
pub struct Undoing<P> {
    program: P,
    pool: Pool,
    state: Encoded,
    journal: Vec<Change>,
}

/// What a step changed.
enum Change {
    /// These components, whose values were these.
    Some(Vec<(usize, Vec<u8>)>),
    /// Which components there are; they were these.
    All(Encoded),
}

impl Change {
    /// What has to be undone to get from `after` to `before`.
    fn between(before: &Encoded, after: &Encoded) -> Change {
        let kinds = |state: &Encoded| state.components().map(|(kind, _)| kind).collect::<Vec<_>>();
        if kinds(before) != kinds(after) {
            return Change::All(before.clone());
        }
        let pairs = before.components().zip(after.components()).enumerate();
        let changed = pairs.filter(|(_, (before, after))| before != after);
        Change::Some(changed.map(|(i, (before, _))| (i, before.1.to_vec())).collect())
    }

    /// The state before the step, from the one after it.
    fn undo(self, after: &Encoded) -> Encoded {
        match self {
            Change::All(before) => before,
            Change::Some(changed) => {
                let mut before = Encoded::new();
                let mut changed = changed.into_iter().peekable();
                for (i, (kind, component)) in after.components().enumerate() {
                    match changed.next_if(|(at, _)| *at == i) {
                        Some((_, old)) => before.put(kind, &old),
                        None => before.put(kind, component),
                    }
                }
                before
            }
        }
    }
}

impl<P: Decode> Undoing<P> {
    /// Stands in a state with an empty journal.
    fn enter(&mut self, state: &Encoded) -> Result<(), Fault> {
        self.program.decode(state)?;
        self.state.clone_from(state);
        self.journal.clear();
        Ok(())
    }
}

impl<P: Decode> Program for Undoing<P> {
    type Place = Root;

    forward!(Program for program, except step, depth, rewind, here, go, place_bytes);

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        self.program.step(choice, step).map_err(|fault| match fault {
            Fault::Diverged { choice, why, .. } => Fault::Diverged { step: self.journal.len(), choice, why },
            other => other,
        })?;
        let mut after = Encoded::new();
        self.program.encode(&mut after);
        self.journal.push(Change::between(&self.state, &after));
        self.state = after;
        Ok(())
    }

    fn depth(&self) -> usize {
        self.journal.len()
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        if depth < self.journal.len() {
            for change in self.journal.drain(depth..).rev() {
                self.state = change.undo(&self.state);
            }
            self.program.decode(&self.state)?;
        }
        Ok(())
    }

    fn here(&mut self) -> Root {
        let Interned { states, roots } = &mut *self.pool.lock().expect("no holder panics");
        let mut wire = Vec::new();
        self.state.to_wire(&mut wire);
        Root(*roots.entry(wire).or_insert_with(|| {
            states.push(self.state.clone());
            states.len() - 1
        }))
    }

    fn go(&mut self, place: &Root) -> Result<(), Fault> {
        let state = self.pool.lock().expect("no holder panics").states[place.0].clone();
        self.enter(&state)
    }
}

impl<P: Decode + Reducible> Reducible for Undoing<P> {
    forward!(Reducible for program);
}

impl<P: Decode> Stateful for Undoing<P> {
    forward!(Stateful for program);
}

impl<P: Decode> Encode for Undoing<P> {
    forward!(Encode for program);
}

impl<P: Decode> Decode for Undoing<P> {
    fn decode(&mut self, state: &Encoded) -> Result<(), Fault> {
        self.enter(state)
    }
}
