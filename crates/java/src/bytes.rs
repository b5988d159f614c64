//! Bytes that many share: a piece of a mapped file, or of a vector.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// An immutable run of bytes. Cloning and slicing copy nothing.
#[derive(Clone)]
pub struct Bytes {
    owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
}

impl Bytes {
    /// All bytes of what owns them.
    pub fn new(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Bytes {
        let range = 0..owner.as_ref().len();
        Bytes { owner: Arc::new(owner), range }
    }

    /// A part of these bytes; `None` if it does not lie within them.
    pub fn slice(&self, range: Range<usize>) -> Option<Bytes> {
        if range.start > range.end || range.end > self.len() {
            return None;
        }
        let start = self.range.start;
        Some(Bytes { owner: self.owner.clone(), range: start + range.start..start + range.end })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &(*self.owner).as_ref()[self.range.clone()]
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}
