//! Random programs of threads, for cases that no test author thought of.

use super::{Code, Local, Operation};
use sojourner_program::Random;

/// A program drawn from a seed: two or three threads, two variables, two locks and one that can be
/// shared, a condition.
#[derive(Clone, Debug)]
pub struct RandomThreads {
    lines: Vec<Vec<Line>>,
    variables: usize,
    first: usize,
    any: bool,
    goes_round: bool,
}

/// A line of the code of a thread.
#[derive(Clone, Copy, Debug)]
struct Line {
    operation: Operation,
    /// How many of the next lines are skipped if the operation gets that value.
    skip: Option<(u8, u8)>,
    /// Whether it writes one more than what was read last.
    computed: bool,
    /// A part of a loop: how many lines it goes back if the operation gets that value. The value is not remembered.
    back: Option<(u8, u8)>,
}

/// A line of nothing but the operation.
const fn plain(operation: Operation) -> Line {
    Line { operation, skip: None, computed: false, back: None }
}

impl RandomThreads {
    /// The program of that seed, of threads of about `length` operations; with operations that may fail if `fails`.
    pub fn new(seed: u64, length: usize, fails: bool) -> Self {
        RandomThreads::drawn(seed, length, |random| draw(random, fails))
    }

    /// The same, mostly of threads that share a lock, or want it alone.
    pub fn sharing(seed: u64, length: usize) -> Self {
        RandomThreads::drawn(seed, length, |random| match random.below(4) {
            0 => draw(random, false),
            _ => draw_sharing(random),
        })
    }

    /// The same, mostly of threads that take several locks at once.
    pub fn taking_several(seed: u64, length: usize) -> Self {
        RandomThreads::drawn(seed, length, |random| match random.below(8) {
            0 => draw(random, false),
            1 => draw_sharing(random),
            _ => draw_several(random),
        })
    }

    /// The same, mostly of threads that try again and again.
    pub fn retrying(seed: u64, length: usize) -> Self {
        let code = RandomThreads::drawn(seed, length, |random| match random.below(4) {
            0 => draw(random, false),
            _ => draw_loop(random),
        });
        RandomThreads { goes_round: true, ..code }
    }

    /// Threads that read and write four variables, one or two at a time, and do nothing else.
    pub fn racing(seed: u64, length: usize) -> Self {
        let code = RandomThreads::drawn(seed, length, |random| {
            let variables = 1 << random.below(4) | 1 << random.below(4);
            vec![plain(match random.below(2) {
                0 => Operation::ReadSeveral(variables),
                _ => Operation::WriteSeveral(variables, 1 + random.below(2) as u8),
            })]
        });
        RandomThreads { variables: 4, ..code }
    }

    fn drawn(seed: u64, length: usize, draw: impl Fn(&mut Random) -> Vec<Line>) -> Self {
        let mut random = Random::new(seed);
        let threads = 2 + random.below(2);
        let first = if random.below(3) == 0 { threads - 1 } else { threads };
        // Operations that belong together stay so.
        let mut groups: Vec<Vec<Vec<Line>>> = Vec::new();
        for _ in 0..threads {
            let mut mine: Vec<Vec<Line>> = Vec::new();
            while mine.iter().map(Vec::len).sum::<usize>() < length {
                mine.push(draw(&mut random));
            }
            groups.push(mine);
        }
        if first < threads {
            let line = |operation| vec![plain(operation)];
            groups[first].push(line(Operation::Exit));
            let at = random.below(groups[0].len() + 1);
            groups[0].insert(at, line(Operation::Start(first)));
            if random.below(2) == 0 {
                let at = at + 1 + random.below(groups[0].len() - at);
                groups[0].insert(at, line(Operation::Join(first)));
            }
        }
        let lines = groups.into_iter().map(|groups| groups.into_iter().flatten().collect()).collect();
        RandomThreads { lines, variables: 2, first, any: random.below(2) == 0, goes_round: false }
    }
}

/// The lock that can be shared.
const SHARED: usize = 2;

/// Draws an operation, or a few that belong together.
fn draw(random: &mut Random, fails: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    let variable = random.below(2);
    let lock = random.below(2);
    let value = random.below(2) as u8;
    // What is skipped is never a part of what belongs together.
    let skipped = plain(Operation::Add(random.below(2), 1));
    match random.below(17) {
        0..2 => lines.push(plain(Operation::Read(variable))),
        2 => lines.extend([Line { skip: Some((value, 1)), ..plain(Operation::Read(variable)) }, skipped]),
        3 => lines.push(plain(Operation::Write(variable, 1 + value))),
        4 => lines.push(plain(Operation::WriteAny(1 + value))),
        5 => lines.push(Line { computed: true, ..plain(Operation::Write(variable, 0)) }),
        6 => lines.push(plain(Operation::Add(variable, 1))),
        7 => {
            let swap = plain(Operation::CompareAndSwap(variable, value, value + 1));
            lines.extend([Line { skip: Some((value, 1)), ..swap }, skipped]);
        }
        8..10 => {
            lines.push(plain(Operation::Lock(lock)));
            match random.below(3) {
                0 => lines.push(plain(Operation::Wait(0, lock))),
                1 => lines.push(plain(Operation::Add(variable, 1))),
                _ => {}
            }
            lines.push(plain(Operation::Unlock(lock)));
        }
        10 => {
            lines.push(Line { skip: Some((0, 2)), ..plain(Operation::TryLock(lock)) });
            lines.push(plain(Operation::Add(variable, 1)));
            lines.push(plain(Operation::Unlock(lock)));
        }
        11 => lines.push(plain(Operation::Signal(0))),
        14..17 => lines = draw_sharing(random),
        12 if random.below(2) == 0 => lines.push(plain(Operation::Broadcast(0))),
        12 => lines.extend([Line { skip: Some((value, 1)), ..plain(Operation::Choose(2)) }, skipped]),
        _ if fails => lines.push(plain(Operation::Refuse(variable, 1 + value))),
        _ => lines.push(plain(Operation::Signal(0))),
    }
    lines
}

/// Draws what a thread does with the lock that can be shared.
fn draw_sharing(random: &mut Random) -> Vec<Line> {
    let mut lines = Vec::new();
    let (variable, lock) = (random.below(2), random.below(2));
    let (take, give_back) = match random.below(6) {
        0..3 => (Operation::Share(SHARED), Operation::Unshare(SHARED)),
        3 => (Operation::TryShare(SHARED), Operation::Unshare(SHARED)),
        4 => (Operation::Lock(SHARED), Operation::Unlock(SHARED)),
        _ => (Operation::TryLock(SHARED), Operation::Unlock(SHARED)),
    };
    let between = match random.below(5) {
        // A thread that shares the lock may wait there for another one that shares it, too.
        0 => vec![Operation::Lock(lock), Operation::Wait(0, lock), Operation::Unlock(lock)],
        1 => vec![Operation::Lock(lock), Operation::Unlock(lock)],
        2 => vec![Operation::Signal(0)],
        3 => vec![Operation::Add(variable, 1)],
        _ => vec![],
    };
    let tries = matches!(take, Operation::TryShare(_) | Operation::TryLock(_));
    let skip = tries.then_some((0, between.len() as u8 + 1));
    lines.push(Line { skip, ..plain(take) });
    lines.extend(between.into_iter().map(plain));
    lines.push(plain(give_back));
    lines
}

/// Draws what a thread does with several locks, one of which can be shared, or with one of them.
fn draw_several(random: &mut Random) -> Vec<Line> {
    let mut locks: Vec<usize> = (0..=SHARED).collect();
    // They are given back in any order.
    let rotated = random.below(locks.len());
    locks.rotate_left(rotated);
    locks.truncate([1, 2, 2, 2, 3][random.below(5)]);
    let take = match locks[..] {
        [one] => Operation::Lock(one),
        _ => Operation::LockSeveral(locks.iter().map(|lock| 1 << lock).sum()),
    };
    let variable = random.below(2);
    let between = match random.below(6) {
        // It keeps the others meanwhile.
        0 if random.below(2) == 0 => Some(Operation::Wait(0, locks[0])),
        0 => Some(Operation::Signal(0)),
        1 | 2 => Some(Operation::Add(variable, 1)),
        _ => None,
    };
    let mut lines = vec![plain(take)];
    lines.extend(between.map(plain));
    for (nth, lock) in locks.into_iter().enumerate() {
        // Between two that it gives back it may do something that the others wait for.
        if nth > 0 && random.below(3) == 0 {
            lines.push(plain(Operation::Add(variable, 1)));
        }
        lines.push(plain(Operation::Unlock(lock)));
    }
    lines
}

/// Draws something that a thread tries until it succeeds.
fn draw_loop(random: &mut Random) -> Vec<Line> {
    let looped = |operation, back| Line { back: Some(back), ..plain(operation) };
    let never = (u8::MAX, 0);
    let (variable, lock) = (random.below(2), random.below(3));
    let other = (lock + 1 + random.below(2)) % 3;
    let taken = |lock| looped(Operation::Lock(lock), never);
    let between = match random.below(3) {
        0 => None,
        1 => Some(plain(Operation::Add(variable, 1))),
        _ => Some(plain(Operation::Write(variable, 1))),
    };
    match random.below(6) {
        // Takes one lock and tries another; gives back the first one and tries again.
        0..3 => {
            let tries = Line { skip: Some((1, 1)), ..looped(Operation::TryLock(other), never) };
            let gives_back = looped(Operation::Unlock(lock), (0, 2));
            let ends = [other, lock].map(|lock| plain(Operation::Unlock(lock)));
            [taken(lock), tries, gives_back].into_iter().chain(between).chain(ends).collect()
        }
        // Takes a lock to look at a variable.
        3 => {
            let looks = Line { skip: Some((1, 1)), ..looped(Operation::Read(variable), never) };
            let ends = plain(Operation::Unlock(lock));
            vec![taken(lock), looks, looped(Operation::Unlock(lock), (0, 2)), ends]
        }
        // Looks at a variable until it may go on.
        4 => vec![looped(Operation::Read(variable), (0, 0))],
        // Raises one flag and looks at the other one; lowers its own and tries again if that is raised, too.
        _ => {
            let raises = looped(Operation::Write(variable, 1), never);
            let looks = Line { skip: Some((0, 1)), ..looped(Operation::Read(1 - variable), never) };
            let lowers = looped(Operation::Write(variable, 0), (0, 2));
            vec![raises, looks, lowers, plain(Operation::Write(variable, 0))]
        }
    }
}

impl Code for RandomThreads {
    fn threads(&self) -> usize {
        self.lines.len()
    }

    fn first(&self) -> usize {
        self.first
    }

    fn variables(&self) -> usize {
        self.variables
    }

    fn locks(&self) -> usize {
        SHARED + 1
    }

    fn is_shared(&self, lock: usize) -> bool {
        lock == SHARED
    }

    fn conditions(&self) -> usize {
        1
    }

    fn wakes_any(&self) -> bool {
        self.any
    }

    fn is_exact(&self) -> bool {
        !self.lines.iter().flatten().any(|line| matches!(line.operation, Operation::WriteAny(_)))
    }

    fn goes_round(&self) -> bool {
        self.goes_round
    }

    fn operation(&self, thread: usize, local: &Local) -> Operation {
        match self.lines[thread].get(usize::from(local.at)) {
            Some(Line { operation: Operation::Write(variable, _), computed: true, .. }) => {
                Operation::Write(*variable, local.r[0].wrapping_add(1))
            }
            Some(line) => line.operation,
            None => Operation::End,
        }
    }

    fn got(&self, thread: usize, local: &mut Local, value: u8) {
        let line = self.lines[thread][usize::from(local.at)];
        if let Some((when, lines)) = line.back
            && when == value
        {
            local.at -= lines;
            return;
        }
        let skipped = line.skip.map_or(0, |(when, lines)| if when == value { lines } else { 0 });
        // A thread that was to exit does so.
        local.at = (local.at + 1 + skipped).min(self.lines[thread].len() as u8);
        if line.back.is_some() {
            return;
        }
        local.r[0] = value;
        // What it has seen on the way can be told at the end.
        local.r[1] = local.r[1].wrapping_mul(5).wrapping_add(value + 1);
    }
}
