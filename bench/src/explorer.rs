//! Who searches, and how.

use crate::case::Case;
use crate::ours;
use anyhow::Context;
use sojourner_store::StoreKind;
use std::fmt;
use std::str::FromStr;

/// One of the searches that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explorer {
    /// The floor.
    Bare {
        threads: usize,
    },
    Ours {
        order: Order,
        store: StoreKind,
        threads: usize,
    },
    /// On one thread.
    Stateright {
        order: Order,
    },
}

/// Which state comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Dfs,
    Bfs,
}

/// What a search counted.
pub struct Counted {
    pub states: u64,
    pub transitions: u64,
    /// The memory of its store, in bytes; 0 where it does not tell.
    pub store: u64,
}

impl Order {
    pub const BOTH: [Order; 2] = [Order::Dfs, Order::Bfs];
}

impl Explorer {
    /// Sojourner as it is without any options.
    pub fn ours(order: Order, threads: usize) -> Self {
        Explorer::Ours { order, store: StoreKind::Compact, threads }
    }

    /// Sojourner's depth-first search with that store.
    pub fn with_store(store: StoreKind) -> Self {
        Explorer::Ours { order: Order::Dfs, store, threads: 1 }
    }

    /// All that search this case.
    pub fn all_for(case: &Case) -> Vec<Explorer> {
        let threads: &[usize] = if case.is_shared() { &[1, 2] } else { &[1] };
        let mut all = Vec::new();
        for &threads in threads {
            all.push(Explorer::Bare { threads });
            all.extend(Order::BOTH.map(|order| Explorer::ours(order, threads)));
        }
        if case.compares_stores {
            all.extend([StoreKind::Collapse, StoreKind::Exact].map(Explorer::with_store));
        }
        all.extend(Order::BOTH.map(|order| Explorer::Stateright { order }));
        all
    }

    /// Searches all of it, in this process.
    pub fn search(self, case: &Case) -> anyhow::Result<Counted> {
        let counts = match self {
            Explorer::Bare { threads } => case.system.bare(threads, case.states),
            Explorer::Stateright { order } => case.system.stateright(order),
            Explorer::Ours { order, store, threads } => {
                let outcome = ours::search(case.model, order, store, threads)?;
                return Ok(Counted {
                    states: outcome.tally.states,
                    transitions: outcome.tally.transitions,
                    store: outcome.store.map_or(0, |store| store.bytes),
                });
            }
        };
        Ok(Counted { states: counts.states, transitions: counts.transitions, store: 0 })
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Dfs => "dfs",
            Order::Bfs => "bfs",
        })
    }
}

impl FromStr for Order {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let order = Order::BOTH.into_iter().find(|order| order.to_string() == text);
        order.with_context(|| format!("'{text}' is neither dfs nor bfs"))
    }
}

impl fmt::Display for Explorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Explorer::Bare { threads } => write!(f, "bare-{threads}"),
            Explorer::Ours { order, store, threads } => write!(f, "{order}-{store}-{threads}"),
            Explorer::Stateright { order } => write!(f, "stateright-{order}"),
        }
    }
}

impl FromStr for Explorer {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match text.split('-').collect::<Vec<_>>()[..] {
            ["bare", threads] => Ok(Explorer::Bare { threads: threads.parse()? }),
            ["stateright", order] => Ok(Explorer::Stateright { order: order.parse()? }),
            [order, store, threads] => {
                Ok(Explorer::Ours { order: order.parse()?, store: store.parse()?, threads: threads.parse()? })
            }
            _ => anyhow::bail!("there is no explorer '{text}'"),
        }
    }
}
