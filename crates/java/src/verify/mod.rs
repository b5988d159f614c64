//! The bytecode verifier: what lets the machine run untrusted class files.
//!
//! The interpreter keeps values in slots without tags and fields at offsets. It relies on what is checked here, before a class is used.
//! Every slot that an instruction reads holds a value of the type that the instruction expects. Stacks and local variables stay within
//! their bounds. Control stays within the code and at the beginnings of instructions. Objects are what their types say.
//!
//! This follows §4.10 of the JVM specification, in both its ways: by type checking against declared frames (`declared`, class files since
//! version 50), and by type inference (`inferred`, older ones). As the specification has it, the machine checks the rest: whether a named
//! class, field or method exists and may be accessed, and casts. It also checks whether an object implements the interface that is called
//! on it (any object may be used as an interface), and whether it fits the array that it is stored to. One rule is not checked at all,
//! because it is a matter of access and not of safety: that protected members of a superclass in another package are used on objects of
//! this class only.

mod body;
mod constants;
mod declared;
mod effect;
mod frame;
mod inferred;
mod layout;
mod types;

use crate::classfile::subroutines::{self, NEWEST_WITH_SUBROUTINES, Refused};
use crate::classfile::{ClassFile, Member, access};
use body::Body;
use constants::Constants;

/// What the verifier asks about classes. Names are as in `java/lang/String`; the verifier takes arrays apart itself
/// and never asks whether a class is assignable to itself or to `java/lang/Object`.
/// Classes that are above themselves must be an error: the verifier only knows the class at hand.
pub trait Hierarchy {
    /// Whether a value of class `from` may be used where `to` is wanted: always if `to` is an interface, and otherwise if
    /// `from` is `to` or below it. May load classes; an error, as for one that is missing, refuses the method.
    fn is_assignable(&mut self, from: &str, to: &str) -> Result<bool, String>;

    /// The lowest class above both; `java/lang/Object` if one of them is an interface.
    fn common_superclass(&mut self, a: &str, b: &str) -> Result<String, String>;

    /// Whether `class` is `of`, or `of` is among its superclasses.
    fn is_subclass(&mut self, class: &str, of: &str) -> Result<bool, String>;
}

/// Why a class is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{method}, bytecode {at}: {reason}")]
pub struct VerifyError {
    /// The name and descriptor of the method, or of the field if one is wrong; the class's name if that is.
    pub method: String,
    /// The index of the instruction in the method's code.
    pub at: u16,
    /// What is wrong there.
    pub reason: String,
    /// Whether nothing need be wrong with the class: it has subroutines that cannot be expanded.
    pub unsupported: bool,
}

type Reason = String;

/// What is wrong at some place of a method.
struct Fault {
    at: usize,
    reason: Reason,
    unsupported: bool,
}

impl Fault {
    fn at(at: usize, reason: Reason) -> Fault {
        Fault { at, reason, unsupported: false }
    }
}

/// Verifies all methods of a class. Costs a few passes over their code and one question to the hierarchy for each
/// pair of classes that must be related; methods that would take unreasonably much time or memory are refused.
pub fn verify(class: &ClassFile, hierarchy: &mut dyn Hierarchy) -> Result<(), VerifyError> {
    let refused = |method: &str, fault: Fault| VerifyError {
        method: method.to_string(),
        at: fault.at as u16,
        reason: fault.reason,
        unsupported: fault.unsupported,
    };
    let mut constants =
        Constants::new(class, hierarchy).map_err(|reason| refused(class.name(), Fault::at(0, reason)))?;
    check_parents(&mut constants).map_err(|reason| refused(class.name(), Fault::at(0, reason)))?;
    for field in &class.fields {
        let (name, descriptor) = name_and_descriptor(class, field);
        if !types::is_field_descriptor(descriptor) {
            let fault = Fault::at(0, format!("{descriptor:?} is not the type of a field"));
            return Err(refused(&format!("{name} {descriptor}"), fault));
        }
    }
    for method in &class.methods {
        verify_method(&mut constants, method).map_err(|fault| {
            let (name, descriptor) = name_and_descriptor(class, method);
            refused(&format!("{name}{descriptor}"), fault)
        })?;
    }
    Ok(())
}

/// Only `java/lang/Object` has no superclass: another class without one would escape the rules of constructors.
fn check_parents(constants: &mut Constants<'_>) -> Result<(), Reason> {
    let class = constants.class;
    match class.super_class {
        0 if constants.this == types::OBJECT || class.access & access::MODULE != 0 => {}
        0 => return Err("the class has no superclass".to_string()),
        index => {
            constants.plain_class(index)?;
        }
    }
    class.interfaces.iter().try_for_each(|&index| constants.plain_class(index).map(|_| ()))
}

fn name_and_descriptor<'a>(class: &'a ClassFile, member: &Member) -> (&'a str, &'a str) {
    (class.pool.utf8(member.name).unwrap_or("?"), class.pool.utf8(member.descriptor).unwrap_or("?"))
}

fn verify_method(constants: &mut Constants<'_>, method: &Member) -> Result<(), Fault> {
    let class = constants.class;
    let (name, descriptor) = name_and_descriptor(class, method);
    let start = |reason: Reason| Fault::at(0, reason);
    let signature = constants.signature(method.descriptor).map_err(start)?;
    let instance = method.access & access::STATIC == 0;
    if signature.slots + usize::from(instance) > 255 {
        return Err(start("the method takes too many arguments".to_string()));
    }
    match name {
        "<init>" if signature.result.is_some() || !instance || class.access & access::INTERFACE != 0 => {
            return Err(start(
                "the constructor is static, returns something or belongs to an interface".to_string(),
            ));
        }
        "<clinit>" if descriptor != "()V" || instance => {
            return Err(start(
                "the class initialiser is not static, or takes or returns something".to_string(),
            ));
        }
        "<init>" | "<clinit>" => {}
        name if name.starts_with('<') => return Err(start(format!("no method may be called {name}"))),
        _ => {}
    }
    let code = class.code(method.attributes).map_err(|error| start(error.to_string()))?;
    let bodiless = method.access & (access::NATIVE | access::ABSTRACT) != 0;
    let code = match (code, bodiless) {
        (Some(code), false) => code,
        (None, true) => return Ok(()),
        (Some(_), true) => return Err(start("a native or abstract method has code".to_string())),
        (None, false) => return Err(start("the method has no code".to_string())),
    };
    // Where subroutines can be expanded, that was done when the class file was read.
    if class.major <= NEWEST_WITH_SUBROUTINES && subroutines::has_subroutines(code.code) {
        subroutines::expand(&code).map_err(|Refused { at, reason, valid }| Fault {
            at,
            reason,
            unsupported: valid,
        })?;
    }
    let table = class.attribute(code.attributes, "StackMapTable");
    let mut body = Body::new(constants, method, code)?;
    if class.major < 50 {
        return inferred::check(constants, &mut body);
    }
    let checked = declared::check(constants, &mut body, table);
    match checked {
        // Compilers of that time did not always write the table.
        Err(_) if class.major == 50 => inferred::check(constants, &mut body),
        checked => checked,
    }
}
