//! What is wrong with a program: exceptions that nobody catches, deadlocks, races.

use super::Pending;
use super::deadlocks::Cycle;
use super::outlook::Outlook;
use crate::class::{ClassId, Loader, MethodId};
use crate::machine::{Bits, Frame, Machine, Run, Status, Trouble};
use crate::memory::Ref;
use sojourner_program::{Finding, Kind, Location};

/// Classes of the JDK that are not for several threads without an order among them: a race in them is one of whoever calls.
const NEED_ORDER: [&str; 22] = [
    "java/lang/AbstractStringBuilder",
    "java/lang/StringBuilder",
    "java/text/DateFormat",
    "java/text/DecimalFormat",
    "java/text/SimpleDateFormat",
    "java/util/AbstractList",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/BitSet",
    "java/util/Calendar",
    "java/util/Date",
    "java/util/EnumMap",
    "java/util/Formatter",
    "java/util/GregorianCalendar",
    "java/util/HashMap",
    "java/util/IdentityHashMap",
    "java/util/LinkedHashMap",
    "java/util/LinkedList",
    "java/util/PriorityQueue",
    "java/util/Scanner",
    "java/util/TreeMap",
    "java/util/WeakHashMap",
];

/// An access to a variable that a thread is about to do.
#[derive(Clone, Copy)]
struct Access<'a> {
    thread: usize,
    pending: Pending,
    frames: &'a [Frame],
}

impl Machine {
    /// An exception leaves a thread. While a program is explored that is a finding, unless the program has a handler for
    /// it.
    pub(crate) fn uncaught(&mut self, exception: Ref) -> Run<u64> {
        if !self.watch.on || self.has_handler() || self.is_death(exception) {
            return Ok(0u64.bits());
        }
        self.nobody_catches(exception)
    }

    /// Whether it is what threads throw that are told to stop. The JDK keeps quiet about those.
    pub(crate) fn is_death(&self, exception: Ref) -> bool {
        let lineage = &self.class(ClassId(self.heap.class(exception))).lineage;
        lineage.iter().any(|&class| self.class_name(class) == "java/lang/ThreadDeath")
    }

    /// The finding for an exception that leaves a thread, or the handler for such exceptions. Who goes on behind the finding
    /// comes here again: the thread ends, and the others go on.
    pub(crate) fn nobody_catches(&mut self, exception: Ref) -> Run<u64> {
        if self.threads[self.current].told {
            self.standing(self.current).told = false;
            return Ok(0u64.bits());
        }
        let class = ClassId(self.heap.class(exception));
        let type_name = self.external_name(class);
        let assertion = type_name == "java.lang.AssertionError";
        let text = self.heap.get_ref(exception, self.known.throwable_message);
        let text = text.some().map_or(String::new(), |text| format!(": {}", self.text(text)));
        let thread = self.thread_name(self.current);
        let trace = self.stack_trace(exception);
        let mut message = if assertion {
            format!("an assertion failed in thread {thread}{text}")
        } else {
            format!("thread {thread} did not catch {type_name}{text}")
        };
        for &(method, bci) in &trace {
            message.push_str(&format!("\n    at {}", self.describe_place(method, bci)));
        }
        let own = trace.iter().find(|(method, _)| self.is_own(*method)).or(trace.first());
        let finding = Finding {
            kind: if assertion { Kind::Assertion } else { Kind::Exception },
            message,
            type_name: Some(type_name),
            thread: Some(self.threads[self.current].id),
            location: own.map(|&(method, bci)| self.location(method, bci)),
        };
        self.standing(self.current).told = true;
        Err(Trouble::Found(Box::new(finding)))
    }

    /// Whether the program has set a handler for exceptions that the current thread does not catch.
    fn has_handler(&self) -> bool {
        let object = self.threads[self.current].object;
        let set = |name: &str, object: Ref| {
            let offset = self.offset_of(self.known.thread, name);
            offset.is_some_and(|offset| !self.heap.get_ref(object, offset).is_null())
        };
        // A group of threads may be of a class of the program's own.
        let group =
            self.offset_of(self.known.thread, "group").map(|offset| self.heap.get_ref(object, offset));
        let own_group = group
            .and_then(Ref::some)
            .is_some_and(|group| self.class(ClassId(self.heap.class(group))).loader != Loader::BOOT);
        own_group
            || set("uncaughtExceptionHandler", object)
            || set("defaultUncaughtExceptionHandler", self.class(self.known.thread).mirror)
    }

    /// Whether a method is the program's own.
    pub(crate) fn is_own(&self, method: MethodId) -> bool {
        let method = self.method(method);
        !method.marks.hidden
            && self.class(method.class).loader != Loader::BOOT
            && !self.class_name(method.class).starts_with("sojourner/")
            && !self.class_name(method.class).starts_with("gov/nasa/jpf/vm/")
    }

    /// A place in the program.
    pub(super) fn location(&self, method: MethodId, bci: u16) -> Location {
        let class = self.method(method).class;
        let name = self.symbols.text(self.method(method).name);
        Location {
            file: self.source_file(class).unwrap_or_else(|| self.external_name(class)),
            line: u32::try_from(self.line(method, bci)).unwrap_or(0),
            function: format!("{}.{name}", self.external_name(class)),
        }
    }

    /// Where a thread stands in the program's own code.
    pub(super) fn location_of(&self, thread: usize) -> Option<Location> {
        self.location_in(&self.threads[thread].frames)
    }

    fn location_in(&self, frames: &[Frame]) -> Option<Location> {
        let mut own = frames.iter().rev().filter(|frame| self.is_own(frame.method));
        let frame = own.next().or_else(|| {
            let mut frames = frames.iter().rev();
            frames.find(|frame| !self.method(frame.method).marks.hidden)
        })?;
        Some(self.location(frame.method, self.bci(frame.method, frame.pc)))
    }

    /// Nothing can happen any more: the finding, if a thread remains that the program waits for.
    pub(super) fn judge_end(&self) -> Option<Finding> {
        if self.ignored {
            return None;
        }
        if let Some(status) = self.exit {
            return (status != 0 && self.watch.settings.exit).then(|| Finding::exit(status));
        }
        let waits = |status: Status| !matches!(status, Status::Finished | Status::Leaving);
        let stuck = self.threads.iter().position(|thread| waits(thread.status) && !thread.daemon)?;
        let count = self.threads.iter().filter(|thread| waits(thread.status)).count();
        let who = if count == 1 { "1 thread is" } else { &format!("{count} threads are") };
        let mut message = format!("no thread can go on, and {who} not done");
        // Where they stand is a part of the state, and shown with it.
        let waiting = self.describe_waiting();
        let cycle = self.any_cycle();
        let links =
            |cycle: &Cycle| cycle.threads.iter().filter_map(|&thread| self.link(cycle, thread)).collect();
        let links: Vec<String> = cycle.as_ref().map_or_else(Vec::new, links);
        let first = cycle.as_ref().map_or(stuck, |cycle| cycle.threads[0]);
        let named = |line: &str| {
            cycle
                .iter()
                .flat_map(|cycle| &cycle.threads)
                .any(|&thread| line.starts_with(&format!("{} ", self.thread_name(thread))))
        };
        let others = waiting.lines().filter(|line| !line.starts_with(' ') && !named(line)).map(String::from);
        for line in links.into_iter().chain(others) {
            message.push_str(&format!("\n{line}"));
        }
        let mut finding = Finding::new(Kind::Deadlock, message);
        finding.location = self.location_of(first);
        Some(finding)
    }

    /// Two threads that are about to access one variable, at least one of them to write it, without any order.
    pub(super) fn race(&self, outlook: &Outlook) -> Option<Finding> {
        let next = |index: usize| -> Option<Access> {
            let thread = &self.threads[index];
            let (pending, frames) = match outlook.of(index) {
                Some(next) => (next.pending, &next.frames),
                None => (thread.pending, &thread.frames),
            };
            let stands = outlook.of(index).is_some() || thread.status == Status::Runnable;
            let ready = stands && !thread.suspended && !thread.stopped;
            let noticed = pending != Pending::NOTHING && thread.outcomes == 0;
            (ready && noticed).then_some(Access { thread: index, pending, frames })
        };
        for second in 1..self.threads.len() {
            let Some(access) = next(second) else { continue };
            for other in (0..second).filter_map(next) {
                if access.pending.races_with(other.pending)
                    && let Some(race) = self.describe_race([other, access])
                {
                    return Some(race);
                }
            }
        }
        None
    }

    fn describe_race(&self, accesses: [Access; 2]) -> Option<Finding> {
        let place = |access: &Access| {
            let frames = access.frames.iter().rev();
            frames.into_iter().find(|frame| !self.method(frame.method).marks.hidden).copied()
        };
        let (a, b) = (place(&accesses[0])?, place(&accesses[1])?);
        // What the JDK does to its own objects is its own affair, unless it leaves the order of threads to whoever calls it.
        let pending = accesses[0].pending;
        let users =
            self.is_users(pending.object, pending.offset) || self.is_own(a.method) || self.is_own(b.method);
        let left_to_callers = !users && self.needs_order(a.method) && self.needs_order(b.method);
        if !users && (!left_to_callers || self.is_cached_view(pending)) {
            return None;
        }
        // Of elements that are copied in one go, the first that both access.
        let offset = pending.offset.max(accesses[1].pending.offset);
        let variable = self.variable_text(pending.object, offset);
        let mut message = format!("a data race on {variable}");
        for access in &accesses {
            let verb = self.verb(access.pending);
            message.push_str(&format!("\n{} is about to {verb} it", self.thread_name(access.thread)));
            for frame in access.frames.iter().rev() {
                if !self.method(frame.method).marks.hidden {
                    message.push_str(&format!("\n    at {}", self.describe_frame(frame.method, frame.pc)));
                }
            }
        }
        let mut locations = accesses.map(|access| self.location_in(access.frames));
        locations.sort();
        let [one, other] = locations;
        let mut finding = Finding::new(Kind::Race, message);
        // Of what is inside a collection one variable is as good as another.
        let what = if left_to_callers {
            self.external_name(self.method(a.method).class)
        } else {
            self.variable_name(pending)
        };
        finding.type_name = Some(match &other {
            Some(other) => format!("{what} and {}:{}", other.file, other.line),
            None => what,
        });
        finding.location = one;
        Some(finding)
    }

    /// Whether a method belongs to a class of the JDK that is not for several threads without an order among them.
    fn needs_order(&self, method: MethodId) -> bool {
        let class = self.method(method).class;
        let name = self.class_name(class);
        self.class(class).loader == Loader::BOOT
            && NEED_ORDER.contains(&name.split('$').next().unwrap_or(name))
    }

    /// Whether a variable is where a map keeps a view of itself: whoever makes it makes the same.
    fn is_cached_view(&self, pending: Pending) -> bool {
        const VIEWS: [&str; 5] = [".keySet", ".values", ".entrySet", ".navigableKeySet", ".descendingMap"];
        let name = self.variable_name(pending);
        VIEWS.iter().any(|view| name.ends_with(view))
    }

    fn is_users(&self, object: Ref, offset: u32) -> bool {
        let class = ClassId(self.heap.class(object));
        if Some(class) == self.known.class && offset > self.known.mirror_id {
            return self.class(self.class_of_mirror(object)).loader != Loader::BOOT;
        }
        self.class(class).loader != Loader::BOOT
    }
}
