//! What would change the world outside of the machine, and is refused with a word on what it was.

use crate::machine::Abrupt;
use crate::machine::native::{Table, framed};

macro_rules! refuse {
    ($what:literal: $($signature:literal),* $(,)?) => {
        &[$(($signature, framed(|_, _| Err(Abrupt::unsupported(concat!($what, " is not supported")))))),*]
    };
}

pub const TABLES: &[Table] = &[
    Table {
        class: "sun/nio/fs/UnixNativeDispatcher",
        methods: refuse!("this operation on files":
            "mknod0(JIJ)V", "read(IJI)I", "write(IJI)I", "dup(I)I",
            "fgetxattr0(IJJI)I", "fsetxattr0(IJJI)V", "fremovexattr0(IJ)V",
        ),
    },
    Table {
        class: "sun/nio/fs/LinuxFileSystem",
        methods: refuse!("watching directories": "newWatchService()Ljava/nio/file/WatchService;"),
    },
    Table {
        class: "java/lang/ProcessBuilder",
        methods: refuse!("starting other programs":
            "start([Ljava/lang/ProcessBuilder$Redirect;)Ljava/lang/Process;"),
    },
    Table { class: "sun/nio/ch/Net", methods: refuse!("the network": "<clinit>()V") },
    Table {
        class: "java/net/Inet4AddressImpl",
        methods: refuse!("looking up names of the network":
            "lookupAllHostAddr(Ljava/lang/String;)[Ljava/net/InetAddress;",
            "getHostByAddr([B)Ljava/lang/String;",
            "isReachable0([BI[BI)Z",
        ),
    },
    Table {
        class: "java/net/Inet6AddressImpl",
        methods: refuse!("looking up names of the network":
            "lookupAllHostAddr(Ljava/lang/String;I)[Ljava/net/InetAddress;",
            "getHostByAddr([B)Ljava/lang/String;",
            "isReachable0([BII[BII)Z",
        ),
    },
    Table { class: "java/awt/Toolkit", methods: refuse!("a graphical interface": "<clinit>()V") },
];
