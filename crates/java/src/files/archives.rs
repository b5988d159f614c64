//! Streams of compressed bytes that the program reads or writes.

use flate2::{Compress, Decompress};

/// Streams of compressed bytes that are being read or written, by their handles less one.
#[derive(Default)]
pub struct Archives {
    pub(crate) inflating: Vec<Open<(Decompress, bool)>>,
    pub(crate) deflating: Vec<Open<Compress>>,
}

/// A stream. What it has done cannot be taken back.
pub struct Open<T> {
    /// `None` once it is closed.
    pub(crate) stream: Option<T>,
    /// The transition that has opened it, and the one that has used it last.
    pub(crate) opened: usize,
    pub(crate) used: usize,
    /// Whether that transition has been taken back.
    pub(crate) lost: bool,
}

impl<T> Open<T> {
    fn is_closed(&self) -> bool {
        self.lost || self.stream.is_none()
    }
}

impl Archives {
    /// The machine goes back to where that many transitions can be taken back: streams that later ones have opened are not
    /// there, and those that they have used are not what they were.
    pub fn rewind(&mut self, marks: usize) {
        rewind(&mut self.inflating, marks);
        rewind(&mut self.deflating, marks);
    }

    /// Whether no stream is open.
    pub fn are_closed(&self) -> bool {
        self.inflating.iter().all(Open::is_closed) && self.deflating.iter().all(Open::is_closed)
    }
}

fn rewind<T>(streams: &mut Vec<Open<T>>, marks: usize) {
    while streams.last().is_some_and(|open| open.opened > marks) {
        streams.pop();
    }
    for open in streams {
        open.lost |= open.used > marks;
    }
}
