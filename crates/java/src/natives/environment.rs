//! What the program can see of the system that it runs on.

use crate::machine::native::{NOTHING, Native, Table, framed, leaf};
use crate::machine::{Arguments, Bits, Machine, Run};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/util/TimeZone",
        methods: &[
            ("getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;", leaf(time_zone)),
            ("getSystemGMTOffsetID()Ljava/lang/String;", leaf(|machine, _| text(machine, "GMT"))),
        ],
    },
    Table {
        class: "java/io/Console",
        methods: &[
            ("encoding()Ljava/lang/String;", leaf(|_, _| Ok(0))),
            ("istty()Z", leaf(|_, _| Ok(0))),
            ("echo(Z)Z", leaf(|_, _| Ok(0))),
        ],
    },
    // A program sees itself as the only one.
    Table {
        class: "java/lang/ProcessHandleImpl",
        methods: &[
            ("getCurrentPid0()J", leaf(|_, _| Ok(1))),
            ("parent0(JJ)J", leaf(|_, _| Ok((-1i64).bits()))),
            ("isAlive0(J)J", leaf(|_, _| Ok(0))),
            ("getProcessPids0(J[J[J[J)I", leaf(|_, _| Ok(0))),
            ("destroy0(JJZ)Z", leaf(|_, _| Ok(0))),
        ],
    },
    Table {
        class: "java/lang/ProcessHandleImpl$Info",
        methods: &[("initIDs()V", NOTHING), ("info0(J)V", NOTHING)],
    },
    Table {
        class: "jdk/internal/misc/VM",
        methods: &[
            ("getuid()J", leaf(|_, _| Ok(0))),
            ("geteuid()J", leaf(|_, _| Ok(0))),
            ("getgid()J", leaf(|_, _| Ok(0))),
            ("getegid()J", leaf(|_, _| Ok(0))),
            ("getRuntimeArguments()[Ljava/lang/String;", leaf(no_strings)),
        ],
    },
    Table {
        class: "jdk/internal/platform/CgroupMetrics",
        methods: &[("isUseContainerSupport()Z", leaf(|_, _| Ok(0)))],
    },
    Table {
        class: "java/lang/SecurityManager",
        methods: &[("getClassContext()[Ljava/lang/Class;", framed(class_context))],
    },
    Table {
        class: "java/net/InetAddress",
        methods: &[("init()V", NOTHING), ("isIPv4Available()Z", leaf(|_, _| Ok(1)))],
    },
    Table { class: "java/net/Inet4Address", methods: &[("init()V", NOTHING)] },
    Table { class: "java/net/Inet6Address", methods: &[("init()V", NOTHING)] },
    // A system without a network has this name.
    Table { class: "java/net/Inet4AddressImpl", methods: LOCAL_HOST },
    Table { class: "java/net/Inet6AddressImpl", methods: LOCAL_HOST },
    Table {
        class: "java/net/InetAddressImplFactory",
        methods: &[("isIPv6Supported()Z", leaf(|_, _| Ok(0)))],
    },
];

const LOCAL_HOST: &[(&str, Native)] =
    &[("getLocalHostName()Ljava/lang/String;", leaf(|machine, _| text(machine, "localhost")))];

fn text(machine: &mut Machine, text: &str) -> Run<u64> {
    machine.new_string(text).map(Bits::bits)
}

/// The zone that `java` would find: what `TZ` says, or the system's own.
fn time_zone(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let variable = std::env::var("TZ").ok().map(|zone| zone.trim_start_matches(':').to_string());
    let zone = variable.filter(|zone| !zone.is_empty()).or_else(|| {
        let link = std::fs::read_link("/etc/localtime").ok()?;
        let (_, zone) = link.to_str()?.split_once("zoneinfo/")?;
        Some(zone.to_string())
    });
    text(machine, &zone.unwrap_or_else(|| "UTC".into()))
}

pub fn no_strings(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.new_objects(machine.known.string, &[]).map(Bits::bits)
}

/// The classes of all methods that have been called and not left, the latest first.
fn class_context(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let frames = machine.threads.list[machine.turn.thread].frames.iter().rev().skip(1);
    let methods = frames.map(|frame| machine.method(frame.method)).filter(|method| !method.marks.hidden);
    let mirrors: Vec<_> = methods.map(|method| machine.class(method.class).mirror).collect();
    let class = machine.known.class.unwrap_or_default();
    machine.new_objects(class, &mirrors).map(Bits::bits)
}
