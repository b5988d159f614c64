//! Small pieces of code that the machine itself runs, in frames that no stack trace shows.

use super::{Arguments, Machine, Map, Resume, Run, Trouble};
use crate::class::{Loader, Marks, Method, MethodId};
use crate::classfile::{Span, access, method_shape};
use crate::code::builder::Builder;
use crate::code::{Code, Insn, Op};
use crate::memory::Ref;
use std::cell::{Cell, OnceCell};

/// Stubs that exist.
#[derive(Default)]
pub struct Stubs {
    raise: Map<(&'static str, bool), MethodId>,
    wrap: Option<MethodId>,
    failed: Option<MethodId>,
    thread: Option<MethodId>,
    /// Properties that are looked at: calls of methods, and instances of classes.
    evaluate: Map<MethodId, MethodId>,
    properties: Map<crate::class::ClassId, MethodId>,
    /// What a thread does that returns from a condition for no reason, by the class of the condition.
    pub(crate) signal: Map<crate::class::ClassId, MethodId>,
    /// What describes threads in an array.
    pub(crate) describe: Option<MethodId>,
    hooks: Vec<crate::natives::Function>,
    /// The JDK's own code of methods that have a native before it.
    originals: Map<MethodId, MethodId>,
    /// Calls through reflection, by the method that is called and whether exceptions are wrapped.
    pub(crate) reflective: Map<(MethodId, bool), MethodId>,
    /// Calls of class loaders that are written in Java: for code, and for those who ask by name.
    pub(crate) loader: [Option<MethodId>; 2],
    /// What makes an exception and throws it, by its class and the type of its constructor.
    pub(crate) throwing: Map<(&'static str, &'static str), MethodId>,
}

impl Machine {
    /// A method of the machine's own: static and in no stack trace.
    pub(crate) fn make_method(&mut self, name: &str, descriptor: &str, code: Code) -> MethodId {
        let id = MethodId(self.methods.len() as u32);
        let name = self.symbols.intern(name);
        let (arguments, returns) = method_shape(descriptor).expect("the machine's own descriptors are right");
        let descriptor = self.symbols.intern(descriptor);
        let method = Method {
            id,
            class: self.known.object,
            name,
            descriptor,
            access: access::STATIC | access::SYNTHETIC,
            arguments,
            returns,
            slot: u32::MAX,
            index: usize::MAX,
            attributes: Span::default(),
            code: OnceCell::from(Box::new(code)),
            native: Cell::new(None),
            marks: Marks { hidden: true, ..Marks::default() },
        };
        self.methods.push(method);
        id
    }

    /// Calls the JDK's own code of the wrapped method whose frame is on top, with these arguments: what a native that wraps a
    /// method returns if it leaves the call to that.
    pub(crate) fn call_original(&mut self, arguments: Arguments) -> Trouble {
        let wrapper = self.threads[self.current].top().method;
        let count = self.method(wrapper).arguments;
        let arguments: Vec<u64> = (0..count).map(|slot| arguments.get(slot)).collect();
        let original = self.original(wrapper);
        match self.call(original, &arguments, Resume::Next) {
            Ok(()) => Trouble::Called,
            Err(trouble) => trouble,
        }
    }

    /// The method that has the code of a wrapped one. The wrapper has taken the monitor if there is one to take.
    pub(crate) fn original(&mut self, wrapper: MethodId) -> MethodId {
        if let Some(&original) = self.stubs.originals.get(&wrapper) {
            return original;
        }
        let id = MethodId(self.methods.len() as u32);
        let method = self.method(wrapper);
        let original = Method {
            id,
            access: method.access & !access::SYNCHRONIZED,
            slot: u32::MAX,
            code: OnceCell::new(),
            native: Cell::new(None),
            marks: Marks { hidden: false, ..method.marks },
            ..*method
        };
        self.methods.push(original);
        self.stubs.originals.insert(wrapper, id);
        id
    }

    /// The number of a function for `Op::Hook`, which gives it the registers of the frame.
    pub(crate) fn hook(&mut self, function: crate::natives::Function) -> u32 {
        self.stubs.hooks.push(function);
        self.stubs.hooks.len() as u32 - 1
    }

    /// The function of that number.
    pub(super) fn hooked(&self, hook: u32) -> crate::natives::Function {
        self.stubs.hooks[hook as usize]
    }

    /// The stub that makes an exception of a class and throws it. Its argument is the message.
    pub(super) fn stub_raise(&mut self, name: &'static str, with_message: bool) -> Run<MethodId> {
        if let Some(&stub) = self.stubs.raise.get(&(name, with_message)) {
            return Ok(stub);
        }
        let class = self.load(Loader::BOOT, name)?;
        let descriptor = if with_message { "(Ljava/lang/String;)V" } else { "()V" };
        let Some(constructor) = self.method_named(class, "<init>", descriptor) else {
            return Err(Trouble::unsupported(format!("{name} cannot be made with a message")));
        };
        let site = self.call_site(constructor);
        let mut builder = Builder::new(4);
        builder.emit(Insn::wide(Op::NewOf, 1, class.0));
        builder.emit(Insn::new(Op::Move, 2, 1, 0));
        if with_message {
            builder.emit(Insn::new(Op::Move, 3, 0, 0));
        }
        builder.emit(Insn::wide(Op::CallDirect, 2, site));
        builder.emit(Insn::new(Op::Throw, 1, 0, 0));
        let stub = self.make_method("raise", "(Ljava/lang/String;)V", builder.finish());
        self.stubs.raise.insert((name, with_message), stub);
        Ok(stub)
    }

    /// Throws, from here, what a failed static initialiser leads to.
    pub(super) fn stub_wrap_initialiser(&mut self, cause: Ref) -> Run<()> {
        let stub = match self.stubs.wrap {
            Some(stub) => stub,
            None => {
                let class = self.load(Loader::BOOT, "java/lang/ExceptionInInitializerError")?;
                let constructor = self.method_named(class, "<init>", "(Ljava/lang/Throwable;)V");
                let constructor = constructor.ok_or_else(|| Trouble::unsupported("this JDK"))?;
                let site = self.call_site(constructor);
                let mut builder = Builder::new(4);
                builder.emit(Insn::wide(Op::NewOf, 1, class.0));
                builder.emit(Insn::new(Op::Move, 2, 1, 0));
                builder.emit(Insn::new(Op::Move, 3, 0, 0));
                builder.emit(Insn::wide(Op::CallDirect, 2, site));
                builder.emit(Insn::new(Op::Throw, 1, 0, 0));
                let stub = self.make_method("wrap", "(Ljava/lang/Throwable;)V", builder.finish());
                self.stubs.wrap = Some(stub);
                stub
            }
        };
        self.call(stub, &[u64::from(cause.0)], Resume::Again)
    }

    /// Throws, from here, the error for a class whose initialisation failed before, with what it failed from and where.
    pub(super) fn stub_failed(&mut self, message: &str, cause: &str, trace: Ref) -> Run<()> {
        let stub = match self.stubs.failed {
            Some(stub) => stub,
            None => {
                let error = self.load(Loader::BOOT, "java/lang/NoClassDefFoundError")?;
                let initialiser = self.load(Loader::BOOT, "java/lang/ExceptionInInitializerError")?;
                let inner = self.method_named(initialiser, "<init>", "(Ljava/lang/String;)V");
                let outer = self.method_named(error, "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V");
                let (Some(inner), Some(outer)) = (inner, outer) else {
                    return Err(Trouble::unsupported("this JDK"));
                };
                let (inner, outer) = (self.call_site(inner), self.call_site(outer));
                let (backtrace, depth) = self.known.throwable_trace;
                let mut builder = Builder::new(12);
                builder.emit(Insn::wide(Op::NewOf, 3, initialiser.0));
                builder.emit(Insn::new(Op::Move, 4, 3, 0));
                builder.emit(Insn::new(Op::Move, 5, 1, 0));
                builder.emit(Insn::wide(Op::CallDirect, 4, inner));
                builder.emit(Insn::new(Op::PutRef, 3, backtrace as u16, 2));
                builder.emit(Insn::new(Op::ArrayLength, 4, 2, 0));
                builder.emit(Insn::new(Op::Put32, 3, depth as u16, 4));
                builder.emit(Insn::wide(Op::NewOf, 7, error.0));
                builder.emit(Insn::new(Op::Move, 8, 7, 0));
                builder.emit(Insn::new(Op::Move, 9, 0, 0));
                builder.emit(Insn::new(Op::Move, 10, 3, 0));
                builder.emit(Insn::wide(Op::CallDirect, 8, outer));
                builder.emit(Insn::new(Op::Throw, 7, 0, 0));
                let descriptor = "(Ljava/lang/String;Ljava/lang/String;[J)V";
                let stub = self.make_method("failed", descriptor, builder.finish());
                self.stubs.failed = Some(stub);
                stub
            }
        };
        let (message, cause) = (self.new_string(message)?, self.new_string(cause)?);
        let arguments = [message, cause, trace].map(|argument| u64::from(argument.0));
        self.call(stub, &arguments, Resume::Again)
    }

    /// Calls a static method and leaves its result in the first slot; what it throws is a finding.
    pub(crate) fn stub_evaluate(&mut self, method: MethodId) -> Run<MethodId> {
        if let Some(&stub) = self.stubs.evaluate.get(&method) {
            return Ok(stub);
        }
        let site = self.call_site(method);
        let uncaught = self.hook(|machine, arguments| machine.uncaught(arguments.object(1)));
        let mut builder = Builder::new(4);
        builder.emit(Insn::wide(Op::CallStatic, 0, site));
        builder.emit(Insn::new(Op::ReturnValue, 0, 0, 0));
        let caught = builder.next();
        builder.emit(Insn::wide(Op::Hook, 1, uncaught));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        builder.catch(0, caught, caught, 1);
        let stub = self.make_method("evaluate", "()I", builder.finish());
        self.stubs.evaluate.insert(method, stub);
        Ok(stub)
    }

    /// Makes an instance of a class and asks it whether it holds.
    pub(crate) fn stub_property(&mut self, class: crate::class::ClassId) -> Run<MethodId> {
        if let Some(&stub) = self.stubs.properties.get(&class) {
            return Ok(stub);
        }
        let missing =
            || Trouble::unsupported("it has no constructor without parameters, or no method holds()");
        let constructor = self.method_named(class, "<init>", "()V").ok_or_else(missing)?;
        let holds = self.method_named(class, "holds", "()Z").ok_or_else(missing)?;
        let (constructor, holds) = (self.call_site(constructor), self.call_site(holds));
        let mut builder = Builder::new(4);
        builder.emit(Insn::wide(Op::NewOf, 0, class.0));
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::wide(Op::CallDirect, 1, constructor));
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::wide(Op::CallDirect, 1, holds));
        builder.emit(Insn::new(Op::ReturnValue, 1, 0, 0));
        let stub = self.make_method("property", "()I", builder.finish());
        self.stubs.properties.insert(class, stub);
        Ok(stub)
    }

    /// The first frame of a thread: runs it, gives what it does not catch to its handler, and ends it.
    pub(crate) fn stub_thread(&mut self) -> Run<MethodId> {
        if let Some(stub) = self.stubs.thread {
            return Ok(stub);
        }
        let class = self.known.thread;
        let mut site = |name: &str, descriptor: &str| {
            let method = self.method_named(class, name, descriptor);
            method.map(|method| self.call_site(method)).ok_or_else(|| Trouble::unsupported("this JDK"))
        };
        let run = site("run", "()V")?;
        let dispatch = site("dispatchUncaughtException", "(Ljava/lang/Throwable;)V")?;
        let exit = site("exit", "()V")?;
        let end = self.hook(crate::natives::end_thread);
        let uncaught = self.hook(|machine, arguments| machine.uncaught(arguments.object(3)));
        let failed =
            self.hook(|machine, arguments| crate::natives::handler_failed(machine, arguments.object(3)));
        let mut builder = Builder::new(4);
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::wide(Op::CallVirtual, 1, run));
        let leave = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let caught = builder.next();
        // Register 3 has the exception.
        builder.emit(Insn::wide(Op::Hook, 0, uncaught));
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::new(Op::Move, 2, 3, 0));
        builder.emit(Insn::wide(Op::CallDirect, 1, dispatch));
        let over = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let thrown = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, failed));
        let finish = builder.next();
        builder.patch(leave, finish);
        builder.patch(over, finish);
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::wide(Op::CallDirect, 1, exit));
        let last = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, end));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        builder.catch(0, caught, caught, 3);
        builder.catch(caught, thrown, thrown, 3);
        builder.catch(thrown, last, last, 3);
        let stub = self.make_method("thread", "(Ljava/lang/Thread;)V", builder.finish());
        self.stubs.thread = Some(stub);
        Ok(stub)
    }

    /// The first frame of the main thread: calls `main` with the arguments in register 1, waits for the other threads
    /// and shuts down. Register 0 has the thread.
    pub(super) fn stub_main(&mut self, main: MethodId) -> Run<MethodId> {
        let thread = self.known.thread;
        let dispatch = self.method_named(thread, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
        let exit = self.method_named(thread, "exit", "()V");
        let shutdown = self.load(Loader::BOOT, "java/lang/Shutdown")?;
        let shutdown = self.method_named(shutdown, "shutdown", "()V");
        let (Some(dispatch), Some(exit), Some(shutdown)) = (dispatch, exit, shutdown) else {
            return Err(Trouble::unsupported("this JDK"));
        };
        let (main, dispatch) = (self.call_site(main), self.call_site(dispatch));
        let (exit, shutdown) = (self.call_site(exit), self.call_site(shutdown));
        let uncaught = self.hook(|machine, arguments| machine.uncaught(arguments.object(4)));
        let failed = self.hook(crate::natives::end_failed_program);
        let over = self.hook(crate::natives::thread_is_over);
        let thrown =
            self.hook(|machine, arguments| crate::natives::handler_failed(machine, arguments.object(4)));
        let leaving = self.hook(crate::natives::main_leaves);
        let end = self.hook(crate::natives::end_program);
        let mut builder = Builder::new(6);
        builder.emit(Insn::new(Op::Move, 2, 1, 0));
        builder.emit(Insn::wide(Op::CallStatic, 2, main));
        let leave = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let caught = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, uncaught));
        builder.emit(Insn::new(Op::Move, 2, 0, 0));
        builder.emit(Insn::new(Op::Move, 3, 4, 0));
        builder.emit(Insn::wide(Op::CallDirect, 2, dispatch));
        let handled = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let rethrown = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, thrown));
        builder.catch(0, caught, caught, 4);
        builder.catch(caught, rethrown, rethrown, 4);
        // The other threads go on in either case, and the status of the program tells how main has ended.
        for (end, jump) in [(failed, handled), (end, leave)] {
            let finish = builder.next();
            builder.patch(jump, finish);
            builder.emit(Insn::new(Op::Move, 2, 0, 0));
            builder.emit(Insn::wide(Op::CallDirect, 2, exit));
            builder.emit(Insn::wide(Op::Hook, 0, over));
            builder.emit(Insn::wide(Op::Hook, 0, leaving));
            builder.emit(Insn::wide(Op::CallStatic, 2, shutdown));
            let last = builder.next();
            builder.emit(Insn::wide(Op::Hook, 0, end));
            builder.emit(Insn::new(Op::Return, 0, 0, 0));
            builder.catch(finish, last, last, 4);
        }
        let stub = self.make_method("main", "(Ljava/lang/Thread;[Ljava/lang/String;)V", builder.finish());
        Ok(stub)
    }
}
