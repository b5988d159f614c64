//! The first frames of threads: what runs them, hands on what they do not catch, and ends them.

use super::thread::{
    end_failed_program, end_program, end_thread, handler_failed, main_leaves, thread_is_over,
};
use crate::code::builder::Builder;
use crate::code::{Insn, Op};
use crate::machine::class::{Loader, MethodId};
use crate::machine::{Abrupt, Machine, Run};

impl Machine {
    /// The first frame of a thread: runs it, gives what it does not catch to its handler, and ends it.
    pub(crate) fn stub_thread(&mut self) -> Run<MethodId> {
        if let Some(stub) = self.links.stubs.thread {
            return Ok(stub);
        }
        let class = self.known.thread;
        let mut site = |name: &str, descriptor: &str| {
            let method = self.method_named(class, name, descriptor);
            method.map(|method| self.call_site(method)).ok_or_else(|| Abrupt::unsupported("this JDK"))
        };
        let run = site("run", "()V")?;
        let dispatch = site("dispatchUncaughtException", "(Ljava/lang/Throwable;)V")?;
        let exit = site("exit", "()V")?;
        let end = self.hook(end_thread);
        let uncaught = self.hook(|machine, arguments| machine.uncaught(arguments.object(3)));
        let failed = self.hook(|machine, arguments| handler_failed(machine, arguments.object(3)));
        let mut builder = Builder::new(4);
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::wide(Op::CallVirtual, 1, run));
        let leave = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let caught = builder.next();
        // Register 3 has the exception.
        builder.emit(Insn::wide(Op::Hook, 0, uncaught));
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::new(Op::Move, 2, 3, 0));
        builder.emit(Insn::wide(Op::CallDirect, 1, dispatch));
        let over = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let thrown = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, failed));
        let finish = builder.next();
        builder.patch(leave, finish);
        builder.patch(over, finish);
        builder.emit(Insn::new(Op::Move, 1, 0, 0));
        builder.emit(Insn::wide(Op::CallDirect, 1, exit));
        let last = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, end));
        builder.emit(Insn::new(Op::Return, 0, 0, 0));
        builder.catch(0, caught, caught, 3);
        builder.catch(caught, thrown, thrown, 3);
        builder.catch(thrown, last, last, 3);
        let stub = self.make_method("thread", "(Ljava/lang/Thread;)V", builder.finish());
        self.links.stubs.thread = Some(stub);
        Ok(stub)
    }

    /// The first frame of the main thread: calls `main` with the arguments in register 1, waits for the other threads
    /// and shuts down. Register 0 has the thread.
    pub(crate) fn stub_main(&mut self, main: MethodId) -> Run<MethodId> {
        let thread = self.known.thread;
        let dispatch = self.method_named(thread, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
        let exit = self.method_named(thread, "exit", "()V");
        let shutdown = self.load(Loader::BOOT, "java/lang/Shutdown")?;
        let shutdown = self.method_named(shutdown, "shutdown", "()V");
        let (Some(dispatch), Some(exit), Some(shutdown)) = (dispatch, exit, shutdown) else {
            return Err(Abrupt::unsupported("this JDK"));
        };
        let (main, dispatch) = (self.call_site(main), self.call_site(dispatch));
        let (exit, shutdown) = (self.call_site(exit), self.call_site(shutdown));
        let uncaught = self.hook(|machine, arguments| machine.uncaught(arguments.object(4)));
        let failed = self.hook(end_failed_program);
        let over = self.hook(thread_is_over);
        let thrown = self.hook(|machine, arguments| handler_failed(machine, arguments.object(4)));
        let leaving = self.hook(main_leaves);
        let end = self.hook(end_program);
        let mut builder = Builder::new(6);
        builder.emit(Insn::new(Op::Move, 2, 1, 0));
        builder.emit(Insn::wide(Op::CallStatic, 2, main));
        let leave = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let caught = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, uncaught));
        builder.emit(Insn::new(Op::Move, 2, 0, 0));
        builder.emit(Insn::new(Op::Move, 3, 4, 0));
        builder.emit(Insn::wide(Op::CallDirect, 2, dispatch));
        let handled = builder.emit(Insn::wide(Op::Goto, 0, 0));
        let rethrown = builder.next();
        builder.emit(Insn::wide(Op::Hook, 0, thrown));
        builder.catch(0, caught, caught, 4);
        builder.catch(caught, rethrown, rethrown, 4);
        // The other threads go on in either case, and the status of the program tells how main has ended.
        for (end, jump) in [(failed, handled), (end, leave)] {
            let finish = builder.next();
            builder.patch(jump, finish);
            builder.emit(Insn::new(Op::Move, 2, 0, 0));
            builder.emit(Insn::wide(Op::CallDirect, 2, exit));
            builder.emit(Insn::wide(Op::Hook, 0, over));
            builder.emit(Insn::wide(Op::Hook, 0, leaving));
            builder.emit(Insn::wide(Op::CallStatic, 2, shutdown));
            let last = builder.next();
            builder.emit(Insn::wide(Op::Hook, 0, end));
            builder.emit(Insn::new(Op::Return, 0, 0, 0));
            builder.catch(finish, last, last, 4);
        }
        let stub = self.make_method("main", "(Ljava/lang/Thread;[Ljava/lang/String;)V", builder.finish());
        Ok(stub)
    }
}
