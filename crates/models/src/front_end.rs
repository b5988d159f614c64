//! The models as a front-end: `model:NAME`.

use super::{Visit as VisitModel, with};
use sojourner_frontend::{FrontEnd, OpenError, Request, Visit};
use sojourner_model::{Checked, Model};

const PREFIX: &str = "model:";

/// The front-end of the models by name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Models;

impl FrontEnd for Models {
    fn name(&self) -> &'static str {
        "model"
    }

    fn kind(&self) -> &'static str {
        "a model"
    }

    fn programs(&self) -> &'static str {
        "models"
    }

    fn targets(&self) -> &'static str {
        "model:NAME; `sojourner models` lists the names"
    }

    fn recognises(&self, target: &str) -> bool {
        target.starts_with(PREFIX)
    }

    fn stem(&self, target: &str) -> String {
        target.trim_start_matches(PREFIX).into()
    }

    fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError> {
        let target = request.target;
        if let Some(further) = request.more.first() {
            return Err(OpenError::refused_with(
                format!(
                    "'{further}' cannot be combined with '{target}': only Java and C programs take several sources"
                ),
                "write parameters of the model after --",
            ));
        }
        // Parameters may be written together, as in n=6,fair=true.
        let parameters: Vec<String> =
            request.arguments.iter().flat_map(|argument| argument.split(',')).map(String::from).collect();
        let name = target.strip_prefix(PREFIX).unwrap_or(target);
        with(name, &parameters, Opened(visit)).map_err(|error| {
            OpenError::refused_with(error, "`sojourner models` lists the models and their parameters")
        })
    }
}

/// Visits a model as a program.
struct Opened<V>(V);

impl<V: Visit> VisitModel for Opened<V> {
    type Out = V::Out;

    fn visit<M: Model>(self, model: M) -> V::Out {
        self.0.visit(&Checked::new(model))
    }
}
