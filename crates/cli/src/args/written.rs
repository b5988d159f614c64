//! The command line as it is written, where it is more than clap understands.

use super::tables::{HasOptions, OfCheck, OfPrograms};
use sojourner_frontend::Value;
use std::ffi::OsString;

/// The command line as it is parsed. `-cp` and `-classpath`, which are `java`'s own way to write it, become `--classpath`. Each word behind
/// `--cflags`, up to `--`, becomes a flag for the compiler. Values that may be left out are added. The arguments of a compiler stay as they
/// are.
pub fn as_written(line: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let tables = [OfCheck::tables(), OfPrograms::tables()];
    let all = tables.into_iter().flatten().flat_map(|(_, table)| table);
    let special: Vec<_> =
        all.filter(|opt| matches!(opt.value, Value::Rest { .. } | Value::Optional { .. })).collect();
    let (mut number, mut options, mut flags) = (0, true, None);
    let mut line = line.peekable();
    std::iter::from_fn(move || {
        loop {
            let word = line.next()?;
            number += 1;
            options &= word != "--" && !(number == 2 && (word == "cc" || word == "c++"));
            if !options {
                return Some(word);
            }
            if let Some(flag) = flags {
                return Some(joined(flag, &word));
            }
            if word == "-cp" || word == "-classpath" {
                return Some("--classpath".into());
            }
            let Some(opt) = special.iter().find(|opt| word == opt.flag) else { return Some(word) };
            match opt.value {
                Value::Optional { read, missing, .. } => {
                    // The next word is its value only if it looks like one.
                    let is_value = |next: &OsString| next.to_str().is_some_and(|next| read(next).is_ok());
                    return Some(joined(opt.flag, &line.next_if(is_value).unwrap_or(missing.into())));
                }
                _ => flags = Some(opt.flag),
            }
        }
    })
}

fn joined(option: &str, value: &OsString) -> OsString {
    let mut word = OsString::from(option);
    word.push("=");
    word.push(value);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_for_the_compiler_end_where_arguments_begin() {
        let written = |line: &str| {
            let words = as_written(line.split(' ').map(OsString::from));
            words.map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            written("s check a.c --cflags -O1 -I x -- y"),
            "s check a.c --cflags=-O1 --cflags=-I --cflags=x -- y"
        );
        assert_eq!(written("s check -cp a --quiet"), "s check --classpath a --quiet");
        assert_eq!(written("s check --livelock a.java"), "s check --livelock=all a.java");
        assert_eq!(
            written("s check --livelock off a.java -- --livelock"),
            "s check --livelock=off a.java -- --livelock"
        );
        assert_eq!(written("s cc --cflags -cp x"), "s cc --cflags -cp x");
    }
}
