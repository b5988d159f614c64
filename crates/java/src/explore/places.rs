//! Places: how to come back to a state.
//!
//! A place has the path that leads to its state, and the numbers of the state's components, its *root* (`machine::collapse`).
//! Where a few steps lead from the present path to the place, they are taken; otherwise the state is restored from its root, by
//! difference. Paths serve all machines, roots only the one whose pools they are numbers of; and roots of pools that had grown
//! too large and were given up are no use any more. Then the whole path is followed.

use super::Execution;
use super::paths::{Path, PathTree};
use crate::machine::visible::Symmetry;
use crate::machine::{Pools, Root, Stop, WholeState};
use sojourner_program::{Choice, Fault};

/// Steps that take about as long as to restore a state and to look at all of it.
const FEW_STEPS: usize = 2;
/// Bytes of components at which pools are given up.
const MOST_BYTES: usize = 512 << 20;

/// What it takes to come back to a state.
#[derive(Clone, Debug, Default)]
pub struct Place {
    path: Path,
    root: Option<Root>,
    /// How much garbage there was.
    garbage: u32,
    /// What stands for the state, so that it is noticed if another one is restored.
    #[cfg(debug_assertions)]
    fingerprint: u128,
}

/// Where a program has been, and the components of the states in which others may want it to be again.
#[derive(Default)]
pub(super) struct Places {
    paths: PathTree,
    pools: Pools,
    /// The root of the start, from which every path can be followed.
    start: Option<Root>,
    /// Roots of states on the trail, each with the number of transitions that can be taken back there.
    roots: Vec<(usize, Root)>,
    /// How many could be taken back where the last `go` went.
    pub base: usize,
}

impl Place {
    /// The bytes that it keeps elsewhere and that are its own.
    pub(super) fn bytes_elsewhere(&self) -> usize {
        self.root.as_ref().map_or(0, Root::bytes)
    }
}

impl Places {
    /// The bytes of the components, and of paths.
    pub fn bytes(&self) -> usize {
        self.pools.bytes() + self.paths.bytes()
    }

    /// A choice is taken.
    #[inline]
    pub fn push(&mut self, choice: Choice) {
        self.paths.push(choice);
    }

    /// The machine has gone back until only so many transitions can be taken back.
    #[inline]
    pub fn rewind(&mut self, marks: usize) {
        self.paths.truncate(marks);
        while self.roots.last().is_some_and(|&(at, _)| at > marks) {
            self.roots.pop();
        }
    }

    /// The state on the trail where so many transitions can be taken back has a root.
    fn learn_root(&mut self, marks: usize, root: Option<&Root>) {
        if self.roots.last().is_none_or(|&(at, _)| at < marks) {
            self.roots.extend(root.map(|root| (marks, root.clone())));
        }
    }
}

impl Execution {
    /// The place of the present state.
    pub(super) fn place(&mut self) -> Place {
        let root = self.root();
        Place {
            path: self.places.paths.path(),
            root,
            garbage: self.garbage.here(),
            #[cfg(debug_assertions)]
            fingerprint: self.canonical.fingerprint(&self.machine),
        }
    }

    /// The place of the present state by its path only.
    pub(super) fn place_without_root(&mut self) -> Place {
        Place {
            path: self.places.paths.path(),
            root: None,
            garbage: self.garbage.here(),
            #[cfg(debug_assertions)]
            fingerprint: self.canonical.fingerprint(&self.machine),
        }
    }

    /// Whether all of the present state are components: the identities of objects must not depend on the path.
    pub(super) fn can_have_root(&mut self) -> bool {
        let by_path = matches!(self.machine.scheduling.settings.symmetry, Symmetry::Site | Symmetry::Thread);
        !by_path && self.machine.is_made_of_components(&mut self.places.pools)
    }

    /// The root of the present state, if it can have one.
    fn root(&mut self) -> Option<Root> {
        let marks = self.machine.marks();
        // Without the root of the start there would be no way back to it.
        let begins = marks == 0 && self.places.paths.begins_at_start();
        if !self.can_have_root() || !begins && self.places.start.is_none() {
            return None;
        }
        let Places { pools, roots, .. } = &mut self.places;
        let former = roots.last().map(|(at, root)| (root, *at));
        let root = self.machine.collapse(pools, former)?;
        self.places.learn_root(marks, Some(&root));
        Some(root)
    }

    /// The program stands at its start, and has not been asked for a place yet.
    pub(super) fn begin_places(&mut self) {
        self.places.start = self.root();
    }

    /// Goes back to the first state of all.
    pub(super) fn go_to_start(&mut self) -> Result<(), Fault> {
        self.next_operations = super::next_operations::NextOperations::default();
        match self.places.start.clone() {
            Some(start) if !self.places.paths.begins_at_start() => self.restore(&start, Path::default())?,
            _ => self.rewind_to(0),
        }
        self.places.base = 0;
        Ok(())
    }

    /// Goes to a place.
    pub(super) fn go_to(&mut self, place: &Place) -> Result<(), Fault> {
        if self.places.pools.bytes() > MOST_BYTES {
            self.give_up_pools()?;
        }
        let root = place.root.as_ref().filter(|root| self.places.pools.know(root));
        let few = if root.is_some() { FEW_STEPS } else { usize::MAX };
        match (self.places.paths.way_to(&place.path, few), root) {
            (Some(way), _) => self.follow(place, way)?,
            (None, Some(root)) => {
                self.restore(root, place.path.clone())?;
                #[cfg(debug_assertions)]
                assert_eq!(self.canonical.fingerprint(&self.machine), place.fingerprint, "another state");
            }
            (None, None) => {
                self.go_to_start()?;
                let way = self.places.paths.way_to(&place.path, usize::MAX);
                self.follow(place, way.unwrap_or_default())?;
            }
        }
        self.places.base = self.machine.marks();
        self.garbage.begin(self.places.base, place.garbage);
        Ok(())
    }

    /// Goes back, and takes the choices that lead to a place.
    fn follow(&mut self, place: &Place, (together, mut rest): (usize, Vec<Choice>)) -> Result<(), Fault> {
        self.rewind_to(together);
        while let Some(choice) = rest.pop() {
            if let Stop::Unsupported(what) = self.take(choice) {
                return Err(Fault::Unsupported { what, location: None });
            }
        }
        self.places.paths.arrived(&place.path);
        let root = place.root.as_ref().filter(|root| self.places.pools.know(root));
        self.places.learn_root(self.machine.marks(), root);
        Ok(())
    }

    /// Restores the state of a root, to which a path leads.
    fn restore(&mut self, root: &Root, path: Path) -> Result<(), Fault> {
        // The state that differences are taken from is the last one of the trail whose root is known: that of its origin, if
        // no other.
        if self.places.roots.is_empty() {
            // A copy was put back where the path begins, of a state that has a root.
            self.rewind_to(0);
            self.root();
        }
        let from = self.places.roots.last().cloned();
        let (marks, from) = from.expect("a program that can restore a state has been at the start");
        self.rewind_to(marks);
        if !self.machine.restore(&self.places.pools, &from, root) {
            return Err(no_room_for_stacks());
        }
        self.begin_path(path);
        self.places.learn_root(0, Some(root));
        Ok(())
    }

    /// Puts back a state of the path, by the components in which it differs from the present one.
    pub(super) fn put_back_by_components(&mut self, place: &Place) -> Result<(), Fault> {
        if self.places.pools.bytes() > MOST_BYTES {
            self.give_up_pools()?;
        }
        match place.root.as_ref().filter(|root| self.places.pools.know(root)) {
            Some(root) => {
                // The numbers of the present state, where there are any: differences are taken from those.
                self.root();
                self.restore(root, place.path.clone())?;
            }
            None => {
                self.go_to_start()?;
                let way = self.places.paths.way_to(&place.path, usize::MAX);
                self.follow(place, way.unwrap_or_default())?;
            }
        }
        self.has_put_back(place);
        Ok(())
    }

    /// Puts back a state of the path from its copy.
    pub(super) fn put_back_whole(&mut self, state: &WholeState, place: &Place) -> Result<(), Fault> {
        if !self.machine.put_back(state) {
            return Err(no_room_for_stacks());
        }
        self.begin_path(place.path.clone());
        self.has_put_back(place);
        Ok(())
    }

    /// A state of the path is there again.
    fn has_put_back(&mut self, place: &Place) {
        #[cfg(debug_assertions)]
        assert_eq!(self.canonical.fingerprint(&self.machine), place.fingerprint, "another state");
        self.garbage.begin(self.machine.marks(), place.garbage);
    }

    /// The machine is in a state to which a path leads, and cannot take back anything.
    fn begin_path(&mut self, path: Path) {
        self.places.paths.begin(path);
        self.places.roots.clear();
        // The fingerprints of the states to come go by difference from that of this one.
        if self.incremental.forget_path() {
            self.incremental.fingerprint(&self.machine, &mut self.canonical);
        }
    }

    /// Begins with empty pools.
    fn give_up_pools(&mut self) -> Result<(), Fault> {
        self.go_to_start()?;
        self.places = Places::default();
        self.begin_places();
        Ok(())
    }
}

fn no_room_for_stacks() -> Fault {
    Fault::Crashed { why: "there is no room for the stacks of the program's threads".into() }
}

#[cfg(test)]
mod tests {
    use crate::explore::{Exploration, JavaProgram};
    use crate::library::{Jdk, launch};
    use sojourner_program::{Detail, Load, Program, Stateful, Step};

    #[test]
    fn places_outlive_the_pools_of_their_roots() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("Counts.java");
        let source = "public class Counts {\n    static volatile int count;\n    public static void main(String[] args) throws Exception {\n        \
                      Thread thread = new Thread(() -> { for (int i = 0; i < 4; i++) count++; });\n        thread.start();\n        count++;\n        \
                      thread.join();\n    }\n}\n";
        std::fs::write(&path, source).unwrap();
        let jdk = Jdk::find(None).unwrap();
        let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
        let subject = JavaProgram::new(launch, &jdk, Vec::new(), Exploration::default());
        let mut program = subject.open_to_follow().unwrap();
        let mut visited = Vec::new();
        let mut choices = Vec::new();
        program.choices(&mut choices);
        while let Some(&choice) = choices.last() {
            program.step(choice, &mut Step::new(Detail::Outcome)).unwrap();
            visited.push((program.here(), program.fingerprint()));
            choices.clear();
            program.choices(&mut choices);
        }
        assert!(visited.len() > 4 && visited.iter().all(|(place, _)| place.root.is_some()));
        for (place, fingerprint) in visited.iter().rev() {
            program.give_up_pools().unwrap();
            program.go(place).unwrap();
            assert_eq!(program.fingerprint(), *fingerprint);
        }
        // Those of new pools are as good.
        let renewed = program.here();
        assert!(renewed.root.as_ref().is_some_and(|root| program.places.pools.know(root)));
        program.go(&visited[3].0).unwrap();
        program.go(&renewed).unwrap();
        assert_eq!(program.fingerprint(), visited[0].1);
    }
}
