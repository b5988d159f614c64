//! Class initialisation: the static initialisers, the thread that runs one, and the threads that wait for it.
//!
//! A class goes from loaded to preparing (its superclasses are being initialised), running and done, or failed. The
//! instruction that needs the class is executed again after each frame that this pushes.

use super::visible::{Operation, OperationKind};
use super::{Abrupt, Frame, Machine, Resume, Run, Status};
use crate::classfile::{Constant, Kind};
use crate::machine::class::{ClassId, status};
use crate::memory::Ref;

/// The superclasses are being initialised.
const PREPARING: u32 = 4;

impl Machine {
    fn status_of(&self, class: ClassId) -> (u32, bool) {
        let word = self.status(class);
        (word & status::MASK, word >> status::OWNER == self.turn.thread as u32)
    }

    /// Whether a class is initialised, or is being so by the current thread.
    #[inline(always)]
    pub(crate) fn is_initialised(&self, class: ClassId) -> bool {
        self.status(class) == status::DONE
    }

    /// Whether another thread is initialising the class.
    pub(super) fn is_being_initialised(&self, class: ClassId, thread: usize) -> bool {
        let word = self.status(class);
        matches!(word & status::MASK, status::RUNNING | PREPARING) && word >> status::OWNER != thread as u32
    }

    /// The thread other than this one that is initialising a class.
    pub(crate) fn initialiser(&self, class: ClassId, thread: usize) -> Option<usize> {
        self.is_being_initialised(class, thread).then(|| (self.status(class) >> status::OWNER) as usize)
    }

    /// Makes sure that a class is initialised. `Again` if that takes frames, `Blocked` if another thread is at it.
    pub(crate) fn initialise(&mut self, class: ClassId) -> Run<()> {
        if !self.scheduling.controlled || self.is_initialised(class) {
            return self.initialise_now(class);
        }
        if self.class(class).loader == crate::machine::class::Loader::BOOT {
            if self.scheduling.is_led() {
                let mirror = self.class(class).mirror;
                self.state_mut(self.turn.thread).pending = Operation::new(OperationKind::Initialise, mirror);
                return Err(Abrupt::Yield);
            }
            self.learn_prelude(class);
            let key = |machine: &Machine| crate::machine::name_hash(machine.class_name(class), 1);
            return self.permanently(key, |machine| machine.initialise_now(class));
        }
        // The first thread runs the initialiser, and the others wait.
        if self.status_of(class).0 == status::LOADED && self.class(class).initialiser.is_some() {
            self.visible(Operation::new(OperationKind::Initialise, self.class(class).mirror))?;
        }
        if self.status_of(class).0 != status::LOADED || self.class(class).initialiser.is_some() {
            self.note_unpredictable();
        }
        self.initialise_now(class)
    }

    fn initialise_now(&mut self, class: ClassId) -> Run<()> {
        let owner = (self.turn.thread as u32) << status::OWNER;
        match self.status_of(class) {
            (status::DONE, _) => return Ok(()),
            (status::RUNNING, true) => return Ok(()),
            (status::RUNNING | PREPARING, false) => {
                self.state_mut(self.turn.thread).status = Status::Initialising(class);
                return Err(Abrupt::Blocked);
            }
            (status::FAILED, _) => return Err(self.failed_before(class)),
            (PREPARING, true) => {}
            _ => {
                self.verify_class(class)?;
                self.note_finalizer(class);
                self.set_status(class, PREPARING | owner);
            }
        }
        let mut first: Vec<ClassId> = Vec::new();
        if !self.class(class).is_interface() {
            first.extend(self.class(class).superclass);
            let interfaces = self.class(class).all_interfaces.iter().copied();
            first.extend(interfaces.filter(|&interface| self.class(interface).has_defaults));
        }
        for needed in first {
            match self.status_of(needed) {
                (status::DONE, _) => {}
                // This class is asked for by the initialiser of its own superclass.
                (status::RUNNING, true) => return Ok(()),
                (status::FAILED, _) => {
                    let message = format!(
                        "java.lang.NoClassDefFoundError: Could not initialize class {}",
                        self.external_name(needed)
                    );
                    let trace = self.backtrace_here()?;
                    self.fail(class, message, trace);
                    return self.initialise_now(needed);
                }
                _ => {
                    if let Err(abrupt) = self.initialise(needed) {
                        if let Abrupt::Raise { class: of, message } = &abrupt {
                            let text = of.replace('/', ".");
                            let text =
                                message.as_ref().map_or(text.clone(), |message| format!("{text}: {message}"));
                            let trace = self.backtrace_here()?;
                            self.fail(class, text, trace);
                        }
                        return Err(abrupt);
                    }
                    // The same, further up.
                    if !self.is_initialised(needed) {
                        return Ok(());
                    }
                }
            }
        }
        self.set_status(class, status::RUNNING | owner);
        self.assign_constants(class)?;
        match self.class(class).initialiser {
            None => {
                self.set_status(class, status::DONE);
                Ok(())
            }
            Some(initialiser) => {
                let called = self.call(initialiser, &[], Resume::Again);
                if called.is_err() {
                    self.set_status(class, status::FAILED);
                }
                called?;
                Err(Abrupt::Again)
            }
        }
    }

    /// Gives static fields the constants that the class file has for them.
    fn assign_constants(&mut self, class: ClassId) -> Run<()> {
        let Some(file) = self.class(class).file.clone() else { return Ok(()) };
        let mirror = self.class(class).mirror;
        for index in 0..self.class(class).fields.len() {
            let field = &self.class(class).fields[index];
            if !field.is_static() {
                continue;
            }
            let (kind, offset, attributes) = (field.kind, field.offset, field.attributes);
            let Some(constant) = file.index_attribute(attributes, "ConstantValue") else { continue };
            match (file.pool.get(constant)?, kind) {
                (Constant::Integer(value), Kind::Boolean | Kind::Byte) => {
                    self.heap.put_u8(mirror, offset, value as u8);
                }
                (Constant::Integer(value), Kind::Char | Kind::Short) => {
                    self.heap.put_u16(mirror, offset, value as u16);
                }
                (Constant::Integer(value), Kind::Int) => self.heap.put_i32(mirror, offset, value),
                (Constant::Float(bits), Kind::Float) => self.heap.put_u32(mirror, offset, bits),
                (Constant::Long(value), Kind::Long) => self.heap.put_i64(mirror, offset, value),
                (Constant::Double(bits), Kind::Double) => self.heap.put_u64(mirror, offset, bits),
                (Constant::String(_), Kind::Reference) => {
                    let string = self.resolve_constant(class, constant)?;
                    self.heap.put_ref(mirror, offset, string);
                }
                _ => {
                    let name = self.class_name(class).to_string();
                    let message = format!("{name}: a static field has a constant of another type");
                    return Err(Abrupt::raise("java/lang/ClassFormatError", message));
                }
            }
        }
        Ok(())
    }

    /// Notes that a class has failed, with what was thrown and where.
    fn fail(&mut self, class: ClassId, thrown: String, trace: Ref) {
        self.set_status(class, status::FAILED);
        let message = format!("Exception {thrown} [in thread {}]", self.thread_name(self.turn.thread));
        self.tables.roots.push(trace);
        self.tables.failures.insert(class, (message, trace));
    }

    /// What using a class leads to whose initialisation has failed.
    fn failed_before(&mut self, class: ClassId) -> Abrupt {
        let message = format!("Could not initialize class {}", self.external_name(class));
        let Some((cause, trace)) = self.tables.failures.get(&class).cloned() else {
            return Abrupt::raise("java/lang/NoClassDefFoundError", message);
        };
        match self.stub_failed(&message, &cause, trace) {
            Ok(()) => Abrupt::Again,
            Err(abrupt) => abrupt,
        }
    }

    /// A frame that was no call of the program's has been left in peace.
    pub(super) fn left(&mut self, frame: &Frame) {
        let method = self.method(frame.method);
        let class = method.class;
        if self.class(class).initialiser == Some(frame.method) {
            // A thread that uses the class from now on goes on at once.
            self.note_unpredictable();
            self.set_status(class, status::DONE);
        }
    }

    /// A frame has been left by an exception. If it was a static initialiser, its class has failed, and what is thrown
    /// from here is an error that says so.
    pub(super) fn left_by(&mut self, frame: &Frame, exception: Ref) -> Option<Abrupt> {
        let class = self.method(frame.method).class;
        if self.class(class).initialiser != Some(frame.method) {
            return None;
        }
        self.note_unpredictable();
        let thread = self.turn.thread as u32;
        let of = ClassId(self.heap.class(exception));
        let text = self.external_name(of);
        let message = self.heap.get_ref(exception, self.known.throwable_message);
        let text = message.some().map_or(text.clone(), |message| format!("{text}: {}", self.text(message)));
        let trace = self.heap.get_ref(exception, self.known.throwable_trace.0);
        // Subclasses that were waiting for this one have failed with it.
        for id in (1..self.classes.list.len() as u32).map(ClassId) {
            let waiting =
                self.status(id) == PREPARING | thread << status::OWNER && self.is_subclass(id, class);
            if id == class || waiting {
                self.fail(id, text.clone(), trace);
            }
        }
        if self.known.error.is_some_and(|error| self.is_subclass(of, error)) {
            return None;
        }
        Some(match self.stub_wrap_initialiser(exception) {
            Ok(()) => Abrupt::Again,
            Err(abrupt) => abrupt,
        })
    }
}
