//! The table of front-ends: which one a target is for.

use crate::error::OpenError;
use crate::front_end::{FrontEnd, Request, Visit};
use crate::option::Opt;
use crate::shared;

/// Front-ends side by side: a tuple of them. The first that recognises a target opens it.
pub trait FrontEnds: Sync {
    /// The front-ends.
    fn all(&self) -> Vec<&dyn FrontEnd>;

    /// Opens the program that is asked for and hands it to `visit`, where its type is known.
    fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError>;

    /// The front-end that a target is for.
    fn find(&self, target: &str) -> Result<&dyn FrontEnd, OpenError> {
        let found = self.all().into_iter().find(|front_end| front_end.recognises(target));
        found.ok_or_else(|| OpenError::UnknownTarget {
            target: target.into(),
            expected: self.all().iter().map(|one| format!("{}: {}", one.programs(), one.targets())).collect(),
        })
    }

    /// The tables of options: those that are shared, and those of each front-end.
    fn options(&self) -> Vec<&'static [Opt]> {
        let own = self.all().into_iter().map(|front_end| front_end.options());
        std::iter::once(shared::OPTIONS).chain(own).collect()
    }

    /// The programs that an option is for, in the plural.
    fn programs_with(&self, opt: &Opt) -> String {
        let all = self.all();
        let takers: Vec<&str> = all.iter().filter(|one| one.takes(opt)).map(|one| one.programs()).collect();
        sojourner_names::all(&takers)
    }

    /// Refuses options that are for programs of another kind.
    fn check_options(&self, front_end: &dyn FrontEnd, request: &Request<'_>) -> Result<(), OpenError> {
        match request.options.options().find(|opt| !front_end.takes(opt)) {
            None => Ok(()),
            Some(opt) => Err(OpenError::OptionOfOther {
                option: opt.flag.into(),
                programs: self.programs_with(opt),
                target: request.target.into(),
                kind: front_end.kind(),
            }),
        }
    }
}

macro_rules! tuples {
    ($(($($front_end:ident $at:tt),+))+) => {
        $(impl<$($front_end: FrontEnd),+> FrontEnds for ($($front_end,)+) {
            fn all(&self) -> Vec<&dyn FrontEnd> {
                vec![$(&self.$at),+]
            }

            fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError> {
                let found = self.find(request.target)?;
                self.check_options(found, request)?;
                let name = found.name();
                $(if self.$at.name() == name {
                    return self.$at.open(request, visit);
                })+
                unreachable!("the front-end that was found is one of these");
            }
        })+
    };
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
}
