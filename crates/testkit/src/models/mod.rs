//! Small systems whose every state has been counted, one file each.
//!
//! They are the programs that every search is tested and measured on, and examples of how a model is written.

mod abp;
mod bakery;
mod buffer;
mod dekker;
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
pub use front_end::Models;
pub use grid::Grid;
pub use peterson::Peterson;
pub use phil::Phil;
pub use readers_writers::ReadersWriters;
pub use registry::{About, ModelError, Named, Parameter, Range, Values, Visit};
pub use twophase::TwoPhase;

use crate::faulty::Faulty;

macro_rules! models {
    ($($model:ident)*) => {
        /// What there is.
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
