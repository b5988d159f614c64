//! The loop that executes instructions.
//!
//! It keeps the registers, the code and the program counter of the top frame in variables of its own and writes the
//! counter back before anything that may look at frames or push one. Calls of the program push frames; this function
//! never calls itself.

mod arithmetic;

use super::exceptions::Stop;
use super::visible::{OperationKind, Symmetry};
use super::{Abrupt, Arguments, Bits, Machine, Resume, Status};
use crate::classfile::Kind;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, MethodId};
use crate::memory::{ARRAY_DATA, Ref, Registers, Running};
use arithmetic::{binary, immediate, jump_if, match_with_arithmetic, shift, unary};

impl Machine {
    /// Runs the current thread until it waits, ends, or its fuel is used up.
    pub(crate) fn interpret(&mut self) -> Stop {
        if self.can_die()
            && let Err(death) = self.die_if_stopped()
            && let Some(stop) = self.settle(death)
        {
            return stop;
        }
        if self.coverage.is_some() {
            self.interpret_as::<true, false>()
        } else if self.scheduling.controlled {
            self.interpret_as::<false, true>()
        } else {
            self.interpret_as::<false, false>()
        }
    }

    /// The loop, which notes what it executes or does not, and stops before visible operations or does not.
    fn interpret_as<const COVERAGE: bool, const EXPLORE: bool>(&mut self) -> Stop {
        let (mut regs, mut run, mut pc, mut base) = self.top_frame();

        // The counter of the frame, where all other code sees it.
        macro_rules! save {
            () => {
                self.threads.list[self.turn.thread].top_mut().pc = pc as u32
            };
        }
        // Goes on with whatever frame is on top now.
        macro_rules! reload {
            () => {{
                (regs, run, pc, base) = self.top_frame();
                continue;
            }};
        }
        macro_rules! settle {
            ($abrupt:expr) => {{
                let abrupt = $abrupt;
                if let Some(stop) = self.settle(abrupt) {
                    return stop;
                }
                reload!();
            }};
        }
        macro_rules! throw {
            ($abrupt:expr) => {{
                save!();
                settle!($abrupt);
            }};
        }
        // Something that may push frames, wait or throw.
        macro_rules! slow {
            ($what:expr) => {{
                save!();
                match $what {
                    Ok(value) => value,
                    Err(abrupt) => settle!(abrupt),
                }
            }};
        }
        macro_rules! get {
            ($type:ty, $register:expr) => {
                <$type>::of(regs.get($register))
            };
        }
        macro_rules! set {
            ($register:expr, $value:expr) => {
                regs.set($register, Bits::bits($value))
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target = $target as usize;
                // Every cycle has a jump back; there others may have their turn.
                if target <= pc {
                    if EXPLORE {
                        self.scheduling.jumped_back = true;
                    }
                    self.turn.polls -= 1;
                    if self.turn.polls < 0 {
                        pc = target;
                        save!();
                        return Stop::Switch;
                    }
                }
                pc = target;
                continue;
            }};
        }
        macro_rules! object {
            ($register:expr) => {{
                let object = get!(Ref, $register);
                if object.is_null() {
                    throw!(Abrupt::null());
                }
                object
            }};
        }
        // Something is about to be read or written that others may notice.
        macro_rules! touch {
            ($object:expr, $offset:expr, $what:ident) => {
                if EXPLORE
                    && self.may_be_visible($object)
                    && !(self.scheduling.assumes
                        && self.needs_no_point(
                            $object,
                            $offset,
                            matches!(OperationKind::$what, OperationKind::Write),
                        ))
                {
                    slow!(self.touch($object, $offset, OperationKind::$what));
                }
            };
        }
        macro_rules! touch_element {
            ($array:expr, $offset:expr, $what:ident) => {
                if EXPLORE
                    && self.may_be_visible($array)
                    && !(self.scheduling.assumes
                        && self.needs_no_point_for_element(
                            $array,
                            matches!(OperationKind::$what, OperationKind::Write),
                        ))
                {
                    slow!(self.touch($array, $offset, OperationKind::$what));
                }
            };
        }
        macro_rules! field {
            ($insn:ident, $get:ident) => {{
                let object = object!($insn.b);
                touch!(object, u32::from($insn.c), Read);
                set!($insn.a, self.heap.$get(object, u32::from($insn.c)));
            }};
        }
        macro_rules! put_field {
            ($insn:ident, $put:ident, $type:ty) => {{
                let object = object!($insn.a);
                touch!(object, u32::from($insn.b), Write);
                self.heap.$put(object, u32::from($insn.b), get!($type, $insn.c));
            }};
        }
        macro_rules! static_site {
            ($insn:ident) => {{
                let site = self.links.statics[$insn.operand() as usize];
                if self.heap.get_u32(site.mirror, self.known.mirror_id + 4)
                    != crate::machine::class::status::DONE
                {
                    slow!(self.initialise(site.class));
                }
                site
            }};
        }
        macro_rules! get_static {
            ($insn:ident, $get:ident) => {{
                let site = static_site!($insn);
                touch!(site.mirror, site.offset, Read);
                set!($insn.a, self.heap.$get(site.mirror, site.offset));
            }};
        }
        macro_rules! put_static {
            ($insn:ident, $put:ident, $type:ty) => {{
                let site = static_site!($insn);
                touch!(site.mirror, site.offset, Write);
                self.heap.$put(site.mirror, site.offset, get!($type, $insn.a));
            }};
        }
        // The place of an element, after the checks.
        macro_rules! element {
            ($array:expr, $index:expr) => {{
                let array = object!($array);
                let (index, length) = (get!(u32, $index), self.heap.length(array));
                if index >= length {
                    let message = format!("Index {} out of bounds for length {length}", index as i32);
                    throw!(Abrupt::raise("java/lang/ArrayIndexOutOfBoundsException", message));
                }
                (array, index)
            }};
        }
        macro_rules! load {
            ($insn:ident, $type:ty) => {{
                let (array, index) = element!($insn.b, $insn.c);
                touch_element!(array, ARRAY_DATA + index * size_of::<$type>() as u32, Read);
                set!($insn.a, self.heap.element_at::<$type>(array, index));
            }};
        }
        macro_rules! store {
            ($insn:ident, $type:ty) => {{
                let (array, index) = element!($insn.a, $insn.b);
                touch_element!(array, ARRAY_DATA + index * size_of::<$type>() as u32, Write);
                self.heap.set_element::<$type>(array, index, get!($type, $insn.c));
            }};
        }
        // Enters a method whose arguments begin at a register.
        macro_rules! call {
            ($insn:ident, $method:expr) => {{
                let id: MethodId = $method;
                let method = self.method(id);
                if let Some(native) = method.native.get()
                    && native.leaf
                {
                    let void = method.returns == Kind::Void;
                    if COVERAGE {
                        self.note_native(id);
                    }
                    save!();
                    match (native.function)(self, Arguments::new(regs.from($insn.a))) {
                        Ok(bits) => {
                            if !void {
                                regs.set($insn.a, bits);
                            }
                            pc += 1;
                            continue;
                        }
                        Err(Abrupt::Yield) => return Stop::Switch,
                        Err(abrupt) => {
                            // The native's own frame belongs in the stack trace.
                            if let Err(worse) =
                                self.push(id, base + usize::from($insn.a), Resume::Next, Ref::NULL)
                            {
                                settle!(worse);
                            }
                            settle!(abrupt);
                        }
                    }
                }
                let Some(code) = method.code.get() else {
                    slow!(self.code(id).map(|_| ()));
                    continue;
                };
                let registers = usize::from(code.registers);
                let running = Running::new(code);
                let lock = if method.is(crate::classfile::access::SYNCHRONIZED) {
                    slow!(self.lock_of_call(id, regs.from($insn.a)))
                } else {
                    Ref::NULL
                };
                if EXPLORE && self.threads.list[self.turn.thread].region != 0 {
                    self.leave_region_for(id);
                }
                let callee = base + usize::from($insn.a);
                let thread = &mut self.threads.list[self.turn.thread];
                thread.top_mut().pc = pc as u32;
                if thread.frames.len() >= self.options.frames
                    || callee + registers + 2048 > self.options.slots
                {
                    if let Err(abrupt) = self.push(id, callee, Resume::Next, lock) {
                        if !lock.is_null() {
                            let _ = self.exit_monitor_now(lock);
                        }
                        settle!(abrupt);
                    }
                } else {
                    thread.frames.push(super::Frame {
                        method: id,
                        pc: 0,
                        base: callee as u32,
                        lock,
                        resume: Resume::Next,
                    });
                }
                regs = regs.from($insn.a);
                base = callee;
                run = running;
                pc = 0;
                continue;
            }};
        }
        macro_rules! leave {
            () => {{
                if EXPLORE {
                    let lock = self.threads.list[self.turn.thread]
                        .frames
                        .last()
                        .map_or(Ref::NULL, |frame| frame.lock);
                    if !lock.is_null() {
                        slow!(self.about_to_exit(lock));
                    }
                }
                let popped =
                    if EXPLORE { self.pop_frame() } else { self.threads.list[self.turn.thread].frames.pop() };
                let Some(frame) = popped else { return Stop::Switch };
                if !frame.lock.is_null() || frame.resume == Resume::Again {
                    if !frame.lock.is_null()
                        && let Err(abrupt) = self.exit_monitor_now(frame.lock)
                    {
                        settle!(abrupt);
                    }
                    if frame.resume == Resume::Again {
                        self.left(&frame);
                        self.end_scopes();
                    }
                }
                if self.threads.list[self.turn.thread].frames.is_empty() {
                    return Stop::Switch;
                }
                (regs, run, pc, base) = self.top_frame();
                pc += usize::from(frame.resume == Resume::Next);
                self.turn.polls -= 1;
                if self.turn.polls < 0 {
                    save!();
                    return Stop::Switch;
                }
                continue;
            }};
        }
        // Writes the resolved form of an instruction in its place and executes that.
        macro_rules! link {
            ($insn:expr) => {{
                let insn: Insn = slow!($insn);
                run.code().insns[pc].set(insn);
                continue;
            }};
        }
        macro_rules! here {
            () => {
                self.method(self.threads.list[self.turn.thread].top().method).class
            };
        }
        macro_rules! collect_soon {
            () => {
                if self.heap.needs_collection() {
                    self.turn.polls = 0;
                }
            };
        }

        loop {
            let insn = run.insn(pc);
            if COVERAGE && let Some(executed) = &run.code().executed {
                executed.reach(pc);
            }
            match_with_arithmetic!(match insn.op {
                Op::Move => regs.set(insn.a, regs.get(insn.b)),
                Op::ConstInt => regs.set(insn.a, u64::from(insn.operand())),
                Op::ConstNull => regs.set(insn.a, 0),
                Op::ConstWide => regs.set(insn.a, run.code().constants[insn.operand() as usize]),
                Op::ConstRef => regs.set(insn.a, u64::from(insn.operand())),
                Op::Load => {
                    let class = here!();
                    let object = slow!(self.resolve_constant(class, insn.b));
                    // What may be taken back is looked up every time.
                    if EXPLORE && object.0 >= self.heap.split() {
                        set!(insn.a, object);
                    } else {
                        run.code().insns[pc].set(Insn::wide(Op::ConstRef, insn.a, object.0));
                        continue;
                    }
                }
                Op::LoadDynamic => {
                    let class = here!();
                    let bits = slow!(self.dynamic_constant(class, insn.b));
                    if COVERAGE {
                        self.note_bootstrap(class, insn.b);
                    }
                    regs.set(insn.a, bits);
                }

                Op::Goto => jump!(insn.operand()),
                Op::Switch => jump!(run.code().switches[insn.operand() as usize].target(get!(i32, insn.a))),

                Op::Return => leave!(),
                Op::ReturnValue | Op::ReturnRef => {
                    regs.set(0, regs.get(insn.a));
                    leave!();
                }
                Op::Throw => {
                    let exception = object!(insn.a);
                    throw!(Abrupt::Throw(exception));
                }

                Op::GetField | Op::PutField => {
                    let class = here!();
                    link!(self.link_field(class, insn))
                }
                Op::GetU8 => field!(insn, get_u8),
                Op::GetI8 => field!(insn, get_i8),
                Op::GetU16 => field!(insn, get_u16),
                Op::GetI16 => field!(insn, get_i16),
                Op::Get32 => field!(insn, get_u32),
                Op::Get64 => field!(insn, get_u64),
                Op::GetRef => field!(insn, get_u32),
                Op::Put8 => put_field!(insn, put_u8, u8),
                Op::Put16 => put_field!(insn, put_u16, u16),
                Op::Put32 => put_field!(insn, put_u32, u32),
                Op::Put64 => put_field!(insn, put_u64, u64),
                Op::PutRef => {
                    put_field!(insn, put_ref, Ref);
                    if EXPLORE {
                        self.publish(get!(Ref, insn.a), u32::from(insn.b), get!(Ref, insn.c));
                    }
                }

                Op::GetStatic | Op::PutStatic => {
                    let class = here!();
                    link!(self.link_static(class, insn))
                }
                Op::GetStaticU8 => get_static!(insn, get_u8),
                Op::GetStaticI8 => get_static!(insn, get_i8),
                Op::GetStaticU16 => get_static!(insn, get_u16),
                Op::GetStaticI16 => get_static!(insn, get_i16),
                Op::GetStatic32 => get_static!(insn, get_u32),
                Op::GetStatic64 => get_static!(insn, get_u64),
                Op::GetStaticRef => get_static!(insn, get_u32),
                Op::PutStatic8 => put_static!(insn, put_u8, u8),
                Op::PutStatic16 => put_static!(insn, put_u16, u16),
                Op::PutStatic32 => put_static!(insn, put_u32, u32),
                Op::PutStatic64 => put_static!(insn, put_u64, u64),
                Op::PutStaticRef => {
                    put_static!(insn, put_ref, Ref);
                    if EXPLORE {
                        let mirror = self.links.statics[insn.operand() as usize].mirror;
                        self.publish(mirror, 0, get!(Ref, insn.a));
                    }
                }

                Op::LoadI8 => load!(insn, i8),
                Op::LoadU16 => load!(insn, u16),
                Op::LoadI16 => load!(insn, i16),
                Op::Load32 => load!(insn, u32),
                Op::Load64 => load!(insn, u64),
                Op::LoadRef => load!(insn, u32),
                Op::Store8 => {
                    let (array, index) = element!(insn.a, insn.b);
                    touch_element!(array, ARRAY_DATA + index, Write);
                    // Arrays of booleans share the instruction; they keep one bit.
                    let mut value = get!(u8, insn.c);
                    if self.heap.class(array) == self.known.primitive_arrays[Kind::Boolean as usize].0 {
                        value &= 1;
                    }
                    self.heap.set_element(array, index, value);
                }
                Op::Store16 => store!(insn, u16),
                Op::Store32 => store!(insn, u32),
                Op::Store64 => store!(insn, u64),
                Op::StoreRef => {
                    let (array, index) = element!(insn.a, insn.b);
                    let value = get!(Ref, insn.c);
                    if !value.is_null() {
                        let class = ClassId(self.heap.class(value));
                        let component = self.class(ClassId(self.heap.class(array))).component();
                        if !component.is_some_and(|(component, _)| {
                            component == class || self.is_subclass(class, component)
                        }) {
                            throw!(Abrupt::raise("java/lang/ArrayStoreException", self.external_name(class)));
                        }
                    }
                    touch_element!(array, ARRAY_DATA + 4 * index, Write);
                    self.heap.set_element(array, index, value.0);
                    if EXPLORE {
                        self.publish(array, ARRAY_DATA + 4 * index, value);
                    }
                }
                Op::ArrayLength => {
                    let array = object!(insn.b);
                    set!(insn.a, self.heap.length(array));
                }

                Op::New => {
                    let class = here!();
                    link!(self.link_new(class, insn))
                }
                Op::NewOf => {
                    let class = ClassId(insn.operand());
                    if !self.is_initialised(class) {
                        slow!(self.initialise(class));
                    }
                    let size = self.class(class).size;
                    let object = match self.heap.allocate(class.0, u64::from(size), 0) {
                        Some(object) => object,
                        None => slow!(self.new_object_after_collecting(class)),
                    };
                    if EXPLORE && self.scheduling.settings.symmetry == Symmetry::Site {
                        save!();
                        self.note_allocation_site(object);
                    }
                    set!(insn.a, object);
                    collect_soon!();
                }
                Op::NewPrimitives => {
                    let class = self.known.primitive_arrays[usize::from(insn.c)];
                    let array = slow!(self.new_array_collecting(class, get!(i32, insn.b)));
                    if EXPLORE {
                        self.note_allocation_site(array);
                    }
                    set!(insn.a, array);
                    collect_soon!();
                }
                Op::NewArray => {
                    let from = here!();
                    let component = slow!(self.resolve_class(from, insn.c));
                    let class = slow!(self.array_of(component));
                    if let Ok(class) = u16::try_from(class.0) {
                        run.code().insns[pc].set(Insn::new(Op::NewArrayOf, insn.a, insn.b, class));
                        continue;
                    }
                    let array = slow!(self.new_array_collecting(class, get!(i32, insn.b)));
                    set!(insn.a, array);
                }
                Op::NewArrayOf => {
                    let array =
                        slow!(self.new_array_collecting(ClassId(u32::from(insn.c)), get!(i32, insn.b)));
                    if EXPLORE {
                        self.note_allocation_site(array);
                    }
                    set!(insn.a, array);
                    collect_soon!();
                }
                Op::NewArrays => {
                    let from = here!();
                    let class = slow!(self.resolve_class(from, insn.b));
                    let lengths: Vec<i32> = (0..insn.c).map(|index| get!(i32, insn.a + index)).collect();
                    let array = slow!(self.new_arrays(class, &lengths));
                    if EXPLORE {
                        self.note_allocation_site_of_rows(array, insn.c);
                    }
                    set!(insn.a, array);
                    collect_soon!();
                }
                Op::CheckCast => {
                    // Null is of every class, even one that does not exist.
                    if !get!(Ref, insn.a).is_null() {
                        let from = here!();
                        let class = slow!(self.resolve_class(from, insn.b));
                        run.code().insns[pc].set(Insn::wide(Op::CheckCastOf, insn.a, class.0));
                        continue;
                    }
                }
                Op::CheckCastOf => {
                    let object = get!(Ref, insn.a);
                    if !object.is_null() {
                        let (class, to) = (ClassId(self.heap.class(object)), ClassId(insn.operand()));
                        if class != to && !self.is_subclass(class, to) {
                            throw!(Abrupt::raise(
                                "java/lang/ClassCastException",
                                self.cast_message(class, to)
                            ));
                        }
                    }
                }
                Op::InstanceOf => {
                    let object = get!(Ref, insn.b);
                    if object.is_null() {
                        set!(insn.a, 0);
                    } else {
                        let from = here!();
                        let class = slow!(self.resolve_class(from, insn.c));
                        if let Ok(class) = u16::try_from(class.0) {
                            run.code().insns[pc].set(Insn::new(Op::InstanceOfClass, insn.a, insn.b, class));
                        }
                        set!(insn.a, self.is_subclass(ClassId(self.heap.class(object)), class));
                    }
                }
                Op::InstanceOfClass => {
                    let object = get!(Ref, insn.b);
                    let class = ClassId(u32::from(insn.c));
                    let is = !object.is_null() && self.is_subclass(ClassId(self.heap.class(object)), class);
                    set!(insn.a, is);
                }
                Op::MonitorEnter => {
                    let object = object!(insn.a);
                    slow!(self.enter_monitor(object));
                }
                Op::MonitorExit => {
                    let object = object!(insn.a);
                    slow!(self.exit_monitor(object));
                }

                Op::InvokeVirtual
                | Op::InvokeSpecial
                | Op::InvokeStatic
                | Op::InvokeInterface
                | Op::InvokeDynamic => {
                    let class = here!();
                    link!(self.link_call(class, insn))
                }
                Op::CallStatic => {
                    let method = self.links.calls[insn.operand() as usize].method;
                    let class = self.method(method).class;
                    if !self.is_initialised(class) {
                        slow!(self.initialise(class));
                    }
                    call!(insn, method)
                }
                Op::CallDirect => {
                    object!(insn.a);
                    call!(insn, self.links.calls[insn.operand() as usize].method)
                }
                Op::CallVirtual => {
                    let object = object!(insn.a);
                    let site = &self.links.calls[insn.operand() as usize];
                    call!(insn, self.dispatch_virtual(site, ClassId(self.heap.class(object))))
                }
                Op::CallInterface => {
                    let object = object!(insn.a);
                    let site = &self.links.calls[insn.operand() as usize];
                    let method = match self.dispatch_interface(site, ClassId(self.heap.class(object))) {
                        Ok(method) => method,
                        Err(abrupt) => throw!(abrupt),
                    };
                    call!(insn, method)
                }
                Op::CallPolymorphic => {
                    object!(insn.a);
                    let arguments = regs.from(insn.a);
                    match slow!(self.call_polymorphic(insn.operand(), arguments)) {
                        super::method_handles::Polymorphic::Done(bits) => regs.set(insn.a, bits),
                        super::method_handles::Polymorphic::Void => {}
                        super::method_handles::Polymorphic::Call(method) => call!(insn, method),
                    }
                }
                Op::Native => {
                    let id = self.threads.list[self.turn.thread].top().method;
                    let native = self.method(id).native.get();
                    if COVERAGE && native.is_some() {
                        self.note_native(id);
                    }
                    let bits = match native {
                        Some(native) => slow!((native.function)(self, Arguments::new(regs))),
                        None => throw!(self.missing_native(id)),
                    };
                    regs.set(insn.a, bits);
                }
                Op::Hook => {
                    let hook = self.hooked(insn.operand());
                    slow!(hook(self, Arguments::new(regs)));
                    if self.threads.list[self.turn.thread].status == Status::Finished {
                        return Stop::Switch;
                    }
                }
            });
            pc += 1;
        }
    }

    /// Where the top frame of the current thread stands.
    #[inline(always)]
    fn top_frame(&self) -> (Registers, Running, usize, usize) {
        let thread = &self.threads.list[self.turn.thread];
        let frame = thread.top();
        let code = self.method(frame.method).code.get().expect("a frame's method has code");
        let registers = Registers::new(thread.stack.slot(frame.base as usize));
        (registers, Running::new(code), frame.pc as usize, frame.base as usize)
    }
}
