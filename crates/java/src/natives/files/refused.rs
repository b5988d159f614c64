//! What would change the world outside of the machine, and is refused with a word on what it was.

use super::super::{Table, framed};
use crate::machine::{Arguments, Machine, Run, Trouble};

macro_rules! refuse {
    ($what:literal: $($signature:literal),* $(,)?) => {
        &[$(($signature, framed(|_, _| Err(Trouble::unsupported(concat!($what, " is not supported")))))),*]
    };
}

pub const TABLES: &[Table] = &[
    Table {
        class: "java/io/FileOutputStream",
        methods: &[("open0(Ljava/lang/String;Z)V", framed(open_for_writing))],
    },
    Table {
        class: "java/io/RandomAccessFile",
        methods: refuse!("writing files": "write0(I)V", "writeBytes([BII)V", "setLength(J)V"),
    },
    Table {
        class: "java/io/UnixFileSystem",
        methods: refuse!("changing files and directories":
            "setPermission(Ljava/io/File;IZZ)Z",
            "createFileExclusively(Ljava/lang/String;)Z",
            "delete0(Ljava/io/File;)Z",
            "createDirectory(Ljava/io/File;)Z",
            "rename0(Ljava/io/File;Ljava/io/File;)Z",
            "setLastModifiedTime(Ljava/io/File;J)Z",
            "setReadOnly(Ljava/io/File;)Z",
        ),
    },
    Table {
        class: "sun/nio/fs/UnixNativeDispatcher",
        methods: refuse!("changing files and directories":
            "link0(JJ)V", "unlink0(J)V", "unlinkat0(IJI)V", "mknod0(JIJ)V", "rename0(JJ)V", "renameat0(IJIJ)V",
            "mkdir0(JI)V", "rmdir0(J)V", "symlink0(JJ)V", "chown0(JII)V", "lchown0(JII)V", "fchown(III)V",
            "chmod0(JI)V", "fchmod(II)V", "utimes0(JJJ)V", "futimes(IJJ)V", "futimens(IJJ)V", "lutimes0(JJJ)V",
            "write(IJI)I",
        ),
    },
    Table {
        class: "sun/nio/ch/FileDispatcherImpl",
        methods: refuse!("writing files":
            "write0(Ljava/io/FileDescriptor;JI)I",
            "pwrite0(Ljava/io/FileDescriptor;JIJ)I",
            "writev0(Ljava/io/FileDescriptor;JI)J",
            "truncate0(Ljava/io/FileDescriptor;J)I",
        ),
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

fn open_for_writing(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let path = machine.text_of(arguments.object(1))?;
    Err(Trouble::unsupported(format!("writing the file {path} is not supported")))
}
