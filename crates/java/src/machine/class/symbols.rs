//! Names as numbers, so that nothing that runs compares texts.

use hashbrown::HashMap;
use std::rc::Rc;

/// A name or descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// All names that have been seen.
#[derive(Default)]
pub struct Symbols {
    numbers: HashMap<Rc<str>, Symbol, foldhash::fast::FixedState>,
    texts: Vec<Rc<str>>,
}

impl Symbols {
    /// The number of a name, which is given one if it has none.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The number of a name, if it has been seen.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The name of a number.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    /// The name, to be kept.
    pub fn shared(&self, symbol: Symbol) -> Rc<str> {
        self.texts[symbol.0 as usize].clone()
    }
}
