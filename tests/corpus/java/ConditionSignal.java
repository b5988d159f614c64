//! clean
//! found deadlock broken
// A condition of a ReentrantLock is signalled although the waiter may come later.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionSignal {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        boolean broken = args.length > 0;
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                if (broken) changed.awaitUninterruptibly();
                else while (!ready) changed.awaitUninterruptibly();
            } finally { lock.unlock(); }
        });
        waiter.start();
        lock.lock();
        try { ready = true; changed.signal(); } finally { lock.unlock(); }
        waiter.join();
    }
}
