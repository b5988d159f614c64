//! Sojourner's own searches.

use crate::explorer::Order;
use anyhow::{bail, ensure};
use sojourner_model::{Checked, Model};
use sojourner_models::{self as models, Visit};
use sojourner_search::{
    Halt, Outcome, Settings, SettingsError, Shape, Strategy, Unobserved, Wanted, explore,
};
use sojourner_store::StoreKind;

/// Searches all of the model, which defects do not end, and returns what was counted and kept.
pub fn search(
    (model, parameters): (&str, &str),
    order: Order,
    store: StoreKind,
    workers: usize,
) -> anyhow::Result<Outcome> {
    let shape = match order {
        Order::Dfs => Shape::DepthFirst,
        Order::Bfs => Shape::BreadthFirst(None),
    };
    let settings = Settings { store, workers, wanted: Wanted::All, ..Settings::new(Strategy::plain(shape)) };
    let outcome = models::with(model, &[parameters.to_owned()], Search(settings))??;
    if let Some(fault) = outcome.fault {
        bail!("the model could not go on: {fault}");
    }
    ensure!(outcome.reasons.is_empty(), "not everything was explored: {:?}", outcome.reasons);
    Ok(outcome)
}

struct Search(Settings);

impl Visit for Search {
    type Out = Result<Outcome, SettingsError>;

    fn visit<M: Model>(self, model: M) -> Self::Out {
        explore(&Checked::new(model), &self.0, &Halt::new(), &Unobserved)
    }
}
