//! The names under which programs call functions of ours, and where those functions are.
//!
//! All names are weak (`build.rs` of the driver): where the program defines one itself, its own function is called, as with the C
//! library. A program that wants the function behind its own asks the loader for it by name (`dlsym` with `RTLD_NEXT`), and gets
//! ours from this list, not the library's, which would not know of our threads.

use core::ffi::{CStr, c_char};

/// Puts a stub on the list: this is the first line of its assembly.
macro_rules! listed {
    ($name:ident) => {
        concat!(
            "77:\n.pushsection .rodata.sojourner_texts,\"a\",@progbits\n78: .asciz \"",
            stringify!($name),
            "\"\n",
            ".popsection\n.pushsection sojourner_names,\"a\",@progbits\n.quad 78b, 77b\n.popsection"
        )
    };
}
pub(crate) use listed;

/// An entry of the list.
#[repr(C)]
struct Named {
    name: *const c_char,
    stub: usize,
}

#[cfg(sojourner_rt)]
fn all() -> &'static [Named] {
    unsafe extern "C" {
        static __start_sojourner_names: Named;
        static __stop_sojourner_names: Named;
    }
    // SAFETY: the linker names the first entry, and the one behind the last.
    unsafe {
        let (first, end) = (&raw const __start_sojourner_names, &raw const __stop_sojourner_names);
        core::slice::from_raw_parts(first, end.offset_from(first) as usize)
    }
}

#[cfg(not(sojourner_rt))]
fn all() -> &'static [Named] {
    &[]
}

/// Whether a function of ours begins at an address.
pub fn is_stub(address: usize) -> bool {
    all().iter().any(|named| named.stub == address)
}

/// Where the function of ours is that programs call by a name.
pub fn own(name: &[u8]) -> Option<usize> {
    const RENAMED: &[u8] = b"__sojourner_";
    // SAFETY: the list has texts.
    let called = |named: &Named| unsafe { CStr::from_ptr(named.name) }.to_bytes();
    let find =
        |is: &dyn Fn(&[u8]) -> bool| all().iter().find(|named| is(called(named))).map(|named| named.stub);
    find(&|known| known == name).or_else(|| find(&|known| known.strip_prefix(RENAMED) == Some(name)))
}

/// Functions of the library that are called here, too: a program that defines one itself calls its own under another name, as
/// with those that touch its memory.
macro_rules! passed {
    ($($name:ident => $real:literal;)*) => { $(
        #[cfg_attr(sojourner_rt, unsafe(no_mangle))]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(concat!("jmp [rip + ", $real, "@GOTPCREL]"))
        }
    )* };
}

passed! {
    __sojourner_dl_iterate_phdr => "dl_iterate_phdr";
    __sojourner_fflush => "fflush";
    __sojourner_getauxval => "getauxval";
    __sojourner_isatty => "isatty";
    __sojourner_longjmp => "longjmp";
    __sojourner_setvbuf => "setvbuf";
    __sojourner_pthread_attr_init => "pthread_attr_init";
    __sojourner_pthread_attr_setstack => "pthread_attr_setstack";
}
