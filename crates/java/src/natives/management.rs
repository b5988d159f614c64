//! `java.lang.management`: what the machine says of itself.

use super::{NOTHING, Table, framed, leaf};
use crate::class::Loader;
use crate::machine::{Arguments, Bits, Machine, Run, Status};

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
            ("getTotalThreadCount()J", leaf(|machine, _| Ok(machine.threads.len() as u64))),
            ("getLiveThreadCount()I", leaf(|machine, _| Ok(live(machine, |_| true)))),
            ("getPeakThreadCount()I", leaf(|machine, _| Ok(machine.threads.len() as u64))),
            ("getDaemonThreadCount()I", leaf(|machine, _| Ok(live(machine, |daemon| daemon)))),
        ],
    },
    Table {
        class: "sun/management/ThreadImpl",
        methods: &[
            ("getThreads()[Ljava/lang/Thread;", leaf(super::thread::all_threads)),
            ("getThreadTotalCpuTime0(J)J", leaf(|machine, _| Ok(machine.uptime().bits()))),
            ("getThreadUserCpuTime0(J)J", leaf(|machine, _| Ok(machine.uptime().bits()))),
            ("findMonitorDeadlockedThreads0()[Ljava/lang/Thread;", leaf(|_, _| Ok(0))),
            ("findDeadlockedThreads0()[Ljava/lang/Thread;", leaf(|_, _| Ok(0))),
            ("resetPeakThreadCount0()V", NOTHING),
        ],
    },
    Table {
        class: "sun/management/MemoryImpl",
        methods: &[
            ("getMemoryUsage0(Z)Ljava/lang/management/MemoryUsage;", framed(memory_usage)),
            ("setVerboseGC(Z)V", NOTHING),
        ],
    },
];

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

/// The number of threads that are not over.
fn live(machine: &Machine, counts: impl Fn(bool) -> bool) -> u64 {
    let threads = machine.threads.iter().filter(|thread| thread.status != Status::Finished);
    threads.filter(|thread| counts(thread.daemon)).count() as u64
}

fn memory_usage(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let (used, limit) = (machine.heap.used(), machine.heap.limit());
    let slots = [0, 0, used, 0, used, 0, limit, 0];
    Err(machine.construct("java/lang/management/MemoryUsage", "(JJJJ)V", &slots))
}
