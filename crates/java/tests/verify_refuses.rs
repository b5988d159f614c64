//! Class files that no compiler writes: each kind of violation is refused, with the method and the place.

mod builder;

use builder::{Builder, Code};
use sojourner_java::verify::{Hierarchy, VerifyError, verify};

/// `Test` extends `Base`; `Other` is a class and `Face` an interface beside them; `Error` can be thrown.
struct Family;

impl Hierarchy for Family {
    fn is_assignable(&mut self, from: &str, to: &str) -> Result<bool, String> {
        assert_ne!(from, to, "equal names need no hierarchy");
        for name in [from, to] {
            if name == "Missing" {
                return Err("the class Missing cannot be found".to_string());
            }
        }
        Ok(matches!((from, to), ("Test", "Base") | ("Error", "java/lang/Throwable") | (_, "Face")))
    }

    fn common_superclass(&mut self, a: &str, b: &str) -> Result<String, String> {
        let related = matches!((a, b), ("Test", "Base") | ("Base", "Test"));
        Ok(if related { "Base" } else { "java/lang/Object" }.to_string())
    }

    fn is_subclass(&mut self, class: &str, of: &str) -> Result<bool, String> {
        Ok(matches!((class, of), ("Test", "Base")))
    }
}

const STATIC: u16 = 8;

/// Verifies a class with one method whose code the closure makes.
fn outcome(
    major: u16,
    (access, name, descriptor): (u16, &str, &str),
    make: &dyn Fn(&mut Builder) -> Code,
) -> Result<(), VerifyError> {
    let mut builder = Builder::new("Test", "Base");
    builder.field("own", "I");
    let code = make(&mut builder);
    builder.method(access, name, descriptor, Some(&code));
    verify(&builder.parse(major), &mut Family)
}

/// The code is refused by both ways of verification, at that place and for that reason.
#[track_caller]
fn refused(method: (u16, &str, &str), at: u16, reason: &str, make: &dyn Fn(&mut Builder) -> Code) {
    for major in [61, 49] {
        let error = outcome(major, method, make).expect_err("it is refused");
        assert_eq!(error.method, format!("{}{}", method.1, method.2));
        assert!(error.reason.contains(reason) && error.at == at, "{error} instead of {at}: {reason}");
        assert!(error.to_string().contains(method.1));
    }
}

#[track_caller]
fn accepted(method: (u16, &str, &str), make: &dyn Fn(&mut Builder) -> Code) {
    for major in [61, 49] {
        outcome(major, method, make).expect("it is accepted");
    }
}

/// A static method without parameters: only its instructions matter.
#[track_caller]
fn code_is_refused(code: &[u8], at: u16, reason: &str) {
    refused((STATIC, "m", "()V"), at, reason, &|_| plain(code));
}

/// The same with a constant whose index takes the place of the two bytes `0xEE, 0xEE`.
#[track_caller]
fn constant_is_refused(code: &[u8], at: u16, reason: &str, constant: &dyn Fn(&mut Builder) -> u16) {
    refused((STATIC, "m", "()V"), at, reason, &|builder| plain(&with(code, constant(builder))));
}

#[track_caller]
fn constant_is_accepted(code: &[u8], constant: &dyn Fn(&mut Builder) -> u16) {
    accepted((STATIC, "m", "()V"), &|builder| plain(&with(code, constant(builder))));
}

fn plain(code: &[u8]) -> Code {
    Code { max_stack: 4, max_locals: 4, code: code.to_vec(), ..Code::default() }
}

fn with(code: &[u8], index: u16) -> Vec<u8> {
    let mut code = code.to_vec();
    let place = code.windows(2).position(|pair| pair == [0xEE, 0xEE]).expect("a place for the constant");
    code[place..place + 2].copy_from_slice(&index.to_be_bytes());
    code
}

#[test]
fn stacks_keep_within_their_bounds() {
    code_is_refused(&[0x57, 0xB1], 0, "empty"); // pop
    code_is_refused(&[0x04, 0x60, 0xB1], 1, "empty"); // iconst_1, iadd
    code_is_refused(&[0x04, 0x04, 0x04, 0x04, 0x04, 0xB1], 4, "beyond its 4 slots");
    code_is_refused(&[0x09, 0x09, 0x09, 0xB1], 2, "beyond its 4 slots"); // lconst_0
    code_is_refused(&[0x09, 0x09, 0x5C, 0xB1], 2, "beyond its 4 slots"); // dup2
}

#[test]
fn local_variables_keep_within_their_bounds() {
    code_is_refused(&[0x15, 4, 0xB1], 0, "no local variable 4"); // iload
    code_is_refused(&[0x04, 0x36, 4, 0xB1], 1, "no local variable 4"); // istore
    code_is_refused(&[0x09, 0x42, 0xB1], 1, "no local variable 4"); // lstore_3
    code_is_refused(&[0xC4, 0x15, 0xFF, 0xFF, 0xB1], 0, "no local variable 65535"); // wide iload
    code_is_refused(&[0xC4, 0x16, 0xFF, 0xFF, 0xB1], 0, "no local variable 65535"); // wide lload
    refused((STATIC, "m", "(JJI)V"), 0, "no local variable 4", &|_| plain(&[0xB1]));
}

#[test]
fn slots_have_the_type_that_is_used() {
    code_is_refused(&[0x1A, 0xAC], 0, "local variable 0 holds nothing"); // iload_0
    code_is_refused(&[0x0B, 0x3B, 0xB1], 1, "int is wanted, but there is float"); // fconst_0, istore_0
    code_is_refused(&[0x04, 0x3B, 0x2A, 0xB1], 2, "a reference is wanted, but there is int"); // aload_0
    code_is_refused(&[0x01, 0x04, 0x60, 0xB1], 2, "int is wanted, but there is null"); // iadd
    code_is_refused(&[0x09, 0x04, 0x61, 0xB1], 2, "long is wanted, but there is int"); // ladd
    code_is_refused(&[0x0E, 0x40, 0xB1], 1, "long is wanted, but there is double"); // lstore_1
    code_is_refused(&[0x04, 0xBE, 0xB1], 1, "an array is wanted"); // arraylength
    code_is_refused(&[0x04, 0xC2, 0xB1], 1, "a reference is wanted"); // monitorenter
    code_is_refused(&[0x04, 0xBF], 1, "java/lang/Throwable is wanted"); // athrow
    code_is_refused(&[0x01, 0x4B, 0x84, 0, 1, 0xB1], 2, "int is wanted"); // iinc of a reference
}

#[test]
fn longs_and_doubles_are_not_cut_in_two() {
    code_is_refused(&[0x09, 0x57, 0xB1], 1, "in two"); // pop
    code_is_refused(&[0x09, 0x59, 0xB1], 1, "in two"); // dup
    code_is_refused(&[0x09, 0x04, 0x5F, 0xB1], 2, "in two"); // swap
    code_is_refused(&[0x09, 0x04, 0x58, 0xB1], 2, "in two"); // pop2
    // lconst_0, lstore_0, iconst_1, istore_1, lload_0
    code_is_refused(&[0x09, 0x3F, 0x04, 0x3C, 0x1E, 0xB1], 4, "local variable 0 holds nothing");
    // lconst_0, lstore_0, iload_1
    code_is_refused(&[0x09, 0x3F, 0x1B, 0xB1], 2, "second half");
}

#[test]
fn control_stays_in_the_code_and_at_instructions() {
    code_is_refused(&[0x04], 0, "falls off the end");
    code_is_refused(&[0x10], 0, "ends within an instruction"); // bipush
    code_is_refused(&[0xA7, 0, 10, 0xB1], 0, "no instruction begins at the target 10"); // goto
    code_is_refused(&[0xA7, 0xFF, 0xFE, 0xB1], 0, "no instruction begins at the target -2");
    code_is_refused(&[0xA7, 0, 4, 0x10, 0xB1, 0xB1], 0, "no instruction begins at the target 4");
    code_is_refused(&[0xC8, 0x7F, 0xFF, 0xFF, 0xFF], 0, "no instruction begins at the target 2147483647");
    code_is_refused(&[0xCA, 0xB1], 0, "no such instruction"); // breakpoint
    code_is_refused(&[0xFF, 0xB1], 0, "no such instruction");
    code_is_refused(&[0xC4, 0x60, 0, 0, 0xB1], 0, "cannot be wide");
}

#[test]
fn subroutines_are_allowed_up_to_version_50() {
    let calls = |_: &mut Builder| plain(&[0xA8, 0, 3, 0xB1]);
    let returns = |_: &mut Builder| plain(&[0x00, 0xA9, 0, 0xB1]);
    for major in [45, 49, 50] {
        assert_eq!(outcome(major, (STATIC, "m", "()V"), &calls), Ok(()));
        let error = outcome(major, (STATIC, "m", "()V"), &returns).unwrap_err();
        assert!(error.at == 1 && error.reason.contains("holds no return address"), "{error}");
    }
    for make in [&calls as &dyn Fn(&mut Builder) -> Code, &returns] {
        let error = outcome(51, (STATIC, "m", "()V"), make).unwrap_err();
        assert!(error.reason.contains("not allowed since class file version 51"), "{error}");
    }
}

#[test]
fn switches_are_well_formed() {
    let words = |opcode: u8, words: &[i32]| {
        let mut code = vec![0x04, opcode, 0, 0];
        code.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        code.push(0xB1);
        code
    };
    code_is_refused(&words(0xAA, &[19, 5, 4, 19]), 1, "above the highest");
    code_is_refused(&words(0xAA, &[19, 0, 9, 19]), 1, "ends within");
    code_is_refused(&words(0xAA, &[19, i32::MIN, i32::MAX, 19]), 1, "ends within");
    code_is_refused(&words(0xAA, &[18, 0, 0, 19]), 1, "no instruction begins at the target 19");
    code_is_refused(&words(0xAB, &[19, -1]), 1, "negative number of keys");
    code_is_refused(&words(0xAB, &[27, 2, 5, 27, 5, 27]), 1, "not in order");
    code_is_refused(&words(0xAB, &[27, 2, 5, 27, 6, 26]), 1, "no instruction begins at the target");
    code_is_refused(&[0x04, 0xAA, 0, 0], 1, "ends within a switch");
}

#[test]
fn exception_handlers_are_where_instructions_are() {
    let handled = |range: [u16; 4]| {
        move |builder: &mut Builder| {
            let catches = match range[3] {
                1 => builder.class("Other"),
                2 => builder.class("Missing"),
                3 => builder.class("[I"),
                other => other,
            };
            // sipush, pop, return; handler: athrow
            let frames =
                Some((1, vec![255, 0, 5, 0, 0, 0, 1, 7, 0, builder.class("java/lang/Throwable") as u8]));
            let handlers = vec![[range[0], range[1], range[2], catches]];
            Code { handlers, frames, ..plain(&[0x11, 1, 2, 0x57, 0xB1, 0xBF]) }
        }
    };
    let method = (STATIC, "m", "()V");
    accepted(method, &handled([0, 4, 5, 0]));
    refused(method, 3, "exception range 3..3", &handled([3, 3, 5, 0]));
    refused(method, 4, "exception range 4..0", &handled([4, 0, 5, 0]));
    refused(method, 1, "exception range 1..4", &handled([1, 4, 5, 0]));
    refused(method, 0, "exception range 0..2", &handled([0, 2, 5, 0]));
    refused(method, 0, "exception range 0..9", &handled([0, 9, 5, 0]));
    refused(method, 0, "exception handler 2", &handled([0, 4, 2, 0]));
    refused(method, 0, "exception handler 6", &handled([0, 4, 6, 0]));
    refused(method, 5, "Other is caught, but cannot be thrown", &handled([0, 4, 5, 1]));
    refused(method, 5, "Missing cannot be found", &handled([0, 4, 5, 2]));
    refused(method, 5, "is an array", &handled([0, 4, 5, 3]));
    refused(method, 5, "is not a constant", &handled([0, 4, 5, 1000]));
}

#[test]
fn handlers_see_every_state_of_their_range() {
    // iconst_1, istore_0, fconst_0, fstore_0, return; handler: pop, iload_0, pop, return
    let code = |builder: &mut Builder| {
        let throwable = builder.class("java/lang/Throwable") as u8;
        Code {
            handlers: vec![[2, 5, 5, 0]],
            frames: Some((1, vec![255, 0, 5, 0, 1, 1, 0, 1, 7, 0, throwable])),
            ..plain(&[0x04, 0x3B, 0x0B, 0x43, 0xB1, 0x57, 0x1A, 0x57, 0xB1])
        }
    };
    let method = (STATIC, "m", "()V");
    let error = outcome(61, method, &code).unwrap_err();
    assert_eq!(
        (error.at, error.reason.contains("holds float where int is declared at 5")),
        (4, true),
        "{error}"
    );
    let error = outcome(49, method, &code).unwrap_err();
    assert_eq!((error.at, error.reason.contains("holds nothing usable")), (6, true), "{error}");
}

#[test]
fn objects_are_initialised_before_they_are_used() {
    let new = |code: &'static [u8], class: &'static str| {
        move |builder: &mut Builder| {
            let made = builder.class("Other");
            plain(&with(&with(code, made), builder.member(10, class, "<init>", "()V")))
        }
    };
    let method = (STATIC, "m", "()LOther;");
    // new, dup, invokespecial, areturn
    let right: &[u8] = &[0xBB, 0xEE, 0xEE, 0x59, 0xB7, 0xEE, 0xEE, 0xB0];
    accepted(method, &new(right, "Other"));
    refused(method, 4, "of another class than the object", &new(right, "Base"));
    let early: &[u8] = &[0xBB, 0xEE, 0xEE, 0x59, 0xB0, 0xB7, 0xEE, 0xEE];
    refused(
        method,
        4,
        "Other is wanted, but there is the uninitialised object of the `new` at 0",
        &new(early, "Other"),
    );
    let twice: &[u8] = &[0xBB, 0xEE, 0xEE, 0x59, 0x59, 0xB7, 0xEE, 0xEE, 0xB7, 0, 0, 0xB0];
    refused(method, 8, "not a method", &new(twice, "Other"));
    constant_is_refused(&[0xBB, 0xEE, 0xEE, 0xBF], 3, "uninitialised", &|builder| builder.class("Error"));
    constant_is_refused(&[0xBB, 0xEE, 0xEE, 0xC0, 0, 2, 0xB1], 3, "uninitialised", &|b| b.class("Other"));
    constant_is_refused(&[0xBB, 0xEE, 0xEE, 0x57, 0xB1], 0, "is an array", &|b| b.class("[LOther;"));
    constant_is_refused(
        &[0x01, 0xB7, 0xEE, 0xEE, 0xB1],
        1,
        "an uninitialised object is wanted",
        &|builder| builder.member(10, "Other", "<init>", "()V"),
    );
    constant_is_accepted(&[0xBB, 0xEE, 0xEE, 0x4B, 0x2A, 0xC2, 0xB1], &|b| b.class("Other"));
}

#[test]
fn an_uninitialised_object_is_not_mistaken_for_the_next_one() {
    // 0: return, 1: new, 4: pop, 5: aload_0, 6: pop, 7: return, with frames for what no way leads to.
    let dead = |frame: &'static [u8]| {
        move |builder: &mut Builder| {
            let code = with(&[0xB1, 0xBB, 0xEE, 0xEE, 0x57, 0x2A, 0x57, 0xB1], builder.class("Other"));
            Code { frames: Some((1, frame.to_vec())), ..plain(&code) }
        }
    };
    let method = (STATIC, "m", "()V");
    let on_stack = outcome(61, method, &dead(&[255, 0, 1, 0, 0, 0, 1, 8, 0, 1])).unwrap_err();
    assert_eq!((on_stack.at, on_stack.reason.contains("still uninitialised")), (1, true), "{on_stack}");
    let in_local = outcome(61, method, &dead(&[255, 0, 1, 0, 1, 8, 0, 1, 0, 0])).unwrap_err();
    assert_eq!((in_local.at, in_local.reason.contains("nothing usable")), (5, true), "{in_local}");
    // 0: nop, 1: new, 4: goto 1
    let again = |builder: &mut Builder| {
        plain(&with(&[0, 0xBB, 0xEE, 0xEE, 0xA7, 0xFF, 0xFD], builder.class("Other")))
    };
    let error = outcome(49, method, &again).unwrap_err();
    assert!(error.reason.contains("on another way to 1"), "{error}");
}

#[test]
fn constructors_call_another_one_before_anything_else() {
    let call = |code: &'static [u8], class: &'static str| {
        move |builder: &mut Builder| plain(&with(code, builder.member(10, class, "<init>", "()V")))
    };
    let constructor = (0, "<init>", "()V");
    let right: &[u8] = &[0x2A, 0xB7, 0xEE, 0xEE, 0xB1];
    accepted(constructor, &call(right, "Base"));
    accepted(constructor, &call(right, "Test"));
    refused(constructor, 1, "neither of this class nor of its superclass", &call(right, "Other"));
    refused(constructor, 0, "before it has called another", &|_| plain(&[0xB1]));
    let twice: &[u8] = &[0x2A, 0x2A, 0xB7, 0xEE, 0xEE, 0xB7, 0, 0, 0xB1];
    refused(constructor, 5, "not a method", &call(twice, "Base"));
    let field = |code: &'static [u8], class: &'static str, name: &'static str| {
        move |builder: &mut Builder| plain(&with(code, builder.member(9, class, name, "I")))
    };
    // aload_0, getfield
    refused(
        constructor,
        1,
        "before it is initialised",
        &field(&[0x2A, 0xB4, 0xEE, 0xEE, 0x57, 0xB1], "Test", "own"),
    );
    // aload_0, iconst_1, putfield, return
    let put: &[u8] = &[0x2A, 0x04, 0xB5, 0xEE, 0xEE, 0xB1];
    refused(constructor, 5, "before it has called another", &field(put, "Test", "own"));
    refused(constructor, 2, "before it is initialised", &field(put, "Test", "inherited"));
    refused(constructor, 2, "before it is initialised", &field(put, "Base", "own"));
    refused((STATIC, "<init>", "()V"), 0, "constructor is static", &|_| plain(&[0xB1]));
    refused((0, "<init>", "()I"), 0, "returns something", &|_| plain(&[0x04, 0xAC]));
    refused((STATIC, "<clinit>", "(I)V"), 0, "class initialiser", &|_| plain(&[0xB1]));
    refused((0, "<clinit>", "()V"), 0, "not static", &|_| plain(&[0xB1]));
    refused((STATIC, "<other>", "()V"), 0, "no method may be called", &|_| plain(&[0xB1]));
}

#[test]
fn methods_return_what_they_promise() {
    refused((STATIC, "m", "()I"), 0, "returns something else", &|_| plain(&[0xB1]));
    refused((STATIC, "m", "()V"), 1, "returns something else", &|_| plain(&[0x04, 0xAC]));
    refused((STATIC, "m", "()J"), 1, "returns something else", &|_| plain(&[0x04, 0xAC]));
    refused((STATIC, "m", "()LBase;"), 1, "returns something else", &|_| plain(&[0x04, 0xAC]));
    refused((STATIC, "m", "()LBase;"), 1, "Base is wanted, but there is int", &|_| plain(&[0x04, 0xB0]));
    refused((STATIC, "m", "(LOther;)LBase;"), 1, "Base is wanted, but there is Other", &|_| {
        plain(&[0x2A, 0xB0])
    });
    refused((STATIC, "m", "([I)[J"), 1, "[J is wanted, but there is [I", &|_| plain(&[0x2A, 0xB0]));
    refused((STATIC, "m", "(LMissing;)LBase;"), 1, "cannot be found", &|_| plain(&[0x2A, 0xB0]));
    accepted((0, "m", "()LBase;"), &|_| plain(&[0x2A, 0xB0]));
    accepted((STATIC, "m", "(LOther;)LFace;"), &|_| plain(&[0x2A, 0xB0]));
    accepted((STATIC, "m", "(LMissing;)LMissing;"), &|_| plain(&[0x2A, 0xB0]));
    accepted((STATIC, "m", "([[I)[Ljava/lang/Object;"), &|_| plain(&[0x2A, 0xB0]));
}

#[test]
fn fields_are_those_of_the_object() {
    let field = |code: &'static [u8], class: &'static str, kind: &'static str| {
        move |builder: &mut Builder| plain(&with(code, builder.member(9, class, "f", kind)))
    };
    let get: &[u8] = &[0x2A, 0xB4, 0xEE, 0xEE, 0x57, 0xB1];
    accepted((STATIC, "m", "(LTest;)V"), &field(get, "Base", "I"));
    refused((STATIC, "m", "(LOther;)V"), 1, "Base is wanted, but there is Other", &field(get, "Base", "I"));
    refused((STATIC, "m", "([I)V"), 1, "Base is wanted, but there is [I", &field(get, "Base", "I"));
    refused((STATIC, "m", "(I)V"), 0, "a reference is wanted", &field(get, "Base", "I"));
    refused((STATIC, "m", "(LBase;)V"), 4, "in two", &field(get, "Base", "J"));
    refused((STATIC, "m", "(LBase;)V"), 1, "is an array", &field(get, "[LBase;", "I"));
    refused((STATIC, "m", "(LBase;)V"), 1, "not the type of a value", &field(get, "Base", "V"));
    refused((STATIC, "m", "(LBase;)V"), 1, "not the type of a value", &field(get, "Base", "II"));
    refused((STATIC, "m", "(LBase;)V"), 1, "not the type of a value", &field(get, "Base", "LBase"));
    let put: &[u8] = &[0x2A, 0x04, 0xB5, 0xEE, 0xEE, 0xB1];
    refused((STATIC, "m", "(LBase;)V"), 2, "long is wanted", &field(put, "Base", "J"));
    refused(
        (STATIC, "m", "(LBase;)V"),
        2,
        "Other is wanted, but there is int",
        &field(put, "Base", "LOther;"),
    );
    refused((STATIC, "m", "(LOther;)V"), 2, "Base is wanted, but there is Other", &field(put, "Base", "I"));
    constant_is_refused(&[0xB2, 0xEE, 0xEE, 0x57, 0xB1], 0, "not a field", &|b| {
        b.member(10, "A", "f", "()I")
    });
    constant_is_refused(&[0x04, 0xB3, 0xEE, 0xEE, 0xB1], 1, "float is wanted", &|b| {
        b.member(9, "A", "f", "F")
    });
}

#[test]
fn calls_get_what_they_expect() {
    let call = |code: &'static [u8], tag: u8, class: &'static str, name: &'static str, kind: &'static str| {
        move |builder: &mut Builder| plain(&with(code, builder.member(tag, class, name, kind)))
    };
    let method = (STATIC, "m", "(LOther;)V");
    let fixed: &[u8] = &[0x2A, 0xB8, 0xEE, 0xEE, 0xB1]; // aload_0, invokestatic
    accepted(method, &call(fixed, 10, "A", "f", "(LOther;)V"));
    accepted(method, &call(fixed, 11, "A", "f", "(LFace;)V"));
    refused(method, 1, "Base is wanted, but there is Other", &call(fixed, 10, "A", "f", "(LBase;)V"));
    refused(method, 1, "int is wanted", &call(fixed, 10, "A", "f", "(I)V"));
    refused(method, 1, "empty", &call(fixed, 10, "A", "f", "(LOther;LOther;)V"));
    refused(method, 1, "is not a descriptor", &call(fixed, 10, "A", "f", "(LOther)V"));
    refused(method, 1, "not the type of a value", &call(fixed, 10, "A", "f", "([La.b;)V"));
    refused(method, 1, "<clinit> cannot be called", &call(fixed, 10, "A", "<clinit>", "()V"));
    refused(method, 1, "<init> cannot be called", &call(fixed, 10, "A", "<init>", "(LOther;)V"));
    refused(method, 1, "is not a method", &call(fixed, 9, "A", "f", "I"));

    let dynamic: &[u8] = &[0x2A, 0xB6, 0xEE, 0xEE, 0xB1]; // invokevirtual
    accepted(method, &call(dynamic, 10, "Other", "f", "()V"));
    refused(method, 1, "Base is wanted, but there is Other", &call(dynamic, 10, "Base", "f", "()V"));
    refused(method, 1, "a method of an interface", &call(dynamic, 11, "Other", "f", "()V"));

    let interface: &[u8] = &[0x2A, 0xB9, 0xEE, 0xEE, 1, 0, 0xB1];
    accepted(method, &call(interface, 11, "Face", "f", "()V"));
    refused(method, 1, "a method of a class", &call(interface, 10, "Face", "f", "()V"));
    refused(method, 1, "miscounts", &call(&[0x2A, 0xB9, 0xEE, 0xEE, 2, 0, 0xB1], 11, "Face", "f", "()V"));
    refused(method, 1, "not zero", &call(&[0x2A, 0xB9, 0xEE, 0xEE, 1, 1, 0xB1], 11, "Face", "f", "()V"));

    let special: &[u8] = &[0x2A, 0xB7, 0xEE, 0xEE, 0xB1];
    accepted((0, "m", "()V"), &call(special, 10, "Base", "f", "()V"));
    accepted((0, "m", "()V"), &call(special, 10, "Test", "f", "()V"));
    refused((0, "m", "()V"), 1, "Other is neither this class nor", &call(special, 10, "Other", "f", "()V"));
    refused(method, 1, "Test is wanted, but there is Other", &call(special, 10, "Base", "f", "()V"));

    let site: &[u8] = &[0xBA, 0xEE, 0xEE, 0, 0, 0xB1];
    constant_is_refused(site, 0, "no bootstrap method 3", &|builder| builder.call_site(3, "()V"));
    constant_is_refused(site, 0, "not a dynamic call site", &|builder| builder.member(10, "A", "f", "()V"));
}

#[test]
fn arrays_are_accessed_as_what_they_are() {
    let load = |opcode: u8| move |_: &mut Builder| plain(&[0x2A, 0x03, opcode, 0x57, 0xB1]);
    let load_wide = |opcode: u8| move |_: &mut Builder| plain(&[0x2A, 0x03, opcode, 0x58, 0xB1]);
    for (array, opcode) in
        [("[I", 0x2E), ("[F", 0x30), ("[B", 0x33), ("[Z", 0x33), ("[C", 0x34), ("[S", 0x35), ("[[I", 0x32)]
    {
        accepted((STATIC, "m", &format!("({array})V")), &load(opcode));
        for other in [0x2E, 0x30, 0x32, 0x33, 0x34, 0x35].into_iter().filter(|&other| other != opcode) {
            refused((STATIC, "m", &format!("({array})V")), 2, "does not access arrays such as", &load(other));
        }
    }
    accepted((STATIC, "m", "([J)V"), &load_wide(0x2F));
    refused((STATIC, "m", "([D)V"), 2, "does not access arrays such as [D", &load_wide(0x2F));
    refused((STATIC, "m", "(LOther;)V"), 2, "an array is wanted", &load(0x2E));
    accepted((STATIC, "m", "([Z)V"), &|_| plain(&[0x2A, 0x03, 0x04, 0x54, 0xB1])); // bastore
    refused((STATIC, "m", "([I)V"), 3, "does not access arrays", &|_| plain(&[0x2A, 0x03, 0x04, 0x54, 0xB1]));
    refused((STATIC, "m", "([I)V"), 3, "does not access arrays", &|_| plain(&[0x2A, 0x03, 0x01, 0x53, 0xB1]));
    refused((STATIC, "m", "([LOther;)V"), 3, "Object is wanted, but there is int", &|_| {
        plain(&[0x2A, 0x03, 0x03, 0x53, 0xB1])
    });
    accepted((STATIC, "m", "([LOther;)LOther;"), &|_| plain(&[0x2A, 0x03, 0x32, 0xB0]));
    refused((STATIC, "m", "([LOther;)LBase;"), 3, "Base is wanted, but there is Other", &|_| {
        plain(&[0x2A, 0x03, 0x32, 0xB0])
    });
    code_is_refused(&[0x04, 0xBC, 3, 0xB1], 1, "no arrays of type 3");
    code_is_refused(&[0x01, 0xBC, 4, 0xB1], 1, "int is wanted");
    let made: &[u8] = &[0x04, 0x04, 0xC5, 0xEE, 0xEE, 2, 0x57, 0xB1]; // multianewarray
    constant_is_accepted(made, &|builder| builder.class("[[I"));
    constant_is_refused(made, 2, "an array of 1 dimensions cannot be made with 2", &|builder| {
        builder.class("[I")
    });
    constant_is_refused(made, 2, "an array of 0 dimensions", &|builder| builder.class("Other"));
    let none: &[u8] = &[0x04, 0x04, 0xC5, 0xEE, 0xEE, 0, 0x57, 0xB1];
    constant_is_refused(none, 2, "cannot be made with 0", &|builder| builder.class("[I"));
    let deep = "[".repeat(255) + "I";
    constant_is_refused(&[0x04, 0xBD, 0xEE, 0xEE, 0x57, 0xB1], 1, "not the name of a class", &|b| {
        b.class(&deep)
    });
}

#[test]
fn constants_are_of_the_kind_that_is_loaded() {
    let load: &[u8] = &[0x13, 0xEE, 0xEE, 0x57, 0xB1]; // ldc_w, pop
    constant_is_accepted(load, &|builder| builder.string("text"));
    constant_is_accepted(load, &|builder| builder.class("[I"));
    constant_is_refused(load, 0, "does not have the width", &|builder| builder.constant(5, &[0; 8]));
    constant_is_refused(load, 0, "cannot be loaded", &|builder| builder.utf8("text"));
    constant_is_refused(load, 0, "cannot be loaded", &|builder| builder.constant(5, &[0; 8]) + 1);
    constant_is_refused(load, 0, "is not a constant", &|_| 0x7FFF);
    constant_is_refused(load, 0, "cannot be loaded", &|_| 0);
    constant_is_refused(load, 0, "is not a text", &|builder| builder.constant(8, &[0, 2]));
    constant_is_refused(load, 0, "not the name of a class", &|builder| builder.class("[X"));
    constant_is_refused(load, 0, "not the name of a class", &|builder| builder.class(""));
    constant_is_refused(load, 0, "not the name of a class", &|builder| builder.class("a;b"));
    constant_is_refused(load, 0, "no kind 0", &|builder| builder.constant(15, &[0, 0, 2]));
    constant_is_refused(load, 0, "is not a method", &|builder| builder.constant(15, &[6, 0, 2]));
    let wide: &[u8] = &[0x14, 0xEE, 0xEE, 0x58, 0xB1]; // ldc2_w
    constant_is_accepted(wide, &|builder| builder.constant(6, &[0; 8]));
    constant_is_refused(wide, 0, "does not have the width", &|builder| builder.constant(3, &[0; 4]));
    let cast: &[u8] = &[0x01, 0xC0, 0xEE, 0xEE, 0x57, 0xB1];
    constant_is_accepted(cast, &|builder| builder.class("[[Lx;"));
    constant_is_refused(cast, 1, "is not a class", &|builder| builder.string("text"));
    constant_is_refused(&[0x01, 0xC1, 0xEE, 0xEE, 0x57, 0xB1], 1, "is not a class", &|builder| {
        builder.utf8("a")
    });
}

#[test]
fn ways_that_meet_agree() {
    // 0: iconst_0, 1: ifeq 8, 4: iconst_1, 5: goto 9, 8: fconst_0, 9: pop, 10: return
    let code = [0x03, 0x99, 0, 7, 0x04, 0xA7, 0, 4, 0x0B, 0x57, 0xB1];
    let both = |frames: &'static [u8]| {
        move |_: &mut Builder| Code { frames: Some((2, frames.to_vec())), ..plain(&code) }
    };
    let method = (STATIC, "m", "()V");
    // A frame at 8, and one at 9 with an int on the stack.
    let error = outcome(61, method, &both(&[8, 64, 1])).unwrap_err();
    assert_eq!((error.at, error.reason.contains("float where int is declared at 9")), (9, true), "{error}");
    let error = outcome(61, method, &both(&[8, 0])).unwrap_err();
    assert!(error.reason.contains("1 slots, but 0 are declared at 9"), "{error}");
    let error = outcome(49, method, &both(&[8, 64, 1])).unwrap_err();
    assert!(error.reason.contains("on another way to 9"), "{error}");
}

#[test]
fn declared_frames_are_well_formed() {
    // 0: iconst_0, 1: ifeq 5, 4: nop, 5: return
    let code = [0x03, 0x99, 0, 4, 0x00, 0xB1];
    let method = (STATIC, "m", "(J)V");
    let declared = |count: u16, frames: &[u8]| {
        let frames = frames.to_vec();
        outcome(61, method, &move |_| Code { frames: Some((count, frames.clone())), ..plain(&code) })
    };
    assert_eq!(declared(1, &[5]), Ok(()));
    assert_eq!(declared(1, &[250, 0, 5]), Ok(()));
    for (count, frames, reason) in [
        (0, &[][..], "missing at 5"),
        (1, &[3], "no instruction begins at the stack map frame at 3"),
        (1, &[63], "no instruction begins at the stack map frame at 63"),
        (2, &[5], "cut off"),
        (1, &[200], "no stack map frames of kind 200"),
        (1, &[249, 0, 5], "no local variable is left"),
        (1, &[252, 0, 5, 1], "local variable 2 holds nothing usable where int is declared"),
        (1, &[252, 0, 5, 9], "unknown kind 9"),
        (1, &[252, 0, 5, 6], "outside of a constructor"),
        (1, &[252, 0, 5, 8, 0, 0], "no `new` is"),
        (1, &[252, 0, 5, 7, 0, 1], "is not a class"),
        (1, &[254, 0, 5, 0, 0, 0], "more slots than the method"),
        (1, &[69, 0], "unusable values on its stack"),
        (1, &[255, 0, 5, 0, 1, 3, 0, 0], "local variable 0 holds long where double is declared"),
        (1, &[255, 0, 5, 0, 0, 0, 5, 1, 1, 1, 1, 1], "more slots than the method"),
        (1, &[255, 0, 5, 0xFF, 0xFF], "cut off"),
    ] {
        let error = declared(count, frames).expect_err(reason);
        assert!(error.reason.contains(reason), "{error} instead of {reason}");
    }
    // Behind a goto only a declared frame can say what holds.
    let error = outcome(61, method, &|_| plain(&[0xB1, 0x00, 0xB1])).unwrap_err();
    assert_eq!((error.at, error.reason.contains("missing")), (1, true));
}

#[test]
fn version_50_falls_back_to_inference() {
    let code = |_: &mut Builder| plain(&[0x03, 0x99, 0, 4, 0x00, 0xB1]);
    assert!(outcome(51, (STATIC, "m", "()V"), &code).is_err());
    assert_eq!(outcome(50, (STATIC, "m", "()V"), &code), Ok(()));
}

#[test]
fn members_are_well_formed() {
    let mut builder = Builder::new("Test", "Base");
    builder.field("f", "V");
    let error = verify(&builder.parse(61), &mut Family).unwrap_err();
    assert_eq!((error.method.as_str(), error.reason.contains("not the type of a field")), ("f V", true));
    for (access, with_code, reason) in
        [(0, false, "no code"), (0x100, true, "has code"), (0x400, true, "has code")]
    {
        let mut builder = Builder::new("Test", "Base");
        builder.method(access, "m", "()V", with_code.then(|| plain(&[0xB1])).as_ref());
        let error = verify(&builder.parse(61), &mut Family).unwrap_err();
        assert!(error.reason.contains(reason), "{error}");
    }
    let many = format!("({})V", "J".repeat(127) + "I");
    refused((0, "m", &many), 0, "too many arguments", &|_| plain(&[0xB1]));
    refused((0, "m", "(V)V"), 0, "is not a descriptor", &|_| plain(&[0xB1]));
    refused((0, "m", "m"), 0, "is not a descriptor", &|_| plain(&[0xB1]));
}

#[test]
fn methods_made_to_keep_the_verifier_busy_are_refused() {
    // 20,000 stores, each within 20,000 exception ranges, to 200 local variables.
    let mut code: Vec<u8> = Vec::new();
    for i in 0..20_000u32 {
        code.extend([0x04, 0x36, (i % 200) as u8]);
    }
    code.extend([0xB1, 0x57, 0xB1]);
    let busy = |builder: &mut Builder| {
        let throwable = builder.class("java/lang/Throwable") as u8;
        Code {
            max_stack: 4,
            max_locals: 300,
            code: code.clone(),
            handlers: (0..20_000).map(|i| [i * 3, 60_000, 60_001, 0]).collect(),
            frames: Some((1, vec![255, 0xEA, 0x61, 0, 0, 0, 1, 7, 0, throwable])),
        }
    };
    for major in [61, 49] {
        let error = outcome(major, (STATIC, "m", "()V"), &busy).unwrap_err();
        assert!(error.reason.contains("too much work"), "{error}");
    }
}
