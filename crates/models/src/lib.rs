//! The models that ship with the command, one file each, with their exact numbers of states.
//!
//! The command checks them as `model:NAME`. Every search is tested and measured on them. They also show how a model is written.
//!
//! A model is found by its name, and [`with`] makes it from parameters that are text. Each model is a type of its own, so the
//! model is not returned: [`with`] passes it to a [`Visit`]. [`Models`] is the front-end that does this for the command.
//!
//! ```
//! use sojourner_model::Model;
//! use sojourner_models::Visit;
//!
//! struct Processes;
//!
//! impl Visit for Processes {
//!     type Out = u32;
//!
//!     fn visit<M: Model>(self, model: M) -> u32 {
//!         model.processes()
//!     }
//! }
//!
//! assert_eq!(sojourner_models::with("phil", &["n=5".to_owned()], Processes)?, 5);
//! # Ok::<(), sojourner_models::ModelError>(())
//! ```
#![forbid(unsafe_code)]

mod abp;
mod bakery;
mod buffer;
mod dekker;
mod faulty;
mod front_end;
mod grid;
mod peterson;
mod phil;
mod readers_writers;
mod registry;
mod twophase;

pub use abp::Abp;
pub use bakery::Bakery;
pub use buffer::Buffer;
pub use dekker::Dekker;
pub use faulty::{Faulty, Part};
pub use front_end::Models;
pub use grid::Grid;
pub use peterson::Peterson;
pub use phil::Phil;
pub use readers_writers::ReadersWriters;
pub use registry::{About, ModelError, Named, Parameter, Range, Values, Visit};
pub use twophase::TwoPhase;

macro_rules! models {
    ($($model:ident)*) => {
        /// Every model.
        pub static ALL: &[About] = &[$($model::ABOUT),*];

        /// Makes the model of that name and visits it. `parameters` are texts `name=value`, each one or several with
        /// commas between.
        pub fn with<V: Visit>(name: &str, parameters: &[String], visit: V) -> Result<V::Out, ModelError> {
            let about = find(name)?;
            let values = Values::parse(about, parameters)?;
            $(if about.name == $model::ABOUT.name {
                return Ok(visit.visit($model::with(&values)));
            })*
            unreachable!("every model that can be found is one of these");
        }
    };
}

models! { Abp Bakery Buffer Dekker Faulty Grid Peterson Phil ReadersWriters TwoPhase }

/// The model of that name.
pub fn find(name: &str) -> Result<&'static About, ModelError> {
    ALL.iter().find(|about| about.name == name).ok_or_else(|| ModelError::UnknownModel {
        name: name.to_owned(),
        known: registry::listed(ALL.iter().map(|about| about.name)),
    })
}
