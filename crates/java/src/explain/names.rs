//! Names in the words of the source, shortened where HotSpot shortens them.

use crate::classfile::{ClassFile, Cursor, Descriptor, access};
use std::borrow::Cow;

/// The name of a class: with dots, and without the package for the two that need none.
pub(super) fn class_name(name: &str) -> String {
    match name {
        "java/lang/Object" => "Object".to_string(),
        "java/lang/String" => "String".to_string(),
        name => name.replace('/', "."),
    }
}

/// The method that a constant names, as in `String.concat(String)`.
pub(super) fn method_name(class: &ClassFile, constant: u16) -> Option<String> {
    let (owner, name, descriptor) = class.pool.member(constant).ok()?;
    let parameters: Vec<String> =
        Descriptor::parse(descriptor).ok()?.parameters.iter().map(|parameter| type_name(parameter)).collect();
    Some(format!("{}.{name}({})", class_name(owner), parameters.join(", ")))
}

/// A type in a list of parameters. Here HotSpot drops the package by the first letters alone, so that
/// `java.lang.StringBuilder` loses it too.
fn type_name(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let name: Cow<'_, str> = match element.strip_prefix('L') {
        Some(name) => {
            let name = name.trim_end_matches(';').replace('/', ".");
            match name.strip_prefix("java.lang.") {
                Some(short) if short.starts_with("Object") || short.starts_with("String") => {
                    short.to_string().into()
                }
                _ => name.into(),
            }
        }
        None => crate::classfile::field_kind(element).map_or("?", |kind| kind.word()).into(),
    };
    format!("{name}{}", "[]".repeat(descriptor.len() - element.len()))
}

/// What a local variable is called at `bci`: by the compiler's table if there is one. Otherwise `this` and parameters
/// are known by their place, unless the code may have written over them.
pub(super) fn local_name(
    class: &ClassFile,
    method_index: usize,
    bci: usize,
    local: u16,
    untouched: bool,
) -> Option<String> {
    let method = class.methods.get(method_index)?;
    if let Some(name) = in_table(class, method_index, bci, local) {
        return Some(name);
    }
    let instance = u16::from(method.access & access::STATIC == 0);
    if instance == 1 && local == 0 && untouched {
        return Some("this".to_string());
    }
    if untouched && local >= instance {
        let mut slot = instance;
        let kinds = Descriptor::parse(class.pool.utf8(method.descriptor).ok()?).ok()?.kinds;
        for (index, kind) in kinds.iter().enumerate() {
            slot += kind.slots();
            if local < slot {
                return Some(format!("<parameter{}>", index + 1));
            }
        }
    }
    Some(format!("<local{local}>"))
}

/// What the compiler's table of local variables calls one at `bci`.
pub(crate) fn in_table(class: &ClassFile, method_index: usize, bci: usize, local: u16) -> Option<String> {
    let code = class.code(class.methods.get(method_index)?.attributes).ok()??;
    let tables = class.attributes(code.attributes).filter(|attribute| attribute.name == "LocalVariableTable");
    for table in tables {
        let mut at = Cursor::new(class.part(table.contents));
        for _ in 0..at.u16().ok()? {
            let (start, length) = (usize::from(at.u16().ok()?), usize::from(at.u16().ok()?));
            let (name, _descriptor, slot) = (at.u16().ok()?, at.u16().ok()?, at.u16().ok()?);
            if slot == local && (start..start + length).contains(&bci) {
                return Some(class.pool.text(name).ok()?.into_owned());
            }
        }
    }
    None
}
