//! States as the numbers of their components (Lerda & Visser 2001, section 2.3).
//!
//! A component is a piece of the heap, a group of the words of permanent objects that executions change, a frame, or of a
//! thread its identity, its state, its list of frames and its locks. Each is kept once, in a pool, and a state is
//! the vector of its components' numbers: a *root*. The machine goes both ways by difference. To *collapse* a state, only
//! what the journals name is looked at; the rest has the numbers that it had in an earlier state of the path. To *restore* one,
//! only the components are written whose numbers differ from those of the state that the machine is in.

use super::pools::{Sequences, Values};
use super::undo::Scalars;
use super::{Frame, Machine, Resume, Thread, ThreadState};
use crate::files::Layer;
use crate::machine::class::MethodId;
use crate::memory::{PIECE, Ref};
use hashbrown::HashMap;
use sojourner_program::ThreadId;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of permanent objects that are one component.
const GROUP: usize = 16;
/// The most numbers of a root. States with larger heaps have none: what waits in a queue would take too much memory.
const LONGEST: usize = 4096;

/// The places of numbers in a root. First come the number of all that is neither on the heap nor a thread's, the end of the heap, and how
/// many words of permanent objects were known to change. Then come the number of threads, the number of the changes to files, and how many
/// objects were allocated. The numbers of threads follow, those of the groups of words, and those of the pieces of the heap.
const SCALARS: usize = 0;
const TOP: usize = 1;
const WORDS: usize = 2;
const THREADS: usize = 3;
const LAYER: usize = 4;
const ALLOCATED: usize = 5;
const HEAD: usize = 6;

/// What a root has for each thread.
const IDENTITY: usize = 0;
const STANDING: usize = 1;
const FRAMES: usize = 2;
const LOCKS: usize = 3;
const OF_THREAD: usize = 4;

/// A state as the numbers of its components in some pools.
#[derive(Clone, Debug)]
pub struct Root {
    pools: u64,
    numbers: Arc<[u32]>,
}

impl Root {
    /// The bytes of the numbers, with what counts their users.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.numbers) + 2 * size_of::<usize>()
    }

    fn threads(&self) -> impl Iterator<Item = &[u32]> {
        self.numbers[HEAD..self.groups_start()].chunks_exact(OF_THREAD)
    }

    fn groups_start(&self) -> usize {
        HEAD + self.numbers[THREADS] as usize * OF_THREAD
    }

    /// The number of words of permanent objects that were known to change.
    fn words(&self) -> usize {
        self.numbers[WORDS] as usize
    }

    fn groups(&self) -> &[u32] {
        &self.numbers[self.groups_start()..][..self.words().div_ceil(GROUP)]
    }

    fn pieces(&self) -> &[u32] {
        &self.numbers[self.groups_start() + self.groups().len()..]
    }
}

/// What a thread is from its start to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Identity {
    object: Ref,
    id: ThreadId,
    print: u64,
    daemon: bool,
}

/// The components of the states of one machine.
pub struct Pools {
    /// A number that no other pools have, whichever machine's.
    id: u64,
    scalars: Values<Scalars>,
    layers: Values<Rc<Layer>>,
    threads: Values<Identity>,
    standings: Values<ThreadState>,
    /// For each of the standings and each of the sequences of frames, the transition that it came with: see
    /// [`Thread::touched`] and [`Thread::version`].
    touched: Vec<u64>,
    versions: Vec<u64>,
    /// Frames with their slots, and the frames of threads by their numbers.
    frames: Sequences,
    stacks: Sequences,
    locks: Sequences,
    groups: Sequences,
    pieces: Sequences,
    /// Which of the words of permanent objects that executions change one is, by unit.
    places: HashMap<u32, usize, foldhash::fast::FixedState>,
    /// Tables that are known to say nothing that does not hold in every state.
    tables: Option<Rc<super::side_tables::SideTables>>,
    scratch: Vec<u64>,
    numbers: Vec<u32>,
    dirty: Vec<usize>,
}

impl Default for Pools {
    fn default() -> Pools {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Pools {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            scalars: Values::default(),
            layers: Values::default(),
            threads: Values::default(),
            standings: Values::default(),
            touched: Vec::new(),
            versions: Vec::new(),
            frames: Sequences::default(),
            stacks: Sequences::default(),
            locks: Sequences::default(),
            groups: Sequences::default(),
            pieces: Sequences::default(),
            places: HashMap::default(),
            tables: None,
            scratch: Vec::new(),
            numbers: Vec::new(),
            dirty: Vec::new(),
        }
    }
}

impl Pools {
    /// Whether a root is one of these pools.
    pub fn know(&self, root: &Root) -> bool {
        root.pools == self.id
    }

    /// The memory of the components, in bytes.
    pub fn bytes(&self) -> usize {
        let sequences = [&self.frames, &self.stacks, &self.locks, &self.groups, &self.pieces];
        let values =
            self.scalars.bytes() + self.threads.bytes() + self.standings.bytes() + self.layers.bytes();
        let layers: usize = self.layers.all().map(|layer| layer.bytes()).sum();
        let since = (self.touched.len() + self.versions.len()) * size_of::<u64>();
        sequences.iter().map(|sequences| sequences.bytes()).sum::<usize>() + values + layers + since
    }

    fn state_mut(&mut self, thread: &Thread) -> u32 {
        let number = self.standings.number(**thread);
        if number as usize == self.touched.len() {
            self.touched.push(thread.touched());
        }
        number
    }

    /// The number of a frame with its slots, which end where those of its callee begin.
    fn frame(&mut self, thread: &Thread, frame: Frame, end: usize) -> u32 {
        let Frame { method: MethodId(method), pc, base, lock: Ref(lock), resume } = frame;
        self.scratch.clear();
        let again = u64::from(resume == Resume::Again);
        self.scratch.extend([pair(method, pc), pair(base, lock), again]);
        let count = end.saturating_sub(base as usize);
        self.scratch.extend_from_slice(thread.stack.slots(base as usize, count));
        self.frames.number(&self.scratch)
    }
}

/// What a frame has before its slots.
const FRAME: usize = 3;

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn halves(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

impl Machine {
    /// The root of the present state. `former` is the root of a state of the path that has led here, and how many transitions
    /// led to that. `None`: the state has parts that are no components.
    pub(crate) fn collapse(&self, pools: &mut Pools, former: Option<(&Root, usize)>) -> Option<Root> {
        if !self.is_made_of_components(pools) {
            return None;
        }
        let pieces = self.heap.pieces()?;
        let mut numbers = std::mem::take(&mut pools.numbers);
        numbers.clear();
        let words = self.heap.changed().len();
        let scalars = pools.scalars.number(self.scalars().of_state());
        let layer = pools.layers.number(Rc::clone(&self.files.layer));
        let allocated = self.heap.allocated();
        let threads = self.threads.list.len() as u32;
        numbers.extend([scalars, self.heap.top(), words as u32, threads, layer, allocated]);
        self.collapse_threads(pools, former, &mut numbers);
        self.collapse_groups(pools, former, &mut numbers);
        self.collapse_pieces(pools, former, pieces, &mut numbers);
        let root = Root { pools: pools.id, numbers: numbers.as_slice().into() };
        pools.numbers = numbers;
        Some(root)
    }

    /// Whether the present state has no other parts than components.
    pub(crate) fn is_made_of_components(&self, pools: &mut Pools) -> bool {
        // Names of objects are kept beside the heap.
        let named = self.heap.allocated_by_creator().is_some();
        self.heap.pieces().is_some_and(|pieces| pieces <= LONGEST)
            && !named
            && self.files.archives.are_closed()
            && self.tables_hold_everywhere(pools)
    }

    /// Whether the tables beside the heap would be right in every state, so that they need not be restored.
    fn tables_hold_everywhere(&self, pools: &mut Pools) -> bool {
        let tables = self.tables.share();
        if pools.tables.as_ref().is_some_and(|known| Rc::ptr_eq(known, &tables)) {
            return true;
        }
        let split = self.heap.split();
        let hold = tables.holds_everywhere(|object| object.0 < split);
        if hold {
            pools.tables = Some(tables);
        }
        hold
    }

    fn collapse_threads(&self, pools: &mut Pools, former: Option<(&Root, usize)>, numbers: &mut Vec<u32>) {
        let since = former.and_then(|(_, marks)| self.undo.since(marks));
        let mut before = former.into_iter().flat_map(|(root, _)| root.threads());
        for (index, thread) in self.threads.list.iter().enumerate() {
            // Threads that were there come first, and have the same numbers.
            let before = before.next();
            let &Thread { object, id, print, daemon, .. } = thread;
            let kept = |part: usize, changed: bool| before.filter(|_| !changed).map(|numbers| numbers[part]);
            let stands_otherwise = since.as_ref().is_some_and(|since| since.stands_otherwise(index));
            let has_used_locks = since.as_ref().is_some_and(|since| since.has_used_locks(index));
            let left = since.as_ref().and_then(|since| since.frames_left(index));
            let identity = kept(IDENTITY, false)
                .unwrap_or_else(|| pools.threads.number(Identity { object, id, print, daemon }));
            let standing = kept(STANDING, stands_otherwise).unwrap_or_else(|| pools.state_mut(thread));
            let frames = kept(FRAMES, left.is_some()).unwrap_or_else(|| {
                let same = before.zip(left).map(|(numbers, left)| (numbers[FRAMES], left));
                self.collapse_frames(pools, thread, same)
            });
            let locks = kept(LOCKS, has_used_locks).unwrap_or_else(|| {
                let Pools { scratch, locks, .. } = pools;
                scratch.clear();
                scratch.extend(self.undo.locks_of(index).iter().map(|lock| u64::from(lock.0)));
                locks.number(scratch)
            });
            numbers.extend([identity, standing, frames, locks]);
        }
    }

    /// The number of a thread's frames. `same` are frames that it had before, and how many of them are as they were.
    fn collapse_frames(&self, pools: &mut Pools, thread: &Thread, same: Option<(u32, usize)>) -> u32 {
        let mut stack: Vec<u64> = Vec::with_capacity(thread.frames.len());
        if let Some((before, count)) = same {
            stack.extend_from_slice(&pools.stacks.of(before)[..count]);
        }
        for (index, &frame) in thread.frames.iter().enumerate().skip(stack.len()) {
            let end = match thread.frames.get(index + 1) {
                Some(callee) => callee.base as usize,
                None => {
                    let code = self.method(frame.method).code.get();
                    frame.base as usize + code.map_or(0, |code| usize::from(code.registers))
                }
            };
            stack.push(pools.frame(thread, frame, end).into());
        }
        let number = pools.stacks.number(&stack);
        if number as usize == pools.versions.len() {
            pools.versions.push(thread.version);
        }
        number
    }

    fn collapse_groups(&self, pools: &mut Pools, former: Option<(&Root, usize)>, numbers: &mut Vec<u32>) {
        let changed = self.heap.changed();
        for (index, word) in changed.iter().enumerate().skip(pools.places.len()) {
            pools.places.insert(word.object.0 + word.offset / 8, index);
        }
        let Pools { scratch, groups, places, dirty, .. } = pools;
        dirty.clear();
        let same = former.map_or(0, |(root, marks)| {
            let since = self.undo.since(marks);
            let overwritten = since.map_or(&[][..], |since| self.heap.overwritten_since_mark(since.heap));
            let words = overwritten.iter().filter_map(|word| places.get(&word.unit));
            dirty.extend(words.map(|place| place / GROUP));
            // The last group may have got more words.
            let same = root.groups();
            numbers.extend_from_slice(same);
            dirty.extend(same.len().checked_sub(1));
            same.len()
        });
        let start = numbers.len() - same;
        numbers.resize(start + changed.len().div_ceil(GROUP), 0);
        dirty.extend(same..changed.len().div_ceil(GROUP));
        for &group in dirty.iter() {
            scratch.clear();
            let words = changed.iter().skip(group * GROUP).take(GROUP);
            scratch.extend(words.map(|word| self.heap.word(word.object.0 + word.offset / 8)));
            numbers[start + group] = groups.number(scratch);
        }
    }

    fn collapse_pieces(
        &self,
        pools: &mut Pools,
        former: Option<(&Root, usize)>,
        count: usize,
        numbers: &mut Vec<u32>,
    ) {
        let Pools { pieces, dirty, .. } = pools;
        dirty.clear();
        let start = numbers.len();
        // Pieces from here on are new, or were not full.
        let mut new = 0;
        if let Some((root, marks)) = former {
            numbers.extend_from_slice(root.pieces());
            new = root.pieces().len();
            if let Some(since) = self.undo.since(marks) {
                let overwritten = self.heap.overwritten_since_mark(since.heap);
                dirty.extend(overwritten.iter().filter_map(|word| self.heap.piece_of(word.unit)));
                dirty.retain(|&piece| piece < count);
                new = (root.numbers[TOP] - self.heap.split()) as usize / PIECE;
            }
        }
        numbers.resize(start + count, 0);
        dirty.extend(new..count);
        dirty.sort_unstable();
        dirty.dedup();
        for &piece in dirty.iter() {
            numbers[start + piece] = pieces.number(self.heap.piece(piece));
        }
    }

    /// Goes from the state of one root, in which it is, to that of another. Nothing can be taken back then. False, and
    /// neither here nor there: there is no memory for the stacks of threads.
    #[must_use]
    pub(crate) fn restore(&mut self, pools: &Pools, from: &Root, to: &Root) -> bool {
        self.files.archives.rewind(0);
        self.undo.forget();
        self.turn.thread = 0;
        self.restore_pieces(pools, from, to);
        self.restore_groups(pools, from, to);
        self.heap.begin_at(to.numbers[TOP], to.numbers[ALLOCATED]);
        self.outcome.output.clear();
        self.set_scalars(pools.scalars.of(to.numbers[SCALARS]));
        self.files.layer = Rc::clone(pools.layers.of(to.numbers[LAYER]));
        self.restore_threads(pools, from, to)
    }

    fn restore_pieces(&mut self, pools: &Pools, from: &Root, to: &Root) {
        let (from, to) = (from.pieces(), to.pieces());
        for (piece, &number) in to.iter().enumerate() {
            if from.get(piece) != Some(&number) {
                self.heap.set_piece(piece, pools.pieces.of(number));
            }
        }
        for piece in to.len()..from.len() {
            self.heap.set_piece(piece, &[0; PIECE]);
        }
    }

    fn restore_groups(&mut self, pools: &Pools, from: &Root, to: &Root) {
        for (group, &number) in to.groups().iter().enumerate() {
            if from.groups().get(group) != Some(&number) {
                for (place, &word) in pools.groups.of(number).iter().enumerate() {
                    self.heap.set_changed(group * GROUP + place, word);
                }
            }
        }
        // Words that had not been changed yet.
        for place in to.words()..self.heap.changed().len() {
            let original = self.heap.changed()[place].original;
            self.heap.set_changed(place, original);
        }
    }

    fn restore_threads(&mut self, pools: &Pools, from: &Root, to: &Root) -> bool {
        let count = to.numbers[THREADS] as usize;
        while self.threads.list.len() > count {
            // Another one may come in its place, which holds nothing.
            self.undo.set_locks(self.threads.list.len() - 1, std::iter::empty());
            self.undo.stacks.extend(self.threads.list.pop().map(|thread| thread.stack));
        }
        let mut before = from.threads();
        for (index, numbers) in to.threads().enumerate() {
            let before = before.next();
            let differs = |part: usize| before.is_none_or(|before| before[part] != numbers[part]);
            if differs(IDENTITY) {
                let &Identity { object, id, print, daemon } = pools.threads.of(numbers[IDENTITY]);
                if let Some(thread) = self.threads.list.get_mut(index) {
                    (thread.object, thread.id, thread.print, thread.daemon) = (object, id, print, daemon);
                } else {
                    let Some(stack) = self.new_stack() else { return false };
                    self.threads.list.push(Thread::new(object, (id, print), stack, daemon));
                }
            }
            let thread = &mut self.threads.list[index];
            if differs(STANDING) {
                let number = numbers[STANDING];
                thread.restore(*pools.standings.of(number), pools.touched[number as usize]);
            }
            if differs(FRAMES) {
                let stack = pools.stacks.of(numbers[FRAMES]);
                let former = before.map_or(&[][..], |before| pools.stacks.of(before[FRAMES]));
                let same = stack.iter().zip(former).take_while(|(new, old)| new == old).count();
                thread.frames.truncate(same);
                for &number in &stack[same..] {
                    restore_frame(thread, pools.frames.of(number as u32));
                }
                thread.version = pools.versions[numbers[FRAMES] as usize];
                // Frames are remembered by the time at which a thread has moved: those of several threads must differ.
                thread.moved_at = index;
            }
            if differs(LOCKS) {
                let locks = pools.locks.of(numbers[LOCKS]);
                self.undo.set_locks(index, locks.iter().map(|&lock| Ref(lock as u32)));
            }
        }
        true
    }
}

/// Puts a frame on top of a thread's.
fn restore_frame(thread: &mut Thread, frame: &[u64]) {
    let ((method, pc), (base, lock)) = (halves(frame[0]), halves(frame[1]));
    let resume = if frame[2] == 0 { Resume::Next } else { Resume::Again };
    let slots = &frame[FRAME..];
    thread.stack.slots_mut(base as usize, slots.len()).copy_from_slice(slots);
    thread.frames.push(Frame { method: MethodId(method), pc, base, lock: Ref(lock), resume });
}
