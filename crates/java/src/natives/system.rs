//! `java.lang.System`, `Runtime` and the properties that the machine starts with.

use crate::classfile::{Constant, Kind};
use crate::machine::class::{ClassId, Loader};
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::visible::{Behaviour, Juc, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::{ARRAY_DATA, Ref};
use sojourner_program::Mode;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/System",
        methods: &[
            ("arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", leaf(array_copy)),
            ("currentTimeMillis()J", framed(current_time_millis)),
            ("nanoTime()J", framed(nano_time)),
            ("identityHashCode(Ljava/lang/Object;)I", leaf(super::lang::identity_hash_code)),
            (
                "setIn0(Ljava/io/InputStream;)V",
                leaf(|machine, arguments| set_stream(machine, "in", arguments)),
            ),
            (
                "setOut0(Ljava/io/PrintStream;)V",
                leaf(|machine, arguments| set_stream(machine, "out", arguments)),
            ),
            (
                "setErr0(Ljava/io/PrintStream;)V",
                leaf(|machine, arguments| set_stream(machine, "err", arguments)),
            ),
            ("mapLibraryName(Ljava/lang/String;)Ljava/lang/String;", leaf(map_library_name)),
        ],
    },
    Table {
        class: "java/lang/Runtime",
        methods: &[
            ("availableProcessors()I", framed(available_processors)),
            ("freeMemory()J", leaf(free_memory)),
            ("totalMemory()J", leaf(|machine, _| Ok(machine.heap.limit().bits()))),
            ("maxMemory()J", leaf(|machine, _| Ok(machine.heap.limit().bits()))),
            // There are no finalizers to wait for.
            ("runFinalization()V", NOTHING),
        ],
    },
    Table {
        class: "java/lang/Shutdown",
        methods: &[("halt0(I)V", framed(halt)), ("beforeHalt()V", NOTHING)],
    },
    Table {
        class: "jdk/internal/util/SystemProps$Raw",
        methods: &[
            ("vmProperties()[Ljava/lang/String;", leaf(vm_properties)),
            ("platformProperties()[Ljava/lang/String;", leaf(platform_properties)),
        ],
    },
    Table { class: "java/lang/ProcessEnvironment", methods: &[("environ()[[B", leaf(environment))] },
];

fn current_time_millis(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.ask_for_time();
    Ok(machine.millis().bits())
}

/// Two, so that programs have parallel streams and pools with several threads. Where methods of `java.util.concurrent` are
/// single operations, its classes find one when they are initialised: with more they spin some hundred times before they
/// wait, and each number of times is a state.
fn available_processors(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let mut callers = machine.threads.list[machine.turn.thread].frames.iter().rev().skip(1);
    let initialises = callers.next().is_some_and(|frame| {
        let class = machine.class(machine.method(frame.method).class);
        class.concurrent && class.initialiser == Some(frame.method)
    });
    let single = machine.scheduling.controlled && machine.scheduling.settings.juc == Juc::Primitive;
    Ok(if initialises && single { 1 } else { 2 })
}

/// Each question for the time advances the clock, so that a thread that spins until a deadline comes to it.
fn nano_time(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.ask_for_time();
    Ok(machine.nanos().bits())
}

fn array_copy(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (from, to) = (arguments.object(0), arguments.object(2));
    let (from_index, to_index, length) = (arguments.int(1), arguments.int(3), arguments.int(4));
    if from.is_null() || to.is_null() {
        return Err(Abrupt::null());
    }
    let (from_class, to_class) = (ClassId(machine.heap.class(from)), ClassId(machine.heap.class(to)));
    let (from_component, to_component) =
        (machine.class(from_class).component(), machine.class(to_class).component());
    let store = |message: String| Err(Abrupt::raise("java/lang/ArrayStoreException", message));
    let ((from_of, from_kind), (to_of, to_kind)) = match (from_component, to_component) {
        (Some(from), Some(to)) => (from, to),
        (None, _) => {
            return store(format!(
                "arraycopy: source type {} is not an array",
                machine.external_name(from_class)
            ));
        }
        (_, None) => {
            return store(format!(
                "arraycopy: destination type {} is not an array",
                machine.external_name(to_class)
            ));
        }
    };
    if from_kind != to_kind {
        let word = |kind: Kind| {
            if kind == Kind::Reference { "object array[]".to_string() } else { format!("{}[]", kind.word()) }
        };
        let message =
            format!("arraycopy: type mismatch: can not copy {} into {}", word(from_kind), word(to_kind));
        return store(message);
    }
    let (from_length, to_length) = (machine.heap.length(from), machine.heap.length(to));
    let what = |kind: Kind| {
        if kind == Kind::Reference { "object array".to_string() } else { kind.word().to_string() }
    };
    let bounds = |message: String| Err(Abrupt::raise("java/lang/ArrayIndexOutOfBoundsException", message));
    if from_index < 0 {
        return bounds(format!(
            "arraycopy: source index {from_index} out of bounds for {}[{from_length}]",
            what(from_kind)
        ));
    }
    if to_index < 0 {
        return bounds(format!(
            "arraycopy: destination index {to_index} out of bounds for {}[{to_length}]",
            what(to_kind)
        ));
    }
    if length < 0 {
        return bounds(format!("arraycopy: length {length} is negative"));
    }
    let end = |index: i32| index as u32 + length as u32;
    if end(from_index) > from_length {
        let message = format!(
            "arraycopy: last source index {} out of bounds for {}[{from_length}]",
            end(from_index),
            what(from_kind)
        );
        return bounds(message);
    }
    if end(to_index) > to_length {
        let message = format!(
            "arraycopy: last destination index {} out of bounds for {}[{to_length}]",
            end(to_index),
            what(to_kind)
        );
        return bounds(message);
    }
    if length > 0 {
        touch_both(machine, (from, from_index as u32), (to, to_index as u32), length as u32)?;
        machine.note_elements(from, from_index as u32, length as u32, Mode::Read);
        machine.note_elements(to, to_index as u32, length as u32, Mode::Write);
    }
    if from_kind == Kind::Reference && machine.scheduling.accesses_matter {
        for index in 0..length as u32 {
            let element = machine.element(from, from_index as u32 + index);
            machine.publish(to, ARRAY_DATA, element);
        }
    }
    if from_kind == Kind::Reference && !machine.is_subclass(from_of, to_of) {
        // Every element is checked, and those before the first bad one are copied.
        for index in 0..length as u32 {
            let element = machine.element(from, from_index as u32 + index);
            if !element.is_null() {
                let class = ClassId(machine.heap.class(element));
                if !machine.is_subclass(class, to_of) {
                    return store(format!(
                        "arraycopy: element type mismatch: can not cast one of the elements of {} to the type of the destination array, {}",
                        external_array(machine, from_of),
                        machine.external_name(to_of)
                    ));
                }
            }
            machine.heap.put_ref(to, ARRAY_DATA + 4 * (to_index as u32 + index), element);
        }
        return Ok(0);
    }
    let size = from_kind.size() as usize;
    let at = |index: i32| ARRAY_DATA as usize + index as usize * size;
    machine.heap.copy(from, at(from_index), to, at(to_index), length as usize * size);
    Ok(0)
}

/// Elements are about to be copied from one array to another: one visible operation, if any.
fn touch_both(machine: &mut Machine, from: (Ref, u32), to: (Ref, u32), count: u32) -> Run<()> {
    let free = machine.scheduling.may_perform;
    if machine.may_be_visible(to.0) {
        machine.touch_elements(to.0, to.1, count, OperationKind::Write)?;
    }
    if machine.may_be_visible(from.0) {
        // What the first has been granted holds for both.
        let granted = free && !machine.scheduling.may_perform;
        machine.scheduling.may_perform |= granted;
        machine.touch_elements(from.0, from.1, count, OperationKind::Read)?;
        machine.scheduling.may_perform &= !granted;
    }
    Ok(())
}

/// What others have allocated counts, too.
fn free_memory(machine: &mut Machine, _: Arguments) -> Run<u64> {
    machine.note_unpredictable();
    Ok((machine.heap.limit() - machine.heap.used()).bits())
}

fn external_array(machine: &Machine, component: ClassId) -> String {
    format!("{}[]", machine.external_name(component))
}

fn set_stream(machine: &mut Machine, name: &str, arguments: Arguments) -> Run<u64> {
    let system = machine.load(Loader::BOOT, "java/lang/System")?;
    if let Some(offset) = machine.offset_of(system, name) {
        let mirror = machine.class(system).mirror;
        machine.heap.put_ref(mirror, offset, arguments.object(0));
    }
    Ok(0)
}

fn map_library_name(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = machine.text_of(arguments.object(0))?;
    machine.new_string(&format!("lib{name}.so")).map(Bits::bits)
}

fn halt(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    if machine.threads.alive > 1 {
        machine.learn_behaviour(Behaviour::EndsEarly);
    }
    machine.note_unpredictable();
    machine.outcome.exit = Some(arguments.int(0));
    Err(Abrupt::Exit)
}

fn strings(machine: &mut Machine, texts: &[Option<String>]) -> Run<u64> {
    let mut objects = Vec::with_capacity(texts.len());
    for text in texts {
        objects.push(match text {
            Some(text) => machine.new_string(text)?,
            None => Ref::NULL,
        });
    }
    machine.new_objects(machine.known.string, &objects).map(Bits::bits)
}

fn vm_properties(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let home = machine.library.jdk.home.display().to_string();
    let class_path: Vec<String> =
        machine.library.class_path.entries().iter().map(|entry| entry.display().to_string()).collect();
    let fixed = [
        ("java.home", home.as_str()),
        ("java.vm.specification.name", "Java Virtual Machine Specification"),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", "17"),
        ("java.vm.name", "Sojourner"),
        ("java.vm.vendor", "Sojourner"),
        ("java.vm.version", env!("CARGO_PKG_VERSION")),
        ("java.vm.info", "interpreted mode"),
        ("jdk.debug", "release"),
        ("java.library.path", ""),
        ("sun.boot.library.path", ""),
        // Nothing here forks into more threads than the program asked for.
        ("java.class.version", "61.0"),
    ];
    let mut texts: Vec<Option<String>> = Vec::new();
    let mut add = |name: &str, value: &str| {
        texts.push(Some(name.to_string()));
        texts.push(Some(value.to_string()));
    };
    for (name, value) in fixed {
        add(name, value);
    }
    add("java.class.path", &class_path.join(":"));
    for (name, value) in &machine.options.properties {
        add(name, value);
    }
    texts.push(None);
    strings(machine, &texts)
}

fn platform_properties(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let class = machine.load(Loader::BOOT, "jdk/internal/util/SystemProps$Raw")?;
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().map(variable).find(|value| !value.is_empty());
    let utf8 = locale.is_some_and(|locale| locale.to_ascii_uppercase().replace('-', "").ends_with("UTF8"));
    let encoding = if utf8 { "UTF-8" } else { "ANSI_X3.4-1968" };
    let directory =
        std::env::current_dir().map(|directory| directory.display().to_string()).unwrap_or("/".into());
    let user = if variable("USER").is_empty() { "root".to_string() } else { variable("USER") };
    let home = if variable("HOME").is_empty() { "?".to_string() } else { variable("HOME") };
    let values = [
        ("display_language", "en"),
        ("file_encoding", encoding),
        ("file_separator", "/"),
        ("java_io_tmpdir", "/tmp"),
        ("line_separator", "\n"),
        ("os_arch", if cfg!(target_arch = "aarch64") { "aarch64" } else { "amd64" }),
        ("os_name", "Linux"),
        ("os_version", "5.0"),
        ("path_separator", ":"),
        ("sun_arch_data_model", "64"),
        ("sun_cpu_endian", "little"),
        ("sun_io_unicode_encoding", "UnicodeLittle"),
        ("sun_jnu_encoding", encoding),
        ("user_dir", &directory),
        ("user_home", &home),
        ("user_name", &user),
    ];
    // The class says itself which value goes where.
    let file = machine.file(class)?;
    let mut texts: Vec<Option<String>> = Vec::new();
    for member in &file.fields {
        let name = file.pool.utf8(member.name)?;
        let constant = file.index_attribute(member.attributes, "ConstantValue").unwrap_or(0);
        let Ok(Constant::Integer(index)) = file.pool.get(constant) else { continue };
        let index = index.clamp(0, 1000) as usize;
        if texts.len() < index + 1 {
            texts.resize(index + 1, None);
        }
        let value = name.strip_prefix('_').and_then(|name| name.strip_suffix("_NDX"));
        let value = value.and_then(|name| values.iter().find(|(known, _)| *known == name));
        if let Some((_, value)) = value {
            texts[index] = Some(value.to_string());
        }
    }
    strings(machine, &texts)
}

fn environment(machine: &mut Machine, _: Arguments) -> Run<u64> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = machine.known.primitive_arrays[Kind::Byte as usize];
    let mut entries = Vec::new();
    for (name, value) in std::env::vars_os() {
        entries.push(machine.new_bytes(name.as_bytes())?);
        entries.push(machine.new_bytes(value.as_bytes())?);
    }
    machine.new_objects(bytes, &entries).map(Bits::bits)
}
