//! Instructions.

/// What an instruction does with one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is no register, or one that needs a closer look.
    None,
    /// It is given a value that is no reference.
    Define,
    /// It is given a reference.
    DefineRef,
    /// It is read, and is no reference.
    Use,
    /// It is read, and is a reference.
    UseRef,
}

/// An instruction: what to do, and three numbers that are registers, constants or targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Insn {
    /// What to do.
    pub op: Op,
    /// The first operand, mostly the register of the result.
    pub a: u16,
    /// The second operand.
    pub b: u16,
    /// The third operand.
    pub c: u16,
}

impl Insn {
    /// An instruction with three operands.
    pub fn new(op: Op, a: u16, b: u16, c: u16) -> Insn {
        Insn { op, a, b, c }
    }

    /// An instruction with one operand and a wide one.
    pub fn wide(op: Op, a: u16, wide: u32) -> Insn {
        Insn { op, a, b: wide as u16, c: (wide >> 16) as u16 }
    }

    /// The jump, going to an instruction. `None` if it lies too far for a jump that compares two registers.
    pub fn aimed_at(self, target: u32) -> Option<Insn> {
        match self.op {
            Op::IfEq
            | Op::IfNe
            | Op::IfLt
            | Op::IfGe
            | Op::IfGt
            | Op::IfLe
            | Op::IfNull
            | Op::IfNonNull
            | Op::Goto => Some(Insn::wide(self.op, self.a, target)),
            _ => u16::try_from(target).ok().map(|c| Insn { c, ..self }),
        }
    }

    /// The operands `b` and `c` as one number.
    #[inline(always)]
    pub fn operand(self) -> u32 {
        u32::from(self.b) | u32::from(self.c) << 16
    }
}

macro_rules! ops {
    ($($name:ident $roles:literal $doc:literal;)*) => {
        /// What an instruction does. The letters `a`, `b`, `c` are its operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Op {
            $(#[doc = $doc] $name,)*
        }

        impl Op {
            /// All of them.
            pub const ALL: &[Op] = &[$(Op::$name,)*];

            fn letters(self) -> &'static [u8; 3] {
                match self {
                    $(Op::$name => $roles,)*
                }
            }
        }
    };
}

impl Op {
    /// What it does with its operands. Those of calls and of instructions that are not resolved yet depend on a
    /// descriptor and are not told here.
    pub fn roles(self) -> [Role; 3] {
        self.letters().map(|letter| match letter {
            b'd' => Role::Define,
            b'D' => Role::DefineRef,
            b'u' => Role::Use,
            b'U' => Role::UseRef,
            _ => Role::None,
        })
    }
}

ops! {
    Move b"du-" "`a = b`, of whatever kind.";
    ConstInt b"d--" "`a =` the 32 bits of `b` and `c`.";
    ConstNull b"D--" "`a = null`.";
    ConstWide b"d--" "`a =` a constant of 64 bits.";
    ConstRef b"D--" "`a =` an object that is always there, its reference in `b` and `c`.";
    Load b"D--" "`a =` the object that constant `b` stands for: a string, class, method handle or method type, or a dynamic constant.";
    LoadDynamic b"d--" "`a =` a dynamic constant `b` that is no object.";
    IAdd b"duu" "Arithmetic of int.";
    ISub b"duu" "Arithmetic of int.";
    IMul b"duu" "Arithmetic of int.";
    IDiv b"duu" "Arithmetic of int.";
    IRem b"duu" "Arithmetic of int.";
    IAnd b"duu" "Arithmetic of int.";
    IOr b"duu" "Arithmetic of int.";
    IXor b"duu" "Arithmetic of int.";
    IShl b"duu" "Arithmetic of int.";
    IShr b"duu" "Arithmetic of int.";
    IUshr b"duu" "Arithmetic of int.";
    INeg b"du-" "Negation.";
    LAdd b"duu" "Arithmetic of long.";
    LSub b"duu" "Arithmetic of long.";
    LMul b"duu" "Arithmetic of long.";
    LDiv b"duu" "Arithmetic of long.";
    LRem b"duu" "Arithmetic of long.";
    LAnd b"duu" "Arithmetic of long.";
    LOr b"duu" "Arithmetic of long.";
    LXor b"duu" "Arithmetic of long.";
    LShl b"duu" "Arithmetic of long.";
    LShr b"duu" "Arithmetic of long.";
    LUshr b"duu" "Arithmetic of long.";
    LNeg b"du-" "Negation.";
    FAdd b"duu" "Arithmetic of float.";
    FSub b"duu" "Arithmetic of float.";
    FMul b"duu" "Arithmetic of float.";
    FDiv b"duu" "Arithmetic of float.";
    FRem b"duu" "Arithmetic of float.";
    FNeg b"du-" "Negation.";
    DAdd b"duu" "Arithmetic of double.";
    DSub b"duu" "Arithmetic of double.";
    DMul b"duu" "Arithmetic of double.";
    DDiv b"duu" "Arithmetic of double.";
    DRem b"duu" "Arithmetic of double.";
    DNeg b"du-" "Negation.";
    IAddImm b"du-" "`a = b + c` with a small constant.";
    IAndImm b"du-" "The same with a small constant in `c`.";
    IShlImm b"du-" "The same with a small constant in `c`.";
    IShrImm b"du-" "The same with a small constant in `c`.";
    IUshrImm b"du-" "The same with a small constant in `c`.";
    IMulImm b"du-" "The same with a small constant in `c`.";
    LCmp b"duu" "Comparison into -1, 0, 1.";
    FCmpL b"duu" "Comparison into -1, 0, 1.";
    FCmpG b"duu" "Comparison into -1, 0, 1.";
    DCmpL b"duu" "Comparison into -1, 0, 1.";
    DCmpG b"duu" "Comparison into -1, 0, 1.";
    I2L b"du-" "Conversion.";
    I2F b"du-" "Conversion.";
    I2D b"du-" "Conversion.";
    L2I b"du-" "Conversion.";
    L2F b"du-" "Conversion.";
    L2D b"du-" "Conversion.";
    F2I b"du-" "Conversion.";
    F2L b"du-" "Conversion.";
    F2D b"du-" "Conversion.";
    D2I b"du-" "Conversion.";
    D2L b"du-" "Conversion.";
    D2F b"du-" "Conversion.";
    I2B b"du-" "Conversion.";
    I2C b"du-" "Conversion.";
    I2S b"du-" "Conversion.";
    IfEq b"u--" "Goes to `b`, `c` if `a` compares so with zero.";
    IfNe b"u--" "Goes to `b`, `c` if `a` compares so with zero.";
    IfLt b"u--" "Goes to `b`, `c` if `a` compares so with zero.";
    IfGe b"u--" "Goes to `b`, `c` if `a` compares so with zero.";
    IfGt b"u--" "Goes to `b`, `c` if `a` compares so with zero.";
    IfLe b"u--" "Goes to `b`, `c` if `a` compares so with zero.";
    IfIEq b"uu-" "Goes to `c` if the ints `a` and `b` compare so.";
    IfINe b"uu-" "Goes to `c` if the ints `a` and `b` compare so.";
    IfILt b"uu-" "Goes to `c` if the ints `a` and `b` compare so.";
    IfIGe b"uu-" "Goes to `c` if the ints `a` and `b` compare so.";
    IfIGt b"uu-" "Goes to `c` if the ints `a` and `b` compare so.";
    IfILe b"uu-" "Goes to `c` if the ints `a` and `b` compare so.";
    IfIImmEq b"u--" "Goes to `c` if the int `a` compares so with the constant `b`.";
    IfIImmNe b"u--" "Goes to `c` if the int `a` compares so with the constant `b`.";
    IfIImmLt b"u--" "Goes to `c` if the int `a` compares so with the constant `b`.";
    IfIImmGe b"u--" "Goes to `c` if the int `a` compares so with the constant `b`.";
    IfIImmGt b"u--" "Goes to `c` if the int `a` compares so with the constant `b`.";
    IfIImmLe b"u--" "Goes to `c` if the int `a` compares so with the constant `b`.";
    IfLEq b"uu-" "Goes to `c` if the longs `a` and `b` compare so.";
    IfLNe b"uu-" "Goes to `c` if the longs `a` and `b` compare so.";
    IfLLt b"uu-" "Goes to `c` if the longs `a` and `b` compare so.";
    IfLGe b"uu-" "Goes to `c` if the longs `a` and `b` compare so.";
    IfLGt b"uu-" "Goes to `c` if the longs `a` and `b` compare so.";
    IfLLe b"uu-" "Goes to `c` if the longs `a` and `b` compare so.";
    IfSame b"UU-" "Goes to `c` if `a` and `b` are the same object.";
    IfNotSame b"UU-" "Goes to `c` if `a` and `b` are not the same object.";
    IfNull b"U--" "Goes to `b`, `c` if `a` is null.";
    IfNonNull b"U--" "Goes to `b`, `c` if `a` is not null.";
    Goto b"---" "Goes to `b`, `c`.";
    Switch b"u--" "Goes where switch `b`, `c` says for `a`.";
    Return b"---" "Leaves the method.";
    ReturnValue b"u--" "Leaves the method.";
    ReturnRef b"U--" "Leaves the method.";
    Throw b"U--" "Throws `a`.";
    GetField b"*U-" "`a =` field `c` (an index in the constant pool) of `b`; not resolved yet.";
    PutField b"U-*" "Field `b` of `a` `= c`; not resolved yet.";
    GetU8 b"dU-" "`a =` the field at offset `c` of `b`.";
    GetI8 b"dU-" "`a =` the field at offset `c` of `b`.";
    GetU16 b"dU-" "`a =` the field at offset `c` of `b`.";
    GetI16 b"dU-" "`a =` the field at offset `c` of `b`.";
    Get32 b"dU-" "`a =` the field at offset `c` of `b`.";
    Get64 b"dU-" "`a =` the field at offset `c` of `b`.";
    GetRef b"DU-" "`a =` the field at offset `c` of `b`.";
    Put8 b"U-u" "The field at offset `b` of `a` `= c`.";
    Put16 b"U-u" "The field at offset `b` of `a` `= c`.";
    Put32 b"U-u" "The field at offset `b` of `a` `= c`.";
    Put64 b"U-u" "The field at offset `b` of `a` `= c`.";
    PutRef b"U-U" "The field at offset `b` of `a` `= c`.";
    GetStatic b"*--" "`a =` static field `b` (an index in the constant pool); not resolved yet.";
    PutStatic b"*--" "Static field `b` `= a`; not resolved yet.";
    GetStaticU8 b"d--" "`a =` the static field of site `b`, `c`.";
    GetStaticI8 b"d--" "`a =` the static field of site `b`, `c`.";
    GetStaticU16 b"d--" "`a =` the static field of site `b`, `c`.";
    GetStaticI16 b"d--" "`a =` the static field of site `b`, `c`.";
    GetStatic32 b"d--" "`a =` the static field of site `b`, `c`.";
    GetStatic64 b"d--" "`a =` the static field of site `b`, `c`.";
    GetStaticRef b"D--" "`a =` the static field of site `b`, `c`.";
    PutStatic8 b"u--" "The static field of site `b`, `c` `= a`.";
    PutStatic16 b"u--" "The static field of site `b`, `c` `= a`.";
    PutStatic32 b"u--" "The static field of site `b`, `c` `= a`.";
    PutStatic64 b"u--" "The static field of site `b`, `c` `= a`.";
    PutStaticRef b"U--" "The static field of site `b`, `c` `= a`.";
    LoadI8 b"dUu" "`a = b[c]`.";
    LoadU16 b"dUu" "`a = b[c]`.";
    LoadI16 b"dUu" "`a = b[c]`.";
    Load32 b"dUu" "`a = b[c]`.";
    Load64 b"dUu" "`a = b[c]`.";
    LoadRef b"DUu" "`a = b[c]`.";
    Store8 b"Uuu" "`a[b] = c`.";
    Store16 b"Uuu" "`a[b] = c`.";
    Store32 b"Uuu" "`a[b] = c`.";
    Store64 b"Uuu" "`a[b] = c`.";
    StoreRef b"UuU" "`a[b] = c`.";
    ArrayLength b"dU-" "`a =` the length of `b`.";
    New b"D--" "`a =` a new object of class constant `b`; not resolved yet.";
    NewOf b"D--" "`a =` a new object of class `b`, `c`.";
    NewPrimitives b"Du-" "`a =` a new array of `b` values of the primitive kind `c`.";
    NewArray b"Du-" "`a =` a new array of `b` references to class constant `c`; not resolved yet.";
    NewArrayOf b"Du-" "`a =` a new array of class `c` with `b` elements.";
    NewArrays b"*--" "`a =` a new array of arrays of class constant `b` with `c` lengths given, in the registers from `a` on.";
    CheckCast b"U--" "Throws if `a` is no null or instance of class constant `b`; not resolved yet.";
    CheckCastOf b"U--" "Throws if `a` is no null or instance of class `b`, `c`.";
    InstanceOf b"dU-" "`a =` whether `b` is an instance of class constant `c`; not resolved yet.";
    InstanceOfClass b"dU-" "`a =` whether `b` is an instance of class `c`.";
    MonitorEnter b"U--" "Takes the monitor of `a`.";
    MonitorExit b"U--" "Gives back the monitor of `a`.";
    InvokeVirtual b"*--" "Calls what constant `b` names with the arguments from register `a` on; not resolved yet.";
    InvokeSpecial b"*--" "Calls what constant `b` names with the arguments from register `a` on; not resolved yet.";
    InvokeStatic b"*--" "Calls what constant `b` names with the arguments from register `a` on; not resolved yet.";
    InvokeInterface b"*--" "Calls what constant `b` names with the arguments from register `a` on; not resolved yet.";
    InvokeDynamic b"*--" "Calls what constant `b` names with the arguments from register `a` on; not resolved yet.";
    CallDirect b"*--" "Calls the method of site `b`, `c` on `a`, which must not be null.";
    CallStatic b"*--" "Calls the static method of site `b`, `c`, once its class is initialised.";
    CallVirtual b"*--" "Calls what site `b`, `c` means for the class of `a`.";
    CallInterface b"*--" "Calls what site `b`, `c` means for the class of `a`.";
    CallPolymorphic b"*--" "Calls a method with the type of its call: `invokeExact` and its like.";
    Native b"*--" "Calls the native method that this is the code of, and leaves it with the result.";
    Hook b"*--" "Calls function `b`, `c` of the machine; it needs the references in the registers up to `a`.";
}
