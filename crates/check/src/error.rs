//! Why a check cannot begin.

use sojourner_frontend::OpenError;
use sojourner_search::{SettingsError, Shape};

/// Why a check cannot begin. What is wrong with the program under test is never one of these: it is in the result.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The program cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Options of a search do not go together.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An option changes a search, and none was named.
    #[error("{0} needs a search to apply to: add --search dfs")]
    NeedsSearch(&'static str),
    /// There is nothing to choose from.
    #[error("--winner states chooses among searches of one kind: add --search dfs --swarm N")]
    WinnerOfOne,
    /// Nothing goes by distances.
    #[error(
        "--target is for guided searches by distance: add --search best-first, and one of --heuristic fsm, efsm and e-fca"
    )]
    TargetWithoutGuide,
    /// The distances that the search is to go by cannot be found.
    #[error("{0}")]
    Distance(String),
    /// The search does not count executions.
    #[error(
        "--executions is for the searches {}: leave it out, or use --states N",
        sojourner_names::all(&Shape::names_of(Shape::stateless))
    )]
    Executions,
    /// Copies of a reduction would do the same work.
    #[error(
        "--swarm does not go with --search dpor, because all copies would run the same executions: use --jobs N"
    )]
    SwarmOfReduction,
    /// Livelocks that threads could leave are found by states.
    #[error(
        "--livelock all is for Java programs and models: of C, C++ and Rust programs, only hangs are reported"
    )]
    LivelocksOfHashes,
    /// A store that cannot keep hashes of states.
    #[error(
        "the states of C, C++ and Rust programs can only be kept by --search dfs, bfs or best-first with --store compact, \
         with --jobs 1 or as a --swarm: use these, or leave out --store"
    )]
    StoreOfHashes,
}
