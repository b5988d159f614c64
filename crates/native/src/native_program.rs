//! What makes programs: an executable with its arguments, ready to be explored.

use crate::assumptions::Assumptions;
use crate::cells::Cells;
use crate::distance::Guide;
use crate::draws::Draws;
use crate::execution::Execution;
use crate::exploration::Exploration;
use crate::front_end::Content;
use crate::processes::Processes;
use crate::section_touches::SectionTouches;
use crate::shared_table::SharedTable;
use crate::symbols;
use crate::worker::{Launch, Worker};
use sojourner_distance::{Measure, Unit};
use sojourner_frontend::Destination;
use sojourner_native_rt::protocol::Unkept;
use sojourner_program::{Cancel, Fault, Finding, Load, ProcessMemory, SharedSet, Threads};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Weak};

/// An executable that is linked with the runtime, with its arguments.
pub struct NativeProgram {
    executable: PathBuf,
    arguments: Vec<String>,
    exploration: Exploration,
    content: Arc<Content>,
    shared: Arc<Shared>,
    processes: Arc<Processes>,
    unkept: Unkept,
}

/// What was learned of a program whose threads go round together, in a word.
const ROUNDS: &str = "rounds";
/// The same of one whose threads may end it while others still go round.
const EXITS: &str = "exits";
/// The same of one that a search by states has seen to go on for ever: a program that follows it keeps no thread from repeating itself.
const ENDLESS: &str = "endless";

/// What all programs of a subject share.
pub(crate) struct Shared {
    pub threads: Threads,
    pub cells: Cells,
    pub symbols: Arc<symbols::Shared>,
    pub exploration: Exploration,
    pub assumptions: Assumptions,
    /// Whether the program is known to have atomic sections that are not one step.
    pub sections: AtomicBool,
    /// What threads touch in those that are.
    pub section_touches: SectionTouches,
    /// Whether each execution has a process of its own.
    pub isolated: AtomicBool,
    /// Whether reductions may leave threads alone that repeat themselves.
    pub cuts: AtomicBool,
    /// Whether the program is known to come back to states that it has been in.
    pub revisits: AtomicBool,
    /// Whether a search by states is known to come to threads that go round while another thread waits to end the program.
    pub exits: AtomicBool,
    /// Whether a search by states has found that the program goes on for ever.
    pub endless: AtomicBool,
    /// Races were not looked for everywhere.
    pub races_missed: AtomicBool,
    /// Locks were tried where others take several at once.
    pub tried: AtomicBool,
    /// The program asked for values of which only some were tried.
    pub sampled: AtomicBool,
    /// A thread was stopped because there were too many.
    pub crowded: AtomicBool,
    /// An alarm was set.
    pub alarms: AtomicBool,
    /// Executions that go on for ever are no findings.
    pub ignores_endless: AtomicBool,
    /// A step let time pass because no other thread could move.
    pub waited: AtomicBool,
    /// A time-out was withheld because another thread could move.
    pub withheld: AtomicBool,
    /// A state that was gone back to was not the one that had been copied.
    pub unrestored: AtomicBool,
    /// Random numbers of which one value was explored.
    pub draws: Draws,
    /// The table of the search that is gone on with by workers, if there is one.
    table: Mutex<Weak<SharedTable>>,
    warnings: Mutex<Vec<Finding>>,
    guide: Mutex<Option<Arc<Guide>>>,
}

impl Shared {
    /// Whether the same has been warned of.
    pub fn has_warned_of(&self, finding: &Finding) -> bool {
        let warnings = self.warnings.lock().expect("no holder panics");
        warnings.iter().any(|known| known.same_defect(finding))
    }

    /// The same knowledge, which grows by itself from now on, and nothing to warn of.
    fn twin(&self) -> Shared {
        let copy = |flag: &AtomicBool| AtomicBool::new(flag.load(Relaxed));
        Shared {
            threads: self.threads.copy(),
            cells: self.cells.copy(),
            symbols: Arc::clone(&self.symbols),
            exploration: self.exploration.clone(),
            assumptions: self.assumptions.copy(),
            sections: copy(&self.sections),
            section_touches: self.section_touches.copy(),
            isolated: copy(&self.isolated),
            cuts: copy(&self.cuts),
            revisits: copy(&self.revisits),
            exits: copy(&self.exits),
            endless: copy(&self.endless),
            races_missed: copy(&self.races_missed),
            tried: copy(&self.tried),
            sampled: copy(&self.sampled),
            crowded: copy(&self.crowded),
            alarms: copy(&self.alarms),
            ignores_endless: copy(&self.ignores_endless),
            waited: copy(&self.waited),
            withheld: copy(&self.withheld),
            unrestored: copy(&self.unrestored),
            draws: Draws::default(),
            table: Mutex::default(),
            warnings: Mutex::default(),
            guide: Mutex::new(self.guide()),
        }
    }

    /// Takes over what has to be said of the executions of a twin.
    fn take_notes_of(&self, twin: &Shared) {
        let flags: [fn(&Shared) -> &AtomicBool; 9] = [
            |shared| &shared.isolated,
            |shared| &shared.races_missed,
            |shared| &shared.tried,
            |shared| &shared.sampled,
            |shared| &shared.crowded,
            |shared| &shared.alarms,
            |shared| &shared.waited,
            |shared| &shared.withheld,
            |shared| &shared.unrestored,
        ];
        for flag in flags {
            flag(self).fetch_or(flag(twin).load(Relaxed), Relaxed);
        }
        self.draws.add_all(&twin.draws);
        let warnings = std::mem::take(&mut *twin.warnings.lock().expect("no holder panics"));
        warnings.into_iter().for_each(|finding| self.warn(finding));
    }

    /// The table that a search shares with its workers, if one does.
    pub fn table(&self) -> Option<Arc<SharedTable>> {
        self.table.lock().expect("no holder panics").upgrade()
    }

    /// What knows the distances from the places that a search wants to reach, if it wants to reach some.
    pub fn guide(&self) -> Option<Arc<Guide>> {
        self.guide.lock().expect("no holder panics").clone()
    }

    /// A new table, unless a search has one.
    fn new_table(&self) -> Option<Arc<SharedTable>> {
        let mut table = self.table.lock().expect("no holder panics");
        if table.strong_count() > 0 {
            return None;
        }
        let new = Arc::new(SharedTable::new().ok()?);
        *table = Arc::downgrade(&new);
        Some(new)
    }

    /// Notes something to warn of, once.
    pub fn warn(&self, finding: Finding) {
        let mut warnings = self.warnings.lock().expect("no holder panics");
        if !warnings.iter().any(|known| known.same_defect(&finding)) {
            warnings.push(finding);
        }
    }
}

impl NativeProgram {
    /// An executable with its arguments, explored in that way.
    pub fn new(executable: &Path, arguments: Vec<String>, exploration: Exploration) -> NativeProgram {
        let shared = Shared {
            threads: Threads::new(1),
            cells: Cells::default(),
            symbols: Arc::new(symbols::Shared::of(executable)),
            exploration: exploration.clone(),
            assumptions: Assumptions::default(),
            sections: AtomicBool::new(false),
            section_touches: SectionTouches::default(),
            isolated: AtomicBool::new(exploration.isolate),
            cuts: AtomicBool::new(true),
            revisits: AtomicBool::new(false),
            exits: AtomicBool::new(false),
            endless: AtomicBool::new(false),
            races_missed: AtomicBool::new(false),
            tried: AtomicBool::new(false),
            sampled: AtomicBool::new(false),
            crowded: AtomicBool::new(false),
            alarms: AtomicBool::new(false),
            ignores_endless: AtomicBool::new(false),
            waited: AtomicBool::new(false),
            withheld: AtomicBool::new(false),
            unrestored: AtomicBool::new(false),
            draws: Draws::default(),
            table: Mutex::default(),
            warnings: Mutex::default(),
            guide: Mutex::default(),
        };
        NativeProgram {
            executable: executable.to_path_buf(),
            arguments,
            exploration,
            content: Arc::new(Content { files: vec![executable.to_path_buf()], ..Content::default() }),
            shared: Arc::new(shared),
            processes: Arc::default(),
            unkept: Unkept::Nothing,
        }
    }

    /// The same with a part of its state missing in checkpoints, so that tests see whether that is noticed.
    #[doc(hidden)]
    pub fn leaving_out(self, unkept: Unkept) -> NativeProgram {
        NativeProgram { unkept, ..self }
    }

    /// The same, made of these files.
    pub(crate) fn with_content(self, content: Content) -> NativeProgram {
        NativeProgram { content: Arc::new(content), ..self }
    }

    /// The same program, which has learned nothing but this.
    pub(crate) fn afresh(&self, learned: Option<&[String]>) -> NativeProgram {
        let program = NativeProgram::new(&self.executable, self.arguments.clone(), self.exploration.clone());
        program.learn(learned.unwrap_or_default());
        NativeProgram { content: Arc::clone(&self.content), unkept: self.unkept, ..program }
    }

    /// What it was made of.
    pub(crate) fn content(&self) -> &Content {
        &self.content
    }

    /// The executable.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// Whether the executable has the runtime in it. One that has not would run as it does without us.
    pub fn is_linked(&self) -> bool {
        self.shared.symbols.has_runtime()
    }

    /// How it is explored.
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// What there was to warn of so far: data races, if they are no findings.
    pub fn warnings(&self) -> Vec<Finding> {
        self.shared.warnings.lock().expect("no holder panics").clone()
    }

    /// Whether races were not looked for everywhere: some execution had more objects than there is room for.
    pub fn has_missed_races(&self) -> bool {
        self.shared.races_missed.load(Relaxed)
    }

    /// Whether locks were tried in a program that takes several at once (`std::lock`), which is one step for each attempt: that a
    /// lock is held only for the time of an attempt was not explored.
    pub fn has_hidden_attempts(&self) -> bool {
        self.shared.tried.load(Relaxed)
    }

    /// The places at which random numbers were drawn of which one value was explored, with what drew them.
    pub fn draws(&self) -> Vec<String> {
        self.shared.draws.numbers()
    }

    /// The places at which the program asked for the time of day, of which one value was explored.
    pub fn times_of_day(&self) -> Vec<String> {
        self.shared.draws.times()
    }

    /// Whether alarms were set: their handlers are called only where a thread sleeps, pauses or looks at the clock.
    pub fn has_alarms(&self) -> bool {
        self.shared.alarms.load(Relaxed)
    }

    /// From now on, executions in which threads go round for ever are no findings. They end where a thread does so.
    pub fn ignore_endless(&self) {
        self.shared.ignores_endless.store(true, Relaxed);
    }

    /// Whether time-outs were left out because another thread could move: see [`Timeouts`](crate::Timeouts).
    pub fn has_withheld_timeouts(&self) -> bool {
        self.shared.withheld.load(Relaxed)
    }

    /// Whether a state that was gone back to was not the one that had been copied. Executions had no checkpoints from then on.
    pub fn has_lost_checkpoints(&self) -> bool {
        self.shared.unrestored.load(Relaxed)
    }

    /// Whether threads can go round together, each because of what the others do. Whether they can do so for ever only a search by
    /// states tells.
    pub fn goes_round(&self) -> bool {
        self.shared.revisits.load(Relaxed)
    }

    /// Whether each execution has had a process of its own, at least in the end.
    pub fn is_isolated(&self) -> bool {
        self.shared.isolated.load(Relaxed)
    }

    /// From now on, programs know how far they are from the nearest of these places; with none, from all failures that the program
    /// names. An error says what cannot be found.
    pub fn guide(&self, destinations: &[Destination], measure: Measure, unit: Unit) -> Result<(), String> {
        let guide = Guide::new(&self.executable, &self.shared.symbols, destinations, measure, unit)?;
        *self.shared.guide.lock().expect("no holder panics") = Some(Arc::new(guide));
        Ok(())
    }

    pub(crate) fn launch(&self, prints: bool) -> Launch {
        Launch {
            executable: self.executable.clone(),
            arguments: self.arguments.clone(),
            patience: self.exploration.patience,
            finds_hangs: !self.shared.ignores_endless.load(Relaxed),
            isolate: self.shared.isolated.load(Relaxed),
            unkept: self.unkept,
            prints,
            processes: Arc::clone(&self.processes),
        }
    }

    fn start(&self, follows: bool) -> Result<Execution, Fault> {
        if !self.is_linked() {
            // Whatever it is, it is not ours to run: a text would be taken for a script of the shell.
            let what =
                format!("{} is not linked with the runtime: no program of ours", self.executable.display());
            return Err(Fault::Unsupported { what, location: None });
        }
        let worker = Worker::start(&self.launch(false))?;
        Execution::new(worker, self.launch(false), Arc::clone(&self.shared), follows)
    }
}

impl Load for NativeProgram {
    type P = Execution;

    fn open(&self) -> Result<Execution, Fault> {
        self.start(false)
    }

    fn open_to_follow(&self) -> Result<Execution, Fault> {
        self.start(true)
    }

    fn learned(&self) -> Vec<String> {
        let Shared { revisits, exits, endless, .. } = &*self.shared;
        let flags = [(revisits, ROUNDS), (exits, EXITS), (endless, ENDLESS)];
        let flags =
            flags.into_iter().filter(|(flag, _)| flag.load(Relaxed)).map(|(_, word)| word.to_string());
        self.shared.assumptions.lines().into_iter().chain(flags).collect()
    }

    fn learn(&self, learned: &[String]) {
        self.shared.assumptions.learn(learned);
        let Shared { revisits, exits, endless, .. } = &*self.shared;
        for (flag, word) in [(revisits, ROUNDS), (exits, EXITS), (endless, ENDLESS)] {
            flag.fetch_or(learned.iter().any(|line| line == word), Relaxed);
        }
    }

    fn twin(&self) -> Option<NativeProgram> {
        Some(NativeProgram {
            executable: self.executable.clone(),
            arguments: self.arguments.clone(),
            exploration: self.exploration.clone(),
            content: self.content.clone(),
            shared: Arc::new(self.shared.twin()),
            processes: Arc::new(self.processes.twin()),
            unkept: self.unkept,
        })
    }

    fn take_notes_of(&self, twin: &NativeProgram) {
        self.shared.take_notes_of(&twin.shared);
    }

    fn leaves_out(&self) -> Option<&'static str> {
        match (self.shared.sampled.load(Relaxed), self.shared.crowded.load(Relaxed)) {
            (true, _) => Some("values: the program asks for values of which only some were tried"),
            (_, true) => Some("threads: the program creates more than can be followed, and had eight"),
            _ => None,
        }
    }

    fn set_cancel(&self, cancel: &Cancel) {
        self.processes.heed(cancel);
    }

    fn shared_set(&self) -> Option<Arc<dyn SharedSet>> {
        self.shared.new_table().map(|table| table as _)
    }

    fn process_memory(&self) -> ProcessMemory {
        self.processes.memory()
    }

    fn threads(&self) -> &Threads {
        &self.shared.threads
    }
}
