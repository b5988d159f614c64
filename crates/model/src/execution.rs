//! A model as a program: a value that steps and comes back.

use crate::panics::{Panic, catch};
use crate::path::{Path, Place};
use crate::property::Property;
use crate::{Checked, Foreign, Model, Packed, Properties, State, Transitions};
use smallvec::SmallVec;
use sojourner_program::{
    Choice, Detail, Encoded, Fault, Finding, Footprint, Kind, ObjectId, Program, Promises, Reducible, Status,
    Step, Target, Thread, ThreadId, Usage,
};
use std::sync::Arc;

/// A model, standing in some state.
///
/// A search takes choices that it was offered, so `step` takes its choice at its word; it verifies it at
/// [`Detail::Words`], the detail of traces, whose schedules may be foreign.
pub struct Execution<M: Model> {
    pub(crate) model: Arc<M>,
    properties: Arc<Properties<M>>,
    processes: u32,
    pub(crate) path: Path<M::State>,
    packed: Packed,
    scratch: Vec<Choice>,
    pub(crate) encoded: Encoded,
}

impl<M: Model> Execution<M> {
    pub(crate) fn start(checked: &Checked<M>) -> Result<Self, Fault> {
        let model = Arc::clone(&checked.model);
        let (state, processes) = catch(|| (model.initial(), model.processes()))
            .map_err(|panic| Fault::Crashed { why: panic.finding("the initial state").message })?;
        Ok(Execution {
            properties: Arc::clone(&checked.properties),
            processes,
            path: Path::new(state),
            packed: Packed::new(),
            model,
            scratch: Vec::new(),
            encoded: Encoded::new(),
        })
    }

    /// The state that it stands in.
    pub fn state(&self) -> &M::State {
        &self.path.state
    }

    /// Becomes what `read` makes of the state and stands there with an empty path, unless that is foreign.
    pub(crate) fn enter(
        &mut self,
        read: impl FnOnce(&mut M::State) -> Result<(), Foreign>,
    ) -> Result<(), Fault> {
        self.path.restart(read).map_err(|foreign| Fault::Crashed { why: foreign.to_string() })
    }

    /// This state, packed.
    #[inline]
    pub(crate) fn packed(&mut self) -> &[u8] {
        self.packed.truncate(0);
        self.path.state.pack(&mut self.packed);
        self.packed.bytes()
    }

    /// Appends the enabled transitions, or none if the model panics.
    #[inline]
    fn enabled(&self, out: &mut Vec<Choice>) -> Result<(), Box<Panic>> {
        let start = out.len();
        let mut on = Transitions::new(out, self.processes);
        let named = catch(|| self.model.transitions(&self.path.state, &mut on));
        match named {
            Ok(()) => on.finish(),
            Err(_) => out.truncate(start),
        }
        named
    }

    /// Lets `read` look at the enabled transitions.
    fn with_enabled<T>(&mut self, read: impl FnOnce(&Self, &[Choice], Result<(), Box<Panic>>) -> T) -> T {
        let mut enabled = std::mem::take(&mut self.scratch);
        enabled.clear();
        let named = self.enabled(&mut enabled);
        let result = read(self, &enabled, named);
        self.scratch = enabled;
        result
    }

    #[cold]
    #[inline(never)]
    fn verify(&mut self, choice: Choice) -> Result<(), Fault> {
        self.with_enabled(|this, enabled, named| {
            if enabled.contains(&choice) {
                return Ok(());
            }
            let why = match named {
                Err(panic) => panic.finding("a guard").message,
                Ok(()) => format!("choice {choice:?} is not enabled; enabled are {enabled:?}"),
            };
            Err(Fault::Diverged { step: this.path.depth(), choice, why })
        })
    }

    /// Records what the transition is about to do, as far as `step` asks.
    #[inline(never)]
    fn record(&self, choice: Choice, step: &mut Step) {
        step.footprint = self.footprint(choice);
        if step.detail >= Detail::Words {
            let (process, action) = parts(choice);
            let words = catch(|| self.model.words(&self.path.state, process, action));
            step.words = words.unwrap_or_else(|panic| panic.finding("its description").message);
        }
    }

    /// Takes a step that fails. What it had done by then is undone: a state must not depend on how far a panic let it
    /// come.
    #[cold]
    #[inline(never)]
    fn crashed(&mut self, choice: Choice, mut finding: Finding, step: &mut Step) {
        self.path.undo();
        finding.thread = Some(choice.thread);
        step.finding = Some(finding);
    }

    /// What the transition touches, in the state before it.
    fn footprint(&self, choice: Choice) -> Footprint {
        let (process, action) = parts(choice);
        let mut footprint = Footprint::nothing();
        match catch(|| self.model.footprint(&self.path.state, process, action, &mut footprint)) {
            Ok(true) => footprint,
            _ => Footprint::Unknown,
        }
    }

    /// What a process without a transition waits for.
    fn blocked_on(&self, process: usize) -> Footprint {
        let mut footprint = Footprint::nothing();
        match catch(|| self.model.blocked_on(&self.path.state, process, &mut footprint)) {
            Ok(true) => footprint,
            _ => Footprint::Unknown,
        }
    }

    /// Whether every invariant holds, and no invariant or goal panics.
    fn sound(&self) -> bool {
        let Properties { invariants, goals, .. } = &*self.properties;
        let (model, state) = (&*self.model, &self.path.state);
        // One frame to catch panics in for all of them: which one it was is found out where it matters.
        let sound = catch(|| {
            let hold = invariants.iter().all(|invariant| invariant.holds(model, state));
            goals.iter().for_each(|goal| _ = goal.holds(model, state));
            hold
        });
        sound.unwrap_or(false)
    }

    /// The first of the properties that panics or, if they `must` hold, does not.
    fn violated(&self, properties: &[Property<M>], must: bool) -> Option<Finding> {
        properties.iter().find_map(|property| match catch(|| property.holds(&self.model, &self.path.state)) {
            Ok(holds) if holds || !must => None,
            Ok(_) => {
                let message = format!("{} does not hold", property.title());
                let mut finding = Finding::new(Kind::Property, message);
                finding.type_name = Some(property.name.clone());
                Some(finding)
            }
            Err(panic) => Some(panic.finding(&property.title())),
        })
    }

    /// What is wrong with this state.
    #[cold]
    #[inline(never)]
    fn finding(&mut self, stuck: bool) -> Option<Finding> {
        let Properties { invariants, goals, .. } = &*self.properties;
        // A goal that does not hold is no finding, but one that panics is.
        let finding = self.violated(invariants, true).or_else(|| self.violated(goals, false));
        if finding.is_none() && stuck { self.judge_end() } else { finding }
    }

    /// What is wrong with stopping here.
    fn judge_end(&mut self) -> Option<Finding> {
        // There are no choices also where the guards panicked.
        if let Err(panic) = self.with_enabled(|_, _, named| named) {
            return Some(panic.finding("a guard"));
        }
        match catch(|| self.model.may_end(&self.path.state)) {
            Ok(true) => self.violated(&self.properties.at_end, true),
            Ok(false) => {
                Some(Finding::new(Kind::Deadlock, "no process can move, and the system may not end here"))
            }
            Err(panic) => Some(panic.finding("`may_end`")),
        }
    }
}

/// The process and the action of a choice. One without an action is no choice of a model, and no action has this number.
#[inline]
fn parts(choice: Choice) -> (usize, u32) {
    (choice.thread.0 as usize, choice.value().unwrap_or(u32::MAX))
}

impl<M: Model> Program for Execution<M> {
    type Place = Place;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        // That they panicked is for `judge` to say.
        let _ = self.enabled(out);
    }

    #[inline]
    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        if !stuck && (!self.properties.watch() || self.sound()) { None } else { self.finding(stuck) }
    }

    #[inline]
    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        if step.detail >= Detail::Words {
            self.verify(choice)?;
        } else {
            debug_assert!(self.verify(choice).is_ok(), "{choice:?} is none of the choices that were offered");
        }
        if step.detail >= Detail::Footprint {
            self.record(choice, step);
        }
        let (process, action) = parts(choice);
        let state = self.path.step();
        if let Err(panic) = catch(|| self.model.fire(state, process, action)) {
            self.crashed(choice, panic.finding("a transition"), step);
        }
        Ok(())
    }

    #[inline]
    fn depth(&self) -> usize {
        self.path.depth()
    }

    #[inline]
    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        if depth < self.path.depth() {
            self.path.rewind(depth);
        }
        Ok(())
    }

    fn here(&mut self) -> Place {
        Place(SmallVec::from_slice(self.packed()))
    }

    fn go(&mut self, place: &Place) -> Result<(), Fault> {
        self.enter(|state| state.unpack_all(&place.0))
    }

    fn usage(&self) -> Usage {
        Usage { path: self.path.bytes() as u64, ..Usage::default() }
    }

    fn place_bytes(&self, place: &Place) -> usize {
        place.bytes_elsewhere()
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        self.with_enabled(|this, enabled, _| {
            for process in 0..this.processes {
                let id = ThreadId(process);
                let mut mine = enabled.iter().filter(|choice| choice.thread == id).peekable();
                if mine.peek().is_some() {
                    let mut pending = Footprint::nothing();
                    for choice in mine {
                        pending.join(&this.footprint(*choice));
                    }
                    out.push(Thread { id, status: Status::Ready, pending, lacks: Default::default() });
                } else {
                    let pending = this.blocked_on(process as usize);
                    let status = match &pending {
                        Footprint::Known(objects) => match objects.first() {
                            None => Status::Finished,
                            Some(access) => Status::Blocked(Some(access.object)),
                        },
                        Footprint::Unknown => Status::Blocked(None),
                    };
                    out.push(Thread { id, status, pending, lacks: Default::default() });
                }
            }
        });
    }

    fn name(&self, thread: ThreadId) -> String {
        catch(|| self.model.name(thread.0 as usize)).unwrap_or_else(|_| format!("process {}", thread.0))
    }

    fn object_name(&self, object: ObjectId) -> String {
        catch(|| self.model.object_name(object)).unwrap_or_else(|_| format!("object {}", object.0))
    }

    fn describe(&mut self) -> String {
        catch(|| self.model.describe(&self.path.state))
            .unwrap_or_else(|panic| panic.finding("the description").message)
    }

    fn goals(&self) -> Vec<String> {
        self.properties.goals.iter().map(|goal| goal.name.clone()).collect()
    }

    /// The distance to a goal that is not reached is at least 1, whatever the model says.
    fn distance(&mut self, target: Target) -> Option<u32> {
        let (model, state) = (&*self.model, &self.path.state);
        let distance = catch(|| match target {
            Target::Finding => model.distance(state, target),
            Target::Goal(goal) if self.properties.goals.get(goal)?.holds(model, state) => Some(0),
            Target::Goal(_) => model.distance(state, target).map(|steps| steps.max(1)),
        });
        distance.unwrap_or(None)
    }
}

impl<M: Model> Reducible for Execution<M> {
    fn prepare_reduction(&mut self, _: bool) -> Result<Promises, Fault> {
        Ok(Promises { exact_footprints: false, judges_ends_only: !self.properties.watch() })
    }
}
