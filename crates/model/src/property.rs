//! What a model should satisfy.

use crate::Model;

/// Where [`Model::properties`] says what should hold.
pub struct Properties<M: Model>(pub(crate) Vec<Property<M>>);

impl<M: Model> Properties<M> {
    /// It must hold in every state.
    pub fn invariant(
        &mut self,
        name: impl Into<String>,
        holds: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) {
        self.add(name.into(), Sort::Invariant, Box::new(holds));
    }

    /// It must hold in some state that can be reached. Only an exploration of the whole model can tell that it holds
    /// in none.
    pub fn goal(
        &mut self,
        name: impl Into<String>,
        holds: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) {
        self.add(name.into(), Sort::Goal, Box::new(holds));
    }

    /// It must hold in every state that has no transition and is one where the system may end.
    pub fn at_end(
        &mut self,
        name: impl Into<String>,
        holds: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) {
        self.add(name.into(), Sort::AtEnd, Box::new(holds));
    }

    fn add(&mut self, name: String, sort: Sort, holds: Holds<M>) {
        self.0.push(Property { name, sort, holds });
    }
}

/// A named statement about the states of a model.
pub(crate) struct Property<M: Model> {
    pub name: String,
    pub sort: Sort,
    holds: Holds<M>,
}

type Holds<M> = Box<dyn Fn(&M, &<M as Model>::State) -> bool + Send + Sync>;

/// When a property is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Invariant,
    Goal,
    AtEnd,
}

impl<M: Model> Property<M> {
    #[inline]
    pub fn holds(&self, model: &M, state: &M::State) -> bool {
        (self.holds)(model, state)
    }

    /// What people call it.
    pub fn title(&self) -> String {
        let sort = match self.sort {
            Sort::Invariant => "invariant",
            Sort::Goal => "goal",
            Sort::AtEnd => "end property",
        };
        format!("{sort} `{}`", self.name)
    }
}
