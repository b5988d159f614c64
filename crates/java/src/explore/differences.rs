//! States in named components: what a walk says of the difference between two states.
//!
//! An object is called by a way to it (`Main.queue.head.next`), from static fields if there is one, and a reference to it by
//! that. So two objects that are in the same place of two states have the same name, however the objects before them are
//! numbered, and a difference shows where it is and not in everything behind it.

use super::sinks::{Item, Sink};
use crate::classfile::Kind;
use crate::explain::in_table;
use crate::machine::class::{ClassId, MethodId, Shape};
use crate::machine::visible::Guard;
use crate::machine::{Machine, Resume, Status, Thread};
use crate::memory::{ARRAY_DATA, HASH, HEADER, Ref};
use hashbrown::HashMap;
use sojourner_program::Component;
use std::collections::VecDeque;

/// So many elements of an array are components of their own; the others are one together.
const ELEMENTS: u32 = 64;

/// Ways to objects that are longer are cut.
const LONGEST_WAY: usize = 100;

/// Takes down a state in named components.
pub(super) struct ComponentRecorder<'a> {
    machine: &'a Machine,
    unnamed: Vec<UnnamedComponent>,
    /// The objects in the order of the walk.
    objects: Vec<Ref>,
    /// Whose the next components are.
    owner: Owner,
    /// The method and the bytecode of the last frame.
    at: Option<(MethodId, u16)>,
    /// What the next word is, if its name is all that is known.
    number: Option<String>,
}

/// A component, before objects have names.
struct UnnamedComponent {
    kind: String,
    owner: Owner,
    value: Value,
    place: bool,
}

/// Whose a component is.
#[derive(Clone)]
enum Owner {
    /// An owner with a name: the program, a thread, a frame.
    Known(String),
    /// An object.
    Object(Ref),
    /// An element of an array.
    Element(Ref, u32),
}

/// What a component holds.
enum Value {
    Text(String),
    /// A reference, and the way to the object from the owner.
    Reference(Ref, ObjectPath),
}

/// How an object is reached.
enum ObjectPath {
    /// From the start, by that name. Static fields come first: they have the names that people know.
    Root(PathRank, String),
    /// From the owner, which is an object: a field, or an element.
    Step(String),
}

/// The order in which ways are tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PathRank {
    Static,
    Thread,
    Frame,
    Other,
}

impl<'a> ComponentRecorder<'a> {
    pub fn new(machine: &'a Machine) -> ComponentRecorder<'a> {
        let owner = Owner::Known(String::new());
        ComponentRecorder { machine, unnamed: Vec::new(), objects: Vec::new(), owner, at: None, number: None }
    }

    /// The components, when the walk has ended.
    pub fn finish(self, out: &mut Vec<Component>) {
        let ways = self.ways();
        for UnnamedComponent { kind, owner, value, place } in self.unnamed {
            let text = |object: &Ref| ways.get(object).cloned().unwrap_or_else(|| "?".to_string());
            let value = match value {
                Value::Text(text) => text,
                Value::Reference(object, way) => {
                    let here = match (&owner, way) {
                        (_, ObjectPath::Root(_, name)) => name,
                        (Owner::Object(from) | Owner::Element(from, _), ObjectPath::Step(step)) => {
                            text(from) + &step
                        }
                        (Owner::Known(_), ObjectPath::Step(step)) => step,
                    };
                    let class = class_text(self.machine, object);
                    let known = text(&object);
                    // Where it is called by this way, to say so would say nothing.
                    if known == cut(here, 0) { format!("a {class}") } else { format!("the {class} {known}") }
                }
            };
            let owner = match owner {
                Owner::Known(name) => name,
                Owner::Object(object) => text(&object),
                Owner::Element(array, index) => format!("element {index} of {}", text(&array)),
            };
            out.push(Component { kind, owner, value, place });
        }
    }

    /// What objects are called: by the first way to them, breadth-first from each root, roots by rank.
    fn ways(&self) -> HashMap<Ref, String> {
        let mut roots: Vec<(PathRank, &str, Ref)> = Vec::new();
        let mut steps: HashMap<Ref, Vec<(&str, Ref)>> = HashMap::new();
        for UnnamedComponent { owner, value, .. } in &self.unnamed {
            match (owner, value) {
                (_, Value::Reference(to, ObjectPath::Root(rank, name))) => roots.push((*rank, name, *to)),
                (
                    Owner::Object(from) | Owner::Element(from, _),
                    Value::Reference(to, ObjectPath::Step(step)),
                ) => {
                    steps.entry(*from).or_default().push((step, *to));
                }
                _ => {}
            }
        }
        roots.sort_by_key(|root| root.0);
        let mut ways: HashMap<Ref, String> = HashMap::new();
        let mut queue = VecDeque::new();
        for (_, name, root) in roots {
            let count = ways.len();
            ways.entry(root).or_insert_with(|| {
                queue.push_back(root);
                cut(name.to_string(), count)
            });
            while let Some(from) = queue.pop_front() {
                for &(step, to) in steps.get(&from).into_iter().flatten() {
                    if !ways.contains_key(&to) {
                        let way = cut(format!("{}{step}", ways[&from]), ways.len());
                        ways.insert(to, way);
                        queue.push_back(to);
                    }
                }
            }
        }
        ways
    }

    fn draft(&mut self, kind: impl Into<String>, value: Value, place: bool) {
        self.unnamed.push(UnnamedComponent { kind: kind.into(), owner: self.owner.clone(), value, place });
    }

    fn put(&mut self, kind: impl Into<String>, value: impl Into<String>) {
        self.draft(kind, Value::Text(value.into()), false);
    }

    fn place(&mut self, kind: &str, value: String) {
        self.draft(kind, Value::Text(value), true);
    }

    /// A reference that lies on that way.
    fn reference(&self, object: Ref, way: ObjectPath) -> Value {
        if object.0 < self.machine.heap.split() {
            return Value::Text(self.machine.object_text(object));
        }
        Value::Reference(object, way)
    }

    /// The name of the owner, as far as it is known.
    fn owner(&self) -> String {
        match &self.owner {
            Owner::Known(name) => name.clone(),
            Owner::Object(_) | Owner::Element(..) => String::new(),
        }
    }

    fn class_here(&self) -> Option<(Ref, ClassId, String)> {
        let object = *self.objects.last()?;
        Some((object, ClassId(self.machine.heap.class(object)), class_text(self.machine, object)))
    }

    fn thread(&mut self, index: usize) {
        let machine = self.machine;
        let thread: &Thread = &machine.threads.list[index];
        let name = format!("thread {}", machine.thread_name(index));
        self.owner = Owner::Known(name.clone());
        let (doing, object) = match thread.status {
            Status::Runnable => ("can run", Ref::NULL),
            Status::Entering(object) => ("waits for a monitor", object),
            Status::Waiting { on, .. } => ("waits to be notified", on),
            Status::Parked { .. } => ("is parked", Ref::NULL),
            Status::Sleeping { .. } => ("sleeps", Ref::NULL),
            Status::Joining(object) => ("waits for the end of a thread", object),
            Status::Initialising(class) => ("waits for a class", machine.class(class).mirror),
            Status::Leaving => ("has left main", Ref::NULL),
            Status::Finished => ("is over", Ref::NULL),
        };
        self.place("status", doing.to_string());
        let own = self.reference(thread.object, ObjectPath::Root(PathRank::Thread, name.clone()));
        self.draft("object of a thread", own, false);
        if !object.is_null() {
            let awaited =
                self.reference(object, ObjectPath::Root(PathRank::Other, format!("what {name} waits for")));
            self.draft("what a thread waits for", awaited, false);
        }
        let numbers = [
            ("why a thread goes on", thread.woken.map_or(0, |woken| woken as u32 + 1)),
            ("permit of a thread to go on", u32::from(thread.permit)),
            ("whether its choice comes first", u32::from(thread.urgent)),
            ("whether a thread is suspended", u32::from(thread.suspended)),
            ("whether a thread was told to stop", u32::from(thread.stopped)),
            ("whether what a thread does not catch was told of", u32::from(thread.reported)),
            ("whether a thread is a daemon", u32::from(thread.daemon)),
            ("entries of the monitor that a thread waits on", thread.entries),
            ("atomic sections of a thread", thread.atomic),
            ("method of java.util.concurrent that a thread is in", thread.region),
            ("outcomes of a thread's choice", thread.outcomes),
            ("identity hash codes that a thread has asked for", thread.hashes),
        ];
        for (kind, number) in numbers {
            self.put(kind, number.to_string());
        }
    }

    fn frame(&mut self, index: usize, depth: usize) {
        let machine = self.machine;
        let frame = &machine.threads.list[index].frames[depth];
        let bci = machine.bci(frame.method, frame.pc);
        self.owner = Owner::Known(format!("thread {}, call {}", machine.thread_name(index), depth + 1));
        self.at = Some((frame.method, bci));
        self.place("place", machine.describe_place(frame.method, bci));
        let resume = if frame.resume == Resume::Again { ", executed again afterwards" } else { "" };
        let kind = format!("instruction of {}", self.method_here());
        self.put(kind, format!("{}{resume}", frame.pc));
    }

    fn method_here(&self) -> String {
        let Some((method, _)) = self.at else { return String::new() };
        let of = self.machine.method(method);
        format!("{}.{}", self.machine.external_name(of.class), self.machine.classes.symbols.text(of.name))
    }

    fn register(&mut self, register: u16, is_reference: bool, value: u64) {
        let Some((method, bci)) = self.at else { return };
        let of = self.machine.method(method);
        let file = self.machine.class(of.class).file.as_ref();
        let locals = file.and_then(|file| Some(file.code(of.attributes).ok()??.max_locals)).unwrap_or(0);
        let name = file.and_then(|file| in_table(file, of.index, usize::from(bci), register));
        let name = match name {
            Some(name) => name,
            None if register < locals => format!("local {register}"),
            None => format!("operand {}", register - locals),
        };
        let kind = format!("variable {name} of {}", self.method_here());
        let way = ObjectPath::Root(PathRank::Frame, format!("{name} in {}", self.owner()));
        let value = match is_reference {
            true => self.reference(Ref(value as u32), way),
            false => Value::Text(value.cast_signed().to_string()),
        };
        self.draft(kind, value, false);
    }

    /// The fields of an object that lie in a word of it.
    fn word(&mut self, object: Ref, class: ClassId, offset: u32, of_class: bool) {
        let machine = self.machine;
        let mut fields: Vec<(u32, ClassId, usize)> = Vec::new();
        let lineage: &[ClassId] = if of_class { &[class] } else { &machine.class(class).lineage };
        for &declaring in lineage {
            for (index, field) in machine.class(declaring).fields.iter().enumerate() {
                let here = (offset..offset + 8).contains(&field.offset);
                let masked = !of_class && machine.is_masked(declaring, index);
                if field.is_static() == of_class && here && !masked {
                    fields.push((field.offset, declaring, index));
                }
            }
        }
        fields.sort_unstable_by_key(|field| field.0);
        for (offset, declaring, index) in fields {
            let field = &machine.class(declaring).fields[index];
            let name = machine.classes.symbols.text(field.name);
            let class = machine.external_name(declaring);
            let way = match &self.owner {
                Owner::Known(owner) if of_class || owner.is_empty() => {
                    ObjectPath::Root(PathRank::Static, format!("{class}.{name}"))
                }
                Owner::Known(owner) => ObjectPath::Root(PathRank::Static, format!("{owner}.{name}")),
                Owner::Object(_) | Owner::Element(..) => ObjectPath::Step(format!(".{name}")),
            };
            let value = self.value(field.kind, object, offset, way);
            let sort = if of_class { "static field" } else { "field" };
            self.draft(format!("{sort} {class}.{name}"), value, false);
        }
    }

    fn value(&self, kind: Kind, object: Ref, offset: u32, way: ObjectPath) -> Value {
        match kind {
            Kind::Reference => self.reference(self.machine.heap.get_ref(object, offset), way),
            kind => Value::Text(self.machine.value_text(kind, object, offset)),
        }
    }

    /// A word of an object that is there for ever.
    fn permanent(&mut self, object: Ref, offset: u32) {
        let machine = self.machine;
        let class = ClassId(machine.heap.class(object));
        let is_mirror = Some(class) == machine.known.class;
        // The program has these; all states have components of it.
        self.owner = Owner::Known(String::new());
        if !is_mirror {
            let class = class_text(machine, object);
            self.owner = Owner::Known(format!("the {class} at {:x}, which is always there", object.0));
        }
        if offset == 0 {
            self.monitor(object);
        } else if is_mirror && offset == machine.known.mirror_id {
            let of = machine.class_of_mirror(object);
            let status = machine.heap.get_u32(object, offset + 4);
            let kind = format!("initialisation of class {}", machine.external_name(of));
            let (stage, by) = (status & 0xFF, (status >> 8) as usize);
            let value = match stage {
                1 | 4 if by < machine.threads.list.len() => {
                    format!("under way, by {}", machine.thread_name(by))
                }
                2 => "done".to_string(),
                _ => format!("stage {stage}"),
            };
            self.put(kind, value);
        } else if is_mirror && offset > machine.known.mirror_id {
            self.word(object, machine.class_of_mirror(object), offset, true);
        } else if let Shape::Array { kind, .. } = machine.class(class).shape {
            let first = offset.saturating_sub(ARRAY_DATA) / kind.size();
            let end = (first + 8 / kind.size()).min(machine.heap.length(object));
            for index in first..end {
                self.element(object, kind, index);
            }
        } else if offset >= HEADER {
            self.word(object, class, offset, false);
        }
    }

    fn element(&mut self, object: Ref, kind: Kind, index: u32) {
        let class = class_text(self.machine, object);
        let way = match &self.owner {
            Owner::Known(owner) => ObjectPath::Root(PathRank::Static, format!("{owner}[{index}]")),
            Owner::Object(_) | Owner::Element(..) => ObjectPath::Step(format!("[{index}]")),
        };
        let value = self.value(kind, object, ARRAY_DATA + index * kind.size(), way);
        let of = match &self.owner {
            Owner::Known(owner) => Owner::Known(format!("element {index} of {owner}")),
            Owner::Object(_) | Owner::Element(..) => Owner::Element(object, index),
        };
        let owner = std::mem::replace(&mut self.owner, of);
        self.draft(format!("element of {class}"), value, false);
        self.owner = owner;
    }

    fn elements(&mut self) {
        let Some((object, class, name)) = self.class_here() else { return };
        let Shape::Array { kind, .. } = self.machine.class(class).shape else { return };
        let length = self.machine.heap.length(object);
        // References are ways to other objects, and are all told.
        let most = if kind == Kind::Reference { length } else { length.min(ELEMENTS) };
        for index in 0..most {
            self.element(object, kind, index);
        }
        if most < length {
            let rest: String = (most..length)
                .map(|index| self.machine.value_text(kind, object, ARRAY_DATA + index * kind.size()) + " ")
                .collect();
            self.put(format!("elements of {name} behind the first {ELEMENTS}"), rest);
        }
    }

    fn monitor(&mut self, object: Ref) {
        let machine = self.machine;
        let holder = machine.holder(object).map_or("free".to_string(), |(thread, count)| {
            let times = if count == 1 { String::new() } else { format!(", {count} times") };
            format!("held by {}{times}", machine.thread_name(thread))
        });
        let of = match Some(ClassId(machine.heap.class(object))) == machine.known.class {
            true => machine.object_text(object),
            false => class_text(machine, object),
        };
        self.put(format!("monitor of {of}"), holder);
    }

    fn object(&mut self, object: Ref) {
        self.objects.push(object);
        self.owner = Owner::Object(object);
        let Some((_, class, name)) = self.class_here() else { return };
        let hash = self.machine.heap.get_u32(object, HASH);
        self.put(format!("identity hash code of {name}"), hash.to_string());
        if matches!(self.machine.class(class).shape, Shape::Array { .. }) {
            self.put(format!("length of {name}"), self.machine.heap.length(object).to_string());
        }
    }

    fn guard(&mut self, number: u32, guard: Guard) {
        let object = number.checked_sub(1).and_then(|number| self.objects.get(number as usize)).copied();
        // Permanent objects have other numbers.
        self.owner = object.map_or(Owner::Known(format!("number {number}")), Owner::Object);
        let class =
            object.map_or("a permanent object".to_string(), |object| class_text(self.machine, object));
        let (what, value) = match guard {
            Guard::None => return,
            Guard::Owner(thread) => {
                let owner = self.machine.thread_name(self.machine.heir(thread));
                ("thread that alone accesses", Value::Text(owner))
            }
            Guard::Lock(lock) if lock.0 >= self.machine.heap.split() && !self.objects.contains(&lock) => {
                ("lock that guards", Value::Text("an object that is gone".to_string()))
            }
            // It is reached by other ways: by this one it gets no name.
            Guard::Lock(lock) => (
                "lock that guards",
                self.reference(lock, ObjectPath::Root(PathRank::Other, "a guard".to_string())),
            ),
        };
        self.draft(format!("{what} {class}"), value, false);
    }
}

/// The class of an object, as it is written in a program.
fn class_text(machine: &Machine, object: Ref) -> String {
    let class = ClassId(machine.heap.class(object));
    match machine.class(class).shape {
        Shape::Array { .. } => {
            let (mut element, mut brackets) = (class, String::new());
            while let Shape::Array { component, .. } = machine.class(element).shape {
                (element, brackets) = (component, brackets + "[]");
            }
            machine.external_name(element) + &brackets
        }
        _ => machine.external_name(class),
    }
}

/// A way that is not too long, and differs from others of `number` or less.
fn cut(way: String, number: usize) -> String {
    if way.len() <= LONGEST_WAY {
        return way;
    }
    let start: String = way.chars().take(LONGEST_WAY / 2).collect();
    format!("{start}...({number})")
}

impl Sink for ComponentRecorder<'_> {
    const NAMED: bool = true;

    fn note(&mut self, item: Item) {
        match item {
            Item::End => {
                let text = self
                    .machine
                    .outcome
                    .exit
                    .map_or("no".to_string(), |status| format!("with status {status}"));
                self.put("whether the program has ended", text);
                self.put("whether the execution is dropped", self.machine.outcome.ignored.to_string());
            }
            Item::Number(name) => {
                let of = if name == "number" { self.class_here().map(|(.., name)| name) } else { None };
                self.number = Some(of.map_or(name.to_string(), |of| format!("{name} of {of}")));
            }
            Item::Thread(index) => self.thread(index),
            Item::Frame(index, depth) => self.frame(index, depth),
            Item::Lock(object) => {
                let lock = self.reference(
                    object,
                    ObjectPath::Root(PathRank::Other, format!("lock in {}", self.owner())),
                );
                self.draft(format!("lock of {}", self.method_here()), lock, false);
            }
            Item::Register(register, is_reference, value) => self.register(register, is_reference, value),
            Item::Permanent(object, offset) => self.permanent(object, offset),
            Item::Object(object) => self.object(object),
            Item::Word(offset) => {
                if let Some((object, class, _)) = self.class_here() {
                    self.word(object, class, offset, false);
                }
            }
            Item::Text => {
                if let Some((object, ..)) = self.class_here() {
                    self.put("characters of java.lang.String", self.machine.text(object));
                }
            }
            Item::References | Item::Primitives => self.elements(),
            Item::Monitor => {
                if let Some((object, ..)) = self.class_here() {
                    self.monitor(object);
                }
            }
            Item::Garbage(object) => {
                if !self.objects.contains(&object) {
                    let name = format!("garbage {}", self.objects.len());
                    self.owner = Owner::Known(name.clone());
                    let what = self.reference(object, ObjectPath::Root(PathRank::Other, name));
                    self.draft("garbage", what, false);
                }
            }
            Item::Guard(number, guard) => self.guard(number, guard),
        }
    }

    fn begin(&mut self, _: u8, _: u64) {}

    fn word(&mut self, word: u64) {
        if let Some(kind) = self.number.take() {
            self.put(kind, word.to_string());
        }
    }
}
