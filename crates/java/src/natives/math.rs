//! Mathematics.

use crate::machine::native::{Table, leaf};
use crate::machine::{Arguments, Bits, Machine, Run};

macro_rules! unary {
    ($function:expr) => {
        leaf(|_, arguments| {
            let function: fn(f64) -> f64 = $function;
            Ok(function(arguments.get(0)).bits())
        })
    };
}

macro_rules! binary {
    ($function:expr) => {
        leaf(|_, arguments| {
            let function: fn(f64, f64) -> f64 = $function;
            Ok(function(arguments.get(0), arguments.get(2)).bits())
        })
    };
}

pub const TABLES: &[Table] = &[Table {
    class: "java/lang/StrictMath",
    methods: &[
        ("sin(D)D", unary!(f64::sin)),
        ("cos(D)D", unary!(f64::cos)),
        ("tan(D)D", unary!(f64::tan)),
        ("asin(D)D", unary!(f64::asin)),
        ("acos(D)D", unary!(f64::acos)),
        ("atan(D)D", unary!(f64::atan)),
        ("log(D)D", unary!(f64::ln)),
        ("log10(D)D", unary!(f64::log10)),
        ("sqrt(D)D", unary!(f64::sqrt)),
        ("IEEEremainder(DD)D", leaf(ieee_remainder)),
        ("atan2(DD)D", binary!(f64::atan2)),
        ("sinh(D)D", unary!(f64::sinh)),
        ("cosh(D)D", unary!(f64::cosh)),
        ("tanh(D)D", unary!(f64::tanh)),
        ("expm1(D)D", unary!(f64::exp_m1)),
        ("log1p(D)D", unary!(f64::ln_1p)),
    ],
}];

fn ieee_remainder(_: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (x, y): (f64, f64) = (arguments.get(0), arguments.get(2));
    if !x.is_finite() || y == 0.0 || y.is_nan() {
        return Ok(f64::NAN.bits());
    }
    if y.is_infinite() {
        return Ok(x.bits());
    }
    // The remainder of twice the size, brought to the nearest.
    let (size, half) = (y.abs(), y.abs() / 2.0);
    let mut remainder = x.abs() % (size * 2.0);
    if !(size * 2.0).is_finite() {
        remainder = x.abs();
    }
    if remainder > half {
        remainder -= size;
        if remainder >= half {
            remainder -= size;
        }
    }
    Ok(if x.is_sign_negative() { -remainder } else { remainder }.bits())
}
