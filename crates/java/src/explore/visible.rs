//! Which operations other threads can notice, and which of those are scheduling points.
//!
//! A transition is one visible operation and everything invisible behind it: it ends just before the next visible one.
//! An operation is not visible for one of these reasons, each of which can be switched off:
//!
//! - `alone`: no other thread is alive;
//! - `private`: only its own thread can reach the object. An object is shared from when a reference to it is stored in
//!   a shared one, or its thread is started; static fields are always shared;
//! - `immutable`: nobody writes the field once the object is shared;
//! - `locked`: whoever accesses the field of a shared object holds the object's guard, a lock that is the same for all
//!   accesses. The guard is a part of the state, so that merging states merges no disciplines;
//! - `owned`: the same with a thread in place of the lock: nobody else accesses the object, unless it has waited for the
//!   thread's end (`guards`).
//!
//! The last three are assumptions, checked at every access whether it is a scheduling point or not: see `learned`.

use super::learned::Discipline;
use super::watch::{Habit, Key, KeyName};
use super::{Juc, Pending, What};
use crate::class::{ClassId, Loader, Shape, status};
use crate::classfile::{Kind, access};
use crate::machine::{Machine, Run, Trouble};
use crate::memory::{ARRAY_DATA, FLAGS, HEADER, Ref, SHARED};
use sojourner_program::Mode;

/// Fields of the JDK that need no scheduling point: caches whose values are the same whoever computes them, and what only
/// the thread itself uses.
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

/// Fields of the JDK that count what has been done. They grow for ever, and matter to no program that does not ask for them.
const COUNTS: &[(&str, &[&str])] = &[
    ("java/util/concurrent/ThreadPoolExecutor", &["completedTaskCount"]),
    ("java/util/concurrent/ThreadPoolExecutor$Worker", &["completedTasks"]),
];

/// Fields of the JDK that hold times, by class: tasks are due then, or those who wait give up.
const TIMES: &[(&str, &[&str])] = &[
    ("java/util/TimerTask", &["nextExecutionTime"]),
    ("java/util/concurrent/CompletableFuture$Signaller", &["deadline"]),
    ("java/util/concurrent/Phaser$QNode", &["deadline"]),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", &["time"]),
];

impl Machine {
    /// Whether an access to an object may be visible: a quick look, before `touch`.
    #[inline(always)]
    pub(crate) fn is_noticed(&self, object: Ref) -> bool {
        self.watch.watching
            && (object.0 < self.heap.split() || self.heap.get_u32(object, FLAGS) & SHARED != 0)
    }

    /// Whether accesses to shared objects, and turns, matter from now on. Of a thread that has ended, what it did last may
    /// have been fused with operations long before. As long as nobody has waited for its end, that is not ordered before
    /// what the last thread does, which therefore has to keep the disciplines although nobody is left to take turns with.
    pub(crate) fn look_around(&mut self) {
        // Under a reduction, what a thread does alone must come behind all that others have done.
        let alone = self.alive <= 1
            && self.watch.settings.reduce.alone
            && !(self.watch.steps_singly() && self.has_unseen_ends());
        let exploring = self.watch.on && !self.watch.is_in_scope();
        self.watch.turns = exploring && !alone;
        self.watch.watching = exploring && (!alone || self.has_unseen_ends());
    }

    /// Whether a thread has ended that no other has waited for.
    pub(crate) fn has_unseen_ends(&self) -> bool {
        self.threads.iter().any(|thread| thread.unseen)
    }

    /// The current thread knows that another one has ended: all that it did comes before what is done from now on.
    pub(crate) fn see_end(&mut self, object: Ref) {
        let over = |thread: &crate::machine::Thread| thread.unseen && thread.object == object;
        if let Some(thread) = self.threads.iter().position(over) {
            let heir = self.current as u32;
            let standing = self.standing(thread);
            (standing.unseen, standing.heir) = (false, Some(heir));
            // What it guards is guarded by another one now.
            self.lineup = self.version();
            self.look_around();
        }
    }

    /// Whether one of the common reasons holds for which an access to a variable of an object that is noticed is no scheduling
    /// point. The others are left to `touch`. It changes nothing and calls nobody, which makes it quick.
    #[inline(never)]
    pub(crate) fn is_quiet(&self, object: Ref, offset: u32, writes: bool) -> bool {
        self.known_key_of(object, offset).is_some_and(|key| self.keeps_discipline(object, key, writes))
    }

    /// The same for an element of an array.
    #[inline(never)]
    pub(crate) fn is_quiet_element(&self, array: Ref, writes: bool) -> bool {
        let site = self.heap.get_u32(array, FLAGS) >> 1;
        site != 0 && self.keeps_discipline(array, site - 1, writes)
    }

    /// Whether an access to a variable of a key is obviously as disciplined as is assumed.
    #[inline(always)]
    fn keeps_discipline(&self, object: Ref, key: u32, writes: bool) -> bool {
        let Some(key) = self.watch.keys.get(key as usize) else { return false };
        match key.discipline {
            Discipline::Exempt => true,
            Discipline::Immutable => !writes,
            Discipline::Guarded => !key.is_static && self.has_guard(object),
            Discipline::Visible => false,
        }
    }

    /// An access to a variable of an object that is noticed: a scheduling point, unless one of the reasons holds.
    pub(crate) fn touch(&mut self, object: Ref, offset: u32, what: What) -> Run<()> {
        self.touch_span(object, offset, 0, what)
    }

    /// The same for a variable and those that lie so many bytes behind it: elements of an array, which have one key.
    fn touch_span(&mut self, object: Ref, offset: u32, behind: u32, what: What) -> Run<()> {
        let number = self.key_of(object, offset) as usize;
        let Key { discipline, volatile, is_static, name } = self.watch.keys[number];
        let writes = !matches!(what, What::Read | What::ReadVolatile);
        match discipline {
            Discipline::Exempt => return Ok(()),
            Discipline::Immutable if !writes => return Ok(()),
            // Nobody else gets to the static fields of a class before its initialiser is done.
            Discipline::Immutable | Discipline::Guarded if is_static && self.is_initialising(name) => {
                return Ok(());
            }
            Discipline::Guarded if self.is_guarded(object, number) => return Ok(()),
            Discipline::Immutable => self.learn(number),
            Discipline::Guarded => {
                let number = self.key_to_blame(object, number);
                self.learn(number);
            }
            Discipline::Visible => {}
        }
        let what = match what {
            What::Read if volatile => What::ReadVolatile,
            What::Write if volatile => What::WriteVolatile,
            other => other,
        };
        self.visible(Pending { what, object, offset, behind })
    }

    /// Whether accesses to a variable of a shared object are scheduling points.
    pub(super) fn is_visible(&mut self, object: Ref, offset: u32) -> bool {
        let key = self.key_of(object, offset) as usize;
        self.is_noticed(object) && self.watch.keys[key].discipline == Discipline::Visible
    }

    /// Elements of an array that is noticed are about to be accessed in one go.
    pub(crate) fn touch_elements(&mut self, array: Ref, first: u32, count: u32, what: What) -> Run<()> {
        let class = ClassId(self.heap.class(array));
        let Shape::Array { kind, .. } = self.class(class).shape else { return Ok(()) };
        let behind = count.saturating_sub(1) * kind.size();
        self.touch_span(array, ARRAY_DATA + first * kind.size(), behind, what)
    }

    /// All of an object is about to be read in one go: one visible operation, if any.
    pub(crate) fn touch_whole(&mut self, object: Ref) -> Run<()> {
        let class = ClassId(self.heap.class(object));
        if let Shape::Array { .. } = self.class(class).shape {
            let length = self.heap.length(object);
            self.touch_elements(object, 0, length, What::Read)?;
            self.note_elements(object, 0, length, Mode::Read);
            return Ok(());
        }
        let lineage = self.class(class).lineage.iter();
        let fields = lineage.flat_map(|&of| self.class(of).fields.iter());
        let offsets: Vec<u32> = fields.filter(|field| !field.is_static()).map(|field| field.offset).collect();
        let free = self.watch.free;
        let mut granted = false;
        for offset in offsets {
            // What the first has been granted holds for all.
            self.watch.free = free;
            self.touch(object, offset, What::Read)?;
            granted |= free && !self.watch.free;
        }
        self.watch.free = free && !granted;
        Ok(())
    }

    /// A visible operation is about to happen. If it is not the first one of its transition, the transition ends here,
    /// and the operation is tried again when the thread has its next turn.
    pub(crate) fn visible(&mut self, pending: Pending) -> Run<()> {
        if !self.watch.turns {
            // Others may have been about to add when they ended.
            if self.watch.watching {
                self.region();
            }
            return Ok(());
        }
        let current = self.current;
        let base = self.region();
        let (region, atomic) = (self.threads[current].region, self.threads[current].atomic);
        let inside = base != 0 && region == base;
        if self.watch.free {
            self.watch.free = false;
            self.watch.performed = pending;
            if self.watch.settings.granularity == super::Granularity::Line {
                self.watch.line = self.line_here();
            }
            if self.watch.wants_place {
                self.watch.place = self.location_of(current);
            }
            if region != base {
                self.standing(current).region = base;
            }
            self.note_operation(pending);
            return Ok(());
        }
        if inside || atomic > 0 || self.is_on_the_same_line() {
            self.watch.fused = true;
            self.goes_by_what_it_finds();
            self.note_operation(pending);
            return Ok(());
        }
        let standing = self.standing(current);
        standing.pending = pending;
        standing.region = 0;
        Err(Trouble::Yield)
    }

    /// The frame of the method of `java.util.concurrent` that the current thread is in the middle of, plus one; 0 if it
    /// is in none. What is counted in several places is added and summed up step by step, but only in programs that ask for
    /// sums while others add.
    fn region(&mut self) -> u32 {
        let (base, asks) = self.find_region(self.current);
        if asks {
            self.learn_habit(Habit::Sums);
        }
        base
    }

    /// The same for any thread.
    pub(super) fn region_of(&self, thread: usize) -> u32 {
        self.find_region(thread).0
    }

    /// The frame of the method of `java.util.concurrent` that a thread is in the middle of, plus one, or 0 if it is in none, or
    /// in code of the program that such a method has called; and whether it asks for a sum. Once that is known of the
    /// program, the methods that count are in the middle of nothing.
    fn find_region(&self, thread: usize) -> (u32, bool) {
        if self.watch.settings.juc == Juc::Real {
            return (0, false);
        }
        let asked = self.watch.habits[Habit::Sums as usize];
        let (mut base, mut asks) = (0, false);
        let (mut counts, mut looks_up) = (false, false);
        for (depth, frame) in self.threads[thread].frames.iter().enumerate().rev() {
            let method = self.method(frame.method);
            let class = self.class(method.class);
            if class.loader != Loader::BOOT {
                break;
            }
            counts |= method.marks.adds || method.marks.sums;
            looks_up |= class.looks_up;
            // Those who add look at the sum, too, in order to grow.
            asks = (asks || method.marks.sums) && !method.marks.adds;
            if class.concurrent && !method.marks.hidden && !method.marks.several {
                base = depth as u32 + 1;
            }
        }
        match () {
            // What the rest of the library counts and asks for is not the program's affair.
            () if looks_up => (base, false),
            () if asked && counts => (0, false),
            () => (base, asks),
        }
    }

    fn is_on_the_same_line(&self) -> bool {
        if self.watch.settings.granularity == super::Granularity::Operation {
            return false;
        }
        self.line_here().is_some_and(|here| self.watch.line == Some(here))
    }

    /// The line of the program's own code that the current thread is on, and how deep in its stack that is.
    pub(super) fn line_here(&self) -> Option<(usize, u32, i32)> {
        let frames = self.threads[self.current].frames.iter().enumerate().rev();
        let mut own = frames.filter(|(_, frame)| {
            let method = self.method(frame.method);
            !method.marks.hidden && self.class(method.class).loader != Loader::BOOT
        });
        let (depth, frame) = own.next()?;
        Some((depth, frame.method.0, self.line(frame.method, self.bci(frame.method, frame.pc))))
    }

    /// Whether the current thread runs the static initialiser of the class that has the field.
    fn is_initialising(&self, name: KeyName) -> bool {
        let KeyName::Field(class, _) = name else { return false };
        let word = self.status(class);
        word & status::MASK == status::RUNNING && word >> status::OWNER == self.current as u32
    }

    /// The program does what few programs do. If it had not been known to, the search has to begin again.
    pub(crate) fn learn_habit(&mut self, habit: Habit) {
        if self.watch.on && !self.watch.follows && !self.watch.habits[habit as usize] {
            self.watch.habits[habit as usize] = true;
            self.watch.violated = Some(format!("the program {}", habit.name()));
            self.watch.learned.learn(habit.name(), Discipline::Visible);
        }
    }

    /// A field is not as disciplined as was assumed: the search has to begin again.
    fn learn(&mut self, number: usize) {
        if self.watch.follows {
            return;
        }
        if self.lacks_preludes() {
            // What is looked up now will have been looked up before, so that nothing is to be learned from it.
            self.watch.violated.get_or_insert_with(|| "the program looks up what is kept".into());
            return;
        }
        let Key { discipline, volatile, name, .. } = self.watch.keys[number];
        let next = match discipline {
            Discipline::Immutable if !volatile && self.watch.settings.reduce.guards() => Discipline::Guarded,
            _ => Discipline::Visible,
        };
        self.watch.keys[number].discipline = next;
        let text = self.name_of_key(name);
        self.watch.violated = Some(match next {
            Discipline::Guarded => format!("{text} is written after others can see it"),
            _ => format!("{text} is accessed by several threads without a common lock"),
        });
        self.watch.learned.learn(&text, next);
    }

    /// A field as people write it, and the same in all programs of a `Load`.
    pub(super) fn name_of_key(&self, name: KeyName) -> String {
        match name {
            KeyName::Field(class, index) => {
                let field = &self.class(class).fields[index];
                format!("{}.{}", self.external_name(class), self.symbols.text(field.name))
            }
            KeyName::Site(method, pc) => {
                format!("array of {}@{}", self.describe_method(method), self.bci(method, pc))
            }
            KeyName::Arrays(class) => self.external_name(class),
            KeyName::Other => "other".to_string(),
        }
    }

    /// The key of a variable.
    #[inline(always)]
    pub(super) fn key_of(&mut self, object: Ref, offset: u32) -> u32 {
        match self.known_key_of(object, offset) {
            Some(known) => known,
            None => self.find_key_of(object, offset),
        }
    }

    /// The key of a variable, if somebody has asked for it before and it is no element and no static field.
    #[inline(always)]
    fn known_key_of(&self, object: Ref, offset: u32) -> Option<u32> {
        // Arrays have no table, and that of mirrors ends where the static fields begin.
        let table = self.watch.of_instances.get(self.heap.class(object) as usize)?;
        table.get(offset.wrapping_sub(HEADER) as usize).copied()
    }

    #[inline(never)]
    fn find_key_of(&mut self, object: Ref, offset: u32) -> u32 {
        let class = ClassId(self.heap.class(object));
        if class.0 == 0 || class.0 as usize >= self.classes.len() {
            return self.key(KeyName::Other);
        }
        match self.class(class).shape {
            Shape::Array { .. } => match self.heap.get_u32(object, FLAGS) >> 1 {
                0 => self.key(KeyName::Arrays(class)),
                site => site - 1,
            },
            _ if Some(class) == self.known.class && offset >= self.known.mirror_id + 8 => {
                let of = self.class_of_mirror(object);
                self.key_of_field(of, offset, true)
            }
            _ => self.key_of_field(class, offset, false),
        }
    }

    fn key_of_field(&mut self, class: ClassId, offset: u32, is_static: bool) -> u32 {
        let (tables, start) = if is_static {
            (&mut self.watch.of_statics, self.known.mirror_id + 8)
        } else {
            (&mut self.watch.of_instances, HEADER)
        };
        if tables.len() <= class.0 as usize {
            tables.resize_with(class.0 as usize + 1, Box::default);
        }
        if tables[class.0 as usize].is_empty() {
            let table = self.keys_of_class(class, start, is_static);
            let tables = if is_static { &mut self.watch.of_statics } else { &mut self.watch.of_instances };
            tables[class.0 as usize] = table;
        }
        let tables = if is_static { &self.watch.of_statics } else { &self.watch.of_instances };
        let known = tables[class.0 as usize].get(offset.wrapping_sub(start) as usize).copied();
        known.unwrap_or_else(|| self.key(KeyName::Other))
    }

    /// The keys of all bytes of an instance, or of all static fields of a class.
    fn keys_of_class(&mut self, class: ClassId, start: u32, is_static: bool) -> Box<[u32]> {
        let end = if is_static { self.class(class).mirror_size } else { self.class(class).size };
        let other = self.key(KeyName::Other);
        let mut table = vec![other; (end.saturating_sub(start) as usize).max(1)];
        let lineage = self.class(class).lineage.clone();
        for declaring in lineage.iter().copied().filter(|&declaring| !is_static || declaring == class) {
            for index in 0..self.class(declaring).fields.len() {
                let field = &self.class(declaring).fields[index];
                if field.is_static() != is_static {
                    continue;
                }
                let (at, size) = (field.offset.wrapping_sub(start) as usize, field.kind.size() as usize);
                let key = self.key(KeyName::Field(declaring, index));
                if let Some(bytes) = table.get_mut(at..at + size) {
                    bytes.fill(key);
                }
            }
        }
        table.into()
    }

    /// The number of a key.
    fn key(&mut self, name: KeyName) -> u32 {
        if let Some(&number) = self.watch.numbers.get(&name) {
            return number;
        }
        let (volatile, is_static) = match name {
            KeyName::Field(class, index) => {
                let field = &self.class(class).fields[index];
                (field.access & access::VOLATILE != 0, field.is_static())
            }
            _ => (false, false),
        };
        let reduce = self.watch.settings.reduce;
        let first = match name {
            KeyName::Field(class, index) if self.is_exempt(class, index) => Discipline::Exempt,
            _ if reduce.immutable => Discipline::Immutable,
            _ if reduce.guards() && !volatile => Discipline::Guarded,
            _ => Discipline::Visible,
        };
        let known = self.watch.learned.of(&self.name_of_key(name));
        let discipline = known.map_or(first, |known| known.max(first));
        let number = self.watch.keys.len() as u32;
        self.watch.keys.push(Key { name, discipline, volatile, is_static });
        self.watch.numbers.insert(name, number);
        number
    }

    /// Whether a field is one that nobody cares about.
    pub(super) fn is_exempt(&self, class: ClassId, index: usize) -> bool {
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
    pub(super) fn is_masked(&self, class: ClassId, index: usize) -> bool {
        self.class(class).loader == Loader::BOOT
            && (self.is_listed(MASKED, class, index) || self.counts_for_nobody(class, index))
    }

    /// Whether a field is a count that the program has not asked for.
    fn counts_for_nobody(&self, class: ClassId, index: usize) -> bool {
        let name = || self.name_of_key(KeyName::Field(class, index));
        self.is_listed(COUNTS, class, index) && self.watch.learned.of(&name()).is_none()
    }

    /// The program is about to ask for counts of the JDK: the search has to begin again with them.
    pub(crate) fn learn_counts(&mut self) {
        if !self.watch.on || self.watch.follows {
            return;
        }
        for &(class_name, fields) in COUNTS {
            let Ok(class) = self.load(Loader::BOOT, class_name) else { continue };
            for index in 0..self.class(class).fields.len() {
                let name = self.name_of_key(KeyName::Field(class, index));
                let is_count = fields.contains(&self.symbols.text(self.class(class).fields[index].name));
                if is_count && self.watch.learned.of(&name).is_none() {
                    self.watch.learned.learn(&name, Discipline::Visible);
                    self.watch.violated = Some("the program asks how many tasks have been done".into());
                }
            }
        }
    }

    /// Whether a field is a time, of which counts how far it lies ahead.
    pub(super) fn is_time(&self, class: ClassId, index: usize) -> bool {
        self.class(class).keeps_times && self.is_listed(TIMES, class, index)
    }

    fn is_listed(&self, list: &[(&str, &[&str])], class: ClassId, index: usize) -> bool {
        let (class_name, field) = (self.class_name(class), &self.class(class).fields[index]);
        let name = self.symbols.text(field.name);
        list.iter().any(|(class, fields)| *class == class_name && fields.contains(&name))
    }

    /// Notes which instruction has allocated an array.
    pub(crate) fn note_site(&mut self, array: Ref) {
        let frame = *self.threads[self.current].top();
        let key = self.key(KeyName::Site(frame.method, frame.pc));
        let flags = self.heap.get_u32(array, FLAGS) & SHARED | (key + 1) << 1;
        self.heap.put_u32(array, FLAGS, flags);
    }

    /// The same for an array of arrays: those that hold the elements. What leads to them is seldom written, and known by
    /// its class.
    pub(crate) fn note_site_of_rows(&mut self, array: Ref, dimensions: u16) {
        if dimensions <= 1 {
            return self.note_site(array);
        }
        for index in 0..self.heap.length(array) {
            self.note_site_of_rows(self.element(array, index), dimensions - 1);
        }
    }

    /// Whether an object is an array.
    pub(super) fn is_array(&self, object: Ref) -> bool {
        matches!(self.class(ClassId(self.heap.class(object))).shape, Shape::Array { .. })
    }

    /// What stands for the place that has allocated an object, on every worker.
    pub(super) fn print_of_site(&self, object: Ref) -> u64 {
        match self.heap.get_u32(object, FLAGS) >> 1 {
            site @ 1.. if self.is_array(object) => {
                super::print(&self.name_of_key(self.watch.keys[site as usize - 1].name), 6)
            }
            _ => super::print(self.class_name(ClassId(self.heap.class(object))), 5),
        }
    }

    /// A reference is stored in an object: what it leads to can be reached by whoever can reach the object.
    #[inline(always)]
    pub(crate) fn publish(&mut self, object: Ref, offset: u32, value: Ref) {
        if self.watch.watching && self.is_private(value) && self.is_noticed(object) {
            self.publish_noticed(object, offset, value);
        }
    }

    #[inline(never)]
    fn publish_noticed(&mut self, object: Ref, offset: u32, value: Ref) {
        let own = self.watch.own_fields.contains(&offset)
            && self.is_subclass(ClassId(self.heap.class(object)), self.known.thread);
        if !own {
            self.share(value);
        }
    }

    #[inline(always)]
    fn is_private(&self, object: Ref) -> bool {
        object.0 >= self.heap.split() && self.heap.get_u32(object, FLAGS) & SHARED == 0
    }

    /// An object and all that it leads to can be reached by several threads.
    pub(crate) fn share(&mut self, object: Ref) {
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            if object.is_null() || !self.is_private(object) {
                continue;
            }
            let flags = self.heap.get_u32(object, FLAGS);
            self.heap.put_u32(object, FLAGS, flags | SHARED);
            self.push_references(object, &mut pending);
        }
    }

    /// Several threads are alive from now on: what static fields and threads lead to is shared.
    pub(crate) fn share_all(&mut self) {
        let mut pending: Vec<Ref> = self.threads.iter().map(|thread| thread.object).collect();
        for changed in self.heap.changed() {
            let word = self.heap.word(changed.object.0 + changed.offset / 8);
            let [low, high] = self.references_in_word(changed.object, changed.offset);
            pending.extend(low.then_some(Ref(word as u32)));
            pending.extend(high.then_some(Ref((word >> 32) as u32)));
        }
        // What was stored while a thread was alone may hang on objects that have been shared before.
        let mut reached = hashbrown::HashSet::new();
        while let Some(object) = pending.pop() {
            if object.0 < self.heap.split() || !reached.insert(object) {
                continue;
            }
            let flags = self.heap.get_u32(object, FLAGS);
            if flags & SHARED == 0 {
                self.heap.put_u32(object, FLAGS, flags | SHARED);
            }
            self.push_references(object, &mut pending);
        }
    }

    /// Which halves of a word of an object are references.
    pub(super) fn references_in_word(&self, object: Ref, offset: u32) -> [bool; 2] {
        let class = &self.classes[self.heap.class(object) as usize];
        let is_reference = |offset: u32| match class.shape {
            _ if offset < HEADER => false,
            Shape::Array { kind, .. } => {
                kind == Kind::Reference && (offset - ARRAY_DATA) / 4 < self.heap.length(object)
            }
            _ if Some(class.id) == self.known.class && offset >= self.known.mirror_id => {
                let of = &self.classes[self.class_of_mirror(object).0 as usize];
                of.static_references.contains(&offset)
            }
            _ => class.references.contains(&offset),
        };
        [is_reference(offset), is_reference(offset + 4)]
    }

    /// Everything that an object refers to.
    pub(super) fn push_all_references(&self, object: Ref, pending: &mut Vec<Ref>) {
        let class = &self.classes[self.heap.class(object) as usize];
        match class.shape {
            Shape::Array { .. } => self.push_references(object, pending),
            _ => pending.extend(class.references.iter().map(|&offset| self.heap.get_ref(object, offset))),
        }
    }

    fn push_references(&self, object: Ref, pending: &mut Vec<Ref>) {
        let class = &self.classes[self.heap.class(object) as usize];
        match class.shape {
            Shape::Array { kind: Kind::Reference, .. } => {
                let elements = (0..self.heap.length(object)).map(|index| ARRAY_DATA + 4 * index);
                pending.extend(elements.map(|offset| self.heap.get_ref(object, offset)));
            }
            Shape::Array { .. } => {}
            _ => {
                let own = self.watch.own_fields.as_slice();
                let threads = class.lineage.contains(&self.known.thread);
                let offsets = class.references.iter().filter(|offset| !threads || !own.contains(offset));
                pending.extend(offsets.map(|&offset| self.heap.get_ref(object, offset)));
            }
        }
    }
}
