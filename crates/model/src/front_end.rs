//! Models as targets of a check, and a front-end for one model.

use crate::{Checked, Model};
use sojourner_frontend::{Endless, FrontEnd, OpenError, Request, Target, Visit, VisitStates};
use sojourner_program::{Load, Stateful};

/// A model has no text that could be hashed: its first state stands for it.
impl<M: Model> Target for Checked<M> {
    fn by_states<V: VisitStates>(&self, visit: V) -> V::Out {
        visit.encoded(self)
    }

    fn content_hash(&self) -> Option<String> {
        self.open().ok().map(|mut program| format!("{:032x}", program.fingerprint()))
    }

    /// A model learns nothing.
    fn afresh(&self, _: Option<&[String]>) -> Checked<M> {
        self.again()
    }

    /// Many models are of systems that are meant to run for ever.
    fn endless(&self) -> Endless {
        Endless::DefectIfOthersEnd
    }
}

/// The front-end of one model, for a command that checks nothing else.
pub struct SingleModel<F> {
    /// What the model is called: the only target.
    pub name: &'static str,
    /// Makes the model from its arguments, or says what is wrong with them.
    pub make: F,
}

impl<M: Model, F: Fn(&[String]) -> Result<M, String> + Sync> FrontEnd for SingleModel<F> {
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
        self.name
    }

    fn recognises(&self, target: &str) -> bool {
        target == self.name
    }

    fn stem(&self, _: &str) -> String {
        self.name.into()
    }

    fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError> {
        let model = (self.make)(request.arguments).map_err(OpenError::refused)?;
        Ok(visit.visit(&Checked::new(model)))
    }
}
