//! The types of slots, and which of them may stand for which.

use super::{Hierarchy, Reason};
use hashbrown::HashMap;
use std::rc::Rc;

/// What the verifier knows of a slot. Longs and doubles take two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Nothing that may be used.
    Top,
    /// The second slot of the long or double before it.
    Half,
    Int,
    Float,
    Long,
    Double,
    Null,
    /// `this` in a constructor that has not yet called another one.
    UninitializedThis,
    /// What the `new` at that place has made, before its constructor was called.
    Uninitialized(u16),
    /// A class, an interface or an array.
    Object(Name),
}

impl Type {
    pub fn is_wide(self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    pub fn slots(self) -> usize {
        1 + usize::from(self.is_wide())
    }

    /// Whether it is a reference to an object that may be used, or null.
    pub fn is_object(self) -> bool {
        matches!(self, Type::Null | Type::Object(_))
    }

    pub fn is_reference(self) -> bool {
        self.is_object() || matches!(self, Type::UninitializedThis | Type::Uninitialized(_))
    }
}

/// The name of a class or an array, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name(u32);

pub(super) const OBJECT: Name = Name(0);
pub(super) const THROWABLE: Name = Name(1);
pub(super) const STRING: Name = Name(2);
pub(super) const CLASS: Name = Name(3);
pub(super) const METHOD_HANDLE: Name = Name(4);
pub(super) const METHOD_TYPE: Name = Name(5);

const KNOWN: [&str; 6] = [
    "java/lang/Object",
    "java/lang/Throwable",
    "java/lang/String",
    "java/lang/Class",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/MethodType",
];

/// Arrays may have no more dimensions.
const DIMENSIONS: usize = 255;

/// The names that are in use and what has been found out about them.
pub(super) struct Types<'h> {
    hierarchy: &'h mut dyn Hierarchy,
    texts: Vec<Rc<str>>,
    names: HashMap<Rc<str>, Name>,
    assignable: HashMap<(Name, Name), bool>,
    merged: HashMap<(Name, Name), Name>,
    arrays: HashMap<Name, Name>,
    elements: HashMap<Name, Type>,
}

impl<'h> Types<'h> {
    pub fn new(hierarchy: &'h mut dyn Hierarchy) -> Types<'h> {
        let mut types = Types {
            hierarchy,
            texts: Vec::new(),
            names: HashMap::new(),
            assignable: HashMap::new(),
            merged: HashMap::new(),
            arrays: HashMap::new(),
            elements: HashMap::new(),
        };
        for text in KNOWN {
            types.name(text);
        }
        types
    }

    /// The number of a name that is known to be well formed.
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(&name) = self.names.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.names.insert(text, name);
        name
    }

    pub fn text(&self, name: Name) -> &Rc<str> {
        &self.texts[name.0 as usize]
    }

    /// The class or array that a class constant names.
    pub fn class_constant(&mut self, text: &str) -> Result<Name, Reason> {
        if !(is_class_name(text) || text.starts_with('[') && is_field_descriptor(text)) {
            return Err(format!("{text:?} is not the name of a class"));
        }
        Ok(self.name(text))
    }

    /// The type of a field or parameter.
    pub fn of_descriptor(&mut self, text: &str) -> Result<Type, Reason> {
        if !is_field_descriptor(text) {
            return Err(format!("{text:?} is not the type of a value"));
        }
        Ok(match text.as_bytes()[0] {
            b'J' => Type::Long,
            b'F' => Type::Float,
            b'D' => Type::Double,
            b'L' => Type::Object(self.name(&text[1..text.len() - 1])),
            b'[' => Type::Object(self.name(text)),
            _ => Type::Int,
        })
    }

    pub fn is_array(&self, name: Name) -> bool {
        self.text(name).starts_with('[')
    }

    /// The array whose elements are of that class.
    pub fn array_of(&mut self, element: Name) -> Result<Name, Reason> {
        if let Some(&array) = self.arrays.get(&element) {
            return Ok(array);
        }
        let text = self.text(element).clone();
        let array = if text.starts_with('[') { format!("[{text}") } else { format!("[L{text};") };
        let array = self.class_constant(&array)?;
        self.arrays.insert(element, array);
        Ok(array)
    }

    /// The type of an array's elements.
    pub fn element_of(&mut self, array: Name) -> Result<Type, Reason> {
        if let Some(&element) = self.elements.get(&array) {
            return Ok(element);
        }
        let text = self.text(array).clone();
        let element = self.of_descriptor(text.strip_prefix('[').unwrap_or_default())?;
        self.elements.insert(array, element);
        Ok(element)
    }

    /// Whether a value of one type may be used where the other one is wanted.
    pub fn is_assignable(&mut self, from: Type, to: Type) -> Result<bool, Reason> {
        match (from, to) {
            _ if from == to => Ok(true),
            (_, Type::Top) | (Type::Null, Type::Object(_)) => Ok(true),
            (Type::Object(_), Type::Object(OBJECT)) => Ok(true),
            (Type::Object(from), Type::Object(to)) => {
                if let Some(&known) = self.assignable.get(&(from, to)) {
                    return Ok(known);
                }
                let answer = self.class_is_assignable(from, to)?;
                self.assignable.insert((from, to), answer);
                Ok(answer)
            }
            _ => Ok(false),
        }
    }

    /// The hierarchy is asked about classes only: what holds of arrays follows from their elements.
    fn class_is_assignable(&mut self, from: Name, to: Name) -> Result<bool, Reason> {
        let (from, to) = (self.text(from).clone(), self.text(to).clone());
        let ((from_depth, from), (to_depth, to)) = (element(&from), element(&to));
        match (from, to) {
            _ if from_depth < to_depth => Ok(false),
            (_, Element::Class(to)) if from_depth > to_depth => Ok(is_super_of_arrays(to)),
            _ if from_depth > to_depth => Ok(false),
            (Element::Class(from), Element::Class(to)) if from != to && to != KNOWN[0] => {
                self.hierarchy.is_assignable(from, to)
            }
            (Element::Class(_), Element::Class(_)) => Ok(true),
            (Element::Primitive(from), Element::Primitive(to)) => Ok(from == to),
            _ => Ok(false),
        }
    }

    /// Whether a class is another one or below it.
    pub fn is_subclass(&mut self, class: Name, of: Name) -> Result<bool, Reason> {
        if class == of {
            return Ok(true);
        }
        let (class, of) = (self.text(class).clone(), self.text(of).clone());
        self.hierarchy.is_subclass(&class, &of)
    }

    /// What is known of a slot that is one or the other.
    pub fn merge(&mut self, a: Type, b: Type) -> Result<Type, Reason> {
        Ok(match (a, b) {
            _ if a == b => a,
            (Type::Null, Type::Object(_)) => b,
            (Type::Object(_), Type::Null) => a,
            (Type::Object(a), Type::Object(b)) => Type::Object(self.merge_names(a, b)?),
            _ => Type::Top,
        })
    }

    fn merge_names(&mut self, a: Name, b: Name) -> Result<Name, Reason> {
        if a == OBJECT || b == OBJECT {
            return Ok(OBJECT);
        }
        if let Some(&known) = self.merged.get(&(a, b)) {
            return Ok(known);
        }
        let (left, right) = (self.text(a).clone(), self.text(b).clone());
        let ((left_depth, left), (right_depth, right)) = (element(&left), element(&right));
        let (depth, class) = match (left, right) {
            (Element::Class(left), Element::Class(right)) if left_depth == right_depth => {
                let class = if left == right {
                    left.to_string()
                } else {
                    self.hierarchy.common_superclass(left, right)?
                };
                if !is_class_name(&class) {
                    return Err(format!("{class:?} is not the name of a class"));
                }
                (left_depth, class)
            }
            // Arrays that end in different ways have in common what holds their shorter nesting: arrays of objects,
            // one level up if the shorter one's elements are no objects.
            _ => {
                let primitive =
                    |depth, element| depth - usize::from(matches!(element, Element::Primitive(_)));
                let depth = primitive(left_depth, left).min(primitive(right_depth, right));
                (depth, KNOWN[0].to_string())
            }
        };
        let text = if depth == 0 { class } else { format!("{}L{class};", "[".repeat(depth)) };
        let name = self.name(&text);
        self.merged.insert((a, b), name);
        Ok(name)
    }

    /// A type in words.
    pub fn show(&self, kind: Type) -> String {
        match kind {
            Type::Top => "nothing usable".to_string(),
            Type::Half => "the second half of a value".to_string(),
            Type::Int => "int".to_string(),
            Type::Float => "float".to_string(),
            Type::Long => "long".to_string(),
            Type::Double => "double".to_string(),
            Type::Null => "null".to_string(),
            Type::UninitializedThis => "`this` before it is initialised".to_string(),
            Type::Uninitialized(at) => format!("the uninitialised object of the `new` at {at}"),
            Type::Object(name) => self.text(name).to_string(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Element<'a> {
    Class(&'a str),
    Primitive(u8),
}

/// The dimensions of an array, none for a class, and what it is made of.
fn element(name: &str) -> (usize, Element<'_>) {
    let inner = name.trim_start_matches('[');
    let depth = name.len() - inner.len();
    match inner.as_bytes() {
        _ if depth == 0 => (0, Element::Class(name)),
        [b'L', ..] => (depth, Element::Class(&inner[1..inner.len() - 1])),
        other => (depth, Element::Primitive(other[0])),
    }
}

fn is_super_of_arrays(class: &str) -> bool {
    matches!(class, "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable")
}

fn is_class_name(text: &str) -> bool {
    !text.is_empty() && !text.bytes().any(|byte| matches!(byte, b'.' | b';' | b'['))
}

/// Whether a text is the type of a value and nothing more.
pub(super) fn is_field_descriptor(text: &str) -> bool {
    let inner = text.trim_start_matches('[');
    if text.len() - inner.len() > DIMENSIONS {
        return false;
    }
    match inner.strip_prefix('L') {
        Some(class) => class.strip_suffix(';').is_some_and(is_class_name),
        None => matches!(inner, "B" | "C" | "D" | "F" | "I" | "J" | "S" | "Z"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A and B below Base; everything else is unknown.
    struct Family;

    impl Hierarchy for Family {
        fn is_assignable(&mut self, from: &str, to: &str) -> Result<bool, String> {
            assert_ne!(from, to, "equal names need no hierarchy");
            assert!(!from.starts_with('[') && !to.starts_with('['));
            Ok(to == "Base" && matches!(from, "A" | "B"))
        }

        fn common_superclass(&mut self, _: &str, _: &str) -> Result<String, String> {
            Ok("Base".to_string())
        }

        fn is_subclass(&mut self, class: &str, of: &str) -> Result<bool, String> {
            self.is_assignable(class, of)
        }
    }

    #[test]
    fn arrays_are_assignable_as_their_elements_are() {
        let mut family = Family;
        let mut types = Types::new(&mut family);
        for (from, to, expected) in [
            ("[LA;", "[LBase;", true),
            ("[LBase;", "[LA;", false),
            ("[LA;", "java/lang/Object", true),
            ("[LA;", "java/lang/Cloneable", true),
            ("[LA;", "Base", false),
            ("[[I", "[Ljava/lang/Object;", true),
            ("[[I", "[Ljava/io/Serializable;", true),
            ("[I", "[Ljava/lang/Object;", false),
            ("[I", "[J", false),
            ("[I", "[I", true),
            ("[I", "[[I", false),
            ("Base", "[LBase;", false),
            ("[Unknown;", "[Unknown;", false),
        ] {
            let (Ok(from), Ok(to)) = (types.class_constant(from), types.class_constant(to)) else {
                assert!(!expected);
                continue;
            };
            let answer = types.is_assignable(Type::Object(from), Type::Object(to));
            assert_eq!(answer, Ok(expected), "{} to {}", types.text(from), types.text(to));
        }
    }

    #[test]
    fn arrays_merge_to_what_holds_both() {
        let mut family = Family;
        let mut types = Types::new(&mut family);
        for (a, b, expected) in [
            ("A", "B", "Base"),
            ("[LA;", "[LB;", "[LBase;"),
            ("[I", "[J", "java/lang/Object"),
            ("[[I", "[[J", "[Ljava/lang/Object;"),
            ("[[I", "[I", "java/lang/Object"),
            ("[[I", "[LA;", "[Ljava/lang/Object;"),
            ("[LA;", "A", "java/lang/Object"),
            ("[[[LA;", "[[LB;", "[[Ljava/lang/Object;"),
        ] {
            let (left, right) = (types.name(a), types.name(b));
            for (left, right) in [(left, right), (right, left)] {
                let merged = types.merge_names(left, right).unwrap();
                assert_eq!(&**types.text(merged), expected, "{a} and {b}");
            }
        }
    }
}
