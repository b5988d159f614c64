//! What functions outside of the program do with the thread that calls them, by their names.

use crate::redirected_functions::in_source;

/// What is known of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Called {
    /// It does not return.
    pub ends: bool,
    /// It goes back to a caller that catches what it throws, or leaves the function that called it.
    pub throws: bool,
    /// The program calls it to say that something is wrong.
    pub fails: bool,
    /// It starts a thread in a function that it is given.
    pub starts: bool,
    /// It calls a function that it is given, or that was given before.
    pub calls_back: bool,
    /// The compiler, or the driver, has put the call there: it is no instruction of the program.
    pub is_hook: bool,
    /// A thread may stop before it.
    pub is_visible: bool,
}

/// What is said of an assertion that does not hold.
const FAILURES: [&str; 8] = [
    "__assert_fail",
    "__assert",
    "__assert_perror_fail",
    "__assert_rtn",
    "abort",
    "reach_error",
    "__VERIFIER_error",
    "_ZSt9terminatev",
];

/// Further functions that do not return.
const ENDS: [&str; 21] = [
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "pthread_exit",
    "thrd_exit",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "__stack_chk_fail",
    "__chk_fail",
    "__fortify_fail",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_pure_virtual",
    "__cxa_deleted_virtual",
    "err",
    "errx",
    "_ZSt10unexpectedv",
    "__libc_start_main",
];

/// Functions that throw exceptions of C++, or go on with one.
const THROWS: [&str; 4] = ["__cxa_throw", "__cxa_rethrow", "_Unwind_Resume", "_Unwind_RaiseException"];

/// Functions that start threads.
const STARTS: [&str; 2] = ["pthread_create", "thrd_create"];

/// Functions that call what the program gives them, wherever it has done so.
const CALLS_BACK: [&str; 4] = ["pthread_once", "call_once", "qsort", "bsearch"];

/// How calls begin that the driver puts into the program's assembly.
const OWN: [&str; 5] = ["value_", "bits_", "assembly_", "ticks", "rdrand"];

/// Hooks of the compiler that are no operations of the program.
const SILENT: [&str; 6] = ["func_entry", "func_exit", "init", "vptr_read", "vptr_update", "acquire"];

/// What a function does, by the name that the linker has for it.
pub fn called(name: &str) -> Called {
    let is_renamed = in_source(name) != name;
    let name = in_source(name);
    let throws = THROWS.contains(&name) || throws_for_library(name);
    let hook = name.strip_prefix("__tsan_");
    Called {
        ends: throws || FAILURES.contains(&name) || ENDS.contains(&name),
        throws,
        fails: FAILURES.contains(&name) || throws && !name.starts_with("_Unwind"),
        starts: STARTS.contains(&name) || name.starts_with("_ZNSt6thread15_M_start_thread"),
        calls_back: CALLS_BACK.contains(&name),
        is_hook: hook.is_some() || is_renamed && OWN.iter().any(|own| name.starts_with(own)),
        is_visible: match hook {
            Some(hook) => !SILENT.contains(&hook),
            None => is_renamed && name != "assembly_done" || is_visible(name),
        },
    }
}

/// Whether a function of libstdc++ throws, as `std::__throw_out_of_range` does.
fn throws_for_library(name: &str) -> bool {
    let rest = name.strip_prefix("_ZSt").unwrap_or_default();
    rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with("__throw_")
}

/// Whether a function is one of those before which the runtime stops threads, as far as names tell.
fn is_visible(name: &str) -> bool {
    let families = [
        "pthread_",
        "sem_",
        "mtx_",
        "cnd_",
        "thrd_",
        "tss_",
        "call_once",
        "sched_yield",
        "sleep",
        "usleep",
        "nanosleep",
        "free",
        "syscall",
        "exit",
        "abort",
        "__assert",
        "__VERIFIER",
        "_ZNSt6thread",
    ];
    families.iter().any(|family| name.starts_with(family))
}

/// Functions of the program that say that something is wrong, by their names in the source.
pub fn reports_failure(name: &str) -> bool {
    let of_rust = [
        "core::panicking::",
        "std::panicking::",
        "core::option::unwrap_failed",
        "core::option::expect_failed",
    ];
    let of_results =
        ["core::result::unwrap_failed", "std::rt::begin_panic", "std::rt::panic_fmt", "std::process::abort"];
    FAILURES.contains(&name) || of_rust.iter().chain(&of_results).any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_names() {
        assert!(called("__assert_fail").ends && called("__assert_fail").fails);
        assert!(called("_ZSt20__throw_out_of_rangePKc").throws);
        assert!(called("_ZSt24__throw_out_of_range_fmtPKcz").fails);
        assert!(!called("_Unwind_Resume").fails && called("_Unwind_Resume").throws);
        assert!(called("__tsan_func_entry").is_hook && !called("__tsan_func_entry").is_visible);
        assert!(called("__tsan_read4").is_visible);
        assert!(
            called("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE")
                .starts
        );
        assert!(called("__sojourner_qsort").calls_back);
        assert!(called("__sojourner_value_read4").is_hook && !called("__sojourner_memcpy").is_hook);
        assert!(called("__sojourner_memcpy").is_visible);
        assert_eq!(called("malloc"), Called::default());
        assert!(reports_failure("core::panicking::panic_fmt") && reports_failure("reach_error"));
        assert!(!reports_failure("main"));
    }
}
