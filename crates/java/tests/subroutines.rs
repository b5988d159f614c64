//! Subroutines of old class files (`jsr` and `ret`), in all shapes that compilers gave them: what they do is what `java` says.

#[allow(dead_code)]
mod builder;

use builder::{Builder, Code};
use sojourner_java::library::{ClassPath, Jdk, compile};
use sojourner_java::{Console, Ended, Library, Machine, Options};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

const PUBLIC_STATIC: u16 = 9;

const ICONST_0: u8 = 3;
const ICONST_1: u8 = 4;
const ICONST_2: u8 = 5;
const ICONST_3: u8 = 6;
const BIPUSH: u8 = 16;
const ILOAD_0: u8 = 26;
const ILOAD_1: u8 = 27;
const ALOAD: u8 = 25;
const ISTORE: u8 = 54;
const ILOAD: u8 = 21;
const ISTORE_1: u8 = 60;
const ASTORE: u8 = 58;
const POP: u8 = 87;
const IADD: u8 = 96;
const ISUB: u8 = 100;
const IDIV: u8 = 108;
const IINC: u8 = 132;
const IFEQ: u8 = 153;
const IF_ICMPLT: u8 = 161;
const GOTO: u8 = 167;
const JSR: u8 = 168;
const RET: u8 = 169;
const TABLESWITCH: u8 = 170;
const LOOKUPSWITCH: u8 = 171;
const IRETURN: u8 = 172;
const INVOKESTATIC: u8 = 184;
const ATHROW: u8 = 191;
const WIDE: u8 = 196;
const GOTO_W: u8 = 200;
const JSR_W: u8 = 201;
const NOP: u8 = 0;
const FCONST_1: u8 = 12;
const FSTORE: u8 = 56;
const FLOAD: u8 = 23;
const F2I: u8 = 139;

/// A method `int run(int)` in the making.
#[derive(Default)]
struct Assembly {
    code: Vec<u8>,
    labels: HashMap<&'static str, usize>,
    /// Where an offset is to be filled in, how wide it is, the instruction that it counts from, and its label.
    jumps: Vec<(usize, usize, usize, &'static str)>,
    handlers: Vec<[&'static str; 3]>,
    max_locals: u16,
    note: u16,
}

impl Assembly {
    fn op(&mut self, bytes: &[u8]) -> &mut Self {
        self.code.extend(bytes);
        self
    }

    fn label(&mut self, label: &'static str) -> &mut Self {
        self.labels.insert(label, self.code.len());
        self
    }

    fn offset(&mut self, width: usize, from: usize, label: &'static str) {
        self.jumps.push((self.code.len(), width, from, label));
        self.code.resize(self.code.len() + width, 0);
    }

    fn jump(&mut self, opcode: u8, label: &'static str) -> &mut Self {
        let from = self.code.len();
        self.code.push(opcode);
        self.offset(if opcode >= GOTO_W { 4 } else { 2 }, from, label);
        self
    }

    /// A switch on 0, 1 and 2 or, as a `lookupswitch`, on 0 and 2. The last label is that of all others.
    fn switch(&mut self, opcode: u8, labels: [&'static str; 3], default: &'static str) -> &mut Self {
        let from = self.code.len();
        self.code.push(opcode);
        self.code.resize((from + 4) & !3, 0);
        self.offset(4, from, default);
        let words: &[i32] = if opcode == TABLESWITCH { &[0, 2] } else { &[2] };
        self.code.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        for (key, label) in labels.into_iter().enumerate() {
            if opcode == LOOKUPSWITCH {
                if key == 1 {
                    continue;
                }
                self.code.extend((key as i32).to_be_bytes());
            }
            self.offset(4, from, label);
        }
        self
    }

    /// Tells the driver that control has come here.
    fn note(&mut self, what: u8) -> &mut Self {
        let [high, low] = self.note.to_be_bytes();
        self.op(&[BIPUSH, what, INVOKESTATIC, high, low])
    }

    /// Divides six by the argument minus three.
    fn divide(&mut self) -> &mut Self {
        self.op(&[BIPUSH, 6, ILOAD_0, ICONST_3, ISUB, IDIV])
    }

    /// What is thrown from the first label up to the second is caught at the third.
    fn catches(&mut self, start: &'static str, end: &'static str, handler: &'static str) -> &mut Self {
        self.handlers.push([start, end, handler]);
        self
    }

    fn finish(mut self) -> Code {
        for &(at, width, from, label) in &self.jumps {
            let offset = (self.labels[label] as i32 - from as i32).to_be_bytes();
            self.code[at..at + width].copy_from_slice(&offset[4 - width..]);
        }
        let place = |label: &str| self.labels[label] as u16;
        let handlers = self.handlers.iter().map(|&[a, b, c]| [place(a), place(b), place(c), 0]).collect();
        Code { max_stack: 6, max_locals: self.max_locals, code: self.code, handlers, frames: None }
    }
}

type Make = fn(&mut Assembly);

/// The class of that name, whose method is made by the function.
fn class(name: &str, major: u16, make: Make) -> Vec<u8> {
    let mut builder = Builder::new(name, "java/lang/Object");
    let note = builder.member(10, "Driver", "note", "(I)V");
    let mut assembly = Assembly { max_locals: 12, note, ..Assembly::default() };
    make(&mut assembly);
    builder.method(PUBLIC_STATIC, "run", "(I)I", Some(&assembly.finish()));
    builder.bytes(major)
}

/// `try { return 6 / (n - 3); } finally { note(1); }`
fn return_in_try(a: &mut Assembly) {
    a.label("try").divide().op(&[ISTORE_1]).jump(JSR, "finally").label("end").op(&[ILOAD_1, IRETURN]);
    a.label("any").op(&[ASTORE, 2]).jump(JSR, "finally").label("end of any").op(&[ALOAD, 2, ATHROW]);
    a.label("finally").op(&[ASTORE, 3]).note(1).op(&[RET, 3]);
    a.catches("try", "end", "any").catches("any", "end of any", "any");
}

/// A `finally` in a `try` with a `finally`, and one in a `finally`.
fn nested(a: &mut Assembly) {
    a.label("outer").label("inner").divide().op(&[ISTORE_1]).jump(JSR, "second").label("end of inner");
    a.jump(JSR, "first").label("end").op(&[ILOAD_1, IRETURN]);
    a.label("any inner").op(&[ASTORE, 2]).jump(JSR, "second").op(&[ALOAD, 2, ATHROW]);
    a.label("any outer").op(&[ASTORE, 4]).jump(JSR, "first").op(&[ALOAD, 4, ATHROW]);
    a.label("second").op(&[ASTORE, 3]).note(2).jump(JSR, "third").note(4).op(&[RET, 3]);
    a.label("first").op(&[ASTORE, 5]).note(1).op(&[RET, 5]);
    a.label("third").op(&[ASTORE, 6]).note(3).op(&[RET, 6]);
    a.catches("inner", "end of inner", "any inner");
    a.catches("outer", "end", "any outer").catches("any inner", "any outer", "any outer");
}

/// A loop in a subroutine, which is called in a loop.
fn loops(a: &mut Assembly) {
    a.op(&[ICONST_0, ISTORE_1]).label("again").jump(JSR, "finally").op(&[IINC, 1, 1]);
    a.op(&[ILOAD_1, ILOAD_0]).jump(IF_ICMPLT, "again").op(&[ILOAD_1, IRETURN]);
    a.label("finally").op(&[ASTORE, 3, ICONST_0, ISTORE, 4]);
    a.label("round").note(7).op(&[IINC, 4, 1, ILOAD, 4, ICONST_2]).jump(IF_ICMPLT, "round").op(&[RET, 3]);
}

/// A subroutine that leaves alone a variable of another type at each call.
fn several_calls(a: &mut Assembly) {
    a.op(&[ICONST_1, ISTORE, 4]).jump(JSR, "sub").op(&[ILOAD, 4, ISTORE_1]);
    a.op(&[FCONST_1, FSTORE, 4]).jump(JSR, "sub").op(&[FLOAD, 4, F2I, ILOAD_1, IADD, ISTORE_1]);
    a.jump(JSR_W, "sub").op(&[ILOAD_1, IRETURN]);
    a.label("sub").op(&[NOP, ASTORE, 3, ILOAD_0]).jump(IFEQ, "skip").note(1).label("skip").op(&[RET, 3]);
}

/// One subroutine that returns from the method, one that throws its address away, and one that throws.
fn never_returns(a: &mut Assembly) {
    a.op(&[ILOAD_0]).switch(TABLESWITCH, ["zero", "one", "two"], "more");
    a.label("zero").jump(JSR, "returns").label("one").jump(JSR, "pops").label("two").jump(JSR, "throws");
    a.label("more").op(&[BIPUSH, 9, IRETURN]);
    a.label("returns").op(&[ASTORE, 2]).note(1).op(&[ICONST_1, IRETURN]);
    a.label("pops").jump(GOTO, "popped").label("popped").op(&[POP]).note(2).op(&[ICONST_2, IRETURN]);
    a.label("throws").op(&[ASTORE, 2]).note(3).op(&[ICONST_1, ICONST_0, IDIV, IRETURN]);
}

/// A return address in a variable that only `wide` reaches.
fn wide(a: &mut Assembly) {
    a.max_locals = 302;
    a.jump(JSR_W, "sub").op(&[ILOAD_0, IRETURN]).label("sub").op(&[WIDE, ASTORE, 1, 44]).note(5);
    a.op(&[WIDE, RET, 1, 44]);
}

/// `while (true) try { ... } finally { if (++i < n) continue; break; }`: the subroutine is left by jumps.
fn left_by_jump(a: &mut Assembly) {
    a.op(&[ICONST_0, ISTORE_1]).label("loop").label("try").divide().op(&[POP]).jump(JSR, "finally");
    a.label("end")
        .jump(GOTO, "loop")
        .label("any")
        .op(&[ASTORE, 2])
        .jump(JSR, "finally")
        .op(&[ALOAD, 2, ATHROW]);
    a.label("finally").op(&[ASTORE, 3]).note(1).op(&[IINC, 1, 1, ILOAD_1, ILOAD_0]).jump(IF_ICMPLT, "loop");
    a.op(&[ILOAD_1, ICONST_2, ISUB]).jump(IFEQ, "back").op(&[ILOAD_1, IRETURN]).label("back").op(&[RET, 3]);
    a.catches("try", "end", "any");
}

/// A subroutine that throws and catches, under a handler that covers it too.
fn catches_inside(a: &mut Assembly) {
    a.label("all").jump(JSR, "sub").op(&[ILOAD_1, IRETURN]);
    a.label("sub").op(&[ASTORE, 3]).label("try").divide().op(&[ISTORE_1]).label("end").jump(GOTO, "out");
    a.label("caught").op(&[POP]).note(8).op(&[ICONST_1, ISTORE_1]);
    a.label("out").op(&[ICONST_2, ILOAD_0, IDIV, POP, RET, 3]).label("over");
    a.label("any").op(&[POP]).note(9).op(&[BIPUSH, 77, IRETURN]);
    a.catches("try", "end", "caught").catches("all", "over", "any");
}

/// A switch in a subroutine that is called twice, at other alignments.
fn switches(a: &mut Assembly) {
    a.jump(JSR, "sub").op(&[NOP]).jump(JSR, "sub").op(&[ILOAD_0, IRETURN]);
    a.label("sub").op(&[ASTORE, 3, ILOAD_0]).switch(LOOKUPSWITCH, ["a", "b", "c"], "d").label("a").note(1);
    a.label("b").note(2).jump(GOTO_W, "d").label("c").note(3).label("d").op(&[RET, 3]);
}

fn calls_itself(a: &mut Assembly) {
    a.jump(JSR, "sub").op(&[ILOAD_0, IRETURN]).label("sub").op(&[ASTORE, 3, ILOAD_0]).jump(IFEQ, "out");
    a.op(&[IINC, 0, 255]).jump(JSR, "again").label("out").op(&[RET, 3]);
    a.label("again").op(&[ASTORE, 4]).jump(JSR, "sub").op(&[RET, 4]);
}

fn returns_nowhere(a: &mut Assembly) {
    a.op(&[ICONST_1, ISTORE, 3, RET, 3]);
}

fn uses_an_address_twice(a: &mut Assembly) {
    a.jump(JSR, "sub").op(&[RET, 3]).label("sub").op(&[ASTORE, 3, RET, 3]);
}

const DRIVER: &str = r#"
public class Driver {
    static StringBuilder notes;
    public static void note(int what) { notes.append(' ').append(what); }
    public static void main(String[] names) {
        for (String name : names) {
            for (int n = 0; n < 6; n++) {
                notes = new StringBuilder();
                String result;
                try {
                    result = Class.forName(name).getMethod("run", int.class).invoke(null, n).toString();
                } catch (java.lang.reflect.InvocationTargetException e) {
                    result = e.getCause().toString();
                } catch (Throwable e) {
                    result = e.getClass().getName();
                }
                System.out.println(name + "(" + n + ") = " + result + ":" + notes);
            }
        }
    }
}
"#;

/// Output that is kept.
struct Kept(Rc<RefCell<Vec<u8>>>);

impl Console for Kept {
    fn out(&mut self, bytes: &[u8]) {
        self.0.borrow_mut().extend_from_slice(bytes);
    }

    fn err(&mut self, bytes: &[u8]) {
        self.out(bytes);
    }

    fn input(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
}

fn run(jdk: &Path, classes: &[&Path], names: &[String]) -> (Ended, String) {
    let jdk = Jdk::open(jdk).expect("the same JDK");
    let classes: Vec<_> = classes.iter().map(|path| path.to_path_buf()).collect();
    let class_path = ClassPath::open(&classes).expect("the classes");
    let output = Rc::new(RefCell::new(Vec::new()));
    let options = Options { console: Box::new(Kept(output.clone())), ..Options::default() };
    let mut machine =
        Machine::boot(Rc::new(Library { jdk, class_path }), options).expect("the machine starts");
    machine.start("Driver", names).expect("there is a main");
    let ended = machine.run();
    let output = String::from_utf8_lossy(&output.borrow()).into_owned();
    (ended, output)
}

/// The driver and the classes, in folders; the names of the classes.
fn prepared(methods: &[(&str, u16, Make)]) -> (Jdk, tempfile::TempDir, std::path::PathBuf, Vec<String>) {
    let jdk = Jdk::find(None).expect("a JDK 17");
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("Driver.java");
    std::fs::write(&source, DRIVER).expect("the folder can be written to");
    let driver = compile(&[source], &jdk, &[]).expect("the driver compiles");
    let mut names = Vec::new();
    for &(name, major, make) in methods {
        let bytes = class(name, major, make);
        std::fs::write(folder.path().join(format!("{name}.class")), bytes).expect("the folder is there");
        names.push(name.to_string());
    }
    (jdk, folder, driver, names)
}

#[test]
fn subroutines_do_what_java_says() {
    let methods: &[(&str, u16, Make)] = &[
        ("ReturnInTry", 45, return_in_try),
        ("Nested", 46, nested),
        ("Loops", 47, loops),
        ("SeveralCalls", 48, several_calls),
        ("NeverReturns", 48, never_returns),
        ("Wide", 48, wide),
        ("LeftByJump", 48, left_by_jump),
        ("CatchesInside", 49, catches_inside),
        ("Switches", 49, switches),
        ("CallsItself", 48, calls_itself),
        ("ReturnsNowhere", 48, returns_nowhere),
        ("UsesAnAddressTwice", 48, uses_an_address_twice),
        ("OldVersion", 50, nested),
        ("NewVersion", 51, nested),
    ];
    let (jdk, folder, driver, names) = prepared(methods);
    let (ended, ours) = run(&jdk.home, &[folder.path(), &driver], &names);
    assert_eq!(ended, Ended::Exit(0));
    let path = format!("{}:{}", folder.path().display(), driver.display());
    let java = Command::new(jdk.home.join("bin/java")).args(["-cp", &path, "Driver"]).args(&names).output();
    let theirs = String::from_utf8(java.expect("java runs").stdout).expect("it writes text");
    assert_eq!(ours, theirs);
    let refused = ours.lines().filter(|line| line.contains("VerifyError")).count();
    assert_eq!(refused, 4 * 6, "{ours}");
}

/// Twenty subroutines, each of which calls the next one twice.
fn doubles(a: &mut Assembly) {
    const NAMES: [&str; 20] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
        "18", "19",
    ];
    a.max_locals = 40;
    a.jump(JSR, "0").op(&[ILOAD_0, IRETURN]);
    for (nth, name) in NAMES.into_iter().enumerate() {
        a.label(name).op(&[ASTORE, nth as u8 + 2]);
        if let Some(&next) = NAMES.get(nth + 1) {
            a.jump(JSR, next).jump(JSR, next);
        }
        a.op(&[RET, nth as u8 + 2]);
    }
}

/// A subroutine that keeps its return address on the stack for a while.
fn address_on_the_stack(a: &mut Assembly) {
    a.jump(JSR, "sub").op(&[ILOAD_0, IRETURN]).label("sub").op(&[ICONST_1, ISTORE, 4, ASTORE, 3, RET, 3]);
}

#[test]
fn subroutines_that_cannot_be_expanded_are_refused_by_name() {
    let cases: &[(&str, Make, &str)] = &[
        ("Doubles", doubles, "too large once its subroutines are expanded"),
        ("OnTheStack", address_on_the_stack, "does not begin with storing its return address"),
    ];
    for &(name, make, reason) in cases {
        let (jdk, folder, driver, names) = prepared(&[(name, 48, make)]);
        match run(&jdk.home, &[folder.path(), &driver], &names) {
            (Ended::Unsupported(what), _) => {
                assert!(what.contains(reason) && what.contains(&format!("{name}: run(I)I")), "{what}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
