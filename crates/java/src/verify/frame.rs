//! The types of the slots of one frame.

use super::Reason;
use super::types::{Name, Type};

/// What is known of the local variables and the operand stack before an instruction.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Those behind the last are unusable.
    pub locals: Vec<Type>,
    pub stack: Vec<Type>,
    /// Whether this is a constructor that has not yet called another one.
    pub this_uninitialised: bool,
    /// Whether local variables have changed since this was last cleared.
    pub changed: bool,
    max_locals: usize,
    max_stack: usize,
}

impl Frame {
    pub fn new(max_locals: u16, max_stack: u16) -> Frame {
        Frame {
            locals: Vec::new(),
            stack: Vec::new(),
            this_uninitialised: false,
            changed: true,
            max_locals: max_locals.into(),
            max_stack: max_stack.into(),
        }
    }

    /// Takes over what is known at another place.
    pub fn assume(&mut self, locals: &[Type], stack: &[Type], this_uninitialised: bool) {
        self.locals.clear();
        self.locals.extend_from_slice(locals);
        self.stack.clear();
        self.stack.extend_from_slice(stack);
        self.this_uninitialised = this_uninitialised;
        self.changed = true;
    }

    pub fn push(&mut self, kind: Type) -> Result<(), Reason> {
        self.stack.push(kind);
        if kind.is_wide() {
            self.stack.push(Type::Half);
        }
        self.within_bounds()
    }

    fn within_bounds(&self) -> Result<(), Reason> {
        if self.stack.len() > self.max_stack {
            return Err(format!("the operand stack grows beyond its {} slots", self.max_stack));
        }
        Ok(())
    }

    /// The value on top, its second half removed with it.
    pub fn pop(&mut self) -> Result<Type, Reason> {
        match self.stack.pop() {
            // The first half lies beneath: halves are only ever pushed and removed as pairs.
            Some(Type::Half) => self.stack.pop().ok_or_else(underflow),
            Some(kind) => Ok(kind),
            None => Err(underflow()),
        }
    }

    /// The type of a local variable.
    pub fn local(&self, index: u16) -> Result<Type, Reason> {
        let index = usize::from(index);
        if index >= self.max_locals {
            return Err(self.no_such_local(index));
        }
        Ok(self.locals.get(index).copied().unwrap_or(Type::Top))
    }

    fn no_such_local(&self, index: usize) -> Reason {
        format!("there is no local variable {index}: the method has {} slots for them", self.max_locals)
    }

    /// Whether a local variable holds a value of that type, both halves of it.
    pub fn holds(&self, index: u16, kind: Type) -> Result<bool, Reason> {
        let first = self.local(index)?;
        if kind.is_wide() {
            let second = self.local(index.checked_add(1).ok_or_else(|| self.no_such_local(65536))?)?;
            return Ok(first == kind && second == Type::Half);
        }
        Ok(first == kind)
    }

    /// Writes a local variable. A long or double of which half is overwritten is lost.
    pub fn store(&mut self, index: u16, kind: Type) -> Result<(), Reason> {
        let start = usize::from(index);
        let end = start + kind.slots();
        if end > self.max_locals {
            return Err(self.no_such_local(end - 1));
        }
        if self.locals.len() < end {
            self.locals.resize(end, Type::Top);
        }
        if self.locals[start] == Type::Half && start > 0 {
            self.locals[start - 1] = Type::Top;
        }
        if self.locals.get(end) == Some(&Type::Half) {
            self.locals[end] = Type::Top;
        }
        self.locals[start] = kind;
        if kind.is_wide() {
            self.locals[start + 1] = Type::Half;
        }
        self.changed = true;
        Ok(())
    }

    /// After a constructor has been called, all copies of the reference are to an object that may be used.
    pub fn initialise(&mut self, uninitialised: Type, class: Name) {
        for slot in self.locals.iter_mut().chain(&mut self.stack) {
            if *slot == uninitialised {
                *slot = Type::Object(class);
            }
        }
        if uninitialised == Type::UninitializedThis {
            self.this_uninitialised = false;
        }
        self.changed = true;
    }

    /// Before a `new` makes another object, older ones of the same place must be out of reach: the type could not tell
    /// them apart.
    pub fn forget(&mut self, uninitialised: Type) -> Result<(), Reason> {
        if self.stack.contains(&uninitialised) {
            return Err("an object of the same `new` is still uninitialised on the operand stack".to_string());
        }
        for slot in &mut self.locals {
            if *slot == uninitialised {
                *slot = Type::Top;
                self.changed = true;
            }
        }
        Ok(())
    }

    /// Repeats the top `count` slots beneath the `beneath` slots below them. Neither group may cut a value in two.
    pub fn duplicate(&mut self, count: usize, beneath: usize) -> Result<(), Reason> {
        let place = self.cut(count + beneath)?;
        let start = self.cut(count)?;
        for offset in 0..count {
            self.stack.insert(place + offset, self.stack[start + 2 * offset]);
        }
        self.within_bounds()
    }

    /// Removes the top `count` slots.
    pub fn discard(&mut self, count: usize) -> Result<(), Reason> {
        let place = self.cut(count)?;
        self.stack.truncate(place);
        Ok(())
    }

    pub fn swap(&mut self) -> Result<(), Reason> {
        self.cut(1)?;
        let place = self.cut(2)?;
        self.stack.swap(place, place + 1);
        Ok(())
    }

    /// The place below the top `count` slots.
    fn cut(&self, count: usize) -> Result<usize, Reason> {
        let place = self.stack.len().checked_sub(count).ok_or_else(underflow)?;
        if self.stack[place] == Type::Half {
            return Err("the instruction cuts a long or double in two".to_string());
        }
        Ok(place)
    }
}

fn underflow() -> Reason {
    "the operand stack is empty".to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(types: &[Type]) -> Frame {
        let mut frame = Frame::new(4, 8);
        for &kind in types {
            frame.push(kind).unwrap();
        }
        frame
    }

    #[test]
    fn values_are_duplicated_beneath_others() {
        use Type::{Float, Half, Int, Long, Null};
        let after = |types: &[Type], count, beneath| {
            let mut frame = frame(types);
            frame.duplicate(count, beneath).map(|()| frame.stack)
        };
        assert_eq!(after(&[Int], 1, 0), Ok(vec![Int, Int]));
        assert_eq!(after(&[Int, Float], 1, 1), Ok(vec![Float, Int, Float]));
        assert_eq!(after(&[Long, Float], 1, 2), Ok(vec![Float, Long, Half, Float]));
        assert_eq!(after(&[Int, Float], 2, 0), Ok(vec![Int, Float, Int, Float]));
        assert_eq!(after(&[Null, Int, Float], 2, 1), Ok(vec![Int, Float, Null, Int, Float]));
        assert_eq!(after(&[Long, Long], 2, 2), Ok(vec![Long, Half, Long, Half, Long, Half]));
        for (types, count, beneath) in [(&[Long][..], 1, 0), (&[Long, Int], 1, 1), (&[Long, Int], 2, 0)] {
            assert!(after(types, count, beneath).unwrap_err().contains("in two"));
        }
        assert!(after(&[Int], 1, 1).unwrap_err().contains("empty"));
    }

    #[test]
    fn half_a_long_is_no_long() {
        let mut frame = frame(&[]);
        frame.store(0, Type::Long).unwrap();
        assert_eq!(frame.holds(0, Type::Long), Ok(true));
        frame.store(1, Type::Long).unwrap();
        assert_eq!(frame.locals, [Type::Top, Type::Long, Type::Half]);
        frame.store(0, Type::Double).unwrap();
        assert_eq!(frame.locals, [Type::Double, Type::Half, Type::Top]);
        assert!(frame.store(3, Type::Long).is_err());
    }
}
