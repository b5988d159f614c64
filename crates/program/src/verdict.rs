//! The conclusion of a check.

/// The conclusion of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Everything was explored, and nothing was found.
    Clean,
    /// At least one finding.
    Found,
    /// Nothing was found, and not everything was explored.
    #[default]
    Incomplete,
    /// The program does something that cannot be modelled.
    Unsupported,
}

impl Verdict {
    /// The status with which the command exits.
    pub const fn exit_code(self) -> u8 {
        match self {
            Verdict::Clean => 0,
            Verdict::Found => 1,
            Verdict::Incomplete => 3,
            Verdict::Unsupported => 4,
        }
    }

    /// The name that results use.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Clean => "clean",
            Verdict::Found => "found",
            Verdict::Incomplete => "incomplete",
            Verdict::Unsupported => "unsupported",
        }
    }
}
