//! Waits that end for no reason, where the specification lets them.
//!
//! `Object.wait` and `LockSupport.park` return, and that is all. The conditions of `java.util.concurrent` may return as well,
//! but the JDK's own do not: a thread that comes back from `park` there looks whether it was signalled, and parks again. So it
//! has to find that it was: it takes itself out of the threads that wait for the condition, and gets into line for the lock.

use super::transition::SPURIOUSLY;
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{ClassId, Loader};
use crate::machine::visible::Juc;
use crate::machine::{Abrupt, Bits, Machine, Resume, Run, Status, Woken};
use crate::memory::Ref;
use sojourner_program::Choice;

/// `AbstractQueuedSynchronizer.COND`: the status of a node whose thread waits for a condition.
const COND: i32 = 2;
/// As many frames of a thread that is parked belong to the JDK's way from a condition to `park`.
const FRAMES: usize = 8;

impl Machine {
    /// The choice by which a thread that waits goes on for no reason, if it may.
    pub(super) fn spurious_choice(&self, thread: usize) -> Option<Choice> {
        let at = &self.threads.list[thread];
        let waits = matches!(at.status, Status::Waiting { .. } | Status::Parked { .. });
        let may = self.scheduling.settings.spurious && waits && !at.stays_in_loop && !at.suspended;
        may.then(|| Choice::pick(at.id, SPURIOUSLY))
    }

    /// The current thread, which waits, goes on for no reason.
    pub(super) fn wake_spuriously(&mut self) {
        let current = self.turn.thread;
        let parked = matches!(self.threads.list[current].status, Status::Parked { .. });
        self.wake(current, Woken::Notified);
        if parked
            && let Some((condition, node)) = self.condition_of(current)
            && self.is_left_alone(condition)
            && self.signal(condition, node).is_ok()
        {
            // No other thread comes to the condition before that is done. A JDK that does it in another way has its thread park
            // again.
            self.state_mut(current).atomic += 1;
        }
    }

    /// Whether no thread is in the middle of doing something to a condition. For that it would hold the lock, whose owner is
    /// known if it is one of the JDK's. Methods that are one step are not stopped in the middle.
    fn is_left_alone(&self, condition: Ref) -> bool {
        let field = |object: Ref, name: &str| {
            let offset = self.offset_of(ClassId(self.heap.class(object)), name)?;
            Some(self.heap.get_ref(object, offset))
        };
        let is_free = |lock: Ref| {
            self.class(ClassId(self.heap.class(lock))).loader == Loader::BOOT
                && field(lock, "exclusiveOwnerThread").is_some_and(Ref::is_null)
        };
        self.scheduling.settings.juc == Juc::Primitive || field(condition, "this$0").is_some_and(is_free)
    }

    /// The condition that a parked thread waits for, and its node there.
    fn condition_of(&self, thread: usize) -> Option<(Ref, Ref)> {
        let at = &self.threads.list[thread];
        let awaits = at.frames.iter().rev().take(FRAMES).find(|frame| {
            let method = self.method(frame.method);
            self.class(method.class).loader == Loader::BOOT
                && self.class_name(method.class).ends_with("Synchronizer$ConditionObject")
                && self.classes.symbols.text(method.name).starts_with("await")
        })?;
        let condition = Ref(at.stack.get(awaits.base as usize) as u32);
        let field = |object: Ref, name: &str| self.offset_of(ClassId(self.heap.class(object)), name);
        let mut node = self.heap.get_ref(condition, field(condition, "firstWaiter")?);
        while !node.is_null() {
            let waits = self.heap.get_i32(node, field(node, "status")?) & COND != 0;
            if waits && self.heap.get_ref(node, field(node, "waiter")?) == at.object {
                return Some((condition, node));
            }
            node = self.heap.get_ref(node, field(node, "nextWaiter")?);
        }
        None
    }

    /// Has the current thread do to itself what a signal would do, before it goes on.
    fn signal(&mut self, condition: Ref, node: Ref) -> Run<()> {
        let class = ClassId(self.heap.class(condition));
        let outer = self.offset_of(class, "this$0").ok_or_else(|| Abrupt::unsupported("this JDK"))?;
        let synchronizer = self.heap.get_ref(condition, outer);
        let stub = match self.links.stubs.signal.get(&class) {
            Some(&stub) => stub,
            None => self.signal_stub(class)?,
        };
        self.call(stub, &[condition.bits(), node.bits(), synchronizer.bits()], Resume::Again)
    }

    fn signal_stub(&mut self, condition: ClassId) -> Run<crate::machine::class::MethodId> {
        let unknown = || Abrupt::unsupported("this JDK's conditions");
        let name = self.class_name(condition);
        let outer = name.strip_suffix("$ConditionObject").ok_or_else(unknown)?.to_string();
        let synchronizer = self.load(Loader::BOOT, &outer)?;
        let node = self.load(Loader::BOOT, &format!("{outer}$Node"))?;
        let unset = self.method_named(node, "getAndUnsetStatus", "(I)I");
        let unlink =
            self.method_named(condition, "unlinkCancelledWaiters", &format!("(L{outer}$ConditionNode;)V"));
        let enqueue = self.method_named(synchronizer, "enqueue", &format!("(L{outer}$Node;)V"));
        let (Some(unset), Some(unlink), Some(enqueue)) = (unset, unlink, enqueue) else {
            return Err(unknown());
        };
        let mut builder = Builder::new(6);
        builder.emit(Insn::new(Op::Move, 3, 1, 0));
        builder.constant(4, COND.bits());
        builder.emit(Insn::wide(Op::CallDirect, 3, self.call_site(unset)));
        for (receiver, method) in [(0, unlink), (2, enqueue)] {
            builder.emit(Insn::new(Op::Move, 3, receiver, 0));
            builder.emit(Insn::new(Op::Move, 4, 1, 0));
            builder.emit(Insn::wide(Op::CallDirect, 3, self.call_site(method)));
        }
        let done = self.hook(|machine, _| {
            machine.state_mut(machine.turn.thread).atomic -= 1;
            Ok(0)
        });
        builder.emit(Insn::wide(Op::Hook, 3, done));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";
        let stub = self.make_method("signal", descriptor, builder.finish());
        self.links.stubs.signal.insert(condition, stub);
        Ok(stub)
    }
}
