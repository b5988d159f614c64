//! A Java program that stands in some state.

use super::canonical::CanonicalWalk;
use super::garbage_count::GarbageCount;
use super::incremental::IncrementalFingerprints;
use super::java_program::Shared;
use super::kept_states::KeptStates;
use super::next_operations::NextOperations;
use super::places::{Place, Places};
use super::sinks::{KINDS, PartitionKey, Sink};
use super::transition::GIVES_UP;
use super::{Exploration, Races, Rewind};
use crate::distance::{Guide, Rangefinder};
use crate::machine::visible::Timeouts;
use crate::machine::{Machine, Status, Stop};
use sojourner_program::{
    Choice, Component, Detail, Encode, Encoded, Fault, Finding, Footprint, ObjectId, Partition, Program,
    Promises, Reducible, Stateful, Status as ThreadStatus, Step, Target, Thread, ThreadId, Usage,
};
use std::sync::Arc;
use std::time::Duration;

/// Steps of random executions in which nothing is learned, after which they end.
const PATIENCE: usize = 4096;
/// The longest that the first of them may take.
const LONGEST_FIRST: Duration = Duration::from_secs(1);
/// Bytes of the program's objects at which one of them ends: the search does not look at how much memory they use.
const MOST_BYTES: u64 = 64 << 20;

/// How a program stood before a step.
struct StateBefore {
    /// The machine's number of the thread that moves.
    thread: usize,
    /// The number of threads.
    threads: usize,
    /// Whether the thread does not do what it stands before, but gives up waiting for it.
    ends_waiting: bool,
    /// Whether it is the main thread, which has waited for all others to end.
    leaves: bool,
}

/// A Java program, standing in some state.
pub struct Execution {
    pub(super) machine: Machine,
    pub(super) settings: Exploration,
    pub(super) shared: Arc<Shared>,
    pub(super) canonical: CanonicalWalk,
    pub(super) incremental: IncrementalFingerprints,
    pub(super) next_operations: NextOperations,
    pub(super) places: Places,
    pub(super) garbage: GarbageCount,
    pub(super) kept: KeptStates,
    scratch: Vec<Choice>,
    /// Tells how far it is from the places that a search wants to reach.
    rangefinder: Option<Box<Rangefinder>>,
    /// Whether the last step was a data choice of the program.
    chose_value: bool,
    /// Whether it has chosen a value for the program, in whatever execution.
    has_chosen: bool,
}

impl Execution {
    pub(super) fn new(machine: Machine, settings: Exploration, shared: Arc<Shared>) -> Execution {
        let mut execution = Execution {
            canonical: CanonicalWalk::new(settings.gc),
            garbage: GarbageCount::new(settings.gc),
            machine,
            settings,
            shared,
            incremental: IncrementalFingerprints::default(),
            next_operations: NextOperations::default(),
            places: Places::default(),
            kept: KeptStates::default(),
            scratch: Vec::new(),
            rangefinder: None,
            chose_value: false,
            has_chosen: false,
        };
        execution.begin_places();
        execution
    }

    /// The machine's number of a thread.
    fn thread(&self, id: ThreadId) -> Option<usize> {
        self.machine.threads.list.iter().position(|thread| thread.id == id)
    }

    /// Goes back until only so many transitions can be taken back.
    pub(super) fn rewind_to(&mut self, marks: usize) {
        if marks < self.machine.marks() {
            self.machine.rewind_to(marks);
            self.places.rewind(marks);
            self.incremental.rewind(marks);
            if self.machine.scheduling.settings.symmetry != crate::machine::visible::Symmetry::Canonical {
                self.canonical.forget(&self.machine);
            }
        }
    }

    /// What belongs to a state may be something else from now on.
    pub(super) fn forget_states(&mut self) {
        (self.canonical, self.incremental) =
            (CanonicalWalk::new(self.settings.gc), IncrementalFingerprints::default());
    }

    /// The same, with what knows how far it is from the places that a search wants to reach.
    pub(super) fn guided_by(self, guide: Option<Arc<Guide>>) -> Execution {
        Execution { rangefinder: guide.map(|guide| Box::new(Rangefinder::new(guide))), ..self }
    }

    /// Takes a choice. What the transition came to is for the caller.
    pub(super) fn take(&mut self, choice: Choice) -> Stop {
        let thread = self.thread(choice.thread).expect("the choice was offered here");
        self.places.push(choice);
        self.chose_value = self.machine.threads.list[thread].outcomes > 0;
        self.has_chosen |= self.chose_value;
        let threads = self.machine.threads.list.len();
        let stop = self.machine.transition(thread, choice.value());
        self.machine.find_unpredictable_steps(thread, threads);
        if let Some(allocated) = self.machine.heap.allocated_by_creator() {
            self.machine.state_mut(thread).allocated = allocated;
        }
        self.machine.undo_nothing_more();
        self.canonical.identify(&self.machine);
        stop
    }

    /// The choices of one thread.
    fn choices_of(&self, thread: usize, out: &mut Vec<Choice>) {
        let machine = &self.machine;
        let at = &machine.threads.list[thread];
        let waiters = machine.waiters_to_choose(thread) as u32;
        if at.stays_in_loop || at.suspended {
            return;
        }
        if at.outcomes > 0 {
            out.extend((0..at.outcomes).map(|value| Choice::pick(at.id, value)));
        } else if waiters > 1 {
            out.extend((0..waiters).map(|value| Choice::pick(at.id, value)));
        } else if machine.is_enabled(thread) {
            out.push(Choice::run(at.id));
        } else if at.status.deadline().is_some() && !machine.gives_up_last(thread) {
            out.push(Choice::pick(at.id, GIVES_UP));
        }
    }

    fn find_choices(&self, out: &mut Vec<Choice>) {
        let machine = &self.machine;
        if machine.outcome.exit.is_some() || machine.outcome.ignored {
            return;
        }
        // Between an operation and the data choice behind it no other thread can move, nor while a thread is in an atomic
        // section and can go on.
        let threads = || machine.threads.list.iter().enumerate();
        let first = threads().find(|(_, thread)| thread.outcomes > 0 && thread.urgent && !thread.suspended);
        let first = first.or_else(|| {
            threads().find(|&(index, thread)| {
                thread.atomic > 0 && (thread.outcomes > 0 && !thread.suspended || machine.is_enabled(index))
            })
        });
        if let Some((only, _)) = first {
            return self.choices_of(only, out);
        }
        let (start, mut gets_on) = (out.len(), false);
        for thread in 0..machine.threads.list.len() {
            let before = out.len();
            self.choices_of(thread, out);
            let at = &machine.threads.list[thread];
            gets_on |= out.len() > before && (!at.spins || machine.polls_clock(thread)) || at.stays_in_loop;
        }
        if gets_on {
            self.note_patience();
        } else {
            // Nothing else can happen: those with the earliest deadline give up.
            let waiting = || threads().filter(|(_, thread)| !thread.suspended);
            let deadlines = waiting().filter_map(|(_, thread)| thread.status.deadline());
            if let Some(earliest) = deadlines.min() {
                let late = waiting().filter(|(_, thread)| thread.status.deadline() == Some(earliest));
                out.extend(late.map(|(_, thread)| Choice::pick(thread.id, GIVES_UP)));
            }
        }
        // No thread can rely on a spurious wake-up, so that threads that could only go on by one are stuck.
        if out.len() > start {
            out.extend((0..machine.threads.list.len()).filter_map(|thread| machine.spurious_choice(thread)));
        }
        if machine.threads.list.len() > 2 {
            out[start..].sort();
        }
    }

    /// The verdict has to say if time-outs were left out that could have come, on a slow machine.
    fn note_patience(&self) {
        let machine = &self.machine;
        if machine.scheduling.settings.timeouts == Timeouts::Patient
            && (0..machine.threads.list.len())
                .any(|thread| machine.is_patient(thread) || machine.threads.list[thread].polls > 0)
        {
            self.shared.note_patience();
        }
    }

    /// What a stopped transition means for the search.
    fn settle(&mut self, stop: Stop, step: &mut Step) -> Result<(), Fault> {
        // The step may have ended where none does otherwise.
        if self.machine.scheduling.cancel.is_set() {
            return Err(Fault::Cancelled);
        }
        match stop {
            Stop::Switch | Stop::Exit => {}
            Stop::Ignore(_) => self.machine.outcome.ignored = true,
            Stop::Found(finding) => {
                step.finding = Some(*finding);
                let told = self.machine.threads.list[self.machine.turn.thread].reported;
                step.goes_on = told && self.settings.beyond;
            }
            Stop::Unsupported(what) => {
                let location = match &self.machine.scheduling.permanent.refusal {
                    Some(refusal) => refusal.location.clone(),
                    None => self.machine.location_of(self.machine.turn.thread),
                };
                return Err(Fault::Unsupported { what, location });
            }
        }
        // A finding is one whatever was assumed; the search begins again at the next step.
        if step.finding.is_none()
            && let Some(why) = self.machine.scheduling.assumptions.violated.take()
        {
            return Err(Fault::Again { why });
        }
        Ok(())
    }

    /// What has to be known of the state before a step to say what it touches.
    fn state_before(&self, choice: Choice) -> Option<StateBefore> {
        let (machine, thread) = (&self.machine, self.thread(choice.thread)?);
        let at = &machine.threads.list[thread];
        let ends_waiting =
            choice.value().is_some() && at.outcomes == 0 && machine.waiters_to_choose(thread) < 2;
        let leaves = at.status == Status::Leaving && !machine.has_daemons();
        Some(StateBefore { thread, threads: machine.threads.list.len(), ends_waiting, leaves })
    }

    /// Records what a step has touched, and which threads it has started.
    fn record(&mut self, state_before: StateBefore, step: &mut Step) {
        let StateBefore { thread, threads, ends_waiting, leaves } = state_before;
        step.created.extend(self.machine.threads.list[threads..].iter().map(|thread| thread.id));
        // The main thread has waited for all others: what it does now has no other place.
        step.leaves = leaves;
        step.footprint = match leaves {
            true => Footprint::nothing(),
            false => self.machine.take_footprint(thread, ends_waiting),
        };
    }

    fn find_race(&mut self) -> Option<Finding> {
        if self.machine.threads.alive < 2 {
            return None;
        }
        self.next_operations.update(&mut self.machine);
        self.machine.race(&self.next_operations)
    }

    /// Whether it cannot go on, from whatever state: see `machine::visible::permanent`.
    pub(super) fn is_spoilt(&self) -> bool {
        self.machine.scheduling.permanent.refusal.is_some()
    }

    /// From now on it goes by what is known, and learns nothing.
    pub(super) fn follows(&mut self) {
        self.machine.scheduling.assumptions.fixed = true;
    }

    /// Takes random executions to learn what the reductions must not assume, and comes back to the start. It ends early if
    /// it has learned nothing for a while: what is learned later costs another round of the search, no more.
    /// The first execution may need ten times as long as all others together: it is the one that loads classes.
    pub(super) fn learn(
        &mut self,
        mut random: sojourner_program::Random,
        walks: usize,
        steps: usize,
        time: Duration,
    ) {
        let begin = std::time::Instant::now();
        let first = (time * 10).min(LONGEST_FIRST).max(time);
        let mut step = Step::new(Detail::Outcome);
        let mut in_vain = 0;
        for walk in 0..walks {
            let limit = if walk == 0 { first } else { time };
            for _ in 0..steps {
                let cancelled = self.machine.scheduling.cancel.is_set();
                let over = cancelled || in_vain > PATIENCE || begin.elapsed() >= limit;
                if over || self.machine.heap.dynamic() >= MOST_BYTES || self.machine.lacks_preludes() {
                    break;
                }
                let mut choices = std::mem::take(&mut self.scratch);
                choices.clear();
                self.find_choices(&mut choices);
                let choice = (!choices.is_empty()).then(|| choices[random.below(choices.len())]);
                self.scratch = choices;
                let Some(choice) = choice else { break };
                step.clear();
                let stop = self.take(choice);
                let fault = self.settle(stop, &mut step);
                in_vain = if matches!(fault, Err(Fault::Again { .. })) { 0 } else { in_vain + 1 };
                if step.finding.is_some() || matches!(fault, Err(Fault::Unsupported { .. })) {
                    break;
                }
            }
            self.rewind_to(0);
            let over = in_vain > PATIENCE || begin.elapsed() >= time;
            if over || self.machine.lacks_preludes() || self.is_spoilt() {
                break;
            }
        }
        // It is taken into account by now.
        self.machine.scheduling.assumptions.violated = None;
    }
}

impl Program for Execution {
    type Place = Place;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        self.find_choices(out);
    }

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        let races = self.settings.races;
        if races != Races::Off
            && let Some(race) = self.find_race()
        {
            if races == Races::Fail {
                return Some(race);
            }
            self.shared.warn(race);
        }
        if let Some(finding) = self.broken_property() {
            return Some(finding);
        }
        if !stuck && let Some(finding) = self.machine.closed_deadlock() {
            return Some(finding);
        }
        // A thread that goes round in a loop for ever keeps the program from its end.
        if !stuck || self.machine.stays_in_loop() {
            return None;
        }
        for warning in self.machine.blocked_at_end() {
            self.shared.warn(warning);
        }
        let finding = self.machine.judge_end(self.settings.exit);
        if self.shared.wants_end_states() && !self.machine.outcome.ignored {
            let end = self.machine.end_state(finding.as_ref());
            self.shared.end(end);
        }
        finding
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        let detailed = step.detail >= Detail::Words;
        if detailed {
            let mut offered = Vec::new();
            self.find_choices(&mut offered);
            if !offered.contains(&choice) {
                let why = format!("choice {choice:?} is not offered; offered are {offered:?}");
                return Err(Fault::Diverged { step: self.depth(), choice, why });
            }
        }
        let before = detailed.then(|| self.before(choice));
        let threads = self.machine.threads.list.len();
        let state_before = if step.detail >= Detail::Footprint { self.state_before(choice) } else { None };
        self.machine.scheduling.record.begin(detailed, state_before.is_some());
        if self.settings.rewind != Rewind::Undo {
            self.keep_state();
        }
        let stop = self.take(choice);
        self.machine.scheduling.record.wants_footprint = false;
        if let Some(state_before) = state_before {
            self.record(state_before, step);
        }
        step.has_chosen = self.chose_value;
        let settled = self.settle(stop, step);
        step.exit_status =
            self.machine.outcome.exit.filter(|_| !self.machine.outcome.ignored && !self.has_chosen);
        if let Some((words, location)) = before {
            step.words = self.after(choice, words, threads);
            // A thread that has just been started stands nowhere yet: then where it has come to must do.
            let place = self.machine.scheduling.record.location.take().or(location);
            let after = || self.machine.location_of(self.thread(choice.thread)?);
            step.location = place.or_else(after);
            step.timeout = self.machine.scheduling.record.timeout.take();
        }
        if self.shared.wants_end_states()
            && let Some(finding) = &step.finding
        {
            // How far the others have come is no end of theirs.
            self.shared.end(Machine::end_line(finding));
        }
        settled
    }

    fn depth(&self) -> usize {
        match self.settings.rewind {
            Rewind::Undo => self.machine.marks() - self.places.base,
            Rewind::Collapse | Rewind::Copy => self.kept.depth(),
        }
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        match self.settings.rewind {
            Rewind::Undo => self.rewind_to(self.places.base + depth),
            Rewind::Collapse | Rewind::Copy => self.put_back_kept(depth)?,
        }
        Ok(())
    }

    fn here(&mut self) -> Place {
        self.place()
    }

    fn go(&mut self, place: &Place) -> Result<(), Fault> {
        self.kept.clear();
        self.go_to(place)
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        let mut choices = Vec::new();
        self.find_choices(&mut choices);
        for (index, thread) in self.machine.threads.list.iter().enumerate() {
            let ready = choices.iter().any(|choice| choice.thread == thread.id);
            let on = thread.status.object().map(|object| ObjectId(u64::from(object.0) << 32));
            let status = match thread.status {
                Status::Finished => ThreadStatus::Finished,
                _ if ready => ThreadStatus::Ready,
                _ => ThreadStatus::Blocked(on),
            };
            let (id, pending) = (thread.id, self.machine.would_touch(index));
            out.push(Thread { id, status, pending, lacks: Default::default() });
        }
    }

    fn name(&self, thread: ThreadId) -> String {
        let name = self.thread(thread).map(|thread| self.machine.thread_name(thread));
        name.unwrap_or_else(|| self.shared.name(thread)).trim_matches('"').to_string()
    }

    fn object_name(&self, object: ObjectId) -> String {
        self.machine.object_text(crate::memory::Ref((object.0 >> 32) as u32))
    }

    fn distance(&mut self, target: Target) -> Option<u32> {
        match target {
            Target::Finding => self.rangefinder.as_mut()?.distance(&self.machine),
            Target::Goal(_) => None,
        }
    }

    fn describe(&mut self) -> String {
        self.describe_state()
    }

    fn usage(&self) -> Usage {
        let path =
            self.machine.path_bytes() + self.incremental.bytes() + self.garbage.bytes() + self.kept.bytes();
        Usage { path: path as u64, pools: self.places.bytes() as u64, garbage: Some(self.garbage.total()) }
    }

    fn place_bytes(&self, place: &Place) -> usize {
        place.bytes_elsewhere()
    }
}

impl Reducible for Execution {
    fn prepare_reduction(&mut self, _: bool) -> Result<Promises, Fault> {
        self.machine.step_singly();
        let settings = &self.settings;
        let judges_all = !settings.properties.is_empty() || settings.races == Races::Fail;
        Ok(Promises { exact_footprints: self.machine.has_exact_footprints(), judges_ends_only: !judges_all })
    }

    fn is_cut(&mut self) -> bool {
        self.machine.stays_in_loop()
    }

    fn retract(&mut self) -> Option<Fault> {
        self.machine.follow_vain_rounds()
    }
}

/// Writes components into an encoding.
struct Encoder<'a> {
    out: &'a mut Encoded,
    kind: Option<u8>,
    bytes: Vec<u8>,
}

impl Encoder<'_> {
    fn flush(&mut self) {
        if let Some(kind) = self.kind {
            self.out.put(kind, &self.bytes);
            self.bytes.clear();
        }
    }
}

impl Sink for Encoder<'_> {
    fn begin(&mut self, kind: u8, _: u64) {
        self.flush();
        self.kind = Some(kind);
    }

    fn word(&mut self, mut word: u64) {
        // Most words are small.
        while word >= 0x80 {
            self.bytes.push(word as u8 | 0x80);
            word >>= 7;
        }
        self.bytes.push(word as u8);
    }
}

impl Stateful for Execution {
    fn fingerprint(&mut self) -> u128 {
        let fingerprint = self.incremental.fingerprint(&self.machine, &mut self.canonical);
        let (alive, marked) = self.incremental.found(&self.canonical);
        self.garbage.by_fingerprint = true;
        self.garbage.note(self.machine.marks(), self.machine.heap.allocated(), alive, marked);
        fingerprint
    }

    fn withholds_choices(&self) -> bool {
        let machine = &self.machine;
        machine.scheduling.settings.timeouts != Timeouts::Any
            && machine
                .threads
                .list
                .iter()
                .any(|thread| (thread.status.deadline().is_some() || thread.polls > 0) && !thread.suspended)
    }
}

/// A search goes to a state of a Java program by its place. An encoding is for comparing states, and cannot be decoded.
impl Encode for Execution {
    fn encode(&mut self, out: &mut Encoded) {
        let mut encoder = Encoder { out, kind: None, bytes: Vec::new() };
        self.canonical.walk(&self.machine, &mut encoder);
        encoder.flush();
        if !self.garbage.by_fingerprint {
            let alive = self.canonical.numbers.queue.len();
            self.garbage.note(self.machine.marks(), self.machine.heap.allocated(), alive, true);
        }
    }

    fn kinds(&self) -> Vec<String> {
        KINDS.iter().map(ToString::to_string).collect()
    }

    fn components(&mut self, out: &mut Vec<Component>) {
        let mut named = super::differences::ComponentRecorder::new(&self.machine);
        self.canonical.walk(&self.machine, &mut named);
        named.finish(out);
    }

    fn partition_key(&mut self, by: Partition) -> u64 {
        let mut part = PartitionKey::new(by);
        self.canonical.walk(&self.machine, &mut part);
        part.finish()
    }
}
