//! What a model should satisfy.

use crate::Model;

/// Where [`Model::properties`] says what should hold.
pub struct Properties<M: Model> {
    pub(crate) invariants: Vec<Property<M>>,
    pub(crate) goals: Vec<Property<M>>,
    pub(crate) at_end: Vec<Property<M>>,
}

impl<M: Model> Properties<M> {
    /// Those of the model.
    pub(crate) fn of(model: &M) -> Self {
        let mut properties = Properties { invariants: Vec::new(), goals: Vec::new(), at_end: Vec::new() };
        model.properties(&mut properties);
        properties
    }

    /// Whether there are any that are asked in every state.
    #[inline]
    pub(crate) fn watch(&self) -> bool {
        !(self.invariants.is_empty() && self.goals.is_empty())
    }

    /// It must hold in every state.
    pub fn invariant(
        &mut self,
        name: impl Into<String>,
        holds: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) {
        self.invariants.push(Property { name: name.into(), sort: "invariant", holds: Box::new(holds) });
    }

    /// It must hold in some state that can be reached. Only an exploration of the whole model can tell that it holds
    /// in none.
    pub fn goal(
        &mut self,
        name: impl Into<String>,
        holds: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) {
        self.goals.push(Property { name: name.into(), sort: "goal", holds: Box::new(holds) });
    }

    /// It must hold in every state that has no transition and is one where the system may end.
    pub fn at_end(
        &mut self,
        name: impl Into<String>,
        holds: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) {
        self.at_end.push(Property { name: name.into(), sort: "end property", holds: Box::new(holds) });
    }
}

/// A named statement about the states of a model.
pub(crate) struct Property<M: Model> {
    pub name: String,
    sort: &'static str,
    holds: Holds<M>,
}

type Holds<M> = Box<dyn Fn(&M, &<M as Model>::State) -> bool + Send + Sync>;

impl<M: Model> Property<M> {
    #[inline]
    pub fn holds(&self, model: &M, state: &M::State) -> bool {
        (self.holds)(model, state)
    }

    /// What people call it.
    pub fn title(&self) -> String {
        format!("{} `{}`", self.sort, self.name)
    }
}
