//! From options to a store.

use crate::bitstate::Bitstate;
use crate::collapse::{Collapse, Pools};
use crate::compact::Compact;
use crate::exact::Exact;
use crate::memory::Budget;
use crate::meter::Meter;
use crate::none::NoStore;
use crate::seat::Seats;
use crate::shared::Shared;
use crate::table::{Pair, Word};
use crate::{Key, Report, Seat, Seen, Store, StoreKind, Wants};
use sojourner_program::SharedSet;
use std::sync::Arc;

/// The largest number of workers that a store can have.
pub const MAX_WORKERS: usize = 1024;

/// The largest number of bits that can stand for a state in a bitstate store.
const MAX_HASHES: u32 = 64;

/// What a store should be like.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which store.
    pub kind: StoreKind,
    /// How many workers insert, from 1 to [`MAX_WORKERS`].
    pub workers: usize,
    /// Whether the least depth of every state is kept. It costs `compact` 24 of its 128 bits, `collapse` 8 bytes a
    /// state more, and `exact` nothing.
    pub depths: bool,
    /// The most memory it may hold, in bytes.
    pub limit: Option<u64>,
    /// What it shares with everything else, if anything: it asks before it takes much at once.
    pub meter: Option<Arc<Meter>>,
    /// The names of the kinds of components, by number. A kind without a name is reported by its number.
    pub component_kinds: Vec<String>,
}

impl Options {
    /// A store of that kind for `workers` workers, without depths, limit or names.
    pub fn new(kind: StoreKind, workers: usize) -> Self {
        Options { kind, workers, depths: false, limit: None, meter: None, component_kinds: Vec::new() }
    }
}

/// Why a store cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is no worker, or there are too many.
    #[error("a store serves 1 to {MAX_WORKERS} workers, not {0}")]
    Workers(usize),
    /// A bitstate store has no room for depths.
    #[error("the bitstate store cannot keep depths; a depth bound needs compact, collapse or exact")]
    Depths,
    /// The bitstate settings make no sense.
    #[error("a bitstate store needs at least 8 bytes and 1 to {MAX_HASHES} hashes")]
    Bitstate,
    /// The memory is not there, or the limit forbids to take it.
    #[error("the store needs {bytes} bytes at once, which the memory limit or the system refuses")]
    Memory {
        /// How much was wanted.
        bytes: u64,
    },
}

/// A store of any kind.
///
/// A search inserts once for each transition. The store that it uses unless told otherwise is therefore called
/// directly, so that the insertion becomes part of the caller's code; the others do too much work for that to matter.
pub struct Opened(Kind);

#[expect(clippy::large_enum_variant, reason = "a search has one store, and a box would be one more load")]
enum Kind {
    Compact(Compact<false>),
    Shared(Shared),
    Other(Box<dyn Store>),
}

impl Opened {
    fn any(&self) -> &dyn Store {
        match &self.0 {
            Kind::Compact(store) => store,
            Kind::Shared(store) => store,
            Kind::Other(store) => &**store,
        }
    }
}

impl Opened {
    /// The `compact` store of a search on one thread without depths, in a set that the program under test looks in, too.
    pub fn shared(set: Arc<dyn SharedSet>) -> Opened {
        Opened(Kind::Shared(Shared::new(set)))
    }

    /// Whether the program under test looks in it, too.
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Kind::Shared(_))
    }
}

impl Store for Opened {
    fn wants(&self) -> Wants {
        self.any().wants()
    }

    fn seat(&self) -> Seat {
        self.any().seat()
    }

    #[inline]
    fn insert(&self, seat: &mut Seat, key: Key<'_>, depth: u32) -> Seen {
        match &self.0 {
            Kind::Compact(store) => store.insert(seat, key, depth),
            Kind::Shared(store) => store.insert(seat, key, depth),
            Kind::Other(store) => match key {
                Key::Fingerprint(fingerprint) => insert_fingerprint(&**store, seat, fingerprint, depth),
                Key::Encoded(_) => store.insert(seat, key, depth),
            },
        }
    }

    #[inline]
    fn prefetch(&self, fingerprint: u128) {
        match &self.0 {
            Kind::Compact(store) => store.prefetch(fingerprint),
            Kind::Shared(_) => {}
            Kind::Other(store) => store.prefetch(fingerprint),
        }
    }

    fn states(&self) -> u64 {
        self.any().states()
    }

    fn bytes(&self) -> u64 {
        self.any().bytes()
    }

    fn report(&self) -> Report {
        self.any().report()
    }
}

/// Not part of the caller. Otherwise it would write the key to memory for the compact store, too.
#[inline(never)]
fn insert_fingerprint(store: &dyn Store, seat: &mut Seat, fingerprint: u128, depth: u32) -> Seen {
    store.insert(seat, Key::Fingerprint(fingerprint), depth)
}

/// Opens an empty store.
pub fn open(options: &Options) -> Result<Opened, OpenError> {
    let workers = options.workers;
    if workers == 0 || workers > MAX_WORKERS {
        return Err(OpenError::Workers(workers));
    }
    let (seats, budget) = (&Seats::new(workers), &Budget::within(options.limit, options.meter.clone()));
    let other: Box<dyn Store> = match options.kind {
        StoreKind::Compact if options.depths => Box::new(Compact::<true>::new(seats, budget)),
        StoreKind::Compact => return Ok(Opened(Kind::Compact(Compact::new(seats, budget)))),
        StoreKind::Exact if options.depths => Box::new(Exact::<true>::new(seats, budget)),
        StoreKind::Exact => Box::new(Exact::<false>::new(seats, budget)),
        StoreKind::Collapse => {
            let pools = Pools::within(&options.component_kinds, seats, budget.clone());
            if options.depths {
                Box::new(Collapse::<Pair>::new(pools))
            } else {
                Box::new(Collapse::<Word>::new(pools))
            }
        }
        StoreKind::Bitstate { .. } if options.depths => return Err(OpenError::Depths),
        StoreKind::Bitstate { bytes, hashes } => {
            if bytes < 8 || hashes == 0 || hashes > MAX_HASHES {
                return Err(OpenError::Bitstate);
            }
            Box::new(Bitstate::new(bytes, hashes, seats, budget).ok_or(OpenError::Memory { bytes })?)
        }
        StoreKind::None => Box::new(NoStore::new(seats)),
    };
    Ok(Opened(Kind::Other(other)))
}
