//! The options of an exploration that must not change its result, and combinations of them.

use sojourner_java::explore::{Exploration, Races, Reduce};
use sojourner_search::{Reduction, Settings, Shape, Strategy, Ties, Wanted};
use sojourner_store::StoreKind;
use std::collections::BTreeSet;
use std::fmt;

/// The options with their values. Of each the first one leaves out least; all first ones together are the base, with which all
/// others are compared.
const OPTIONS: [(&str, &[&str]); 12] = [
    ("private", &["off", "on"]),
    ("immutable", &["off", "on"]),
    ("locked", &["off", "on"]),
    ("owned", &["off", "on"]),
    ("alone", &["off", "on"]),
    ("movers", &["off", "on"]),
    ("juc", &["real", "primitive"]),
    ("gc", &["mark", "refcount", "none"]),
    ("symmetry", &["canonical", "site", "thread", "none"]),
    ("store", &["exact", "collapse", "compact"]),
    ("search", &["dfs", "bfs", "best-first", "dpor"]),
    ("workers", &["1", "2"]),
];

/// One value for each option, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration([usize; OPTIONS.len()]);

impl Configuration {
    /// The one that leaves out least.
    pub const BASE: Configuration = Configuration([0; OPTIONS.len()]);

    /// With another value for an option.
    pub fn with(mut self, option: &str, value: &str) -> Configuration {
        let at = OPTIONS.iter().position(|(name, _)| *name == option).expect("an option");
        self.0[at] = OPTIONS[at].1.iter().position(|name| *name == value).expect("a value");
        self
    }

    /// With every reduction.
    pub fn reduced(self) -> Configuration {
        Reduce::PARTS.iter().fold(self, |configuration, part| configuration.with(part.name, "on"))
    }

    /// With what `base` leaves out, where this one leaves out nothing.
    #[allow(dead_code, reason = "not every suite has several bases")]
    pub fn on(mut self, base: &Configuration) -> Configuration {
        for (value, &of_base) in self.0.iter_mut().zip(&base.0) {
            if *value == 0 {
                *value = of_base;
            }
        }
        self
    }

    /// Each value that is not of the base by itself, and all reductions, which is also what `dpor` has by default.
    pub fn singles() -> Vec<Configuration> {
        let reduced = Configuration::BASE.reduced();
        let mut all = vec![reduced, reduced.with("juc", "primitive").with("search", "dpor")];
        for (at, (_, values)) in OPTIONS.iter().enumerate() {
            for value in 1..values.len() {
                let mut one = Configuration::BASE;
                one.0[at] = value;
                all.push(one);
            }
        }
        all
    }

    /// Configurations among which every pair of values of two options occurs, as far as the two go together.
    pub fn pairs() -> Vec<Configuration> {
        let mut open = BTreeSet::new();
        for (first, (_, values)) in OPTIONS.iter().enumerate() {
            for (second, (_, others)) in OPTIONS.iter().enumerate().skip(first + 1) {
                for value in 0..values.len() {
                    open.extend((0..others.len()).map(|other| ((first, value), (second, other))));
                }
            }
        }
        let mut all = Vec::new();
        while let Some(&(first, second)) = open.first() {
            let mut row = vec![first, second];
            for (option, (_, values)) in OPTIONS.iter().enumerate() {
                if row.iter().any(|(known, _)| *known == option) {
                    continue;
                }
                let gain = |value: usize| {
                    let new = |known: &&(usize, usize)| open.contains(&pair(**known, (option, value)));
                    row.iter().filter(new).count()
                };
                // Of equal ones the one that the last rows did not have, so that values take turns.
                let best = (0..values.len())
                    .map(|value| (value + all.len()) % values.len())
                    .reduce(|best, value| if gain(value) > gain(best) { value } else { best });
                row.push((option, best.expect("every option has values")));
            }
            for (at, &first) in row.iter().enumerate() {
                for &second in &row[at + 1..] {
                    open.remove(&pair(first, second));
                }
            }
            let mut configuration = Configuration::BASE;
            for (option, value) in row {
                configuration.0[option] = value;
            }
            all.push(configuration);
        }
        all
    }

    /// What is explored.
    pub fn exploration(&self) -> Exploration {
        let on: Vec<&str> =
            Reduce::PARTS.iter().map(|part| part.name).filter(|name| self.value(name) == "on").collect();
        let reduce = if on.is_empty() { Reduce::NONE } else { on.join(",").parse().expect("names") };
        Exploration {
            reduce,
            gc: self.value("gc").parse().expect("a name"),
            symmetry: self.value("symmetry").parse().expect("a name"),
            juc: self.value("juc").parse().expect("a name"),
            races: Races::Off,
            ..Exploration::default()
        }
    }

    /// How it is explored.
    pub fn settings(&self) -> Settings {
        let shape = match self.value("search") {
            "dfs" => Shape::DepthFirst,
            "bfs" => Shape::BreadthFirst(None),
            "dpor" => Shape::Dpor(Reduction::Optimal),
            _ => Shape::best_first(Ties::Age),
        };
        let store = match self.value("store") {
            "exact" => StoreKind::Exact,
            "collapse" => StoreKind::Collapse,
            _ => StoreKind::Compact,
        };
        let workers = self.value("workers").parse().expect("a number");
        Settings { store, workers, wanted: Wanted::All, ..Settings::new(Strategy::plain(shape)) }
    }

    /// Whether executions are explored, not states.
    pub fn is_stateless(&self) -> bool {
        self.value("search") == "dpor"
    }

    /// The value of an option.
    pub fn value(&self, option: &str) -> &'static str {
        let at = OPTIONS.iter().position(|(name, _)| *name == option).expect("an option");
        OPTIONS[at].1[self.0[at]]
    }
}

#[test]
fn every_pair_of_values_occurs() {
    let all = Configuration::pairs();
    assert!(all.len() <= 20, "{} configurations", all.len());
    for (first, (_, values)) in OPTIONS.iter().enumerate() {
        for (second, (_, others)) in OPTIONS.iter().enumerate().skip(first + 1) {
            for value in 0..values.len() {
                for other in 0..others.len() {
                    let has = |row: &Configuration| row.0[first] == value && row.0[second] == other;
                    assert!(all.iter().any(has), "{first}={value} {second}={other}");
                }
            }
        }
    }
}

fn pair(first: (usize, usize), second: (usize, usize)) -> ((usize, usize), (usize, usize)) {
    if first < second { (first, second) } else { (second, first) }
}

impl fmt::Display for Configuration {
    /// What differs from the base.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Configuration::BASE {
            return f.write_str("base");
        }
        let mut space = "";
        for ((name, values), &value) in OPTIONS.iter().zip(&self.0) {
            match (value, values[value]) {
                (0, _) => continue,
                (_, "on") => write!(f, "{space}{name}")?,
                (_, value) => write!(f, "{space}{name}={value}")?,
            }
            space = " ";
        }
        Ok(())
    }
}
