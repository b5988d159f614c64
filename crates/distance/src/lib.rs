//! How far threads are from a place in the code of a program.
//!
//! A front-end describes the code as a [`Graph`]: functions of nodes, with edges, calls and starts of threads. A [`Distances`] then
//! tells how many steps a thread needs at least from where it stands, with the calls that it is in, to one of the targets. Guided
//! searches rank states by this number (Edelkamp & Mehler 2003, Rungta & Mercer 2005 and 2006, 2007).
//!
//! The three measures differ in what they know of calls:
//!
//! - [`Measure::Fsm`] knows nothing: a function returns to any of its callers.
//! - [`Measure::Efsm`] follows the calls that the thread is in, and some levels of calls beyond.
//! - [`Measure::EFca`] follows all calls: its distance is that of the shortest path on which calls and returns match.
//!
//! ```
//! use sojourner_distance::{Distances, GraphBuilder, Measure};
//!
//! // fn main() { work(); target(); }    fn work() { step(); }
//! let mut graph = GraphBuilder::default();
//! let (main, work) = (graph.function(), graph.function());
//! let (call, target) = (graph.node(main, 1), graph.node(main, 1));
//! let step = graph.node(work, 1);
//! graph.call(call, work);
//! graph.edge(call, target);
//! graph.exit(target);
//! graph.exit(step);
//!
//! let distances = Distances::new(&graph.build(), Measure::EFca, &[target]);
//! assert_eq!(distances.of(call, []), Some(2));
//! // In `work`, called by `main`.
//! assert_eq!(distances.of(step, [call]), Some(1));
//! // In `work`, called by nobody: there is no way out.
//! assert_eq!(distances.of(step, []), None);
//! ```
#![forbid(unsafe_code)]

mod distances;
mod graph;
mod paths;

pub use distances::{Distances, Measure, Unit};
pub use graph::{Function, Graph, GraphBuilder, Node};
