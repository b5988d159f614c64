//! Calls: what they lead to, and the frames that they make.

use super::{Abrupt, Frame, Machine, Resume, Run};
use crate::classfile::{Kind, access};
use crate::code::{Code, Insn, Op};
use crate::machine::class::{ClassId, Method, MethodId, Symbol};
use crate::memory::{Ref, Registers};
use std::cell::Cell;

/// A call in code, resolved.
pub struct CallSite {
    /// The method that is named.
    pub method: MethodId,
    /// Its place in the tables of virtual methods.
    pub slot: u32,
    /// The class of the last receiver, and the method that was meant for it.
    pub last: Cell<(ClassId, MethodId)>,
    /// The type of the call, which is not that of the method where that is polymorphic.
    pub descriptor: Symbol,
}

/// An access to a static field in code, resolved.
#[derive(Clone, Copy)]
pub struct StaticSite {
    /// The class that has the field.
    pub class: ClassId,
    /// Its mirror.
    pub mirror: Ref,
    /// The place of the field in the mirror.
    pub offset: u32,
}

/// Frames beyond the bound that are left for throwing the error that says so.
const RESERVE: usize = 256;

impl Machine {
    /// The code of a method, translated now if it has not been called before.
    pub(crate) fn code(&self, id: MethodId) -> Run<&Code> {
        let method = self.method(id);
        if let Some(code) = method.code.get() {
            return Ok(code);
        }
        let code = self.translate(method)?;
        Ok(method.code.get_or_init(|| code))
    }

    #[cold]
    fn translate(&self, method: &Method) -> Run<Box<Code>> {
        let class = self.class(method.class);
        if method.native.get().is_some() {
            return Ok(Box::new(native_code(method)));
        }
        if method.is(access::NATIVE) {
            // It is an error only when it is called; the code says so.
            return Ok(Box::new(native_code(method)));
        }
        let describe = || self.describe_method(method.id);
        if method.is(access::ABSTRACT) {
            return Err(Abrupt::raise("java/lang/AbstractMethodError", describe()));
        }
        let malformed = |reason: String| {
            let name = self.class_name(class.id);
            Abrupt::raise("java/lang/ClassFormatError", format!("{name}: {}: {reason}", describe()))
        };
        let Some(file) = class.file.as_ref() else { return Err(malformed("it has no code".into())) };
        let attribute = file.code(method.attributes).map_err(|error| malformed(error.to_string()))?;
        let Some(attribute) = attribute else { return Err(malformed("it has no code".into())) };
        if attribute.max_locals < method.arguments {
            return Err(malformed("its arguments do not fit its local variables".into()));
        }
        let code = match self.coverage {
            None => crate::code::translate(file, &attribute),
            Some(_) => crate::code::translate_with_trail(file, &attribute),
        };
        Ok(Box::new(code.map_err(|error| malformed(error.to_string()))?))
    }

    /// A method in words: `java.lang.String.length()`.
    pub fn describe_method(&self, id: MethodId) -> String {
        let method = self.method(id);
        let (name, descriptor) =
            (self.classes.symbols.text(method.name), self.classes.symbols.text(method.descriptor));
        format!("{}.{name}{descriptor}", self.external_name(method.class))
    }

    /// Pushes a frame whose arguments are in place, at a slot of the current thread.
    pub(crate) fn push(&mut self, id: MethodId, base: usize, resume: Resume, lock: Ref) -> Run<()> {
        let registers = usize::from(self.code(id)?.registers);
        let hidden = self.method(id).marks.hidden;
        let (frames, slots) = (self.options.frames, self.options.slots);
        let thread = &mut self.threads.list[self.turn.thread];
        let full = |reserve: usize| {
            thread.frames.len() >= frames + reserve || base + registers + 8 * (RESERVE - reserve) > slots
        };
        if full(0) && (full(RESERVE) || !(hidden || thread.overflowing)) {
            self.state_mut(self.turn.thread).overflowing = true;
            return Err(Abrupt::bare("java/lang/StackOverflowError"));
        }
        thread.frames.push(Frame { method: id, pc: 0, base: base as u32, lock, resume });
        Ok(())
    }

    /// The first slot above all registers of the current thread's top frame.
    pub(crate) fn free_slot(&self) -> usize {
        let thread = &self.threads.list[self.turn.thread];
        match thread.frames.last() {
            None => 0,
            Some(frame) => {
                let registers = self.method(frame.method).code.get().map_or(0, |code| code.registers);
                frame.base as usize + usize::from(registers)
            }
        }
    }

    /// Calls a method on top of everything. For a native method that wants its result as its own, `resume` is `Next`, and
    /// the native gives `Abrupt::Called`; otherwise the instruction that was being executed is executed again.
    pub(crate) fn call(&mut self, id: MethodId, arguments: &[u64], resume: Resume) -> Run<()> {
        let base = match resume {
            Resume::Again => self.free_slot(),
            // The register of the native's result, see `native_code`.
            Resume::Next => {
                let frame = *self.threads.list[self.turn.thread].top();
                frame.base as usize + usize::from(self.method(frame.method).arguments)
            }
        };
        let lock = if self.method(id).is(access::SYNCHRONIZED) {
            let lock = if self.method(id).is_static() {
                self.class(self.method(id).class).mirror
            } else {
                Ref(arguments[0] as u32)
            };
            self.enter_monitor(lock)?;
            lock
        } else {
            Ref::NULL
        };
        let pushed = self.push(id, base, resume, lock);
        if pushed.is_err() && !lock.is_null() {
            self.exit_monitor_now(lock)?;
        }
        pushed?;
        let stack = &mut self.threads.list[self.turn.thread].stack;
        for (index, &value) in arguments.iter().enumerate() {
            stack.set(base + index, value);
        }
        Ok(())
    }

    /// What a virtual call means for the class of its receiver.
    #[inline]
    pub(super) fn dispatch_virtual(&self, site: &CallSite, class: ClassId) -> MethodId {
        let (last, method) = site.last.get();
        if last == class {
            return method;
        }
        let method = self.class(class).vtable[site.slot as usize];
        site.last.set((class, method));
        method
    }

    /// What a call of an interface's method means for the class of its receiver.
    #[inline]
    pub(super) fn dispatch_interface(&self, site: &CallSite, class: ClassId) -> Run<MethodId> {
        let (last, method) = site.last.get();
        if last == class {
            return Ok(method);
        }
        let named = self.method(site.method);
        if !self.is_subclass(class, named.class) {
            let message = format!(
                "Class {} does not implement the requested interface {}",
                self.external_name(class),
                self.external_name(named.class)
            );
            return Err(Abrupt::raise("java/lang/IncompatibleClassChangeError", message));
        }
        let method = self.select(class, named.name, named.descriptor).unwrap_or(site.method);
        site.last.set((class, method));
        Ok(method)
    }

    /// Takes the monitor that a synchronised method needs; null if it needs none.
    #[inline]
    pub(super) fn lock_of_call(&mut self, id: MethodId, arguments: Registers) -> Run<Ref> {
        let method = self.method(id);
        if !method.is(access::SYNCHRONIZED) {
            return Ok(Ref::NULL);
        }
        let lock =
            if method.is_static() { self.class(method.class).mirror } else { Ref(arguments.get(0) as u32) };
        self.enter_monitor(lock)?;
        Ok(lock)
    }
}

/// The code of a native method: the call, and leaving with what it gave. The result is in the register behind the
/// arguments.
fn native_code(method: &Method) -> Code {
    let result = method.arguments;
    let leave = match method.returns {
        Kind::Void => Op::Return,
        Kind::Reference => Op::ReturnRef,
        _ => Op::ReturnValue,
    };
    let mut builder = crate::code::builder::Builder::new(result + 2);
    builder.emit(Insn::new(Op::Native, result, 0, 0));
    builder.emit(Insn::new(leave, result, 0, 0));
    builder.finish()
}
