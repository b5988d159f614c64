//! Calls through method handles, and constants that are method handles.

use super::Polymorphic;
use super::forge::Forge;
use crate::class::{ClassId, Loader, MethodId};
use crate::classfile::{Descriptor, Kind};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::{Arguments, Bits, Machine, Resume, Run, Trouble};
use crate::memory::{Ref, Registers};

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

impl Machine {
    /// A call of a signature-polymorphic method.
    pub(crate) fn call_polymorphic(&mut self, site: u32, arguments: Registers) -> Run<Polymorphic> {
        let known = self.aside.handles.handle_sites.get(site as usize).copied().flatten();
        let known = match known {
            Some(known) => known,
            None => {
                let class = self.method(self.sites[site as usize].method).class;
                if Some(class) == self.known.var_handle {
                    return self.call_var_handle(site, arguments);
                }
                self.plan_handle_site(site)?
            }
        };
        let (type_at, form_at, code_at) = self.aside.handles.path;
        let handle = Ref::of(arguments.get(0));
        if let HandleSite::Typed { wanted, otherwise } = known
            && self.heap.get_ref(handle, type_at) != wanted
        {
            return Ok(Polymorphic::Call(otherwise));
        }
        // Forms without code are those of handles that the JDK has made in a way that is not known here.
        let form = self.heap.get_ref(handle, form_at);
        let code = form.some().map_or(0, |form| self.heap.get_u32(form, code_at));
        if code == 0 {
            return Err(Trouble::unsupported("a method handle that the machine has not made"));
        }
        Ok(Polymorphic::Call(MethodId(code)))
    }

    fn plan_handle_site(&mut self, site: u32) -> Run<HandleSite> {
        let call = &self.sites[site as usize];
        let name = self.symbols.shared(self.method(call.method).name);
        let text = self.symbols.shared(call.descriptor);
        let plan = match &*name {
            "invokeBasic" => {
                self.layout()?;
                HandleSite::Basic
            }
            "invokeExact" | "invoke" => {
                let from = self.method(self.threads[self.current].top().method).class;
                let wanted = self.method_type(from, &text)?;
                let otherwise = self.retyped_call(&text, wanted, &*name == "invokeExact")?;
                HandleSite::Typed { wanted, otherwise }
            }
            other => return Err(Trouble::unsupported(format!("MethodHandle.{other}"))),
        };
        let sites = &mut self.aside.handles.handle_sites;
        if sites.len() <= site as usize {
            sites.resize(site as usize + 1, None);
        }
        sites[site as usize] = Some(plan);
        Ok(plan)
    }

    /// Code for calls of handles that are of another type: `invokeExact` throws, `invoke` converts the handle.
    fn retyped_call(&mut self, text: &str, wanted: Ref, exact: bool) -> Run<MethodId> {
        let key = format!("{exact} {}", wanted.0);
        if let Some(&known) = self.aside.handles.detours.get(&key) {
            return Ok(known);
        }
        let parsed = Descriptor::parse(text)?;
        let mut forge = Forge::new(self, &parsed.kinds)?;
        retype(&mut forge, exact, |forge| Ok(forge.object(wanted)), parsed.returns)?;
        let method = forge.finish(parsed.returns);
        self.aside.handles.detours.insert(key, method);
        Ok(method)
    }

    /// A call through a variable handle as the JDK's code does it: by the method handle of the access.
    pub(super) fn call_var_handle_by_detour(&mut self, site: u32) -> Run<Polymorphic> {
        let call = &self.sites[site as usize];
        let name = self.symbols.shared(self.method(call.method).name);
        let text = self.symbols.shared(call.descriptor);
        let from = self.method(self.threads[self.current].top().method).class;
        let wanted = self.method_type(from, &text)?;
        let key = format!("{name} {}", wanted.0);
        if let Some(&known) = self.aside.handles.detours.get(&key) {
            return Ok(Polymorphic::Call(known));
        }
        let Some((kind, mode)) = mode(&name) else {
            return Err(Trouble::unsupported(format!("VarHandle.{name}")));
        };
        let parsed = Descriptor::parse(&text)?;
        let mut forge = Forge::new(self, &parsed.kinds)?;
        let class = forge.machine.load(Loader::BOOT, "java/lang/invoke/VarHandle$AccessDescriptor")?;
        let access = forge.register();
        forge.builder.emit(Insn::wide(Op::NewOf, access, class.0));
        let of = forge.object(wanted);
        let (kind_register, mode_register) = (forge.register(), forge.register());
        forge.builder.constant(kind_register, kind);
        forge.builder.constant(mode_register, mode);
        forge.call_java(
            "java/lang/invoke/VarHandle$AccessDescriptor",
            "<init>",
            "(Ljava/lang/invoke/MethodType;II)V",
            &[
                (access, Kind::Reference),
                (of, Kind::Reference),
                (kind_register, Kind::Int),
                (mode_register, Kind::Int),
            ],
        )?;
        let result = call_variable(&mut forge, 0, access, false, &parsed.kinds, parsed.returns)?;
        forge.leave(result, parsed.returns);
        let method = forge.finish(parsed.returns);
        self.aside.handles.detours.insert(key, method);
        Ok(Polymorphic::Call(method))
    }

    /// The object that a constant of a method handle stands for. The JDK's own code makes it, when it is first needed.
    pub(crate) fn method_handle_constant(&mut self, from: ClassId, kind: u8, reference: u16) -> Run<Ref> {
        let place = (from, kind, reference);
        if let Some(&known) = self.aside.handles.constants.get(&place) {
            return Ok(known);
        }
        let file = self.file(from)?;
        let (class_name, name, text) = file.pool.member(reference)?;
        let loader = self.loader_of(from);
        let class = self.load(loader, class_name)?;
        let of = if kind <= 4 {
            let class = self.load_described(loader, text)?;
            self.class(class).mirror
        } else {
            self.method_type(from, text)?
        };
        let name: Vec<u16> = name.encode_utf16().collect();
        let name = self.intern(&name)?;
        let natives = self.load(Loader::BOOT, "java/lang/invoke/MethodHandleNatives")?;
        let link = self.method_named(
            natives,
            "linkMethodHandleConstant",
            "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
        );
        let link = link.ok_or_else(|| Trouble::unsupported("this JDK's MethodHandleNatives"))?;
        let site = self.call_site(link);
        let keep = self.hook(keep_constant);
        let mut builder = Builder::new(8);
        builder.emit(Insn::wide(Op::ConstRef, 0, self.class(from).mirror.0));
        builder.constant(1, u64::from(kind));
        builder.emit(Insn::wide(Op::ConstRef, 2, self.class(class).mirror.0));
        builder.emit(Insn::wide(Op::ConstRef, 3, name.0));
        builder.emit(Insn::wide(Op::ConstRef, 4, of.0));
        builder.emit(Insn::wide(Op::CallStatic, 0, site));
        builder.constant(1, u64::from(from.0));
        builder.constant(2, u64::from(kind));
        builder.constant(3, u64::from(reference));
        builder.emit(Insn::wide(Op::Hook, 0, keep));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        let stub = self.make_method("constant", "()V", builder.finish());
        self.call(stub, &[], Resume::Again)?;
        Err(Trouble::Again)
    }
}

fn keep_constant(machine: &mut Machine, registers: Arguments) -> Run<u64> {
    let handle = registers.object(0);
    let place = (ClassId(registers.get(1)), registers.get::<u32>(2) as u8, registers.get::<u32>(3) as u16);
    if machine.aside.handles.constants.insert(place, handle).is_none() {
        machine.aside.roots.push(handle);
    }
    Ok(0)
}

/// Calls the handle in register 0 after a look at its type.
fn retype(
    forge: &mut Forge,
    exact: bool,
    wanted: impl FnOnce(&mut Forge) -> Run<u16>,
    returns: Kind,
) -> Run<()> {
    let wanted = wanted(forge)?;
    let arguments = [(0, Kind::Reference), (wanted, Kind::Reference)];
    let handle = check_type(forge, exact, &arguments)?;
    forge.leave_by(handle, returns)
}

/// The handle, converted to the wanted type, or known to be of it.
pub(super) fn check_type(forge: &mut Forge, exact: bool, arguments: &[(u16, Kind); 2]) -> Run<u16> {
    let invokers = "java/lang/invoke/Invokers";
    if exact {
        let check = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)V";
        forge.call_java(invokers, "checkExactType", check, arguments)?;
        return Ok(arguments[0].0);
    }
    let check =
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;";
    forge.call_java(invokers, "checkGenericType", check, arguments)
}

/// Calls the method handle of an access to a variable: `variable` has the variable handle, `access` what is done.
pub(super) fn call_variable(
    forge: &mut Forge,
    variable: u16,
    access: u16,
    exact: bool,
    kinds: &[Kind],
    returns: Kind,
) -> Run<u16> {
    let invokers = "java/lang/invoke/Invokers";
    let name = if exact { "checkVarHandleExactType" } else { "checkVarHandleGenericType" };
    let handle = forge.call_java(
        invokers,
        name,
        "(Ljava/lang/invoke/VarHandle;Ljava/lang/invoke/VarHandle$AccessDescriptor;)Ljava/lang/invoke/MethodHandle;",
        &[(variable, Kind::Reference), (access, Kind::Reference)],
    )?;
    let target = forge.call_java(
        invokers,
        "directVarHandleTarget",
        "(Ljava/lang/invoke/VarHandle;)Ljava/lang/invoke/VarHandle;",
        &[(variable, Kind::Reference)],
    )?;
    let mut arguments = vec![(target, Kind::Reference)];
    let values = forge.arguments.len() - kinds.len();
    arguments.extend_from_slice(&forge.arguments[values..]);
    forge.call_handle(handle, &arguments, returns)
}

/// The numbers of an access in `VarHandle.AccessType` and `VarHandle.AccessMode`.
fn mode(name: &str) -> Option<(u64, u64)> {
    const MODES: [&str; 31] = [
        "get",
        "set",
        "getVolatile",
        "setVolatile",
        "getAcquire",
        "setRelease",
        "getOpaque",
        "setOpaque",
        "compareAndSet",
        "compareAndExchange",
        "compareAndExchangeAcquire",
        "compareAndExchangeRelease",
        "weakCompareAndSetPlain",
        "weakCompareAndSet",
        "weakCompareAndSetAcquire",
        "weakCompareAndSetRelease",
        "getAndSet",
        "getAndSetAcquire",
        "getAndSetRelease",
        "getAndAdd",
        "getAndAddAcquire",
        "getAndAddRelease",
        "getAndBitwiseOr",
        "getAndBitwiseOrRelease",
        "getAndBitwiseOrAcquire",
        "getAndBitwiseAnd",
        "getAndBitwiseAndRelease",
        "getAndBitwiseAndAcquire",
        "getAndBitwiseXor",
        "getAndBitwiseXorRelease",
        "getAndBitwiseXorAcquire",
    ];
    let mode = MODES.iter().position(|&known| known == name)?;
    let kind = match mode {
        16.. => 4,
        9..=11 => 3,
        8 | 12..=15 => 2,
        _ => mode % 2,
    };
    Some((kind as u64, mode as u64))
}
