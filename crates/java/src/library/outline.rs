//! The little that must be known of a class or a source to start it, read without the class file parser: which
//! classes there are, and which have a `main`.

const MAGIC: u32 = 0xCAFE_BABE;
const PUBLIC: u16 = 1;
const STATIC: u16 = 8;

/// What a class file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassOutline {
    /// Its name, `a/b/C`.
    pub name: String,
    /// The name of the class that it extends.
    pub extends: Option<String>,
    /// Whether it declares `public static void main(String[])`.
    pub has_main: bool,
}

impl ClassOutline {
    /// Reads the bytes of a class file up to the end of its methods. `None` if they are not one.
    pub fn read(bytes: &[u8]) -> Option<ClassOutline> {
        let mut rest = Cursor(bytes);
        if rest.int()? != MAGIC {
            return None;
        }
        rest.skip(4)?;
        let constants = Constants::read(&mut rest)?;
        rest.skip(2)?;
        let name = constants.class_name(rest.short()?)?;
        let extends = constants.class_name(rest.short()?);
        let interfaces = rest.short()?;
        rest.skip(2 * usize::from(interfaces))?;
        for _ in 0..rest.short()? {
            rest.member()?;
        }
        let mut has_main = false;
        for _ in 0..rest.short()? {
            let (access, name, descriptor) = rest.member()?;
            has_main |= access & PUBLIC != 0
                && access & STATIC != 0
                && constants.text(name)? == b"main"
                && constants.text(descriptor)? == b"([Ljava/lang/String;)V";
        }
        Some(ClassOutline { name, extends, has_main })
    }
}

/// The constants that can be part of a name, by their index.
struct Constants<'a>(Vec<Constant<'a>>);

#[derive(Clone, Copy)]
enum Constant<'a> {
    Text(&'a [u8]),
    Class(u16),
    Other,
}

impl<'a> Constants<'a> {
    fn read(rest: &mut Cursor<'a>) -> Option<Constants<'a>> {
        let count = usize::from(rest.short()?);
        let mut constants = vec![Constant::Other];
        while constants.len() < count {
            let (constant, slots) = match rest.byte()? {
                1 => {
                    let size = rest.short()?;
                    (Constant::Text(rest.take(size.into())?), 1)
                }
                7 => (Constant::Class(rest.short()?), 1),
                tag => {
                    let (size, slots) = match tag {
                        3 | 4 | 9..=12 | 17 | 18 => (4, 1),
                        5 | 6 => (8, 2),
                        8 | 16 | 19 | 20 => (2, 1),
                        15 => (3, 1),
                        _ => return None,
                    };
                    rest.skip(size)?;
                    (Constant::Other, slots)
                }
            };
            constants.push(constant);
            constants.resize(constants.len() + slots - 1, Constant::Other);
        }
        Some(Constants(constants))
    }

    fn text(&self, index: u16) -> Option<&'a [u8]> {
        match self.0.get(usize::from(index))? {
            Constant::Text(text) => Some(text),
            _ => None,
        }
    }

    fn class_name(&self, index: u16) -> Option<String> {
        match self.0.get(usize::from(index))? {
            Constant::Class(name) => String::from_utf8(self.text(*name)?.into()).ok(),
            _ => None,
        }
    }
}

/// What is left of a class file.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, size: usize) -> Option<()> {
        self.take(size).map(|_| ())
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(*self.take(2)?.first_chunk()?))
    }

    fn int(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(*self.take(4)?.first_chunk()?))
    }

    /// Access flags, name and descriptor of a field or method.
    fn member(&mut self) -> Option<(u16, u16, u16)> {
        let member = (self.short()?, self.short()?, self.short()?);
        for _ in 0..self.short()? {
            self.skip(2)?;
            let size = self.int()?;
            self.skip(size as usize)?;
        }
        Some(member)
    }
}

/// What a source declares at its outermost level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceOutline {
    /// The parts of the name of its package.
    pub package: Vec<String>,
    /// The simple names of its classes, interfaces, enums and records, in their order.
    pub types: Vec<String>,
}

impl SourceOutline {
    /// Reads a source, as far as its braces and quotes can be followed.
    pub fn read(text: &str) -> SourceOutline {
        let mut outline = SourceOutline::default();
        let mut depth = 0_usize;
        let mut tokens = Tokens(text).peekable();
        while let Some(token) = tokens.next() {
            match token {
                "{" | "(" => depth += 1,
                "}" | ")" => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                "package" => {
                    let name = tokens.by_ref().take_while(|token| *token != ";");
                    outline.package = name.filter(|token| is_word(token)).map(String::from).collect();
                }
                // A record is only one if a name follows: the word itself is no keyword.
                "class" | "interface" | "enum" | "record" => {
                    outline.types.extend(tokens.next_if(|token| is_word(token)).map(String::from));
                }
                _ => {}
            }
        }
        outline
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(is_of_word)
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

/// The words and signs of a source, without white space, comments, strings and characters.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.0 = self.0.trim_start();
            let first = self.0.chars().next()?;
            let passed = if self.0.starts_with("//") {
                self.0.find('\n')
            } else if let Some(comment) = self.0.strip_prefix("/*") {
                comment.find("*/").map(|end| end + 4)
            } else if let Some(block) = self.0.strip_prefix("\"\"\"") {
                quoted(block, "\"\"\"").map(|end| end + 3)
            } else if first == '"' || first == '\'' {
                quoted(&self.0[1..], &self.0[..1]).map(|end| end + 1)
            } else {
                let end = if is_of_word(first) {
                    self.0.find(|sign| !is_of_word(sign)).unwrap_or(self.0.len())
                } else {
                    first.len_utf8()
                };
                let (token, rest) = self.0.split_at(end);
                self.0 = rest;
                return Some(token);
            };
            self.0 = self.0.get(passed?..)?;
        }
    }
}

/// Where what is quoted ends, with its quote; a backslash takes away the meaning of what follows it.
fn quoted(text: &str, quote: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(quote) {
            return Some(at + quote.len());
        }
        let skipped = if rest.starts_with('\\') { 2 } else { 1 };
        at += rest.chars().take(skipped).map(char::len_utf8).sum::<usize>();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> (String, Vec<String>) {
        let outline = SourceOutline::read(text);
        (outline.package.join("/"), outline.types)
    }

    #[test]
    fn a_source_declares_its_outermost_types() {
        let text = r#"
            // package no; class No {
            /* class No { */
            package a . b;
            import x.record.Y;
            @Tag(value = No.class, text = "class No { \" {")
            public final class First<T extends Second> { class Inner {} char c = '{', d = '\''; }
            interface Second { }
            @interface Third { Class<?> of() default Object.class; }
            enum Fourth { A { void f() { } } }
            record Fifth(int x) { String s = """
                class No { "quotes" \""" {
                """; }
        "#;
        let types = ["First", "Second", "Third", "Fourth", "Fifth"].map(String::from);
        assert_eq!(outline(text), ("a/b".into(), types.into()));
    }

    #[test]
    fn a_source_that_is_cut_off_has_what_was_seen() {
        assert_eq!(outline("package"), ("".into(), vec![]));
        assert_eq!(outline("class"), ("".into(), vec![]));
        assert_eq!(outline("class A { \""), ("".into(), vec!["A".into()]));
        assert_eq!(outline("class A { '\\"), ("".into(), vec!["A".into()]));
        assert_eq!(outline("class A /*"), ("".into(), vec!["A".into()]));
        assert_eq!(outline("class Ä { } }}} class Ö"), ("".into(), vec!["Ä".into(), "Ö".into()]));
    }

    #[test]
    fn garbage_is_not_a_class() {
        for bytes in
            [&b""[..], b"\xCA\xFE\xBA\xBE", b"\xCA\xFE\xBA\xBE\0\0\0\x3d\xff\xff", b"nothing of the sort"]
        {
            assert_eq!(ClassOutline::read(bytes), None);
        }
    }
}
