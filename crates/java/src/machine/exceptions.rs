//! Exceptions: making them, throwing them, and finding their handlers.

use super::{Abrupt, Machine, Resume, Run};
use crate::classfile::Kind;
use crate::machine::class::{ClassId, MethodId};
use crate::memory::{ARRAY_DATA, Ref};
use sojourner_program::Finding;

/// As many frames as a stack trace shows.
const DEEPEST_TRACE: usize = 1024;

/// Why the interpreter comes back.
#[derive(Debug)]
pub enum Stop {
    /// The thread waits, has ended, or has run long enough.
    Switch,
    /// Something is wrong with the program.
    Found(Box<Finding>),
    /// The program has ended.
    Exit,
    /// The program wants to be left alone from here on. The text says where.
    Ignore(String),
    /// The program does something that is not modelled.
    Unsupported(String),
}

impl Machine {
    /// Deals with what kept an instruction from completing. `None` if the current thread goes on.
    pub(super) fn settle(&mut self, mut abrupt: Abrupt) -> Option<Stop> {
        loop {
            let next = match abrupt {
                Abrupt::Again | Abrupt::Called => return None,
                Abrupt::Blocked | Abrupt::Yield => return Some(Stop::Switch),
                Abrupt::Found(finding) => return Some(Stop::Found(finding)),
                Abrupt::Exit => return Some(Stop::Exit),
                Abrupt::Ignore => return Some(Stop::Ignore(self.place_of(""))),
                Abrupt::Unsupported(what) => return Some(Stop::Unsupported(self.place_of(&what))),
                Abrupt::Throw(exception) => self.throw(exception),
                Abrupt::Raise { class, message } => self.make(class, message),
            };
            match next {
                Ok(()) => return None,
                Err(more) => abrupt = more,
            }
        }
    }

    /// What is not supported, with the place in the program.
    pub(crate) fn place_of(&self, what: &str) -> String {
        let Some(thread) = self.threads.list.get(self.turn.thread) else { return what.to_string() };
        let mut text = what.to_string();
        for frame in thread.frames.iter().rev() {
            if self.method(frame.method).marks.hidden {
                continue;
            }
            text.push_str("\n    at ");
            text.push_str(&self.describe_frame(frame.method, frame.pc));
        }
        text
    }

    /// A frame as stack traces show it.
    pub(crate) fn describe_frame(&self, method: MethodId, pc: u32) -> String {
        self.describe_place(method, self.bci(method, pc))
    }

    /// A byte of a method's code, as stack traces show it.
    pub(crate) fn describe_place(&self, method: MethodId, bci: u16) -> String {
        let class = self.method(method).class;
        let name = self.classes.symbols.text(self.method(method).name);
        let module = self.class(class).module.as_ref().map_or(String::new(), |module| format!("{module}/"));
        let place = match (self.source_file(class), self.line(method, bci)) {
            (_, -2) => "Native Method".to_string(),
            (Some(file), line) if line >= 0 => format!("{file}:{line}"),
            (Some(file), _) => file,
            (None, _) => "Unknown Source".to_string(),
        };
        format!("{module}{}.{name}({place})", self.external_name(class))
    }

    /// The byte of the original code that an instruction comes from.
    pub(crate) fn bci(&self, method: MethodId, pc: u32) -> u16 {
        let code = self.method(method).code.get();
        code.and_then(|code| code.bcis.get(pc as usize)).copied().unwrap_or(0)
    }

    /// The name of the source file of a class.
    pub(crate) fn source_file(&self, class: ClassId) -> Option<String> {
        let file = self.class(class).file.as_ref()?;
        let index = file.index_attribute(file.attributes, "SourceFile")?;
        file.pool.text(index).ok().map(|text| text.into_owned())
    }

    /// The line of a byte of a method's code; -2 for native methods and -1 if it is not known.
    pub(crate) fn line(&self, id: MethodId, bci: u16) -> i32 {
        let method = self.method(id);
        if method.is(crate::classfile::access::NATIVE) {
            return -2;
        }
        let Some(file) = self.class(method.class).file.as_ref() else { return -1 };
        let Ok(Some(code)) = file.code(method.attributes) else { return -1 };
        let mut lines = file.lines(&code);
        lines.sort_by_key(|&(start, _)| start);
        let found = lines.iter().rev().find(|&&(start, _)| start <= bci);
        found.map_or(-1, |&(_, line)| i32::from(line))
    }

    /// What a failed cast says.
    pub(super) fn cast_message(&self, from: ClassId, to: ClassId) -> String {
        let home = |id: ClassId| {
            let mut class = self.class(id);
            while let Some((component, _)) = class.component() {
                class = self.class(component);
            }
            match (&class.module, class.loader) {
                (Some(module), _) => format!("module {module} of loader 'bootstrap'"),
                (None, crate::machine::class::Loader::BOOT) => {
                    "module java.base of loader 'bootstrap'".to_string()
                }
                (None, _) => "unnamed module of loader 'app'".to_string(),
            }
        };
        let (a, b) = (self.external_name(from), self.external_name(to));
        let places = if home(from) == home(to) {
            format!("{a} and {b} are in {}", home(from))
        } else {
            format!("{a} is in {}; {b} is in {}", home(from), home(to))
        };
        format!("class {a} cannot be cast to class {b} ({places})")
    }

    /// What a call of a native method leads to that the machine does not have.
    pub(super) fn missing_native(&self, method: MethodId) -> Abrupt {
        Abrupt::unsupported(format!("the native method {} is not supported", self.describe_method(method)))
    }

    /// Whether a method of the current thread catches exceptions of that class.
    pub(crate) fn is_caught(&self, exception: ClassId) -> bool {
        let frames = self.threads.list[self.turn.thread].frames.iter();
        let mut shown = frames.filter(|frame| !self.method(frame.method).marks.hidden);
        shown.any(|frame| self.handler(frame.method, frame.pc, exception).is_some())
    }

    /// Has an exception made and thrown: pushes a frame that does both.
    fn make(&mut self, class: &'static str, message: Option<String>) -> Run<()> {
        if self.threads.list[self.turn.thread].frames.is_empty() {
            return Err(Abrupt::unsupported(format!("{class}: {}", message.unwrap_or_default())));
        }
        let (stub, message) = match message {
            Some(message) => (self.stub_raise(class, true)?, self.new_string(&message)?),
            None => (self.stub_raise(class, false)?, Ref::NULL),
        };
        self.call(stub, &[u64::from(message.0)], Resume::Again)
    }

    /// Throws an object: leaves frames until one catches it.
    fn throw(&mut self, exception: Ref) -> Run<()> {
        let class = ClassId(self.heap.class(exception));
        loop {
            let Some(&frame) = self.threads.list[self.turn.thread].frames.last() else {
                return Err(Abrupt::unsupported("an exception that no handler catches"));
            };
            if let Some((target, register)) = self.handler(frame.method, frame.pc, class) {
                let thread = &mut self.threads.list[self.turn.thread];
                thread.stack.set(frame.base as usize + usize::from(register), u64::from(exception.0));
                thread.top_mut().pc = target;
                if thread.overflowing {
                    self.state_mut(self.turn.thread).overflowing = false;
                }
                return Ok(());
            }
            self.pop_frame();
            if !frame.lock.is_null() {
                self.exit_monitor_now(frame.lock)?;
            }
            let abrupt = self.left_by(&frame, exception);
            self.end_scopes();
            if let Some(abrupt) = abrupt {
                return match abrupt {
                    Abrupt::Again => Ok(()),
                    other => Err(other),
                };
            }
        }
    }

    /// The handler of an exception of that class in a method: the instruction, and the register for the exception.
    fn handler(&self, method: MethodId, pc: u32, exception: ClassId) -> Option<(u32, u16)> {
        let method = self.method(method);
        let code = method.code.get()?;
        if code.handlers.is_empty() {
            return None;
        }
        let bci = code.bcis[pc as usize];
        let handler = code.handlers.iter().find(|handler| {
            handler.start <= bci
                && bci < handler.end
                && (handler.catches == 0 || {
                    // A class that is not loaded has no instances.
                    let class = self.class(method.class);
                    let name =
                        class.file.as_ref().and_then(|file| file.pool.class_name(handler.catches).ok());
                    let symbol = name.and_then(|name| self.classes.symbols.find(name));
                    let caught = symbol.and_then(|symbol| self.loaded(class.loader, symbol));
                    caught.is_some_and(|caught| self.is_subclass(exception, caught))
                })
        })?;
        Some((handler.target, handler.register))
    }

    /// Notes in an exception where it was made: `Throwable.fillInStackTrace`.
    pub(crate) fn fill_in_stack_trace(&mut self, exception: Ref) -> Run<()> {
        let of = ClassId(self.heap.class(exception));
        let init = self.classes.symbols.intern("<init>");
        let fill = self.classes.symbols.intern("fillInStackTrace");
        let mut trace: Vec<u64> = Vec::new();
        let mut constructing = true;
        for frame in self.threads.list[self.turn.thread].frames.iter().rev() {
            let method = self.method(frame.method);
            // The calls that make the exception itself do not show.
            if constructing {
                let own = self.is_subclass(of, method.class) && (method.name == init || method.name == fill);
                if own {
                    continue;
                }
                constructing = false;
            }
            if method.marks.hidden {
                continue;
            }
            if trace.len() == DEEPEST_TRACE {
                break;
            }
            trace.push(u64::from(frame.method.0) << 16 | u64::from(self.bci(frame.method, frame.pc)));
        }
        let array = self.backtrace(&trace)?;
        let (backtrace, depth) = self.known.throwable_trace;
        self.heap.put_ref(exception, backtrace, array);
        self.heap.put_i32(exception, depth, trace.len() as i32);
        Ok(())
    }

    fn backtrace(&mut self, trace: &[u64]) -> Run<Ref> {
        let longs = self.known.primitive_arrays[Kind::Long as usize];
        let array = self.new_array(longs, trace.len() as i32)?;
        for (index, &entry) in trace.iter().enumerate() {
            self.heap.put_u64(array, ARRAY_DATA + 8 * index as u32, entry);
        }
        Ok(array)
    }

    /// The frames of the current thread, as an exception that is made now would have them.
    pub(super) fn backtrace_here(&mut self) -> Run<Ref> {
        let frames = self.threads.list[self.turn.thread].frames.iter().rev();
        let shown = frames.filter(|frame| !self.method(frame.method).marks.hidden).take(DEEPEST_TRACE);
        let trace: Vec<u64> = shown
            .map(|frame| u64::from(frame.method.0) << 16 | u64::from(self.bci(frame.method, frame.pc)))
            .collect();
        self.backtrace(&trace)
    }

    /// Where an exception was made: methods and bytes of their code, the innermost first.
    pub(crate) fn stack_trace(&self, exception: Ref) -> Vec<(MethodId, u16)> {
        let array = self.heap.get_ref(exception, self.known.throwable_trace.0);
        if array.is_null() {
            return Vec::new();
        }
        let entries =
            (0..self.heap.length(array)).map(|index| self.heap.get_u64(array, ARRAY_DATA + 8 * index));
        entries.map(|entry| (MethodId((entry >> 16) as u32), entry as u16)).collect()
    }
}
