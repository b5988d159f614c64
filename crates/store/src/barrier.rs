//! A memory barrier that costs nothing on one side, because the other side pays for both.
//!
//! Linux can make every running thread of the process execute a full barrier (`membarrier`, the private expedited
//! command, since 4.14). Where a rare thread does that, a frequent one need only keep the compiler from reordering.
#![allow(unsafe_code)]

/// Whether [`everywhere`] can be called. Asks the kernel once.
pub(crate) fn is_asymmetric() -> bool {
    system::register()
}

/// A full barrier in this thread and in every other of the process, as if each had executed it between two of its
/// instructions.
///
/// Panics unless [`is_asymmetric`] has said yes.
pub(crate) fn everywhere() {
    system::barrier();
}

#[cfg(all(target_os = "linux", not(any(loom, miri))))]
mod system {
    use std::sync::LazyLock;

    // From linux/membarrier.h.
    const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
    const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

    pub(super) fn register() -> bool {
        static REGISTERED: LazyLock<bool> = LazyLock::new(|| membarrier(REGISTER_PRIVATE_EXPEDITED));
        *REGISTERED
    }

    pub(super) fn barrier() {
        assert!(membarrier(PRIVATE_EXPEDITED), "a process that is registered for barriers gets them");
    }

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: the call takes three numbers and touches no memory of ours.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }
}

#[cfg(not(all(target_os = "linux", not(any(loom, miri)))))]
mod system {
    pub(super) fn register() -> bool {
        false
    }

    pub(super) fn barrier() {
        unreachable!("there is no such barrier here");
    }
}
