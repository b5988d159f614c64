//! Small natives of the JDK's own packages.

use crate::machine::class::Loader;
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};

pub const TABLES: &[Table] = &[
    Table {
        class: "jdk/internal/misc/CDS",
        methods: &[
            ("isDumpingArchive0()Z", leaf(|_, _| Ok(0))),
            ("isDumpingClassList0()Z", leaf(|_, _| Ok(0))),
            ("isSharingEnabled0()Z", leaf(|_, _| Ok(0))),
            // The same in every run: what is salted by it has one order.
            ("getRandomSeedForDumping()J", leaf(|_, _| Ok(0x5016_0ACE))),
            ("initializeFromArchive(Ljava/lang/Class;)V", NOTHING),
            ("defineArchivedModules(Ljava/lang/Object;Ljava/lang/Object;)V", NOTHING),
        ],
    },
    Table {
        class: "jdk/internal/perf/Perf",
        methods: &[("createLong(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;", framed(performance_counter))],
    },
    Table {
        class: "jdk/internal/misc/VM",
        methods: &[
            ("initialize()V", NOTHING),
            ("initializeFromArchive(Ljava/lang/Class;)V", NOTHING),
            ("getNanoTimeAdjustment(J)J", framed(nano_time_adjustment)),
        ],
    },
    Table {
        class: "jdk/internal/misc/Signal",
        methods: &[
            ("findSignal0(Ljava/lang/String;)I", leaf(find_signal)),
            ("handle0(IJ)J", leaf(handle_signal)),
            ("raise0(I)V", framed(raise_signal)),
        ],
    },
    Table {
        class: "jdk/internal/reflect/Reflection",
        methods: &[
            ("getCallerClass()Ljava/lang/Class;", framed(caller_class)),
            (
                "getClassAccessFlags(Ljava/lang/Class;)I",
                leaf(|machine, arguments| {
                    let class = machine.class_of_mirror(arguments.object(0));
                    Ok(i32::from(machine.class(class).access).bits())
                }),
            ),
            ("areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z", framed(are_nest_mates)),
        ],
    },
    Table {
        class: "java/security/AccessController",
        methods: &[
            ("getStackAccessControlContext()Ljava/security/AccessControlContext;", leaf(|_, _| Ok(0))),
            ("getInheritedAccessControlContext()Ljava/security/AccessControlContext;", leaf(|_, _| Ok(0))),
            ("ensureMaterializedForStackWalk(Ljava/lang/Object;)V", NOTHING),
            ("getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;", leaf(|_, _| Ok(0))),
        ],
    },
    Table {
        class: "java/util/concurrent/atomic/AtomicLong",
        methods: &[("VMSupportsCS8()Z", leaf(|_, _| Ok(1)))],
    },
];

/// A counter of the JDK's own statistics: a buffer that nothing else reads.
fn performance_counter(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.give("java/nio/ByteBuffer", "allocate", "(I)Ljava/nio/ByteBuffer;", &[8])
}

/// The signals of Linux, from 1 on.
const SIGNALS: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS",
];
/// Those that the virtual machine and the system keep for themselves.
const RESERVED: [&str; 7] = ["QUIT", "ILL", "FPE", "KILL", "SEGV", "USR2", "STOP"];

fn find_signal(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text(arguments.object(0));
    let number = SIGNALS.iter().position(|signal| *signal == name).map_or(-1, |index| index as i32 + 1);
    Ok(number.bits())
}

/// No signal ever comes from outside, so that nothing has to be done for a handler. What was there before is the default.
fn handle_signal(_: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = usize::try_from(arguments.int(0) - 1).ok().and_then(|index| SIGNALS.get(index));
    let reserved = name.is_none_or(|name| RESERVED.contains(name));
    Ok(if reserved { -1i64 } else { 0 }.bits())
}

/// What the thread that hands on signals does: the handler runs on a thread of its own.
fn raise_signal(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.load(Loader::BOOT, "jdk/internal/misc/Signal")?;
    let dispatch = machine.method_named(class, "dispatch", "(I)V");
    let dispatch = dispatch.ok_or_else(|| Abrupt::unsupported("this JDK's jdk.internal.misc.Signal"))?;
    machine.call(dispatch, &[arguments.int(0).bits()], Resume::Next)?;
    Err(Abrupt::Called)
}

/// The class of the method that called the one that asks.
fn caller_class(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let thread = &machine.threads.list[machine.turn.thread];
    let invoke = [
        "java/lang/reflect/Method",
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        "jdk/internal/reflect/DelegatingMethodAccessorImpl",
    ];
    // Frame 0 is this native, frame 1 the method that asks, frame 2 its caller.
    let mut seen = 0;
    for frame in thread.frames.iter().rev() {
        let method = machine.method(frame.method);
        if method.marks.hidden || seen >= 2 && invoke.contains(&machine.class_name(method.class)) {
            continue;
        }
        if seen == 2 {
            return Ok(machine.class(method.class).mirror.bits());
        }
        seen += 1;
    }
    Ok(0)
}

fn are_nest_mates(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (a, b) = (machine.class_of_mirror(arguments.object(0)), machine.class_of_mirror(arguments.object(1)));
    Ok((machine.nest_host(a)? == machine.nest_host(b)?).bits())
}

fn nano_time_adjustment(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    machine.ask_for_time();
    let (seconds, nanoseconds) = machine.wall_clock();
    Ok(((seconds - arguments.long(0)) * 1_000_000_000 + nanoseconds).bits())
}
