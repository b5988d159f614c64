//! Functions of the C library that read or write memory of the program. Compilers do not look into them, so that calls of them
//! in the program's objects go to functions of the runtime instead, which say what they touch.

use object::{Object, ObjectSymbol};

/// Their names. Those of the runtime begin with `__sojourner_`.
const NAMES: [&str; 121] = [
    // Memory and strings.
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "memcmp",
    "memchr",
    "bcmp",
    "bcopy",
    "bzero",
    "explicit_bzero",
    "strlen",
    "strnlen",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "strchr",
    "index",
    "strchrnul",
    "strrchr",
    "rindex",
    "strstr",
    "strcasestr",
    "strpbrk",
    "strspn",
    "strcspn",
    "strdup",
    "strndup",
    "strtok",
    "strtok_r",
    "strsep",
    // Numbers and arrays.
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtod",
    "strtof",
    "rand_r",
    "qsort",
    // Dates.
    "localtime",
    "localtime_r",
    "gmtime",
    "gmtime_r",
    "asctime",
    "asctime_r",
    "ctime",
    "ctime_r",
    "mktime",
    "strftime",
    // What the system fills in, and the environment.
    "stat",
    "stat64",
    "lstat",
    "lstat64",
    "fstat",
    "fstat64",
    "fstatat",
    "statfs",
    "fstatfs",
    "uname",
    "getcwd",
    "readlink",
    "readlinkat",
    "getrusage",
    "getrlimit",
    "times",
    "sysinfo",
    "clock_getres",
    "sched_getparam",
    "sched_getaffinity",
    "pthread_getaffinity_np",
    "ioctl",
    "sbrk",
    "brk",
    "getenv",
    "setenv",
    "unsetenv",
    "putenv",
    // Streams and formats.
    "puts",
    "fputs",
    "fgets",
    "fopen",
    "fopen64",
    "fgetc",
    "getc",
    "_IO_getc",
    "getline",
    "fread",
    "fwrite",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "asprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "vasprintf",
    "sscanf",
    "__isoc99_sscanf",
    "fscanf",
    "__isoc99_fscanf",
    // What the program asks the loader for.
    "dlsym",
    // What the runtime itself calls, if the program defines it.
    "dl_iterate_phdr",
    "fflush",
    "getauxval",
    "isatty",
    "longjmp",
    "setvbuf",
    "pthread_attr_init",
    "pthread_attr_setstack",
];

/// Those that are calls also where the compiler knows what they do: it would put instructions in their place that it does not
/// announce.
pub const CALLED: [&str; 17] = [
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-mempcpy",
    "-fno-builtin-memset",
    "-fno-builtin-memcmp",
    "-fno-builtin-bcmp",
    "-fno-builtin-bzero",
    "-fno-builtin-strcpy",
    "-fno-builtin-stpcpy",
    "-fno-builtin-strncpy",
    "-fno-builtin-strcat",
    "-fno-builtin-strncat",
    "-fno-builtin-sprintf",
    "-fno-builtin-snprintf",
    "-fno-builtin-strlen",
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
];

/// How the runtime's names for them begin.
const PREFIX: &str = "__sojourner_";

/// What symbols of an object are called from now on. Functions, and variables, that the program itself defines by these names
/// are renamed alike: in whichever object it calls one, its own definition takes the place of the runtime's, which is weak. The
/// runtime calls some of the C library's, which then stay what they are.
pub fn symbols(object: &[u8]) -> Vec<(&'static str, String)> {
    let Ok(file) = object::File::parse(object) else { return Vec::new() };
    let renamed = |symbol: object::Symbol<'_, '_>| {
        let name = NAMES.into_iter().find(|name| symbol.name() == Ok(name))?;
        Some((name, format!("{PREFIX}{name}")))
    };
    file.symbols().filter_map(renamed).collect()
}

/// The name of a symbol as the source has it.
pub fn in_source(symbol: &str) -> &str {
    symbol.strip_prefix(PREFIX).unwrap_or(symbol)
}

/// What symbols of any object are called, as a table for `objcopy --redefine-syms`.
pub fn table() -> String {
    NAMES.iter().map(|name| format!("{name} {PREFIX}{name}\n")).collect()
}
