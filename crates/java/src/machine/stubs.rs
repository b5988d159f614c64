//! Small pieces of code that the machine itself runs, in frames that no stack trace shows.

use super::{Abrupt, Arguments, Machine, Map, Resume, Run};
use crate::classfile::{Span, access, method_shape};
use crate::code::builder::Builder;
use crate::code::{Code, Insn, Op};
use crate::machine::class::{Loader, Method, MethodId, MethodTraits};
use crate::memory::Ref;
use std::cell::{Cell, OnceCell};

/// Stubs that exist.
#[derive(Default)]
pub struct Stubs {
    raise: Map<(&'static str, bool), MethodId>,
    wrap: Option<MethodId>,
    failed: Option<MethodId>,
    pub(crate) thread: Option<MethodId>,
    /// Properties that are looked at: calls of methods, and instances of classes.
    evaluate: Map<MethodId, MethodId>,
    properties: Map<crate::machine::class::ClassId, MethodId>,
    /// What a thread does that returns from a condition for no reason, by the class of the condition.
    pub(crate) signal: Map<crate::machine::class::ClassId, MethodId>,
    /// What describes threads in an array.
    pub(crate) describe: Option<MethodId>,
    hooks: Vec<super::native::Function>,
    /// The JDK's own code of methods that have a native before it.
    originals: Map<MethodId, MethodId>,
    /// Calls through reflection, by the method that is called and whether exceptions are wrapped.
    pub(crate) reflective: Map<(MethodId, bool), MethodId>,
    /// Calls of class loaders that are written in Java: for code, and for callers that ask by name.
    pub(crate) loader: [Option<MethodId>; 2],
    /// What makes an exception and throws it, by its class and the type of its constructor.
    pub(crate) throwing: Map<(&'static str, &'static str), MethodId>,
}

impl Machine {
    /// A method of the machine's own: static and in no stack trace.
    pub(crate) fn make_method(&mut self, name: &str, descriptor: &str, code: Code) -> MethodId {
        let id = MethodId(self.classes.methods.len() as u32);
        let name = self.classes.symbols.intern(name);
        let (arguments, returns) = method_shape(descriptor).expect("the machine's own descriptors are right");
        let descriptor = self.classes.symbols.intern(descriptor);
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
            marks: MethodTraits { hidden: true, ..MethodTraits::default() },
        };
        self.classes.methods.push(method);
        id
    }

    /// Calls the JDK's own code of the wrapped method whose frame is on top, with these arguments: what a native that wraps a
    /// method returns if it leaves the call to that.
    pub(crate) fn call_original(&mut self, arguments: Arguments) -> Abrupt {
        let wrapper = self.threads.list[self.turn.thread].top().method;
        let count = self.method(wrapper).arguments;
        let arguments: Vec<u64> = (0..count).map(|slot| arguments.get(slot)).collect();
        let original = self.original(wrapper);
        match self.call(original, &arguments, Resume::Next) {
            Ok(()) => Abrupt::Called,
            Err(abrupt) => abrupt,
        }
    }

    /// The method that has the code of a wrapped one. The wrapper has taken the monitor if there is one to take.
    pub(crate) fn original(&mut self, wrapper: MethodId) -> MethodId {
        if let Some(&original) = self.links.stubs.originals.get(&wrapper) {
            return original;
        }
        let id = MethodId(self.classes.methods.len() as u32);
        let method = self.method(wrapper);
        let original = Method {
            id,
            access: method.access & !access::SYNCHRONIZED,
            slot: u32::MAX,
            code: OnceCell::new(),
            native: Cell::new(None),
            marks: MethodTraits { hidden: false, ..method.marks },
            ..*method
        };
        self.classes.methods.push(original);
        self.links.stubs.originals.insert(wrapper, id);
        id
    }

    /// The number of a function for `Op::Hook`, which gives it the registers of the frame.
    pub(crate) fn hook(&mut self, function: super::native::Function) -> u32 {
        self.links.stubs.hooks.push(function);
        self.links.stubs.hooks.len() as u32 - 1
    }

    /// The function of that number.
    pub(super) fn hooked(&self, hook: u32) -> super::native::Function {
        self.links.stubs.hooks[hook as usize]
    }

    /// The stub that makes an exception of a class and throws it. Its argument is the message.
    pub(super) fn stub_raise(&mut self, name: &'static str, with_message: bool) -> Run<MethodId> {
        if let Some(&stub) = self.links.stubs.raise.get(&(name, with_message)) {
            return Ok(stub);
        }
        let class = self.load(Loader::BOOT, name)?;
        let descriptor = if with_message { "(Ljava/lang/String;)V" } else { "()V" };
        let Some(constructor) = self.method_named(class, "<init>", descriptor) else {
            return Err(Abrupt::unsupported(format!("{name} cannot be made with a message")));
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
        self.links.stubs.raise.insert((name, with_message), stub);
        Ok(stub)
    }

    /// Throws, from here, what a failed static initialiser leads to.
    pub(super) fn stub_wrap_initialiser(&mut self, cause: Ref) -> Run<()> {
        let stub = match self.links.stubs.wrap {
            Some(stub) => stub,
            None => {
                let class = self.load(Loader::BOOT, "java/lang/ExceptionInInitializerError")?;
                let constructor = self.method_named(class, "<init>", "(Ljava/lang/Throwable;)V");
                let constructor = constructor.ok_or_else(|| Abrupt::unsupported("this JDK"))?;
                let site = self.call_site(constructor);
                let mut builder = Builder::new(4);
                builder.emit(Insn::wide(Op::NewOf, 1, class.0));
                builder.emit(Insn::new(Op::Move, 2, 1, 0));
                builder.emit(Insn::new(Op::Move, 3, 0, 0));
                builder.emit(Insn::wide(Op::CallDirect, 2, site));
                builder.emit(Insn::new(Op::Throw, 1, 0, 0));
                let stub = self.make_method("wrap", "(Ljava/lang/Throwable;)V", builder.finish());
                self.links.stubs.wrap = Some(stub);
                stub
            }
        };
        self.call(stub, &[u64::from(cause.0)], Resume::Again)
    }

    /// Throws, from here, the error for a class whose initialisation failed before, with what it failed from and where.
    pub(super) fn stub_failed(&mut self, message: &str, cause: &str, trace: Ref) -> Run<()> {
        let stub = match self.links.stubs.failed {
            Some(stub) => stub,
            None => {
                let error = self.load(Loader::BOOT, "java/lang/NoClassDefFoundError")?;
                let initialiser = self.load(Loader::BOOT, "java/lang/ExceptionInInitializerError")?;
                let inner = self.method_named(initialiser, "<init>", "(Ljava/lang/String;)V");
                let outer = self.method_named(error, "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V");
                let (Some(inner), Some(outer)) = (inner, outer) else {
                    return Err(Abrupt::unsupported("this JDK"));
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
                self.links.stubs.failed = Some(stub);
                stub
            }
        };
        let (message, cause) = (self.new_string(message)?, self.new_string(cause)?);
        let arguments = [message, cause, trace].map(|argument| u64::from(argument.0));
        self.call(stub, &arguments, Resume::Again)
    }

    /// Calls a static method and leaves its result in the first slot; what it throws is a finding.
    pub(crate) fn stub_evaluate(&mut self, method: MethodId) -> Run<MethodId> {
        if let Some(&stub) = self.links.stubs.evaluate.get(&method) {
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
        self.links.stubs.evaluate.insert(method, stub);
        Ok(stub)
    }

    /// Makes an instance of a class and asks it whether it holds.
    pub(crate) fn stub_property(&mut self, class: crate::machine::class::ClassId) -> Run<MethodId> {
        if let Some(&stub) = self.links.stubs.properties.get(&class) {
            return Ok(stub);
        }
        let missing =
            || Abrupt::unsupported("it has no constructor without parameters, or no method holds()");
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
        self.links.stubs.properties.insert(class, stub);
        Ok(stub)
    }
}
