//! Variables by name, and what is assumed of each.

use super::Behaviour;
use super::assumptions::Discipline;
use super::assumptions::{Variable, VariableName};
use crate::classfile::access;
use crate::machine::Machine;
use crate::machine::class::{ClassId, Loader, Shape};
use crate::memory::{FLAGS, HEADER, Ref, SHARED};

/// Fields of the JDK that need no scheduling point: caches whose values do not depend on the thread that computes them, and
/// what only the thread itself uses.
const EXEMPT: &[(&str, &[&str])] = &[
    ("java/lang/String", &["hash", "hashIsZero"]),
    (
        "java/lang/Thread",
        &["threadLocals", "inheritableThreadLocals", "parkBlocker", "blocker", "eetop", "target", "group"],
    ),
    (
        "java/lang/Thread",
        &["threadLocalRandomSeed", "threadLocalRandomProbe", "threadLocalRandomSecondarySeed"],
    ),
    ("java/lang/Thread", &["threadInitNumber", "threadSeqNumber", "contextClassLoader"]),
    ("java/util/concurrent/locks/AbstractOwnableSynchronizer", &["exclusiveOwnerThread"]),
    ("java/io/File", &["status", "filePath"]),
    ("java/nio/Bits", &["PAGE_SIZE", "UNALIGNED"]),
    ("sun/nio/fs/UnixPath", &["stringValue", "hash", "offsets"]),
    ("java/lang/reflect/Constructor", &["constructorAccessor"]),
    ("java/lang/reflect/Field", &["fieldAccessor", "overrideFieldAccessor"]),
    ("java/lang/reflect/Method", &["methodAccessor"]),
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", &["numInvocations"]),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", &["numInvocations"]),
];

/// Fields of the JDK that are no part of a state.
const MASKED: &[(&str, &[&str])] = &[
    ("java/lang/Thread", &["eetop", "blockerLock", "inheritedAccessControlContext"]),
    // How often a method was called decides when code is made for it, which it never is.
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", &["numInvocations"]),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", &["numInvocations"]),
];

/// Fields of the JDK that count what has been done. They grow for ever, and matter only to programs that ask for them.
const COUNTS: &[(&str, &[&str])] = &[
    ("java/util/concurrent/ThreadPoolExecutor", &["completedTaskCount"]),
    ("java/util/concurrent/ThreadPoolExecutor$Worker", &["completedTasks"]),
];

/// Fields of the JDK that hold times, by class: tasks are due then, or waits end.
const TIMES: &[(&str, &[&str])] = &[
    ("java/util/TimerTask", &["nextExecutionTime"]),
    ("java/util/concurrent/CompletableFuture$Signaller", &["deadline"]),
    ("java/util/concurrent/Phaser$QNode", &["deadline"]),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", &["time"]),
];

impl Machine {
    /// Whether one of the common reasons holds for which an access to a variable of an object that is noticed is no scheduling
    /// point. The others are left to `touch`. It changes nothing and calls no other function, which makes it quick.
    #[inline(never)]
    pub(crate) fn needs_no_point(&self, object: Ref, offset: u32, writes: bool) -> bool {
        self.known_variable_at(object, offset).is_some_and(|key| self.keeps_discipline(object, key, writes))
    }

    /// The same for an element of an array.
    #[inline(never)]
    pub(crate) fn needs_no_point_for_element(&self, array: Ref, writes: bool) -> bool {
        let site = self.heap.get_u32(array, FLAGS) >> 1;
        site != 0 && self.keeps_discipline(array, site - 1, writes)
    }

    /// Whether an access to a variable obviously keeps what is assumed of it.
    #[inline(always)]
    fn keeps_discipline(&self, object: Ref, key: u32, writes: bool) -> bool {
        let Some(key) = self.scheduling.assumptions.variables.get(key as usize) else { return false };
        match key.discipline {
            Discipline::Exempt => true,
            Discipline::Immutable => !writes,
            Discipline::Guarded => !key.is_static && self.has_guard(object),
            Discipline::Visible => false,
        }
    }

    /// The program does what few programs do. If that was not known, the search has to begin again.
    pub(crate) fn learn_behaviour(&mut self, behaviour: Behaviour) {
        if self.scheduling.controlled
            && !self.scheduling.assumptions.fixed
            && !self.scheduling.expects(behaviour)
        {
            self.scheduling.assumptions.behaviours[behaviour as usize] = true;
            self.scheduling.assumptions.violated = Some(format!("the program {}", behaviour.name()));
            self.scheduling.assumptions.learned.learn(behaviour.name(), Discipline::Visible);
        }
    }

    /// An assumption about a variable does not hold: the search has to begin again.
    pub(crate) fn learn(&mut self, number: usize) {
        if self.scheduling.assumptions.fixed {
            return;
        }
        if self.lacks_preludes() {
            // What is looked up now will have been looked up before, so that nothing is to be learned from it.
            self.scheduling
                .assumptions
                .violated
                .get_or_insert_with(|| "the program looks up what is kept".into());
            return;
        }
        let Variable { discipline, volatile, name, .. } = self.scheduling.assumptions.variables[number];
        let next = match discipline {
            Discipline::Immutable if !volatile && self.scheduling.settings.reduce.guards() => {
                Discipline::Guarded
            }
            _ => Discipline::Visible,
        };
        self.scheduling.assumptions.variables[number].discipline = next;
        let text = self.name_of_variable(name);
        self.scheduling.assumptions.violated = Some(match next {
            Discipline::Guarded => format!("{text} is written after others can see it"),
            _ => format!("{text} is accessed by several threads without a common lock"),
        });
        self.scheduling.assumptions.learned.learn(&text, next);
    }

    /// A field as people write it, and the same in all programs of a `Load`.
    pub(crate) fn name_of_variable(&self, name: VariableName) -> String {
        match name {
            VariableName::Field(class, index) => {
                let field = &self.class(class).fields[index];
                format!("{}.{}", self.external_name(class), self.classes.symbols.text(field.name))
            }
            VariableName::Site(method, pc) => {
                format!("array of {}@{}", self.describe_method(method), self.bci(method, pc))
            }
            VariableName::Arrays(class) => self.external_name(class),
            VariableName::Other => "other".to_string(),
        }
    }

    /// The number of a variable.
    #[inline(always)]
    pub(crate) fn variable_at(&mut self, object: Ref, offset: u32) -> u32 {
        match self.known_variable_at(object, offset) {
            Some(known) => known,
            None => self.find_variable_at(object, offset),
        }
    }

    /// The number of a variable, if it was asked for before and is no element and no static field.
    #[inline(always)]
    fn known_variable_at(&self, object: Ref, offset: u32) -> Option<u32> {
        // Arrays have no table, and that of mirrors ends where the static fields begin.
        let table = self.scheduling.assumptions.of_instances.get(self.heap.class(object) as usize)?;
        table.get(offset.wrapping_sub(HEADER) as usize).copied()
    }

    #[inline(never)]
    fn find_variable_at(&mut self, object: Ref, offset: u32) -> u32 {
        let class = ClassId(self.heap.class(object));
        if class.0 == 0 || class.0 as usize >= self.classes.list.len() {
            return self.number_of_variable(VariableName::Other);
        }
        match self.class(class).shape {
            Shape::Array { .. } => match self.heap.get_u32(object, FLAGS) >> 1 {
                0 => self.number_of_variable(VariableName::Arrays(class)),
                site => site - 1,
            },
            _ if Some(class) == self.known.class && offset >= self.known.mirror_id + 8 => {
                let of = self.class_of_mirror(object);
                self.variable_of_field(of, offset, true)
            }
            _ => self.variable_of_field(class, offset, false),
        }
    }

    fn variable_of_field(&mut self, class: ClassId, offset: u32, is_static: bool) -> u32 {
        let (tables, start) = if is_static {
            (&mut self.scheduling.assumptions.of_statics, self.known.mirror_id + 8)
        } else {
            (&mut self.scheduling.assumptions.of_instances, HEADER)
        };
        if tables.len() <= class.0 as usize {
            tables.resize_with(class.0 as usize + 1, Box::default);
        }
        if tables[class.0 as usize].is_empty() {
            let table = self.variables_of_class(class, start, is_static);
            let tables = if is_static {
                &mut self.scheduling.assumptions.of_statics
            } else {
                &mut self.scheduling.assumptions.of_instances
            };
            tables[class.0 as usize] = table;
        }
        let tables = if is_static {
            &self.scheduling.assumptions.of_statics
        } else {
            &self.scheduling.assumptions.of_instances
        };
        let known = tables[class.0 as usize].get(offset.wrapping_sub(start) as usize).copied();
        known.unwrap_or_else(|| self.number_of_variable(VariableName::Other))
    }

    /// The variables of all bytes of an instance, or of all static fields of a class.
    fn variables_of_class(&mut self, class: ClassId, start: u32, is_static: bool) -> Box<[u32]> {
        let end = if is_static { self.class(class).mirror_size } else { self.class(class).size };
        let other = self.number_of_variable(VariableName::Other);
        let mut table = vec![other; (end.saturating_sub(start) as usize).max(1)];
        let lineage = self.class(class).lineage.clone();
        for declaring in lineage.iter().copied().filter(|&declaring| !is_static || declaring == class) {
            for index in 0..self.class(declaring).fields.len() {
                let field = &self.class(declaring).fields[index];
                if field.is_static() != is_static {
                    continue;
                }
                let (at, size) = (field.offset.wrapping_sub(start) as usize, field.kind.size() as usize);
                let key = self.number_of_variable(VariableName::Field(declaring, index));
                if let Some(bytes) = table.get_mut(at..at + size) {
                    bytes.fill(key);
                }
            }
        }
        table.into()
    }

    /// The number of a variable, by its name.
    fn number_of_variable(&mut self, name: VariableName) -> u32 {
        if let Some(&number) = self.scheduling.assumptions.numbers.get(&name) {
            return number;
        }
        let (volatile, is_static) = match name {
            VariableName::Field(class, index) => {
                let field = &self.class(class).fields[index];
                (field.access & access::VOLATILE != 0, field.is_static())
            }
            _ => (false, false),
        };
        let reduce = self.scheduling.settings.reduce;
        let first = match name {
            VariableName::Field(class, index) if self.is_exempt(class, index) => Discipline::Exempt,
            _ if reduce.immutable => Discipline::Immutable,
            _ if reduce.guards() && !volatile => Discipline::Guarded,
            _ => Discipline::Visible,
        };
        let known = self.scheduling.assumptions.learned.of(&self.name_of_variable(name));
        let discipline = known.map_or(first, |known| known.max(first));
        let number = self.scheduling.assumptions.variables.len() as u32;
        self.scheduling.assumptions.variables.push(Variable { name, discipline, volatile, is_static });
        self.scheduling.assumptions.numbers.insert(name, number);
        number
    }

    /// Whether accesses to a field do not matter to any other thread.
    pub(crate) fn is_exempt(&self, class: ClassId, index: usize) -> bool {
        // Of the fields that every class has in its mirror, none is the program's.
        if Some(class) == self.known.class {
            return true;
        }
        if self.class(class).loader != Loader::BOOT {
            return false;
        }
        self.is_listed(EXEMPT, class, index) || self.counts_for_nobody(class, index)
    }

    /// Whether a field is no part of a state.
    pub(crate) fn is_masked(&self, class: ClassId, index: usize) -> bool {
        self.class(class).loader == Loader::BOOT
            && (self.is_listed(MASKED, class, index) || self.counts_for_nobody(class, index))
    }

    /// Whether a field is a count that the program has not asked for.
    fn counts_for_nobody(&self, class: ClassId, index: usize) -> bool {
        let name = || self.name_of_variable(VariableName::Field(class, index));
        self.is_listed(COUNTS, class, index) && self.scheduling.assumptions.learned.of(&name()).is_none()
    }

    /// The program is about to ask for counts of the JDK: the search has to begin again with them.
    pub(crate) fn learn_counts(&mut self) {
        if !self.scheduling.controlled || self.scheduling.assumptions.fixed {
            return;
        }
        for &(class_name, fields) in COUNTS {
            let Ok(class) = self.load(Loader::BOOT, class_name) else { continue };
            for index in 0..self.class(class).fields.len() {
                let name = self.name_of_variable(VariableName::Field(class, index));
                let is_count =
                    fields.contains(&self.classes.symbols.text(self.class(class).fields[index].name));
                if is_count && self.scheduling.assumptions.learned.of(&name).is_none() {
                    self.scheduling.assumptions.learned.learn(&name, Discipline::Visible);
                    self.scheduling.assumptions.violated =
                        Some("the program asks how many tasks have been done".into());
                }
            }
        }
    }

    /// Whether a field is a time, of which counts how far it lies ahead.
    pub(crate) fn is_time(&self, class: ClassId, index: usize) -> bool {
        self.class(class).keeps_times && self.is_listed(TIMES, class, index)
    }

    fn is_listed(&self, list: &[(&str, &[&str])], class: ClassId, index: usize) -> bool {
        let (class_name, field) = (self.class_name(class), &self.class(class).fields[index]);
        let name = self.classes.symbols.text(field.name);
        list.iter().any(|(class, fields)| *class == class_name && fields.contains(&name))
    }

    /// Notes which instruction has allocated an array.
    pub(crate) fn note_allocation_site(&mut self, array: Ref) {
        let frame = *self.threads.list[self.turn.thread].top();
        let key = self.number_of_variable(VariableName::Site(frame.method, frame.pc));
        let flags = self.heap.get_u32(array, FLAGS) & SHARED | (key + 1) << 1;
        self.heap.put_u32(array, FLAGS, flags);
    }

    /// The same for an array of arrays: those that hold the elements. What leads to them is seldom written, and known by
    /// its class.
    pub(crate) fn note_allocation_site_of_rows(&mut self, array: Ref, dimensions: u16) {
        if dimensions <= 1 {
            return self.note_allocation_site(array);
        }
        for index in 0..self.heap.length(array) {
            self.note_allocation_site_of_rows(self.element(array, index), dimensions - 1);
        }
    }

    /// Whether an object is an array.
    pub(crate) fn is_array(&self, object: Ref) -> bool {
        matches!(self.class(ClassId(self.heap.class(object))).shape, Shape::Array { .. })
    }

    /// What stands for the place that has allocated an object, on every worker.
    pub(crate) fn hash_of_site(&self, object: Ref) -> u64 {
        match self.heap.get_u32(object, FLAGS) >> 1 {
            site @ 1.. if self.is_array(object) => crate::machine::name_hash(
                &self.name_of_variable(self.scheduling.assumptions.variables[site as usize - 1].name),
                6,
            ),
            _ => crate::machine::name_hash(self.class_name(ClassId(self.heap.class(object))), 5),
        }
    }
}
