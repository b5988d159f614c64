//! Searches by states that the runtime goes on with by itself: handing over the path, and taking it back.

use crate::execution::Execution;
use crate::requests::Goal;
use crate::worker::{Lost, Worker};
use sojourner_native_rt::protocol::{
    Command, Cursor, Ending, GOES_ROUND_KNOWN, MOST_STEPS, MOST_UNSETTLED, NO_VALUE, Taken, UNORDERED_KNOWN,
    WITHHOLDS,
};
use sojourner_program::{Choice, Fault, Limits, OpenPath, Searched, ThreadId, Unsettled};
use std::sync::atomic::Ordering::Relaxed;

impl Execution {
    /// See [`Stateful::search_on`](sojourner_program::Stateful::search_on).
    pub(crate) fn go_on_with_search(
        &mut self,
        path: &mut OpenPath,
        limits: Limits,
    ) -> Result<Option<Searched>, Fault> {
        let Some(depth) = path.states.len().checked_sub(1) else { return Ok(None) };
        if !self.may_go_on(path, depth) || !self.hand_over(path, depth, limits) {
            return Ok(None);
        }
        // What shows before the driver has come to it does not count.
        let known = (self.met, self.overflows, self.outlasts);
        let asked = self.send(Command::Search, Goal::default());
        if matches!(asked, Err(Lost::Cancelled)) {
            return Err(Fault::Cancelled);
        }
        let searched = self.take_back(path, asked.is_ok());
        (self.met, self.overflows, self.outlasts) = known;
        if asked.is_err() {
            self.start_again()?;
        }
        Ok(Some(searched))
    }

    /// Whether nothing is known of the program that has to be looked at in every step.
    fn may_go_on(&mut self, path: &OpenPath, depth: usize) -> bool {
        let shared = &self.shared;
        let late = [&shared.waited, &shared.withheld, &shared.alarms, &shared.isolated];
        let plain = !self.is_following() && self.base == 0 && self.lost.is_none() && !self.crowded;
        if !plain || self.path.exits_early || self.met || late.into_iter().any(|flag| flag.load(Relaxed)) {
            return false;
        }
        self.schedule.truncate(depth);
        self.ahead.asked = None;
        let unsettled = path.unsettled.as_ref().map_or(0, |unsettled| unsettled.fingerprints.len());
        let told = (0..2).all(|back| depth < back || self.worker.region.state(depth - back).sum != 0);
        self.at() == depth && depth < self.rows && told && unsettled < MOST_UNSETTLED
    }

    /// Writes the path, and how far to go, into the region. Whether that is possible.
    fn hand_over(&mut self, path: &OpenPath, depth: usize, limits: Limits) -> bool {
        let Some(table) = self.shared.table() else { return false };
        let first = if self.handed_over { path.unchanged } else { 0 };
        for at in first..=depth {
            let Some(cursor) = self.cursor(at, path.open(at)) else { return false };
            self.worker.region.set_cursor(at, cursor);
        }
        let known = [
            (GOES_ROUND_KNOWN, self.path.goes_round),
            (UNORDERED_KNOWN, self.path.told),
            (WITHHOLDS, [&self.shared.sampled, &self.shared.tried].iter().any(|flag| flag.load(Relaxed))),
        ];
        let known = known.iter().filter(|(_, is_known)| *is_known).fold(0, |flags, (flag, _)| flags | flag);
        let stands = self.ending == Ending::Paused && self.at() + 1 == self.rows;
        let (words, touches) = (self.stacks.len() as u32, self.section_touches.len() as u32);
        let region = &mut self.worker.region;
        let unsettled = path.unsettled.as_ref();
        let (states, on_path) = unsettled.map_or((0, 0), |all| (all.fingerprints.len(), all.path.len()));
        if let Some(Unsettled { fingerprints, path }) = unsettled {
            region.set_unsettled(fingerprints, path);
        }
        let search = &region.header().search;
        table.tell(search);
        search.depth.set(depth as u32);
        search.lowest.set(depth as u32 + 1);
        search.stands.set(u32::from(stands));
        search.stops.set(1);
        search.most_transitions.set(limits.transitions);
        search.most_states.set(limits.states);
        search.transitions.set(0);
        search.states.set(0);
        search.max_depth.set(0);
        search.deepest.set(crate::states::DEEPEST as u32 - 1);
        search.tracks.set(u32::from(unsettled.is_some()));
        search.unsettled.set(states as u32);
        search.on_path.set(on_path as u32);
        search.words.set(words);
        search.touches.set(touches);
        search.known.set(known);
        true
    }

    /// From which choice on those of a state are open, if they are the last ones in the order of threads.
    fn cursor(&self, at: usize, open: &[Choice]) -> Option<Cursor> {
        let taken = |choice: &Choice| {
            let thread = self.threads.iter().position(|thread| *thread == choice.thread)? as u32;
            Some(Taken { thread, value: choice.value().unwrap_or(NO_VALUE) })
        };
        let all: Option<Vec<Cursor>> = open.iter().map(|choice| taken(choice).map(Cursor::at)).collect();
        let Some(first) = all?.into_iter().min() else { return Some(Cursor::END) };
        let left: Vec<Choice> = self.open_from(at, first).collect();
        (left.len() == open.len() && left.iter().all(|choice| open.contains(choice))).then_some(first)
    }

    /// The choices of a state from one on.
    fn open_from(&self, at: usize, cursor: Cursor) -> impl Iterator<Item = Choice> {
        let state = self.worker.region.state(at);
        let offer = move |thread: u32| state.pending(thread as usize).map_or(0, |pending| pending.offer);
        let threads = (state.threads() as u32).min(self.threads.len() as u32);
        let mut cursor = Some(cursor);
        std::iter::from_fn(move || {
            let (taken, behind) = cursor?.next(threads, offer)?;
            cursor = Some(behind);
            Some(taken)
        })
        .map(|taken| self.choice_of(taken))
    }

    fn choice_of(&self, Taken { thread, value }: Taken) -> Choice {
        let thread = self.threads.get(thread as usize).copied().unwrap_or(ThreadId(0));
        if value == NO_VALUE { Choice::run(thread) } else { Choice::pick(thread, value) }
    }

    /// Reads the path and what was counted, also if the worker has died on the way.
    fn take_back(&mut self, path: &mut OpenPath, is_there: bool) -> Searched {
        let header = self.worker.region.header();
        let search = &header.search;
        let depth = (search.depth.get() as usize).min(MOST_STEPS - 1);
        let lowest = (search.lowest.get() as usize).min(path.states.len()).min(depth + 1);
        let stands = is_there && search.stands.get() != 0;
        let searched = Searched {
            transitions: search.transitions.get(),
            states: search.states.get(),
            max_depth: u64::from(search.max_depth.get()),
            steps: search.stops.get() != 0 || !is_there,
        };
        let (states, on_path) = (search.unsettled.get() as usize, search.on_path.get() as usize);
        header.rows.set(depth as u32 + 1);
        header.ending.set(Ending::Paused as u32);
        self.take_over(0, true);
        // Where the worker does not stand there, the next step begins an execution.
        self.ending = if stands { Ending::Paused } else { Ending::NoSuchChoice };
        self.schedule.truncate(lowest);
        for at in self.schedule.len()..depth {
            let taken = self.choice_of(self.worker.region.taken(at));
            self.schedule.push(taken);
        }
        path.truncate(lowest);
        for at in lowest..=depth {
            let taken = self.schedule.get(at).copied().unwrap_or(Choice::run(ThreadId(0)));
            let open: Vec<Choice> = self.open_from(at, self.worker.region.cursor(at)).collect();
            path.push(taken, open);
        }
        path.unchanged = lowest;
        if let Some(unsettled) = &mut path.unsettled {
            self.worker.region.read_unsettled(states, on_path, unsettled);
        }
        self.path.forget();
        self.handed_over = is_there;
        searched
    }

    /// The worker has died in the search: another one takes its place, in the last state of the path.
    #[cold]
    fn start_again(&mut self) -> Result<(), Fault> {
        let depth = self.at();
        let choices: Vec<Taken> = (0..depth).map(|depth| self.worker.region.taken(depth)).collect();
        self.worker = Worker::start(&self.launch)?;
        for (depth, &taken) in choices.iter().enumerate() {
            self.worker.region.set_taken(depth, taken);
        }
        match self.send(Command::Run, Goal { steps: depth, ..Goal::default() }) {
            Ok(()) => self.take_over(0, false),
            Err(Lost::Cancelled) => return Err(Fault::Cancelled),
            Err(lost) => {
                let why = format!("{}, and not always at the same step", self.lost(lost).message);
                return Err(Fault::Crashed { why });
            }
        }
        Ok(())
    }
}
