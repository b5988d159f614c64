//! Calls through variable handles.
//!
//! Variable handles are objects of the JDK's own classes, made by the JDK's own code. If the types of a call are those of the variable, the
//! machine does it here, without a frame. In every other case (a conversion, a wrong type, a null, an index out of bounds, a view of bytes)
//! the JDK's code for that kind of handle runs, and throws what has to be thrown.

use crate::classfile::{Descriptor, Kind};
use crate::machine::class::{ClassId, Symbol};
use crate::machine::method_handles::{Access, Plan, Polymorphic, VarSite, VariableLocation};
use crate::machine::visible::OperationKind;
use crate::machine::{Abrupt, Bits, Machine, Run};
use crate::memory::{ARRAY_DATA, Ref, Registers};

impl Machine {
    /// A call through a variable handle, the arguments of which begin with the handle.
    pub(super) fn call_var_handle(&mut self, site: u32, arguments: Registers) -> Run<Polymorphic> {
        let handle: Ref = Bits::of(arguments.get(0));
        let class = ClassId(self.heap.class(handle));
        let known = self.tables.handles.var_sites.get(site as usize).and_then(Option::as_ref);
        let plan = match known.filter(|known| known.class == class) {
            Some(known) => known.plan,
            None => self.plan_var_site(site, class)?,
        };
        if let Some(plan) = plan
            && self.heap.get_u8(handle, plan.exact) == 0
            && let Some((object, offset)) = self.variable(&plan, handle, arguments)
        {
            return self.access_variable(&plan, handle, (object, offset), arguments);
        }
        self.call_var_handle_by_detour(site)
    }

    fn plan_var_site(&mut self, site: u32, class: ClassId) -> Run<Option<Plan>> {
        let call = &self.links.calls[site as usize];
        let name = self.classes.symbols.shared(self.method(call.method).name);
        let plan = self.plan(class, &name, call.descriptor)?;
        let sites = &mut self.tables.handles.var_sites;
        if sites.len() <= site as usize {
            sites.resize_with(site as usize + 1, || None);
        }
        sites[site as usize] = Some(Box::new(VarSite { plan, class }));
        Ok(plan)
    }

    /// How a call is done right here, if its types are those of the variable.
    fn plan(&mut self, class: ClassId, name: &str, descriptor: Symbol) -> Run<Option<Plan>> {
        let exact = self.layout()?.var_exact;
        let descriptor = Descriptor::parse(self.classes.symbols.text(descriptor))?;
        let text = self.class_name(class);
        let Some((kind, shape)) = text.strip_prefix("java/lang/invoke/VarHandle").and_then(parse) else {
            return Ok(None);
        };
        let Some(access) = Access::of(name).filter(|access| access.suits(kind)) else { return Ok(None) };
        let offset = |name: &str| self.offset_of(class, name);
        let place = match shape {
            Storage::Instance { .. } => offset("receiverType")
                .zip(offset("fieldOffset"))
                .map(|(receiver, offset)| VariableLocation::Instance { receiver, offset }),
            Storage::Static { .. } => offset("base")
                .zip(offset("fieldOffset"))
                .map(|(base, offset)| VariableLocation::Static { base, offset }),
            Storage::Array => Some(VariableLocation::Array { class: offset("arrayType") }),
        };
        let Some(place) = place else { return Ok(None) };
        let coordinates: &[Kind] = match place {
            VariableLocation::Instance { .. } => &[Kind::Reference],
            VariableLocation::Static { .. } => &[],
            VariableLocation::Array { .. } => &[Kind::Reference, Kind::Int],
        };
        let writes = access != Access::Get;
        let fixed = matches!(shape, Storage::Instance { fixed: true } | Storage::Static { fixed: true });
        let expected: Vec<Kind> =
            coordinates.iter().copied().chain(std::iter::repeat_n(kind, access.values())).collect();
        let result = access.result(kind);
        let void = descriptor.returns == Kind::Void;
        if writes && fixed || descriptor.kinds != expected || !(void || descriptor.returns == result) {
            return Ok(None);
        }
        let values = match place {
            _ if kind != Kind::Reference => None,
            VariableLocation::Array { .. } => offset("componentType"),
            _ => offset("fieldType"),
        };
        let result = if descriptor.returns == Kind::Reference && descriptor.result != "Ljava/lang/Object;" {
            let from = self.method(self.threads.list[self.turn.thread].top().method).class;
            Some(self.load_described(self.loader_of(from), &descriptor.result)?)
        } else {
            None
        };
        let plain = matches!(name, "get" | "set");
        Ok(Some(Plan { access, kind, place, plain, values, result, void, exact }))
    }

    /// The object and the offset of the variable; `None` if there is something wrong with what leads there.
    #[inline]
    fn variable(&self, plan: &Plan, handle: Ref, arguments: Registers) -> Option<(Ref, u32)> {
        match plan.place {
            VariableLocation::Instance { receiver, offset } => {
                let object = Ref::of(arguments.get(1)).some()?;
                let wanted = self.class_of_mirror(self.heap.get_ref(handle, receiver));
                self.is_subclass(ClassId(self.heap.class(object)), wanted).then_some(())?;
                Some((object, self.heap.get_u64(handle, offset) as u32))
            }
            VariableLocation::Static { base, offset } => {
                Some((self.heap.get_ref(handle, base), self.heap.get_u64(handle, offset) as u32))
            }
            VariableLocation::Array { class } => {
                let array = Ref::of(arguments.get(1)).some()?;
                let of = ClassId(self.heap.class(array));
                let wanted = match class {
                    None => self.known.primitive_arrays[plan.kind as usize],
                    Some(offset) => self.class_of_mirror(self.heap.get_ref(handle, offset)),
                };
                self.is_subclass(of, wanted).then_some(())?;
                let index = u32::of(arguments.get(2));
                (index < self.heap.length(array)).then_some((array, ARRAY_DATA + index * plan.kind.size()))
            }
        }
    }

    fn access_variable(
        &mut self,
        plan: &Plan,
        handle: Ref,
        (object, offset): (Ref, u32),
        arguments: Registers,
    ) -> Run<Polymorphic> {
        let first = match plan.place {
            VariableLocation::Static { .. } => 1,
            VariableLocation::Instance { .. } => 2,
            VariableLocation::Array { .. } => 3,
        };
        let kind = plan.kind;
        let values = [arguments.get(first), arguments.get(first + kind.slots())];
        if let Some(at) = plan.values {
            let mut wanted = self.class_of_mirror(self.heap.get_ref(handle, at));
            for (number, &value) in values.iter().enumerate().take(plan.access.values()) {
                // What goes into an array must suit that very array; what is compared only the handle's type.
                let last = number + 1 == plan.access.values();
                if last
                    && let Some((component, _)) = self.class(ClassId(self.heap.class(object))).component()
                    && matches!(plan.place, VariableLocation::Array { .. })
                {
                    wanted = component;
                }
                let value = Ref::of(value);
                if !value.is_null() && !self.is_subclass(ClassId(self.heap.class(value)), wanted) {
                    return self.refuse(ClassId(self.heap.class(value)), wanted, plan);
                }
            }
        }
        if self.may_be_visible(object) {
            let what = match plan.access {
                Access::Get if plan.plain => OperationKind::Read,
                Access::Set if plan.plain => OperationKind::Write,
                Access::Get => OperationKind::ReadVolatile,
                Access::Set => OperationKind::WriteVolatile,
                _ => OperationKind::Update,
            };
            self.touch(object, offset, what)?;
            self.note_size(object, kind.size());
        }
        let old = self.load_variable(kind, object, offset);
        let new = match plan.access {
            Access::Get => None,
            Access::Set | Access::GetAndSet => Some(values[0]),
            Access::CompareAndSet | Access::CompareAndExchange => (old == values[0]).then_some(values[1]),
            Access::GetAndAdd => Some(add(kind, old, values[0])),
            Access::GetAndOr => Some(old | values[0]),
            Access::GetAndAnd => Some(old & values[0]),
            Access::GetAndXor => Some(xor(kind, old, values[0])),
        };
        if let Some(new) = new {
            self.store_variable(kind, object, offset, new);
            if kind == Kind::Reference {
                self.publish(object, offset, Ref::of(new));
            }
        }
        if plan.void {
            return Ok(Polymorphic::Void);
        }
        if plan.access == Access::CompareAndSet {
            return Ok(Polymorphic::Done((old == values[0]).bits()));
        }
        if let Some(wanted) = plan.result
            && let Some(result) = Ref::of(old).some()
            && !self.is_subclass(ClassId(self.heap.class(result)), wanted)
        {
            return Err(self.cannot_cast(ClassId(self.heap.class(result)), wanted));
        }
        Ok(Polymorphic::Done(old))
    }

    /// A value that is of the wrong class.
    fn refuse(&self, of: ClassId, wanted: ClassId, plan: &Plan) -> Run<Polymorphic> {
        if matches!(plan.place, VariableLocation::Array { .. }) && plan.access == Access::Set {
            return Err(Abrupt::raise("java/lang/ArrayStoreException", self.external_name(of)));
        }
        Err(self.cannot_cast(of, wanted))
    }

    /// What `Class.cast` throws.
    pub(super) fn cannot_cast(&self, of: ClassId, wanted: ClassId) -> Abrupt {
        let message = format!("Cannot cast {} to {}", self.external_name(of), self.external_name(wanted));
        Abrupt::raise("java/lang/ClassCastException", message)
    }

    #[inline]
    fn load_variable(&self, kind: Kind, object: Ref, offset: u32) -> u64 {
        match kind {
            Kind::Boolean => self.heap.get_u8(object, offset).bits(),
            Kind::Byte => self.heap.get_i8(object, offset).bits(),
            Kind::Char => self.heap.get_u16(object, offset).bits(),
            Kind::Short => self.heap.get_i16(object, offset).bits(),
            Kind::Long | Kind::Double => self.heap.get_u64(object, offset),
            _ => self.heap.get_u32(object, offset).bits(),
        }
    }

    #[inline]
    fn store_variable(&mut self, kind: Kind, object: Ref, offset: u32, bits: u64) {
        match kind {
            Kind::Boolean => self.heap.put_u8(object, offset, bits as u8 & 1),
            Kind::Byte => self.heap.put_u8(object, offset, bits as u8),
            Kind::Char | Kind::Short => self.heap.put_u16(object, offset, bits as u16),
            Kind::Long | Kind::Double => self.heap.put_u64(object, offset, bits),
            Kind::Reference => self.heap.put_ref(object, offset, Ref::of(bits)),
            _ => self.heap.put_u32(object, offset, bits as u32),
        }
    }
}

fn add(kind: Kind, old: u64, value: u64) -> u64 {
    match kind {
        Kind::Long => old.wrapping_add(value),
        Kind::Float => (f32::of(old) + f32::of(value)).bits(),
        Kind::Double => (f64::of(old) + f64::of(value)).bits(),
        _ => i32::of(old).wrapping_add(i32::of(value)).bits(),
    }
}

fn xor(kind: Kind, old: u64, value: u64) -> u64 {
    if kind == Kind::Boolean { (old ^ value) & 1 } else { old ^ value }
}

/// What a class of variable handles is for, as its name tells.
#[derive(Clone, Copy)]
enum Storage {
    Instance { fixed: bool },
    Static { fixed: bool },
    Array,
}

/// Takes apart what follows `VarHandle`, as in `Ints$FieldInstanceReadWrite`.
fn parse(name: &str) -> Option<(Kind, Storage)> {
    let (kind, storage) = name.split_once('$')?;
    let kind = match kind {
        "Booleans" => Kind::Boolean,
        "Bytes" => Kind::Byte,
        "Shorts" => Kind::Short,
        "Chars" => Kind::Char,
        "Ints" => Kind::Int,
        "Longs" => Kind::Long,
        "Floats" => Kind::Float,
        "Doubles" => Kind::Double,
        "References" => Kind::Reference,
        _ => return None,
    };
    Some((
        kind,
        match storage {
            "FieldInstanceReadWrite" => Storage::Instance { fixed: false },
            "FieldInstanceReadOnly" => Storage::Instance { fixed: true },
            "FieldStaticReadWrite" => Storage::Static { fixed: false },
            "FieldStaticReadOnly" => Storage::Static { fixed: true },
            "Array" => Storage::Array,
            _ => return None,
        },
    ))
}
