//! Which instructions occur in class files: just enough of their format to walk the code of all methods.

use crate::opcodes::{MNEMONICS, length};
use std::collections::BTreeSet;
use std::path::Path;

/// The mnemonics of all instructions in the class files of a directory.
pub fn opcodes_in(classes: &Path) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(classes).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(opcodes_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "class") {
            scan(&std::fs::read(&path).unwrap(), &mut found);
        }
    }
    found
}

fn scan(class: &[u8], found: &mut BTreeSet<&'static str>) {
    let mut reader = Reader { bytes: class, at: 8 };
    let code_names = reader.constant_pool();
    reader.skip(6);
    let interfaces = reader.short();
    reader.skip(2 * interfaces);
    for _members in ["fields", "methods"] {
        for _ in 0..reader.short() {
            reader.skip(6);
            for _ in 0..reader.short() {
                let name = reader.short();
                let length = reader.int();
                let attribute = &reader.bytes[reader.at..reader.at + length];
                reader.skip(length);
                if code_names.contains(&name) {
                    let length =
                        usize::try_from(u32::from_be_bytes(attribute[4..8].try_into().unwrap())).unwrap();
                    walk(&attribute[8..8 + length], found);
                }
            }
        }
    }
}

fn walk(code: &[u8], found: &mut BTreeSet<&'static str>) {
    let mut at = 0;
    while at < code.len() {
        found.insert(MNEMONICS[usize::from(code[at])]);
        at += length(code, at);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn short(&mut self) -> usize {
        self.skip(2);
        usize::from(u16::from_be_bytes(self.bytes[self.at - 2..self.at].try_into().unwrap()))
    }

    fn int(&mut self) -> usize {
        self.skip(4);
        usize::try_from(u32::from_be_bytes(self.bytes[self.at - 4..self.at].try_into().unwrap())).unwrap()
    }

    /// Reads over the constant pool; gives the entries that are the text `Code`.
    fn constant_pool(&mut self) -> Vec<usize> {
        let mut code_names = Vec::new();
        let count = self.short();
        let mut entry = 1;
        while entry < count {
            self.skip(1);
            match self.bytes[self.at - 1] {
                1 => {
                    let length = self.short();
                    if &self.bytes[self.at..self.at + length] == b"Code" {
                        code_names.push(entry);
                    }
                    self.skip(length);
                }
                3 | 4 | 9..=12 | 17 | 18 => self.skip(4),
                5 | 6 => {
                    self.skip(8);
                    entry += 1;
                }
                7 | 8 | 16 | 19 | 20 => self.skip(2),
                15 => self.skip(3),
                tag => panic!("a constant of the unknown kind {tag}"),
            }
            entry += 1;
        }
        code_names
    }
}
