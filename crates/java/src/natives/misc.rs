//! Small natives of the JDK's own packages.

use super::{NOTHING, Table, framed, leaf};
use crate::machine::{Arguments, Bits, Machine, Run};

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
            ("findSignal0(Ljava/lang/String;)I", leaf(|_, _| Ok((-1i32).bits()))),
            ("handle0(IJ)J", leaf(|_, _| Ok(0))),
            ("raise0(I)V", NOTHING),
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

/// A counter of the JDK's own statistics: a buffer that nobody else reads.
fn performance_counter(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.give("java/nio/ByteBuffer", "allocate", "(I)Ljava/nio/ByteBuffer;", &[8])
}

/// The class of the method that called the one that asks.
fn caller_class(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let thread = &machine.threads[machine.current];
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
