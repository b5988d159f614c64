//! clean
//! found deadlock broken
// A thread that waits for a lock is interrupted. Broken: it waits in a way that no interrupt ends.
import java.util.concurrent.locks.ReentrantLock;

public class LockInterruptibly {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread waiter = new Thread(() -> {
            if (args.length > 0) {
                lock.lock();
            } else {
                try {
                    lock.lockInterruptibly();
                } catch (InterruptedException expected) {
                    return;
                }
            }
            lock.unlock();
        });
        waiter.start();
        waiter.interrupt();
        waiter.join();
        lock.unlock();
    }
}
