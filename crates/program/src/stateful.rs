//! What a search with a store asks of a program: its states.

use crate::{Component, Encoded, Fault, Limits, OpenPath, Program, Searched};

/// A program that can tell whether it has been in a state before, by a hash.
///
/// Two equal states have equal fingerprints, and a state decides the future. Different states have the same fingerprint
/// only by accident of the hash. If a program cannot sum up a state, its fingerprint is one that no other state has.
pub trait Stateful: Program {
    /// A search that asks for states is about to explore the program, which stands at its start.
    fn prepare_states(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// 128 well mixed bits that stand for this state, the same in every program of the same `Load`.
    fn fingerprint(&mut self) -> u128;

    /// Whether a thread can go on here by a choice that is not offered, such as a time-out that comes last, or a value that is
    /// not tried. Then an execution that stays here for ever is not real.
    fn withholds_choices(&self) -> bool {
        false
    }

    /// The search is about to show that an execution goes on for ever. Programs that follow its schedule must not stop a thread
    /// that repeats itself.
    fn show_endless(&mut self) {}

    /// Whether a step costs about as little as a memory access that misses the cache. Then searches look ahead: they take
    /// steps into new states twice, and wait less for memory.
    fn has_cheap_steps(&self) -> bool {
        false
    }

    /// Goes on with a depth-first search by itself, from where the last state of the path stands, as far as it can. The states that
    /// it comes to are in the [`SharedSet`](crate::SharedSet) of its [`Load`](crate::Load). What follows is as if the search had taken those steps.
    /// Nothing: it cannot, and has not moved.
    ///
    /// It is not forwarded by [`forward!`](crate::forward): an adaptor would not see the steps.
    fn search_on(&mut self, path: &mut OpenPath, limits: Limits) -> Result<Option<Searched>, Fault> {
        let _ = (path, limits);
        Ok(None)
    }
}

/// A program whose states have a canonical encoding: two states are equal exactly if their encodings are.
///
/// The encoding is the same in every program of the same `Load`, on every machine, and so is the fingerprint.
pub trait Encode: Stateful {
    /// The names of the kinds of components, by number.
    fn kinds(&self) -> Vec<String>;

    /// Appends this state to an empty encoding.
    fn encode(&mut self, out: &mut Encoded);

    /// Appends this state in named components, for people. Two encodings differ exactly where these do. It may take a hundred
    /// times as long as `encode`. By default components have the names of their kinds and hold bytes
    /// (`Encoded::in_words`).
    fn components(&mut self, out: &mut Vec<Component>) {
        let mut encoded = Encoded::new();
        self.encode(&mut encoded);
        out.extend(encoded.in_words(&self.kinds(), None));
    }

    /// A number by which states are dealt out to partitions. Equal states have equal keys.
    fn partition_key(&mut self, by: Partition) -> u64;
}

/// A program that can go to a state by its encoding, so that states can travel to other machines.
pub trait Decode: Encode {
    /// Goes to the encoded state. The depth is 0 there. If the encoding is none of this program, that is a fault and the
    /// program stays where it is.
    fn decode(&mut self, state: &Encoded) -> Result<(), Fault>;
}

/// Which part of a state decides the partition that it belongs to (Lerda & Visser 2001, section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// All of it.
    Global,
    /// The threads, without what they share.
    Local,
    /// One thread.
    LocalOf(u32),
    /// The place in the code where one thread stands.
    Pc(u32),
    /// The places in the code of all calls that one thread is in.
    Pcs(u32),
}
