//! A model as a program: a value that steps and comes back.

use crate::panics::{Panic, catch};
use crate::path::{Path, Place};
use crate::property::{Property, Sort};
use crate::{Checked, Model, State, Transitions};
use sojourner_program::{
    Choice, Detail, Encoded, Fault, Finding, Footprint, Kind, ObjectId, Program, Status, Step, Target,
    Thread, ThreadId,
};
use std::mem::needs_drop;
use std::sync::Arc;

/// A depth that no path has.
const NOWHERE: usize = usize::MAX;

/// A model, standing in some state.
///
/// The state is one value that is changed in place; the packed states of the path are kept to come back to. A search
/// mostly steps out of a state and back into it, so the value of a state that allocates nothing is kept, too, and copied
/// back.
///
/// A search takes the choices that it was offered, a replay takes those of a schedule that may be foreign. So `step`
/// verifies its choice unless `choices` has been called for this state since it was entered, and always at
/// [`Detail::Words`], the detail of traces: a caller that asks first and records no trace must take one of the choices
/// that it got. Coming back to a state with `rewind` does not forget that its choices were asked for; `go` and `decode`
/// do.
pub struct Execution<M: Model> {
    pub(crate) model: Arc<M>,
    properties: Arc<[Property<M>]>,
    processes: u32,
    pub(crate) state: M::State,
    pub(crate) path: Path,
    /// The state at the depth `kept_at` of the path.
    kept: M::State,
    kept_at: usize,
    /// The fingerprint of this state, once it was asked for.
    pub(crate) fingerprint: Option<u128>,
    /// What `Model::transitions` did in this state, if it panicked.
    crash: Option<Finding>,
    scratch: Vec<Choice>,
    pub(crate) encoded: Encoded,
}

impl<M: Model> Execution<M> {
    pub(crate) fn start(checked: &Checked<M>) -> Result<Self, Fault> {
        let model = Arc::clone(&checked.model);
        let start = || {
            let state = model.initial();
            (state.clone(), state, model.processes())
        };
        let (kept, state, processes) = catch(start)
            .map_err(|panic| Fault::Crashed { why: panic.finding("the initial state").message })?;
        Ok(Execution {
            properties: Arc::clone(&checked.properties),
            processes,
            path: Path::new(&state),
            kept,
            kept_at: 0,
            state,
            model,
            fingerprint: None,
            crash: None,
            scratch: Vec::new(),
            encoded: Encoded::new(),
        })
    }

    /// The state that it stands in.
    pub fn state(&self) -> &M::State {
        &self.state
    }

    /// Becomes the packed state and stands there with an empty path.
    pub(crate) fn enter(&mut self, packed: &[u8]) -> Result<(), Fault> {
        if self.state.unpack_all(packed).is_err() {
            self.restore();
            return Err(Fault::Crashed { why: crate::Foreign.to_string() });
        }
        self.path.restart(packed);
        self.kept_at = NOWHERE;
        self.moved();
        Ok(())
    }

    /// Keeps this state's value, which is about to be changed.
    #[inline]
    fn keep(&mut self) {
        if !needs_drop::<M::State>() && self.kept_at != self.path.depth() {
            self.kept = self.state.clone();
            self.kept_at = self.path.depth();
        }
    }

    /// Makes the value what the end of the path says.
    #[inline]
    pub(crate) fn restore(&mut self) {
        if !needs_drop::<M::State>() && self.kept_at == self.path.depth() {
            self.state = self.kept.clone();
        } else {
            self.state.unpack_all(self.path.here()).expect("a path holds states of its own model");
            // What was kept is at most of a state further on, on a path that has been left.
            self.kept_at = NOWHERE;
        }
    }

    /// Forgets what was known of the last state.
    #[inline]
    pub(crate) fn moved(&mut self) {
        self.fingerprint = None;
        if self.crash.is_some() {
            self.crash = None;
        }
    }

    /// Appends the enabled transitions, or none if the model panics.
    fn enabled(&mut self, out: &mut Vec<Choice>) {
        let start = out.len();
        let mut on = Transitions::new(out, self.processes);
        match catch(|| self.model.transitions(&self.state, &mut on)) {
            Ok(()) => on.finish(),
            Err(panic) => {
                out.truncate(start);
                self.crash = Some(panic.finding("a guard"));
            }
        }
    }

    /// Lets `read` look at the enabled transitions.
    fn with_enabled<T>(&mut self, read: impl FnOnce(&mut Self, &[Choice]) -> T) -> T {
        let mut enabled = std::mem::take(&mut self.scratch);
        enabled.clear();
        self.enabled(&mut enabled);
        let result = read(self, &enabled);
        self.scratch = enabled;
        result
    }

    #[cold]
    #[inline(never)]
    fn verify(&mut self, choice: Choice) -> Result<(), Fault> {
        self.with_enabled(|this, enabled| {
            if enabled.contains(&choice) {
                return Ok(());
            }
            let why = match this.crash.take() {
                Some(crash) => crash.message,
                None => format!("choice {choice:?} is not enabled; enabled are {enabled:?}"),
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
            let words = catch(|| self.model.words(&self.state, process, action));
            step.words = words.unwrap_or_else(|panic| panic.finding("its description").message);
        }
    }

    /// Takes a step that fails. What it had done by then is undone: a state must not depend on how far a panic let it
    /// come.
    #[cold]
    #[inline(never)]
    fn crashed(&mut self, choice: Choice, panic: Panic, step: &mut Step) {
        self.restore();
        self.path.push_again();
        let mut finding = panic.finding("a transition");
        finding.thread = Some(choice.thread);
        step.finding = Some(finding);
    }

    /// What the transition touches, in the state before it.
    fn footprint(&self, choice: Choice) -> Footprint {
        let (process, action) = parts(choice);
        let mut footprint = Footprint::nothing();
        match catch(|| self.model.footprint(&self.state, process, action, &mut footprint)) {
            Ok(true) => footprint,
            _ => Footprint::Unknown,
        }
    }

    /// What a process without a transition waits for.
    fn blocked_on(&self, process: usize) -> Footprint {
        let mut footprint = Footprint::nothing();
        match catch(|| self.model.blocked_on(&self.state, process, &mut footprint)) {
            Ok(true) => footprint,
            _ => Footprint::Unknown,
        }
    }

    /// The first property of that sort that panics or, unless it is a goal, does not hold.
    fn violated(&self, sort: Sort) -> Option<Finding> {
        for property in self.properties.iter().filter(|property| property.sort == sort) {
            match catch(|| property.holds(&self.model, &self.state)) {
                Ok(true) => {}
                Ok(false) if sort == Sort::Goal => {}
                Ok(false) => {
                    let message = format!("{} does not hold", property.title());
                    let mut finding = Finding::new(Kind::Property, message);
                    finding.type_name = Some(property.name.clone());
                    return Some(finding);
                }
                Err(panic) => return Some(panic.finding(&property.title())),
            }
        }
        None
    }

    /// What is wrong with stopping here.
    fn judge_end(&mut self) -> Option<Finding> {
        // The choices may have been asked for on an earlier visit, and the panic forgotten since.
        if self.crash.is_none() {
            self.with_enabled(|_, _| ());
        }
        if self.crash.is_some() {
            return self.crash.clone();
        }
        match catch(|| self.model.may_end(&self.state)) {
            Ok(true) => self.violated(Sort::AtEnd),
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
        self.path.ask();
        self.enabled(out);
    }

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        // A goal that does not hold is no finding, but one that panics is.
        let finding = self.violated(Sort::Invariant).or_else(|| self.violated(Sort::Goal));
        if finding.is_none() && stuck { self.judge_end() } else { finding }
    }

    #[inline]
    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        if !self.path.asked() || step.detail >= Detail::Words {
            self.verify(choice)?;
        } else {
            debug_assert!(self.verify(choice).is_ok(), "{choice:?} is none of the choices that were offered");
        }
        if step.detail >= Detail::Footprint {
            self.record(choice, step);
        }
        self.keep();
        let (process, action) = parts(choice);
        match catch(|| self.model.fire(&mut self.state, process, action)) {
            Ok(()) => self.path.push(&self.state),
            Err(panic) => self.crashed(choice, panic, step),
        }
        self.moved();
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
            self.restore();
            self.moved();
        }
        Ok(())
    }

    fn here(&mut self) -> Place {
        Place(self.path.here().into())
    }

    fn go(&mut self, place: &Place) -> Result<(), Fault> {
        self.enter(&place.0)
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        self.with_enabled(|this, enabled| {
            for process in 0..this.processes {
                let id = ThreadId(process);
                let mut mine = enabled.iter().filter(|choice| choice.thread == id).peekable();
                if mine.peek().is_some() {
                    let mut pending = Footprint::nothing();
                    for choice in mine {
                        pending.join(&this.footprint(*choice));
                    }
                    out.push(Thread { id, status: Status::Ready, pending });
                } else {
                    let pending = this.blocked_on(process as usize);
                    let status = match &pending {
                        Footprint::Known(objects) => match objects.first() {
                            None => Status::Finished,
                            Some(access) => Status::Blocked(Some(access.object)),
                        },
                        Footprint::Unknown => Status::Blocked(None),
                    };
                    out.push(Thread { id, status, pending });
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
        catch(|| self.model.describe(&self.state))
            .unwrap_or_else(|panic| panic.finding("the description").message)
    }

    fn goals(&self) -> Vec<String> {
        let goals = self.properties.iter().filter(|property| property.sort == Sort::Goal);
        goals.map(|goal| goal.name.clone()).collect()
    }

    fn reached(&mut self, goal: usize) -> bool {
        let goal = self.properties.iter().filter(|property| property.sort == Sort::Goal).nth(goal);
        goal.is_some_and(|goal| catch(|| goal.holds(&self.model, &self.state)).unwrap_or(false))
    }

    fn distance(&self, target: Target) -> Option<u32> {
        catch(|| self.model.distance(&self.state, target)).unwrap_or(None)
    }
}
