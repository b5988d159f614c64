//! A front-end: what makes programs under test of what users name.

use crate::error::OpenError;
use crate::given::Given;
use crate::option::Opt;
use crate::shared;
use crate::target::{States, Target};

/// What the user wants to be checked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The program.
    pub target: &'a str,
    /// Its further sources.
    pub more: &'a [String],
    /// Its arguments.
    pub arguments: &'a [String],
    /// How it is compiled, run and explored.
    pub options: &'a Given,
    /// Whether the search goes on behind findings.
    pub all: bool,
    /// Is told what the user should know meanwhile: that something takes long, that an option has no effect.
    pub tell: fn(&str),
}

impl<'a> Request<'a> {
    /// A program without arguments and options.
    pub fn new(target: &'a str, options: &'a Given) -> Request<'a> {
        Request { target, more: &[], arguments: &[], options, all: false, tell: |_| {} }
    }
}

/// Makes programs under test of one kind: Java programs, C and C++ programs, models.
///
/// The methods before [`FrontEnd::open`] describe the front-end, and work on `dyn FrontEnd`.
pub trait FrontEnd: Sync {
    /// Its name: `java`.
    fn name(&self) -> &'static str;

    /// One of its programs, for sentences: "a Java program".
    fn kind(&self) -> &'static str;

    /// Its programs, for sentences and headings: "Java programs".
    fn programs(&self) -> &'static str;

    /// The targets that it takes, for sentences: "a .java file, a .jar, ...".
    fn targets(&self) -> &'static str;

    /// Its options.
    fn options(&self) -> &'static [Opt] {
        &[]
    }

    /// Whether it takes the options of [`shared`].
    fn takes_shared(&self) -> bool {
        false
    }

    /// What the states of its programs are good for.
    fn states(&self) -> States {
        States::Exact
    }

    /// Whether the target is one of its programs, or looks like one. Nothing but the name and the file system is asked.
    fn recognises(&self, target: &str) -> bool;

    /// A word for the files that are saved of a program.
    fn stem(&self, target: &str) -> String;

    /// What a trace keeps of the request beside target and arguments: further sources and options, as they could be typed.
    fn words(&self, request: &Request<'_>) -> Vec<String> {
        let mut words = request.more.to_vec();
        words.extend(request.options.words());
        words
    }

    /// Opens the program that is asked for and hands it to `visit`, where its type is known.
    fn open<V: Visit>(&self, request: &Request<'_>, visit: V) -> Result<V::Out, OpenError>
    where
        Self: Sized;
}

impl dyn FrontEnd + '_ {
    /// Whether the option is one that its programs take.
    pub fn takes(&self, opt: &Opt) -> bool {
        let mine = self.options().iter().any(|known| known.flag == opt.flag);
        mine || (self.takes_shared() && shared::OPTIONS.iter().any(|known| known.flag == opt.flag))
    }
}

/// What is done with an opened program, whatever its type.
pub trait Visit {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<T: Target>(self, target: &T) -> Self::Out;
}
