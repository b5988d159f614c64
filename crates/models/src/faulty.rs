//! Models whose own code panics: what a search must survive and report.

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Model, Properties, Transitions};

/// Which part of [`Faulty`] panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `Model::initial`: the program cannot be opened.
    Initial,
    /// `Model::transitions`.
    Guard,
    /// `Model::fire`.
    Transition,
    /// An invariant.
    Invariant,
    /// A goal.
    Goal,
    /// `Model::may_end`.
    MayEnd,
    /// What describes transitions and states to people: no finding.
    Words,
}

/// A counter from 0 to 3 in steps of one, some of whose code panics where it is 2; at its end, where it is 3, for
/// [`Part::MayEnd`].
#[derive(Clone, Copy, Debug)]
pub struct Faulty(pub Part);

impl Faulty {
    fn panics(&self, part: Part, count: u8) {
        assert!(!(self.0 == part && count >= 2), "the {part:?} is broken at {count}");
    }
}

impl Part {
    /// In the order of their names.
    const ALL: [Part; 7] = [
        Part::Invariant,
        Part::Initial,
        Part::Guard,
        Part::Transition,
        Part::Goal,
        Part::MayEnd,
        Part::Words,
    ];
    const NAMES: [&str; 7] = ["invariant", "initial", "guard", "transition", "goal", "may-end", "words"];
}

impl Named for Faulty {
    const ABOUT: About = About {
        name: "faulty",
        summary: "for tests of the tool: a counter up to 3, with code that panics at 2",
        parameters: &[Parameter::word("part", &Part::NAMES, "the part that panics")],
    };

    fn with(values: &Values) -> Self {
        Faulty(Part::ALL[values.word("part")])
    }
}

impl Model for Faulty {
    type State = u8;

    fn initial(&self) -> u8 {
        self.panics(Part::Initial, 2);
        0
    }

    fn processes(&self) -> u32 {
        1
    }

    fn transitions(&self, count: &u8, on: &mut Transitions<'_>) {
        on.when(*count < 3, 0, 0);
        self.panics(Part::Guard, *count);
    }

    fn fire(&self, count: &mut u8, _: usize, _: u32) {
        *count += 1;
        self.panics(Part::Transition, *count);
    }

    fn may_end(&self, count: &u8) -> bool {
        self.panics(Part::MayEnd, *count);
        true
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("sound", |model, count| {
            model.panics(Part::Invariant, *count);
            true
        });
        expect.goal("three", |model, count| {
            model.panics(Part::Goal, *count);
            *count == 3
        });
    }

    fn name(&self, _: usize) -> String {
        self.panics(Part::Words, 2);
        "counter".to_owned()
    }

    fn words(&self, count: &u8, _: usize, _: u32) -> String {
        self.panics(Part::Words, *count);
        format!("counts to {}", count + 1)
    }

    fn describe(&self, count: &u8) -> String {
        self.panics(Part::Words, *count);
        count.to_string()
    }
}
