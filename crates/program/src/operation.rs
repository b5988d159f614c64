//! Footprints: what a transition touches, and when two transitions depend on each other.
//!
//! There is one definition of dependence, for partial order reduction and for race detection alike.

use smallvec::SmallVec;

/// A thing that threads share: a field, a lock, a channel, a whole model variable. Equal numbers are the same
/// thing, in every execution of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u64);

impl ObjectId {
    /// Something that no thread ever changes. A transition that touches nothing else does nothing that others could notice, but its order
    /// with one that may touch anything matters.
    pub const NOTHING: ObjectId = ObjectId(u64::MAX);
}

/// How an object is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Looked at, not changed.
    Read,
    /// Changed, or looked at and changed in one go.
    Write,
    /// A lock is taken: possible only while it is free. A thread that cannot have it waits. One that only tries, and may fail, writes or
    /// reads instead.
    Acquire,
    /// A lock is given back: possible only by its holder. What only this makes possible acquires the same object: to
    /// be woken, or to join a thread that has ended.
    Release,
    /// Changed while it could have been acquired, where objects can be acquired several times over: a semaphore that is not
    /// at nought is raised.
    Open,
    /// Written, or tried in vain, while it could not be acquired, neither before nor behind it.
    Shut,
    /// Looked at, which is possible only while it could be acquired, and changes nothing: a thread that comes when something has been done
    /// once.
    Look,
    /// A lock that several can have together is taken by one of them: possible while no thread has it alone. A thread that acquires it has
    /// it alone, and waits until no thread shares it.
    Share,
    /// One of the threads that share a lock gives it back.
    Unshare,
    /// Shared like [`Mode::Share`], but by a thread that has tried and would not have waited.
    Enter,
    /// Tried in vain while it could be shared, but not be had alone.
    Ajar,
}

impl Mode {
    /// Whether two accesses to one object can be swapped without any thread noticing.
    pub const fn commutes(self, other: Mode) -> bool {
        self.only_looks() && other.only_looks() || self.only_shares() && other.only_shares()
    }

    /// Whether an access in this mode is what makes one in the `other` possible.
    pub const fn enables(self, other: Mode) -> bool {
        match self {
            Mode::Release => other.waits(),
            // Others may share it still: then it takes them, too.
            Mode::Unshare => matches!(other, Mode::Acquire | Mode::Look),
            _ => false,
        }
    }

    /// Whether it commutes with others of its kind, so that of the accesses to an object not all before it happened before it.
    pub const fn is_one_of_several(self) -> bool {
        self.only_looks() || self.only_shares()
    }

    /// Whether an access in this mode makes a difference only to a thread that wants to have a lock alone.
    const fn only_shares(self) -> bool {
        matches!(self, Mode::Share | Mode::Unshare)
    }

    /// Whether an access in this mode changes nothing.
    pub const fn only_looks(self) -> bool {
        matches!(self, Mode::Read | Mode::Look)
    }

    /// Whether an access in this mode is possible only while the object can be acquired.
    pub const fn waits(self) -> bool {
        matches!(self, Mode::Acquire | Mode::Look | Mode::Share)
    }
}

/// One object, touched in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// What is touched.
    pub object: ObjectId,
    /// How.
    pub mode: Mode,
}

/// The objects that a transition touches.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Footprint {
    /// Nothing is known: it may touch anything.
    #[default]
    Unknown,
    /// Exactly these. None at all: no other thread can notice the transition.
    Known(SmallVec<[Access; 2]>),
}

/// Searches copy footprints all the time: in one piece, not access by access.
impl Clone for Footprint {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Footprint::Unknown => Footprint::Unknown,
            Footprint::Known(accesses) => Footprint::Known(SmallVec::from_slice(accesses)),
        }
    }
}

impl Footprint {
    /// The accesses, if they are known.
    pub fn accesses(&self) -> Option<&[Access]> {
        match self {
            Footprint::Unknown => None,
            Footprint::Known(accesses) => Some(accesses),
        }
    }

    /// Whether no other thread can notice the transition.
    pub fn is_nothing(&self) -> bool {
        self.accesses().is_some_and(<[Access]>::is_empty)
    }

    /// The footprint of a transition that no other thread can notice.
    pub fn nothing() -> Self {
        Footprint::Known(SmallVec::new())
    }

    /// Adds an access, if the footprint is known.
    pub fn touch(&mut self, object: ObjectId, mode: Mode) {
        if let Footprint::Known(accesses) = self {
            accesses.push(Access { object, mode });
        }
    }

    /// Adds every access of `other`.
    pub fn join(&mut self, other: &Footprint) {
        match (&mut *self, other) {
            (Footprint::Known(mine), Footprint::Known(theirs)) => mine.extend_from_slice(theirs),
            _ => *self = Footprint::Unknown,
        }
    }
}

/// Whether the order of two transitions of different threads can matter: they touch a common object and at least
/// one of them changes it. Independent transitions commute, and neither enables nor disables the other.
pub fn dependent(a: &Footprint, b: &Footprint) -> bool {
    any_pair(a, b, |a, b| !a.commutes(b))
}

/// Whether two dependent transitions that follow each other, `first` then `second`, could have happened in the
/// other order. If `first` gives back a lock that `second` takes they could not, whatever else they touch.
pub fn reversible(first: &Footprint, second: &Footprint) -> bool {
    let enables = match (first, second) {
        (Footprint::Known(_), Footprint::Known(_)) => any_pair(first, second, Mode::enables),
        _ => false,
    };
    !enables && dependent(first, second)
}

fn any_pair(a: &Footprint, b: &Footprint, test: impl Fn(Mode, Mode) -> bool) -> bool {
    match (a, b) {
        (Footprint::Known(a), Footprint::Known(b)) => {
            a.iter().any(|x| b.iter().any(|y| x.object == y.object && test(x.mode, y.mode)))
        }
        // Unknown may be anything, but what touches nothing depends on nothing.
        (Footprint::Known(known), Footprint::Unknown) | (Footprint::Unknown, Footprint::Known(known)) => {
            !known.is_empty()
        }
        (Footprint::Unknown, Footprint::Unknown) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(object: u64, mode: Mode) -> Footprint {
        let mut footprint = Footprint::nothing();
        footprint.touch(ObjectId(object), mode);
        footprint
    }

    #[test]
    fn reads_commute_and_writes_do_not() {
        assert!(!dependent(&one(1, Mode::Read), &one(1, Mode::Read)));
        assert!(dependent(&one(1, Mode::Read), &one(1, Mode::Write)));
        assert!(dependent(&one(1, Mode::Write), &one(1, Mode::Write)));
        assert!(!dependent(&one(1, Mode::Write), &one(2, Mode::Write)));
        assert!(!dependent(&one(1, Mode::Read), &one(1, Mode::Look)));
        assert!(dependent(&one(1, Mode::Acquire), &one(1, Mode::Look)));
        assert!(dependent(&one(1, Mode::Open), &one(1, Mode::Open)));
        assert!(!dependent(&one(1, Mode::Share), &one(1, Mode::Unshare)));
        assert!(dependent(&one(1, Mode::Share), &one(1, Mode::Acquire)));
        assert!(dependent(&one(1, Mode::Share), &one(1, Mode::Enter)));
        assert!(dependent(&one(1, Mode::Share), &one(1, Mode::Read)));
        assert!(dependent(&Footprint::Unknown, &one(2, Mode::Read)));
        assert!(!dependent(&Footprint::Unknown, &Footprint::nothing()));
    }

    #[test]
    fn acquires_race_and_a_release_cannot_follow_the_acquire_it_allows() {
        assert!(reversible(&one(1, Mode::Acquire), &one(1, Mode::Acquire)));
        assert!(dependent(&one(1, Mode::Release), &one(1, Mode::Acquire)));
        assert!(!reversible(&one(1, Mode::Release), &one(1, Mode::Acquire)));
        assert!(!reversible(&one(1, Mode::Release), &one(1, Mode::Look)));
        assert!(reversible(&one(1, Mode::Open), &one(1, Mode::Acquire)));
        assert!(!reversible(&one(1, Mode::Unshare), &one(1, Mode::Acquire)));
        assert!(!reversible(&one(1, Mode::Release), &one(1, Mode::Share)));
        let (mut gives, mut takes) = (one(1, Mode::Release), one(1, Mode::Acquire));
        gives.touch(ObjectId(2), Mode::Write);
        takes.touch(ObjectId(2), Mode::Write);
        assert!(!reversible(&gives, &takes));
        assert!(reversible(&takes, &gives));
    }
}
