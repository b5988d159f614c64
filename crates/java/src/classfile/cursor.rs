//! Reading big-endian numbers without running over the end.

use super::{ClassFileError, Result};

/// A place in some bytes.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the first byte.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// The number of bytes that have been passed.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The number of bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Goes to a position, which may be the end.
    pub fn seek(&mut self, position: usize) -> Result<()> {
        if position > self.bytes.len() {
            return Err(ClassFileError::Truncated(self.bytes.len()));
        }
        self.at = position;
        Ok(())
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        if count > self.left() {
            return Err(ClassFileError::Truncated(self.at));
        }
        self.at += count;
        Ok(&self.bytes[self.at - count..self.at])
    }

    /// Passes over `count` bytes.
    pub fn skip(&mut self, count: usize) -> Result<()> {
        self.take(count).map(|_| ())
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// One byte with a sign.
    pub fn i8(&mut self) -> Result<i8> {
        Ok(self.u8()? as i8)
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Result<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// Two bytes with a sign.
    pub fn i16(&mut self) -> Result<i16> {
        Ok(self.u16()? as i16)
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Four bytes with a sign.
    pub fn i32(&mut self) -> Result<i32> {
        Ok(self.u32()? as i32)
    }
}
