//! What the machine keeps for `java.lang.invoke` beside the heap, and where the fields of its classes lie.

use super::class::{ClassId, Loader, MethodId};
use super::{Abrupt, Machine, Run};
use crate::classfile::Kind;
use crate::memory::Ref;
use hashbrown::HashMap;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Everything here can be derived again from classes and call sites; none of it is a program's state.
#[derive(Clone, Default)]
pub struct Handles {
    layout: Option<Layout>,
    /// Where a handle has its type and form, and a form its code: calls look at nothing else.
    pub path: (u32, u32, u32),
    /// Method types, by the class of the result and those of the parameters. There is one object for each type.
    pub types: Map<Box<[ClassId]>, Ref>,
    /// The forms of method handles, by what their code does.
    pub forms: Map<String, Ref>,
    /// What calls through variable handles have come to, by the number of the site.
    pub var_sites: Vec<Option<Box<VarSite>>>,
    /// What calls through method handles have come to, by the number of the site.
    pub handle_sites: Vec<Option<HandleSite>>,
    /// Method handles that constants stand for, by class, kind and the reference in the constant pool.
    pub constants: Map<(ClassId, u8, u16), Ref>,
    /// What bootstrap methods have made of dynamic calls, by method and instruction.
    pub call_sites: Map<(u32, u32), Ref>,
    /// Dynamic constants, by class and index in the constant pool; primitives are in boxes.
    pub dynamic_constants: Map<(u32, u32), Ref>,
    /// Code for calls that take the long way, by what they need.
    pub detours: Map<String, MethodId>,
}

/// Classes of `java.lang.invoke`, and the offsets of fields that the machine reads and writes.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Layout {
    pub method_type: ClassId,
    pub type_result: u32,
    pub type_parameters: u32,
    pub handle_type: u32,
    pub handle_form: u32,
    pub form: ClassId,
    pub form_code: u32,
    pub member_class: u32,
    pub member_name: u32,
    pub member_type: u32,
    pub member_flags: u32,
    pub bound: ClassId,
    pub bound_operands: u32,
    pub var_exact: u32,
}

impl Machine {
    /// The layout of the classes, which are loaded when it is first asked for.
    pub(crate) fn layout(&mut self) -> Run<Layout> {
        if let Some(layout) = self.tables.handles.layout {
            return Ok(layout);
        }
        let mut class = |name: &str| self.load(Loader::BOOT, &format!("java/lang/invoke/{name}"));
        let method_type = class("MethodType")?;
        let handle = class("MethodHandle")?;
        let form = class("LambdaForm")?;
        let member = class("MemberName")?;
        let bound = class("BoundMethodHandle$Species_L")?;
        let var_handle = class("VarHandle")?;
        let offset = |of: ClassId, name: &str| {
            let missing = || format!("{} without a field {name}", self.external_name(of));
            self.offset_of(of, name).ok_or_else(|| Abrupt::unsupported(missing()))
        };
        let layout = Layout {
            method_type,
            type_result: offset(method_type, "rtype")?,
            type_parameters: offset(method_type, "ptypes")?,
            handle_type: offset(handle, "type")?,
            handle_form: offset(handle, "form")?,
            form,
            // Nothing else counts invocations: forms are not interpreted.
            form_code: offset(form, "invocationCounter")?,
            member_class: offset(member, "clazz")?,
            member_name: offset(member, "name")?,
            member_type: offset(member, "type")?,
            member_flags: offset(member, "flags")?,
            bound,
            bound_operands: offset(bound, "argL0")?,
            var_exact: offset(var_handle, "exact")?,
        };
        self.tables.handles.layout = Some(layout);
        self.tables.handles.path = (layout.handle_type, layout.handle_form, layout.form_code);
        Ok(layout)
    }
}

impl Handles {
    /// Takes over what others have learned of objects that stay.
    pub fn learn(&mut self, from: &Handles, stays: impl Fn(Ref) -> bool) {
        fn add<K: Clone + Eq + std::hash::Hash>(
            to: &mut Map<K, Ref>,
            from: &Map<K, Ref>,
            stays: impl Fn(Ref) -> bool,
        ) {
            for (key, &object) in from.iter().filter(|(_, object)| stays(**object)) {
                to.entry(key.clone()).or_insert(object);
            }
        }
        self.layout = self.layout.or(from.layout);
        self.path = from.path;
        add(&mut self.types, &from.types, &stays);
        add(&mut self.forms, &from.forms, &stays);
        add(&mut self.constants, &from.constants, &stays);
        add(&mut self.call_sites, &from.call_sites, &stays);
        add(&mut self.dynamic_constants, &from.dynamic_constants, &stays);
        self.var_sites.clone_from(&from.var_sites);
        self.handle_sites.clone_from(&from.handle_sites);
        for site in &mut self.handle_sites {
            if let Some(HandleSite::Typed { wanted, .. }) = site
                && !stays(*wanted)
            {
                *site = None;
            }
        }
        self.detours.clone_from(&from.detours);
    }

    /// Whether all of it is about objects that stay.
    pub fn holds_everywhere(&self, stays: impl Fn(&Ref) -> bool) -> bool {
        let objects = self.types.values().chain(self.forms.values()).chain(self.constants.values());
        let objects = objects.chain(self.call_sites.values()).chain(self.dynamic_constants.values());
        let sites = self.handle_sites.iter().filter_map(|site| match site {
            Some(HandleSite::Typed { wanted, .. }) => Some(wanted),
            _ => None,
        });
        objects.chain(sites).all(stays)
    }
}

/// What is done with a variable. Memory is sequentially consistent, so that the orders of accesses do not matter, except that
/// plain ones may race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Get,
    Set,
    CompareAndSet,
    CompareAndExchange,
    GetAndSet,
    GetAndAdd,
    GetAndOr,
    GetAndAnd,
    GetAndXor,
}

impl Access {
    pub(crate) fn of(name: &str) -> Option<Access> {
        let name = ["Volatile", "Opaque", "Acquire", "Release", "Plain"]
            .iter()
            .find_map(|order| name.strip_suffix(order))
            .unwrap_or(name);
        Some(match name {
            "get" => Access::Get,
            "set" => Access::Set,
            "compareAndSet" | "weakCompareAndSet" => Access::CompareAndSet,
            "compareAndExchange" => Access::CompareAndExchange,
            "getAndSet" => Access::GetAndSet,
            "getAndAdd" => Access::GetAndAdd,
            "getAndBitwiseOr" => Access::GetAndOr,
            "getAndBitwiseAnd" => Access::GetAndAnd,
            "getAndBitwiseXor" => Access::GetAndXor,
            _ => return None,
        })
    }

    /// The number of values that it takes.
    pub(crate) fn values(self) -> usize {
        match self {
            Access::Get => 0,
            Access::CompareAndSet | Access::CompareAndExchange => 2,
            _ => 1,
        }
    }

    /// What it gives for a variable of a kind.
    pub(crate) fn result(self, kind: Kind) -> Kind {
        match self {
            Access::Set => Kind::Void,
            Access::CompareAndSet => Kind::Boolean,
            _ => kind,
        }
    }

    pub(crate) fn suits(self, kind: Kind) -> bool {
        match self {
            Access::GetAndAdd => !matches!(kind, Kind::Reference | Kind::Boolean),
            Access::GetAndOr | Access::GetAndAnd | Access::GetAndXor => {
                !matches!(kind, Kind::Reference | Kind::Float | Kind::Double)
            }
            _ => true,
        }
    }
}

/// Where a variable is.
#[derive(Clone, Copy)]
pub(crate) enum VariableLocation {
    /// In an instance of the class whose mirror is in the handle at `receiver`, at the offset that is in it at `offset`.
    Instance { receiver: u32, offset: u32 },
    /// In the object that is in the handle at `base`.
    Static { base: u32, offset: u32 },
    /// In an array; of objects, if the handle has the class of arrays at `class`.
    Array { class: Option<u32> },
}

/// What calls at a site come to for handles of one class.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) access: Access,
    pub(crate) kind: Kind,
    pub(crate) place: VariableLocation,
    /// Whether it is done like an access by an instruction: where there is no order, it is a race.
    pub(crate) plain: bool,
    /// Where the handle has the class of the values, if they are objects.
    pub(crate) values: Option<u32>,
    /// The class that the site expects the result to be of.
    pub(crate) result: Option<ClassId>,
    /// Whether the site takes the result.
    pub(crate) void: bool,
    /// Where a handle says that it wants exact types.
    pub(crate) exact: u32,
}

/// A site that calls through variable handles.
#[derive(Clone)]
pub struct VarSite {
    /// The class of the last handle.
    pub(crate) class: ClassId,
    /// `None` if handles of this class take the long way.
    pub(crate) plan: Option<Plan>,
}

/// A site that calls through method handles.
#[derive(Clone, Copy)]
pub enum HandleSite {
    /// `invokeBasic`: the machine's own calls, whose types are right.
    Basic,
    /// `invokeExact` and `invoke`: handles of this type are called; others take the long way.
    Typed {
        /// The type of the call.
        wanted: Ref,
        /// The code that converts the handle or throws.
        otherwise: MethodId,
    },
}

/// What a call of a signature-polymorphic method has come to.
pub enum Polymorphic {
    /// It is done, with this result.
    Done(u64),
    /// It is done and has no result.
    Void,
    /// This method is to be called with the same arguments.
    Call(MethodId),
}
