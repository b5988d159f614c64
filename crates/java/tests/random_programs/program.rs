//! A small language of concurrent programs: what Java programs do to each other, and nothing else.

/// The threads of a program. The first one is the main thread, which starts the others, or some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub threads: Vec<Vec<Statement>>,
}

/// An int that belongs to one thread. In the beginning `x` is the number of the thread, counted from 1, and `y` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    X,
    Y,
}

/// A number that is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Number(i32),
    Local(Local),
}

/// An int that belongs to all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A static field.
    A,
    /// Another one.
    B,
    /// A volatile static field.
    V,
    /// An element of the array, which has two: the operand's last bit says which.
    Element(Operand),
    /// A field of the object that the thread has in its hand. Nothing happens if it has none.
    InHand,
    /// The same object's final field, which is only read.
    InHandFinal,
}

/// A static field that refers to an object, or to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    P,
    Q,
}

/// What is locked, waited for and notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monitor {
    M,
    N,
    /// The object that the thread has in its hand. Nothing happens if it has none.
    InHand,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Different,
    Less,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    Local(Local),
    Place(Place),
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub left: Compared,
    pub comparison: Comparison,
    pub right: i32,
}

/// One statement. Beside each, what it is in Java; `c` is an `AtomicInteger`, `k` the object in the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `x = y + 1`
    Assign(Local, Operand, i32),
    /// `x = a`
    Read(Local, Place),
    /// `a = x`
    Write(Place, Operand),
    /// `a += 1`: a read and a write
    Add(Place, i32),
    /// `x = c.get()`
    Get(Local),
    /// `c.set(x)`
    Set(Operand),
    /// `x = c.getAndAdd(1)`
    GetAndAdd(Local, i32),
    /// `x = c.compareAndSet(0, y) ? 1 : 0`
    CompareAndSet(Local, Operand, Operand),
    /// `do { x = c.get(); } while (!c.compareAndSet(x, x + 1))`
    Update(Local, i32),
    /// `synchronized (m) { ... }`
    Synchronized(Monitor, Vec<Statement>),
    /// `if (a == 0) { ... } else { ... }`
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// `m.wait()`
    Wait(Monitor),
    /// `m.wait(5)`
    WaitTimed(Monitor),
    /// `while (a == 0) { m.wait(); }`
    WaitWhile(Monitor, Condition),
    /// `m.notify()`
    Notify(Monitor),
    /// `m.notifyAll()`
    NotifyAll(Monitor),
    /// `LockSupport.park()`
    Park,
    /// `LockSupport.unpark(thread)`
    Unpark(usize),
    /// `thread.interrupt()`
    Interrupt(usize),
    /// `x = Thread.interrupted() ? 1 : 0`
    Interrupted(Local),
    /// `while (v == 0) { }`
    Spin(Condition),
    /// `k = new Cell(x)`, which sets the final field
    New(Operand),
    /// `k = new Cell(x, true)`, which is in `p` before its final field is set
    NewEscaping(Operand),
    /// `p = k`
    Publish(Pointer),
    /// `k = p`
    Take(Pointer),
    /// `assert a == 0`, with a number by which it is told from others
    Assert(Condition, usize),
    /// Starts a thread, at most once for each.
    Start(usize),
    /// Waits for the end of a thread. One that was not started is not waited for.
    Join(usize),
}

impl Statement {
    /// The blocks within it.
    pub fn blocks(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::Synchronized(_, body) => vec![body],
            Statement::If(_, then, otherwise) => vec![then, otherwise],
            _ => vec![],
        }
    }

    fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::Synchronized(_, body) => vec![body],
            Statement::If(_, then, otherwise) => vec![then, otherwise],
            _ => vec![],
        }
    }

    /// The places in the hand need an object there.
    pub fn uses_hand(&self) -> bool {
        match self {
            Statement::Read(_, place) | Statement::Write(place, _) | Statement::Add(place, _) => {
                place.in_hand()
            }
            Statement::Synchronized(monitor, _) => *monitor == Monitor::InHand,
            Statement::If(condition, ..) | Statement::Spin(condition) | Statement::Assert(condition, _) => {
                condition.in_hand()
            }
            _ => false,
        }
    }
}

impl Place {
    fn in_hand(self) -> bool {
        matches!(self, Place::InHand | Place::InHandFinal)
    }
}

impl Condition {
    fn in_hand(&self) -> bool {
        matches!(self.left, Compared::Place(place) if place.in_hand())
    }
}

impl Program {
    /// The numbers of its assertions.
    pub fn assertions(&self) -> Vec<usize> {
        fn of(block: &[Statement], all: &mut Vec<usize>) {
            for statement in block {
                if let Statement::Assert(_, number) = statement {
                    all.push(*number);
                }
                statement.blocks().into_iter().for_each(|inner| of(inner, all));
            }
        }
        let mut all = Vec::new();
        self.threads.iter().for_each(|body| of(body, &mut all));
        all
    }

    /// Programs that are a little smaller: one statement is gone, or has made way for the blocks within it.
    pub fn smaller(&self) -> Vec<Program> {
        let mut all = Vec::new();
        for thread in 0..self.threads.len() {
            for block in smaller_blocks(&self.threads[thread]) {
                let mut program = self.clone();
                program.threads[thread] = block;
                all.push(program);
            }
        }
        all
    }
}

/// A synchronized block is left out as a whole only: what waits and notifies in it needs its monitor.
fn smaller_blocks(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for at in 0..block.len() {
        let mut without = block.to_vec();
        let removed = without.remove(at);
        all.push(without.clone());
        for (nth, inner) in removed.blocks().into_iter().enumerate() {
            if !inner.is_empty() && !matches!(removed, Statement::Synchronized(..)) {
                let mut flat = without.clone();
                flat.splice(at..at, inner.iter().cloned());
                all.push(flat);
            }
            for smaller in smaller_blocks(inner) {
                let mut copy = block.to_vec();
                *copy[at].blocks_mut()[nth] = smaller;
                all.push(copy);
            }
        }
    }
    all
}
