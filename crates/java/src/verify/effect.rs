//! What each instruction demands of a frame, and what it makes of it: §4.10.1.9 of the JVM specification.
//!
//! The same for both ways of verification: they differ in how they know the frame before an instruction, and in what
//! they do with the one after it.

use super::Reason;
use super::body::Body;
use super::constants::{Constants, Method};
use super::frame::Frame;
use super::types::{Name, OBJECT, THROWABLE, Type};
use crate::classfile::instruction::Instruction;
use crate::classfile::opcode::*;

use Type::{Double, Float, Int, Long, Null};

/// Checks an instruction and applies its effect to the frame.
pub(super) fn apply(
    constants: &mut Constants<'_>,
    body: &Body<'_>,
    instruction: &Instruction<'_>,
    frame: &mut Frame,
) -> Result<(), Reason> {
    let opcode = instruction.opcode;
    match opcode {
        NOP | GOTO | GOTO_W => Ok(()),
        ACONST_NULL => frame.push(Null),
        ICONST_M1..=ICONST_5 | BIPUSH | SIPUSH => frame.push(Int),
        LCONST_0 | LCONST_1 => frame.push(Long),
        FCONST_0..=FCONST_2 => frame.push(Float),
        DCONST_0 | DCONST_1 => frame.push(Double),
        LDC | LDC_W | LDC2_W => {
            let index = if opcode == LDC { instruction.u8(1).into() } else { instruction.u16(1) };
            let kind = constants.loadable(index)?;
            if kind.is_wide() != (opcode == LDC2_W) {
                return Err(format!("constant {index} does not have the width that the instruction loads"));
            }
            frame.push(kind)
        }
        ILOAD | ILOAD_0..=ILOAD_3 => load(constants, frame, instruction, Int),
        LLOAD | LLOAD_0..=LLOAD_3 => load(constants, frame, instruction, Long),
        FLOAD | FLOAD_0..=FLOAD_3 => load(constants, frame, instruction, Float),
        DLOAD | DLOAD_0..=DLOAD_3 => load(constants, frame, instruction, Double),
        ALOAD | ALOAD_0..=ALOAD_3 => {
            let kind = frame.local(instruction.local())?;
            if !kind.is_reference() {
                return Err(wrong(constants, "a reference", kind));
            }
            frame.push(kind)
        }
        ISTORE | ISTORE_0..=ISTORE_3 => store(constants, frame, instruction, Int),
        LSTORE | LSTORE_0..=LSTORE_3 => store(constants, frame, instruction, Long),
        FSTORE | FSTORE_0..=FSTORE_3 => store(constants, frame, instruction, Float),
        DSTORE | DSTORE_0..=DSTORE_3 => store(constants, frame, instruction, Double),
        ASTORE | ASTORE_0..=ASTORE_3 => {
            let kind = pop_reference(constants, frame)?;
            frame.store(instruction.local(), kind)
        }
        IALOAD..=SALOAD | IASTORE..=SASTORE => array_access(constants, frame, opcode),
        POP => frame.discard(1),
        POP2 => frame.discard(2),
        DUP => frame.duplicate(1, 0),
        DUP_X1 => frame.duplicate(1, 1),
        DUP_X2 => frame.duplicate(1, 2),
        DUP2 => frame.duplicate(2, 0),
        DUP2_X1 => frame.duplicate(2, 1),
        DUP2_X2 => frame.duplicate(2, 2),
        SWAP => frame.swap(),
        IADD..=D2F | I2B..=DCMPG => arithmetic(constants, frame, instruction),
        IFEQ..=IFLE | TABLESWITCH | LOOKUPSWITCH => pop(constants, frame, Int),
        IF_ICMPEQ..=IF_ICMPLE => {
            pop(constants, frame, Int)?;
            pop(constants, frame, Int)
        }
        IF_ACMPEQ | IF_ACMPNE => {
            pop_reference(constants, frame)?;
            pop_reference(constants, frame).map(|_| ())
        }
        IFNULL | IFNONNULL | MONITORENTER | MONITOREXIT => pop_reference(constants, frame).map(|_| ()),
        IRETURN..=RETURN => leave(constants, body, frame, opcode),
        GETSTATIC | PUTSTATIC | GETFIELD | PUTFIELD => field_access(constants, body, frame, instruction),
        INVOKEVIRTUAL..=INVOKEDYNAMIC => invoke(constants, body, frame, instruction),
        NEW => {
            constants.plain_class(instruction.u16(1))?;
            let object = Type::Uninitialized(instruction.at as u16);
            frame.forget(object)?;
            frame.push(object)
        }
        NEWARRAY => {
            let elements = match instruction.u8(1) {
                4 => "[Z",
                5 => "[C",
                6 => "[F",
                7 => "[D",
                8 => "[B",
                9 => "[S",
                10 => "[I",
                11 => "[J",
                other => return Err(format!("there are no arrays of type {other}")),
            };
            pop(constants, frame, Int)?;
            frame.push(Type::Object(constants.types.name(elements)))
        }
        ANEWARRAY => {
            let element = constants.class(instruction.u16(1))?;
            let array = constants.types.array_of(element)?;
            pop(constants, frame, Int)?;
            frame.push(Type::Object(array))
        }
        MULTIANEWARRAY => {
            let array = constants.class(instruction.u16(1))?;
            let dimensions = usize::from(instruction.u8(3));
            let most = constants.types.text(array).bytes().take_while(|&byte| byte == b'[').count();
            if dimensions == 0 || dimensions > most {
                return Err(format!("an array of {most} dimensions cannot be made with {dimensions}"));
            }
            for _ in 0..dimensions {
                pop(constants, frame, Int)?;
            }
            frame.push(Type::Object(array))
        }
        ARRAYLENGTH => {
            pop_array(constants, frame)?;
            frame.push(Int)
        }
        ATHROW => pop(constants, frame, Type::Object(THROWABLE)),
        CHECKCAST => {
            let class = constants.class(instruction.u16(1))?;
            pop(constants, frame, Type::Object(OBJECT))?;
            frame.push(Type::Object(class))
        }
        INSTANCEOF => {
            constants.class(instruction.u16(1))?;
            pop(constants, frame, Type::Object(OBJECT))?;
            frame.push(Int)
        }
        _ => Err("there is no such instruction".to_string()),
    }
}

fn wrong(constants: &Constants<'_>, wanted: &str, found: Type) -> Reason {
    format!("{wanted} is wanted, but there is {}", constants.types.show(found))
}

/// Takes a value that may be used as one of that type off the stack.
fn pop(constants: &mut Constants<'_>, frame: &mut Frame, wanted: Type) -> Result<(), Reason> {
    let found = frame.pop()?;
    if found == wanted || constants.types.is_assignable(found, wanted)? {
        return Ok(());
    }
    Err(wrong(constants, &constants.types.show(wanted), found))
}

/// Takes any reference off the stack, even one to an object that is not initialised.
fn pop_reference(constants: &Constants<'_>, frame: &mut Frame) -> Result<Type, Reason> {
    match frame.pop()? {
        kind if kind.is_reference() => Ok(kind),
        other => Err(wrong(constants, "a reference", other)),
    }
}

/// Takes an array off the stack; `None` for null.
fn pop_array(constants: &Constants<'_>, frame: &mut Frame) -> Result<Option<Name>, Reason> {
    match frame.pop()? {
        Null => Ok(None),
        Type::Object(name) if constants.types.is_array(name) => Ok(Some(name)),
        other => Err(wrong(constants, "an array", other)),
    }
}

fn load(
    constants: &Constants<'_>,
    frame: &mut Frame,
    instruction: &Instruction<'_>,
    kind: Type,
) -> Result<(), Reason> {
    let index = instruction.local();
    if !frame.holds(index, kind)? {
        let found = frame.local(index)?;
        return Err(format!(
            "{} is wanted, but local variable {index} holds {}",
            constants.types.show(kind),
            constants.types.show(found)
        ));
    }
    frame.push(kind)
}

fn store(
    constants: &mut Constants<'_>,
    frame: &mut Frame,
    instruction: &Instruction<'_>,
    kind: Type,
) -> Result<(), Reason> {
    pop(constants, frame, kind)?;
    frame.store(instruction.local(), kind)
}

fn array_access(constants: &mut Constants<'_>, frame: &mut Frame, opcode: u8) -> Result<(), Reason> {
    let loads = opcode <= SALOAD;
    let (kind, arrays): (Type, &[&str]) = match if loads { opcode } else { opcode - IASTORE + IALOAD } {
        IALOAD => (Int, &["[I"]),
        LALOAD => (Long, &["[J"]),
        FALOAD => (Float, &["[F"]),
        DALOAD => (Double, &["[D"]),
        AALOAD => (Type::Object(OBJECT), &[]),
        BALOAD => (Int, &["[B", "[Z"]),
        CALOAD => (Int, &["[C"]),
        _ => (Int, &["[S"]),
    };
    if !loads {
        // The machine checks when it runs whether an object fits the array.
        pop(constants, frame, kind)?;
    }
    pop(constants, frame, Int)?;
    let objects = arrays.is_empty();
    let Some(array) = pop_array(constants, frame)? else {
        // What is read from null is never seen.
        return match loads {
            true => frame.push(if objects { Null } else { kind }),
            false => Ok(()),
        };
    };
    let text = constants.types.text(array);
    let fits = match objects {
        true => matches!(text.as_bytes()[1], b'L' | b'['),
        false => arrays.contains(&&**text),
    };
    if !fits {
        return Err(format!("the instruction does not access arrays such as {text}"));
    }
    match loads {
        true if objects => {
            let element = constants.types.element_of(array)?;
            frame.push(element)
        }
        true => frame.push(kind),
        false => Ok(()),
    }
}

/// Instructions on numbers. In the arithmetic ones int, long, float and double follow each other.
fn arithmetic(
    constants: &mut Constants<'_>,
    frame: &mut Frame,
    instruction: &Instruction<'_>,
) -> Result<(), Reason> {
    const FOUR: [Type; 4] = [Int, Long, Float, Double];
    let opcode = instruction.opcode;
    let (operands, result): ([Option<Type>; 2], Type) = match opcode {
        IADD..=DREM => {
            let kind = FOUR[usize::from(opcode - IADD) % 4];
            ([Some(kind), Some(kind)], kind)
        }
        INEG..=DNEG => {
            let kind = FOUR[usize::from(opcode - INEG)];
            ([Some(kind), None], kind)
        }
        ISHL..=LUSHR => {
            let kind = FOUR[usize::from(opcode - ISHL) % 2];
            ([Some(Int), Some(kind)], kind)
        }
        IAND..=LXOR => {
            let kind = FOUR[usize::from(opcode - IAND) % 2];
            ([Some(kind), Some(kind)], kind)
        }
        IINC => {
            return match frame.local(instruction.local())? {
                Int => Ok(()),
                other => Err(wrong(constants, "int", other)),
            };
        }
        I2L => ([Some(Int), None], Long),
        I2F => ([Some(Int), None], Float),
        I2D => ([Some(Int), None], Double),
        L2I => ([Some(Long), None], Int),
        L2F => ([Some(Long), None], Float),
        L2D => ([Some(Long), None], Double),
        F2I => ([Some(Float), None], Int),
        F2L => ([Some(Float), None], Long),
        F2D => ([Some(Float), None], Double),
        D2I => ([Some(Double), None], Int),
        D2L => ([Some(Double), None], Long),
        D2F => ([Some(Double), None], Float),
        LCMP => ([Some(Long), Some(Long)], Int),
        FCMPL | FCMPG => ([Some(Float), Some(Float)], Int),
        DCMPL | DCMPG => ([Some(Double), Some(Double)], Int),
        // From int to the smaller ones.
        _ => ([Some(Int), None], Int),
    };
    for operand in operands.into_iter().flatten() {
        pop(constants, frame, operand)?;
    }
    frame.push(result)
}

fn leave(
    constants: &mut Constants<'_>,
    body: &Body<'_>,
    frame: &mut Frame,
    opcode: u8,
) -> Result<(), Reason> {
    match (opcode, body.result) {
        (IRETURN, Some(Int)) | (LRETURN, Some(Long)) | (FRETURN, Some(Float)) => {}
        (DRETURN, Some(Double)) | (ARETURN, Some(Type::Object(_))) | (RETURN, None) => {}
        _ => return Err("the method returns something else".to_string()),
    }
    if frame.this_uninitialised {
        return Err("the constructor returns before it has called another one".to_string());
    }
    match body.result {
        Some(result) => pop(constants, frame, result),
        None => Ok(()),
    }
}

fn field_access(
    constants: &mut Constants<'_>,
    body: &Body<'_>,
    frame: &mut Frame,
    instruction: &Instruction<'_>,
) -> Result<(), Reason> {
    let field = constants.field(instruction.u16(1))?;
    let receiver = Type::Object(field.class);
    match instruction.opcode {
        GETSTATIC => frame.push(field.kind),
        PUTSTATIC => pop(constants, frame, field.kind),
        GETFIELD => {
            pop(constants, frame, receiver)?;
            frame.push(field.kind)
        }
        _ => {
            pop(constants, frame, field.kind)?;
            // A constructor may set fields of its own class before it calls another one.
            let early = frame.stack.last() == Some(&Type::UninitializedThis);
            if early && body.constructor && constants.declares(&field) {
                return frame.pop().map(|_| ());
            }
            pop(constants, frame, receiver)
        }
    }
}

fn invoke(
    constants: &mut Constants<'_>,
    body: &Body<'_>,
    frame: &mut Frame,
    instruction: &Instruction<'_>,
) -> Result<(), Reason> {
    let opcode = instruction.opcode;
    let index = instruction.u16(1);
    let method = match opcode {
        INVOKEDYNAMIC => constants.call_site(index)?,
        _ => constants.method(index)?,
    };
    let constructs = opcode == INVOKESPECIAL && method.name == "<init>";
    if method.name.starts_with('<') && !constructs {
        return Err(format!("{} cannot be called by this instruction", method.name));
    }
    let of_interface = match opcode {
        INVOKEVIRTUAL => Some(false),
        INVOKEINTERFACE => Some(true),
        _ => None,
    };
    if of_interface.is_some_and(|wanted| wanted != method.of_interface) {
        let found = if method.of_interface { "an interface" } else { "a class" };
        return Err(format!("the instruction cannot call a method of {found}"));
    }
    let zero = match opcode {
        INVOKEINTERFACE => {
            if usize::from(instruction.u8(3)) != method.signature.slots + 1 {
                return Err("the instruction miscounts the slots of its arguments".to_string());
            }
            instruction.u8(4).into()
        }
        INVOKEDYNAMIC => instruction.u16(3),
        _ => 0,
    };
    if zero != 0 {
        return Err("the last bytes of the instruction are not zero".to_string());
    }
    if opcode != INVOKESTATIC && opcode != INVOKEDYNAMIC && method.signature.slots + 1 > 255 {
        return Err("the method takes too many arguments".to_string());
    }
    for &parameter in method.signature.parameters.iter().rev() {
        pop(constants, frame, parameter)?;
    }
    match opcode {
        INVOKESPECIAL if constructs => return construct(constants, body, frame, &method),
        INVOKESPECIAL => special(constants, frame, &method)?,
        INVOKEVIRTUAL | INVOKEINTERFACE => pop(constants, frame, Type::Object(method.class))?,
        _ => {}
    }
    match method.signature.result {
        Some(result) => frame.push(result),
        None => Ok(()),
    }
}

/// The call of a constructor makes an object usable.
fn construct(
    constants: &mut Constants<'_>,
    body: &Body<'_>,
    frame: &mut Frame,
    method: &Method<'_>,
) -> Result<(), Reason> {
    if method.signature.result.is_some() {
        return Err("constructors return nothing".to_string());
    }
    let object = frame.pop()?;
    let class = match object {
        Type::UninitializedThis => {
            let of_superclass = match constants.class.super_class {
                0 => false,
                index => constants.plain_class(index)? == method.class,
            };
            if method.class != constants.this && !of_superclass {
                return Err(
                    "the constructor called is neither of this class nor of its superclass".to_string()
                );
            }
            constants.this
        }
        Type::Uninitialized(at) => {
            // Only a `new` makes this type, so that there is one.
            let made = Instruction::decode(body.code, at.into()).map_err(str::to_string)?;
            let class = constants.plain_class(made.u16(1))?;
            if class != method.class {
                return Err("the constructor called is of another class than the object".to_string());
            }
            class
        }
        other => return Err(wrong(constants, "an uninitialised object", other)),
    };
    frame.initialise(object, class);
    Ok(())
}

/// Calls of methods of this class and its superclasses that are not overridden.
fn special(constants: &mut Constants<'_>, frame: &mut Frame, method: &Method<'_>) -> Result<(), Reason> {
    if !constants.is_near(method.class)? {
        let class = constants.types.text(method.class);
        return Err(format!("{class} is neither this class nor a superclass nor a direct superinterface"));
    }
    pop(constants, frame, Type::Object(constants.this))
}
