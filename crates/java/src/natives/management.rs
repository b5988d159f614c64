//! `java.lang.management`: what the machine says of itself.

use super::thread::ask_for_all;
use crate::classfile::Kind;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run, Status};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/management/VMManagementImpl",
        methods: &[
            ("getVersion0()Ljava/lang/String;", leaf(|machine, _| machine.new_string("4.0").map(Bits::bits))),
            ("initOptionalSupportFields()V", leaf(supported)),
            ("isThreadContentionMonitoringEnabled()Z", leaf(|_, _| Ok(0))),
            ("isThreadCpuTimeEnabled()Z", leaf(|_, _| Ok(1))),
            ("isThreadAllocatedMemoryEnabled()Z", leaf(|_, _| Ok(0))),
            ("getTotalClassCount()J", leaf(|machine, _| Ok(machine.classes.list.len() as u64))),
            ("getUnloadedClassCount()J", leaf(|_, _| Ok(0))),
            ("getVerboseClass()Z", leaf(|_, _| Ok(0))),
            ("getVerboseGC()Z", leaf(|_, _| Ok(0))),
            ("getProcessId()I", leaf(|_, _| Ok(1))),
            ("getVmArguments0()[Ljava/lang/String;", leaf(super::environment::no_strings)),
            ("getStartupTime()J", leaf(|machine, _| Ok((machine.wall_clock().0 * 1000).bits()))),
            ("getUptime0()J", leaf(|machine, _| Ok((machine.uptime() / 1_000_000).bits()))),
            ("getAvailableProcessors()I", leaf(|_, _| Ok(2))),
            ("getTotalThreadCount()J", leaf(all_that_were)),
            ("getLiveThreadCount()I", leaf(|machine, _| live(machine, |_| true))),
            ("getPeakThreadCount()I", leaf(all_that_were)),
            ("getDaemonThreadCount()I", leaf(|machine, _| live(machine, |daemon| daemon))),
        ],
    },
    Table {
        class: "sun/management/ThreadImpl",
        methods: &[
            ("getThreads()[Ljava/lang/Thread;", leaf(super::thread::all_threads)),
            ("getThreadTotalCpuTime0(J)J", leaf(|machine, _| Ok(machine.uptime().bits()))),
            ("getThreadUserCpuTime0(J)J", leaf(|machine, _| Ok(machine.uptime().bits()))),
            (
                "findMonitorDeadlockedThreads0()[Ljava/lang/Thread;",
                leaf(|machine, _| deadlocked(machine, Machine::holder_of_monitor)),
            ),
            (
                "findDeadlockedThreads0()[Ljava/lang/Thread;",
                leaf(|machine, _| deadlocked(machine, Machine::holder_of_lock)),
            ),
            ("resetPeakThreadCount0()V", NOTHING),
            ("getThreadInfo1([JI[Ljava/lang/management/ThreadInfo;)V", framed(describe_threads)),
            ("dumpThreads0([JZZI)[Ljava/lang/management/ThreadInfo;", framed(dump_threads)),
        ],
    },
    Table {
        class: "sun/management/MemoryImpl",
        methods: &[
            ("getMemoryUsage0(Z)Ljava/lang/management/MemoryUsage;", framed(memory_usage)),
            ("setVerboseGC(Z)V", NOTHING),
            // There is one heap, and its collector is not listed.
            (
                "getMemoryPools0()[Ljava/lang/management/MemoryPoolMXBean;",
                leaf(|machine, _| none_of(machine, "java/lang/management/MemoryPoolMXBean")),
            ),
            (
                "getMemoryManagers0()[Ljava/lang/management/MemoryManagerMXBean;",
                leaf(|machine, _| none_of(machine, "java/lang/management/MemoryManagerMXBean")),
            ),
        ],
    },
    Table {
        class: "com/sun/management/internal/OperatingSystemImpl",
        methods: &[("initialize0()V", NOTHING)],
    },
    Table { class: "com/sun/management/internal/Flag", methods: &[("initialize()V", NOTHING)] },
    Table {
        class: "com/sun/management/internal/DiagnosticCommandImpl",
        methods: &[
            ("setNotificationEnabled(Z)V", NOTHING),
            ("getDiagnosticCommands()[Ljava/lang/String;", leaf(super::environment::no_strings)),
            (
                "getDiagnosticCommandInfo([Ljava/lang/String;)[Lcom/sun/management/internal/DiagnosticCommandInfo;",
                leaf(|machine, _| none_of(machine, "com/sun/management/internal/DiagnosticCommandInfo")),
            ),
        ],
    },
];

/// An empty array of a class.
fn none_of(machine: &mut Machine, class: &str) -> Run<u64> {
    let class = machine.load(Loader::BOOT, class)?;
    machine.new_objects(class, &[]).map(Bits::bits)
}

/// Notes which of the optional things the machine can tell.
fn supported(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let class = machine.load(Loader::BOOT, "sun/management/VMManagementImpl")?;
    let mirror = machine.class(class).mirror;
    for name in [
        "currentThreadCpuTimeSupport",
        "otherThreadCpuTimeSupport",
        "objectMonitorUsageSupport",
        "synchronizerUsageSupport",
    ] {
        if let Some(offset) = machine.offset_of(class, name) {
            machine.heap.put_u8(mirror, offset, 1);
        }
    }
    Ok(0)
}

/// The number of threads that were started so far.
fn all_that_were(machine: &mut Machine, _: Arguments) -> Run<u64> {
    ask_for_all(machine)?;
    Ok(machine.threads.list.len() as u64)
}

/// The number of threads that are not over.
fn live(machine: &mut Machine, counts: impl Fn(bool) -> bool) -> Run<u64> {
    ask_for_all(machine)?;
    let threads = machine.threads.list.iter().filter(|thread| thread.status != Status::Finished);
    Ok(threads.filter(|thread| counts(thread.daemon)).count() as u64)
}

/// The threads that wait for each other in a cycle; `waits_for` gives the thread that each of them waits for. Null if there are none.
fn deadlocked(machine: &mut Machine, waits_for: impl Fn(&Machine, usize) -> Option<usize>) -> Run<u64> {
    ask_for_all(machine)?;
    let everyone = 0..machine.threads.list.len();
    let comes_back = |thread: &usize| {
        let next = |&at: &usize| waits_for(machine, at);
        std::iter::successors(next(thread), next).take(everyone.len()).any(|at| at == *thread)
    };
    let stuck: Vec<Ref> =
        everyone.clone().filter(comes_back).map(|thread| machine.threads.list[thread].object).collect();
    if stuck.is_empty() {
        return Ok(0);
    }
    machine.new_objects(machine.known.thread, &stuck).map(Bits::bits)
}

impl Machine {
    /// The thread that holds the monitor that another one waits for.
    fn holder_of_monitor(&self, thread: usize) -> Option<usize> {
        let Status::Entering(object) = self.threads.list[thread].status else { return None };
        self.holder(object).map(|(holder, _)| holder).filter(|&holder| holder != thread)
    }

    /// The same for locks of `java.util.concurrent`, too, which know their owner.
    fn holder_of_lock(&self, thread: usize) -> Option<usize> {
        let parked = matches!(self.threads.list[thread].status, Status::Parked { .. });
        if !parked {
            return self.holder_of_monitor(thread);
        }
        let blocker = self.offset_of(self.known.thread, "parkBlocker")?;
        let lock = self.heap.get_ref(self.threads.list[thread].object, blocker).some()?;
        let owner = self.offset_of(ClassId(self.heap.class(lock)), "exclusiveOwnerThread")?;
        self.heap.get_ref(lock, owner).some().and_then(|owner| self.thread_of(owner))
    }
}

/// Describes the threads of some numbers, up to so many of their frames, in an array of `ThreadInfo`. One is made at a time,
/// and no other thread moves meanwhile; threads that are not alive have none.
fn describe_threads(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (numbers, most, infos) = (arguments.object(0), arguments.int(1), arguments.object(2));
    let count = machine.heap.length(infos);
    let described = |machine: &Machine, index: u32| !machine.element(infos, index).is_null();
    if !(0..count).any(|index| described(machine, index)) {
        ask_for_all(machine)?;
    }
    for index in 0..count {
        let number = machine.heap.get_i64(numbers, ARRAY_DATA + 8 * index);
        if let Some(thread) = machine.alive_of_number(number).filter(|_| !described(machine, index)) {
            let info = machine.begin_info(thread, usize::try_from(most).unwrap_or(usize::MAX))?;
            machine.heap.put_ref(infos, ARRAY_DATA + 4 * index, info);
            return Err(Abrupt::Again);
        }
    }
    Ok(0)
}

/// The same for all threads, or for those of some numbers, in an array of its own.
fn dump_threads(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (numbers, most) = (arguments.object(0), arguments.int(3));
    if arguments.int(1) != 0 || arguments.int(2) != 0 {
        return Err(Abrupt::unsupported("asking which monitors and locks a thread holds is not supported"));
    }
    let class = machine.load(Loader::BOOT, "java/lang/management/ThreadInfo")?;
    ask_for_all(machine)?;
    let numbers = match numbers.some() {
        Some(numbers) => numbers,
        None => machine.numbers_of_alive()?,
    };
    let nothing = vec![Ref::NULL; machine.heap.length(numbers) as usize];
    let infos = machine.new_objects(class, &nothing)?;
    let stub = machine.describing_stub()?;
    machine.call(stub, &[numbers.bits(), most.bits(), infos.bits()], Resume::Next)?;
    Err(Abrupt::Called)
}

impl Machine {
    /// The object of the living thread of a number.
    fn alive_of_number(&self, number: i64) -> Option<Ref> {
        let tid = self.offset_of(self.known.thread, "tid")?;
        let mut alive = self.threads.list.iter().filter(|thread| thread.status != Status::Finished);
        alive.find(|thread| self.heap.get_i64(thread.object, tid) == number).map(|thread| thread.object)
    }

    /// The numbers of the threads that are alive, as an array.
    fn numbers_of_alive(&mut self) -> Run<Ref> {
        let tid = self.offset_of(self.known.thread, "tid");
        let tid = tid.ok_or_else(|| Abrupt::unsupported("this JDK's java.lang.Thread"))?;
        let alive = self.threads.list.iter().filter(|thread| thread.status != Status::Finished);
        let numbers: Vec<i64> = alive.map(|thread| self.heap.get_i64(thread.object, tid)).collect();
        let class = self.known.primitive_arrays[Kind::Long as usize];
        let array = self.new_array(class, numbers.len() as i32)?;
        for (index, &number) in numbers.iter().enumerate() {
            self.heap.put_i64(array, ARRAY_DATA + 8 * index as u32, number);
        }
        Ok(array)
    }

    /// A `ThreadInfo` of a thread, whose constructor is called next.
    fn begin_info(&mut self, thread: Ref, most: usize) -> Run<Ref> {
        let class = self.load(Loader::BOOT, "java/lang/management/ThreadInfo")?;
        let constructor = self.method_named(
            class,
            "<init>",
            "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;)V",
        );
        let unknown = || Abrupt::unsupported("this JDK's java.lang.management.ThreadInfo");
        let constructor = constructor.ok_or_else(unknown)?;
        self.initialise(class)?;
        let number = self.thread_of(thread).ok_or_else(unknown)?;
        let lock = match self.threads.list[number].status {
            Status::Entering(object) => self.holder(object).map_or(Ref::NULL, |_| object),
            Status::Waiting { on, .. } => on,
            Status::Parked { .. } => {
                let blocker = self.offset_of(self.known.thread, "parkBlocker");
                blocker.map_or(Ref::NULL, |blocker| self.heap.get_ref(thread, blocker))
            }
            _ => Ref::NULL,
        };
        let owner = self.holder_of_lock(number).map_or(Ref::NULL, |owner| self.threads.list[owner].object);
        let trace = self.elements_of_stack(thread, most)?;
        let info = self.new_object(class)?;
        let state = super::thread::state_of(self, thread);
        // How often it has waited, and for how long, is not counted.
        let (none, unknown) = (0, (-1i64).bits());
        let counts = [none, 0, unknown, 0, none, 0, unknown, 0];
        let first = [info.bits(), thread.bits(), state.bits(), lock.bits(), owner.bits()];
        self.call(constructor, &[&first[..], &counts, &[trace.bits()]].concat(), Resume::Again)?;
        Ok(info)
    }

    /// Describes threads in an array, and returns it.
    fn describing_stub(&mut self) -> Run<MethodId> {
        if let Some(stub) = self.links.stubs.describe {
            return Ok(stub);
        }
        let describe = self.hook(describe_threads);
        let mut builder = Builder::new(3);
        builder.emit(Insn::wide(Op::Hook, 0, describe));
        builder.emit(Insn::new(Op::ReturnValue, 2, 0, 0));
        let descriptor = "([JI[Ljava/lang/management/ThreadInfo;)[Ljava/lang/management/ThreadInfo;";
        let stub = self.make_method("describe", descriptor, builder.finish());
        self.links.stubs.describe = Some(stub);
        Ok(stub)
    }
}

fn memory_usage(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let (used, limit) = (machine.heap.used(), machine.heap.limit());
    let slots = [0, 0, used, 0, used, 0, limit, 0];
    Err(machine.construct("java/lang/management/MemoryUsage", "(JJJJ)V", &slots))
}
