//! The word to give up a step that takes too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that a search shares with its programs. Once it is set, a program gives up what it is doing as soon as it can,
/// with [`Fault::Cancelled`](crate::Fault::Cancelled).
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Programs are to give up.
    pub fn set(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether programs are to give up. Cheap enough to ask in every round of a loop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}
