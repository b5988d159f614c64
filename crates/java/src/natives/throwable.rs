//! Stack traces.

use crate::machine::native::{NOTHING, Table, framed, leaf};
use crate::machine::{Arguments, Bits, Machine, Run};
use crate::memory::Ref;

pub const TABLES: &[Table] = &[
    Table {
        class: "java/lang/Throwable",
        methods: &[("fillInStackTrace(I)Ljava/lang/Throwable;", framed(fill_in_stack_trace))],
    },
    Table {
        class: "java/lang/StackTraceElement",
        methods: &[
            ("computeFormat()V", NOTHING),
            (
                "initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
                framed(init_stack_trace_elements),
            ),
        ],
    },
    Table {
        class: "java/lang/NullPointerException",
        methods: &[("getExtendedNPEMessage()Ljava/lang/String;", leaf(null_pointer_message))],
    },
];

fn fill_in_stack_trace(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let exception = arguments.object(0);
    machine.fill_in_stack_trace(exception)?;
    Ok(exception.bits())
}

/// How an element is printed: without the names of the built-in loaders and the versions of the JDK's modules.
const BUILT_IN_LOADER: u8 = 1;
const JDK_MODULE: u8 = 2;

fn init_stack_trace_elements(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let (elements, exception) = (arguments.object(0), arguments.object(1));
    let trace = machine.stack_trace(exception);
    for (index, (method, bci)) in trace.into_iter().enumerate().take(machine.heap.length(elements) as usize) {
        let element = machine.element(elements, index as u32);
        machine.fill_stack_trace_element(element, method, bci)?;
    }
    Ok(0)
}

impl Machine {
    /// Fills in a `StackTraceElement`.
    pub(crate) fn fill_stack_trace_element(
        &mut self,
        element: Ref,
        method: crate::machine::class::MethodId,
        bci: u16,
    ) -> Run<()> {
        let of = crate::machine::class::ClassId(self.heap.class(element));
        let class = self.method(method).class;
        let declaring = self.external_name(class);
        let name = self.classes.symbols.shared(self.method(method).name);
        let line = self.line(method, bci);
        let file = self.source_file(class);
        let module = self.class(class).module.clone();
        let mirror = self.class(class).mirror;
        let texts = [
            ("declaringClass", Some(declaring)),
            ("methodName", Some(name.to_string())),
            ("fileName", file),
            ("moduleName", module.as_ref().map(|module| module.to_string())),
            ("moduleVersion", module.as_ref().map(|_| self.library.jdk.version.clone())),
            ("classLoaderName", module.is_none().then(|| "app".to_string())),
        ];
        for (field, text) in texts {
            let (Some(offset), Some(text)) = (self.offset_of(of, field), text) else { continue };
            let units: Vec<u16> = text.encode_utf16().collect();
            let string = self.intern(&units)?;
            self.heap.put_ref(element, offset, string);
        }
        if let Some(offset) = self.offset_of(of, "lineNumber") {
            self.heap.put_i32(element, offset, line);
        }
        if let Some(offset) = self.offset_of(of, "declaringClassObject") {
            self.heap.put_ref(element, offset, mirror);
        }
        if let Some(offset) = self.offset_of(of, "format") {
            self.heap.put_u8(element, offset, BUILT_IN_LOADER | JDK_MODULE);
        }
        Ok(())
    }
}

fn null_pointer_message(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let trace = machine.stack_trace(arguments.object(0));
    let Some(&(method, bci)) = trace.first() else { return Ok(0) };
    let method = machine.method(method);
    let Some(file) = machine.class(method.class).file.clone() else { return Ok(0) };
    match crate::explain::null_pointer_message(&file, method.index, bci) {
        Some(message) => machine.new_string(&message).map(Bits::bits),
        None => Ok(0),
    }
}
