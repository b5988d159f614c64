//! A model as a program that searches can explore.

use crate::{Execution, Model, Properties, panics};
use sojourner_program::{Fault, Load, Threads};
use std::sync::Arc;

/// Makes programs of a model.
///
/// A process of the model is a thread of the program, with the same number. Every choice is a process together with
/// its action, `Choice::pick(process, action)`, also where the process has no other: so a choice means the same in
/// every state.
pub struct Checked<M: Model> {
    pub(crate) model: Arc<M>,
    pub(crate) properties: Arc<Properties<M>>,
    threads: Threads,
}

impl<M: Model> Checked<M> {
    /// The model, ready to be checked.
    ///
    /// Panics of the model's code during a search become findings. So that they are not printed, this puts a hook
    /// before the panic hook of the process, once; it passes all other panics on, also one of `Model::processes` or
    /// `Model::properties`, which are called here.
    pub fn new(model: M) -> Self {
        panics::install();
        let threads = Threads::new(model.processes());
        let properties = Arc::new(Properties::of(&model));
        Checked { properties, model: Arc::new(model), threads }
    }

    /// The same model, with a table of threads of its own.
    pub(crate) fn again(&self) -> Self {
        let threads = Threads::new(self.model.processes());
        Checked { properties: Arc::clone(&self.properties), model: Arc::clone(&self.model), threads }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }
}

impl<M: Model> Load for Checked<M> {
    type P = Execution<M>;

    fn open(&self) -> Result<Execution<M>, Fault> {
        Execution::start(self)
    }

    fn threads(&self) -> &Threads {
        &self.threads
    }
}
