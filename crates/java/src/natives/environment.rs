//! What the program can see of the system that it runs on.

use super::{NOTHING, Table, leaf};
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
        class: "java/net/InetAddress",
        methods: &[("init()V", NOTHING), ("isIPv4Available()Z", leaf(|_, _| Ok(1)))],
    },
    Table { class: "java/net/Inet4Address", methods: &[("init()V", NOTHING)] },
    Table { class: "java/net/Inet6Address", methods: &[("init()V", NOTHING)] },
    Table {
        class: "java/net/InetAddressImplFactory",
        methods: &[("isIPv6Supported()Z", leaf(|_, _| Ok(0)))],
    },
];

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
