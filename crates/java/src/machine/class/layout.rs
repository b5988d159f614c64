//! Where the fields of a class lie.

use super::Field;
use crate::classfile::Kind;

/// Gives offsets to fields from `start` on, larger ones first so that few bytes are lost. The end of the last one.
pub fn lay_out<'a>(start: u32, fields: impl Iterator<Item = &'a mut Field>) -> u32 {
    let mut fields: Vec<&mut Field> = fields.collect();
    fields.sort_by_key(|field| std::cmp::Reverse(field.kind.size()));
    let mut end = start;
    // A gap before the first long is filled by what fits.
    if fields.first().is_some_and(|field| field.kind.size() == 8)
        && end % 8 == 4
        && let Some(index) = fields.iter().position(|field| field.kind.size() == 4)
    {
        let field = fields.remove(index);
        field.offset = end;
        end += 4;
    }
    for field in fields {
        let size = field.kind.size();
        end = end.next_multiple_of(size);
        field.offset = end;
        end += size;
    }
    end.next_multiple_of(4)
}

/// The offsets of the references among fields.
pub fn references<'a>(fields: impl Iterator<Item = &'a Field>) -> Vec<u32> {
    fields.filter(|field| field.kind == Kind::Reference).map(|field| field.offset).collect()
}
