//! Strings and arrays, made and read.

use super::{Abrupt, Machine, Run};
use crate::classfile::Kind;
use crate::machine::class::{ClassId, Shape};
use crate::memory::{ARRAY_DATA, Ref};

impl Machine {
    /// A new object of a class, all zeros, without its constructor being called.
    pub(crate) fn new_object(&mut self, class: ClassId) -> Run<Ref> {
        let size = u64::from(self.class(class).size);
        self.heap.allocate(class.0, size, 0).ok_or_else(|| self.out_of_memory(size))
    }

    /// A new array of a class of arrays.
    pub(crate) fn new_array(&mut self, class: ClassId, length: i32) -> Run<Ref> {
        let Ok(length) = u32::try_from(length) else {
            return Err(Abrupt::raise("java/lang/NegativeArraySizeException", length.to_string()));
        };
        let size = match self.class(class).shape {
            Shape::Array { kind, .. } => kind.size(),
            _ => return Err(Abrupt::raise("java/lang/InternalError", "not a class of arrays")),
        };
        if length >= i32::MAX as u32 - 1 {
            return Err(Abrupt::raise("java/lang/OutOfMemoryError", "Requested array size exceeds VM limit"));
        }
        let bytes = u64::from(ARRAY_DATA) + u64::from(length) * u64::from(size);
        self.heap.allocate(class.0, bytes, length).ok_or_else(|| self.out_of_memory(bytes))
    }

    /// A new array of objects of a class.
    pub(crate) fn new_objects(&mut self, component: ClassId, objects: &[Ref]) -> Run<Ref> {
        let class = self.array_of(component)?;
        let array = self.new_array(class, objects.len() as i32)?;
        for (index, &object) in objects.iter().enumerate() {
            self.heap.put_ref(array, ARRAY_DATA + 4 * index as u32, object);
        }
        Ok(array)
    }

    /// A new array of bytes.
    pub(crate) fn new_bytes(&mut self, bytes: &[u8]) -> Run<Ref> {
        let array = self.new_array(self.known.primitive_arrays[Kind::Byte as usize], bytes.len() as i32)?;
        self.heap.elements_mut(array, 1).copy_from_slice(bytes);
        Ok(array)
    }

    /// An element of an array of objects.
    pub(crate) fn element(&self, array: Ref, index: u32) -> Ref {
        self.heap.get_ref(array, ARRAY_DATA + 4 * index)
    }

    /// A new string.
    pub(crate) fn new_string(&mut self, text: &str) -> Run<Ref> {
        if text.is_ascii() {
            return self.new_latin1(text.as_bytes());
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_of(&units)
    }

    /// A new string of UTF-16 units.
    pub(crate) fn new_string_of(&mut self, units: &[u16]) -> Run<Ref> {
        if units.iter().all(|&unit| unit < 256) {
            let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
            return self.new_latin1(&bytes);
        }
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let value = self.new_bytes(&bytes)?;
        self.new_string_from(value, 1)
    }

    /// A new string of bytes that are Latin-1.
    pub(crate) fn new_latin1(&mut self, bytes: &[u8]) -> Run<Ref> {
        let value = self.new_bytes(bytes)?;
        self.new_string_from(value, 0)
    }

    fn new_string_from(&mut self, value: Ref, coder: u8) -> Run<Ref> {
        let string = self.new_object(self.known.string)?;
        self.heap.put_ref(string, self.known.string_value, value);
        self.heap.put_u8(string, self.known.string_coder, coder);
        Ok(string)
    }

    /// The UTF-16 units of a string.
    pub(crate) fn units(&self, string: Ref) -> Vec<u16> {
        let value = self.heap.get_ref(string, self.known.string_value);
        if value.is_null() {
            return Vec::new();
        }
        let bytes = self.heap.elements(value, 1);
        if self.heap.get_u8(string, self.known.string_coder) == 0 {
            bytes.iter().map(|&byte| u16::from(byte)).collect()
        } else {
            bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()
        }
    }

    /// A string for people and for names.
    pub(crate) fn text(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.units(string))
    }

    /// The text of a string that may be null, which is then an exception.
    pub(crate) fn text_of(&self, string: Ref) -> Run<String> {
        if string.is_null() { Err(Abrupt::null()) } else { Ok(self.text(string)) }
    }

    /// The one string of these units that literals stand for.
    pub(crate) fn intern(&mut self, units: &[u16]) -> Run<Ref> {
        if let Some(&string) = self.tables.interned.get(units) {
            return Ok(string);
        }
        let key = |_: &Machine| crate::machine::name_hash(&String::from_utf16_lossy(units), 2);
        let string = self.permanently(key, |machine| machine.new_string_of(units))?;
        self.tables.interned.insert(units.into(), string);
        Ok(string)
    }

    /// The string itself as the one that literals stand for, unless there is one already.
    pub(crate) fn intern_object(&mut self, string: Ref) -> Ref {
        let units = self.units(string);
        if self.scheduling.controlled {
            // The table is no part of a state, so that its strings are there for ever.
            return self.intern(&units).unwrap_or(string);
        }
        *self.tables.interned.entry(units.into()).or_insert(string)
    }
}
