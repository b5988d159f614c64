//! A store in figures.

/// What a store holds, what it costs, and how far its answers can be trusted.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the store's kind.
    pub name: &'static str,
    /// The number of states in it.
    pub states: u64,
    /// The memory held, in bytes.
    pub bytes: u64,
    /// Whether a new state may have been taken for one seen before, and so been left out.
    pub omission: Omission,
    /// The parts it is made of, if it has any that tell a user something.
    pub pools: Vec<Pool>,
}

/// Whether a new state may have been taken for one seen before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Omission {
    /// It cannot be: whole states are compared.
    Impossible,
    /// The probability that it happened at least once.
    Probability(f64),
    /// The number of states that are expected to have been left out, of those that were inserted. What lies only
    /// behind them is not counted: it is not known.
    Expected(f64),
    /// Nothing is stored, so nothing is taken for seen.
    NotStored,
}

impl Omission {
    /// Of a store of so many fingerprints, each of so many bits.
    pub(crate) fn of_fingerprints(states: u64, bits: i32) -> Omission {
        let pairs = states as f64 * states.saturating_sub(1) as f64 / 2.0;
        // 1 - e^-x, without losing a small x beside the 1.
        Omission::Probability(-(-pairs / 2f64.powi(bits)).exp_m1())
    }
}

/// One part of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// What it holds: a kind of components by its name, `shapes`, `inner nodes`, `roots`; `packed states`, `index`.
    pub name: String,
    /// The number of different things in it.
    pub entries: u64,
    /// The memory it holds, in bytes.
    pub bytes: u64,
}
