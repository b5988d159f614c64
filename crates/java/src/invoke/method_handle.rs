//! Calls through method handles, and constants that are method handles.

use super::handle_code::HandleCode;
use crate::classfile::{Descriptor, Kind};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::machine::method_handles::{HandleSite, Polymorphic};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Resume, Run};
use crate::memory::{Ref, Registers};

impl Machine {
    /// A call of a signature-polymorphic method.
    pub(crate) fn call_polymorphic(&mut self, site: u32, arguments: Registers) -> Run<Polymorphic> {
        let known = self.tables.handles.handle_sites.get(site as usize).copied().flatten();
        let known = match known {
            Some(known) => known,
            None => {
                let class = self.method(self.links.calls[site as usize].method).class;
                if Some(class) == self.known.var_handle {
                    return self.call_var_handle(site, arguments);
                }
                self.plan_handle_site(site)?
            }
        };
        let (type_at, form_at, code_at) = self.tables.handles.path;
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
            return Err(Abrupt::unsupported("a method handle that the machine has not made"));
        }
        Ok(Polymorphic::Call(MethodId(code)))
    }

    fn plan_handle_site(&mut self, site: u32) -> Run<HandleSite> {
        let call = &self.links.calls[site as usize];
        let name = self.classes.symbols.shared(self.method(call.method).name);
        let text = self.classes.symbols.shared(call.descriptor);
        let plan = match &*name {
            "invokeBasic" => {
                self.layout()?;
                HandleSite::Basic
            }
            "invokeExact" | "invoke" => {
                let from = self.method(self.threads.list[self.turn.thread].top().method).class;
                let wanted = self.method_type(from, &text)?;
                let otherwise = self.retyped_call(&text, wanted, &*name == "invokeExact")?;
                HandleSite::Typed { wanted, otherwise }
            }
            other => return Err(Abrupt::unsupported(format!("MethodHandle.{other}"))),
        };
        let sites = &mut self.tables.handles.handle_sites;
        if sites.len() <= site as usize {
            sites.resize(site as usize + 1, None);
        }
        sites[site as usize] = Some(plan);
        Ok(plan)
    }

    /// Code for calls of handles that are of another type: `invokeExact` throws, `invoke` converts the handle.
    fn retyped_call(&mut self, text: &str, wanted: Ref, exact: bool) -> Run<MethodId> {
        let key = format!("{exact} {}", wanted.0);
        if let Some(&known) = self.tables.handles.detours.get(&key) {
            return Ok(known);
        }
        let parsed = Descriptor::parse(text)?;
        let mut handle_code = HandleCode::new(self, &parsed.kinds)?;
        retype(&mut handle_code, exact, |handle_code| Ok(handle_code.object(wanted)), parsed.returns)?;
        let method = handle_code.finish(parsed.returns);
        self.tables.handles.detours.insert(key, method);
        Ok(method)
    }

    /// A call through a variable handle as the JDK's code does it: by the method handle of the access.
    pub(super) fn call_var_handle_by_detour(&mut self, site: u32) -> Run<Polymorphic> {
        let call = &self.links.calls[site as usize];
        let name = self.classes.symbols.shared(self.method(call.method).name);
        let text = self.classes.symbols.shared(call.descriptor);
        let from = self.method(self.threads.list[self.turn.thread].top().method).class;
        let wanted = self.method_type(from, &text)?;
        let key = format!("{name} {}", wanted.0);
        if let Some(&known) = self.tables.handles.detours.get(&key) {
            return Ok(Polymorphic::Call(known));
        }
        let Some((kind, mode)) = mode(&name) else {
            return Err(Abrupt::unsupported(format!("VarHandle.{name}")));
        };
        let parsed = Descriptor::parse(&text)?;
        let mut handle_code = HandleCode::new(self, &parsed.kinds)?;
        let class = handle_code.machine.load(Loader::BOOT, "java/lang/invoke/VarHandle$AccessDescriptor")?;
        let access = handle_code.register();
        handle_code.builder.emit(Insn::wide(Op::NewOf, access, class.0));
        let of = handle_code.object(wanted);
        let (kind_register, mode_register) = (handle_code.register(), handle_code.register());
        handle_code.builder.constant(kind_register, kind);
        handle_code.builder.constant(mode_register, mode);
        handle_code.call_java(
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
        let result = call_variable(&mut handle_code, 0, access, false, &parsed.kinds, parsed.returns)?;
        handle_code.leave(result, parsed.returns);
        let method = handle_code.finish(parsed.returns);
        self.tables.handles.detours.insert(key, method);
        Ok(Polymorphic::Call(method))
    }

    /// The object that a constant of a method handle stands for. The JDK's own code makes it, when it is first needed.
    pub(crate) fn method_handle_constant(&mut self, from: ClassId, kind: u8, reference: u16) -> Run<Ref> {
        let place = (from, kind, reference);
        if let Some(&known) = self.tables.handles.constants.get(&place) {
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
        let link = link.ok_or_else(|| Abrupt::unsupported("this JDK's MethodHandleNatives"))?;
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
        Err(Abrupt::Again)
    }
}

fn keep_constant(machine: &mut Machine, registers: Arguments) -> Run<u64> {
    let handle = registers.object(0);
    let place = (ClassId(registers.get(1)), registers.get::<u32>(2) as u8, registers.get::<u32>(3) as u16);
    if machine.tables.handles.constants.insert(place, handle).is_none() {
        machine.tables.roots.push(handle);
    }
    Ok(0)
}

/// Calls the handle in register 0 after a look at its type.
fn retype(
    handle_code: &mut HandleCode,
    exact: bool,
    wanted: impl FnOnce(&mut HandleCode) -> Run<u16>,
    returns: Kind,
) -> Run<()> {
    let wanted = wanted(handle_code)?;
    let arguments = [(0, Kind::Reference), (wanted, Kind::Reference)];
    let handle = check_type(handle_code, exact, &arguments)?;
    handle_code.leave_by(handle, returns)
}

/// The handle, converted to the wanted type, or known to be of it.
pub(super) fn check_type(
    handle_code: &mut HandleCode,
    exact: bool,
    arguments: &[(u16, Kind); 2],
) -> Run<u16> {
    let invokers = "java/lang/invoke/Invokers";
    if exact {
        let check = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)V";
        handle_code.call_java(invokers, "checkExactType", check, arguments)?;
        return Ok(arguments[0].0);
    }
    let check =
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;";
    handle_code.call_java(invokers, "checkGenericType", check, arguments)
}

/// Calls the method handle of an access to a variable: `variable` has the variable handle, `access` what is done.
pub(super) fn call_variable(
    handle_code: &mut HandleCode,
    variable: u16,
    access: u16,
    exact: bool,
    kinds: &[Kind],
    returns: Kind,
) -> Run<u16> {
    let invokers = "java/lang/invoke/Invokers";
    let name = if exact { "checkVarHandleExactType" } else { "checkVarHandleGenericType" };
    let handle = handle_code.call_java(
        invokers,
        name,
        "(Ljava/lang/invoke/VarHandle;Ljava/lang/invoke/VarHandle$AccessDescriptor;)Ljava/lang/invoke/MethodHandle;",
        &[(variable, Kind::Reference), (access, Kind::Reference)],
    )?;
    let target = handle_code.call_java(
        invokers,
        "directVarHandleTarget",
        "(Ljava/lang/invoke/VarHandle;)Ljava/lang/invoke/VarHandle;",
        &[(variable, Kind::Reference)],
    )?;
    let mut arguments = vec![(target, Kind::Reference)];
    let values = handle_code.arguments.len() - kinds.len();
    arguments.extend_from_slice(&handle_code.arguments[values..]);
    handle_code.call_handle(handle, &arguments, returns)
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
