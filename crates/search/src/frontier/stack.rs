//! The stack of a depth-first search. Several of them share one search by cutting off what is open.
//!
//! A frame is some 30 bytes and its choices eight each, in one arena: a path of a million states takes some tens of
//! megabytes, and nothing here recurses. The path to the top is what the frames have taken; no frame carries it.

use super::{Arrival, Frontier, Next, Picker};
use crate::ahead::UNKNOWN;
use crate::control::Control;
use crate::endless::{Left, Tracker};
use crate::memory::capacity;
use crate::pool::Pool;
use crate::{Past, Reason, TurnBack};
use sojourner_program::{Choice, Detail, Fault, OpenPath, Program, Schedule, Step, ThreadId};
use std::sync::Arc;

/// An open state on the path. Its choices lie in the arena from `start`; those from `next` to `end` are still to
/// be taken.
#[derive(Clone, Copy)]
struct Frame {
    start: u32,
    next: u32,
    end: u32,
    past: Past,
    taken: Choice,
}

impl Frame {
    fn open(&self) -> usize {
        (self.end - self.next) as usize
    }
}

/// The frontier of depth-first search: the frame at depth `d` is the `d`th state of the path.
pub(crate) struct Stack {
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    /// The fingerprints behind the choices from `prints_from` on, as far as they are known.
    prints: Vec<u128>,
    prints_from: usize,
    turn: Option<TurnBack>,
    pool: Option<Arc<Pool<Job>>>,
    until_sharing: u32,
    /// Looks for executions without an end, if that is wanted.
    tracker: Option<Tracker<Job>>,
    /// The path as it was lent the last time, and how many of its first states are still so.
    lent: OpenPath,
    unchanged: usize,
}

/// Steps between two looks at whether another worker is idle.
const SHARE_EVERY: u32 = 256;

/// Fingerprints that are kept, of the deepest frames: a deep stack would be mostly these.
const MOST_PRINTS: usize = 1 << 18;

impl Stack {
    /// An empty stack that turns back as `turn` says, if at all early, and shares by `pool` if there is one.
    pub fn new(turn: Option<TurnBack>, pool: Option<Arc<Pool<Job>>>, tracker: Option<Tracker<Job>>) -> Self {
        Stack {
            frames: Vec::new(),
            choices: Vec::new(),
            prints: Vec::new(),
            prints_from: 0,
            turn,
            pool,
            until_sharing: SHARE_EVERY,
            tracker,
            lent: OpenPath::default(),
            unchanged: 0,
        }
    }

    /// Goes back from the top over as many transitions as the turning-back rule says.
    fn back(&mut self, control: &Control<'_>) {
        let depth = self.frames.len() - 1;
        let length = self.turn.as_mut().map_or(1, |turn| turn.length(depth));
        let keep = (depth + 1).saturating_sub(length);
        // A jump beyond the first state ends the search; to come back over the last transition does so anyway.
        let keep = if length > depth { 0 } else { keep };
        if self.frames[keep..].iter().any(|frame| frame.open() > 0) {
            control.cut(Reason::Randomised);
            // What lies behind the choices that are left out is not known.
            self.failed_here();
        }
        if let Some(tracker) = &mut self.tracker {
            for depth in (keep..=depth).rev() {
                let before = &self.frames[..depth];
                if tracker.leave(|| Job::last_of(before)) == Left::Trapped {
                    control.trapped(|| before.iter().map(|frame| frame.taken).collect());
                }
            }
        }
        let start = self.frames[keep].start as usize;
        self.choices.truncate(start);
        self.prints.truncate(start.saturating_sub(self.prints_from));
        self.frames.truncate(keep);
        self.unchanged = self.unchanged.min(keep);
    }

    /// An execution may end from the last state of the path.
    fn failed_here(&mut self) {
        if let Some(tracker) = &mut self.tracker {
            tracker.settle();
        }
    }

    /// Finds the fingerprints behind the open choices of the top, which lie in the arena from `start` to `end`.
    #[inline(never)]
    fn look_ahead<P: Program>(
        &mut self,
        program: &mut P,
        start: usize,
        end: usize,
        picker: &mut Picker<'_, P>,
    ) -> Result<(), Fault> {
        // Those of the frames below are kept where there is no gap.
        if self.prints_from + self.prints.len() != start {
            self.prints.clear();
            self.prints_from = start;
        }
        program.rewind(self.frames.len() - 1)?;
        picker.look_ahead(program, &self.choices[start..end], &mut self.prints)?;
        if self.prints.len() > MOST_PRINTS {
            let half = self.prints.len() / 2;
            self.prints.drain(..half);
            self.prints_from += half;
        }
        Ok(())
    }

    /// The fingerprint behind the choice at `index` of the arena, if it has been looked for.
    fn print(&self, index: usize) -> Option<u128> {
        self.prints.get(index.wrapping_sub(self.prints_from)).copied()
    }

    /// Goes on with what another worker has cut off, following its schedule from the start.
    fn adopt<P: Program>(&mut self, job: Job, program: &mut P) -> Result<(), Fault> {
        program.rewind(0)?;
        let mut step = Step::new(Detail::Outcome);
        for frame in &job.frames[..job.frames.len() - 1] {
            program.step(frame.taken, &mut step)?;
        }
        (self.frames, self.choices) = (job.frames, job.choices);
        self.prints.clear();
        self.unchanged = 0;
        Ok(())
    }
}

impl<P: Program> Frontier<P> for Stack {
    fn open(&mut self, program: &mut P, at: Arrival<'_>, picker: &mut Picker<'_, P>) -> Result<(), Fault> {
        let Arrival { past, depth, choices, print, ends } = at;
        debug_assert_eq!(depth, self.frames.len());
        let offered = choices.len();
        let past = picker.prepare(program, past, depth, choices)?;
        let start = self.choices.len();
        self.choices.extend_from_slice(choices);
        let Ok(end) = u32::try_from(self.choices.len()) else {
            self.choices.truncate(start);
            picker.control.stop(Reason::Memory);
            return Ok(());
        };
        let start = start as u32;
        let taken = Choice::run(ThreadId(0));
        self.frames.push(Frame { start, next: start, end, past, taken });
        if let Some(tracker) = &mut self.tracker {
            tracker.enter(print);
            if ends || choices.len() < offered {
                tracker.settle();
            }
            if picker.control.lost_sight() || tracker.gives_up() {
                picker.control.lose_sight();
                self.tracker = None;
            }
        }
        Ok(())
    }

    #[inline]
    fn next(&mut self, program: &mut P, picker: &mut Picker<'_, P>) -> Result<Option<Next>, Fault> {
        if let Some(pool) = &self.pool {
            self.until_sharing -= 1;
            if self.until_sharing == 0 {
                self.until_sharing = SHARE_EVERY;
                if pool.hungry()
                    && let Some(job) = split(&mut self.frames, &self.choices)
                {
                    if let Some(tracker) = &mut self.tracker {
                        tracker.gave(job.frames.len() - 1, self.frames.len());
                    }
                    pool.give(job);
                }
            }
        }
        loop {
            let Some(depth) = self.frames.len().checked_sub(1) else {
                match self.pool.as_ref().and_then(|pool| pool.take(&picker.control)) {
                    Some(job) => self.adopt(job, program)?,
                    None => return Ok(None),
                }
                continue;
            };
            let Frame { next, end, past, .. } = self.frames[depth];
            if next < end && !self.turn.as_mut().is_some_and(|turn| turn.early(depth)) {
                let index = next as usize;
                if picker.ahead.is_some() && end - next > 1 && self.print(index).is_none() {
                    self.look_ahead(program, index, end as usize, picker)?;
                }
                let choice = self.choices[index];
                let top = &mut self.frames[depth];
                (top.next, top.taken) = (next + 1, choice);
                self.unchanged = self.unchanged.min(depth);
                let print = self.print(index).unwrap_or(UNKNOWN);
                return Ok(Some(Next {
                    choice,
                    past: past.after(choice),
                    depth: depth + 1,
                    from: depth,
                    print,
                }));
            }
            self.back(&picker.control);
        }
    }

    #[inline]
    fn announce(&mut self, print: u128) {
        if let Some(tracker) = &mut self.tracker {
            tracker.announce(print);
        }
    }

    #[inline]
    fn again(&mut self, print: u128) {
        if let Some(tracker) = &mut self.tracker {
            tracker.again(print);
        }
    }

    fn failed(&mut self) {
        self.failed_here();
    }

    fn lend(&mut self) -> Option<&mut OpenPath> {
        if self.pool.is_some() || self.turn.is_some() || self.frames.is_empty() {
            return None;
        }
        let Stack { frames, choices, lent, unchanged, tracker, .. } = self;
        lent.truncate(*unchanged);
        lent.unchanged = *unchanged;
        for frame in &frames[*unchanged..] {
            lent.push(frame.taken, choices[frame.next as usize..frame.end as usize].iter().copied());
        }
        match tracker {
            None => lent.unsettled = None,
            Some(tracker) => {
                if !tracker.lend(lent.unsettled.get_or_insert_default()) {
                    return None;
                }
            }
        }
        Some(lent)
    }

    fn take_back(&mut self) {
        let Stack { frames, choices, lent, tracker, .. } = self;
        if let Some(frame) = frames.get(lent.unchanged) {
            choices.truncate(frame.start as usize);
        }
        frames.truncate(lent.unchanged);
        for depth in frames.len()..lent.states.len() {
            let past = frames.last().map_or(Past::START, |before| before.past.after(before.taken));
            let start = choices.len() as u32;
            choices.extend_from_slice(lent.open(depth));
            let (end, taken) = (choices.len() as u32, lent.states[depth].taken);
            frames.push(Frame { start, next: start, end, past, taken });
        }
        self.prints.clear();
        self.unchanged = self.frames.len();
        if let (Some(tracker), Some(unsettled)) = (tracker, &self.lent.unsettled) {
            tracker.take_back(unsettled);
        }
    }

    fn path(&self) -> Schedule {
        self.frames.iter().map(|frame| frame.taken).collect()
    }

    fn len(&self) -> usize {
        self.frames.len()
    }

    fn bytes(&self) -> u64 {
        let lent = capacity(&self.lent.states) + capacity(&self.lent.choices);
        let tracked = self.tracker.as_ref().map_or(0, Tracker::bytes);
        capacity(&self.frames) + capacity(&self.choices) + capacity(&self.prints) + lent + tracked
    }
}

/// Cuts off the shallower half of what is open, where the largest parts of the tree hang, as a stack of its own.
fn split(frames: &mut [Frame], choices: &[Choice]) -> Option<Job> {
    let open: usize = frames.iter().map(Frame::open).sum();
    if open < 2 {
        return None;
    }
    let mut wanted = open / 2;
    let mut job = Job { frames: Vec::new(), choices: Vec::new() };
    for frame in frames {
        let give = frame.open().min(wanted);
        let (from, to) = (frame.end as usize - give, frame.end as usize);
        let start = job.choices.len() as u32;
        job.choices.extend_from_slice(&choices[from..to]);
        frame.end = from as u32;
        job.frames.push(Frame { start, next: start, end: job.choices.len() as u32, ..*frame });
        wanted -= give;
        if wanted == 0 {
            break;
        }
    }
    Some(job)
}

/// A part of a search that can be gone on with elsewhere: a schedule, and what is open along it.
pub(crate) struct Job {
    frames: Vec<Frame>,
    choices: Vec<Choice>,
}

impl Job {
    /// Takes the last step of a path once more; nothing if the path is empty.
    fn last_of(path: &[Frame]) -> Option<Job> {
        let choices = vec![path.last()?.taken];
        let mut frames: Vec<Frame> =
            path.iter().map(|frame| Frame { start: 0, next: 0, end: 0, ..*frame }).collect();
        frames.last_mut().expect("the path is not empty").end = 1;
        Some(Job { frames, choices })
    }
}
