//! From nothing to a machine that is about to call `main`.

use crate::classfile::{Kind, access};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{Class, ClassId, Loader, MethodId, Shape, Symbols};
use crate::machine::{
    Abrupt, Classes, Clock, FileSystem, Library, Links, Machine, Map, Options, Outcome, Resume, Run, Stop,
    Threads, Turn, WellKnown,
};
use crate::memory::{Heap, Ref};
use std::rc::Rc;

/// Why a program cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    /// The system does not give the memory.
    #[error("the heap of {0} bytes cannot be reserved: try a smaller one")]
    Memory(u64),
    /// There is no such class.
    #[error("could not find or load the main class {0}")]
    NoClass(String),
    /// It has no `main`.
    #[error("the class {0} has no method `public static void main(String[])`")]
    NoMain(String),
    /// Something went wrong inside.
    #[error("the Java machine cannot start: {0}")]
    Failed(String),
}

/// What `VM.initLevel` is once `main` can be called.
const SYSTEM_BOOTED: i32 = 4;

fn failed(abrupt: Abrupt) -> BootError {
    BootError::Failed(match abrupt {
        Abrupt::Raise { class, message } => {
            format!("{}: {}", class.replace('/', "."), message.unwrap_or_default())
        }
        Abrupt::Unsupported(what) => what,
        other => format!("{other:?}"),
    })
}

impl Machine {
    /// A machine whose class library is ready and which has no program yet.
    pub fn boot(library: Rc<Library>, options: Options) -> Result<Machine, BootError> {
        let heap = Heap::new(options.heap).ok_or(BootError::Memory(options.heap))?;
        let mut symbols = Symbols::default();
        let coverage = options.coverage.then(Box::default);
        let natives = crate::natives::all(options.explores);
        let nothing = Class::new(ClassId(0), symbols.intern(""), 0, Shape::Instance, Loader::BOOT);
        let mut machine = Machine {
            library,
            options,
            natives,
            classes: Classes {
                symbols,
                list: vec![nothing],
                methods: Vec::new(),
                names: Map::default(),
                loading: 0,
            },
            known: WellKnown::default(),
            links: Links::default(),
            heap,
            tables: Default::default(),
            threads: Threads::default(),
            turn: Turn { thread: 0, polls: i32::MAX },
            clock: Clock::default(),
            files: FileSystem::default(),
            outcome: Outcome::default(),
            undo: Default::default(),
            scheduling: Default::default(),
            coverage,
        };
        machine.tables.loaders = vec![Ref::NULL, Ref::NULL];
        machine.load_first_classes().map_err(failed)?;
        machine.start_library().map_err(failed)?;
        if machine.options.explores {
            machine.replace_output().map_err(failed)?;
        }
        machine.heap.freeze();
        machine.heap.collect_at = machine.options.garbage;
        Ok(machine)
    }

    fn load_first_classes(&mut self) -> Run<()> {
        self.known.object = self.load(Loader::BOOT, "java/lang/Object")?;
        self.known.cloneable = self.load(Loader::BOOT, "java/lang/Cloneable")?;
        self.known.serializable = self.load(Loader::BOOT, "java/io/Serializable")?;
        let class = self.load(Loader::BOOT, "java/lang/Class")?;
        self.known.mirror_id = self.class(class).size.next_multiple_of(8);
        self.known.class_component = self.known_offset(class, "componentType")?;
        self.known.class_loader = self.known_offset(class, "classLoader")?;
        self.known.class = Some(class);
        for id in 1..self.classes.list.len() as u32 {
            self.make_mirror(ClassId(id))?;
        }
        for kind in Kind::PRIMITIVES {
            let primitive = self.make_primitive(kind)?;
            self.known.primitives[kind as usize] = primitive;
            if kind != Kind::Void {
                self.known.primitive_arrays[kind as usize] = self.array_of(primitive)?;
            }
        }
        self.known.objects = self.array_of(self.known.object)?;
        let string = self.load(Loader::BOOT, "java/lang/String")?;
        self.known.string = string;
        self.known.string_value = self.known_offset(string, "value")?;
        self.known.string_coder = self.known_offset(string, "coder")?;
        let thread = self.load(Loader::BOOT, "java/lang/Thread")?;
        self.known.thread = thread;
        self.known.thread_handle = self.known_offset(thread, "eetop")?;
        self.known.thread_name = self.known_offset(thread, "name")?;
        self.known.thread_interrupted = self.known_offset(thread, "interrupted")?;
        self.known.thread_group = self.offset_of(thread, "group");
        let holdings = [
            "group",
            "target",
            "threadLocals",
            "inheritableThreadLocals",
            "inheritedAccessControlContext",
            "blocker",
            "uncaughtExceptionHandler",
        ];
        self.known.thread_holdings =
            holdings.iter().filter_map(|name| self.offset_of(thread, name)).collect();
        let holder = self.known_offset(thread, "threadStatus")?;
        self.known.thread_status = holder;
        let throwable = self.load(Loader::BOOT, "java/lang/Throwable")?;
        self.known.throwable = throwable;
        self.known.throwable_trace =
            (self.known_offset(throwable, "backtrace")?, self.known_offset(throwable, "depth")?);
        self.known.throwable_message = self.known_offset(throwable, "detailMessage")?;
        self.known.error = Some(self.load(Loader::BOOT, "java/lang/Error")?);
        self.known.method_handle = Some(self.load(Loader::BOOT, "java/lang/invoke/MethodHandle")?);
        self.known.var_handle = Some(self.load(Loader::BOOT, "java/lang/invoke/VarHandle")?);
        Ok(())
    }

    fn known_offset(&self, class: ClassId, name: &str) -> Run<u32> {
        self.offset_of(class, name).ok_or_else(|| {
            Abrupt::unsupported(format!("this JDK's {} has no field {name}", self.external_name(class)))
        })
    }

    /// The JDK's own start: the main thread, and the first phase of `System`.
    fn start_library(&mut self) -> Run<()> {
        let thread = self.new_object(self.known.thread)?;
        self.new_thread(thread, false)?;
        self.heap.put_i64(thread, self.known.thread_handle, 1);
        if let Some(offset) = self.offset_of(self.known.thread, "priority") {
            self.heap.put_i32(thread, offset, 5);
        }
        for name in [
            "java/lang/String",
            "java/lang/System",
            "java/lang/Class",
            "java/lang/ThreadGroup",
            "java/lang/Thread",
        ] {
            let class = self.load(Loader::BOOT, name)?;
            self.finish(|machine| machine.initialise(class))?;
        }
        let groups = self.load(Loader::BOOT, "java/lang/ThreadGroup")?;
        let system = self.new_object(groups)?;
        self.call_now(groups, "<init>", "()V", &[system])?;
        let main = self.new_object(groups)?;
        let name = self.new_string("main")?;
        self.call_now(
            groups,
            "<init>",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[main, system, name],
        )?;
        let constructor = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
        self.call_now(self.known.thread, "<init>", constructor, &[thread, main, name])?;
        self.heap.put_i32(thread, self.known.thread_status, 5);
        let system = self.load(Loader::BOOT, "java/lang/System")?;
        // As the JDK's own machine does, so that reflection is set up in the order that its classes expect.
        let method = self.load(Loader::BOOT, "java/lang/reflect/Method")?;
        self.finish(|machine| machine.initialise(method))?;
        self.call_now(system, "initPhase1", "()V", &[])?;
        // Phases 2 and 3 make the modules and the class loaders, which are here made when they are asked for.
        let vm = self.load(Loader::BOOT, "jdk/internal/misc/VM")?;
        let (mirror, level) = (self.class(vm).mirror, self.known_offset(vm, "initLevel")?);
        self.heap.put_i32(mirror, level, SYSTEM_BOOTED);
        Ok(())
    }

    /// Gives `System.out` and `System.err` objects that keep a log.
    fn replace_output(&mut self) -> Run<()> {
        let class = self.load(Loader::APP, "sojourner/Output")?;
        let system = self.load(Loader::BOOT, "java/lang/System")?;
        for (name, error) in [("out", 0), ("err", 1)] {
            let output = self.new_object(class)?;
            let constructor = self.method_named(class, "<init>", "(Z)V");
            let constructor =
                constructor.ok_or_else(|| Abrupt::unsupported("sojourner.Output is not whole"))?;
            self.execute(constructor, &[u64::from(output.0), error])?;
            let offset = self.known_offset(system, name)?;
            self.heap.put_ref(self.class(system).mirror, offset, output);
        }
        Ok(())
    }

    /// Calls a method to its end, on the main thread, before anything else runs.
    fn call_now(&mut self, class: ClassId, name: &str, descriptor: &str, arguments: &[Ref]) -> Run<u64> {
        let method = self.method_named(class, name, descriptor);
        let method =
            method.ok_or_else(|| Abrupt::unsupported(format!("this JDK has no {name}{descriptor}")))?;
        let arguments: Vec<u64> = arguments.iter().map(|argument| u64::from(argument.0)).collect();
        self.execute(method, &arguments)
    }

    /// Runs a method to its end on a thread that has no frames. For the time before `main` only.
    pub(crate) fn execute(&mut self, method: MethodId, arguments: &[u64]) -> Run<u64> {
        let site = self.call_site(method);
        let slots = self.method(method).arguments;
        let mut builder = Builder::new(slots.max(2) + 2);
        let op = if self.method(method).is(access::STATIC) { Op::CallStatic } else { Op::CallDirect };
        builder.emit(Insn::wide(op, 0, site));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        let descriptor = format!("({})V", "I".repeat(usize::from(slots)));
        let stub = self.make_method("boot", &descriptor, builder.finish());
        self.finish(|machine| machine.call(stub, arguments, Resume::Again))?;
        Ok(self.threads.list[self.turn.thread].stack.get(0))
    }

    /// Does something that may push frames, and runs them to their end.
    fn finish(&mut self, mut what: impl FnMut(&mut Machine) -> Run<()>) -> Run<()> {
        loop {
            let done = match what(self) {
                Ok(()) => true,
                Err(Abrupt::Again) => false,
                Err(other) => return Err(other),
            };
            while !self.threads.list[self.turn.thread].frames.is_empty() {
                self.turn.polls = i32::MAX;
                match self.interpret() {
                    Stop::Switch => {}
                    Stop::Found(finding) => return Err(Abrupt::Found(finding)),
                    Stop::Exit => return Err(Abrupt::Exit),
                    Stop::Ignore(_) => return Err(Abrupt::Ignore),
                    Stop::Unsupported(what) => return Err(Abrupt::Unsupported(what)),
                }
            }
            if done {
                return Ok(());
            }
        }
    }

    /// Makes the machine ready to run a program's `main`.
    pub fn start(&mut self, main_class: &str, arguments: &[String]) -> Result<(), BootError> {
        let missing = |abrupt| match abrupt {
            Abrupt::Raise { class: "java/lang/NoClassDefFoundError", message }
                if message.as_deref() == Some(main_class) =>
            {
                BootError::NoClass(main_class.replace('/', "."))
            }
            other => failed(other),
        };
        let class = self.load(Loader::APP, main_class).map_err(missing)?;
        let main = self.method_named(class, "main", "([Ljava/lang/String;)V");
        let main = main.filter(|&main| {
            let method = self.method(main);
            method.is(access::PUBLIC) && method.is(access::STATIC)
        });
        let main = main.ok_or_else(|| BootError::NoMain(self.external_name(class)))?;
        self.push_main(main, arguments).map_err(failed)
    }

    fn push_main(&mut self, main: MethodId, arguments: &[String]) -> Run<()> {
        let mut strings = Vec::new();
        for argument in arguments {
            strings.push(self.new_string(argument)?);
        }
        let array = self.new_objects(self.known.string, &strings)?;
        let stub = self.stub_main(main)?;
        let thread = self.threads.list[0].object;
        self.turn.thread = 0;
        self.call(stub, &[u64::from(thread.0), u64::from(array.0)], Resume::Again)
    }
}
