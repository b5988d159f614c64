//! A state in components that people can name.

/// A part of a state with its name, to tell people in what two states differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component {
    /// What it is, the same for all components of its sort: `field Counter.value`.
    pub kind: String,
    /// Whose it is, so that components of a kind can be told apart: `Main.counter`.
    pub owner: String,
    /// What it holds.
    pub value: String,
    /// Whether it says where a thread stands. States that are equal in all of these look alike.
    pub place: bool,
}
