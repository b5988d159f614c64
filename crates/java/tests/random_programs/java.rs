//! Programs as Java.

use crate::program::{
    Compared, Comparison, Condition, Local, Monitor, Operand, Place, Pointer, Program, Statement,
};
use std::fmt::Write;

/// Each assertion is in a method of its own, of this name and the assertion's number: that is where it is found to fail.
pub const ASSERTION: &str = "check";

/// The program as a class of that name. At its end each thread writes its numbers to a static field `r0`, `r1`...
pub fn class(name: &str, program: &Program) -> String {
    let mut java = Java { text: String::new(), indent: 0 };
    java.line(&format!("class {name} {{"));
    java.indent += 1;
    java.line("static class Cell {");
    java.line("    int f;");
    java.line("    final int g;");
    java.line("");
    java.line("    Cell(int g) {");
    java.line("        this.g = g;");
    java.line("    }");
    java.line("");
    java.line("    Cell(int g, boolean early) {");
    java.line("        p = this;");
    java.line("        this.g = g;");
    java.line("    }");
    java.line("}");
    java.line("");
    java.line("static int a, b;");
    java.line("static volatile int v;");
    java.line("static final java.util.concurrent.atomic.AtomicInteger c =");
    java.line("        new java.util.concurrent.atomic.AtomicInteger();");
    java.line("static final int[] t = new int[2];");
    java.line("static final Object m = new Object(), n = new Object();");
    java.line("static Cell p, q;");
    let results: Vec<String> = (0..program.threads.len()).map(|thread| format!("r{thread}")).collect();
    java.line(&format!("static int {};", results.join(", ")));
    for number in program.assertions() {
        java.line("");
        java.line(&format!("static void {ASSERTION}{number}(boolean holds) {{"));
        java.line("    assert holds;");
        java.line("}");
    }
    java.line("");
    java.line("public static void main(String[] args) throws InterruptedException {");
    java.indent += 1;
    java.line(&format!("Thread[] s = new Thread[{}];", program.threads.len()));
    java.line("s[0] = Thread.currentThread();");
    for (thread, body) in program.threads.iter().enumerate().skip(1) {
        java.line(&format!("s[{thread}] = new Thread(() -> {{"));
        java.indent += 1;
        java.line("try {");
        java.indent += 1;
        java.thread(thread, body);
        java.indent -= 1;
        java.line("} catch (InterruptedException e) {");
        java.line("    throw new AssertionError(e);");
        java.line("}");
        java.indent -= 1;
        java.line("});");
    }
    java.thread(0, &program.threads[0]);
    java.indent -= 1;
    java.line("}");
    java.indent -= 1;
    java.line("}");
    java.text
}

struct Java {
    text: String,
    indent: usize,
}

impl Java {
    fn line(&mut self, line: &str) {
        let indent = if line.is_empty() { 0 } else { 4 * self.indent };
        writeln!(self.text, "{:indent$}{line}", "").unwrap();
    }

    fn thread(&mut self, thread: usize, body: &[Statement]) {
        self.line(&format!("int x = {}, y = 0;", thread + 1));
        self.line("Cell k = null;");
        // The compiler demands that something in the body could throw it.
        if thread > 0 {
            self.line("if (k != null) throw new InterruptedException();");
        }
        self.block(body);
        self.line(&format!("r{thread} = 1000 * x + y;"));
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            if statement.uses_hand() {
                self.line("if (k != null) {");
                self.indent += 1;
                self.statement(statement);
                self.indent -= 1;
                self.line("}");
            } else {
                self.statement(statement);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(to, from, add) => {
                self.line(&format!("{} = {} + {add};", local(*to), operand(*from)));
            }
            Statement::Read(to, from) => self.line(&format!("{} = {};", local(*to), place(*from))),
            Statement::Write(to, from) => self.line(&format!("{} = {};", place(*to), operand(*from))),
            Statement::Add(to, add) => self.line(&format!("{} += {add};", place(*to))),
            Statement::Get(to) => self.line(&format!("{} = c.get();", local(*to))),
            Statement::Set(from) => self.line(&format!("c.set({});", operand(*from))),
            Statement::GetAndAdd(to, add) => self.line(&format!("{} = c.getAndAdd({add});", local(*to))),
            Statement::CompareAndSet(to, expected, new) => self.line(&format!(
                "{} = c.compareAndSet({}, {}) ? 1 : 0;",
                local(*to),
                operand(*expected),
                operand(*new)
            )),
            Statement::Update(to, add) => {
                let to = local(*to);
                self.line("do {");
                self.line(&format!("    {to} = c.get();"));
                self.line(&format!("}} while (!c.compareAndSet({to}, {to} + {add}));"));
            }
            Statement::Synchronized(on, body) => {
                self.line(&format!("synchronized ({}) {{", monitor(*on)));
                self.within(body);
                self.line("}");
            }
            Statement::If(when, then, otherwise) => {
                self.line(&format!("if ({}) {{", condition(when)));
                self.within(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.within(otherwise);
                }
                self.line("}");
            }
            Statement::Wait(on) => self.line(&format!("{}.wait();", monitor(*on))),
            Statement::WaitTimed(on) => self.line(&format!("{}.wait(5);", monitor(*on))),
            Statement::WaitWhile(on, when) => {
                self.line(&format!("while ({}) {{", condition(when)));
                self.line(&format!("    {}.wait();", monitor(*on)));
                self.line("}");
            }
            Statement::Notify(on) => self.line(&format!("{}.notify();", monitor(*on))),
            Statement::NotifyAll(on) => self.line(&format!("{}.notifyAll();", monitor(*on))),
            Statement::Park => self.line("java.util.concurrent.locks.LockSupport.park();"),
            Statement::Unpark(thread) => {
                self.line(&format!("java.util.concurrent.locks.LockSupport.unpark(s[{thread}]);"));
            }
            Statement::Interrupt(thread) => self.line(&format!("s[{thread}].interrupt();")),
            Statement::Interrupted(to) => {
                self.line(&format!("{} = Thread.interrupted() ? 1 : 0;", local(*to)));
            }
            Statement::Spin(when) => {
                self.line(&format!("while ({}) {{", condition(when)));
                self.line("}");
            }
            Statement::Assert(when, number) => {
                self.line(&format!("{ASSERTION}{number}({});", condition(when)));
            }
            Statement::New(value) => self.line(&format!("k = new Cell({});", operand(*value))),
            Statement::NewEscaping(value) => self.line(&format!("k = new Cell({}, true);", operand(*value))),
            Statement::Publish(to) => self.line(&format!("{} = k;", pointer(*to))),
            Statement::Take(from) => self.line(&format!("k = {};", pointer(*from))),
            Statement::Start(thread) => self.line(&format!("s[{thread}].start();")),
            Statement::Join(thread) => self.line(&format!("s[{thread}].join();")),
        }
    }

    fn within(&mut self, block: &[Statement]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }
}

fn local(local: Local) -> &'static str {
    match local {
        Local::X => "x",
        Local::Y => "y",
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Number(number) => number.to_string(),
        Operand::Local(from) => local(from).into(),
    }
}

fn place(place: Place) -> String {
    match place {
        Place::A => "a".into(),
        Place::B => "b".into(),
        Place::V => "v".into(),
        Place::Element(index) => format!("t[{} & 1]", operand(index)),
        Place::InHand => "k.f".into(),
        Place::InHandFinal => "k.g".into(),
    }
}

fn pointer(pointer: Pointer) -> &'static str {
    match pointer {
        Pointer::P => "p",
        Pointer::Q => "q",
    }
}

fn monitor(monitor: Monitor) -> &'static str {
    match monitor {
        Monitor::M => "m",
        Monitor::N => "n",
        Monitor::InHand => "k",
    }
}

fn condition(condition: &Condition) -> String {
    let left = match condition.left {
        Compared::Local(from) => local(from).to_string(),
        Compared::Place(from) => place(from),
    };
    let comparison = match condition.comparison {
        Comparison::Equal => "==",
        Comparison::Different => "!=",
        Comparison::Less => "<",
    };
    format!("{left} {comparison} {}", condition.right)
}
