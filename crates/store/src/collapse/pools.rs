//! The pools, and the tree of pairs above them.
//!
//! A *reference* is 32 bits that stand for a component or for an inner node of the tree. Which of the two, and of which
//! kind, follows from its place in the tree, which follows from the *shape*: the sequence of kinds of the state. So the
//! references need not say it, and inner nodes are shared between shapes. No reference is 0.

use super::mix;
use crate::arena::Arena;
use crate::chunks::Chunks;
use crate::gate::Gate;
use crate::memory::Budget;
use crate::report::Pool;
use crate::seat::{Seat, Seats};
use crate::sync::Ordering;
use crate::table::{Attempt, Growth, Table, Tagged, first};
use sojourner_program::Encoded;
use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

const GROWTH: Growth = Growth { first: first(64), load: 0.8, steep: 1 << 20, gentle: 1.5 };

/// The bit of a reference that holds its component itself, with the length above the bytes.
const INLINE: u32 = 1 << 31;
/// The longest component that fits into a reference.
const INLINE_LENGTH: usize = 3;
/// References to what lies in arenas are positions, counted from 1, and leave `INLINE` free.
const POSITIONS: u64 = INLINE as u64 - 1;
/// The reference that stands where a state has fewer than two components.
const NOTHING: u32 = INLINE;

/// The name of a state in [`Pools`]: equal exactly if the states are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    shape: u32,
    left: u32,
    right: u32,
}

impl Root {
    pub(super) fn shape(self) -> usize {
        self.shape as usize
    }

    /// The root without its shape, in a word that is not 0.
    pub(super) fn pair(self) -> u64 {
        pair(self.left, self.right)
    }
}

/// The components of all states that were interned, each kept once, by kind, and the trees that put them together.
///
/// The workers share them; reading takes no lock, and adding none but when an index grows.
pub struct Pools {
    names: Vec<String>,
    seats: Arc<Seats>,
    components: Box<[OnceLock<Arena>]>,
    shapes: Arena,
    nodes: Chunks,
    indexes: Gate<Indexes>,
    budget: Arc<Budget>,
}

/// By content to reference; what is behind a reference is outside, so that it can be read without the gate.
struct Indexes {
    components: Box<[OnceLock<Box<Table<Tagged>>>]>,
    shapes: Table<Tagged>,
    nodes: Table<Tagged>,
}

/// One for each kind.
const KINDS: usize = 1 << u8::BITS;

impl Pools {
    /// Empty pools for `workers` workers that hold at most `limit` bytes. `kinds` are the names of the kinds of
    /// components, by number.
    pub fn new(kinds: &[String], workers: usize, limit: Option<u64>) -> Self {
        Self::within(kinds, &Seats::new(workers), Budget::new(limit))
    }

    pub(crate) fn within(kinds: &[String], seats: &Arc<Seats>, budget: Arc<Budget>) -> Self {
        let indexes = Indexes {
            components: (0..KINDS).map(|_| OnceLock::new()).collect(),
            shapes: Table::new(GROWTH, &budget),
            nodes: Table::new(GROWTH, &budget),
        };
        Pools {
            names: kinds.to_vec(),
            seats: seats.clone(),
            components: (0..KINDS).map(|_| OnceLock::new()).collect(),
            shapes: Arena::new(&budget),
            nodes: Chunks::new(&budget),
            indexes: Gate::new(indexes, seats),
            budget,
        }
    }

    /// A seat for a worker. A seat that is dropped can be had again.
    ///
    /// # Panics
    ///
    /// If there is one for each worker already.
    pub fn seat(&self) -> Seat {
        self.seats.take()
    }

    /// Adds what is new of a state and gives its root, or nothing if the limit forbids it.
    ///
    /// The cost is a lookup for each component that is longer than three bytes and one for each inner node, of which
    /// there are two less than components.
    ///
    /// # Panics
    ///
    /// If the seat is one of other pools.
    pub fn intern(&self, seat: &mut Seat, state: &Encoded) -> Option<Root> {
        thread_local! {
            static SCRATCH: Cell<(Vec<u8>, Vec<u32>)> = const { Cell::new((Vec::new(), Vec::new())) };
        }
        let (mut kinds, mut references) = SCRATCH.take();
        let root = self.indexes.insert(
            seat,
            |indexes| match self.attempt(indexes, state, &mut kinds, &mut references) {
                Ok(root) => Attempt::Done(root),
                Err(Stop::NoRoom) => Attempt::NoRoom,
                Err(Stop::Full) => Attempt::Full,
            },
            Indexes::relieve,
        );
        SCRATCH.set((kinds, references));
        root
    }

    fn attempt(
        &self,
        indexes: &Indexes,
        state: &Encoded,
        kinds: &mut Vec<u8>,
        references: &mut Vec<u32>,
    ) -> Result<Root, Stop> {
        kinds.clear();
        references.clear();
        for (kind, component) in state.components() {
            kinds.push(kind);
            references.push(match inline(component) {
                Some(reference) => reference,
                None => {
                    let index = indexes.components[usize::from(kind)]
                        .get_or_init(|| Box::new(Table::new(GROWTH, &self.budget)));
                    let arena = self.components[usize::from(kind)].get_or_init(|| Arena::new(&self.budget));
                    keep(index, arena, component)?
                }
            });
        }
        let shape = keep(&indexes.shapes, &self.shapes, kinds)?;
        let (left, right) = match references[..] {
            [] => (NOTHING, NOTHING),
            [only] => (only, NOTHING),
            _ => {
                let (left, right) = halves(references);
                (self.tree(indexes, left)?, self.tree(indexes, right)?)
            }
        };
        Ok(Root { shape, left, right })
    }

    /// The reference of a subtree over at least one component.
    fn tree(&self, indexes: &Indexes, references: &[u32]) -> Result<u32, Stop> {
        if let [leaf] = *references {
            return Ok(leaf);
        }
        let (left, right) = halves(references);
        let node = pair(self.tree(indexes, left)?, self.tree(indexes, right)?);
        let same = |reference: u32| self.node(reference) == node;
        let add = || {
            let at = self.nodes.extend(1, POSITIONS)?;
            self.nodes.at(at).store(node, Ordering::Relaxed);
            Some(at as u32 + 1)
        };
        settled(indexes.nodes.intern(mix(node), same, add))
    }

    #[inline]
    fn node(&self, reference: u32) -> u64 {
        self.nodes.at(u64::from(reference) - 1).load(Ordering::Relaxed)
    }

    /// Replaces `state` by the state that has this root: the reverse of [`Pools::intern`].
    ///
    /// # Panics
    ///
    /// It may, if these pools did not give that root.
    pub fn expand(&self, root: Root, state: &mut Encoded) {
        let mut kinds = Vec::new();
        self.shapes.read(u64::from(root.shape) - 1, &mut kinds);
        state.clear();
        match kinds[..] {
            [] => {}
            [kind] => self.expand_component(kind, root.left, state),
            _ => self.expand_pair(&kinds, root.pair(), state),
        }
    }

    fn expand_pair(&self, kinds: &[u8], pair: u64, state: &mut Encoded) {
        let (left, right) = halves(kinds);
        self.expand_tree(left, (pair >> 32) as u32, state);
        self.expand_tree(right, pair as u32, state);
    }

    fn expand_tree(&self, kinds: &[u8], reference: u32, state: &mut Encoded) {
        match *kinds {
            [kind] => self.expand_component(kind, reference, state),
            _ => self.expand_pair(kinds, self.node(reference), state),
        }
    }

    fn expand_component(&self, kind: u8, reference: u32, state: &mut Encoded) {
        if reference & INLINE != 0 {
            let length = (reference >> 24 & 3) as usize;
            return state.put(kind, &reference.to_le_bytes()[..length]);
        }
        let arena = self.components[usize::from(kind)].get().expect("a component of this kind was interned");
        state.put_with(kind, |bytes| arena.read(u64::from(reference) - 1, bytes));
    }

    /// The memory held, in bytes.
    pub fn bytes(&self) -> u64 {
        self.budget.used()
    }

    /// The pools in figures: one for each kind that has a name or an entry, the shapes and the inner nodes.
    /// Components of up to three bytes are in no pool.
    pub fn report(&self) -> Vec<Pool> {
        let mut pools = Vec::new();
        self.indexes.alone(|indexes| {
            for (kind, index) in indexes.components.iter().enumerate() {
                let (index, arena) = (index.get(), self.components[kind].get());
                if kind < self.names.len() || arena.is_some() {
                    pools.push(Pool {
                        name: self.names.get(kind).cloned().unwrap_or_else(|| format!("kind {kind}")),
                        entries: arena.map_or(0, Arena::entries),
                        bytes: index.map_or(0, |index| index.bytes()) + arena.map_or(0, Arena::bytes),
                    });
                }
            }
            pools.push(Pool {
                name: "shapes".to_owned(),
                entries: self.shapes.entries(),
                bytes: indexes.shapes.bytes() + self.shapes.bytes(),
            });
            pools.push(Pool {
                name: "inner nodes".to_owned(),
                entries: self.nodes.len(),
                bytes: indexes.nodes.bytes() + self.nodes.bytes(),
            });
        });
        pools
    }

    pub(super) fn seats(&self) -> &Arc<Seats> {
        &self.seats
    }

    pub(super) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }
}

impl Indexes {
    fn relieve(&mut self) {
        self.components.iter_mut().filter_map(OnceLock::get_mut).for_each(|index| index.relieve());
        self.shapes.relieve();
        self.nodes.relieve();
    }
}

/// Why a state was not interned at this attempt.
enum Stop {
    NoRoom,
    Full,
}

fn settled(attempt: Attempt<u32>) -> Result<u32, Stop> {
    match attempt {
        Attempt::Done(reference) => Ok(reference),
        // What was added stays: when the index has grown and the state is tried again, it is found.
        Attempt::Crowded(_) | Attempt::NoRoom => Err(Stop::NoRoom),
        Attempt::Full => Err(Stop::Full),
    }
}

/// The reference of a byte string in an arena, which is added if it is new.
fn keep(index: &Table<Tagged>, arena: &Arena, bytes: &[u8]) -> Result<u32, Stop> {
    let same = |reference: u32| arena.is(u64::from(reference) - 1, bytes);
    let add = || arena.push(bytes, POSITIONS).map(|at| at as u32 + 1);
    settled(index.intern(xxh3_64(bytes), same, add))
}

/// The reference that holds a short component itself.
#[inline]
fn inline(component: &[u8]) -> Option<u32> {
    if component.len() > INLINE_LENGTH {
        return None;
    }
    let bytes = component.iter().rev().fold(0, |bytes, &byte| bytes << 8 | u32::from(byte));
    Some(INLINE | (component.len() as u32) << 24 | bytes)
}

#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The two sides of the tree over these leaves. Building and expanding must cut alike.
#[inline]
fn halves<T>(leaves: &[T]) -> (&[T], &[T]) {
    leaves.split_at(leaves.len() / 2)
}
