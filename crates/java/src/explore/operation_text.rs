//! Operations in words, for traces.

use crate::classfile::Kind;
use crate::machine::Machine;
use crate::machine::class::{ClassId, Shape};
use crate::machine::visible::{Operation, OperationKind};
use crate::memory::{ARRAY_DATA, Ref};

impl Machine {
    /// What a thread has just done.
    pub(super) fn words(&self, pending: Operation) -> String {
        let Operation { kind, object, offset, .. } = pending;
        let variable = || self.variable_text(object, offset);
        let value = || self.value_of(object, offset);
        match kind {
            OperationKind::Nothing => String::new(),
            OperationKind::Read | OperationKind::ReadVolatile => {
                format!("reads {} = {}", variable(), value())
            }
            OperationKind::Write | OperationKind::WriteVolatile => {
                format!("writes {} = {}", variable(), value())
            }
            OperationKind::Update => format!("updates {} to {}", variable(), value()),
            OperationKind::Enter => format!("takes the monitor of {}", self.object_text(object)),
            OperationKind::Exit => format!("gives back the monitor of {}", self.object_text(object)),
            OperationKind::Wait => format!("waits on {}", self.object_text(object)),
            OperationKind::Notify => format!("notifies {}", self.object_text(object)),
            OperationKind::Park => "uses up its permit to go on".to_string(),
            OperationKind::Unpark => format!("unparks {}", self.object_text(object)),
            OperationKind::Start => format!("starts {}", self.object_text(object)),
            OperationKind::End => "ends".to_string(),
            OperationKind::Join => format!("waits for the end of {}", self.object_text(object)),
            OperationKind::Ask => format!("asks for the state of {}", self.object_text(object)),
            OperationKind::Interrupt => format!("interrupts {}", self.object_text(object)),
            OperationKind::Suspend => format!("suspends {}", self.object_text(object)),
            OperationKind::Resume => format!("resumes {}", self.object_text(object)),
            OperationKind::Stop => format!("stops {}", self.object_text(object)),
            OperationKind::Collect => "collects garbage".to_string(),
            OperationKind::Pause => "lets others go on".to_string(),
            OperationKind::Initialise => {
                format!("initialises class {}", self.external_name(self.class_of_mirror(object)))
            }
            OperationKind::LookAtFile | OperationKind::ChangeFile => {
                self.scheduling.record.file_operation.clone()
            }
            OperationKind::Choose => "chooses".to_string(),
        }
    }

    /// What a thread is about to do to a variable.
    pub(super) fn verb(&self, pending: Operation) -> &'static str {
        match pending.kind {
            OperationKind::Read | OperationKind::ReadVolatile => "read",
            OperationKind::Write | OperationKind::WriteVolatile => "write",
            _ => "update",
        }
    }

    /// An object for people: its class and, if it is a thread, its name.
    pub(super) fn object_text(&self, object: Ref) -> String {
        if object.is_null() {
            return "null".to_string();
        }
        let class = ClassId(self.heap.class(object));
        if Some(class) == self.known.class {
            return format!("class {}", self.external_name(self.class_of_mirror(object)));
        }
        if self.is_subclass(class, self.known.thread) {
            let name = self.heap.get_ref(object, self.known.thread_name);
            return format!("thread \"{}\"", name.some().map_or(String::new(), |name| self.text(name)));
        }
        if class == self.known.string {
            return format!("{:?}", self.text(object));
        }
        let number = object.0.saturating_sub(self.heap.split());
        if object.0 >= self.heap.split() {
            format!("{}@{number:x}", self.external_name(class))
        } else {
            self.external_name(class)
        }
    }

    /// A variable for people: `Account.balance of Account@1c`.
    pub(super) fn variable_text(&self, object: Ref, offset: u32) -> String {
        let class = ClassId(self.heap.class(object));
        match self.class(class).shape {
            Shape::Array { kind, .. } => {
                let index = offset.saturating_sub(ARRAY_DATA) / kind.size().max(1);
                format!("element {index} of {}", self.object_text(object))
            }
            _ => match self.field_at(object, offset) {
                Some((class, index)) if self.class(class).fields[index].is_static() => {
                    let name = self.classes.symbols.text(self.class(class).fields[index].name);
                    format!("{}.{name}", self.external_name(class))
                }
                Some((of, index)) => {
                    let name = self.classes.symbols.text(self.class(of).fields[index].name);
                    format!("{}.{name} of {}", self.external_name(of), self.object_text(object))
                }
                None => format!("a part of {}", self.object_text(object)),
            },
        }
    }

    /// A variable by its class and name alone.
    pub(super) fn variable_name(&self, pending: Operation) -> String {
        match self.field_at(pending.object, pending.offset) {
            Some((class, index)) => {
                let name = self.classes.symbols.text(self.class(class).fields[index].name);
                format!("{}.{name}", self.external_name(class))
            }
            None => self.external_name(ClassId(self.heap.class(pending.object))),
        }
    }

    /// The field that lies at an offset of an object: its class and place there.
    pub(super) fn field_at(&self, object: Ref, offset: u32) -> Option<(ClassId, usize)> {
        let class = ClassId(self.heap.class(object));
        if Some(class) == self.known.class && offset >= self.known.mirror_id + 8 {
            let of = self.class_of_mirror(object);
            let fields = &self.class(of).fields;
            let index = fields.iter().position(|field| field.is_static() && field.offset == offset)?;
            return Some((of, index));
        }
        let mut next = Some(class);
        while let Some(of) = next {
            let fields = &self.class(of).fields;
            if let Some(index) = fields.iter().position(|field| !field.is_static() && field.offset == offset)
            {
                return Some((of, index));
            }
            next = self.class(of).superclass;
        }
        None
    }

    fn value_of(&self, object: Ref, offset: u32) -> String {
        let class = ClassId(self.heap.class(object));
        let kind = match self.class(class).shape {
            Shape::Array { kind, .. } => kind,
            _ => match self.field_at(object, offset) {
                Some((class, index)) => self.class(class).fields[index].kind,
                None => return "?".to_string(),
            },
        };
        self.value_text(kind, object, offset)
    }

    /// A value in an object, for people.
    pub(super) fn value_text(&self, kind: Kind, object: Ref, offset: u32) -> String {
        let heap = &self.heap;
        match kind {
            Kind::Boolean => (heap.get_u8(object, offset) != 0).to_string(),
            Kind::Byte => heap.get_i8(object, offset).to_string(),
            Kind::Char => {
                format!("{:?}", char::from_u32(u32::from(heap.get_u16(object, offset))).unwrap_or('?'))
            }
            Kind::Short => heap.get_i16(object, offset).to_string(),
            Kind::Int => heap.get_i32(object, offset).to_string(),
            Kind::Long => heap.get_i64(object, offset).to_string(),
            Kind::Float => f32::from_bits(heap.get_u32(object, offset)).to_string(),
            Kind::Double => f64::from_bits(heap.get_u64(object, offset)).to_string(),
            Kind::Reference | Kind::Void => self.object_text(heap.get_ref(object, offset)),
        }
    }
}
