//! `java.lang.management`: what the machine says of itself.

use super::thread::ask_for_all;
use super::{NOTHING, Table, framed, leaf};
use crate::class::{ClassId, Loader};
use crate::machine::{Arguments, Bits, Machine, Run, Status};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/management/VMManagementImpl",
        methods: &[
            ("getVersion0()Ljava/lang/String;", leaf(|machine, _| machine.new_string("4.0").map(Bits::bits))),
            ("initOptionalSupportFields()V", leaf(supported)),
            ("isThreadContentionMonitoringEnabled()Z", leaf(|_, _| Ok(0))),
            ("isThreadCpuTimeEnabled()Z", leaf(|_, _| Ok(1))),
            ("isThreadAllocatedMemoryEnabled()Z", leaf(|_, _| Ok(0))),
            ("getTotalClassCount()J", leaf(|machine, _| Ok(machine.classes.len() as u64))),
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
        ],
    },
    Table {
        class: "sun/management/MemoryImpl",
        methods: &[
            ("getMemoryUsage0(Z)Ljava/lang/management/MemoryUsage;", framed(memory_usage)),
            ("setVerboseGC(Z)V", NOTHING),
            // The heap is one, and whoever collects it is not told of.
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
    Ok(machine.threads.len() as u64)
}

/// The number of threads that are not over.
fn live(machine: &mut Machine, counts: impl Fn(bool) -> bool) -> Run<u64> {
    ask_for_all(machine)?;
    let threads = machine.threads.iter().filter(|thread| thread.status != Status::Finished);
    Ok(threads.filter(|thread| counts(thread.daemon)).count() as u64)
}

/// The threads that wait for each other in a circle, by whom each of them waits for; null if there are none.
fn deadlocked(machine: &mut Machine, waits_for: impl Fn(&Machine, usize) -> Option<usize>) -> Run<u64> {
    ask_for_all(machine)?;
    let everyone = 0..machine.threads.len();
    let comes_back = |thread: &usize| {
        let next = |&at: &usize| waits_for(machine, at);
        std::iter::successors(next(thread), next).take(everyone.len()).any(|at| at == *thread)
    };
    let stuck: Vec<Ref> =
        everyone.clone().filter(comes_back).map(|thread| machine.threads[thread].object).collect();
    if stuck.is_empty() {
        return Ok(0);
    }
    machine.new_objects(machine.known.thread, &stuck).map(Bits::bits)
}

impl Machine {
    /// Who holds the monitor that a thread waits for.
    fn holder_of_monitor(&self, thread: usize) -> Option<usize> {
        let Status::Entering(object) = self.threads[thread].status else { return None };
        self.holder(object).map(|(holder, _)| holder).filter(|&holder| holder != thread)
    }

    /// The same for locks of `java.util.concurrent`, too, which know their owner.
    fn holder_of_lock(&self, thread: usize) -> Option<usize> {
        let parked = matches!(self.threads[thread].status, Status::Parked { .. });
        if !parked {
            return self.holder_of_monitor(thread);
        }
        let blocker = self.offset_of(self.known.thread, "parkBlocker")?;
        let lock = self.heap.get_ref(self.threads[thread].object, blocker).some()?;
        let owner = self.offset_of(ClassId(self.heap.class(lock)), "exclusiveOwnerThread")?;
        self.heap.get_ref(lock, owner).some().and_then(|owner| self.thread_of(owner))
    }
}

fn memory_usage(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let (used, limit) = (machine.heap.used(), machine.heap.limit());
    let slots = [0, 0, used, 0, used, 0, limit, 0];
    Err(machine.construct("java/lang/management/MemoryUsage", "(JJJJ)V", &slots))
}
