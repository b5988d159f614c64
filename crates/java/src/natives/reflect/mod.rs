//! Reflection: members as objects, calls through them, arrays, annotations, and what stands between classes and
//! loaders.

mod annotations;
mod array;
mod boxes;
mod call;
mod domains;
mod fields;
mod layers;
mod loaders;

mod members;
mod modules;
mod proxy;
mod resources;
mod services;

use crate::machine::native::Table;

pub const TABLES: &[&[Table]] = &[
    annotations::TABLES,
    array::TABLES,
    call::TABLES,
    domains::TABLES,
    layers::TABLES,
    loaders::TABLES,
    members::TABLES,
    modules::TABLES,
    proxy::TABLES,
    resources::TABLES,
    services::TABLES,
];
