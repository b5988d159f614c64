//! Random programs, most of them about something: what is used varies from program to program.

use crate::oracle::{End, ends};
use crate::program::{
    Compared, Comparison, Condition, Local, Monitor, Operand, Place, Pointer, Program, Statement,
};
use sojourner_program::Random;
use std::collections::BTreeSet;

/// The oracle's time for a program is a hundredth of a second.
const MOST_STATES: usize = 20_000;

/// A program of two or three threads, and what it can come to. Those that can only come to one end are seldom wanted.
pub fn generate(random: &mut Random) -> (Program, BTreeSet<End>) {
    loop {
        let program = candidate(random);
        let Some(ends) = ends(&program, MOST_STATES) else { continue };
        if ends.len() > 1 || random.below(20) == 0 {
            return (program, ends);
        }
    }
}

fn candidate(random: &mut Random) -> Program {
    let mut generator = Generator::new(random);
    let others = 1 + generator.one_in(3) as usize;
    let (least, most) = if others == 1 { (2, 5) } else { (1, 3) };
    generator.threads = 1 + others;
    let mut threads = vec![Vec::new()];
    for _ in 0..others {
        let length = generator.between(least, most);
        threads.push(generator.block(length));
    }
    let nested = others == 2 && generator.one_in(4);
    if nested {
        let at = generator.random.below(threads[1].len() + 1);
        threads[1].insert(at, Statement::Start(2));
    }
    threads[0] = generator.main(others, nested);
    let mut program = Program { threads };
    if !generator.one_in(5) {
        generator.notify_waiters(&mut program);
    }
    if generator.one_in(10) {
        generator.interrupt(&mut program);
    }
    program
}

struct Generator<'a> {
    random: &'a mut Random,
    /// The monitors that are held, the innermost last.
    held: Vec<Monitor>,
    threads: usize,
    cells: bool,
    waits: bool,
    atomics: bool,
    arrays: bool,
    spins: bool,
    parks: bool,
    asserts: bool,
    /// How many assertions there are.
    assertions: usize,
    /// Whether the fields `a` and `b` are mostly accessed under the monitor `m`.
    guarded: bool,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random) -> Generator<'a> {
        let mut generator = Generator {
            random,
            held: Vec::new(),
            threads: 0,
            cells: false,
            waits: false,
            atomics: false,
            arrays: false,
            spins: false,
            parks: false,
            asserts: false,
            assertions: 0,
            guarded: false,
        };
        generator.cells = generator.one_in(2);
        generator.waits = generator.one_in(3);
        generator.atomics = generator.one_in(3);
        generator.arrays = generator.one_in(3);
        generator.spins = generator.one_in(6);
        generator.parks = generator.one_in(6);
        generator.asserts = generator.one_in(3);
        generator.guarded = generator.one_in(2);
        generator
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.random.below(most - least + 1)
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.random.below(items.len())]
    }

    /// The main thread works before, between and behind the starting and joining of the others.
    fn main(&mut self, others: usize, nested: bool) -> Vec<Statement> {
        let mut body = Vec::new();
        for thread in 1..=others {
            if self.one_in(3) {
                body.extend(self.block(1));
            }
            if thread == 1 || !nested {
                body.push(Statement::Start(thread));
            }
        }
        let length = self.between(usize::from(others == 1), 4 - others);
        body.extend(self.block(length));
        for thread in 1..=others {
            if !self.one_in(4) {
                body.push(Statement::Join(thread));
                if self.one_in(3) {
                    body.extend(self.block(1));
                }
            }
        }
        body
    }

    fn block(&mut self, length: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement()).collect()
    }

    fn statement(&mut self) -> Statement {
        loop {
            let statement = match self.random.below(29) {
                0 => Statement::Assign(self.local(), self.operand(), 1),
                1..=3 => Statement::Read(self.local(), self.place()),
                4..=6 => Statement::Write(self.writable(), self.operand()),
                7..=8 => Statement::Add(self.writable(), 1),
                9..=11 if self.atomics => self.atomic(),
                12..=14 if self.held.len() < 2 => self.synchronized(),
                15..=16 if self.held.len() < 2 => self.conditional(),
                17..=18 if self.waits && !self.held.is_empty() => self.notification(),
                17..=18 if self.waits => {
                    let on = self.monitor();
                    let inner = self.holding(on, Generator::notification);
                    Statement::Synchronized(on, vec![inner])
                }
                19..=22 if self.cells => self.with_cells(),
                23 if self.spins => {
                    Statement::Spin(Condition { left: Compared::Place(self.place()), ..self.condition() })
                }
                24 if self.parks => Statement::Park,
                25 if self.parks => Statement::Unpark(self.random.below(self.threads)),
                26..=28 if self.asserts => {
                    self.assertions += 1;
                    Statement::Assert(self.condition(), self.assertions)
                }
                _ => continue,
            };
            return self.guard(statement);
        }
    }

    /// Puts a statement under the monitor that guards its field, nearly always.
    fn guard(&mut self, statement: Statement) -> Statement {
        let guarded = match &statement {
            Statement::Read(_, place) | Statement::Write(place, _) | Statement::Add(place, _) => {
                matches!(place, Place::A | Place::B)
            }
            _ => false,
        };
        if self.guarded && guarded && !self.held.contains(&Monitor::M) && !self.one_in(12) {
            return Statement::Synchronized(Monitor::M, vec![statement]);
        }
        statement
    }

    fn atomic(&mut self) -> Statement {
        match self.random.below(6) {
            0 => Statement::Get(self.local()),
            1 => Statement::Set(self.operand()),
            2 => Statement::GetAndAdd(self.local(), 1),
            3 | 4 => Statement::CompareAndSet(self.local(), self.operand(), self.operand()),
            _ => Statement::Update(self.local(), 1),
        }
    }

    fn synchronized(&mut self) -> Statement {
        let on = self.monitor();
        let length = self.between(1, 2);
        let body = self.holding(on, |generator| generator.block(length));
        Statement::Synchronized(on, body)
    }

    fn conditional(&mut self) -> Statement {
        let condition = self.condition();
        let then = self.block(1);
        let otherwise = if self.one_in(3) { self.block(1) } else { Vec::new() };
        Statement::If(condition, then, otherwise)
    }

    /// Waits for, or notifies, a monitor that is held.
    fn notification(&mut self) -> Statement {
        let held = self.held.clone();
        let on = self.of(&held);
        match self.random.below(6) {
            0 => Statement::Wait(on),
            5 => Statement::WaitTimed(on),
            1 | 2 => {
                let place = self.of(&[Place::A, Place::B, Place::V]);
                let left = Compared::Place(place);
                Statement::WaitWhile(on, Condition { left, comparison: Comparison::Equal, right: 0 })
            }
            3 => Statement::Notify(on),
            _ => Statement::NotifyAll(on),
        }
    }

    fn with_cells(&mut self) -> Statement {
        let pointer = self.of(&[Pointer::P, Pointer::P, Pointer::Q]);
        // While its monitor is held, the object in the hand stays there.
        let fixed = self.held.contains(&Monitor::InHand);
        match self.random.below(8) {
            0 | 1 if !fixed => Statement::New(self.operand()),
            2 if !fixed => Statement::NewEscaping(self.operand()),
            3 if !fixed => Statement::Take(pointer),
            4 => Statement::Read(self.local(), Place::InHand),
            5 => Statement::Read(self.local(), Place::InHandFinal),
            6 => Statement::Write(Place::InHand, self.operand()),
            _ => Statement::Publish(pointer),
        }
    }

    fn holding<T>(&mut self, monitor: Monitor, make: impl FnOnce(&mut Self) -> T) -> T {
        self.held.push(monitor);
        let made = make(self);
        self.held.pop();
        made
    }

    fn monitor(&mut self) -> Monitor {
        if self.cells && self.one_in(4) {
            return Monitor::InHand;
        }
        self.of(&[Monitor::M, Monitor::M, Monitor::N])
    }

    fn local(&mut self) -> Local {
        self.of(&[Local::X, Local::Y])
    }

    fn operand(&mut self) -> Operand {
        match self.random.below(3) {
            0 => Operand::Number(self.between(0, 2) as i32),
            _ => Operand::Local(self.local()),
        }
    }

    fn place(&mut self) -> Place {
        if self.arrays && self.one_in(3) {
            let index = match self.random.below(3) {
                0 => Operand::Local(self.local()),
                n => Operand::Number(n as i32 - 1),
            };
            return Place::Element(index);
        }
        if self.cells && self.one_in(3) {
            return self.of(&[Place::InHand, Place::InHandFinal]);
        }
        self.of(&[Place::A, Place::A, Place::B, Place::V])
    }

    fn writable(&mut self) -> Place {
        match self.place() {
            Place::InHandFinal => Place::InHand,
            place => place,
        }
    }

    fn condition(&mut self) -> Condition {
        let left = if self.one_in(3) { Compared::Local(self.local()) } else { Compared::Place(self.place()) };
        let comparison = self.of(&[Comparison::Equal, Comparison::Different, Comparison::Less]);
        Condition { left, comparison, right: self.between(0, 2) as i32 }
    }

    /// Interrupts a thread that is never blocked where an interrupt would be noticed, and that asks for its flag.
    fn interrupt(&mut self, program: &mut Program) {
        let target = self.between(1, program.threads.len() - 1);
        let blocks = |s: &Statement| {
            use Statement::{Join, Park, Wait, WaitTimed, WaitWhile};
            matches!(s, Wait(_) | WaitTimed(_) | WaitWhile(..) | Park | Join(_))
        };
        if any(&program.threads[target], &blocks) {
            return;
        }
        let others: Vec<usize> = (0..program.threads.len()).filter(|thread| *thread != target).collect();
        let asks = Statement::Interrupted(self.local());
        for (thread, statement) in [(target, asks), (self.of(&others), Statement::Interrupt(target))] {
            let body = &mut program.threads[thread];
            let at = self.random.below(body.len() + 1);
            body.insert(at, statement);
        }
    }

    /// Lets another thread notify those monitors that somebody waits for and nobody notifies.
    fn notify_waiters(&mut self, program: &mut Program) {
        for monitor in [Monitor::M, Monitor::N] {
            let waits = |s: &Statement| matches!(s, Statement::Wait(on) | Statement::WaitWhile(on, _) if *on == monitor);
            let notifies = |s: &Statement| matches!(s, Statement::Notify(on) | Statement::NotifyAll(on) if *on == monitor);
            let waiting: Vec<bool> = program.threads.iter().map(|body| any(body, &waits)).collect();
            if !waiting.contains(&true) || program.threads.iter().any(|body| any(body, &notifies)) {
                continue;
            }
            let free: Vec<usize> = (0..waiting.len()).filter(|thread| !waiting[*thread]).collect();
            if free.is_empty() {
                continue;
            }
            let thread = self.of(&free);
            let body = &mut program.threads[thread];
            let at = self.random.below(body.len() + 1);
            let write = Statement::Write(self.of(&[Place::A, Place::B, Place::V]), Operand::Number(1));
            let notify = Statement::Notify(monitor);
            body.insert(at, Statement::Synchronized(monitor, vec![write, notify]));
        }
    }
}

fn any(block: &[Statement], what: &impl Fn(&Statement) -> bool) -> bool {
    block.iter().any(|s| what(s) || s.blocks().into_iter().any(|inner| any(inner, what)))
}
