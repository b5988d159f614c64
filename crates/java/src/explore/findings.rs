//! What is wrong with a program: deadlocks, races, exit statuses.

use super::deadlocks::Cycle;
use super::next_operations::NextOperations;
use crate::machine::class::{ClassId, Loader, MethodId};
use crate::machine::visible::Operation;
use crate::machine::{Frame, Machine, Status};
use crate::memory::Ref;
use sojourner_program::{Finding, Kind};

/// Classes of the JDK that are not for several threads without an order among them: a race in them is a race of their callers.
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
    pending: Operation,
    frames: &'a [Frame],
}

impl Machine {
    /// Nothing can happen any more: the finding, if a thread remains that the program waits for. `statuses_count`: an exit status
    /// other than 0 is one, too.
    pub(super) fn judge_end(&self, statuses_count: bool) -> Option<Finding> {
        if self.outcome.ignored {
            return None;
        }
        if let Some(status) = self.outcome.exit {
            return (status != 0 && statuses_count).then(|| Finding::exit(status));
        }
        let waits = |status: Status| !matches!(status, Status::Finished | Status::Leaving);
        let stuck = self.threads.list.iter().position(|thread| waits(thread.status) && !thread.daemon)?;
        let count = self.threads.list.iter().filter(|thread| waits(thread.status)).count();
        let threads = if count == 1 { "1 thread is" } else { &format!("{count} threads are") };
        let mut message = format!("no thread can go on, and {threads} not done");
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
    pub(super) fn race(&self, next_operations: &NextOperations) -> Option<Finding> {
        let next = |index: usize| -> Option<Access> {
            let thread = &self.threads.list[index];
            let (pending, frames) = match next_operations.of(index) {
                Some(next) => (next.pending, &next.frames),
                None => (thread.pending, &thread.frames),
            };
            let stands = next_operations.of(index).is_some() || thread.status == Status::Runnable;
            let ready = stands && !thread.suspended && !thread.stopped;
            let noticed = pending != Operation::NOTHING && thread.outcomes == 0;
            (ready && noticed).then_some(Access { thread: index, pending, frames })
        };
        for second in 1..self.threads.list.len() {
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
        // What the JDK does to its own objects is its own affair, unless it leaves the order of threads to its callers.
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

    /// Whether a variable is where a map keeps a view of itself: every thread makes the same.
    fn is_cached_view(&self, pending: Operation) -> bool {
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
