//! Names of functions and variables as they are written in the source.

use sojourner_native_rt::protocol::Code;

/// The name of a type, as `type_info` has it, as it is written in the source.
pub fn type_name(name: &str) -> String {
    let shown = demangle(&format!("_ZTS{name}"));
    shown.rsplit(" for ").next().filter(|_| !shown.starts_with("_Z")).unwrap_or(name).to_string()
}

/// A name of C++ or Rust as it is written in the source; others as they are.
pub fn demangle(name: &str) -> String {
    let plain = || name.to_string();
    if let Some(shown) = of_rust(name) {
        return shown;
    }
    if !name.starts_with("_Z") {
        return plain();
    }
    let Ok(symbol) = cpp_demangle::Symbol::new(name) else { return plain() };
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    symbol.demangle_with_options(&options).unwrap_or_else(|_| plain())
}

/// A name of Rust as it is written in the source. In the older of the two ways to write them down they look like names of C++ that
/// end in a hash.
fn of_rust(name: &str) -> Option<String> {
    const HASH: usize = "17h0123456789abcdefE".len();
    let hash = name.len().checked_sub(HASH).and_then(|at| name.get(at..));
    let older = name.starts_with("_ZN") && hash.is_some_and(|hash| hash.starts_with("17h"));
    if !older && !name.starts_with("_R") {
        return None;
    }
    Some(format!("{:#}", rustc_demangle::try_demangle(name).ok()?))
}

/// Crates of the standard library.
const LIBRARY: [&str; 14] = [
    "std",
    "core",
    "alloc",
    "__rustc",
    "hashbrown",
    "std_detect",
    "panic_unwind",
    "panic_abort",
    "compiler_builtins",
    "test",
    "gimli",
    "addr2line",
    "memchr",
    "sojourner_panics",
];

/// What a function belongs to, by its name, if it is not the program's own.
pub fn code(name: &str) -> Option<Code> {
    let shown = of_rust(name)?;
    if shown.contains("::__rust_begin_short_backtrace") && krate(&shown) == "std" {
        return Some(Code::Root);
    }
    LIBRARY.contains(&krate(&shown)).then_some(Code::Library)
}

/// The crate that a function is of: that of the type whose method it is, or of the trait if the type is a parameter.
fn krate(name: &str) -> &str {
    let word = |text: &'_ str| -> usize {
        text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
    };
    let first = name.trim_start_matches(['<', '&', '*', '(', '[', ' ']);
    let first = ["mut ", "const ", "dyn "].iter().fold(first, |rest, word| rest.trim_start_matches(word));
    let end = word(first);
    if first[end..].starts_with("::") {
        return &first[..end];
    }
    // A parameter, or a type of the language: the trait tells.
    match name.split_once(" as ") {
        Some((_, of)) => &of[..word(of)],
        None => "core",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_names_are_shown_without_hash() {
        assert_eq!(demangle("_ZN4main1N17h0aa76371737b8229E"), "main::N");
        assert_eq!(demangle("_ZN3foo3barEv"), "foo::bar");
        assert_eq!(demangle("plain"), "plain");
    }

    #[test]
    fn crate_is_that_of_type_or_trait() {
        assert_eq!(krate("main::main::{closure#0}"), "main");
        assert_eq!(krate("<alloc::sync::Arc<main::T> as core::ops::drop::Drop>::drop"), "alloc");
        assert_eq!(krate("<main::T as core::fmt::Display>::fmt"), "main");
        assert_eq!(krate("<T as core::any::Any>::type_id"), "core");
        assert_eq!(krate("<&mut main::T as core::fmt::Display>::fmt"), "main");
        assert_eq!(krate("core::ptr::drop_in_place::<main::T>"), "core");
    }

    #[test]
    fn start_of_thread_is_told_from_other_library_code() {
        let root = "_ZN3std3sys9backtrace28__rust_begin_short_backtrace17h0123456789abcdefE";
        assert_eq!(code(root), Some(Code::Root));
        assert_eq!(code("_ZN4core3ptr13drop_in_place17h0123456789abcdefE"), Some(Code::Library));
        assert_eq!(code("_ZN4main4main17h0123456789abcdefE"), None);
        assert_eq!(code("main"), None);
    }
}
