//! The instructions that only look at registers: arithmetic, comparisons, conversions, and jumps that compare.
//!
//! All arms of a `match` must stand in one place, and a second `match` would cost each of these instructions another jump. So
//! [`match_with_arithmetic`] adds their arms to those of the loop. It uses the macros `get`, `set`, `throw` and `jump` of the loop.

macro_rules! binary {
    ($insn:ident, $type:ty, $left:ident, $right:ident, $value:expr) => {{
        let ($left, $right) = (get!($type, $insn.b), get!($type, $insn.c));
        set!($insn.a, $value);
    }};
}
macro_rules! shift {
    ($insn:ident, $type:ty, $left:ident, $right:ident, $value:expr) => {{
        let ($left, $right) = (get!($type, $insn.b), get!(i32, $insn.c) as u32);
        set!($insn.a, $value);
    }};
}
macro_rules! unary {
    ($insn:ident, $type:ty, $value:ident, $result:expr) => {{
        let $value = get!($type, $insn.b);
        set!($insn.a, $result);
    }};
}
macro_rules! immediate {
    ($insn:ident, $value:ident, $constant:ident, $result:expr) => {{
        let ($value, $constant) = (get!(i32, $insn.b), i32::from($insn.c as i16));
        set!($insn.a, $result);
    }};
}
macro_rules! jump_if {
    ($condition:expr, $target:expr) => {
        if $condition {
            jump!($target);
        }
    };
}

/// A `match` over the operation of an instruction: the arms of this file, and those that are given.
macro_rules! match_with_arithmetic {
    (match $insn:ident.op { $($arms:tt)* }) => {
        match $insn.op {
            Op::IAdd => binary!($insn, i32, left, right, left.wrapping_add(right)),
            Op::ISub => binary!($insn, i32, left, right, left.wrapping_sub(right)),
            Op::IMul => binary!($insn, i32, left, right, left.wrapping_mul(right)),
            Op::IAnd => binary!($insn, i32, left, right, left & right),
            Op::IOr => binary!($insn, i32, left, right, left | right),
            Op::IXor => binary!($insn, i32, left, right, left ^ right),
            Op::IDiv => {
                if get!(i32, $insn.c) == 0 {
                    throw!(Abrupt::raise("java/lang/ArithmeticException", "/ by zero"));
                }
                binary!($insn, i32, left, right, left.wrapping_div(right));
            }
            Op::IRem => {
                if get!(i32, $insn.c) == 0 {
                    throw!(Abrupt::raise("java/lang/ArithmeticException", "/ by zero"));
                }
                binary!($insn, i32, left, right, left.wrapping_rem(right));
            }
            Op::IShl => shift!($insn, i32, left, right, left.wrapping_shl(right)),
            Op::IShr => shift!($insn, i32, left, right, left.wrapping_shr(right)),
            Op::IUshr => shift!($insn, u32, left, right, left.wrapping_shr(right)),
            Op::INeg => unary!($insn, i32, value, value.wrapping_neg()),
            Op::LAdd => binary!($insn, i64, left, right, left.wrapping_add(right)),
            Op::LSub => binary!($insn, i64, left, right, left.wrapping_sub(right)),
            Op::LMul => binary!($insn, i64, left, right, left.wrapping_mul(right)),
            Op::LAnd => binary!($insn, i64, left, right, left & right),
            Op::LOr => binary!($insn, i64, left, right, left | right),
            Op::LXor => binary!($insn, i64, left, right, left ^ right),
            Op::LDiv => {
                if get!(i64, $insn.c) == 0 {
                    throw!(Abrupt::raise("java/lang/ArithmeticException", "/ by zero"));
                }
                binary!($insn, i64, left, right, left.wrapping_div(right));
            }
            Op::LRem => {
                if get!(i64, $insn.c) == 0 {
                    throw!(Abrupt::raise("java/lang/ArithmeticException", "/ by zero"));
                }
                binary!($insn, i64, left, right, left.wrapping_rem(right));
            }
            Op::LShl => shift!($insn, i64, left, right, left.wrapping_shl(right)),
            Op::LShr => shift!($insn, i64, left, right, left.wrapping_shr(right)),
            Op::LUshr => shift!($insn, u64, left, right, left.wrapping_shr(right)),
            Op::LNeg => unary!($insn, i64, value, value.wrapping_neg()),
            Op::FAdd => binary!($insn, f32, left, right, left + right),
            Op::FSub => binary!($insn, f32, left, right, left - right),
            Op::FMul => binary!($insn, f32, left, right, left * right),
            Op::FDiv => binary!($insn, f32, left, right, left / right),
            Op::FRem => binary!($insn, f32, left, right, left % right),
            Op::FNeg => unary!($insn, f32, value, -value),
            Op::DAdd => binary!($insn, f64, left, right, left + right),
            Op::DSub => binary!($insn, f64, left, right, left - right),
            Op::DMul => binary!($insn, f64, left, right, left * right),
            Op::DDiv => binary!($insn, f64, left, right, left / right),
            Op::DRem => binary!($insn, f64, left, right, left % right),
            Op::DNeg => unary!($insn, f64, value, -value),
            Op::IAddImm => immediate!($insn, value, constant, value.wrapping_add(constant)),
            Op::IMulImm => immediate!($insn, value, constant, value.wrapping_mul(constant)),
            Op::IAndImm => immediate!($insn, value, constant, value & constant),
            Op::IShlImm => immediate!($insn, value, constant, value.wrapping_shl(constant as u32)),
            Op::IShrImm => immediate!($insn, value, constant, value.wrapping_shr(constant as u32)),
            Op::IUshrImm => {
                immediate!($insn, value, constant, (value as u32).wrapping_shr(constant as u32));
            }
            Op::LCmp => binary!($insn, i64, left, right, left.cmp(&right) as i32),
            Op::FCmpL => {
                binary!(
                    $insn,
                    f32,
                    left,
                    right,
                    left.partial_cmp(&right).map_or(-1, |order| order as i32)
                );
            }
            Op::FCmpG => {
                binary!($insn, f32, left, right, left.partial_cmp(&right).map_or(1, |order| order as i32));
            }
            Op::DCmpL => {
                binary!(
                    $insn,
                    f64,
                    left,
                    right,
                    left.partial_cmp(&right).map_or(-1, |order| order as i32)
                );
            }
            Op::DCmpG => {
                binary!($insn, f64, left, right, left.partial_cmp(&right).map_or(1, |order| order as i32));
            }
            Op::I2L => unary!($insn, i32, value, value as i64),
            Op::I2F => unary!($insn, i32, value, value as f32),
            Op::I2D => unary!($insn, i32, value, value as f64),
            Op::L2I => unary!($insn, i64, value, value as i32),
            Op::L2F => unary!($insn, i64, value, value as f32),
            Op::L2D => unary!($insn, i64, value, value as f64),
            Op::F2I => unary!($insn, f32, value, value as i32),
            Op::F2L => unary!($insn, f32, value, value as i64),
            Op::F2D => unary!($insn, f32, value, value as f64),
            Op::D2I => unary!($insn, f64, value, value as i32),
            Op::D2L => unary!($insn, f64, value, value as i64),
            Op::D2F => unary!($insn, f64, value, value as f32),
            Op::I2B => unary!($insn, i32, value, i32::from(value as i8)),
            Op::I2C => unary!($insn, i32, value, i32::from(value as u16)),
            Op::I2S => unary!($insn, i32, value, i32::from(value as i16)),

            Op::IfEq => jump_if!(get!(i32, $insn.a) == 0, $insn.operand()),
            Op::IfNe => jump_if!(get!(i32, $insn.a) != 0, $insn.operand()),
            Op::IfLt => jump_if!(get!(i32, $insn.a) < 0, $insn.operand()),
            Op::IfGe => jump_if!(get!(i32, $insn.a) >= 0, $insn.operand()),
            Op::IfGt => jump_if!(get!(i32, $insn.a) > 0, $insn.operand()),
            Op::IfLe => jump_if!(get!(i32, $insn.a) <= 0, $insn.operand()),
            Op::IfIEq => jump_if!(get!(i32, $insn.a) == get!(i32, $insn.b), $insn.c),
            Op::IfINe => jump_if!(get!(i32, $insn.a) != get!(i32, $insn.b), $insn.c),
            Op::IfILt => jump_if!(get!(i32, $insn.a) < get!(i32, $insn.b), $insn.c),
            Op::IfIGe => jump_if!(get!(i32, $insn.a) >= get!(i32, $insn.b), $insn.c),
            Op::IfIGt => jump_if!(get!(i32, $insn.a) > get!(i32, $insn.b), $insn.c),
            Op::IfILe => jump_if!(get!(i32, $insn.a) <= get!(i32, $insn.b), $insn.c),
            Op::IfIImmEq => jump_if!(get!(i32, $insn.a) == i32::from($insn.b as i16), $insn.c),
            Op::IfIImmNe => jump_if!(get!(i32, $insn.a) != i32::from($insn.b as i16), $insn.c),
            Op::IfIImmLt => jump_if!(get!(i32, $insn.a) < i32::from($insn.b as i16), $insn.c),
            Op::IfIImmGe => jump_if!(get!(i32, $insn.a) >= i32::from($insn.b as i16), $insn.c),
            Op::IfIImmGt => jump_if!(get!(i32, $insn.a) > i32::from($insn.b as i16), $insn.c),
            Op::IfIImmLe => jump_if!(get!(i32, $insn.a) <= i32::from($insn.b as i16), $insn.c),
            Op::IfLEq => jump_if!(get!(i64, $insn.a) == get!(i64, $insn.b), $insn.c),
            Op::IfLNe => jump_if!(get!(i64, $insn.a) != get!(i64, $insn.b), $insn.c),
            Op::IfLLt => jump_if!(get!(i64, $insn.a) < get!(i64, $insn.b), $insn.c),
            Op::IfLGe => jump_if!(get!(i64, $insn.a) >= get!(i64, $insn.b), $insn.c),
            Op::IfLGt => jump_if!(get!(i64, $insn.a) > get!(i64, $insn.b), $insn.c),
            Op::IfLLe => jump_if!(get!(i64, $insn.a) <= get!(i64, $insn.b), $insn.c),
            Op::IfSame => jump_if!(get!(Ref, $insn.a) == get!(Ref, $insn.b), $insn.c),
            Op::IfNotSame => jump_if!(get!(Ref, $insn.a) != get!(Ref, $insn.b), $insn.c),
            Op::IfNull => jump_if!(get!(Ref, $insn.a).is_null(), $insn.operand()),
            Op::IfNonNull => jump_if!(!get!(Ref, $insn.a).is_null(), $insn.operand()),
            $($arms)*
        }
    };
}

pub(super) use {binary, immediate, jump_if, match_with_arithmetic, shift, unary};
