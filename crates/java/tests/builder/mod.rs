//! A tiny writer of class files, for those that no compiler writes.

use sojourner_java::bytes::Bytes;
use sojourner_java::classfile::ClassFile;

/// A class in the making. Its constants are numbered as they are added.
pub struct Builder {
    pool: Vec<u8>,
    constants: u16,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
    this: u16,
    parent: u16,
}

/// The code of a method.
#[derive(Default)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: Vec<u8>,
    /// Start, end, handler and class of each.
    pub handlers: Vec<[u16; 4]>,
    /// The entries of the stack map table, and how many there are.
    pub frames: Option<(u16, Vec<u8>)>,
}

impl Builder {
    pub fn new(name: &str, parent: &str) -> Builder {
        let mut builder = Builder {
            pool: Vec::new(),
            constants: 1,
            fields: Vec::new(),
            field_count: 0,
            methods: Vec::new(),
            method_count: 0,
            this: 0,
            parent: 0,
        };
        builder.this = builder.class(name);
        builder.parent = builder.class(parent);
        builder
    }

    /// A constant by its tag and contents.
    pub fn constant(&mut self, tag: u8, contents: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend(contents);
        self.constants += 1 + u16::from(matches!(tag, 5 | 6));
        self.constants - 1 - u16::from(matches!(tag, 5 | 6))
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut contents = (text.len() as u16).to_be_bytes().to_vec();
        contents.extend(text.bytes());
        self.constant(1, &contents)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant(7, &name.to_be_bytes())
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.constant(8, &text.to_be_bytes())
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.constant(tag, &[first.to_be_bytes(), second.to_be_bytes()].concat())
    }

    /// A field (tag 9), method (10) or method of an interface (11).
    pub fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.pair(12, name, descriptor);
        self.pair(tag, class, name_and_type)
    }

    pub fn call_site(&mut self, bootstrap: u16, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8("call"), self.utf8(descriptor));
        let name_and_type = self.pair(12, name, descriptor);
        self.pair(18, bootstrap, name_and_type)
    }

    /// Declares a field of the class.
    pub fn field(&mut self, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        for half in [0, name, descriptor, 0] {
            self.fields.extend(half.to_be_bytes());
        }
        self.field_count += 1;
    }

    /// Adds a method.
    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, code: Option<&Code>) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let mut bytes = Vec::new();
        for half in [access, name, descriptor, u16::from(code.is_some())] {
            bytes.extend(half.to_be_bytes());
        }
        if let Some(code) = code {
            let attribute = self.code(code);
            bytes.extend(self.utf8("Code").to_be_bytes());
            bytes.extend((attribute.len() as u32).to_be_bytes());
            bytes.extend(attribute);
        }
        self.methods.extend(bytes);
        self.method_count += 1;
    }

    fn code(&mut self, code: &Code) -> Vec<u8> {
        let mut bytes = [code.max_stack.to_be_bytes(), code.max_locals.to_be_bytes()].concat();
        bytes.extend((code.code.len() as u32).to_be_bytes());
        bytes.extend(&code.code);
        bytes.extend((code.handlers.len() as u16).to_be_bytes());
        for half in code.handlers.iter().flatten() {
            bytes.extend(half.to_be_bytes());
        }
        bytes.extend(u16::from(code.frames.is_some()).to_be_bytes());
        if let Some((count, frames)) = &code.frames {
            bytes.extend(self.utf8("StackMapTable").to_be_bytes());
            bytes.extend((frames.len() as u32 + 2).to_be_bytes());
            bytes.extend(count.to_be_bytes());
            bytes.extend(frames);
        }
        bytes
    }

    /// The bytes of the class file.
    pub fn bytes(&self, major: u16) -> Vec<u8> {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        bytes.extend(major.to_be_bytes());
        bytes.extend(self.constants.to_be_bytes());
        bytes.extend(&self.pool);
        for half in [0x21, self.this, self.parent, 0, self.field_count] {
            bytes.extend(half.to_be_bytes());
        }
        bytes.extend(&self.fields);
        bytes.extend(self.method_count.to_be_bytes());
        bytes.extend(&self.methods);
        bytes.extend([0, 0]);
        bytes
    }

    pub fn parse(&self, major: u16) -> ClassFile {
        ClassFile::parse(Bytes::new(self.bytes(major))).expect("the structure of the file is right")
    }
}
