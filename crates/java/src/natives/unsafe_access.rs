//! `jdk.internal.misc.Unsafe`.

use crate::classfile::Kind;
use crate::machine::class::{ClassId, Loader, Origin};
use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::visible::{Behaviour, Operation, OperationKind};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run, Status, Woken};
use crate::memory::{ARRAY_DATA, Ref};

pub const TABLES: &[Table] = &[
    Table {
        class: "jdk/internal/misc/Unsafe",
        methods: &[
            ("getInt(Ljava/lang/Object;J)I", leaf(get::<i32>)),
            ("putInt(Ljava/lang/Object;JI)V", leaf(put::<i32>)),
            ("getIntVolatile(Ljava/lang/Object;J)I", leaf(get_volatile::<i32>)),
            ("putIntVolatile(Ljava/lang/Object;JI)V", leaf(put_volatile::<i32>)),
            ("getLong(Ljava/lang/Object;J)J", leaf(get::<i64>)),
            ("putLong(Ljava/lang/Object;JJ)V", leaf(put::<i64>)),
            ("getLongVolatile(Ljava/lang/Object;J)J", leaf(get_volatile::<i64>)),
            ("putLongVolatile(Ljava/lang/Object;JJ)V", leaf(put_volatile::<i64>)),
            ("getReference(Ljava/lang/Object;J)Ljava/lang/Object;", leaf(get::<u32>)),
            ("putReference(Ljava/lang/Object;JLjava/lang/Object;)V", leaf(put_reference)),
            ("getReferenceVolatile(Ljava/lang/Object;J)Ljava/lang/Object;", leaf(get_volatile::<u32>)),
            ("putReferenceVolatile(Ljava/lang/Object;JLjava/lang/Object;)V", leaf(put_reference_volatile)),
            ("getBoolean(Ljava/lang/Object;J)Z", leaf(get::<u8>)),
            ("putBoolean(Ljava/lang/Object;JZ)V", leaf(put::<u8>)),
            ("getBooleanVolatile(Ljava/lang/Object;J)Z", leaf(get_volatile::<u8>)),
            ("putBooleanVolatile(Ljava/lang/Object;JZ)V", leaf(put_volatile::<u8>)),
            ("getByte(Ljava/lang/Object;J)B", leaf(get::<i8>)),
            ("putByte(Ljava/lang/Object;JB)V", leaf(put::<i8>)),
            ("getByteVolatile(Ljava/lang/Object;J)B", leaf(get_volatile::<i8>)),
            ("putByteVolatile(Ljava/lang/Object;JB)V", leaf(put_volatile::<i8>)),
            ("getShort(Ljava/lang/Object;J)S", leaf(get::<i16>)),
            ("putShort(Ljava/lang/Object;JS)V", leaf(put::<i16>)),
            ("getShortVolatile(Ljava/lang/Object;J)S", leaf(get_volatile::<i16>)),
            ("putShortVolatile(Ljava/lang/Object;JS)V", leaf(put_volatile::<i16>)),
            ("getChar(Ljava/lang/Object;J)C", leaf(get::<u16>)),
            ("putChar(Ljava/lang/Object;JC)V", leaf(put::<u16>)),
            ("getCharVolatile(Ljava/lang/Object;J)C", leaf(get_volatile::<u16>)),
            ("putCharVolatile(Ljava/lang/Object;JC)V", leaf(put_volatile::<u16>)),
            ("getFloat(Ljava/lang/Object;J)F", leaf(get::<u32>)),
            ("putFloat(Ljava/lang/Object;JF)V", leaf(put::<u32>)),
            ("getFloatVolatile(Ljava/lang/Object;J)F", leaf(get_volatile::<u32>)),
            ("putFloatVolatile(Ljava/lang/Object;JF)V", leaf(put_volatile::<u32>)),
            ("getDouble(Ljava/lang/Object;J)D", leaf(get::<u64>)),
            ("putDouble(Ljava/lang/Object;JD)V", leaf(put::<u64>)),
            ("getDoubleVolatile(Ljava/lang/Object;J)D", leaf(get_volatile::<u64>)),
            ("putDoubleVolatile(Ljava/lang/Object;JD)V", leaf(put_volatile::<u64>)),
            ("compareAndSetInt(Ljava/lang/Object;JII)Z", leaf(compare_and_set::<i32>)),
            ("compareAndExchangeInt(Ljava/lang/Object;JII)I", leaf(compare_and_exchange::<i32>)),
            ("compareAndSetLong(Ljava/lang/Object;JJJ)Z", leaf(compare_and_set::<i64>)),
            ("compareAndExchangeLong(Ljava/lang/Object;JJJ)J", leaf(compare_and_exchange::<i64>)),
            (
                "compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
                leaf(compare_and_set::<Ref>),
            ),
            (
                "compareAndExchangeReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                leaf(compare_and_exchange::<Ref>),
            ),
            ("fullFence()V", NOTHING),
            ("loadFence()V", NOTHING),
            ("storeFence()V", NOTHING),
            ("park(ZJ)V", framed(park)),
            ("unpark(Ljava/lang/Object;)V", leaf(unpark)),
            ("arrayBaseOffset0(Ljava/lang/Class;)I", leaf(|_, _| Ok(ARRAY_DATA.bits()))),
            ("arrayIndexScale0(Ljava/lang/Class;)I", leaf(array_index_scale)),
            (
                "objectFieldOffset0(Ljava/lang/reflect/Field;)J",
                leaf(|machine, arguments| field_offset(machine, arguments, false)),
            ),
            ("objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J", leaf(object_field_offset)),
            (
                "staticFieldOffset0(Ljava/lang/reflect/Field;)J",
                leaf(|machine, arguments| field_offset(machine, arguments, true)),
            ),
            ("staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;", leaf(static_field_base)),
            ("allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;", framed(allocate_instance)),
            ("allocateUninitializedArray0(Ljava/lang/Class;I)Ljava/lang/Object;", leaf(allocate_array)),
            ("ensureClassInitialized0(Ljava/lang/Class;)V", framed(ensure_initialized)),
            ("shouldBeInitialized0(Ljava/lang/Class;)Z", leaf(should_be_initialized)),
            (
                "throwException(Ljava/lang/Throwable;)V",
                framed(|_, arguments| Err(Abrupt::Throw(arguments.object(1)))),
            ),
            ("allocateMemory0(J)J", leaf(allocate_memory)),
            ("reallocateMemory0(JJ)J", leaf(reallocate_memory)),
            ("freeMemory0(J)V", leaf(free_memory)),
            ("setMemory0(Ljava/lang/Object;JJB)V", leaf(set_memory)),
            ("copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V", leaf(copy_memory)),
            ("copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V", leaf(copy_swap_memory)),
            (
                "defineClass0(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
                framed(define_class),
            ),
            ("addressSize0()I", leaf(|_, _| Ok(8))),
            ("pageSize()I", leaf(|_, _| Ok(4096))),
            ("isBigEndian0()Z", leaf(|_, _| Ok(0))),
            ("unalignedAccess0()Z", leaf(|_, _| Ok(1))),
            ("getLoadAverage0([DI)I", leaf(|_, _| Ok((-1i32).bits()))),
            ("writebackMemory0(JJ)V", NOTHING),
            ("writebackPreSync0()V", NOTHING),
            ("writebackPostSync0()V", NOTHING),
        ],
    },
    // Set up by the machine, not by a constructor.
    Table { class: "jdk/internal/misc/UnsafeConstants", methods: &[("<clinit>()V", leaf(constants))] },
];

fn outside() -> Abrupt {
    Abrupt::raise("java/lang/InternalError", "an access by Unsafe outside of the heap")
}

fn constants(machine: &mut Machine, _: Arguments) -> Run<u64> {
    let class = machine.load(Loader::BOOT, "jdk/internal/misc/UnsafeConstants")?;
    let mirror = machine.class(class).mirror;
    for (name, value) in [("ADDRESS_SIZE0", 8), ("PAGE_SIZE", 4096), ("DATA_CACHE_LINE_FLUSH_SIZE", 0)] {
        if let Some(offset) = machine.offset_of(class, name) {
            machine.heap.put_i32(mirror, offset, value);
        }
    }
    for (name, value) in [("BIG_ENDIAN", 0), ("UNALIGNED_ACCESS", 1)] {
        if let Some(offset) = machine.offset_of(class, name) {
            machine.heap.put_u8(mirror, offset, value);
        }
    }
    Ok(0)
}

/// An access by `Unsafe` is about to happen that others may notice.
#[inline]
fn touch<T>(machine: &mut Machine, arguments: Arguments, what: OperationKind) -> Run<()> {
    let object = arguments.object(1);
    if !object.is_null() && machine.may_be_visible(object) {
        machine.touch(object, arguments.long(2) as u32, what)?;
        machine.note_size(object, size_of::<T>() as u32);
    }
    Ok(())
}

fn get_as<T: Bits>(machine: &mut Machine, arguments: Arguments, what: OperationKind) -> Run<u64> {
    touch::<T>(machine, arguments, what)?;
    let value = machine.heap.raw_get::<T>(arguments.object(1), arguments.long(2));
    value.map(Bits::bits).ok_or_else(outside)
}

fn get<T: Bits>(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    get_as::<T>(machine, arguments, OperationKind::Read)
}

fn get_volatile<T: Bits>(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    get_as::<T>(machine, arguments, OperationKind::ReadVolatile)
}

fn put_as<T: Bits>(machine: &mut Machine, arguments: Arguments, what: OperationKind) -> Run<u64> {
    touch::<T>(machine, arguments, what)?;
    let value = arguments.get::<T>(4);
    machine.heap.raw_put(arguments.object(1), arguments.long(2), value).map(Bits::bits).ok_or_else(outside)
}

fn put<T: Bits>(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    put_as::<T>(machine, arguments, OperationKind::Write)
}

fn put_volatile<T: Bits>(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    put_as::<T>(machine, arguments, OperationKind::WriteVolatile)
}

fn put_reference(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    put_as::<Ref>(machine, arguments, OperationKind::Write)?;
    publish(machine, arguments, 4)
}

fn put_reference_volatile(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    put_as::<Ref>(machine, arguments, OperationKind::WriteVolatile)?;
    publish(machine, arguments, 4)
}

/// Others may reach the object in a slot, which has been stored.
fn publish(machine: &mut Machine, arguments: Arguments, slot: u16) -> Run<u64> {
    let object = arguments.object(1);
    if !object.is_null() {
        machine.publish(object, arguments.long(2) as u32, arguments.object(slot));
    }
    Ok(0)
}

/// The place, expected and new value of a compare-and-set. Longs take two slots.
fn exchange<T: Bits + PartialEq + 'static>(machine: &mut Machine, arguments: Arguments) -> Run<(T, bool)> {
    touch::<T>(machine, arguments, OperationKind::Update)?;
    let wide = u16::from(size_of::<T>() == 8);
    let (object, offset) = (arguments.object(1), arguments.long(2));
    let (expected, new) = (arguments.get::<T>(4), arguments.get::<T>(5 + wide));
    let old = machine.heap.raw_get::<T>(object, offset).ok_or_else(outside)?;
    if old == expected {
        machine.heap.raw_put(object, offset, new).ok_or_else(outside)?;
        if std::any::TypeId::of::<T>() == std::any::TypeId::of::<Ref>() {
            publish(machine, arguments, 5)?;
        }
    }
    Ok((old, old == expected))
}

fn compare_and_set<T: Bits + PartialEq + 'static>(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    Ok(exchange::<T>(machine, arguments)?.1.bits())
}

fn compare_and_exchange<T: Bits + PartialEq + 'static>(
    machine: &mut Machine,
    arguments: Arguments,
) -> Run<u64> {
    Ok(exchange::<T>(machine, arguments)?.0.bits())
}

/// Reads a variable and writes what `new` makes of its value and the argument, in one go.
fn update<T: Bits>(machine: &mut Machine, arguments: Arguments, new: fn(T, T) -> T) -> Run<u64> {
    touch::<T>(machine, arguments, OperationKind::Update)?;
    let (object, offset) = (arguments.object(1), arguments.long(2));
    let old = machine.heap.raw_get::<T>(object, offset).ok_or_else(outside)?;
    machine.heap.raw_put(object, offset, new(old, arguments.get::<T>(4))).ok_or_else(outside)?;
    Ok(old.bits())
}

/// Update loops of the JDK, which the processor does in one go.
pub const UPDATES: &[Table] = &[Table {
    class: "jdk/internal/misc/Unsafe",
    methods: &[
        (
            "getAndAddInt(Ljava/lang/Object;JI)I",
            leaf(|machine, arguments| update::<i32>(machine, arguments, i32::wrapping_add)),
        ),
        (
            "getAndAddLong(Ljava/lang/Object;JJ)J",
            leaf(|machine, arguments| update::<i64>(machine, arguments, i64::wrapping_add)),
        ),
        (
            "getAndSetInt(Ljava/lang/Object;JI)I",
            leaf(|machine, arguments| update::<i32>(machine, arguments, |_, new| new)),
        ),
        (
            "getAndSetLong(Ljava/lang/Object;JJ)J",
            leaf(|machine, arguments| update::<i64>(machine, arguments, |_, new| new)),
        ),
        (
            "getAndSetReference(Ljava/lang/Object;JLjava/lang/Object;)Ljava/lang/Object;",
            leaf(|machine, arguments| {
                let old = update::<Ref>(machine, arguments, |_, new| new)?;
                publish(machine, arguments, 4)?;
                Ok(old)
            }),
        ),
    ],
}];

fn park(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (absolute, time) = (arguments.int(1) != 0, arguments.long(2));
    let current = machine.turn.thread;
    let parks = Operation::new(OperationKind::Park, machine.threads.list[current].object);
    if machine.scheduling.steps_singly() && machine.threads.list[current].woken.is_some() {
        machine.visible(parks)?;
    }
    if machine.threads.list[current].woken.is_none() {
        if machine.threads.list[current].permit || machine.is_interrupted(current) {
            // Another permit may come before this one is used up, and is then lost.
            machine.visible(parks)?;
            machine.state_mut(current).permit = false;
            return Ok(0);
        }
        if time < 0 || absolute && time == 0 {
            machine.note_unpredictable();
            return Ok(0);
        }
    }
    let until = if absolute {
        let (seconds, nanoseconds) = machine.wall_clock();
        let now = seconds * 1000 + nanoseconds / 1_000_000;
        Some(machine.after((time - now).saturating_mul(1_000_000)))
    } else {
        (time > 0).then(|| machine.after(time))
    };
    if machine.threads.list[current].woken.is_none() {
        if machine.scheduling.is_inspected() {
            machine.visible(parks)?;
        }
        if machine.scheduling.steps_singly() {
            // It stands before the operation, which is possible once there is a permit. In the middle of another one it has
            // looked for it in vain.
            machine.note_partial_operation(parks);
            machine.state_mut(current).pending = parks;
        }
    }
    // A thread that parks finds out by itself why it goes on.
    machine.wait_or_go_on(Status::Parked { until })?;
    Ok(0)
}

fn unpark(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let object = arguments.object(1);
    if object.is_null() {
        return Ok(0);
    }
    // Before a thread is started this has no effect.
    if machine.heap.get_i32(object, machine.known.thread_status) == 0 {
        machine.learn_behaviour(Behaviour::AsksThreadState);
    }
    machine.visible(Operation::new(OperationKind::Unpark, object))?;
    if let Some(thread) = machine.thread_of(object) {
        if matches!(machine.threads.list[thread].status, Status::Parked { .. }) {
            machine.wake(thread, Woken::Notified);
        } else if machine.threads.list[thread].woken.is_none() || !machine.is_parking(thread) {
            // A thread that was woken and has not gone on yet uses up this permit with the one before.
            machine.state_mut(thread).permit = true;
        }
    }
    Ok(0)
}

impl Machine {
    /// Whether a thread stands in `park`.
    pub(crate) fn is_parking(&self, thread: usize) -> bool {
        let frame = self.threads.list[thread].frames.last();
        let native = frame.and_then(|frame| self.method(frame.method).native.get());
        native.is_some_and(|native| {
            std::ptr::fn_addr_eq(native.function, park as crate::machine::native::Function)
        })
    }
}

fn array_index_scale(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    let component = machine.class(class).component();
    let size = component.map(|(_, kind)| kind.size());
    size.map(Bits::bits).ok_or_else(|| Abrupt::bare("java/lang/InvalidClassException"))
}

/// The class and field that an instance of `java.lang.reflect.Field` stands for.
fn reflected_field(machine: &Machine, field: Ref) -> Run<(ClassId, usize)> {
    if field.is_null() {
        return Err(Abrupt::null());
    }
    let of = ClassId(machine.heap.class(field));
    let (Some(class), Some(slot)) = (machine.offset_of(of, "clazz"), machine.offset_of(of, "slot")) else {
        return Err(Abrupt::unsupported("this JDK's java.lang.reflect.Field"));
    };
    let class = machine.class_of_mirror(machine.heap.get_ref(field, class));
    Ok((class, machine.heap.get_i32(field, slot) as usize))
}

fn field_offset(machine: &mut Machine, arguments: Arguments, of_class: bool) -> Run<u64> {
    let found = reflected_field(machine, arguments.object(1))?;
    let field = machine.field(found);
    if field.is_static() != of_class {
        return Err(Abrupt::bare("java/lang/IllegalArgumentException"));
    }
    Ok(u64::from(field.offset))
}

fn static_field_base(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (class, _) = reflected_field(machine, arguments.object(1))?;
    Ok(machine.class(class).mirror.bits())
}

fn object_field_offset(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    let name = machine.text_of(arguments.object(2))?;
    let symbol = machine.classes.symbols.intern(&name);
    let field = machine.class(class).fields.iter().find(|field| field.name == symbol);
    let offset = field.map(|field| u64::from(field.offset));
    offset.ok_or_else(|| Abrupt::raise("java/lang/InternalError", name))
}

fn allocate_instance(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    machine.initialise(class)?;
    if machine.class(class).is(crate::classfile::access::ABSTRACT | crate::classfile::access::INTERFACE) {
        return Err(Abrupt::raise("java/lang/InstantiationException", machine.external_name(class)));
    }
    machine.new_object(class).map(Bits::bits)
}

fn allocate_array(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let component = machine.class_of_mirror(arguments.object(1));
    let class = machine.array_of(component)?;
    machine.new_array(class, arguments.int(2)).map(Bits::bits)
}

fn ensure_initialized(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    machine.initialise(class).map(Bits::bits)
}

fn should_be_initialized(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let class = machine.class_of_mirror(arguments.object(1));
    Ok((!machine.is_initialised(class)).bits())
}

/// Memory outside of objects is an array that the program does not see: its address is that of its first byte, from the base of
/// the heap, where it stays.
fn allocate_memory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let bytes = arguments.long(1);
    allocate_block(machine, bytes)
}

fn allocate_block(machine: &mut Machine, bytes: i64) -> Run<u64> {
    let longs = machine.known.primitive_arrays[Kind::Long as usize];
    let length = i32::try_from((bytes + 7) / 8).map_err(|_| Abrupt::bare("java/lang/OutOfMemoryError"))?;
    let block = machine.new_array(longs, length)?;
    machine.tables.roots.push(block);
    Ok(u64::from(block.0) * 8 + u64::from(ARRAY_DATA))
}

fn block_of(address: i64) -> Ref {
    Ref(((address - i64::from(ARRAY_DATA)) / 8) as u32)
}

fn free_memory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let block = block_of(arguments.long(1));
    if let Some(index) = machine.tables.roots.iter().position(|&root| root == block) {
        machine.tables.roots.swap_remove(index);
    }
    Ok(0)
}

fn reallocate_memory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (old, bytes) = (arguments.long(1), arguments.long(3));
    let new = allocate_block(machine, bytes)?;
    if old != 0 {
        let block = block_of(old);
        let kept = (i64::from(machine.heap.length(block)) * 8).min(bytes) as usize;
        machine.heap.copy(block, ARRAY_DATA as usize, block_of(new as i64), ARRAY_DATA as usize, kept);
        machine.tables.roots.retain(|&root| root != block);
    }
    Ok(new)
}

fn set_memory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (object, offset, bytes, value) =
        (arguments.object(1), arguments.long(2), arguments.long(4), arguments.get::<u8>(6));
    let part = machine.heap.raw_bytes(object, offset, bytes as usize).ok_or_else(outside)?;
    part.fill(value);
    Ok(0)
}

fn copy_memory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (from, from_offset) = (arguments.object(1), arguments.long(2));
    let (to, to_offset, bytes) = (arguments.object(4), arguments.long(5), arguments.long(7) as usize);
    let copy = machine.heap.raw_bytes(from, from_offset, bytes).ok_or_else(outside)?.to_vec();
    machine.heap.raw_bytes(to, to_offset, bytes).ok_or_else(outside)?.copy_from_slice(&copy);
    Ok(0)
}

fn copy_swap_memory(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (from, from_offset) = (arguments.object(1), arguments.long(2));
    let (to, to_offset, bytes) = (arguments.object(4), arguments.long(5), arguments.long(7) as usize);
    let size = arguments.long(9) as usize;
    let mut copy = machine.heap.raw_bytes(from, from_offset, bytes).ok_or_else(outside)?.to_vec();
    copy.chunks_exact_mut(size.clamp(1, 8)).for_each(<[u8]>::reverse);
    machine.heap.raw_bytes(to, to_offset, bytes).ok_or_else(outside)?.copy_from_slice(&copy);
    Ok(0)
}

fn define_class(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let name = match arguments.object(1).some() {
        Some(name) => machine.text(name).replace('.', "/"),
        None => return Err(Abrupt::null()),
    };
    let (array, offset, length) = (arguments.object(2), arguments.int(3) as usize, arguments.int(4) as usize);
    let bytes = machine.heap.elements(array, 1).get(offset..offset + length).unwrap_or_default().to_vec();
    let loader = machine.loader_of_object(arguments.object(5));
    let origin = Origin { loader, module: None, hidden_in: None };
    let class = machine.define(&name, crate::bytes::Bytes::new(bytes), origin)?;
    Ok(machine.class(class).mirror.bits())
}
