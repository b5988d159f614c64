//! Attributes: what a class file says beside its members.

use super::{ClassFile, ClassFileError, Cursor, Result, Span};

/// An attribute: its name and where its contents lie.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its contents.
    pub contents: Span,
}

/// The code of a method.
#[derive(Debug)]
pub struct CodeAttribute<'a> {
    /// The largest number of slots on its stack.
    pub max_stack: u16,
    /// The number of its local variables' slots.
    pub max_locals: u16,
    /// The bytecodes.
    pub code: &'a [u8],
    /// Where exceptions are caught, in order of precedence.
    pub handlers: Vec<ExceptionRange>,
    /// Attributes of the code.
    pub attributes: Span,
}

/// A range of code with a handler for exceptions.
#[derive(Clone, Copy, Debug)]
pub struct ExceptionRange {
    /// The first byte that it covers.
    pub start: u16,
    /// The byte behind the last one.
    pub end: u16,
    /// Where the handler begins.
    pub handler: u16,
    /// Index of the class that it catches; 0 for all.
    pub catches: u16,
}

/// A bootstrap method with its static arguments.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// Index of the method handle.
    pub method: u16,
    /// Indices of the arguments.
    pub arguments: Vec<u16>,
}

/// What a class says of an inner class: itself or another.
#[derive(Clone, Copy, Debug)]
pub struct InnerClass {
    /// Index of the inner class.
    pub inner: u16,
    /// Index of the class that it is a member of; 0 if it is none.
    pub outer: u16,
    /// Index of its simple name; 0 if it is anonymous.
    pub name: u16,
    /// Its flags in the source.
    pub access: u16,
}

impl ClassFile {
    /// The attributes in a table.
    pub fn attributes(&self, table: Span) -> impl Iterator<Item = Attribute<'_>> {
        let bytes = self.part(table);
        let mut at = Cursor::new(bytes);
        let count = at.u16().unwrap_or(0);
        (0..count).map_while(move |_| {
            let name = at.u16().ok()?;
            let length = at.u32().ok()?;
            let start = table.start + at.position() as u32;
            at.skip(length as usize).ok()?;
            // A name that cannot be read is never asked for.
            let name = self.pool.utf8(name).unwrap_or("");
            Some(Attribute { name, contents: Span { start, end: start + length } })
        })
    }

    /// The contents of the attribute of that name.
    pub fn attribute(&self, table: Span, name: &str) -> Option<&[u8]> {
        let found = self.attributes(table).find(|attribute| attribute.name == name)?;
        Some(self.part(found.contents))
    }

    /// The code of a method; `None` if it has none.
    pub fn code(&self, table: Span) -> Result<Option<CodeAttribute<'_>>> {
        let Some(attribute) = self.attributes(table).find(|attribute| attribute.name == "Code") else {
            return Ok(None);
        };
        let mut at = Cursor::new(self.part(attribute.contents));
        let (max_stack, max_locals) = (at.u16()?, at.u16()?);
        let length = at.u32()? as usize;
        if length == 0 || length > 65535 {
            return Err(ClassFileError::Malformed(format!("a method has {length} bytes of code")));
        }
        let code = at.take(length)?;
        let count = at.u16()?;
        let handlers = (0..count)
            .map(|_| {
                Ok(ExceptionRange {
                    start: at.u16()?,
                    end: at.u16()?,
                    handler: at.u16()?,
                    catches: at.u16()?,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let start = attribute.contents.start + at.position() as u32;
        let attributes = super::attribute_span(&mut at)?;
        let attributes = Span { start, end: start + (attributes.end - attributes.start) };
        Ok(Some(CodeAttribute { max_stack, max_locals, code, handlers, attributes }))
    }

    /// The line numbers of code: pairs of the first byte and its line, in the order of the file.
    pub fn lines(&self, code: &CodeAttribute<'_>) -> Vec<(u16, u16)> {
        let mut lines = Vec::new();
        for attribute in
            self.attributes(code.attributes).filter(|attribute| attribute.name == "LineNumberTable")
        {
            let mut at = Cursor::new(self.part(attribute.contents));
            let count = at.u16().unwrap_or(0);
            lines.extend((0..count).map_while(|_| Some((at.u16().ok()?, at.u16().ok()?))));
        }
        lines
    }

    /// The bootstrap methods.
    pub fn bootstraps(&self) -> Result<Vec<Bootstrap>> {
        let Some(contents) = self.attribute(self.attributes, "BootstrapMethods") else {
            return Ok(Vec::new());
        };
        let mut at = Cursor::new(contents);
        let count = at.u16()?;
        (0..count)
            .map(|_| {
                let (method, count) = (at.u16()?, at.u16()?);
                let arguments = (0..count).map(|_| at.u16()).collect::<Result<Vec<u16>>>()?;
                Ok(Bootstrap { method, arguments })
            })
            .collect()
    }

    /// What the class says of inner classes.
    pub fn inner_classes(&self) -> Vec<InnerClass> {
        let Some(contents) = self.attribute(self.attributes, "InnerClasses") else { return Vec::new() };
        let mut at = Cursor::new(contents);
        let count = at.u16().unwrap_or(0);
        (0..count)
            .map_while(|_| {
                Some(InnerClass {
                    inner: at.u16().ok()?,
                    outer: at.u16().ok()?,
                    name: at.u16().ok()?,
                    access: at.u16().ok()?,
                })
            })
            .collect()
    }

    /// The index that an attribute of two bytes holds, as `SourceFile`, `Signature`, `NestHost` and `ConstantValue` do.
    pub fn index_attribute(&self, table: Span, name: &str) -> Option<u16> {
        Cursor::new(self.attribute(table, name)?).u16().ok()
    }
}
