//! From options to a store.

use crate::bitstate::Bitstate;
use crate::collapse::{Collapse, Pools};
use crate::compact::Compact;
use crate::exact::Exact;
use crate::memory::Budget;
use crate::none::Nothing;
use crate::table::{Pair, Word};
use crate::{Store, StoreKind};

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
    /// The names of the kinds of components, by number. A kind without a name is reported by its number.
    pub component_kinds: Vec<String>,
}

impl Options {
    /// A store of that kind for `workers` workers, without depths, limit or names.
    pub fn new(kind: StoreKind, workers: usize) -> Self {
        Options { kind, workers, depths: false, limit: None, component_kinds: Vec::new() }
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

/// Opens an empty store.
pub fn open(options: &Options) -> Result<Box<dyn Store>, OpenError> {
    let workers = options.workers;
    if workers == 0 || workers > MAX_WORKERS {
        return Err(OpenError::Workers(workers));
    }
    let budget = Budget::new(options.limit);
    Ok(match options.kind {
        StoreKind::Compact if options.depths => Box::new(Compact::<true>::new(workers, budget)),
        StoreKind::Compact => Box::new(Compact::<false>::new(workers, budget)),
        StoreKind::Exact if options.depths => Box::new(Exact::<true>::new(workers, budget)),
        StoreKind::Exact => Box::new(Exact::<false>::new(workers, budget)),
        StoreKind::Collapse => {
            let pools = Pools::within(&options.component_kinds, workers, budget);
            if options.depths {
                Box::new(Collapse::<Pair>::new(pools, workers))
            } else {
                Box::new(Collapse::<Word>::new(pools, workers))
            }
        }
        StoreKind::Bitstate { .. } if options.depths => return Err(OpenError::Depths),
        StoreKind::Bitstate { bytes, hashes } => {
            if bytes < 8 || hashes == 0 || hashes > MAX_HASHES {
                return Err(OpenError::Bitstate);
            }
            Box::new(Bitstate::new(bytes, hashes, workers, budget).ok_or(OpenError::Memory { bytes })?)
        }
        StoreKind::None => Box::new(Nothing),
    })
}
