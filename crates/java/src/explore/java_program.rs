//! What makes programs: a Java program with its arguments, ready to be explored.

use super::transition::LARGEST;
use super::{Execution, Exploration};
use crate::distance::Guide;
use crate::library::{ClassPath, Grant, Jdk, Launch};
use crate::machine::visible::Behaviour;
use crate::machine::visible::Learned;
use crate::machine::visible::PlaceNames;
use crate::machine::{Library, Machine, Options};
use crate::memory::SHARED;
use sojourner_distance::{Measure, Unit};
use sojourner_frontend::Destination;
use sojourner_program::{Cancel, Fault, Finding, Load, Random, ThreadId, Threads};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Bytes that are left for permanent objects.
const ROOM: u64 = 64 << 20;

/// Random executions by which a program is got to know, the most steps of each, and the time for all but the first.
const WALKS: usize = 32;
const STEPS: usize = 2_000;
const TIME: Duration = Duration::from_millis(100);
/// The time where results must not depend on the clock: the number of steps is the bound.
const NO_HURRY: Duration = Duration::from_hours(24);

/// A Java program with its arguments, ready to be explored.
pub struct JavaProgram {
    jdk: PathBuf,
    /// Packages that the JDK exports and opens on request.
    grants: [Vec<Grant>; 2],
    launch: Launch,
    arguments: Vec<String>,
    exploration: Exploration,
    /// System properties that the user sets.
    pub properties: Vec<(String, String)>,
    /// The largest size of the heap, in bytes.
    pub heap: u64,
    /// The largest number of frames on a thread's stack.
    pub frames: usize,
    learned: Arc<Learned>,
    shared: Arc<Shared>,
    known: Mutex<RandomExecutions>,
    /// Whether random executions have as much time as they take.
    unhurried: bool,
    /// What knows the way, for guided searches.
    guide: Mutex<Option<Arc<Guide>>>,
}

/// How well a program is known.
#[derive(Clone, Copy, Default)]
struct RandomExecutions {
    /// How often random executions have been taken to get to know it.
    rounds: u32,
    /// How much had been learned by then.
    lessons: usize,
}

/// What all programs of a subject share.
#[derive(Default)]
pub(super) struct Shared {
    threads: Arc<Threads>,
    warnings: Mutex<Vec<Finding>>,
    ends: Mutex<Option<BTreeSet<String>>>,
    wants_ends: std::sync::atomic::AtomicBool,
    patience: std::sync::atomic::AtomicBool,
    draws: Arc<PlaceNames>,
    long_runs: Arc<PlaceNames>,
    clean_ups: Arc<PlaceNames>,
    cancel: Mutex<Cancel>,
}

impl Shared {
    /// Notes something to warn of, once.
    pub fn warn(&self, finding: Finding) {
        let mut warnings = self.warnings.lock().expect("no holder panics");
        if !warnings.iter().any(|known| known.same_defect(&finding)) {
            warnings.push(finding);
        }
    }

    /// Notes that a thread was held up whose time-out is far away.
    pub fn note_patience(&self) {
        self.patience.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// What programs that are opened now have to heed.
    pub fn cancel(&self) -> Cancel {
        self.cancel.lock().expect("no holder panics").clone()
    }

    /// Whether end states are collected.
    pub fn wants_end_states(&self) -> bool {
        self.wants_ends.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Notes an end state.
    pub fn end(&self, state: String) {
        if let Some(ends) = &mut *self.ends.lock().expect("no holder panics") {
            ends.insert(state);
        }
    }

    /// What a thread is called that is not there.
    pub fn name(&self, thread: ThreadId) -> String {
        format!("thread {}", self.threads.identity(thread))
    }
}

impl JavaProgram {
    /// A program that is started as `launch` says, on the class library of a JDK.
    pub fn new(launch: Launch, jdk: &Jdk, arguments: Vec<String>, exploration: Exploration) -> JavaProgram {
        let shared = Shared { threads: Arc::new(Threads::new(1)), ..Shared::default() };
        let defaults = Options::default();
        JavaProgram {
            jdk: jdk.home.clone(),
            grants: [jdk.exports.clone(), jdk.opens.clone()],
            launch,
            arguments,
            exploration,
            properties: Vec::new(),
            heap: defaults.heap,
            frames: defaults.frames,
            learned: Arc::default(),
            shared: Arc::new(shared),
            known: Mutex::default(),
            unhurried: false,
            guide: Mutex::default(),
        }
    }

    /// The same program, which has learned nothing but this, and whose random executions do not depend on the clock.
    pub(crate) fn afresh(&self, learned: Option<&[String]>) -> JavaProgram {
        let shared = Shared { threads: Arc::new(Threads::new(1)), ..Shared::default() };
        let program = JavaProgram {
            jdk: self.jdk.clone(),
            grants: self.grants.clone(),
            launch: self.launch.clone(),
            arguments: self.arguments.clone(),
            exploration: self.exploration.clone(),
            properties: self.properties.clone(),
            heap: self.heap,
            frames: self.frames,
            learned: Arc::default(),
            shared: Arc::new(shared),
            known: Mutex::default(),
            unhurried: true,
            guide: Mutex::default(),
        };
        if let Some(learned) = learned {
            program.learned.read(learned);
            let known = RandomExecutions { rounds: 1, lessons: program.learned.count() };
            *program.known.lock().expect("no holder panics") = known;
        }
        program
    }

    /// What is started.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// How it is explored.
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// Says what is wrong if a property that must hold cannot be evaluated: there is no such method or class. What keeps
    /// the program from being started at all is told when it is opened.
    pub fn check_properties(&self) -> Result<(), String> {
        if self.exploration.properties.is_empty() {
            return Ok(());
        }
        match self.start(&self.learned) {
            Ok(mut execution) => execution.machine.check_properties(&self.exploration.properties),
            Err(_) => Ok(()),
        }
    }

    /// What there was to warn of so far: data races, if they are no findings.
    pub fn warnings(&self) -> Vec<Finding> {
        self.shared.warnings.lock().expect("no holder panics").clone()
    }

    /// Whether time-outs were left out because they were far away: see [`Timeouts::Patient`](super::Timeouts).
    pub fn was_patient(&self) -> bool {
        self.shared.patience.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Draws of random numbers that had one value each instead of every one: what drew, and where in the program.
    pub fn draws(&self) -> Vec<String> {
        self.shared.draws.all()
    }

    /// Places of loops in which a thread computed for long without a visible operation.
    pub fn long_runs(&self) -> Vec<String> {
        self.shared.long_runs.all()
    }

    /// Finalizers and cleaners of the program, which did not run.
    pub fn clean_ups(&self) -> Vec<String> {
        self.shared.clean_ups.all()
    }

    /// Whether a dynamic partial order reduction has explored it, which does not visit all states.
    pub fn was_reduced(&self) -> bool {
        self.learned.of(Behaviour::SingleOperations.name()).is_some()
    }

    /// From now on, end states are collected.
    pub fn collect_end_states(&self) {
        *self.shared.ends.lock().expect("no holder panics") = Some(BTreeSet::new());
        self.shared.wants_ends.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// The end states that were collected.
    pub fn end_states(&self) -> BTreeSet<String> {
        self.shared.ends.lock().expect("no holder panics").clone().unwrap_or_default()
    }

    /// From now on, programs know how far they are from these places.
    pub fn guide(&self, destinations: &[Destination], measure: Measure, unit: Unit) -> Result<(), String> {
        let execution = self.start(&self.learned).map_err(|fault| fault.to_string())?;
        let guide = Guide::new(&execution.machine, &self.launch.main_class, destinations, measure, unit)?;
        *self.guide.lock().expect("no holder panics") = Some(Arc::new(guide));
        Ok(())
    }

    fn start(&self, learned: &Arc<Learned>) -> Result<Execution, Fault> {
        let crashed = |why: String| Fault::Crashed { why };
        let mut jdk = Jdk::open(&self.jdk).map_err(|error| crashed(error.to_string()))?;
        [jdk.exports, jdk.opens] = self.grants.clone();
        let class_path =
            ClassPath::open(&self.launch.class_path).map_err(|error| crashed(error.to_string()))?;
        let options = Options {
            properties: self.properties.clone(),
            heap: self.heap,
            explores: true,
            garbage: LARGEST,
            ..Options::with_frames(self.frames)
        };
        let mut machine = Machine::boot(Rc::new(Library { jdk, class_path }), options)
            .map_err(|error| crashed(error.to_string()))?;
        machine
            .start(&self.launch.main_class, &self.arguments)
            .map_err(|error| crashed(error.to_string()))?;
        machine.scheduling.caveats.draws = Arc::clone(&self.shared.draws);
        machine.scheduling.caveats.long_runs = Arc::clone(&self.shared.long_runs);
        machine.scheduling.caveats.clean_ups = Arc::clone(&self.shared.clean_ups);
        machine.put_under_control(&self.exploration, learned, &self.shared.threads);
        machine.scheduling.cancel = self.shared.cancel();
        machine.play_preludes();
        let guide = self.guide.lock().expect("no holder panics").clone();
        let execution = Execution::new(machine, self.exploration.clone(), Arc::clone(&self.shared));
        Ok(execution.guided_by(guide))
    }
}

impl JavaProgram {
    /// Takes random executions of a program that stands at its start, unless that was done and nothing has been learned since.
    /// A lesson that those had not taught is seldom the only one: then it takes longer ones.
    fn learn_by_random_executions(&self, execution: &mut Execution) {
        let mut known = self.known.lock().expect("no holder panics");
        if known.rounds == 0 || known.lessons < self.learned.count() {
            let time = if self.unhurried { NO_HURRY } else { TIME * 2u32.pow(known.rounds.min(3)) };
            execution.learn(Random::new(known.rounds.into()), WALKS, STEPS, time);
            if execution.machine.lacks_preludes() {
                return;
            }
            known.rounds += 1;
            known.lessons = self.learned.count();
        }
    }

    /// A program that stands at its start, with all called before that is known to be: another one if this one has begun
    /// without.
    fn with_preludes(&self, mut execution: Execution) -> Result<Execution, Fault> {
        self.learn_by_random_executions(&mut execution);
        while execution.machine.lacks_preludes() {
            execution = self.start(&self.learned)?;
            self.learn_by_random_executions(&mut execution);
        }
        // What is not supported may lie on one path of many, and a search may find something before it comes there.
        if execution.is_spoilt() { self.start(&self.learned) } else { Ok(execution) }
    }
}

impl Load for JavaProgram {
    type P = Execution;

    fn open(&self) -> Result<Execution, Fault> {
        self.with_preludes(self.start(&self.learned)?)
    }

    fn renew(&self, mut program: Execution) -> Result<Execution, Fault> {
        if program.is_spoilt() {
            return self.open();
        }
        program.begin_again(&self.learned)?;
        program.machine.scheduling.cancel = self.shared.cancel();
        self.with_preludes(program)
    }

    fn open_to_follow(&self) -> Result<Execution, Fault> {
        // What others learn from now on is not for this one.
        let learned = Arc::new(Learned::default());
        learned.read(&self.learned.lines());
        let mut execution = self.start(&learned)?;
        execution.follows();
        Ok(execution)
    }

    fn learned(&self) -> Vec<String> {
        self.learned.lines()
    }

    fn learn(&self, learned: &[String]) {
        self.learned.read(learned);
    }

    fn twin(&self) -> Option<JavaProgram> {
        let ends = self.shared.wants_end_states().then(BTreeSet::new);
        let shared = Shared {
            threads: Arc::new(self.shared.threads.copy()),
            wants_ends: ends.is_some().into(),
            ends: Mutex::new(ends),
            cancel: Mutex::new(self.shared.cancel()),
            ..Shared::default()
        };
        Some(JavaProgram {
            jdk: self.jdk.clone(),
            grants: self.grants.clone(),
            launch: self.launch.clone(),
            arguments: self.arguments.clone(),
            exploration: self.exploration.clone(),
            properties: self.properties.clone(),
            heap: self.heap,
            frames: self.frames,
            learned: Arc::new(self.learned.copy()),
            shared: Arc::new(shared),
            known: Mutex::new(*self.known.lock().expect("no holder panics")),
            unhurried: self.unhurried,
            guide: Mutex::new(self.guide.lock().expect("no holder panics").clone()),
        })
    }

    fn take_notes_of(&self, twin: &JavaProgram) {
        twin.warnings().into_iter().for_each(|finding| self.shared.warn(finding));
        if twin.was_patient() {
            self.shared.note_patience();
        }
        self.shared.draws.add_all(&twin.shared.draws);
        self.shared.long_runs.add_all(&twin.shared.long_runs);
        twin.end_states().into_iter().for_each(|state| self.shared.end(state));
    }

    fn set_cancel(&self, cancel: &Cancel) {
        *self.shared.cancel.lock().expect("no holder panics") = cancel.clone();
    }

    fn threads(&self) -> &Threads {
        &self.shared.threads
    }
}

impl Execution {
    /// Is at its start again, and goes by all that has been learned.
    fn begin_again(&mut self, learned: &Arc<Learned>) -> Result<(), Fault> {
        self.go_to_start()?;
        self.kept.clear();
        self.forget_states();
        let machine = &mut self.machine;
        machine.assume_again(learned);
        Ok(())
    }
}

impl Machine {
    /// From now on, threads stop at scheduling points, and what they do can be taken back.
    fn put_under_control(&mut self, settings: &Exploration, learned: &Arc<Learned>, threads: &Arc<Threads>) {
        let flags = if settings.reduce.private { 0 } else { SHARED };
        self.heap.divide(ROOM, flags);
        let first = self.heap.permanent_top();
        let scheduling = &mut self.scheduling;
        scheduling.controlled = true;
        scheduling.settings = settings.of_machine();
        scheduling.assumes = settings.reduce.immutable || settings.reduce.locked;
        scheduling.assumptions.adopt(learned);
        scheduling.identities = Some(Arc::clone(threads));
        (scheduling.permanent.named, scheduling.permanent.first) = (first, first);
        self.scheduling.thread_local_fields =
            self.offset_of(self.known.thread, "threadLocals").into_iter().collect();
        self.update_scheduling();
    }
}
