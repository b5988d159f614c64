//! Address space that is reserved at once and takes real memory only where it is touched.

/// A run of address space, zero until written.
pub struct Reserve {
    base: *mut u8,
    bytes: usize,
}

impl Reserve {
    /// Reserves that many bytes; `None` if the system does not give so much.
    pub fn new(bytes: usize) -> Option<Reserve> {
        // SAFETY: a fresh private anonymous mapping touches nothing that exists.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return None;
        }
        Some(Reserve { base: base.cast(), bytes })
    }

    /// No address space at all.
    pub fn empty() -> Reserve {
        Reserve { base: std::ptr::null_mut(), bytes: 0 }
    }

    /// Its first byte.
    #[inline(always)]
    pub fn base(&self) -> *mut u8 {
        self.base
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        // SAFETY: the mapping is ours, and nothing borrows from it beyond the life of its owner.
        unsafe { libc::munmap(self.base.cast(), self.bytes) };
    }
}
