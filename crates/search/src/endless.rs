//! States from which no end can be reached, found by a depth-first search on its way.
//!
//! A state is *settled* once the search knows that an execution can end from there: finish, get stuck or fail. A state from
//! which that is impossible is a *trap*: threads go on for ever there, under every schedule. In terms of the graph of states, a
//! trap leads only to strongly connected components that no step leaves and that have a step.
//!
//! Whatever leads to a settled state is settled. So when the search reaches an end, or a state that was settled before, all
//! states of its path are settled at once, and so are the states that it has left and that lead back to its path. What is not
//! settled is therefore the upper part of the path, and states that the search has left since. On this part the search does
//! what Tarjan's does ("Depth-first search and linear graph algorithms", 1972): it keeps for each state the earliest unsettled
//! state that it leads to. A state that leads to none before itself, and is left without having been settled, is a trap. In a
//! program that ends the unsettled part is a handful of states, so all this costs next to nothing.
//!
//! Where few executions end, or none, almost all states stay unsettled, and keeping them costs more than the search. A tracker gives
//! up where that seems to be so. The search then knows nothing of executions that go on, and says so ([`crate::Sight`]).
//!
//! With several workers, a step may lead to a state that another worker has not settled. A state that depends on such states
//! goes to the [`Residue`], with the states that lead to it, until they are settled. What remains there when the search is over
//! is explored once more by one worker.

use crate::memory::capacity;
use foldhash::{HashMap, HashSet};
use sojourner_program::Unsettled;
use sojourner_store::Announcer;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// What the search does with executions that never end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endless {
    /// They are not looked for.
    #[default]
    Ignored,
    /// They are findings.
    Found,
    /// They are findings if another execution ends. If none does, the program is meant to go on for ever.
    FoundBesideEnds,
}

/// What is known of a state when the search leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// An execution can end from there, or it is not known yet.
    Open,
    /// No execution can.
    Trapped,
}

/// An unsettled state on the path.
#[derive(Clone, Copy)]
struct Pending {
    number: u32,
    /// The earliest unsettled state that it is known to lead to.
    low: u32,
    /// Where the foreign states begin that it and the states behind it lead to.
    foreign: u32,
    /// Another worker explores some of what lies behind it.
    given: bool,
}

/// The unsettled states of one worker. `W` is what leads to a state.
pub(crate) struct Tracker<W> {
    /// In the order in which they were reached. A state's number is its place here.
    prints: Vec<u128>,
    /// The numbers of the first `mapped` of them.
    numbers: HashMap<u128, u32>,
    mapped: usize,
    /// Those on the path, the deepest last. All states below them are settled.
    path: Vec<Pending>,
    /// Unsettled states of other workers, and of the residue, that these lead to.
    foreign: Vec<u128>,
    /// The most unsettled states that it keeps.
    most: usize,
    shared: Option<Shared<W>>,
}

/// What a worker needs if there are others.
struct Shared<W> {
    announcer: Announcer,
    residue: Arc<Residue<W>>,
}

/// The number of unsettled states at which one worker gives up, if a program without any end is no finding.
const MOST_UNSETTLED: usize = 1 << 16;
/// The groups of the residue at which all workers give up.
const MOST_GROUPS: usize = 1 << 10;
/// Up to so many states are searched one by one.
const FEW: usize = 16;
/// A table of numbers that has become larger is dropped, because clearing takes time in proportion to its size.
const LARGE: usize = 1 << 10;

impl<W> Tracker<W> {
    /// For a search on one thread. It gives up if that is said.
    pub fn alone(endless: Endless) -> Self {
        Tracker {
            most: if endless == Endless::Found { usize::MAX } else { MOST_UNSETTLED },
            prints: Vec::new(),
            numbers: HashMap::default(),
            mapped: 0,
            path: Vec::new(),
            foreign: Vec::new(),
            shared: None,
        }
    }

    /// For the worker with that number.
    pub fn beside_others(endless: Endless, residue: &Arc<Residue<W>>, worker: usize) -> Self {
        let announcer = Announcer::new(&residue.unsettled, worker);
        Tracker { shared: Some(Shared { announcer, residue: residue.clone() }), ..Tracker::alone(endless) }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        // A table has room for eight numbers where it keeps seven, and a byte beside each.
        let numbers = self.numbers.capacity() * 8 / 7 * (size_of::<(u128, u32)>() + 1);
        capacity(&self.prints) + capacity(&self.path) + capacity(&self.foreign) + numbers as u64
    }

    /// Whether it has too much to keep. If this worker gives up, the others must, too: they would take its states for settled ones.
    #[inline]
    pub fn gives_up(&self) -> bool {
        let shared = || self.shared.as_ref().is_some_and(|shared| shared.residue.is_large());
        self.prints.len() > self.most || shared()
    }

    /// The state is about to be looked up in the store.
    #[inline]
    pub fn announce(&mut self, print: u128) {
        if let Some(shared) = &mut self.shared {
            shared.announcer.announce(print);
        }
    }

    /// The path has become longer by a state that was announced.
    #[inline]
    pub fn enter(&mut self, print: u128) {
        let number = self.prints.len() as u32;
        self.prints.push(print);
        self.path.push(Pending { number, low: number, foreign: self.foreign.len() as u32, given: false });
    }

    /// A step has led from the end of the path to a state that was announced and that had been seen before.
    #[inline]
    pub fn again(&mut self, print: u128) {
        if let Some(shared) = &mut self.shared {
            shared.announcer.withdraw();
        }
        if !self.path.is_empty() {
            self.leads_to(print);
        }
    }

    fn leads_to(&mut self, print: u128) {
        if let Some(number) = self.number(print) {
            let last = self.path.last_mut().expect("the path has an unsettled state");
            last.low = last.low.min(number);
        } else if self.shared.as_ref().is_some_and(|shared| shared.is_unsettled(print)) {
            self.foreign.push(print);
        } else {
            self.settle();
        }
    }

    /// The number of an unsettled state of this worker.
    fn number(&mut self, print: u128) -> Option<u32> {
        if self.prints.len() <= FEW {
            return self.prints.iter().rposition(|&other| other == print).map(|number| number as u32);
        }
        for (number, &print) in self.prints.iter().enumerate().skip(self.mapped) {
            self.numbers.entry(print).or_insert(number as u32);
        }
        self.mapped = self.prints.len();
        self.numbers.get(&print).copied()
    }

    /// An execution can end from the last state of the path.
    #[inline]
    pub fn settle(&mut self) {
        self.path.clear();
        self.foreign.clear();
        self.forget(0);
        if let Some(shared) = &mut self.shared {
            shared.announcer.clear();
        }
    }

    /// The states from that number on are settled now.
    #[inline]
    fn forget(&mut self, from: usize) {
        if self.mapped > from {
            if from == 0 && self.numbers.capacity() > LARGE {
                self.numbers = HashMap::default();
            } else if from == 0 {
                self.numbers.clear();
            } else {
                for print in &self.prints[from..self.mapped] {
                    // A state that a bound has let in twice keeps its first number.
                    if self.numbers.get(print).is_some_and(|&number| number as usize >= from) {
                        self.numbers.remove(print);
                    }
                }
            }
            self.mapped = from;
        }
        self.prints.truncate(from);
    }

    /// Another worker has been given a part of what lies behind the states of the path up to that depth, where the path is
    /// `length` states long.
    pub fn gave(&mut self, depth: usize, length: usize) {
        let settled = length - self.path.len();
        let given = (depth + 1).saturating_sub(settled);
        self.path[..given].iter_mut().for_each(|pending| pending.given = true);
    }

    /// What is unsettled, for a program that goes on with the search by itself. With several workers that is not all.
    pub fn lend(&self, unsettled: &mut Unsettled) -> bool {
        if self.shared.is_some() {
            return false;
        }
        unsettled.fingerprints.clone_from(&self.prints);
        unsettled.path.clear();
        unsettled.path.extend(self.path.iter().map(|pending| (pending.number, pending.low)));
        true
    }

    /// The program has gone on with the search, and this is unsettled now.
    pub fn take_back(&mut self, unsettled: &Unsettled) {
        self.forget(0);
        self.prints.extend_from_slice(&unsettled.fingerprints);
        self.path.clear();
        let pending = |&(number, low): &(u32, u32)| Pending { number, low, foreign: 0, given: false };
        self.path.extend(unsettled.path.iter().map(pending));
    }

    /// The search leaves the last state of the path, with nothing open there. `way` leads to it; nothing does to the first
    /// state.
    #[inline]
    pub fn leave(&mut self, way: impl FnOnce() -> Option<W>) -> Left {
        let Some(Pending { number, low, foreign, given }) = self.path.pop() else { return Left::Open };
        if low < number {
            let before = self.path.last_mut().expect("an earlier state is unsettled");
            before.low = before.low.min(low);
            before.given |= given;
            return Left::Open;
        }
        let number = number as usize;
        if !given && self.foreign.len() == foreign as usize {
            self.settle();
            return Left::Trapped;
        }
        let shared = self.shared.as_ref().expect("only other workers have foreign states");
        let print = self.prints[number];
        let group = Group {
            members: self.prints[number..].to_vec(),
            foreign: self.foreign.split_off(foreign as usize),
            way: way(),
        };
        shared.residue.add(group);
        self.forget(number);
        match self.path.is_empty() {
            // All of them are in the residue by now.
            true => self.settle(),
            false => self.foreign.push(print),
        }
        Left::Open
    }
}

impl<W> Shared<W> {
    /// Whether a state that is none of this worker's own is unsettled.
    fn is_unsettled(&self, print: u128) -> bool {
        self.announcer.others_hold(print) || self.residue.holds(print)
    }
}

/// States that a worker has left and that depend on states which another worker had not settled by then.
pub(crate) struct Residue<W> {
    unsettled: Arc<sojourner_store::Unsettled>,
    /// How many groups there are.
    count: AtomicUsize,
    groups: Mutex<Groups<W>>,
}

/// States that all lead to the first of them, and nowhere but to each other and to foreign states.
struct Group<W> {
    members: Vec<u128>,
    foreign: Vec<u128>,
    /// The way to the first of them.
    way: Option<W>,
}

struct Groups<W> {
    /// The group of each state.
    of: HashMap<u128, usize>,
    groups: Vec<Option<Group<W>>>,
}

/// The most groups that are examined to find out whether a state was settled. If that is not enough, the state counts as unsettled.
const MOST_ASKED: usize = 64;

/// What is left of the residue when the search is over.
pub(crate) struct Rest<W> {
    pub states: HashSet<u128>,
    /// Ways to a state of each group.
    pub ways: Vec<Option<W>>,
}

impl<W> Residue<W> {
    /// For that many workers.
    pub fn new(workers: usize) -> Arc<Self> {
        let unsettled = sojourner_store::Unsettled::new(workers);
        Arc::new(Residue {
            unsettled,
            count: AtomicUsize::new(0),
            groups: Mutex::new(Groups { of: HashMap::default(), groups: Vec::new() }),
        })
    }

    #[inline]
    fn is_large(&self) -> bool {
        self.count.load(Relaxed) > MOST_GROUPS
    }

    fn add(&self, group: Group<W>) {
        let mut groups = self.lock();
        let number = groups.groups.len();
        groups.of.extend(group.members.iter().map(|&member| (member, number)));
        groups.groups.push(Some(group));
        self.count.fetch_add(1, Relaxed);
    }

    /// Whether a state is in the residue, and has not been settled since. Workers announce states until they are there, so a worker that
    /// asks must have asked before whether a worker announces it.
    fn holds(&self, print: u128) -> bool {
        // The count is read after the announcements, and changed before they are withdrawn.
        self.count.load(Relaxed) > 0 && self.lock().holds(print, &self.unsettled)
    }

    /// What is left when all workers are done.
    pub fn rest(&self) -> Option<Rest<W>> {
        let mut groups = self.lock();
        while groups.dissolve_settled() {}
        let ways: Vec<Option<W>> = groups.groups.drain(..).flatten().map(|group| group.way).collect();
        let states = groups.of.drain().map(|(print, _)| print).collect();
        (!ways.is_empty()).then_some(Rest { states, ways })
    }

    fn lock(&self) -> MutexGuard<'_, Groups<W>> {
        self.groups.lock().expect("no holder panics")
    }
}

impl<W> Groups<W> {
    fn holds(&mut self, print: u128, unsettled: &sojourner_store::Unsettled) -> bool {
        let Some(&number) = self.of.get(&print) else { return false };
        // Depth first over the groups that this one depends on. One that leads to a settled state is settled, and so are all on
        // the way to it.
        let mut asked = vec![number];
        let mut way = vec![(number, 0)];
        while let Some((number, next)) = way.last_mut() {
            let group = self.groups[*number].as_ref().expect("its members are known");
            let Some(&foreign) = group.foreign.get(*next) else {
                way.pop();
                continue;
            };
            *next += 1;
            if unsettled.holds(foreign) {
                continue;
            }
            match self.of.get(&foreign) {
                Some(&number) if asked.contains(&number) || asked.len() == MOST_ASKED => {}
                Some(&number) => {
                    asked.push(number);
                    way.push((number, 0));
                }
                None => {
                    for (number, _) in way {
                        self.dissolve(number);
                    }
                    break;
                }
            }
        }
        self.of.contains_key(&print)
    }

    /// Dissolves the groups that lead to a settled state, when no worker has unsettled states. Whether there were any.
    fn dissolve_settled(&mut self) -> bool {
        let leads_out = |group: &Group<W>| group.foreign.iter().any(|foreign| !self.of.contains_key(foreign));
        let numbered = self.groups.iter().enumerate();
        let settled: Vec<usize> = numbered
            .filter(|(_, group)| group.as_ref().is_some_and(leads_out))
            .map(|(number, _)| number)
            .collect();
        settled.iter().for_each(|&number| self.dissolve(number));
        !settled.is_empty()
    }

    fn dissolve(&mut self, number: usize) {
        let group = self.groups[number].take().expect("it is dissolved once");
        for member in group.members {
            if self.of.get(&member) == Some(&number) {
                self.of.remove(&member);
            }
        }
    }
}

#[cfg(test)]
mod tests;
